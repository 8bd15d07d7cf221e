// Intervals of `run --until` under sequential looking: many runs each on laws with known statistics stop at the first
// look that meets their target. The interval there must cover the truth in at least 95 % of the runs, less three
// standard errors of that share.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "host/statistics/targets.hpp"
#include "src/elementary.hpp"
#include "src/random.hpp"
#include "src/status.hpp"
#include "trials.hpp"

namespace scree {
namespace {

using test::share;
using test::three_errors;
using test::trials;

const double least = 0.95 - three_errors(0.95);

const Description& drawn() {
  static const Description description = [] {
    Description d;
    d.columns = {{"x", "m", "", Counted::stopped}};
    return d;
  }();
  return description;
}

using LawOf = std::function<double(double uniform)>;
double normal(double u) { return inverse_normal(u); }
double lognormal(double u) { return std::exp(normal(u)); }
double even(double u) { return u; }

struct Truth {
  std::string target;
  double value;
};

/// What the runs came to: how many covered all truths at the end, and how many stopped at each look.
struct Outcome {
  double covered = 0;
  std::vector<std::uint64_t> stopped;
};

/// `miss` of each interval; the plan's own if 0.
Outcome simulate(const LawOf& law, const std::vector<Truth>& truths, std::uint64_t first, std::uint64_t at_most,
                 double miss = 0) {
  std::vector<std::string> texts;
  for (const Truth& truth : truths) texts.push_back(truth.target);
  Until plan = plan_until(parse_targets(texts, drawn()), first, at_most);
  if (miss > 0) plan.miss = miss;
  Outcome outcome;
  outcome.stopped.resize(plan.looks.size());
  std::uint64_t covered = 0;
  for (std::uint64_t trial = 0; trial < trials(); ++trial) {
    SummaryTable table;
    table.description = &drawn();
    Until until = plan;
    while (!until.over()) {
      table.samples = until.looks[until.taken];
      for (std::uint64_t i = table.values.size(); i < table.samples; ++i)
        table.values.push_back(law(uniform(1, trial, i)));
      table.status.resize(table.samples, static_cast<std::uint32_t>(Status::stopped));
      look(until, table);
    }
    ++outcome.stopped[until.taken - 1];
    bool all = true;
    for (std::size_t t = 0; t < truths.size(); ++t)
      all =
          all && until.targets[t].interval.low <= truths[t].value && truths[t].value <= until.targets[t].interval.high;
    covered += all;
  }
  outcome.covered = static_cast<double>(covered) / static_cast<double>(trials());
  return outcome;
}

/// The width of each test lets a tenth of the runs or more end at one look, and as many at a later one: there the rule
/// has something to choose from.
void expect_several_looks(const Outcome& outcome) {
  int often = 0;
  for (const std::uint64_t n : outcome.stopped) often += n >= trials() / 10;
  EXPECT_GE(often, 2);
}

TEST(SequentialLooking, CoversTheMeanOfANormalLaw) {
  const Outcome outcome = simulate(normal, {{"mean(x) +- 0.26 m", 0}}, 25, 400);
  EXPECT_GE(outcome.covered, least);
  expect_several_looks(outcome);
}

TEST(SequentialLooking, CoversTheNinetyFifthPercentileOfALognormalLaw) {
  const Outcome outcome = simulate(lognormal, {{"p95(x) +- 32 %", lognormal(0.95)}}, 50, 1600);
  EXPECT_GE(outcome.covered, least);
  expect_several_looks(outcome);
}

TEST(SequentialLooking, CoversTheStandardDeviationOfANormalLaw) {
  const Outcome outcome = simulate(normal, {{"sd(x) +- 14 %", 1}}, 50, 800);
  EXPECT_GE(outcome.covered, least);
  expect_several_looks(outcome);
}

TEST(SequentialLooking, CoversTheStandardDeviationOfAUniformLaw) {
  const Outcome outcome = simulate(even, {{"sd(x) +- 9 %", 1 / std::sqrt(12)}}, 50, 800);
  EXPECT_GE(outcome.covered, least);
  expect_several_looks(outcome);
}

TEST(SequentialLooking, CoversSeveralStatisticsAtOnce) {
  const Outcome outcome =
      simulate(normal, {{"mean(x) +- 0.26 m", 0}, {"sd(x) +- 16 %", 1}, {"median(x) +- 0.37 m", 0}}, 25, 400);
  EXPECT_GE(outcome.covered, least);
  expect_several_looks(outcome);
}

/// The mean of few skewed values hardly ever comes with those that make it.
TEST(SequentialLooking, CoversTheMeanOfALognormalLaw) {
  const Outcome outcome = simulate(lognormal, {{"mean(x) +- 50 %", std::exp(0.5)}}, 25, 1600);
  EXPECT_GE(outcome.covered, least);
  expect_several_looks(outcome);
}

/// Of the first looks 0.96^20 = 44 % see ones alone.
TEST(SequentialLooking, CoversAShareThatIsNearlyOne) {
  const auto share = [](double u) { return u < 0.96 ? 1.0 : 0.0; };
  const Outcome outcome =
      simulate(share, {{"mean(x) +- 0.03 m", 0.96}, {"sd(x) +- 0.07 m", std::sqrt(0.96 * 0.04)}}, 20, 2560);
  EXPECT_GE(outcome.covered, least);
  EXPECT_EQ(outcome.stopped[0], 0u);
  expect_several_looks(outcome);
}

/// That this test can tell: intervals of 95 % at each look, as if it were the only one, cover less.
TEST(SequentialLooking, WithoutTheCorrectionWouldNot) {
  const Outcome outcome = simulate(normal, {{"sd(x) +- 0.3 m", 1}}, 8, 128, 0.05);
  EXPECT_LT(outcome.covered, least);
}

/// The share of runs with 16 replicates, of one look each, in which the interval of 95 % of a target covers the truth.
/// Sample i is point i / 16 of m points; `draw(point, m, random)` gives its value.
using Draw = std::function<double(std::uint64_t point, std::uint64_t points, double random)>;
std::vector<double> replicated_coverage(const Draw& draw, const std::vector<Truth>& truths, std::uint64_t samples) {
  constexpr int replicates = 16;
  std::vector<double> covered(truths.size());
  std::vector<PrecisionTarget> targets;
  for (const Truth& truth : truths)
    targets.push_back(parse_targets(std::vector<std::string>{truth.target}, drawn()).at(0));
  SummaryTable table;
  table.description = &drawn();
  table.samples = samples;
  table.replicates = replicates;
  table.values.resize(samples);
  table.status.assign(samples, static_cast<std::uint32_t>(Status::stopped));
  for (std::uint64_t trial = 0; trial < trials(); ++trial) {
    for (std::uint64_t i = 0; i < samples; ++i)
      table.values[i] = draw(i / replicates, samples / replicates, uniform(2, trial, i));
    for (std::size_t t = 0; t < truths.size(); ++t) {
      const Interval interval = reach(targets[t], table, 0.05).interval;
      covered[t] += share(interval.low <= truths[t].value && truths[t].value <= interval.high);
    }
  }
  return covered;
}

double independent(std::uint64_t, std::uint64_t, double random) { return normal(random); }
/// One point in each of m equal parts of (0, 1), as of a net.
double stratified(std::uint64_t point, std::uint64_t points, double random) {
  return (static_cast<double>(point) + random) / static_cast<double>(points);
}

/// Points that gain nothing. The interval of the mean is exact; that of the standard deviation, whose logarithm is
/// normal as n grows alone, may fall half a per cent short.
TEST(Replicates, CoverStatisticsWherePointsGainNothing) {
  const std::vector<Truth> truths{{"mean(x) +- 1 m", 0},
                                  {"sd(x) +- 1 m", 1},
                                  {"p95(x) +- 1 m", normal(0.95)},
                                  {"p99(x) +- 1 m", normal(0.99)},
                                  {"median(x) +- 1 m", 0}};
  for (const std::uint64_t samples : {256, 1024}) {
    SCOPED_TRACE(samples);
    const std::vector<double> covered = replicated_coverage(independent, truths, samples);
    EXPECT_NEAR(covered[0], 0.95, 0.95 - least);
    EXPECT_NEAR(covered[1], 0.95, 0.95 - least + 0.005);
    for (std::size_t t = 2; t < truths.size(); ++t) EXPECT_GE(covered[t], least) << truths[t].target;
  }
}

TEST(Replicates, CoverStatisticsWherePointsGainMuch) {
  const std::vector<Truth> truths{
      {"mean(x) +- 1 m", 0.5}, {"sd(x) +- 1 m", 1 / std::sqrt(12)}, {"p95(x) +- 1 m", 0.95}, {"p75(x) +- 1 m", 0.75}};
  const std::vector<double> covered = replicated_coverage(stratified, truths, 256);
  EXPECT_NEAR(covered[0], 0.95, 0.95 - least);
  EXPECT_NEAR(covered[1], 0.95, 0.95 - least + 0.005);
  EXPECT_GE(covered[2], least);
  EXPECT_GE(covered[3], least);
}

}  // namespace
}  // namespace scree
