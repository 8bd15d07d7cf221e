// What control groups leave a process, by folders that stand for /sys/fs/cgroup, and threads for which that is enough.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "host/common/available_memory.hpp"
#include "host/common/cgroup.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

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
