// The rotor by a general-purpose integrator: RK4 on Euler's equations and the quaternion, the control arm of a
// comparison.
//
//   w' = -Theta^-1 (w x Theta w),   p' = p (x) (0, w) / 2                              L21 eqs (5), (11)-(12)
#pragma once

#include "rk4.hpp"
#include "rotor_midpoint.hpp"

namespace scree {

struct RotorRk4 {
  static constexpr const char* name = "rk4";
  static constexpr const char* meaning = "Runge-Kutta of order 4 on Euler's equations and the quaternion";
  static constexpr bool orientation_needs_contact = false;
  static constexpr bool restitution_uses_free_spin = true;

  template <class Real>
  HOST_DEVICE static Mat3<Real> response(const Vec3<Real>& inertia, const Vec3<Real>& w, const Real& h,
                                         const Real& brake = Real(0.0)) {
    return RotorMidpoint<Cayley>::response(inertia, w, h, brake);
  }
  template <class Real>
  ALWAYS_INLINE static Vec3<Real> braked(const Vec3<Real>& inertia, const Vec3<Real>& w, const Vec3<Real>& free,
                                         const Real& h, const Real& brake) {
    return RotorMidpoint<Cayley>::braked(inertia, w, free, h, brake);
  }
  /// A step without contact; the quaternion is brought back to unit length.
  template <class Real>
  HOST_DEVICE static Rotation<Real> free_step(const Vec3<Real>& inertia, const Vec3<Real>& w, const Quaternion<Real>& p,
                                              const Real& h) {
    const auto rate = [&](const Rotation<Real>& s) {
      const Vec3<Real> torque = cross(scale(inertia, s.w), s.w);
      const Real half = Real(0.5);
      const Quaternion<Real> turning = s.p * Quaternion<Real>{Real(0.0), half * s.w.x, half * s.w.y, half * s.w.z};
      return Rotation<Real>{{torque.x / inertia.x, torque.y / inertia.y, torque.z / inertia.z}, turning};
    };
    const Rotation<Real> from{w, p}, to = Rk4::step(from, rate(from), h, rate);
    return {to.w, normalized(to.p)};
  }
};

}  // namespace scree
