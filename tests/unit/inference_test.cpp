// Tests and intervals against scipy on stored data (tests/reference/inference.json, made by
// `python3 tests/reference/inference.py > tests/reference/inference.json`), against cases counted by hand, and where
// they do not exist.
#include "host/statistics/inference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "host/statistics/statistics.hpp"
#include "tests/support/numbers.hpp"
#include "tests/support/reference.hpp"

namespace scree {
namespace {

using test::infinity;
using test::Json;
using test::nan;

/// Both codes lose a few eps times the number of values (200) times the condition of a tail, |x f(x) / p|, below 1e3
/// for the smallest p stored (1e-56): 200 * 1.1e-16 * 1e3 = 2e-11.
constexpr double agreement = 1e-10;

void expect_relative(double value, double expected, const std::string& what) {
  EXPECT_NEAR(value, expected, agreement * std::fabs(expected)) << what;
}

void expect_test(const TestResult& result, const Json& expected, const std::string& what) {
  expect_relative(result.statistic, expected[0], what + ": statistic");
  expect_relative(result.p, expected[1], what + ": p");
}

bool missing(const TestResult& r) { return std::isnan(r.statistic) && std::isnan(r.p); }

/// What is defined for two groups, paired or not.
void expect_groups(const Json& c) {
  std::vector<double> a = c["a"], b = c["b"];
  const Moments of_a = moments(a), of_b = moments(b);
  expect_relative(of_a.mean, c["moments_a"]["mean"], "mean a");
  expect_relative(of_a.sd, c["moments_a"]["sd"], "sd a");
  expect_relative(of_b.mean, c["moments_b"]["mean"], "mean b");
  expect_relative(of_b.sd, c["moments_b"]["sd"], "sd b");
  expect_test(welch(of_a, of_b), c["welch"], "Welch");
  const Interval interval = welch_interval(of_a, of_b);
  expect_relative(interval.low, c["welch_interval"][0], "Welch, low");
  expect_relative(interval.high, c["welch_interval"][1], "Welch, high");
  expect_test(f_test(of_a, of_b), c["f_test"], "F");
  expect_test(brown_forsythe(a, b), c["brown_forsythe"], "Brown-Forsythe");
  sort_rising(a);
  sort_rising(b);
  ASSERT_TRUE(std::is_sorted(a.begin(), a.end()));
  expect_relative(kolmogorov_distance(a, b), c["kolmogorov"], "Kolmogorov");
  expect_relative(energy_distance(a, b), c["energy"], "energy");
}

std::vector<double> differences_of(const Json& c) {
  const std::vector<double> a = c["a"], b = c["b"];
  std::vector<double> d;
  for (std::size_t i = 0; i < a.size(); ++i) d.push_back(b[i] - a[i]);
  return d;
}

TEST(Inference, OfTwoGroupsEqualsScipys) {
  const Json file = test::reference("inference.json");
  ASSERT_EQ(file["groups"].size(), 4u);
  for (const auto& [name, c] : file["groups"].items()) {
    SCOPED_TRACE(name);
    expect_groups(c);
  }
}

TEST(Inference, OfPairsEqualsScipys) {
  const Json file = test::reference("inference.json");
  ASSERT_EQ(file["pairs"].size(), 8u);
  for (const auto& [name, c] : file["pairs"].items()) {
    SCOPED_TRACE(name);
    expect_groups(c);
    const std::vector<double> d = differences_of(c);
    expect_test(wilcoxon_signed_rank(d), c["wilcoxon"], "Wilcoxon");
    const Moments of_d = moments(d);
    const double error = of_d.sd / std::sqrt(of_d.n), margin = c["margin"];
    const Equivalence result = equivalence(of_d.mean, error, of_d.n - 1, margin);
    expect_relative(result.p_equivalent, c["p_equivalent"], "equivalence");
    expect_relative(result.p_beyond, c["p_beyond"], "beyond");
    // With margin 0 it is the two-sided t test of pairs.
    expect_relative(of_d.mean / error, c["ttest_rel"][0], "paired t");
    expect_relative(equivalence(of_d.mean, error, of_d.n - 1, 0).p_beyond, c["ttest_rel"][1], "p of paired t");
  }
}

TEST(Inference, OfPublishedMomentsEqualsScipys) {
  const auto moments_of = [](const Json& list) { return Moments{list[0], list[1], list[2]}; };
  const Json cases = test::reference("inference.json")["published"];
  ASSERT_EQ(cases.size(), 3u);
  for (const Json& c : cases) {
    expect_test(welch(moments_of(c["a"]), moments_of(c["b"])), c["welch"], "Welch");
    expect_test(f_test(moments_of(c["a"]), moments_of(c["b"])), c["f_test"], "F");
  }
}

TEST(Inference, ChangesSignWithTheOrderOfTheGroups) {
  const Moments a{12, 3.5, 0.5}, b{9, 3.0, 0.7};
  EXPECT_EQ(welch(a, b).statistic, -welch(b, a).statistic);
  EXPECT_EQ(welch(a, b).p, welch(b, a).p);
  EXPECT_LT(welch(a, b).statistic, 0);  // b minus a
  EXPECT_EQ(welch_interval(a, b).low, -welch_interval(b, a).high);
  EXPECT_DOUBLE_EQ(f_test(a, b).statistic, 1 / f_test(b, a).statistic);
  EXPECT_DOUBLE_EQ(f_test(a, b).p, f_test(b, a).p);
}

TEST(Inference, IntervalOfWelchEndsWhereItsTestReachesTheLevel) {
  // Moved so that an end of the 1 - p interval lies at 0, the test gives p: quantile and tail invert each other to a
  // few eps times the condition of the t law, below 10 here.
  const Moments a{12, 3.5, 0.5}, b{9, 3.0, 0.7};
  for (const double p : {0.1, 0.05, 0.001}) {
    const Interval interval = welch_interval(a, b, 1 - p);
    EXPECT_NEAR(welch({12, a.mean + interval.low, a.sd}, b).p, p, 1e-13);
    EXPECT_NEAR(welch({12, a.mean + interval.high, a.sd}, b).p, p, 1e-13);
  }
}

TEST(Moments, AreThoseOfColumnStatisticsBitForBit) {
  const Json file = test::reference("inference.json");
  ASSERT_EQ(file["pairs"].size(), 8u);
  for (const auto& [name, c] : file["pairs"].items()) {
    const std::vector<double> a = c["a"];
    const ColumnStatistics column = column_statistics(a);
    EXPECT_EQ(moments(a).mean, column.mean);
    EXPECT_EQ(moments(a).sd, column.sd);
  }
  const std::vector<double> equal(1000, 0.1), none;
  EXPECT_EQ(moments(equal).mean, 0.1);
  EXPECT_EQ(moments(equal).sd, 0.0);
  EXPECT_EQ(moments(none).n, 0);
  EXPECT_TRUE(std::isnan(moments(none).mean));
  EXPECT_EQ(moments(std::span(equal).first(1)).mean, 0.1);
  EXPECT_TRUE(std::isnan(moments(std::span(equal).first(1)).sd));
}

TEST(Wilcoxon, CountsSignsExactlyInSmallSamples) {
  // n = 5, all positive: of the 2^5 signs only this one and its mirror have a rank sum of 0.
  EXPECT_EQ(wilcoxon_signed_rank({1, 2, 3, 4, 5}).statistic, 0);
  EXPECT_EQ(wilcoxon_signed_rank({1, 2, 3, 4, 5}).p, 2.0 / 32);
  EXPECT_EQ(wilcoxon_signed_rank({-1, -2, -3, -4, -5}).p, 2.0 / 32);
  // Rank sums of n = 4 up to 3: {}, {1}, {2}, {3}, {1, 2}, each as likely as its mirror.
  EXPECT_EQ(wilcoxon_signed_rank({-0.1, -0.2, 0.3, 0.4}).statistic, 3);
  EXPECT_EQ(wilcoxon_signed_rank({-0.1, -0.2, 0.3, 0.4}).p, 2 * 5.0 / 16);
  // In the middle both tails overlap.
  EXPECT_EQ(wilcoxon_signed_rank({-1, -4, 2, 3}).p, 1.0);
  EXPECT_EQ(wilcoxon_signed_rank({7}).p, 1.0);
}

TEST(Wilcoxon, TakesMidRanksAndDropsZeros) {
  // Sizes 1, 1, 2, 3 have ranks 1.5, 1.5, 3, 4; negative ones sum to 1.5. Mean n (n + 1) / 4 = 5, variance
  // n (n + 1) (2 n + 1) / 24 less (2^3 - 2) / 48: 7.5 - 0.125. P(|Z| > z) = erfc(z / sqrt 2), to some eps.
  const TestResult result = wilcoxon_signed_rank({0, -1, 2, 1, 3, 0, 0});
  EXPECT_EQ(result.statistic, 1.5);
  EXPECT_NEAR(result.p, std::erfc((5 - 1.5) / std::sqrt(2 * 7.375)), 1e-15);
}

TEST(Wilcoxon, KeepsItsRankSumsExactInLargeSamples) {
  // 1 .. n with every fourth negative: their ranks 4 + 8 + .. + n = 4 (n / 4) (n / 4 + 1) / 2.
  const int n = 400000;
  std::vector<double> d;
  for (int i = n; i > 0; --i) d.push_back(i % 4 == 0 ? -i : i);
  EXPECT_EQ(wilcoxon_signed_rank(d).statistic, 2.0 * (n / 4) * (n / 4 + 1));
}

TEST(Distances, AreOneAndTheGapWhereGroupsDoNotOverlap) {
  // F_a - F_b is 1 between two points d apart: the energy distance is sqrt(2 d).
  EXPECT_EQ(kolmogorov_distance(std::vector<double>{1, 1}, std::vector<double>{3, 3, 3}), 1.0);
  EXPECT_DOUBLE_EQ(energy_distance(std::vector<double>{1, 1}, std::vector<double>{3, 3, 3}), 2.0);
  EXPECT_EQ(kolmogorov_distance(std::vector<double>{1, 2}, std::vector<double>{1, 2}), 0.0);
  EXPECT_EQ(energy_distance(std::vector<double>{1, 2}, std::vector<double>{1, 1, 2, 2}), 0.0);
  EXPECT_TRUE(std::isnan(kolmogorov_distance({}, std::vector<double>{1})));
  EXPECT_TRUE(std::isnan(energy_distance(std::vector<double>{1}, {})));
}

TEST(SortRising, OrdersNegativeAndTinyValues) {
  std::vector<double> values;
  for (int i = 0; i < 20000; ++i) values.push_back(std::ldexp(i % 7 - 3, i % 300 - 150));
  std::vector<double> expected = values;
  std::sort(expected.begin(), expected.end());
  sort_rising(values);
  EXPECT_EQ(values, expected);
}

TEST(Holm, StepsDownThroughTheTextbookExample) {
  // Sorted 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1: 0.02, 0.03, 0.06, 0.04, the last lifted to 0.06.
  const std::vector<double> adjusted = holm(std::vector<double>{0.01, 0.04, 0.03, 0.005});
  const double expected[] = {0.03, 0.06, 0.06, 0.02};
  for (int i = 0; i < 4; ++i) EXPECT_DOUBLE_EQ(adjusted[static_cast<std::size_t>(i)], expected[i]);
  const Json c = test::reference("inference.json")["holm"];
  const std::vector<double> of_file = holm(c["p"].get<std::vector<double>>());
  ASSERT_EQ(of_file.size(), 8u);
  for (std::size_t i = 0; i < of_file.size(); ++i) EXPECT_DOUBLE_EQ(of_file[i], c["adjusted"][i].get<double>());
}

TEST(Holm, DoesNotCountTestsThatDoNotExist) {
  const std::vector<double> adjusted = holm(std::vector<double>{nan, 0.02, nan, 0.9});
  EXPECT_TRUE(std::isnan(adjusted[0]) && std::isnan(adjusted[2]));
  EXPECT_EQ(adjusted[1], 0.04);
  EXPECT_EQ(adjusted[3], 0.9);
  EXPECT_EQ(holm(std::vector<double>{0.6, 0.7})[0], 1.0);
  EXPECT_TRUE(holm({}).empty());
}

TEST(Inference, IsNotANumberWhereATestDoesNotExist) {
  const Moments none = moments({}), one{1, 2.0, nan}, flat{5, 2.0, 0}, good{5, 1.0, 1};
  for (const Moments& m : {none, one}) {
    EXPECT_TRUE(missing(welch(m, good)) && missing(welch(good, m)));
    EXPECT_TRUE(missing(f_test(m, good)) && missing(f_test(good, m)));
    EXPECT_TRUE(std::isnan(welch_interval(m, good).low) && std::isnan(welch_interval(good, m).high));
  }
  EXPECT_TRUE(missing(welch(flat, flat)));
  EXPECT_EQ(welch_interval(flat, {5, 3.0, 0}).low, 1.0);
  EXPECT_EQ(welch_interval(flat, {5, 3.0, 0}).high, 1.0);
  EXPECT_FALSE(missing(welch(flat, good)));
  EXPECT_TRUE(missing(f_test(flat, good)) && missing(f_test(good, flat)));
  EXPECT_TRUE(missing(wilcoxon_signed_rank({})));
  EXPECT_TRUE(missing(wilcoxon_signed_rank({0, 0, 0})));
}

TEST(BrownForsythe, NeedsDistancesFromTheMedianThatVary) {
  using Values = std::vector<double>;
  EXPECT_TRUE(missing(brown_forsythe(Values{}, Values{1, 2, 3})));
  EXPECT_TRUE(missing(brown_forsythe(Values{1}, Values{2})));
  // Two values lie as far from their middle, whatever the rounding of the middle.
  EXPECT_TRUE(missing(brown_forsythe(Values{0.1, 0.4}, Values{0.1, 0.7})));
  EXPECT_TRUE(missing(brown_forsythe(Values(10, 0.1), Values(7, 0.3))));
  EXPECT_TRUE(missing(brown_forsythe(Values{2.6e6 + 0.1, 2.6e6 + 0.4}, Values{2.6e6 + 0.1, 2.6e6 + 0.1})));
  EXPECT_FALSE(missing(brown_forsythe(Values{1, 2, 4}, Values{2})));
}

TEST(Equivalence, WithoutVariationIsCertain) {
  const auto expect = [](const Equivalence& e, double equivalent, double beyond) {
    EXPECT_EQ(e.p_equivalent, equivalent);
    EXPECT_EQ(e.p_beyond, beyond);
  };
  expect(equivalence(-1, 0, 9, 2), 0, 1);
  expect(equivalence(-3, 0, 9, 2), 1, 0);
  expect(equivalence(-2, 0, 9, 2), 0.5, 0.5);
  expect(equivalence(0, 0, 9, 0), 0.5, 1);
  EXPECT_TRUE(std::isnan(equivalence(nan, 1, 9, 2).p_equivalent));
  EXPECT_TRUE(std::isnan(equivalence(1, nan, 9, 2).p_beyond));
  EXPECT_TRUE(std::isnan(equivalence(1, 1, 0, 2).p_beyond));
}

TEST(PairsNeeded, EqualTheCountsOfScipysNoncentralTAndOfExactIntegration) {
  // Whole numbers: the powers differ by less than 2e-7, and the power rises by 0.26 / n > 1e-5 per pair.
  const Json cases = test::reference("inference.json")["planned"];
  ASSERT_EQ(cases.size(), 10u);
  for (const Json& c : cases) {
    SCOPED_TRACE(c.dump());
    const double pairs = pairs_needed(c["difference"], c["sd"], c["margin"]);
    EXPECT_EQ(pairs, c["nct"].get<double>());
    EXPECT_EQ(pairs, c["exact"].get<double>());
  }
}

TEST(PairsNeeded, GrowWithoutBoundTowardsTheMargin) {
  EXPECT_EQ(pairs_needed(0.5, 1, 0.5), infinity);
  EXPECT_EQ(pairs_needed(-0.5, 1, 0.5), infinity);
  EXPECT_EQ(pairs_needed(0, 0, 0), infinity);
  EXPECT_EQ(pairs_needed(0.3, 0, 0.5), 2);
  EXPECT_TRUE(std::isnan(pairs_needed(0.3, nan, 0.5)));
  // Far from small samples the tests are normal: ((z_0.95 + z_0.9) sd / |difference - margin|)^2 on either side, the
  // other side of the margin being 2000 distances away. One pair, and Student's t beside the normal law, are below
  // 1e-5 of 8.6e6; the two z have ten digits.
  const double z = 1.644853627 + 1.281551566, expected = z * z * 1e6;
  EXPECT_NEAR(pairs_needed(0.999, 1, 1), expected, 1e-5 * expected);
  EXPECT_NEAR(pairs_needed(-1.001, 1, 1), expected, 1e-5 * expected);
}

}  // namespace
}  // namespace scree
