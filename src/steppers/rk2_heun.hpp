// Heun's method of order 2, the explicit trapezoidal rule (Heun 1900; Butcher, Numerical Methods for ODEs, section
// 232):
//
//   0 |
//   1 | 1
//     | 1/2  1/2
#pragma once

#include "state.hpp"

namespace scree {

struct Rk2Heun {
  static constexpr const char* name = "rk2_heun";
  static constexpr const char* meaning = "Runge-Kutta, order 2: Heun's trapezoidal rule (Heun 1900)";

  /// State after a step h of y' = f(y); k1 = f(y).
  template <class Real, class State, class F>
  ALWAYS_INLINE static State step(const State& y, const State& k1, const Real& h, const F& f) {
    const Real half = Real(0.5) * h;
    const State k2 = f(add_scaled(y, h, k1));
    return add_scaled(add_scaled(y, half, k1), half, k2);
  }
};

}  // namespace scree
