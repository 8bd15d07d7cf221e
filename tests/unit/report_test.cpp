#include "host/report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "fake_result.hpp"
#include "host/commands/sensitivity.hpp"
#include "host/common/text_table.hpp"
#include "host/report/beside.hpp"
#include "host/report/json.hpp"
#include "host/report/verdict.hpp"
#include "tests/support/numbers.hpp"

namespace scree {
namespace {

using namespace fake;
using test::nan;
using testing::HasSubstr;
using testing::Not;

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  return widest;
}

std::string run_text(const Run& run, const Arm& arm) {
  std::ostringstream out;
  print_run(out, run, arm, {.all = true});
  return out.str();
}

std::string compare_text(const Run& run, const std::vector<Arm>& arms) {
  std::ostringstream out;
  print_compare(out, run, arms, evaluate_in_words(run, arms, 1), {.all = true});
  return out.str();
}

TEST(Report, ShortNumbersHaveFourDigits) {
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(nan), "-");
  EXPECT_EQ(short_number(32.654321), "32.65");
  EXPECT_EQ(short_number(-0.0123456), "-0.01235");
  EXPECT_EQ(short_number(323512.4), "323512");
  EXPECT_EQ(short_number(1.5e-9), "1.500e-09");
  EXPECT_EQ(short_number(2.5e7), "2.500e+07");
  EXPECT_EQ(short_number(INFINITY), "inf");
}

TEST(Report, CountsEveryStatus) {
  EXPECT_EQ(status_line(1000, {0, 998, 2, 0, 0, 0, 0, 0}), "1000 samples: 998 stopped, 2 end_time");
  EXPECT_EQ(status_line(1, {1, 0, 0, 0, 0, 0, 0, 0}), "1 sample: 1 not_run");
}

TEST(Report, OfARunSaysWhichSamplesEnteredEachTable) {
  const std::string text = run_text(
      run(), arm("explicit", table(plain(), {{1, 2, 3, 4}, {5, 6, 7, 8}}, {stopped, stopped, end_time, diverged})));
  EXPECT_THAT(text, HasSubstr("explicit: 4 samples: 2 stopped, 1 end_time, 1 diverged\n"));
  EXPECT_THAT(text, HasSubstr("\nOver the 2 samples that stopped; left out: 1 end_time, 1 diverged\n"
                              "  column  unit  n  mean  +-95 %    sd  5 %  50 %  95 %  max\n"
                              "  reach   m     2   1.5     6.4  0.71  1.1   1.5   1.9  2.0\n"));
  EXPECT_THAT(text, HasSubstr("\nOver the 3 samples that were finished; left out: 1 diverged\n"));
}

TEST(Report, PrintsADashWhereANumberDoesNotExist) {
  const std::string text = run_text(run(), arm("explicit", table(plain(), {{1, 2}, {5, nan}}, {stopped, end_time})));
  EXPECT_THAT(text, HasSubstr("  reach   m     1  1.000       -   -  1.000  1.000  1.000  1.000\n"));
  EXPECT_THAT(text, HasSubstr("A smaller n: the quantity does not exist for the other samples.\n"));
  const std::string without = run_text(run(), arm("explicit", table(plain(), {{1, 2}, {nan, nan}})));
  EXPECT_THAT(without, HasSubstr("\nOver the 2 samples that were finished\nNo sample has a value of: speed.\n"));
}

TEST(Report, SaysInOneLineThatNoSampleEnters) {
  const Arm late = arm("explicit", table(plain(), {{1, 2}, {5, 6}}, {end_time, end_time})),
            other = arm("implicit", table(plain(), {{1, 2}, {5, 7}}, {end_time, end_time}));
  const std::string text = run_text(run(), late);
  EXPECT_THAT(text, HasSubstr("\nNo sample stopped; left out: 2 end_time\n\nOver the 2 samples that were finished\n"));
  EXPECT_THAT(text, Not(HasSubstr("reach")));
  EXPECT_THAT(text, Not(HasSubstr("Resting places")));
  EXPECT_THAT(run_text(run(), arm("explicit", table(plain(), {{1}, {2}}, {not_run}))),
              HasSubstr("\nNo sample was finished; left out: 1 not_run\n"));
  const std::string both = compare_text(run(), {late, other});
  EXPECT_THAT(both, HasSubstr("\nNo sample stopped in both implicit and explicit\n"));
  EXPECT_THAT(both, HasSubstr("\n- No sample stopped in both explicit and implicit: nothing can be said of resting "
                              "places.\n"));
  EXPECT_THAT(both, Not(HasSubstr("too few")));
}

