// How a pair's step goes on: which masses friction holds, how long it is near rest, how a mass halts, and what keeps
// the masses at their distance.
#pragma once

#include <type_traits>

#include "../../steppers/implicit_midpoint.hpp"
#include "../../steppers/rk4.hpp"
#include "../../steppers/step_clock.hpp"
#include "rest.hpp"

namespace scree {

/// Masses that friction may hold: those whose velocity is 0.
template <class Real>
struct PairAtRest {
  Mask<Real> first, second;
};
template <class Real>
ALWAYS_INLINE PairAtRest<Real> at_rest(const PairState<Real>& s, const Real& static_friction) {
  const Real zero = Real(0.0);
  const Mask<Real> rough = static_friction > zero;
  const Mask<Real> first = rough & (s.vx1 == zero) & (s.vy1 == zero);
  const Mask<Real> second = rough & (s.vx2 == zero) & (s.vy2 == zero);
  return {first, second};
}

/// The motion of the lane as it is now, and which masses friction holds; `doubtful` where there may be no such motion,
/// or several. Not a Settled, which would stay in memory: 19 % of a scalar step.
template <class Surface, class Lane, class Real>
ALWAYS_INLINE PairMotion<Real> motion_now(const Surface& surface, const World& world, const Lane& lane,
                                          PairMode<Real>& mode, Mask<Real>& doubtful) {
  const Real zero = Real(0.0), one = Real(1.0);
  mode = {one, one};
  PairMotion<Real> m = pair_motion(surface, lane.link, lane.state, mode);
  doubtful = zero != zero;
  const PairAtRest<Real> rest = at_rest(lane.state, lane.static_friction);
  if (any(rest.first | rest.second)) {
    const AnySurface anywhere{world.terrain, world.tables};
    const Settled<Real> settled =
        settle(anywhere, lane.link, lane.static_friction, lane.state, rest.first, rest.second, m);
    m = settled.motion;
    mode = settled.mode;
    doubtful = settled.doubtful;
  }
  return m;
}

// ---------------------------------------------------------------------------------------------------------------------
// The scheme's step

/// The right-hand side of a step; `failed` where no signs are consistent.
template <class Surface, class Real>
struct PairStage {
  const Surface& surface;
  const PairLink<Real>& link;
  const PairMode<Real>& mode;
  Mask<Real>& failed;

