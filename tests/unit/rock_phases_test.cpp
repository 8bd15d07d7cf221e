// The phases of a rock's step do not depend on how a backend schedules them.
#include <gtest/gtest.h>

#include "kernels/pack.hpp"
#include "tests/support/lanes.hpp"
#include "tests/support/rocks.hpp"

namespace scree {
namespace {

using test::ramp;
using test::RockLane;
using test::RockStudy;

using FourRocks = Pack<2, 2>;
template <class Real>
using LaneOf = typename Rock<Real>::Lane;

/// Four rocks at once as four alone: begin and finish, some of the rocks above the ground and some in it.
template <class Scheme>
void expect_same_flight(RockStudy study) {
  test::LanesOf<RockLane, FourRocks> lanes;
  const double heights[] = {0.3, -0.1, 5, 0.5};
  for (int i = 0; i < FourRocks::lanes; ++i) {
    study.start.position = {10.0 * i, 1, 100 - 10.0 * i * std::tan(test::radians(40)) + heights[i]};
    study.start.velocity = {3.0 * i, 0.5, 0.2 * i};  // slow: a rounding of the drop per step shows
    study.params.gravity = 9.79 + 0.013 * i;
    study.start.omega = {0.5 * i, 2, -7};
    study.start.orientation = normalized(Quaternion<double>{1, 0.1 * i, 0.4, -0.3});
    RockLane& lane = lanes[static_cast<std::size_t>(i)] = study.prepare();
    lane.scar = 0.1 * i;
  }
  test::expect_same_lanes<LaneOf, FourRocks>(lanes, [&](const auto& start) {
    using Real = std::decay_t<decltype(start.mass)>;
    auto lane = start;
    for (int step = 0; step < 200; ++step) test::step_in_flight<Scheme, Real>(study.ground(), lane);
    return lane;
  });
}

TEST(RockPhases, FlightInAPackHasTheBitsOfDouble) {
  for (const Terrain& terrain : {ramp(40, 100), test::plane(40)}) {
    RockStudy study(test::eota221(), terrain);
    study.params.drag = 0.3;
    test::for_all_schemes([&]<class Scheme>() { expect_same_flight<Scheme>(study); });
    study.params.layer_drag = 20;
    study.params.layer_height = 1;
    test::for_all_schemes([&]<class Scheme>() { expect_same_flight<Scheme>(study); });
  }
}

TEST(RockPhases, FlightOverAGridInAPackHasTheBitsOfDouble) {
  Terrain grid{};
  grid.kind = TerrainKind::grid;
  grid.cell = 5;
  grid.x0 = grid.y0 = -20;
  grid.columns = grid.rows = 13;
  RockStudy study(test::eota221(), grid);
  study.world.terrain.heights = static_cast<double>(study.tables.size());
  for (int j = 0; j < 13; ++j)
    for (int i = 0; i < 13; ++i) study.tables.push_back(100 - 4.2 * (i - 4) + 0.3 * ((7 * i + 3 * j) % 5));
  test::for_all_schemes([&]<class Scheme>() { expect_same_flight<Scheme>(study); });
}

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

}  // namespace
}  // namespace scree
