// Flight under a constant pull g with drag in proportion to the velocity, in closed form.
//
//   r'' = g - a r'                                                                    (1)
//   E(t) = (1 - e^(-a t)) / a,   G(t) = (t - E) / a                                   (2)
//   r = r0 + v0 E + g G,   v = v0 e^(-a t) + g E                                      (3)
//
// E is a time, t for a = 0, and G is t^2 / 2 there. Below a t = 1/2, where the differences of (2) would lose digits,
// both follow from the series G / t^2 = 1/2 - a t / 6 + (a t)^2 / 24 - ..., with E = t - a G and e^(-a t) = 1 - a E.
#pragma once

#include "elementary.hpp"
#include "vec.hpp"

namespace scree {

template <class Real>
struct DragFactors {
  Real e, g, decay;  // E in s, G in s^2, e^(-a t)
};

/// Equation (2) for a drag a >= 0 (1/s) and a time t >= 0 (s).
template <class Real>
HOST_DEVICE inline DragFactors<Real> drag_factors(const Real& drag, const Real& t) {
  const Real one = Real(1.0), u = drag * t;
  const Mask<Real> near = u < Real(0.5);
  // Coefficients (-1)^k / (k + 2)!; the first that is left out is 3e-18 at u = 1/2.
  const Real series = polynomial(u, -1.0 / 1307674368000.0, 1.0 / 87178291200.0, -1.0 / 6227020800.0, 1.0 / 479001600.0,
                                 -1.0 / 39916800.0, 1.0 / 3628800.0, -1.0 / 362880.0, 1.0 / 40320.0, -1.0 / 5040.0,
                                 1.0 / 720.0, -1.0 / 120.0, 1.0 / 24.0, -1.0 / 6.0, 0.5);
  DragFactors<Real> factors;
  factors.g = (t * t) * series;
  factors.e = fma(-drag, factors.g, t);
  factors.decay = fma(-drag, factors.e, one);
  if (any(!near)) {
    const Real safe = select(near, one, drag), lost = expm1(-u), e = -lost / safe;
    factors.e = select(near, factors.e, e);
    factors.g = select(near, factors.g, (t - e) / safe);
    factors.decay = select(near, factors.decay, one + lost);
  }
  return factors;
}

template <class Real>
struct Flight {
  Vec2<Real> shift, velocity;  // r - r0 in m, v in m/s
};

/// Equation (3): where a flight from the velocity v0 under the pull g (m/s^2) has got to.
template <class Real>
HOST_DEVICE inline Flight<Real> drag_flight(const Vec2<Real>& velocity, const Vec2<Real>& pull, const Real& drag,
                                            const Real& t) {
  const DragFactors<Real> f = drag_factors(drag, t);
  return {{fma(velocity.x, f.e, pull.x * f.g), fma(velocity.y, f.e, pull.y * f.g)},
          {fma(velocity.x, f.decay, pull.x * f.e), fma(velocity.y, f.decay, pull.y * f.e)}};
}

}  // namespace scree
