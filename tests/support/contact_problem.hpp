// One contact step as a problem of its own: the contacts, the free velocity and the laws, taken from a rock between
// `begin` and `contact`.
#pragma once

#include <Eigen/Dense>

#include <vector>

#include "rocks.hpp"

namespace scree::test {

using Vector6 = Eigen::Matrix<double, 6, 1>;

inline Vector6 stacked(const Vec3<double>& v, const Vec3<double>& w) {
  return (Vector6() << v.x, v.y, v.z, w.x, w.y, w.z).finished();
}
inline Vec3<double> velocity_part(const Vector6& u) { return {u[0], u[1], u[2]}; }
inline Vec3<double> spin_part(const Vector6& u) { return {u[3], u[4], u[5]}; }

/// u1 = u_f + M^-1 W P,  gamma1 = W^T u1, normal law on gamma_N1 + bounce, friction mu.
struct ContactProblem {
  int count = 0;
  double mu = 0;
  double inverse_mass = 0;
  Mat3<double> turn;                           // angular impulse to angular velocity
  Vector6 free;                                // u_f
  Vector6 weight;                              // of the energy norm: mass, mass, mass, A, B, C
  std::vector<Eigen::Matrix<double, 6, 3>> w;  // columns of W: normal, tangent 1, tangent 2
  std::vector<double> bounce;                  // e gamma_N0

