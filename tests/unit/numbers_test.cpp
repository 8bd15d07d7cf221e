// Numbers that lie in a file, and what is made of them.
#include "host/common/numbers.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "fake_result.hpp"
#include "host/commands/extend.hpp"
#include "host/common/error.hpp"
#include "host/config/config.hpp"
#include "host/engine/execute.hpp"
#include "host/engine/memory.hpp"
#include "host/model/digest.hpp"
#include "host/results/result_file.hpp"
#include "tests/support/numbers.hpp"

namespace scree {
namespace {

using namespace fake;

class NumbersInAFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "scree_numbers_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    path_ = folder_ + "/r.h5";
  }
  void TearDown() override {
    unsetenv("SCREE_TABLE_MEMORY");
    std::filesystem::remove_all(folder_);
  }
  /// Bytes of this process that are pages of files in memory.
  static double in_memory() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("RssFile:")) return 1024 * std::stod(line.substr(8));
    return -1;
  }
  std::string folder_, path_;
};

TEST_F(NumbersInAFile, AreZerosWithoutAName) {
  const Numbers<double> numbers = Numbers<double>::in_file(path_, 1000);
  EXPECT_TRUE(numbers.is_in_file());
  EXPECT_EQ(numbers, Numbers<double>(std::vector<double>(1000)));
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  EXPECT_TRUE(Numbers<double>::in_file(path_, 0).empty());
}

TEST_F(NumbersInAFile, AreThereAgainAfterTheyWereReleased) {
  constexpr std::size_t size = 1 << 22;
  Numbers<std::uint64_t> numbers = Numbers<std::uint64_t>::in_file(path_, size);
  const double before = in_memory();
  for (std::size_t i = 0; i < size; ++i) numbers[i] = i * i;
  EXPECT_GT(in_memory(), before + 30e6);
  numbers.release(0, size);
  EXPECT_LT(in_memory(), before + 1e6);
  for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(numbers[i], i * i);
  numbers.release(1000, 1);  // half a page, or less
  EXPECT_EQ(numbers[1000], 1000000u);
}

TEST_F(NumbersInAFile, AreCopiedIntoMemoryAndMovedAsTheyAre) {
  Numbers<double> numbers = Numbers<double>::in_file(path_, 3);
  numbers[1] = 5;
  const Numbers<double> copy = numbers;
  EXPECT_FALSE(copy.is_in_file());
  EXPECT_EQ(copy, numbers);
  Numbers<double> moved = std::move(numbers);
  EXPECT_TRUE(moved.is_in_file());
  EXPECT_EQ(moved, copy);
  moved.push_back(7);
  EXPECT_FALSE(moved.is_in_file());
  EXPECT_EQ(moved, (Numbers<double>{0, 5, 0, 7}));
}

TEST_F(NumbersInAFile, AreRefusedInTheSystemsWordsWhereThereIsNoRoom) {
  try {
    Numbers<double>::in_file(path_, std::size_t{1} << 40);  // 8.8 TB, which ext4 would have as one file
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code, Exit::device);
    EXPECT_THAT(error.what(), testing::MatchesRegex(".*: a file of 8.796 TB for what memory is not to hold: "
                                                    "(No space left on device|File too large)"));
  }
  EXPECT_THROW(Numbers<double>::in_file(folder_ + "/no/r.h5", 1), Error);
}

TEST_F(NumbersInAFile, GiveTheStatisticsAndDigestOfThoseInMemory) {
  std::vector<double> far, near;
  for (int i = 0; i < 200000; ++i) far.push_back(100 + i % 977), near.push_back(1.0 / (1 + i));
  std::vector<std::uint32_t> status(200000, stopped);
  for (std::size_t i = 0; i < status.size(); i += 7) status[i] = end_time;
  const SummaryTable memory = table(plain(), {far, near}, status), file = grown(memory, plain(), 200000, path_);
  ASSERT_TRUE(file.values.is_in_file());
  EXPECT_EQ(file.values, memory.values);
  EXPECT_EQ(digest(file), digest(memory));
  const Statistics a = statistics(file, nullptr, 0, 2), b = statistics(memory);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_EQ(a.columns[c].mean, b.columns[c].mean);
    EXPECT_EQ(a.columns[c].sd, b.columns[c].sd);
    EXPECT_EQ(a.columns[c].quantiles, b.columns[c].quantiles);
    EXPECT_EQ(a.by_status[end_time][c].mean, b.by_status[end_time][c].mean);
  }
  const SummaryTable fewer = grown(file, plain(), 100, path_);
  EXPECT_EQ(fewer.at(0, 99), far[99]);
}

Run shots() {
  return load_run_text("x.toml",
                       "system = 'projectile'\nscheme = 'exact'\nsamples = 3000\nstep = 0.5\nend = 60\n[vary]\n"
                       "'start.angle' = { uniform = [0.1, 1.5] }\n",
                       {});
}

TEST_F(NumbersInAFile, AreWhatARunLeavesWhereItIsMoreThanMemoryIsToHold) {
  const scree::Run run = shots();
  const Engine engine = choose_engine(run, {});
  const auto with = [&](const std::string& output) {
    return execute(run, "exact", engine, {}, "", {}, nullptr, nullptr, output);
  };
  const Arm memory = with(path_);
  EXPECT_FALSE(memory.table.values.is_in_file());
  setenv("SCREE_TABLE_MEMORY", "1e5", 1);
  const Arm file = with(path_);
  EXPECT_TRUE(file.table.values.is_in_file());
  EXPECT_FALSE(with("").table.values.is_in_file());
  EXPECT_EQ(file.digest, memory.digest);
  EXPECT_EQ(file.statistics.columns[0].mean, memory.statistics.columns[0].mean);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(NumbersInAFile, AreWhatIsReadOfAResultThatIsMoreThanMemoryIsToHold) {
  const scree::Run run = shots();
  const Arm memory = execute(run, "exact", choose_engine(run, {}));
  write_result(path_, run, {memory}, true);
  EXPECT_FALSE(read_result(path_).arms[0].table.values.is_in_file());
  setenv("SCREE_TABLE_MEMORY", "1e5", 1);
  const StoredResult read = read_result(path_);
  EXPECT_TRUE(read.arms[0].table.values.is_in_file());
  EXPECT_EQ(read.arms[0].table.values, memory.table.values);
  EXPECT_EQ(read.arms[0].statistics.columns[0].mean, memory.statistics.columns[0].mean);
  const Arm finished = finished_of(path_, "/", read.arms[0], run);
  EXPECT_TRUE(finished.table.values.is_in_file());
  EXPECT_EQ(digest(finished.table), memory.digest);
  std::filesystem::remove(path_);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(NumbersInAFile, AreForeseen) {
  scree::Run run = shots();
  run.samples = 1000000000;
  const Work work = work_of(run);
  setenv("SCREE_TABLE_MEMORY", "1e9", 1);
  EXPECT_TRUE(lies_in_file(run, path_));
  EXPECT_FALSE(lies_in_file(run, path_, 2));  // of tables that are compared
  EXPECT_FALSE(lies_in_file(run, ""));
  const double values = 8e9 * static_cast<double>(run.model->description.columns.size());
  EXPECT_EQ(disk_needed(run, work, path_).tables, values + 8e9);
  EXPECT_EQ(disk_needed(run, work, "").tables, 0);
  EXPECT_LT(memory_needed(run, work, 2, path_), memory_needed(run, work, 2) - values + 1e9);
}

}  // namespace
}  // namespace scree
