// The explicit rotor: RAMMS' "pseudo-implicit" scheme, L21 eqs (45)-(47).
//
//   (Theta + h/2 G(w0)) w1 = (Theta - h/2 G(w0)) w0,   G(w) w = w x Theta w                     (46)
//   p_h = p0 + h/2 F(p0) w0,   p1 = p_h + h/2 F(p_h) w1, normalised                             (47)
//
// Theta = diag(A, B, C) are the principal moments, w the angular velocity in principal axes, p the orientation.
// G = Theta w~ + w~ Theta is skew, so kinetic energy is constant to round-off; the spin |Theta w| is not: rotation
// about the axis of largest inertia is unstable and grows at about h |w|^2 (2C^2 - A^2 - B^2) / (4AB) per second.
#pragma once

#include "../vec.hpp"

namespace scree {

/// p0 + h/2 F(p0) w, not normalised; F(p) w = p (x) (0, w) / 2 (L21 eqs 11-12).
template <class Real>
ALWAYS_INLINE Quaternion<Real> half_turn(const Quaternion<Real>& p, const Vec3<Real>& w, const Real& h) {
  const Real quarter = Real(0.25) * h;
  return p * Quaternion<Real>{Real(1.0), quarter * w.x, quarter * w.y, quarter * w.z};
}

/// Angular velocity in principal axes, rad/s, and orientation, principal axes to world.
template <class Real>
struct Rotation {
  Vec3<Real> w;
  Quaternion<Real> p;
};

/// Whether p is a unit quaternion, as every rotor leaves it. Normalised, |p|^2 is 1 to a few units in the last place; a
/// square that has under- or overflowed leaves 0, infinity or NaN, and no orientation.
template <class Real>
ALWAYS_INLINE Mask<Real> is_unit(const Quaternion<Real>& p) {
  return abs(dot(p, p) - Real(1.0)) < Real(1e-9);
}

struct RotorExplicit {
  static constexpr const char* name = "explicit";
  static constexpr const char* meaning = "RAMMS' pseudo-implicit rotor (Leine et al. 2021, eqs 45-47)";
  static constexpr bool orientation_needs_contact = true;    // p1 depends on the velocity after contact
  static constexpr bool restitution_uses_free_spin = false;  // gamma0 = W^T(v0, w0)

  /// (1 + k) Theta + h/2 G(w), kg m^2; its determinant is at least ABC > 0. The brake k is of a torque
  /// -(k / h) Theta (w0 + w1).
  template <class Real>
  ALWAYS_INLINE static Mat3<Real> system_matrix(const Vec3<Real>& inertia, const Vec3<Real>& w, const Real& h,
                                                const Real& brake) {
    const Real half = Real(0.5) * h, more = Real(1.0) + brake;
    const Real g12 = -half * ((inertia.x + inertia.y) * w.z);
    const Real g13 = half * ((inertia.x + inertia.z) * w.y);
    const Real g23 = -half * ((inertia.y + inertia.z) * w.x);
    return {{more * inertia.x, g12, g13}, {-g12, more * inertia.y, g23}, {-g13, -g23, more * inertia.z}};
  }

  /// What an angular impulse in principal axes does to w: (Theta + h/2 G(w0))^-1, L21 eqs (81)-(82).
  template <class Real>
  HOST_DEVICE static Mat3<Real> response(const Vec3<Real>& inertia, const Vec3<Real>& w, const Real& h,
                                         const Real& brake = Real(0.0)) {
    return inverse(system_matrix(inertia, w, h, brake));
  }

  /// Angular velocity after a step without contact, eq (46): w1 = w0 - h (Theta + h/2 G(w0))^-1 (w0 x Theta w0); with
  /// the brake w1 = w0 - (...)^-1 (h w0 x Theta w0 + 2 k Theta w0).
  template <class Real>
  ALWAYS_INLINE static Vec3<Real> free_spin(const Vec3<Real>& inertia, const Vec3<Real>& w, const Real& h,
                                            const Real& brake = Real(0.0)) {
    const Mat3<Real> m = system_matrix(inertia, w, h, brake);
    const Vec3<Real> spin = scale(inertia, w);
    Vec3<Real> torque = cross(w, spin);
    const Mask<Real> brakes = brake > Real(0.0);
    if (any(brakes)) torque = select(brakes, fma((brake + brake) / h, spin, torque), torque);
    const Vec3<Real> c0 = cross(m.row1, m.row2), c1 = cross(m.row2, m.row0), c2 = cross(m.row0, m.row1);
    const Real s = -h / dot(m.row0, c0);
    return fma(s, fma(torque.x, c0, fma(torque.y, c1, torque.z * c2)), w);
  }

  /// The same with the brake k > 0 of a torque -(k / h) Theta (w0 + w1); `free` is without.
  template <class Real>
  ALWAYS_INLINE static Vec3<Real> braked(const Vec3<Real>& inertia, const Vec3<Real>& w, const Vec3<Real>&,
                                         const Real& h, const Real& brake) {
    return free_spin(inertia, w, h, brake);
  }

  /// Orientation at the step's end, eq (47); `middle` is p_h up to a factor, w1 the angular velocity after contact.
  template <class Real>
  ALWAYS_INLINE static Quaternion<Real> turn(const Quaternion<Real>& middle, const Vec3<Real>& w1, const Real& h) {
    return normalized(half_turn(middle, w1, h));
  }

  /// A step without contact, eqs (46) and (47).
  template <class Real>
  ALWAYS_INLINE static Rotation<Real> free_step(const Vec3<Real>& inertia, const Vec3<Real>& w,
                                                const Quaternion<Real>& p, const Real& h) {
    const Vec3<Real> w1 = free_spin(inertia, w, h);
    return {w1, turn(normalized(half_turn(p, w, h)), w1, h)};
  }
};

}  // namespace scree
