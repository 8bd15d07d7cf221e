// Cosine: z = A cos(k_x x) cos(k_y y). Hills and hollows, or ridges where one of the wave numbers is 0.
#pragma once

#include <limits>

#include "../elementary.hpp"
#include "../range.hpp"
#include "surface_point.hpp"

namespace scree {

struct Cosine {
  double amplitude, wave_x, wave_y;  // m, and wave numbers in 1/m

  template <class Real>
  HOST_DEVICE SurfacePoint<Real> at(const double*, const Real& x, const Real& y) const {
    const Real kx = Real(wave_x), ky = Real(wave_y), zero = Real(0.0);
    const SinCos<Real> a = sincos(kx * x), b = sincos(ky * y);
    SurfacePoint<Real> p;
    p.z = Real(amplitude) * (a.cos * b.cos);
    p.fx = Real(-amplitude * wave_x) * (a.sin * b.cos);
    p.fy = Real(-amplitude * wave_y) * (a.cos * b.sin);
    p.fxx = -(kx * kx) * p.z;
    p.fyy = -(ky * ky) * p.z;
    p.fxy = Real(amplitude * wave_x * wave_y) * (a.sin * b.sin);
    p.inside = p.data = zero == zero;
    return p;
  }

  struct Keys {
    double amplitude, wavelength_x, wavelength_y;
  };
  template <class Table>
  static void describe(Table& table) {
    constexpr double level = std::numeric_limits<double>::infinity();
    table.kind("cosine", "z = amplitude cos(2 pi x / wavelength_x) cos(2 pi y / wavelength_y): hills",
               "cosine hills of amplitude {amplitude} m[, wavelength {wavelength_x} m along x]"
               "[, wavelength {wavelength_y} m along y]");
    table.key("amplitude", &Keys::amplitude, "m", any_value, "half the height from trough to crest");
    table.key("wavelength_x", &Keys::wavelength_x, "m", positive, "along x; without it ridges along x", level);
    table.key("wavelength_y", &Keys::wavelength_y, "m", positive, "along y; without it ridges along y", level);
    table.need_one("no wavelength, give wavelength_x, wavelength_y (m) or both");
  }
  static Cosine of(const Keys& keys) {
    constexpr double turn = 6.28318530717958647692;
    return {keys.amplitude, turn / keys.wavelength_x, turn / keys.wavelength_y};
  }
};

}  // namespace scree
