#include "forest.hpp"

#include "maps.hpp"

namespace scree {

void ForestCounts::fold(const PassageBatch& batch) {
  for (const SampleOfMap& sample : batch.samples) {
    if (!counts_in_maps(sample.status)) continue;
    ++counted;
    hitting += sample.stems_hit > 0 ? 1 : 0;
    hits += sample.stems_hit;
    broken += sample.stems_broken;
  }
}

void ForestCounts::add(const ForestCounts& other) {
  counted += other.counted;
  hitting += other.hitting;
  hits += other.hits;
  broken += other.broken;
}

}  // namespace scree
