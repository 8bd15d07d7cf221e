// The implicit-midpoint rotor of Leine et al. 2021: kinetic energy and spin are constant to round-off.
//
//   Theta (w1 - w0) + h m x Theta m = 0,   m = (w0 + w1) / 2                                    (61)
//
// Componentwise m_i = w0_i + a_i m_j m_k with a_1 = h (B - C) / (2A) and cyclic. Given m_3 the first two are linear in
// m_1 and m_2, so (61) is one scalar equation for m_3; its Newton iteration needs one division a pass.
//
// Orientation, from (w0, w1) of the free step, never from the velocity after contact (88)-(90):
//   ExpB    A1 = A0 exp(h m~) B,  B the smallest rotation of Theta w1 onto exp(-h m~) Theta w0  (66), (74)-(75)
//   Cayley  A1 = A0 cay(h m~); (61) is (1 + h/2 m~) Theta w1 = (1 - h/2 m~) Theta w0, so B is the identity
#pragma once

#include "../elementary.hpp"
#include "rotor_explicit.hpp"

namespace scree {

/// Solution w1 of (61).
template <class Real>
HOST_DEVICE inline Vec3<Real> midpoint_spin(const Vec3<Real>& inertia, const Vec3<Real>& w, const Real& h) {
  const Real half = Real(0.5) * h, one = Real(1.0);
  // One division for the three quotients.
  const Real yz = inertia.y * inertia.z, zx = inertia.z * inertia.x, xy = inertia.x * inertia.y;
  const Real over = half / (inertia.x * yz);
  const Real a1 = (over * yz) * (inertia.y - inertia.z);
  const Real a2 = (over * zx) * (inertia.z - inertia.x);
  const Real a3 = (over * xy) * (inertia.x - inertia.y);
  const Real a12 = a1 * a2;
  Real m1 = w.x, m2 = w.y, m3 = w.z;
  const auto pass = [&]() __attribute__((always_inline)) {
    const Real d = one / fma(-a12 * m3, m3, one);
    m1 = fma(a1 * m3, w.y, w.x) * d;
    m2 = fma(a2 * m3, w.x, w.y) * d;
    const Real f = fma(a3 * m1, m2, w.z - m3);
    const Real slope = a3 * d * fma(a1 * m2, fma(a2 * m3, m1, m2), a2 * m1 * fma(a1 * m3, m2, m1));
    return fma(f, slope, f);  // f / (1 - slope) to second order: enough, slope is O(h^2 |w|^2)
  };
  // Each lane goes on until its change is lost in rounding: one or two passes for a body of revolution, four at
  // h |w| = 0.4. Never sooner: energy and spin are constant only as far as (61) is solved.
  const Real small = Real(1e-16) * (abs(w.x) + abs(w.y) + abs(w.z));
  auto active = m3 == m3;
  SCREE_ROLLED
  for (int k = 0; k < 40 && any(active); ++k) {
    const Real before1 = m1, before2 = m2;
    const Real change = pass();
    m1 = select(active, m1, before1);
    m2 = select(active, m2, before2);
    m3 = select(active, m3 + change, m3);
    active = active & (abs(change) > small);
  }
  const Real two = Real(2.0);
  return {fma(two * a1 * m2, m3, w.x), fma(two * a2 * m3, m1, w.y), fma(two * a3 * m1, m2, w.z)};
}

/// The rotation by the vector 2 x as a unit quaternion (cos |x|, x sin |x| / |x|). Up to |x| = 1/2 by the series in
/// |x|^2, whose remainder is below 2^-64: no square root, no division.
template <class Real>
HOST_DEVICE inline Quaternion<Real> exp_quaternion(const Vec3<Real>& x) {
  const Real z = dot(x, x);
  Real c = polynomial(z, 1.0 / 20922789888000.0, -1.0 / 87178291200.0, 1.0 / 479001600.0, -1.0 / 3628800.0,
                      1.0 / 40320.0, -1.0 / 720.0, 1.0 / 24.0, -0.5, 1.0);
  Real s = polynomial(z, -1.0 / 1307674368000.0, 1.0 / 6227020800.0, -1.0 / 39916800.0, 1.0 / 362880.0, -1.0 / 5040.0,
                      1.0 / 120.0, -1.0 / 6.0, 1.0);
  const auto large = z > Real(0.25);
  if (any(large)) {
    const Real angle = select(large, sqrt(z), Real(1.0));
    const SinCos<Real> exact = sincos(angle);
    c = select(large, exact.cos, c);
    s = select(large, exact.sin / angle, s);
  }
  return {c, s * x.x, s * x.y, s * x.z};
}

/// exp(h m~) B as a quaternion.
struct ExpB {
  static constexpr const char* name = "implicit";
  static constexpr const char* meaning = "implicit midpoint, orientation by exp and B (Leine et al. 2021, eqs 61-75)";

