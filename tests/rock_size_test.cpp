// Rocks of one shape in several sizes.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "tests/support/rocks.hpp"

namespace scree {
namespace {

using test::RockStudy;

RockStudy on_a_ramp(const Shape& shape) {
  RockStudy study(shape, test::ramp(40, 20));
  study.world.set_down = 1;
  study.start.gap = 0.5;
  study.start.omega = {1, 4, 0.5};
  study.vary_orientation();
  return study;
}

/// All that a sample leaves behind.
std::vector<double> all_columns(const SummaryTable& table, std::uint64_t sample) {
  std::vector<double> values;
  for (std::size_t c = 0; c < table.description->columns.size(); ++c)
    values.push_back(table.at(static_cast<int>(c), sample));
  return values;
}
void expect_same_bits(const SummaryTable& one, const SummaryTable& other) {
  ASSERT_EQ(one.samples, other.samples);
  for (std::uint64_t i = 0; i < one.samples; ++i)
    for (std::size_t c = 0; c < one.description->columns.size(); ++c)
      ASSERT_EQ(std::bit_cast<std::uint64_t>(all_columns(one, i)[c]),
                std::bit_cast<std::uint64_t>(all_columns(other, i)[c]))
          << one.description->columns[c].name << " of sample " << i;
}

/// A cuboid has vertices, mass and moments that doubling its edges multiplies by powers of two, without a rounding.
TEST(RockSize, TwiceAShapeIsTheShapeOfTwiceTheEdges) {
  RockStudy twice = on_a_ramp(test::named_shape("cuboid", 1.2, 1.0, 0.6, 1944));
  twice.start.scale = 2;
  const RockStudy large = on_a_ramp(test::named_shape("cuboid", 2.4, 2.0, 1.2, 8 * 1944));
  for (const char* scheme : {"explicit", "implicit"})
    expect_same_bits(test::run(twice, scheme, 40), test::run(large, scheme, 40));
}

TEST(RockSize, AVolumeIsThatOfTheScaledShapeAtItsDensity) {
  RockStudy study = on_a_ramp(test::named_shape("cuboid", 1.2, 1.0, 0.6, 1944));  // 0.72 m^3, 2700 kg/m^3
  study.start.volume = 0.72 * 27;
  const test::RockLane lane = study.prepare();
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
  large.vary_orientation();
  large.start.scale = 4;
  large.world.step *= 2;
  large.world.end *= 2;
  large.params.drag /= 2;
  large.params.scar_decay /= 2;
  large.params.scar_growth /= 4;
  large.params.stop_speed *= 2;
  large.params.stop_time *= 2;
  for (const char* scheme : {"explicit", "implicit", "implicit_cay", "rk4"}) {
    SCOPED_TRACE(scheme);
    const SummaryTable one = test::run(small, scheme, 40), other = test::run(large, scheme, 40);
    const auto expect_times = [&](const char* column, double factor) {
      const int c = one.description->column(column);
      for (std::uint64_t i = 0; i < 40; ++i) ASSERT_EQ(other.at(c, i), factor * one.at(c, i)) << column << ", " << i;
    };
    expect_times("runout", 4);
    expect_times("lateral_final", 4);
    expect_times("stop_time", 2);
    expect_times("speed_max", 2);
    expect_times("rotation_max", 0.5);
    expect_times("kinetic_energy_max", 256);  // mass times 4^3
    expect_times("impacts", 1);
    expect_times("steps", 1);
  }
}

TEST(RockSize, ARockThatIsAllBelowGroundIsNotAtRest) {
  RockStudy study(test::named_shape("cuboid", 1, 1, 1, 2700), test::plane(0));
  study.world.end = 2;
  study.start.position = {0, 0, 0.5};
  const int stopped = static_cast<int>(Status::stopped), end = static_cast<int>(Status::end_time);
  const auto status = [&] { return static_cast<int>(test::run(study, "explicit", 1).status[0]); };
  EXPECT_EQ(status(), stopped);
  study.start.position.z = -1;  // its radius is 0.87 m, its lowest corner at 1.5 m below ground
  EXPECT_EQ(status(), stopped);
  study.start.position.z = -1.3;
  EXPECT_EQ(status(), end);
}

}  // namespace
}  // namespace scree
