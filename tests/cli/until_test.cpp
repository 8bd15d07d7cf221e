// `run --until`: where it ends, what it says of its targets, and what it refuses.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "host/results/result_file.hpp"
#include "program.hpp"

namespace scree {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

class RunUntil : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("shots.toml", small_shots);
    write("rocks.toml", small_study);
  }
};

TEST_F(RunUntil, EndsAtTheFirstLookThatMeetsTheTargets) {
  const json result = object({"run", "shots.toml", "--until", "p95(range) +- 3 %, mean(range) +- 20 m", "--until",
                              "sd(flight_time) +- 5 %", "--json", "-o", "result.h5"});
  const json& until = result["until"];
  ASSERT_EQ(until.size(), 3u);
  const std::vector<std::uint64_t> looks = until[0]["looks"];
  EXPECT_EQ(looks.front(), 200u);
  EXPECT_EQ(looks.back(), 200000u);
  ASSERT_EQ(looks.size(), 11u);
  EXPECT_EQ(looks[9], 102400u);
  const std::size_t taken = until[0]["look"];
  ASSERT_GT(taken, 1u);
  EXPECT_EQ(result["samples"], looks[taken - 1]);
  const char* const targets[] = {"p95(range) +- 3 %", "mean(range) +- 20 m", "sd(flight_time) +- 5 %"};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(until[i]["target"], targets[i]);
    EXPECT_EQ(until[i]["met"], true);
    EXPECT_LE(until[i]["half_width"], until[i]["allowed"]);
    EXPECT_DOUBLE_EQ(until[i]["level"], 1 - 0.05 / 33);
    EXPECT_EQ(until[i]["n"], result["samples"]);
  }
  EXPECT_EQ(until[1]["estimate"], result["statistics"]["range"]["mean"]);
  EXPECT_EQ(until[0]["estimate"], result["statistics"]["range"]["quantiles"]["0.95"]);
  // One look earlier they were not all met.
  const json earlier = object({"run", "shots.toml", "--samples", std::to_string(looks[taken - 2]), "--json"});
  EXPECT_NE(earlier["digest"], result["digest"]);
  const Outcome before = scree({"run", "shots.toml", "--until", "p95(range) +- 3 %, mean(range) +- 20 m", "--until",
                                "sd(flight_time) +- 5 %", "--at-most", std::to_string(looks[taken - 2])});
  EXPECT_EQ(before.code, 5);
}

TEST_F(RunUntil, IsTheRunOfThatLengthOnAnyNumberOfThreads) {
  const json one = object({"run", "shots.toml", "--until", "mean(range) +- 5 %", "--json", "--threads", "1"});
  const json two =
      object({"run", "shots.toml", "--until", "mean(range) +- 5 %", "--json", "--threads", "2", "-o", "until.h5"});
  const std::string samples = std::to_string(one["samples"].get<int>());
  const json plain = object({"run", "shots.toml", "--samples", samples, "--json", "-o", "plain.h5"});
  EXPECT_EQ(one["until"], two["until"]);
  for (const json& result : {one, two}) {
    EXPECT_EQ(result["digest"], plain["digest"]);
    EXPECT_EQ(result["sample_steps"], plain["sample_steps"]);
    EXPECT_EQ(result["statistics"], plain["statistics"]);
  }
  EXPECT_EQ(read_result(path("until.h5")).run.overlays, read_result(path("plain.h5")).run.overlays);
}

TEST_F(RunUntil, WarnsAsTheRunOfThatLengthDoes) {
  const std::vector<std::string> arguments{"run",      "shots.toml",   "--set",   "sampling=\"sobol\"",
                                           "--set",    "replicates=4", "--until", "mean(range) +- 0.01 m",
                                           "--samples"};
  const auto grown = [&](const char* first, const char* most) {
    std::vector<std::string> all = arguments;
    for (const char* word : {first, "--at-most", most, "-o", "result.h5", "--force"}) all.push_back(word);
    const Outcome outcome = scree(all);
    EXPECT_EQ(outcome.code, 5);
    return outcome.err;
  };
  // 64 = 4 x 16 keeps the balance of the points, 100 = 4 x 25 does not.
  EXPECT_THAT(grown("64", "100"), HasSubstr("samples = 100 gives 4 replicates no power of two"));
  EXPECT_EQ(read_result(path("result.h5")).run.warnings.size(), 1u);
  EXPECT_THAT(grown("48", "64"), HasSubstr("samples = 48 gives 4 replicates no power of two"));
  EXPECT_TRUE(read_result(path("result.h5")).run.warnings.empty());
}

