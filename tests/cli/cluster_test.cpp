// docs/cluster.md: its commands, and a job array that is cancelled and requeued, on a SLURM of one node.
#include <gmock/gmock.h>

#include "host/results/result_file.hpp"
#include "program.hpp"

namespace scree {
namespace {

using testing::HasSubstr;

class Cluster : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    std::ifstream file(SCREE_SOURCE_DIR "/docs/cluster.md");
    page_ = std::string((std::istreambuf_iterator<char>(file)), {});
    write("study.toml", small_study);
    write("array.sh", block_from("#!/bin/bash"));
  }
  void TearDown() override {
    if (is_running_) shell(SCREE_SOURCE_DIR "/tests/cluster/slurm_local.sh stop '" + folder_ + "/slurm'");
    Cli::TearDown();
  }
  /// Skips the test where there is none.
  void start_slurm() {
    if (getuid() != 0) GTEST_SKIP() << "munged is started as root";
    for (const char* needed : {"slurmctld", "slurmd", "munged", "sbatch"})
      if (shell(std::string("command -v ") + needed).empty()) GTEST_SKIP() << "there is no " << needed;
    std::filesystem::permissions(folder_, std::filesystem::perms(0755));  // munged is another user
    const std::string said =
        shell(SCREE_SOURCE_DIR "/tests/cluster/slurm_local.sh start '" + folder_ + "/slurm' 4; echo code $?");
    is_running_ = true;
    ASSERT_THAT(said, HasSubstr("code 0"));
  }
  /// The lines of the page from this one to the end of its block.
  std::string block_from(const std::string& first) const {
    std::string block;
    std::istringstream lines(page_.substr(page_.find("\n" + first + "\n") + 1));
    for (std::string line; std::getline(lines, line) && !line.starts_with("```");) block += line + '\n';
    return block;
  }
  /// The commands of a section of the page, a line each.
  std::string commands_of(const std::string& title) const {
    const std::size_t begin = page_.find("\n## " + title + "\n"), end = page_.find("\n## ", begin + 4);
    std::string commands;
    std::istringstream lines(page_.substr(begin, end - begin));
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("$ ")) commands += line.substr(2) + '\n';
    return commands;
  }
  /// What a script of the page prints, and its exit code.
  std::string run_as_shown(const std::string& commands) const {
    write("commands.sh", "set -eu\nexport PATH='" + std::filesystem::path(SCREE_PROGRAM).parent_path().string() +
                             "':$PATH SLURM_CONF='" + folder_ + "/slurm/slurm.conf'\n" + commands);
    return shell("bash commands.sh 2>&1; echo code $?");
  }
  /// Waits until SLURM has no job any more.
  void await_all_jobs() const {
    const auto jobs = [&] { return run_as_shown("squeue -h -o %i"); };
    await([&] { return jobs() == "code 0\n"; }, 0.1);
    ASSERT_EQ(jobs(), "code 0\n") << log_of("1_0");
  }
  void expect_whole(const std::string& file) {
    if (!std::filesystem::exists(path("whole.h5"))) {
      ASSERT_EQ(scree({"run", "study.toml", "--scheme", "implicit", "--quiet", "-o", "whole.h5"}).code, 0);
    }
    const StoredResult one = read_result(path(file)), whole = read_result(path("whole.h5"));
    EXPECT_EQ(one.arms[0].digest, whole.arms[0].digest);
    EXPECT_EQ(unfinished_samples(one.arms[0]), 0u);
  }
  std::string log_of(const std::string& name) const {
    std::string text = read("slurm-" + name + ".out");
    for (const char* log : {"slurmctld", "slurmd"}) text += read(std::string("slurm/") + log + ".log");
    return text;
  }

  std::string page_;
  bool is_running_ = false;
};

TEST_F(Cluster, PartsAndTheirWholeAreMadeAsThePageSays) {
  const std::string commands = commands_of("Parts and their whole");
  ASSERT_EQ(std::ranges::count(commands, '\n'), 5);
  const std::string printed = run_as_shown(commands);
  EXPECT_TRUE(printed.ends_with("code 0\n")) << printed;
  expect_whole("small.h5");
  expect_whole("par.h5");
}

