// Euler-Cromer, the semi-implicit Euler method, order 1 (Cromer, Am. J. Phys. 49 (1981) 455; symplectic Euler in
// Hairer, Lubich and Wanner, Geometric Numerical Integration, eq I.1.9): the new velocity moves the position.
//
//   v1 = v + h a(x, v),   x1 = x + h v1
#pragma once

#include "state.hpp"

namespace scree {

struct EulerCromer {
  static constexpr const char* name = "euler_cromer";
  static constexpr const char* meaning =
      "Euler-Cromer (semi-implicit Euler), order 1: the new velocity moves the position";

  /// State after a step h of y' = f(y); k1 = f(y). The state lists positions first, then their velocities.
  template <class Real, class State, class F>
  ALWAYS_INLINE static State step(const State& y, const State& k1, const Real& h, const F&) {
    constexpr int half = positions<Real, State>;
    State next = add_scaled(y, h, k1);
    Real* to = reinterpret_cast<Real*>(&next);
    const Real* from = reinterpret_cast<const Real*>(&y);
    for (int i = 0; i < half; ++i) to[i] = fma(h, to[half + i], from[i]);
    return next;
  }
};

}  // namespace scree