  ALWAYS_INLINE PairState<Real> operator()(const PairState<Real>& s) const {
    const PairMotion<Real> m = pair_motion(surface, link, s, mode);
    failed = failed | !m.consistent;
    return m.rate;
  }
};

/// The state after a step that begins with the motion m. The iteration of the implicit rule contracts by half of
/// mu |N| h / (m |V|), so not where a speed grows from 0: there the step is RK4's.
template <class Scheme, class Surface, class Real>
ALWAYS_INLINE PairState<Real> pair_step(const Surface& surface, const PairLink<Real>& link, const PairState<Real>& s,
                                        const PairMotion<Real>& m, const PairMode<Real>& mode, const Real& length,
                                        Mask<Real>& failed) {
  using Stage = PairStage<Surface, Real>;
  if constexpr (std::is_same_v<Scheme, ImplicitMidpoint>) {
    const Real zero = Real(0.0);
    const Real rate =
        link.friction * larger(mode.w1 * (abs(m.p1) * m.first.grip), mode.w2 * (abs(m.p2) * m.second.grip));
    const Mask<Real> leaves = rate * length > Real(1.0), nowhere = zero != zero;
    PairState<Real> next = s;
    if (any(!leaves)) {
      // A lane that has converged iterates with the others, so only the midpoint itself tells whether it failed.
      Mask<Real> on_the_way = nowhere, at_middle = nowhere;
      next = Scheme::step(s, m.rate, length, Stage{surface, link, mode, on_the_way});
      Stage{surface, link, mode, at_middle}(middle_of<Real>(s, next));
      failed = failed | ((!leaves) & at_middle & (next.x1 == next.x1));
    }
    if (any(leaves)) {
      Mask<Real> in_a_stage = nowhere;
      next = select(leaves, Rk4::step(s, m.rate, length, Stage{surface, link, mode, in_a_stage}), next);
      failed = failed | (leaves & in_a_stage);
    }
    return next;
  } else {
    return Scheme::step(s, m.rate, length, Stage{surface, link, mode, failed});
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Near rest

/// The state after the time tau, in which the marked masses come to rest by a constant deceleration; the other one
/// moves with constant acceleration and then as the link allows. Friction's power falls to 0 with the speed.
template <class Real>
SCREE_CALLED HOST_DEVICE PairState<Real> halted(PairLink<Real> link, PairMotion<Real> m, PairState<Real> s,
                                                PairMode<Real> mode, Real tau, Mask<Real> halts1, Mask<Real> halts2) {
  const Real zero = Real(0.0), half = Real(0.5) * tau;
  const PairState<Real>& a = m.rate;
  PairState<Real> next = s;
  next.x1 = fma(half, select(halts1, s.vx1, fma(tau, a.vx1, s.vx1 + s.vx1)), s.x1);
  next.y1 = fma(half, select(halts1, s.vy1, fma(tau, a.vy1, s.vy1 + s.vy1)), s.y1);
  next.x2 = fma(half, select(halts2, s.vx2, fma(tau, a.vx2, s.vx2 + s.vx2)), s.x2);
  next.y2 = fma(half, select(halts2, s.vy2, fma(tau, a.vy2, s.vy2 + s.vy2)), s.y2);
  next.vx1 = select(halts1, zero, fma(tau, a.vx1, s.vx1));
  next.vy1 = select(halts1, zero, fma(tau, a.vy1, s.vy1));
  next.vx2 = select(halts2, zero, fma(tau, a.vx2, s.vx2));
  next.vy2 = select(halts2, zero, fma(tau, a.vy2, s.vy2));
  const auto power = [&](const PairContact<Real>& c, const Real& mass, const Real& pressure) {
    return (link.friction * mass) * (abs(pressure) * (c.grip * c.at.square));
  };
  const Real power1 = power(m.first, link.mass1, m.p1), power2 = power(m.second, link.mass2, m.p2);
  next.work = fma(half, select(halts1, power1, power1 + power1) + select(halts2, power2, power2 + power2), s.work);
  const PairMode<Real> left{select(halts1, zero, mode.w1), select(halts2, zero, mode.w2)};
  return with_matching_velocities(link, m, next, left);
}

/// A mass that friction slows, or turns, within less than a few steps.
template <class Real>
struct PairSlowing {
  Mask<Real> found, halts;
  Mask<Real> crawls;  // is so slow that it halts when the other one does
  Real length;        // of the next step, s; where it halts, the time until then
};
template <class Lane, class Real>
ALWAYS_INLINE PairSlowing<Real> slowing(const Lane& lane, const PairContact<Real>& c, const Real& pressure,
                                        const Real& vx, const Real& vy, const Real& ax, const Real& ay, const Real& w,
                                        const Real& h) {
  const Real zero = Real(0.0), one = Real(1.0), part = Real(StepClock<Real>::caution);
  const Real v2 = fma(vx, vx, vy * vy), a2 = fma(ax, ax, ay * ay), reach2 = (h * h) * a2;
  const Real along = fma(vx, ax, vy * ay);
  const Real rate = (lane.link.friction * abs(pressure)) * c.grip;  // mu |N| / (m |V|)
  const Mask<Real> slides = (lane.static_friction > zero) & (w > zero) & (v2 > zero), slower = slides & (along < zero);
  const Mask<Real> near = slower & ((part * part) * v2 < reach2), turning = slides & (h * rate > part);
  PairSlowing<Real> out;
  out.found = near | turning;
  out.halts = out.crawls = near;
  out.length = h;
  if (any(out.found)) {
    const Real finest = lane.finest_step;
    const Real braking = select(near, h * sqrt((part * part) * v2 / select(near, reach2, one)), h);
    const Real steady = select(turning, part / select(turning, rate, one), h);
    // Steps cannot get shorter: here it halts, unless it passes another way than it is pushed. Below mu |N| / m times
    // the finest step the scheme cannot follow its direction: it halts anyway, and starts again if it is pushed.
    const Real stiffness = finest * h * rate;
    const Mask<Real> finished = (near & (v2 <= (finest * finest) * reach2)) | (turning & (stiffness > part));
    out.halts = (slower & finished & (along * along > Real(0.5) * v2 * a2)) | (turning & (stiffness > one));
    out.crawls = finished | (turning & (stiffness > Real(0.1)));
    const Real until = larger(-v2 / select(out.halts, along, one), Real(0.25) * finest * h);
    out.length = select(out.halts, smaller(until, h), larger(smaller(braking, steady), finest * h));
  }
  return out;
}

/// The length of the next step, at most `length`; 0 where both masses rest. A mass that halts within it is moved
/// there and then, and what is left to the scheme is a step of length 0; `passed` is the time that this took.
template <class Lane, class Real>
ALWAYS_INLINE Real length_near_rest(Lane& lane, const PairMotion<Real>& m, const PairMode<Real>& mode,
                                    const Real& length, Real& passed) {
  const Real zero = Real(0.0);
  const PairState<Real>& s = lane.state;
  const PairSlowing<Real> one = slowing(lane, m.first, m.p1, s.vx1, s.vy1, m.rate.vx1, m.rate.vy1, mode.w1, length);
  const PairSlowing<Real> two = slowing(lane, m.second, m.p2, s.vx2, s.vy2, m.rate.vx2, m.rate.vy2, mode.w2, length);
  const Real least = smaller(smaller(one.length, two.length), length);
  const Mask<Real> halts = one.halts | two.halts;
  if (any(halts)) {
    // One that could not have halted alone does so with the other: else they may take turns without end.
    const Mask<Real> first_halts = one.halts & (one.length <= least), second_halts = two.halts & (two.length <= least);
    const Mask<Real> first = first_halts | (second_halts & one.crawls),
                     second = second_halts | (first_halts & two.crawls);
    const Mask<Real> now = first | second;
    lane.state = select(now, halted(lane.link, m, s, mode, least, first, second), s);
    passed = select(now, least, passed);
    return select(now | (mode.w1 + mode.w2 == zero), zero, least);
  }
  return select(mode.w1 + mode.w2 == zero, zero, least);
}

// ---------------------------------------------------------------------------------------------------------------------
// The distance

/// Newton steps of the projection; the second leaves a relative error of the order of the drift squared.
inline constexpr int pair_projection_passes = 2;

/// Masses at rest stay so when others are moved.
template <class Real>
HOST_DEVICE PairMode<Real> mobile(const PairState<Real>& s, const Real& static_friction) {
  const Real zero = Real(0.0), one = Real(1.0);
  const PairAtRest<Real> rest = at_rest(s, static_friction);
  return {select(rest.first, zero, one), select(rest.second, zero, one)};
}

/// The state with velocities that keep the distance.
template <class Real>
SCREE_CALLED HOST_DEVICE PairState<Real> matched(AnySurface surface, PairLink<Real> link, PairState<Real> s,
                                                 Real static_friction) {
  const PairMode<Real> mode = mobile(s, static_friction);
  return with_matching_velocities(link, pair_motion(surface, link, s, mode), s, mode);
}

/// The state moved to the distance d and to velocities that keep it, and ||r|^2 - d^2| before.
template <class Real>
struct PairProjection {
  PairState<Real> state;
  Real gap;
};
template <class Real>
SCREE_CALLED HOST_DEVICE PairProjection<Real> projection(AnySurface surface, PairLink<Real> link, PairState<Real> s,
                                                         Real static_friction) {
  const PairMode<Real> mode = mobile(s, static_friction);
  PairMotion<Real> m = pair_motion(surface, link, s, mode);
  const Real gap = abs(m.distance2 - link.distance2);
  SCREE_ROLLED
  for (int pass = 0; pass < pair_projection_passes; ++pass) {
    s = with_nearer_distance(link, m, s, mode);
    m = pair_motion(surface, link, s, mode);
  }
  return {with_matching_velocities(link, m, s, mode), gap};
}

}  // namespace scree
