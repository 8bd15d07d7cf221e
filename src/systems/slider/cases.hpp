// Closed forms of sliders: what the schemes must reproduce. For the host (tests and `verify`), in plain double; all
// quantities per unit mass.
//
// On a plane of slope b: gs = g sin b pulls down the fall line, gn = mu g cos b is the friction. The angle alpha of a
// launch is measured from the fall line in the plane. Lengths are along the plane unless said.
//
// Source: Gallotti and Tinti, Theor. Appl. Mech. Lett. 2019, sections 2.3 and 2.4, corrected; textbook mechanics.
#pragma once

#include <cmath>

namespace scree::slider_cases {

struct Incline {
  double gn, gs, cos;  // cos b

  Incline(double gravity, double friction, double slope)
      : gn(friction * gravity * std::cos(slope)), gs(gravity * std::sin(slope)), cos(std::cos(slope)) {}

  // Launched up the fall line with speed v: stops for a moment, slides back if gs > gn.
  double turning_time(double v) const { return v / (gs + gn); }
  double turning_distance(double v) const { return v * v / (2 * (gs + gn)); }
  /// Distance above the release (negative: below) at a time after the turning.
  double height_after(double v, double t) const {
    const double fall = t - turning_time(v);
    return turning_distance(v) - 0.5 * (gs - gn) * fall * fall;
  }
  /// Speed down the fall line at that time.
  double speed_after(double v, double t) const { return (gs - gn) * (t - turning_time(v)); }

  // Launched at alpha with gn > gs: comes to rest. V' = gs cos a - gn and (V cos a)' = gs - gn cos a, so that
  // gn V + gs V cos a falls at the constant rate gn^2 - gs^2.
  double stop_time(double v, double alpha) const { return v * (gn + gs * std::cos(alpha)) / (gn * gn - gs * gs); }

  /// Where it comes to rest, by Simpson's rule over the angle a of the velocity with the fall line, 0 < alpha < pi:
  /// V a' = -gs sin a and V' give V(a) = V0 (sin alpha / sin a) (tan(a / 2) / tan(alpha / 2))^(gn / gs), and
  /// dt = -V da / (gs sin a). With u = ln tan(a / 2), da = sin a du, the integrands are smooth and fall off as
  /// exp(2 (gn / gs - 1) u).
  struct Place {
    double down, across, path;
  };
  Place stop_place(double v, double alpha) const {
    const double power = gn / gs, end = std::log(std::tan(alpha / 2)), depth = 20 / (power - 1);
    const int n = 200000;
    Place sum{0, 0, 0};
    for (int i = 0; i <= n; ++i) {
      const double u = end - depth + depth * i / n, a = 2 * std::atan(std::exp(u));
      const double speed = v * (std::sin(alpha) / std::sin(a)) * std::exp(power * (u - end));
      const double weight = (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2) * depth / (3.0 * n) * speed / gs;
      sum.down += weight * speed * std::cos(a);
      sum.across += weight * speed * std::sin(a);
      sum.path += weight * speed;
    }
    return sum;
  }
};

/// Run-out on level ground.
inline double level_runout(double v, double friction, double gravity) { return v * v / (2 * friction * gravity); }

/// A circle in a spherical bowl, at the angle theta from its axis, without friction.
struct CircularOrbit {
  double radius, speed, angular_velocity, normal;

  CircularOrbit(double gravity, double bowl, double theta)
      : radius(bowl * std::sin(theta)),
        speed(std::sin(theta) * std::sqrt(gravity * bowl / std::cos(theta))),
        angular_velocity(std::sqrt(gravity / (bowl * std::cos(theta)))),
        normal(gravity / std::cos(theta)) {}
};

/// Contact is lost on a dome of radius R without friction, after a release at the angle psi0 from the summit with the
/// speed v0 along the meridian: v^2 = v0^2 + 2 g R (cos psi0 - cos psi) and N/m = g cos psi - v^2 / R = 0 give
///   cos psi = (2 cos psi0 + v0^2 / (g R)) / 3,   v^2 = g R cos psi.
struct DomeLiftoff {
  double cos_angle, distance, speed;  // distance: from the axis

  DomeLiftoff(double gravity, double radius, double angle, double v0)
      : cos_angle((2 * std::cos(angle) + v0 * v0 / (gravity * radius)) / 3),
        distance(radius * std::sqrt(1 - cos_angle * cos_angle)),
        speed(std::sqrt(gravity * radius * cos_angle)) {}
};

/// Constant on z = h(x) + b y without friction: the surface's reaction has no component along (0, 1, b).
inline double valley_momentum(double gravity, double b, double vy, double vz, double t) {
  return vy + b * vz + gravity * b * t;
}

}  // namespace scree::slider_cases
