#include "host/results/result_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "fake_result.hpp"
#include "host/commands/info.hpp"
#include "host/common/durable.hpp"
#include "host/common/error.hpp"
#include "host/report/verdict.hpp"
#include "host/results/hdf5.hpp"
#include "host/results/output.hpp"
#include "tests/support/numbers.hpp"

namespace scree {
namespace {

using namespace fake;
using test::nan;
namespace fs = std::filesystem;

class ResultFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "scree-result-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
    path = (folder / "result.h5").string();
  }
  void TearDown() override { fs::remove_all(folder); }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
    return names;
  }
  /// Code and line of the Error that `action` throws.
  template <class Action>
  static std::pair<Exit, std::string> error_of(Action action) {
    try {
      action();
    } catch (const Error& error) {
      return {error.code, error.what()};
    }
    return {Exit::ok, ""};
  }
  fs::path folder;
  std::string path;
};

SummaryTable four_ends() {
  return table(plain(), {{1.5, 0.1, 1e-300, 7}, {10, -0.0, nan, 8}}, {stopped, end_time, stopped, not_run});
}

std::vector<double> numbers(hid_t file, const std::string& name, std::size_t size) {
  std::vector<double> values(size);
  h5::read_array(file, name, H5T_NATIVE_DOUBLE, size, values.data());
  return values;
}

TEST_F(ResultFile, KeepsWhatDigestsAndMeansOverStepsNeed) {
  Description d = timed();
  d.columns[3].late = true;
  scree::Run r = run();
  r.samples = 2;
  const Arm written = fake::arm("explicit", table(d, {{1, 2}, {8, 4}, {3, 1}, {8, 4}}));
  write_result(path, r, {written}, false);
  const StoredResult result = read_result(path);
  const SummaryTable& read = result.arms[0].table;
  EXPECT_EQ(read.description->columns[1].time, 2);
  EXPECT_EQ(read.description->columns[1].rms, 3);
  EXPECT_EQ(read.description->columns[0].time, -1);
  EXPECT_TRUE(read.description->columns[3].late);
  EXPECT_FALSE(read.description->columns[2].late);
  EXPECT_EQ(digest(read), digest(written.table));
  EXPECT_EQ(over_steps(read, 1).mean, 7);
}

TEST_F(ResultFile, GivesBackWhatWasWritten) {
  scree::Run r = run();
  r.title = "a study";
  r.overlays = {"samples=4"};
  r.inputs = {{"dem.asc", "0123", ""}};
  r.warnings = {"one", ""};
  r.preset = "ground medium";
  r.preset_note = "of a friend";
  r.group_by = "shape";
  r.shape_names = {"flat rock", "cube"};
  r.spec.seed = 0xFFFFFFFFFFFFFFFFu;
  const Arm written = arm("explicit", four_ends(), {0, 1, -1, 0}, 2);
  write_result(path, r, {written}, false);
  const StoredResult result = read_result(path);
  EXPECT_EQ(result.run.title, "a study");
  EXPECT_EQ(result.run.config_path, fs::absolute("cart.toml").string());
  EXPECT_EQ(result.run.config_text, "system = \"cart\"\n");
  EXPECT_EQ(result.config_xxh3, xxh3_hex(r.config_text));
  EXPECT_EQ(result.run.overlays, r.overlays);
  EXPECT_EQ(result.run.inputs.at(0).path, "dem.asc");
  EXPECT_EQ(result.run.inputs.at(0).xxh3, "0123");
  EXPECT_EQ(result.run.warnings, r.warnings);
  EXPECT_EQ(result.run.preset, "ground medium");
  EXPECT_EQ(result.run.preset_note, "of a friend");
  EXPECT_EQ(result.run.schemes, std::vector<std::string>{"explicit"});
  EXPECT_EQ(result.run.shape_names, r.shape_names);
  EXPECT_EQ(result.run.samples, 4u);
  EXPECT_EQ(result.run.spec.seed, r.spec.seed);
  EXPECT_EQ(result.run.spec.world.step, 0.01);
  EXPECT_EQ(result.run.spec.world.end, 20.0);
  EXPECT_EQ(result.description->system, "cart");
  EXPECT_EQ(result.description->meaning, "a cart that rolls out");
  EXPECT_EQ(result.description->columns.at(0).name, "reach");
  EXPECT_EQ(result.description->columns.at(0).counted, Counted::stopped);
  EXPECT_EQ(result.description->columns.at(1).unit, "m/s");
  EXPECT_EQ(result.description->columns.at(1).meaning, "largest speed");
  EXPECT_EQ(result.description->columns.at(1).counted, Counted::all);
  EXPECT_EQ(result.description->headline, plain().headline);
  EXPECT_EQ(result.description->why, plain().why);
  EXPECT_EQ(result.description->deposition_x, -1);
  const Arm& read = result.arms.at(0);
  EXPECT_EQ(read.scheme, "explicit");
  EXPECT_EQ(read.backend, "scalar");
  EXPECT_EQ(read.threads, 2);
  EXPECT_EQ(read.wall_s, 0.5);
  EXPECT_EQ(read.sample_steps, 12345u);
  EXPECT_EQ(read.group, written.group);
  EXPECT_EQ(read.table.status, written.table.status);
  EXPECT_EQ(digest(read.table), read.digest);  // every bit of the finished samples
  EXPECT_EQ(read.digest, written.digest);
  EXPECT_TRUE(std::isnan(read.table.at(0, 3)));  // not run
  EXPECT_EQ(read.statistics.columns[0].mean, written.statistics.columns[0].mean);
  EXPECT_EQ(read.statistics.groups[0].columns[0].n, 1u);
  EXPECT_THAT(files(), testing::ElementsAre("result.h5"));
}

