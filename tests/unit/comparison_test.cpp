// What compare() makes of two tables: counts, tests, Holm's adjustment, judgements, and the same bits for any number of
// threads.
#include "host/statistics/comparison.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "fake_result.hpp"
#include "src/elementary.hpp"
#include "src/random.hpp"
#include "tests/support/numbers.hpp"

namespace scree {
namespace {

using namespace fake;
using test::nan;

/// Normal numbers, a different set for each `stream`.
std::vector<double> normals(int n, std::uint64_t stream, double mean = 0, double sd = 1) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i)
    values.push_back(mean + sd * inverse_normal(uniform(99, static_cast<std::uint64_t>(i), stream)));
  return values;
}

std::vector<double> plus(std::vector<double> a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

/// `reach` differs by `shift` with noise of sd 1, `speed` by nothing but noise.
Comparison shifted(int n, double shift, std::vector<double> margins = {}, int threads = 1) {
  const std::vector<double> reach = normals(n, 1, 50, 10), speed = normals(n, 2, 5, 1);
  const Arm a = arm("a", table(plain(), {reach, speed})),
            b = arm("b", table(plain(), {plus(reach, normals(n, 3, shift)), plus(speed, normals(n, 4))}));
  return compare(a, b, {std::move(margins), 7, threads});
}

TEST(Comparison, JudgesADifferenceByTheAdjustedTTest) {
  const Comparison c = shifted(200, 1);
  EXPECT_EQ(c.columns[0].judgement, Judgement::differs);
  EXPECT_EQ(c.columns[1].judgement, Judgement::not_shown);
  EXPECT_EQ(c.compared, 2u);
  EXPECT_EQ(c.margins, 0u);
  // The smaller p is doubled, the larger one stays.
  const AdjustedTest &first = c.columns[0].tests[paired_t], &second = c.columns[1].tests[paired_t];
  EXPECT_EQ(first.p_holm, 2 * first.p);
  EXPECT_EQ(second.p_holm, second.p);
  const PairedColumn& p = c.columns[0].paired;
  EXPECT_DOUBLE_EQ(first.statistic, p.difference / (p.sd / std::sqrt(200.0)));
}

/// Two columns whose p-values lie between half the level and the level: each alone would differ, both together do not.
TEST(Comparison, ShowsNoDifferenceThatHolmsAdjustmentTakesBack) {
  // Differences of mean t s / sqrt(n) and standard deviation s have Student's statistic t: p = 0.037 at 2.1, df 199.
  std::vector<double> alternating(200);
  for (std::size_t i = 0; i < alternating.size(); ++i)
    alternating[i] = 2.1 / std::sqrt(200.0) + (i % 2 ? 1 : -1) * std::sqrt(199.0 / 200);
  const std::vector<double> reach = normals(200, 1, 50, 10), speed = normals(200, 2, 5, 1);
  const Comparison c = compare(arm("a", table(plain(), {reach, speed})),
                               arm("b", table(plain(), {plus(reach, alternating), plus(speed, alternating)})), {});
  ASSERT_EQ(c.columns.size(), 2u);
  for (const ColumnComparison& column : c.columns) {
    EXPECT_NEAR(column.tests[paired_t].p, 0.037, 5e-4);
    EXPECT_EQ(column.judgement, Judgement::not_shown);
  }
}

TEST(Comparison, JudgesByTheMargin) {
  // Standard error 1/sqrt(200) = 0.07: a shift of 1 is beyond 0.5, within 2, and cannot be told from 1.05.
  EXPECT_EQ(shifted(200, 1, {0.5, 0}).columns[0].judgement, Judgement::beyond);
  EXPECT_EQ(shifted(200, 1, {2, 0}).columns[0].judgement, Judgement::within);
  EXPECT_EQ(shifted(200, 1, {2, 0.5}).columns[1].judgement, Judgement::equivalent);
  EXPECT_EQ(shifted(200, 1, {2, 0.5}).margins, 2u);
  const ColumnComparison undecided = shifted(200, 1, {1.05, 0}).columns[0];
  EXPECT_EQ(undecided.judgement, Judgement::undecided);
  EXPECT_GT(undecided.samples_needed, 200);
  EXPECT_EQ(undecided.samples_needed, pairs_needed(undecided.paired.difference, undecided.paired.sd, 1.05));
}

TEST(Comparison, AsksForMoreSamplesWhereSomeMakeNoPair) {
  std::vector<std::uint32_t> status(200, stopped);
  for (std::size_t i = 0; i < 100; ++i) status[2 * i] = end_time;
  const std::vector<double> reach = normals(200, 1, 50, 10), speed = normals(200, 2);
  const Arm a = arm("a", table(plain(), {reach, speed}, status)),
            b = arm("b", table(plain(), {plus(reach, normals(200, 3, 1)), speed}));
  const ColumnComparison c = compare(a, b, {{1.05, 0}, 7, 1}).columns[0];
  ASSERT_EQ(c.judgement, Judgement::undecided);
  EXPECT_EQ(c.samples_needed, 2 * pairs_needed(c.paired.difference, c.paired.sd, 1.05));
}

TEST(Comparison, PlansForTheLevelThatSeveralMarginsAskFor) {
  const ColumnComparison one = shifted(200, 1, {1.05, 0}).columns[0], two = shifted(200, 1, {1.05, 0.01}).columns[0];
  ASSERT_EQ(two.judgement, Judgement::undecided);
  EXPECT_GT(two.samples_needed, one.samples_needed);
  EXPECT_EQ(two.samples_needed, pairs_needed(two.paired.difference, two.paired.sd, 1.05, 0.9, 0.025));
  // However few they are, more than these are needed.
  const ColumnComparison few = shifted(3, 1, {1.05, 1}).columns[0];
  ASSERT_EQ(few.judgement, Judgement::undecided);
  EXPECT_GT(few.samples_needed, 3);
}

TEST(Comparison, TakesEqualColumnsOutOfTheAdjustment) {
  const std::vector<double> reach = normals(50, 1), speed = normals(50, 2);
  const Arm a = arm("a", table(plain(), {reach, speed})),
            b = arm("b", table(plain(), {plus(reach, normals(50, 3, 1)), speed}));
  const Comparison c = compare(a, b, {});
  EXPECT_EQ(c.columns[1].judgement, Judgement::equal);
  EXPECT_EQ(c.compared, 1u);
  EXPECT_EQ(c.columns[0].tests[paired_t].p_holm, c.columns[0].tests[paired_t].p);
}

TEST(Comparison, FindsNothingToTestInAConstantShift) {
  const std::vector<double> reach{1, 2, 3, 4}, speed{1, 2, 3, 4};
  const Comparison c = compare(arm("a", table(plain(), {reach, speed})),
                               arm("b", table(plain(), {{2, 3, 4, 5}, speed})), {{0.5, 0}, 7, 1});
  EXPECT_TRUE(std::isnan(c.columns[0].tests[paired_t].p));
  EXPECT_EQ(c.columns[0].judgement, Judgement::constant);
  EXPECT_EQ(c.compared, 0u);
}

TEST(Comparison, OfSamplesThatWereNotRunInBothSaysNothingOfHowTheyEnd) {
  constexpr auto not_run = static_cast<std::uint32_t>(Status::not_run);
  const Arm a = arm("a",
                    table(plain(), {{1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}}, {stopped, stopped, stopped, end_time, stopped})),
            b = arm("b",
                    table(plain(), {{1, 3, 5, 7, 9}, {1, 2, 4, 4, 6}}, {stopped, stopped, not_run, stopped, not_run}));
  const Comparison c = compare(a, b, {});
  EXPECT_EQ(c.ended_both, 3u);
  EXPECT_EQ(c.stopped_both, 2u);
  EXPECT_EQ(c.stopped_baseline, 0u);
  EXPECT_EQ(c.stopped_arm, 1u);
  EXPECT_EQ(c.columns[0].paired.only_baseline, 0u);
  EXPECT_EQ(c.columns[0].paired.only_arm, 1u);
}

/// Those that were not run are no samples that make no pair.
TEST(Comparison, OfSamplesThatWereNotRunAsksForNoMore) {
  const std::vector<double> reach = normals(200, 1, 50, 10), speed = normals(200, 2, 5, 1),
                            other = plus(reach, normals(200, 3, 1));
  std::vector<std::uint32_t> ended(200, stopped);
  std::fill(ended.begin() + 50, ended.end(), static_cast<std::uint32_t>(Status::not_run));
  const Comparison some = compare(arm("a", table(plain(), {reach, speed}, ended)),
                                  arm("b", table(plain(), {other, speed}, ended)), {{1.05, 0}, 7, 1});
  const auto first_50 = [](const std::vector<double>& values) {
    return std::vector<double>(values.begin(), values.begin() + 50);
  };
  const Comparison alone = compare(arm("a", table(plain(), {first_50(reach), first_50(speed)})),
                                   arm("b", table(plain(), {first_50(other), first_50(speed)})), {{1.05, 0}, 7, 1});
  ASSERT_EQ(alone.columns[0].judgement, Judgement::undecided);
  EXPECT_GT(alone.columns[0].samples_needed, 50);
  EXPECT_EQ(some.columns[0].samples_needed, alone.columns[0].samples_needed);
}

TEST(Comparison, CountsSamplesThatEnterInOneArmOnly) {
  const Arm a = arm("a", table(plain(), {{1, 2, 3, 4, 5}, {1, nan, 3, 4, 5}},
                               {stopped, stopped, stopped, end_time, diverged})),
            b = arm("b", table(plain(), {{1, 3, 5, 7, 9}, {1, 2, nan, 4, 6}},
                               {stopped, stopped, end_time, stopped, diverged}));
  const Comparison c = compare(a, b, {});
  EXPECT_EQ(c.columns[0].paired.n, 2u);
  EXPECT_EQ(c.columns[0].paired.left_out, 3u);
  EXPECT_EQ(c.columns[0].paired.only_baseline, 1u);
  EXPECT_EQ(c.columns[0].paired.only_arm, 1u);
  EXPECT_EQ(c.columns[1].paired.only_baseline, 1u);
  EXPECT_EQ(c.columns[1].paired.only_arm, 1u);
  EXPECT_EQ(c.stopped_both, 2u);
  EXPECT_EQ(c.stopped_baseline, 1u);
  EXPECT_EQ(c.stopped_arm, 1u);
  EXPECT_EQ(c.joint[stopped][end_time], 1u);
  EXPECT_EQ(c.joint[diverged][diverged], 1u);
  EXPECT_EQ(c.stopping.p, 1.0);
}

TEST(Comparison, TestsWhetherAsManySamplesStop) {
  // Ten samples stop in the baseline only: 2 / 2^10.
  std::vector<std::uint32_t> status(20, stopped);
  for (std::size_t i = 0; i < 10; ++i) status[i] = end_time;
  const std::vector<double> x = normals(20, 1);
  const Comparison c = compare(arm("a", table(plain(), {x, x})), arm("b", table(plain(), {x, x}, status)), {});
  EXPECT_EQ(c.stopped_baseline, 10u);
  EXPECT_DOUBLE_EQ(c.stopping.p, 2.0 / 1024);
}

TEST(Comparison, HasTheSameBitsForAnyNumberOfThreads) {
  const Comparison one = shifted(500, 0.1, {0.2, 0.3}, 1), four = shifted(500, 0.1, {0.2, 0.3}, 4);
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  for (std::size_t k = 0; k < 2; ++k) {
    const ColumnComparison &a = one.columns[k], &b = four.columns[k];
    EXPECT_EQ(bits(a.bootstrap.interval.low), bits(b.bootstrap.interval.low));
    EXPECT_EQ(bits(a.bootstrap.interval.high), bits(b.bootstrap.interval.high));
    for (std::size_t t = 0; t < column_tests; ++t) EXPECT_EQ(bits(a.tests[t].p_holm), bits(b.tests[t].p_holm));
    EXPECT_EQ(bits(a.p_equivalent), bits(b.p_equivalent));
  }
}

TEST(Comparison, RestsOnReplicatesWhereSamplesComeInThem) {
  // Eight replicates of 25 pairs that share a shift of their own: only the replicates tell how sure the mean is.
  const std::vector<double> reach = normals(200, 1, 50, 10), shifts = normals(8, 3, 1, 1);
  std::vector<double> moved = plus(reach, normals(200, 4, 0, 0.01));
  for (std::size_t i = 0; i < 200; ++i) moved[i] += shifts[i % 8];
  SummaryTable ta = table(plain(), {reach, reach}), tb = table(plain(), {moved, reach});
  ta.replicates = tb.replicates = 8;
  const Comparison c = compare(arm("a", ta), arm("b", tb), {{0.1, 0}, 7, 1});
  EXPECT_EQ(c.replicates, 8);
  const ColumnComparison& column = c.columns[0];
  EXPECT_EQ(column.paired.freedom, 7);
  // The standard error of a mean of eight shifts; the noise of the pairs moves each by 0.01 / sqrt(25): four of these.
  const ColumnStatistics of_shifts = column_statistics(shifts);
  EXPECT_NEAR(column.paired.standard_error, of_shifts.sd / std::sqrt(8.0), 4 * 0.01 / std::sqrt(25.0 * 8));
  // 200 independent pairs of the variance 25 7 / 199 s^2 would have 1 / 200 of it, the replicates have s^2 / 8; the
  // noise adds 192 degrees of freedom of 1e-4 to the 7 of 25 s^2.
  const double gain = 7.0 / 199, noise = 192 * 1e-4 / (7 * 25 * of_shifts.sd * of_shifts.sd);
  EXPECT_NEAR(column.paired.gain, gain, 2 * noise * gain);
  for (const ColumnTest test : {welch_t, wilcoxon, spread}) EXPECT_TRUE(std::isnan(column.tests[test].p)) << test;
  EXPECT_TRUE(std::isnan(column.bootstrap.interval.low));
  // Whole replicates change sides: of 2^8 ways only few are as far apart as all shifts of one sign.
  EXPECT_FALSE(std::isnan(column.tests[kolmogorov].p));
  EXPECT_TRUE(std::isnan(column.samples_needed));
}

TEST(Comparison, SaysWhenTheTwoIntervalsDisagree) {
  EXPECT_FALSE(disagree({1, 3}, {1.1, 3.1}));
  EXPECT_TRUE(disagree({1, 3}, {1.3, 3}));
  EXPECT_TRUE(disagree({-0.01, 3}, {0.01, 3}));
  // A few large values among many small ones: the bootstrap sees the skewness that t does not.
  std::vector<double> zero(30, 0.0), skewed(30, 0.0);
  for (std::size_t i = 0; i < 30; ++i) skewed[i] = i < 2 ? 100.0 : 0.01 * static_cast<double>(i);
  const Comparison c = compare(arm("a", table(plain(), {zero, zero})), arm("b", table(plain(), {skewed, zero})), {});
  EXPECT_TRUE(c.columns[0].intervals_disagree);
}

}  // namespace
}  // namespace scree
