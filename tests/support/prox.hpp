// The reference contact solver: projected Gauss-Seidel ("prox") of L14 section 3 and L21 eqs (87), run until nothing
// changes. Slow, and it does not solve every step where friction is large; the product's solver is checked against it.
//
//   P_N <- max(0, P_N - r_N (gamma_N + e gamma_N0)),  r_N = 1 / G_NN
//   P_T <- the point of the disc of radius mu P_N nearest to P_T - r_T gamma_T,  r_T = 1 / lambda_max(sym G_TT)
//
// Contacts in order, from P = 0, the velocity updated after each half. A sweep with P = 0 throughout ends the iteration
// only if nothing changed: where friction is large P_N may go 0, positive, 0, and P = 0 with gamma_N < 0 is no
// solution.
#pragma once

#include "contact_problem.hpp"

namespace scree::test {

inline ContactSolution solve_by_prox(const ContactProblem& problem, int cap = 20000, double tolerance = 1e-14) {
  const Eigen::Matrix<double, 6, 6> m = problem.inverse_inertia();
  const std::size_t n = static_cast<std::size_t>(problem.count);
  std::vector<Eigen::Matrix<double, 6, 3>> response(n);
  std::vector<double> r_n(n), r_t(n);
  for (std::size_t i = 0; i < n; ++i) {
    response[i] = m * problem.w[i];
    const Eigen::Matrix3d g = problem.w[i].transpose() * response[i];
    r_n[i] = 1 / g(0, 0);
    const double middle = 0.5 * (g(1, 1) + g(2, 2)), cross_term = 0.5 * (g(1, 2) + g(2, 1));
    r_t[i] = 1 / (middle + std::hypot(0.5 * (g(1, 1) - g(2, 2)), cross_term));
  }
  ContactSolution solution;
  solution.p.assign(n, Eigen::Vector3d::Zero());
  for (int sweep = 0; sweep < cap && !solution.converged; ++sweep) {
    Vector6 u = problem.free;  // anew in each sweep, so that round-off does not gather
    for (std::size_t i = 0; i < n; ++i) u += response[i] * solution.p[i];
    double change = 0, size = 0;
    for (std::size_t i = 0; i < n; ++i) {
      Eigen::Vector3d& p = solution.p[i];
      const Eigen::Vector3d old = p;
      p[0] = std::fmax(0.0, p[0] - r_n[i] * (problem.w[i].col(0).dot(u) + problem.bounce[i]));
      u += response[i].col(0) * (p[0] - old[0]);
      Eigen::Vector2d z = p.tail<2>() - r_t[i] * (problem.w[i].rightCols<2>().transpose() * u);
      const double length = z.norm(), cone = problem.mu * p[0];
      if (length > cone) z *= cone / length;
      u += response[i].rightCols<2>() * (z - p.tail<2>());
      p.tail<2>() = z;
      change = worst(change, (p - old).cwiseAbs().maxCoeff());
      size = worst(size, p.cwiseAbs().maxCoeff());
    }
    ++solution.sweeps;
    solution.converged = change <= tolerance * size;
  }
  solution.u = problem.free;
  for (std::size_t i = 0; i < n; ++i) solution.u += response[i] * solution.p[i];
  return solution;
}

}  // namespace scree::test
