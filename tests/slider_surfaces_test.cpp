// The surfaces under sliders: heights are those of the formulas, derivatives those of the heights, and a spline ends
// where its grid does.
#include "host/inputs/spline.hpp"
#include "tests/support/sliders.hpp"

namespace scree {
namespace {

using test::SliderStudy;

/// Height, slopes and curvatures against each other, by central differences with an error of d^2 times a third
/// derivative, `rough`, and the rounding of heights below `high`.
void expect_derivatives(const SliderStudy& study, double x, double y, double rough, double high) {
  const auto at = [&](double u, double v) { return surface_point(study.world.terrain, study.tables.data(), u, v); };
  const double d = 1e-4, slope_error = d * d * rough + 1e-16 * high / d, bend_error = d * d * rough + 1e-15 * high / d;
  const auto p = at(x, y), east = at(x + d, y), west = at(x - d, y), north = at(x, y + d), south = at(x, y - d);
  EXPECT_NEAR(p.fx, (east.z - west.z) / (2 * d), slope_error);
  EXPECT_NEAR(p.fy, (north.z - south.z) / (2 * d), slope_error);
  EXPECT_NEAR(p.fxx, (east.fx - west.fx) / (2 * d), bend_error);
  EXPECT_NEAR(p.fyy, (north.fy - south.fy) / (2 * d), bend_error);
  EXPECT_NEAR(p.fxy, (north.fx - south.fx) / (2 * d), bend_error);
  EXPECT_NEAR(p.fxy, (east.fy - west.fy) / (2 * d), bend_error);
}

SliderStudy on_quadric() { return {test::quadric(0.01, 0.02, 0.005, -0.1, 0.05, 3), 0.05, 40}; }
SliderStudy on_bowl() { return {test::bowl(20), 0.02, 20}; }
SliderStudy on_dome() { return {test::dome(20), 0.02, 20}; }
SliderStudy on_hills() { return {test::cosine_hills(2, 0.3, 0.2), 0.02, 20}; }

/// Hills over a grid with a corner that has no data.
SliderStudy on_spline() {
  Grid grid;
  grid.columns = grid.rows = 25;
  grid.x0 = grid.y0 = -60;
  grid.cell = 5;
  for (int j = 0; j < grid.rows; ++j)
    for (int i = 0; i < grid.columns; ++i) {
      const double x = grid.x0 + i * grid.cell, y = grid.y0 + j * grid.cell;
      const bool missing = i < 4 && j > 20;
      grid.heights.push_back(missing ? std::nan("")
                                     : 0.004 * x * x + 3 * std::cos(0.1 * x) * std::sin(0.08 * y) - 0.2 * y);
      grid.nodata += missing;
    }
  SliderStudy study({}, 0.05, 40);
  study.world.terrain = test::spline_through(grid, study.tables);
  return study;
}

TEST(SliderSurfaces, DerivativesAreThoseOfTheHeight) {
  // Third derivatives: 0 of a quadric; of a sphere up to 4 (R / s)^5 / R^2 with s = sqrt(R^2 - r^2); of hills
  // A k^3 = 2 * 0.3^3, of the spline about 3 * 0.1^3 and its own error.
  expect_derivatives(on_quadric(), 3, -7, 0, 10);
  expect_derivatives(on_bowl(), 9, -7, 0.5, 20);
  expect_derivatives(on_dome(), -3, 11, 0.5, 20);
  expect_derivatives(on_hills(), 3, -7, 0.1, 2);
  expect_derivatives(on_spline(), 13, -27, 0.1, 20);
}

/// One exact case of each smooth surface.
TEST(SliderSurfaces, HeightsAreThoseOfTheFormulas) {
  const auto height = [](const SliderStudy& study, double x, double y) {
    return surface_point(study.world.terrain, study.tables.data(), x, y).z;
  };
  EXPECT_NEAR(height(on_quadric(), 3, -7), 0.01 * 9 + 0.02 * 49 - 0.005 * 21 - 0.1 * 3 - 0.05 * 7 + 3, 1e-15 * 10);
  EXPECT_NEAR(height(on_bowl(), 12, 0), 20 - 16, 1e-14);
  EXPECT_NEAR(height(on_dome(), 0, -12), 16 - 20, 1e-14);
  EXPECT_NEAR(height(on_hills(), 3, -7), 2 * std::cos(0.9) * std::cos(1.4), 1e-15 * 4);
  EXPECT_NEAR(height(on_spline(), 10, -25), 0.4 + 3 * std::cos(1.0) * std::sin(-2.0) + 5, 1e-13);  // a node
  EXPECT_FALSE(surface_point(on_bowl().world.terrain, nullptr, 15.0, 15.0).inside);
}

/// A slider on the spline of a plane's grid slides as on the plane.
TEST(SliderSurfaces, SlidesOnASplineOfAPlaneAsOnThePlane) {
  SliderStudy plane(test::quadric(0, 0, 0, -0.3, 0.1, 7), 0.05, 5);
  Grid grid;
  grid.columns = 40;
  grid.rows = 30;
  grid.x0 = grid.y0 = -100;
  grid.cell = 10;
  for (int j = 0; j < grid.rows; ++j)
    for (int i = 0; i < grid.columns; ++i)
      grid.heights.push_back(-0.3 * (grid.x0 + i * grid.cell) + 0.1 * (grid.y0 + j * grid.cell) + 7);
  SliderStudy spline = plane;
  spline.world.terrain = test::spline_through(grid, spline.tables);
  const auto a = test::slide<Rk4>(plane.friction(0.2).from(3, 4, 2, 5));
  const auto b = test::slide<Rk4>(spline.friction(0.2).from(3, 4, 2, 5));
  // Coefficients of some 100 m are right to 1e-14 m a rounding: slopes to 1e-14, curvatures to 1e-15 / m. At some 10
  // m/s that makes a difference of g 1e-14 + 1e-15 v^2 to the acceleration, over 5 s; a few roundings of each.
  EXPECT_LT(test::distance(a.lane.state, b.lane.state), 4 * (9.81 * 1e-14 + 1e-15 * 10 * 10) * 5 * 5 / 2);
  EXPECT_EQ(b.status, Status::end_time);
}

TEST(SliderSurfaces, EndsWhereTheGridEndsOrHasNoData) {
  SliderStudy study = on_spline();
  EXPECT_EQ(test::slide<Rk4>(study.from(50, 0, 20, 0)).status, Status::left_terrain);
  EXPECT_EQ(test::slide<Rk4>(study.from(-30, 50, -25, 0)).status, Status::no_data);
  study.from(-58, 58);
  EXPECT_STREQ(Slider<double>::mistake(study.ground(), {study.params, study.start}).text,
               "start.position is over a cell with a NODATA corner");
}

}  // namespace
}  // namespace scree
