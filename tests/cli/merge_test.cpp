// `run --shard I/N` and `merge`: what shards come to together is what one process writes, bit for bit.
#include <gmock/gmock.h>

#include "host/common/suggest.hpp"
#include "host/journal/contents.hpp"
#include "host/model/digest.hpp"
#include "host/results/result_file.hpp"
#include "program.hpp"

namespace scree {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

class Merge : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("shots.toml", small_shots);
    write("rocks.toml", small_study);
    write("watched.toml", small_watched);
  }
  Outcome run(const Words& command) const {
    Outcome outcome = scree(command + Words{"--quiet"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome;
  }
  /// All shards of a command, each with words of its own.
  void run_shards(const Words& command, int count, const std::vector<Words>& each = {{}}) const {
    for (int i = 0; i < count; ++i)
      run(command + Words{"-o", "r.h5", "--shard", std::to_string(i) + "/" + std::to_string(count)} +
          each[static_cast<std::size_t>(i) % each.size()]);
  }
  /// So many shards of a command become the file that it writes by itself, but for the wall time of so many arms, and
  /// the processor time of so many levels of steps.
  void expect_merged(const Words& command, int count, std::size_t arms = 1, std::size_t levels = 0) const {
    std::filesystem::remove_all(path("r.h5.shards"));
    run_shards(command, count);
    const Outcome merged = run({"merge", "r.h5.shards", "-o", "r.h5", "--force"});
    const Outcome whole = run(command + Words{"-o", "whole.h5", "--force"});
    expect_same_files("r.h5", "whole.h5", arms, levels);
  }
  static std::string shard(int i, int count) {
    char name[40];
    std::snprintf(name, sizeof name, "r.h5.shards/%05d-of-%05d.h5", i, count);
    return name;
  }
};

TEST_F(Merge, OfAnyNumberOfShardsIsTheFileOfOneProcess) {
  for (const int count : {1, 2, 3, 7}) {
    expect_merged({"run", "shots.toml"}, count);
    expect_merged({"run", "rocks.toml", "--samples", "50"}, count);
  }
}

TEST_F(Merge, AddsUpMapsGatesBarriersAndStemsByGroup) {
  for (const int count : {2, 7}) expect_merged({"run", "watched.toml", "--samples", "100"}, count);
  expect_merged({"run", "watched.toml", "--samples", "60", "--set", "maps.sources=true", "--set",
                 "maps.percentiles=['kinetic_energy']"},
                3);
  // What the whole leaves out is what its parts are merged by.
  expect_merged({"run", "watched.toml", "--samples", "60", "--set", "maps.keep_store=false"}, 3);
}

TEST_F(Merge, KeepsSobolPointsInTheirReplicates) {
  const Words sobol{"--set", "sampling='sobol'", "--set", "replicates=4"};
  expect_merged(Words{"run", "shots.toml", "--samples", "64"} + sobol, 3);
  expect_merged(Words{"run", "watched.toml", "--samples", "64"} + sobol, 5);
}

TEST_F(Merge, GivesEachSampleItsRowOfATable) {
  write("starts.csv", "x,y\n0,0\n0.5,1\n1,2\n1.5,3\n2,4\n");
  write("o.csv", "x,y,far\n0,0,12\n0.5,1,14\n2,4,13\n");
  write("table.toml", small_study.substr(0, small_study.find("[start]")) +
                          "[start]\ntable = 'starts.csv'\n[start.columns]\n'position.x' = 'x'\n'position.y' = 'y'\n"
                          "[vary]\norientation = 'uniform'\n");
  expect_merged({"run", "table.toml", "--samples", "35"}, 4);
}

TEST_F(Merge, OfAComparisonHasTheTestsOfOneProcess) {
  expect_merged({"compare", "rocks.toml", "--schemes", "explicit,implicit"}, 3, 2);
  expect_merged({"compare", "rocks.toml", "--schemes", "explicit,implicit", "--step-error"}, 2, 4, 4);
}

TEST_F(Merge, OfOtherArmsAndOfFinerStepsHasTheTestsOfOneProcess) {
  const Words implicit{"--schemes", "implicit"};
  expect_merged({"compare", "watched.toml", "--schemes", "explicit,implicit", "--step-error"}, 3, 4, 4);
  expect_merged(Words{"compare", "rocks.toml", "--arms", "rock.ground=soft,hard"} + implicit, 3, 2);
  expect_merged(Words{"converge", "rocks.toml", "--halvings", "2"} + implicit, 3, 3, 3);
}

TEST_F(Merge, OfSeveralBackendsHasTheDigestOfEach) {
  run_shards(
      {"run", "watched.toml", "--samples", "100"}, 3,
      {{"--backend", "scalar", "--threads", "1"}, {"--backend", "pack"}, {"--backend", "pack", "--threads", "2"}});
  run({"merge", "r.h5.shards", "-o", "r.h5"});
  run({"run", "watched.toml", "--samples", "100", "-o", "whole.h5"});
  const StoredResult merged = read_result(path("r.h5")), whole = read_result(path("whole.h5"));
  EXPECT_EQ(merged.arms[0].digest, whole.arms[0].digest);
  EXPECT_EQ(merged.arms[0].gates->digest(), whole.arms[0].gates->digest());
  EXPECT_EQ(merged.arms[0].map_facts->digest, whole.arms[0].map_facts->digest);
  EXPECT_EQ(merged.arms[0].sample_steps, whole.arms[0].sample_steps);
  double sum = 0, longest = 0;
  for (int i = 0; i < 3; ++i) {
    const Arm part = read_result(path(shard(i, 3))).arms[0];
    sum += part.wall_s * part.threads;  // where numbers of threads differ
    longest = std::max(longest, part.wall_s);
  }
  EXPECT_EQ(merged.arms[0].longest_wall_s, longest);
  EXPECT_NEAR(merged.arms[0].wall_s, sum, 1e-12 * sum);
  EXPECT_EQ(merged.arms[0].backend, "mixed: 2 pack, 1 scalar");
  EXPECT_EQ(merged.arms[0].threads, 1);  // their times are of processors
  EXPECT_EQ(merged.run.warnings, whole.run.warnings);
}

TEST_F(Merge, ExtendsAResultByShardsOfWhatIsNew) {
  run({"run", "watched.toml", "--samples", "30", "-o", "r.h5"});
  for (const char* shard : {"0/3", "1/3", "2/3"})
    run({"run", "--extend", "r.h5", "--samples", "100", "--shard", shard});
  EXPECT_EQ(read_result(path("r.h5.shards/00000-of-00003-from-30.h5")).arms[0].table.first, 30u);
  run({"merge", "r.h5", "r.h5.shards", "-o", "r.h5", "--force"});
  run({"run", "watched.toml", "--samples", "100", "-o", "whole.h5"});
  expect_same_files("r.h5", "whole.h5");
}

TEST_F(Merge, PartsOfAnExtensionTakeNothingFromThoseOfItsBase) {
  run({"run", "shots.toml", "-o", "r.h5", "--shards", "2"});
  run({"merge", "r.h5.shards", "-o", "r.h5", "--link", "--force"});
  const Words extend{"run", "--extend", "r.h5", "--samples", "500", "--shards", "2", "--resume"};
  run(extend);
  run({"run", "shots.toml", "--samples", "500", "-o", "whole.h5"});
  expect_same_files("r.h5", "whole.h5");
  const Outcome again = scree(extend);
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(again.err, "scree: r.h5: is complete\n");
}

TEST_F(Merge, OfPartsThatOverlapCountsStepsAndSamplesOnce) {
  run_shards({"run", "shots.toml"}, 2);
  run_shards({"run", "shots.toml"}, 3);
  run({"merge", shard(0, 2), shard(1, 3), shard(2, 3), "-o", "r.h5"});
  run({"run", "shots.toml", "-o", "whole.h5"});
  const Arm merged = read_result(path("r.h5")).arms[0], whole = read_result(path("whole.h5")).arms[0];
  EXPECT_EQ(merged.digest, whole.digest);
  // Of 33 of the 66 samples of one part half of their steps: shots take up to a fifth more or less.
  EXPECT_NEAR(static_cast<double>(merged.sample_steps), static_cast<double>(whole.sample_steps),
              0.1 * static_cast<double>(whole.sample_steps));
}

TEST_F(Merge, NamesTheShardThatWasKilledAndTakesItOnceItIsResumed) {
  write("shots.toml",
        "system = 'projectile'\nscheme = 'rk4'\nsamples = 20000\nstep = 0.0005\nend = 60\n[start]\n"
        "speed = 100\n[vary]\n'start.angle' = { uniform = [0.1, 1.5] }\n");
  const Words command{"run", "shots.toml"};
  std::vector<pid_t> shells;
  for (int i = 0; i < 4; ++i)
    shells.push_back(
        start(command + Words{"-o", "r.h5", "--quiet", "--checkpoint", "0.05", "--shard", std::to_string(i) + "/4"},
              "stdout" + std::to_string(i)));
  const std::string journal = path(shard(2, 4)) + ".journal";
  const auto kept = [&] { return std::filesystem::exists(journal) && std::filesystem::file_size(journal) > 10000; };
  await(kept);
  kill(shells[2], SIGKILL);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(finish(shells[static_cast<std::size_t>(i)]).code, i == 2 ? 137 : 0);
  const Outcome gap = scree({"merge", "r.h5.shards", "-o", "r.h5"});
  EXPECT_EQ(gap.code, 3);
  EXPECT_EQ(gap.err,
            "scree: r.h5.shards: 1 of 4 shards is missing or not finished: 2; their commands with --resume make them, "
            "--partial leaves them out\n");
  EXPECT_FALSE(std::filesystem::exists(path("r.h5")));
  run(command + Words{"-o", "r.h5", "--resume", "--shard", "2/4"});
  run({"merge", "r.h5.shards", "-o", "r.h5"});
  run(command + Words{"-o", "whole.h5"});
  expect_same_files("r.h5", "whole.h5");
}

/// What a folder holds of no use is named, and left out.
TEST_F(Merge, LeavesDamagedJournalsOfAFolderOutWithAWord) {
  run_shards({"run", "shots.toml"}, 2);
  write(shard(1, 2) + ".journal", "SCREEJRN with something else behind it");
  std::filesystem::remove(path(shard(1, 2)));
  const Outcome partial = scree({"merge", "r.h5.shards", "-o", "r.h5", "--partial"});
  EXPECT_EQ(partial.code, 0) << partial.err;
  EXPECT_THAT(partial.err,
              AllOf(HasSubstr("warning: r.h5.shards/00001-of-00002.h5.journal: is a journal of version "),
                    HasSubstr(", and is left out\n"), HasSubstr("1 of 2 shards is missing or not finished: 1\n")));
  // What --force would replace stays until there is something in its place.
  const std::string journal = read(shard(1, 2) + ".journal");
  write("s.h5.journal", journal);
  EXPECT_EQ(scree({"merge", "r.h5.shards", "-o", "s.h5", "--force"}).code, 3);
  EXPECT_EQ(read("s.h5.journal"), journal);
  EXPECT_EQ(scree({"merge", "r.h5.shards", "-o", "s.h5", "--force", "--partial"}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(path("s.h5.journal")));
}

/// Maps and gates have samples that are beyond the first unfinished one too.
TEST_F(Merge, OfAKilledPartWithMapsSaysHowManyOfItsSamplesCount) {
  write("watched.toml", small_watched);
  const Words command{"run", "watched.toml", "--samples", "8000", "-o", "r.h5", "--quiet", "--shard"};
  const std::string journal = path(shard(1, 2)) + ".journal";
  const pid_t pid = start(command + Words{"1/2", "--checkpoint", "0.02"}, "stdout");
  const auto kept = [&] { return std::filesystem::exists(journal) ? read_journal(journal).samples() : 0; };
  await([&] { return kept() > 1; });
  kill(pid, SIGKILL);
  ASSERT_EQ(finish(pid).code, 137);
  const std::uint64_t killed = kept();
  ASSERT_GT(killed, 1u);
  run(command + Words{"0/2"});
  const Outcome partial = scree({"merge", "r.h5.shards", "-o", "r.h5", "--partial"});
  EXPECT_EQ(partial.code, 0) << partial.err;
  EXPECT_EQ(read_result(path("r.h5")).arms[0].map_facts->counted, 4000 + killed);
  EXPECT_THAT(partial.err, HasSubstr(std::to_string(killed) + " samples of " + std::to_string(4000 + killed) +
                                     " in the statistics are of parts that were killed; "));
}

TEST_F(Merge, ListsWhatIsMissingAsAJobArrayTakesIt) {
  run_shards({"run", "shots.toml"}, 10);
  for (const int i : {1, 4, 5, 6, 9}) std::filesystem::remove(path(shard(i, 10)));
  expect_refusal({"merge", "r.h5.shards", "-o", "r.h5"}, 3,
                 "r.h5.shards: 5 of 10 shards are missing or not finished: 1,4-6,9; their commands with --resume make "
                 "them, --partial leaves them out");
  const Outcome partial = scree({"merge", "r.h5.shards", "-o", "r.h5", "--partial"});
  EXPECT_EQ(partial.code, 0);
  EXPECT_THAT(partial.err, HasSubstr("5 of 10 shards are missing or not finished: 1,4-6,9\n"));
  const StoredResult result = read_result(path("r.h5"));
  const SummaryTable& table = result.arms[0].table;
  ASSERT_EQ(table.samples, 200u);
  for (std::uint64_t i = 0; i < 200; ++i) {
    const std::uint64_t of = i / 20;
    const bool is_missing = of == 1 || (of >= 4 && of <= 6) || of == 9;
    EXPECT_EQ(table.status[i] == static_cast<std::uint32_t>(Status::not_run), is_missing) << i;
  }
  // The rest may come later, by itself.
  run({"run", "--extend", "r.h5"});
  run({"run", "shots.toml", "-o", "whole.h5"});
  expect_same_files("r.h5", "whole.h5");
}

TEST_F(Merge, OfSomePartsHasStatisticsOfAllThatEachOfThemFinishedInOrder) {
  run_shards({"run", "shots.toml"}, 4);
  std::filesystem::remove(path(shard(1, 4)));
  // As Ctrl-C leaves it: what comes after is finished because it ended early.
  StoredResult stored = read_result(path(shard(2, 4)));
  stored.arms[0].table.status[40] = static_cast<std::uint32_t>(Status::not_run);
  stored.arms[0].digest = digest(stored.arms[0].table);
  write_result(path(shard(2, 4)), stored.run, stored.arms, true);
  run({"merge", "r.h5.shards", "-o", "r.h5", "--partial"});
  run({"run", "shots.toml", "-o", "whole.h5"});
  const auto counts = [](std::uint64_t i) { return i < 50 || (i >= 100 && i < 140) || i >= 150; };
  const auto expect_these = [&](const std::string& file) {
    StoredResult whole = read_result(path("whole.h5"));
    SummaryTable& table = whole.arms[0].table;
    for (std::uint64_t i = 0; i < table.samples; ++i)
      if (!counts(i)) table.status[i] = static_cast<std::uint32_t>(Status::not_run);
    const Statistics wanted = statistics(table, nullptr, 0, 1);
    const StoredResult result = read_result(path(file));
    const Arm& arm = result.arms[0];
    EXPECT_EQ(arm.table.counted_samples(), 140u);
    EXPECT_EQ(left_out_count(arm), 9u);
    for (std::size_t c = 0; c < wanted.columns.size(); ++c) {
      EXPECT_EQ(arm.statistics.columns[c].n, wanted.columns[c].n) << c;
      EXPECT_TRUE(same_bits(arm.statistics.columns[c].mean, wanted.columns[c].mean)) << c;
      EXPECT_TRUE(same_bits(arm.statistics.columns[c].quantiles[5], wanted.columns[c].quantiles[5])) << c;
    }
  };
  expect_these("r.h5");
  EXPECT_THAT(scree({"info", "r.h5"}).out,
              HasSubstr("9 samples after the first unfinished one of their part are finished too"));
  // Also where it is a part itself.
  std::filesystem::create_directory(path("stage"));
  std::filesystem::rename(path("r.h5"), path("stage/a.h5"));
  run({"merge", "stage/a.h5", "-o", "r.h5", "--partial"});
  expect_these("r.h5");
  run({"merge", "r.h5.shards", "-o", "linked.h5", "--partial", "--link"});
  expect_these("linked.h5");
  run({"run", "--extend", "r.h5"});
  EXPECT_EQ(read_result(path("r.h5")).arms[0].digest, read_result(path("whole.h5")).arms[0].digest);
  EXPECT_EQ(left_out_count(read_result(path("r.h5")).arms[0]), 0u);
}

TEST_F(Merge, OfSomePartsThatWerePutTogetherBeforeNamesTheShardsThatAreMissing) {
  run_shards({"run", "shots.toml"}, 4);
  std::filesystem::create_directory(path("stage"));
  run({"merge", shard(0, 4), shard(1, 4), "--partial", "-o", "stage/a.h5"});
  expect_refusal({"merge", "stage/a.h5", shard(2, 4), "-o", "r.h5"}, 3,
                 "stage/a.h5, " + shard(2, 4) +
                     ": 1 of 4 shards is missing or not finished: 3; their commands with "
                     "--resume make them, --partial leaves them out");
  run({"merge", "stage/a.h5", shard(2, 4), shard(3, 4), "-o", "r.h5"});
  run({"run", "shots.toml", "-o", "whole.h5"});
  expect_same_files("r.h5", "whole.h5");
}

TEST_F(Merge, InterruptedShardsAreMissingToo) {
  run_shards({"run", "shots.toml"}, 3);
  // As Ctrl-C leaves them.
  for (const int i : {0, 1}) {
    StoredResult stored = read_result(path(shard(i, 3)));
    stored.arms[0].table.status[40] = static_cast<std::uint32_t>(Status::not_run);
    stored.arms[0].digest = digest(stored.arms[0].table);
    write_result(path(shard(i, 3)), stored.run, stored.arms, true);
  }
  const std::string rest = "; their commands with --resume make them, --partial leaves them out";
  expect_refusal({"merge", "r.h5.shards", "-o", "r.h5"}, 3,
                 "r.h5.shards: 2 of 3 shards are missing or not finished: 0-1" + rest);
  expect_refusal({"merge", shard(0, 3), shard(1, 3), "-o", "r.h5"}, 3,
                 shard(0, 3) + ", " + shard(1, 3) + ": 3 of 3 shards are missing or not finished: 0-2" + rest);
  // One that was killed before it kept a sample.
  std::filesystem::remove(path(shard(2, 3)));
  write(shard(2, 3) + ".journal", "");
  expect_refusal({"merge", "r.h5.shards", "-o", "r.h5"}, 3,
                 "r.h5.shards: 3 of 3 shards are missing or not finished: 0-2" + rest);
  EXPECT_EQ(scree({"merge", "r.h5.shards", "-o", "r.h5", "--partial"}).code, 0);
}

TEST_F(Merge, TakesTheJournalsOfInterruptedShards) {
  write("shots.toml",
        "system = 'projectile'\nscheme = 'rk4'\nsamples = 20000\nstep = 0.0005\nend = 60\n[start]\n"
        "speed = 100\n[vary]\n'start.angle' = { uniform = [0.1, 1.5] }\n");
  const Words command{"run", "shots.toml", "-o", "r.h5", "--quiet"};
  run(command + Words{"--shard", "0/2"});
  const pid_t pid = start(command + Words{"--checkpoint", "0.02", "--shard", "1/2"}, "stdout");
  const std::string journal = path(shard(1, 2)) + ".journal";
  const auto kept = [&] { return std::filesystem::exists(journal) && std::filesystem::file_size(journal) > 100000; };
  await(kept);
  kill(pid, SIGKILL);
  ASSERT_EQ(finish(pid).code, 137);
  const StoredResult kept_ones = read_result(journal);
  EXPECT_EQ(kept_ones.arms[0].table.first, 10000u);
  const Outcome partial = scree({"merge", "r.h5.shards", "-o", "r.h5", "--partial"});
  EXPECT_EQ(partial.code, 0) << partial.err;
  const StoredResult merged = read_result(path("r.h5"));
  EXPECT_EQ(unfinished_samples(merged.arms[0]), unfinished_samples(kept_ones.arms[0]));
  const std::uint64_t killed = kept_ones.arms[0].table.counted_samples();
  const std::string doubt = std::to_string(killed) + " samples of " + std::to_string(10000 + killed) +
                            " in the statistics are of parts that were killed; where such a part had only begun, it "
                            "has those that end early: --resume finishes it";
  EXPECT_THAT(partial.err, HasSubstr("warning: " + doubt + "\n"));
  EXPECT_THAT(merged.run.warnings, Contains(doubt));
  // Nor is it lost where that is put together once more.
  const Outcome again = scree({"merge", "r.h5", "-o", "again.h5", "--partial"});
  EXPECT_EQ(again.code, 0);
  EXPECT_THAT(again.err, HasSubstr("warning: " + doubt + "\n"));
  EXPECT_THAT(read_result(path("again.h5")).run.warnings, Contains(doubt));
  // A copy has nothing of its own beside the part that it has become.
  std::filesystem::copy_file(journal, path("copy.journal"));
  // Not once the part is whole.
  run(command + Words{"--shard", "1/2", "--resume"});
  run({"merge", "r.h5.shards", "-o", "r.h5", "--force"});
  EXPECT_TRUE(read_result(path("r.h5")).run.warnings.empty());
  for (const Words& parts : {Words{path(shard(1, 2)), "copy.journal"}, Words{"copy.journal", path(shard(1, 2))}}) {
    const Outcome beside = scree(Words{"merge"} + parts + Words{"-o", "r.h5", "--force", "--partial"});
    EXPECT_EQ(beside.code, 0);
    EXPECT_THAT(beside.err, Not(HasSubstr("killed")));
  }
}

TEST_F(Merge, OfSomePartsSaysThatFinerStepsAreLeftOut) {
  run_shards({"converge", "shots.toml", "--halvings", "1"}, 2);
  std::filesystem::remove(path(shard(1, 2)));
  const Outcome partial = scree({"merge", "r.h5.shards", "-o", "r.h5", "--partial"});
  EXPECT_EQ(partial.code, 0);
  EXPECT_THAT(partial.err, HasSubstr("finer steps that not all samples were run at are left out\n"));
}

/// A part that was ended before its finer step says that there is to be one, and of how many samples.
TEST_F(Merge, TakesNoFinerStepsForGrantedThatNoPartHas) {
  for (const char* number : {"0/2", "1/2"})
    run({"converge", "shots.toml", "--halvings", "1", "-o", "r.h5", "--shard", number});
  run({"converge", "shots.toml", "--samples", "100", "--halvings", "1", "-o", "a.h5"});
  for (const int i : {0, 1}) {
    StoredResult stored = read_result(path(shard(i, 2)));
    EXPECT_EQ(stored.arms[0].finer_steps, 1u);
    EXPECT_EQ(stored.arms[0].finer_samples, 200u);
    stored.arms[0].finer.clear();  // as Ctrl-C leaves it
    write_result(path(shard(i, 2)), stored.run, stored.arms, true);
  }
  const std::string rest = "; their commands with --resume make them, --partial leaves them out";
  expect_refusal({"merge", "r.h5.shards", "-o", "r.h5"}, 3,
                 "r.h5.shards: 2 of 2 shards are missing or not finished: 0-1" + rest);
  // Also beside a smaller run that was finished.
  for (const Words& parts : {Words{"a.h5", "r.h5.shards"}, Words{"r.h5.shards", "a.h5"}}) {
    expect_refusal(Words{"merge"} + parts + Words{"-o", "r.h5", "--force"}, 3,
                   joined(parts) + ": 1 of 2 shards is missing or not finished: 1" + rest);
    const Outcome partial = scree(Words{"merge"} + parts + Words{"-o", "r.h5", "--partial", "--force"});
    EXPECT_EQ(partial.code, 0);
    EXPECT_THAT(partial.err, HasSubstr("finer steps that not all samples were run at are left out\n"));
    const StoredResult merged = read_result(path("r.h5"));
    EXPECT_TRUE(merged.arms[0].finer.empty());
    EXPECT_EQ(merged.arms[0].finer_steps, 1u);
  }
  // What they leave out is made.
  run({"converge", "shots.toml", "--halvings", "1", "-o", "r.h5", "--resume"});
  run({"converge", "shots.toml", "--halvings", "1", "-o", "whole.h5"});
  EXPECT_EQ(digests_of(read_result(path("r.h5")).arms[0].finer),
            digests_of(read_result(path("whole.h5")).arms[0].finer));
}

/// Whoever puts the parts together tells what a strict run does not accept, as one process does.
TEST_F(Merge, OfAStrictRunFailsWhereOneProcessDoes) {
  write("strict.toml",
        "system = 'rotor'\nscheme = 'implicit'\nsamples = 6\nstep = 0.01\nend = 0.1\nstrict = true\n[start]\n"
        "omega = [1e60, 1e60, 1e60]\n");
  const Outcome whole = scree({"run", "strict.toml", "-o", "whole.h5"});
  EXPECT_EQ(whole.code, 1);
  EXPECT_THAT(whole.err, HasSubstr("strict = true, but samples diverged or did not converge: 6 of 6 under implicit\n"));
  const Outcome shards = scree({"run", "strict.toml", "-o", "r.h5", "--shards", "2"});
  EXPECT_EQ(shards.code, 1);
  EXPECT_THAT(shards.err,
              HasSubstr("strict = true, but samples diverged or did not converge: 6 of 6 under implicit\n"));
  EXPECT_EQ(read_result(path("r.h5")).arms[0].digest, read_result(path("whole.h5")).arms[0].digest);
  EXPECT_EQ(scree({"merge", "r.h5.shards", "-o", "m.h5"}).code, 1);
}

/// Killed before its second arm, or a finer step, began: no part of its journal is of these.
TEST_F(Merge, TakesTheJournalOfAComparisonThatHadNotComeToAllArms) {
  write("shots.toml",
        "system = 'projectile'\nscheme = ['rk4', 'euler']\nsamples = 8000\nstep = 0.0005\nend = 60\n[start]\n"
        "speed = 100\n[vary]\n'start.angle' = { uniform = [0.1, 1.5] }\n");
  const Words command{"compare", "shots.toml", "-o", "r.h5", "--quiet"};
  const auto cut_short = [&](int number) {
    const Words shard_of{"--shard", std::to_string(number) + "/2"};
    const std::string journal = path(shard(number, 2)) + ".journal";
    const pid_t pid = start(command + Words{"--checkpoint", "0.02"} + shard_of, "stdout");
    const auto kept = [&] { return std::filesystem::exists(journal) && read_journal(journal).samples() > 0; };
    await(kept);
    kill(pid, SIGKILL);
    ASSERT_EQ(finish(pid).code, 137);
    ASSERT_EQ(read_journal(journal).parts.size(), 1u);
  };
  cut_short(1);
  if (HasFatalFailure()) return;
  const StoredResult begun = read_result(path(shard(1, 2)) + ".journal");
  ASSERT_EQ(begun.arms.size(), 2u);
  EXPECT_EQ(begun.arms[1].name, "euler");
  EXPECT_EQ(unfinished_samples(begun.arms[1]), 4000u);
  EXPECT_EQ(scree({"info", path(shard(1, 2)) + ".journal"}).code, 0);
  run(command + Words{"--shard", "0/2"});
  expect_refusal({"merge", "r.h5.shards", "-o", "r.h5"}, 3,
                 "r.h5.shards: 1 of 2 shards is missing or not finished: 1; their commands with --resume make them, "
                 "--partial leaves them out");
  for (const Words& parts : {Words{"r.h5.shards"}, Words{path(shard(1, 2)) + ".journal", path(shard(0, 2))}}) {
    const Outcome partial = scree(Words{"merge"} + parts + Words{"-o", "r.h5", "--partial", "--force"});
    ASSERT_EQ(partial.code, 0) << partial.err;
    const std::vector<Arm> arms = read_result(path("r.h5")).arms;
    ASSERT_EQ(arms.size(), 2u);
    EXPECT_EQ(unfinished_samples(arms[0]), unfinished_samples(begun.arms[0]));
    EXPECT_EQ(unfinished_samples(arms[1]), 4000u);
    EXPECT_THAT(partial.err, HasSubstr(" in the statistics are of parts that were killed; "));
  }
  run(command + Words{"--shard", "1/2", "--resume"});
  run({"merge", "r.h5.shards", "-o", "r.h5", "--force"});
  run(Words{"compare", "shots.toml", "-o", "whole.h5"});
  expect_same_files("r.h5", "whole.h5", 2);
}

TEST_F(Merge, RefusesWhatIsNotOfOneRun) {
  run_shards({"run", "shots.toml"}, 2);
  run({"run", "shots.toml", "--seed", "7", "-o", "other.h5"});
  expect_refusal({"merge", "r.h5.shards", "other.h5", "-o", "r.h5"}, 3,
                 "other.h5: is of another run than r.h5.shards/00000-of-00002.h5: config, its changes, input files, "
                 "arms, steps or columns differ");
  expect_refusal({"merge", "shots.toml", "-o", "r.h5"}, 3, "shots.toml: not an HDF5 file");
  std::filesystem::create_directory(path("empty"));
  expect_refusal({"merge", "empty", "-o", "r.h5"}, 3, "empty: there are no results in this folder");
  expect_refusal({"merge", "nowhere", "-o", "r.h5"}, 3, "nowhere: there is no such file");
  expect_refusal({"merge", "r.h5.shards", "-o", shard(0, 2), "--quiet"}, 2,
                 "r.h5.shards/00000-of-00002.h5: is an input of this command, and would be replaced by its result");
}

TEST_F(Merge, TakesSamplesTwiceOnlyIfTheyHaveTheSameBits) {
  run_shards({"run", "shots.toml"}, 3);
  run_shards({"run", "shots.toml"}, 2);
  run({"merge", "r.h5.shards", "-o", "r.h5"});
  run({"run", "shots.toml", "-o", "whole.h5"});
  EXPECT_EQ(read_result(path("r.h5")).arms[0].digest, read_result(path("whole.h5")).arms[0].digest);

  StoredResult stored = read_result(path(shard(1, 2)));
  Arm& arm = stored.arms[0];
  arm.table.values[50] = std::nextafter(arm.table.values[50], 1e9);  // of sample 150
  arm.digest = digest(arm.table);
  write_result(path(shard(1, 2)), stored.run, stored.arms, true);
  expect_refusal({"merge", "r.h5.shards", "-o", "s.h5"}, 3,
                 "r.h5.shards/00002-of-00003.h5: has sample 150 (euler) with other bits than "
                 "r.h5.shards/00001-of-00002.h5");
  // By itself it is found out where all of its samples are run again.
  const Outcome checked = scree({"merge", shard(0, 2), shard(1, 2), "-o", "s.h5", "--check", "100"});
  EXPECT_EQ(checked.code, 1);
  EXPECT_THAT(checked.err, AllOf(HasSubstr("00001-of-00002.h5: this program gives other numbers"),
                                 HasSubstr("sample 150: range was ")));
  EXPECT_EQ(scree({"merge", shard(0, 2), shard(1, 2), "-o", "s.h5", "--check", "0", "--quiet"}).code, 0);
}

TEST_F(Merge, EndsBetweenPartsWhereAnEndIsAskedFor) {
  run_shards({"run", "shots.toml", "--samples", "20000"}, 4);
  const pid_t pid = start({"merge", "r.h5.shards", "-o", "r.h5", "--check", "20000"}, "stdout");
  await_listening(pid);
  kill(pid, SIGINT);
  const Outcome outcome = finish(pid);
  EXPECT_EQ(outcome.code, 130);
  EXPECT_EQ(outcome.err,
            "scree: interrupted: ending after the part in hand\nscree: interrupted: r.h5 is not written\n");
  EXPECT_FALSE(std::filesystem::exists(path("r.h5")));
  EXPECT_FALSE(std::filesystem::exists(path("r.h5.journal")));
  // While the last one is in hand too.
  const pid_t alone = start({"merge", shard(0, 4), "--partial", "-o", "r.h5", "--check", "20000"}, "stdout");
  await_listening(alone);
  kill(alone, SIGINT);
  EXPECT_EQ(finish(alone).code, 130);
  EXPECT_FALSE(std::filesystem::exists(path("r.h5")));
  EXPECT_FALSE(std::filesystem::exists(path("r.h5.journal")));
  run({"merge", "r.h5.shards", "-o", "r.h5"});
}

TEST_F(Merge, CountsNoPathTwice) {
  run_shards({"run", "watched.toml"}, 2);
  run_shards({"run", "watched.toml"}, 3);
  expect_refusal(
      {"merge", shard(0, 2), shard(0, 3), shard(1, 3), shard(2, 3), "-o", "r.h5"}, 3,
      "r.h5.shards/00001-of-00003.h5: has 4 samples that other parts have too, and maps, gates, barriers or a "
      "forest would count them twice");
  // The same part again is no more than what is there.
  run({"merge", shard(0, 2), shard(1, 2), shard(0, 2), "-o", "r.h5"});
  run({"run", "watched.toml", "-o", "whole.h5"});
  expect_same_files("r.h5", "whole.h5");
}

TEST_F(Merge, ShardsAreResultsOfTheirSamplesByNumber) {
  run_shards({"run", "rocks.toml"}, 3);
  run({"run", "rocks.toml", "-o", "whole.h5"});
  const json info = object({"info", shard(1, 3), "--json"});
  EXPECT_EQ(info["run"]["shard"], (json{{"number", 1}, {"of", 3}, {"first", 6}, {"samples_of_run", 20}}));
  EXPECT_EQ(info["run"]["samples"], 7);
  EXPECT_THAT(scree({"info", shard(1, 3), "--all"}).out, HasSubstr("7 samples (shard 1/3: 6 to 12 of 20)"));
  EXPECT_THAT(scree({"info", shard(1, 3)}).out, HasSubstr("7 samples (shard 1/3: 6 to 12 of 20)"));
  for (const std::string& file : {shard(1, 3), std::string("whole.h5")})
    run({"replay", file, "--sample", "12", "-o", "path_" + std::to_string(file.size()) + ".csv"});
  EXPECT_EQ(read("path_29.csv"), read("path_8.csv"));
  expect_refusal({"replay", shard(1, 3), "--sample", "13"}, 2,
                 "r.h5.shards/00001-of-00003.h5: --sample 13, must be 6 to 12");
  expect_refusal({"replay", shard(1, 3), "--sample", "5:8"}, 2,
                 "r.h5.shards/00001-of-00003.h5: --sample 5:8, must be within 6:13");
  const std::string points = shell("h5dump -d /samples/sample -y -w 0 " + shard(1, 3));
  EXPECT_THAT(points, HasSubstr("6, 7, 8, 9, 10, 11, 12"));
}

TEST_F(Merge, ScoresOfAShardAreOfItsRowsOfTheTable) {
  // Rows 0 to 4 in turn; samples 4 to 7 of 12 are of rows 4, 0, 1 and 2.
  write("starts.csv", "id,x,y\n0,0,0\n1,0.5,1\n2,1,2\n3,1.5,3\n4,2,4\n");
  write("o.csv", "id,far\n0,12\n3,14\n4,13\n");
  write("table.toml", small_study.substr(0, small_study.find("[start]")) +
                          "[start]\ntable = 'starts.csv'\n[start.columns]\n'position.x' = 'x'\n'position.y' = 'y'\n"
                          "[vary]\norientation = 'uniform'\n[observed]\ntable = 'o.csv'\ncolumn = 'runout'\n"
                          "value = 'far'\nmatch = 'id'\n");
  run_shards({"run", "table.toml", "--samples", "12"}, 3);
  const json scores = object({"info", shard(1, 3), "--json"})["scores"]["observations"];
  ASSERT_EQ(scores.size(), 3u);
  EXPECT_EQ(scores[0]["samples"], 1);
  EXPECT_EQ(scores[1]["samples"], 0);
  EXPECT_EQ(scores[2]["samples"], 1);
}

TEST_F(Merge, ALinkedResultLeadsToItsPartsAndSaysWhatTheWholeSays) {
  for (const auto& [command, arms] :
       {std::pair{Words{"run", "watched.toml", "--samples", "150"}, 1},
        {Words{"compare", "rocks.toml", "--schemes", "explicit,implicit", "--step-error", "--samples", "100"}, 4}}) {
    std::filesystem::remove_all(path("r.h5.shards"));
    run_shards(command, 4);
    run({"merge", "r.h5.shards", "-o", "r.h5", "--link", "--force"});
    run(command + Words{"-o", "whole.h5", "--force"});
    EXPECT_LT(std::filesystem::file_size(path("r.h5")), std::filesystem::file_size(path("whole.h5")));
    // As HDF5 itself reads it, and so everybody else: all but wall times, two of each arm, of a study of steps also
    // processor times and a reference to them.
    const std::string differing = shell("h5diff -v r.h5 whole.h5 | grep 'differences found' | grep -vc '^0 '");
    EXPECT_LE(std::stoi(differing), 2 * arms + (arms == 1 ? 0 : 2))
        << shell("h5diff -v r.h5 whole.h5 | grep -B8 '^[1-9].* differences'");
    json linked = object({"info", "r.h5", "--json"}), whole = object({"info", "whole.h5", "--json"});
    for (const char* key : {"digest", "statistics", "status", "maps", "gates", "barriers", "paired", "verdict"})
      EXPECT_EQ(linked[key], whole[key]) << key;
    EXPECT_THAT(scree({"info", "r.h5"}).out, HasSubstr("its samples lie in 4 parts, in folders beside it\n"));
    run(Words{"replay", "r.h5", "--sample", "99", "-o", "p.csv", "--force"} +
        (arms > 1 ? Words{"--scheme", "implicit"} : Words{}));
  }
}

TEST_F(Merge, ALinkedResultKnowsItsParts) {
  run_shards({"run", "shots.toml"}, 3);
  run({"merge", "r.h5.shards", "-o", "r.h5", "--link"});
  // From elsewhere, where there are parts of the same names.
  std::filesystem::create_directories(path("else/r.h5.shards"));
  run({"run", "shots.toml", "--seed", "9", "-o", "else/r.h5", "--shard", "1/3"});
  EXPECT_EQ(shell("cd else && " SCREE_PROGRAM " info ../r.h5 --json | grep '\"digest\"'"),
            shell(SCREE_PROGRAM " info r.h5 --json | grep '\"digest\"'"));
  const std::string part = path(shard(1, 3));
  std::filesystem::rename(part, path("kept"));
  const std::string name = "r.h5: its part r.h5.shards/00001-of-00003.h5 ";
  expect_refusal({"info", "r.h5"}, 3, name + "is not there");
  std::filesystem::copy_file(path("else/r.h5.shards/00001-of-00003.h5"), part);
  expect_refusal({"info", "r.h5"}, 3, name + "is not the one that was put together");
  std::string bytes = read("kept");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  write(shard(1, 3), bytes);
  expect_refusal({"info", "r.h5"}, 3, name + "was damaged after it was written");
  write(shard(1, 3), bytes.substr(0, 5000));
  expect_refusal({"info", "r.h5"}, 3,
                 "r.h5: its part r.h5.shards/00001-of-00003.h5: truncated file: it has 5000 of " +
                     std::to_string(bytes.size() - 45) + " bytes");
  std::filesystem::rename(path("kept"), part);
  // What goes on from it has its samples itself.
  run({"run", "--extend", "r.h5", "--samples", "500"});
  run({"run", "shots.toml", "--samples", "500", "-o", "whole.h5"});
  expect_same_files("r.h5", "whole.h5");
}

/// HDF5 takes names of files that arrays lead to for formats.
TEST_F(Merge, ALinkedResultMayHaveAnyName) {
  run({"run", "shots.toml", "-o", "whole.h5"});
  for (const std::string name : {"50%.h5", "a%b.h5", "a%%d %s.h5"}) {
    run({"run", "shots.toml", "--shards", "2", "--link", "-o", name});
    EXPECT_EQ(shell("h5diff -v '" + name + "' whole.h5 | grep 'differences found' | grep -vc '^0 '"), "2\n") << name;
    EXPECT_EQ(object({"info", name, "--json"})["digest"], object({"info", "whole.h5", "--json"})["digest"]) << name;
  }
}

TEST_F(Merge, LeadsToNoneThatItWouldReplace) {
  run_shards({"run", "shots.toml"}, 2);
  run({"merge", "r.h5.shards", "-o", "r.h5"});
  std::filesystem::create_directory_symlink(".", path("self"));
  expect_refusal({"merge", "self/r.h5", "-o", "r.h5", "--force", "--link"}, 2,
                 "r.h5: is self/r.h5, an input of this command, and would be replaced by its result");
}

TEST_F(Merge, LeadsToResultsInFoldersBesideItAlone) {
  run_shards({"run", "shots.toml"}, 3);
  run({"run", "shots.toml", "-o", "whole.h5"});
  expect_refusal({"merge", "whole.h5", "-o", "r.h5", "--link"}, 2,
                 "--link leads to parts in folders beside the result, whole.h5 is not in one");
  std::filesystem::create_directory(path("below"));
  expect_refusal({"merge", "r.h5.shards", "-o", "below/r.h5", "--link"}, 2,
                 "--link leads to parts in folders beside the result, r.h5.shards/00000-of-00003.h5 is not in one");
  run({"merge", "r.h5.shards", "-o", "r.h5", "--link"});
  std::filesystem::rename(path("r.h5"), path("below/r.h5"));
  std::filesystem::rename(path("r.h5.shards"), path("below/r.h5.shards"));
  expect_refusal({"merge", "below/r.h5", "-o", "s.h5", "--link"}, 2,
                 "--link leads to parts that have their samples, those of below/r.h5 lie in others");
  run({"merge", "below/r.h5", "-o", "s.h5"});
  expect_same_files("s.h5", "whole.h5");
  run_shards({"run", "shots.toml"}, 2);
  expect_refusal({"merge", "below/r.h5.shards/00000-of-00003.h5", "r.h5.shards", "-o", "t.h5", "--link"}, 3,
                 "r.h5.shards/00000-of-00002.h5: has samples that other parts have too, so that --link cannot lead to "
                 "both");
}

TEST_F(Merge, LinksAtMostAsManyPartsAsAListTakes) {
  Words many{"merge", "-o", "r.h5", "--link"};
  for (int i = 0; i < 4097; ++i) many.push_back("p/" + std::to_string(i) + ".h5");
  expect_refusal(many, 2, "--link leads to at most 4096 parts, these are 4097; without it there may be any number");
  many.pop_back();
  expect_refusal(many, 3, "p/0.h5: there is no such file");
  many.erase(many.begin() + 3);
  expect_refusal(many, 3, "p/0.h5: there is no such file");
}

/// What was put together of some parts has room for all samples, those that it lacks too.
TEST_F(Merge, LeadsToNoTwoPartsThatHaveRoomForTheSameSamples) {
  run_shards({"run", "shots.toml"}, 4);
  std::filesystem::create_directory(path("stage"));
  run({"merge", shard(0, 4), shard(1, 4), "--partial", "-o", "stage/a.h5"});
  run({"merge", shard(2, 4), shard(3, 4), "--partial", "-o", "stage/b.h5"});
  expect_refusal({"merge", "stage", "-o", "r.h5", "--link"}, 3,
                 "stage/b.h5: has room for samples of stage/a.h5, so that --link cannot lead to both");
  EXPECT_FALSE(std::filesystem::exists(path("r.h5")));
  run({"merge", "stage", "-o", "r.h5"});
  run({"run", "shots.toml", "-o", "whole.h5"});
  expect_same_files("r.h5", "whole.h5");
}

TEST_F(Merge, ALinkedResultMayLackParts) {
  run_shards({"run", "shots.toml"}, 4);
  std::filesystem::remove(path(shard(2, 4)));
  run({"merge", "r.h5.shards", "-o", "r.h5", "--link", "--partial"});
  const StoredResult result = read_result(path("r.h5"));
  EXPECT_EQ(unfinished_samples(result.arms[0]), 50u);
  EXPECT_EQ(result.arms[0].table.status[100], static_cast<std::uint32_t>(Status::not_run));
  EXPECT_NE(result.arms[0].table.status[150], static_cast<std::uint32_t>(Status::not_run));
}

TEST_F(Merge, OneProcessMayRunAllShardsAndMergeThem) {
  const Words command{"run", "watched.toml", "--samples", "60"};
  run(command + Words{"-o", "whole.h5"});
  const Words in_shards = command + Words{"-o", "r.h5", "--shards", "7", "--resume"};
  EXPECT_THAT(scree(in_shards).out, HasSubstr("60 samples"));
  expect_same_files("r.h5", "whole.h5");
  // Again: what is there is left as it is, and so is a whole that is complete where its shards are gone.
  const auto made = std::filesystem::last_write_time(path(shard(3, 7)));
  std::filesystem::remove(path(shard(4, 7)));
  std::filesystem::remove(path("r.h5"));
  run(in_shards);
  EXPECT_EQ(std::filesystem::last_write_time(path(shard(3, 7))), made);
  expect_same_files("r.h5", "whole.h5");
  std::filesystem::remove_all(path("r.h5.shards"));
  const Outcome again = scree(in_shards);
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(again.err, "scree: r.h5: is complete\n");
  EXPECT_FALSE(std::filesystem::exists(path("r.h5.shards")));
  expect_refusal(command + Words{"-o", "r.h5", "--shards", "7"}, 2,
                 "r.h5: exists already; give another name, or --force to replace it");
}

TEST_F(Merge, InShardsNothingIsReplacedThatIsNotOfTheCommand) {
  const Words command{"run", "shots.toml", "-o", "r.h5", "--shards", "2", "--resume", "--quiet"};
  const auto expect_kept = [&](const Words& words, const std::string& file, int code, const std::string& line) {
    const std::string before = read(file);
    expect_refusal(words, code, file + ": " + line);
    EXPECT_TRUE(read(file) == before) << file;
  };
  const std::string other = "is of another command, so that --resume cannot go on with it; --force would replace it";
  run({"run", "shots.toml", "--seed", "7", "-o", "r.h5"});
  expect_kept(command, "r.h5", 3, other);
  EXPECT_FALSE(std::filesystem::exists(path("r.h5.shards")));
  EXPECT_FALSE(std::filesystem::exists(path("r.h5.journal")));
  run(command + Words{"--force"});
  run({"run", "shots.toml", "-o", "whole.h5"});
  expect_same_files("r.h5", "whole.h5");
  // Its shards are there.
  write("r.h5", "notes");
  EXPECT_EQ(scree(command).code, 3);
  EXPECT_EQ(read("r.h5"), "notes");
  // What is of the command, but has not all, is replaced: the shards have all again.
  run({"merge", shard(0, 2), "-o", "r.h5", "--partial", "--force"});
  run(command);
  expect_same_files("r.h5", "whole.h5");
  expect_kept({"compare", "shots.toml", "--steps", "0.1,0.05", "-o", "r.h5", "--shards", "2", "--resume"}, "r.h5", 3,
              other);
  run({"run", "shots.toml", "--seed", "7", "-o", "y.h5"});
  expect_kept({"run", "--extend", "r.h5", "--samples", "500", "-o", "y.h5", "--shards", "2", "--resume"}, "y.h5", 3,
              other);
}

TEST_F(Merge, InShardsAFileThatAppearsMeanwhileStays) {
  run({"run", "shots.toml", "-o", "r.h5"});
  const pid_t pid =
      start({"run", "--extend", "r.h5", "--samples", "20000", "-o", "y.h5", "--shards", "2", "--quiet"}, "stdout");
  const auto began = [&] { return std::filesystem::exists(path("y.h5.shards")); };
  await(began);
  write("y.h5", "notes");
  const Outcome outcome = finish(pid);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("y.h5: a file has appeared there meanwhile, which --force would replace"));
  EXPECT_EQ(read("y.h5"), "notes");
}

TEST_F(Merge, InShardsWhatIsCompleteIsLeftAsItIs) {
  write("table.toml", small_shots + "[sensitivity]\nkey = 'projectile.gravity'\nvalues = [9.0, 10.0]\n");
  run({"run", "shots.toml", "--samples", "100", "-o", "base.h5"});
  const std::vector<Words> commands{{"run", "shots.toml"},
                                    {"run", "table.toml"},
                                    {"run", "--extend", "base.h5", "--samples", "150"},
                                    {"compare", "shots.toml", "--steps", "0.1,0.05"},
                                    {"compare", "shots.toml", "--schemes", "euler,rk4", "--step-error"},
                                    {"converge", "shots.toml", "--halvings", "1"}};
  for (const Words& command : commands) {
    const Words in_shards = command + Words{"-o", "r.h5", "--shards", "2", "--resume"};
    const auto expect_complete = [&](const char* made) {
      const std::string before = read("r.h5");
      const Outcome again = scree(in_shards);
      EXPECT_EQ(again.code, 0);
      EXPECT_EQ(again.err, "scree: r.h5: is complete\n") << testing::PrintToString(command) << made;
      EXPECT_TRUE(read("r.h5") == before);
    };
    run(in_shards);
    expect_complete(", its shards beside it");
    std::filesystem::remove_all(path("r.h5.shards"));
    expect_complete(", without its shards");
    std::filesystem::remove(path("r.h5"));
    run(command + Words{"-o", "r.h5"});
    expect_complete(", by one process");
    EXPECT_FALSE(std::filesystem::exists(path("r.h5.shards")));
    std::filesystem::remove(path("r.h5"));
  }
}

TEST_F(Merge, OneProcessMayLinkTheShardsThatItRuns) {
  const Words command{"run", "watched.toml", "--samples", "60"};
  run(command + Words{"-o", "whole.h5"});
  const Words linked = command + Words{"-o", "r.h5", "--shards", "7", "--link", "--resume"};
  run(linked);
  EXPECT_EQ(read_result(path("r.h5")).arms[0].digest, read_result(path("whole.h5")).arms[0].digest);
  EXPECT_THAT(scree({"info", "r.h5"}).out, HasSubstr("its samples lie in 7 parts"));
  EXPECT_THAT(scree({"info", "r.h5", "--json"}).out, HasSubstr("\"linked_parts\": 7"));
  run(linked);
  EXPECT_THAT(scree({"info", "r.h5"}).out, HasSubstr("its samples lie in 7 parts"));
  std::filesystem::remove_all(path("r.h5.shards"));
  EXPECT_EQ(scree({"info", "r.h5"}).code, 3);
  expect_refusal(command + Words{"-o", "r.h5", "--shards", "5000", "--link"}, 2, "--link leads to at most 4096 shards");
  expect_refusal({"run", "--extend", "whole.h5", "--samples", "80", "--shards", "2", "--link"}, 2,
                 "--link leads to shards alone, not to whole.h5, which they extend");
}

TEST_F(Merge, ACommandInShardsIsTheCommand) {
  // What another one left there is not of it.
  run({"run", "watched.toml", "-o", "r.h5", "--shard", "1/3"});
  const json in_shards = object({"run", "watched.toml", "-o", "r.h5", "--shards", "4", "--json", "--quiet"});
  EXPECT_EQ(in_shards["command"], "run");
  run({"run", "watched.toml", "-o", "whole.h5"});
  expect_same_files("r.h5", "whole.h5");
  // A dry run makes nothing and tells of one shard.
  const Outcome dry = scree({"run", "watched.toml", "-o", "d.h5", "--shards", "4", "--dry-run"});
  EXPECT_EQ(dry.code, 0) << dry.err;
  EXPECT_THAT(dry.out, HasSubstr("d.h5.shards/00000-of-00004.h5"));
  EXPECT_THAT(dry.out, testing::Not(HasSubstr("inf")));
  EXPECT_FALSE(std::filesystem::exists(path("d.h5.shards")));
  write("table.toml", small_study + "[sensitivity]\nkey = 'rock.ground'\nvalues = ['soft', 'hard']\n");
  EXPECT_THAT(scree({"run", "table.toml", "-o", "t.h5", "--shards", "2"}).err,
              HasSubstr("the table over rock.ground is of no shard, and is left out\n"));
}

TEST_F(Merge, WarningsNameTheConfigAsTheFileDoes) {
  write("odd.toml", small_shots);
  const Words odd{"run", "odd.toml", "--set", "end=60.02"};
  EXPECT_THAT(scree(odd).err, HasSubstr("warning: --set: end = 60.02 is no multiple of step"));
  std::string text = small_shots;
  text.replace(text.find("end = 60.0"), 10, "end = 60.02");
  write("odd.toml", text);
  EXPECT_THAT(scree({"run", "odd.toml"}).err, HasSubstr("warning: odd.toml:5: end = 60.02 is no multiple of step"));
  expect_merged({"run", "odd.toml"}, 3);
}

TEST_F(Merge, OfMergedPartsNamesTheirBackends) {
  run_shards({"run", "shots.toml"}, 4, {{"--backend", "scalar"}, {"--backend", "pack"}});
  run({"merge", shard(0, 4), shard(1, 4), "-o", "a.h5", "--partial"});
  run({"merge", "a.h5", shard(2, 4), shard(3, 4), "-o", "r.h5"});
  EXPECT_EQ(read_result(path("r.h5")).arms[0].backend, "mixed: 2 pack, 2 scalar");
}

TEST_F(Merge, ManySummariesMayLieInAFile) {
  setenv("SCREE_TABLE_MEMORY", "1000", 1);
  expect_merged({"run", "watched.toml", "--samples", "60"}, 3);
  setenv("SCREE_TABLE_MEMORY", "1 GB", 1);
  expect_refusal({"run", "shots.toml", "-o", "s.h5"}, 2, "SCREE_TABLE_MEMORY = 1 GB, must be a number of bytes >= 0");
  unsetenv("SCREE_TABLE_MEMORY");
}

TEST_F(Merge, AShardThatIsNoneIsRefused) {
  const auto refused = [&](const Words& more, const std::string& line) {
    expect_refusal(Words{"run", "shots.toml"} + more, 2, line);
  };
  const std::string help = "; see scree run --help";
  for (const char* text : {"3/3", "-1/3", "1", "1/", "a/3", "1/3x", "0/1000001"})
    refused({"-o", "r.h5", "--shard", text},
            std::string("run: --shard ") + text + ", must be i/n, part i of n, 0 <= i < n <= 1000000" + help);
  refused({"-o", "r.h5", "--shard", "1/201"}, "201 shards: must be at most as many as there are samples, 200");
  refused({"--shard", "1/2"}, "run: --shard writes a part of a result: give the result as -o");
  refused({"-o", "r.h5", "--shard", "1/2", "--until", "range: 5%"},
          "run: --until looks at the samples of all shards: leave out --shard");
  refused({"-o", "r.h5", "--shards", "2", "--until", "range: 5%"},
          "run: --until looks at the samples of all shards: leave out --shards");
  EXPECT_FALSE(std::filesystem::exists(path("r.h5.shards")));
  run_shards({"run", "shots.toml"}, 2);
  expect_refusal({"run", "--extend", shard(0, 2), "--samples", "300"}, 2,
                 shard(0, 2) + ": is a shard; --extend takes what scree merge makes of all of them");
  run({"run", "shots.toml", "-o", "r.h5"});
  expect_refusal({"run", "--extend", "r.h5", "--shard", "0/2"}, 2, "--shard 0/2: all 200 samples are there already");
}

TEST_F(Merge, ADryRunOfAShardMakesNoFolder) {
  const Outcome dry = scree({"run", "shots.toml", "-o", "r.h5", "--shard", "1/3", "--dry-run"});
  EXPECT_EQ(dry.code, 0) << dry.err;
  EXPECT_THAT(dry.out, HasSubstr("r.h5.shards/00001-of-00003.h5"));
  EXPECT_FALSE(std::filesystem::exists(path("r.h5.shards")));
}

TEST_F(Merge, LeavesTheTableOverValuesOut) {
  write("table.toml", small_study + "[sensitivity]\nkey = 'rock.ground'\nvalues = ['soft', 'hard']\n");
  const Outcome shard = scree({"run", "table.toml", "-o", "r.h5", "--shard", "0/2"});
  EXPECT_EQ(shard.code, 0);
  EXPECT_THAT(shard.err, HasSubstr("the table over rock.ground is of no shard, and is left out\n"));
  run({"run", "table.toml", "-o", "r.h5", "--shard", "1/2"});
  run({"merge", "r.h5.shards", "-o", "r.h5"});
  run({"run", "table.toml", "-o", "whole.h5", "--no-sensitivity"});
  expect_same_files("r.h5", "whole.h5");
}

TEST_F(Merge, PrintsWhatOneProcessDoes) {
  run_shards({"run", "shots.toml"}, 3);
  const json merged = object({"merge", "r.h5.shards", "-o", "r.h5", "--json", "--quiet"});
  const json whole = object({"run", "shots.toml", "-o", "whole.h5", "--json", "--quiet"});
  EXPECT_EQ(merged["command"], "merge");
  for (const char* key : {"digest", "samples", "status", "statistics", "sample_steps", "backend"})
    EXPECT_EQ(merged[key], whole[key]) << key;
  EXPECT_EQ(merged["run"]["samples"], 200);
  EXPECT_FALSE(merged["run"].contains("shard"));
  const Outcome told = scree({"merge", "r.h5.shards", "-o", "r.h5", "--force"});
  EXPECT_THAT(told.err, testing::MatchesRegex("result: r.h5, of 3 parts, the longest took [0-9.e-]+ s\n"));
  EXPECT_THAT(told.out, HasSubstr("200 samples"));
}

}  // namespace
}  // namespace scree
