#include "forest.hpp"

#include "hdf5.hpp"

namespace scree {

void write_forest(hid_t parent, const Arm& arm) {
  const h5::Handle group = h5::create_group(parent, "forest");
  const ForestCounts& counts = arm.forest->counts;
  h5::write_attribute(group, "description", std::string("stems that samples hit, of n samples"));
  h5::write_attribute(group, "n", counts.counted);
  h5::write_attribute(group, "hitting", counts.hitting);
  h5::write_attribute(group, "hits", counts.hits);
  h5::write_attribute(group, "broken", counts.broken);
  std::vector<std::string> stands;
  std::vector<double> resampled;
  for (const ForestStand& stand : arm.forest->stands) {
    stands.push_back(stand.text);
    resampled.push_back(stand.resampled ? 1 : 0);
  }
  h5::write_attribute(group, "stands", stands);
  h5::write_attribute(group, "resampled", std::span<const double>(resampled));
}

void read_forest(hid_t parent, Arm& arm) {
  if (!h5::has_link(parent, "forest")) return;
  const h5::Handle group = h5::open_group(parent, "forest");
  const ForestCounts counts{h5::read_uint(group, "n"), h5::read_uint(group, "hitting"), h5::read_uint(group, "hits"),
                            h5::read_uint(group, "broken")};
  if (counts.counted > arm.table.samples || counts.hitting > counts.counted || counts.broken > counts.hits)
    throw std::runtime_error("the counts of its forest contradict each other");
  const std::vector<std::string> texts = h5::read_texts(group, "stands");
  const std::vector<double> resampled = h5::read_doubles(group, "resampled", texts.size());
  std::vector<ForestStand> stands;
  for (std::size_t i = 0; i < texts.size(); ++i) stands.push_back({texts[i], resampled[i] != 0});
  arm.forest = forest_facts(std::move(stands), counts, arm.table.replicates);
}

}  // namespace scree
