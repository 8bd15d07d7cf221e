// What [sensitivity] found: the run for each of several values of one key.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "report.hpp"

namespace scree {

/// Lines of the short table of a run, with the blank one before it; 0 if it has none.
std::size_t sensitivity_lines(const Run& run);

/// A line per value or, with form.all, the headline columns by value and, where samples are grouped, the column of the
/// observations by value and group.
void print_sensitivity_table(std::ostream& out, const Run& run, const std::vector<Variant>& variants, const Form& form);

/// {"key", "rows": [{"value", "scheme", "statistics": {column: {"n", "mean", "ci95"}}, "groups": {name: {...}}}]}
nlohmann::ordered_json sensitivity_json(const Run& run, const std::vector<Variant>& variants);

}  // namespace scree
