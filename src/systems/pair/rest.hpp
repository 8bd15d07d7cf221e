// Which masses of a pair friction holds, and where those go that it does not hold.
//
// A mass at rest feels gravity and the link, along the surface, and friction holds it if that is at most mu_s N. With
// l = lambda / m for mass 1 and -lambda / m for mass 2, c^ = c in the exact model and 0 in Part 1's, and
// u = (X, Y) + c^ phi^2 grad f, this is (eqs (1) to (3) of pair.hpp with v = 0)
//   |s| <= mu_s phi (g - c^ l),   s = -g phi^2 grad f + l u, the horizontal part of a vector along the surface, so that
//   (u.u + (u.grad f)^2 - mu_s^2 phi^2 c^^2) l^2 - 2 g (u.grad f - mu_s^2 phi^2 c^) l
//       + g^2 [1 - phi^2 (1 + mu_s^2)] <= 0                                                              (1)
//   g - c^ l >= 0                                                                                        (2)
// the meeting of a line with a friction cone, convex, so an interval of lambda. Both masses rest if their intervals
// have a point in common; one of them stays and the other slides if (1) and (2) hold for the lambda of that motion.
//
// A mass that starts to slide does so in the direction of its own acceleration, friction included (see `impending`).
#pragma once

#include "motion.hpp"

namespace scree {

/// Eqs (1) and (2) of one mass: a l^2 + 2 b l + c <= 0 and p - q l >= 0, for l = lambda * scale.
template <class Real>
struct FrictionHold {
  Real a, b, c, p, q, scale;

