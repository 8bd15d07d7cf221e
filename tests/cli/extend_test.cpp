// `run --extend`: a result that goes on equals one that was run at once, and nothing else may go on.
#include <gmock/gmock.h>

#include <cstdlib>

#include "host/model/digest.hpp"
#include "host/results/result_file.hpp"
#include "program.hpp"

namespace scree {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Extend : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("shots.toml", small_shots);
    write("rocks.toml", small_study);
    write("masses.toml",
          "system = 'slider'\nscheme = 'rk4'\nsamples = 50\nstep = 0.1\nend = 400.0\n[slider]\nfriction = 0.02\n"
          "[terrain]\nkind = 'quadric'\na = 1e-3\ne = -1e-2\n[vary]\n"
          "'start.velocity.y' = { normal = [10.0, 1.0] }\n");
  }

  void run(const std::vector<std::string>& arguments) const {
    std::vector<std::string> all{"run"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome outcome = scree(all);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }

  /// Writes the result again with these samples taken out, as an interruption leaves it.
  void take_out(const std::string& name, const std::vector<std::uint64_t>& samples) const {
    StoredResult stored = read_result(path(name));
    Arm& arm = stored.arms[0];
    for (const std::uint64_t i : samples) arm.table.status[i] = static_cast<std::uint32_t>(Status::not_run);
    rewrite(name, stored);
  }
  /// Writes the result with the digest and statistics of its samples.
  void rewrite(const std::string& name, StoredResult& stored) const {
    Arm& arm = stored.arms[0];
    arm.digest = digest(arm.table);
    write_result(path(name), stored.run, stored.arms, true);
  }
};

TEST_F(Extend, EqualsOneLongRunOnAnyNumberOfThreads) {
  for (const char* config : {"shots.toml", "masses.toml"})
    for (const char* threads : {"1", "2"}) {
      run({config, "--samples", "30", "--threads", threads, "-o", "short.h5", "--force"});
      run({"--extend", "short.h5", "--samples", "1000", "--threads", threads});
      run({config, "--samples", "1000", "--threads", threads, "-o", "long.h5", "--force"});
      expect_same_files("short.h5", "long.h5");
    }
}

TEST_F(Extend, EqualsOneLongRunOfRocksByGroup) {
  write("rocks.toml", "group_by = \"shape\"\nseed = 4\n" + small_study);
  run({"rocks.toml", "--samples", "7", "--backend", "scalar", "-o", "short.h5"});
  run({"--extend", "short.h5", "--samples", "40"});
  run({"rocks.toml", "--samples", "40", "-o", "long.h5"});
  expect_same_files("short.h5", "long.h5");
}

TEST_F(Extend, GoesOnWithItsSobolPoints) {
  const std::vector<std::string> sobol{"--set", "sampling=\"sobol\"", "--set", "replicates=4"};
  std::vector<std::string> brief{"shots.toml", "--samples", "40", "-o", "short.h5"},
      full{"shots.toml", "--samples", "320", "-o", "long.h5"};
  brief.insert(brief.end(), sobol.begin(), sobol.end());
  full.insert(full.end(), sobol.begin(), sobol.end());
  run(brief);
  run({"--extend", "short.h5", "--samples", "320"});
  run(full);
  expect_same_files("short.h5", "long.h5");
}

TEST_F(Extend, MayBeRepeated) {
  run({"shots.toml", "--set", "step=0.02", "--seed", "9", "-o", "result.h5"});
  for (const char* samples : {"201", "500", "1000"}) run({"--extend", "result.h5", "--samples", samples});
  run({"shots.toml", "--samples", "1000", "--set", "step=0.02", "--seed", "9", "-o", "long.h5"});
  expect_same_files("result.h5", "long.h5");
}

TEST_F(Extend, LeavesTheResultAloneIfAnotherNameIsGiven) {
  run({"shots.toml", "-o", "result.h5"});
  const std::string before = read("result.h5");
  run({"--extend", "result.h5", "--samples", "300", "-o", "other.h5"});
  EXPECT_TRUE(read("result.h5") == before);
  EXPECT_EQ(read_result(path("other.h5")).run.samples, 300u);
  expect_refusal({"run", "--extend", "result.h5", "--samples", "300", "-o", "other.h5"}, 2,
                 "other.h5: exists already; give another name, or --force to replace it");
  run({"--extend", "result.h5", "--samples", "300", "-o", "./result.h5"});
  EXPECT_EQ(read_result(path("result.h5")).run.samples, 300u);
}

