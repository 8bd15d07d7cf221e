// The four rotors: stored trajectories, what they conserve, their order, and the published behaviour of L21
// section 4.3.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "src/steppers/rotor_explicit.hpp"
#include "src/steppers/rotor_midpoint.hpp"
#include "src/steppers/rotor_rk4.hpp"
#include "src/systems/rotor_cases.hpp"
#include "support/reference.hpp"

namespace scree {
namespace {

using test::distance;
using test::Json;
using test::quaternion_of;
using test::vector_of;

using Explicit = RotorExplicit;
using Implicit = RotorMidpoint<ExpB>;
using ImplicitCayley = RotorMidpoint<Cayley>;

struct Rotor {
  Vec3<double> inertia, omega;
  Quaternion<double> orientation{1, 0, 0, 0};

  template <class Scheme>
  void step(double h) {
    const Rotation<double> next = Scheme::free_step(inertia, omega, orientation, h);
    omega = next.w;
    orientation = next.p;
  }
  double energy() const { return 0.5 * dot(scale(inertia, omega), omega); }
  double spin() const { return norm(scale(inertia, omega)); }
  Vec3<double> world_spin() const { return rotation(orientation) * scale(inertia, omega); }
  /// e3 in world axes, seen from the body, less e3.
  Vec3<double> axis_error() const {
    return transposed_times(rotation(orientation), Vec3<double>{0, 0, 1}) - Vec3<double>{0, 0, 1};
  }
};

Rotor start_of(const Json& c) { return {vector_of(c["inertia"]), vector_of(c["omega0"]), quaternion_of(c["p0"])}; }

/// A cuboid of mass 1 and edges 3, 2, 1 (L21 section 4.3).
constexpr Vec3<double> cuboid{5.0 / 12, 10.0 / 12, 13.0 / 12};

template <class Scheme>
void expect_stored_samples(const char* stored) {
  const Json cases = test::reference("rotor.json")["cases"];  // named: a loop outlives what a function returns
  ASSERT_EQ(cases.size(), 2u);
  for (const Json& c : cases) {
    SCOPED_TRACE(c["name"].get<std::string>() + ", " + stored);
    Rotor rotor = start_of(c);
    const double energy = rotor.energy();
    const Json& scheme = c["schemes"][stored];
    ASSERT_EQ(scheme["samples"].size(), 11u);
    int steps = 0;
    for (const Json& sample : scheme["samples"]) {
      SCOPED_TRACE(sample["step"].get<int>());
      for (; steps < sample["step"].get<int>(); ++steps) rotor.step<Scheme>(c["dt"].get<double>());
      // `sens`, the sample's change for a 1e-15 change of the start, is stored with it; the file asks for 1000 of it.
      const double omega_sens = sample["sens_1e-15"]["omega"], p_sens = sample["sens_1e-15"]["p"];
      const double omega_tolerance = 1e-12 + 1000 * omega_sens, p_tolerance = 1e-12 + 1000 * p_sens;
      EXPECT_LE(distance(rotor.omega, vector_of(sample["omega"])), omega_tolerance);
      EXPECT_LE(distance(rotor.orientation, quaternion_of(sample["p"])), p_tolerance);
      // The rest follows from omega and p: dT = N.domega, |dN| <= C |domega| + 2 |N| |dp| * sqrt(number of components).
      const double spin = rotor.spin();
      EXPECT_NEAR(rotor.energy(), sample["T"].get<double>(), 1e-12 * energy + std::sqrt(3.0) * spin * omega_tolerance);
      EXPECT_LE(distance(rotor.world_spin(), vector_of(sample["N_I"])),
                std::sqrt(3.0) * rotor.inertia.z * omega_tolerance + 4 * spin * p_tolerance);
    }
    EXPECT_EQ(steps, c["nsteps"].get<int>());
    // Energy is kept by all of these schemes.
    EXPECT_NEAR(rotor.energy(), energy, 1e-12 * energy);
  }
}

TEST(Rotor, ExplicitReproducesTheStoredSamples) { expect_stored_samples<Explicit>("explicit/M"); }
TEST(Rotor, ImplicitReproducesTheStoredSamples) { expect_stored_samples<Implicit>("implicit/expB"); }
TEST(Rotor, ImplicitWithCayleyReproducesTheStoredSamples) { expect_stored_samples<ImplicitCayley>("implicit/cay"); }

TEST(Rotor, Rk4ReproducesTheExactSamples) {
  const Json c = test::reference("rotor.json")["cases"][0];
  Rotor rotor = start_of(c);
  const int refined = 10;
  const double h = c["dt"].get<double>() / refined;
  int steps = 0;
  ASSERT_EQ(c["exact"].size(), 11u);
  for (const Json& sample : c["exact"]) {
    for (; steps < refined * sample["step"].get<int>(); ++steps) rotor.step<RotorRk4>(h);
    // RK4 turns y' = i k y by t k (h k)^4 / 120 too little: k = 5 1/s for the quaternion at 10 rad/s, and at t = 20 s
    // that is 100 (0.005)^4 / 120 = 5e-10; omega wobbles with k = 6.9 1/s and an amplitude of 1e-3. Twice that, plus
    // round-off of 2e4 steps.
    EXPECT_LE(distance(rotor.orientation, quaternion_of(sample["p"])), 1e-9 + 2e-12) << sample["step"];
    EXPECT_LE(distance(rotor.omega, vector_of(sample["omega"])), 1e-11) << sample["step"];
  }
}

TEST(Rotor, ExplicitLeavesTheMajorAxisWhenThePaperSays) {
  const Json c = test::reference("rotor.json")["cases"][0];
  const Json& checks = c["checks"];
  // Time of the first step with omega_z < 5 and, at 0.01 s, with a transverse spin above 1.
  ASSERT_EQ(checks["departure_dt"].size(), 4u);
  int at_the_papers_step = 0;
  for (const auto& [step, departure] : checks["departure_dt"].items()) {
    const double h = std::stod(step);
    Rotor rotor = start_of(c);
    double below_5 = 0, above_1 = 0;
    for (int k = 1; below_5 == 0 && k * h < 100; ++k) {
      rotor.step<Explicit>(h);
      if (rotor.omega.z < 5) below_5 = k * h;
      if (above_1 == 0 && std::hypot(rotor.omega.x, rotor.omega.y) > 1) above_1 = k * h;
    }
    // Stored to a millisecond.
    EXPECT_NEAR(below_5, departure.get<double>(), 6e-4) << step;
    if (h == c["dt"].get<double>()) {
      EXPECT_NEAR(below_5, checks["explicit_t_wz_below_5"].get<double>(), 6e-4);
      EXPECT_NEAR(above_1, checks["explicit_t_wperp_above_1"].get<double>(), 6e-4);
      ++at_the_papers_step;
    }
  }
  EXPECT_EQ(at_the_papers_step, 1);
  Rotor rotor = start_of(c);
  const double spin = rotor.spin(), h = c["dt"];
  for (int k = 0; k < c["nsteps"].get<int>(); ++k) rotor.step<Explicit>(h);
  // All energy about the axis of least inertia. The closed form leaves out the start's transverse spin of 1e-3, which
  // has 1e-8 of the energy; what is left about the other axes at 20 s is 2e-4 rad/s.
  const double published = checks["explicit_omega_x_end"];
  EXPECT_NEAR(rotor.omega.x, published, 1e-7 * std::fabs(published));
  EXPECT_NEAR(rotor.omega.x, -rotor_cases::explicit_final_spin(cuboid.x, cuboid.z, 10), 1e-7 * std::fabs(published));
  // |N| goes from C Omega to sqrt(A C) Omega: to the same 1e-8, and as the stored run has it.
  EXPECT_NEAR(1 - rotor.spin() / spin, checks["explicit_spin_loss_end"].get<double>(), 1e-8);
  EXPECT_NEAR(1 - rotor.spin() / spin, 1 - std::sqrt(cuboid.x / cuboid.z), 1e-8);
  EXPECT_NEAR(1 - rotor.spin() / spin, c["schemes"]["explicit/M"]["max_rel_spin_mag"].get<double>(), 1e-12);
}

TEST(Rotor, ImplicitStaysOnTheMajorAxis) {
  const Json c = test::reference("rotor.json")["cases"][0];
  Rotor rotor = start_of(c);
  double farthest = 0;
  for (int k = 0; k < c["nsteps"].get<int>(); ++k) {
    rotor.step<Implicit>(c["dt"]);
    farthest = test::worst(farthest, norm(rotor.axis_error()));
  }
  // Stored with three digits and rounded up: one unit of the last.
  EXPECT_NEAR(farthest, c["checks"]["implicit_max_d"].get<double>(), 1e-6);
}

template <class Scheme>
std::vector<double> flips(const Json& c) {
  Rotor rotor = start_of(c);
  std::vector<double> times;
  const double h = c["dt"];
  for (int k = 1; k <= c["nsteps"].get<int>(); ++k) {
    const double before = rotor.omega.y;
    rotor.step<Scheme>(h);
    if ((before < 0) != (rotor.omega.y < 0)) times.push_back(k * h);
  }
  return times;
}

TEST(Rotor, ImplicitFlipsAboutTheIntermediateAxisAndExplicitEndsOnTheMinorOne) {
  const Json c = test::reference("rotor.json")["cases"][1];
  const Json& checks = c["checks"];
  const std::vector<double> implicit = flips<Implicit>(c), rk4 = flips<RotorRk4>(c);
  // The first step after the change of sign; times are multiples of the step, so half a step separates equal from not.
  ASSERT_EQ(implicit.size(), checks["implicit_wy_sign_flips"].size());
  for (std::size_t k = 0; k < implicit.size(); ++k)
    EXPECT_NEAR(implicit[k], checks["implicit_wy_sign_flips"][k].get<double>(), 0.005);
  // The exact motion flips four times as well. A flip's time depends on the logarithm of the distance from the axis, of
  // which RK4 keeps 1e-5 a turn at 0.1 rad a step: within a step.
  ASSERT_EQ(rk4.size(), checks["exact_wy_sign_flips"].size());
  for (std::size_t k = 0; k < rk4.size(); ++k)
    EXPECT_NEAR(rk4[k], checks["exact_wy_sign_flips"][k].get<double>(), 0.015);

  Rotor rotor = start_of(c);
  for (int k = 0; k < c["nsteps"].get<int>(); ++k) rotor.step<Explicit>(c["dt"]);
  const double end = checks["explicit_abs_omega_x_end"];
  EXPECT_NEAR(std::fabs(rotor.omega.x), end, 1e-7 * end);
  EXPECT_NEAR(std::fabs(rotor.omega.x), rotor_cases::explicit_final_spin(cuboid.x, cuboid.y, 10), 1e-7 * end);
}

/// Largest relative change over 1e5 steps, sampled every 10.
struct Drift {
  double energy = 0, spin = 0, world_spin = 0;
};
template <class Scheme>
Drift drift_of(const Vec3<double>& omega, double h) {
  Rotor rotor{cuboid, omega};
  const double energy = rotor.energy(), spin = rotor.spin();
  const Vec3<double> world_spin = rotor.world_spin();
  Drift drift;
  for (int k = 0; k < 100000; ++k) {
    rotor.step<Scheme>(h);
    if (k % 10 != 9) continue;
    drift.energy = test::worst(drift.energy, std::fabs(rotor.energy() / energy - 1));
    drift.spin = test::worst(drift.spin, std::fabs(rotor.spin() / spin - 1));
    drift.world_spin = test::worst(drift.world_spin, norm(rotor.world_spin() - world_spin) / spin);
  }
  return drift;
}

template <class Scheme>
void expect_conservation() {
  // h |omega| = 0.037 and 0.37, a rock at its fastest and well beyond; 1e5 steps of a few roundings each wander by
  // 1e-16 sqrt(1e5) = 3e-14 and, if all went one way, 1e-11: the paper's claim is round-off, 1e-12 the bound.
  for (const double h : {0.01, 0.1}) {
    SCOPED_TRACE(h);
    const Drift drift = drift_of<Scheme>({1, 2, 3}, h);
    EXPECT_LE(drift.energy, 1e-12);
    EXPECT_LE(drift.spin, 1e-12);
    EXPECT_LE(drift.world_spin, 1e-12);
  }
}
TEST(Rotor, ImplicitKeepsEnergyAndSpinOver100000Steps) { expect_conservation<Implicit>(); }
TEST(Rotor, ImplicitWithCayleyKeepsEnergyAndSpinOver100000Steps) { expect_conservation<ImplicitCayley>(); }

TEST(Rotor, ExplicitKeepsEnergyAndLosesSpinOver100000Steps) {
  // It ends on the axis of least inertia, where |N| = sqrt(2 T A) instead of |Theta omega|.
  const Rotor start{cuboid, {1, 2, 3}};
  const double loss = 1 - std::sqrt(2 * start.energy() * cuboid.x) / start.spin();
  const Drift drift = drift_of<Explicit>(start.omega, 0.01);
  EXPECT_LE(drift.energy, 1e-12);
  EXPECT_NEAR(drift.spin, loss, 1e-9);
}

TEST(Rotor, ImplicitIsRobustAtOneRadianAStep) {
  Rotor rotor{cuboid, {3, 6, 7}};
  const double energy = rotor.energy(), h = 1 / norm(rotor.omega);
  const Vec3<double> spin = rotor.world_spin();
  for (int k = 0; k < 1000; ++k) rotor.step<Implicit>(h);
  // 1000 steps of a few roundings, all one way at worst.
  EXPECT_NEAR(rotor.energy() / energy, 1, 1e-12);
  EXPECT_LE(norm(rotor.world_spin() - spin), 1e-12 * norm(spin));
}

template <class Scheme>
void expect_slow_turns() {
  // About a principal axis omega is constant, and the orientation after the time t is (cos, sin) of omega t / 2, which
  // at these speeds is (1, omega t / 2). A step rounds it a few times.
  const int steps = 10;
  const double h = 0.01;
  for (int decade = -6; decade >= -300; decade -= 3) {
    const double omega = std::pow(10.0, decade);
    for (const Vec3<double>& axis : {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}}) {
      Rotor rotor{cuboid, omega * axis};
      for (int k = 0; k < steps; ++k) rotor.step<Scheme>(h);
      const Quaternion<double>& p = rotor.orientation;
      EXPECT_EQ(norm(rotor.omega - omega * axis), 0) << omega;
      EXPECT_NEAR(p.w, 1, 10 * steps * 1.1e-16) << omega;
      EXPECT_NEAR(dot(Vec3<double>{p.x, p.y, p.z}, axis) / omega, steps * h / 2, 1e-12 * steps * h / 2) << omega;
    }
  }
}
TEST(Rotor, ExplicitTurnsHoweverSlowly) { expect_slow_turns<Explicit>(); }
TEST(Rotor, ImplicitTurnsHoweverSlowly) { expect_slow_turns<Implicit>(); }
TEST(Rotor, ImplicitWithCayleyTurnsHoweverSlowly) { expect_slow_turns<ImplicitCayley>(); }
TEST(Rotor, Rk4TurnsHoweverSlowly) { expect_slow_turns<RotorRk4>(); }

/// L21's Lyapunov function about Omega e3 (major axis), with both weights 1.
double lyapunov(const Rotor& rotor, double omega) {
  const Vec3<double>& i = rotor.inertia;
  const Vec3<double> d = rotor.axis_error(), alpha{rotor.omega.x, rotor.omega.y, rotor.omega.z - omega};
  const Vec3<double> n = scale(i, alpha) - (i.z * omega) * d;
  const double first = i.x * (i.z - i.x) * alpha.x * alpha.x + i.y * (i.z - i.y) * alpha.y * alpha.y;
  const double second = i.x * alpha.x * alpha.x + i.y * alpha.y * alpha.y + i.z * alpha.z * (alpha.z + 2 * omega);
  return dot(n, n) + first + second * second;
}

TEST(Rotor, ImplicitKeepsTheLyapunovFunction) {
  const Json c = test::reference("rotor.json")["cases"][0];
  Rotor implicit = start_of(c), explicitly = implicit;
  const double v0 = lyapunov(implicit, 10), h = c["dt"];
  EXPECT_NEAR(v0, 1.354e-6, 5e-10);  // as published: four digits
  for (int k = 0; k < 1000; ++k) {
    implicit.step<Implicit>(h);
    explicitly.step<Explicit>(h);
  }
  // N is of size 10.8 and kept to 1e-14 of it, V = |N - N*|^2 + ... with |N - N*| = 1e-3: relative 2 * 1e-13 / 1e-3.
  EXPECT_NEAR(lyapunov(implicit, 10) / v0, 1, 2e-10);
  EXPECT_GT(lyapunov(explicitly, 10) / v0, 1e7);  // published: grows 5e7 fold
}

TEST(Rotor, ExplicitLinearisationHasTheStoredEigenvalues) {
  const Json stability = test::reference("rotor.json")["linear_stability"];
  ASSERT_EQ(stability.size(), 3u);
  for (const auto& [axis, stored] : stability.items()) {
    SCOPED_TRACE(axis);
    const Vec3<double> inertia = vector_of(stored["inertia"]);
    const double spin = stored["Omega"], h = stored["dt"];
    // Central differences of one step. The third derivatives are about h^2, the perturbation 1e-4 squared: 1e-12.
    // Round-off of the outputs, which are no larger than the perturbation: 1e-16.
    const double d = 1e-4;
    double m[2][2];
    for (int k = 0; k < 2; ++k) {
      const auto pushed = [&](double by) {
        return Explicit::free_spin(inertia, Vec3<double>{k == 0 ? by : 0.0, k == 1 ? by : 0.0, spin}, h);
      };
      const Vec3<double> difference = (0.5 / d) * (pushed(d) - pushed(-d));
      m[0][k] = difference.x;
      m[1][k] = difference.y;
      EXPECT_NEAR(difference.z, 0, 1e-9);
    }
    const rotor_cases::ExplicitLinearisation form(inertia.x, inertia.y, inertia.z, spin, h);
    const double tolerance = 1e-9;
    EXPECT_NEAR(m[0][0], stored["D11"].get<double>(), tolerance);
    EXPECT_NEAR(m[0][1], stored["D12"].get<double>(), tolerance);
    EXPECT_NEAR(m[1][0], stored["D21"].get<double>(), tolerance);
    EXPECT_NEAR(m[1][1], stored["D22"].get<double>(), tolerance);
    // The closed form is the stored one to round-off.
    EXPECT_NEAR(form.d11, stored["D11"].get<double>(), 1e-14);
    EXPECT_NEAR(form.d12, stored["D12"].get<double>(), 1e-14);
    EXPECT_NEAR(form.d21, stored["D21"].get<double>(), 1e-14);
    EXPECT_NEAR(form.d22, stored["D22"].get<double>(), 1e-14);
    EXPECT_NEAR(form.d11 * form.d22 - form.d12 * form.d21, stored["c"].get<double>(), 1e-14);
    for (int k = 0; k < 2; ++k) {
      EXPECT_NEAR(form.lambda[k].real(), stored["eig"][k][0].get<double>(), 1e-12);
      EXPECT_NEAR(form.lambda[k].imag(), stored["eig"][k][1].get<double>(), 1e-12);
      EXPECT_NEAR(std::abs(form.lambda[k]), stored["abs"][k].get<double>(), 1e-12);
    }
    // A double root is as uncertain as the root of its radicand: |d lambda| = tolerance / (2 sqrt(radicand)) <= 10 of
    // it.
    const double trace = m[0][0] + m[1][1], determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    const auto root = std::sqrt(std::complex<double>(0.25 * trace * trace - determinant));
    EXPECT_NEAR(std::abs(0.5 * trace + root - form.lambda[0]), 0, 20 * tolerance);
  }
}

TEST(Rotor, ExplicitGrowthRateIsProportionalToTheStep) {
  for (const double h : {0.01, 0.001}) {
    const rotor_cases::ExplicitLinearisation form(cuboid.x, cuboid.y, cuboid.z, 10, h);
    const double rate = std::log(std::abs(form.lambda[0])) / h;
    // The next order, relative: (h Omega)^2 (A+B)^2 / (4AB) = 1.1 (h Omega)^2 from De, and the rate times h, 1.0 (h
    // Omega)^2, from the logarithm.
    EXPECT_NEAR(rate / rotor_cases::explicit_growth_rate(cuboid.x, cuboid.y, cuboid.z, 10, h), 1, 2.5 * h * h * 100);
  }
  // The ramp's rock at 25 rad/s and 2 ms: about 0.96 per second.
  EXPECT_NEAR(rotor_cases::explicit_growth_rate(52.31, 52.31, 83.3357, 25, 0.002), 0.96, 0.005);
}

template <class Scheme>
double turn_in_a_step(int axis, double w, double h) {
  Vec3<double> omega{0, 0, 0};
  (axis == 0 ? omega.x : axis == 1 ? omega.y : omega.z) = w;
  Rotor rotor{cuboid, omega};
  rotor.step<Scheme>(h);
  EXPECT_LE(distance(rotor.omega, omega), 1e-15 * w) << "a rotation about a principal axis is steady";
  const Quaternion<double>& p = rotor.orientation;
  return 2 * std::atan2(axis == 0 ? p.x : axis == 1 ? p.y : p.z, p.w);
}

TEST(Rotor, SteadyRotationTurnsByTheClosedFormInEachScheme) {
  const double h = 0.02;
  for (const double w : {0.5, 10.0, 40.0})
    for (int axis = 0; axis < 3; ++axis) {
      // A few roundings of numbers of size 1.
      EXPECT_NEAR(turn_in_a_step<Explicit>(axis, w, h), rotor_cases::explicit_turn(w, h), 2e-15);
      EXPECT_NEAR(turn_in_a_step<ImplicitCayley>(axis, w, h), rotor_cases::cayley_turn(w, h), 2e-15);
      EXPECT_NEAR(turn_in_a_step<Implicit>(axis, w, h), w * h, 2e-15);
      // RK4's quaternion is the exponential's series to x^4, x = h w / 2: an angle error of 2 x^5 / 120.
      EXPECT_NEAR(turn_in_a_step<RotorRk4>(axis, w, h), w * h, std::pow(0.5 * w * h, 5) / 50 + 2e-15);
    }
}

TEST(Rotor, ABodyAtRestStaysAtRest) {
  const auto still = []<class Scheme>() {
    Rotor rotor{cuboid, {0, 0, 0}, {0.6, 0, 0.8, 0}};
    rotor.step<Scheme>(0.01);
    EXPECT_EQ(norm(rotor.omega), 0) << Scheme::name;
    EXPECT_LE(distance(rotor.orientation, {0.6, 0, 0.8, 0}), 2e-16) << Scheme::name;
  };
  still.operator()<Explicit>();
  still.operator()<Implicit>();
  still.operator()<ImplicitCayley>();
  still.operator()<RotorRk4>();
}

/// One step of the implicit rotor, eqs (61), (66), (74) and (75), written out with Eigen: w1 solves (61), and the turn
/// is that of the mean velocity followed by the smallest one that brings the spin back.
TEST(Rotor, ImplicitTurnsByTheMeanVelocityAndBringsTheSpinBack) {
  const double h = 0.1;
  const Vec3<double> w0{1, 2, 3};
  Rotor rotor{cuboid, w0};
  rotor.step<Implicit>(h);
  const auto eigen = [](const Vec3<double>& v) { return Eigen::Vector3d(v.x, v.y, v.z); };
  const Vec3<double> w1 = rotor.omega, mean = 0.5 * (w0 + w1);
  const Eigen::Vector3d before = eigen(scale(cuboid, w0)), after = eigen(scale(cuboid, w1));
  const Eigen::Vector3d residual = after - before + h * eigen(mean).cross(eigen(scale(cuboid, mean)));
  // Some ten roundings of numbers up to |Theta w| = 3.7 (4.4e-16 each).
  EXPECT_LT(residual.norm(), 10 * 4.4e-16);
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(h * eigen(mean).norm(), eigen(mean).normalized()));
  // The smallest turn from one vector to another: 1 + the cosine, and the sine along its axis, times both lengths.
  const Eigen::Vector3d to = turn.conjugate() * before, axis = after.cross(to);
  const Eigen::Quaterniond back(after.norm() * to.norm() + after.dot(to), axis.x(), axis.y(), axis.z());
  const Eigen::Quaterniond all = turn * back.normalized();
  const Quaternion<double> expected{all.w(), all.x(), all.y(), all.z()};
  EXPECT_LT(distance(rotor.orientation, expected), 20 * 1.1e-16);
}

