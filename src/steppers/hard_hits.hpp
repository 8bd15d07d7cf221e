// The two ways to move bodies that collide in no time.
#pragma once

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

/// Steps after which bodies that overlap rebound, wherever in the step they met: order 1.
struct OverlapSteps {
  static constexpr const char* name = "overlap";
  static constexpr const char* meaning = "steps after which what overlaps rebounds, order 1; for contrast";
};

}  // namespace scree
