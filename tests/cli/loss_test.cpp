// What must not be lost or believed: signals, pagers, files in the way, damaged results, texts from strangers.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "host/journal/journal.hpp"
#include "host/results/result_file.hpp"
#include "host/results/seal.hpp"
#include "program.hpp"

namespace scree {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class Loss : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("study.toml", small_study);
    write("shots.toml", small_shots);
  }
  /// Starts a run and sends the signals to it, the first when it has worked for a while, each when the last is
  /// answered.
  Outcome signalled(const std::vector<std::string>& arguments, const std::vector<int>& signals) const {
    const pid_t pid = start(arguments, "stdout");
    await_working(pid, 1, signals[0]);
    for (const int signal : signals) signal_until_answered(pid, signal);
    return finish(pid);
  }
  /// The study on a grid, a plain of 30 m.
  void write_gully() const {
    write("dem.asc", "ncols 3\nnrows 3\nxllcorner -15\nyllcorner -15\ncellsize 10\n0 0 0\n0 0 0\n0 0 0\n");
    std::string study = small_study;
    const std::string ramp = "kind = \"ramp\"\nslope = 40.0\nheight = 5.0";
    study.replace(study.find(ramp), ramp.size(), "kind = \"grid\"\nfile = \"dem.asc\"");
    write("gully.toml", study);
  }
  void take_seal() const { std::filesystem::resize_file(path("r.h5"), std::filesystem::file_size(path("r.h5")) - 45); }
};

/// Where rocks stop late the finished samples of an interrupted run are not those that stop early: their mean is that
/// of as many samples from the front of a whole run.
TEST_F(Loss, AnInterruptedRunRestsOnItsFirstSamples) {
  const std::vector<std::string> run{"run", "study.toml", "--samples", "200000", "--threads",
                                     "2",   "-o",         "r.h5",      "--json"};
  const Outcome outcome = signalled(run, {SIGINT});
  ASSERT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("scree: interrupted: finishing the samples in flight; once more, and they are "
                                     "left\n"));
  const StoredResult stored = read_result(path("r.h5"));
  const SummaryTable& table = stored.arms[0].table;
  const auto unfinished = [](std::uint32_t status) { return status == static_cast<std::uint32_t>(Status::not_run); };
  const auto first = std::find_if(table.status.begin(), table.status.end(), unfinished);
  ASSERT_GT(first - table.status.begin(), 1000) << "the machine is too slow for this test";
  EXPECT_TRUE(std::all_of(first, table.status.end(), unfinished));
  const std::string count = std::to_string(first - table.status.begin());
  const json whole = object({"run", "study.toml", "--samples", count, "--json"});
  EXPECT_EQ(json::parse(outcome.out)["statistics"], whole["statistics"]);
  EXPECT_EQ(json::parse(outcome.out)["digest"], whole["digest"]);
}

/// What is finished says of the run what as many samples taken at random say. Each try has a seed of its own and ends
/// when a random share of it is done. The mean of n of N samples that do not depend on each other has a distance from
/// that of all of variance s^2 (1/n - 1/N), and the half width of its 95 % interval is 1.96 s/sqrt(n): it has the mean
/// of all with probability erf(1.96 / sqrt(2 (1 - n/N))) >= 0.95. Of all tries at least as many have it as have in all
/// but one of a million such series.
TEST_F(Loss, CtrlCLeavesAMeanWhoseIntervalHasThatOfTheFullRun) {
  const auto all_tries = static_cast<std::size_t>(tries(5, 100));
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> moment(0.05, 0.8);
  std::vector<double> law{1};  // of so many that have it
  std::size_t within = 0;
  std::string missed;
  for (std::size_t seed = 1; law.size() <= all_tries && seed < 3 * all_tries; ++seed) {
    const Words command{"run", "study.toml", "--samples",          "1500",   "--threads",
                        "1",   "--seed",     std::to_string(seed), "--json", "--quiet"};
    const Outcome whole = scree(command, "whole");
    ASSERT_EQ(whole.code, 0) << whole.err;
    const pid_t pid = start(command, "stdout");
    await_working(pid, moment(random) * whole.computed);
    kill(pid, SIGINT);
    const Outcome outcome = finish(pid);
    if (outcome.code == 0) continue;  // it was over
    ASSERT_EQ(outcome.code, 130) << outcome.err;
    const json all = json::parse(read("whole"))["statistics"]["runout"],
               some = json::parse(outcome.out)["statistics"]["runout"];
    const double share = some["n"].get<double>() / all["n"].get<double>(), mean = all["mean"];
    ASSERT_LT(share, 1);
    const double has_it = std::erf(1.96 / std::sqrt(2 * (1 - share)));
    law.push_back(0);
    for (std::size_t k = law.size() - 1; k > 0; --k) law[k] = law[k] * (1 - has_it) + law[k - 1] * has_it;
    law[0] *= 1 - has_it;
    if (some["ci95"][0] <= mean && some["ci95"][1] >= mean)
      ++within;
    else
      missed += "seed " + std::to_string(seed) + ": " + some.dump() + " of " + all.dump() + '\n';
  }
  ASSERT_EQ(law.size(), all_tries + 1) << "of runs that were not over";
  std::size_t least = 0;
  for (double below = law[0]; below <= 1e-6; below += law[++least]) {
  }
  std::printf("%zu of %zu intervals have the mean of the full run, at least %zu must\n", within, all_tries, least);
  EXPECT_GE(within, least) << missed;
}

