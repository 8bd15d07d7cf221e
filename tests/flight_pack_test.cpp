// The flight phase of a rock, begin and finish, in a Pack: four rocks at once have the bits of four rocks one by one,
// on every kind of terrain.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "kernels/pack.hpp"
#include "support/lanes.hpp"
#include "support/rocks.hpp"

namespace scree {
namespace {

using test::RockLane;
using test::RockStudy;
using FourRocks = Pack<4, 1>;
using PackLane = Rock<FourRocks>::Lane;
using Lanes = test::LanesOf<RockLane, FourRocks>;

/// Hills on a grid of 21 x 21 nodes, one of them without data.
Terrain hills(std::vector<double>& tables) {
  const BilinearGrid grid{{-50, -50, 5, 21, 21, static_cast<double>(tables.size())}};
  for (int j = 0; j < 21; ++j)
    for (int i = 0; i < 21; ++i)
      tables.push_back(i == 11 && j == 9 ? std::nan("") : std::sin(0.7 * i) - std::cos(0.4 * j) - 0.5 * i);
  return Terrain::of(grid);
}

template <class Scheme>
void expect_same_flight(RockStudy& study) {
  std::mt19937_64 engine(3);
  std::normal_distribution<double> normal;
  Lanes lanes;
  for (RockLane& lane : lanes) {
    study.start.position = {2 * normal(engine), 2 * normal(engine), 60};
    study.start.velocity = {5 * normal(engine), 5 * normal(engine), 5};
    study.start.orientation = {normal(engine), normal(engine), normal(engine), normal(engine)};
    study.start.omega = {10 * normal(engine), 10 * normal(engine), 10 * normal(engine)};
    lane = study.prepare();
  }
  lanes[2].omega = {0, 0, 0};
  PackLane pack = test::packed<PackLane, FourRocks>(lanes);
  const World& world = study.ground();
  for (int step = 1; step <= 500; ++step) {
    Rock<FourRocks>::begin<Scheme>(world, pack);
    Rock<FourRocks>::finish<Scheme>(world, pack);
    for (RockLane& lane : lanes) {
      Rock<double>::begin<Scheme>(world, lane);
      ASSERT_EQ(lane.contacts, 0);
      Rock<double>::finish<Scheme>(world, lane);
    }
    SCOPED_TRACE("step " + std::to_string(step));
    test::expect_lanes<FourRocks>(pack, lanes);
    if (testing::Test::HasFatalFailure()) return;
  }
}

void expect_same_flight_in_all_schemes(RockStudy study) {
  test::for_all_schemes([&]<class Scheme>() { expect_same_flight<Scheme>(study); });
}

TEST(FlightInAPack, HasTheBitsOfDoubleOverAPlane) {
  RockStudy study(test::eota221(), test::plane(35));
  expect_same_flight_in_all_schemes(study);
  // Inside the drag layer as well, which brakes in flight.
  study.params.layer_drag = 250;
  study.params.layer_height = 62;
  expect_same_flight_in_all_schemes(study);
}

TEST(FlightInAPack, HasTheBitsOfDoubleOverARamp) {
  expect_same_flight_in_all_schemes(RockStudy(test::eota221(), test::ramp(40, 10)));
}

TEST(FlightInAPack, HasTheBitsOfDoubleOverAGrid) {
  RockStudy study(test::eota221(), Terrain{});
  study.world.terrain = hills(study.tables);
  expect_same_flight_in_all_schemes(study);
}

TEST(FlightInAPack, HasTheBitsOfDoubleForDifferentShapes) {
  // 24, 8, 42 and 6 vertices side by side.
  RockStudy study(test::eota221(), test::ramp(40, 10));
  append(test::named_shape("cuboid", 1, 0.7, 0.5, 900), study.tables);
  append(test::named_shape("ellipsoid", 1, 0.7, 0.5, 900), study.tables);
  append(test::named_shape("octahedron", 1, 0.7, 0.5, 900), study.tables);
  study.world.shape_count = 4;
  Lanes lanes;
  for (int i = 0; i < FourRocks::lanes; ++i) {
    study.start.shape = i;
    study.start.position = {0, 0, 40.0 + i};
    study.start.omega = {1.0 + i, 2, 3};
    lanes[static_cast<std::size_t>(i)] = study.prepare();
  }
  PackLane pack = test::packed<PackLane, FourRocks>(lanes);
  for (int step = 1; step <= 300; ++step) {
    Rock<FourRocks>::begin<test::Implicit>(study.ground(), pack);
    Rock<FourRocks>::finish<test::Implicit>(study.ground(), pack);
    for (RockLane& lane : lanes) test::step<test::Implicit>(study.ground(), lane);
    SCOPED_TRACE("step " + std::to_string(step));
    test::expect_lanes<FourRocks>(pack, lanes);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace scree
