// What control groups leave a process, by folders that stand for /sys/fs/cgroup, and threads for which that is enough.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "host/common/available_memory.hpp"
#include "host/common/available_threads.hpp"
#include "host/common/cgroup.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// The numbers from `first` on.
std::vector<int> processors(int count, int first = 0) {
  std::vector<int> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(first + i);
  return numbers;
}

/// What each of several processes gets.
std::vector<int> shares(const std::vector<std::vector<int>>& allowed, double quota = INFINITY) {
  std::vector<int> all;
  for (std::size_t i = 0; i < allowed.size(); ++i) all.push_back(share_of_processors(allowed, i, quota));
  return all;
}

TEST(Processors, AreSharedByThoseThatMayRunOnThem) {
  using Shares = std::vector<int>;
  EXPECT_EQ(shares({processors(64)}), Shares{64});
  EXPECT_EQ(shares({processors(8), processors(8), processors(8), processors(8)}), (Shares{2, 2, 2, 2}));
  EXPECT_EQ(shares({processors(8), processors(8), processors(8)}), (Shares{2, 2, 2}));
  // Bound to a core each, and to two sockets.
  EXPECT_EQ(shares({processors(1, 0), processors(1, 1)}), (Shares{1, 1}));
  EXPECT_EQ(shares({processors(16, 0), processors(16, 16), processors(16, 0), processors(16, 16)}),
            (Shares{8, 8, 8, 8}));
  // Masks that overlap: 4 alone and 4 with the other.
  EXPECT_EQ(shares({processors(8), processors(4)}), (Shares{6, 2}));
  EXPECT_EQ(shares({{3}, {3}, {3}}), (Shares{1, 1, 1}));
  EXPECT_EQ(shares({processors(9), processors(9), processors(9)}), (Shares{3, 3, 3}));
  // A quota is of all, however they are bound.
  EXPECT_EQ(shares({processors(64)}, 1.5), Shares{2});
  EXPECT_EQ(shares({processors(64), processors(64)}, 8), (Shares{4, 4}));
  EXPECT_EQ(shares({processors(32, 0), processors(32, 32)}, 8), (Shares{4, 4}));
  EXPECT_EQ(shares({processors(1), processors(1, 1)}, 0.5), (Shares{1, 1}));
}

class Groups : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("scree_cgroups_" + std::to_string(getpid()));
    groups_ = {(folder_ / "cgroup").string(), (folder_ / "self").string()};
    fs::create_directories(groups_.root);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void member(const std::string& lines) const { std::ofstream(groups_.membership) << lines; }
  void file(const std::string& name, const std::string& text) const {
    const fs::path path = fs::path(groups_.root) / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  fs::path folder_;
  Cgroups groups_;
};

TEST_F(Groups, LimitNothingWhereThereAreNone) {
  EXPECT_EQ(groups_.memory(), INFINITY);  // no file at all
  EXPECT_EQ(groups_.processors(), INFINITY);
  member("0::/job\n");
  file("job/memory.max", "max\n");
  file("job/memory.current", "1000\n");
  file("job/cpu.max", "max 100000\n");
  EXPECT_EQ(groups_.memory(), INFINITY);
  EXPECT_EQ(groups_.processors(), INFINITY);
}

/// A batch system limits the job and not the step below it, in which the process is.
TEST_F(Groups, LimitAllThatIsBelowThem) {
  member("0::/slurm/job_7/step_0\n");
  file("slurm/job_7/memory.max", "4000\n");
  file("slurm/job_7/memory.current", "1500\n");
  file("slurm/job_7/cpu.max", "150000 100000\n");
  file("slurm/job_7/step_0/memory.max", "max\n");
  file("slurm/job_7/step_0/memory.current", "900\n");
  file("slurm/job_7/step_0/cpu.max", "max 100000\n");
  EXPECT_EQ(groups_.memory(), 2500);
  EXPECT_EQ(groups_.processors(), 1.5);
  // The tighter one counts, with what its own level uses.
  file("slurm/job_7/step_0/memory.max", "1000\n");
  file("slurm/job_7/step_0/cpu.max", "50000 100000\n");
  EXPECT_EQ(groups_.memory(), 100);
  EXPECT_EQ(groups_.processors(), 0.5);
  // What is beside the way does not.
  file("slurm/job_8/memory.max", "1\n");
  file("slurm/job_8/memory.current", "1\n");
  EXPECT_EQ(groups_.memory(), 100);
}

TEST_F(Groups, CountNoFilesThatTheKernelWouldDrop) {
  member("0::/\n");
  file("memory.max", "1000\n");
  file("memory.current", "990\n");
  file("memory.stat", "anon 200\nfile 790\nactive_file 40\ninactive_file 750\n");
  EXPECT_EQ(groups_.memory(), 760);
  file("memory.current", "2000\n");
  EXPECT_EQ(groups_.memory(), 0) << "never less than nothing";
}

TEST_F(Groups, OfVersion1AreReadToo) {
  member("12:cpu,cpuacct:/batch/job\n4:memory:/batch/job\n1:name=systemd:/\n");
  file("memory/memory.limit_in_bytes", "9223372036854771712\n");
  file("memory/memory.usage_in_bytes", "5000\n");
  file("memory/batch/memory.limit_in_bytes", "3000\n");
  file("memory/batch/memory.usage_in_bytes", "1000\n");
  file("memory/batch/memory.stat", "cache 500\ninactive_file 1\ntotal_inactive_file 200\n");
  file("cpu,cpuacct/batch/cpu.cfs_quota_us", "-1\n");
  file("cpu,cpuacct/batch/cpu.cfs_period_us", "100000\n");
  file("cpu,cpuacct/batch/job/cpu.cfs_quota_us", "200000\n");
  file("cpu,cpuacct/batch/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(groups_.memory(), 2200);
  EXPECT_EQ(groups_.processors(), 2);
}

/// A container sees its own group as the root, and is told the path outside.
TEST_F(Groups, MayBeNamedAsTheyAreOutside) {
  member("4:memory:/docker/0123\n0::/../../other\n");
  file("memory/memory.limit_in_bytes", "700\n");
  file("memory/memory.usage_in_bytes", "300\n");
  file("cpu.max", "100000 100000\n");
  std::ofstream(folder_ / "cpu.max") << "1 100000\n";  // above the root
  EXPECT_EQ(groups_.memory(), 400);
  EXPECT_EQ(groups_.processors(), 1);
}

TEST_F(Groups, OfBothVersionsAreReadSideBySide) {
  member("4:memory:/\n0::/job\n");
  file("unified/job/cpu.max", "300000 100000\n");
  file("memory/memory.limit_in_bytes", "700\n");
  file("memory/memory.usage_in_bytes", "300\n");
  EXPECT_EQ(groups_.processors(), 3);
  EXPECT_EQ(groups_.memory(), 400);
}

TEST(ThreadsWithin, AreAsManyAsTheMemoryIsEnoughFor) {
  EXPECT_EQ(threads_within(8, 100, 800), 8);
  EXPECT_EQ(threads_within(8, 100, 799), 7);
  EXPECT_EQ(threads_within(8, 100, 99), 1);
  EXPECT_EQ(threads_within(8, 100, -5), 1);
  EXPECT_EQ(threads_within(8, 0, 0), 8);
  EXPECT_EQ(threads_within(2, 1e300, 1e3), 1);
}

}  // namespace
}  // namespace scree