TEST(Report, OfSamplesInReplicatesPrintsTheGainAndSaysWhereThereIsNone) {
  scree::Run r = run();
  r.sampling = {true, 2, 3};
  // Replicates {1, 4} and {2, 8} of reach: means 2.5 and 5, variance of the mean 1.5625, of four independent samples
  // 2.396; {1, 10} and {9, 2} of speed: 5.5 each, and none.
  SummaryTable samples = table(plain(), {{1, 2, 4, 8}, {1, 9, 10, 2}});
  samples.replicates = 2;
  const std::string text = run_text(r, arm("explicit", samples));
  EXPECT_THAT(text, HasSubstr(" s\nsampling sobol, 2 scrambled replicates, 3 dimensions\n"));
  EXPECT_THAT(text, HasSubstr("  column  unit  n  mean  +-95 %  gain   sd  5 %  50 %  95 %  max\n"
                              "  reach   m     4     4      16   1.5  3.1"));
  EXPECT_THAT(text, HasSubstr("  speed   m/s   4  5.500       0     -"));
  EXPECT_THAT(text,
              HasSubstr("\ngain: variance of the mean of n independent samples over that between the 2 replicates, "
                        "from which +-95 %\n  comes; as many know it within a factor of 0.00098 to 5.0 (95 %).\n"));
  // Means 1.5 and 6: 5.0625.
  samples = table(plain(), {{1, 4, 2, 8}, {1, 9, 10, 2}});
  samples.replicates = 2;
  EXPECT_THAT(run_text(r, arm("explicit", samples)), HasSubstr(" Below 1: reach (0.47).\n"));
  const std::string both = compare_text(r, {arm("explicit", samples), arm("implicit", samples)});
  EXPECT_THAT(both, HasSubstr(" Below 1: reach, explicit (0.47), reach,\n"));
  EXPECT_LE(widest_line(both), report_width);
  EXPECT_THAT(run_text(run(), arm("explicit", table(plain(), {{1, 2}, {5, 6}}))), Not(HasSubstr("gain")));
}

TEST(Report, PrintsGroups) {
  scree::Run r = run();
  r.group_by = "shape";
  r.shape_names = {"plate", "cube"};
  const std::string text =
      run_text(r, arm("explicit", table(plain(), {{1, 2, 3}, {5, 6, 7}}, {stopped, stopped, end_time}), {0, 0, 1}, 2));
  EXPECT_THAT(text, HasSubstr("\nBy shape\n  plate: 2 samples: 2 stopped\n  cube: 1 sample: 1 end_time\n"
                              "  column  unit  shape  n"));
  EXPECT_THAT(text, HasSubstr("  reach   m     plate  2    1.5"));
  EXPECT_THAT(text, HasSubstr("                cube   0      -"));
}

TEST(Report, PrintsRestingPlaces) {
  const std::string text = run_text(run(), arm("explicit", table(resting(true), {{0, 2}, {0, 0}, {-10, 10}})));
  EXPECT_THAT(text, HasSubstr("\nResting places of the samples that stopped (m)\n"));
  // Variance 2 along x: half axis sqrt(5.991 * 2) = 3.462.
  EXPECT_THAT(text, HasSubstr("  explicit  2     1.0       0   1.4     0         3.5           0            0"));
  EXPECT_THAT(text, HasSubstr("\nLateral width: 5 to 95 % of lateral_final.\n"));
}

TEST(Report, PrintsPublishedNumbersBesideOurs) {
  scree::Run r = run();
  r.published.source = "Somebody 2021, table 2";
  r.published.rows = {{"speed", "explicit", "km/s", 0.003, nan, 1000, ""},
                      {"speed", "implicit", "km/s", 9, 9, 1000, ""},
                      {"speed", "explicit", "km/s", 8, 8, 1000, "another valley"}};
  const std::string text = run_text(r, arm("explicit", table(plain(), {{1, 2}, {5, 7}})));
  EXPECT_THAT(text, HasSubstr("\nBeside published means: Somebody 2021, table 2\n"));
  EXPECT_THAT(text, HasSubstr("  speed   km/s  explicit  2   0.006 (0.0014)                 0.003    2.0\n"));
  EXPECT_THAT(text, Not(HasSubstr("implicit")));
  EXPECT_THAT(text, Not(HasSubstr("8.000")));  // a row of another study
  r.published.place = "this valley";
  EXPECT_THAT(run_text(r, arm("explicit", table(plain(), {{1, 2}, {5, 7}}))),
              HasSubstr("\nBeside published means: Somebody 2021, table 2, this valley\n"));
}

