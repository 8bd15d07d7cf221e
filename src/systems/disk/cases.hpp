// Closed forms of the expanding disk: what its nodes must reproduce. For the host (tests and `verify`), in plain
// double.
//
// Sources: Ritter, Z. Ver. Dtsch. Ing. 36 (1892) 947 (the dam break); Riemann's method for the wave reflected at the
// centre; the virial theorem.
#pragma once

#include <cmath>
#include <vector>

namespace scree::disk_cases {

inline const double pi = std::acos(-1.0);

/// The dam break in one dimension, until sound has reached the centre (t <= R0 / V), and the data at t0 that the disk
/// takes from it in two. n(0) m / g = V^2.
struct Ritter {
  double radius, speed, start;  // R0, V, t0

  double front(double t) const { return radius + 2 * speed * t; }
  /// Where the particle is at the time t that was at x at the time `start`.
  double path(double x, double t) const {
    const double inner = radius - speed * start;  // the fan's edge
    if (x >= inner) return front(t) + (x - front(start)) * std::pow(t / start, 2.0 / 3.0);
    const double entry = (radius - x) / speed;  // at rest until then
    return t <= entry ? x : front(t) - 3 * speed * entry * std::pow(t / entry, 2.0 / 3.0);
  }
  /// Kinetic part of the energy; exact for t <= R0 / V.
  double kinetic_share(double t) const { return 0.4 * speed * t / radius; }
  /// How much faster than 2 V the front node of a mesh becomes whose first cell has the width w: row 0 of equation (3)
  /// is first order.
  double front_excess(double w, double t) const { return w / (6 * start) * (1 - std::cbrt(start / t)); }
};

/// Complete elliptic integral of the second kind of the parameter m = k^2, by the arithmetic-geometric mean (Abramowitz
/// and Stegun 17.6).
inline double elliptic_e(double m) {
  double a = 1, b = std::sqrt(1 - m), sum = m / 2, power = 1;  // sum of 2^(n-1) c_n^2
  for (int n = 0; n < 40 && std::fabs(a - b) > 1e-16 * a; ++n) {
    const double c = (a - b) / 2, mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
    sum += power * c * c;
    power *= 2;
  }
  return pi / (2 * a) * (1 - sum);
}

/// n(0, t) / n(0, 0) at the wall in one dimension, t >= R0 / V, tau = V t / R0: the s^2 of
///   s^2 tau = (2/pi) E(m = 1 - s^2),
/// which Riemann's solution collapses to there. The left side less the right one rises with s.
inline double wall_density(double tau) {
  double low = 0, high = 1;
  for (int i = 0; i < 200; ++i) {
    const double s2 = (low + high) / 2;
    (s2 * tau < 2 / pi * elliptic_e(1 - s2) ? low : high) = s2;
  }
  return (low + high) / 2;
}

/// Share of the particles that are slower than u = x V for t to infinity, in one dimension: the velocities of a half
/// are distributed as dN/du = n0 R0 / (pi V^2) sqrt(4 V^2 - u^2), 0 <= u <= 2 V.
inline double semicircle_share(double x) { return (0.5 * x * std::sqrt(4 - x * x) + 2 * std::asin(0.5 * x)) / pi; }
/// Its inverse: the velocity over V that a share of the particles does not reach.
inline double semicircle_velocity(double share) {
  double low = 0, high = 2;
  for (int i = 0; i < 200; ++i) {
    const double x = (low + high) / 2;
    (semicircle_share(x) < share ? low : high) = x;
  }
  return (low + high) / 2;
}

/// The continuum in two dimensions that starts at t0 from Ritter's data, over the whole disk, for R0 = V = g/m = 1 and
/// e = t0: particles, E/m, and I = int n r^2 dA with its rate. I is a parabola in time for ever (virial).
struct Virial {
  double mass, energy, moment, rate, start;

  explicit Virial(double e) : start(e) {
    const double a = 1 - e, b = 1 + 2 * e, l = 3 * e;
    mass = pi * (1 + e * e / 2);
    energy = pi / 2 * (1 + 0.8 * e * e);
    moment = 2 * pi * (a * a * a * a / 4 + l * (b * b * b / 3 - 3 * b * b * l / 4 + 3 * b * l * l / 5 - l * l * l / 6));
    rate = 8 * pi * l * (b * b / 12 - b * l / 10 + l * l / 30);
  }
  double moment_at(double t) const {
    const double s = t - start;
    return moment + rate * s + 2 * energy * s * s;
  }
  /// rms velocity for t to infinity.
  double final_speed() const { return std::sqrt(2 * energy / mass); }
};

/// A disk that keeps its shape: x_i(t) = lambda(t) x_i(0) from rest, exactly, on any mesh, if
///   n_{1/2} = kappa (m/g) x_0 (x_0 - x_{1/2}),  n_{i+1/2} = n_{i-1/2} + kappa (m/g) x_i (x_{i-1/2} - x_{i+1/2}),
/// for then a_i = kappa x_i. The equations of lambda: lambda'' = kappa / lambda^(d+1), so
///   lambda = sqrt(1 + kappa t^2) in two dimensions, lambda'^2 = 2 kappa (1 - 1/lambda) in one.
struct Homothetic {
  int dimension;
  double kappa;

  /// Q of the cells of a mesh, for any g/m.
  std::vector<double> q(const std::vector<double>& x) const {
    std::vector<double> result;
    double density = 0, outer = x[0];
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double inner = i + 1 < x.size() ? x[i + 1] : 0, middle = (x[i] + inner) / 2;
      density += kappa * x[i] * (outer - middle);
      outer = middle;
      result.push_back(2 * density * (x[i] - inner) * (dimension == 2 ? x[i] + inner : 1));
    }
    return result;
  }
  /// lambda, the time t after the rest.
  double scale(double t) const {
    if (dimension == 2) return std::sqrt(1 + kappa * t * t);
    // t = (sqrt(l (l - 1)) + ln(sqrt(l) + sqrt(l - 1))) / sqrt(2 kappa), which rises with l
    double low = 1, high = 1 + std::sqrt(2 * kappa) * t;
    for (int i = 0; i < 200; ++i) {
      const double l = (low + high) / 2;
      const double at = (std::sqrt(l * (l - 1)) + std::log(std::sqrt(l) + std::sqrt(l - 1))) / std::sqrt(2 * kappa);
      (at < t ? low : high) = l;
    }
    return (low + high) / 2;
  }
  /// lambda'.
  double rate(double t) const {
    const double l = scale(t);
    return dimension == 2 ? kappa * t / l : std::sqrt(2 * kappa * (1 - 1 / l));
  }
};

}  // namespace scree::disk_cases
