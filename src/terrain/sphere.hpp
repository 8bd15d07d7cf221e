// Half a sphere about the z axis, which bowl.hpp and dome.hpp turn up and down.
//
//   z = sign (R - s),   s = sqrt(R^2 - x^2 - y^2)
//   f_x = sign x / s,   f_xx = sign (1 + x^2 / s^2) / s,   f_xy = sign x y / s^3
#pragma once

#include "../elementary.hpp"
#include "../range.hpp"
#include "surface_point.hpp"

namespace scree {

/// `sign` 1: the lower half; -1: the upper half.
template <class Real>
ALWAYS_INLINE SurfacePoint<Real> sphere_point(double radius, double sign, const Real& x, const Real& y) {
  const Real one = Real(1.0), square = Real(radius * radius);
  const Real below = fma(-x, x, fma(-y, y, square));
  SurfacePoint<Real> p;
  p.inside = p.data = below > Real(0.0);
  const Real safe = select(p.inside, below, square), inverse = rsqrt(safe);
  const Real curvature = Real(sign) * inverse, gx = x * inverse, gy = y * inverse;
  p.z = Real(sign) * fma(-safe, inverse, Real(radius));
  p.fx = Real(sign) * gx;
  p.fy = Real(sign) * gy;
  p.fxx = curvature * fma(gx, gx, one);
  p.fyy = curvature * fma(gy, gy, one);
  p.fxy = curvature * (gx * gy);
  return p;
}

/// One type for both, so that the step's code is there once.
struct SphereSurface {
  double radius, sign;
  template <class Real>
  ALWAYS_INLINE SurfacePoint<Real> operator()(const Real& x, const Real& y) const {
    return sphere_point(radius, sign, x, y);
  }
};

struct SphereKeys {
  double radius;
};
template <class Table>
void describe_sphere(Table& table) {
  table.key("radius", &SphereKeys::radius, "m", positive, "the sphere's radius");
  table.extent("nearer to (0, 0) than its radius of {radius} (m)");
}

}  // namespace scree