TEST_F(Cluster, GnuParallelRunsPartsAsThePageSays) {
  if (shell("parallel --version 2>&1").find("GNU parallel") == std::string::npos)
    GTEST_SKIP() << "there is no GNU parallel";
  const std::string commands = commands_of("GNU parallel and Snakemake");
  const std::string printed = run_as_shown(commands.substr(0, commands.find("snakemake ")));
  EXPECT_TRUE(printed.ends_with("code 0\n")) << printed;
  expect_whole("many.h5");
}

TEST_F(Cluster, SnakemakeRunsPartsAsThePageSays) {
  if (shell("command -v snakemake").empty()) GTEST_SKIP() << "there is no Snakemake";
  write("Snakefile", block_from("PARTS = 16"));
  const std::string commands = commands_of("GNU parallel and Snakemake");
  const std::string printed = run_as_shown("export HOME=\"$PWD\"\n" + commands.substr(commands.find("snakemake ")));
  EXPECT_TRUE(printed.ends_with("code 0\n")) << printed;
  expect_whole("snake.h5");
}

TEST_F(Cluster, MpiRunsAsThePageSays) {
  if (!std::filesystem::exists(std::filesystem::path(SCREE_PROGRAM).parent_path() / "scree-mpi"))
    GTEST_SKIP() << "there is no MPI";
  const std::string commands = commands_of("MPI");
  ASSERT_EQ(std::ranges::count(commands, '\n'), 1);
  const std::string printed = run_as_shown(open_mpi_may + commands);
  EXPECT_TRUE(printed.ends_with("code 0\n")) << printed;
  expect_whole("mpi.h5");
}

TEST_F(Cluster, MpiRunsWithinAnAllocationOfSlurm) {
  if (!std::filesystem::exists(std::filesystem::path(SCREE_PROGRAM).parent_path() / "scree-mpi"))
    GTEST_SKIP() << "there is no MPI";
  start_slurm();
  if (run_as_shown("srun --mpi=list 2>&1").find("pmix") == std::string::npos) GTEST_SKIP() << "this SLURM has no PMIx";
  const std::string printed = run_as_shown(
      "srun -n 3 --mpi=pmix scree-mpi run study.toml --scheme implicit --shards 5 --threads 1 --quiet -o mpi.h5");
  EXPECT_TRUE(printed.ends_with("code 0\n")) << printed << log_of("1_0");
  expect_whole("mpi.h5");
}

TEST_F(Cluster, TheJobArrayOfThePageRunsOnSlurm) {
  start_slurm();
  const std::string commands = commands_of("SLURM");
  ASSERT_EQ(std::ranges::count(commands, '\n'), 2);
  const std::string printed = run_as_shown(commands);
  EXPECT_TRUE(printed.ends_with("code 0\n")) << printed << log_of("1_0");
  await_all_jobs();
  expect_whole("big.h5");
}

TEST_F(Cluster, WhatIsCancelledAndRequeuedGoesOn) {
  start_slurm();
  // Some seconds for each part.
  std::string text = small_study;
  text.replace(text.find("samples = 20"), 12, "samples = 10000");
  write("study.toml", text);
  ASSERT_THAT(run_as_shown("sbatch --parsable --array=0-1 array.sh 2"), HasSubstr("code 0"));
  const auto began = [&](int part) {
    const std::string file = path("big.h5.shards/0000" + std::to_string(part) + "-of-00002.h5");
    return std::filesystem::exists(file + ".journal") || std::filesystem::exists(file);
  };
  ASSERT_TRUE(await([&] { return began(0) && began(1); })) << log_of("1_0");
  usleep(100'000);
  ASSERT_THAT(run_as_shown("scontrol requeue 1_0; scancel 1_1"), HasSubstr("code 0"));
  await_all_jobs();
  EXPECT_THAT(read("slurm-1_0.out"), HasSubstr("going on with ")) << log_of("1_0");
  const std::string missing = run_as_shown("scree merge big.h5.shards -o big.h5");
  EXPECT_THAT(missing, HasSubstr("1 of 2 shards is missing or not finished: 1;"));
  ASSERT_THAT(run_as_shown("sbatch --array=1 array.sh 2"), HasSubstr("code 0"));
  await_all_jobs();
  ASSERT_THAT(run_as_shown("scree merge big.h5.shards -o big.h5"), HasSubstr("code 0"));
  expect_whole("big.h5");
}

}  // namespace
}  // namespace scree
