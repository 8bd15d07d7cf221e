// The flight phase of a rock, begin and finish, in a Pack: four rocks at once have the bits of four rocks one by one,
// on every kind of terrain.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "kernels/pack.hpp"
#include "support/rocks.hpp"

namespace scree {
namespace {

using test::RockLane;
using test::RockStudy;
using PackLane = Rock<Pack>::Lane;

constexpr std::size_t width = sizeof(RockLane) / sizeof(double);
static_assert(sizeof(PackLane) == width * sizeof(Pack), "a lane consists of Reals only");

PackLane packed(const RockLane (&lanes)[Pack::lanes]) {
  PackLane result;
  double* out = reinterpret_cast<double*>(&result);
  for (int i = 0; i < Pack::lanes; ++i) {
    double values[width];
    std::memcpy(values, &lanes[i], sizeof values);
    for (std::size_t k = 0; k < width; ++k) out[k * Pack::lanes + static_cast<std::size_t>(i)] = values[k];
  }
  return result;
}

std::uint64_t bits(double x) { return std::isnan(x) ? 0x7FF8000000000000u : std::bit_cast<std::uint64_t>(x); }

void expect_same(const PackLane& pack, const RockLane (&lanes)[Pack::lanes], int step) {
  const double* numbers = reinterpret_cast<const double*>(&pack);
  for (int i = 0; i < Pack::lanes; ++i) {
    double values[width];
    std::memcpy(values, &lanes[i], sizeof values);
    for (std::size_t k = 0; k < width; ++k)
      ASSERT_EQ(bits(numbers[k * Pack::lanes + static_cast<std::size_t>(i)]), bits(values[k]))
          << "number " << k << " of lane " << i << " after step " << step;
  }
}

/// Hills on a grid of 21 x 21 nodes, one of them without data.
Terrain hills(std::vector<double>& tables) {
  Terrain terrain{};
  terrain.kind = TerrainKind::grid;
  terrain.x0 = terrain.y0 = -50;
  terrain.cell = 5;
  terrain.columns = terrain.rows = 21;
  terrain.heights = static_cast<double>(tables.size());
  for (int j = 0; j < 21; ++j)
    for (int i = 0; i < 21; ++i)
      tables.push_back(i == 11 && j == 9 ? std::nan("") : std::sin(0.7 * i) - std::cos(0.4 * j) - 0.5 * i);
  return terrain;
}

template <class Scheme>
void expect_same_flight(RockStudy& study) {
  std::mt19937_64 engine(3);
  std::normal_distribution<double> normal;
  RockLane lanes[Pack::lanes];
  for (RockLane& lane : lanes) {
    study.start.position = {2 * normal(engine), 2 * normal(engine), 60};
    study.start.velocity = {5 * normal(engine), 5 * normal(engine), 5};
    study.start.orientation = {normal(engine), normal(engine), normal(engine), normal(engine)};
    study.start.omega = {10 * normal(engine), 10 * normal(engine), 10 * normal(engine)};
    lane = study.prepare();
  }
  lanes[2].omega = {0, 0, 0};
  PackLane pack = packed(lanes);
  const World& world = study.ground();
  for (int step = 1; step <= 500; ++step) {
    Rock<Pack>::begin<Scheme>(world, pack);
    Rock<Pack>::finish<Scheme>(world, pack);
    for (RockLane& lane : lanes) {
      Rock<double>::begin<Scheme>(world, lane);
      ASSERT_EQ(lane.contacts, 0);
      Rock<double>::finish<Scheme>(world, lane);
    }
    expect_same(pack, lanes, step);
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
  RockLane lanes[Pack::lanes];
  for (int i = 0; i < Pack::lanes; ++i) {
    study.start.shape = i;
    study.start.position = {0, 0, 40.0 + i};
    study.start.omega = {1.0 + i, 2, 3};
    lanes[i] = study.prepare();
  }
  PackLane pack = packed(lanes);
  for (int step = 1; step <= 300; ++step) {
    Rock<Pack>::begin<test::Implicit>(study.ground(), pack);
    Rock<Pack>::finish<test::Implicit>(study.ground(), pack);
    for (RockLane& lane : lanes) test::step<test::Implicit>(study.ground(), lane);
    expect_same(pack, lanes, step);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace scree
