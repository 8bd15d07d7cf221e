// Closed forms of pairs: what the schemes must reproduce, each with its derivation. For the host (tests and `verify`),
// in plain double.
//
// On a plane of slope beta, +x down the fall line as seen from above, a pair's normal forces do not feel the link: both
// of its models are exact, and the motion along the plane is that of a rigid dumb-bell under g sin(beta).
#pragma once

#include <cmath>

#include "motion.hpp"

namespace scree::pair_cases {

/// A plane z = -tan(slope) x and two masses on it at a distance.
struct OnPlane {
  double slope, gravity, mass1, mass2;

  double reduced_mass() const { return mass1 * mass2 / (mass1 + mass2); }
};

/// The state of a frictionless pair on a plane at time t. The centre of mass falls with g sin(beta) along the plane,
/// that is g sin(beta) cos(beta) seen from above; the link turns at the constant rate w = |r'| / d within the plane:
///   r(t) = r0 cos(w t) + r0' sin(w t) / w
/// both as seen from above too, since that is a linear map of the plane.
inline PairState<double> sliding_on_plane(const OnPlane& c, const PairState<double>& start, double t) {
  const double sine = std::sin(c.slope), cosine = std::cos(c.slope), mass = c.mass1 + c.mass2;
  const double x = start.x1 - start.x2, y = start.y1 - start.y2;
  const double vx = start.vx1 - start.vx2, vy = start.vy1 - start.vy2;
  const double d = std::hypot(x / cosine, y), w = std::hypot(vx / cosine, vy) / d;
  const double turned = std::cos(w * t), aside = w > 0 ? std::sin(w * t) / w : t, slower = -w * std::sin(w * t);
  const double pull = c.gravity * sine * cosine;
  const auto middle = [&](double a, double b) { return (c.mass1 * a + c.mass2 * b) / mass; };
  const double cx = middle(start.x1, start.x2) + t * middle(start.vx1, start.vx2) + pull * t * t / 2;
  const double cy = middle(start.y1, start.y2) + t * middle(start.vy1, start.vy2);
  const double cvx = middle(start.vx1, start.vx2) + pull * t, cvy = middle(start.vy1, start.vy2);
  const double rx = x * turned + vx * aside, ry = y * turned + vy * aside;
  const double rvx = x * slower + vx * turned, rvy = y * slower + vy * turned;
  const double part1 = c.mass2 / mass, part2 = -c.mass1 / mass;
  return {cx + part1 * rx,   cy + part1 * ry,   cx + part2 * rx,
          cy + part2 * ry,   cvx + part1 * rvx, cvy + part1 * rvy,
          cvx + part2 * rvx, cvy + part2 * rvy, 0};
}

/// The link's force on it, -M12 w^2 d with w = |r'| / d: a tension.
inline double spinning_link_force(const OnPlane& c, double relative_speed, double distance) {
  return -c.reduced_mass() * relative_speed * relative_speed / distance;
}

/// On level ground, each mass moving at speed v at right angles to its lever (equal masses spin about their middle, or
/// one is held and the other swings about it): friction only turns the speed down, v' = -mu g, so it stops at v / (mu
/// g) having gone v^2 / (2 mu g) along its circle.
struct Braking {
  double time, path;
};
inline Braking braking_on_level_ground(double friction, double gravity, double speed) {
  const double deceleration = friction * gravity;
  return {speed / deceleration, speed * speed / (2 * deceleration)};
}

/// A mass swinging without friction about a held one on a plane is a pendulum of length d under g sin(beta): with psi
/// from the fall line and W^2 = g sin(beta) / d, psi'' = -W^2 sin(psi). Launched at psi = 0 with psi' = w:
///   k = 2 W / w < 1   it goes round, T = 4 K(k) / w
///   w / (2 W) < 1     it comes to a stop at psi = 2 asin(w / (2 W)) after K(w / (2 W)) / W
/// (Landau and Lifshitz, Mechanics, section 11, problem 1; K(k) with the modulus k.)
struct Pendulum {
  double distance, slope, gravity, rate;  // rate: w

  double natural() const { return std::sqrt(gravity * std::sin(slope) / distance); }
  /// psi'^2 at the angle psi.
  double rate2(double psi) const {
    const double half = std::sin(psi / 2);
    return rate * rate - 4 * natural() * natural() * half * half;
  }
  /// The pull of the link per unit of the swinging mass, m/s^2.
  double tension(double psi) const { return distance * rate2(psi) + gravity * std::sin(slope) * std::cos(psi); }
  double period() const { return 4 * std::comp_ellint_1(2 * natural() / rate) / rate; }
  double stop_angle() const { return 2 * std::asin(rate / (2 * natural())); }
  double stop_time() const { return std::comp_ellint_1(rate / (2 * natural())) / natural(); }
};

/// A mass on a slope of angle beta rests under a level push H up the slope (the link's, in the plane of the fall line)
/// iff tan(beta - phi) <= H / (m g) <= tan(beta + phi), phi = atan(mu_s): the block on an incline. In a valley
/// z = a x^2 with masses at -x0 and x0 the link pushes both with the same H, so they rest iff the heavier one is
/// at most this many times as heavy as the other.
inline double largest_resting_mass_ratio(double slope, double static_friction) {
  const double phi = std::atan(static_friction);
  return std::tan(slope + phi) / std::tan(slope - phi);
}

}  // namespace scree::pair_cases
