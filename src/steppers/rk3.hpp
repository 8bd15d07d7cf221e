// Kutta's method of order 3 (Kutta 1901; Hairer, Norsett and Wanner, section II.1):
//
//   0   |
//   1/2 | 1/2
//   1   | -1   2
//       | 1/6  2/3  1/6
#pragma once

#include "state.hpp"

namespace scree {

struct Rk3 {
  static constexpr const char* name = "rk3";
  static constexpr const char* meaning = "Runge-Kutta, order 3 (Kutta 1901)";

  /// State after a step h of y' = f(y); k1 = f(y).
  template <class Real, class State, class F>
  ALWAYS_INLINE static State step(const State& y, const State& k1, const Real& h, const F& f) {
    const Real sixth = Real(1.0 / 6.0) * h, two_thirds = Real(2.0 / 3.0) * h;
    const State k2 = f(add_scaled(y, Real(0.5) * h, k1));
    const State k3 = f(add_scaled(add_scaled(y, -h, k1), Real(2.0) * h, k2));
    return add_scaled(add_scaled(add_scaled(y, sixth, k1), two_thirds, k2), sixth, k3);
  }
};

}  // namespace scree
