// Reports on one screen: their text, and that they stay within it whatever they are of.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "fake_result.hpp"
#include "host/commands/sensitivity.hpp"
#include "host/common/text_table.hpp"
#include "host/report/converge.hpp"
#include "host/report/printer.hpp"
#include "host/report/report.hpp"
#include "host/report/sensitivity.hpp"
#include "host/report/verdict.hpp"
#include "tests/support/numbers.hpp"

namespace scree {
namespace {

using namespace fake;
using test::nan;
using testing::HasSubstr;
using testing::Not;

TEST(Digits, EndWithTheSecondOfTheError) {
  EXPECT_EQ(number_within(153.24, 5.21), "153.2");
  EXPECT_EQ(number_within(153.24, 23), "153");
  EXPECT_EQ(number_within(327502, 20166), "328000");
  EXPECT_EQ(number_within(0.43672, 0.041), "0.437");
  EXPECT_EQ(number_within(-0.04, 1.2), "-0.04");  // the sign of the end of an interval
  EXPECT_EQ(number_within(-0.004, 1.2), "0.0");
  EXPECT_EQ(number_within(9.8049512, 4.838e-5), "9.804951");
  EXPECT_EQ(number_within(3.2281e-9, 2.265e-10), "3.23e-09");
  EXPECT_EQ(number_within(1.2345678e9, 3.1e6), "1.2346e+09");
  // Half of an error that rounds up is two digits too.
  EXPECT_EQ(number_within(12.345, 0.996), "12.3");
  EXPECT_EQ(error_text(0.996), "1.0");
  EXPECT_EQ(error_text(20166), "20000");
  EXPECT_EQ(error_text(0.000123), "0.00012");
  // No error, no rule.
  EXPECT_EQ(number_within(153.24, nan), "153.2");
  EXPECT_EQ(number_within(153.24, 0), "153.2");
  EXPECT_EQ(number_within(0, 0.5), "0.00");
  // Beyond twelve digits a mean of doubles has rounding in it.
  EXPECT_EQ(number_within(5571.123456789012, 1e-11), "5571.12345679");
}

TEST(Digits, OfStatisticsFollowTheirOwnErrors) {
  std::vector<double> values;
  for (int i = 0; i < 400; ++i) values.push_back(100 + 0.5 * i);
  // Uniform on [100, 299.5]: sd 57.81, so errors of 5.7 of the mean, 4.0 of the sd and 12 of the outer quantiles.
  const ColumnTexts t = column_texts(column_statistics(values));
  EXPECT_EQ(t.mean, "199.8");
  EXPECT_EQ(t.half_width, "5.7");
  EXPECT_EQ(t.sd, "57.8");
  EXPECT_EQ(t.low, "110");
  EXPECT_EQ(t.median, "199.8");
  EXPECT_EQ(t.high, "290");
  EXPECT_EQ(t.max, "300");
}

/// The text of a report, which must fit on a screen.
std::string screen(const std::string& text) {
  std::size_t lines = 0;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line); ++lines) EXPECT_LE(line.size(), screen_width) << line;
  EXPECT_LE(lines, screen_lines) << text;
  return text;
}

std::string of_run(const Run& run, const Arm& arm, const Form& form = {}) {
  std::ostringstream out;
  print_run(out, run, arm, form);
  return screen(out.str());
}

std::string of_compare(const Run& run, const std::vector<Arm>& arms, const Form& form = {}) {
  std::ostringstream out;
  print_compare(out, run, arms, evaluate_in_words(run, arms, 1), form);
  return screen(out.str());
}

std::string of_converge(const Run& run, const std::vector<Arm>& arms) {
  std::ostringstream out;
  print_converge(out, run, arms, evaluate_in_words(run, arms, 1));
  return screen(out.str());
}

/// Forty values about a mean, spread by a pattern that another `kind` changes.
std::vector<double> values(double mean, double spread, int kind = 0) {
  std::vector<double> result;
  for (int i = 0; i < 40; ++i) result.push_back(mean + spread * std::sin(1.7 * i + kind) + 0.1 * spread * (i % 3));
  return result;
}

