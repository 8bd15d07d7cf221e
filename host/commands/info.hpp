// `scree info result.h5`: what a result file is and what it says.
#pragma once

#include <iosfwd>
#include <string>

#include "host/report/screen.hpp"

namespace scree {

/// The report is as the run printed it; with form.all it has everything, and the config. Throws like read_result.
void print_info(std::ostream& out, const std::string& path, Form form = {});
/// The same as one JSON object.
void print_info_json(std::ostream& out, const std::string& path);

}  // namespace scree
