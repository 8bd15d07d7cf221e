// Permutation tests and bootstrap intervals against cases counted by hand and against scipy on stored data
// (tests/reference/inference.json, made by `python3 tests/reference/inference.py > tests/reference/inference.json`).
#include "host/statistics/resampling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "host/statistics/statistics.hpp"
#include "src/elementary.hpp"
#include "src/random.hpp"
#include "tests/support/reference.hpp"

namespace scree {
namespace {

using test::Json;
using Values = std::vector<double>;

double normal(std::uint64_t sample, std::uint64_t draw) { return inverse_normal(uniform(7, sample, draw)); }

/// Standard error of a p-value that is a share of `count` random permutations.
double standard_error(double p, double count) { return std::sqrt(p * (1 - p) / count); }

TEST(Permutations, OfThreePairsAreAsCountedByHand) {
  // Pooled 1 of a, 2 b, 3 a, 4 a, 5 b, 9 b. With signs r, s, t of the pairs (1, 2), (3, 5), (4, 9) the steps of
  // 3 (F_a - F_b) are r, 0, s, s + t, t, 0: the largest is 2 where s = t, in half of the 8 assignments, else 1. The
  // squares times the gaps 1, 1, 1, 1, 4 sum to 1 + 0 + 1 + (s + t)^2 + 4: 10 where s = t, else 6.
  const int count = 9999;
  const PermutationTests result = permutation_tests(Values{1, 3, 4}, Values{2, 5, 9}, 1, {}, count);
  EXPECT_EQ(result.pairs, 3u);
  EXPECT_FALSE(result.subsample);
  EXPECT_DOUBLE_EQ(result.kolmogorov.statistic, 2.0 / 3);
  EXPECT_DOUBLE_EQ(result.energy.statistic, std::sqrt(20.0) / 3);
  // Four standard errors of a share, and 1 / count for the observed assignment that is counted with them.
  const double tolerance = 4 * standard_error(0.5, count) + 1.0 / count;
  EXPECT_NEAR(result.kolmogorov.p, 0.5, tolerance);
  EXPECT_EQ(result.energy.p, result.kolmogorov.p);
  // Both smallest where s = -t: all assignments are at least as far.
  EXPECT_EQ(permutation_tests(Values{1, 3, 9}, Values{2, 5, 4}, 1, {}, count).kolmogorov.p, 1.0);
}

TEST(Permutations, SwapUnitsTogether) {
  // Six pairs, all of b above all of a: alone, the observed distance 1 is reached by 2 of 2^6 assignments; in two units
  // by 2 of 4, in one always.
  const Values a{1, 2, 3, 4, 5, 6}, b{11, 12, 13, 14, 15, 16};
  const int count = 9999;
  const double alone = permutation_tests(a, b, 5, {}, count).kolmogorov.p;
  EXPECT_NEAR(alone, 2.0 / 64, 4 * standard_error(2.0 / 64, count) + 1.0 / count);
  const std::vector<int> two{0, 1, 0, 1, 0, 1}, one(6, 0);
  EXPECT_NEAR(permutation_tests(a, b, 5, two, count).kolmogorov.p, 0.5, 4 * standard_error(0.5, count) + 1.0 / count);
  EXPECT_NEAR(permutation_tests(a, b, 5, two, count).energy.p, 0.5, 4 * standard_error(0.5, count) + 1.0 / count);
  EXPECT_EQ(permutation_tests(a, b, 5, one, count).energy.p, 1.0);
}

TEST(Permutations, AgreeWithScipysWithinFourStandardErrors) {
  const Json cases = test::reference("inference.json")["resampled"]["permutation"];
  ASSERT_EQ(cases.size(), 3u);
  for (const auto& [name, c] : cases.items()) {
    SCOPED_TRACE(name);
    const int count = 9999;
    const PermutationTests result = permutation_tests(c["a"].get<Values>(), c["b"].get<Values>(), 11, {}, count);
    const auto expect = [&](const TestResult& test, const Json& scipy) {
      EXPECT_NEAR(test.statistic, scipy[0].get<double>(), 1e-10 * test.statistic);
      // Both p-values are shares of independent permutations, of one probability that the larger number knows best.
      const double p = scipy[1], theirs = c["resamples"];
      EXPECT_NEAR(test.p, p, 4 * std::sqrt(p * (1 - p) * (1 / theirs + 1.0 / count)) + 1.0 / count);
    };
    expect(result.kolmogorov, c["kolmogorov"]);
    expect(result.energy, c["energy"]);
  }
}

TEST(Permutations, HaveTheDistancesOfTheWholeGroups) {
  Values a, b;
  for (std::uint64_t i = 0; i < 500; ++i) {
    a.push_back(std::round(10 * normal(i, 0)));  // with ties
    b.push_back(std::round(10 * normal(i, 1) + 3));
  }
  const PermutationTests result = permutation_tests(a, b, 3);
  sort_rising(a);
  sort_rising(b);
  EXPECT_DOUBLE_EQ(result.kolmogorov.statistic, kolmogorov_distance(a, b));
  // A thousand terms, each rounded a few times by eps / 2.
  EXPECT_NEAR(result.energy.statistic, energy_distance(a, b), 1e-12);
}

TEST(Permutations, OfNoPairsDoNotExistAndOfEqualArmsSayNothing) {
  EXPECT_TRUE(std::isnan(permutation_tests({}, {}, 1).kolmogorov.p));
  EXPECT_TRUE(std::isnan(permutation_tests({}, {}, 1).energy.statistic));
  const Values a{3, 1, 2}, flat(4, 0.1);
  EXPECT_EQ(permutation_tests(a, a, 1).kolmogorov.p, 1.0);
  EXPECT_EQ(permutation_tests(a, a, 1).energy.p, 1.0);
  EXPECT_EQ(permutation_tests(flat, flat, 1).energy.p, 1.0);
  EXPECT_EQ(permutation_tests(flat, flat, 1).kolmogorov.statistic, 0.0);
  EXPECT_EQ(permutation_tests(Values{1}, Values{2}, 1).kolmogorov.p, 1.0);
  const std::vector<int> units{0, 1};
  EXPECT_THROW(permutation_tests(a, flat, 1), std::invalid_argument);
  EXPECT_THROW(permutation_tests(a, a, 1, units), std::invalid_argument);
}

TEST(Permutations, OfManyPairsUseTheFixedSubsample) {
  const std::uint64_t n = 2 * most_resampled + 1, seed = 9;
  Values a, b, sub_a, sub_b;
  for (std::uint64_t i = 0; i < n; ++i) {
    a.push_back(normal(i, 0));
    b.push_back(a.back() + 0.02 * normal(i, 1));
  }
  const PermutationTests result = permutation_tests(a, b, seed, {}, 19);
  EXPECT_TRUE(result.subsample);
  EXPECT_EQ(result.pairs, most_resampled);
  for (const std::uint64_t i : subsample(n, most_resampled, seed)) {
    sub_a.push_back(a[i]);
    sub_b.push_back(b[i]);
  }
  const PermutationTests of_subsample = permutation_tests(sub_a, sub_b, seed, {}, 19);
  EXPECT_FALSE(of_subsample.subsample);
  EXPECT_EQ(result.kolmogorov.statistic, of_subsample.kolmogorov.statistic);
  EXPECT_EQ(result.energy.statistic, of_subsample.energy.statistic);
  EXPECT_EQ(result.energy.p, of_subsample.energy.p);
}

TEST(Bca, AgreesWithScipysWithinFourStandardErrors) {
  // The file has the mean and the sd, over 100 runs of scipy, of each end with 9999 resamples; an end of ours has the
  // same sd. Ours takes order statistics at (B + 1) p and scipy at (B - 1) p + 1: this moves p by less than 1 / B =
  // 1e-4, against its Monte Carlo error sqrt(0.025 * 0.975 / B) = 1.6e-3, so by 0.06 sd.
  const int runs = 16;
  const Json cases = test::reference("inference.json")["resampled"]["bca"];
  ASSERT_EQ(cases.size(), 3u);
  for (const auto& [name, c] : cases.items()) {
    SCOPED_TRACE(name);
    const Values values = c["values"];
    double low = 0, high = 0;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
      const Bootstrap result = bca_mean(values, seed, 0.95, c["resamples"]);
      EXPECT_FALSE(result.block_means);
      EXPECT_EQ(result.units, values.size());
      low += result.interval.low / runs;
      high += result.interval.high / runs;
    }
    const double errors = 4 * std::sqrt(1.0 / runs + 1 / c["runs"].get<double>()) + 0.06;
    EXPECT_NEAR(low, c["mean"][0].get<double>(), errors * c["sd"][0].get<double>());
    EXPECT_NEAR(high, c["mean"][1].get<double>(), errors * c["sd"][1].get<double>());
  }
}

/// Nineteen resamples and the estimate cut the line into twenty parts as likely: beyond a twentieth on either side
/// there is no resample left, and the interval ends at the outermost ones whatever its level.
TEST(Bca, OfFewResamplesEndsAtTheOutermost) {
  Values values;
  for (std::uint64_t i = 0; i < 100; ++i) values.push_back(normal(i, 0));
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Interval narrow = bca_mean(values, seed, 0.995, 19).interval,
                   wide = bca_mean(values, seed, 0.9999, 19).interval;
    EXPECT_EQ(narrow.low, wide.low) << seed;
    EXPECT_EQ(narrow.high, wide.high) << seed;
    EXPECT_LT(narrow.low, narrow.high);
  }
}

