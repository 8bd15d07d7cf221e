#include "forest.hpp"

#include <algorithm>

namespace scree {

bool ForestFacts::is_one_for_all() const {
  const auto is_drawn_once = [](const ForestStand& stand) { return !stand.resampled && !stand.corners.empty(); };
  return std::ranges::any_of(stands, is_drawn_once);
}

ForestFacts forest_facts(std::vector<ForestStand> stands, const ForestCounts& counts, int replicates) {
  ForestFacts facts{std::move(stands), counts};
  if (counts.counted == 0) return facts;
  const double n = static_cast<double>(counts.counted), k = static_cast<double>(counts.hitting);
  facts.share = k / n;
  if (replicates == 0) facts.interval = wilson_interval(n, k);
  return facts;
}

}  // namespace scree
