// Rocks of one shape in several sizes.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <random>

#include "tests/support/rocks.hpp"

namespace scree {
namespace {

using test::RockLane;
using test::RockStudy;

RockStudy on_a_ramp(const Shape& shape) {
  RockStudy study(shape, test::ramp(40, 20));
  study.world.set_down = 1;
  study.start.gap = 0.5;
  study.start.omega = {1, 4, 0.5};
  return study;
}

/// The rock to its end from orientation number `orientation`.
template <class Scheme>
RockLane descend(RockStudy study, unsigned orientation) {
  std::mt19937_64 engine(orientation);
  std::normal_distribution<double> normal;
  study.start.orientation = {normal(engine), normal(engine), normal(engine), normal(engine)};
  RockLane lane = study.prepare();
  while (lane.status == running) test::step<Scheme>(study.ground(), lane);
  return lane;
}

/// A cuboid has vertices, mass and moments that doubling its edges multiplies by powers of two, without a rounding.
TEST(RockSize, TwiceAShapeIsTheShapeOfTwiceTheEdges) {
  RockStudy twice = on_a_ramp(test::named_shape("cuboid", 1.2, 1.0, 0.6, 1944));
  twice.start.scale = 2;
  RockStudy large = on_a_ramp(test::named_shape("cuboid", 2.4, 2.0, 1.2, 8 * 1944));
  const std::vector<Column>& columns = test::rock_model().description.columns;
  test::for_all_schemes([&]<class Scheme>() {
    for (unsigned k = 0; k < 10; ++k) {
      using Numbers = std::array<double, sizeof(Rock<double>::Summary) / sizeof(double)>;
      const auto left = [&](RockStudy& study) {
        return std::bit_cast<Numbers>(Rock<double>::summarize(study.ground(), descend<Scheme>(study, k)));
      };
      const Numbers one = left(twice), other = left(large);
      ASSERT_EQ(one.size(), columns.size());
      for (std::size_t c = 0; c < columns.size(); ++c)
        ASSERT_EQ(std::bit_cast<std::uint64_t>(one[c]), std::bit_cast<std::uint64_t>(other[c]))
            << columns[c].name << " from orientation " << k;
    }
  });
}

TEST(RockSize, AVolumeIsThatOfTheScaledShapeAtItsDensity) {
  RockStudy study = on_a_ramp(test::named_shape("cuboid", 1.2, 1.0, 0.6, 1944));  // 0.72 m^3, 2700 kg/m^3
  study.start.volume = 0.72 * 27;
  const RockLane lane = study.prepare();
  EXPECT_NEAR(lane.scale, 3, 3 * 1e-15);
  EXPECT_NEAR(lane.mass, 2700 * study.start.volume, 1e-10 * lane.mass);
  EXPECT_NEAR(lane.radius, 1.5 * std::sqrt(1.2 * 1.2 + 1 + 0.36), 1e-14);
  EXPECT_NEAR(lane.inertia.x, lane.mass / 12 * 9 * (1 + 0.36), 1e-12 * lane.inertia.x);
  study.start.volume = 0.72;
  EXPECT_EQ(study.prepare().scale, 1);
  study.start.volume = 0;
  EXPECT_EQ(study.prepare().mass, 1944);
  study.start.volume = 0.72 * 27;
  study.start.mass = 100;
  EXPECT_EQ(study.prepare().mass, 100);
  EXPECT_EQ(study.prepare().scale, lane.scale);
}

/// Froude's law of similarity: with all lengths times 4, times times 2 and gravity as it is, speeds are times 2 and the
/// motion is the same. Powers of two round nowhere, so it is so to the last bit.
TEST(RockSize, FourTimesTheSizeInTwiceTheTimeIsTheSameMotion) {
  RockStudy small = on_a_ramp(test::eota221());
  RockStudy large(test::eota221(), test::ramp(40, 80));
  large.world.set_down = 1;
  large.start.gap = 2;
  large.start.omega = {0.5, 2, 0.25};
  large.start.scale = 4;
  large.world.step *= 2;
  large.world.end *= 2;
  large.params.drag /= 2;
  large.params.scar_decay /= 2;
  large.params.scar_growth /= 4;
  large.params.stop_speed *= 2;
  large.params.stop_time *= 2;
  test::for_all_schemes([&]<class Scheme>() {
    for (unsigned k = 0; k < 20; ++k) {
      const RockLane a = descend<Scheme>(small, k), b = descend<Scheme>(large, k);
      const auto one = Rock<double>::summarize(small.ground(), a), other = Rock<double>::summarize(large.ground(), b);
      EXPECT_EQ(other.runout, 4 * one.runout) << k;
      EXPECT_EQ(other.lateral_final, 4 * one.lateral_final) << k;
      EXPECT_EQ(other.stop_time, 2 * one.stop_time) << k;
      EXPECT_EQ(other.speed_max, 2 * one.speed_max) << k;
      EXPECT_EQ(other.rotation_max, 0.5 * one.rotation_max) << k;
      EXPECT_EQ(other.kinetic_energy_max, 256 * one.kinetic_energy_max) << k;  // mass times 4^3
      EXPECT_EQ(other.impacts, one.impacts) << k;
      EXPECT_EQ(b.steps, a.steps) << k;
    }
  });
}

TEST(RockSize, ARockThatIsAllBelowGroundIsNotAtRest) {
  RockStudy study(test::named_shape("cuboid", 1, 1, 1, 2700), test::plane(0));
  study.world.end = 2;
  study.start.position = {0, 0, 0.5};
  const auto status = [&] {
    RockLane lane = study.prepare();
    while (lane.status == running) test::step<test::Explicit>(study.ground(), lane);
    return static_cast<Status>(lane.status);
  };
  EXPECT_EQ(status(), Status::stopped);
  study.start.position.z = -1;  // its radius is 0.87 m, its lowest corner at 1.5 m below ground
  EXPECT_EQ(status(), Status::stopped);
  study.start.position.z = -1.3;
  EXPECT_EQ(status(), Status::end_time);
}

}  // namespace
}  // namespace scree