/// To second order both ends move towards the tail by g (2 z^2 + 1) / (6 sqrt n) standard errors, g the skewness of the
/// values, 2 or more here: by 0.29 each, 0.58 together. In such units an end has the Monte Carlo error 0.082 (see
/// expect_students_t below), so that four of the difference of two are 0.46; Student's t does not lean.
TEST(Bca, LeansTowardsTheLongTail) {
  Values values;
  for (std::uint64_t i = 0; i < 100; ++i) values.push_back(std::exp(normal(i, 0)));
  const Moments m = moments(values);
  double cubes = 0;
  for (const double x : values) cubes += std::pow((x - m.mean) / m.sd, 3) / 100;
  ASSERT_GT(cubes, 2);
  const double seen = 4 * std::sqrt(2) * 0.082 * m.sd / std::sqrt(m.n);
  const Interval right = bca_mean(values, 1).interval;
  EXPECT_GT(right.high - m.mean, m.mean - right.low + seen);
  for (double& x : values) x = -x;
  const Interval left = bca_mean(values, 1).interval;
  EXPECT_LT(left.high + m.mean, -m.mean - left.low - seen);
}

TEST(Bca, OfFewOrEqualValuesIsMissingOrAPoint) {
  EXPECT_TRUE(std::isnan(bca_mean({}, 1).interval.low));
  EXPECT_TRUE(std::isnan(bca_mean(Values{1}, 1).interval.high));
  const Bootstrap flat = bca_mean(Values(50, 0.1), 1);
  EXPECT_EQ(flat.interval.low, 0.1);
  EXPECT_EQ(flat.interval.high, 0.1);
  EXPECT_EQ(flat.units, 50u);
  // Of two values a quarter of the means each are the values: beyond the 2.5 % quantiles.
  const Interval two = bca_mean(Values{1, 2}, 1).interval;
  EXPECT_EQ(two.low, 1);
  EXPECT_EQ(two.high, 2);
}

