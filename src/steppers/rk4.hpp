// The classical Runge-Kutta method of order 4 (Kutta 1901; Hairer, Norsett and Wanner, table II.1.2):
//
//   0   |
//   1/2 | 1/2
//   1/2 | 0    1/2
//   1   | 0    0    1
//       | 1/6  1/3  1/3  1/6
#pragma once

#include "state.hpp"

namespace scree {

struct Rk4 {
  static constexpr const char* name = "rk4";
  static constexpr const char* meaning = "Runge-Kutta, order 4 (Kutta 1901)";

  /// State after a step h of y' = f(y); k1 = f(y).
  template <class Real, class State, class F>
  ALWAYS_INLINE static State step(const State& y, const State& k1, const Real& h, const F& f) {
    const Real half = Real(0.5) * h, sixth = Real(1.0 / 6.0) * h, third = Real(1.0 / 3.0) * h;
    const State k2 = f(add_scaled(y, half, k1));
    const State k3 = f(add_scaled(y, half, k2));
    const State k4 = f(add_scaled(y, h, k3));
    return add_scaled(add_scaled(add_scaled(add_scaled(y, sixth, k1), third, k2), third, k3), sixth, k4);
  }
};

}  // namespace scree
