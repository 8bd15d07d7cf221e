// What the steppers for smooth systems know of a state: it is made of Reals, and can be added to.
//
// Each of them offers
//   State step(y, k1, h, f)   the state after a step h of y' = f(y), where k1 = f(y): a system that has evaluated f at
//                             the step's beginning, to look for events, does not pay for it twice
// A State of a mechanical system lists its positions first, then their velocities, equally many. It may carry further
// numbers behind these, as an integral along the way; it then says how many positions it has, as State::positions.
#pragma once

#include <cstddef>
#include <utility>

#include "../real.hpp"

namespace scree {

/// Reals in a state.
template <class Real, class State>
inline constexpr int state_size = static_cast<int>(sizeof(State) / sizeof(Real));

namespace detail {
template <class Real, class State>
constexpr int positions_of() {
  if constexpr (requires { State::positions; }) return State::positions;
  static_assert(
      state_size<Real, State> % 2 == 0 || requires { State::positions; }, "as many velocities as positions");
  return state_size<Real, State> / 2;
}
}  // namespace detail

/// Positions in a state, and as many velocities behind them.
template <class Real, class State>
inline constexpr int positions = detail::positions_of<Real, State>();

namespace detail {
// Unrolled by hand: g++ -O2 leaves the loop, and with it a pack's state in memory.
template <class Real, std::size_t... i>
ALWAYS_INLINE void add_scaled(Real* to, const Real& s, const Real* slope, std::index_sequence<i...>) {
  ((to[i] = fma(s, slope[i], to[i])), ...);
}
}  // namespace detail

/// y + s k, component by component.
template <class Real, class State>
ALWAYS_INLINE State add_scaled(const State& y, const Real& s, const State& k) {
  static_assert(sizeof(State) % sizeof(Real) == 0, "a state is made of Reals");
  State sum = y;
  detail::add_scaled(reinterpret_cast<Real*>(&sum), s, reinterpret_cast<const Real*>(&k),
                     std::make_index_sequence<sizeof(State) / sizeof(Real)>{});
  return sum;
}

/// (a + b) / 2, component by component.
template <class Real, class State>
ALWAYS_INLINE State middle_of(const State& a, const State& b) {
  State middle = a;
  Real* out = reinterpret_cast<Real*>(&middle);
  const Real* other = reinterpret_cast<const Real*>(&b);
  for (int i = 0; i < state_size<Real, State>; ++i) out[i] = Real(0.5) * (out[i] + other[i]);
  return middle;
}

}  // namespace scree
