// Closed forms of rocks: what the scheme must reproduce, each with its derivation. For the host (tests and `verify`),
// in plain double.
//
// A block has mass m, its centre of mass at the height r above a plane of slope alpha and at the distance b from the
// edge or corner below it, moment of inertia Theta about the horizontal axis across the slope. Friction is constant
// unless said. h is the step; "exactly" means up to round-off in the midpoint scheme too.
//
// Sources: Leine et al., Multibody Syst. Dyn. 52 (2021) 431 [L21] and 32 (2014) 241 [L14].
#pragma once

#include <cmath>

namespace scree::rock_cases {

// ---------------------------------------------------------------------------------------------------------------------
// Sliding

/// Deceleration on level ground is mu g, so v0^2 = 2 mu g x.
inline double slide_distance(double v0, double mu, double g) { return v0 * v0 / (2 * mu * g); }

/// The same in Moreau's midpoint scheme, exactly. Each step takes mu g h from the speed and moves the block by the mean
/// of its two speeds, so its points lie on the parabola until the speed left, r = v0 - n mu g h, is less than a step
/// takes: then it sticks, and moves on by h r / 2. Longer than v0^2 / (2 mu g) by r h / 2 - r^2 / (2 mu g), which is
/// between 0 and mu g h^2 / 8.
inline double slide_distance_midpoint(double v0, double mu, double g, double h) {
  const double rest = v0 - std::floor(v0 / (mu * g * h)) * (mu * g * h);
  return (v0 * v0 - rest * rest) / (2 * mu * g) + 0.5 * h * rest;
}

/// A block at rest stays where it is iff mu >= tan(alpha): weight along the slope is m g sin(alpha), friction at most
/// mu m g cos(alpha).
inline double stick_threshold(double slope) { return std::tan(slope); }

/// Down the slope, m/s^2. Constant, so the scheme has it exactly.
inline double slide_acceleration(double slope, double mu, double g) {
  return g * (std::sin(slope) - mu * std::cos(slope));
}

// ---------------------------------------------------------------------------------------------------------------------
// Impact

/// Newton's law: speed e v after an impact with v = sqrt(2 g height).
inline double bounce_height(double height, double e) { return e * e * height; }

/// Bound of | apex - e^2 height | in the scheme. A body of speed v at the gap z changes its velocity to -e v in the
/// step whose midpoint is the first in the ground, | z | < h v / 2, and ends it at the gap z - h v (1 - e) / 2. Flight
/// keeps energy exactly, so apex = e^2 (height - z) + z - h v (1 - e) / 2. The speed is that of the fall to z = 0 and
/// at most a step more.
inline double bounce_error(double height, double e, double g, double h) {
  const double v = std::sqrt(2 * g * height) + 0.5 * g * h + g * h;
  return 0.5 * h * v * ((1 - e * e) + (1 - e));
}

/// Most that an inelastic frictionless contact may add to the energy in a step. With gamma0 = W^T u_k and gamma1 =
/// gamma0 + W^T Du + G P, where Du = -h g e_z is the velocity gained in free fall, the work is P.(gamma0 + gamma1) / 2,
/// and P.gamma1 = 0 makes it -P.G P / 2 - P.W^T Du / 2 <= Du.W G^-1 W^T Du / 8 <= m (g h)^2 / 8.
inline double inelastic_gain(double mass, double g, double h) { return 0.125 * mass * (g * h) * (g * h); }

// ---------------------------------------------------------------------------------------------------------------------
// Tipping

/// A block that does not slide tips iff the vertical through its centre of mass leaves its base.
inline bool stands(double slope, double b, double r) { return std::tan(slope) <= b / r; }

/// Angular acceleration about the lower edge, at the beginning: (Theta + m (b^2 + r^2)) phi'' = m g (r sin - b cos).
inline double tipping_acceleration(double slope, double b, double r, double inertia_over_mass, double g) {
  return g * (r * std::sin(slope) - b * std::cos(slope)) / (inertia_over_mass + b * b + r * r);
}

/// Forces on the upper and the lower corner of a block that slides down. They carry m g cos(alpha), and their moment
/// (lower - upper) b balances that of friction, mu m g cos(alpha) r. L14 section 5.1 has r = b.
struct CornerForces {
  double upper, lower;
};
inline CornerForces corner_forces(double mass, double g, double slope, double mu, double b, double r) {
  const double half = 0.5 * mass * g * std::cos(slope);
  return {half * (1 - mu * r / b), half * (1 + mu * r / b)};
}

/// Angular acceleration of a block that slides and, mu r > b, tips about its lower corner, at the beginning. The corner
/// stays on the plane, so the centre of mass rises with b phi'': N = m (g cos + b phi''), Theta phi'' = N (mu r - b).
inline double sliding_tipping_acceleration(double slope, double mu, double b, double r, double inertia_over_mass,
                                           double g) {
  const double arm = mu * r - b;
  return g * std::cos(slope) * arm / (inertia_over_mass - b * arm);
}

// ---------------------------------------------------------------------------------------------------------------------
// Scarring friction, mu(s) = low + 2/pi (high - low) atan(kappa s), L14 eq (46)

struct Scarring {
  double low, high, kappa;

  /// Length of the scar at which friction reaches mu.
  double length_at(double mu) const { return std::tan((mu - low) / (high - low) * std::acos(0.0)) / kappa; }

  /// Speed of a block after sliding down by s from rest: v dv/ds = g (sin - mu(s) cos), and the integral of
  /// atan(kappa s) is s atan(kappa s) - ln(1 + kappa^2 s^2) / (2 kappa).
  double speed_after(double s, double slope, double g) const {
    const double area = s * std::atan(kappa * s) - std::log1p(kappa * kappa * s * s) / (2 * kappa);
    const double friction = low * s + (high - low) / std::acos(0.0) * area;
    return std::sqrt(2 * g * (std::sin(slope) * s - std::cos(slope) * friction));
  }
};

}  // namespace scree::rock_cases