/// Errors of omega and of the orientation at t = 1, h = 0.02 halved three times, against RK4 with 1e-4 s.
template <class Scheme>
std::array<std::array<double, 4>, 2> errors() {
  const auto end = []<class S>(int steps) {
    Rotor rotor{cuboid, {1, 2, 3}};
    for (int k = 0; k < steps; ++k) rotor.step<S>(1.0 / steps);
    return rotor;
  };
  const Rotor exact = end.template operator()<RotorRk4>(10000);
  std::array<std::array<double, 4>, 2> result;
  for (std::size_t k = 0; k < 4; ++k) {
    const Rotor rotor = end.template operator()<Scheme>(50 << k);
    result[0][k] = distance(rotor.omega, exact.omega);
    result[1][k] = distance(rotor.orientation, exact.orientation);
  }
  return result;
}

template <class Scheme>
void expect_order(double order, double tolerance) {
  for (const auto& error : errors<Scheme>())
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(std::log2(error[k] / error[k + 1]), order, tolerance) << Scheme::name;
}

TEST(Rotor, SchemesHaveTheirOrder) {
  // The next term of the error is relatively of size h |omega|, 0.075 at first, for odd-and-even expansions (explicit,
  // RK4) and its square for the symmetric midpoint: log2 of 1 + 0.075 is 0.11.
  expect_order<Explicit>(1, 0.15);
  expect_order<Implicit>(2, 0.02);
  expect_order<ImplicitCayley>(2, 0.02);
  expect_order<RotorRk4>(4, 0.15);
}

}  // namespace
}  // namespace scree
