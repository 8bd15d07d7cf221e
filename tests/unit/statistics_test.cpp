#include "host/statistics/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>

#include "fake_result.hpp"
#include "tests/support/numbers.hpp"

namespace scree {
namespace {

using namespace fake;
using test::infinity;
using test::nan;

TEST(Statistics, HaveTheClosedFormsOfOneToN) {
  std::vector<double> values;
  for (int i = 1; i <= 101; ++i) values.push_back(102 - i);
  const ColumnStatistics s = column_statistics(values);
  EXPECT_EQ(s.n, 101u);
  EXPECT_EQ(s.mean, 51.0);
  // The variance of 1..n is n (n + 1) / 12.
  EXPECT_DOUBLE_EQ(s.sd, std::sqrt(101.0 * 102.0 / 12.0));
  EXPECT_EQ(s.min, 1.0);
  EXPECT_EQ(s.max, 101.0);
  // Type 7 on 1..101: 1 + 100 p; p is rounded, so to 2 ulp of 100.
  for (std::size_t q = 0; q < quantile_levels.size(); ++q)
    EXPECT_NEAR(s.quantiles[q], 1 + 100 * quantile_levels[q], 3e-14);
}

TEST(Statistics, InterpolateQuantilesBetweenOrderStatistics) {
  // (n - 1) p = 0.15, 0.75, 1.5, 2.25, 2.7, 2.85, 2.97 between 1, 2, 4, 8.
  const ColumnStatistics s = column_statistics({8, 1, 4, 2});
  const double expected[] = {1.15, 1.75, 3, 5, 6.8, 7.4, 7.88};
  for (std::size_t q = 0; q < quantile_levels.size(); ++q) EXPECT_NEAR(s.quantiles[q], expected[q], 1e-14);
}

TEST(Statistics, TakeStudentsTForTheInterval) {
  // t_0.975 for 1, 4, 9 and 100 degrees of freedom: any printed table, here to the ten digits of R's qt().
  EXPECT_NEAR(ci_half_width(2, std::sqrt(2.0)), 12.70620474, 1e-8);
  EXPECT_NEAR(ci_half_width(5, std::sqrt(5.0)), 2.776445105, 1e-9);
  EXPECT_NEAR(ci_half_width(10, std::sqrt(10.0)), 2.262157163, 1e-9);
  EXPECT_NEAR(ci_half_width(101, std::sqrt(101.0)), 1.983971519, 1e-9);
  const ColumnStatistics s = column_statistics({1, 2, 3, 4, 5});
  // sd / sqrt(n) = sqrt(2.5 / 5)
  EXPECT_NEAR(s.ci_high - s.mean, 2.776445105 * std::sqrt(0.5), 1e-9);
  EXPECT_NEAR(s.mean - s.ci_low, 2.776445105 * std::sqrt(0.5), 1e-9);
}

TEST(Statistics, OfNoOrOneSampleAreNotANumberWhereUndefined) {
  const ColumnStatistics none = column_statistics({});
  EXPECT_EQ(none.n, 0u);
  EXPECT_TRUE(std::isnan(none.mean) && std::isnan(none.sd) && std::isnan(none.ci_low) && std::isnan(none.min));
  EXPECT_TRUE(std::isnan(none.quantiles[3]));
  const ColumnStatistics one = column_statistics({2.5});
  EXPECT_EQ(one.n, 1u);
  EXPECT_EQ(one.mean, 2.5);
  EXPECT_EQ(one.quantiles[0], 2.5);
  EXPECT_EQ(one.quantiles[6], 2.5);
  EXPECT_TRUE(std::isnan(one.sd) && std::isnan(one.ci_low) && std::isnan(one.ci_high));
}

TEST(Statistics, OfEqualValuesHaveNoSpread) {
  const ColumnStatistics s = column_statistics(std::vector<double>(1000, 0.1));
  EXPECT_EQ(s.mean, 0.1);
  EXPECT_EQ(s.sd, 0.0);
  EXPECT_EQ(s.ci_low, 0.1);
}

TEST(Statistics, KeepTheSpreadOfLargeCoordinates) {
  // Deviations of +-0.5 beside 2.6e6 are exact in binary; the variance is 0.25 n / (n - 1).
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(2.6e6 + (i % 2 ? 0.5 : -0.5));
  EXPECT_DOUBLE_EQ(column_statistics(values).sd, std::sqrt(0.25 * 1000 / 999));
}

TEST(Statistics, SumPairwiseWithErrorThatGrowsSlowly) {
  // 0.1 a million times: one after another is off by 1.3e-6; pairwise by at most (31 + 15) ulp / 2 of 1e5, 3.4e-10.
  EXPECT_NEAR(pairwise_sum(std::vector<double>(1000000, 0.1)), 1e5, 3.4e-10);
}

TEST(Statistics, CountOnlyStoppedSamplesForColumnsOfStoppedSamples) {
  const SummaryTable t =
      table(plain(), {{1, 2, 100, 1000, nan, 4}, {5, 6, 7, infinity, 0, 8}},
            {stopped, stopped, end_time, diverged, not_run, static_cast<std::uint32_t>(Status::not_placed)});
  const Statistics s = statistics(t);
  EXPECT_EQ(s.columns[0].n, 2u);
  EXPECT_EQ(s.columns[0].mean, 1.5);
  EXPECT_EQ(s.columns[1].n, 3u);  // not the diverged one, nor those that were not run or placed
  EXPECT_EQ(s.columns[1].mean, 6.0);
  EXPECT_EQ(s.status, (StatusCounts{1, 2, 1, 0, 0, 0, 0, 1, 1}));
  EXPECT_EQ(counted_samples(Counted::stopped, s.status), 2u);
  EXPECT_EQ(counted_samples(Counted::all, s.status), 3u);
}

TEST(Statistics, LeaveOutAndCountValuesThatAreNotFinite) {
  const Statistics s = statistics(table(plain(), {{1, nan, 3}, {infinity, 2, 4}}));
  EXPECT_EQ(s.columns[0].n, 2u);
  EXPECT_EQ(s.columns[0].undefined, 1u);
  EXPECT_EQ(s.columns[0].mean, 2.0);
  EXPECT_EQ(s.columns[1].undefined, 1u);
  EXPECT_EQ(s.columns[1].mean, 3.0);
}

TEST(Statistics, AreAlsoGivenPerStatus) {
  const Statistics s = statistics(table(plain(), {{1, 3, 100}, {5, 6, 7}}, {stopped, stopped, end_time}));
  EXPECT_EQ(s.by_status[stopped][0].mean, 2.0);
  EXPECT_EQ(s.by_status[end_time][0].mean, 100.0);
  EXPECT_EQ(s.by_status[end_time][1].mean, 7.0);
  EXPECT_TRUE(s.by_status[diverged].empty());
  EXPECT_TRUE(s.by_status[not_run].empty());
}

TEST(Statistics, AreAlsoGivenPerGroup) {
  const std::vector<int> group{0, 1, 0, 1, -1};
  const SummaryTable t =
      table(plain(), {{1, 10, 3, 30, 500}, {1, 1, 1, 1, 1}}, {stopped, stopped, stopped, end_time, stopped});
  const Statistics s = statistics(t, &group, 3);
  ASSERT_EQ(s.groups.size(), 3u);
  EXPECT_EQ(s.groups[0].columns[0].mean, 2.0);
  EXPECT_EQ(s.groups[1].samples, 2u);
  EXPECT_EQ(s.groups[1].status[end_time], 1u);
  EXPECT_EQ(s.groups[1].columns[0].mean, 10.0);
  EXPECT_EQ(s.groups[1].columns[1].n, 2u);
  EXPECT_EQ(s.groups[2].samples, 0u);
  EXPECT_EQ(s.groups[2].columns[0].n, 0u);
}

TEST(Deposition, HasTheEllipseOfAKnownCovariance) {
  // Four points at the ends of the axes of an ellipse turned by 30 degrees, half axes 6 and 2: along an axis of half
  // length a the variance is 2 a^2 / (4 - 1), across 0.
  const double c = std::cos(std::acos(-1.0) / 6), s = 0.5;
  const SummaryTable t = table(resting(false), {{100 + 6 * c, 100 - 6 * c, 100 - 2 * s, 100 + 2 * s},
                                                {50 + 6 * s, 50 - 6 * s, 50 + 2 * c, 50 - 2 * c}});
  const Deposition d = statistics(t).deposition;
  EXPECT_EQ(d.n, 4u);
  // Coordinates near 100 are rounded to 1.4e-14; a mean or an axis of them is good to some of these.
  EXPECT_NEAR(d.mean_x, 100, 1e-13);
  EXPECT_NEAR(d.mean_y, 50, 1e-13);
  const double chi = -2 * std::log(0.05);
  EXPECT_NEAR(d.semi_major, std::sqrt(chi * 24), 1e-12);
  EXPECT_NEAR(d.semi_minor, std::sqrt(chi * 8.0 / 3), 1e-12);
  EXPECT_NEAR(d.angle, std::acos(-1.0) / 6, 1e-13);
  // Across the major axis the points lie at -2, 0, 0, 2; the 5 and 95 % quantiles are -+2 (1 - 0.15).
  EXPECT_NEAR(d.lateral_width, 3.4, 1e-12);
  EXPECT_EQ(d.width_definition, "5 to 95 % across the major axis of the ellipse");
}

TEST(Deposition, TakesItsWidthFromTheLateralColumnWhereThereIsOne) {
  const Deposition d = statistics(table(resting(true), {{0, 1, 2}, {0, 1, 2}, {-10, 0, 10}})).deposition;
  // Quantiles of -10, 0, 10 at (n - 1) p = 0.1 and 1.9: -9 and 9.
  EXPECT_NEAR(d.lateral_width, 18, 1e-13);
  EXPECT_EQ(d.width_definition, "5 to 95 % of lateral_final");
  EXPECT_NEAR(d.angle, std::acos(-1.0) / 4, 1e-14);
  EXPECT_NEAR(d.semi_minor, 0, 1e-7);  // the root of a rounding error of 1e-16
}

TEST(Deposition, OfNoOrOneSampleIsNotANumber) {
  const Deposition none = statistics(table(resting(false), {{1, 2}, {1, 2}}, {end_time, end_time})).deposition;
  EXPECT_EQ(none.n, 0u);
  EXPECT_TRUE(std::isnan(none.mean_x) && std::isnan(none.lateral_width));
  const Deposition one = statistics(table(resting(false), {{1, 2}, {1, 2}}, {stopped, end_time})).deposition;
  EXPECT_EQ(one.mean_x, 1.0);
  EXPECT_TRUE(std::isnan(one.semi_major) && std::isnan(one.angle));
}

TEST(Deposition, OfOneSpotHasNoExtent) {
  const Deposition d = statistics(table(resting(false), {{3, 3, 3}, {4, 4, 4}})).deposition;
  EXPECT_EQ(d.semi_major, 0.0);
  EXPECT_EQ(d.lateral_width, 0.0);
}

TEST(Paired, DifferenceIsThatOfTheMeansWithALessSpread) {
  // The arm is the baseline plus 1 +- 0.1: the difference of the means is the mean difference, but its interval is
  // that of the differences (sd 0.1 sqrt(n / (n - 1))), not of the samples (sd 29).
  std::vector<double> a, b;
  for (int i = 0; i < 100; ++i) {
    a.push_back(i);
    b.push_back(i + 1 + (i % 2 ? 0.1 : -0.1));
  }
  const SummaryTable baseline = table(plain(), {a, a}), arm = table(plain(), {b, a});
  const Paired p = paired(baseline, arm);
  EXPECT_EQ(p.columns[0].n, 100u);
  // Differences of numbers up to 100 are good to 1.4e-14 each.
  EXPECT_NEAR(p.columns[0].difference, statistics(arm).columns[0].mean - statistics(baseline).columns[0].mean, 1e-13);
  EXPECT_NEAR(p.columns[0].sd, 0.1 * std::sqrt(100.0 / 99), 1e-13);
  EXPECT_NEAR(p.columns[0].ci_high - p.columns[0].difference, ci_half_width(100, p.columns[0].sd), 1e-15);
  EXPECT_NEAR(p.columns[0].effect_size, 1 / (0.1 * std::sqrt(100.0 / 99)), 1e-11);
  EXPECT_TRUE(p.columns[0].excludes_zero);
  EXPECT_EQ(p.columns[1].difference, 0.0);
  EXPECT_EQ(p.columns[1].sd, 0.0);
  EXPECT_FALSE(p.columns[1].excludes_zero);
  EXPECT_TRUE(std::isnan(p.columns[1].effect_size));
}

TEST(Paired, LeavesOutAndCountsSamplesThatEnterInOneArmOnly) {
  const SummaryTable baseline =
      table(plain(), {{1, 2, 3, nan, 5}, {1, 1, 1, 1, 1}}, {stopped, stopped, end_time, stopped, not_run});
  const SummaryTable arm =
      table(plain(), {{2, 9, 4, 5, 6}, {3, 3, 3, 3, 3}}, {stopped, diverged, stopped, stopped, stopped});
  const Paired p = paired(baseline, arm);
  EXPECT_EQ(p.samples, 5u);
  EXPECT_EQ(p.columns[0].n, 1u);
  EXPECT_EQ(p.columns[0].left_out, 4u);
  // Sample 1 in the baseline alone; 2 and 3 in the arm alone; 4 was not run in both.
  EXPECT_EQ(p.columns[0].only_baseline, 1u);
  EXPECT_EQ(p.columns[0].only_arm, 2u);
  EXPECT_EQ(p.columns[0].baseline_mean, 1.0);
  EXPECT_EQ(p.columns[0].arm_mean, 2.0);
  EXPECT_TRUE(std::isnan(p.columns[0].ci_low));
  EXPECT_FALSE(p.columns[0].excludes_zero);
  EXPECT_EQ(p.columns[1].n, 3u);
  EXPECT_EQ(p.columns[1].difference, 2.0);
}

TEST(Paired, RefusesTablesOfDifferentShape) {
  EXPECT_THROW(paired(table(plain(), {{1, 2}, {1, 2}}), table(plain(), {{1}, {1}})), std::invalid_argument);
}

/// Columns pace (m/s, a mean over the time in `time`), time and rms of samples of steps that are given one by one.
SummaryTable of_steps(const Description& description, const std::vector<std::vector<double>>& steps) {
  std::vector<double> pace, time, rms;
  for (const std::vector<double>& of_sample : steps) {
    double sum = 0, squares = 0;
    for (const double v : of_sample) sum += v, squares += v * v;
    const double n = static_cast<double>(of_sample.size());
    pace.push_back(n > 0 ? sum / n : nan);
    time.push_back(0.25 * n);
    rms.push_back(n > 0 ? std::sqrt(squares / n) : nan);
  }
  return table(description, {pace, time, rms});
}
Description paced() {
  Description d;
  d.system = "cart";
  d.columns = {{"pace", "m/s", ""}, {"time", "s", ""}, {"rms", "m/s", ""}};
  d.columns[0].time = 1;
  d.columns[0].rms = 2;
  return d;
}

TEST(OverSteps, AreTheMeanAndDeviationOfAllStepsOfAllSamples) {
  const Description description = paced();
  // One of them has no step that counts.
  const OverSteps s = over_steps(of_steps(description, {{1, 2}, {3, 5, 7, 9}, {}, {4}}), 0);
  EXPECT_EQ(s.n, 3u);
  const double all[] = {1, 2, 3, 5, 7, 9, 4};
  double mean = 0, variance = 0;
  for (const double v : all) mean += v / 7;
  for (const double v : all) variance += (v - mean) * (v - mean) / 7;
  EXPECT_NEAR(s.mean, mean, 1e-14);
  EXPECT_NEAR(s.sd, std::sqrt(variance), 1e-13);
}

TEST(OverSteps, OfSamplesWithOneTimeHaveTheIntervalOfTheMean) {
  const Description description = paced();
  const std::vector<std::vector<double>> steps{{1, 3}, {2, 6}, {5, 9}, {4, 4}, {0, 1}};
  const OverSteps s = over_steps(of_steps(description, steps), 0);
  const Mean mean = mean_of(std::vector<double>{2, 4, 7, 4, .5});
  EXPECT_NEAR(s.mean, mean.value, 1e-14);
  EXPECT_NEAR(s.ci_high - s.mean, mean.half_width, 1e-13);
  EXPECT_NEAR(s.mean - s.ci_low, mean.half_width, 1e-13);
}

TEST(OverSteps, HoldTheTrueMeanInTheirIntervalWhereTimeAndPaceGoTogether) {
  const Description description = paced();
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  // A sample of n steps, n from 1 to 9, has the pace n: sum n^2 / sum n = (2 * 9 + 1) / 3.
  int held = 0, weighted_wrongly = 0;
  const int trials = 1000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<std::vector<double>> steps;
    double plain = 0;
    for (int i = 0; i < 200; ++i) {
      const int n = 1 + static_cast<int>(9 * uniform(engine));
      steps.emplace_back(static_cast<std::size_t>(n), n);
      plain += n / 200.0;
    }
    const OverSteps s = over_steps(of_steps(description, steps), 0);
    held += s.ci_low <= 19.0 / 3 && 19.0 / 3 <= s.ci_high;
    weighted_wrongly += s.ci_low <= plain && plain <= s.ci_high;
  }
  // Binomial: 950 +- 6.9; beyond four of them once in 16000, and 1 % for an interval to first order.
  EXPECT_NEAR(held, 950, 4 * 6.9 + 10);
  EXPECT_EQ(weighted_wrongly, 0);
}

TEST(OverSteps, TakeLongSamplesForMoreThanShortOnes) {
  const Description description = paced();
  std::mt19937_64 engine(8);
  std::bernoulli_distribution coin;
  // One step or nine, at 1 m/s or -1 m/s. Taken for equally long, they have an interval that is 1.28 times too narrow,
  // which holds in 87 %.
  int held = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    std::vector<std::vector<double>> steps;
    for (int i = 0; i < 200; ++i) {
      const std::size_t n = coin(engine) ? 9 : 1;
      steps.emplace_back(n, coin(engine) ? 1.0 : -1.0);
    }
    const OverSteps s = over_steps(of_steps(description, steps), 0);
    held += s.ci_low <= 0 && 0 <= s.ci_high;
  }
  EXPECT_NEAR(held, 950, 4 * 6.9 + 10);
}

TEST(OverSteps, NeedAMeanOverATime) {
  const Description description = paced();
  const SummaryTable t = of_steps(description, {{}, {}});
  EXPECT_THROW(over_steps(t, 1), std::invalid_argument);
  const OverSteps none = over_steps(t, 0);
  EXPECT_EQ(none.n, 0u);
  EXPECT_TRUE(std::isnan(none.mean) && std::isnan(none.sd) && std::isnan(none.ci_low));
  const OverSteps one = over_steps(of_steps(description, {{2, 4}}), 0);
  EXPECT_EQ(one.mean, 3);
  EXPECT_NEAR(one.sd, 1, 1e-14);
  EXPECT_TRUE(std::isnan(one.ci_low));
}

}  // namespace
}  // namespace scree
