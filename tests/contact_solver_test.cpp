// The contact solver against the contact laws and against the converged prox iteration, on the contact steps of real
// descents and on random ones.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

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
  int unlike_the_step = 0;  // Rock::contact gave another velocity than the solver on the test's own problem

  std::string text() const {
    char line[240];
    std::snprintf(line, sizeof line,
                  "%d steps with a percussion: %d agree (%.2f %%), %d solved by ours only, %d have two solutions, "
                  "%d solved by prox only, %d by neither; %d at the sweep limit",
                  steps, agree, 100.0 * agree / steps, only_ours, both, only_prox, neither, capped);
    return line;
  }
};

constexpr double tolerance = 1e-9, sweep_limit = 60;  // the product's own

void compare(const ContactProblem& problem, Comparison& comparison) {
  const ContactSolution ours = test::solve_exactly(problem, tolerance, sweep_limit);
  const ContactSolution prox = test::solve_by_prox(problem);
  const double jump = worst(problem.energy_norm(prox.u - problem.free), problem.energy_norm(ours.u - problem.free));
  if (jump == 0) return;  // every vertex in the ground is on its way out
  ++comparison.steps;
  if (ours.capped) ++comparison.capped;
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

/// Every `stride`-th contact step of descents over the ramp study's slope.
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
}

}  // namespace
}  // namespace scree