TEST(Report, PrintsPublishedNumbersOverStepsBesideOurs) {
  const Description d = timed();
  scree::Run r = run();
  r.published.source = "Somebody 2021";
  r.published.rows = {{"speed", "explicit", "m/s", 6.5, 1.5, 1, "", true}};
  // Three steps of 8 m/s in one sample, one of 4 m/s in the other: 7 m/s and a deviation of the root of 3.
  const SummaryTable t = table(d, {{1, 2}, {8, 4}, {3, 1}, {8, 4}});
  EXPECT_THAT(run_text(r, arm("explicit", t)), testing::ContainsRegex("speed, steps +m/s +explicit +2 +7\\S* \\(1.7"));
}

constexpr std::uint32_t left_terrain = static_cast<std::uint32_t>(Status::left_terrain);

scree::Run observed_run() {
  scree::Run r = run();
  r.group_by = "shape";
  r.shape_names = {"plate", "cube"};
  r.observed = {"reach", {"plate", "cube", "plate"}, {10, 20, 12}};
  return r;
}

TEST(Report, PrintsObservedBesideSimulatedByGroup) {
  const std::string text =
      run_text(observed_run(), arm("explicit", table(plain(), {{1, 2, 7}, {5, 6, 8}}), {0, 0, 1}, 2));
  EXPECT_THAT(text, HasSubstr("\nObserved beside simulated: reach (m), simulated over the samples that stopped\n"));
  EXPECT_THAT(text,
              testing::ContainsRegex("explicit  plate +2     11      13  1\\.4 +2   2    1\\.5     6\\.4 .*-10\n"));
  EXPECT_THAT(text, testing::ContainsRegex("explicit  cube +1  20\\.00       -    - +1   1  7\\.000"));
  EXPECT_THAT(text, testing::ContainsRegex("explicit  all +3     14 .* 3   3    3\\.3 "));
  EXPECT_THAT(text, Not(HasSubstr("Left out")));
  EXPECT_THAT(text, Not(HasSubstr("understates")));
}

TEST(Report, SaysWhichSimulatedSamplesEnterBesideTheObserved) {
  const Arm some = arm("explicit",
                       table(plain(), {{1, 2, 9, 7, 8, nan}, {5, 6, 7, 8, 9, 9}},
                             {stopped, stopped, left_terrain, stopped, end_time, stopped}),
                       {0, 0, 0, 1, 1, 1}, 2);
  const std::string text = run_text(observed_run(), some);
  EXPECT_THAT(text, testing::ContainsRegex("  scheme    shape  observed .*  stopped  of   mean"));
  EXPECT_THAT(text, testing::ContainsRegex("explicit  plate .* 2   3    1\\.5"));
  EXPECT_THAT(text, testing::ContainsRegex("explicit  cube .* 1   3  7\\.000"));
  EXPECT_THAT(text, HasSubstr("\nLeft out: explicit, plate: 1 left_terrain; explicit, cube: 1 end_time, 1 without a "
                              "value; explicit, all: 1\n  end_time, 1 left_terrain, 1 without a value.\n"));
  EXPECT_THAT(text, HasSubstr("\nA mean over the stopped samples alone understates run-out where samples left the "
                              "terrain or were still moving.\n"));
}

TEST(Report, ShowsNoMeanOverGroupsOfAnotherMixture) {
  const std::string none =
      run_text(observed_run(),
               arm("explicit", table(plain(), {{1, 2, 7}, {5, 6, 8}}, {stopped, stopped, left_terrain}), {0, 0, 1}, 2));
  EXPECT_THAT(none, HasSubstr("\nexplicit, all: not shown, no sample of cube stopped.\n"));
  EXPECT_THAT(none, Not(testing::ContainsRegex("explicit  all")));
  const std::string other =
      run_text(observed_run(), arm("explicit", table(plain(), {{1, 2, 3, 7}, {5, 6, 7, 8}}), {0, 0, 1, 1}, 2));
  EXPECT_THAT(other,
              HasSubstr("\nexplicit, all: not shown, plate is 50.00 % of the samples that stopped, but 66.67 % of "
                        "the observations.\n"));
  EXPECT_THAT(other, Not(testing::ContainsRegex("explicit  all")));
}

