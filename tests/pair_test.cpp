// Pairs: their equations against Newton's, closed forms, orders, what they conserve, rest and release, and their
// starts.
#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "src/systems/pair/cases.hpp"
#include "tests/support/pairs.hpp"

namespace scree {
namespace {

using test::PairLane;
using test::PairStudy;
using test::run_pair;
using test::worst;
using State = PairState<double>;
using System = Pair<double>;

constexpr double gravity = 9.81, epsilon = 0x1p-52;

/// Observed order from the errors with 2h and h.
double order_of(double coarse, double fine) { return std::log2(coarse / fine); }
/// What the steps of a run round, relative to the size of what they add up: each a few times.
double rounding(const test::Paired& run) { return 4 * epsilon * run.lane.steps; }

/// A state of two masses some metres apart on a surface with slopes of some tenths.
struct Random {
  std::mt19937_64 engine;
  double operator()(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
  State state() {
    Random& u = *this;
    const double x = u(-3, 3), y = u(-3, 3), angle = u(0, 6.28), length = u(1, 3);
    return {x,        y, x + length * std::cos(angle), y + length * std::sin(angle), u(-2, 2), u(-2, 2), u(-2, 2),
            u(-2, 2), 0};
  }
};
const Terrain hilly = test::quadric(0.05, -0.03, 0.04, 0.2, -0.1, 1);

PairLink<double> link_of(double mass1, double mass2, double friction, double reaction) {
  return {gravity, friction, reaction, mass1, mass2, 1 / mass1, 1 / mass2, 0, 0};
}

// ---------------------------------------------------------------------------------------------------------------------
// Equations

/// The paper's eq (19) with its appendix, A a = b for the four horizontal accelerations, with the corrected entry
/// A(3,1) = -X Delta f1x; and eq (8) with friction on |N| for the single masses.
TEST(Pair, RankOneFormEqualsThePapersFourByFourSystem) {
  Random u{std::mt19937_64(3)};
  for (int repeat = 0; repeat < 1000; ++repeat) {
    const State s = u.state();
    const double m[] = {u(1, 20), u(1, 20)}, mu = repeat % 2 ? u(0, 0.5) : 0;
    const SurfacePoint<double> at[] = {surface_point(hilly, nullptr, s.x1, s.y1),
                                       surface_point(hilly, nullptr, s.x2, s.y2)};
    const double vx[] = {s.vx1, s.vx2}, vy[] = {s.vy1, s.vy2};
    double fx[2], fy[2], theta[2], forces[4];
    for (int i = 0; i < 2; ++i) {
      fx[i] = at[i].fx;
      fy[i] = at[i].fy;
      const double phi = 1 / std::sqrt(1 + fx[i] * fx[i] + fy[i] * fy[i]);
      theta[i] = at[i].fxx * vx[i] * vx[i] + 2 * at[i].fxy * vx[i] * vy[i] + at[i].fyy * vy[i] * vy[i];
      const double chi = 1 / std::hypot(vx[i], vy[i], fx[i] * vx[i] + fy[i] * vy[i]), psi = -phi * (gravity + theta[i]);
      forces[2 * i] = m[i] * (psi * phi * fx[i] - mu * std::fabs(psi) * chi * vx[i]);
      forces[2 * i + 1] = m[i] * (psi * phi * fy[i] - mu * std::fabs(psi) * chi * vy[i]);
    }
    const double X = s.x1 - s.x2, Y = s.y1 - s.y2, Z = at[0].z - at[1].z, Q = X * X + Y * Y;
    const double M12 = m[0] * m[1] / (m[0] + m[1]), D = M12 * Z / Q;
    const double rise = fx[0] * vx[0] + fy[0] * vy[0] - fx[1] * vx[1] - fy[1] * vy[1];
    const double gamma = (forces[0] / m[0] - forces[2] / m[1]) * X + (forces[1] / m[0] - forces[3] / m[1]) * Y +
                         std::pow(vx[0] - vx[1], 2) + std::pow(vy[0] - vy[1], 2) + rise * rise +
                         (theta[0] - theta[1]) * Z;
    const double G = -M12 * gamma / Q;
    Eigen::Matrix4d A;
    A << m[0] + X * D * fx[0], X * D * fy[0], -X * D * fx[1], -X * D * fy[1],  //
        Y * D * fx[0], m[0] + Y * D * fy[0], -Y * D * fx[1], -Y * D * fy[1],   //
        -X * D * fx[0], -X * D * fy[0], m[1] + X * D * fx[1], X * D * fy[1],   //
        -Y * D * fx[0], -Y * D * fy[0], Y * D * fx[1], m[1] + Y * D * fy[1];
    const Eigen::Vector4d b(forces[0] + X * G, forces[1] + Y * G, forces[2] - X * G, forces[3] - Y * G);
    const Eigen::PartialPivLU<Eigen::Matrix4d> lu(A);
    const Eigen::Vector4d a = lu.solve(b);
    const auto motion =
        pair_motion(hilly.get<Quadric>().surface(), link_of(m[0], m[1], mu, 0), s, PairMode<double>{1, 1});
    const Eigen::Vector4d ours(motion.rate.vx1, motion.rate.vy1, motion.rate.vx2, motion.rate.vy2);
    // Some 100 roundings on each side, amplified by at most the condition of A.
    EXPECT_LE((ours - a).norm(), 200 * 0x1p-53 / lu.rcond() * a.norm());
  }
}

/// m_i r_i'' = m_i g +- lambda r + N_i (n_i - mu sgn(N_i) V_i / |V_i|) in space, and the two constraints.
TEST(Pair, ExactModelObeysNewtonInSpace) {
  Random u{std::mt19937_64(4)};
  using Vector = Eigen::Vector3d;
  int lifted = 0;
  for (int repeat = 0; repeat < 1000; ++repeat) {
    State s = u.state();
    if (repeat % 4 == 0) s.vx1 *= 8, s.vy1 *= 8;  // fast over the saddle: the surface pulls
    const double m[] = {u(1, 20), u(1, 20)}, mu = repeat % 2 ? u(0, 0.5) : 0;
    const auto link = link_of(m[0], m[1], mu, 1);
    const auto motion = pair_motion(hilly.get<Quadric>().surface(), link, s, PairMode<double>{1, 1});
    ASSERT_TRUE(motion.consistent);
    const double x[] = {s.x1, s.x2}, y[] = {s.y1, s.y2}, vx[] = {s.vx1, s.vx2}, vy[] = {s.vy1, s.vy2};
    const double ax[] = {motion.rate.vx1, motion.rate.vx2}, ay[] = {motion.rate.vy1, motion.rate.vy2};
    const double p[] = {motion.p1, motion.p2};
    Vector place[2], velocity[2], acceleration[2], normal[2];
    double power = 0, size = 0;
    for (int i = 0; i < 2; ++i) {
      const auto at = surface_point(hilly, nullptr, x[i], y[i]);
      const double theta = at.fxx * vx[i] * vx[i] + 2 * at.fxy * vx[i] * vy[i] + at.fyy * vy[i] * vy[i];
      place[i] = {x[i], y[i], at.z};
      velocity[i] = {vx[i], vy[i], at.fx * vx[i] + at.fy * vy[i]};
      acceleration[i] = {ax[i], ay[i], at.fx * ax[i] + at.fy * ay[i] + theta};
      normal[i] = Vector(-at.fx, -at.fy, 1).normalized();
      size = std::max(size, acceleration[i].norm() + gravity + velocity[i].squaredNorm());
    }
    const Vector r = place[0] - place[1], dr = velocity[0] - velocity[1];
    for (int i = 0; i < 2; ++i) {
      const double N = m[i] * p[i] * normal[i].z();  // N = m phi p, and phi = n_z
      lifted += N < 0;
      const Vector force = m[i] * Vector(0, 0, -gravity) + (i == 0 ? 1 : -1) * motion.lambda * r + N * normal[i] -
                           mu * std::fabs(N) * velocity[i].normalized();
      power += mu * std::fabs(N) * velocity[i].norm();
      // Some 100 roundings of forces that may be ten times their sum.
      EXPECT_LE((m[i] * acceleration[i] - force).norm(),
                1000 * 0x1p-53 * (m[i] * size + std::fabs(motion.lambda) * r.norm()));
    }
    const double twice = dr.squaredNorm() + r.dot(acceleration[0] - acceleration[1]);
    EXPECT_LE(std::fabs(twice), 1000 * 0x1p-53 * size * (1 + r.norm()));
    EXPECT_NEAR(motion.rate.work, power, 100 * 0x1p-53 * power);
  }
  EXPECT_GT(lifted, 20);
}

TEST(Pair, StatesOnAPlaneAreThoseOfADumbBell) {
  const pair_cases::OnPlane plane{0.4, gravity, 3, 7};
  const State start{0, -1, 0.5, 1, 2, 0.25, -1, 1, 0};  // r . r' = 0 is made below
  for (const double reaction : {0.0, 1.0}) {
    PairStudy study(test::tilted(plane.slope), 0.002, 3);
    study.masses(3, 7).from(start).projected();
    study.params.link_reaction = reaction;
    const State matched = System::prepare(study.world, {study.params, study.start}).state;
    const auto end = run_pair<Rk4>(study);
    const double d = std::sqrt(end.lane.link.distance2), cosine = std::cos(plane.slope);
    const double speed = std::hypot((matched.vx1 - matched.vx2) / cosine, matched.vy1 - matched.vy2), w = speed / d;
    // A turn by w h a step costs (w h)^5 / 120 of the radius: with w < 2 over 1500 steps 2e-11, and velocities w times
    // it.
    EXPECT_LT(w, 2);
    EXPECT_LE(test::distance(end.lane.state, pair_cases::sliding_on_plane(plane, matched, 3)), 1e-10);
    // Seen from above: the angle between the link's first and last directions, after as many whole turns.
    const auto direction = [](const State& s) { return std::atan2(s.y1 - s.y2, s.x1 - s.x2) / (2 * M_PI); };
    const double part = direction(pair_cases::sliding_on_plane(plane, matched, 3)) - direction(matched);
    EXPECT_NEAR(end.summary.link_turns, part + std::round(w * 3 / (2 * M_PI) - part), 1e-10);
    const double force = pair_cases::spinning_link_force(plane, speed, d);
    EXPECT_NEAR(end.summary.link_force_min, force, 1e-10 * std::fabs(force));
    EXPECT_NEAR(end.summary.link_force_max, force, 1e-10 * std::fabs(force));
    EXPECT_EQ(end.summary.link_sign_changes, 0);
  }
}

/// On the hills, which swing a mass with w = sqrt(2 a g): the next term of an error is c h w of the first with a c of
/// order one (4 is allowed), so that the order seen with steps of h and h / 2 is off by log2(1 + 4 h w) < 6 h w.
double order_doubt(double h) { return 6 * h * std::sqrt(2 * 0.05 * gravity); }

TEST(Pair, SchemesHaveTheirOrders) {
  PairStudy study(hilly, 0.02, 1);
  study.masses(2, 5).friction(0.1).from({0, 0, 2, 0.5, 1.5, 1, 1, 1.5, 0}).projected();
  const State exact = run_pair<Rk4>(study.with_step(1.0 / 3200)).lane.state;
  test::for_all_slider_schemes([&]<class Scheme>(int order) {
    // RK4's errors, of 1e-9 and more, are above round-off.
    const double h = order == 1 ? 1.0 / 800 : order == 2 ? 1.0 / 200 : 1.0 / 50;
    double last = 0;
    for (const double step : {h, h / 2, h / 4, h / 8}) {
      const double error = test::distance(run_pair<Scheme>(study.with_step(step)).lane.state, exact);
      if (step < h) {
        EXPECT_NEAR(order_of(last, error), order, order_doubt(2 * step)) << step;
      }
      last = error;
    }
  });
}

// ---------------------------------------------------------------------------------------------------------------------
// What is conserved

TEST(Pair, TheExactModelKeepsEnergyAndAngularMomentumInABowl) {
  PairStudy study(test::bowl(20), 0.01, 60);
  study.masses(3, 1).from({5, 0, 7, 4, 1, 4, -2, 5, 0}).projected();
  const auto exact = run_pair<Rk4>(study);
  EXPECT_EQ(exact.status, Status::end_time);
  // RK4 loses (h w)^6 / 72 of the energy of an oscillation each step. The bowl swings with sqrt(g / R) = 0.7/s, and the
  // link and the orbit turn as fast: 1/s is allowed.
  const double lost = 6000 * std::pow(0.01, 6) / 72;
  const auto relative = [](const auto& s) { return std::fabs(s.energy_error / s.energy_start); };
  const auto turning = [](const auto& s) { return std::fabs(s.angular_momentum_change / s.angular_momentum); };
  EXPECT_LE(relative(exact.summary), lost);
  EXPECT_LE(turning(exact.summary), lost);
  const auto coarse = run_pair<Rk4>(study.with_step(0.04)).summary;
  EXPECT_GT(order_of(relative(coarse), relative(exact.summary)) / 2, 4.5) << "in the time that there is, order 5";
  // Part 1's vertical forces change the energy, whatever the step; they have no moment about the z axis.
  const auto part1 = run_pair<Rk4>(PairStudy(study).part1()).summary,
             finer = run_pair<Rk4>(PairStudy(study).part1().with_step(0.005)).summary;
  EXPECT_GE(relative(part1), 1e-4);
  EXPECT_NEAR(relative(finer), relative(part1), lost);
}

/// z = b y^2 + d x: m1 (vx1 + d vz1) + m2 (vx2 + d vz2) + (m1 + m2) g d t is constant. vz is not a component of the
/// state, so that this is kept to the order of the scheme.
TEST(Pair, TheExactModelKeepsAValleysLinearMomentum) {
  const double d = -0.3;
  PairStudy study(test::quadric(0, 0.05, 0, d, 0, 0), 0.01, 10);
  study.masses(4, 1).from({0, -3, 2, 1, 1, 0, 0, 2, 0}).projected();
  const auto momentum = [&](const World& world, const PairLane& lane) {
    const State& s = lane.state;
    const double vz1 = d * s.vx1 + 0.1 * s.y1 * s.vy1, vz2 = d * s.vx2 + 0.1 * s.y2 * s.vy2;
    return 4 * (s.vx1 + d * vz1) + (s.vx2 + d * vz2) + 5 * gravity * d * System::time(world, lane);
  };
  const auto drift = [&](const PairStudy& run) {
    double first = 0, largest = 0;
    run_pair<Rk4>(run, [&](const PairLane& lane) {
      if (lane.steps == 0) first = momentum(run.world, lane);
      largest = worst(largest, std::fabs(momentum(run.world, lane) - first));
    });
    return largest;
  };
  const double fine = drift(study), coarse = drift(study.with_step(0.02));
  // 1000 steps of (h w)^5 / 120 of 5 kg at 30 m/s, with w = sqrt(2 b g) across the valley.
  EXPECT_LE(fine, 1000 * std::pow(0.01 * std::sqrt(2 * 0.05 * gravity), 5) / 120 * 150);
  EXPECT_GT(order_of(coarse, fine), 3.5) << "nearer to the order 4 than to any lower one";
  EXPECT_GE(drift(PairStudy(study).part1()), 1e-3);
}

TEST(Pair, DistanceDriftsUnlessItIsStabilised) {
  PairStudy study(test::bowl(20), 0.02, 100);
  study.masses(3, 1).from({5, 0, 7, 4, 1, 4, -2, 5, 0}).projected();
  const auto drift = [](const PairStudy& s) { return run_pair<Rk4>(s).summary.distance_error_max; };
  const double free = drift(study), finer = drift(study.with_step(0.01));
  EXPECT_GT(order_of(free, finer), 3.5) << "nearer to the order 4 than to any lower one";
  // Free, it grows with the time or faster. Baumgarte's deviation is that of the last 1 / a or so, 2 s of 100 at up to
  // some ten times the mean rate, and stops growing: with the time, or its root, a tenth of 300 s would leave a tenth,
  // or a third.
  study.world.end = 300;
  EXPECT_GE(drift(study), 3 * free);
  study.stabilised(pair_baumgarte, 0.5);
  const double bounded = drift(study);
  EXPECT_LE(bounded, free / 3);
  study.world.end = 30;
  EXPECT_GE(drift(study), 0.95 * bounded);
  study.world.end = 100;
  // Projection leaves what one step adds, one of 5000; steps where the drift is fast add some ten times more.
  EXPECT_LE(drift(PairStudy(study).stabilised(pair_projection)), free / 100);
  // The projected state is on the constraint to round-off.
  const auto end = run_pair<Rk4>(PairStudy(study).stabilised(pair_projection));
  EXPECT_LE(std::fabs(System::track(study.world, end.lane).distance_error), 1e-14);
}

TEST(Pair, FrictionWorkBalancesTheEnergyToTheOrderOfTheScheme) {
  PairStudy study(hilly, 0.02, 1);
  study.masses(2, 5).friction(0.1).from({0, 0, 2, 0.5, 1.5, 1, 1, 1.5, 0}).projected();
  const auto error = [&](double h) { return std::fabs(run_pair<Rk4>(study.with_step(h)).summary.energy_error); };
  EXPECT_GT(run_pair<Rk4>(study).summary.friction_work, 1);
  // An error that did not vanish with the step would have the order 0.
  EXPECT_NEAR(order_of(error(0.02), error(0.01)), 4, order_doubt(0.02));
}

// ---------------------------------------------------------------------------------------------------------------------
// Rest

/// What RK4 leaves of the angle of a link that is braked from the rate w to rest, rad: at most (w h)^5 a step (the
/// link's force is no linear function of the state, whence no 1 / 120), w falling evenly. As large a part of the rate
/// is left.
double left_by_rk4(double w, double h, double time) { return time / h / 6 * std::pow(w * h, 5); }

/// On level ground equal masses that spin about their middle, and one that swings about a held one, brake with mu g.
/// The last sub-step is 1e-3 h long and ends at the time that its deceleration says, which is right to that squared.
TEST(Pair, SpinsDownOnLevelGround) {
  const double mu = 0.2, speed = 3, d = 2;
  const auto braking = pair_cases::braking_on_level_ground(mu, gravity, speed);
  for (const double reaction : {0.0, 1.0}) {
    PairStudy study(test::tilted(0), 0.01, 10);
    study.friction(mu).from({-1, 0, 1, 0, 0, -speed, 0, speed, 0});
    study.params.link_reaction = reaction;
    const auto end = run_pair<Rk4>(study);
    EXPECT_EQ(end.status, Status::stopped);
    const double left = left_by_rk4(speed / (d / 2), study.world.step, braking.time);
    EXPECT_NEAR(end.summary.stop_time, braking.time, left * braking.time);
    EXPECT_NEAR(end.summary.link_turns, braking.path / (d / 2) / (2 * M_PI), left / (2 * M_PI));
    EXPECT_NEAR(end.summary.runout, 0, rounding(end));  // of masses 1 m from their middle
    EXPECT_NEAR(end.summary.energy_error, 0, 2 * left * end.summary.friction_work);
    EXPECT_NEAR(end.summary.link_force_min, -10 * speed * speed / (d / 2), 16 * epsilon * 90);  // at the start
  }
}

TEST(Pair, AHeldMassStaysWhileTheOtherSwingsAboutItAndStops) {
  const double mu = 0.2, d = 2, m1 = 50, m2 = 3, h = 0.0025;
  const double limit = std::sqrt(mu * m1 * gravity * d / m2);  // m2 v^2 / d = mu m1 g
  const auto swing = [&](double speed) {
    PairStudy study(test::tilted(0), h, 20);
    study.masses(m1, m2).friction(mu).from({0, 0, d, 0, 0, 0, 0, speed, 0});
    return run_pair<Rk4>(study);
  };
  const double speed = 0.999 * limit;
  const auto braking = pair_cases::braking_on_level_ground(mu, gravity, speed);
  const auto held = swing(speed);
  EXPECT_EQ(held.status, Status::stopped);
  EXPECT_EQ(held.lane.state.x1, 0);
  EXPECT_EQ(held.lane.state.y1, 0);
  EXPECT_EQ(held.summary.runout1, 0);
  const double left = left_by_rk4(speed / d, h, braking.time);
  EXPECT_NEAR(held.summary.stop_time, braking.time, left * braking.time);
  EXPECT_NEAR(held.summary.held_time1, braking.time, left * braking.time);
  EXPECT_EQ(held.summary.held_time2, 0);
  EXPECT_NEAR(held.summary.link_turns, braking.path / d / (2 * M_PI), left / (2 * M_PI));
  // Faster, the first mass is dragged along until the other has slowed down; then it is held.
  const auto dragged = swing(1.2 * limit);
  EXPECT_EQ(dragged.status, Status::stopped);
  EXPECT_GT(dragged.summary.runout1, 1e-3);
  EXPECT_GT(dragged.summary.held_time1, 0);
  EXPECT_EQ(dragged.summary.paradoxes, 0);
  EXPECT_LE(std::fabs(dragged.summary.energy_error),
            2 * left_by_rk4(1.2 * limit / d, h, dragged.summary.stop_time) * dragged.summary.friction_work);
}

/// A heavy mass held by static friction on a slope, the light one without friction: a pendulum.
PairStudy pendulum_study(const pair_cases::Pendulum& p, double mass, double static_friction, double step, double end) {
  PairStudy study(test::tilted(p.slope), step, end);
  // At psi = 0 the light mass lies d down the fall line (x = d cos(beta) as seen from above), and moves along y.
  study.masses(mass, 1).friction(0, static_friction);
  return study.from({0, 0, p.distance * std::cos(p.slope), 0, 0, 0, 0, p.distance * p.rate, 0});
}

TEST(Pair, AMassSwingsRoundAHeldOneWithAPendulumsPeriod) {
  const pair_cases::Pendulum pendulum{2, 0.5, gravity, 4};
  ASSERT_LT(2 * pendulum.natural() / pendulum.rate, 1);
  const double turns = 5, period = pendulum.period();
  const PairStudy study = pendulum_study(pendulum, 1000, 0.8, period / 500, turns * period);
  const auto end = run_pair<Rk4>(study);
  EXPECT_EQ(end.status, Status::end_time);
  EXPECT_EQ(end.summary.releases, 0);
  EXPECT_EQ(end.lane.state.x1, 0);
  // About (w h)^5 rad a step (the link's force is no linear function of the state, whence no 1 / 120), w <= 4.
  const double error = turns * 500 * std::pow(4 * period / 500, 5) / (2 * M_PI);
  EXPECT_LE(error, 4e-7);
  EXPECT_NEAR(end.summary.link_turns, turns, 2 * error);
  EXPECT_NEAR(end.summary.held_time1, turns * period, rounding(end) * turns * period);
  // At the release, and at each turn's end but for what RK4 adds to energy and distance: m v^2 / d changes by 2 / d of
  // the one and v^2 / d^2 of the other; as they are seen at the end, to a factor of two.
  const double d = pendulum.distance, off = 2 * std::fabs(end.summary.energy_error) / d +
                                            std::pow(pendulum.rate, 2) * end.summary.distance_error_max;
  EXPECT_NEAR(-end.summary.link_force_min, pendulum.tension(0), 2 * off);
}

TEST(Pair, AHeldPendulumStopsWhereItsSpeedIsZero) {
  // Static friction holds the light mass too where its speed vanishes, psi = 2 asin(w / 2W).
  const pair_cases::Pendulum pendulum{2, 0.5, gravity, 2};
  const double h = 0.0025;
  const auto end = run_pair<Rk4>(pendulum_study(pendulum, 1000, 0.8, h, 10));
  EXPECT_EQ(end.status, Status::stopped);
  // (w h)^5 rad a step, as above, with w <= 2; the energy of 8 J changes by twice that part.
  const double left = pendulum.stop_time() / h * std::pow(2 * h, 5);
  EXPECT_NEAR(end.summary.stop_time, pendulum.stop_time(), left);
  const double psi = pendulum.stop_angle();  // within the plane; seen from above its x is shorter by cos(beta)
  EXPECT_NEAR(end.summary.link_turns * 2 * M_PI, std::atan2(std::sin(psi), std::cos(psi) * std::cos(pendulum.slope)),
              left);
  EXPECT_NEAR(end.summary.energy_error, 0, 2 * left * 8);
}

TEST(Pair, AHeldMassIsReleasedWhereThePendulumPullsTooHard) {
  // Launched below the upper turning point and swinging down, the pull grows until the held mass gives way: its weight
  // down the slope and the pull, at the angle psi to it, add to mu_s N.
  const pair_cases::Pendulum pendulum{2, 0.5, gravity, 2.2};
  const double mass = 4, psi0 = pendulum.stop_angle() - 0.05;
  const auto needed = [&](double psi) {
    const double weight = mass * gravity * std::sin(pendulum.slope), pull = pendulum.tension(psi);
    return std::sqrt(weight * weight + pull * pull + 2 * weight * pull * std::cos(psi)) /
           (mass * gravity * std::cos(pendulum.slope));
  };
  const double released = 0.5, static_friction = needed(released);
  ASSERT_LT(needed(psi0), static_friction);
  const double cosine = std::cos(pendulum.slope), rate = -std::sqrt(pendulum.rate2(psi0)), h = 0.001;
  PairStudy study(test::tilted(pendulum.slope), h, 10);
  study.masses(mass, 1).friction(0, static_friction);
  study.from({0, 0, 2 * std::cos(psi0) * cosine, 2 * std::sin(psi0), 0, 0, -2 * rate * std::sin(psi0) * cosine,
              2 * rate * std::cos(psi0), 0});
  double last = psi0, held = psi0;
  const auto end = run_pair<Rk4>(study, [&](const PairLane& lane) {
    const State& s = lane.state;
    if (s.vx1 != 0 || s.vy1 != 0) return;
    held = last = std::atan2(s.y2 - s.y1, (s.x2 - s.x1) / cosine);
  });
  // Noticed at the beginning of the first step after it: within w h, w < 2.2.
  EXPECT_LE(held, released);
  EXPECT_GE(held, released - 2.2 * h);
  EXPECT_GE(end.summary.releases, 1);
}

TEST(Pair, ALinkHoldsTwoMassesOnSlopesThatNeitherCouldRestOn) {
  const double x0 = 1, a = 0.25, slope = std::atan(2 * a * x0), mu = 0.2;
  ASSERT_GT(std::tan(slope), mu);
  const double limit = pair_cases::largest_resting_mass_ratio(slope, mu);
  const auto end = [&](double ratio) {
    PairStudy study(test::quadric(a, 0, 0, 0, 0, 0), 0.01, 0.1);
    study.masses(ratio, 1).friction(mu).from({-x0, 0, x0, 0, 0, 0, 0, 0, 0});
    return run_pair<Rk4>(study);
  };
  const auto rests = end(0.9999 * limit), slides = end(1.0001 * limit);
  EXPECT_EQ(rests.status, Status::stopped);
  EXPECT_EQ(rests.summary.stop_time, 0);
  // The least push that holds the heavier one, m g tan(beta - phi), to some roundings.
  const double push = 0.9999 * limit * gravity * std::tan(slope - std::atan(mu));
  EXPECT_NEAR(rests.summary.link_force_end, push, 16 * epsilon * push);
  EXPECT_EQ(slides.status, Status::end_time);
  EXPECT_GT(slides.summary.runout1, 0);
  EXPECT_EQ(slides.summary.paradoxes, 0);
}

TEST(Pair, AlikeMassesSideBySideStopLikeASlider) {
  // Down a slope flatter than mu, side by side: each is a slider of its own, v^2 / (2 g (mu cos - sin)) along the
  // slope.
  const double slope = 0.2, mu = 0.5, speed = 5;
  PairStudy study(test::tilted(slope), 0.01, 10);
  study.friction(mu).from({0, -1, 0, 1, speed * std::cos(slope), 0, speed * std::cos(slope), 0, 0});
  const double braking = gravity * (mu * std::cos(slope) - std::sin(slope));
  const auto end = run_pair<Rk4>(study);
  EXPECT_EQ(end.status, Status::stopped);
  const double time = speed / braking, run = speed * time / 2 * std::cos(slope), work = end.summary.friction_work;
  EXPECT_NEAR(end.summary.stop_time, time, rounding(end) * time);
  EXPECT_NEAR(end.summary.runout, run, rounding(end) * run);
  EXPECT_NEAR(work, -(end.summary.energy_end - end.summary.energy_start), rounding(end) * work);
}

TEST(Pair, ContactIsLostWhereTheNormalForceVanishes) {
  PairStudy study(test::dome(20), 0.01, 2);
  study.masses(3, 1).from({1, 0, 1, 2, 8, 0, 8, 0.5, 0}).projected();
  const auto end = run_pair<Rk4>(study);
  EXPECT_EQ(end.summary.lifted_off, 1);
  EXPECT_LT(std::min(end.summary.normal_min1, end.summary.normal_min2), 0);
  // The time comes from a straight line over a step: wrong by about h^2 of the curvature over the slope of N, 1 / s.
  const auto fine = run_pair<Rk4>(study.with_step(0.001));
  EXPECT_NEAR(end.summary.liftoff_time, fine.summary.liftoff_time, 1e-4);
  EXPECT_TRUE(std::isnan(end.summary.runout_attached));
}

// ---------------------------------------------------------------------------------------------------------------------
// Starts

TEST(Pair, RefusesNonsense) {
  const auto said = [](const PairStudy& study) {
    const char* text = study.mistake();
    return std::string(text ? text : "nothing");
  };
  PairStudy good(test::tilted(0.1), 0.1, 10);
  good.from({0, -1, 0, 1, 1, 0, 1, 0, 0});
  EXPECT_EQ(said(good), "nothing");
  EXPECT_EQ(said(PairStudy(good).from({0, 1, 0, 1, 1, 0, 1, 0, 0})),
            "position1 and position2 coincide: the link has no length");
  EXPECT_EQ(
      said(PairStudy(good).from({0, -1, 0, 1, 1, 0, 1, 1e-3, 0})),
      "velocity1 and velocity2 would change the distance of the masses: r12 . r12' must be 0 (or set start_check = "
      "\"project\")");
  EXPECT_EQ(said(PairStudy(good).from({0, -1, 0, 1, 1, 0, 1, 1e-3, 0}).projected()), "nothing");
  EXPECT_EQ(said(PairStudy(good).friction(0.5, 0.4)), "static_friction is below friction");
  PairStudy beyond(test::bowl(5), 0.1, 10);
  EXPECT_EQ(said(beyond.from({0, 0, 0, 6, 1, 0, 1, 0, 0})), "a mass starts beyond the surface");
}

TEST(Pair, StepsThatWouldOvershootTheDistanceAreTooLong) {
  const auto longest = [](const PairStudy& study) {
    return Pair<double>::largest_step<Rk4>(study.world, {study.params, study.start});
  };
  const PairStudy study(test::tilted(0.1), 0.1, 10);
  EXPECT_EQ(longest(PairStudy(study).stabilised(pair_baumgarte, 3.0)), 0.3 / 3.0);
  EXPECT_EQ(longest(PairStudy(study).stabilised(pair_projection, 3.0)), std::numeric_limits<double>::infinity());
}

TEST(Pair, ProjectsAStartByTheLeastChange) {
  Random u{std::mt19937_64(8)};
  for (int repeat = 0; repeat < 200; ++repeat) {
    const State s = u.state();
    const double m1 = u(1, 10), m2 = u(1, 10);
    PairStudy study(hilly, 0.01, 1);
    study.masses(m1, m2).from(s).projected();
    const State t = System::prepare(study.world, {study.params, study.start}).state;
    const auto velocity = [&](const State& q, int i) {
      const auto at = i == 0 ? surface_point(hilly, nullptr, q.x1, q.y1) : surface_point(hilly, nullptr, q.x2, q.y2);
      const double vx = i == 0 ? q.vx1 : q.vx2, vy = i == 0 ? q.vy1 : q.vy2;
      return Eigen::Vector3d(vx, vy, at.fx * vx + at.fy * vy);
    };
    const auto z = [&](double x, double y) { return surface_point(hilly, nullptr, x, y).z; };
    const Eigen::Vector3d r(s.x1 - s.x2, s.y1 - s.y2, z(s.x1, s.y1) - z(s.x2, s.y2));
    EXPECT_LE(std::fabs(r.dot(velocity(t, 0) - velocity(t, 1))), 1e-14 * (1 + r.norm()) * 10);
    // The least change is normal, in the metric of the masses, to all velocities that keep the distance: the directions
    // along both surfaces with r . (u1 - u2) = 0.
    const Eigen::Vector3d change1 = velocity(t, 0) - velocity(s, 0), change2 = velocity(t, 1) - velocity(s, 1);
    for (int other = 0; other < 5; ++other) {
      State w = s;
      w.vx1 = u(-1, 1), w.vy1 = u(-1, 1), w.vx2 = u(-1, 1), w.vy2 = u(-1, 1);
      PairStudy kept(hilly, 0.01, 1);
      kept.masses(m1, m2).from(w).projected();
      const State k = System::prepare(kept.world, {kept.params, kept.start}).state;
      EXPECT_NEAR(m1 * change1.dot(velocity(k, 0)) + m2 * change2.dot(velocity(k, 1)), 0,
                  8 * epsilon * 20 * 16);  // some roundings of (m1 + m2) |V|^2
    }
  }
}

}  // namespace
}  // namespace scree
