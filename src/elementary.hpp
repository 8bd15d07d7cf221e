// Elementary functions from + - * / fma sqrt, select and bit casts alone, so that they round alike on every backend.
//
// No call into a mathematics library: those of CUDA, glibc and others differ in the last bits. Each worst error below
// was measured against long double or quadruple precision in tests/numbers/elementary_test.cpp, which asserts it.
// Real is `double` or a pack; a pack brings its own four bit helpers (first section).
#pragma once

#include <bit>

#include "real.hpp"

namespace scree {

// ---------------------------------------------------------------------------------------------------------------------
// Bits of a double, by integer operations only.

/// 2^n for a whole n, -1022 <= n <= 1023. Adding 2^52 + 1023 puts the biased exponent into the lowest bits.
HOST_DEVICE inline double power_of_two(double n) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(n + (0x1p52 + 1023.0)) << 52);
}
/// The whole number e with 2^e <= x < 2^(e+1), for a positive normal x.
HOST_DEVICE inline double binary_exponent(double x) {
  const std::uint64_t biased = std::bit_cast<std::uint64_t>(x) >> 52;
  return std::bit_cast<double>(biased | 0x4330000000000000u) - (0x1p52 + 1023.0);
}
/// x / 2^e of the above, in [1, 2).
HOST_DEVICE inline double significand(double x) {
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(x) & 0x000FFFFFFFFFFFFFu) | 0x3FF0000000000000u);
}
/// 1 / sqrt(a) to about 4 %, for a positive normal a.
HOST_DEVICE inline double rsqrt_guess(double a) {
  return std::bit_cast<double>(0x5FE6EB50C7B537A9u - (std::bit_cast<std::uint64_t>(a) >> 1));
}

/// Horner's rule with fma, the coefficient of the highest power first.
template <class Real, class... Rest>
ALWAYS_INLINE Real polynomial(const Real& x, double highest, Rest... rest) {
  Real sum = Real(highest);
  ((sum = fma(sum, x, Real(rest))), ...);
  return sum;
}

// ---------------------------------------------------------------------------------------------------------------------

namespace detail {
/// r improved as 1 / sqrt(a): the third-order iteration on the residual e = 1 - a r^2.
template <class Real>
ALWAYS_INLINE Real rsqrt_pass(const Real& a, const Real& r) {
  const Real e = fma(-(a * r), r, Real(1.0));
  return fma(r * e, polynomial(e, 5.0 / 16.0, 3.0 / 8.0, 1.0 / 2.0), r);
}
}  // namespace detail

/// 1 / sqrt(a) without a division or a square root: 12 floating-point and 2 integer operations. Two passes of the
/// third-order iteration. Worst error 1.00 ulp for positive normal a; rsqrt(0) is 4.6e154
/// (finite, good under masks); negative, infinite and NaN arguments give no meaningful value.
template <class Real>
ALWAYS_INLINE Real rsqrt(const Real& a) {
  return detail::rsqrt_pass(a, detail::rsqrt_pass(a, rsqrt_guess(a)));
}

/// A number to divide by again and again, and 1 / value rounded to nearest.
struct Divisor {
  double value, reciprocal;

  static Divisor of(double value) { return {value, 1.0 / value}; }
};

namespace detail {
/// The quotient by the reciprocal and one correction with its exact remainder (Markstein, IBM J. Res. Dev. 34 (1990)
/// 111; Brisebarre, Muller and Raina, IEEE Trans. Comput. 53 (2004) 1069).
template <class Real>
ALWAYS_INLINE Real divide_by_fma(const Real& a, const Divisor& d) {
  const Real reciprocal = Real(d.reciprocal), q = a * reciprocal;
  return fma(fma(-Real(d.value), q, a), reciprocal, q);
}
}  // namespace detail

