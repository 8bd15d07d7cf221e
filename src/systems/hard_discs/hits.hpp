// When hard discs in straight flight meet each other or the wall, and what a hit does to them.
//
// With d = x_i - x_j, w = v_i - v_j and s = r_i + r_j, two discs touch when |d + w t| = s, first at
//   t = C / (-b + sqrt(D)),   b = d.w < 0,   C = d.d - s^2,   D = b^2 - A C = A s^2 - (d x w)^2 >= 0,   A = w.w   (1)
// and never if b >= 0 or D < 0. This form of the root loses no digits as C -> 0, the second of D none for discs that
// are far apart. In a circle the centre has the room R - r:
//   t = (-b + sqrt(D)) / A  if b < 0,  else -C / (b + sqrt(D)),   b = x.v,  C = x.x - (R - r)^2 <= 0,  A = v.v     (2)
// What a hit does is in ../../steppers/hard_hits.hpp.
#pragma once

#include "../../steppers/hard_hits.hpp"

namespace scree {

/// Equation (1), s, of discs at a distance d whose difference of velocities is w; `reach` is the sum of the radii. 0
/// for discs that approach and touch or, by rounding, overlap.
template <class Real>
HOST_DEVICE Real time_to_meet(const Vec2<Real>& d, const Vec2<Real>& w, const Real& reach) {
  const Real zero = Real(0.0);
  const Real b = fma(d.x, w.x, d.y * w.y);
  if (!any(b < zero)) return never<Real>();
  const Real across = difference_of_products(d.x, w.y, d.y, w.x), wide = reach * reach;
  const Real discriminant = difference_of_products(fma(w.x, w.x, w.y * w.y), wide, across, across);
  if (!any(discriminant >= zero)) return never<Real>();
  const Real c = fma(d.x, d.x, fma(d.y, d.y, -wide));
  return larger(c / (sqrt(discriminant) - b), zero);
}

/// Time, s, until a coordinate x with the velocity v reaches room or -room, whichever it moves towards.
template <class Real>
HOST_DEVICE Real time_to_side(const Real& x, const Real& v, const Real& room) {
  const Real zero = Real(0.0);
  if (!any(abs(v) > zero)) return never<Real>();
  return larger((room - select(v > zero, x, -x)) / abs(v), zero);
}

/// Equation (2), s, for a centre that has the room `room` around the origin.
template <class Real>
HOST_DEVICE Real time_to_circle(const Vec2<Real>& x, const Vec2<Real>& v, const Real& room) {
  const Real zero = Real(0.0);
  const Real a = fma(v.x, v.x, v.y * v.y);
  if (!any(a > zero)) return never<Real>();
  const Real b = fma(x.x, v.x, x.y * v.y), across = difference_of_products(x.x, v.y, x.y, v.x), wide = room * room;
  const Real root = sqrt(larger(difference_of_products(a, wide, across, across), zero));
  if (any(b < zero)) return (root - b) / a;
  const Real c = fma(x.x, x.x, fma(x.y, x.y, -wide));
  return larger(-c / (b + root), zero);
}

/// The two velocities, m/s, after a hit, and the energy lost in it, J.
///   normal       unit vector from the second disc to the first
///   restitution  0 to 1
template <class Real>
struct DiscHit {
  Vec2<Real> velocity1, velocity2;
  Real lost;
};
template <class Real>
HOST_DEVICE DiscHit<Real> hit_discs(const Vec2<Real>& v1, const Vec2<Real>& v2, const Real& mass1, const Real& mass2,
                                    const Vec2<Real>& normal, const Real& restitution) {
  const Real u = fma(v1.x - v2.x, normal.x, (v1.y - v2.y) * normal.y);
  const HardCollision<Real> hit = hard_collision(mass1, mass2, u, restitution);
  const Real change1 = hit.change * hit.share1, change2 = hit.change * hit.share2;
  return {{fma(-change1, normal.x, v1.x), fma(-change1, normal.y, v1.y)},
          {fma(change2, normal.x, v2.x), fma(change2, normal.y, v2.y)},
          hit.dissipated * (u * u)};
}

}  // namespace scree