TEST(Bca, DoesNotLoseTheSpreadOfLargeCoordinates) {
  // Moving the values by 2^21 moves the ends alike, to the rounding of the moved values and ends (2.3e-10 each).
  Values values, moved;
  for (std::uint64_t i = 0; i < 300; ++i) {
    values.push_back(normal(i, 0));
    moved.push_back(values.back() + 0x1p21);
  }
  const Interval near = bca_mean(values, 1).interval, far = bca_mean(moved, 1).interval;
  EXPECT_NEAR(far.low - 0x1p21, near.low, 1e-9);
  EXPECT_NEAR(far.high - 0x1p21, near.high, 1e-9);
}

/// Above most_resampled nearly normal values the interval is that of Student's t. In standard errors of the mean, an
/// end with B = 1999 resamples has the Monte Carlo error sqrt(p (1 - p) / B) / phi(1.96) = 0.060, and, by that of the
/// bias correction, sqrt(pi / 2 / B) twice = 0.056; four of both together are 0.24 half widths of 1.96. BCa's own
/// correction, of order skewness / 100, and the sd of the units, off by 1 / sqrt(2e4), are below 0.01. A wrong number
/// of units, as blocks of three taken for values, would be off by a factor of sqrt(3).
void expect_students_t(const Values& values) {
  const Bootstrap result = bca_mean(values, 1);
  EXPECT_TRUE(result.block_means);
  EXPECT_EQ(result.units, most_resampled);
  const Moments m = moments(values);
  const double half = ci_half_width(values.size(), m.sd);
  EXPECT_NEAR(result.interval.low, m.mean - half, 0.25 * half);
  EXPECT_NEAR(result.interval.high, m.mean + half, 0.25 * half);
}