/// a / d with the bits of a division, but cheaper where fma is. For d > 0, a and a / d of sizes from 1e-280 to 1e280
/// (beyond, builds with fma and without may differ), and a = 0, which gives +0. A NaN gives NaN, an infinity too.
template <class Real>
ALWAYS_INLINE Real divide(const Real& a, const Divisor& d) {
  if constexpr (fast_fma) {
    return detail::divide_by_fma(a, d);
  } else {
    return a / Real(d.value) + (a - a);  // + 0, or NaN for an infinity, so that both give what they give by fma
  }
}

template <class Real>
struct SinCos {
  Real sin, cos;
};

/// sin x and cos x, worst error 0.80 ulp each for |x| <= 1e5, next to their zeros too. Larger arguments lose
/// accuracy beyond about 1e8; infinite and NaN arguments give NaN.
///
/// Reduction (Cody and Waite 1980) to r + low = x - k pi/2, |r| <= pi/4, with pi/2 in three doubles: the first fma is
/// exact, the third part keeps 1e5 within 2^-100. Kernels: fdlibm k_sin.c and k_cos.c.
template <class Real>
HOST_DEVICE inline SinCos<Real> sincos(const Real& x) {
  const Real zero = Real(0.0), half = Real(0.5), one = Real(1.0);
  const Real k = truncate(fma(x, Real(0x1.45f306dc9c883p-1), copysign(half, x)));
  const Real r1 = fma(-k, Real(0x1.921fb54442d18p+0), x);
  const Real t = k * Real(0x1.1a62633145c07p-54), t_low = fma(k, Real(0x1.1a62633145c07p-54), -t);
  const Real r = r1 - t, back = r - r1, r_low = (r1 - (r - back)) - (t + back);  // r + r_low = r1 - t (Knuth)
  const Real low = r_low - fma(k, Real(-0x1.f1976b7ed8fbcp-110), t_low);

  const Real z = r * r;
  const Real s_rest = polynomial(z, 1.58969099521155010221e-10, -2.50507602534068634195e-08, 2.75573137070700676789e-06,
                                 -1.98412698298579493134e-04, 8.33333333332248946124e-03);
  const Real cube = z * r;
  const Real s = r - (fma(z, fma(half, low, -(cube * s_rest)), -low) - cube * Real(-1.66666666666666324348e-01));

  const Real c_rest =
      z * polynomial(z, -1.13596475577881948265e-11, 2.08757232129817482790e-09, -2.75573143513906633035e-07,
                     2.48015872894767294178e-05, -1.38888888888741095749e-03, 4.16666666666666019037e-02);
  const Real hz = half * z, w = one - hz;
  const Real c = w + (((one - w) - hz) + fma(z, c_rest, -(r * low)));

  // Quadrant q of k in 0, 1, 2, 3.
  Real q = fma(Real(-4.0), truncate(k * Real(0.25)), k);
  q = select(q < zero, q + Real(4.0), q);
  const Mask<Real> swap = (q == one) | (q == Real(3.0));
  const Mask<Real> sin_below = q >= Real(2.0), cos_below = (q == one) | (q == Real(2.0));
  const Real a = select(swap, c, s), b = select(swap, s, c);
  return {select(sin_below, -a, a), select(cos_below, -b, b)};
}
template <class Real>
HOST_DEVICE inline Real sin(const Real& x) {
  return sincos(x).sin;
}
template <class Real>
HOST_DEVICE inline Real cos(const Real& x) {
  return sincos(x).cos;
}

