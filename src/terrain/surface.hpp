// Smooth surfaces z = f(x, y) with first and second derivatives: what sliders and pairs slide on.
//
//   plane     z = height - tan(slope) x                         a quadric without its terms of second order
//   quadric   z = a x^2 + b y^2 + c x y + d x + e y + f         valleys, bowls, saddles
//   bowl      z = R - sqrt(R^2 - x^2 - y^2)                     the lower half of a sphere, its lowest point at 0
//   dome      z = sqrt(R^2 - x^2 - y^2) - R                     the upper half of a sphere, its summit at 0
//   cosine    z = A cos(k_x x) cos(k_y y)                       hills
//   spline    the bicubic spline through the heights of a grid: continuous curvature, so that a slider's acceleration
//             is continuous too (a bilinear grid has kinks at every cell)
//
// The spline is a sum of uniform cubic B-splines (de Boor, A Practical Guide to Splines, ch. XVII): for u = i + t,
// 0 <= t <= 1, with coefficients c from i - 1 to i + 2,
//   s(u) = [(1-t)^3 c_{i-1} + (3t^3 - 6t^2 + 4) c_i + (-3t^3 + 3t^2 + 3t + 1) c_{i+1} + t^3 c_{i+2}] / 6
// in x, and the same over the rows in y. The host solves for the coefficients (host/inputs/spline.hpp).
#pragma once

#include "../elementary.hpp"
#include "terrain.hpp"

namespace scree {

/// Height (m), slopes (1) and curvatures (1/m) of a surface at one point.
template <class Real>
struct SurfacePoint {
  Real z, fx, fy, fxx, fxy, fyy;
  Mask<Real> inside;  // bowl and dome: nearer than R to the axis; spline: within the rectangle of cell centres
  Mask<Real> data;    // inside, and no corner of the cell is NODATA
};

template <class Real>
ALWAYS_INLINE SurfacePoint<Real> quadric_point(const Quadric& q, const Real& x, const Real& y) {
  const Real two = Real(2.0), zero = Real(0.0);
  SurfacePoint<Real> p;
  p.fxx = two * Real(q.a);
  p.fyy = two * Real(q.b);
  p.fxy = Real(q.c);
  // f = x (a x + c y + d) + y (b y + e) + f0
  p.fx = fma(p.fxx, x, fma(p.fxy, y, Real(q.d)));
  p.fy = fma(p.fyy, y, fma(p.fxy, x, Real(q.e)));
  p.z = fma(x, fma(Real(q.a), x, fma(p.fxy, y, Real(q.d))), fma(y, fma(Real(q.b), y, Real(q.e)), Real(q.f)));
  p.inside = p.data = zero == zero;
  return p;
}

/// Bowl (sign 1) or dome (sign -1) of the given radius: with s = sqrt(R^2 - x^2 - y^2), f_x = x / s and
/// f_xx = (1 + f_x^2) / s, f_xy = f_x f_y / s.
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

template <class Real>
HOST_DEVICE inline SurfacePoint<Real> cosine_point(const Terrain& terrain, const Real& x, const Real& y) {
  const Real kx = Real(terrain.wave_x), ky = Real(terrain.wave_y), zero = Real(0.0);
  const SinCos<Real> a = sincos(kx * x), b = sincos(ky * y);
  SurfacePoint<Real> p;
  p.z = Real(terrain.amplitude) * (a.cos * b.cos);
  p.fx = Real(-terrain.amplitude * terrain.wave_x) * (a.sin * b.cos);
  p.fy = Real(-terrain.amplitude * terrain.wave_y) * (a.cos * b.sin);
  p.fxx = -(kx * kx) * p.z;
  p.fyy = -(ky * ky) * p.z;
  p.fxy = Real(terrain.amplitude * terrain.wave_x * terrain.wave_y) * (a.sin * b.sin);
  p.inside = p.data = zero == zero;
  return p;
}

/// The four cubic B-splines that are not 0 at t, or their first or second derivatives.
template <class Real>
struct BSplines {
  Real w[4];

