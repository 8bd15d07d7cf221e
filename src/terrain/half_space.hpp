// Half-spaces: planes that end the ground, and what every kind of terrain made of them has from them.
#pragma once

#include "../elementary.hpp"
#include "../vec.hpp"
#include "ground_under.hpp"

namespace scree {

/// Points of a half-space's surface satisfy normal . x = offset; two unit tangents, the first down the fall line, make
/// a frame with the unit normal.
struct HalfSpace {
  Vec3<double> normal, tangent1, tangent2;
  double offset;
  double steepness;  // 1 / normal.z: height above the surface over the distance from it

  /// Distance of a point, m, negative inside.
  template <class Real>
  ALWAYS_INLINE Real gap(const Vec3<Real>& point) const {
    return dot(of<Real>(normal), point) - Real(offset);
  }
  /// Height above the surface, m, vertical.
  template <class Real>
  ALWAYS_INLINE Real above(const Vec3<Real>& point) const {
    return gap(point) * Real(steepness);
  }
  /// Height of the surface above x, m, of a half-space that falls along x.
  template <class Real>
  ALWAYS_INLINE Real height_over(const Real& x) const {
    return (Real(offset) - Real(normal.x) * x) / Real(normal.z);
  }
  template <class Real>
  ALWAYS_INLINE static Vec3<Real> of(const Vec3<double>& v) {
    return {Real(v.x), Real(v.y), Real(v.z)};
  }
};

/// The half-space of the plane through (0, 0, height) that falls by `degrees` along +x. sin and cos are the program's
/// own, so that the same config gives the same bits under every C library.
inline HalfSpace falling_plane(double degrees, double height) {
  const SinCos<double> a = sincos(degrees * (3.14159265358979323846 / 180.0));
  return {{a.sin, 0, a.cos}, {a.cos, 0, -a.sin}, {0, 1, 0}, a.cos * height, 1 / a.cos};
}

/// The ground z <= 0.
inline constexpr HalfSpace level_ground{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, 0, 1};

/// A rough kind made of half-spaces, at most two, each of which is tested everywhere:
///   static constexpr int half_spaces;
///   const HalfSpace& half_space(int k) const;
///   Real height(const Real& x, const Real& y) const;           of the ground above (x, y), m
///   Vec3<Real> fall_line(const Real& x, const Real& y) const;  unit vector down the steepest slope there
template <class Kind>
concept HalfSpaces = requires { Kind::half_spaces; };

template <HalfSpaces Kind, class Real>
ALWAYS_INLINE Real ground_height(const Kind& kind, const double*, const Real& x, const Real& y) {
  return kind.height(x, y);
}
template <HalfSpaces Kind, class Real>
ALWAYS_INLINE Vec3<Real> fall_line(const Kind& kind, const double*, const Real& x, const Real& y) {
  return kind.fall_line(x, y);
}

/// Height of a point above the ground, m, vertical.
template <HalfSpaces Kind, class Real>
ALWAYS_INLINE Real height_above(const Kind& kind, const Vec3<Real>& x) {
  Real height = kind.half_space(0).above(x);
  if constexpr (Kind::half_spaces == 2) height = smaller(kind.half_space(1).above(x), height);
  return height;
}
/// Unit normal of the half-space nearest to x, the first of two as near.
template <HalfSpaces Kind, class Real>
ALWAYS_INLINE Vec3<Real> ground_normal(const Kind& kind, const double*, const Vec3<Real>& x) {
  Vec3<Real> normal = HalfSpace::of<Real>(kind.half_space(0).normal);
  if constexpr (Kind::half_spaces == 2)
    normal = select(kind.half_space(1).gap(x) < kind.half_space(0).gap(x),
                    HalfSpace::of<Real>(kind.half_space(1).normal), normal);
  return normal;
}

/// The frame of a contact, with the first half-space or, where `on_second` holds, with the second: unit normal and two
/// unit tangents.
template <HalfSpaces Kind, class Real>
ALWAYS_INLINE void contact_frame(const Kind& kind, const double*, const Mask<Real>& on_second, const Vec3<Real>&,
                                 Vec3<Real>* frame) {
  constexpr Vec3<double> HalfSpace::*axes[] = {&HalfSpace::normal, &HalfSpace::tangent1, &HalfSpace::tangent2};
  for (int a = 0; a < 3; ++a) {
    frame[a] = HalfSpace::of<Real>(kind.half_space(0).*axes[a]);
    if constexpr (Kind::half_spaces == 2)
      frame[a] = select(on_second, HalfSpace::of<Real>(kind.half_space(1).*axes[a]), frame[a]);
  }
}

/// Gap of a contact at x, m, over the first half-space or, where `on_second` holds, over the second.
template <HalfSpaces Kind, class Real>
ALWAYS_INLINE Real contact_gap(const Kind& kind, const double*, const Mask<Real>& on_second, const Vec3<Real>& x) {
  Real gap = kind.half_space(0).gap(x);
  if constexpr (Kind::half_spaces == 2) gap = select(on_second, kind.half_space(1).gap(x), gap);
  return gap;
}

template <HalfSpaces Kind, class Real>
ALWAYS_INLINE GroundUnder<Real> ground_under(const Kind& kind, const double*, const Vec3<Real>& x) {
  Real gap = kind.half_space(0).gap(x);
  if constexpr (Kind::half_spaces == 2) gap = smaller(kind.half_space(1).gap(x), gap);
  const Mask<Real> everywhere = Real(0.0) == Real(0.0);
  return {gap, everywhere, everywhere};
}

/// How far the point must be raised for its gap to be `gap`, m.
template <HalfSpaces Kind, class Real>
ALWAYS_INLINE Real raise_to_gap(const Kind& kind, const double*, const Vec3<Real>& point, const Real& gap) {
  const auto needed = [&](const HalfSpace& plane) { return (gap - plane.gap(point)) / Real(plane.normal.z); };
  Real most = needed(kind.half_space(0));
  if constexpr (Kind::half_spaces == 2) most = larger(needed(kind.half_space(1)), most);
  return most;
}

}  // namespace scree