TEST_F(RunUntil, MeetsATargetOnRocks) {
  const json result = object({"run", "rocks.toml", "--until", "median(runout) +- 15 %", "--at-most", "640", "--json"});
  EXPECT_GT(result["samples"], 20);
  EXPECT_EQ(result["digest"], object({"run", "rocks.toml", "--samples", std::to_string(result["samples"].get<int>()),
                                      "--json"})["digest"]);
}

TEST_F(RunUntil, SaysInTheReportAndInTheResultWhatWasReached) {
  const Outcome outcome =
      scree({"run", "shots.toml", "--until", "mean(range)+-5%", "--at-most", "5000", "--all", "-o", "result.h5"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::ContainsRegex("\nTargets, met at look [23] of 6, (400|800) samples\n"));
  EXPECT_THAT(outcome.out,
              testing::ContainsRegex(
                  "  target +n  estimate  99.17 % from +to +\\+- +allowed\n  mean\\(range\\) \\+- 5 % .* met\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("Each interval holds with 99.17 %, so that those of 1 planned target at 6 planned looks"));
  const std::string section = outcome.out.substr(outcome.out.find("\nTargets, "), 400);
  EXPECT_THAT(scree({"info", "result.h5", "--all"}).out, HasSubstr(section));
  const Until until = read_result(path("result.h5")).arms[0].until;
  EXPECT_TRUE(until.met());
  EXPECT_EQ(until.looks.size(), 6u);
  EXPECT_EQ(until.targets.at(0).target.text, "mean(range) +- 5 %");
}

TEST_F(RunUntil, ShowsTheDigitsThatATargetAsksFor) {
  write("level.toml",
        "system = 'projectile'\nscheme = 'exact'\nsamples = 200\nstep = 0.1\nend = 60.0\n[vary]\n"
        "'start.speed' = { uniform = [100.0, 100.01] }\n");
  const Outcome outcome = scree({"run", "level.toml", "--until", "mean(range) +- 0.01 %", "--at-most", "200", "--all"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  // Without drag 0.02 % of 676 m over sqrt(12 x 200), times 2, is 5 mm; with it the mean is known a little better.
  EXPECT_THAT(outcome.out,
              testing::ContainsRegex("0.01 % +200 +676[.][0-9]{4} +676[.][0-9]{4} +676[.][0-9]{4} +0[.]00[34]"));
  EXPECT_THAT(outcome.out, HasSubstr("\nThe interval holds with 95.00 %. Intervals of means by "));
}

TEST_F(RunUntil, TakesTheIntervalsOfReplicates) {
  const std::vector<std::string> arguments{"run",     "shots.toml",        "--set",     "sampling=\"sobol\"",
                                           "--set",   "replicates=8",      "--samples", "256",
                                           "--until", "mean(range) +- 1 %"};
  std::vector<std::string> with_all = arguments;
  with_all.push_back("--all");
  const Outcome outcome = scree(with_all);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              testing::ContainsRegex(
                  "Intervals[ \n]+from[ \n]+8[ \n]+replicates:[ \n]+of[ \n]+means[ \n]+by[ \n]+Student's[ \n]+t[ \n]"));
  std::vector<std::string> as_json = arguments;
  as_json.push_back("--json");
  const json sobol = object(as_json),
             plain = object({"run", "shots.toml", "--samples", "256", "--until", "mean(range) +- 1 %", "--json"});
  // What Sobol points are for: two smooth variations, far fewer samples.
  EXPECT_LT(sobol["samples"].get<int>(), plain["samples"].get<int>() / 4);
}

TEST_F(RunUntil, EndsWithCodeFiveAtTheMostItMayTake) {
  const Outcome outcome =
      scree({"run", "shots.toml", "--until", "mean(range) +- 0.5 %, mean(range) +- 900 m, p95(range) +- 1 m",
             "--at-most", "1000", "-o", "result.h5"});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_THAT(outcome.out, HasSubstr("\nTargets, not met at look 4 of 4, 1000 samples\n"));
  EXPECT_THAT(
      outcome.err,
      MatchesRegex("result: result.h5\nscree: --until: with 1000 samples mean\\(range\\) \\+- 0.5 % came to \\+- "
                   "[0-9.]+ % and needs about [0-9]+000 samples; p95\\(range\\) \\+- 1 m came to \\+- [0-9.]+ m and "
                   "needs about [0-9]+000 samples\n"));
  EXPECT_EQ(read_result(path("result.h5")).run.samples, 1000u);
  // What it says is needed follows from the root of the number, to two digits and upwards.
  const json result =
      json::parse(scree({"run", "shots.toml", "--until", "mean(range) +- 0.5 %", "--at-most", "1000", "--json"}).out);
  const double ratio = result["until"][0]["half_width"].get<double>() / result["until"][0]["allowed"].get<double>();
  const std::string err = read("stderr");
  const double told = std::stod(err.substr(err.find("about ") + 6));
  EXPECT_GE(told, 1000 * ratio * ratio);
  EXPECT_LT(told, 1.1 * 1000 * ratio * ratio);
}

TEST_F(RunUntil, NamesTargetsThatHaveNoInterval) {
  // Nobody stops before the end of the run.
  const std::vector<std::string> early{"run",     "rocks.toml",         "--set",     "end=0.01",
                                       "--until", "p95(runout) +- 1 m", "--at-most", "40"};
  const Outcome outcome = scree(early);
  EXPECT_EQ(outcome.code, 5);
  EXPECT_EQ(outcome.err, "scree: --until: with 40 samples p95(runout) +- 1 m has no interval yet, from 0 values\n");
}

TEST_F(RunUntil, TakesNoValuesThatAreAllEqualForCertainty) {
  write("same.toml", small_shots.substr(0, small_shots.find("[vary]")));
  const Outcome outcome =
      scree({"run", "same.toml", "--until", "mean(range) +- 1 %", "--at-most", "200", "-o", "result.h5"});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_EQ(
      outcome.err,
      "result: result.h5\nscree: --until: with 200 samples mean(range) +- 1 % has no interval yet, from 200 values: "
      "all are equal\n");
  EXPECT_THAT(outcome.out, HasSubstr("not met: all are equal\n"));
  EXPECT_THAT(scree({"info", "result.h5"}).out, HasSubstr("not met: all are equal\n"));
}

TEST_F(RunUntil, SaysThatStoppedSamplesAreNotAll) {
  const Outcome outcome =
      scree({"run", "shots.toml", "--set", "end=15.0", "--until", "mean(range) +- 50 %", "--at-most", "200", "--all"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(" end_time\n"));
  const std::string section = outcome.out.substr(outcome.out.find("\nTargets, "));
  EXPECT_THAT(section.substr(0, section.find("\nOver the ")),
              HasSubstr("\nA mean over the stopped samples alone understates run-out"));
}

TEST_F(RunUntil, GoesOnFromAResult) {
  ASSERT_EQ(scree({"run", "shots.toml", "--until", "mean(range) +- 5 %", "--at-most", "400", "-o", "result.h5"}).code,
            5);
  const json more = object({"run", "--extend", "result.h5", "--until", "mean(range) +- 4 %", "--json"});
  EXPECT_EQ(more["until"][0]["looks"][0], 400);
  EXPECT_EQ(more["until"][0]["looks"].back(), 400000);
  const std::string samples = std::to_string(more["samples"].get<int>());
  EXPECT_EQ(more["digest"], object({"run", "shots.toml", "--samples", samples, "--json"})["digest"]);
  EXPECT_TRUE(read_result(path("result.h5")).arms[0].until.met());
  // Plain samples more: how many there are is no longer what the targets ended with.
  ASSERT_EQ(scree({"run", "--extend", "result.h5", "--samples", "3000"}).code, 0);
  EXPECT_TRUE(read_result(path("result.h5")).arms[0].until.looks.empty());
}

TEST_F(RunUntil, KeepsWhatIsFinishedWhenItIsInterrupted) {
  // Looks at 20, 40, ...: done in a moment each at first, then taking seconds.
  const Outcome outcome = interrupted({"run", "rocks.toml", "--until", "mean(runout) +- 0.0001 m", "--backend",
                                       "scalar", "--threads", "1", "-o", "result.h5"});
  EXPECT_EQ(outcome.code, 130);
  EXPECT_THAT(outcome.err,
              testing::ContainsRegex(
                  "scree: interrupted: implicit has (finished [0-9]+ of [0-9]+ samples|taken [0-9]+ of at most "
                  "11 looks)\n$"));
  EXPECT_THAT(outcome.out,
              testing::ContainsRegex("\nTargets, interrupted (after look [0-9]+ of 11|before the first look)"));
  const StoredResult stored = read_result(path("result.h5"));
  const std::uint64_t samples = stored.run.samples;
  EXPECT_EQ(stored.arms[0].until.samples() * (samples > stored.arms[0].until.samples() ? 2 : 1), samples);
  ASSERT_EQ(scree({"run", "--extend", "result.h5"}).code, 0);
  EXPECT_EQ(object({"run", "rocks.toml", "--samples", std::to_string(samples), "--json"})["digest"],
            read_result(path("result.h5")).arms[0].digest);
}

TEST_F(RunUntil, SaysItsPlan) {
  const Outcome outcome = scree({"run", "shots.toml", "--until", "mean(range) +- 1 %,sd(range) +- 2 m", "--dry-run"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("samples   200000, seed 1\n"));
  EXPECT_THAT(outcome.out, HasSubstr("until     mean(range) +- 1 %, sd(range) +- 2 m\n"
                                     "looks     at most 11, at 200, 400, 800, 1600, ..., 200000 samples\n"
                                     "intervals of 99.77 % each\n"));
  EXPECT_THAT(scree({"run", "shots.toml", "--until", "mean(range) +- 1 %", "--at-most", "300", "--dry-run"}).out,
              HasSubstr("looks     at most 2, at 200, 300 samples\n"));
}

TEST_F(RunUntil, RefusesTargetsThatAreNone) {
  expect_refusal({"run", "shots.toml", "--until", "p95(rang) +- 1 %"}, 2,
                 "--until \"p95(rang) +- 1 %\": unknown column \"rang\", did you mean \"range\"?");
  expect_refusal({"run", "shots.toml", "--until", "mean(range) +- 1 km"}, 2,
                 "--until \"mean(range) +- 1 km\": unit \"km\", must be % or m for range");
  expect_refusal({"run", "shots.toml", "--until", "range"}, 2,
                 "--until \"range\": must be STATISTIC(COLUMN) +- WIDTH, as \"p95(runout) +- 1 %\"");
}

TEST_F(RunUntil, RefusesLimitsThatAreNone) {
  expect_refusal({"run", "shots.toml", "--at-most", "1000"}, 2, "run: --at-most limits --until, which is not given");
  expect_refusal({"run", "shots.toml", "--until", "mean(range) +- 1 %", "--at-most", "199"}, 2,
                 "--at-most 199, must be >= 200, the samples of the first look");
  const Outcome outcome = scree({"run", "shots.toml", "--until", "mean(range) +- 1 %", "--at-most", "100000000000"});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.err,
              MatchesRegex("scree: with --at-most 100000000000 samples: shots.toml: the summaries of 100000000000 "
                           "samples take [0-9.]+ TB of memory, [0-9.]+ [kMGT]B are available\n"));
}

/// A mistake that only samples of later looks make is found before the first step.
TEST_F(RunUntil, ChecksTheSamplesOfAllLooks) {
  // A speed below 0 is drawn in 4 of 10^4 samples.
  write("shots.toml",
        "system = 'projectile'\nscheme = 'euler'\nsamples = 10\nstep = 0.05\nend = 60.0\n[vary]\n"
        "'start.speed' = { normal = [100.0, 30.0] }\n");
  ASSERT_EQ(scree({"run", "shots.toml"}).code, 0);
  const Outcome outcome = scree({"run", "shots.toml", "--until", "mean(range) +- 50 %", "--at-most", "100000"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, MatchesRegex("scree: with --at-most 100000 samples: shots.toml:7: start.speed = -[0-9.]+ in "
                                        "sample [0-9]+, must be >= 0 \\(m/s\\)\n"));
}

TEST_F(RunUntil, IsForRunAlone) {
  const Outcome outcome = scree({"compare", "shots.toml", "--schemes", "exact,euler", "--until", "mean(range) +- 1 %"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--until"));
  EXPECT_THAT(scree({"compare", "--help"}).out, Not(HasSubstr("--until")));
}

}  // namespace
}  // namespace scree
