// `scree bench`: sample-steps per second on every backend of this machine, beside a naive loop and Boost.odeint.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/common/error.hpp"

namespace scree {

struct BenchOptions {
  std::string only, csv;               // empty: all cases; no CSV
  std::vector<std::uint64_t> samples;  // empty: the case's own number
  int rounds = 3, threads = 0;         // threads 0: one per core
  double limit = 20;                   // s
  bool list = false, json = false, force = false, quiet = false;
};

/// Prints tables, or one JSON list, on stdout. Throws Error(Exit::failed), after the numbers are out, if backends
/// differ in their digest or a physics check fails.
Exit bench_command(const BenchOptions& options);

}  // namespace scree
