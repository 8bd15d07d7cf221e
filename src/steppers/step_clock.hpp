// The clock of a sample whose steps may be shortened, where its motion changes as fast as a step is long.
#pragma once

#include "../ensemble.hpp"

namespace scree {

/// Whole steps are counted and not added up: the end of the n-th lies at n h, with one rounding.
template <class Real>
struct StepClock {
  /// A shortened step's length, as a part of the time in which the velocity would change by its own size.
  static constexpr double caution = 0.3;

  Real since, count;  // `since` + `count` h is now, with `count` whole steps since the last that was not one
  Real last;          // length of the last step; of one with an event, what the system sets it to

  /// Time since the release, s.
  ALWAYS_INLINE Real time(const World& world) const { return fma(Real(world.step), count, since); }
  /// Time that is left of the run, s.
  ALWAYS_INLINE Real left(const World& world) const { return Real(world.end) - time(world); }

  ALWAYS_INLINE void whole_step(const Real& h) {
    count = count + Real(1.0);
    last = h;
  }
  /// A step of any length; where `ends`, to the end of the run.
  ALWAYS_INLINE void step(const World& world, const Real& length, const Mask<Real>& ends) {
    const Mask<Real> whole = (length == Real(world.step)) & !ends;
    const Real now = select(ends, Real(world.end), time(world) + length);
    since = select(whole, since, now);
    count = select(whole, count + Real(1.0), Real(0.0));
    last = length;
  }
  /// Whether the run is over: its last step sets `since`.
  ALWAYS_INLINE Mask<Real> over(const World& world) const { return since >= Real(world.end); }
};

}  // namespace scree
