// Spline: the bicubic spline through the heights of a grid. Its curvature is continuous, and so is a slider's
// acceleration (a bilinear grid has kinks at every cell).
//
// It is a sum of uniform cubic B-splines (de Boor, A Practical Guide to Splines, ch. XVII): for u = i + t, 0 <= t <= 1,
// with coefficients c from i - 1 to i + 2,
//   s(u) = [(1-t)^3 c_{i-1} + (3t^3 - 6t^2 + 4) c_i + (-3t^3 + 3t^2 + 3t + 1) c_{i+1} + t^3 c_{i+2}] / 6
// in x, and the same over the rows in y. The host solves for the coefficients (host/inputs/spline.hpp).
#pragma once

#include "grid.hpp"
#include "surface_point.hpp"

namespace scree {

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

struct Spline : GridHeights {
  double coefficients;  // (columns + 2) x (rows + 2) numbers at tables[coefficients]

  template <class Real>
  HOST_DEVICE SurfacePoint<Real> at(const double* tables, const Real& x, const Real& y) const {
    using B = BSplines<Real>;
    GridCell<Real> where = cell_of(x, y);
    // An implicit step may look outside on its way, and finds the first node: a cubic continued far out grows.
    const auto kept = [&](const Real& number) { return select(where.inside, number, Real(0.0)); };
    where = {kept(where.i), kept(where.j), kept(where.a), kept(where.b), where.inside};
    const double width = columns + 2.0;
    // Coefficient (i, j) of the surface is entry (i + 1, j + 1) of the table.
    const auto table = table_row(tables + static_cast<std::int64_t>(coefficients), fma(where.j, Real(width), where.i));
    const B bx = B::value(where.a), dx = B::slope(where.a), ddx = B::curvature(where.a);
    Real z[4], zx[4], zxx[4];
    for (int row = 0; row < 4; ++row) {
      Real c[4];
      read_row(table, row * static_cast<int>(width), c);
      z[row] = bx.sum(c);
      zx[row] = dx.sum(c);
      zxx[row] = ddx.sum(c);
    }
    const B by = B::value(where.b), dy = B::slope(where.b);
    const Real inverse = Real(cell.reciprocal);
    SurfacePoint<Real> p;
    p.z = by.sum(z);
    p.fx = inverse * by.sum(zx);
    p.fy = inverse * dy.sum(z);
    p.fxx = inverse * (inverse * by.sum(zxx));
    p.fxy = inverse * (inverse * dy.sum(zx));
    p.fyy = inverse * (inverse * B::curvature(where.b).sum(z));
    p.inside = where.inside;
    const auto nodes =
        table_row(tables + static_cast<std::int64_t>(heights), fma(where.j, Real(columns), where.i));
    Real south[2], north[2];
    read_row(nodes, 0, south);
    read_row(nodes, static_cast<int>(columns), north);
    const Real corners = (south[0] + south[1]) + (north[0] + north[1]);
    p.data = where.inside & (corners == corners);
    return p;
  }

  struct Keys {
    GridHeights file;
    double coefficients;
  };
  template <class Table>
  static void describe(Table& table) {
    table.kind("grid", "the bicubic spline through the heights of a GeoTIFF or ESRI ASCII file",
               "{file}, bicubic spline");
    table.heights("file", &Keys::file);
    table.spline(&Keys::coefficients);
  }
  static Spline of(const Keys& keys) { return {keys.file, keys.coefficients}; }
};

}  // namespace scree
