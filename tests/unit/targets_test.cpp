#include "host/statistics/targets.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "fake_result.hpp"
#include "host/common/error.hpp"
#include "host/statistics/statistics.hpp"
#include "tests/support/numbers.hpp"

namespace scree {
namespace {

using namespace fake;
using test::nan;
using test::one_to;
using testing::ElementsAre;

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
  // Student's t or what reaches further for the slight skewness.
  const Interval mean = reach(parsed("mean(runout) +- 1 m").at(0), t, 0.05).interval;
  EXPECT_LE(mean.low, s.ci_low + 1e-11);
  EXPECT_GE(mean.high, s.ci_high - 1e-11);
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
  const SummaryTable few = table(rolling(), {{1, 2, 3}, {1, 1, 1}});
  const Reached p95 = reach(parsed("p95(runout) +- 1e9 m").at(0), few, 0.05);  // an infinite interval
  EXPECT_FALSE(p95.met);
  EXPECT_EQ(p95.why, "it takes at least 72");  // 0.95^72 = 0.0249
  EXPECT_EQ(reach(parsed("p5(runout) +- 1e9 m").at(0), few, 0.05).why, "it takes at least 72");
  EXPECT_EQ(reach(parsed("p1e-298(runout) +- 1 m").at(0), few, 0.05).why, "it takes at least 3.689e+300");
  EXPECT_EQ(reach(parsed("sd(runout) +- 1e9 m").at(0), few, 0.05).why, "they are too few");
  const Reached equal = reach(parsed("mean(tilt) +- 1e9").at(0), few, 0.05);
  EXPECT_FALSE(equal.met);
  EXPECT_EQ(equal.estimate, 1.0);
  EXPECT_EQ(equal.why, "all are equal");
  EXPECT_EQ(reach(parsed("mean(runout) +- 1e9 m").at(0), few, 0.05).why, "");
}

TEST(Reached, OfReplicatesIsAroundTheEstimateOfAllSamples) {
  // Replicates 0 and 1 hold 1, 3, 5 and 2, 6, 10.
  const std::vector<double> x{1, 2, 3, 6, 5, 10};
  SummaryTable t = table(rolling(), {x, x});
  t.replicates = 2;
  const std::uint32_t replicate_of[] = {0, 1, 0, 1, 0, 1};
  const Reached mean = reach(parsed("mean(runout) +- 1 m").at(0), t, 0.05);
  EXPECT_EQ(mean.estimate, 4.5);
  EXPECT_EQ(mean.interval.low, replicated_mean_interval(x, replicate_of, 0.05).low);
  EXPECT_NEAR(mean.half_width, 12.70620474 * std::sqrt(4.5 / 2), 1e-7);  // t_0.975(1) sd / sqrt(2) of the means 3, 6
  const Reached sd = reach(parsed("sd(runout) +- 1 m").at(0), t, 0.05);
  EXPECT_EQ(sd.interval.high, replicated_sd_interval(x, replicate_of, 0.05).high);
  const Reached median = reach(parsed("median(runout) +- 1 m").at(0), t, 0.05);
  EXPECT_EQ(median.estimate, 4.0);
  EXPECT_EQ(median.interval.high, replicated_quantile_interval(x, replicate_of, 0.5, 0.05).high);
  // Samples that do not enter have no say: without those of replicate 1 nothing tells how well anything is known.
  t.status = {stopped, diverged, stopped, diverged, stopped, diverged};
  for (const char* statistic : {"mean", "sd", "p50"})
    EXPECT_FALSE(reach(parsed(statistic + std::string("(runout) +- 1e9 m")).at(0), t, 0.05).met);
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
  std::vector<double> level(50, 7.0);
  level[0] = 6.9;
  look(until, table(rolling(), {one_to(50), level}));
  EXPECT_TRUE(until.met());
  EXPECT_TRUE(until.over());
  EXPECT_TRUE(Until{}.over());
}

}  // namespace
}  // namespace scree
