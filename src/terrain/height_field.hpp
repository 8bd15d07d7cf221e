// Rough ground that is a height over (x, y): what every such kind of terrain has from its heights and slopes.
//
// The gap of a point is (z - h(x, y)) n_z, the height difference seen along the normal (L14 eq 7).
#pragma once

#include "../elementary.hpp"
#include "../vec.hpp"
#include "ground_under.hpp"

namespace scree {

/// The ground at (x, y).
template <class Real>
struct GroundPoint {
  Real height;          // m
  Real rise_x, rise_y;  // m over a run: the slopes along x and y times `run`
  Divisor run;          // m
  Mask<Real> inside;    // where there is terrain; beyond it the other values mean nothing
  Mask<Real> data;      // inside, and the height is known

  ALWAYS_INLINE Real slope_x() const { return divide(rise_x, run); }
  ALWAYS_INLINE Real slope_y() const { return divide(rise_y, run); }
  /// n_z of the surface, L14 eq (7).
  ALWAYS_INLINE Real normal_z() const {
    const Real sx = slope_x(), sy = slope_y();
    return Real(1.0) / sqrt(fma(sx, sx, fma(sy, sy, Real(1.0))));
  }
  /// Gap of a point at the height z above here, m.
  ALWAYS_INLINE Real gap(const Real& z) const { return (z - height) * normal_z(); }
};

/// A rough kind with one height above each (x, y):
///   GroundPoint<Real> at(const double* tables, const Real& x, const Real& y) const;
///   auto cell_of(const Real& x, const Real& y) const;     what `at` finds without the tables, and
///   GroundPoint<Real> at(const double* tables, const auto& cell) const;       what it finds then
///   Divisor run() const;                                  of all its points, m
template <class Kind>
concept HeightField = requires(const Kind& kind, double x) {
  { kind.at(&x, x, x).rise_x };
  { kind.at(&x, kind.cell_of(x, x)).rise_x };
  { kind.run().reciprocal };
};

/// Height of the ground at (x, y), m.
template <HeightField Kind, class Real>
ALWAYS_INLINE Real ground_height(const Kind& kind, const double* tables, const Real& x, const Real& y) {
  return kind.at(tables, x, y).height;
}

/// Unit vector down the steepest slope at (x, y), m; level ground gives e_x.
template <HeightField Kind, class Real>
HOST_DEVICE inline Vec3<Real> fall_line(const Kind& kind, const double* tables, const Real& x, const Real& y) {
  const Real zero = Real(0.0), one = Real(1.0);
  const GroundPoint<Real> ground = kind.at(tables, x, y);
  const Real sx = ground.slope_x(), sy = ground.slope_y(), steepness2 = fma(sx, sx, sy * sy);
  const auto sloping = steepness2 > zero;
  const Vec3<Real> down{-sx, -sy, -steepness2};
  const Real length = norm(down);
  return select(sloping, (one / select(sloping, length, one)) * down, Vec3<Real>{one, zero, zero});
}

/// Unit normal of the ground below or above x.
template <HeightField Kind, class Real>
HOST_DEVICE inline Vec3<Real> ground_normal(const Kind& kind, const double* tables, const Vec3<Real>& x) {
  const GroundPoint<Real> ground = kind.at(tables, x.x, x.y);
  const Real nz = ground.normal_z();
  return {-ground.slope_x() * nz, -ground.slope_y() * nz, nz};
}

/// The frame of a contact at x: unit normal and two unit tangents.
template <HeightField Kind, class Real>
HOST_DEVICE inline void contact_frame(const Kind& kind, const double* tables, const Mask<Real>&, const Vec3<Real>& x,
                                      Vec3<Real>* frame) {
  const GroundPoint<Real> ground = kind.at(tables, x.x, x.y);
  const Real nz = ground.normal_z(), zero = Real(0.0), one = Real(1.0);
  const Vec3<Real> n{-ground.slope_x() * nz, -ground.slope_y() * nz, nz};
  // e_x made tangent, e_y on slopes so steep that e_x is nearly normal.
  const auto steep = abs(n.x) > Real(0.9);
  const Vec3<Real> along{select(steep, zero, one), select(steep, one, zero), zero};
  const Vec3<Real> t = fma(-dot(along, n), n, along);
  frame[0] = n;
  frame[1] = (one / norm(t)) * t;
  frame[2] = cross(n, frame[1]);
}

/// Gap of a contact at x, m.
template <HeightField Kind, class Real>
HOST_DEVICE inline Real contact_gap(const Kind& kind, const double* tables, const Mask<Real>&, const Vec3<Real>& x) {
  return kind.at(tables, x.x, x.y).gap(x.z);
}

template <HeightField Kind, class Real>
HOST_DEVICE inline GroundUnder<Real> ground_under(const Kind& kind, const double* tables, const Vec3<Real>& x) {
  const GroundPoint<Real> ground = kind.at(tables, x.x, x.y);
  return {ground.gap(x.z), ground.inside, ground.data};
}

/// How far the point must be raised for its gap to be `gap`, m; -1e300 where there is no ground.
template <HeightField Kind, class Real>
HOST_DEVICE inline Real raise_to_gap(const Kind& kind, const double* tables, const Vec3<Real>& point, const Real& gap) {
  const GroundPoint<Real> ground = kind.at(tables, point.x, point.y);
  return select(ground.data, gap / ground.normal_z() - (point.z - ground.height), Real(-1e300));
}

}  // namespace scree
