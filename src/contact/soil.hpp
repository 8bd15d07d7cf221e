// Soil on hard ground, into which a rock sinks and which it pushes aside: the scar.
//
// Two surfaces [Lu19]: the terrain, and below it, at the depth d of the scar, the hard one that rebounds the rock. The
// soil between them resists the part of the rock that is in it, on the centre of mass, without a torque:
//   d   = 0.1 m^(1/3) M_e^(-0.4) |v_z|^0.8,   m in kg, M_e in kN/m^2, v_z vertical when the rock touches the soil  (11)
//   F_d = -1/2 C_d rho_s A |v| v,   A the area of the part in the soil as seen along v                              (9)
// [Lu19] cuts the polyhedron; here A is that of the ellipsoid of equal inertia, in closed form.
//
// Sources: Lu et al., Landslides 16 (2019) 2353 [Lu19], (11) there after Gerber, WSL Berichte 74 (2019).
#pragma once

#include "../elementary.hpp"
#include "../vec.hpp"

namespace scree {

/// Depth of the scar of a rock of `mass`, kg, that touches soil of `strength` M_e > 0, Pa, at the vertical speed v_z,
/// m/s: Lu19 eq (11), m. Slower than 1 mm/s counts as 1 mm/s.
template <class Real>
HOST_DEVICE inline Real scar_depth(const Real& mass, const Real& strength, const Real& vertical_speed) {
  const Real speed = larger(abs(vertical_speed), Real(1e-3));
  const Real power = fma(Real(1.0 / 3.0), log(mass),
                         fma(Real(0.8), log(speed), Real(-0.4) * log(strength * Real(1e-3))));
  return Real(0.1) * exp(power);
}

/// The ellipsoid of a rock's inertia: squares of its semi-axes, m^2, in principal axes.
template <class Real>
ALWAYS_INLINE Vec3<Real> ellipsoid_of(const Vec3<Real>& inertia, const Real& mass) {
  const Real zero = Real(0.0), scale = Real(2.5) / mass;
  return {scale * larger(inertia.y + inertia.z - inertia.x, zero),
          scale * larger(inertia.z + inertia.x - inertia.y, zero),
          scale * larger(inertia.x + inertia.y - inertia.z, zero)};
}

/// Area, m^2, as seen along `along`, of the part of an ellipsoid that is below a plane of unit normal `up`, `depth` m
/// above its lowest point, at most half of it; times the length of `along`, so that of a velocity it is the volume that
/// the part sweeps, m^3/s. Squares of the semi-axes; all in principal axes.
///
/// D^-1, D = diag(a1, a2, a3), makes it a unit sphere, cut b = 1 - depth / |D n| from its centre by a plane whose
/// normal has the angle arccos c with the direction of view. The cut is a disc of radius w, its shadow an ellipse of
/// semi-axes w and w c. Where the sphere's own outline is below the plane, s^2 = 1 - c^2 > b^2, a segment of it takes
/// the place of one of the ellipse; both end where the outlines touch, e = sqrt(s^2 - b^2) from the middle:
///   A_1 = w^2 c (pi - phi) + psi - b e,   tan phi = e / (b c),  tan psi = e / b
/// and A = a1 a2 a3 |D^-1 u| A_1. Without segments e = 0.
template <class Real>
HOST_DEVICE inline Real submerged_area(const Vec3<Real>& squares, const Vec3<Real>& up, const Vec3<Real>& along,
                                       const Real& depth) {
  const Real zero = Real(0.0), one = Real(1.0), pi = Real(3.14159265358979323846), least = Real(1e-300);
  const Real yz = squares.y * squares.z, zx = squares.z * squares.x, xy = squares.x * squares.y;
  const Real height2 = dot(squares, scale(up, up)), shadow2 = dot(Vec3<Real>{yz, zx, xy}, scale(along, along));
  const Real shadow = sqrt(shadow2);  // a1 a2 a3 |D^-1 u|
  const Real share = one / sqrt(larger(height2 * shadow2, least));
  const Real volume = sqrt(squares.x * yz);  // a1 a2 a3
  const Real delta = smaller(depth * shadow * share, one), b = one - delta, w2 = delta * (one + b);
  const Real c = smaller(abs(dot(up, along)) * volume * share, one);
  const Real e = sqrt(larger(fma(-b, b, fma(-c, c, one)), zero));
  const Real phi = angle(e, larger(b * c, least)), psi = angle(e, larger(b, least));
  return shadow * fma(w2 * c, pi - phi, fma(-b, e, psi));
}

}  // namespace scree
