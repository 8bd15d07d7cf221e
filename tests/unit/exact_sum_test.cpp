// Against sums of fractions of integers, which are exact whatever the program does with limbs.
#include "host/statistics/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/support/numbers.hpp"

namespace scree {
namespace {

using test::infinity;
using Fraction = boost::multiprecision::cpp_rational;
using boost::multiprecision::cpp_int;
using Values = std::vector<double>;

constexpr double largest = std::numeric_limits<double>::max(), smallest = std::numeric_limits<double>::denorm_min();

Fraction fraction(double x) {
  int exponent = 0;
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 53));
  exponent -= 53;
  const cpp_int power = cpp_int(1) << std::abs(exponent);
  return exponent < 0 ? Fraction(mantissa, power) : Fraction(mantissa * power);
}

/// Whether no double is nearer to a fraction, and of two that are as near it is the even one.
testing::AssertionResult is_nearest(double x, const Fraction& exact) {
  if (std::isinf(x)) {
    // Half a unit beyond the largest.
    const Fraction end = fraction(largest) + fraction(std::ldexp(1.0, 970));
    if (x > 0 ? exact >= end : exact <= -end) return testing::AssertionSuccess();
    return testing::AssertionFailure() << x << " is too far";
  }
  const Fraction off = abs(fraction(x) - exact);
  const auto is_odd = std::bit_cast<std::uint64_t>(x) & 1;
  for (const double next : {std::nextafter(x, infinity), std::nextafter(x, -infinity)}) {
    if (std::isinf(next)) continue;
    const Fraction of_next = abs(fraction(next) - exact);
    if (of_next < off || (of_next == off && is_odd))
      return testing::AssertionFailure() << next << " is nearer than " << x;
  }
  return testing::AssertionSuccess();
}

struct Exact {
  Fraction sum = 0, squares = 0;
  explicit Exact(const Values& values) {
    for (const double x : values) sum += fraction(x), squares += fraction(x) * fraction(x);
  }
};

ExactMoments exact_moments(const Values& values) {
  ExactMoments of;
  for (const double x : values) of.add(x);
  return of;
}

/// Of both signs, with exponents of two from `low` to `high`.
Values over_decades(std::mt19937_64& engine, std::size_t count, int low, int high) {
  std::uniform_real_distribution<double> mantissa(-1, 1);
  std::uniform_int_distribution<int> exponent(low, high);
  Values values(count);
  for (double& x : values) x = std::ldexp(mantissa(engine), exponent(engine));
  return values;
}

void expect_exact(const Values& values) {
  const Exact exact(values);
  const ExactMoments of = exact_moments(values);
  const std::uint64_t n = values.size();
  EXPECT_TRUE(is_nearest(of.sum.value(), exact.sum));
  EXPECT_TRUE(is_nearest(of.squares.value(), exact.squares));
  EXPECT_TRUE(is_nearest(of.mean(), exact.sum / n));
  if (n < 2) return;
  const Fraction variance = (n * exact.squares - exact.sum * exact.sum) / (cpp_int(n) * (n - 1));
  EXPECT_TRUE(is_nearest(of.variance(), variance));
  // Two roundings, of the variance, which the root halves, and of the root: three quarters of a unit.
  const double sd = of.sd();
  const Fraction low = fraction(std::nextafter(sd, 0)), high = fraction(std::nextafter(sd, infinity));
  EXPECT_TRUE(variance.is_zero() ? sd == 0 : low * low < variance && variance < high * high) << sd;
}

TEST(ExactSum, IsThatOfFractionsOverHundredsOfDecades) {
  std::mt19937_64 engine(1);
  for (const auto& [low, high] :
       {std::pair{-1070, 1020}, {-1074, -1020}, {1000, 1023}, {-30, 30}, {0, 0}, {-560, -480}, {490, 530}})
    for (const std::size_t count : {1u, 2u, 3u, 500u}) expect_exact(over_decades(engine, count, low, high));
}

TEST(ExactSum, LosesNothingWhereValuesCancel) {
  std::mt19937_64 engine(2);
  Values values = over_decades(engine, 400, -1000, 1020);
  for (std::size_t i = 0; i < 400; ++i) values.push_back(-values[i]);
  values.push_back(1e-300);
  std::ranges::shuffle(values, engine);
  expect_exact(values);
  EXPECT_EQ(exact_moments(values).sum.value(), 1e-300);
  EXPECT_EQ(exact_moments({1e16, 1, -1e16}).sum.value(), 1);
  EXPECT_EQ(exact_moments({2.6e6 + 0.5, 2.6e6 - 0.5}).variance(), 0.5);
}

