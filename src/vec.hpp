// Vectors, 3x3 matrices and unit quaternions on a scalar type.
//
// A quaternion (w, x, y, z) = (e0, e) turns body coordinates into world coordinates (L21 eq 10):
//   A = (e0^2 - e.e) I + 2 e e^T + 2 e0 [e x]
#pragma once

#include "real.hpp"

namespace scree {

/// A point or a velocity of the horizontal plane.
template <class Real>
struct Vec2 {
  Real x, y;
};

template <class Real>
struct Vec3 {
  Real x, y, z;
};

template <class Real>
ALWAYS_INLINE Vec3<Real> operator+(const Vec3<Real>& a, const Vec3<Real>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class Real>
ALWAYS_INLINE Vec3<Real> operator-(const Vec3<Real>& a, const Vec3<Real>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class Real>
ALWAYS_INLINE Vec3<Real> operator-(const Vec3<Real>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class Real>
ALWAYS_INLINE Vec3<Real> operator*(const Real& s, const Vec3<Real>& a) {
  return {s * a.x, s * a.y, s * a.z};
}

/// s a + b, one rounding per component.
template <class Real>
ALWAYS_INLINE Vec2<Real> fma(const Real& s, const Vec2<Real>& a, const Vec2<Real>& b) {
  return {fma(s, a.x, b.x), fma(s, a.y, b.y)};
}
template <class Real>
ALWAYS_INLINE Vec3<Real> fma(const Real& s, const Vec3<Real>& a, const Vec3<Real>& b) {
  return {fma(s, a.x, b.x), fma(s, a.y, b.y), fma(s, a.z, b.z)};
}
/// Component by component: (a.x b.x, a.y b.y, a.z b.z); a diagonal matrix times a vector.
template <class Real>
ALWAYS_INLINE Vec3<Real> scale(const Vec3<Real>& a, const Vec3<Real>& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
template <class Real>
ALWAYS_INLINE Real dot(const Vec2<Real>& a, const Vec2<Real>& b) {
  return fma(a.x, b.x, a.y * b.y);
}
template <class Real>
ALWAYS_INLINE Real dot(const Vec3<Real>& a, const Vec3<Real>& b) {
  return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z));
}
/// Of vectors in a plane the component along its normal.
template <class Real>
ALWAYS_INLINE Real cross(const Vec2<Real>& a, const Vec2<Real>& b) {
  return difference_of_products(a.x, b.y, a.y, b.x);
}
template <class Real>
ALWAYS_INLINE Vec3<Real> cross(const Vec3<Real>& a, const Vec3<Real>& b) {
  return {difference_of_products(a.y, b.z, a.z, b.y), difference_of_products(a.z, b.x, a.x, b.z),
          difference_of_products(a.x, b.y, a.y, b.x)};
}
template <class Real>
ALWAYS_INLINE Real norm(const Vec3<Real>& a) {
  return sqrt(dot(a, a));
}
template <class Real, class M>
ALWAYS_INLINE Vec3<Real> select(const M& condition, const Vec3<Real>& a, const Vec3<Real>& b) {
  return {select(condition, a.x, b.x), select(condition, a.y, b.y), select(condition, a.z, b.z)};
}

/// Rows of a 3x3 matrix.
template <class Real>
struct Mat3 {
  Vec3<Real> row0, row1, row2;
};

template <class Real>
ALWAYS_INLINE Mat3<Real> operator*(const Real& s, const Mat3<Real>& a) {
  return {s * a.row0, s * a.row1, s * a.row2};
}
template <class Real>
ALWAYS_INLINE Vec3<Real> operator*(const Mat3<Real>& a, const Vec3<Real>& x) {
  return {dot(a.row0, x), dot(a.row1, x), dot(a.row2, x)};
}
/// a^T x.
template <class Real>
ALWAYS_INLINE Vec3<Real> transposed_times(const Mat3<Real>& a, const Vec3<Real>& x) {
  return fma(x.x, a.row0, fma(x.y, a.row1, x.z * a.row2));
}
/// Inverse by the adjugate, from the rows' cross products; the determinant must not be zero.
template <class Real>
ALWAYS_INLINE Mat3<Real> inverse(const Mat3<Real>& a) {
  const Vec3<Real> c0 = cross(a.row1, a.row2), c1 = cross(a.row2, a.row0), c2 = cross(a.row0, a.row1);
  const Real s = Real(1.0) / dot(a.row0, c0);
  return {{s * c0.x, s * c1.x, s * c2.x}, {s * c0.y, s * c1.y, s * c2.y}, {s * c0.z, s * c1.z, s * c2.z}};
}

template <class Real>
struct Quaternion {
  Real w, x, y, z;
};

template <class Real>
ALWAYS_INLINE Quaternion<Real> operator*(const Quaternion<Real>& a, const Quaternion<Real>& b) {
  return {fma(a.w, b.w, -fma(a.x, b.x, fma(a.y, b.y, a.z * b.z))),
          fma(a.w, b.x, fma(a.x, b.w, difference_of_products(a.y, b.z, a.z, b.y))),
          fma(a.w, b.y, fma(a.y, b.w, difference_of_products(a.z, b.x, a.x, b.z))),
          fma(a.w, b.z, fma(a.z, b.w, difference_of_products(a.x, b.y, a.y, b.x)))};
}
template <class Real>
ALWAYS_INLINE Real dot(const Quaternion<Real>& a, const Quaternion<Real>& b) {
  return fma(a.w, b.w, fma(a.x, b.x, fma(a.y, b.y, a.z * b.z)));
}
template <class Real>
ALWAYS_INLINE Quaternion<Real> normalized(const Quaternion<Real>& a) {
  const Real s = Real(1.0) / sqrt(dot(a, a));
  return {s * a.w, s * a.x, s * a.y, s * a.z};
}
/// The matrix A that turns body coordinates into world coordinates, L21 eq (10); a is a unit quaternion.
template <class Real>
ALWAYS_INLINE Mat3<Real> rotation(const Quaternion<Real>& a) {
  const Real x2 = a.x + a.x, y2 = a.y + a.y, z2 = a.z + a.z;
  const Real xx = a.x * x2, yy = a.y * y2, zz = a.z * z2;
  const Real wx = a.w * x2, wy = a.w * y2, wz = a.w * z2;
  const Real one = Real(1.0);
  return {{one - (yy + zz), fma(a.x, y2, -wz), fma(a.x, z2, wy)},
          {fma(a.x, y2, wz), one - (xx + zz), fma(a.y, z2, -wx)},
          {fma(a.x, z2, -wy), fma(a.y, z2, wx), one - (xx + yy)}};
}
template <class Real, class M>
ALWAYS_INLINE Quaternion<Real> select(const M& condition, const Quaternion<Real>& a, const Quaternion<Real>& b) {
  return {select(condition, a.w, b.w), select(condition, a.x, b.x), select(condition, a.y, b.y),
          select(condition, a.z, b.z)};
}

}  // namespace scree
