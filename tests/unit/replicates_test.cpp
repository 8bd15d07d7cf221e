// Intervals of means whose samples come in replicates: closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fake_result.hpp"
#include "host/statistics/statistics.hpp"
#include "tests/support/numbers.hpp"

namespace scree {
namespace {

using namespace fake;
using test::nan;

SummaryTable in_replicates(SummaryTable table, int replicates) {
  table.replicates = replicates;
  return table;
}

TEST(Replicates, OfEqualSizeGiveTheIntervalOfTheirMeans) {
  // Sample i is of replicate i mod 3: means 1, 2, 6, whose variance is 7; the mean of means has 7/3. t_0.975(2) is
  // 4.302652730.
  const Statistics s = statistics(in_replicates(table(plain(), {{0, 1, 4, 2, 3, 8}, {1, 1, 1, 1, 1, 1}}), 3));
  EXPECT_EQ(s.replicates, 3);
  const ColumnStatistics& c = s.columns[0];
  EXPECT_EQ(c.mean, 3);
  EXPECT_NEAR(c.ci_high - c.mean, 4.302652730 * std::sqrt(7.0 / 3), 1e-8);
  EXPECT_NEAR(c.mean - c.ci_low, 4.302652730 * std::sqrt(7.0 / 3), 1e-8);
  // The six values have the variance 40/5, their mean as independent ones 8/6.
  EXPECT_DOUBLE_EQ(c.sd, std::sqrt(8.0));
  EXPECT_DOUBLE_EQ(c.gain, 8.0 / 6 / (7.0 / 3));
  EXPECT_EQ(s.columns[1].ci_low, 1);
  EXPECT_TRUE(std::isnan(s.columns[1].gain)) << "nothing varies";
}

TEST(Replicates, OfOneSampleEachAreIndependentSamples) {
  const std::vector<double> values{3, 1, 4, 1, 5, 9, 2, 6};
  const ColumnStatistics independent = column_statistics(values),
                         replicated = column_statistics(values, {0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_NEAR(replicated.ci_low, independent.ci_low, 1e-14);
  EXPECT_NEAR(replicated.ci_high, independent.ci_high, 1e-14);
  EXPECT_NEAR(replicated.gain, 1, 1e-15);
  EXPECT_TRUE(std::isnan(independent.gain));
}

TEST(Replicates, OfUnequalSizeGiveTheIntervalOfARatio) {
  // Replicates {1, 2}, {6}: mean 3, totals of deviations -3 and 3, variance 2 / 1 * 18 / 9.
  const ReplicatedInterval i =
      replicated_interval(std::vector<double>{1, 6, 2}, std::vector<std::uint32_t>{0, 1, 0}, 3);
  EXPECT_EQ(i.replicates, 2);
  EXPECT_DOUBLE_EQ(i.variance, 4);
  EXPECT_NEAR(i.half_width, 12.70620474 * 2, 1e-7);
}

TEST(Replicates, WithoutAValueSayNothing) {
  // Samples 1 and 4, of replicate 1 of 3, are left out: two replicates of two values are left.
  const Statistics s = statistics(in_replicates(table(plain(), {{0, 50, 4, 2, 60, 8}, {1, nan, 2, 1, nan, 2}},
                                                      {stopped, end_time, stopped, stopped, end_time, stopped}),
                                                3));
  // Of the first column {0, 2} and {4, 8}: totals -5 and 5 about the mean 3.5, variance 2 / 1 * 50 / 16; of the second
  // {1, 1} and {2, 2}, 2 / 1 * 2 / 16. t_0.975(1) is 12.70620474.
  EXPECT_EQ(s.columns[0].n, 4u);
  EXPECT_EQ(s.columns[1].undefined, 2u);
  EXPECT_NEAR(s.columns[0].ci_high - 3.5, 12.70620474 * 2.5, 1e-7);
  EXPECT_NEAR(s.columns[1].ci_high - 1.5, 12.70620474 * 0.5, 1e-7);
  const ColumnStatistics one = column_statistics({1, 2, 3}, {4, 4, 4});
  EXPECT_EQ(one.mean, 2);
  EXPECT_TRUE(std::isnan(one.ci_low) && std::isnan(one.ci_high) && std::isnan(one.gain));
}

TEST(Replicates, AreThoseOfTheSamplesInGroupsStatusesAndPairs) {
  const std::vector<int> group{0, 0, 1, 1, 0, 0, 1, 1};
  const SummaryTable a =
      in_replicates(table(plain(), {{1, 2, 3, 4, 5, 6, 7, 9}, {0, 0, 0, 0, 0, 0, 0, 0}},
                          {stopped, stopped, stopped, stopped, stopped, stopped, end_time, end_time}),
                    2);
  const SummaryTable b =
      in_replicates(table(plain(), {{2, 2, 5, 4, 9, 7, 0, 0}, {1, 2, 3, 4, 5, 6, 7, 8}},
                          {stopped, stopped, stopped, stopped, stopped, stopped, end_time, end_time}),
                    2);
  const Statistics s = statistics(a, &group, 2);
  const auto expect = [](const ColumnStatistics& c, std::vector<double> values, std::vector<std::uint32_t> replicate) {
    const ColumnStatistics expected = column_statistics(values, replicate);
    EXPECT_EQ(c.mean, expected.mean);
    EXPECT_EQ(c.ci_low, expected.ci_low);
    EXPECT_EQ(c.ci_high, expected.ci_high);
    EXPECT_EQ(c.gain, expected.gain);
    EXPECT_TRUE(std::isfinite(c.gain));
  };
  expect(s.columns[0], {1, 2, 3, 4, 5, 6}, {0, 1, 0, 1, 0, 1});
  expect(s.by_status[end_time][0], {7, 9}, {0, 1});
  expect(s.groups[0].columns[0], {1, 2, 5, 6}, {0, 1, 0, 1});
  const Paired p = paired(a, b);
  const ColumnStatistics difference = column_statistics({1, 0, 2, 0, 4, 1}, {0, 1, 0, 1, 0, 1});
  EXPECT_EQ(p.columns[0].ci_low, difference.ci_low);
  EXPECT_EQ(p.columns[0].ci_high, difference.ci_high);
  EXPECT_EQ(p.columns[0].gain, difference.gain);
}

TEST(Replicates, TellAGainWithinTheirFactors) {
  // Chi-squared with 15 degrees of freedom: 6.262138 and 27.488393 in any table.
  const auto [low, high] = gain_factors(16);
  EXPECT_NEAR(low, 6.262138 / 15, 1e-7);
  EXPECT_NEAR(high, 27.488393 / 15, 1e-7);
}

}  // namespace
}  // namespace scree
