// Phases of a rock's step: the contact set, and the contact solve, which does not depend on the capacity that it was
// compiled for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "tests/support/grids.hpp"
#include "tests/support/lanes.hpp"
#include "tests/support/rocks.hpp"

namespace scree {
namespace {

using test::ramp;
using test::RockLane;
using test::RockStudy;

/// Steps one rock down the ramp; at every contact step all capacities that hold its contacts must give the same lane.
template <class Scheme>
void expect_same_capacities(RockStudy study) {
  int compared[5] = {};
  RockLane lane = study.prepare();
  const auto solved = [&]<int capacity>() {
    RockLane copy = lane;
    Rock<double>::contact<Scheme, capacity>(study.ground(), copy, copy);
    return test::flat(copy);
  };
  for (int step = 0; step < 20000 && lane.status == running; ++step) {
    Rock<double>::begin<Scheme>(study.ground(), lane);
    if (lane.contacts >= 2 && lane.contacts <= 4) {
      const std::vector<double> large = solved.template operator()<2 * max_vertices>();
      const std::vector<double> four = solved.template operator()<4>();
      ASSERT_EQ(std::memcmp(four.data(), large.data(), four.size() * sizeof(double)), 0) << "step " << step;
      if (lane.contacts == 2) {
        const std::vector<double> two = solved.template operator()<2>();
        ASSERT_EQ(std::memcmp(two.data(), large.data(), two.size() * sizeof(double)), 0) << "step " << step;
      }
      ++compared[static_cast<int>(lane.contacts)];
    }
    test::end_step<Scheme>(study.ground(), lane);
  }
  EXPECT_GT(compared[2], 0);
  EXPECT_GT(compared[4], 0);
}

TEST(RockPhases, ContactSolveDoesNotDependOnTheCapacityItWasCompiledFor) {
  RockStudy study(test::eota221(), ramp(40, 20));
  study.world.set_down = 1;
  study.start.gap = 0.5;
  study.start.omega = {1, 4, 0.5};
  test::for_all_schemes([&]<class Scheme>() { expect_same_capacities<Scheme>(study); });
  study.params.soil_strength = 2e7;
  study.params.soil_drag = .5;
  study.params.soil_spin_drag = .1;
  test::for_all_schemes([&]<class Scheme>() { expect_same_capacities<Scheme>(study); });
}

/// A block that stands on one vertex, a tenth of a millimetre in the level ground, for each of its vertices.
TEST(RockPhases, EachVertexMakesContactByItself) {
  RockStudy study(test::named_shape("cuboid", 1.2, 1.0, 0.6, 1944), test::plane(0));
  const RockLane rest = study.prepare();
  const double* shape = study.ground().tables + static_cast<std::size_t>(rest.shape);
  const int vertices = static_cast<int>(shape[ShapeLayout::vertices]);
  EXPECT_EQ(vertices, 8);
  for (int k = 0; k < vertices; ++k) {
    const Vec3<double> body{shape[ShapeLayout::x + k], shape[ShapeLayout::y + k], shape[ShapeLayout::z + k]};
    const double radius = norm(body);
    RockLane lane = rest;
    // The shortest turn of the vertex to straight down: (1 + a . b, a x b) of the unit vectors a and b = (0, 0, -1).
    lane.orientation = normalized(Quaternion<double>{1 - body.z / radius, -body.y / radius, body.x / radius, 0});
    lane.position = {0, 0, radius - 1e-4};
    lane.velocity = lane.omega = {0, 0, 0};
    Rock<double>::begin<test::Explicit>(study.ground(), lane);
    EXPECT_EQ(lane.contacts, 1);
    EXPECT_EQ(lane.hits[0], std::ldexp(1.0, k)) << "vertex " << k;
  }
}

Vec3<double> unit_vector(const Vec3<double>& v) { return (1 / norm(v)) * v; }

/// Of the gaps of all vertices, each with its division and its root. A plate that lies on a slope has four that differ in
/// the last bits, or not at all.
TEST(RockPhases, TheLeastGapOnAGridHasTheBitsOfTheLeastOfAllGaps) {
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  Grid slope{21, 21, -10, -10, 1, {}};
  for (int j = 0; j < slope.rows; ++j)
    for (int i = 0; i < slope.columns; ++i) slope.heights.push_back(-0.7 * i + 0.3 * j);
  Grid rough = slope;
  for (double& height : rough.heights) height += 0.5 * unit(engine);
  RockStudy study(test::named_shape("cuboid", 1.2, 1.0, 0.3, 900), test::plane(0));
  const std::size_t shape_offset = static_cast<std::size_t>(study.prepare().shape);
  const BilinearGrid planar{grid_heights(slope, study.tables)}, uneven{grid_heights(rough, study.tables)};
  const double* tables = study.tables.data();
  const double* shape = tables + shape_offset;
  // The plate's frame on the plane z = -0.7 x + 0.3 y: normal, and its long edge level.
  const Vec3<double> normal = unit_vector({0.7, -0.3, 1}), level = unit_vector({0.3, 0.7, 0});
  const Vec3<double> down = cross(normal, level);
  const Mat3<double> flat{{level.x, down.x, normal.x}, {level.y, down.y, normal.y}, {level.z, down.z, normal.z}};
  int alike = 0, repeats = 2000;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const bool lies = repeat % 2 == 0;
    const BilinearGrid& ground = repeat % 4 < 2 ? planar : uneven;
    const Vec3<double> position{4 * unit(engine), 4 * unit(engine), 2 * unit(engine)};
    const Mat3<double> axes =
        lies ? flat : rotation(normalized(Quaternion<double>{unit(engine), unit(engine), unit(engine), unit(engine)}));
    std::vector<double> gaps;
    double hits = 0;
    for (int i = 0; i < 8; ++i) {
      const Vec3<double> x = vertex(shape, i, position, axes);
      gaps.push_back(ground.at(tables, x.x, x.y).gap(x.z));
      if (gaps.back() <= 0) hits += std::ldexp(1.0, i);
    }
    std::sort(gaps.begin(), gaps.end());
    alike += gaps[0] != gaps[1] && gaps[1] - gaps[0] <= 0x1p-48 * std::fabs(gaps[0]) ? 1 : 0;
    const Scan<double> found = scan(Terrain::of(ground), tables, static_cast<double>(shape_offset), 1.0, position, axes);
    ASSERT_EQ(found.least_gap, gaps[0]) << "repeat " << repeat;
    ASSERT_EQ(found.hits[0], hits);
  }
  EXPECT_GT(alike, repeats / 100);
}

}  // namespace
}  // namespace scree
