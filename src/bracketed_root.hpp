// A root between two points where a function differs in sign.
//
// The rule of false position in the Illinois variant (Dowell and Jarratt, BIT 11 (1971) 168): the value at an end that
// stays for a second time is halved, so that both ends close in on the root, with order 1.44. Every third step is a
// bisection, which bounds the number of steps for any function.
#pragma once

#include "real.hpp"

namespace scree {

/// The last point known to have f >= 0, next to a root of f between `above`, where f is `f_above` >= 0, and `below`,
/// where it is `f_below` < 0: the two are then 2^-52 of their size apart, or `finest`. Lanes that are not `wanted` give
/// `above`. Each lane does the same whatever its neighbours do.
template <class Real, class F>
HOST_DEVICE inline Real bracketed_root(Real above, Real f_above, Real below, Real f_below, const Mask<Real>& wanted,
                                       const Real& finest, const F& f) {
  const Real zero = Real(0.0), half = Real(0.5);
  Real last = zero;  // 1 or -1: which end moved last
  const auto apart = [&] {
    return abs(below - above) > larger(finest, Real(0x1p-52) * larger(abs(above), abs(below)));
  };
  Mask<Real> active = wanted & apart();
  SCREE_ROLLED
  for (int k = 0; k < 300 && any(active); ++k) {
    const Real width = below - above, middle = fma(half, width, above);
    Real x = middle;
    if (k % 3 != 2) {
      const Real secant = fma(f_above / (f_above - f_below), width, above);
      const Mask<Real> inside = (secant - above) * (secant - below) < zero;
      x = select(inside, secant, middle);
    }
    const Real y = f(x);
    const Mask<Real> moves_above = active & (y >= zero), moves_below = active & !(y >= zero);
    const Real end = Real(1.0);
    f_below = select(moves_below, y, select(moves_above & (last == end), half * f_below, f_below));
    f_above = select(moves_above, y, select(moves_below & (last == -end), half * f_above, f_above));
    above = select(moves_above, x, above);
    below = select(moves_below, x, below);
    last = select(moves_above, end, select(moves_below, -end, last));
    active = active & apart() & (y != zero);
  }
  return above;
}

}  // namespace scree