TEST(Report, OfASensitivityByGroupSaysHowManySamplesEachMeanHas) {
  scree::Run r = observed_run();
  r.sensitivity = {"cart.ground", {"soft", "hard"}};
  const std::vector<std::vector<double>> columns{{1, 2, 7}, {5, 6, 8}};
  const std::vector<Variant> variants{
      {"soft", arm("explicit", table(plain(), columns), {0, 0, 1}, 2)},
      {"hard", arm("explicit", table(plain(), columns, {stopped, stopped, left_terrain}), {0, 0, 1}, 2)}};
  std::ostringstream out;
  r.schemes = {"explicit"};
  print_sensitivity_table(out, r, variants, {.all = true});
  EXPECT_THAT(out.str(), HasSubstr("\n"
                                   "  value          plate    cube         all\n"
                                   "  soft      1.5 +- 6.4   7.000  3.3 +- 8.0\n"
                                   "                2 of 2  1 of 1      3 of 3\n"
                                   "  hard      1.5 +- 6.4       -           -\n"
                                   "                2 of 2  0 of 1      2 of 3\n"
                                   "  observed    11 +- 13   20.00    14 +- 13\n"
                                   "                     2       1           3\n"
                                   "hard, all: not shown, no sample of cube stopped.\n"
                                   "A mean over the stopped samples alone understates"));
}

TEST(Report, OfAComparisonGivesPairedDifferences) {
  // Differences 10, 11, 9: mean 10, sd 1, half width t_0.975(2) / sqrt(3) = 4.3027 / 1.7321 = 2.4841; t = 17.32 with
  // two degrees of freedom, p = 0.003317, twice that after Holm over the two columns.
  const std::string text = compare_text(run(), two_arms());
  EXPECT_THAT(text,
              HasSubstr("\nPaired differences implicit - explicit over the 3 samples that stopped in both; "
                        "left out: 1\n"
                        "  column  unit  pairs  explicit  implicit  difference  95 % from    to       p  judgement\n"
                        "  reach   m         3      11.0      21.0        10.0        7.5  12.5  0.0066    differs\n"));
  EXPECT_THAT(text,
              HasSubstr("  speed   m/s       4       6.5       6.5        0.00      -0.65  0.65  1.000  not shown\n"));
}

TEST(Report, OfAComparisonSaysHowSamplesEnded) {
  const std::string text = compare_text(run(), two_arms());
  EXPECT_THAT(text, HasSubstr("\nHow samples ended: rows under explicit, columns under implicit\n"
                              "            stopped\n"
                              "  stopped         3\n"
                              "  end_time        1\n"
                              "0 stopped only under explicit, 1 only under implicit (exact McNemar test of equal "
                              "shares: p = 1.000). They\n  take part in no comparison of resting places.\n"));
}

TEST(Report, OfAComparisonStatesTheRulesOfItsTests) {
  const std::string text = compare_text(run(), two_arms());
  EXPECT_THAT(text, HasSubstr("\nTests of implicit against explicit: p-values\n"));
  std::string words = text;
  std::replace(words.begin(), words.end(), '\n', ' ');
  for (std::size_t at; (at = words.find("  ")) != std::string::npos;) words.erase(at, 1);
  // Two columns, six kinds of test; of three pairs and four there is a p of each.
  for (const char* part : {"zero differences dropped", "999 permutations",
                           "Holm's rule over the 2 columns of this "
                           "comparison: 12 p-values in all",
                           "can give is 0.0010, 0.0020 after the adjustment"})
    EXPECT_THAT(words, HasSubstr(part));
}

TEST(Report, ListsTheSamplesThatDifferMostWithTheirReplay) {
  scree::Run r = run();
  r.overlays = {"--set:cart.note=a b", "--seed:seed=7", "--schemes:scheme=['explicit', 'implicit']"};
  std::vector<Arm> arms = two_arms();
  arms[1].step = 0.005;
  arms[1].changes = {"--steps:step=0.005"};
  const std::string text = compare_text(r, arms);
  EXPECT_THAT(text,
              HasSubstr("\nSamples that implicit and explicit treat most differently, by reach (m)\n"
                        "  sample  explicit  implicit  difference\n"
                        "  1          11.00     22.00       11.00\n"
                        "  0          10.00     20.00       10.00\n"
                        "  2          12.00     21.00       9.000\n"
                        "  scree replay cart.toml --scheme explicit --sample 1 --set 'cart.note=a b' --seed 7\n"
                        "  scree replay cart.toml --scheme implicit --sample 1 --set 'cart.note=a b' --seed 7 "
                        "--set step=0.005\n"
                        "  scree replay cart.toml --scheme explicit --sample 0 --set 'cart.note=a b' --seed 7\n"));
}

TEST(Report, ShowsTheColumnsThatTellWhy) {
  Description d = plain();
  d.why = {1};
  const std::vector<Arm> arms{arm("explicit", table(d, {{1, 2, 3}, {5, 6, 7}})),
                              arm("implicit", table(d, {{1, 2, 3}, {6, 7, 8.5}}))};
  EXPECT_THAT(compare_text(run(), arms), HasSubstr("\nWhy: means by arm, and paired differences\n"
                                                   "  column  unit  explicit  implicit  difference  +-95 %\n"
                                                   "  speed   m/s        6.0       7.2        1.17    0.72\n"));
}

