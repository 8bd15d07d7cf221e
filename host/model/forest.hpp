// The forest of a run: where stems stand, and how many are hit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/visits.hpp"

namespace scree {

/// [[forest]] of a config; the numbers of it are in the run's tables (src/forest.hpp).
struct ForestStand {
  std::string text;  // "400 stems per ha on 4800 m2, the same for all samples"
  bool resampled = false;
  std::vector<double> corners = {};  // x, y, x, y, ... of its area (m); empty where stems are given one by one
};

/// What the samples of a run did to stems. Samples that failed (counts_in_maps) are left out.
struct ForestCounts {
  std::uint64_t counted = 0;           // samples
  std::uint64_t hitting = 0;           // of them, those that hit a stem
  std::uint64_t hits = 0, broken = 0;  // of all of them; of these, how many broke the stem

  void fold(const PassageBatch& batch);
  /// Adds those of other samples.
  void add(const ForestCounts& other);
};

}  // namespace scree
