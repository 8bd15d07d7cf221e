// Bowl: z = R - sqrt(R^2 - x^2 - y^2), the lower half of a sphere of radius R, its lowest point at 0.
#pragma once

#include "sphere.hpp"

namespace scree {

struct Bowl {
  double radius;  // m

  template <class Real>
  ALWAYS_INLINE SurfacePoint<Real> at(const double*, const Real& x, const Real& y) const {
    return sphere_point(radius, 1.0, x, y);
  }
  HOST_DEVICE SphereSurface surface() const { return {radius, 1.0}; }

  using Keys = SphereKeys;
  template <class Table>
  static void describe(Table& table) {
    table.kind("bowl", "z = R - sqrt(R^2 - x^2 - y^2): half a sphere, open above", "bowl of radius {radius} m");
    describe_sphere(table);
  }
  static Bowl of(const Keys& keys) { return {keys.radius}; }
};

}  // namespace scree
