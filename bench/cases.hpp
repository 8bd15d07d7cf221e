// The table of benchmark cases: what is integrated, what it is compared with, and how its physics is checked.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/model/run.hpp"
#include "operations.hpp"
#include "plain.hpp"

namespace scree {

/// A number that must not exceed a bound; the bound's derivation stands where the check is made.
struct PhysicsCheck {
  const char* what;
  double value, bound;
  bool holds() const { return value <= bound; }
};

/// What the contact solver did, over all samples of a row; steps is 0 for a system without contacts.
struct ContactWork {
  double steps = 0, sweeps = 0, capped = 0, twofold = 0;
};
ContactWork contact_work(const SummaryTable& table);

/// A row that is not ours: naive or odeint.
struct PlainRow {
  const char* backend;
  const char* scheme;
  scree_plain run;
};

/// Those rows, and how their results are compared with the backends'.
struct PlainRows {
  std::vector<PlainRow> rows;
  std::vector<const char*> inputs;  // parameters and starts that the rows are given, in this order
  std::vector<const char*> state;   // summary columns that their results hold, in this order,
  std::size_t width = 0;            // of so many numbers a sample
  /// Bound of | mean of the row - mean of the backends | of each of these columns, over the mean size of the latter.
  double agreement = 0;
};

struct BenchCase {
  const char* name;
  const char* meaning;
  const char* config;         // the ensemble, as a user would write it
  bool every_scheme = false;  // of the system, and not only those of the config
  bool needs_data = false;    // files that are not in this repository: left out where SCREE_DATA is not set
  std::uint64_t samples;      // unless --samples is given
  std::uint64_t counted;      // samples whose operations are counted
  StepOperations (*count)(const void* ensemble, int scheme, std::uint64_t samples, std::uint64_t most_steps);
  PhysicsCheck (*check)(const Run& run, const void* ensemble, const std::string& scheme, const SummaryTable& table);
  PlainRows plain = {};
  std::vector<double> map_cells = {};  // m: each row once more with maps of such cells
  const char* map_extent = nullptr;    // maps.extent; null: that of the terrain
  Kernel contracted[isa_count] = {};  // packs with contraction by the compiler: what determinism costs
};

std::span<const BenchCase> bench_cases();

/// find_model, and the systems that are there for the bench alone.
const Model* find_bench_model(std::string_view system);

}  // namespace scree
