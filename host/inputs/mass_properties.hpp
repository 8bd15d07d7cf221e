// Volume, centre and inertia of a body bounded by triangles, and its principal axes.
//
// The body is the sum of the tetrahedra (o, a, b, c) over its triangles. With J = [a b c] and det = |det J|, about o:
//
//   volume = det / 6,  first moment = det (a + b + c) / 24,  second moment = det J K J^T,  K = (1 1^T + I) / 120   (1)
//   inertia = tr(S) I - S,  S the second moment about the centre of mass                                           (2)
//
// Source: the covariance of a tetrahedron, as in D. Eberly, Polyhedral Mass Properties (Revisited), 2002.
#pragma once

#include <Eigen/Dense>

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace scree {

struct MassProperties {
  double volume = 0;        // m^3
  Eigen::Vector3d centre;   // centre of mass
  Eigen::Matrix3d inertia;  // about the centre of mass, over mass, m^2
};

/// Inertia over mass from the second moment over mass, equation (2).
inline Eigen::Matrix3d inertia_of(const Eigen::Matrix3d& second) {
  return second.trace() * Eigen::Matrix3d::Identity() - second;
}

/// Equation (1) for a convex body: every tetrahedron that an inner point spans with a face is positive, so the order of
/// a triangle's corners does not matter. `inner` is any point inside.
inline MassProperties mass_properties(const std::vector<Eigen::Vector3d>& points,
                                      const std::vector<std::array<int, 3>>& triangles, const Eigen::Vector3d& inner) {
  const Eigen::Matrix3d K = (Eigen::Matrix3d::Ones() + Eigen::Matrix3d::Identity()) / 120.0;
  double volume = 0;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  for (const auto& triangle : triangles) {
    Eigen::Matrix3d J;
    for (int k = 0; k < 3; ++k) {
      const int corner = triangle[static_cast<std::size_t>(k)];
      J.col(k) = points[static_cast<std::size_t>(corner)] - inner;
    }
    const double det = std::abs(J.determinant());
    volume += det / 6;
    first += det / 24 * J.rowwise().sum();
    second += det * (J * K * J.transpose());
  }
  const Eigen::Vector3d shift = first / volume;
  return {volume, inner + shift, inertia_of(second / volume - shift * shift.transpose())};
}

struct PrincipalAxes {
  Eigen::Vector3d moments;  // A <= B <= C
  Eigen::Matrix3d axes;     // columns: principal axes in the given axes; det = +1
};

/// Principal moments and axes of an inertia tensor, always the same ones for the same tensor:
///
/// * a tensor that is diagonal to `same` of its size keeps its axes, at most permuted (and stays put if sorted);
/// * moments that are equal to `same` leave the axes free: then the given ones are kept as nearly as possible;
/// * the first two axes have their largest component positive, the third one is their cross product.
inline PrincipalAxes principal_axes(const Eigen::Matrix3d& inertia) {
  constexpr double same = 1e-12;
  const double tolerance = same * inertia.diagonal().maxCoeff();
  PrincipalAxes result;
  const auto swap_axes = [&result](int i, int j) {
    std::swap(result.moments[i], result.moments[j]);
    result.axes.col(i).swap(result.axes.col(j));
  };
  const double off_diagonal = std::abs(inertia(0, 1)) + std::abs(inertia(0, 2)) + std::abs(inertia(1, 2));
  if (off_diagonal <= tolerance) {
    result = {inertia.diagonal(), Eigen::Matrix3d::Identity()};
    // Three compare-and-swap steps; equal moments stay in their order.
    for (const auto& [i, j] : {std::pair{0, 1}, std::pair{1, 2}, std::pair{0, 1}})
      if (result.moments[i] > result.moments[j] + tolerance) swap_axes(i, j);
  } else {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(inertia);
    result = {solver.eigenvalues(), solver.eigenvectors()};
    const bool low_pair = result.moments[1] - result.moments[0] <= tolerance;
    const bool high_pair = result.moments[2] - result.moments[1] <= tolerance;
    if (low_pair || high_pair) {
      // One axis is determined; of the given axes, the one most nearly normal to it is projected into the free plane.
      const Eigen::Vector3d fixed = result.axes.col(low_pair ? 2 : 0);
      int given = 0;
      for (int k = 1; k < 3; ++k)
        if (std::abs(fixed[k]) < std::abs(fixed[given]) - same) given = k;
      const Eigen::Vector3d kept = (Eigen::Vector3d::Unit(given) - fixed[given] * fixed).normalized();
      result.axes.col(low_pair ? 0 : 1) = kept;
      result.axes.col(low_pair ? 1 : 2) = fixed.cross(kept);
    }
  }
  for (int k = 0; k < 2; ++k) {
    int largest = 0;
    for (int i = 1; i < 3; ++i)
      if (std::abs(result.axes(i, k)) > std::abs(result.axes(largest, k)) + same) largest = i;
    if (result.axes(largest, k) < 0) result.axes.col(k) *= -1;
  }
  result.axes.col(2) = result.axes.col(0).cross(result.axes.col(1));
  return result;
}

}  // namespace scree
