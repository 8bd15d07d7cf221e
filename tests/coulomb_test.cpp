// Bodies under inverse-square forces: closed forms, the orders of the schemes, and what each of them keeps.
#include <algorithm>
#include <cstring>
#include <string>

#include "src/systems/coulomb.hpp"
#include "src/systems/coulomb/cases.hpp"
#include "tests/support/particles.hpp"
#include "tests/support/reference.hpp"

namespace scree {
namespace {

using test::fly;
using test::Json;
using test::order_of;
using Study = test::ParticleStudy<Coulomb>;
using Lane = Coulomb<double>::Lane;
namespace cases = coulomb_cases;

constexpr double epsilon = 0x1p-52, pi = 3.14159265358979323846;

template <class F>
void for_all_schemes(F f) {
  const auto with = [&]<class Scheme>(int order) {
    SCOPED_TRACE(Scheme::name);
    f.template operator()<Scheme>(order);
  };
  with.template operator()<Leapfrog>(2);
  with.template operator()<Rk4>(4);
  with.template operator()<EulerCromer>(1);
  with.template operator()<Euler>(1);
}

Json reference_case() {
  const Json all = test::reference("discs_particles.json");
  for (const Json& c : all["cases"])
    if (c["name"] == "lab_kepler_one_period") return c;
  throw std::logic_error("no Kepler orbit in the reference");
}

Study gravity(double step, double end) {
  Study study(step, end);
  study.params.gravitation = 1;
  study.params.coulomb = 0;
  return study;
}

/// The reference's ellipse: a test particle about a fixed centre, from the apoapsis r = 1, e = 0.3.
constexpr double period = 4.239013892656888;
Study ellipse(double steps_per_period, double periods) {
  Study study = gravity(period / steps_per_period, periods * period);
  study.params.mass = {{1, 0}};
  study.start.position[1] = {1, 0};
  study.start.velocity[1] = {0, std::sqrt(0.7)};
  return study;
}
/// Three masses on their way about one another, without a close approach for a while.
Study three(double step, double end) {
  Study study = gravity(step, end);
  study.params.bodies = 3;
  study.params.mass = {{1.0, 0.6, 0.3}};
  study.start.position = {{{0.1, 0.2}, {1.3, -0.2}, {-1.0, 1.9}}};
  study.start.velocity = {{{0.2, -0.3}, {0.1, 0.9}, {-0.7, -0.1}}};
  return study;
}
/// Body 1 on its way to body 0, with the coupling A of either sign, from the distance `far` and at the offset b.
Study encounter(double coupling, double b, double far, double step, double end) {
  Study study = gravity(step, end);
  study.params.gravitation = 0;
  study.params.mass = {{1, 0}};
  study.params.a1[0] = coupling;
  study.start.position[1] = {-far, b};
  study.start.velocity[1] = {1, 0};
  return study;
}
double place_error(const CoulombSummary<double>& s, const cases::TwoBody::Place& exact) {
  return std::hypot(s.final_x - static_cast<double>(exact.x), s.final_y - static_cast<double>(exact.y));
}

// ---------------------------------------------------------------------------------------------------------------------
// Two bodies

/// The reference's table, to the rounding of 1000 steps; by gravity and by the matrix of the text, with A_12 = 0.
TEST(Coulomb, ClosesTheEllipseAsTheReferenceSays) {
  const Json c = reference_case();
  EXPECT_NEAR(cases::TwoBody(1, {1, 0}, {0, std::sqrt(0.7)}).period(), c["period"].get<double>(), 4 * epsilon * 4);
  const auto expect = [&]<class Scheme>(const char* name) {
    SCOPED_TRACE(name);
    const Json& table = c["schemes"][name];
    ASSERT_EQ(table["steps_per_period"].size(), 3u);
    for (std::size_t k = 0; k < 3; ++k) {
      const Study massive = ellipse(table["steps_per_period"][k], 1);
      Study matrix = massive;
      matrix.params.gravitation = 0;
      matrix.params.a1[0] = -1;
      EXPECT_EQ(matrix.mistake(), nullptr);
      const double published = table["closure_error_after_one_period"][k];
      // The same operations but for their order, so that each step may be rounded otherwise.
      const double near = c["estimated_error"].get<double>() + table["steps_per_period"][k].get<double>() * epsilon;
      EXPECT_NEAR(fly<Scheme>(massive).summary.return_distance, published, near);
      EXPECT_NEAR(fly<Scheme>(matrix).summary.return_distance, published, near);
    }
  };
  expect.template operator()<Euler>("euler");
  expect.template operator()<EulerCromer>("euler-cromer");
  expect.template operator()<Leapfrog>("leapfrog");
  expect.template operator()<Rk4>("rk4");
}

/// After 0.37 of a period: at a whole one Euler-Cromer closes with order 2, for the ellipse is symmetric about its
/// axis.
TEST(Coulomb, EachSchemeHasItsOrder) {
  const cases::TwoBody exact(1, {1, 0}, {0, std::sqrt(0.7)});
  for_all_schemes([&]<class Scheme>(int order) {
    const auto error = [&](double steps) {
      const auto end = fly<Scheme>(ellipse(steps, 0.37));
      return place_error(end.summary, exact.at(end.summary.time));
    };
    // The next term of the error, some 2 pi / steps of the first for order 1 and its square for the others, moves the
    // order by as much.
    const double steps = order == 1 ? 6400 : 200;
    EXPECT_NEAR(order_of(error(2 * steps), error(4 * steps)), order, 0.1);
    EXPECT_NEAR(order_of(error(4 * steps), error(8 * steps)), order, 0.05);
  });
}

/// Over 200 periods leapfrog's error of the energy stays what it was in the first ones, and Euler-Cromer's too; that of
/// RK4 grows in proportion to the time, but for what the loss changes of the orbit and so of itself, some ten times its
/// own part; and Euler's orbit is lost. A bounded error still depends on the phases that the
/// steps of each turn come to, and its sampled maximum with it: by a part like h^2 of the extremum that leapfrog has,
/// by one like h, 2 pi / 100, of the one of Euler and Cromer. One that grew would be 100 times as large.
TEST(Coulomb, OnlySymplecticSchemesBoundTheEnergyError) {
  const auto error = [&]<class Scheme>(double periods) {
    return fly<Scheme>(ellipse(100, periods)).summary.energy_error;
  };
  const auto leapfrog = [&](double p) { return error.template operator()<Leapfrog>(p); };
  EXPECT_LT(leapfrog(200), (1 + 2 * std::pow(2 * pi / 100, 2)) * leapfrog(2));
  const auto cromer = [&](double p) { return error.template operator()<EulerCromer>(p); };
  EXPECT_LT(cromer(200), (1 + 2 * pi / 100) * cromer(2));
  const double rk4_short = error.template operator()<Rk4>(20), rk4_long = error.template operator()<Rk4>(200);
  EXPECT_NEAR(rk4_long / rk4_short, 10, 10 * 10 * rk4_long);
  EXPECT_GT(error.template operator()<Euler>(20), 0.1);
  EXPECT_LT(rk4_short, leapfrog(20)) << "for a short run RK4 is the better one";
}

/// Rutherford in two dimensions, attractive and repulsive: each particle is where the hyperbola says, and is turned by
/// tan(theta / 2) = |A| / (v^2 b) but for what the centre still does beyond the distance `far` it starts and ends at:
/// there |A| / far of its energy v^2 / 2 is potential, and directions are off by some |A| / (v^2 far).
TEST(Coulomb, DeflectsByRutherfordsFormula) {
  const double far = 100;
  for (const double coupling : {1.0, -1.0})
    for (const double b : {0.5, 1.0, 2.0, 5.0}) {
      const Study study = encounter(coupling, b, far, 0.001, 2 * far);
      const auto end = fly<Rk4>(study);
      const cases::TwoBody exact(-coupling, {-far, b}, {1, 0});
      // RK4: the worst is b = 0.5 attracted, with the pericentre 0.118, where the angle turns with w = 36 / s: for
      // about 2 / (w h) = 55 steps (w h)^5 / 120 = 5e-10 of a direction, times the way of 100 m; and four times as
      // much.
      EXPECT_LT(place_error(end.summary, exact.at(end.summary.time)), 4 * 55 * 5e-10 * far) << coupling << ' ' << b;
      EXPECT_NEAR(end.summary.scattering_angle, cases::rutherford_angle(coupling, 1, b), 4 / far)
          << coupling << ' ' << b;
      EXPECT_EQ(end.summary.impact_parameter, -b) << "the centre is right of a beam above it";
      EXPECT_EQ(end.summary.escaped, 1);
      EXPECT_EQ(end.summary.escaper, 1);
    }
}

/// Head on, like charges come as near as A / r_min = v^2 / 2 + A / r_0 allows, and part again; unlike ones attract. The
/// nearest step is within h / 2 of the turn, and leapfrog errs with h^2: h^2 times the acceleration, below 1 m/s^2.
TEST(Coulomb, LikeChargesRepel) {
  const double h = 1e-3, near = h * h;
  Study study(h, 20);
  study.params.charge = {{0.5, 2.0}};
  study.params.mass = {{1.0, 4.0}};
  study.start.position[1] = {10, 0};
  study.start.velocity[1] = {-1, 0};
  study.params.close = 1;
  // E = mu v^2 / 2 + k q1 q2 / r with mu = 0.8: 0.4 + 0.1 = 1 / r_min
  const auto like = fly<Leapfrog>(study);
  EXPECT_NEAR(like.summary.closest, 1 / 0.5, near);
  EXPECT_EQ(like.summary.close, 0);
  EXPECT_EQ(like.summary.escaped, 2);
  EXPECT_EQ(like.summary.escaper, 0);
  EXPECT_DOUBLE_EQ(like.summary.scattering_angle, pi) << "straight back";
  study.params.charge[0] = -0.5;
  study.start.position[1] = {10, 3};
  const auto unlike = fly<Leapfrog>(study);
  // E = L^2 / (2 mu r^2) - 1 / r with L = mu b v.
  const double energy = 0.4 - 1 / std::hypot(10, 3), barrier = std::pow(0.8 * 3, 2) / (2 * 0.8);
  EXPECT_NEAR(unlike.summary.closest, (std::sqrt(1 + 4 * energy * barrier) - 1) / (2 * energy), near);
  EXPECT_LT(unlike.summary.final_x, -5) << "it has gone past";
  study.params.close = unlike.summary.closest * (1 + 1e-9);
  EXPECT_EQ(fly<Leapfrog>(study).summary.close, 1);
  study.params.close = unlike.summary.closest;
  EXPECT_EQ(fly<Leapfrog>(study).summary.close, 0);
}

TEST(Coulomb, EscapesAboveTheEscapeSpeedOnly) {
  for (const double part : {0.999, 1.001}) {
    Study study = gravity(1e-3, 30);
    study.params.mass = {{3, 1}};
    study.start.position[1] = {1, 0};
    study.start.velocity = {{{0.3, 0}, {0.3, part * std::sqrt(2 * 4.0)}}};  // sqrt(2 G (m1 + m2) / r), relative
    EXPECT_EQ(fly<Rk4>(study).summary.escaped, part > 1 ? 2 : 0) << "each from the other";
    study.params.escape_distance = 1000;
    EXPECT_EQ(fly<Rk4>(study).summary.escaped, 0) << "not that far yet";
  }
  // A test particle may escape, its centre not.
  Study light = ellipse(1000, 1);
  light.start.velocity[1] = {0, 1.5};
  EXPECT_EQ(fly<Rk4>(light).summary.escaped, 1);
  EXPECT_EQ(fly<Rk4>(light).summary.escaper, 1);
}

// ---------------------------------------------------------------------------------------------------------------------
// Several bodies

/// n equal masses on a circle turn rigidly; all n, so all capacities.
TEST(Coulomb, APolygonOfMassesTurnsRigidly) {
  for (int n = 2; n <= most_charges; ++n) {
    const double spin = cases::polygon_spin(n, 1, 1), end = 0.5 / spin, h = end / 200;
    Study study = gravity(h, end);
    study.params.bodies = n;
    for (int i = 0; i < n; ++i) {
      const double a = 2 * pi * i / n;
      study.start.position[i] = {std::cos(a) + 3, std::sin(a)};
      study.start.velocity[i] = {-spin * std::sin(a) + 0.5, spin * std::cos(a)};
    }
    const auto expect = [&]<template <class> class System>() {
      test::ParticleStudy<System> sized(h, end);
      sized.params = study.params;
      sized.start = study.start;
      const auto run = fly<Rk4>(sized);
      const auto at = System<double>::track(sized.world, run.lane);
      for (int i = 0; i < n; ++i) {
        const double a = 2 * pi * i / n + 0.5;
        // RK4: 200 steps of (spin h)^5 / 120 = 8e-16 each, nothing; an unstable polygon, n > 2, multiplies rounding by
        // less than 1e3 in that time.
        EXPECT_NEAR(at.x[i], std::cos(a) + 3 + 0.5 * end, 1e-10) << n << " bodies";
        EXPECT_NEAR(at.y[i], std::sin(a), 1e-10) << n << " bodies";
      }
      EXPECT_NEAR(run.summary.closest, 2 * std::sin(pi / n), 1e-10);
      EXPECT_EQ(run.summary.escaped, 0);
    };
    if (n <= 2) expect.template operator()<Coulomb<double>::Sized<2>::System>();
    if (n <= 4) expect.template operator()<Coulomb<double>::Sized<4>::System>();
    expect.template operator()<Coulomb>();
  }
}

/// What is kept: P by all schemes, L by leapfrog and Euler-Cromer, to rounding; E and L by the others to their order.
/// The next term of an error is c h w of the first, w up to 2/s where two are nearest, with a c of order one (4 is
/// allowed): off by log2(1 + 4 h w) < 6 h w.
TEST(Coulomb, InvariantsAreKeptAsTheSchemesPromise) {
  for_all_schemes([&]<class Scheme>(int order) {
    const double h = order == 1 ? 0.001 : 0.01;
    const auto coarse = fly<Scheme>(three(h, 3)).summary, fine = fly<Scheme>(three(h / 2, 3)).summary;
    const double steps = 3 / h, doubt = 6 * h * 2;
    EXPECT_LT(fine.momentum_drift, 2 * steps * epsilon);
    EXPECT_NEAR(order_of(coarse.energy_error, fine.energy_error), order, doubt);
    if constexpr (std::is_same_v<Scheme, Leapfrog> || std::is_same_v<Scheme, EulerCromer>) {
      EXPECT_LT(fine.angular_momentum_drift, 2 * steps * epsilon);
    } else {
      const double observed = order_of(coarse.angular_momentum_drift, fine.angular_momentum_drift);
      EXPECT_GT(observed, order - doubt);
      EXPECT_LT(observed, order + doubt + (order == 4 ? 1 : 0)) << "RK4 loses angular momentum with order 4 or 5";
    }
    EXPECT_GT(fine.energy_error, 0);
    EXPECT_LE(std::fabs(fine.energy_drift), fine.energy_error);
  });
}

/// The figure of eight of Chenciner and Montgomery, Ann. Math. 152 (2000) 881: eight published digits, one period.
TEST(Coulomb, ThreeMassesChaseOneAnotherOnAFigureOfEight) {
  Study study = gravity(6.32591398 / 4000, 6.32591398);
  study.params.bodies = 3;
  const double x = 0.97000436, y = -0.24308753, vx = -0.93240737, vy = -0.86473146;
  study.start.position = {{{x, y}, {-x, -y}, {0, 0}}};
  study.start.velocity = {{{-vx / 2, -vy / 2}, {-vx / 2, -vy / 2}, {vx, vy}}};
  const auto end = fly<Rk4>(study);
  // Four numbers are known to half of 1e-8, and velocities move what they are off by for the whole period.
  EXPECT_LT(end.summary.return_distance, 4 * 0.5e-8 * (1 + end.summary.time));
  // RK4: 4000 steps of (w h)^5 / 120 with w up to 2/s.
  EXPECT_LT(end.summary.angular_momentum_drift, 4000 * std::pow(2 * study.world.step, 5) / 120);
}

/// One body flies straight, and has no distance to any other.
TEST(Coulomb, OneBodyIsNearToNone) {
  Study study = gravity(0.1, 2);
  study.params.bodies = 1;
  study.start.velocity[0] = {3, 4};
  const auto end = fly<Leapfrog>(study);
  const auto at = Coulomb<double>::track(study.world, end.lane);
  EXPECT_NEAR(at.x[0], 6, 1e-13);
  EXPECT_NEAR(at.y[0], 8, 1e-13);
  for (const double none : {end.summary.closest, end.summary.closest_time, at.closest}) EXPECT_TRUE(std::isnan(none));
  EXPECT_EQ(end.summary.close, 0);
  EXPECT_EQ(end.summary.escaped, 0);
}

/// The same bits in any capacity.
TEST(Coulomb, TheCapacityChangesNothing) {
  const auto run = [&]<int n>() {
    test::ParticleStudy<Coulomb<double>::Sized<n>::template System> study(0.01, 3);
    const Study same = three(0.01, 3);
    study.params = same.params;
    study.start = same.start;
    return fly<Rk4>(study).summary;
  };
  const auto four = run.template operator()<4>(), sixteen = run.template operator()<16>();
  EXPECT_EQ(std::memcmp(&four, &sixteen, sizeof four), 0);
}

/// Softening keeps its own energy, and is another motion: its part 3 s^2 / (2 r^4) of the force turns the apsides by
/// 3 pi s^2 / p^2 a period to first order, p = 0.7 m, of which half is left to the others.
TEST(Coulomb, SofteningChangesThePhysics) {
  Study study = ellipse(2000, 1);
  const auto hard = fly<Rk4>(study);
  study.params.softening = 0.2;
  const auto soft = fly<Rk4>(study);
  // RK4: 2000 steps of (w h)^5 / 120, with w = sqrt(0.7) / (0.7 / 1.3)^2 at the pericentre.
  const double near = 2000 * std::pow(std::sqrt(0.7) / std::pow(0.7 / 1.3, 2) * study.world.step, 5) / 120;
  EXPECT_LT(soft.summary.energy_error, near);
  EXPECT_LT(hard.summary.return_distance, near);
  EXPECT_GT(soft.summary.return_distance, 0.5 * 3 * pi * 0.04 / 0.49);
}

TEST(Coulomb, RefusesWhatMakesNoSense) {
  const auto message = [](auto change) {
    Study study = ellipse(100, 1);
    study.params.mass[1] = 2;
    change(study);
    const char* text = study.mistake();
    return std::string(text ? text : "");
  };
  EXPECT_EQ(message([](Study&) {}), "");
  const std::string law = "A violates the third law: mass_i A_ij must be mass_j A_ji";
  EXPECT_EQ(message([](Study& s) { s.params.a0[1] = -1; }), law);
  EXPECT_EQ(message([](Study& s) { s.params.a0[1] = -1, s.params.a1[0] = -1; }), law);
  EXPECT_EQ(message([](Study& s) { s.params.a0[1] = -1, s.params.a1[0] = 0.5; }), law);
  EXPECT_EQ(message([](Study& s) { s.params.a0[1] = -1, s.params.a1[0] = -0.5; }), "");
  EXPECT_EQ(message([](Study& s) { s.params.mass[1] = 0, s.params.a0[1] = -1; }), law) << "acts on the mass";
  EXPECT_EQ(message([](Study& s) { s.params.mass[1] = 0, s.params.a1[0] = -1; }), "") << "a test particle";
  EXPECT_EQ(message([](Study& s) { s.params.mass = {{0, 0}}, s.params.a1[0] = -1; }), law) << "no test particle acts";
  EXPECT_EQ(message([](Study& s) {
              s.params.mass = {{0, 0}}, s.params.a0[1] = s.params.a1[0] = -1;
            }),
            law)
      << "on another";
  EXPECT_EQ(message([](Study& s) { s.params.a1[1] = 1; }), "A: a body does not act on itself, A_ii must be 0");
  EXPECT_EQ(message([](Study& s) { s.params.coulomb = 1, s.params.charge[1] = 1, s.params.mass[1] = 0; }),
            "a body with a charge must have a mass > 0");
  EXPECT_EQ(message([](Study& s) {
              s.start.position[1] = {0, 0};
            }),
            "start.position: two bodies are at the same place");
  EXPECT_EQ(message([](Study& s) { s.start.position[1] = {0, 0}, s.params.softening = 0.1; }), "");
}

}  // namespace
}  // namespace scree
