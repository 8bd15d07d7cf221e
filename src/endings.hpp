// When a sample ends, and as what. A system states its rules in the order in which they count: the first reason stays.
#pragma once

#include "ensemble.hpp"
#include "status.hpp"

namespace scree {

/// lane.status of a sample that has not ended; else a Status, as a whole number.
inline constexpr double running = -1.0;

/// Ends the sample with `status` where `condition` holds, unless it has ended already.
template <class Real, class Lane>
ALWAYS_INLINE void end_where(Lane& lane, Status status, const Mask<Real>& condition) {
  lane.status = select(condition & (lane.status == Real(running)), Real(static_cast<double>(status)), lane.status);
}

/// Whether `size` >= 0, in any unit, is a number that a state can have; where it is not, the sample has `diverged`. The
/// bound leaves room for a sum of such sizes, and NaN is beyond it.
template <class Real>
ALWAYS_INLINE Mask<Real> bounded(const Real& size) {
  return size < Real(1e300);
}

/// Whether the run is over after `steps` steps of its length: `end_time`. The last step is the one whose end is nearest
/// to the run's, whatever the roundings.
template <class Real>
ALWAYS_INLINE Mask<Real> time_is_up(const World& world, const Real& steps) {
  return fma(steps, Real(world.step), Real(0.5 * world.step)) > Real(world.end);
}

/// Ends the sample where its centre of mass is `outside` the terrain, or in it but where the terrain has no data.
template <class Real, class Lane>
ALWAYS_INLINE void end_off_terrain(Lane& lane, const Mask<Real>& outside, const Mask<Real>& without_data) {
  end_where<Real>(lane, Status::left_terrain, outside);
  end_where<Real>(lane, Status::no_data, without_data);
}

}  // namespace scree
