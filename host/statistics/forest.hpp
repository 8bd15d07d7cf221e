// What samples did in a forest.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "host/model/forest.hpp"
#include "intervals.hpp"

namespace scree {

struct ForestFacts {
  std::vector<ForestStand> stands;
  ForestCounts counts;
  double share = std::numeric_limits<double>::quiet_NaN();  // of samples that hit a stem
  Interval interval{share, share};                          // 95 %, Wilson's; NaN of low-discrepancy points

  /// Whether stems that are drawn are the same for all samples, so that intervals do not cover where they stand.
  bool is_one_for_all() const;
};
ForestFacts forest_facts(std::vector<ForestStand> stands, const ForestCounts& counts, int replicates);

}  // namespace scree
