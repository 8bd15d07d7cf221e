// Polygons of ground, and the way of their edges to a run's tables.
#pragma once

#include <vector>

#include "src/terrain/ground_map.hpp"

namespace scree {

/// A polygon on the map: its corners (x, y), (x, y), ..., m, and its class.
struct GroundArea {
  std::vector<double> corners;
  double ground_class;
};

/// Least and greatest x and y of all corners, m.
void bounds_of(const std::vector<GroundArea>& areas, double (&low)[2], double (&high)[2]);

/// Appends the edges to `tables`, sorted into bands of y, and says in `map` where they are. Where areas overlap the
/// last one holds.
void add_areas(const std::vector<GroundArea>& areas, std::vector<double>& tables, GroundMap& map);

}  // namespace scree