std::vector<Arm> forty_in_two_arms() {
  std::vector<std::uint32_t> ends(40, stopped);
  ends[3] = ends[17] = end_time;
  return {arm("explicit", table(plain(), {values(150, 20), values(9, 2)}, ends)),
          arm("implicit", table(plain(), {values(214, 60, 1), values(9.1, 2, 2)}))};
}

scree::Run titled() {
  scree::Run r = run();
  r.title = "carts on a table";
  r.terrain_name = "table, 1 m high";
  return r;
}

TEST(Names, DifferWhenTheyAreShortToo) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(distinct_within({"road", "house"}, 12), (Names{"road", "house"}));
  EXPECT_EQ(distinct_within({"a very long name of 1", "a very long name of 2"}, 12),
            (Names{"a ver.. of 1", "a ver.. of 2"}));
  const Names arms{"barrier.on true, forest.on true", "barrier.on true, forest.on false",
                   "barrier.on false, forest.on true", "barrier.on false, forest.on false"};
  const Names shorter = distinct_within(arms, 22);
  EXPECT_EQ(std::set(shorter.begin(), shorter.end()).size(), 4u);
  for (const std::string& name : shorter) EXPECT_LE(name.size(), 22u) << name;
  // In their middle.
  EXPECT_EQ(distinct_within(
                {"cantonal road section A west of the village", "cantonal road section B west of the village"}, 20),
            (Names{"..ection A west of..", "..ection B west of.."}));
  EXPECT_EQ(distinct_within({"gate number 9 of the forest road", "gate number 10 of the forest road"}, 20),
            (Names{"..number 9 of the ..", "..number 10 of the.."}));
  EXPECT_EQ(distinct_within({"road section A west, gap 0.5", "road section A west, gap 1.5",
                             "road section B west, gap 0.5", "road section B west, gap 1.5"},
                            22),
            (Names{"..n A west, gap 0.5", "..n A west, gap 1.5", "..n B west, gap 0.5", "..n B west, gap 1.5"}));
  // Characters count, not their bytes.
  EXPECT_EQ(distinct_within({"Hütte Südhänge", "Straße Süd"}, 14), (Names{"Hütte Südhänge", "Straße Süd"}));
  EXPECT_EQ(shortened("äöüäöüäöü", 6), "äöüä..");
  EXPECT_EQ(shortened_within("äöüäöüäöü", 6), "äö..öü");
  // Where nothing short tells them apart.
  const std::string a(18, 'a');
  EXPECT_EQ(distinct_within({"b" + a + "X" + a + "d", "b" + a + "Y" + a + "d", "c" + a + "X" + a + "e"}, 12),
            (Names{"1 baaa..aaad", "2 baaa..aaad", "3 caaa..aaae"}));
}

TEST(Screen, LeavesOutMoreOfWhatWantsMuchWhereAllWouldBeTooLong) {
  Screen sections{Form{}};
  const std::vector<std::string> many(17, "line");
  sections.add("first", {"a", "b", "c", "d", "e"}, 5);
  sections.add("gates", many, 16);
  sections.add("fences", many, 16);
  sections.add("last", {"a", "b", "c", "d", "e", "f"}, 6);
  std::ostringstream out;
  sections.print(out);
  const std::string text = screen(out.str());
  EXPECT_THAT(text, testing::HasSubstr("first\na\nb\nc\nd\ne\n\ngates\n"));
  EXPECT_THAT(text, testing::HasSubstr("  ... 7 more with --all\n\nfences\n"));
  EXPECT_THAT(text, testing::EndsWith("last\na\nb\nc\nd\ne\nf\n"));
}

