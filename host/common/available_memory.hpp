// How much memory and room on disks there is, and how sizes of it are written.
#pragma once

#include <string>

namespace scree {

/// Bytes that this process may still take: what the machine has available, and what control groups (cgroup.hpp) grant.
double memory_available();
/// As many of `threads` as `bytes` are enough for, if each takes `of_each`; at least one.
int threads_within(int threads, double of_each, double bytes);
/// As many as the memory that is available now is enough for.
int threads_within_memory(int threads, double of_each);
/// Bytes that may still be written to the folder of a file; infinity where that is not known.
double disk_available(const std::string& file);
/// "1.53 GB"
std::string bytes_text(double bytes);

}  // namespace scree
