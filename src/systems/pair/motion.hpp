// The motion of two masses on a surface that a massless link holds at a constant distance: equations (1) to (3) of
// pair.hpp, solved for the link's force and the signs of the pressures.
//
// The signs s_i must agree with (1). As p_i(lambda) and |p_i| are piecewise linear, there is exactly one solution if
// the denominator of (3) is positive for all four choices of signs; it is A + s_1 B_1 + s_2 B_2, so if A > |B_1| +
// |B_2|. Otherwise there may be none or several (Painleve): such steps are counted. (+, +) is tried first.
//
// A mass that friction holds at rest has a_i = 0 and leaves (3): its b_i and a_i0 are multiplied by w_i = 0.
//
// Source: Gallotti and Tinti, Theor. Appl. Mech. Lett. 2019, eqs (15)-(19) and appendix.
#pragma once

#include "../../contact/sliding.hpp"
#include "../../steppers/state.hpp"

namespace scree {

/// What is integrated; the same struct holds the time derivatives.
template <class Real>
struct PairState {
  static constexpr int positions = 4;
  Real x1, y1, x2, y2, vx1, vy1, vx2, vy2;
  Real work;  // done against friction since the release, J
};

template <class Real, class M>
ALWAYS_INLINE PairState<Real> select(const M& condition, const PairState<Real>& a, const PairState<Real>& b) {
  return {select(condition, a.x1, b.x1),   select(condition, a.y1, b.y1),   select(condition, a.x2, b.x2),
          select(condition, a.y2, b.y2),   select(condition, a.vx1, b.vx1), select(condition, a.vy1, b.vy1),
          select(condition, a.vx2, b.vx2), select(condition, a.vy2, b.vy2), select(condition, a.work, b.work)};
}

/// What the equations need to know of a sample.
template <class Real>
struct PairLink {
  Real gravity, friction;
  Real reaction;  // 1: the link presses on the surface; 0: Part 1
  Real mass1, mass2;
  Real inverse1, inverse2;  // 1 / m
  Real distance2;           // d^2, m^2
  Real damping;             // Baumgarte's a, 1/s, or 0
};

/// Which masses slide (1) and which are held by friction (0).
template <class Real>
struct PairMode {
  Real w1, w2;
};

/// Horizontal directions of friction: the velocities, or, for a mass at rest, where it is about to go.
template <class Real>
struct PairSlip {
  Real x1, y1, x2, y2;
};
template <class Real>
ALWAYS_INLINE PairSlip<Real> velocities(const PairState<Real>& s) {
  return {s.vx1, s.vy1, s.vx2, s.vy2};
}

/// One mass within the pair.
template <class Real>
struct PairContact {
  Sliding<Real> at;
  Real phi2, grip;  // phi^2, and phi / |slip|
  Real arm;         // c, geometric, whatever the model
};

/// The pair at one instant.
template <class Real>
struct PairMotion {
  PairState<Real> rate;
  Real lambda;              // N/m
  Real p1, p2;              // pressures, eq (1), m/s^2
  Mask<Real> consistent;    // the signs agree with the pressures
  Mask<Real> inside, data;  // of both masses, see SurfacePoint
  Real x, y, z, distance2;  // r and |r|^2
  PairContact<Real> first, second;
};

template <bool along_velocity, class Real>
ALWAYS_INLINE PairContact<Real> pair_contact(const SurfacePoint<Real>& at, const Real& vx, const Real& vy,
                                             const Real& slip_x, const Real& slip_y, const Real& gravity, const Real& x,
                                             const Real& y, const Real& z) {
  PairContact<Real> c;
  c.at = sliding(at, vx, vy, gravity);
  Real square = c.at.square;
  if constexpr (!along_velocity) square = square_speed(slip_x, slip_y, fma(at.fx, slip_x, at.fy * slip_y));
  c.grip = grip_of(square, c.at.steepness);
  c.phi2 = phi2_of(c.grip, square);
  c.arm = fma(-at.fx, x, fma(-at.fy, y, z));
  return c;
}

/// One mass in eq (2), and its part of the sums in (3): push = t . a_0, yield = t . b.
template <class Real>
struct PairSide {
  Real ax, ay, bx, by, push, yield;
};
template <class Real>
ALWAYS_INLINE PairSide<Real> pair_side(const PairContact<Real>& c, const Real& friction, const Real& sign,
                                       const Real& slip_x, const Real& slip_y, const Real& reaction, const Real& w,
                                       const Real& inverse, const Real& x, const Real& y, const Real& z) {
  const Real hold = sign * (friction * c.grip);
  const Real gx = fma(c.phi2, c.at.fx, hold * slip_x), gy = fma(c.phi2, c.at.fy, hold * slip_y);
  const Real arm = reaction * c.arm, weight = w * inverse, press = w * c.at.reaction;
  const Real tx = fma(z, c.at.fx, x), ty = fma(z, c.at.fy, y);
  PairSide<Real> side;
  side.ax = -(press * gx);
  side.ay = -(press * gy);
  side.bx = weight * fma(arm, gx, x);
  side.by = weight * fma(arm, gy, y);
  side.push = fma(tx, side.ax, ty * side.ay);
  side.yield = fma(tx, side.bx, ty * side.by);
  return side;
}

/// Solves eqs (1) to (3) with the given signs: rate, lambda, pressures and whether the signs are right.
/// `demand` is |r'|^2 + Z (theta_1 - theta_2), with the stabilisation.
template <class Real>
ALWAYS_INLINE void pair_solve(const PairLink<Real>& link, const PairState<Real>& s, const PairSlip<Real>& slip,
                              const PairMode<Real>& mode, const Real& demand, const Real& sign1, const Real& sign2,
                              PairMotion<Real>& m) {
  const PairContact<Real>&one = m.first, &two = m.second;
  const PairSide<Real> side1 =
      pair_side(one, link.friction, sign1, slip.x1, slip.y1, link.reaction, mode.w1, link.inverse1, m.x, m.y, m.z);
  const PairSide<Real> side2 =
      pair_side(two, link.friction, sign2, slip.x2, slip.y2, link.reaction, mode.w2, link.inverse2, m.x, m.y, m.z);
  const Real denominator = side1.yield + side2.yield;
  m.lambda = -(demand + (side1.push - side2.push)) / denominator;
  const Real arm1 = link.reaction * one.arm, arm2 = link.reaction * two.arm;
  m.p1 = fma(-(m.lambda * link.inverse1), arm1, one.at.reaction);
  m.p2 = fma(m.lambda * link.inverse2, arm2, two.at.reaction);
  // The power of friction, mu |N| |V|, on both.
  const Real rate1 = (link.mass1 * abs(m.p1)) * (one.grip * one.at.square);
  const Real rate2 = (link.mass2 * abs(m.p2)) * (two.grip * two.at.square);
  m.rate = {s.vx1,
            s.vy1,
            s.vx2,
            s.vy2,
            fma(m.lambda, side1.bx, side1.ax),
            fma(m.lambda, side1.by, side1.ay),
            fma(-m.lambda, side2.bx, side2.ax),
            fma(-m.lambda, side2.by, side2.ay),
            link.friction * (rate1 + rate2)};
  m.consistent = (sign1 * m.p1 >= Real(0.0)) & (sign2 * m.p2 >= Real(0.0));
}

/// Where `take` holds, the solution of `from`.
template <class Real>
HOST_DEVICE inline void choose(const Mask<Real>& take, const PairMotion<Real>& from, PairMotion<Real>& to) {
  to.rate = select(take, from.rate, to.rate);
  to.lambda = select(take, from.lambda, to.lambda);
  to.p1 = select(take, from.p1, to.p1);
  to.p2 = select(take, from.p2, to.p2);
  to.consistent = select(take, from.consistent, to.consistent);
}

/// `m` with the first consistent choice of signs after (+, +); (+, +) where there is none. Like all rare parts of a
/// pair's step it takes its arguments by value: a reference would keep them out of registers everywhere else.
template <class Real>
SCREE_CALLED HOST_DEVICE PairMotion<Real> other_signs(PairLink<Real> link, PairState<Real> s, PairSlip<Real> slip,
                                                      PairMode<Real> mode, Real demand, PairMotion<Real> m) {
  const PairMotion<Real> first = m;
  SCREE_ROLLED
  for (int i = 1; i < 4; ++i) {
    PairMotion<Real> other = first;
    pair_solve(link, s, slip, mode, demand, Real(i & 1 ? -1.0 : 1.0), Real(i & 2 ? -1.0 : 1.0), other);
    choose((!m.consistent) & other.consistent, other, m);
  }
  return m;
}

namespace detail {
template <bool along_velocity, class Surface, class Real>
ALWAYS_INLINE PairMotion<Real> pair_motion(const Surface& surface, const PairLink<Real>& link, const PairState<Real>& s,
                                           const PairSlip<Real>& slip, const PairMode<Real>& mode) {
  const Real zero = Real(0.0), one = Real(1.0);
  const SurfacePoint<Real> at1 = surface(s.x1, s.y1);
  const SurfacePoint<Real> at2 = surface(s.x2, s.y2);
  PairMotion<Real> m;
  m.inside = at1.inside & at2.inside;
  m.data = at1.data & at2.data;
  m.x = s.x1 - s.x2;
  m.y = s.y1 - s.y2;
  m.z = at1.z - at2.z;
  m.distance2 = fma(m.x, m.x, fma(m.y, m.y, m.z * m.z));
  m.first = pair_contact<along_velocity>(at1, s.vx1, s.vy1, slip.x1, slip.y1, link.gravity, m.x, m.y, m.z);
  m.second = pair_contact<along_velocity>(at2, s.vx2, s.vy2, slip.x2, slip.y2, link.gravity, m.x, m.y, m.z);
  const Real rx = s.vx1 - s.vx2, ry = s.vy1 - s.vy2, rz = m.first.at.vz - m.second.at.vz;
  const Real bend = m.z * (m.first.at.reaction - m.second.at.reaction);
  Real demand = fma(rx, rx, fma(ry, ry, fma(rz, rz, bend)));
  if (any(link.damping > zero)) {  // c'' = -2 a c' - a^2 c with c = (|r|^2 - d^2) / 2
    const Real half_gap = Real(0.5) * (m.distance2 - link.distance2);
    const Real opening = fma(m.x, rx, fma(m.y, ry, m.z * rz));
    const Real damped = fma(link.damping, fma(link.damping, half_gap, Real(2.0) * opening), demand);
    demand = select(link.damping > zero, damped, demand);
  }
  pair_solve(link, s, slip, mode, demand, one, one, m);
  m.consistent = m.consistent | (link.friction == zero);  // without friction the signs mean nothing
  if (any(!m.consistent)) m = other_signs(link, s, slip, mode, demand, m);
  return m;
}

}  // namespace detail

/// The motion in the state s: eqs (1) to (3).
template <class Surface, class Real>
ALWAYS_INLINE PairMotion<Real> pair_motion(const Surface& surface, const PairLink<Real>& link, const PairState<Real>& s,
                                           const PairMode<Real>& mode) {
  return detail::pair_motion<true>(surface, link, s, velocities(s), mode);
}
/// The same with friction against `slip` instead of the velocities.
template <class Surface, class Real>
HOST_DEVICE inline PairMotion<Real> pair_motion(const Surface& surface, const PairLink<Real>& link,
                                                const PairState<Real>& s, const PairMode<Real>& mode,
                                                const PairSlip<Real>& slip) {
  return detail::pair_motion<false>(surface, link, s, slip, mode);
}

/// A - |B_1| - |B_2| of the denominator of (3): positive where there is exactly one solution.
template <class Real>
HOST_DEVICE inline Real uniqueness(const PairLink<Real>& link, const PairMotion<Real>& m, const PairState<Real>& s,
                                   const PairMode<Real>& mode) {
  const auto part = [&](const PairContact<Real>& c, const Real& vx, const Real& vy, const Real& weight) {
    const Real tx = fma(m.z, c.at.fx, m.x), ty = fma(m.z, c.at.fy, m.y), arm = link.reaction * c.arm;
    const Real lever = c.phi2 * arm, rub = arm * ((link.friction * c.grip) * fma(tx, vx, ty * vy));
    return weight * (fma(tx, fma(lever, c.at.fx, m.x), ty * fma(lever, c.at.fy, m.y)) - abs(rub));
  };
  return part(m.first, s.vx1, s.vy1, mode.w1 * link.inverse1) + part(m.second, s.vx2, s.vy2, mode.w2 * link.inverse2);
}

/// Directions along the surfaces in which an impulse of the link moves the masses, per unit of lambda:
///   (w_1 / m_1) P_1 r  and  -(w_2 / m_2) P_2 r,   P_i r = r - (r . n_i) n_i
/// and by how much r . r' grows, w_1 / m_1 |P_1 r|^2 + w_2 / m_2 |P_2 r|^2.
template <class Real>
struct LinkImpulse {
  Real x1, y1, x2, y2, growth;
};
template <class Real>
HOST_DEVICE inline LinkImpulse<Real> link_impulse(const PairLink<Real>& link, const PairMotion<Real>& m,
                                                  const PairMode<Real>& mode) {
  const Real weight1 = mode.w1 * link.inverse1, weight2 = mode.w2 * link.inverse2;
  const Real up1 = m.first.phi2 * m.first.arm, up2 = m.second.phi2 * m.second.arm;
  const Sliding<Real>&one = m.first.at, &two = m.second.at;
  return {weight1 * fma(up1, one.fx, m.x), weight1 * fma(up1, one.fy, m.y), -weight2 * fma(up2, two.fx, m.x),
          -weight2 * fma(up2, two.fy, m.y),
          fma(weight1, fma(-up1, m.first.arm, m.distance2), weight2 * fma(-up2, m.second.arm, m.distance2))};
}

/// r . r' for the velocities of s at the place of m.
template <class Real>
HOST_DEVICE inline Real opening(const PairMotion<Real>& m, const PairState<Real>& s) {
  const Sliding<Real>&one = m.first.at, &two = m.second.at;
  const Real rz = fma(one.fx, s.vx1, one.fy * s.vy1) - fma(two.fx, s.vx2, two.fy * s.vy2);
  return fma(m.x, s.vx1 - s.vx2, fma(m.y, s.vy1 - s.vy2, m.z * rz));
}

/// The least change of the velocities, weighted with the masses, after which the link keeps its length. Masses that are
/// held do not take part; nothing changes if both are, or where the link is normal to both surfaces.
template <class Real>
HOST_DEVICE inline PairState<Real> with_matching_velocities(const PairLink<Real>& link, const PairMotion<Real>& m,
                                                            const PairState<Real>& s, const PairMode<Real>& mode) {
  const Real zero = Real(0.0), one = Real(1.0);
  const LinkImpulse<Real> push = link_impulse(link, m, mode);
  const Mask<Real> able = push.growth > zero;
  const Real size = select(able, -opening(m, s) / select(able, push.growth, one), zero);
  PairState<Real> out = s;
  out.vx1 = fma(size, push.x1, s.vx1);
  out.vy1 = fma(size, push.y1, s.vy1);
  out.vx2 = fma(size, push.x2, s.vx2);
  out.vy2 = fma(size, push.y2, s.vy2);
  return out;
}

/// One Newton step of the same for the positions, towards |r| = d.
template <class Real>
HOST_DEVICE inline PairState<Real> with_nearer_distance(const PairLink<Real>& link, const PairMotion<Real>& m,
                                                        const PairState<Real>& s, const PairMode<Real>& mode) {
  const Real zero = Real(0.0), one = Real(1.0);
  const LinkImpulse<Real> push = link_impulse(link, m, mode);
  const Mask<Real> able = push.growth > zero;
  const Real half_gap = Real(0.5) * (m.distance2 - link.distance2);
  const Real size = select(able, -half_gap / select(able, push.growth, one), zero);
  PairState<Real> out = s;
  out.x1 = fma(size, push.x1, s.x1);
  out.y1 = fma(size, push.y1, s.y1);
  out.x2 = fma(size, push.x2, s.x2);
  out.y2 = fma(size, push.y2, s.y2);
  return out;
}

}  // namespace scree
