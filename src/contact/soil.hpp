// Soil on hard ground, into which a rock sinks and which it pushes aside: the scar.
//
// Two surfaces [Lu19]: the terrain, and below it, at the depth d of the scar, the hard one that rebounds the rock. The
// soil between them resists the part of the rock that is in it, on the centre of mass, without a torque:
//   d   = 0.1 m^(1/3) M_e^(-0.4) |v_z|^0.8,   m in kg, M_e in kN/m^2, v_z vertical when the rock touches the soil  (11)
//   F_d = -1/2 C_d rho_s A |v| v,   A the area of the part in the soil as seen along v                              (9)
// [Lu19] cuts the polyhedron; here A is that of the ellipsoid of equal inertia, in closed form: an affine map turns it
// and its cut into a unit sphere's cap, whose shadow is a disc, or a disc and a segment of the sphere's shadow.
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

/// Area, m^2, as seen along the unit vector `along`, of the part of an ellipsoid that is below a plane of unit normal
/// `up`, `depth` m above its lowest point, at most half of it. Squares of the semi-axes; all in principal axes.
template <class Real>
HOST_DEVICE inline Real submerged_area(const Vec3<Real>& squares, const Vec3<Real>& up, const Vec3<Real>& along,
                                       const Real& depth) {
  const Real zero = Real(0.0), one = Real(1.0), pi = Real(3.14159265358979323846);
  // With D = diag(a1, a2, a3): H = |D n|, and a1 a2 a3 S = a1 a2 a3 |D^-1 u|, the shadow of all of it over pi.
  const Real height = sqrt(dot(squares, scale(up, up)));
  const Real yz = squares.y * squares.z, zx = squares.z * squares.x, xy = squares.x * squares.y;
  const Real shadow = sqrt(dot(Vec3<Real>{yz, zx, xy}, scale(along, along)));
  const Real volume = sqrt(squares.x * yz);  // a1 a2 a3
  const Real delta = smaller(depth / height, one), b = one - delta, w2 = delta * (one + b), w = sqrt(w2);
  const Real c = smaller(abs(dot(up, along)) * volume / (height * shadow), one);
  const Real s2 = fma(-c, c, one), s = sqrt(larger(s2, zero));
  const Real disc = pi * w2 * c;
  // Where the sphere's shadow begins within that of the cut, s > b, a segment of either takes over.
  const Mask<Real> beyond = s > b;
  const auto segment = [&](const Real& cosine) {  // x - sin x cos x, x = acos of it in [0, pi/2]
    const Real sine = sqrt((one - cosine) * (one + cosine));
    const Real angle = Real(2.0) * atan(sine / (one + cosine));
    return fma(-sine, cosine, angle);
  };
  const Real ws = select(beyond, w * s, one), safe_s = select(beyond, s, one);
  const Real cut = segment(smaller(b * c / ws, one)), sphere = segment(b / safe_s);
  return shadow * select(beyond, fma(-(w2 * c), cut, disc) + sphere, disc);
}

}  // namespace scree
