// The contact solver against the contact laws and against the converged prox iteration, on the contact steps of real
// descents and on random ones.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "host/inputs/terrain_file.hpp"
#include "support/contact_problem.hpp"
#include "support/prox.hpp"
#include "support/rocks.hpp"

namespace scree {
namespace {

using test::ContactProblem;
using test::ContactSolution;
using test::RockLane;
using test::RockStudy;
using test::Vector6;
using test::worst;

/// How steps with a percussion compare. Those that disagree fall in one of four classes.
struct Comparison {
  int steps = 0, agree = 0;
  int only_ours = 0;  // prox is no solution, ours is
  int both = 0;       // two solutions
  int only_prox = 0;  // ours is no solution
  int neither = 0;
  int capped = 0;  // our sweeps reached their limit
  int silent = 0;  // ours is no solution and its residual does not say so
  int outside_cone = 0;
  int several = 0;          // steps with two contacts or more
  double sweeps = 0;        // of these
  int unlike_the_step = 0;  // Rock::contact gave another velocity than the solver on the test's own problem

  std::string text() const {
    char line[300];
    std::snprintf(line, sizeof line,
                  "%d steps with a percussion: %d agree (%.2f %%), %d solved by ours only, %d have two solutions, "
                  "%d solved by prox only, %d by neither; %d at the sweep limit; %.2f sweeps of several contacts",
                  steps, agree, 100.0 * agree / steps, only_ours, both, only_prox, neither, capped, sweeps / several);
    return line;
  }
};

constexpr double tolerance = 1e-9, sweep_limit = 120;  // the product's own

void compare(const ContactProblem& problem, Comparison& comparison) {
  const ContactSolution ours = test::solve_exactly(problem, tolerance, sweep_limit);
  const ContactSolution prox = test::solve_by_prox(problem);
  const double jump = worst(problem.energy_norm(prox.u - problem.free), problem.energy_norm(ours.u - problem.free));
  if (jump == 0) return;  // every vertex in the ground is on its way out
  ++comparison.steps;
  if (ours.capped) ++comparison.capped;
  if (problem.count > 1) {
    ++comparison.several;
    comparison.sweeps += ours.sweeps;
  }
  for (const Eigen::Vector3d& p : ours.p) {
    // Cone and sign hold by construction up to the slip root's 2e-12 and round-off, relative to the largest percussion.
    double size = 0;
    for (const Eigen::Vector3d& q : ours.p) size = worst(size, q.cwiseAbs().maxCoeff());
    if (!(p[0] >= 0) || !(p.tail<2>().norm() <= problem.mu * p[0] * (1 + 1e-11) + 1e-11 * size))
      ++comparison.outside_cone;
  }
  const double difference = problem.energy_norm(ours.u - prox.u);
  if (difference <= 1e-8 * jump) {
    ++comparison.agree;
    return;
  }
  const bool ours_solves = test::law_residual(problem, ours) < 1e-7,
             prox_solves = test::law_residual(problem, prox) < 1e-7;
  ++(ours_solves ? (prox_solves ? comparison.both : comparison.only_ours)
                 : (prox_solves ? comparison.only_prox : comparison.neither));
  if (!ours_solves && ours.residual < 1e-7) ++comparison.silent;
}

/// Every `stride`-th contact step of descents over the 100 m ramp.
template <class Scheme>
void compare_descents(int rocks, int stride, Comparison& comparison) {
  std::mt19937_64 engine(11);
  std::normal_distribution<double> normal;
  for (int rock = 0; rock < rocks; ++rock) {
    RockStudy study(test::eota221(), test::ramp(40, 100));
    study.world.set_down = 1;
    study.start.position = {0, 0, 0};
    study.start.orientation = {normal(engine), normal(engine), normal(engine), normal(engine)};
    RockLane lane = study.prepare();
    for (int contacts = 0; lane.status == running;) {
      Rock<double>::begin<Scheme>(study.ground(), lane);
      const bool taken = lane.contacts > 0 && contacts++ % stride == 0;
      const ContactProblem problem = taken ? test::problem_of<Scheme>(study.ground(), lane) : ContactProblem{};
      RockLane solved = lane;
      test::end_step<Scheme>(study.ground(), solved);
      if (taken) {
        compare(problem, comparison);
        // The step is the solver's answer to the problem as the test has written it down: round-off apart, which the
        // slip root (2e-12) and sweeps that stop at 1e-9 may enlarge.
        const Vector6 u = test::stacked(solved.velocity, solved.omega);
        const ContactSolution ours = test::solve_exactly(problem, tolerance, sweep_limit);
        if (!(problem.energy_norm(u - ours.u) <= 1e-8 * problem.energy_norm(u - problem.free)))
          ++comparison.unlike_the_step;
      }
      lane = solved;
    }
  }
}

TEST(ContactSolver, AgreesWithTheConvergedProxOnTheStepsOfDescents) {
  Comparison comparison;
  compare_descents<test::Explicit>(10, 3, comparison);
  compare_descents<test::Implicit>(10, 3, comparison);
  std::puts(comparison.text().c_str());
  EXPECT_GE(comparison.steps, 5000);
  // Where the two differ, prox fails or there are two solutions. That is the exception, or nothing would be compared.
  EXPECT_EQ(comparison.only_prox + comparison.neither + comparison.silent, 0);
  EXPECT_GT(comparison.agree, 10 * (comparison.only_ours + comparison.both));
  EXPECT_EQ(comparison.outside_cone, 0);
  EXPECT_EQ(comparison.unlike_the_step, 0);
}

TEST(ContactSolver, AgreesWithTheConvergedProxOnRandomSteps) {
  // A EOTA221 up to 3 cm in the ground (a fall of 15 m/s for one step), with any orientation, velocity and friction up
  // to 1: far more pairs of contacts that wedge than on a descent.
  Comparison comparison;
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  for (int k = 0; comparison.steps < 3000; ++k) {
    RockStudy study(test::eota221(), test::plane(30));
    study.constant_friction(uniform(engine));
    study.params.restitution = k % 2 == 0 ? 0 : 0.5 * uniform(engine);
    study.start.orientation = {normal(engine), normal(engine), normal(engine), normal(engine)};
    study.start.velocity = {5 * normal(engine), 5 * normal(engine), 5 * normal(engine)};
    study.start.omega = {8 * normal(engine), 8 * normal(engine), 8 * normal(engine)};
    study.start.gap = -0.03 * uniform(engine);
    study.world.set_down = 1;
    RockLane lane = study.prepare();
    Rock<double>::begin<test::Explicit>(study.ground(), lane);
    if (lane.contacts > 0) compare(test::problem_of<test::Explicit>(study.ground(), lane), comparison);
  }
  std::puts(comparison.text().c_str());
  EXPECT_EQ(comparison.only_prox + comparison.neither + comparison.silent, 0);
  EXPECT_GT(comparison.agree, 10 * (comparison.only_ours + comparison.both));
  EXPECT_EQ(comparison.outside_cone, 0);
  // Without Anderson's method they take 20; half of that is allowed.
  EXPECT_GE(comparison.several, 500);
  EXPECT_LE(comparison.sweeps, 10 * comparison.several);
}

/// A block on four corners, 0.3 x 0.4 m at 0.2 m below its centre of mass, that slides at 5 m/s on ground whose normal
/// differs from corner to corner by some 1e-7, as much as a grid's cell leaves when the block has turned to suit it.
/// With e > 0 it rebounds.
ContactProblem sliding_on_four_corners(std::mt19937_64& engine, double restitution) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  ContactProblem problem;
  problem.count = 4;
  problem.mu = 0.1 + 0.25 * uniform(engine);
  const double mass = 70, fall = 0.0196;  // kg; m/s, what gravity adds in a step
  const Vec3<double> inertia{1.9, 1.5, 1.5};
  problem.inverse_mass = 1 / mass;
  problem.turn = {{1 / inertia.x, 0, 0}, {0, 1 / inertia.y, 0}, {0, 0, 1 / inertia.z}};
  problem.weight << mass, mass, mass, inertia.x, inertia.y, inertia.z;
  const double along = 5, across = 2 * normal(engine);
  problem.free = test::stacked({along, across, -fall}, {0, 0, 0.01 * normal(engine)});
  for (int i = 0; i < 4; ++i) {
    const Vec3<double> arm{i % 2 == 0 ? 0.15 : -0.15, i < 2 ? 0.2 : -0.2, -0.2};
    const double slope_x = 1e-7 * normal(engine), slope_y = 1e-7 * normal(engine);
    const Vec3<double> n =
        (1 / std::sqrt(1 + slope_x * slope_x + slope_y * slope_y)) * Vec3<double>{-slope_x, -slope_y, 1};
    const Vec3<double> t = Vec3<double>{1, 0, 0} - n.x * n, t1 = (1 / norm(t)) * t;
    const Vec3<double> frame[3] = {n, t1, cross(n, t1)};
    Eigen::Matrix<double, 6, 3> w;
    for (int a = 0; a < 3; ++a) w.col(a) = test::stacked(frame[a], cross(arm, frame[a]));
    problem.w.push_back(w);
    // It came down flat, at half of that speed.
    problem.bounce.push_back(restitution * w.col(0).dot(test::stacked({along, across, -0.5 * fall}, {0, 0, 0})));
  }
  return problem;
}

/// How sweeps fare on such blocks.
struct Sweeping {
  int problems = 0, capped = 0, unsolved = 0;
  double sweeps = 0;