  Eigen::Matrix<double, 6, 6> inverse_inertia() const {
    Eigen::Matrix<double, 6, 6> m = Eigen::Matrix<double, 6, 6>::Zero();
    for (int k = 0; k < 3; ++k) m(k, k) = inverse_mass;
    const Vec3<double>* rows[3] = {&turn.row0, &turn.row1, &turn.row2};
    for (int k = 0; k < 3; ++k) m.block<1, 3>(3 + k, 3) << rows[k]->x, rows[k]->y, rows[k]->z;
    return m;
  }
  double energy_norm(const Vector6& u) const { return std::sqrt(u.dot(weight.cwiseProduct(u))); }
};

/// The problem of a rock that has contacts on ground without soil, written down anew from the equations in
/// systems/rock.hpp.
template <class Scheme>
ContactProblem problem_of(const World& world, const RockLane& lane) {
  const Rock<double>::Ground& ground = lane.ground;
  const double h = world.step;
  ContactProblem problem;
  problem.mu = ground.friction_min +
               2 / pi * (ground.friction_max - ground.friction_min) * std::atan(ground.scar_growth * lane.scar);
  problem.inverse_mass = 1 / (lane.mass * (1 + 0.5 * h * lane.brakes.drag));
  problem.turn = Scheme::response(lane.inertia, lane.omega, h);
  problem.free = stacked(lane.next_velocity, lane.next_omega);
  const Vec3<double>& i = lane.inertia;
  problem.weight << lane.mass, lane.mass, lane.mass, i.x, i.y, i.z;
  const Vec3<double>& spin = Scheme::restitution_uses_free_spin ? lane.next_omega : lane.omega;
  const Vector6 before = stacked(lane.velocity, spin);
  const Mat3<double> axes = rotation(lane.middle_orientation);
  const double* shape = world.tables + static_cast<std::size_t>(lane.shape);
  for (int plane = 0; plane < 2; ++plane)
    for (int k = 0; k < static_cast<int>(shape[ShapeLayout::vertices]); ++k) {
      if ((static_cast<std::uint64_t>(lane.hits[plane]) >> k & 1) == 0) continue;
      const Vec3<double> body =
          lane.scale * Vec3<double>{shape[ShapeLayout::x + k], shape[ShapeLayout::y + k], shape[ShapeLayout::z + k]};
      Vec3<double> frame[3];
      const Vec3<double> vertex = axes * body;  // from the centre of mass, world axes
      contact_frame(world.terrain, world.tables, plane, lane.middle + vertex, frame);
      // What rebounds acts at the foot of the vertex on the ground.
      const double sunk =
          ground.restitution > 0 ? -contact_gap(world.terrain, world.tables, plane == 1, lane.middle + vertex) : 0;
      const Vec3<double> arm = vertex + sunk * frame[0];
      Eigen::Matrix<double, 6, 3> w;
      for (int a = 0; a < 3; ++a) w.col(a) = stacked(frame[a], transposed_times(axes, cross(arm, frame[a])));
      problem.w.push_back(w);
      problem.bounce.push_back(ground.restitution * w.col(0).dot(before));
      ++problem.count;
    }
  return problem;
}

/// What a solver gives: the velocity after contact and a percussion per contact (normal, tangent 1, tangent 2), N s.
struct ContactSolution {
  Vector6 u;
  std::vector<Eigen::Vector3d> p;
  bool converged = false;
  bool capped = false;  // the product's solver: the sweep limit was reached
  double residual = 0;  // the product's solver: its own residual, m/s
  int sweeps = 0;
};

/// Worst violation of the contact laws by percussions p, as a velocity (m/s): the distance of p from its projection
/// after one step of the natural map, times the inverse of that step. 0 only for a solution.
inline double law_residual(const ContactProblem& problem, const ContactSolution& solution) {
  const Eigen::Matrix<double, 6, 6> m = problem.inverse_inertia();
  Vector6 u = problem.free;
  for (int i = 0; i < problem.count; ++i) u += m * (problem.w[i] * solution.p[i]);
  double residual = 0;
  for (int i = 0; i < problem.count; ++i) {
    const Eigen::Matrix3d g = problem.w[i].transpose() * m * problem.w[i];
    const Eigen::Vector3d gamma = problem.w[i].transpose() * u, &p = solution.p[i];
    const double normal = p[0] - std::fmax(0.0, p[0] - (gamma[0] + problem.bounce[i]) / g(0, 0));
    const double step = 1 / (g(1, 1) + g(2, 2));
    Eigen::Vector2d z = p.tail<2>() - step * gamma.tail<2>();
    const double cone = problem.mu * std::fmax(p[0], 0.0), length = z.norm();
    if (length > cone) z *= cone / length;
    residual = worst(residual, worst(std::fabs(normal) * g(0, 0), (p.tail<2>() - z).norm() / step));
  }
  return residual;
}

/// The product's solver on that problem.
inline ContactSolution solve_exactly(const ContactProblem& problem, double tolerance, double sweeps) {
  constexpr int capacity = 2 * max_vertices;
  const Mobility<double> rock{problem.inverse_mass, problem.turn};
  std::vector<Contact<double>> contacts(capacity);
  for (int i = 0; i < problem.count; ++i) {
    Contact<double>& c = contacts[static_cast<std::size_t>(i)];
    for (int a = 0; a < 3; ++a) {
      c.d[a] = velocity_part(problem.w[i].col(a));
      c.y[a] = spin_part(problem.w[i].col(a));
    }
    complete(c, rock);
    c.bounce = problem.bounce[i];
  }
  Twist<double> after;
  std::vector<ContactVector<double>> p(capacity);
  const Twist<double> free{velocity_part(problem.free), spin_part(problem.free)};
  const double count = problem.count;
  const auto report =
      problem.count == 1
          ? solve_contacts<double, 1>(contacts.data(), 1, count, problem.mu, rock, tolerance, sweeps, free, after,
                                      p.data())
          : solve_contacts<double, capacity>(contacts.data(), problem.count, count, problem.mu, rock, tolerance, sweeps,
                                             free, after, p.data());
  ContactSolution solution;
  solution.u = stacked(after.v, after.w);
  for (int i = 0; i < problem.count; ++i) solution.p.push_back({p[i].x, p[i].y, p[i].z});
  solution.converged = !report.failed;
  solution.capped = report.capped;
  solution.residual = report.residual;
  solution.sweeps = static_cast<int>(report.sweeps);
  return solution;
}

}  // namespace scree::test
