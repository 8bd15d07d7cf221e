// `scree bench`: sample-steps per second on every backend of this machine, beside a naive loop and Boost.odeint.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "host/common/caller.hpp"
#include "host/common/error.hpp"

namespace scree {

struct BenchOptions {
  std::string only, csv;                                    // empty: all cases; no CSV
  std::vector<std::uint64_t> samples;                       // empty: the case's own number
  std::vector<std::string> schemes, backends;               // empty: the case's own, all
  int rounds = 3, threads = 0;                              // threads 0: one per core
  double limit = 20;                                        // s
  double budget = std::numeric_limits<double>::infinity();  // s, of the whole call
  bool device = false;                                      // what limits the CUDA devices, and nothing else
  bool list = false, json = false, force = false;
  Caller caller;
};

/// Prints tables, or one JSON object, on stdout. Throws Error(Exit::failed), after the numbers are out, if backends
/// differ in their digest or a physics check fails; Error(Exit::device) if the limits of devices are wanted and there
/// is none, or one that runs nothing.
Exit bench_command(const BenchOptions& options);

}  // namespace scree
