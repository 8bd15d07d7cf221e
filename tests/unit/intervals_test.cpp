#include "../../host/intervals.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace scree {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> one_to(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

TEST(Intervals, OfAMeanAreStudents) {
  // t for 1, 4 and 9 degrees of freedom and two-sided 1 %, 0.1 % and 5 %: any printed table, here R's qt().
  const auto half = [](const std::vector<double>& values, double miss) {
    const Interval i = mean_interval(values, miss);
    return (i.high - i.low) / 2;
  };
  EXPECT_NEAR(half({-1, 1}, 0.01), 63.65674116, 1e-8);                      // sd sqrt(2), over sqrt(2)
  EXPECT_NEAR(half(one_to(5), 0.001), 8.610301581 * std::sqrt(0.5), 1e-8);  // variance n (n + 1) / 12
  EXPECT_NEAR(half(one_to(10), 0.05), 2.262157163 * std::sqrt(11.0 / 12), 1e-8);
  EXPECT_TRUE(std::isnan(mean_interval(std::vector<double>{1.0}, 0.05).low));
}

/// The example of Bonett 2006, with the ends that the paper prints.
TEST(Intervals, OfAStandardDeviationAreThoseOfTheirPaper) {
  const std::vector<double> sorted{15.33, 15.44, 15.83, 16.01, 16.24, 16.31, 16.42, 16.88};
  const struct {
    double miss, low, high;
  } printed[] = {{0.1, 0.3592, 0.9359}, {0.05, 0.3263, 1.0841}, {0.01, 0.2607, 1.5109}};
  for (const auto& row : printed) {
    const Interval interval = sd_interval(sorted, row.miss);
    EXPECT_NEAR(interval.low, row.low, 5e-5);
    EXPECT_NEAR(interval.high, row.high, 5e-5);
  }
}

TEST(Intervals, OfAStandardDeviationNarrowWithTheKurtosis) {
  // Half the values -1, half 1: the least kurtosis, 1, so that (1) has sqrt(3 / (n (n - 1))).
  std::vector<double> values(400, -1.0);
  std::fill(values.begin() + 200, values.end(), 1.0);
  const double z = 1.959963984540054, c = 400 / (400 - z), error = c * std::sqrt(3.0 / (400.0 * 399.0));
  const Interval interval = sd_interval(values, 0.05);
  EXPECT_NEAR(interval.low, std::sqrt(c * 400 / 399 * std::exp(-z * error)), 1e-12);
  EXPECT_NEAR(interval.high, std::sqrt(c * 400 / 399 * std::exp(z * error)), 1e-12);
  EXPECT_TRUE(std::isnan(sd_interval(std::vector<double>{1, 2, 3, 4}, 0.05).low));
  EXPECT_EQ(sd_interval(std::vector<double>(10, 3.0), 0.05).high, 0.0);
}

/// P(B <= k) of the binomial law, summed term by term.
double binomial_cdf(int k, int n, double p) {
  double sum = 0;
  for (int i = 0; i <= k; ++i)
    sum += std::exp(std::lgamma(n + 1) - std::lgamma(i + 1) - std::lgamma(n - i + 1) + i * std::log(p) +
                    (n - i) * std::log1p(-p));
  return sum;
}

/// Of 1 to n, the ends are their own ranks. A rank r at the lower end misses if fewer than r values are below the
/// quantile, P(B < r), a rank at the upper end if as many or more are, P(B >= r). Neither may exceed half of the error,
/// and the next rank inwards would: the interval is the shortest of its kind. The sums are good to 1e-11.
TEST(Intervals, OfAQuantileCoverItByTheBinomialLaw) {
  for (const int n : {10, 59, 100, 1000})
    for (const double p : {0.05, 0.25, 0.5, 0.9, 0.95, 0.99})
      for (const double miss : {0.1, 0.05, 0.004, 1e-5}) {
        SCOPED_TRACE(std::to_string(n) + " values, p " + std::to_string(p) + ", miss " + std::to_string(miss));
        const Interval interval = quantile_interval(one_to(n), p, miss);
        const int low = std::isinf(interval.low) ? 0 : static_cast<int>(interval.low);
        const int high = std::isinf(interval.high) ? n + 1 : static_cast<int>(interval.high);
        EXPECT_LE(binomial_cdf(low - 1, n, p), miss / 2 + 1e-11);
        EXPECT_GT(binomial_cdf(low, n, p), miss / 2 - 1e-11);
        EXPECT_LE(1 - binomial_cdf(high - 1, n, p), miss / 2 + 1e-11);
        EXPECT_GT(1 - binomial_cdf(high - 2, n, p), miss / 2 - 1e-11);
      }
}

TEST(Intervals, OfAQuantileHaveTheRanksOfAnyTable) {
  // The median's: 95 % of n = 10 lies between ranks 2 and 9, 95 % of n = 100 between 40 and 61.
  EXPECT_EQ(quantile_interval(one_to(10), 0.5, 0.05).low, 2.0);
  EXPECT_EQ(quantile_interval(one_to(10), 0.5, 0.05).high, 9.0);
  EXPECT_EQ(quantile_interval(one_to(100), 0.5, 0.05).low, 40.0);
  EXPECT_EQ(quantile_interval(one_to(100), 0.5, 0.05).high, 61.0);
  // 0.95^n <= 0.025 from n = 72 on: before, no value is sure to exceed the 95 % quantile.
  EXPECT_EQ(quantile_interval(one_to(71), 0.95, 0.05).high, infinity);
  EXPECT_EQ(quantile_interval(one_to(72), 0.95, 0.05).high, 72.0);
  EXPECT_EQ(quantile_interval(one_to(71), 0.05, 0.05).low, -infinity);
}

}  // namespace
}  // namespace scree
