// The worst error of each elementary function, in units in the last place of the exact result, against long double (64
// bits, so the reference itself is good to 0.001 ulp). Each bound is the one its docstring names.
#include "src/elementary.hpp"

#include <gtest/gtest.h>

#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <random>

#include "src/random.hpp"
#include "tests/support/numbers.hpp"
#include "tests/support/worst.hpp"

namespace scree {
namespace {

using test::infinity;
using test::nan;

/// Distance of `value` from `exact` in spacings of doubles at `exact`.
double ulps(double value, long double exact) {
  const double size = std::fabs(static_cast<double>(exact));
  const int exponent = std::max(size == 0 ? -1022 : std::ilogb(size), -1022);
  return static_cast<double>(std::fabs(static_cast<long double>(value) - exact) / std::ldexp(1.0L, exponent - 52));
}

/// The largest error over `count` arguments; NaN if one is.
template <class F, class Exact, class Next>
double worst_of(int count, F&& f, Exact&& exact, Next&& next) {
  double largest = 0;
  for (int i = 0; i < count; ++i) {
    const double x = next();
    largest = test::worst(largest, ulps(f(x), exact(x)));
  }
  return largest;
}

/// Arguments with both signs and sizes spread evenly over the decades from low to high.
struct Spread {
  double low, high;
  bool both_signs = true;
  std::mt19937_64 engine{7};
  double operator()() {
    std::uniform_real_distribution<double> size(std::log(low), std::log(high));
    const double x = std::exp(size(engine));
    return both_signs && (engine() & 1) ? -x : x;
  }
};
struct Even {
  double low, high;
  std::mt19937_64 engine{11};
  double operator()() { return std::uniform_real_distribution<double>(low, high)(engine); }
};

constexpr int many = 400000;

/// Numerators of all sizes, and those whose quotients lie nearest to the middle between two doubles.
TEST(Elementary, DividesByAKnownDivisorWithTheBitsOfADivision) {
  Spread divisors{1e-100, 1e100}, numerators{1e-100, 1e100};
  const double special[] = {1, 1 + 0x1p-52, 2 - 0x1p-52, 2 - 0x1p-51, 3, 10, 0.1, 1.5, 25, 2.0 / 3};
  std::uint64_t corrected = 0;
  for (int k = 0; k < 2000; ++k) {
    const double value = k < 10 ? special[k] : divisors();
    const Divisor d = Divisor::of(value);
    for (int i = 0; i < many / 1000; ++i) {
      const double q = numerators(), half = 0.5 * (std::nextafter(q, 2 * q) - q);
      for (const double a : {q, value * q, std::fma(value, q, value * half)}) {
        ASSERT_EQ(divide(a, d), a / value) << a << " / " << value;
        ASSERT_EQ(detail::divide_by_fma(a, d), a / value) << a << " / " << value;
        corrected += a * d.reciprocal != a / value ? 1 : 0;
      }
    }
  }
  EXPECT_GT(corrected, 100000u);  // the product alone has another last bit that often
  const Divisor three = Divisor::of(3);
  for (const auto& quotient : {divide<double>, detail::divide_by_fma<double>}) {
    for (const double zero : {0.0, -0.0}) {
      EXPECT_EQ(quotient(zero, three), 0);
      EXPECT_FALSE(std::signbit(quotient(zero, three)));
    }
    for (const double none : {nan, infinity, -infinity}) EXPECT_TRUE(std::isnan(quotient(none, three)));
  }
}

TEST(Elementary, ReciprocalSquareRootIsWithinOneUlp) {
  const auto exact = [](double x) { return 1.0L / std::sqrt(static_cast<long double>(x)); };
  const auto ours = [](double x) { return rsqrt(x); };
  const double error =
      test::worst(worst_of(many, ours, exact, Spread{1e-300, 1e300, false}), worst_of(many, ours, exact, Even{0.5, 4}));
  RecordProperty("worst_ulp", std::to_string(error));
  EXPECT_LE(error, 1.00);
  EXPECT_TRUE(std::isfinite(rsqrt(0.0)));
}

TEST(Elementary, SineAndCosineAreWithinTheirBoundUpTo1e5) {
  // glibc reduces long double arguments with as many words of 2/pi as it takes.
  const auto exact_sin = [](double x) { return std::sin(static_cast<long double>(x)); };
  const auto exact_cos = [](double x) { return std::cos(static_cast<long double>(x)); };
  const auto ours_sin = [](double x) { return sin(x); };
  const auto ours_cos = [](double x) { return cos(x); };
  double s = worst_of(many, ours_sin, exact_sin, Even{-1e5, 1e5});
  s = test::worst(s, worst_of(many, ours_sin, exact_sin, Spread{1e-12, 1e5}));
  s = test::worst(s, worst_of(many, ours_sin, exact_sin, Even{-4, 4}));
  double c = worst_of(many, ours_cos, exact_cos, Even{-1e5, 1e5});
  c = test::worst(c, worst_of(many, ours_cos, exact_cos, Spread{1e-12, 1e5}));
  c = test::worst(c, worst_of(many, ours_cos, exact_cos, Even{-4, 4}));
  // Where the result nearly vanishes: doubles next to the multiples of pi/2.
  for (int k = 1; k <= 63661; ++k) {
    const double x = static_cast<double>(k * (std::acos(-1.0L) / 2));
    s = test::worst(s, ulps(sin(x), std::sin(static_cast<long double>(x))));
    c = test::worst(c, ulps(cos(x), std::cos(static_cast<long double>(x))));
  }
  RecordProperty("worst_ulp_sin", std::to_string(s));
  RecordProperty("worst_ulp_cos", std::to_string(c));
  EXPECT_LE(s, 0.80);
  EXPECT_LE(c, 0.80);
}

TEST(Elementary, SineKeepsZeroAndSignAndRefusesInfinity) {
  EXPECT_EQ(sin(0.0), 0.0);
  EXPECT_EQ(cos(0.0), 1.0);
  EXPECT_EQ(sin(-0.25), -sin(0.25));
  EXPECT_EQ(cos(-0.25), cos(0.25));
  EXPECT_TRUE(std::isnan(sin(infinity)));
  EXPECT_TRUE(std::isnan(cos(nan)));
}

TEST(Elementary, CubeRootIsWithinItsBound) {
  const auto exact = [](double x) { return std::cbrt(static_cast<long double>(x)); };
  const auto ours = [](double x) { return cube_root(x); };
  const double error =
      test::worst(worst_of(many, ours, exact, Spread{1e-300, 1e300, false}), worst_of(many, ours, exact, Even{0.5, 9}));
  RecordProperty("worst_ulp", std::to_string(error));
  EXPECT_LE(error, 0.90);
  EXPECT_EQ(cube_root(1.0), 1.0);
  EXPECT_EQ(cube_root(27.0), 3.0);
}

TEST(Elementary, ArcTangentIsWithinItsBound) {
  const auto exact = [](double x) { return std::atan(static_cast<long double>(x)); };
  const auto ours = [](double x) { return atan(x); };
  double error = worst_of(many, ours, exact, Even{-4, 4});
  error = test::worst(error, worst_of(many, ours, exact, Spread{1e-12, 1e20}));
  RecordProperty("worst_ulp", std::to_string(error));
  EXPECT_LE(error, 0.92);
  EXPECT_EQ(atan(infinity), std::acos(-1.0) / 2);
  EXPECT_EQ(atan(-infinity), -std::acos(-1.0) / 2);
  EXPECT_TRUE(std::isnan(atan(nan)));
}

TEST(Elementary, ExponentialIsWithinItsBound) {
  const auto exact = [](double x) { return std::exp(static_cast<long double>(x)); };
  const auto ours = [](double x) { return exp(x); };
  double error = worst_of(many, ours, exact, Even{-745, 709.7});
  error = test::worst(error, worst_of(many, ours, exact, Even{-2, 2}));
  error = test::worst(error, worst_of(many, ours, exact, Spread{1e-12, 700}));
  RecordProperty("worst_ulp", std::to_string(error));
  EXPECT_LE(error, 0.82);
  EXPECT_EQ(exp(0.0), 1.0);
  EXPECT_EQ(exp(710.0), infinity);
  EXPECT_EQ(exp(infinity), infinity);
  EXPECT_EQ(exp(-746.0), 0.0);
  EXPECT_EQ(exp(-infinity), 0.0);
  EXPECT_TRUE(std::isnan(exp(nan)));
}

TEST(Elementary, ExponentialMinusOneIsWithinItsBound) {
  const auto exact = [](double x) { return std::expm1(static_cast<long double>(x)); };
  const auto ours = [](double x) { return expm1(x); };
  double error = worst_of(many, ours, exact, Even{-40, 40});
  error = test::worst(error, worst_of(many, ours, exact, Even{-2, 2}));
  error = test::worst(error, worst_of(many, ours, exact, Spread{1e-300, 700}));
  RecordProperty("worst_ulp", std::to_string(error));
  EXPECT_LE(error, 1.26);
  EXPECT_EQ(expm1(0.0), 0.0);
  EXPECT_TRUE(std::signbit(expm1(-0.0)));
  EXPECT_EQ(expm1(-infinity), -1.0);
  EXPECT_EQ(expm1(infinity), infinity);
  EXPECT_TRUE(std::isnan(expm1(nan)));
}

TEST(Elementary, LogarithmIsWithinItsBound) {
  const auto exact = [](double x) { return std::log(static_cast<long double>(x)); };
  const auto ours = [](double x) { return log(x); };
  double error = worst_of(many, ours, exact, Spread{5e-324, 1.7e308, false});
  error = test::worst(error, worst_of(many, ours, exact, Even{0.5, 2}));
  error = test::worst(error, worst_of(many, ours, exact, Even{0.999, 1.001}));
  RecordProperty("worst_ulp", std::to_string(error));
  EXPECT_LE(error, 0.85);
  EXPECT_EQ(log(1.0), 0.0);
  EXPECT_EQ(log(0.0), -infinity);
  EXPECT_EQ(log(infinity), infinity);
  EXPECT_TRUE(std::isnan(log(-1.0)));
  EXPECT_TRUE(std::isnan(log(nan)));
}

TEST(Elementary, InverseNormalIsWithinItsBound) {
  // x = -sqrt(2) erfc_inv(2 p), for p <= 1/2 (1 - p is exact for p > 1/2). Boost's is good to 2 units of long double.
  const auto exact = [](double p) {
    const bool upper = p > 0.5;
    const long double tail = upper ? 1 - p : p, x = std::sqrt(2.0L) * boost::math::erfc_inv(2 * tail);
    return upper ? x : -x;
  };
  double error = 0;
  for (std::uint64_t i = 0; i < 1500; ++i) {
    const double u = uniform(3, i, 0);
    for (const double p : {u, u * 0x1p-10, u * 0x1p-30, 0x1p-53, 1 - 0x1p-53, 0.5 + 0.5 * (u - 0.5) * 1e-3})
      error = test::worst(error, ulps(inverse_normal(p), exact(p)));
  }
  RecordProperty("worst_ulp", std::to_string(error));
  EXPECT_LE(error, 5.5);
  for (const double p : {0.01, 0.2, 0.4999})
    EXPECT_NEAR(inverse_normal(p), -inverse_normal(1 - p), 1e-14);  // 1 - p rounds by 1e-16, the slope at 0.01 is 38
}

}  // namespace
}  // namespace scree