  void take(const ContactProblem& problem) {
    const ContactSolution ours = test::solve_exactly(problem, tolerance, sweep_limit);
    ++problems;
    sweeps += ours.sweeps;
    if (ours.capped) {
      ++capped;
      return;
    }
    // Sweeps end when no percussion changes by more than 1e-9 of the largest, and what a percussion changes by is, as a
    // velocity, at most G times that. A corner's G is some 2.5 times the inverse mass, and the largest percussion
    // about that share of mass times the jump of the velocity: 1e-8 of the jump leaves a factor of 4.
    double jump = 0;
    for (int i = 0; i < problem.count; ++i)
      jump = worst(jump, (problem.w[i].transpose() * (ours.u - problem.free)).cwiseAbs().maxCoeff());
    if (!(test::law_residual(problem, ours) <= 1e-8 * jump)) ++unsolved;
  }
};

TEST(ContactSolver, FollowsDriftsToTheirEnd) {
  // The corners ask for normal velocities that no rigid body has, and percussions that balance each other grow until
  // one corner opens. Sweeps that do not follow them end at their limit in 89 (e = 0) and 84 (0.2) of these problems.
  std::mt19937_64 engine(3);
  for (const double restitution : {0.0, 0.2}) {
    Sweeping sweeping;
    for (int k = 0; k < 200; ++k) sweeping.take(sliding_on_four_corners(engine, restitution));
    std::printf("e = %.1f: %.1f sweeps, %d of %d problems at the limit\n", restitution,
                sweeping.sweeps / sweeping.problems, sweeping.capped, sweeping.problems);
    EXPECT_EQ(sweeping.unsolved, 0) << "e = " << restitution;
    EXPECT_LE(sweeping.capped, sweeping.problems / 10) << "e = " << restitution;
  }
}

TEST(ContactSolver, FollowsDriftsToWhereTheyVanish) {
  // A plate slides on an uneven slope, mu from 0.10 to 0.35, mostly on four corners: they lie in a plane, the ground
  // under them hardly does. The percussions drift until they have turned the sliding so that it suits all four. Sweeps
  // that follow each drift to its end reach their limit in one contact step of 20; a tenth of that is allowed here. How
  // many there are depends on the plates: with other seeds one in 50000 to one in 300.
  Grid uneven{80, 21, 0, -50, 5, {}};
  for (int j = 0; j < uneven.rows; ++j)
    for (int i = 0; i < uneven.columns; ++i)
      uneven.heights.push_back(-1.75 * i + 0.3 * std::sin(1.3 * i + 0.4 * j) * std::cos(0.9 * j - 0.2 * i));
  std::mt19937_64 engine(7);
  std::normal_distribution<double> normal;
  double solves = 0, capped = 0, sweeps = 0;
  for (int plate = 0; plate < 10; ++plate) {
    RockStudy study(test::named_shape("eota", 0.46, 0.30, 0.20, 40), Terrain::of(Plane{}));
    study.world.terrain = Terrain::of(BilinearGrid{grid_heights(uneven, study.tables)});
    study.world.set_down = 1;
    study.world.end = 10;
    study.start.position = {10, 0, 0};
    study.start.orientation = {normal(engine), normal(engine), normal(engine), normal(engine)};
    study.params.friction_min = 0.1;
    study.params.friction_max = 0.35;
    study.params.scar_growth = 150;
    study.params.scar_decay = 2;
    RockLane lane = study.prepare();
    while (lane.status == running) test::step<test::Implicit>(study.ground(), lane);
    solves += lane.tally.contact_solves;
    capped += lane.tally.capped_steps;
    sweeps += lane.tally.sweeps;
  }
  std::printf("%.0f contact steps, %.1f sweeps each, %.4f %% at the limit\n", solves, sweeps / solves,
              100 * capped / solves);
  EXPECT_GE(solves, 10000);
  EXPECT_LE(capped, 5e-3 * solves);
}

/// Where friction is large both sticking and sliding may solve a contact. The rule is the least percussion: the sliding
/// one, though sticking is tried first elsewhere.
TEST(LocalSolve, TakesTheLeastPercussionWhereStickingAndSlidingBothSolve) {
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1);
  int twofold = 0, stuck = 0, unfinished = 0;
  for (int i = 0; i < 200000; ++i) {
    // A body of 1 kg and random principal moments, at whose random arm the contact acts: G = 1/m + Y^T Theta^-1 Y.
    Eigen::Matrix<double, 3, 3> arm;
    const Eigen::Vector3d y(normal(engine), normal(engine), normal(engine));
    arm << 0, -y[2], y[1], y[2], 0, -y[0], -y[1], y[0], 0;
    const Eigen::Vector3d moments(0.1 + uniform(engine), 0.1 + uniform(engine), 0.1 + uniform(engine));
    const Eigen::Matrix3d g = Eigen::Matrix3d::Identity() + arm.transpose() * moments.cwiseInverse().asDiagonal() * arm;
    const Eigen::Vector3d b(-uniform(engine), normal(engine), normal(engine));
    const double mu = 0.2 + 3 * uniform(engine);
    const LocalOperator<double> o =
        local_operator<double>({{g(0, 0), g(0, 1), g(0, 2)}, {g(1, 0), g(1, 1), g(1, 2)}, {g(2, 0), g(2, 1), g(2, 2)}});
    const LocalSolution<double> ours = local_solve<double>(o, mu, {b[0], b[1], b[2]}, 0.0, 12);
    const Eigen::Vector3d p(ours.percussion.x, ours.percussion.y, ours.percussion.z);
    const Eigen::Vector3d stick = -g.inverse() * b;  // no velocity after contact
    const bool sticks = stick[0] >= 0 && stick.tail<2>().norm() <= mu * stick[0];
    if (ours.multiplier == 0) {
      ASSERT_TRUE(sticks) << i;
      ASSERT_LE((p - stick).norm(), 1e-11 * stick.norm()) << i;
      ++stuck;
      continue;
    }
    // Slides: on the cone, against the velocity that is left, which has no normal part.
    const Eigen::Vector3d left = b + g * p;
    if (!(std::fabs(p.tail<2>().norm() - mu * p[0]) <= 1e-11 * p.norm())) {
      ++unfinished;  // twelve passes did not reach |Q^2 - L^2| <= 2e-12 L^2; a sweep would go on from here
      continue;
    }
    ASSERT_NEAR(left[0], 0, 1e-11 * (b.norm() + g.norm() * p.norm())) << i;
    ASSERT_LE((left.tail<2>() + ours.multiplier * p.tail<2>()).norm(), 1e-9 * (b.norm() + g.norm() * p.norm())) << i;
    EXPECT_EQ(ours.twofold, sticks) << i;
    if (!sticks) continue;
    ++twofold;
    EXPECT_LT(p[0], stick[0]) << i;
  }
  EXPECT_LT(unfinished, 200);  // one in a thousand
  EXPECT_GT(twofold, 100);
  EXPECT_GT(stuck, 10000);
}

}  // namespace
}  // namespace scree
