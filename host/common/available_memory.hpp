// How much memory and room on disks there is, and how sizes of it are written.
#pragma once

#include <string>

namespace scree {

/// Bytes that this process may still take: what the machine has available, and what control groups (cgroup.hpp) grant.
double memory_available();
/// Bytes that may still be written to the folder of a file; infinity where that is not known.
double disk_available(const std::string& file);
/// "1.53 GB"
std::string bytes_text(double bytes);

}  // namespace scree
