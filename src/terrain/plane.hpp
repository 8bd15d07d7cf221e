// Plane: z = height - tan(slope) x. It falls along +x. What slides on it slides on the quadric of the same heights.
#pragma once

#include "../range.hpp"
#include "half_space.hpp"
#include "quadric.hpp"

namespace scree {

struct Plane {
  HalfSpace slope;

  static constexpr int half_spaces = 1;
  HOST_DEVICE const HalfSpace& half_space(int) const { return slope; }
  template <class Real>
  ALWAYS_INLINE Real height(const Real& x, const Real&) const {
    return slope.height_over(x);
  }
  template <class Real>
  ALWAYS_INLINE Vec3<Real> fall_line(const Real&, const Real&) const {
    return HalfSpace::of<Real>(slope.tangent1);
  }

  struct Keys {
    double slope, height;
  };
  template <class Table>
  static void describe(Table& table) {
    static constexpr Range below_upright{0, 90, false, true, ">= 0 and < 90"};
    table.kind("plane", "z = height - tan(slope) x", "plane of {slope} degrees");
    table.key("slope", &Keys::slope, "degrees", below_upright, "the angle by which it falls along +x");
    table.key("height", &Keys::height, "m", any_value, "of the ground at x = 0", 0.0);
  }
  static Plane of(const Keys& keys) { return {falling_plane(keys.slope, keys.height)}; }

  Quadric smooth() const { return {0, 0, 0, -slope.normal.x / slope.normal.z, 0, slope.offset / slope.normal.z}; }
};

}  // namespace scree
