// Events within the steps of a system with smooth equations of motion: a ball that meets the ground, a pendulum that
// passes its lowest point.
//
// The system says with `event` how far it is from one: there is an event where this falls below 0. It is located within
// the step, which is repeated for it with a part of its length (bracketed_root.hpp), so that its time and state have
// the order of the scheme. What becomes of the state there, `at_event` says: an impact turns the velocity round, a
// passage leaves it as it is. From there the rest of the step is taken, which may have the next event.
//
// Where the state goes through 0 nothing more happens until `event` has been >= 0 again. Where it leaves on the side
// that it came from, the next event is the next root, the one at the beginning being divided out. What falls below 0
// and comes back within a step has no event.
//
// Source: Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, 2nd ed., section II.6, for events of
// Runge-Kutta methods; steps of a part of the length in place of their interpolation.
#pragma once

#include "bracketed_root.hpp"
#include "endings.hpp"
#include "steppers/state.hpp"

namespace scree {

/// A system with smooth equations of motion that has events:
///   Real event(world, params, state);         an event is where this falls below 0, in any unit
///   Mask at_event(world, params, state&, t, summary&);
///                                             what becomes of the state, at t s since the release, and of the summary;
///                                             where it is true the sample ends, as `stopped`
template <class System>
concept HasEvents = requires(const World& world, const typename System::Params& params,
                             const typename System::State& state) {
  System::event(world, params, state);
};

/// Of one step; a sample that would have more ends at the last of these, as `not_converged`. A bouncing ball with a
/// rebound too slow to matter ends; one that does not would need any number.
inline constexpr int most_events = 1000;

/// What one step leaves for the events of the next: a struct of Reals.
template <class Real>
struct EventWatch {
  Real value;  // of `event` at the state
  Real rate;   // of `event` there, 1/s, where `fresh`
  Real armed;  // 1: the next time that it falls below 0 is an event; 0: not before it has been >= 0
  Real fresh;  // 1: at the state is an event
  Real ended;  // when in the last step an event ended the sample, s; -1: none has

  HOST_DEVICE static EventWatch begin(const Real& value) {
    const Real zero = Real(0.0), one = Real(1.0);
    return {value, zero, one, zero, -one};
  }
  /// At the end of a step, where `event` is `last`. What has just gone through 0, and by roundings is not below it yet,
  /// has not come back.
  ALWAYS_INLINE void arm(const Real& last) {
    armed = select((last >= Real(0.0)) & (last > value), Real(1.0), armed);
    value = last;
  }
};

namespace detail {

/// Components of `a` where the condition holds, else of `b`: of structs of Reals.
template <class Real, class State>
ALWAYS_INLINE State chosen(const Mask<Real>& condition, const State& a, const State& b) {
  State result = b;
  Real* to = reinterpret_cast<Real*>(&result);
  const Real* from = reinterpret_cast<const Real*>(&a);
  for (int i = 0; i < state_size<Real, State>; ++i) to[i] = select(condition, from[i], to[i]);
  return result;
}

/// The rest of a step from `before`, where lanes that `meet` an event have one before `end`, the state at the step's
/// end, where `event` is `last`.
template <class Scheme, class System, class Lane, class State, class Real, class F>
SCREE_APART HOST_DEVICE void meet_events(const World& world, Lane& lane, State before, Real last, Mask<Real> meet,
                                         const F& f) {
  const Real zero = Real(0.0), one = Real(1.0), h = Real(world.step), finest = Real(world.step * 0x1p-60);
  auto& watch = lane.watch;
  Real gone = zero;  // of the step, at `before`
  for (int events = 0; any(meet); ++events) {
    if (events == most_events) {
      // At the last event: without those to come it would go on to where no event lets it.
      lane.state = chosen<Real>(meet, before, lane.state);
      watch.ended = select(meet, gone, watch.ended);
      end_where<Real>(lane, Status::not_converged, meet);
      break;
    }
    const State slope = f(before);
    const auto after = [&](const Real& tau) { return Scheme::step(before, slope, tau, f); };
    const Mask<Real> fresh = watch.fresh > zero;
    const Real base = select(fresh, watch.value, zero), rest = h - gone;
    const auto value = [&](const Real& tau) {
      return (System::event(world, lane.params, after(tau)) - base) / select(fresh, tau, one);
    };
    const Real tau = bracketed_root(zero, select(fresh, watch.rate, watch.value), rest,
                                    (last - base) / select(fresh, rest, one), meet, finest, value);
    const State root = after(tau);
    State at = root;
    auto summary = lane.summary;
    const Real now = gone + tau;
    const Mask<Real> ends = meet & System::at_event(world, lane.params, at, fma(h, lane.steps, now), summary);
    before = chosen<Real>(meet, at, before);
    lane.summary = chosen<Real>(meet, summary, lane.summary);
    gone = select(meet, now, gone);

    // Whether it leaves, in a straight line: over a part of a step, or, as there may be a crease or a bend so near,
    // over one that is little more than roundings.
    const State away = f(before);
    const Real here = System::event(world, lane.params, before), part = Real(world.step * 0x1p-4);
    const auto there = [&](const Real& tau) {
      return System::event(world, lane.params, scree::add_scaled(before, tau, away));
    };
    const Real rate = (there(part) - here) / part;
    const Mask<Real> leaves = (rate > zero) | (there(Real(world.step * 0x1p-24)) > here);
    // Where at_event put it elsewhere there is no root at the beginning.
    const Mask<Real> moved = here > System::event(world, lane.params, root);
    watch.value = select(meet, here, watch.value);
    watch.rate = select(meet, select(leaves, abs(rate), rate), watch.rate);
    watch.armed = select(meet, select(leaves | moved, one, zero), watch.armed);
    watch.fresh = select(meet, select(moved, zero, one), watch.fresh);
    watch.ended = select(ends, gone, watch.ended);
    end_where<Real>(lane, Status::stopped, ends);

    const State end = Scheme::step(before, away, h - gone, f);
    lane.state = chosen<Real>(meet, chosen<Real>(ends, before, end), lane.state);
    last = select(meet, select(ends, here, System::event(world, lane.params, end)), last);
    meet = meet & !ends & (watch.armed > zero) & (last < zero) & (last < here) & (gone < h);
  }
  // An event at the very end of the step is the beginning of the next.
  watch.fresh = select(gone < h, zero, watch.fresh);
  watch.arm(last);
}

}  // namespace detail

/// One step of the length world.step of a lane with `state`, `summary`, `steps`, `status` and a `watch`, with its
/// events; f is the right-hand side.
template <class Scheme, class System, class Lane, class F>
HOST_DEVICE inline void step_with_events(const World& world, Lane& lane, const F& f) {
  using Real = std::remove_cvref_t<decltype(lane.steps)>;
  const Real zero = Real(0.0);
  const auto before = lane.state;
  lane.state = Scheme::step(before, f(before), Real(world.step), f);
  const Real last = System::event(world, lane.params, lane.state);
  auto& watch = lane.watch;
  const Mask<Real> fresh = watch.fresh > zero;
  const Mask<Real> meet = (watch.armed > zero) & (last < zero) & (last < select(fresh, watch.value, zero));
  if (any(meet)) {
    detail::meet_events<Scheme, System>(world, lane, before, last, meet, f);
  } else {
    watch.fresh = zero;
    watch.arm(last);
  }
}

}  // namespace scree
