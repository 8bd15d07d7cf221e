// Sliders against closed forms, invariants and the orders of their schemes.
#include "src/systems/slider_cases.hpp"
#include "tests/support/sliders.hpp"

namespace scree {
namespace {

using test::slide;
using test::Slid;
using test::SliderStudy;
namespace cases = slider_cases;

constexpr double g = 9.81;

/// Observed order from the errors with 2h and h.
double order_of(double coarse, double fine) { return std::log2(coarse / fine); }

// ---------------------------------------------------------------------------------------------------------------------
// Schemes

/// A skew saddle with friction, far from rest: all terms of the equations of motion, no event.
SliderStudy saddle(double step) {
  return SliderStudy(test::quadric(0.02, -0.01, 0.015, 0.3, -0.2, 0), step, 1.5).friction(0.2).from(3, -2, 4, 5);
}

TEST(Slider, EachSchemeHasItsOrder) {
  test::for_all_slider_schemes([&]<class Scheme>(int order) {
    const auto run = [&](int steps) { return slide<Scheme>(saddle(1.5 / steps)); };
    const int steps = order == 1 ? 800 : 100;
    const Slid s1 = run(steps), s2 = run(2 * steps), s4 = run(4 * steps), s8 = run(8 * steps);
    ASSERT_EQ(s8.status, Status::end_time);
    ASSERT_EQ(s1.summary.steps, steps) << "no sub-steps are meant to be here";
    const double d1 = test::distance(s1.lane.state, s2.lane.state), d2 = test::distance(s2.lane.state, s4.lane.state),
                 d3 = test::distance(s4.lane.state, s8.lane.state);
    // log2(d1 / d2) = p + O(h); over three halvings the last is within some per cent of p.
    EXPECT_NEAR(order_of(d1, d2), order, 0.2);
    EXPECT_NEAR(order_of(d2, d3), order, 0.1);
    // Work and path have the order of the scheme, the path at most 4.
    const auto slope = [&](auto value) {
      return order_of(std::fabs(value(s2.summary) - value(s4.summary)), std::fabs(value(s4.summary) - value(s8.summary)));
    };
    EXPECT_NEAR(slope([](const auto& s) { return s.friction_work; }), order, 0.15);
    EXPECT_NEAR(slope([](const auto& s) { return s.path_length; }), order, 0.15);
  });
}

/// E + W is constant: what the friction takes is what the energy loses, to the order of the scheme.
TEST(Slider, EnergyAndFrictionWorkBalance) {
  test::for_all_slider_schemes([&]<class Scheme>(int order) {
    const auto error = [&](int steps) { return std::fabs(slide<Scheme>(saddle(1.5 / steps)).summary.energy_error); };
    const int steps = order == 1 ? 1600 : 200;
    const double coarse = error(steps), fine = error(2 * steps);
    EXPECT_NEAR(order_of(coarse, fine), order, 0.2);
    EXPECT_LT(fine, 1e-1) << "of some 40 J/kg";
    if (order == 4) {
      EXPECT_LT(fine, 1e-8);
    }
  });
}

// ---------------------------------------------------------------------------------------------------------------------
// Invariants without friction

TEST(Slider, KeepsTheCircleInABowl) {
  const double theta = 0.7, radius = 20;
  const cases::CircularOrbit orbit(g, radius, theta);
  const double period = 2 * std::acos(-1) / orbit.angular_velocity;
  const auto end = slide<Rk4>(SliderStudy(test::sphere(TerrainKind::bowl, radius), period / 2000, period)
                                  .from(orbit.radius, 0, 0, orbit.speed));
  // RK4's error on a circle is about (omega h)^5 / 120 a step: 2000 (2 pi / 2000)^5 / 120 = 5e-12 of the radius.
  EXPECT_NEAR(end.lane.state.x, orbit.radius, 1e-9);
  EXPECT_NEAR(end.lane.state.y, 0, 1e-9);
  EXPECT_NEAR(end.summary.path_length, period * orbit.speed, 1e-9 * period * orbit.speed);
  EXPECT_NEAR(end.summary.normal_min, orbit.normal, 1e-9);
  EXPECT_NEAR(end.summary.speed_max, orbit.speed, 1e-9);
}

TEST(Slider, KeepsEnergyAndAngularMomentumOnSurfacesOfRevolution) {
  for (const TerrainKind kind : {TerrainKind::bowl, TerrainKind::dome}) {
    const auto drift = [&](double h, double& energy) {
      SliderStudy study(test::sphere(kind, 20), h, 2);
      study.from(3, 1, 1, 4);
      const auto end = slide<Rk4>(study);
      EXPECT_EQ(end.status, Status::end_time);
      energy = std::fabs(end.summary.energy_error);
      const auto& s = end.lane.state;
      return std::fabs((s.x * s.vy - s.y * s.vx) - (3 * 4 - 1 * 1));
    };
    double energy1, energy2;
    const double momentum1 = drift(0.02, energy1), momentum2 = drift(0.01, energy2);
    // Of 11 m^2/s and some 10 J/kg; (h omega)^4 with omega up to 2/s is 1.6e-7.
    EXPECT_LT(momentum2, 2e-6);
    EXPECT_LT(energy2, 2e-6);
    EXPECT_GT(order_of(momentum1, momentum2), 3.5);
    EXPECT_GT(order_of(energy1, energy2), 3.5);
  }
}

TEST(Slider, KeepsTheMomentumAlongAValley) {
  const double b = -0.3;
  SliderStudy study(test::quadric(0.02, 0, 0, 0, b, 5), 0.01, 10);
  study.from(-8, 0, 0, 3);
  const World& world = study.ground();
  auto lane = Slider<double>::prepare(world, {study.params, study.start});
  const auto momentum = [&] {
    const auto track = Slider<double>::track(world, lane);
    return cases::valley_momentum(g, b, track.vy, track.vz, Slider<double>::time(world, lane));
  };
  const double start = momentum();
  double worst = 0;
  while (lane.status == running) {
    test::step<Rk4>(world, lane);
    worst = test::worst(std::fabs(momentum() - start), worst);
  }
  EXPECT_LT(worst, 1e-7);  // (h omega)^4 of 30 m/s, omega = sqrt(2 a g) = 0.6/s
  const auto end = Slider<double>::summarize(world, lane);
  EXPECT_LT(std::fabs(end.energy_error), 1e-6 * end.energy_start);
}

// ---------------------------------------------------------------------------------------------------------------------
// Rest

TEST(Slider, StopsAfterV0SquaredOver2MuG) {
  const auto end = slide<Rk4>(SliderStudy(test::tilted(0), 0.1, 100).friction(0.25).from(2, 1, 3, -4));
  const double run = cases::level_runout(5, 0.25, g);
  EXPECT_EQ(end.status, Status::stopped);
  EXPECT_NEAR(end.summary.runout, run, 1e-13 * run);
  EXPECT_NEAR(end.summary.path_length, run, 1e-13 * run);
  EXPECT_NEAR(end.summary.stop_time, 5 / (0.25 * g), 1e-14 * 5 / (0.25 * g) * end.summary.steps);
  EXPECT_NEAR(end.summary.final_x, 2 + 0.6 * run, 1e-12);
  EXPECT_NEAR(end.summary.final_y, 1 - 0.8 * run, 1e-12);
  EXPECT_NEAR(end.summary.friction_work, 12.5, 1e-12);
  EXPECT_NEAR(end.summary.energy_error, 0, 1e-12);
}

/// Down and up the fall line of a plane the acceleration is constant, so RK4 and the stop are exact.
TEST(Slider, StopsOnAPlaneAlongTheFallLine) {
  const double slope = 0.3, mu = 0.5, v = 7;
  const cases::Incline incline(g, mu, slope);
  for (const double heading : {0.0, 1.1})
    for (const bool up : {false, true}) {
      SliderStudy study(test::tilted(slope, heading), 0.05, 100);
      study.friction(mu).from(1, 2);
      study.start.speed = v;
      study.start.heading = up ? std::acos(-1) : 0;
      const auto end = slide<Rk4>(study);
      const double length = up ? incline.turning_distance(v) : v * v / (2 * (incline.gn - incline.gs));
      const double time = up ? incline.turning_time(v) : incline.stop_time(v, 0);
      EXPECT_EQ(end.status, Status::stopped);
      EXPECT_NEAR(end.summary.path_length, length, 1e-11 * length);
      EXPECT_NEAR(end.summary.stop_time, time, 1e-11 * time);
      EXPECT_NEAR(end.summary.runout, length * incline.cos, 1e-11 * length);
      EXPECT_NEAR(end.summary.drop, (up ? -1 : 1) * length * std::sin(slope), 1e-11 * length);
      EXPECT_NEAR(end.summary.lateral_final, 0, 1e-11 * length);
      EXPECT_EQ(end.summary.reversals, 0) << "a mass that stays where it turned did not come back";
    }
}

/// An oblique launch turns towards the fall line while it stops. On the way RK4 has its order, 4; the last sub-steps,
/// 1e-3 h long, and the stop are the closed form itself.
TEST(Slider, StopsOnAPlaneAfterAnObliqueLaunch) {
  const double slope = 0.3, mu = 0.5, v = 7;
  const cases::Incline incline(g, mu, slope);
  for (const double alpha : {0.6, 1.7, 2.8}) {
    const double time = incline.stop_time(v, alpha);
    const auto place = incline.stop_place(v, alpha);
    double error[2][2];
    for (const int i : {0, 1}) {
      SliderStudy study(test::tilted(slope), i == 0 ? 0.04 : 0.02, 100);
      study.friction(mu).from(1, 2);
      study.start.speed = v;
      study.start.heading = alpha;
      const auto end = slide<Rk4>(study);
      EXPECT_EQ(end.status, Status::stopped);
      error[i][0] = std::fabs(end.summary.stop_time - time);
      error[i][1] = test::worst(std::fabs(end.summary.final_x - 1 - place.down * incline.cos),
                                std::fabs(end.summary.lateral_final - place.across));
      EXPECT_NEAR(end.summary.path_length, place.path, i == 0 ? 2e-5 : 2e-6);
      // H + V0^2 / 2g = mu cos(b) path
      EXPECT_NEAR(end.summary.drop + v * v / (2 * g), mu * incline.cos * end.summary.path_length, 1e-5);
    }
    RecordProperty("alpha", std::to_string(alpha));
    printf("alpha %g time err %.3g %.3g place err %.3g %.3g\n", alpha, error[0][0], error[1][0], error[0][1], error[1][1]);
  }
}

}  // namespace
}  // namespace scree