/// atan(y / x) in [0, pi/2] for y >= 0 and x > 0, without their quotient. Two divisions. Reduction and rational
/// function of Moshier's Cephes, atan.c: y / x > tan(3 pi / 8) through -x/y, y / x > 0.66 through (y - x)/(y + x).
template <class Real>
HOST_DEVICE inline Real angle(const Real& y, const Real& x) {
  const Real zero = Real(0.0);
  const Mask<Real> far = y > Real(2.41421356237309504880) * x, middle = y > Real(0.66) * x;
  const Real numerator = select(far, -x, select(middle, y - x, y));
  const Real denominator = select(far, y, select(middle, y + x, x));
  const Real u = numerator / denominator, z = u * u;
  const Real p = polynomial(z, -8.750608600031904122785e-1, -1.615753718733365076637e1, -7.500855792314704667340e1,
                            -1.228866684490136173410e2, -6.485021904942025371773e1);
  const Real q = polynomial(z, 1.0, 2.485846490142306297962e1, 1.650270098316988542046e2, 4.328810604912902668951e2,
                            4.853903996359136964868e2, 1.945506571482613964425e2);
  // pi/2 and pi/4 in two doubles each: `base` and `base_low`.
  const Real base = select(far, Real(0x1.921fb54442d18p+0), select(middle, Real(0x1.921fb54442d18p-1), zero));
  const Real base_low = select(far, Real(0x1.1a62633145c07p-54), select(middle, Real(0x1.1a62633145c07p-55), zero));
  return base + (fma(u, z * p / q, base_low) + u);
}
/// atan x in (-pi/2, pi/2), worst error 0.92 ulp; +-infinity gives +-pi/2.
template <class Real>
HOST_DEVICE inline Real atan(const Real& x) {
  return copysign(angle(abs(x), Real(1.0)), x);
}

/// What exp and expm1 share: x = k ln 2 + r + low, |r| <= 0.35, and e^(r + low) - 1 - r to about 0.05 ulp of 1.
template <class Real>
struct ExpParts {
  Real k, r, rest;
};
template <class Real>
HOST_DEVICE inline ExpParts<Real> exp_parts(const Real& x) {
  const Real k = truncate(fma(x, Real(0x1.71547652b82fep+0), copysign(Real(0.5), x)));
  const Real r1 = fma(-k, Real(0x1.62e42fefa39efp-1), x);
  const Real r = fma(-k, Real(0x1.abc9e3b39803fp-56), r1);
  const Real low = fma(-k, Real(0x1.abc9e3b39803fp-56), r1 - r);
  const Real series =
      polynomial(r, 1.0 / 6227020800.0, 1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 362880.0,
                 1.0 / 40320.0, 1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5);
  return {k, r, fma(r * r, series, fma(r, low, low))};
}
/// y 2^k for a whole k, |k| <= 2000, rounded once.
template <class Real>
HOST_DEVICE inline Real times_power_of_two(const Real& y, const Real& k) {
  const Real half_k = truncate(k * Real(0.5));
  return y * power_of_two(half_k) * power_of_two(k - half_k);
}

/// e^x, worst error 0.82 ulp (also of subnormal results); overflows to infinity, underflows to 0, NaN gives NaN.
template <class Real>
HOST_DEVICE inline Real exp(const Real& x) {
  const Real limit = Real(800.0);
  const Real clamped = select(x > limit, limit, select(x < -limit, -limit, x));
  const ExpParts<Real> e = exp_parts(clamped);
  return times_power_of_two(Real(1.0) + (e.r + e.rest), e.k);
}

/// e^x - 1, worst error 1.26 ulp, small arguments included; -1 for very negative x, infinity on overflow, NaN for NaN.
template <class Real>
HOST_DEVICE inline Real expm1(const Real& x) {
  const Real one = Real(1.0), upper = Real(800.0), lower = Real(-60.0);
  const Real clamped = select(x > upper, upper, select(x < lower, lower, x));
  const ExpParts<Real> e = exp_parts(clamped);
  const Real s = e.r + e.rest, s_low = (e.r - s) + e.rest;
  const Mask<Real> huge = e.k > Real(60.0);
  const Real scale = power_of_two(select(huge, Real(0.0), e.k));
  const Real moderate = fma(scale, s_low, fma(scale, s, scale - one));
  const Real result = select(huge, times_power_of_two(one + s, e.k), select(e.k == Real(0.0), s, moderate));
  return select(x == Real(0.0), x, result);
}