TEST(ShortReport, OfARun) {
  EXPECT_EQ(of_run(titled(), forty_in_two_arms()[0]), R"(cart: carts on a table
cart.toml, 40 samples, seed 7, step 0.01 s, end 20 s
terrain table, 1 m high
12345 sample-steps in 0.5000 s, scalar on 2 threads
explicit: 40 samples: 38 stopped, 2 end_time

Verdict
- reach is 153.1 +- 4.7 m in the mean of 38 samples that stopped; of these 90 % lie between 132.0
  and 172.1 m.
- A mean over the stopped samples alone understates run-out where samples left the terrain or were
  still moving.
- +-95 % is what other samples would change; what smaller steps would, `scree converge` tells.

Mean with its 95 % confidence, and quantiles
  column  unit   n   mean  +-95 %    5 %   50 %   95 %
  reach   m     38  153.1     4.7  132.0  152.2  172.1
  speed   m/s   40   9.23    0.46   7.18   9.09  11.19

--all: every column; --json: one object; -o FILE keeps the samples
)");
}

TEST(ShortReport, OfAComparison) {
  scree::Run r = titled();
  r.margins = {5, 0};
  r.published.source = "Somebody 2021, table 2";
  r.published.rows = {{"speed", "explicit", "m/s", 9.2, 1.5, 1, ""}, {"speed", "implicit", "m/s", 9.3, nan, 1, ""}};
  EXPECT_EQ(of_compare(r, forty_in_two_arms(), {.file = "both.h5"}), R"(cart: carts on a table
cart.toml, 40 samples, seed 7, step 0.01 s, end 20 s
terrain table, 1 m high
24690 sample-steps in 1.000 s, scalar on 2 threads
explicit: 40 samples: 38 stopped, 2 end_time
implicit: 40 samples: 40 stopped

Verdict
- implicit differs from explicit by more than the margin: reach (+69 m, 45.1 %).
- No difference between implicit and explicit is shown: speed.
- 2 of 40 samples did not stop in both explicit and implicit; what is said of resting places leaves
  them out.
- How much of this is time-step error was not measured; --step-error or `scree converge` does.

Means over the pairs, and implicit - explicit with its 95 % interval
  column  unit  pairs  explicit  implicit  difference  95 % from    to      judgement
  reach   m        38     153.1       222          69         57    82  beyond margin
  speed   m/s      40      9.23      9.28        0.05      -0.72  0.81      not shown

Beside published means: Somebody 2021, table 2
  column  unit  scheme     n  here: mean (sd)  published: mean (sd)  ratio
  speed   m/s   explicit  40      9.23 (1.44)             9.2 (1.5)  1.003
  speed   m/s   implicit  40      9.28 (1.43)                   9.3  0.997

--all: every column, test and reason; --json: one object; both.h5 keeps the samples (scree info,
  scree replay)
)");
}

/// An arm whose mean is off by `error` at its step, and by an eighth of that at each half: order 3.
Arm converging(const std::string& scheme, double error) {
  Arm result = arm(scheme, table(plain(), {values(150 + error, 20), values(9, 2)}));
  double step = result.step;
  for (int k = 0; k < 3; ++k) {
    error /= 8;
    result.finer.push_back(arm(scheme, table(plain(), {values(150 + error, 20), values(9, 2)})));
    result.finer.back().step = step /= 2;
  }
  // What every sample is off by varies a little, so that there are intervals.
  for (std::size_t i = 0; i < 40; ++i) result.table.values[i] += 1e-3 * error * static_cast<double>(i % 5);
  return result;
}

TEST(ShortReport, OfAConvergence) {
  EXPECT_EQ(of_converge(titled(), {converging("rk3", 0.8), converging("euler", 8)}), R"(cart: carts on a table
cart.toml, 40 samples, seed 7, step 0.01 s, end 20 s
terrain table, 1 m high
24690 sample-steps in 1.000 s, scalar on 2 threads
rk3, euler: 40 samples: 40 stopped

Verdict
- The order is seen in every column, so that errors are extrapolated: rk3 and euler.

Time-step error of the mean: the size of mean minus limit
  column  unit  arm     mean  +-95 %   order  error      at   error         at
  reach   m     rk3    153.1     4.6  3.0000   0.80  0.01 s  0.0016  0.00125 s
                euler  160.3     4.6  3.0000    8.0  0.01 s   0.016  0.00125 s
  speed   m/s   rk3     9.23    0.46       -      0  0.01 s       0   0.0025 s
                euler   9.23    0.46       -      0  0.01 s       0   0.0025 s

Cost
  arm    step (s)  steps/sample  us/sample  finest (s)  steps/sample  us/sample
  rk3        0.01         308.6      25000     0.00125         308.6      25000
  euler      0.01         308.6      25000     0.00125         308.6      25000

--all: every step, order and error; --json: one object; -o FILE keeps the samples
)");
}

