// Ramp: a plane that falls by `height` along +x from the origin and meets level ground, z = 0, at its foot x = foot.
// Both half-spaces are tested everywhere, so the concave corner is exact.
#pragma once

#include "../range.hpp"
#include "half_space.hpp"

namespace scree {

struct Ramp {
  HalfSpace slope, flat;
  double foot;  // x of the slope's foot, m

  static constexpr int half_spaces = 2;
  HOST_DEVICE const HalfSpace& half_space(int k) const { return k == 0 ? slope : flat; }
  template <class Real>
  ALWAYS_INLINE Real height(const Real& x, const Real&) const {
    return larger(slope.height_over(x), Real(0.0));
  }
  template <class Real>
  ALWAYS_INLINE Vec3<Real> fall_line(const Real& x, const Real&) const {
    return select(x < Real(foot), HalfSpace::of<Real>(slope.tangent1), HalfSpace::of<Real>(flat.tangent1));
  }

  struct Keys {
    double slope, height;
  };
  template <class Table>
  static void describe(Table& table) {
    static constexpr Range sloping{0, 90, true, true, "> 0 and < 90"};
    table.kind("ramp", "a plane that meets level ground", "ramp of {slope} degrees, {height} m high");
    table.key("slope", &Keys::slope, "degrees", sloping, "the angle by which it falls along +x from x = 0");
    table.key("height", &Keys::height, "m", positive, "of the ground at x = 0");
    table.suggest({{"slope", 40.0}, {"height", 100.0}});
  }
  static Ramp of(const Keys& keys) {
    const HalfSpace slope = falling_plane(keys.slope, keys.height);
    return {slope, level_ground, keys.height * slope.normal.z / slope.normal.x};
  }
};

}  // namespace scree
