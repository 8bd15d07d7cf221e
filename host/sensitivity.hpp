// [sensitivity]: the run again for each of several values of one key.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <vector>

#include "execute.hpp"
#include "report.hpp"

namespace scree {

/// One variant per value and scheme, without the samples. Ends early if an end is asked for, with the variants that are
/// complete. Nothing if the config has no [sensitivity].
std::vector<Variant> run_sensitivity(const Run& run, const Engine& engine, bool quiet);

/// The headline columns by value and, where samples are grouped, the column of the observations by value and group.
void print_sensitivity_table(std::ostream& out, const Run& run, const std::vector<Variant>& variants, bool colour);

/// {"key", "rows": [{"value", "scheme", "statistics": {column: {"n", "mean", "ci95"}}, "groups": {name: {...}}}]}
nlohmann::ordered_json sensitivity_json(const Run& run, const std::vector<Variant>& variants);

}  // namespace scree