TEST(ShortReport, OfAConvergenceOfOneSampleWithStepsOfManyDigits) {
  Arm one = arm("rk4", table(plain(), {{150.8}, {9}}));
  one.step = 0.1 / 3;
  for (const double reach : {150.1, 150.0, 149.96}) {
    one.finer.push_back(arm("rk4", table(plain(), {{reach}, {9}})));
    one.finer.back().step = one.step / std::pow(2, one.finer.size());
  }
  const std::string text = of_converge(titled(), {one});
  EXPECT_THAT(text, HasSubstr("  0.03333 s  "));
  EXPECT_THAT(text, HasSubstr("  0.008333 s\n"));
  // Orders log2(0.7 / 0.1) and log2(0.1 / 0.04), of one sample without an interval.
  EXPECT_THAT(text, HasSubstr(" 1.3219 "));
}

/// A description of so many headline columns with long names.
Description wide(int columns) {
  Description d;
  d.system = "cart";
  for (int c = 0; c < columns; ++c) {
    d.columns.push_back({"slope_rotational_energy" + std::to_string(c), "rad/s", "", Counted::stopped});
    d.headline.push_back(c);
  }
  return d;
}

std::vector<Arm> many_arms(const Description& d, int arms) {
  std::vector<Arm> result;
  for (int a = 0; a < arms; ++a) {
    std::vector<std::vector<double>> columns;
    for (std::size_t c = 0; c < d.columns.size(); ++c) columns.push_back(values(-1e6 * (a + 1), 1e5, a));
    result.push_back(arm("implicit_midpoint 0.0001 s scalar " + std::to_string(a), table(d, columns)));
  }
  return result;
}

TEST(ShortReport, StaysOnTheScreenWithManyArmsAndColumns) {
  const Description d = wide(14);
  scree::Run r = titled();
  r.config_path = "a/" + std::string(150, 'x') + "/study.toml";
  r.terrain_note = std::string(60, 'y') + " a note that goes on " + std::string(120, 'z') + " and on and on";
  r.preset = "ground medium";
  for (const int arms : {2, 4, 12}) {
    const std::string text = of_compare(r, many_arms(d, arms), {.file = std::string(150, 'f') + ".h5"});
    EXPECT_THAT(text, HasSubstr("\nVerdict\n- ")) << arms;
    EXPECT_THAT(text, HasSubstr(" more with --all\n")) << arms;
    EXPECT_THAT(text, HasSubstr("--all: every column, test and reason")) << arms;
    of_run(r, many_arms(d, 1)[0]);
    // Names that differ at their ends alone.
    for (int a = 0; a < std::min(arms, 4); ++a) EXPECT_THAT(text, HasSubstr("lar " + std::to_string(a) + " 40 ")) << text;
  }
  std::vector<Arm> arms = many_arms(d, 4);
  for (Arm& one : arms) one.finer = {one, one};
  of_converge(r, arms);
}

TEST(ShortReport, PutsPublishedAndObservedNumbersOnTheScreenBeforeGroups) {
  scree::Run r = titled();
  r.group_by = "shape";
  r.observed.column = "reach";
  std::vector<int> group;
  for (int g = 0; g < 12; ++g) {
    r.shape_names.push_back("block number " + std::to_string(g));
    r.observed.group.insert(r.observed.group.end(), 2, r.shape_names.back());
    r.observed.value.insert(r.observed.value.end(), {100.0 + g, 110.0});
  }
  for (int i = 0; i < 40; ++i) group.push_back(i % 12);
  r.published.source = "Somebody 2021";
  r.published.rows = {{"speed", "explicit", "m/s", 9.2, 1.5, 1, ""}};
  const Arm one = arm("explicit", table(plain(), {values(150, 20), values(9, 2)}), group, 12);
  const std::string text = of_run(r, one);
  for (const char* part : {"\nBeside published means: Somebody 2021\n", "\nObserved beside simulated: reach (m)"})
    EXPECT_THAT(text, HasSubstr(part));
  r.observed = {};
  const std::string groups = of_run(r, one);
  EXPECT_THAT(groups, HasSubstr("\nBy shape\n  column  unit  shape "));
  EXPECT_THAT(groups, HasSubstr(" more with --all\n"));
}

