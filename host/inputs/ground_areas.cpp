#include "ground_areas.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace scree {
namespace {

struct BorderEdge {
  std::array<double, 4> ends;  // of the lower one x and y, then of the upper one
  std::size_t area;
};

std::vector<BorderEdge> edges_of(const std::vector<GroundArea>& areas) {
  std::vector<BorderEdge> edges;
  for (std::size_t a = 0; a < areas.size(); ++a) {
    const std::vector<double>& p = areas[a].corners;
    for (std::size_t i = 0; i < p.size(); i += 2) {
      const std::size_t k = (i + 2) % p.size();
      std::pair<double, double> lower{p[i + 1], p[i]}, upper{p[k + 1], p[k]};
      if (upper < lower) std::swap(lower, upper);
      edges.push_back({{lower.second, lower.first, upper.second, upper.first}, a});
    }
  }
  return edges;
}

}  // namespace

void bounds_of(const std::vector<GroundArea>& areas, double (&low)[2], double (&high)[2]) {
  for (int axis = 0; axis < 2; ++axis) low[axis] = high[axis] = areas[0].corners[static_cast<std::size_t>(axis)];
  for (const GroundArea& area : areas)
    for (std::size_t i = 0; i < area.corners.size(); ++i) {
      low[i % 2] = std::min(low[i % 2], area.corners[i]);
      high[i % 2] = std::max(high[i % 2], area.corners[i]);
    }
}

void add_areas(const std::vector<GroundArea>& areas, std::vector<double>& tables, GroundMap& map) {
  const std::vector<BorderEdge> edges = edges_of(areas);
  double low[2], high[2];
  bounds_of(areas, low, high);
  const auto begin = [&](std::size_t bands) {
    map.y_low = low[1];
    map.bands = static_cast<double>(bands);
    map.band = Divisor::of((high[1] - low[1]) / map.bands);
  };
  const auto spread = [&] {  // how many edges all bands have together
    std::size_t count = 0;
    for (const BorderEdge& edge : edges)
      count += static_cast<std::size_t>(map.band_of(edge.ends[3]) - map.band_of(edge.ends[1])) + 1;
    return count;
  };
  // As many bands as edges, unless that would repeat long edges too often.
  std::size_t bands = std::min<std::size_t>(edges.size(), 65536);
  for (begin(bands); bands > 1 && spread() > 32 * edges.size(); begin(bands)) bands /= 2;

  std::vector<std::vector<const BorderEdge*>> in_band(bands);
  for (const BorderEdge& edge : edges)
    for (double b = map.band_of(edge.ends[1]); b <= map.band_of(edge.ends[3]); ++b)
      in_band[static_cast<std::size_t>(b)].push_back(&edge);
  std::vector<double> starts{0}, numbers;
  for (const auto& band : in_band) {
    for (std::size_t i = 0; i < band.size(); ++i) {
      numbers.insert(numbers.end(), band[i]->ends.begin(), band[i]->ends.end());
      const bool last = i + 1 == band.size() || band[i + 1]->area != band[i]->area;
      numbers.push_back(last ? areas[band[i]->area].ground_class : -1);
    }
    starts.push_back(starts.back() + static_cast<double>(band.size()));
  }
  map.starts = static_cast<double>(tables.size());
  tables.insert(tables.end(), starts.begin(), starts.end());
  map.edges = static_cast<double>(tables.size());
  tables.insert(tables.end(), numbers.begin(), numbers.end());
}

}  // namespace scree
