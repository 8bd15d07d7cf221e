// A smooth surface z = f(x, y) at one point, with the derivatives that sliding needs.
#pragma once

#include "../vec.hpp"

namespace scree {

/// Height (m), slopes (1) and curvatures (1/m).
template <class Real>
struct SurfacePoint {
  Real z, fx, fy, fxx, fxy, fyy;
  Mask<Real> inside;  // where there is terrain; beyond it values of no meaning, finite for finite x and y
  Mask<Real> data;    // inside, and the height is known
};

/// A smooth kind:
///   SurfacePoint<Real> at(const double* tables, const Real& x, const Real& y) const;
/// and, if its evaluation is so cheap that the step's code is worth a copy of its own,
///   auto surface() const;    its points as a function of (x, y)
template <class Kind>
concept SmoothSurface = requires(const Kind& kind, double x) {
  { kind.at(&x, x, x).fxx };
};
template <class Kind>
concept CheapSurface = SmoothSurface<Kind> && requires(const Kind& kind) { kind.surface(); };

}  // namespace scree