  HOST_DEVICE Mask<Real> holds(const Real& lambda) const {
    const Real l = scale * lambda;
    return (fma(l, fma(a, l, b + b), c) <= Real(0.0)) & (fma(-q, l, p) >= Real(0.0));
  }
};

template <class Real>
HOST_DEVICE inline FrictionHold<Real> friction_hold(const PairLink<Real>& link, const Real& static_friction,
                                                    const PairMotion<Real>& m, const PairContact<Real>& contact,
                                                    const Real& scale) {
  const Real one = Real(1.0), mu2 = static_friction * static_friction, g = link.gravity;
  const Real arm = link.reaction * contact.arm, lever = contact.phi2 * arm;
  const Real ux = fma(lever, contact.at.fx, m.x), uy = fma(lever, contact.at.fy, m.y);
  const Real rise = fma(ux, contact.at.fx, uy * contact.at.fy);
  return {fma(ux, ux, fma(uy, uy, fma(rise, rise, -(mu2 * (lever * arm))))),
          g * fma(mu2, lever, -rise),
          (g * g) * fma(-contact.phi2, one + mu2, one),
          g,
          arm,
          scale};
}

/// The interval of lambda for which friction holds one mass; empty if low > high.
template <class Real>
struct HoldRange {
  Real low, high;
};
template <class Real>
HOST_DEVICE inline HoldRange<Real> interval(const FrictionHold<Real>& hold) {
  const Real zero = Real(0.0), huge = Real(1e300);
  const Real a = select(hold.a == zero, Real(-1e-300), hold.a);
  const Real discriminant = fma(hold.b, hold.b, -(a * hold.c)), root = sqrt(larger(discriminant, zero));
  const Real q = -(hold.b + copysign(root, hold.b));
  const Real r1 = q / a, r2 = select(q == zero, r1, hold.c / select(q == zero, huge, q));
  const Real first = smaller(r1, r2), last = larger(r1, r2);
  // a > 0: between the roots, if the line meets the upper half of the cone there. a < 0: the link lies within the
  // cone, which so holds the mass however hard the link presses it down: beyond one root.
  const Mask<Real> bounded = a > zero;
  const Mask<Real> met = (discriminant >= zero) & (fma(hold.q, hold.b / a, hold.p) >= zero);
  const Mask<Real> upwards = hold.q < zero;
  const Real low = select(bounded, select(met, first, huge), select(upwards, last, -huge));
  const Real high = select(bounded, select(met, last, -huge), select(upwards, huge, first));
  const Real end1 = low / hold.scale, end2 = high / hold.scale;
  const Mask<Real> turned = hold.scale < zero;
  return {select(turned, end2, end1), select(turned, end1, end2)};
}

/// The motion of a pair with masses at rest: `go1`, `go2` say which of them start to slide.
///
/// A mass starts along its acceleration, in which friction counts: s = a(s) / |a(s)|. Iterating that as it stands fails
/// near the limit of sliding, where a is a small difference. s = (a + mu N/m s) / |a + mu N/m s| has the same solution,
/// and as the link cannot make a mass lighter than m, it is a proximal gradient step, which converges.
template <class Real>
struct Impending {
  PairMotion<Real> motion;
  Mask<Real> along;  // each of them goes where its friction says
};
template <class Real>
HOST_DEVICE inline Impending<Real> impending(const AnySurface& surface, const PairLink<Real>& link,
                                             const PairState<Real>& s, const PairMode<Real>& mode,
                                             const Mask<Real>& go1, const Mask<Real>& go2) {
  constexpr int most_passes = 200;
  const Real zero = Real(0.0);
  PairSlip<Real> slip = velocities(s);
  Impending<Real> out{pair_motion(surface, link, s, mode), zero == zero};
  Mask<Real> active = go1 | go2;
  SCREE_ROLLED
  for (int pass = 0; pass < most_passes && any(active); ++pass) {
    const PairMotion<Real>& m = out.motion;
    const Real keep1 = (link.friction * abs(m.p1)) * m.first.grip, keep2 = (link.friction * abs(m.p2)) * m.second.grip;
    const PairSlip<Real> next{
        select(go1, fma(keep1, slip.x1, m.rate.vx1), slip.x1), select(go1, fma(keep1, slip.y1, m.rate.vy1), slip.y1),
        select(go2, fma(keep2, slip.x2, m.rate.vx2), slip.x2), select(go2, fma(keep2, slip.y2, m.rate.vy2), slip.y2)};
    const Real change =
        (abs(next.x1 - slip.x1) + abs(next.y1 - slip.y1)) + (abs(next.x2 - slip.x2) + abs(next.y2 - slip.y2));
    const Real size = (abs(next.x1) + abs(next.y1)) + (abs(next.x2) + abs(next.y2));
    const PairMotion<Real> moved = pair_motion(surface, link, s, mode, next);
    const Mask<Real> along1 = fma(moved.rate.vx1, next.x1, moved.rate.vy1 * next.y1) > zero;
    const Mask<Real> along2 = fma(moved.rate.vx2, next.x2, moved.rate.vy2 * next.y2) > zero;
    out.along = select(active, ((!go1) | along1) & ((!go2) | along2), out.along);
    choose(active, moved, out.motion);
    out.motion.first.grip = select(active, moved.first.grip, out.motion.first.grip);
    out.motion.second.grip = select(active, moved.second.grip, out.motion.second.grip);
    slip = {select(active, next.x1, slip.x1), select(active, next.y1, slip.y1), select(active, next.x2, slip.x2),
            select(active, next.y2, slip.y2)};
    active = active & (change > Real(2e-15) * size);  // some ten roundings
  }
  return out;
}

/// What becomes of a pair with masses at rest.
template <class Real>
struct Settled {
  PairMotion<Real> motion;
  PairMode<Real> mode;
  Mask<Real> doubtful;  // none of the four is consistent
};

/// Decides for masses at rest (`rest1`, `rest2`: velocity 0, and mu_s > 0) whether they stay; m is the motion if none
/// did, without friction on them. In this order: both stay, mass 1 stays, mass 2 stays, both slide. While both stay
/// lambda is not determined; the smallest possible is told.
template <class Real>
SCREE_CALLED HOST_DEVICE Settled<Real> settle(AnySurface surface, PairLink<Real> link, Real static_friction,
                                              PairState<Real> s, Mask<Real> rest1, Mask<Real> rest2,
                                              PairMotion<Real> m) {
  const Real zero = Real(0.0), one = Real(1.0);
  const Mask<Real> nobody = zero != zero;
  Settled<Real> out{m, {one, one}, nobody};
  Mask<Real> open = rest1 | rest2;
  const auto take = [&](const Mask<Real>& where, const PairMotion<Real>& motion, const Real& w1, const Real& w2) {
    choose(where, motion, out.motion);
    out.mode.w1 = select(where, w1, out.mode.w1);
    out.mode.w2 = select(where, w2, out.mode.w2);
    open = open & !where;
  };

  const FrictionHold<Real> hold1 = friction_hold(link, static_friction, m, m.first, link.inverse1);
  const FrictionHold<Real> hold2 = friction_hold(link, static_friction, m, m.second, -link.inverse2);
  const HoldRange<Real> range1 = interval(hold1), range2 = interval(hold2);
  const Real low = larger(range1.low, range2.low), high = smaller(range1.high, range2.high);
  PairMotion<Real> still = m;
  still.rate = {zero, zero, zero, zero, zero, zero, zero, zero, zero};
  still.lambda = select(low > zero, low, -larger(-high, zero));
  still.p1 = fma(-(still.lambda * link.inverse1), link.reaction * m.first.arm, link.gravity);
  still.p2 = fma(still.lambda * link.inverse2, link.reaction * m.second.arm, link.gravity);
  still.consistent = zero == zero;
  take(rest1 & rest2 & (low <= high), still, zero, zero);
  if (any(open & rest1)) {
    const Impending<Real> i = impending(surface, link, s, {zero, one}, nobody, rest2);
    take(open & rest1 & hold1.holds(i.motion.lambda) & i.along & i.motion.consistent, i.motion, zero, one);
  }
  if (any(open & rest2)) {
    const Impending<Real> i = impending(surface, link, s, {one, zero}, rest1, nobody);
    take(open & rest2 & hold2.holds(i.motion.lambda) & i.along & i.motion.consistent, i.motion, one, zero);
  }
  if (any(open)) {
    const Impending<Real> i = impending(surface, link, s, {one, one}, rest1, rest2);
    out.doubtful = open & !i.along;
    take(open, i.motion, one, one);
  }
  return out;
}

}  // namespace scree
