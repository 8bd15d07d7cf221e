// The explicit midpoint rule, order 2 (Runge 1895; Hairer, Norsett and Wanner, eq II.1.4):
//
//   0   |
//   1/2 | 1/2
//       | 0    1
#pragma once

#include "state.hpp"

namespace scree {

struct Rk2Midpoint {
  static constexpr const char* name = "rk2_midpoint";
  static constexpr const char* meaning = "Runge-Kutta, order 2: explicit midpoint rule (Runge 1895)";

  /// State after a step h of y' = f(y); k1 = f(y).
  template <class Real, class State, class F>
  ALWAYS_INLINE static State step(const State& y, const State& k1, const Real& h, const F& f) {
    return add_scaled(y, h, f(add_scaled(y, Real(0.5) * h, k1)));
  }
};

}  // namespace scree