/// A second signal leaves the samples in flight. Where nothing is kept meanwhile the result is written all the same,
/// and says what it leaves out: of the finished samples only those before the first of these count.
TEST_F(Loss, ASecondSignalEndsAtOnceAndSaysWhatItLeavesOut) {
  // Slow samples, of which hardly any ends soon.
  write("slow.toml",
        "system = \"rock\"\nscheme = \"implicit\"\nsamples = 5000\nstep = 1e-5\nend = 100\n[terrain]\nkind = \"ramp\"\n"
        "slope = 40\nheight = 5\n[[shape]]\nkind = \"cuboid\"\nsize = [1, 1, 1]\nmass = 2700\n[vary]\norientation = "
        "\"uniform\"\n\"start.speed\" = { uniform = [0, 20] }\n");
  const Outcome outcome =
      signalled({"run", "slow.toml", "--threads", "2", "--checkpoint", "0", "-o", "r.h5"}, {SIGTERM, SIGTERM});
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_LT(outcome.computed, 15) << "s; 5000 such samples take many minutes";
  const StoredResult stored = read_result(path("r.h5"));
  const SummaryTable& table = stored.arms[0].table;
  const std::uint64_t finished = table.samples - unfinished_samples(stored.arms[0]);
  EXPECT_LE(table.counted_samples(), finished);
  std::uint64_t counted = 0;
  for (std::uint32_t s = 1; s < status_count; ++s) counted += stored.arms[0].statistics.status[s];
  EXPECT_EQ(counted, table.counted_samples());
}

/// Shots that fly for a millisecond, and some for twenty seconds, which take that long here too: soon all threads are
/// busy with these.
TEST_F(Loss, ASecondSignalKeepsWhatHasEndedAndWaitsForNothing) {
  write("mixed.toml",
        "system = 'projectile'\nscheme = 'rk4'\nsamples = 60\nstep = 1.4901161193847656e-08\nend = 60\n[start]\nspeed "
        "= 100\n[vary]\n"
        "'start.angle' = { choice = [1e-5, 1e-5, 1e-5, 1.5] }\n");
  const Words command{"run", "mixed.toml", "--threads", "2", "--backend", "scalar", "-o", "r.h5"};
  const Outcome outcome = signalled(command + Words{"--quiet"}, {SIGTERM, SIGINT});
  EXPECT_EQ(outcome.code, 130);
  EXPECT_LT(outcome.computed, 8) << "s; one of the long samples takes more";
  const std::uint64_t kept = read_journal(path("r.h5.journal")).samples();
  EXPECT_GT(kept, 0u);
  EXPECT_LT(kept, 60u);
  EXPECT_EQ(outcome.err,
            "scree: interrupted: finishing the samples in flight; once more, and they are left\n"
            "scree: interrupted: " +
                std::to_string(kept) +
                " samples are safe in r.h5.journal: the same command with --resume goes on from there\n");
  EXPECT_EQ(outcome.out, "");
  EXPECT_FALSE(std::filesystem::exists(path("r.h5")));
  // Those that are kept are not run again, and the rest may be left once more.
  const Outcome again = signalled(command + Words{"--resume"}, {SIGTERM, SIGINT});
  EXPECT_EQ(again.code, 130);
  EXPECT_THAT(again.err, HasSubstr("going on with " + std::to_string(kept) + " samples of r.h5.journal\n"));
  EXPECT_GE(read_journal(path("r.h5.journal")).samples(), kept);
}

