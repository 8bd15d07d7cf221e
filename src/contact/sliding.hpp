// A point mass that slides on a surface z = f(x, y): what its contact says at one instant.
//
//   phi = (1 + f_x^2 + f_y^2)^(-1/2),   vz = f_x vx + f_y vy,   |V|^2 = vx^2 + vy^2 + vz^2               (1)
//   p = N / (m phi) = g + theta,   theta = f_xx vx^2 + 2 f_xy vx vy + f_yy vy^2                          (2)
//   a = -p (phi^2 grad f + mu sgn(p) phi v / |V|)                                                        (3)
//
// a is the horizontal acceleration; p is the reaction along (-f_x, -f_y, 1), m/s^2, negative where the surface pulls.
// Further forces on the mass change p, and (3) stays.
//
// Source: Gallotti and Tinti, Theor. Appl. Mech. Lett. 2019, eqs (3)-(8), with friction on |N|.
#pragma once

#include "../elementary.hpp"
#include "../terrain/terrain.hpp"

namespace scree {

/// Added to |V|^2, so that 1 / |V| is finite at rest, where it only ever multiplies a velocity of 0: no bit of a
/// |V| above 1e-92 m/s changes.
inline constexpr double least_square_speed = 1e-200;

/// |V|^2 of the horizontal velocity (vx, vy) and its vertical part vz.
template <class Real>
ALWAYS_INLINE Real square_speed(const Real& vx, const Real& vy, const Real& vz) {
  return fma(vx, vx, fma(vy, vy, fma(vz, vz, Real(least_square_speed))));
}

/// What the surface and the velocity give before any root is taken.
template <class Real>
struct Sliding {
  Real fx, fy;     // slopes
  Real vz;         // eq (1)
  Real square;     // |V|^2
  Real steepness;  // 1 / phi^2 = 1 + f_x^2 + f_y^2
  Real reaction;   // g + theta, eq (2)
};

template <class Real>
ALWAYS_INLINE Sliding<Real> sliding(const SurfacePoint<Real>& at, const Real& vx, const Real& vy, const Real& gravity) {
  Sliding<Real> c;
  c.fx = at.fx;
  c.fy = at.fy;
  c.vz = fma(at.fx, vx, at.fy * vy);
  c.square = square_speed(vx, vy, c.vz);
  c.steepness = fma(at.fx, at.fx, fma(at.fy, at.fy, Real(1.0)));
  const Real twist = at.fxy * vy;
  c.reaction = fma(vx, fma(at.fxx, vx, twist + twist), fma(at.fyy * vy, vy, gravity));
  return c;
}

/// phi / |V|, and phi^2 by the same root. Two functions: a struct of both costs a pack of AVX2 a quarter of a step.
template <class Real>
ALWAYS_INLINE Real grip_of(const Real& square, const Real& steepness) {
  return rsqrt(square * steepness);
}
template <class Real>
ALWAYS_INLINE Real phi2_of(const Real& grip, const Real& square) {
  return grip * grip * square;
}

}  // namespace scree