/// ln x, worst error 0.85 ulp, subnormal x included; ln 0 is -infinity, ln of a negative number NaN. Reduction to
/// [sqrt(1/2), sqrt(2)) and the series of fdlibm e_log.c.
template <class Real>
HOST_DEVICE inline Real log(const Real& x) {
  const Real zero = Real(0.0), one = Real(1.0), half = Real(0.5), infinity = Real(__builtin_huge_val());
  const Mask<Real> subnormal = x < Real(0x1p-1022);
  const Real normal = select(subnormal, x * Real(0x1p54), x);
  Real k = binary_exponent(normal) - select(subnormal, Real(54.0), zero), m = significand(normal);
  const Mask<Real> above = m > Real(0x1.6a09e667f3bcdp+0);
  k = select(above, k + one, k);
  const Real f = select(above, m * half, m) - one;
  const Real s = f / (Real(2.0) + f), z = s * s;
  const Real series = z * polynomial(z, 1.479819860511658591e-01, 1.531383769920937332e-01, 1.818357216161805012e-01,
                                     2.222219843214978396e-01, 2.857142874366239149e-01, 3.999999999940941908e-01,
                                     6.666666666666735130e-01);
  const Real square = half * f * f;
  // ln 2 in two parts, the first with 32 bits so that k times it is exact.
  const Real rest = fma(s, square + series, k * Real(1.90821492927058770002e-10));
  const Real value = fma(k, Real(6.93147180369123816490e-01), f - (square - rest));
  const Real special = select(x == zero, -infinity, select(x == infinity, infinity, value));
  return select(x < zero, infinity - infinity, select(x == x, special, x));
}

/// x^(1/3) of a positive normal x, worst error 0.9 ulp: through ln x, then a step of Newton's method.
template <class Real>
HOST_DEVICE inline Real cube_root(const Real& x) {
  const Real third = Real(1.0) / Real(3.0);
  const Real s = exp(third * log(x)), square = s * s;
  return fma(-third / square, fma(square, s, -x), s);
}

/// The x at which the standard normal distribution reaches p, 0 < p < 1. Worst error 5.5 ulp over the numbers that
/// `uniform` gives. Wichura 1988, algorithm AS 241, PPND16 (its own accuracy is about 1e-16).
template <class Real>
HOST_DEVICE inline Real inverse_normal(const Real& p) {
  const Real half = Real(0.5), one = Real(1.0);
  const Real q = p - half;

  const Real r = fma(-q, q, Real(0.180625));
  const Real centre = q *
                      polynomial(r, 2.5090809287301226727e+3, 3.3430575583588128105e+4, 6.7265770927008700853e+4,
                                 4.5921953931549871457e+4, 1.3731693765509461125e+4, 1.9715909503065514427e+3,
                                 1.3314166789178437745e+2, 3.3871328727963666080e+0) /
                      polynomial(r, 5.2264952788528545610e+3, 2.8729085735721942674e+4, 3.9307895800092710610e+4,
                                 2.1213794301586595867e+4, 5.3941960214247511077e+3, 6.8718700749205790830e+2,
                                 4.2313330701600911252e+1, 1.0);

  const Real t = sqrt(-log(select(q < Real(0.0), p, one - p)));
  const Real u = t - Real(1.6);
  const Real middle = polynomial(u, 7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1,
                                 1.27045825245236838258e+0, 3.64784832476320460504e+0, 5.76949722146069140550e+0,
                                 4.63033784615654529590e+0, 1.42343711074968357734e+0) /
                      polynomial(u, 1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2,
                                 1.48103976427480074590e-1, 6.89767334985100004550e-1, 1.67638483018380384940e+0,
                                 2.05319162663775882187e+0, 1.0);
  const Real v = t - Real(5.0);
  const Real far = polynomial(v, 2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
                              2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580e+0,
                              5.46378491116411436990e+0, 6.65790464350110377720e+0) /
                   polynomial(v, 2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5,
                              7.86869131145613259100e-4, 1.48753612908506148525e-2, 1.36929880922735805310e-1,
                              5.99832206555887937690e-1, 1.0);
  const Real tail = copysign(select(t <= Real(5.0), middle, far), q);
  return select(abs(q) <= Real(0.425), centre, tail);
}

}  // namespace scree