TEST(Bca, OfManyValuesDrawsMeansOfBlocks) {
  Values values;
  for (std::uint64_t i = 0; i < 3 * most_resampled; ++i) values.push_back(normal(i, 0));
  expect_students_t(values);
  // Of equal blocks: as if their means had been given.
  Values blocks;
  for (std::uint64_t i = 0; i < most_resampled; ++i)
    blocks.push_back((values[3 * i] + values[3 * i + 1] + values[3 * i + 2]) / 3);
  const Interval of_values = bca_mean(values, 1).interval, of_blocks = bca_mean(blocks, 1).interval;
  EXPECT_NEAR(of_values.low, of_blocks.low, 1e-15);  // ends of size 0.01, so to rounding of sums of size 1
  EXPECT_NEAR(of_values.high, of_blocks.high, 1e-15);
  // Of blocks of one and two values the interval is still about the mean of all values, not that of the blocks' own
  // means: with the values of the longer blocks moved up by 0.5 these are 0.5 / 6, or 5 half widths, apart.
  values.resize(most_resampled + most_resampled / 2);
  for (std::size_t i = 0; i < most_resampled; ++i) values[i] += 0.5;
  expect_students_t(values);
}

TEST(Subsample, IsRisingWithoutRepeatsAndFixedByItsSeed) {
  const std::vector<std::uint64_t> chosen = subsample(1000000, 10000, 3);
  EXPECT_EQ(chosen.size(), 10000u);
  EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
  EXPECT_EQ(std::set<std::uint64_t>(chosen.begin(), chosen.end()).size(), 10000u);
  EXPECT_LT(chosen.back(), 1000000u);
  EXPECT_EQ(subsample(1000000, 10000, 3), chosen);
  EXPECT_NE(subsample(1000000, 10000, 4), chosen);
  // The mean of a sample without replacement has the variance (n^2 / 12) / size (1 - size / n); 5 standard errors.
  double sum = 0;
  for (const std::uint64_t i : chosen) sum += static_cast<double>(i);
  EXPECT_NEAR(sum / 10000, 5e5, 5 * 1e6 / std::sqrt(12.0 * 10000));
  EXPECT_EQ(subsample(3, 5, 1), (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_EQ(subsample(3, 3, 1), (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_TRUE(subsample(3, 0, 1).empty());
}

TEST(Subsample, TakesEachSetAsOften) {
  // The 10 pairs out of 5, over 10^4 seeds: each count is binomial with sd sqrt(1e4 * 0.1 * 0.9) = 30; 5 of them.
  int count[5][5]{};
  for (std::uint64_t seed = 0; seed < 10000; ++seed) {
    const std::vector<std::uint64_t> pair = subsample(5, 2, seed);
    ++count[pair[0]][pair[1]];
  }
  for (int i = 0; i < 5; ++i)
    for (int j = i + 1; j < 5; ++j) EXPECT_NEAR(count[i][j], 1000, 150) << i << ' ' << j;
}

TEST(Bca, TakesResamplesThatEqualTheEstimateAsTies) {
  // 96 zeros and one -1: a resample's sum is minus a binomial number of 97 draws at 1/97. Sums of -1, the estimate, are
  // ties, P = (1 - 1/97)^96 = 0.3698; below lie those of -2 and less, 1 - P(0) - P(1) = 0.2642. So z0 is the normal
  // quantile of 0.2642 + 0.3698 / 2 = 0.4491, -0.128, and no resample exceeds 0.
  std::vector<double> values(97, 0.0);
  values[40] = -1;
  const Interval interval = bca_mean(values, 3).interval;
  EXPECT_EQ(interval.high, 0.0);
  EXPECT_LE(interval.low, -4.0 / 97);
}

}  // namespace
}  // namespace scree
