#include "../../host/targets.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "../../host/error.hpp"
#include "../../host/statistics.hpp"
#include "fake_result.hpp"

namespace scree {
namespace {

using namespace fake;
using testing::ElementsAre;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Columns runout (m), tilt (dimensionless).
const Description& rolling() {
  static const Description description = [] {
    Description d;
    d.columns = {{"runout", "m", "", Counted::stopped}, {"tilt", "1", "", Counted::all}};
    return d;
  }();
  return description;
}

std::vector<PrecisionTarget> parsed(const std::string& text) {
  const std::string texts[] = {text};
  return parse_targets(texts, rolling());
}

std::string refusal(const std::string& text) {
  try {
    parsed(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code, Exit::usage);
    return error.what();
  }
  return "";
}

std::vector<double> one_to(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

TEST(Targets, AreAStatisticAColumnAndAWidth) {
  const PrecisionTarget relative = parsed(" p97.5( runout )+-1% ").at(0);
  EXPECT_EQ(relative.text, "p97.5(runout) +- 1 %");
  EXPECT_EQ(relative.statistic, TargetStatistic::quantile);
  EXPECT_DOUBLE_EQ(relative.p, 0.975);
  EXPECT_EQ(relative.column, 0);
  EXPECT_TRUE(relative.relative);
  EXPECT_DOUBLE_EQ(relative.width, 0.01);
  const PrecisionTarget absolute = parsed("mean(runout) +- 2.5e-1 m").at(0);
  EXPECT_EQ(absolute.text, "mean(runout) +- 0.25 m");
  EXPECT_EQ(absolute.statistic, TargetStatistic::mean);
  EXPECT_FALSE(absolute.relative);
  EXPECT_EQ(absolute.width, 0.25);
  EXPECT_EQ(absolute.unit, "m");
  EXPECT_EQ(parsed("sd(runout) +/- 1").at(0).text, "sd(runout) +- 1 m");
  EXPECT_EQ(parsed("median(tilt) \u00b1 0.1").at(0).text, "median(tilt) +- 0.1");
  EXPECT_EQ(parsed("median(tilt) +- 0.1").at(0).p, 0.5);
}

TEST(Targets, ComeSeveralToAText) {
  const std::string texts[] = {"mean(runout) +- 1 %,sd(tilt) +- 2 %", "p5(tilt) +- 0.1"};
  std::vector<std::string> read;
  for (const PrecisionTarget& target : parse_targets(texts, rolling())) read.push_back(target.text);
  EXPECT_THAT(read, ElementsAre("mean(runout) +- 1 %", "sd(tilt) +- 2 %", "p5(tilt) +- 0.1"));
}

TEST(Targets, AreRefusedInOneLine) {
  EXPECT_EQ(refusal("runout +- 1 %"),
            "--until \"runout +- 1 %\": must be STATISTIC(COLUMN) +- WIDTH, as \"p95(runout) +- 1 %\"");
  EXPECT_EQ(refusal(""), "--until \"\": must be STATISTIC(COLUMN) +- WIDTH, as \"p95(runout) +- 1 %\"");
  EXPECT_EQ(refusal("mean(runot) +- 1 %"),
            "--until \"mean(runot) +- 1 %\": unknown column \"runot\", did you mean \"runout\"?");
  EXPECT_EQ(refusal("mean(xyzzyplugh) +- 1 %"),
            "--until \"mean(xyzzyplugh) +- 1 %\": unknown column \"xyzzyplugh\", must be one of runout, tilt");
  for (const char* statistic : {"p0", "p100", "p95th", "pnan", "average", ""})
    EXPECT_EQ(refusal(statistic + std::string("(runout) +- 1 %")),
              "--until \"" + std::string(statistic) + "(runout) +- 1 %\": statistic \"" + statistic +
                  "\", must be mean, sd, median or a percentile between p0 and p100, as p95 or p97.5");
  EXPECT_EQ(refusal("mean(runout) 1 %"),
            "--until \"mean(runout) 1 %\": must go on with +- WIDTH after the column, as +- 1 %");
  for (const char* width : {"0 m", "-1 m", "m", "inf m", "nan", ""}) {
    const std::string text = std::string("mean(runout) +-") + (*width ? " " : "") + width;
    EXPECT_EQ(refusal(text), "--until \"" + text + "\": the width must be a number > 0, and is \"" + width + "\"");
  }
  EXPECT_EQ(refusal("mean(runout) +- 1 km"),
            "--until \"mean(runout) +- 1 km\": unit \"km\", must be % or m for runout");
  EXPECT_EQ(refusal("mean(tilt) +- 1 m"), "--until \"mean(tilt) +- 1 m\": unit \"m\", must be % or none for tilt");
}

TEST(Looks, DoubleUpToTheMost) {
  EXPECT_THAT(look_schedule(1000, 8000), ElementsAre(1000, 2000, 4000, 8000));
  EXPECT_THAT(look_schedule(1000, 9000), ElementsAre(1000, 2000, 4000, 8000, 9000));
  EXPECT_THAT(look_schedule(1000, 1001), ElementsAre(1000, 1001));
  EXPECT_THAT(look_schedule(1000, 1000), ElementsAre(1000));
  const std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(look_schedule(1, most).size(), 64u);  // 2^0 to 2^62, and 2^63 - 1
  EXPECT_EQ(default_at_most(50), 50000u);
  EXPECT_EQ(default_at_most(most), most);
}

TEST(Looks, ShareTheErrorWithTheTargets) {
  const Until until = plan_until(parsed("mean(runout) +- 1 %, sd(runout) +- 1 %"), 1000, 8000);
  EXPECT_DOUBLE_EQ(until.miss, 0.05 / 8);
  EXPECT_FALSE(until.over());
  EXPECT_EQ(until.samples(), 0u);
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
  // Half the values -1, half 1: the least kurtosis, 1, so that (2) has sqrt(3 / (n (n - 1))).
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

TEST(Reached, ComparesTheLargerHalfWithWhatIsAllowed) {
  // The median of 1 to 100 is 50.5 and its interval 40 to 61: halves 10.5 and 10.5.
  const SummaryTable t = table(rolling(), {one_to(100), one_to(100)});
  Reached r = reach(parsed("median(runout) +- 10.5 m").at(0), t, 0.05);
  EXPECT_EQ(r.n, 100u);
  EXPECT_EQ(r.estimate, 50.5);
  EXPECT_EQ(r.half_width, 10.5);
  EXPECT_TRUE(r.met);
  r = reach(parsed("median(runout) +- 5.25 m").at(0), t, 0.05);
  EXPECT_FALSE(r.met);
  EXPECT_EQ(r.needed(100), 400.0);
  // The third quartile, 75.25, lies between ranks 66 and 84: the lower half is the larger one.
  r = reach(parsed("p75(runout) +- 10 %").at(0), t, 0.05);
  EXPECT_EQ(r.interval.low, 66.0);
  EXPECT_EQ(r.interval.high, 84.0);
  EXPECT_EQ(r.half_width, 9.25);
  EXPECT_DOUBLE_EQ(r.allowed, 7.525);
}

TEST(Reached, HasTheEstimatesOfTheReport) {
  std::vector<double> values;
  for (int i = 0; i < 1001; ++i) values.push_back(std::sin(i) * 1e3);
  const SummaryTable t = table(rolling(), {values, values});
  const ColumnStatistics s = statistics(t).columns[0];
  EXPECT_EQ(reach(parsed("mean(runout) +- 1 m").at(0), t, 0.05).estimate, s.mean);
  EXPECT_EQ(reach(parsed("sd(runout) +- 1 m").at(0), t, 0.05).estimate, s.sd);
  EXPECT_EQ(reach(parsed("p95(runout) +- 1 m").at(0), t, 0.05).estimate, s.quantiles[5]);
  const Interval mean = reach(parsed("mean(runout) +- 1 m").at(0), t, 0.05).interval;
  EXPECT_NEAR(mean.low, s.ci_low, 1e-11);
  EXPECT_NEAR(mean.high, s.ci_high, 1e-11);
}

TEST(Reached, UsesTheSamplesThatEnterTheColumn) {
  const SummaryTable t = table(rolling(), {{1, 2, 3, 900, nan, nan}, {1, 2, 3, 4, 5, nan}},
                               {stopped, stopped, stopped, end_time, stopped, not_run});
  EXPECT_EQ(reach(parsed("mean(runout) +- 1 m").at(0), t, 0.05).estimate, 2.0);
  EXPECT_EQ(reach(parsed("mean(runout) +- 1 m").at(0), t, 0.05).n, 3u);
  EXPECT_EQ(reach(parsed("mean(tilt) +- 1").at(0), t, 0.05).n, 5u);
}

TEST(Reached, IsNotMetByTooFewSamples) {
  const SummaryTable none = table(rolling(), {{nan}, {nan}}, {not_run});
  for (const char* statistic : {"mean", "sd", "p95"}) {
    const Reached r = reach(parsed(statistic + std::string("(runout) +- 1e9 m")).at(0), none, 0.05);
    EXPECT_EQ(r.n, 0u);
    EXPECT_FALSE(r.met);
    EXPECT_TRUE(std::isnan(r.needed(1)));
  }
  const SummaryTable few = table(rolling(), {{1, 2, 3}, {1, 2, 3}});
  EXPECT_FALSE(reach(parsed("p95(runout) +- 1e9 m").at(0), few, 0.05).met);  // an infinite interval
}

TEST(Reached, OfReplicatesTakesStudentsTOverTheirEstimates) {
  // Replicates 0 and 1 hold 1, 3, 5 and 2, 6, 10: medians 3 and 6, means 3 and 6. Of all: mean 4.5, median 4.
  SummaryTable t = table(rolling(), {{1, 2, 3, 6, 5, 10}, {1, 2, 3, 6, 5, 10}});
  t.replicates = 2;
  const double half = 12.70620474 * std::sqrt(4.5 / 2);  // t_0.975(1) sd / sqrt(2)
  const Reached mean = reach(parsed("mean(runout) +- 1 m").at(0), t, 0.05);
  EXPECT_EQ(mean.estimate, 4.5);
  EXPECT_NEAR(mean.interval.low, 4.5 - half, 1e-7);
  EXPECT_NEAR(mean.half_width, half, 1e-7);
  const Reached median = reach(parsed("median(runout) +- 1 m").at(0), t, 0.05);
  EXPECT_EQ(median.estimate, 4.0);
  EXPECT_NEAR(median.interval.high, 4.5 + half, 1e-7);
  EXPECT_NEAR(median.half_width, half + 0.5, 1e-7);
  // A replicate without a value has no estimate, and so they have no interval.
  t.replicates = 7;
  EXPECT_FALSE(reach(parsed("mean(runout) +- 1e9 m").at(0), t, 0.05).met);
}

TEST(Until, IsOverWhenAllTargetsAreMetOrAllLooksTaken) {
  Until until = plan_until(parsed("mean(runout) +- 12 m, mean(tilt) +- 3"), 50, 200);
  until.miss = 0.05;  // t_0.975(49) sqrt(50 * 51 / 12 / 50) = 4.1
  look(until, table(rolling(), {one_to(50), one_to(50)}));
  EXPECT_TRUE(until.targets[0].met);
  EXPECT_FALSE(until.targets[1].met);
  EXPECT_FALSE(until.over());
  EXPECT_EQ(until.samples(), 50u);
  Until last = until;
  last.taken = 3;
  EXPECT_TRUE(last.over());
  EXPECT_FALSE(last.met());
  look(until, table(rolling(), {one_to(50), std::vector<double>(50, 7.0)}));
  EXPECT_TRUE(until.met());
  EXPECT_TRUE(until.over());
  EXPECT_TRUE(Until{}.over());
}

}  // namespace
}  // namespace scree
