// `scree info result.h5`: what a result file is and what it says.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "commands.hpp"
#include "host/report/screen.hpp"

namespace scree {

/// The report is as the run printed it; with form.all it has everything, and the config. `columns` are those to show in
/// place of the ones that the run was told to; `anyway` as in read_result. Throws like that, and Error(Exit::usage) for
/// a column that the result does not have.
void print_info(std::ostream& out, const std::string& path, Form form = {},
                const std::vector<std::string>& columns = {}, bool anyway = false);
/// The same as one JSON object, which says that it is of `command`.
void print_info_json(std::ostream& out, const std::string& path, const std::vector<std::string>& columns = {},
                     const std::string& command = "info", bool anyway = false);

/// What a result holds; its JSON says that it is of `command`. Throws like read_result.
Found found_in(const std::string& path, const std::string& command = "info");

}  // namespace scree
