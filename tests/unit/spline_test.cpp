// The spline through a grid: heights at the nodes, cubics to round-off, continuity, order 4 up to the border.
#include "host/inputs/spline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/sliders.hpp"

namespace scree {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// A grid of f and the terrain that a slider gets of it.
struct Surface {
  Grid grid;
  Terrain terrain;
  std::vector<double> tables;

  template <class F>
  Surface(int columns, int rows, double cell, const F& f) {
    grid.columns = columns;
    grid.rows = rows;
    grid.x0 = -3;
    grid.y0 = 20;
    grid.cell = cell;
    for (int j = 0; j < rows; ++j)
      for (int i = 0; i < columns; ++i) {
        grid.heights.push_back(f(grid.x0 + i * cell, grid.y0 + j * cell));
        grid.nodata += std::isnan(grid.heights.back());
      }
    terrain = test::spline_through(grid, tables);
  }
  SurfacePoint<double> at(double x, double y) const { return surface_point(terrain, tables.data(), x, y); }
  double east() const { return grid.x0 + (grid.columns - 1) * grid.cell; }
  double north() const { return grid.y0 + (grid.rows - 1) * grid.cell; }
};

double rough(double x, double y) { return 50 * std::sin(12.9898 * x + 78.233 * y) + 3 * x; }

TEST(Spline, TakesTheHeightOfEveryNode) {
  for (const auto& [columns, rows] : {std::pair{2, 2}, {3, 2}, {2, 4}, {3, 3}, {4, 5}, {5, 4}, {6, 7}, {40, 23}}) {
    const Surface s(columns, rows, 2.5, rough);
    for (int j = 0; j < rows; ++j)
      for (int i = 0; i < columns; ++i) {
        const auto p = s.at(s.grid.x0 + i * 2.5, s.grid.y0 + j * 2.5);
        ASSERT_TRUE(p.data);
        // Coefficients and heights stay below 500 m here; each of the three passes adds a few roundings.
        EXPECT_NEAR(p.z, s.grid.heights[static_cast<std::size_t>(j * columns + i)], 500 * 20 * eps)
            << columns << " x " << rows << " at " << i << ", " << j;
      }
  }
}

TEST(Spline, IsACubicsOwnSelf) {
  // Not-a-knot ends know no other cubic than the one through the nodes; so z and its derivatives are exact but for
  // round-off, of heights of up to 1e4 m: 1e4 eps times 20 operations, divided by the cell (1 m) for each derivative.
  const auto f = [](double x, double y) {
    return 0.02 * x * x * x - 0.3 * x * x * y + 0.001 * x * y * y * y + y * y - x;
  };
  const Surface s(9, 7, 1.0, f);
  const double tolerance = 1e4 * 20 * eps;
  for (double x = s.grid.x0; x <= s.east(); x += 0.37)
    for (double y = s.grid.y0; y <= s.north(); y += 0.41) {
      const auto p = s.at(x, y);
      EXPECT_NEAR(p.z, f(x, y), tolerance);
      EXPECT_NEAR(p.fx, 0.06 * x * x - 0.6 * x * y + 0.001 * y * y * y - 1, 2 * tolerance);
      EXPECT_NEAR(p.fy, -0.3 * x * x + 0.003 * x * y * y + 2 * y, 2 * tolerance);
      EXPECT_NEAR(p.fxx, 0.12 * x - 0.6 * y, 4 * tolerance);
      EXPECT_NEAR(p.fxy, -0.6 * x + 0.003 * y * y, 4 * tolerance);
      EXPECT_NEAR(p.fyy, 0.006 * x * y + 2, 4 * tolerance);
    }
}

TEST(Spline, IsAParabolaThroughThreeNodesAndALineThroughTwo) {
  const Surface three(3, 2, 2.0, [](double x, double y) { return x * x - 3 * x + 5 * y; });
  EXPECT_NEAR(three.at(-1.5, 21).z, 2.25 + 4.5 + 105, 200 * 20 * eps);
  EXPECT_NEAR(three.at(-1.5, 21).fxx, 2, 200 * 20 * eps);
  EXPECT_NEAR(three.at(-1.5, 21).fyy, 0, 200 * 20 * eps);
}

TEST(Spline, HasContinuousCurvatureAcrossCells) {
  const Surface s(12, 9, 5.0, rough);
  // 1e-9 m to either side of a cell's edge: what is continuous differs by its derivative (below 1e3 here) times 2e-9,
  // what jumps (the third derivative) would differ by its own size, 1 and more.
  const double nearby = 1e-9, tolerance = 2e3 * nearby;
  double largest = 0;
  for (int i = 1; i < 11; ++i)
    for (double y = 21.3; y < 59; y += 4.9) {
      const double x = s.grid.x0 + i * 5.0;
      const auto a = s.at(x - nearby, y), b = s.at(x + nearby, y);
      for (const auto member : {&SurfacePoint<double>::z, &SurfacePoint<double>::fx, &SurfacePoint<double>::fy,
                                &SurfacePoint<double>::fxx, &SurfacePoint<double>::fxy, &SurfacePoint<double>::fyy})
        EXPECT_NEAR(a.*member, b.*member, tolerance);
      largest = std::max(largest, std::abs(a.fxx));
    }
  EXPECT_GT(largest, 1);
}

TEST(Spline, DerivativesAreThoseOfTheHeight) {
  const Surface s(12, 9, 5.0, rough);
  // Central differences inside a cell: h^2 / 6 times the third derivative (below 1e2), and 500 eps / h.
  const double h = 1e-4;
  for (double x = -2.7; x < 51; x += 3.317)
    for (double y = 20.4; y < 59; y += 3.713) {
      const auto p = s.at(x, y), e = s.at(x + h, y), w = s.at(x - h, y), n = s.at(x, y + h), o = s.at(x, y - h);
      EXPECT_NEAR(p.fx, (e.z - w.z) / (2 * h), 1e-6);
      EXPECT_NEAR(p.fy, (n.z - o.z) / (2 * h), 1e-6);
      EXPECT_NEAR(p.fxx, (e.fx - w.fx) / (2 * h), 1e-6);
      EXPECT_NEAR(p.fxy, (n.fx - o.fx) / (2 * h), 1e-6);
      EXPECT_NEAR(p.fyy, (n.fy - o.fy) / (2 * h), 1e-6);
    }
}

TEST(Spline, ErrorIsOfOrderFourUpToTheBorder) {
  const auto f = [](double x, double y) { return std::sin(0.3 * x) * std::cos(0.2 * y); };
  double worst[3];
  int nodes = 17;
  for (double& w : worst) {
    const Surface s(nodes, nodes, 32.0 / (nodes - 1), f);
    w = 0;
    for (double x = s.grid.x0; x < s.east(); x += 0.093)
      for (double y = s.grid.y0; y < s.north(); y += 0.17) w = test::worst(w, std::abs(s.at(x, y).z - f(x, y)));
    nodes = 2 * nodes - 1;
  }
  // Orders 4 with the next term still felt; natural ends would give 2.
  EXPECT_GT(std::log2(worst[0] / worst[1]), 3.7);
  EXPECT_GT(std::log2(worst[1] / worst[2]), 3.7);
}

TEST(Spline, LeavesCellsWithAMissingCornerEmpty) {
  const double missing = std::numeric_limits<double>::quiet_NaN();
  const auto f = [](double x, double y) { return x * x + y; };
  const auto holed = [&](double x, double y) { return x == 2 && y == 22 ? missing : f(x, y); };
  const Surface whole(9, 9, 1.0, f), s(9, 9, 1.0, holed);
  for (double x = -2.9; x < 5; x += 0.1)
    for (double y = 20.05; y < 28; y += 0.1) {
      const auto p = s.at(x, y);
      EXPECT_TRUE(p.inside);
      EXPECT_EQ(p.data, !(x > 1 && x < 3 && y > 21 && y < 23)) << x << ", " << y;
      EXPECT_TRUE(std::isfinite(p.z + p.fxx));
      // Cardinal splines fall by 2 - sqrt(3) with every cell, so three cells away the hole, filled with a height that
      // is wrong by at most 5 m, changes less than 5 (2 - sqrt(3))^3 m = 0.1 m.
      const bool far = std::abs(x - 2) > 3 || std::abs(y - 22) > 3;
      EXPECT_NEAR(p.z, whole.at(x, y).z, far ? 0.1 : 5);
    }
  EXPECT_FALSE(s.at(-3.1, 22).inside);
  EXPECT_FALSE(s.at(-3.1, 22).data);
  EXPECT_TRUE(s.at(5, 28).data);
}

}  // namespace
}  // namespace scree
