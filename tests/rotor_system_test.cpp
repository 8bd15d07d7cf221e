// The free rotor as a system: what its columns say, against closed forms and invariants. The schemes themselves are
// tested in rotor_test.cpp.
#include <gtest/gtest.h>

#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cmath>
#include <string>

#include "src/systems/rotor.hpp"
#include "src/systems/rotor_cases.hpp"

namespace scree {
namespace {

using Body = Rotor<double>;
using Explicit = RotorExplicit;
using Implicit = RotorMidpoint<ExpB>;
using ImplicitCayley = RotorMidpoint<Cayley>;

/// A cuboid of mass 1 and edges 3, 2, 1 (L21 section 4.3).
constexpr Vec3<double> cuboid{5.0 / 12, 10.0 / 12, 13.0 / 12};

template <class Scheme>
Body::Lane run(const Sample<Body>& sample, double h, double end) {
  World world{};
  world.step = h;
  world.end = end;
  Body::Lane lane = Body::prepare(world, sample);
  Step<Body, Scheme>::run(world, lane);
  EXPECT_EQ(lane.status, static_cast<double>(Status::end_time));
  return lane;
}
template <class Scheme>
Body::Summary summary_of(const Sample<Body>& sample, double h, double end) {
  return Body::summarize({}, run<Scheme>(sample, h, end));
}
Sample<Body> sample_of(const Vec3<double>& inertia, const Vec3<double>& omega) {
  return {{inertia}, {omega, {0.5, 0.5, -0.5, 0.5}}};
}

/// Spin of the exact motion at the time t, which begins with no spin about the intermediate axis and positive spins
/// about the two others: amplitudes times cn, sn, dn (Landau and Lifshitz, eq 37.10).
Vec3<double> exact_spin(const Vec3<double>& w0, double t) {
  const rotor_cases::FreeMotion motion(cuboid, w0);
  double cn = 0, dn = 0;
  const double sn = boost::math::jacobi_elliptic(motion.modulus, motion.rate * t, &cn, &dn);
  const bool about_z = dot(scale(cuboid, w0), scale(cuboid, w0)) > cuboid.y * dot(scale(cuboid, w0), w0);
  return {w0.x * (about_z ? cn : dn), motion.amplitude * sn, w0.z * (about_z ? dn : cn)};
}

template <class Scheme>
void expect_order(int order) {
  for (const Vec3<double>& w0 : {Vec3<double>{1, 0, 3}, Vec3<double>{4, 0, 1}}) {
    double before = 0;
    for (const double h : {0.02, 0.01, 0.005, 0.0025}) {
      const Body::Summary s = summary_of<Scheme>(sample_of(cuboid, w0), h, 2);
      const double error = norm(Vec3<double>{s.omega_x, s.omega_y, s.omega_z} - exact_spin(w0, 2));
      // The next term of the error is c h |w| of the first with a c of order one (4 is allowed), so the ratio of the
      // errors at 2h and h is 2^order (1 + c h |w|), and log2 (1 + x) < 1.5 x. At order 4 and h = 0.0025 the error is
      // 1e-10, far above round-off.
      if (h < 0.02) {
        EXPECT_NEAR(std::log2(before / error), order, 6 * h * norm(w0)) << h << ' ' << w0.x;
      }
      before = error;
    }
  }
}
TEST(RotorSystem, ConvergesToTheEllipticFunctionsExplicit) { expect_order<Explicit>(1); }
TEST(RotorSystem, ConvergesToTheEllipticFunctionsImplicit) { expect_order<Implicit>(2); }
TEST(RotorSystem, ConvergesToTheEllipticFunctionsRk4) { expect_order<RotorRk4>(4); }

TEST(RotorSystem, FlipsAtTheIntervalsOfTheEllipticIntegral) {
  // Two deviations on either side of the separatrix, whose flips lead over either of the two stable axes.
  for (const Vec3<double>& w0 : {Vec3<double>{1e-3, 10, 1e-3}, Vec3<double>{1e-4, 10, 3e-3}}) {
    const double interval = rotor_cases::FreeMotion(cuboid, w0).flip_interval();
    // The first flip comes within one interval, the k-th k - 1 intervals later; over ten intervals that leaves ten
    // flips. RK4 at h |w| = 0.01 keeps the interval to far better than a tenth over ten.
    const Body::Summary s = summary_of<RotorRk4>(sample_of(cuboid, w0), 0.001, 10 * interval);
    EXPECT_EQ(s.flips, 10) << w0.x;
    EXPECT_EQ(summary_of<RotorRk4>(sample_of(cuboid, w0), 0.001, 0.2 * interval).flips, 0) << w0.x;
    // Between two flips the spin passes the axis of least or largest inertia.
    if (dot(scale(cuboid, w0), scale(cuboid, w0)) < cuboid.y * dot(scale(cuboid, w0), w0)) {
      EXPECT_GT(s.tilt_max, std::acos(-1.0) / 2 - 1e-3);
    }
  }
}

template <class Scheme>
void expect_kept() {
  // A rounding in each of 1e4 steps, all one way at worst: 1e4 * a few 1e-16.
  const Body::Summary s = summary_of<Scheme>(sample_of(cuboid, {1e-3, 10, 1e-3}), 0.01, 100);
  EXPECT_LE(s.energy_drift, 1e-11);
  EXPECT_LE(s.momentum_drift, 1e-11);
  EXPECT_GT(s.flips, 10);
}
TEST(RotorSystem, ImplicitKeepsEnergyAndAngularMomentumThroughFlips) { expect_kept<Implicit>(); }
TEST(RotorSystem, ImplicitWithCayleyKeepsEnergyAndAngularMomentumThroughFlips) { expect_kept<ImplicitCayley>(); }

TEST(RotorSystem, ExplicitEndsOnTheAxisOfLeastInertiaAndLosesAngularMomentum) {
  const Body::Summary s = summary_of<Explicit>(sample_of(cuboid, {1e-3, 1e-3, 10}), 0.01, 40);
  EXPECT_LE(s.energy_drift, 1e-12);
  // The start's transverse spin of 1e-3 rad/s has 1e-8 of the energy.
  const double end = rotor_cases::explicit_final_spin(cuboid.x, cuboid.z, 10);
  EXPECT_NEAR(std::fabs(s.omega_x), end, 1e-7 * end);
  EXPECT_NEAR(s.tilt, std::acos(-1.0) / 2, 1e-3);
  // |L| falls to sqrt(A / C) of itself, so the vector has changed by at least the difference, at most by the sum.
  const double kept = std::sqrt(cuboid.x / cuboid.z);
  EXPECT_GE(s.momentum_drift, 1 - kept - 1e-7);
  EXPECT_LE(s.momentum_drift, 1 + kept + 1e-7);
}

/// Not that of the last step: while a body of revolution precesses, the explicit rotor swings its momentum to and fro.
TEST(RotorSystem, TheDriftIsTheLargestOfAllSteps) {
  const Sample<Body> sample = sample_of({1, 1, 0.5}, {1, 0, 5});
  World world{};
  world.step = 0.05;
  world.end = 1000;
  Body::Lane lane = Body::prepare(world, sample);
  const auto momentum = [](const Body::Lane& l) { return rotation(l.orientation) * scale(l.inertia, l.omega); };
  const Vec3<double> first = momentum(lane);
  double largest = 0, now = 0;
  for (int steps = 0; steps < 10000 && !(now < 0.5 * largest); ++steps) {
    Step<Body, Explicit>::advance(world, lane);
    now = norm(momentum(lane) - first) / norm(first);
    largest = std::fmax(largest, now);
  }
  ASSERT_LT(now, 0.5 * largest) << "a drift that only grows tells nothing";
  // Two ways to turn a vector differ by some ten roundings of its size.
  EXPECT_NEAR(Body::summarize(world, lane).momentum_drift, largest, 20 * 1.1e-16);
}

TEST(RotorSystem, NamesTheAxesInAnyOrderOfTheMoments) {
  // The same body with its axes renamed does the same; only the names of the components change. Cyclic, so that the
  // axes stay right-handed.
  const Vec3<double> w0{0.1, 10, 0.2};
  const Body::Summary a = summary_of<RotorRk4>(sample_of(cuboid, w0), 0.01, 10);
  const Body::Summary b = summary_of<RotorRk4>(sample_of({cuboid.z, cuboid.x, cuboid.y}, {w0.z, w0.x, w0.y}), 0.01, 10);
  const Body::Summary c = summary_of<RotorRk4>(sample_of({cuboid.y, cuboid.z, cuboid.x}, {w0.y, w0.z, w0.x}), 0.01, 10);
  EXPECT_GT(a.flips, 1);
  for (const Body::Summary& other : {b, c}) {
    EXPECT_EQ(other.flips, a.flips);
    // Sums of three terms in another order: round-off, grown by the instability of the axis, e^(6 t / interval).
    EXPECT_NEAR(other.tilt, a.tilt, 1e-9);
    EXPECT_NEAR(other.tilt_max, a.tilt_max, 1e-9);
  }
  EXPECT_NEAR(b.omega_x, a.omega_z, 1e-9);
  EXPECT_NEAR(c.omega_x, a.omega_y, 1e-9);
}

TEST(RotorSystem, MeasuresTheTiltFromTheAxisOfLargestInertia) {
  // A body of revolution precesses: its tilt never changes.
  const Vec3<double> disc{1, 1, 2};
  for (const double tilt : {0.0, 0.3, 1.2}) {
    const Body::Summary s =
        summary_of<Implicit>(sample_of(disc, {5 * std::sin(tilt), 0, -5 * std::cos(tilt)}), 0.01, 10);
    EXPECT_NEAR(s.tilt, tilt, 1e-12);
    // The angle comes from its sine over its cosine, which keeps 1e-8 of an angle of 0.
    EXPECT_NEAR(s.tilt_max, tilt, tilt == 0 ? 1e-7 : 1e-12);
  }
  // At rest there is no direction.
  const Body::Summary still = summary_of<Implicit>(sample_of(cuboid, {0, 0, 0}), 0.01, 1);
  EXPECT_EQ(still.tilt, 0);
  EXPECT_EQ(still.tilt_max, 0);
  EXPECT_EQ(still.energy_drift, 0);
  EXPECT_EQ(still.momentum_drift, 0);
  EXPECT_EQ(still.flips, 0);
}

template <class Scheme>
void expect_orientation_or_diverged() {
  World world{};
  world.step = 0.01;
  world.end = 0.1;
  int ended = 0, went_on = 0;
  for (int decade = -300; decade <= 300; ++decade) {
    SCOPED_TRACE(decade);
    const double size = std::pow(10.0, decade);
    Body::Lane lane = Body::prepare(world, sample_of(cuboid, {0.6 * size, 0.2 * size, 0.7 * size}));
    Step<Body, Scheme>::run(world, lane);
    const bool diverged = lane.status == static_cast<double>(Status::diverged);
    diverged ? ++ended : ++went_on;
    if (!diverged) {
      EXPECT_EQ(lane.status, static_cast<double>(Status::end_time));
      EXPECT_NEAR(dot(lane.orientation, lane.orientation), 1, 1e-9);
    }
    // At most 1 rad a step.
    if (decade <= 2) {
      EXPECT_FALSE(diverged);
    }
  }
  EXPECT_GE(went_on, 303);  // -300 to 2
  EXPECT_GE(ended, 1) << "nothing was out of the range of its squares";
}
TEST(RotorSystem, EndsAsDivergedWhereTheOrientationIsLostExplicit) { expect_orientation_or_diverged<Explicit>(); }
TEST(RotorSystem, EndsAsDivergedWhereTheOrientationIsLostImplicit) { expect_orientation_or_diverged<Implicit>(); }
TEST(RotorSystem, EndsAsDivergedWhereTheOrientationIsLostImplicitWithCayley) {
  expect_orientation_or_diverged<ImplicitCayley>();
}
TEST(RotorSystem, EndsAsDivergedWhereTheOrientationIsLostRk4) { expect_orientation_or_diverged<RotorRk4>(); }

TEST(RotorSystem, RefusesMomentsThatNoBodyHas) {
  const auto mistake = [](const Vec3<double>& inertia) { return Body::mistake({}, {{inertia}, {}}).text; };
  EXPECT_EQ(mistake(cuboid), nullptr);
  EXPECT_EQ(mistake({0.1, 0.2, 0.1 + 0.2}), nullptr);  // flat, and 0.1 + 0.2 > 0.3
  EXPECT_EQ(mistake({0.3, 0.1, 0.2}), nullptr);
  for (const Vec3<double>& inertia : {Vec3<double>{1, 1, 2.1}, Vec3<double>{1, 2.1, 1}, Vec3<double>{2.1, 1, 1}})
    EXPECT_STREQ(mistake(inertia), "inertia: one moment exceeds the sum of the other two, no body has that");
}

}  // namespace
}  // namespace scree
