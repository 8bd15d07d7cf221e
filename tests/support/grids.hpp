// Heights of a terrain grid at a point, as a run reads them from its tables.
#pragma once

#include <limits>
#include <vector>

#include "host/inputs/terrain_file.hpp"
#include "src/terrain/grid.hpp"

namespace scree::test {

/// Bilinear height (m) at (x, y); NaN outside the rectangle of cell centres and over a cell with a NODATA corner.
inline double grid_height(const Grid& grid, double x, double y) {
  std::vector<double> tables;
  const BilinearGrid ground{grid_heights(grid, tables)};
  const GroundPoint<double> point = ground.at(tables.data(), x, y);
  return point.data ? point.height : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace scree::test