TEST_F(Loss, WhereGraceRunsOutSamplesInFlightAreLeft) {
  write("long.toml",
        "system = 'projectile'\nscheme = 'rk4'\nsamples = 60\nstep = 1.4901161193847656e-08\nend = 60\n[start]\nspeed "
        "= 100\nangle = "
        "1.5\n[vary]\n'projectile.drag' = { uniform = [0, 0.1] }\n");
  const Words command{"run", "long.toml", "--threads", "2", "--backend", "scalar", "-o", "r.h5"};
  const Outcome outcome = signalled(command + Words{"--grace", "0.5", "--quiet"}, {SIGTERM});
  EXPECT_EQ(outcome.code, 130);
  EXPECT_LT(outcome.computed, 8) << "s; one of these samples takes more";
  EXPECT_EQ(outcome.err,
            "scree: interrupted: finishing the samples in flight; once more, and they are left\n"
            "scree: interrupted: no sample of r.h5 has ended meanwhile\n");
  EXPECT_FALSE(std::filesystem::exists(path("r.h5")));
}

TEST(Counted, StatisticsRestOnTheSamplesBeforeTheFirstUnfinishedOne) {
  Description description;
  description.columns = {{"x", "m", ""}};
  SummaryTable table;
  table.description = &description;
  table.samples = 5;
  table.values = {1, 2, std::nan(""), 100, 200};
  const auto ended = static_cast<std::uint32_t>(Status::end_time);
  table.status = {ended, ended, static_cast<std::uint32_t>(Status::not_run), ended, ended};
  table.count_finished();
  EXPECT_EQ(table.counted_samples(), 2u);
  Arm arm;
  arm.table = table;
  arm.statistics = statistics(table, nullptr, 0);
  EXPECT_EQ(arm.statistics.columns[0].mean, 1.5);
  EXPECT_EQ(arm.statistics.status[static_cast<std::size_t>(Status::not_run)], 3u);
  EXPECT_EQ(paired(table, table).columns[0].n, 2u);
  EXPECT_EQ(left_out_samples(arm),
            "2 samples after the first unfinished one are finished too, and left out of the "
            "statistics: what is finished there ended early");
}

TEST_F(Loss, AHangUpSavesLikeCtrlC) {
  const Outcome outcome =
      signalled({"run", "study.toml", "--samples", "200000", "--threads", "1", "-o", "r.h5", "--quiet"}, {SIGHUP});
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_GT(read_result(path("r.h5")).arms[0].table.counted_samples(), 0u);
}

TEST_F(Loss, APagerThatQuitsCostsNothing) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);  // nobody reads
  const pid_t pid = fork();
  if (pid == 0) {
    if (chdir(folder_.c_str()) != 0) _exit(126);
    dup2(ends[1], STDOUT_FILENO);
    signal(SIGPIPE, SIG_DFL);
    execl(SCREE_PROGRAM, "scree", "run", "shots.toml", "-o", "r.h5", "--quiet", static_cast<char*>(nullptr));
    _exit(127);
  }
  close(ends[1]);
  EXPECT_EQ(finish(pid).code, 0);
  EXPECT_EQ(read_result(path("r.h5")).run.samples, 200u);
}

