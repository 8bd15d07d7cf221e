// Closed forms of particles that bounce: what the system `scatter` must reproduce. For the host (tests and `verify`),
// in plain double.
//
// Sources: Goldstein, Classical Mechanics, 3rd ed., section 3.10 (scattering), in two dimensions; textbook mechanics.
#pragma once

#include <cmath>

namespace scree::scatter_cases {

/// Elastic reflection at a hard disc of radius r, met at the impact parameter b: b = r cos(theta / 2).
inline double scattering_angle(double impact_parameter, double radius) {
  return 2 * std::acos(std::fabs(impact_parameter) / radius);
}
/// Part of a uniform beam that is scattered by less than theta: the integral of (1/2) sin(theta / 2), which is the
/// differential cross-section (r / 2) sin(theta / 2) of either side over its total r.
inline double scattered_below(double theta) { return 1 - std::cos(theta / 2); }

/// Dropped without drag from the height h onto level ground, with the restitution e < 1: when it has done bouncing.
inline double bouncing_time(double gravity, double height, double restitution) {
  return std::sqrt(2 * height / gravity) * (1 + restitution) / (1 - restitution);
}

/// Sliding from rest without friction down a plane of the angle f, with linear drag a > 0: how far after a time t.
inline double slide_length(double gravity, double drag, double angle, double t) {
  const double e = -std::expm1(-drag * t) / drag;
  return gravity * std::sin(angle) * (t - e) / drag;
}

/// A particle that slides without friction and drag from the top of a ball of radius r, with the speed v there, leaves
/// it at the height r cos(psi) above the centre: cos(psi) = 2/3 + v^2 / (3 g r).
inline double leaving_cosine(double gravity, double radius, double speed) {
  return 2.0 / 3 + speed * speed / (3 * gravity * radius);
}

}  // namespace scree::scatter_cases
