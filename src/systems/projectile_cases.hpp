// Closed forms of the projectile: what the schemes must reproduce. For the host (tests and `verify`), in long double.
//
// Source: textbook mechanics; the flight time by Lambert's function as in Packel and Yuen, College Math. J. 35 (2004)
// 337, here with a height y0 of the launch.
#pragma once

#include <cmath>

namespace scree::projectile_cases {

/// The root w >= -1 of w e^w = z for z >= -1/e, by Halley's rule.
inline long double lambert_w0(long double z) {
  long double w = z < 0 ? -1 + std::sqrt(2 * (1 + std::exp(1.0L) * z)) : std::log1p(z);
  for (int k = 0; k < 60; ++k) {
    const long double e = std::exp(w), f = w * e - z;
    const long double next = w - f / (e * (w + 1) - (w + 2) * f / (2 * w + 2));
    if (std::fabs(next - w) <= 1e-19L * std::fabs(w)) return next;
    w = next;
  }
  return w;
}

/// A launch from (0, height) with the velocity (vx, vy); drag > 0 in 1/s.
struct Shot {
  long double gravity, drag, height, vx, vy;

  Shot(double g, double a, double h, double speed, double angle)
      : gravity(g),
        drag(a),
        height(h),
        vx(speed * std::cos(static_cast<long double>(angle))),
        vy(speed * std::sin(static_cast<long double>(angle))) {}

  struct Place {
    long double x, y, vx, vy;
  };
  Place at(long double t) const {
    const long double e = -std::expm1(-drag * t) / drag;
    return {vx * e, height - gravity * t / drag + (vy + gravity / drag) * e, vx * (1 - drag * e),
            vy * (1 - drag * e) - gravity * e};
  }
  /// With c = 1 + a vy / g and k = c + a^2 y0 / g the condition y = 0 reads w e^w = -c e^-k for w = a T - k.
  long double flight_time() const {
    const long double c = 1 + drag * vy / gravity, k = c + drag * drag * height / gravity;
    return (k + lambert_w0(-c * std::exp(-k))) / drag;
  }
  long double range() const { return at(flight_time()).x; }
  long double apex_time() const { return std::log1p(drag * vy / gravity) / drag; }
  long double apex() const { return at(apex_time()).y; }
};

/// The angle of the longest range from the ground, with drag: where d(range) / d(angle) = 0, by bisection.
inline double best_angle(double gravity, double drag, double speed) {
  const auto range = [&](double angle) { return Shot(gravity, drag, 0, speed, angle).range(); };
  double low = 0.01, high = 1.56;
  while (high - low > 1e-6) {
    const double middle = (low + high) / 2;
    (range(middle + 1e-5) > range(middle - 1e-5) ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// Without drag, from the ground.
inline double vacuum_range(double gravity, double speed, double angle) {
  return speed * speed * std::sin(2 * angle) / gravity;
}
inline double vacuum_flight_time(double gravity, double speed, double angle) {
  return 2 * speed * std::sin(angle) / gravity;
}

}  // namespace scree::projectile_cases
