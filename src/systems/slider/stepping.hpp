// How a slider's step goes on: whole, shortened near rest, or changed by an event (events.hpp).
#pragma once

#include <type_traits>

#include "../../integrate.hpp"
#include "../../steppers/implicit_midpoint.hpp"
#include "../../steppers/step_clock.hpp"
#include "events.hpp"
#include "record.hpp"

namespace scree {

/// How a step goes on.
template <class Real>
struct SliderStep {
  Real length;        // of the scheme's step
  Mask<Real> placed;  // an event puts the mass to `place` instead
  SliderState<Real> place;
  Real elapsed;        // how far the clock advances; back, where contact was lost or regained in the last step
  Mask<Real> final;    // to the end of the run
  Real stretch, bend;  // what weighs the speed and its slope in the path; see SliderRecord::path_weight
  Real path;           // what an event adds to it
};

/// 0.3 times the lesser of |v| / |a| and 1 / rate: how far a step may reach.
template <class Real>
ALWAYS_INLINE Real slider_reach(const SliderNode<Real>& node) {
  const Real acceleration2 = fma(node.k1.vx, node.k1.vx, node.k1.vy * node.k1.vy);
  const Real quick2 = larger(acceleration2, (node.rate * node.rate) * node.level2);
  return Real(StepClock<Real>::caution) * (node.level2 * rsqrt(node.level2 * quick2));
}

/// Lanes whose step is like most: whole, after a whole one, far from rest and from the end of the run, the normal
/// force of the same sign as before, over ground with data. The comparisons are false for a NaN.
template <class Lane, class Real>
ALWAYS_INLINE Mask<Real> slides_on(const World& world, const Lane& lane, const SliderNode<Real>& node) {
  constexpr double caution = StepClock<Real>::caution;
  const Real h = Real(world.step);
  const Real acceleration2 = fma(node.k1.vx, node.k1.vx, node.k1.vy * node.k1.vy);
  return (Real(world.step * world.step * (1.0 / (caution * caution))) * acceleration2 <= node.level2) &
         (Real(world.step * (1.0 / caution)) * node.rate <= Real(1.0)) & (lane.clock.last == h) &
         (lane.clock.left(world) > Real(1.5) * h) & (node.contact.reaction * lane.side >= Real(0.0)) & node.data;
}

// ---------------------------------------------------------------------------------------------------------------------
// Events, in the order in which a step looks for them. Each part changes `step` where it finds one, and says where.

/// Contact was lost, or regained, in the last step, `back_to` seconds after its beginning: where that is found, the
/// step goes back there. Lanes that need look no further leave `free`.
template <class Lane, class Real>
ALWAYS_INLINE Mask<Real> go_back_to_lift(const World& world, Lane& lane, const SliderNode<Real>& node, Mask<Real>& free,
                                         SliderStep<Real>& step, Real& back_to) {
  const Real zero = Real(0.0), now = lane.clock.time(world), last = lane.clock.last;
  const auto& p = lane.params;
  const Mask<Real> crosses = free & (node.contact.reaction * lane.side < zero);
  if (!any(crosses)) return crosses;
  const SliderLift<Real> lift = slider_lift<Real>(world, p.gravity, p.friction, lane.side, lane.before, last);
  const Mask<Real> goes_back = crosses & lift.found;
  back_to = lift.tau;
  step.elapsed = select(goes_back, lift.tau - last, step.elapsed);
  step.place = select(goes_back, lift.state, step.place);
  step.path = select(goes_back, lift.path, zero);

  const Mask<Real> loses = crosses & (lane.side > zero);
  lane.record.cross(loses, crosses & !loses, select(goes_back, now + step.elapsed, now), step.place,
                    select(goes_back, lift.speed, node.speed));
  lane.side = select(crosses, -lane.side, lane.side);
  const Mask<Real> ends = loses & (p.stop_at_liftoff > zero);
  end_where<Real>(lane, Status::lifted_off, ends);
  step.elapsed = select(ends & !goes_back, zero, step.elapsed);
  step.placed = step.placed | goes_back | ends;
  free = free & !(goes_back | ends);
  return goes_back;
}

/// A moving mass that comes to rest, eq (6): where friction holds, and alone would end the motion in this step.
template <class Lane, class Real>
ALWAYS_INLINE Mask<Real> slide_to_rest_within(const Lane& lane, const SliderNode<Real>& node, const Mask<Real>& moving,
                                              const Real& slope2, const Real& left, SliderStep<Real>& step) {
  const auto& p = lane.params;
  const Mask<Real> slow = moving & (slope2 <= p.friction * p.friction) & (node.rate * step.length >= Real(1.0));
  if (!any(slow)) return slow;
  const Real gn = p.friction * abs(node.normal), gs = p.gravity * node.phi * sqrt(slope2);
  const SliderRest<Real> rest = slide_to_rest(lane.state, node.contact, node.speed, gn, gs);
  const Mask<Real> rests = slow & (gn > gs) & (rest.tau <= left);
  step.elapsed = select(rests, rest.tau, step.elapsed);
  step.place = select(rests, rest.state, step.place);
  step.path = select(rests, rest.path, step.path);
  return rests;
}

/// A mass at rest stays, or starts in the direction of impending motion.
template <class Lane, class Real>
ALWAYS_INLINE Mask<Real> stay_at_rest(Lane& lane, SliderNode<Real>& node, const Mask<Real>& still, const Real& slope2,
                                      SliderStep<Real>& step) {
  if (!any(still)) return still;
  const Real zero = Real(0.0), one = Real(1.0);
  const auto& p = lane.params;
  const Real sticking = larger(p.static_friction, p.friction);
  const Mask<Real> stays = still & (slope2 <= sticking * sticking), impends = still & !stays;
  step.elapsed = select(stays, zero, step.elapsed);
  const Real excess = select(impends, one - p.friction * rsqrt(slope2), one);
  node.k1.vx = node.k1.vx * excess;
  node.k1.vy = node.k1.vy * excess;
  const Real az = fma(node.contact.fx, node.k1.vx, node.contact.fy * node.k1.vy);
  const Real away = sqrt(fma(node.k1.vx, node.k1.vx, fma(node.k1.vy, node.k1.vy, az * az)));
  node.speed_slope = select(impends, away, node.speed_slope);
  Real& reversals = lane.record.reversals;
  reversals = select(impends & (p.friction > zero) & (lane.steps > zero), reversals + one, reversals);
  return stays;
}

/// The iteration of the implicit rule needs a velocity that keeps its direction; where it does not, the step is RK4's.
template <bool implicit, class Lane, class Real>
ALWAYS_INLINE void replace_unsteady(const World& world, const Lane& lane, const SliderNode<Real>& node,
                                    const Mask<Real>& goes_on, const Real& length, SliderStep<Real>& step) {
  if constexpr (implicit) {
    const AnySurface surface{world.terrain, world.tables};
    const SliderMotion motion{surface, lane.params.gravity, lane.params.friction};
    const Mask<Real> unsteady = goes_on & (slider_reach(node) < length);
    step.place = select(unsteady, Rk4::step(lane.state, node.k1, step.length, motion), step.place);
    step.placed = step.placed | unsteady;
  }
}

/// How far ahead a momentary stop is looked for: the last stages of a step that ended just short of one would lie
/// beyond it, with the friction of the way back.
template <class Real>
ALWAYS_INLINE Real look_ahead(const Real& length) {
  return Real(1.25) * length;
}

/// A momentary stop on too steep a slope: the step ends there.
template <class Lane, class Real>
ALWAYS_INLINE Mask<Real> end_at_turn(const World& world, const Lane& lane, const SliderNode<Real>& node,
                                     const Mask<Real>& moving, const Real& length, const Real& left,
                                     SliderStep<Real>& step) {
  const Real ahead = look_ahead(step.length);
  const Mask<Real> suspects = moving & (fma(ahead, node.speed_slope, node.speed) <= Real(0.0));
  if (!any(suspects)) return suspects;
  const Real guess = select(suspects, -node.speed / node.speed_slope, length);
  const SliderTurn<Real> turn = slider_turn<Real>(world, lane.params.gravity, lane.params.friction, lane.state, guess);
  const Mask<Real> turns = suspects & turn.found & (turn.tau <= ahead) & (turn.tau <= left);
  step.place = select(turns, turn.state, step.place);
  step.placed = step.placed | turns;
  step.elapsed = select(turns, turn.tau, step.elapsed);
  return turns;
}

/// A step with an event, in the lanes that are `eventful`. Sets the status of a sample that ends at the step's
/// beginning or comes to rest within it. The same for all schemes but the `implicit` one.
template <bool implicit, class Lane, class Real>
SCREE_APART HOST_DEVICE SliderStep<Real> slider_events(const World& world, Lane& lane, SliderNode<Real>& node,
                                                       const Mask<Real>& eventful, const Real& length,
                                                       const Real& left) {
  const Real zero = Real(0.0);
  const auto& p = lane.params;
  const SliderState<Real>& y = lane.state;
  end_where<Real>(lane, Status::diverged, eventful & !(bounded(node.contact.square) & bounded(abs(y.x) + abs(y.y))));
  end_off_terrain<Real>(lane, eventful & !node.inside, eventful & !node.data);
  const Mask<Real> present = lane.status == Real(running);
  Mask<Real> free = eventful & present;

  SliderStep<Real> step;
  const Mask<Real> last = eventful & (left <= length * Real(1.0 + 1e-9));
  step.length = step.elapsed = select(last, left, length);
  step.path = zero;
  step.placed = !present;
  step.place = y;

  Real back_to = zero;
  const Mask<Real> goes_back = go_back_to_lift(world, lane, node, free, step, back_to), moves = node.level2 > zero;
  const Real slope2 = fma(node.contact.fx, node.contact.fx, node.contact.fy * node.contact.fy);
  Mask<Real> rests = slide_to_rest_within(lane, node, free & moves, slope2, left, step);
  rests = rests | stay_at_rest(lane, node, free & !moves, slope2, step);
  step.placed = step.placed | rests;
  end_where<Real>(lane, Status::stopped, rests);
  const Mask<Real> goes_on = free & (p.friction > zero) & !rests;
  replace_unsteady<implicit>(world, lane, node, goes_on, length, step);
  const Mask<Real> turns = end_at_turn(world, lane, node, goes_on & moves, length, left, step);

  step.elapsed = select(present, step.elapsed, zero);
  step.final = last & (step.elapsed == left);
  step.stretch = select(rests, zero, step.elapsed);
  step.bend = select(goes_back, back_to, select(rests | turns, zero, step.elapsed));
  // Neither a point beyond the surface nor one that is gone back from enters the record.
  const Mask<Real> counted = present & !goes_back;
  node.speed = select(counted, node.speed, zero);
  node.speed_slope = select(counted, node.speed_slope, zero);
  node.contact.square = select(counted, node.contact.square, zero);
  node.normal = select(counted, node.normal, lane.record.normal_min);
  return step;
}

/// What slider_events changes.
template <class Lane, class Real>
struct SliderEventful {
  Lane lane;
  SliderNode<Real> node;
  SliderStep<Real> step;
};
template <bool implicit, class Lane, class Real>
SCREE_COLD HOST_DEVICE SliderEventful<Lane, Real> slider_events_of_copies(const World& world, Lane lane,
                                                                          SliderNode<Real> node, Mask<Real> eventful,
                                                                          Real length, Real left) {
  const SliderStep<Real> step = slider_events<implicit>(world, lane, node, eventful, length, left);
  return {lane, node, step};
}
/// slider_events out of line, in the way that costs the steps without events least. A GPU hands over copies: in line,
/// it would spill the lane (sm_90, RK4, 255 registers: 928 bytes of spill loads; so 20). To a pack, whose lane lies in
/// memory, such copies are 1 to 3 % of a step in a valley; it copies the node, which else would leave its registers.
template <bool implicit, class Lane, class Real>
ALWAYS_INLINE SliderStep<Real> slider_events_apart(const World& world, Lane& lane, SliderNode<Real>& node,
                                                   const Mask<Real>& eventful, const Real& length, const Real& left) {
  if constexpr (gpu_code) {
    const SliderEventful<Lane, Real> all = slider_events_of_copies<implicit>(world, lane, node, eventful, length, left);
    lane = all.lane;
    node = all.node;
    return all.step;
  } else {
    SliderNode<Real> copy = node;
    const SliderStep<Real> step = slider_events<implicit>(world, lane, copy, eventful, length, left);
    node = copy;
    return step;
  }
}

// ---------------------------------------------------------------------------------------------------------------------

/// A step in which some lanes are not `plain`: they may be shortened, or have events. Shortened steps are some ten in a
/// hundred of a sample that comes to rest, so in a pack nearly every step has one: they are kept cheap.
template <class Scheme, class Lane, class Real>
ALWAYS_INLINE SliderStep<Real> special_step(const World& world, Lane& lane, SliderNode<Real>& node,
                                            const Mask<Real>& plain) {
  const Real zero = Real(0.0), one = Real(1.0), h = Real(world.step);
  const auto& p = lane.params;
  const Mask<Real> moves = node.level2 > zero, rough = p.friction > zero;
  const Real reach = slider_reach(node), left = lane.clock.left(world);
  SliderStep<Real> step;
  step.length = select(plain | !rough, h, larger(smaller(reach, h), p.finest_step * h));
  const Real ahead = look_ahead(step.length);
  const Mask<Real> braked =
      rough & ((node.rate * step.length >= one) | (fma(ahead, node.speed_slope, node.speed) <= zero));
  Mask<Real> quiet = moves & (!braked) & (left > ahead) & (node.contact.reaction * lane.side >= zero) & node.data &
                     (node.speed < Real(1e150));
  // Where the implicit rule would not converge, replace_unsteady takes the step.
  constexpr bool implicit = std::is_same_v<Scheme, ImplicitMidpoint>;
  if constexpr (implicit) quiet = quiet & ((reach >= step.length) | !rough);
  const Mask<Real> eventful = !(plain | quiet);
  if (any(eventful)) return slider_events_apart<implicit>(world, lane, node, eventful, step.length, left);
  step.elapsed = step.stretch = step.bend = step.length;
  step.path = zero;
  step.placed = step.final = zero > one;
  step.place = lane.state;
  return step;
}

}  // namespace scree