TEST_F(Loss, NeverReplacesWhatItReads) {
  const std::string config = read("shots.toml");
  expect_refusal({"run", "shots.toml", "-o", "shots.toml", "--force"}, 2,
                 "shots.toml: is an input of this command, and would be replaced by its result");
  EXPECT_EQ(read("shots.toml"), config);
  ASSERT_EQ(symlink("shots.toml", path("link.toml").c_str()), 0);
  expect_refusal({"compare", "link.toml", "--schemes", "euler,rk4", "-o", "shots.toml", "--force"}, 2,
                 "shots.toml: is link.toml, an input of this command, and would be replaced by its result");
  write_gully();
  ASSERT_EQ(scree({"run", "gully.toml", "--quiet", "-o", "r.h5"}).code, 0);
  expect_refusal({"run", "gully.toml", "-o", "dem.asc", "--force"}, 2,
                 "dem.asc: is an input of this command, and would be replaced by its result");
  expect_refusal({"replay", "r.h5", "--sample", "0", "-o", "r.h5", "--force"}, 2,
                 "r.h5: is an input of this command, and would be replaced by its result");
}

TEST_F(Loss, RefusesANameThatIsNone) {
  expect_refusal({"run", "shots.toml", "-o", ""}, 2,
                 "run: -o \"\": the name of the file is empty; see scree run --help");
  expect_refusal({"run", "shots.toml", "-o", "-"}, 2,
                 "run: -o -: must be the name of a file, not stdout; see scree run --help");
}

TEST_F(Loss, EndsATargetThatNoSampleCanMeet) {
  write(
      "never.toml",
      "system = \"slider\"\nscheme = \"rk4\"\nsamples = 1200\nstep = 0.1\nend = 1\n[terrain]\nkind = \"plane\"\nslope "
      "= 20\n[vary]\n\"start.position.x\" = { uniform = [0, 1] }\n");
  const Outcome outcome = scree({"run", "never.toml", "--until", "mean(runout) +- 2 %", "--quiet"});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_THAT(outcome.err,
              HasSubstr("--until: with 1200 samples mean(runout) +- 2 % has no value in any sample, so that "
                        "fewer than 0.002500 of all have one (95 %): no more are run\n"));
}

TEST_F(Loss, FindsDataBesideTheConfigToo) {
  write_gully();
  std::filesystem::create_directory(path("elsewhere"));
  data_ = path("elsewhere");
  EXPECT_EQ(scree({"check", "gully.toml"}).code, 0);
  // What SCREE_DATA has comes first.
  std::ofstream(path("elsewhere/dem.asc")) << "nonsense";
  EXPECT_THAT(scree({"check", "gully.toml"}).err, HasSubstr("elsewhere/dem.asc:1: 'nonsense' is neither a number"));
}

TEST_F(Loss, RefusesADamagedResult) {
  ASSERT_EQ(scree({"run", "shots.toml", "-o", "r.h5", "--quiet"}).code, 0);
  const std::string whole = read("r.h5");
  std::mt19937_64 random(1);
  // Any byte but those of the seal's own mark, without which a file is one that another program has changed.
  for (int i = 0; i < 300; ++i) {
    std::string damaged = whole;
    damaged[random() % (whole.size() - 45)] ^= static_cast<char>(1 + random() % 255);
    write("r.h5", damaged);
    try {
      read_result(path("r.h5"));
      ADD_FAILURE() << "byte " << i << " was read";
    } catch (const Error& error) {
      EXPECT_EQ(error.what(),
                path("r.h5") + ": was damaged after it was written: its bytes do not give the checksum at its end");
    }
  }
}

/// Of a damaged file that it had open libhdf5 would say at the end that it could not close it.
TEST_F(Loss, SaysInOneLineThatADamagedFileWithoutASealIsNoResult) {
  ASSERT_EQ(scree({"run", "shots.toml", "-o", "r.h5", "--quiet"}).code, 0);
  take_seal();
  std::string bytes = read("r.h5");
  bytes[600] ^= static_cast<char>(0xff);
  write("r.h5", bytes);
  const Outcome outcome = scree({"info", "r.h5"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.err, "scree: r.h5: not a result of Scree: there is no root attribute schema_version\n");
}

TEST_F(Loss, ReadsAResultThatAnotherProgramChangedButNotItsSamples) {
  ASSERT_EQ(scree({"run", "shots.toml", "-o", "r.h5", "--quiet"}).code, 0);
  EXPECT_EQ(seal_of(path("r.h5")), Seal::intact);
  take_seal();
  EXPECT_EQ(seal_of(path("r.h5")), Seal::none);
  EXPECT_EQ(scree({"info", "r.h5"}).code, 0);
}

}  // namespace
}  // namespace scree
