// Bilinear heights and slopes of a grid against closed forms, through the tables of a run.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "host/inputs/terrain_file.hpp"
#include "src/terrain/grid.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/numbers.hpp"

namespace scree {
namespace {

using test::grid_height;
using test::nan;

/// z = a + b x + c y + d x y is linear along both axes of each cell, so bilinear interpolation gives it exactly.
struct Bilinear {
  double a, b, c, d;
  double height(double x, double y) const { return a + b * x + c * y + d * x * y; }
  double slope_x(double y) const { return b + d * y; }
  double slope_y(double x) const { return c + d * x; }
};

Grid sampled(const Bilinear& surface, int columns, int rows, double x0, double y0, double cell) {
  Grid grid{columns, rows, x0, y0, cell, {}, 0};
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) grid.heights.push_back(surface.height(x0 + i * cell, y0 + j * cell));
  return grid;
}

Grid unit_grid(int columns, int rows) { return sampled({0, 1, 0, 0}, columns, rows, 0, 0, 1); }

TEST(GridPoint, ReproducesABilinearSurfaceAndItsSlopes) {
  const Bilinear surface{1500, -0.7, 0.3, 0.02};
  const Grid grid = sampled(surface, 23, 17, -40, 12, 2.5);
  std::vector<double> tables = {7, 7, 7};
  const BilinearGrid ground{grid_heights(grid, tables)};
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> x_of(-40, -40 + 22 * 2.5), y_of(12, 12 + 16 * 2.5);
  for (int n = 0; n < 10000; ++n) {
    const double x = x_of(random), y = y_of(random);
    const GroundPoint<double> point = ground.at(tables.data(), x, y);
    ASSERT_TRUE(point.inside);
    ASSERT_TRUE(point.data);
    // Heights near 1500 m are rounded to 1.1e-13 m (half an ulp); a dozen such roundings of corners, differences and
    // the closed form. Slopes divide a difference of two or four such corners by the cell of 2.5 m.
    ASSERT_NEAR(point.height, surface.height(x, y), 1.4e-12);
    ASSERT_NEAR(point.slope_x(), surface.slope_x(y), 1e-12);
    ASSERT_NEAR(point.slope_y(), surface.slope_y(x), 1e-12);
  }
}

TEST(GridPoint, CountsFromTheOffsetOfItsHeights) {
  std::vector<double> tables = {7, 7, 7};
  const BilinearGrid first{grid_heights(unit_grid(3, 2), tables)};
  const BilinearGrid second{grid_heights(sampled({5, 0, 1, 0}, 2, 4, 0, 0, 1), tables)};
  EXPECT_EQ(first.heights, 3);
  EXPECT_EQ(second.heights, 9);
  EXPECT_EQ(tables.size(), 17u);
  EXPECT_EQ(first.at(tables.data(), 1.5, 0.5).height, 1.5);
  EXPECT_EQ(second.at(tables.data(), 0.5, 2.5).height, 7.5);
}

TEST(GridPoint, MeetsTheNodesAndAllEdges) {
  const Grid grid{3, 2, 10, 20, 2, {1, 2, 4, 8, 16, 32}, 0};
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(grid_height(grid, 10 + 2 * i, 20 + 2 * j), grid.heights[static_cast<std::size_t>(3 * j + i)]);
  EXPECT_EQ(grid_height(grid, 11, 20), 1.5);  // south
  EXPECT_EQ(grid_height(grid, 13, 22), 24);   // north
  EXPECT_EQ(grid_height(grid, 10, 21), 4.5);  // west
  EXPECT_EQ(grid_height(grid, 14, 21), 18);   // east
}

/// A point on the outer edge is of the cell inside it: no number beyond the row, or the grid, is read.
TEST(GridPoint, HasTheSlopesOfTheCellInsideOnTheOuterEdges) {
  const Bilinear surface{3, 1, 2, 0.5};  // whole numbers and halves: exact
  const Grid grid = sampled(surface, 4, 3, 0, 0, 1);
  std::vector<double> tables;
  const BilinearGrid ground{grid_heights(grid, tables)};
  tables.push_back(nan);
  for (const auto& [x, y] : {std::pair{3.0, 0.5}, {1.5, 2.0}, {3.0, 2.0}, {0.0, 0.5}, {1.5, 0.0}}) {
    const GroundPoint<double> point = ground.at(tables.data(), x, y);
    EXPECT_TRUE(point.data) << x << ' ' << y;
    EXPECT_EQ(point.height, surface.height(x, y));
    EXPECT_EQ(point.slope_x(), surface.slope_x(y));
    EXPECT_EQ(point.slope_y(), surface.slope_y(x));
  }
}

TEST(GridPoint, IsContinuousAcrossCells) {
  const Grid grid{3, 2, 0, 0, 1, {1, 2, 4, 8, 16, 32}, 0};
  const double before = std::nextafter(1.0, 0.0);
  // The slope is at most 16 within this grid, and a point moves by half an ulp of 1 (1.1e-16): below one ulp of 9.
  EXPECT_NEAR(grid_height(grid, before, 0.5), grid_height(grid, 1, 0.5), 2e-15);
}

TEST(GridPoint, IsOutsideBeyondTheCentresOfTheEdgeCells) {
  const Grid grid = unit_grid(3, 3);
  std::vector<double> tables;
  const BilinearGrid ground{grid_heights(grid, tables)};
  const double below = -1e-9, above = 2 + 1e-9;
  for (const auto& [x, y] :
       {std::pair{below, 1.0}, {above, 1.0}, {1.0, below}, {1.0, above}, {1e300, 1.0}, {nan, 1.0}}) {
    EXPECT_FALSE(ground.at(tables.data(), x, y).inside) << x << " " << y;
    EXPECT_FALSE(ground.at(tables.data(), x, y).data) << x << " " << y;
    EXPECT_TRUE(std::isnan(grid_height(grid, x, y))) << x << " " << y;
  }
  EXPECT_TRUE(ground.at(tables.data(), 2.0, 2.0).inside);
}

TEST(GridPoint, HasNoHeightInACellWithAMissingCorner) {
  Grid grid = unit_grid(4, 3);
  grid.heights[5] = nan;  // node (1, 1)
  for (const auto& [x, y] : {std::pair{0.5, 0.5}, {1.5, 0.5}, {0.5, 1.5}, {1.5, 1.5}, {1.0, 1.0}, {0.0, 0.0}})
    EXPECT_TRUE(std::isnan(grid_height(grid, x, y))) << x << " " << y;
  EXPECT_EQ(grid_height(grid, 2.5, 0.5), 2.5);
  std::vector<double> tables;
  const BilinearGrid ground{grid_heights(grid, tables)};
  const GroundPoint<double> point = ground.at(tables.data(), 0.5, 0.5);
  EXPECT_TRUE(point.inside);
  EXPECT_FALSE(point.data);
}

}  // namespace
}  // namespace scree
