#include "host/statistics/intervals.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "tests/support/numbers.hpp"

namespace scree {
namespace {

using test::infinity;
using test::one_to;

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

TEST(Intervals, OfAShareAreThoseOfTheReplicatesThatHaveSamples) {
  const std::vector<double> successes{2, 6, 0, 5};
  const std::vector<std::uint64_t> of_each{10, 10, 0, 10};
  // Shares .2, .6 and .5: mean 13/30, variance 13/300; t_0.975(2), any printed table.
  const Interval interval = replicated_share_interval(successes, of_each);
  EXPECT_NEAR(interval.low, std::max(0.0, 13.0 / 30 - 4.30265273 * std::sqrt(13.0 / 900)), 1e-8);
  EXPECT_NEAR(interval.high, 13.0 / 30 + 4.30265273 * std::sqrt(13.0 / 900), 1e-8);
  EXPECT_TRUE(std::isnan(replicated_share_interval(std::vector<double>{3, 0}, std::vector<std::uint64_t>{4, 0}).low));
  EXPECT_TRUE(std::isnan(replicated_share_interval(std::vector<double>{0, 0}, std::vector<std::uint64_t>{0, 0}).high));
}

TEST(Intervals, OfAMeanReachFurtherToTheSideOfTheTail) {
  // Nine times 0 and 10: mean 1, sd sqrt(10), se 1; the cubes of z sum to (9^3 - 9) / 10^(3/2), skewness sqrt(10), a
  // = 1.
  std::vector<double> x(10, 0.0);
  x[3] = 10;
  const double t = 2.262157163;  // t_0.975(9), any printed table
  const Interval interval = mean_interval(x, 0.05);
  EXPECT_NEAR(interval.low, 1 - t, 1e-8);
  const double end = interval.high - 1;  // -T, for which Hall's polynomial is -t
  EXPECT_GT(end, t);
  EXPECT_NEAR(-end + end * end / 3 - end * end * end / 27 + 1.0 / 6, -t, 1e-8);
  for (double& value : x) value = -value;
  EXPECT_NEAR(mean_interval(x, 0.05).low, -interval.high, 1e-12);
  EXPECT_NEAR(mean_interval(x, 0.05).high, -interval.low, 1e-12);
}

TEST(Intervals, OfZerosAndOnesAreClopperAndPearsons) {
  // One of ten: the ends p solve 1 - (1 - p)^10 = 0.025 and (1 - p)^10 + 10 p (1 - p)^9 = 0.025; 0.2 to 44.5 %.
  std::vector<double> x(10, 0.0);
  x[9] = 1;
  const Interval share = mean_interval(x, 0.05);
  EXPECT_NEAR(share.low, -std::expm1(std::log(0.975) / 10), 1e-12);
  EXPECT_NEAR(std::pow(1 - share.high, 10) + 10 * share.high * std::pow(1 - share.high, 9), 0.025, 1e-12);
  const Interval sd = sd_interval(x, 0.05);
  EXPECT_NEAR(sd.low, std::sqrt(share.low * (1 - share.low) * 10 / 9), 1e-12);
  EXPECT_NEAR(sd.high, std::sqrt(share.high * (1 - share.high) * 10 / 9), 1e-12);
  std::vector<double> half{0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
  EXPECT_NEAR(sd_interval(half, 0.05).high, std::sqrt(0.25 * 10 / 9), 1e-12);
}

TEST(Intervals, DoNotExistWhereNoValueDiffers) {
  for (const double x : {0.0, 1.0, 3.0}) {
    EXPECT_TRUE(std::isnan(mean_interval(std::vector<double>(20, x), 0.05).low));
    EXPECT_TRUE(std::isnan(sd_interval(std::vector<double>(20, x), 0.05).high));
  }
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

/// 0, 1, ..., R - 1, 0, 1, ...
std::vector<std::uint32_t> in_replicates(std::size_t n, std::uint32_t replicates) {
  std::vector<std::uint32_t> of(n);
  for (std::size_t i = 0; i < n; ++i) of[i] = static_cast<std::uint32_t>(i % replicates);
  return of;
}

constexpr double t_3 = 3.1824463052837078;  // t_0.975(3), any printed table

TEST(IntervalsOfReplicates, OfAMeanAreStudentsOverTheirMeans) {
  // Means 1, 2, 4, 9 of replicates with two values each: about 4, variance 38 / 3 / 4.
  const std::vector<double> x{0, 2, 3, 9, 2, 2, 5, 9};
  const Interval interval = replicated_mean_interval(x, in_replicates(8, 4), 0.05);
  EXPECT_NEAR(interval.low, 4 - t_3 * std::sqrt(38.0 / 12), 1e-12);
  EXPECT_NEAR(interval.high, 4 + t_3 * std::sqrt(38.0 / 12), 1e-12);
}

TEST(IntervalsOfReplicates, OfAStandardDeviationLeaveOutOneAfterTheOther) {
  const std::vector<double> x{0, 2, 3, 9, 2, 2, 5, 9};
  std::vector<double> logs;
  double mean = 0, squares = 0;
  for (std::size_t r = 0; r < 4; ++r) {
    std::vector<double> rest;
    for (std::size_t i = 0; i < 8; ++i)
      if (i % 4 != r) rest.push_back(x[i]);
    const double centre = std::accumulate(rest.begin(), rest.end(), 0.0) / 6;
    double sum = 0;
    for (const double value : rest) sum += (value - centre) * (value - centre);
    logs.push_back(std::log(sum / 5));
    mean += logs.back() / 4;
  }
  for (const double value : logs) squares += (value - mean) * (value - mean);
  const double half = t_3 * std::sqrt(squares * 3 / 4) / 2;
  // The squares of x sum to 208, 8 times 4^2 are 128, and the mean has the variance 38 / 12.
  const double s = std::sqrt(80.0 / 8 + 38.0 / 12);
  const Interval interval = replicated_sd_interval(x, in_replicates(8, 4), 0.05);
  EXPECT_NEAR(interval.low, s * std::exp(-half), 1e-12);
  EXPECT_NEAR(interval.high, s * std::exp(half), 1e-12);
}

/// Of 1 to 400 in 4 replicates of 100, the values are their own ranks.
TEST(IntervalsOfReplicates, OfAQuantileHaveTheRanksOfItsShare) {
  // Value i + 1 in replicate i mod 4: of those up to the median, 200.5, each holds 50, up to the 30.1 % quantile,
  // 121.1, the first holds one more: deviations 0.75, -0.25, -0.25, -0.25, variance of the share 4/3 0.75 / 400^2, half
  // width t in ranks. One rank is added, and the ends are the ranks outside.
  const std::vector<std::uint32_t> cyclic = in_replicates(400, 4);
  Interval interval = replicated_quantile_interval(one_to(400), cyclic, 0.5, 0.05);
  EXPECT_EQ(interval.low, 199.0);
  EXPECT_EQ(interval.high, 202.0);
  interval = replicated_quantile_interval(one_to(400), cyclic, 0.301, 0.05);
  EXPECT_EQ(interval.low, std::ceil(120.4 - t_3 - 1));
  EXPECT_EQ(interval.high, std::floor(120.4 + t_3 + 1) + 1);
  // Replicates that are blocks: 100 and three times 0 up to the first quartile, T_r = 75, -25, -25, -25, half width
  // t sqrt(4/3 7500) = 318 ranks, beyond all values below and at rank 420 above.
  std::vector<std::uint32_t> blocks(400);
  for (std::size_t i = 0; i < 400; ++i) blocks[i] = static_cast<std::uint32_t>(i / 100);
  interval = replicated_quantile_interval(one_to(400), blocks, 0.25, 0.05);
  EXPECT_EQ(interval.low, -infinity);
  EXPECT_EQ(interval.high, infinity);
}

TEST(IntervalsOfReplicates, OfAQuantileWithNothingAboveItAreThoseOfIndependentValues) {
  // sqrt(0.05 0.95 / n) t in shares reaches beyond 1 for n = 100, not for n = 400.
  EXPECT_EQ(replicated_quantile_interval(std::vector<double>(100, 7.0), in_replicates(100, 4), 0.95, 0.05).high,
            infinity);
  EXPECT_EQ(replicated_quantile_interval(std::vector<double>(400, 7.0), in_replicates(400, 4), 0.95, 0.05).high, 7.0);
}

TEST(IntervalsOfReplicates, DoNotExistWhereReplicatesTellNothing) {
  const std::vector<double> x{0, 2, 3, 9}, twice{0, 0, 1, 1, 5, 5};
  const std::vector<std::uint32_t> one(4, 5), pairs = in_replicates(6, 2);
  EXPECT_TRUE(std::isnan(replicated_mean_interval(x, one, 0.05).low));
  EXPECT_TRUE(std::isnan(replicated_sd_interval(x, one, 0.05).low));
  EXPECT_TRUE(std::isnan(replicated_quantile_interval(x, one, 0.5, 0.05).low));
  EXPECT_TRUE(std::isnan(replicated_mean_interval(twice, pairs, 0.05).low));
  EXPECT_TRUE(std::isnan(replicated_sd_interval(twice, pairs, 0.05).low));
  EXPECT_TRUE(std::isnan(replicated_mean_interval({}, {}, 0.05).low));
  EXPECT_TRUE(std::isnan(replicated_sd_interval({}, {}, 0.05).low));
  EXPECT_TRUE(std::isnan(replicated_quantile_interval({}, {}, 0.5, 0.05).low));
}

}  // namespace
}  // namespace scree