TEST(Hdf5Session, IsOfOneThreadAtATime) {
  std::atomic<bool> inside{false};
  std::optional<h5::Session> first(std::in_place);
  std::jthread other([&] {
    const h5::Session second;
    inside = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(inside);
  { const h5::Session again; }  // of the thread that has one
  EXPECT_FALSE(inside);
  first.reset();
  other.join();
  EXPECT_TRUE(inside);
}

TEST_F(ResultFile, CompressesLargeTablesAndGivesThemBack) {
  std::vector<double> values;
  for (int i = 0; i < 100000; ++i) values.push_back(std::sqrt(static_cast<double>(i / 100)));
  const Arm written = arm("explicit", table(plain(), {values, values}));
  write_result(path, run(), {written}, false);
  EXPECT_LT(fs::file_size(path), 2 * 8 * values.size() / 10);
  EXPECT_EQ(digest(read_result(path).arms.at(0).table), written.digest);
}

TEST_F(ResultFile, HoldsSeveralSchemesAndTheirPairedDifferences) {
  const std::vector<Arm> arms{arm("explicit", table(plain(), {{1, 2, 3}, {1, 1, 1}})),
                              arm("implicit", table(plain(), {{3, 4, 6}, {1, 1, 1}}))};
  scree::Run r = run();
  r.margins = {0.5, 0};
  const Evaluation evaluation = evaluate_in_words(r, arms, 1);
  write_result(path, r, arms, false, &evaluation);
  const StoredResult result = read_result(path);
  EXPECT_EQ(result.run.margins, r.margins);
  ASSERT_EQ(result.arms.size(), 2u);
  EXPECT_EQ(result.arms[1].scheme, "implicit");
  EXPECT_EQ(result.arms[1].digest, arms[1].digest);
  EXPECT_EQ(result.arms[1].table.values, arms[1].table.values);
  const h5::Handle file = h5::open_file(path);
  EXPECT_EQ(h5::read_text(file, "digest"), arms[0].digest + " " + arms[1].digest);
  EXPECT_DOUBLE_EQ(numbers(file, "compare/difference", 2)[0], 7.0 / 3);
  EXPECT_EQ(h5::read_text(h5::open_group(file, "compare"), "baseline"), "explicit");
  EXPECT_EQ(numbers(file, "arms/implicit/samples/reach", 3), (std::vector<double>{3, 4, 6}));
}

TEST_F(ResultFile, HoldsStatisticsAlongColumnQuantileAndStatus) {
  const Arm written =
      arm("explicit", table(plain(), {{1, 2, 4, 8}, {5, 6, 7, 8}}, {stopped, stopped, stopped, end_time}));
  write_result(path, run(), {written}, false);
  const h5::Handle file = h5::open_file(path);
  const std::vector<ColumnStatistics>& s = written.statistics.columns;
  EXPECT_EQ(numbers(file, "statistics/mean", 2), (std::vector<double>{s[0].mean, s[1].mean}));
  EXPECT_EQ(numbers(file, "statistics/ci95_high", 2), (std::vector<double>{s[0].ci_high, s[1].ci_high}));
  EXPECT_EQ(numbers(file, "statistics/n", 2), (std::vector<double>{3, 4}));
  EXPECT_EQ(numbers(file, "statistics/quantiles", 14)[8], s[1].quantiles[1]);
  EXPECT_EQ(numbers(file, "statistics/status_samples", 10), (std::vector<double>{0, 3, 1, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(numbers(file, "statistics/status_mean", 20)[2 * 2 + 1], 8.0);
}

TEST_F(ResultFile, HoldsReplicatesAndTheirGain) {
  scree::Run r = run();
  r.sampling = {true, 2, 3};
  SummaryTable samples = table(plain(), {{1, 2, 4, 8}, {5, 6, 7, 8}});
  samples.replicates = 2;
  const Arm written = arm("explicit", samples), other = arm("implicit", samples);
  const std::vector<Arm> both{written, other};
  const Evaluation evaluation = evaluate_in_words(r, both, 1);
  write_result(path, r, both, false, &evaluation);
  const std::vector<ColumnStatistics>& s = written.statistics.columns;
  const h5::Handle file = h5::open_file(path);
  EXPECT_EQ(h5::read_text(file, "sampling"), "sobol");
  EXPECT_EQ(numbers(file, "arms/explicit/statistics/gain", 2), (std::vector<double>{s[0].gain, s[1].gain}));
  EXPECT_TRUE(h5::has_link(h5::open_group(file, "compare"), "gain"));
  const StoredResult result = read_result(path);
  EXPECT_TRUE(result.run.sampling.sobol);
  EXPECT_EQ(result.run.sampling.replicates, 2);
  EXPECT_EQ(result.run.sampling.dimensions, 3);
  EXPECT_EQ(result.arms[1].table.replicates, 2);
  EXPECT_EQ(result.arms[1].statistics.columns[0].ci_low, s[0].ci_low);
  EXPECT_EQ(result.arms[1].statistics.columns[0].gain, s[0].gain);
}

TEST_F(ResultFile, OfIndependentSamplesHasNoGain) {
  write_result(path, run(), {arm("explicit", four_ends())}, false);
  const h5::Handle file = h5::open_file(path);
  EXPECT_EQ(h5::read_text(file, "sampling"), "random");
  EXPECT_FALSE(h5::has_link(h5::open_group(file, "statistics"), "gain"));
  EXPECT_FALSE(read_result(path).run.sampling.sobol);
}

TEST_F(ResultFile, HoldsTheDeposition) {
  const Arm written = arm("explicit", table(resting(true), {{0, 1, 5}, {0, 1, 2}, {-10, 0, 10}}));
  write_result(path, run(), {written}, false);
  const h5::Handle file = h5::open_file(path), group = h5::open_group(file, "deposition");
  EXPECT_EQ(h5::read_double(group, "semi_major"), written.statistics.deposition.semi_major);
  EXPECT_EQ(h5::read_text(group, "lateral_width_definition"), "5 to 95 % of lateral_final");
  const StoredResult result = read_result(path);
  EXPECT_EQ(result.description->deposition_across, 2);
  EXPECT_EQ(result.arms[0].statistics.deposition.angle, written.statistics.deposition.angle);
}

TEST_F(ResultFile, HoldsTheTargetsAndLooks) {
  Arm written = arm("explicit", table(plain(), {{1, 2, 4, 8}, {5, 6, 7, 8}}));
  const std::string texts[] = {"mean(reach) +- 1 m, p95(speed) +- 2 %"};
  const Until plan = plan_until(parse_targets(texts, plain()), 4, 16);
  for (const bool taken : {false, true}) {
    written.until = plan;
    if (taken) look(written.until, written.table);
    write_result(path, run(), {written}, true);
    const Until read = read_result(path).arms.at(0).until;
    EXPECT_EQ(read.looks, plan.looks);
    EXPECT_EQ(read.taken, taken ? 1u : 0u);
    EXPECT_EQ(read.miss, plan.miss);
    ASSERT_EQ(read.targets.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
      const Reached &before = written.until.targets[i], &after = read.targets[i];
      EXPECT_EQ(after.target.text, before.target.text);
      EXPECT_EQ(after.n, taken ? 4u : 0u);
      EXPECT_EQ(after.met, before.met);
      EXPECT_EQ(after.why, before.why);
      EXPECT_TRUE(taken ? after.estimate == before.estimate : std::isnan(after.estimate));
      EXPECT_TRUE(taken ? after.interval.high == before.interval.high : std::isnan(after.interval.high));
    }
  }
  // Of four values none is sure to exceed their 95 % quantile.
  EXPECT_TRUE(std::isinf(read_result(path).arms.at(0).until.targets[1].interval.high));
}

TEST_F(ResultFile, IsTheSameFileForTheSameResult) {
  const auto bytes = [](const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(name, std::ios::binary).rdbuf();
    return text.str();
  };
  write_result(path, run(), {arm("explicit", four_ends())}, false);
  // HDF5 would mark what it makes with the second in which it did.
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  write_result(path + "2", run(), {arm("explicit", four_ends())}, false);
  EXPECT_TRUE(bytes(path) == bytes(path + "2"));
}

TEST_F(ResultFile, IsNotReplacedWithoutForce) {
  write_result(path, run(), {arm("explicit", four_ends())}, false);
  EXPECT_EQ(error_of([&] { check_output(path, false); }),
            std::pair(Exit::usage, path + ": exists already; give another name, or --force to replace it"));
  EXPECT_EQ(error_of([&] { write_result(path, run(), {arm("implicit", four_ends())}, false); }),
            std::pair(Exit::failed, path + ": a file has appeared there meanwhile, which --force would replace"));
  EXPECT_EQ(read_result(path).arms[0].scheme, "explicit");
  write_result(path, run(), {arm("implicit", four_ends())}, true);
  EXPECT_EQ(read_result(path).arms[0].scheme, "implicit");
}

TEST_F(ResultFile, NeedsAFolderThatIsThereAndCanBeWritten) {
  const std::string missing = (folder / "missing" / "result.h5").string();
  EXPECT_EQ(error_of([&] { check_output(missing, false); }),
            std::pair(Exit::usage, missing + ": there is no folder " + (folder / "missing").string()));
  EXPECT_EQ(error_of([&] { check_output(folder.string(), true); }),
            std::pair(Exit::usage, folder.string() + ": the result is a file, but this names a folder"));
  // Nobody, not even root, makes files in /proc; the system's own reason depends on who asks.
  ASSERT_LT(open("/proc/.scree", O_CREAT | O_WRONLY, 0666), 0);
  const std::string reason = std::strerror(errno);
  EXPECT_EQ(error_of([&] { check_output("/proc/result.h5", false); }),
            std::pair(Exit::usage, "/proc/result.h5: cannot write to the folder /proc: " + reason));
  check_output(path, false);
  EXPECT_THAT(files(), testing::IsEmpty());  // the check leaves nothing behind
}

TEST_F(ResultFile, IsNotPutInThePlaceOfAPipe) {
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const std::pair<Exit, std::string> refused{Exit::usage,
                                             path + ": the result is a file, but this names a device or a pipe"};
  EXPECT_EQ(error_of([&] { check_output(path, false); }), refused);
  EXPECT_EQ(error_of([&] { write_result(path, run(), {arm("explicit", four_ends())}, true); }), refused);
  EXPECT_TRUE(fs::is_fifo(path));
  EXPECT_THAT(files(), testing::ElementsAre("result.h5"));
}

TEST_F(ResultFile, OnAFullDiskLeavesNothingBehind) {
  // In a process of its own, which has the limit and ends without HDF5's clean-up.
  const auto write_with_little_room = [&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{8192, 8192};
    setrlimit(RLIMIT_FSIZE, &limit);
    const std::vector<double> values(1000, 0.1);
    const auto [code, line] = error_of([&] {
      write_result(path, run(), {arm("explicit", table(plain(), {values, values}))}, false);
    });
    std::fprintf(stderr, "%s\n", line.c_str());
    std::exit(static_cast<int>(code));
  };
  EXPECT_EXIT(write_with_little_room(), testing::ExitedWithCode(1),
              "^.*/result\\.h5: cannot be written: File too large\n$");
  EXPECT_THAT(files(), testing::IsEmpty());
}

TEST_F(ResultFile, IsReadOnlyIfItIsOne) {
  EXPECT_EQ(error_of([&] { read_result(path); }), std::pair(Exit::input, path + ": there is no such file"));
  std::ofstream(path) << "text";
  EXPECT_EQ(error_of([&] { read_result(path); }), std::pair(Exit::input, path + ": not an HDF5 file"));
  h5::create_file(path).close();
  EXPECT_EQ(error_of([&] { read_result(path); }),
            std::pair(Exit::input, path + ": not a result of Scree: there is no root attribute schema_version"));
  h5::Handle file = h5::create_file(path);
  h5::write_attribute(file, "schema_version", 99);
  file.close();
  EXPECT_EQ(error_of([&] { read_result(path); }),
            std::pair(Exit::input, path + ": has schema version 99, this program reads 2 to 3"));
}

TEST_F(ResultFile, ThatWasCutOffIsRefusedInOneLine) {
  write_result(path, run(), {arm("explicit", four_ends())}, false);
  fs::resize_file(path, fs::file_size(path) / 2);
  const auto [code, line] = error_of([&] { read_result(path); });
  EXPECT_EQ(code, Exit::input);
  EXPECT_THAT(line, testing::StartsWith(path + ": truncated file: "));
}

TEST_F(ResultFile, WithATextThatIsNoUtf8IsToldAsJson) {
  scree::Run r = run();
  r.title = "caf\xe9";
  write_result(path, r, {arm("explicit", four_ends())}, false);
  std::ostringstream out;
  print_info_json(out, path);
  EXPECT_THAT(out.str(), testing::HasSubstr("caf\\\\xe9"));
}

/// Else a link back to its arm would be followed without an end.
TEST_F(ResultFile, HasNoFinerArmsOfFinerArms) {
  std::vector<Arm> arms = two_arms();
  for (Arm& arm : arms) arm.finer.push_back(two_arms()[0]);
  const Evaluation evaluation = evaluate_in_words(run(), arms, 1);
  write_result(path, run(), arms, false, &evaluation);
  {
    const h5::Handle file = h5::open_to_add(path);
    ASSERT_GE(H5Lcreate_soft("/arms/explicit", file, "arms/explicit/finer/back", H5P_DEFAULT, H5P_DEFAULT), 0);
  }
  const StoredResult result = read_result(path);
  ASSERT_EQ(result.arms.at(0).finer.size(), 2u);
  EXPECT_EQ(result.arms[0].finer[1].digest, result.arms[0].digest);
  EXPECT_TRUE(result.arms[0].finer[1].finer.empty());
}

TEST_F(ResultFile, IsToldByInfo) {
  scree::Run r = run();
  r.inputs = {{"dem.asc", "0123", ""}};
  const Arm written = arm("explicit", four_ends());
  write_result(path, r, {written}, false);
  std::ostringstream screen, out;
  print_info(screen, path);
  EXPECT_THAT(screen.str(), testing::StartsWith(path + ": run by scree "));
  EXPECT_THAT(screen.str(), testing::HasSubstr("explicit: 4 samples: 2 stopped, 1 end_time, 1 not_run\n"));
  EXPECT_THAT(screen.str(), testing::HasSubstr("--all: every column"));
  print_info(out, path, {.all = true});
  EXPECT_THAT(out.str(), testing::StartsWith(path + ": run by scree "));
  EXPECT_THAT(out.str(), testing::HasSubstr("input dem.asc, XXH3 0123\n"));
  EXPECT_THAT(out.str(), testing::HasSubstr("explicit: 4 samples: 2 stopped, 1 end_time, 1 not_run\n"));
  EXPECT_THAT(out.str(), testing::HasSubstr("digest " + written.digest + "\n"));
  EXPECT_THAT(out.str(), testing::HasSubstr("Over the 2 samples that stopped; left out: 1 end_time, 1 not_run\n"));
  EXPECT_THAT(out.str(), testing::EndsWith("Config " + fs::absolute("cart.toml").string() + "\n  system = \"cart\"\n"));
  EXPECT_THAT(out.str(), testing::Not(testing::HasSubstr("warning")));
}

TEST(PartFiles, OfLongNamesThatBeginAlikeAreEachTheirOwn) {
  const std::string start =
      (std::filesystem::temp_directory_path() / ("scree_part_" + std::to_string(getpid()))).string() +
      std::string(180, 's');
  const std::string a = start + "_A.h5", b = start + "_B.h5", of_a = make_part_file(a), of_b = make_part_file(b);
  remove_part_files(a);
  EXPECT_FALSE(std::filesystem::exists(of_a));
  EXPECT_TRUE(std::filesystem::exists(of_b));
  remove_part_files(b);
  EXPECT_FALSE(std::filesystem::exists(of_b));
}

}  // namespace
}  // namespace scree