TEST(ShortReport, SaysWhatTargetsCameTo) {
  Arm one = forty_in_two_arms()[0];
  const std::vector<std::string> texts{"mean(reach) +- 50 %", "sd(reach) +- 0.1 m", "p95(speed) +- 1 m/s"};
  one.until = plan_until(parse_targets(texts, plain()), 40, 40);
  look(one.until, one.table);
  EXPECT_THAT(of_run(titled(), one), HasSubstr("\nTargets, not met at look 1 of 1, 40 samples\n target "));
}

TEST(ShortReport, OfReplicatesShowsTheGain) {
  scree::Run r = titled();
  r.sampling = {true, 8, 2};
  SummaryTable samples = table(plain(), {values(150, 20), values(9, 2)});
  samples.replicates = 8;
  EXPECT_THAT(of_run(r, arm("explicit", samples)), HasSubstr("  +-95 %  gain  "));
  of_compare(r, {arm("explicit", samples), arm("implicit", samples)});
}

TEST(ShortReport, SaysSoWhereThereIsNothingToSay) {
  EXPECT_THAT(of_run(titled(), arm("explicit", table(plain(), {{1, 2}, {5, 6}}, {end_time, end_time}))),
              HasSubstr("No sample stopped: nothing can be said of resting places."));
  EXPECT_THAT(of_run(titled(), arm("explicit", table(plain(), {{1}, {5}}))), HasSubstr("One sample has no error bar"));
  EXPECT_THAT(of_run(titled(), arm("explicit", table(plain(), {{nan, nan}, {nan, nan}}, {not_run, not_run}))),
              HasSubstr("explicit: 2 samples: 2 not_run\n"));
  EXPECT_THAT(of_run(titled(), arm("explicit", table(plain(), {{1, 2}, {5, 6}}, {diverged, stopped}))),
              HasSubstr("1 of 2 samples diverged or did not converge"));
}

TEST(ShortReport, OfAComparisonSaysWhatItCannotJudge) {
  const auto text = [](const std::vector<std::vector<double>>& columns, std::uint32_t first, std::uint32_t second) {
    return of_compare(titled(), {arm("explicit", table(plain(), columns, {first, first})),
                                 arm("implicit", table(plain(), columns, {second, second}))});
  };
  const auto no_resting_place =
      HasSubstr("\n- No sample stopped in both explicit and implicit: nothing can be said of resting places.\n");
  EXPECT_THAT(text({{1, 2}, {5, 6}}, end_time, stopped), no_resting_place);
  EXPECT_THAT(text({{1, 2}, {5, 6}}, end_time, end_time), no_resting_place);
  EXPECT_THAT(text({{1, 2}, {5, 6}}, diverged, diverged),
              HasSubstr("\n- Too few pairs to compare implicit and explicit: speed.\n"));
  EXPECT_THAT(text({{1, 2}, {nan, nan}}, stopped, stopped), Not(HasSubstr("speed")));
}

TEST(ShortReport, OfASensitivityHasALinePerValue) {
  scree::Run r = titled();
  r.schemes = {"explicit"};
  r.sensitivity = {"cart.ground", {"soft", "hard"}};
  std::ostringstream out;
  print_sensitivity_table(out, r, {{"soft", forty_in_two_arms()[0]}, {"hard", forty_in_two_arms()[1]}}, {});
  EXPECT_THAT(screen(out.str()), HasSubstr("\nSensitivity to cart.ground: means with their 95 % confidence\n"
                                           "  value   stopped"));
}

}  // namespace
}  // namespace scree
