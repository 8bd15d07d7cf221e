// `scree info result.h5`: what a result file is and what it says.
#pragma once

#include <iosfwd>
#include <string>

namespace scree {

/// Throws like read_result.
void print_info(std::ostream& out, const std::string& path, bool colour = false);

}  // namespace scree