TEST(Report, IsNotWiderThanItsLimit) {
  Description wide;
  wide.system = "rock";
  for (const char* name : {"slope_rotational_energy", "kinetic_energy_mean", "runout"})
    wide.columns.push_back({name, "rad/s", "", Counted::stopped});
  std::vector<double> a, b;
  for (int i = 0; i < 1000; ++i) {
    a.push_back(-1234.56789 * (i % 100));
    b.push_back(-3234.56789 * (i % 100));
  }
  const std::vector<Arm> arms{arm("implicit_cay", table(wide, {a, b, a})), arm("implicit", table(wide, {b, a, b}))};
  EXPECT_LE(widest_line(compare_text(run(), arms)), report_width);
  EXPECT_LE(widest_line(run_text(run(), arms[0])), report_width);
}

TEST(Report, PrintsOneBlockPerValueOfASensitivity) {
  scree::Run r = run();
  r.sensitivity = {"cart.ground", {"soft", "hard"}};
  std::ostringstream out;
  print_sensitivity(out, r, {{"soft", two_arms()[0]}, {"hard", two_arms()[1]}});
  EXPECT_THAT(out.str(), HasSubstr("\nSensitivity to cart.ground\n"
                                   "  soft: 4 samples: 3 stopped, 1 end_time\n  hard: 4 samples: 4 stopped\n"
                                   "  column  unit  value  n"));
  EXPECT_THAT(out.str(), HasSubstr("  reach   m     soft   3  11.0"));
}

TEST(Report, ColoursOnlyWhenAsked) {
  std::ostringstream out;
  print_run(out, run(), two_arms()[0], {.all = true, .colour = true});
  EXPECT_THAT(out.str(), HasSubstr("\033[1m"));
  EXPECT_THAT(run_text(run(), two_arms()[0]), Not(HasSubstr("\033")));
}

TEST(Json, OfAnArmSaysWhatRanAndHowItEnded) {
  const double third = 1.0 / 3;
  const Json json = arm_json(run(), arm("explicit", table(plain(), {{third, 2}, {5, 6}}, {stopped, end_time})));
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  EXPECT_THAT(keys,
              testing::ElementsAre("name", "scheme", "step", "changes", "digest", "samples", "sample_steps", "backend",
                                   "device", "threads", "wall_s", "status", "finished_but_left_out", "statistics"));
  const nlohmann::json read = nlohmann::json::parse(json.dump());
  EXPECT_EQ(read["samples"], 2);
  EXPECT_EQ(read["status"]["stopped"], 1);
  EXPECT_EQ(read["status"]["diverged"], 0);
  EXPECT_EQ(read["statistics"]["reach"]["mean"].get<double>(), third);
  EXPECT_EQ(read["statistics"]["reach"]["unit"], "m");
  EXPECT_TRUE(read["statistics"]["reach"]["sd"].is_null());
  EXPECT_TRUE(read["statistics"]["reach"]["ci95"][0].is_null());
  EXPECT_EQ(read["statistics"]["speed"]["quantiles"]["0.5"], 5.5);
  EXPECT_EQ(read["statistics"]["speed"]["quantiles"].size(), 7u);
  EXPECT_EQ(read["statistics"]["speed"]["max"], 6.0);
}

TEST(Json, OfAComparisonNamesTheArmHoweverManyThereAre) {
  const auto of = [](const std::vector<Arm>& arms) {
    Json json;
    add_comparison(json, run(), arms, evaluate_in_words(run(), arms, 1));
    return json;
  };
  std::vector<Arm> arms = two_arms();
  const Json two = of(arms);
  EXPECT_EQ(two["baseline"], arms[0].name);
  EXPECT_EQ(two["arms"]["implicit"]["digest"], arms[1].digest);
  EXPECT_EQ(two["paired"]["implicit"]["reach"]["n"], 3);
  EXPECT_EQ(two["paired"]["implicit"]["reach"]["difference"], 10.0);
  EXPECT_EQ(two["paired"]["implicit"]["reach"]["ci95"].size(), 2u);
  EXPECT_EQ(two["verdict"].size(), 4u);
  arms.push_back(arm("rk4", arms[0].table));
  const Json three = of(arms);
  EXPECT_EQ(three["paired"]["implicit"]["reach"]["difference"], 10.0);
  EXPECT_EQ(three["paired"]["rk4"]["reach"]["difference"], 0.0);
}

}  // namespace
}  // namespace scree
