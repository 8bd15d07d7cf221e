// How much memory there is, and how sizes of it are written.
#pragma once

#include <string>

namespace scree {

/// Bytes that this process may still take.
double memory_available();
/// "1.53 GB"
std::string bytes_text(double bytes);

}  // namespace scree
