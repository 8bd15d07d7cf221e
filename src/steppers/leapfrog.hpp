// Leapfrog, also called velocity Verlet or Stoermer-Verlet, order 2, in its kick-drift-kick form (Verlet, Phys. Rev.
// 159 (1967) 98; Hairer, Lubich and Wanner, Geometric Numerical Integration, eq I.1.17):
//
//   v12 = v + h/2 a(x),   x1 = x + h v12,   v1 = v12 + h/2 a(x1)
//
// Symplectic and reversible where the acceleration depends on the positions alone, which is what it is for.
#pragma once

#include "state.hpp"

namespace scree {

struct Leapfrog {
  static constexpr const char* name = "leapfrog";
  static constexpr const char* meaning =
      "leapfrog (velocity Verlet), order 2, symplectic: for forces of position alone";

  /// f is evaluated once a step, at the new positions: the accelerations found there are those of the next k1.
  static constexpr bool evaluates_end = true;

  /// State after a step h of y' = f(y); k1 = f(y). The state lists positions first, then their velocities.
  template <class Real, class State, class F>
  ALWAYS_INLINE static State step(const State& y, const State& k1, const Real& h, const F& f) {
    constexpr int half = positions<Real, State>;
    const Real half_h = Real(0.5) * h;
    State next = y;
    Real* to = reinterpret_cast<Real*>(&next);
    const Real* slope = reinterpret_cast<const Real*>(&k1);
    for (int i = half; i < 2 * half; ++i) to[i] = fma(half_h, slope[i], to[i]);
    for (int i = 0; i < half; ++i) to[i] = fma(h, to[half + i], to[i]);
    const State k2 = f(next);
    const Real* end = reinterpret_cast<const Real*>(&k2);
    for (int i = half; i < 2 * half; ++i) to[i] = fma(half_h, end[i], to[i]);
    return next;
  }
};

}  // namespace scree
