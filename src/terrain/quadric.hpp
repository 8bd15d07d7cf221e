// Quadric: z = a x^2 + b y^2 + c x y + d x + e y + f. Valleys, bowls, saddles.
#pragma once

#include "../range.hpp"
#include "surface_point.hpp"

namespace scree {

struct QuadricSurface;

struct Quadric {
  double a, b, c, d, e, f;

  template <class Real>
  ALWAYS_INLINE SurfacePoint<Real> at(const double*, const Real& x, const Real& y) const {
    const Real two = Real(2.0), zero = Real(0.0);
    SurfacePoint<Real> p;
    p.fxx = two * Real(a);
    p.fyy = two * Real(b);
    p.fxy = Real(c);
    // f = x (a x + c y + d) + y (b y + e) + f0
    p.fx = fma(p.fxx, x, fma(p.fxy, y, Real(d)));
    p.fy = fma(p.fyy, y, fma(p.fxy, x, Real(e)));
    p.z = fma(x, fma(Real(a), x, fma(p.fxy, y, Real(d))), fma(y, fma(Real(b), y, Real(e)), Real(f)));
    p.inside = p.data = zero == zero;
    return p;
  }
  HOST_DEVICE inline QuadricSurface surface() const;

  using Keys = Quadric;
  template <class Table>
  static void describe(Table& table) {
    table.kind("quadric", "z = a x^2 + b y^2 + c x y + d x + e y + f: valleys, bowls, saddles",
               "quadric z = {+a x^2}{+b y^2}{+c x y}{+d x}{+e y}{+f} (m)");
    table.key("a", &Keys::a, "1/m", any_value, "of x^2", 0.0);
    table.key("b", &Keys::b, "1/m", any_value, "of y^2", 0.0);
    table.key("c", &Keys::c, "1/m", any_value, "of x y", 0.0);
    table.key("d", &Keys::d, "1", any_value, "of x", 0.0);
    table.key("e", &Keys::e, "1", any_value, "of y", 0.0);
    table.key("f", &Keys::f, "m", any_value, "height at (0, 0)", 0.0);
    table.need_one("no coefficient of z = a x^2 + b y^2 + c x y + d x + e y + f, give at least one");
    table.suggest({{"a", 1e-5}, {"e", -5e-5}, {"f", 10.0}});
  }
  static Quadric of(const Keys& keys) { return keys; }
};

struct QuadricSurface {
  const Quadric& quadric;
  template <class Real>
  ALWAYS_INLINE SurfacePoint<Real> operator()(const Real& x, const Real& y) const {
    return quadric.at(nullptr, x, y);
  }
};
HOST_DEVICE inline QuadricSurface Quadric::surface() const { return {*this}; }

}  // namespace scree
