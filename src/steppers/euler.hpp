// Euler's method, order 1 (Euler 1768):  y1 = y + h f(y).
#pragma once

#include "state.hpp"

namespace scree {

struct Euler {
  static constexpr const char* name = "euler";
  static constexpr const char* meaning = "Euler's explicit method, order 1";

  /// State after a step h of y' = f(y); k1 = f(y).
  template <class Real, class State, class F>
  ALWAYS_INLINE static State step(const State& y, const State& k1, const Real& h, const F&) {
    return add_scaled(y, h, k1);
  }
};

}  // namespace scree
