// A root between two points where a function differs in sign.
//
// The rule of false position in the Illinois variant (Dowell and Jarratt, BIT 11 (1971) 168): the value at an end that
// stays for a second time is halved, so that both ends close in on the root, with order 1.44. In bracketed_root
// every third step is a bisection, which bounds the number of steps for any function.
#pragma once

#include "real.hpp"

namespace scree {

/// Two points between which f has a root: f >= 0 at `above`, f < 0 at `below`.
template <class Real>
struct Bracket {
  Real above, f_above, below, f_below;
  Real last = Real(0.0);  // 1 or -1: which end moved last

  /// Takes a point x between the ends, where f is y, as the end of its sign; lanes where it is to be neither stay as
  /// they are. An end that stays for a second time has its value halved.
  ALWAYS_INLINE void take(const Real& x, const Real& y, const Mask<Real>& moves_above, const Mask<Real>& moves_below) {
    const Real half = Real(0.5), end = Real(1.0);
    f_below = select(moves_below, y, select(moves_above & (last == end), half * f_below, f_below));
    f_above = select(moves_above, y, select(moves_below & (last == -end), half * f_above, f_above));
    above = select(moves_above, x, above);
    below = select(moves_below, x, below);
    last = select(moves_above, end, select(moves_below, -end, last));
  }
};

/// The last point known to have f >= 0, next to a root of f between `above`, where f is `f_above` >= 0, and `below`,
/// where it is `f_below` < 0: the two are then 2^-52 of their size apart, or `finest`. Lanes that are not `wanted` give
/// `above`. Each lane does the same whatever its neighbours do.
template <class Real, class F>
HOST_DEVICE inline Real bracketed_root(Real above, Real f_above, Real below, Real f_below, const Mask<Real>& wanted,
                                       const Real& finest, const F& f) {
  const Real zero = Real(0.0), half = Real(0.5);
  Bracket<Real> ends{above, f_above, below, f_below};
  const auto apart = [&] {
    return abs(ends.below - ends.above) > larger(finest, Real(0x1p-52) * larger(abs(ends.above), abs(ends.below)));
  };
  Mask<Real> active = wanted & apart();
  SCREE_ROLLED
  for (int k = 0; k < 300 && any(active); ++k) {
    const Real width = ends.below - ends.above, middle = fma(half, width, ends.above);
    Real x = middle;
    if (k % 3 != 2) {
      const Real secant = fma(ends.f_above / (ends.f_above - ends.f_below), width, ends.above);
      const Mask<Real> inside = (secant - ends.above) * (secant - ends.below) < zero;
      x = select(inside, secant, middle);
    }
    const Real y = f(x);
    ends.take(x, y, active & (y >= zero), active & !(y >= zero));
    active = active & apart() & (y != zero);
  }
  return ends.above;
}

}  // namespace scree