  template <class Real>
  HOST_DEVICE static Quaternion<Real> increment(const Vec3<Real>& inertia, const Vec3<Real>& w0, const Vec3<Real>& w1,
                                                const Real& h) {
    const Real zero = Real(0.0), one = Real(1.0);
    const Quaternion<Real> e = exp_quaternion((Real(0.25) * h) * (w0 + w1));
    const Vec3<Real> spin = scale(inertia, w0), b = scale(inertia, w1), c = transposed_times(rotation(e), spin);
    // Rotation of b onto c without an angle: (|b||c| + b.c, b x c), normalised. The smallest-rotation formula fails
    // only where b = -c, which needs h |w| > pi; there B is left out, and at spins so small that their fourth power,
    // or the square of the quaternion, would underflow: it turns by less than h |w|, which is nothing beside 1 there.
    const Real size = sqrt(dot(b, b) * dot(spin, spin));  // |c| = |spin|, and is there sooner
    const Real real_part = size + dot(b, c);
    const auto proper = real_part > fma(Real(1e-6), size, Real(1e-140));
    const Vec3<Real> axis = cross(b, c);
    const Quaternion<Real> turn{select(proper, real_part, one), select(proper, axis.x, zero),
                                select(proper, axis.y, zero), select(proper, axis.z, zero)};
    return e * turn;  // the product with the orientation is normalised
  }
};

/// cay(h m~) as a quaternion: (1, h m / 2), normalised with the product.
struct Cayley {
  static constexpr const char* name = "implicit_cay";
  static constexpr const char* meaning = "implicit midpoint, orientation by the Cayley map: no trigonometry";

  template <class Real>
  HOST_DEVICE static Quaternion<Real> increment(const Vec3<Real>&, const Vec3<Real>& w0, const Vec3<Real>& w1,
                                                const Real& h) {
    const Vec3<Real> x = (Real(0.25) * h) * (w0 + w1);
    return {Real(1.0), x.x, x.y, x.z};
  }
};

template <class Orientation>
struct RotorMidpoint {
  static constexpr const char* name = Orientation::name;
  static constexpr const char* meaning = Orientation::meaning;
  static constexpr bool orientation_needs_contact = false;
  static constexpr bool restitution_uses_free_spin = true;  // gamma0 = W^T(v0, w_f) keeps the work identity exact

  /// What an angular impulse in principal axes does to w: ((1 + k) Theta)^-1.
  template <class Real>
  HOST_DEVICE static Mat3<Real> response(const Vec3<Real>& inertia, const Vec3<Real>&, const Real&,
                                         const Real& brake = Real(0.0)) {
    const Real zero = Real(0.0), one = Real(1.0), more = one + brake;
    return {{one / (more * inertia.x), zero, zero},
            {zero, one / (more * inertia.y), zero},
            {zero, zero, one / (more * inertia.z)}};
  }
  /// The free angular velocity w1 with the brake k of a torque -(k / h) Theta (w1 + w), w after it.
  template <class Real>
  ALWAYS_INLINE static Vec3<Real> braked(const Vec3<Real>&, const Vec3<Real>&, const Vec3<Real>& free, const Real&,
                                         const Real& brake) {
    return ((Real(1.0) - brake) / (Real(1.0) + brake)) * free;
  }
  /// A step without contact, eqs (61) and (66).
  template <class Real>
  ALWAYS_INLINE static Rotation<Real> free_step(const Vec3<Real>& inertia, const Vec3<Real>& w,
                                                const Quaternion<Real>& p, const Real& h) {
    const Vec3<Real> w1 = midpoint_spin(inertia, w, h);
    const Quaternion<Real> q = p * Orientation::increment(inertia, w, w1, h);
    const Real s = rsqrt(dot(q, q));  // normalised, without its division and square root
    return {w1, {s * q.w, s * q.x, s * q.y, s * q.z}};
  }
};

}  // namespace scree