  HOST_DEVICE static BSplines value(const Real& t) {
    const Real r = Real(1.0) - t, sixth = Real(1.0 / 6.0), half = Real(0.5), two_thirds = Real(2.0 / 3.0);
    return {{sixth * (r * r * r), fma(t * t, fma(half, t, -Real(1.0)), two_thirds),
             fma(r * r, fma(half, r, -Real(1.0)), two_thirds), sixth * (t * t * t)}};
  }
  HOST_DEVICE static BSplines slope(const Real& t) {
    const Real r = Real(1.0) - t, half = Real(0.5), two = Real(2.0);
    return {{-half * (r * r), t * fma(Real(1.5), t, -two), -r * fma(Real(1.5), r, -two), half * (t * t)}};
  }
  HOST_DEVICE static BSplines curvature(const Real& t) {
    const Real r = Real(1.0) - t, three = Real(3.0), two = Real(2.0);
    return {{r, fma(three, t, -two), fma(three, r, -two), t}};
  }
  HOST_DEVICE Real sum(const Real (&c)[4]) const {
    return fma(w[0], c[0], fma(w[1], c[1], fma(w[2], c[2], w[3] * c[3])));
  }
};

template <class Real>
HOST_DEVICE inline SurfacePoint<Real> spline_point(const Terrain& terrain, const double* tables, const Real& x,
                                                   const Real& y) {
  using B = BSplines<Real>;
  const GridCell<Real> cell = grid_cell(terrain, x, y);
  const double width = terrain.columns + 2.0;
  // Coefficient (i, j) of the surface is entry (i + 1, j + 1) of the table.
  const double* coefficients = tables + static_cast<std::int64_t>(terrain.coefficients);
  const Real first = fma(cell.j, Real(width), cell.i);
  const B bx = B::value(cell.a), dx = B::slope(cell.a), ddx = B::curvature(cell.a);
  Real z[4], zx[4], zxx[4];
  for (int row = 0; row < 4; ++row) {
    Real c[4];
    for (int k = 0; k < 4; ++k) c[k] = gather(coefficients, first + Real(row * width + k));
    z[row] = bx.sum(c);
    zx[row] = dx.sum(c);
    zxx[row] = ddx.sum(c);
  }
  const B by = B::value(cell.b), dy = B::slope(cell.b);
  const Real inverse = Real(1.0 / terrain.cell);
  SurfacePoint<Real> p;
  p.z = by.sum(z);
  p.fx = inverse * by.sum(zx);
  p.fy = inverse * dy.sum(z);
  p.fxx = inverse * (inverse * by.sum(zxx));
  p.fxy = inverse * (inverse * dy.sum(zx));
  p.fyy = inverse * (inverse * B::curvature(cell.b).sum(z));
  p.inside = cell.inside;
  const double* heights = tables + static_cast<std::int64_t>(terrain.heights);
  const Real corner = fma(cell.j, Real(terrain.columns), cell.i);
  const Real corners =
      (gather(heights, corner) + gather(heights, corner + Real(1.0))) +
      (gather(heights, corner + Real(terrain.columns)) + gather(heights, corner + Real(terrain.columns + 1.0)));
  p.data = cell.inside & (corners == corners);
  return p;
}

/// The surface of a run at (x, y). Outside, values of no meaning (finite for finite x and y), and `inside` is false.
/// The terrain is the same for all samples, so this branch is too.
template <class Real>
HOST_DEVICE inline SurfacePoint<Real> surface_point(const Terrain& terrain, const double* tables, const Real& x,
                                                    const Real& y) {
  switch (terrain.kind) {
    case TerrainKind::bowl:
      return sphere_point(terrain.radius, 1.0, x, y);
    case TerrainKind::dome:
      return sphere_point(terrain.radius, -1.0, x, y);
    case TerrainKind::cosine:
      return cosine_point(terrain, x, y);
    case TerrainKind::spline:
      return spline_point(terrain, tables, x, y);
    default:
      return quadric_point(terrain.quadric, x, y);
  }
}

// Surfaces as functions of (x, y), for loops in which the branch above would cost: a slider's step on a quadric takes
// half as long again where each of its evaluations looks at the kind of terrain.
struct QuadricSurface {
  const Quadric& quadric;
  template <class Real>
  ALWAYS_INLINE SurfacePoint<Real> operator()(const Real& x, const Real& y) const {
    return quadric_point(quadric, x, y);
  }
};
struct SphereSurface {
  double radius, sign;
  template <class Real>
  ALWAYS_INLINE SurfacePoint<Real> operator()(const Real& x, const Real& y) const {
    return sphere_point(radius, sign, x, y);
  }
};
struct AnySurface {
  const Terrain& terrain;
  const double* tables;
  template <class Real>
  ALWAYS_INLINE SurfacePoint<Real> operator()(const Real& x, const Real& y) const {
    return surface_point(terrain, tables, x, y);
  }
};

/// Calls f(surface) with the surface of a run: one copy of f's code for the cheap ones each, one for all others.
template <class F>
ALWAYS_INLINE void with_surface(const Terrain& terrain, const double* tables, F&& f) {
  switch (terrain.kind) {
    case TerrainKind::cosine:
    case TerrainKind::spline:
      return f(AnySurface{terrain, tables});
    case TerrainKind::bowl:
      return f(SphereSurface{terrain.radius, 1.0});
    case TerrainKind::dome:
      return f(SphereSurface{terrain.radius, -1.0});
    default:
      return f(QuadricSurface{terrain.quadric});
  }
}

}  // namespace scree
