#include "forest.hpp"

#include <array>

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
  for (std::size_t i = 0; i < stands.size(); ++i)
    if (const std::vector<double>& corners = arm.forest->stands[i].corners; !corners.empty())
      h5::write_array(group, "area_" + std::to_string(i), std::array<hsize_t, 2>{corners.size() / 2, 2}, corners);
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
  for (std::size_t i = 0; i < texts.size(); ++i) {
    stands.push_back({texts[i], resampled[i] != 0});
    const std::string area = "area_" + std::to_string(i);
    if (!h5::has_link(group, area)) continue;
    stands[i].corners.resize(h5::size_of(h5::open_array(group, area)));
    h5::read_array(group, area, H5T_NATIVE_DOUBLE, stands[i].corners.size(), stands[i].corners.data());
  }
  arm.forest = forest_facts(std::move(stands), counts, arm.table.replicates);
}

}  // namespace scree
