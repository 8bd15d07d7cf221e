// scree-mpi: whatever ranks share the parts of a run, with whichever MPI, the file is that of one process.
#include <gmock/gmock.h>

#include "host/journal/contents.hpp"
#include "host/results/result_file.hpp"
#include "program.hpp"

namespace scree {
namespace {

using testing::HasSubstr;

/// The launcher of an MPI and scree-mpi built with it.
struct OneMpi {
  std::string launcher, program;
};
std::vector<OneMpi> mpis() {
  std::vector<OneMpi> all;
  std::istringstream list(SCREE_MPIS);
  for (std::string launcher, program; list >> launcher >> program;) all.push_back({launcher, program});
  return all;
}

/// One of them, or with SCREE_MANY all: of what both do alike, as each is tried with any number of ranks.
std::vector<OneMpi> one_mpi() {
  std::vector<OneMpi> some = mpis();
  some.resize(std::min(some.size(), static_cast<std::size_t>(tries(1, 2))));
  return some;
}

/// Ranks of several commands, the first of rank 0 and the second of all others. By a shell, as the mpirun of Open MPI
/// 5.0.7 crashes with any two that ":" separates.
std::string ranks_of(int ranks, const std::string& first, const std::string& second) {
  return "-n " + std::to_string(ranks) + " sh -c 'case ${OMPI_COMM_WORLD_RANK:-${PMI_RANK:?}} in 0) exec " + first +
         ";; *) exec " + second + ";; esac'";
}

class Mpi : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    if (mpis().empty()) GTEST_SKIP() << "there is no MPI";
    write("study.toml", small_watched);
    write("rocks.toml", small_study);
  }
  /// What a command of `ranks`, as "-n 2 scree-mpi run ...", prints, with its exit code.
  /// `meanwhile` is done while they run; $launcher is the launcher's process.
  std::string launched(const OneMpi& mpi, std::string ranks, const std::string& meanwhile = "true") const {
    for (std::size_t at = 0; (at = ranks.find("scree-mpi", at)) != std::string::npos; at += mpi.program.size())
      ranks.replace(at, 9, mpi.program);
    return shell(open_mpi_may + mpi.launcher + " " + ranks + " 2>&1 & launcher=$!; " + meanwhile +
                 "; wait $launcher; echo code $?");
  }
  void make_whole(const std::vector<std::string>& command) const {
    std::vector<std::string> all = command;
    all.insert(all.end(), {"-o", "whole.h5", "--quiet", "--threads", "1", "--force"});
    const Outcome outcome = scree(all);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  void remove_result() const {
    std::filesystem::remove_all(path("r.h5.shards"));
    std::filesystem::remove(path("r.h5"));
    std::filesystem::remove(path("said"));
  }
};

TEST_F(Mpi, AnyNumberOfRanksWritesTheFileOfOneProcess) {
  make_whole({"run", "study.toml", "--samples", "40"});
  int more = 1;  // ranks from one launch to the next: fewer numbers with the second MPI
  for (const OneMpi& mpi : mpis()) {
    for (int ranks = 1; ranks <= 4; ranks += more) {
      const std::string printed = launched(mpi, "-n " + std::to_string(ranks) +
                                                    " scree-mpi run study.toml --samples 40 --shards 9 --threads 1 "
                                                    "--quiet -o r.h5");
      EXPECT_TRUE(printed.ends_with("code 0\n")) << printed;
      // One rank prints.
      EXPECT_EQ(printed.find("40 samples, seed 1"), printed.rfind("40 samples, seed 1")) << printed;
      expect_same_files("r.h5", "whole.h5");
      remove_result();
    }
    more = tries(2, 1);
  }
}

TEST_F(Mpi, ComparesAndExtendsInParts) {
  for (const OneMpi& mpi : one_mpi()) {
    make_whole({"compare", "rocks.toml", "--schemes", "explicit,implicit"});
    std::string printed = launched(mpi,
                                   "-n 3 scree-mpi compare rocks.toml --schemes explicit,implicit --shards 4 "
                                   "--threads 1 --quiet -o r.h5");
    EXPECT_TRUE(printed.ends_with("code 0\n")) << printed;
    expect_same_files("r.h5", "whole.h5", 2);
    remove_result();
    make_whole({"run", "rocks.toml", "--samples", "70"});
    ASSERT_EQ(scree({"run", "rocks.toml", "-o", "r.h5", "--threads", "1", "--quiet"}).code, 0);
    printed = launched(mpi, "-n 2 scree-mpi run --extend r.h5 --samples 70 --shards 4 --threads 1 --quiet");
    EXPECT_TRUE(printed.ends_with("code 0\n")) << printed;
    expect_same_files("r.h5", "whole.h5");
    remove_result();
  }
}

TEST_F(Mpi, RanksOfSeveralBackendsHaveTheSameBits) {
  make_whole({"run", "study.toml", "--samples", "100"});
  const std::string command = "scree-mpi run study.toml --samples 100 --shards 9 --quiet -o r.h5 --backend ";
  for (const OneMpi& mpi : one_mpi()) {
    const std::string printed = launched(mpi, ranks_of(3, command + "scalar", command + "pack"));
    EXPECT_TRUE(printed.ends_with("code 0\n")) << printed;
    EXPECT_EQ(read_result(path("r.h5")).arms[0].digest, read_result(path("whole.h5")).arms[0].digest);
    EXPECT_EQ(read_result(path("r.h5")).arms[0].map_facts->digest,
              read_result(path("whole.h5")).arms[0].map_facts->digest);
    remove_result();
  }
}

TEST_F(Mpi, WhatAKilledRankTakesWithItIsGoneOnWithByOthers) {
  // Some seconds in all.
  std::string text = small_study;
  text.replace(text.find("samples = 20"), 12, "samples = 2000");
  write("rocks.toml", text);
  make_whole({"run", "rocks.toml"});
  const std::string command =
      " scree-mpi run rocks.toml --shards 6 --threads 1 --quiet --checkpoint 0.05 --resume -o r.h5";
  for (const OneMpi& mpi : one_mpi()) {
    std::string printed = launched(mpi, "-n 3" + command,
                                   "for i in $(seq 500); do [ -e r.h5.shards/00001-of-00006.h5 ] && break; sleep 0.01; "
                                   "done; for rank in $(pgrep scree-mpi); do "
                                   "[ \"$(readlink /proc/$rank/cwd)\" = \"$PWD\" ] && last=$rank; done; kill -9 $last");
    EXPECT_FALSE(printed.ends_with("code 0\n")) << printed;
    EXPECT_FALSE(std::filesystem::exists(path("r.h5")));
    EXPECT_TRUE(std::filesystem::exists(path("r.h5.shards/00001-of-00006.h5"))) << printed;
    printed = launched(mpi, "-n 2" + command);
    EXPECT_TRUE(printed.ends_with("code 0\n")) << printed;
    expect_same_files("r.h5", "whole.h5");
    remove_result();
  }
}

TEST_F(Mpi, AnEndThatIsAskedForKeepsWhatIsFinished) {
  std::string text = small_study;
  text.replace(text.find("samples = 20"), 12, "samples = 5000");
  write("rocks.toml", text);
  make_whole({"run", "rocks.toml"});
  const std::string command = "scree-mpi run rocks.toml --shards 2 --threads 1 --quiet --resume -o r.h5";
  for (const OneMpi& mpi : one_mpi()) {
    // What ranks say once their launcher ends, and its exit code, are the launcher's own affair.
    std::string printed = launched(mpi, "-n 2 sh -c 'exec " + command + " 2>>said'",
                                   "for i in $(seq 500); do [ -e r.h5.shards/00000-of-00002.h5.journal ] && break; "
                                   "sleep 0.01; done; sleep 0.1; kill -TERM $launcher");
    EXPECT_THAT(read("said"), HasSubstr("scree-mpi: interrupted: finishing the samples in flight"));
    int begun = 0;
    for (int i = 0; i < 2; ++i) {
      std::string part = path("r.h5.shards/0000" + std::to_string(i) + "-of-00002.h5");
      if (!std::filesystem::exists(part)) part += ".journal";
      if (!std::filesystem::exists(part) || (part.ends_with(".journal") && read_journal(part).samples() == 0)) continue;
      const std::uint64_t left = unfinished_samples(read_result(part).arms[0]);
      begun += left > 0 && left < 2500;
    }
    EXPECT_GT(begun, 0);
    EXPECT_FALSE(std::filesystem::exists(path("r.h5")));
    printed = launched(mpi, "-n 4 " + command);
    EXPECT_TRUE(printed.ends_with("code 0\n")) << printed;
    expect_same_files("r.h5", "whole.h5");
    remove_result();
  }
}

TEST_F(Mpi, MistakesAreToldOnce) {
  const auto expect_once = [&](const OneMpi& mpi, const std::string& ranks, const std::string& line) {
    const std::string printed = launched(mpi, ranks);
    const std::size_t at = printed.find("scree-mpi: " + line + "\n");
    EXPECT_NE(at, std::string::npos) << printed;
    EXPECT_EQ(at, printed.rfind("scree-mpi: "));
  };
  for (const OneMpi& mpi : mpis())
    expect_once(mpi, "-n 3 scree-mpi run rocks.toml -o r.h5",
                "run: 3 ranks would each run all samples; --shards N has them share N parts");
  const OneMpi mpi = mpis().back();
  expect_once(mpi, "-n 2 scree-mpi info r.h5", "info: is of one process, these are 2 ranks; scree does it");
  expect_once(mpi, "-n 2 scree-mpi run rocks.toml --set rock.friction=1 --shards 3 -o r.h5",
              "--set: unknown key rock.friction, did you mean rock.friction_min?");
  expect_once(mpi, "-n 2 scree-mpi run rocks.toml --shards 3",
              "run: --shards writes results: give that of the whole as -o");
  expect_once(mpi, "-n 2 scree-mpi run rocks.toml --shards 30 -o r.h5",
              "30 shards: must be at most as many as there are samples, 20");
  expect_once(mpi, "-n 2 scree-mpi run rocks.toml --shards 3 --shard 1/3 -o r.h5",
              "run: --shard excludes --shards; see scree run --help");
}

TEST_F(Mpi, AMistakeOfOneRankEndsAll) {
  write("shots.toml", small_shots);
  const std::string good = "scree-mpi run shots.toml --shards 2 --quiet -o r.h5";
  const std::string different =
      "the ranks were given different commands, which may differ in --backend, --threads, --isa, --checkpoint and "
      "--quiet alone";
  const std::vector<std::pair<std::string, std::string>> cases{
      {ranks_of(2, good, good + " --threds 1"), "run: unknown option --threds, did you mean --threads?"},
      {ranks_of(2, good + " --threds 1", good), "run: unknown option --threds, did you mean --threads?"},
      {ranks_of(2, good, "scree-mpi run shots.toml -o r.h5"), different},
      {ranks_of(2, good, "scree-mpi run shots.toml --shards 3 -o r.h5"), different},
      {ranks_of(2, good, "scree-mpi --help"), different},
      {ranks_of(2, good, "scree-mpi info r.h5"), different},
      {"-n 2 scree-mpi run - --shards 2 -o r.h5 < shots.toml",
       "run -: standard input is of one process, these are 2 ranks; give the config as a file"}};
  for (const OneMpi& mpi : mpis())
    for (const auto& [ranks, line] : cases) {
      const std::string printed = launched({"timeout 60 " + mpi.launcher, mpi.program}, ranks);
      const std::size_t at = printed.find("scree-mpi: " + line);
      EXPECT_NE(at, std::string::npos) << ranks << '\n' << printed;
      EXPECT_EQ(at, printed.rfind("scree-mpi: ")) << printed;
      // One launcher gives the code that a rank ended with, the other all of them together.
      EXPECT_TRUE(printed.ends_with("code 2\n")) << printed;
      EXPECT_FALSE(std::filesystem::exists(path("r.h5.shards")));
    }
}

TEST_F(Mpi, RanksOnTheSameProcessorsShareThem) {
  write("shots.toml", small_shots);
  for (const OneMpi& mpi : mpis()) {
    const std::string printed = launched({"taskset -c 0 " + mpi.launcher, mpi.program},
                                         "-n 2 scree-mpi run shots.toml --shards 2 --quiet "
                                         "-o r.h5");
    EXPECT_TRUE(printed.ends_with("code 0\n")) << printed;
    EXPECT_EQ(read_result(path("r.h5")).arms[0].threads, 1);
    remove_result();
  }
}

TEST_F(Mpi, ProgramsThatDoNotKnowEachOtherAreRefused) {
  for (const OneMpi& mpi : mpis())
    for (const char* launcher : {"OMPI_COMM_WORLD_SIZE=4", "PMI_SIZE=4", "SLURM_STEP_NUM_TASKS=4"}) {
      // What another MPI's launcher would set.
      if (mpi.launcher.find("openmpi") != std::string::npos && std::string(launcher).starts_with("OMPI")) continue;
      if (mpi.launcher.find("mpich") != std::string::npos && std::string(launcher).starts_with("PMI")) continue;
      const std::string printed =
          shell(std::string(launcher) + " " + mpi.program + " run rocks.toml --shards 2 -o r.h5 2>&1; echo code $?");
      EXPECT_EQ(printed,
                "scree-mpi: the launcher started 4 programs that do not know of each other: it is not of the MPI that "
                "scree-mpi was built with; of SLURM `srun --mpi=list` tells what it can start\ncode 2\n");
    }
}

}  // namespace
}  // namespace scree
