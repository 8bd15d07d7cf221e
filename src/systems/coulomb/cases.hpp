// Closed forms of bodies under inverse-square forces: what the schemes must reproduce. For the host (tests and
// `verify`).
//
// Sources: Wisdom and Hernandez, Mon. Not. R. Astron. Soc. 453 (2015) 3015 (Kepler's equation in universal variables);
// Goldstein, Classical Mechanics, 3rd ed., section 3.10 (Rutherford), in two dimensions.
#pragma once

#include <cmath>

#include "../../vec.hpp"

namespace scree::coulomb_cases {

/// The relative motion r'' = -mu r / |r|^3 of two bodies, mu in m^3/s^2: > 0 attracts, < 0 repels; mu = -(A_01 + A_10).
/// Ellipses and both kinds of hyperbola, not parabolas.
///
/// Kepler's equation for the universal variable X with beta = 2 mu / r0 - v0^2, eta = r0 . v0, zeta = mu - beta r0:
///   t = r0 X + eta G2 + zeta G3,   r = dt/dX = r0 + eta G1 + zeta G2,
/// where G0 = cos(sqrt(beta) X) (cosh for beta < 0), G1 = sin(sqrt(beta) X) / sqrt(beta), G2 = (1 - G0) / beta and
/// G3 = (X - G1) / beta; then r = f r0 + g v0 with f = 1 - mu G2 / r0 and g = t - mu G3.
class TwoBody {
 public:
  TwoBody(double mu, Vec2<double> r, Vec2<double> v)
      : mu_(mu), x_(r.x), y_(r.y), vx_(v.x), vy_(v.y), r0_(std::hypot(x_, y_)) {
    beta_ = 2 * mu_ / r0_ - (vx_ * vx_ + vy_ * vy_);
    eta_ = x_ * vx_ + y_ * vy_;
    zeta_ = mu_ - beta_ * r0_;
  }

  struct Place {
    long double x, y, vx, vy;
  };
  /// At a time t >= 0.
  Place at(long double t) const {
    // t(X) rises, since r > 0: bisection between bounds, then Newton's rule.
    long double low = 0, high = 1;
    while (time(high) < t) high *= 2;
    for (int k = 0; k < 40; ++k) {
      const long double middle = (low + high) / 2;
      (time(middle) < t ? low : high) = middle;
    }
    long double x = (low + high) / 2;
    for (int k = 0; k < 4; ++k) x -= (time(x) - t) / distance(x);
    const G g = functions(x);
    const long double r = distance(x), f = 1 - mu_ * g.two / r0_, h = t - mu_ * g.three;
    const long double df = -mu_ * g.one / (r * r0_), dh = 1 - mu_ * g.two / r;
    return {f * x_ + h * vx_, f * y_ + h * vy_, df * x_ + dh * vx_, df * y_ + dh * vy_};
  }
  /// Of an ellipse.
  double period() const { return static_cast<double>(2 * std::acos(-1.0L) * mu_ / (beta_ * std::sqrt(beta_))); }

 private:
  struct G {
    long double one, two, three;
  };
  G functions(long double x) const {
    const long double root = std::sqrt(std::fabs(beta_)), a = root * x;
    const long double zero = beta_ > 0 ? std::cos(a) : std::cosh(a);
    const long double one = (beta_ > 0 ? std::sin(a) : std::sinh(a)) / root;
    return {one, (1 - zero) / beta_, (x - one) / beta_};
  }
  long double time(long double x) const {
    const G g = functions(x);
    return r0_ * x + eta_ * g.two + zeta_ * g.three;
  }
  long double distance(long double x) const {
    const G g = functions(x);
    return r0_ + eta_ * g.one + zeta_ * g.two;
  }

  long double mu_, x_, y_, vx_, vy_, r0_, beta_, eta_, zeta_;
};

/// Angle by which a body that comes from infinity with the speed v at the impact parameter b is turned by a centre with
/// the coupling A: tan(theta / 2) = |A| / (v^2 b).
inline double rutherford_angle(double coupling, double speed, double impact_parameter) {
  return 2 * std::atan(std::fabs(coupling) / (speed * speed * impact_parameter));
}

/// n equal masses G m at the corners of a regular polygon of radius R about their centre turn rigidly with this angular
/// velocity: omega^2 = G m / (4 R^3) sum_{k=1}^{n-1} 1 / sin(pi k / n).
inline double polygon_spin(int n, double gm, double radius) {
  double sum = 0;
  for (int k = 1; k < n; ++k) sum += 1 / std::sin(std::acos(-1.0) * k / n);
  return std::sqrt(gm * sum / (4 * radius * radius * radius));
}

}  // namespace scree::coulomb_cases