TEST(ExactSum, RoundsTiesToEven) {
  const double half = std::ldexp(1.0, -53);
  EXPECT_EQ(exact_moments({1, half}).sum.value(), 1);
  EXPECT_EQ(exact_moments({1 + 2 * half, half}).sum.value(), 1 + 4 * half);
  EXPECT_EQ(exact_moments({1, half, smallest}).sum.value(), 1 + 2 * half);
  EXPECT_EQ(exact_moments({1, half, -smallest}).sum.value(), 1);
  EXPECT_EQ(exact_moments({smallest, 2 * smallest}).mean(), 2 * smallest);  // 1.5 units
  EXPECT_EQ(exact_moments({0, smallest}).mean(), 0);                        // 0.5
}

TEST(ExactSum, HoldsTheSmallestNumbersAndGoesToInfinityAndBack) {
  expect_exact({smallest, smallest, smallest});
  expect_exact({smallest, -2 * smallest, 1});
  expect_exact({largest, largest, -largest, 1});
  EXPECT_EQ(exact_moments({largest, largest, -largest}).sum.value(), largest);
  EXPECT_EQ(exact_moments({largest, largest}).sum.value(), infinity);
  EXPECT_EQ(exact_moments({-largest, -largest}).sum.value(), -infinity);
  EXPECT_EQ(exact_moments({largest, largest}).mean(), largest);
  EXPECT_EQ(exact_moments({largest, std::ldexp(1.0, 970)}).sum.value(), infinity);
  EXPECT_EQ(exact_moments({largest, std::ldexp(0.99, 970)}).sum.value(), largest);
  // The variance is none that a double has, its root is.
  EXPECT_EQ(exact_moments({1e200, 3e200}).variance(), infinity);
  EXPECT_DOUBLE_EQ(exact_moments({1e200, 3e200}).sd(), std::sqrt(2.0) * 1e200);
  EXPECT_DOUBLE_EQ(exact_moments({1e-200, 3e-200}).sd(), std::sqrt(2.0) * 1e-200);
}

TEST(ExactSum, OfManyValuesCarriesInTime) {
  // Odd and more than any two carries lie apart, at each place in a limb.
  for (int exponent = 0; exponent < 32; ++exponent) {
    const double x = std::ldexp(static_cast<double>((std::uint64_t{1} << 53) - 1), exponent);
    ExactMoments up, down;
    for (int i = 0; i < 10001; ++i) up.add(x), down.add(-x);
    EXPECT_EQ(up.mean(), x);
    EXPECT_EQ(down.mean(), -x);
    EXPECT_EQ(up.sd(), 0);
    EXPECT_TRUE(is_nearest(up.squares.value(), 10001 * fraction(x) * fraction(x)));
    up.add(down);
    EXPECT_EQ(up.sum.value(), 0);
    EXPECT_EQ(up.n, 20002u);
  }
}

TEST(ExactSum, DependsNeitherOnOrderNorOnGroups) {
  std::mt19937_64 engine(3);
  Values values = over_decades(engine, 3000, -200, 200);
  const ExactMoments whole = exact_moments(values);
  for (int trial = 0; trial < 20; ++trial) {
    std::ranges::shuffle(values, engine);
    std::vector<ExactMoments> groups(7);
    for (const double x : values) groups[engine() % 7].add(x);
    ExactMoments sum;
    for (const ExactMoments& group : groups) sum.add(group);
    EXPECT_EQ(sum.n, whole.n);
    EXPECT_EQ(sum.sum.carried(), whole.sum.carried());
    EXPECT_EQ(sum.squares.carried(), whole.squares.carried());
    EXPECT_EQ(sum.mean(), whole.mean());
    EXPECT_EQ(sum.sd(), whole.sd());
  }
}

TEST(ExactSum, GivesTheCovarianceAndTheSumAboutANumber) {
  std::mt19937_64 engine(4);
  const Values x = over_decades(engine, 300, -40, 40), y = over_decades(engine, 300, -600, -500);
  ExactSum of_x, of_y;
  ExactProducts products;
  Fraction sum_x = 0, sum_y = 0, sum_xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    of_x.add(x[i]);
    of_y.add(y[i]);
    products.add(x[i], y[i]);
    sum_x += fraction(x[i]);
    sum_y += fraction(y[i]);
    sum_xy += fraction(x[i]) * fraction(y[i]);
  }
  EXPECT_TRUE(is_nearest(covariance(300, of_x, of_y, products), (300 * sum_xy - sum_x * sum_y) / (300 * 299)));
  EXPECT_TRUE(is_nearest(of_x.minus(300, 0.1), sum_x - 300 * fraction(0.1)));
}

TEST(ExactSum, OfNoOrOneValueIsNotANumberWhereUndefined) {
  EXPECT_EQ(ExactSum{}.value(), 0);
  EXPECT_TRUE(std::isnan(ExactMoments{}.mean()) && std::isnan(ExactMoments{}.sd()));
  EXPECT_EQ(exact_moments({2.5}).mean(), 2.5);
  EXPECT_TRUE(std::isnan(exact_moments({2.5}).sd()) && std::isnan(exact_moments({2.5}).variance()));
}

}  // namespace
}  // namespace scree
