// `scree replay`: one sample again, with its whole path.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/common/error.hpp"
#include "host/config/config.hpp"

namespace scree {

struct ReplayOptions {
  std::string file;  // a config, or a result, which holds the config it was made from
  std::uint64_t sample = 0;
  std::string scheme;       // may be left empty where there is one
  std::uint64_t every = 1;  // steps between rows; the first and the last state are always there
  std::string output;       // .csv or .h5; empty: CSV on stdout
  std::vector<std::string> sets;
  Overrides overrides;
  bool force = false, quiet = false;
};

/// Writes the path; for a result also compares the end with what is stored, bit for bit, and says so on stderr. The
/// exit code is Exit::failed if they differ.
Exit replay_command(const ReplayOptions& options);

}  // namespace scree
