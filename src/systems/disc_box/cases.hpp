// Closed forms of disc boxes: what the schemes must reproduce. For the host (tests, `verify` and the longest step), in
// plain double. Equation numbers of disc_box.hpp.
//
// Sources: Hunt and Crossley, J. Appl. Mech. 42 (1975) 440; Johnson, Contact Mechanics, chapters 4 and 11.
#pragma once

#include <cmath>

namespace scree::disc_box_cases {

/// a of equation (7).
inline double damping(double c_tau) { return 1.5 * (1 - c_tau); }

/// Restitution of one impact under equations (6) and (7), for any stiffness, mass, speed and exponent: along the impact
/// m v dv = -(k / m_r) rho^p (1 + a R) drho with R = v / v0 gives
///   a (1 + e) = ln((1 + a) / (1 - a e)).
/// The right side is the steeper one, from a root at e < 0 on, so that bisection finds the other.
inline double restitution(double c_tau) {
  const double a = damping(c_tau);
  if (a == 0) return 1;
  double low = 1e-12, high = std::fmin(1.0, (1 - 1e-15) / a);
  for (int i = 0; i < 200; ++i) {
    const double e = 0.5 * (low + high);
    (a * (1 + e) > std::log((1 + a) / (1 - a * e)) ? low : high) = e;
  }
  return 0.5 * (low + high);
}

/// The same with R replaced by its sign.
inline double restitution_of_the_script(double c_tau) {
  const double a = damping(c_tau);
  return std::sqrt((1 - a) / (1 + a));
}

/// Largest overlap of an impact with the speed v0, m: (2/5) K / (m_r v0^2) delta^(5/2) = 1/a - ln(1 + a) / a^2, 1/2 for
/// a = 0. `stiffness`: K = k pen^(3/2); `mass`: m_r, the reduced one.
inline double largest_overlap(double stiffness, double mass, double v0, double c_tau) {
  const double a = damping(c_tau);
  const double share = a == 0 ? 0.5 : 1 / a - std::log1p(a) / (a * a);
  return std::pow(2.5 * share * mass * v0 * v0 / stiffness, 0.4);
}

/// Duration of an undamped impact, s, after Hertz.
inline double hertz_duration(double stiffness, double mass, double v0) {
  return 2.94327518 * std::pow(1.25 * mass * v0 * v0 / stiffness, 0.4) / v0;
}

/// What is left of the slip speed of a disc without observer that hits a plane wall, under equation (10): slip falls at
/// the rate mu f (1/m + r^2 / I), and the integral of f is m v0 (1 + e).
inline double slip_left(double friction, double mass, double radius, double inertia, double v0, double e) {
  return std::exp(-friction * mass * v0 * (1 + e) * (1 / mass + radius * radius / inertia));
}

/// k of equation (8) for equal materials, N/m^(3/2); `relative_radius`: R_1 R_2 / (R_1 + R_2).
inline double stiffness(double youngs_modulus, double poisson_ratio, double relative_radius) {
  const double s = (1 - poisson_ratio * poisson_ratio) / youngs_modulus;
  return 4 / (3 * (s + s)) * std::sqrt(relative_radius);
}

}  // namespace scree::disc_box_cases
