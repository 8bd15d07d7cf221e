// The implicit midpoint rule, order 2, symmetric and symplectic, keeps quadratic invariants (Hairer, Lubich and Wanner,
// Geometric Numerical Integration, eq I.1.7):
//
//   y1 = y + h f(m),   m = (y + y1) / 2 = y + h/2 f(m)
//
// m is found by fixed-point iteration from m = y + h/2 f(y), which contracts by h/2 |df/dy| a pass.
#pragma once

#include "state.hpp"

namespace scree {

struct ImplicitMidpoint {
  static constexpr const char* name = "implicit_midpoint";
  static constexpr const char* meaning = "implicit midpoint rule, order 2, symplectic";

  /// A pass changes nothing any more when it moves positions and velocities by less than this part of the largest
  /// position and velocity: some ten roundings.
  static constexpr double tolerance = 2e-15;
  static constexpr int most_passes = 100;

  /// State after a step h of y' = f(y); k1 = f(y). Not a number where the iteration does not converge: the step is too
  /// large for this method.
  template <class Real, class State, class F>
  ALWAYS_INLINE static State step(const State& y, const State& k1, const Real& h, const F& f) {
    constexpr int half = positions<Real, State>, all = state_size<Real, State>;
    const Real half_h = Real(0.5) * h;
    State middle = add_scaled(y, half_h, k1);
    auto active = h == h;
    SCREE_ROLLED
    for (int pass = 0; pass < most_passes && any(active); ++pass) {
      const State next = add_scaled(y, half_h, f(middle));
      const auto moved = change<Real>(next, middle, 0, half) | change<Real>(next, middle, half, 2 * half);
      Real* to = reinterpret_cast<Real*>(&middle);
      const Real* from = reinterpret_cast<const Real*>(&next);
      for (int i = 0; i < all; ++i) to[i] = select(active, from[i], to[i]);
      active = active & moved;
    }
    const Real zero = Real(0.0), none = zero / zero;
    State end = middle;
    Real* to = reinterpret_cast<Real*>(&end);
    const Real *at = reinterpret_cast<const Real*>(&middle), *from = reinterpret_cast<const Real*>(&y);
    for (int i = 0; i < all; ++i) to[i] = select(active, none, fma(Real(2.0), at[i], -from[i]));
    return end;
  }

 private:
  /// Whether components first to last - 1 still move.
  template <class Real, class State>
  HOST_DEVICE static Mask<Real> change(const State& a, const State& b, int first, int last) {
    const Real* x = reinterpret_cast<const Real*>(&a);
    const Real* y = reinterpret_cast<const Real*>(&b);
    Real difference = Real(0.0), size = Real(0.0);
    for (int i = first; i < last; ++i) {
      difference = larger(abs(x[i] - y[i]), difference);
      size = larger(abs(x[i]), size);
    }
    return difference > Real(tolerance) * size;
  }
};

}  // namespace scree