TEST_F(Extend, IntegratesTheMissingSamplesWhereverTheyAre) {
  run({"shots.toml", "-o", "whole.h5"});
  std::filesystem::copy_file(path("whole.h5"), path("result.h5"));
  take_out("result.h5", {0, 1, 2, 50, 99, 101, 150, 198, 199});
  run({"--extend", "result.h5", "--json"});
  StoredResult whole = read_result(path("whole.h5")), extended = read_result(path("result.h5"));
  EXPECT_EQ(extended.arms[0].digest, whole.arms[0].digest);
  EXPECT_EQ(extended.arms[0].table.status, whole.arms[0].table.status);
  // The steps of the nine samples were left in the file that lost them, so they count twice.
  EXPECT_GT(extended.arms[0].sample_steps, whole.arms[0].sample_steps);
}

TEST_F(Extend, FinishesARunThatWasInterruptedTwice) {
  // Three seconds' work.
  const std::vector<std::string> slowly{"--backend", "scalar", "--threads", "1"};
  std::vector<std::string> begin{"run", "rocks.toml", "--samples", "2000", "-o", "result.h5"},
      on{"run", "--extend", "result.h5"};
  begin.insert(begin.end(), slowly.begin(), slowly.end());
  on.insert(on.end(), slowly.begin(), slowly.end());
  std::uint64_t rest = 2000;
  for (const std::vector<std::string>& arguments : {begin, on}) {
    const Outcome outcome = interrupted(arguments);
    ASSERT_EQ(outcome.code, 130) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("scree: interrupted: implicit has finished "));
    const StoredResult stored = read_result(path("result.h5"));
    const std::uint64_t left = stored.arms[0].statistics.status[static_cast<std::size_t>(Status::not_run)];
    EXPECT_GT(left, 0u);
    EXPECT_LT(left, rest);
    EXPECT_EQ(digest(stored.arms[0].table), stored.arms[0].digest);
    rest = left;
  }
  run({"--extend", "result.h5"});
  run({"rocks.toml", "--samples", "2000", "-o", "long.h5"});
  expect_same_files("result.h5", "long.h5");
}

TEST_F(Extend, GoesOnWithMoreThanMemoryIsToHold) {
  run({"shots.toml", "-o", "all.h5"});
  setenv("SCREE_TABLE_MEMORY", "1000", 1);
  run({"shots.toml", "--samples", "120", "-o", "part.h5"});
  run({"--extend", "part.h5", "--samples", "200"});
  EXPECT_EQ(read_result(path("part.h5")).arms[0].digest, read_result(path("all.h5")).arms[0].digest);
  run({"shots.toml", "-o", "holes.h5"});
  take_out("holes.h5", {3, 17, 150});
  run({"shots.toml", "-o", "holes.h5", "--resume"});
  unsetenv("SCREE_TABLE_MEMORY");
  EXPECT_EQ(read_result(path("holes.h5")).arms[0].digest, read_result(path("all.h5")).arms[0].digest);
}

TEST_F(Extend, OfACompleteResultToItsOwnNumberChangesNothing) {
  run({"shots.toml", "-o", "result.h5"});
  const std::string before = read("result.h5");
  run({"--extend", "result.h5"});
  EXPECT_TRUE(read("result.h5") == before);
}

