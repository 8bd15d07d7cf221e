// The block of Leine et al. 2014, section 5.1: a stretched octahedron that slides on two corners down a slope of 45
// degrees while its friction grows, tips about the lower one once mu > 1, takes off, lands and slides again.
#include <gtest/gtest.h>

#include <cmath>

#include "src/systems/rock/cases.hpp"
#include "support/contact_problem.hpp"
#include "support/rocks.hpp"

namespace scree {
namespace {

using test::radians;
using test::RockLane;
using test::RockStudy;

constexpr double g = 9.81, mass = 80000, slope = 45;
constexpr double half_edge = 1;  // of the 2 x 2 m base: the corners' distance along the slope, and the centre's height
constexpr double inertia_over_mass = 0.4;  // k^2 r^2 about the axis across the slope

/// Two pyramids of 10 m on a base of 2 x 2 m, their axis across the slope, one edge of the base down the fall line.
RockStudy octahedron() {
  RockStudy study(test::named_shape("octahedron", 2, 2, 20, mass), test::plane(slope));
  // Not so deep as to matter, deep enough for the lower corner to stay in the ground while the block turns about it.
  study.start.position = (half_edge - 1e-3) * study.world.terrain.get<Plane>().slope.normal;
  study.start.orientation = test::lying_on(slope) * test::turned(-test::pi / 2, 1, 0, 0);
  study.params.contact_tolerance = 1e-12;
  return study;
}

/// Mean normal forces over the step that `lane` has begun, N; 0 without contact at that corner.
template <class Scheme>
rock_cases::CornerForces forces(const World& world, const RockLane& lane) {
  rock_cases::CornerForces result{0, 0};
  if (lane.contacts == 0) return result;
  const test::ContactProblem problem = test::problem_of<Scheme>(world, lane);
  const test::ContactSolution solution =
      test::solve_exactly(problem, lane.ground.contact_tolerance, lane.ground.contact_sweeps);
  const Mat3<double> axes = rotation(lane.middle_orientation);
  for (int i = 0; i < problem.count; ++i) {
    // A push on the lower corner turns the block backwards: about -y.
    const Vec3<double> moment = axes * test::spin_part(problem.w[i].col(0));
    (moment.y < 0 ? result.lower : result.upper) += solution.p[i][0] / world.step;
  }
  return result;
}

TEST(Leine2014, TheShapeIsThePapersBlock) {
  const Shape shape = test::named_shape("octahedron", 2, 2, 20, mass);
  EXPECT_NEAR(shape.mass / shape.volume, 3000, 1e-9);
  EXPECT_NEAR(mass * shape.inertia[0], 32000, 1e-7);
  EXPECT_NEAR(mass * shape.inertia[1], 816000, 1e-5);
  EXPECT_NEAR(mass * shape.inertia[2], 816000, 1e-5);
}

TEST(Leine2014, TwoCornersCarryOneMinusAndOnePlusMuOfHalfTheWeight) {
  test::for_all_schemes([]<class Scheme>() {
    for (const double mu : {0.0, 0.2, 0.5, 0.9, 0.99}) {
      RockStudy study = octahedron().constant_friction(mu);
      RockLane lane = study.prepare();
      const rock_cases::CornerForces expected =
          rock_cases::corner_forces(mass, g, radians(slope), mu, half_edge, half_edge);
      for (int k = 0; k < 500; ++k) {
        Rock<double>::begin<Scheme>(study.ground(), lane);
        ASSERT_EQ(lane.contacts, 2) << "mu " << mu << ", step " << k;
        const rock_cases::CornerForces force = forces<Scheme>(study.ground(), lane);
        // Sliding is steady, so the scheme has the forces exactly: the contact tolerance, 1e-12 of the weight, gathered
        // over the steps before.
        ASSERT_NEAR(force.lower, expected.lower, 1e-9 * mass * g) << "mu " << mu << ", step " << k;
        ASSERT_NEAR(force.upper, expected.upper, 1e-9 * mass * g) << "mu " << mu << ", step " << k;
        test::end_step<Scheme>(study.ground(), lane);
      }
      // v = a t, no turning.
      const double a = rock_cases::slide_acceleration(radians(slope), mu, g);
      EXPECT_NEAR(norm(lane.velocity), 500 * study.world.step * a, 1e-9);
      EXPECT_LE(norm(lane.omega), 1e-9);
    }
  });
}

TEST(Leine2014, ItTipsAboutTheLowerCornerOnceMuIsAboveOne) {
  test::for_all_schemes([]<class Scheme>() {
    const double mu = 1.02;
    RockStudy study = octahedron().constant_friction(mu);
    // Sliding down at 5 m/s, faster than it will be braked: on 45 degrees mu > 1 stops a block.
    study.start.velocity = 5.0 * study.world.terrain.get<Plane>().slope.tangent1;
    RockLane lane = study.prepare();
    const int steps = 10;
    for (int k = 0; k < steps; ++k) {
      Rock<double>::begin<Scheme>(study.ground(), lane);
      const rock_cases::CornerForces force = forces<Scheme>(study.ground(), lane);
      EXPECT_EQ(force.upper, 0) << k;
      EXPECT_GT(force.lower, 0) << k;
      test::end_step<Scheme>(study.ground(), lane);
    }
    // The arm mu r - b = 0.02 m grows by (mu b + r) phi = 2 phi, at t = 0.02 s by 2 a t^2 / 2 = 1.5e-4 m, 1 % of
    // itself.
    const double a =
        rock_cases::sliding_tipping_acceleration(radians(slope), mu, half_edge, half_edge, inertia_over_mass, g);
    const double t = steps * study.world.step;
    EXPECT_NEAR(test::world_spin(lane).y, a * t, 0.01 * a * t);
  });
}

TEST(Leine2014, ScarringFrictionSlidesItThenTipsItAndItJumpsAndLandsAgain) {
  test::for_all_schemes([]<class Scheme>() {
    RockStudy study = octahedron();
    RockParams<double>& p = study.params;
    p.friction_min = 0.2;
    p.friction_max = 1.3;
    p.scar_decay = 20;
    p.scar_growth = 0.7;
    p.restitution = 0;
    p.drag = 0;
    const double h = study.world.step;
    const rock_cases::Scarring scarring{p.friction_min, p.friction_max, p.scar_growth};
    const double tipping = scarring.length_at(1);
    RockLane lane = study.prepare();

    // On two corners, with the forces of the momentary mu, as long as mu <= 1.
    while (true) {
      Rock<double>::begin<Scheme>(study.ground(), lane);
      const double mu = test::problem_of<Scheme>(study.ground(), lane).mu;
      if (mu > 1) break;
      ASSERT_EQ(lane.contacts, 2) << "s " << lane.scar;
      const auto expected = rock_cases::corner_forces(mass, g, radians(slope), mu, half_edge, half_edge);
      const auto force = forces<Scheme>(study.ground(), lane);
      ASSERT_NEAR(force.lower, expected.lower, 1e-9 * mass * g) << "mu " << mu;
      ASSERT_NEAR(force.upper, expected.upper, 1e-9 * mass * g) << "mu " << mu;
      test::end_step<Scheme>(study.ground(), lane);
      ASSERT_LE(norm(lane.omega), 1e-9);
    }
    const double speed = norm(lane.velocity);
    EXPECT_GT(lane.scar, tipping);
    EXPECT_LE(lane.scar, tipping + h * speed);
    // The scar is a sum of h |v|, friction that of the step's beginning: both a step late or early, so the speed errs
    // by at most two steps of the largest acceleration, g sin(alpha).
    EXPECT_NEAR(speed, scarring.speed_after(tipping, radians(slope), g), 2 * h * g * std::sin(radians(slope)));

    // From here on the upper corner is free and the block turns forwards.
    EXPECT_EQ(forces<Scheme>(study.ground(), lane).upper, 0);
    bool took_off = false;
    int landings = 0;
    for (double t = 0; t < 20 && landings < 3; t += h) {
      test::end_step<Scheme>(study.ground(), lane);
      if (!took_off) {
        EXPECT_GT(test::world_spin(lane).y, 0);
      }
      Rock<double>::begin<Scheme>(study.ground(), lane);
      if (lane.contacts == 0) {
        took_off = true;
      } else if (took_off) {
        ++landings;
        took_off = false;
      }
    }
    EXPECT_EQ(landings, 3);
    EXPECT_EQ(lane.status, running);
  });
}

}  // namespace
}  // namespace scree
