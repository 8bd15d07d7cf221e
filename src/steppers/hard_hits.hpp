// The two ways to move bodies that collide in no time.
#pragma once

#include "../integrate.hpp"

namespace scree {

/// From hit to hit: between them bodies fly straight, so the time of the next hit is the root of an equation, and the
/// motion is exact but for rounding. A step is the time between two observations and changes nothing.
struct HitByHit {
  static constexpr const char* name = "events";
  static constexpr const char* meaning = "from hit to hit, exact but for rounding";
};

/// Hits in one step beyond which HitByHit gives a sample up as `not_converged`: a body that slides along a round wall,
/// fills its room, or is too fast for the times of its hits to differ, is hit without end. A dense or long run that has
/// more hits than this between two observations can be observed more often.
inline constexpr double most_hits_in_a_step = 1e6;

/// All hits up to `until`, to which lane.now then goes; beyond most_hits_in_a_step the sample ends as `not_converged`.
/// first(lane) is the body that is hit next, time(lane, first) when, and take(lane, first) takes that hit.
template <class Real, class Lane, class First, class Time, class Take>
HOST_DEVICE inline void take_hits(Lane& lane, const Real& until, First first, Time time, Take take) {
  const Real most_hits = Real(most_hits_in_a_step);
  for (Real hits = Real(0.0);; hits = hits + Real(1.0)) {
    const int body = first(lane);
    if (!any(time(lane, body) <= until)) break;
    if (any(hits >= most_hits)) {
      end_where<Real>(lane, Status::not_converged, hits >= most_hits);
      return;
    }
    take(lane, body);
  }
  lane.now = until;
}

/// Steps after which bodies that overlap rebound, wherever in the step they met: order 1.
struct OverlapSteps {
  static constexpr const char* name = "overlap";
  static constexpr const char* meaning = "steps after which what overlaps rebounds, order 1; for contrast";
};

}  // namespace scree
