// `scree check`: the check of a config, without a run.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"

namespace scree {

/// What there is to tell of a run before anything is computed, as names and texts.
std::vector<std::pair<std::string, std::string>> told_of(const Run& run);
/// Reads a config as a run would and says what it describes, on stdout, but for warnings. As JSON one object.
void check_command(const RunOptions& options);
/// What it prints of a Run that was read: as JSON, and as text.
nlohmann::ordered_json check_json(const Run& run);
void print_check(std::ostream& out, const std::string& path, const Run& run);

}  // namespace scree
