// What `scree bench` prints of its rows, as tables, JSON and CSV.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "measure.hpp"

namespace scree {

/// The rows at one number of samples.
struct Count {
  std::uint64_t samples;
  std::vector<Row> rows;
};

/// "pack AVX2", "cuda with maps of 2 m".
std::string name_of(const Row& row);

void print_machine(const Machine& machine);
/// The operations of a step, by scheme.
void print_case(const CaseRun& run);
void print_count(const CaseRun& run, const Count& count);
/// The best GPU row against the best CPU row, each at the number of samples that suits it best, and where the GPU
/// overtakes. Never against naive.
void print_headline(const CaseRun& run, const std::vector<Count>& counts);

/// A result as names and values, for JSON and CSV.
nlohmann::ordered_json record(const Machine& machine, const CaseRun& run, std::uint64_t samples, const Row& row);
/// Records of the same names, one line each; numbers keep 17 digits.
std::string csv_text(const nlohmann::ordered_json& records);

}  // namespace scree
