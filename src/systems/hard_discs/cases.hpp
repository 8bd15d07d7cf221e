// What equilibrium says of hard discs in a box: rates of hits, free path, pressure, speeds. For the host (tests and
// `verify`), in plain double. N equal discs of mass m and diameter D; a and b are the sides of the area A = a b of
// their centres, L - D each; K is the energy, V = sqrt(2 K / m) the length of the vector of all 2 N components of
// velocity.
//
// In equilibrium that vector is uniform on its sphere, and the centres are uniform where no two discs overlap. Elastic
// discs in a box keep nothing but the energy, so a long run of one sample and an ensemble both come to this.
//
// Sources: Gass, J. Chem. Phys. 54 (1971) 1898 (the theory of Chapman and Enskog for discs); Henderson, Molecular
// Physics 30 (1975) 971 (crowding). What is exact for two discs was derived for this program.
#pragma once

#include <cmath>

namespace scree::hard_discs_cases {

inline constexpr double pi = 3.14159265358979323846;

// ---------------------------------------------------------------------------------------------------------------------
// Speeds

/// Mean |u| of a component u of a uniform unit vector of 2 N components: Gamma(N) / (sqrt(pi) Gamma(N + 1/2)).
inline double mean_component(double discs) {
  return std::exp(std::lgamma(discs) - std::lgamma(discs + 0.5)) / std::sqrt(pi);
}
/// Part of the discs that are slower than `speed`: v^2 / V^2 has the law Beta(1, N - 1), and Maxwell's for large N.
inline double slower_than(double discs, double speed, double all_speed) {
  const double part = speed / all_speed;
  return part >= 1 ? 1 : -std::expm1((discs - 1) * std::log1p(-part * part));
}
/// Mean v^4 over the square of the mean v^2.
inline double flatness(double discs) { return 2 * discs / (discs + 1); }

// ---------------------------------------------------------------------------------------------------------------------
// Kinetic theory, for many discs

/// How much more often than points discs are found in contact, because the others leave them less room; eta is the
/// covered part of the box.
inline double crowding(double eta) { return (1 - 7 * eta / 16) / ((1 - eta) * (1 - eta)); }

/// Mean free path, m: the way of a disc over its hits of other discs.
inline double free_path(double discs, double diameter, double a, double b, double eta) {
  return a * b / (2 * std::sqrt(2.0) * (discs - 1) * diameter * crowding(eta));
}
/// Part of the directions in which a disc that is anywhere in A could have another one in contact: beside the walls
/// they are fewer. The free path above lacks the factor 1 / wall_share, which comes to 1 in a large box only as D / a.
inline double wall_share(double diameter, double a, double b) {
  return 1 - (2 / pi) * diameter * (a + b) / (a * b) + diameter * diameter / (pi * a * b);
}

/// Hits of the wall per second of points with the same energy.
inline double wall_rate(double discs, double a, double b, double energy, double mass) {
  return discs * std::sqrt(2 * energy / mass) * mean_component(discs) * (1 / a + 1 / b);
}
/// How much more often discs are at the wall than points: a disc there leaves half of its neighbourhood to the others
/// outside. To first order in the density.
inline double wall_crowding(double discs, double diameter, double a, double b) {
  return 1 + (discs - 1) * pi * diameter * diameter / (2 * a * b);
}

// ---------------------------------------------------------------------------------------------------------------------
// Two discs, exactly

/// For D <= a, b.
struct TwoDiscs {
  double diameter, a, b, energy, mass;

  double area() const { return a * b; }
  double speed() const { return std::sqrt(2 * energy / mass); }
  /// Integral over the places of both of what keeps them apart: A^2 without the pairs of points nearer than D.
  double places() const {
    const double d = diameter;
    return area() * area() - (pi * d * d * area() - 4.0 / 3 * d * d * d * (a + b) + 0.5 * d * d * d * d);
  }
  /// Hits of the two per second: their contacts, D times the directions in which both are inside, averaged over places,
  /// times the mean closing speed sqrt(2) V mean |u| / 2.
  double pair_rate() const {
    const double d = diameter, contacts = d * (2 * pi * area() - 4 * d * (a + b) + 2 * d * d);
    return contacts / places() * std::sqrt(0.5) * speed() * mean_component(2);
  }
  double free_path() const {
    // Mean speed of one: V Gamma(3/2) Gamma(2) / Gamma(5/2), which is pi / 2 mean |u|.
    return 0.5 * pi * mean_component(2) * speed() / pair_rate();
  }
  /// Density at the wall across a side of the length `along`, over the mean: half a neighbourhood is outside, less what
  /// the corners take.
  double at_wall(double along) const {
    const double d = diameter;
    return area() * (area() - pi * d * d / 2 + 2 * d * d * d / (3 * along)) / places();
  }
  double wall_rate() const { return 2 * speed() * mean_component(2) * (at_wall(b) / a + at_wall(a) / b); }
  /// Impulse on all four walls per second, N: each side's pairs of walls take 2 K / a of points.
  double wall_force() const { return 2 * energy * (at_wall(b) / a + at_wall(a) / b); }
};

// ---------------------------------------------------------------------------------------------------------------------
// One disc

/// Coordinate after the time t of a point that starts at x with the velocity v between walls at -room and room.
inline double folded(double x, double v, double room, double t) {
  double y = std::fmod(x + room + v * t, 4 * room);
  if (y < 0) y += 4 * room;
  return (y > 2 * room ? 4 * room - y : y) - room;
}

}  // namespace scree::hard_discs_cases