TEST_F(Extend, SaysWhatItWouldDo) {
  run({"shots.toml", "-o", "result.h5"});
  const Outcome outcome = scree({"run", "--extend", "result.h5", "--samples", "300", "--dry-run"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("samples   300, seed 1\n"));
  EXPECT_THAT(outcome.out, HasSubstr("extends   result.h5, which has 200 finished samples\n"));
  EXPECT_THAT(outcome.out, HasSubstr("result    result.h5\n"));
  EXPECT_EQ(read_result(path("result.h5")).run.samples, 200u);
}

TEST_F(Extend, RefusesWhatWouldMakeItAnotherRun) {
  run({"shots.toml", "-o", "result.h5"});
  for (const std::vector<std::string>& other : {std::vector<std::string>{"--set", "step=0.1"},
                                                {"--seed", "2"},
                                                {"--scheme", "exact"},
                                                {"--columns", "range"}}) {
    std::vector<std::string> arguments{"run", "--extend", "result.h5"};
    arguments.insert(arguments.end(), other.begin(), other.end());
    expect_refusal(arguments, 2,
                   "result.h5: a result is extended as it was made, without --set, --seed, --scheme, "
                   "--columns, --maps and --no-maps");
  }
  expect_refusal({"run", "shots.toml", "--extend", "result.h5"}, 2,
                 "run: result.h5 holds its config; give --extend or shots.toml, not both");
  expect_refusal({"run", "--extend", "result.h5", "--samples", "199"}, 2,
                 "result.h5: --samples 199, must be >= 200, which it has");
  expect_refusal({"run", "--extend", "nope.h5"}, 3, "nope.h5: there is no such file");
}

TEST_F(Extend, RefusesComparisons) {
  ASSERT_EQ(scree({"compare", "shots.toml", "--schemes", "exact,euler", "-o", "both.h5"}).code, 0);
  expect_refusal({"run", "--extend", "both.h5", "--samples", "300"}, 2,
                 "both.h5: is a comparison of exact, euler; --extend takes the result of a `scree run`");
}

TEST_F(Extend, RefusesSamplesThatAreNotThoseOfTheDigest) {
  run({"shots.toml", "-o", "result.h5"});
  StoredResult stored = read_result(path("result.h5"));
  const std::string digest = stored.arms[0].digest;
  stored.arms[0].table.values[7] += 1;
  write_result(path("result.h5"), stored.run, stored.arms, true);
  // So do all that read it.
  for (const Words& command : {Words{"run", "--extend", "result.h5", "--samples", "300"},
                               {"run", "shots.toml", "-o", "result.h5", "--resume"},
                               {"info", "result.h5"},
                               {"info", "result.h5", "--json"},
                               {"replay", "result.h5", "--sample", "3"},
                               {"report", "result.h5", "-o", "page.html"},
                               {"export", "result.h5", "--to", "csv", "-o", "out"},
                               {"merge", "result.h5", "-o", "merged.h5"}})
    expect_refusal(command, 3,
                   "result.h5: was changed after it was written: the samples of euler do not give its digest " +
                       digest + "; info and replay read it with --anyway");
  // But where it is asked for all the same.
  const std::string warning = "warning: result.h5: was changed after it was written: the samples of euler do not give";
  EXPECT_THAT(scree({"info", "result.h5", "--anyway", "--all"}).out, HasSubstr(warning));
  EXPECT_THAT(scree({"info", "result.h5", "--anyway"}).out, HasSubstr(digest + "\n")) << "warnings are not cut";
  const Outcome replayed = scree({"replay", "result.h5", "--sample", "7", "--anyway"});
  EXPECT_EQ(replayed.code, 1);
  EXPECT_THAT(replayed.err, HasSubstr(warning));
}

/// A program that gives other numbers cannot be had here, so the stored numbers are changed, with their digest.
TEST_F(Extend, RefusesAResultWithOtherBits) {
  run({"shots.toml", "-o", "result.h5"});
  StoredResult stored = read_result(path("result.h5"));
  SummaryTable& table = stored.arms[0].table;
  const int range = stored.description->column("range");
  double& value = table.values[static_cast<std::size_t>(range) * table.samples];
  char before[32], after[32];
  std::snprintf(after, sizeof after, "%.17g", value);
  value = std::nextafter(value, 0);
  std::snprintf(before, sizeof before, "%.17g", value);
  rewrite("result.h5", stored);
  const std::string bytes = read("result.h5");
  expect_refusal({"run", "--extend", "result.h5", "--samples", "300"}, 1,
                 "result.h5: this program gives other numbers than scree " + stored.program_version + " (commit " +
                     stored.commit + ") gave: sample 0: range was " + before + ", is " + after);
  EXPECT_TRUE(read("result.h5") == bytes);
}

TEST_F(Extend, ChecksMoreThanOneSample) {
  run({"shots.toml", "-o", "result.h5"});
  StoredResult stored = read_result(path("result.h5"));
  SummaryTable& table = stored.arms[0].table;
  const int range = stored.description->column("range");
  double& last = table.values[static_cast<std::size_t>(range) * table.samples + table.samples - 1];
  last = std::nextafter(last, 0);
  rewrite("result.h5", stored);
  const Outcome outcome = scree({"run", "--extend", "result.h5", "--samples", "300"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr(": sample 199: range was "));
}

TEST_F(Extend, RefusesAttributesThatAreNotOfItsConfig) {
  run({"shots.toml", "-o", "result.h5"});
  StoredResult stored = read_result(path("result.h5"));
  stored.run.spec.seed = 8;
  rewrite("result.h5", stored);
  expect_refusal({"run", "--extend", "result.h5", "--samples", "300"}, 3,
                 "result.h5: cannot be extended, its attribute seed = 8 is not what its config has, 1");
}

TEST_F(Extend, RefusesChangedInput) {
  const auto table = [&](const char* angle) { write("angles.csv", std::string("a\n0.5\n") + angle + "\n"); };
  table("0.7");
  write("shots.toml",
        "system = 'projectile'\nscheme = 'exact'\nsamples = 4\nstep = 0.1\nend = 60.0\n[vary]\n"
        "'start.angle' = { table = 'angles.csv', column = 'a' }\n");
  const Outcome first = scree({"run", "shots.toml", "-o", "result.h5"});
  ASSERT_EQ(first.code, 0) << first.err;
  table("0.8");
  expect_refusal({"run", "--extend", "result.h5", "--samples", "6"}, 3,
                 "result.h5: the input angles.csv is no longer the file that this result was made from");
}

TEST_F(Extend, RefusesSamplesThatDoNotFit) {
  run({"shots.toml", "-o", "result.h5"});
  const Outcome outcome = scree({"run", "--extend", "result.h5", "--samples", "100000000000"});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.err, StartsWith("scree: result.h5: its config cannot be run again with 100000000000 samples: "));
}

}  // namespace
}  // namespace scree
