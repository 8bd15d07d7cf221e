// The projectile against its closed forms, the reference of discs_particles.json and the orders of its schemes.
#include <array>
#include <string>

#include "src/systems/projectile.hpp"
#include "src/systems/projectile_cases.hpp"
#include "tests/support/particles.hpp"
#include "tests/support/reference.hpp"

namespace scree {
namespace {

using test::fly;
using test::Json;
using test::order_of;
using Study = test::ParticleStudy<Projectile>;
namespace cases = projectile_cases;

constexpr double epsilon = 0x1p-52;

Study study(double step, double end, double speed = 100, double angle = std::atan(1.0), double drag = 0.05,
            double height = 0) {
  Study s(step, end);
  s.params = {9.8, drag};
  s.start = {speed, angle, height};
  return s;
}
cases::Shot shot_of(const Study& s) {
  return {s.params.gravity, s.params.drag, s.start.height, s.start.speed, s.start.angle};
}
Json reference_case() {
  const Json all = test::reference("discs_particles.json");
  for (const Json& c : all["cases"])
    if (c["name"] == "lab_projectile_drag") return c;
  throw std::logic_error("no projectile in the reference");
}

/// e^-u, E / t and G / t^2 to a few roundings, on both sides of the change from series to closed form.
TEST(DragFlight, FactorsHaveAllTheirDigits) {
  for (double u = 1e-12; u < 60; u *= 1.37) {
    const double t = 3.0, a = u / t;
    const auto f = drag_factors(a, t);
    const long double al = a, tl = t, ul = al * tl, e = -std::expm1(-ul) / al;
    // t - E loses log2(1 / u) bits of 64 in long double; below 1e-3 the series' first terms are exact to 1e-16.
    const long double g = u > 1e-3 ? (tl - e) / al : tl * tl * (0.5L - ul / 6 + ul * ul / 24 - ul * ul * ul / 120);
    // In double, (t - E) / a at u = 1/2 has E rounded to eps E, 3.7 times the difference, twice.
    EXPECT_NEAR(f.e, static_cast<double>(e), 4 * epsilon * static_cast<double>(e)) << "u = " << u;
    EXPECT_NEAR(f.g, static_cast<double>(g), 12 * epsilon * static_cast<double>(g)) << "u = " << u;
    EXPECT_NEAR(f.decay, static_cast<double>(std::exp(-ul)), 2 * epsilon) << "u = " << u;
  }
  const auto none = drag_factors(0.0, 7.0);
  EXPECT_EQ(none.e, 7.0);
  EXPECT_EQ(none.g, 24.5);
  EXPECT_EQ(none.decay, 1.0);
}

TEST(Projectile, FollowsTheReferenceUnderItsClosedForm) {
  const Json c = reference_case();
  ASSERT_EQ(c["t"].size(), 16u);
  for (std::size_t k = 1; k < c["t"].size(); ++k) {
    // From 1000 m up, so that the reference's last states, below the ground, are reached too.
    const auto end = fly<ExactFlight>(study(0.5, c["t"][k], 100, c["params"]["phi"], 0.05, 1000));
    const Json& s = c["state"][k];
    ASSERT_EQ(end.status, Status::end_time);
    EXPECT_NEAR(end.lane.state.x, s[0].get<double>(), 8 * epsilon * 1000);
    EXPECT_NEAR(end.lane.state.y - 1000, s[1].get<double>(), 8 * epsilon * 1000);
    EXPECT_NEAR(end.lane.state.vx, s[2].get<double>(), 8 * epsilon * 100);
    EXPECT_NEAR(end.lane.state.vy, s[3].get<double>(), 8 * epsilon * 100);
    EXPECT_EQ(end.summary.position_error, 0);
  }
  const auto landed = fly<ExactFlight>(study(0.1, 100, 100, c["params"]["phi"]));
  EXPECT_EQ(landed.status, Status::stopped);
  // y is rounded to some eps of its parts, g t / a ~ 2500 m, and falls with 60 m/s at the landing.
  EXPECT_NEAR(landed.summary.flight_time, c["flight_time"].get<double>(), 4 * epsilon * 2500 / 60);
  EXPECT_NEAR(landed.summary.range, c["range"].get<double>(), 4 * epsilon * 2500);
}

/// The reference's table of errors at t = 10 s, to what rounding in 10 / dt steps of positions below 512 m (spacing
/// 5.7e-14 m) walks: half a spacing a step, four standard deviations.
TEST(Projectile, EachSchemeHasTheErrorsOfTheReference) {
  const Json c = reference_case();
  const auto expect = [&]<class Scheme>(const char* name) {
    SCOPED_TRACE(name);
    const Json& table = c["schemes"][name];
    ASSERT_EQ(table["dt"].size(), 4u);
    for (std::size_t k = 0; k < table["dt"].size(); ++k) {
      const double dt = table["dt"][k], published = table["position_error_at_t10"][k];
      const auto end = fly<Scheme>(study(dt, 10));
      EXPECT_EQ(end.status, Status::end_time);
      EXPECT_NEAR(end.summary.position_error, published, 4 * std::sqrt(10 / dt) * 2.9e-14) << "dt = " << dt;
    }
  };
  expect.template operator()<Euler>("euler");
  expect.template operator()<EulerCromer>("euler-cromer");
  expect.template operator()<Rk4>("rk4");
}

/// Range, flight time and apex have the order of the scheme: the landing is located, not rounded up to a step.
TEST(Projectile, LandsWithTheOrderOfTheScheme) {
  const cases::Shot exact = shot_of(study(1, 1, 100, 0.9, 0.05, 20));
  const auto expect = [&]<class Scheme>(int order, double h) {
    SCOPED_TRACE(Scheme::name);
    std::array<double, 3> range, time, apex;
    for (std::size_t k = 0; k < 3; ++k, h /= 2) {
      const auto end = fly<Scheme>(study(h, 100, 100, 0.9, 0.05, 20));
      ASSERT_EQ(end.status, Status::stopped);
      range[k] = std::fabs(end.summary.range - static_cast<double>(exact.range()));
      time[k] = std::fabs(end.summary.flight_time - static_cast<double>(exact.flight_time()));
      apex[k] = std::fabs(end.summary.apex - static_cast<double>(exact.apex()));
    }
    // The next term of the error is h / T of the first, and the last step, of some part of h, makes another error than
    // whole steps do: together well below 1/4 of an order.
    for (const auto& errors : {range, time, apex}) EXPECT_NEAR(order_of(errors[1], errors[2]), order, 0.25);
  };
  expect.template operator()<Euler>(1, 0.02);
  expect.template operator()<EulerCromer>(1, 0.02);
  expect.template operator()<Rk4>(4, 0.8);
}

TEST(Projectile, TheClosedFormDoesNotDependOnTheStep) {
  for (const double angle : {0.2, 0.8, 1.5}) {
    for (const double drag : {1e-6, 0.05, 3.0}) {
      const Study coarse = study(1000, 1000, 100, angle, drag, 1.5);
      const cases::Shot exact = shot_of(coarse);
      const auto one = fly<ExactFlight>(coarse), many = fly<ExactFlight>(study(0.01, 1000, 100, angle, drag, 1.5));
      // y is made of parts of up to 600 m, whose rounding counts by 1 / vy at the landing, 2 m/s and more.
      const double near = 16 * epsilon * 600 / 2;
      EXPECT_EQ(one.status, Status::stopped);
      EXPECT_EQ(one.lane.steps, 1);
      EXPECT_NEAR(one.summary.flight_time, many.summary.flight_time, near);
      EXPECT_NEAR(one.summary.range, many.summary.range, near * 100);
      EXPECT_NEAR(one.summary.apex, many.summary.apex, 16 * epsilon * 600);
      if (drag < 0.01) continue;  // the closed forms, as they are written, have lost these digits in g t / a
      EXPECT_NEAR(one.summary.apex, static_cast<double>(exact.apex()), 16 * epsilon * 600);
      EXPECT_NEAR(one.summary.flight_time, static_cast<double>(exact.flight_time()), near);
      EXPECT_NEAR(one.summary.range, static_cast<double>(exact.range()), near * 100);
    }
  }
}

/// Without drag each scheme but the first-order ones is exact; the range is v^2 sin(2 theta) / g.
TEST(Projectile, FallsOnAParabolaWithoutDrag) {
  for (const double angle : {0.3, 0.8, 1.2}) {
    const Study s = study(0.1, 100, 50, angle, 0);
    const double range = cases::vacuum_range(9.8, 50, angle), time = cases::vacuum_flight_time(9.8, 50, angle);
    const auto closed = fly<ExactFlight>(s), rk4 = fly<Rk4>(s);
    EXPECT_NEAR(closed.summary.range, range, 16 * epsilon * range);
    EXPECT_NEAR(closed.summary.flight_time, time, 16 * epsilon * time);
    EXPECT_NEAR(closed.summary.apex, std::pow(50 * std::sin(angle), 2) / (2 * 9.8), 16 * epsilon * 128);
    EXPECT_NEAR(closed.summary.impact_speed, 50, 16 * epsilon * 50);
    EXPECT_NEAR(closed.summary.impact_angle, angle, 16 * epsilon);
    EXPECT_NEAR(rk4.summary.range, range, 1e-12 * range) << "100 steps of some roundings";
  }
}

TEST(Projectile, LandsAtOnceOrNotAtAll) {
  const auto down = fly<Rk4>(study(0.1, 10, 30, -0.5));  // into the ground
  EXPECT_EQ(down.status, Status::stopped);
  EXPECT_EQ(down.summary.range, 0);
  EXPECT_EQ(down.summary.flight_time, 0);
  EXPECT_NEAR(down.summary.impact_speed, 30, 4 * epsilon * 30);
  EXPECT_EQ(down.summary.launch_angle, -0.5);
  EXPECT_EQ(down.summary.drag, 0.05);
  const auto still = fly<ExactFlight>(study(0.1, 10, 0, 0));
  EXPECT_EQ(still.status, Status::stopped);
  EXPECT_EQ(still.summary.flight_time, 0);
  EXPECT_EQ(still.summary.impact_angle, 0);
  const auto aloft = fly<Rk4>(study(0.1, 5));
  EXPECT_EQ(aloft.status, Status::end_time);
  EXPECT_NEAR(aloft.summary.time, 5, 1e-12);
  // Thrown down from a height, faster than it would ever fall: y is convex, and it lands all the same.
  const Study fast = study(1, 10, 100, -1.2, 3.0, 20);
  EXPECT_NEAR(fly<ExactFlight>(fast).summary.flight_time, static_cast<double>(shot_of(fast).flight_time()),
              16 * epsilon * 20);
}

/// With this drag Euler-Cromer is no better than Euler: its symplecticity is of no use to a damped motion.
TEST(Projectile, EulerCromerIsNotBetterThanEulerHere) {
  const auto euler = fly<Euler>(study(0.0125, 10)), cromer = fly<EulerCromer>(study(0.0125, 10));
  EXPECT_GT(cromer.summary.position_error, 1.5 * euler.summary.position_error);
}

/// Drag brings the best angle down from pi/4, to where d(range) / d(angle) = 0: the best of a grid is within its
/// spacing.
TEST(Projectile, DragLowersTheBestAngle) {
  const auto best = [](double drag) {
    double at = 0, most = 0;
    for (double angle = 0.1; angle < 1.2; angle += 0.005) {
      const double range = fly<ExactFlight>(study(50, 50, 100, angle, drag)).summary.range;
      if (range > most) most = range, at = angle;
    }
    return at;
  };
  EXPECT_NEAR(best(0), std::atan(1.0), 0.005);
  for (const double drag : {0.05, 0.5, 2.0}) EXPECT_NEAR(best(drag), cases::best_angle(9.8, drag, 100), 0.005) << drag;
  EXPECT_LT(cases::best_angle(9.8, 2.0, 100), cases::best_angle(9.8, 0.05, 100));
}

TEST(Projectile, RefusesAShotIntoTheGround) {
  const std::string message = "start.angle is downward, and start.height is 0";
  EXPECT_EQ(study(0.1, 10, 30, -0.5).mistake(), message);
  EXPECT_EQ(study(0.1, 10, 30, -0.5, 0.05, 1e-3).mistake(), nullptr);
  EXPECT_EQ(study(0.1, 10, 30, 0.0).mistake(), nullptr);
}

}  // namespace
}  // namespace scree
