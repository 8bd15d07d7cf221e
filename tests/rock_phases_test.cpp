// Phases of a rock's step: the contact set, and the contact solve, which does not depend on the capacity that it was
// compiled for.
#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace scree
