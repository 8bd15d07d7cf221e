// Rocks with a closed form: sliding, sticking, bouncing, tipping, and energy through contact. The formulas and their
// derivations are in src/systems/rock/cases.hpp.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "src/systems/rock/cases.hpp"
#include "support/rocks.hpp"

namespace scree {
namespace {

using test::for_all_schemes;
using test::lying_on;
using test::named_shape;
using test::radians;
using test::RockLane;
using test::RockStudy;

constexpr double g = 9.81, h = 0.002;

/// A block with edges (along the slope, across, normal to it) lying on a plane, its base `depth` m below the surface: a
/// block in the ground stays in contact, because nothing corrects positions.
RockStudy block_on_plane(double degrees, double along, double across, double high, double depth = 1e-6) {
  RockStudy study(named_shape("cuboid", along, across, high, 1000), test::plane(degrees));
  const Vec3<double>& n = study.world.terrain.get<Plane>().slope.normal;
  study.start.position = (0.5 * high - depth) * n;
  study.start.orientation = lying_on(degrees);
  return study;
}

/// Steps until the sample ends.
template <class Scheme>
RockLane run_to_end(RockStudy& study) {
  RockLane lane = study.prepare();
  while (lane.status == running) test::step<Scheme>(study.ground(), lane);
  return lane;
}

TEST(RockClosedForms, ABlockSlidesToRestAfterV0SquaredOver2MuG) {
  for_all_schemes([]<class Scheme>() {
    for (const double mu : {0.2, 0.45, 0.8}) {
      RockStudy study = block_on_plane(0, 2, 1, 0.5).constant_friction(mu);
      study.params.contact_tolerance = 1e-13;
      const double v0 = 5;
      study.start.velocity = {v0, 0, 0};
      const RockLane lane = run_to_end<Scheme>(study);
      EXPECT_EQ(lane.status, static_cast<double>(Status::stopped));
      const double distance = lane.position.x, exact = rock_cases::slide_distance_midpoint(v0, mu, g, h);
      // Each of v0 / (mu g h) <= 1300 steps has a percussion with a relative error of the tolerance: distances err by
      // 1300 of them at most. What the scheme adds is in `exact`.
      EXPECT_NEAR(distance, exact, 1e-9);
      EXPECT_NEAR(distance, rock_cases::slide_distance(v0, mu, g) + mu * g * h * h / 16, mu * g * h * h / 16 + 1e-9);
      EXPECT_NEAR(lane.position.y, 0, 1e-9);
      EXPECT_LE(norm(lane.velocity) + norm(lane.omega), 1e-9);
      // Slower than 0.05 m/s for 0.5 s: from the first step that ends below it.
      const double first_slow = std::floor((v0 - study.params.stop_speed) / (mu * g * h)) + 1;
      EXPECT_NEAR(h * lane.steps, h * (first_slow - 1) + study.params.stop_time, 0.5 * h);
    }
  });
}

TEST(RockClosedForms, ABlockSticksUpToTanSlopeEqualToMu) {
  for_all_schemes([]<class Scheme>() {
    for (const double degrees : {10.0, 30.0, 40.0}) {
      const double threshold = rock_cases::stick_threshold(radians(degrees));
      // Sweeps converge more slowly the nearer friction is to its limit: at 1e-5 from it 120 do not suffice.
      RockStudy study = block_on_plane(degrees, 2, 1, 0.5).constant_friction(threshold * (1 + 1e-4));
      RockLane lane = study.prepare();
      const Vec3<double> from = lane.position;
      for (int k = 0; k < 200; ++k) test::step<Scheme>(study.ground(), lane);
      // Free fall adds g h = 0.02 m/s a step, of which the percussions leave a relative 1e-9: 2e-11 m/s, for 0.4 s.
      EXPECT_LE(norm(lane.velocity), 2e-11) << degrees;
      EXPECT_LE(norm(lane.position - from), 0.4 * 2e-11) << degrees;
    }
  });
}

TEST(RockClosedForms, ABlockSlidesAboveTheThresholdWithConstantAcceleration) {
  for_all_schemes([]<class Scheme>() {
    for (const double degrees : {10.0, 30.0, 40.0})
      for (const double part : {1 - 1e-3, 0.5, 0.0}) {
        const double mu = part * rock_cases::stick_threshold(radians(degrees));
        RockStudy study = block_on_plane(degrees, 2, 1, 0.5).constant_friction(mu);
        study.params.contact_tolerance = 1e-13;
        RockLane lane = study.prepare();
        const Vec3<double> from = lane.position, down = study.world.terrain.get<Plane>().slope.tangent1;
        const int steps = 500;
        for (int k = 0; k < steps; ++k) test::step<Scheme>(study.ground(), lane);
        const double t = steps * h, a = rock_cases::slide_acceleration(radians(degrees), mu, g);
        // A constant acceleration is exact in the midpoint scheme; percussions err by 1e-13 g h a step, 1e-10 g t at
        // most over 500 of them.
        EXPECT_NEAR(dot(lane.velocity, down), a * t, 1e-10) << degrees << ", " << mu;
        EXPECT_NEAR(dot(lane.position - from, down), 0.5 * a * t * t, 1e-10) << degrees << ", " << mu;
        EXPECT_LE(norm(lane.velocity - dot(lane.velocity, down) * down), 1e-10) << degrees << ", " << mu;
      }
  });
}

TEST(RockClosedForms, APointBouncesToESquaredTimesItsHeight) {
  for_all_schemes([]<class Scheme>() {
    for (const double e : {1.0, 0.8, 0.3}) {
      SCOPED_TRACE(e);
      // An octahedron on its corner: one contact under the centre of mass, so it never turns.
      RockStudy study(named_shape("octahedron", 1, 1, 1, 500), test::plane(0));
      study.params.restitution = e;
      study.params.drag = 0;
      study.start.position = {0, 0, 0.5 + 2};
      RockLane lane = study.prepare();
      double height = 2, highest = 0;
      int impacts = 0;
      while (impacts < 4) {
        Rock<double>::begin<Scheme>(study.ground(), lane);
        const double z = lane.position.z - 0.5, speed = -lane.velocity.z;
        test::end_step<Scheme>(study.ground(), lane);
        highest = test::worst(highest, lane.position.z - 0.5);
        if (!(lane.touching > 0)) continue;  // in flight, or rising out of the ground
        ++impacts;
        // Flight keeps the energy: its points, at most h apart, come as near to the apex as g h^2 / 8.
        if (impacts > 1) {
          EXPECT_NEAR(highest, height - g * h * h / 16, g * h * h / 16 + 1e-12) << impacts;
        }
        // What the step does exactly, see bounce_error(): a few roundings of heights of a metre.
        const double energy = Rock<double>::energy(lane) / (lane.mass * g) - 0.5;
        EXPECT_NEAR(energy, e * e * (height - z) + z - 0.5 * h * speed * (1 - e), 1e-13) << impacts;
        EXPECT_NEAR(energy, rock_cases::bounce_height(height, e), rock_cases::bounce_error(height, e, g, h) + 1e-13);
        height = energy;
        highest = 0;
      }
      EXPECT_EQ(norm(lane.omega), 0);
    }
  });
}

TEST(RockClosedForms, ACubeStandsWhileTheSlopeIsLessThanItsWidthOverItsHeight) {
  for_all_schemes([]<class Scheme>() {
    ASSERT_TRUE(rock_cases::stands(radians(44), 0.5, 0.5));
    RockStudy study = block_on_plane(44, 1, 1, 1).constant_friction(1.2);
    study.params.contact_tolerance = 1e-13;
    RockLane lane = study.prepare();
    const Vec3<double> from = lane.position;
    for (int k = 0; k < 500; ++k) test::step<Scheme>(study.ground(), lane);
    // At rest up to the percussions' errors, 1e-13 g h a step.
    EXPECT_LE(norm(lane.velocity) + norm(lane.omega), 1e-12);
    EXPECT_LE(norm(lane.position - from), 1e-12);
  });
}

TEST(RockClosedForms, ACubeTipsOnASteeperSlope) {
  for_all_schemes([]<class Scheme>() {
    ASSERT_FALSE(rock_cases::stands(radians(46), 0.5, 0.5));
    // Deep enough for the lower edge to stay in the ground while the cube turns about it.
    RockStudy study = block_on_plane(46, 1, 1, 1, 1e-3).constant_friction(1.2);
    study.params.contact_tolerance = 1e-13;
    RockLane lane = study.prepare();
    const int steps = 50;
    for (int k = 0; k < steps; ++k) test::step<Scheme>(study.ground(), lane);
    const double t = steps * h, a = rock_cases::tipping_acceleration(radians(46), 0.5, 0.5, 1.0 / 6, g);
    // phi'' = k^2 sin(phi + 1 degree) with k^2 = m g l / I, l = sqrt(1/2) m and I / m = 2/3 m^2, so to first order in
    // phi the spin is a sinh(k t) / k with k^2 cos(1 degree). The schemes' relative error is of order (h k)^2 = 4e-5,
    // and phi^2 is 1e-6. Where the orientation comes from (w0, w_f) and not from the spin after contact, L21 eqs
    // (88)-(90), it lags by h phi' / 2: the spin by a h (cosh(k t) - 1) / 2.
    const double k = std::sqrt(g * std::cos(radians(1)) * std::sqrt(0.5) * 1.5);
    const double lag = Scheme::orientation_needs_contact ? 0 : 0.5 * a * h * (std::cosh(k * t) - 1);
    EXPECT_NEAR(test::world_spin(lane).y, a * std::sinh(k * t) / k - lag, 4e-5 * a * t);
    EXPECT_NEAR(test::world_spin(lane).x, 0, 1e-9);
    EXPECT_NEAR(test::world_spin(lane).z, 0, 1e-9);
    for (int k = 0; k < 450; ++k) test::step<Scheme>(study.ground(), lane);
    EXPECT_GT(test::world_spin(lane).y, 0.5);  // it has gone over
  });
}

TEST(RockClosedForms, ATallBlockSlidesUprightBelowAndTipsAboveMuEqualToItsWidthOverItsHeight) {
  for_all_schemes([]<class Scheme>() {
    const double degrees = 45, b = 0.25, r = 0.5;  // b / r = 0.5
    const auto after = [&](double mu, int steps) {
      RockStudy study = block_on_plane(degrees, 2 * b, 1, 2 * r, 1e-3).constant_friction(mu);
      study.params.contact_tolerance = 1e-13;
      RockLane lane = study.prepare();
      for (int k = 0; k < steps; ++k) test::step<Scheme>(study.ground(), lane);
      return lane;
    };
    const double t = 250 * h;
    const RockLane upright = after(0.49, 250);
    EXPECT_LE(norm(upright.omega), 1e-10);  // as for sliding: 1e-13 a step
    EXPECT_NEAR(norm(upright.velocity), rock_cases::slide_acceleration(radians(degrees), 0.49, g) * t, 1e-9);
    // Above: at first as the closed form says. The arm mu r - b = 0.025 m grows by r phi and more as the block turns,
    // by 2 % of itself when phi = 1e-3, at t = 0.02 s.
    const double inertia = ((2 * b) * (2 * b) + (2 * r) * (2 * r)) / 12;
    const double a = rock_cases::sliding_tipping_acceleration(radians(degrees), 0.55, b, r, inertia, g);
    EXPECT_NEAR(test::world_spin(after(0.55, 10)).y, a * 10 * h, 0.02 * a * 10 * h);
    EXPECT_GT(test::world_spin(after(0.55, 250)).y, 0.5);
  });
}

/// Largest departure of the energy from its first value, relative to the largest sum of its parts; largest gain of a
/// step.
struct Energy {
  double departure = 0, gain = 0;
  int impacts = 0, both_planes = 0;
};
template <class Scheme>
Energy energy_over(RockStudy& study, int steps) {
  RockLane lane = study.prepare();
  const double first = Rock<double>::energy(lane);
  Energy result;
  double size = 0;
  for (int k = 0; k < steps; ++k) {
    const double before = Rock<double>::energy(lane);
    Rock<double>::begin<Scheme>(study.ground(), lane);
    if (lane.hits[0] > 0 && lane.hits[1] > 0) ++result.both_planes;
    test::end_step<Scheme>(study.ground(), lane);
    result.departure = test::worst(result.departure, std::fabs(Rock<double>::energy(lane) - first));
    const double kinetic = Rock<double>::kinetic_energy(lane);
    size = test::worst(size, kinetic + std::fabs(Rock<double>::energy(lane) - kinetic));
    result.gain = test::worst(result.gain, Rock<double>::energy(lane) - before);
  }
  result.departure /= size;
  result.impacts = static_cast<int>(lane.tally.impacts);
  return result;
}

/// A EOTA221 without friction, thrown and spinning.
RockStudy smooth_rock(const Terrain& terrain, double restitution) {
  RockStudy study(test::eota221(), terrain);
  study.constant_friction(0);
  study.params.restitution = restitution;
  study.params.contact_tolerance = 1e-14;
  study.params.contact_sweeps = 1000;
  study.start.orientation = {0.83, 0.31, -0.41, 0.21};
  study.start.omega = {3, -2, 5};
  return study;
}

/// Above level ground; above a slope; and falling into the ramp's corner, so as to hit both planes in one step.
std::vector<RockStudy> smooth_rocks(double restitution) {
  std::vector<RockStudy> studies(3, smooth_rock(test::plane(0), restitution));
  studies[0].start.position = {0, 0, 1.5};
  studies[0].start.velocity = {2, -1, 0};
  studies[1].world.terrain = test::plane(40);
  studies[1].start.position = {0, 0, 1.5};
  studies[2].world.terrain = test::ramp(40, 10);
  studies[2].start.position = {studies[2].world.terrain.get<Ramp>().foot - 0.2, 0, 1.5};
  studies[2].start.velocity = {-1, 0.5, 0};
  return studies;
}

TEST(RockClosedForms, FrictionlessElasticContactKeepsTheEnergy) {
  for_all_schemes([]<class Scheme>() {
    if (std::is_same_v<Scheme, RotorRk4>) return;  // its rotor keeps energy to h^5 only
    int place = 0;
    for (RockStudy& study : smooth_rocks(1)) {
      SCOPED_TRACE(++place);
      const Energy energy = energy_over<Scheme>(study, 5000);
      EXPECT_GE(energy.impacts, 5);
      // The work of the percussions is sum P (gamma0 + gamma1) / 2 = 0 up to the contact tolerance, 1e-14 of the
      // kinetic energy an impact, and round-off: 5000 steps of 1e-16.
      EXPECT_LE(energy.departure, 1e-12);
    }
  });
}

TEST(RockClosedForms, FrictionlessElasticContactKeepsTheEnergyWhereTwoPlanesMeet) {
  // A cuboid with an edge along the ramp's foot, dropped so that it meets slope and level ground in the same step.
  for_all_schemes([]<class Scheme>() {
    if (std::is_same_v<Scheme, RotorRk4>) return;
    RockStudy study(named_shape("cuboid", 1.2, 1, 0.8, 1000), test::ramp(40, 10));
    study.constant_friction(0);
    study.params.restitution = 1;
    study.params.contact_tolerance = 1e-14;
    study.params.contact_sweeps = 1000;
    // Lower edge at x = -0.6, left of it the slope rises: touching both at once needs the edge on the foot line.
    study.start.position = {study.world.terrain.get<Ramp>().foot + 0.6, 0, 0.4 + 0.5};
    study.start.velocity = {0, 0, 0};
    const Energy energy = energy_over<Scheme>(study, 5000);
    EXPECT_GE(energy.impacts, 5);
    EXPECT_GE(energy.both_planes, 1);
    EXPECT_LE(energy.departure, 1e-12);  // as above
  });
}

TEST(RockClosedForms, InelasticContactWithoutFrictionAddsNoEnergy) {
  for_all_schemes([]<class Scheme>() {
    int place = 0;
    for (RockStudy& study : smooth_rocks(0)) {
      SCOPED_TRACE(++place);
      study.params.contact_tolerance = 1e-12;  // of percussions that work at a few m/s: 1e-9 J
      // A vertex may be pushed while gravity's share of the step turns its velocity: the derived bound, order h^2.
      // RK4's rotor adds (h |w|)^5 of the rotational energy a step: 2e-10 of 1e3 J.
      const double bound = rock_cases::inelastic_gain(780, g, h);
      const Energy energy = energy_over<Scheme>(study, 1000);
      EXPECT_GE(energy.impacts, 1);
      EXPECT_LE(energy.gain, bound * (1 + 1e-9) + 1e-6);
      // Without gravity it is nothing: round-off of some 1e4 J.
      study.params.gravity = 0;
      study.start.velocity = {0, 0, -4};
      const Energy weightless = energy_over<Scheme>(study, 1000);
      EXPECT_GE(weightless.impacts, 1);
      EXPECT_LE(weightless.gain, (std::is_same_v<Scheme, RotorRk4> ? 1e-6 : 1e-9));
    }
  });
}

}  // namespace
}  // namespace scree
