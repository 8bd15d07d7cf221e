// Calls of the system that fail, one after the other, and the power that goes at each: a command either does its work
// or says in one line what it could not, no file is damaged, and what it kept is gone on with.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>

#include "host/common/available_memory.hpp"
#include "host/journal/journal.hpp"
#include "host/model/digest.hpp"
#include "host/results/result_file.hpp"
#include "program.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::MatchesRegex;

class Faults : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("shots.toml", small_shots);
    write("watched.toml", small_study + "[maps]\nextent = [-10, -20, 40, 20]\ncell = 1\n");
    fs::create_directory(path("image"));
  }
  /// Runs a command of which a call fails, with no result there; whether it came to that.
  bool fails(const Words& command, const std::string& call, int at, const std::string& with,
             const std::string& more = "") {
    clear();
    return fails_beside(command, call, at, with, more);
  }
  /// The same with what is there.
  bool fails_beside(const Words& command, const std::string& call, int at, const std::string& with,
                    const std::string& more = "") {
    fs::remove(path("fired"));
    std::string line = "FAULT_FILE=r.h5 FAULT_CALL=" + call + " FAULT_AT=" + std::to_string(at) +
                       " FAULT_ERRNO=" + with + " " + more + " LD_PRELOAD=" SCREE_FAULTS " " SCREE_PROGRAM;
    for (const std::string& word : command) line += " '" + word + "'";
    const std::string all = "cd " + folder_ + " && " + line + " > stdout 2> stderr";
    const int status = std::system(all.c_str());
    outcome_ = printed({});
    outcome_.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return fs::exists(path("fired"));
  }
  /// Starts a command of which such calls, of such files, take so much longer (s).
  pid_t start_with_slow(const std::string& call, const std::string& of, const Words& command, int seconds = 1) const {
    return start_with({{"FAULT_FILE", of},
                       {"FAULT_CALL", call},
                       {"FAULT_AT", "1"},
                       {"FAULT_ON", "1"},
                       {"FAULT_ERRNO", "slow"},
                       {"FAULT_SECONDS", std::to_string(seconds)},
                       {"LD_PRELOAD", SCREE_FAULTS}},
                      command);
  }
  /// Waits until a result is being written.
  void await_part() const {
    const auto writes = [&] {
      return std::ranges::any_of(fs::directory_iterator(folder_), [](const fs::directory_entry& entry) {
        std::error_code gone;  // one that only tried the folder
        const std::uintmax_t size = entry.file_size(gone);
        return entry.path().filename().string().ends_with(".part") && !gone && size > 0;
      });
    };
    await(writes);
  }
  /// The exit code of a command that may take so much memory (MiB).
  int code_within(int megabytes, const std::string& command) {
    const int status = std::system(("cd " + folder_ + " && ulimit -v " + std::to_string(1024 * megabytes) +
                                    " && " SCREE_PROGRAM " " + command + " > stdout 2> stderr")
                                       .c_str());
    outcome_ = printed({});
    return WEXITSTATUS(status);
  }
  /// That memory was short.
  void expect_short(int code) const {
    EXPECT_EQ(code, 4);
    EXPECT_THAT(outcome_.err, MatchesRegex("(warning: [^\n]+\n)*scree: [^\n]+\n"));
  }
  /// That memory was so short that no program starts.
  bool never_started() const { return outcome_.err.find("error while loading shared libraries") != std::string::npos; }
  /// Runs a command of samples with maps in less and less memory, `prepare` before each time: from where there is just
  /// enough, twice too little (six with SCREE_MANY), or as often as a program starts. `look` sees to what is left
  /// then, of which the same command makes the whole with --resume.
  void in_less_memory(const std::string& command, const std::function<void()>& prepare,
                      const std::function<void()>& look) {
    const auto code_within_so_much = [&](int megabytes) {
      clear();
      prepare();
      return code_within(megabytes, command + " --checkpoint 0.02");
    };
    int enough = 260;
    while (enough > 60 && code_within_so_much(enough - 16) == 0) enough -= 16;
    int refused = 0;
    for (int megabytes = enough - 4; megabytes > 60 && refused < tries(2, 6); megabytes -= 4) {
      const int code = code_within_so_much(megabytes);
      SCOPED_TRACE(std::to_string(megabytes) + " MB: " + outcome_.err);
      if (code != 0) {
        if (never_started()) break;
        ++refused;
        expect_short(code);
        look();
        ASSERT_EQ(std::system(
                      ("cd " + folder_ + " && " SCREE_PROGRAM " " + command + " --resume > stdout 2> stderr").c_str()),
                  0)
            << read("stderr");
        EXPECT_TRUE(has_maps());
      }
      EXPECT_TRUE(is_whole());
    }
    EXPECT_GT(refused, 0);
  }
  void clear() const {
    for (const auto& entry : fs::directory_iterator(folder_))
      if (entry.path().filename().string().find("r.h5") != std::string::npos) fs::remove(entry.path());
  }
  bool has_maps() const { return read_result(path("r.h5")).arms[0].map_facts.has_value(); }
  void place(const char* from, const char* to) const { fs::copy_file(path(from), path(to)); }
  bool is_whole() const { return fs::exists(path("r.h5")) && digests_of(read_result(path("r.h5")).arms) == digest_; }
  /// The run without faults.
  void learn(const Words& command) {
    ASSERT_EQ(scree(command).code, 0) << read("stderr");
    digest_ = digests_of(read_result(path("r.h5")).arms);
    clear();
  }
  /// Has calls of a command that writes r.h5 fail in turn, `prepare` before each time, and sees to it that what has so
  /// many samples is then made by the same command with --resume, or once more: one call in so many, or with
  /// SCREE_MANY, as tests/long.sh sets it, each. About how many calls there were.
  int fail_calls(const Words& command, int one_in, const std::function<void()>& prepare, std::uint64_t samples = 200) {
    const bool merges = command[0] == "merge";
    one_in = tries(one_in, 1);
    clear();
    prepare();
    learn(command);
    int calls = 0;
    for (const auto& [call, with] : {std::pair{"open", "5"},
                                     {"write", "28"},
                                     {"sync", "5"},
                                     {"rename", "5"},
                                     {"unlink", "5"},
                                     {"truncate", "28"},
                                     {"lock", "37"}})
      for (int at = 1;; at += one_in) {
        clear();
        prepare();
        const std::string before = read("r.h5");
        if (!fails_beside(command, call, at, with)) break;
        SCOPED_TRACE(std::string(call) + " " + std::to_string(at) + ": " + outcome_.err);
        calls += one_in;
        expect_told(call, merges, before, samples);
        if (merges) fs::remove(path("r.h5"));  // or it would exist already
        Words again = command;
        if (!merges && command.back() != "--resume") again.emplace_back("--resume");
        EXPECT_EQ(scree(again).code, 0) << read("stderr");
        EXPECT_TRUE(is_whole());
        for (const auto& entry : fs::directory_iterator(folder_))
          EXPECT_FALSE(entry.path().filename().string().ends_with(".part")) << entry.path();
      }
    return calls;
  }
  /// That a call which failed made no difference, or cost nothing.
  void expect_told(const std::string& call, bool merges, const std::string& before, std::uint64_t samples) {
    if (outcome_.code == 0) {
      EXPECT_TRUE(is_whole());
      // All was on the disk before.
      if (call == "sync") {
        EXPECT_THAT(outcome_.err, MatchesRegex("warning: r\\.h5\\.journal: (is removed|would not outlast a power loss)"
                                               "[^\n]+\n"));
      }
      return;
    }
    EXPECT_TRUE(outcome_.code == 1 || outcome_.code == 2 || outcome_.code == 3) << outcome_.code;
    EXPECT_THAT(outcome_.err, MatchesRegex("(warning: [^\n]+\n)*scree: r\\.h5[^\n]+\n"));
    EXPECT_TRUE(read("r.h5") == before || is_whole()) << "neither what was there nor the whole";
    // Else it had not begun, and nothing is lost.
    if (outcome_.code != 1 || merges) return;
    EXPECT_GT(read_journal(path("r.h5.journal")).samples(), 0u);
    const std::string all = std::to_string(samples);
    EXPECT_THAT(outcome_.err, HasSubstr("; all " + all + " samples are safe in " + (before.empty() ? "" : "r.h5 and ") +
                                        "r.h5.journal: "));
  }

  Outcome outcome_;
  std::string digest_;
};

TEST_F(Faults, EachCallOfARunThatFailsIsToldOrMakesNoDifference) {
  EXPECT_GT(fail_calls({"run", "shots.toml", "-o", "r.h5", "--quiet"}, 2, [] {}), 50);
}

/// What was there before stays until the whole takes its place, and the journal says where to go on.
TEST_F(Faults, CallsOfACommandThatGoesOnMakeNoDifferenceEither) {
  // A journal as a full disk leaves it, after 1024 samples.
  const Words run{"run", "shots.toml", "--until", "mean(range) +- 50 %", "--samples", "1500", "--at-most", "3000",
                  "-o",  "r.h5",       "--quiet"};
  ASSERT_TRUE(fails(run, "write", 4, "28", "FAULT_ON=1"));  // with targets samples are kept before a look at them
  ASSERT_EQ(read_journal(path("r.h5.journal")).samples(), 1024u) << outcome_.err;
  fs::rename(path("r.h5.journal"), path("kept"));
  const int of_resume = fail_calls(
      run + Words{"--resume"}, 8, [&] { place("kept", "r.h5.journal"); }, 1500);
  EXPECT_GT(of_resume, 40);
  ASSERT_EQ(scree({"run", "shots.toml", "--samples", "120", "-o", "base"}).code, 0);
  const int of_extend =
      fail_calls({"run", "--extend", "r.h5", "--samples", "200", "--quiet"}, 8, [&] { place("base", "r.h5"); });
  EXPECT_GT(of_extend, 40);
}

TEST_F(Faults, CallsOfAComparisonThatFailAreToldOrMakeNoDifference) {
  EXPECT_GT(fail_calls(
                {"compare", "shots.toml", "--schemes", "euler,rk4", "-o", "r.h5", "--quiet"}, 12, [] {}, 400),
            50);
}

/// It has nothing that could be lost: its parts stay.
TEST_F(Faults, CallsOfAMergeThatFailAreToldOrMakeNoDifference) {
  for (const char* shard : {"0/3", "1/3", "2/3"})
    ASSERT_EQ(scree({"run", "shots.toml", "-o", "p", "--quiet", "--shard", shard}).code, 0);
  EXPECT_GT(fail_calls({"merge", "p.shards", "-o", "r.h5", "--quiet"}, 5, [] {}), 40);
}

TEST_F(Faults, InterruptedAndShortWritesMakeNoDifference) {
  const Words command{"run", "shots.toml", "-o", "r.h5", "--quiet"};
  learn(command);
  for (const char* with : {"short", "4"})
    for (int at = 1; fails(command, "write", at, with); at += tries(3, 1)) {
      EXPECT_EQ(outcome_.code, 0) << at << ": " << outcome_.err;
      EXPECT_TRUE(is_whole()) << with << " " << at;
    }
}

/// What there is of the disk fills up while the run goes on: every write from one on fails.
TEST_F(Faults, AFullDiskIsToldOnceAndGoneOnWithWhenThereIsRoom) {
  const Words command{"run", "watched.toml", "--samples", "500", "--checkpoint", "0.02", "-o", "r.h5", "--quiet"};
  learn(command);
  int gone_on = 0;
  for (const int at : {2, 3, 4, 6, 9, 14}) {
    if (!fails(command, "write", at, "28", "FAULT_ON=1")) break;
    SCOPED_TRACE(std::to_string(at) + ": " + outcome_.err);
    EXPECT_EQ(outcome_.code, 1);
    EXPECT_THAT(outcome_.err, HasSubstr("scree: r.h5: cannot be written: "));
    if (fs::exists(path("r.h5.journal"))) {
      const std::uint64_t kept = read_journal(path("r.h5.journal")).samples();
      gone_on += kept > 0 && kept < 500 ? 1 : 0;
    }
    ASSERT_EQ(scree({"run", "watched.toml", "--samples", "500", "-o", "r.h5", "--quiet", "--resume"}).code, 0)
        << read("stderr");
    EXPECT_TRUE(is_whole());
  }
  EXPECT_GT(gone_on, 0);
}

/// HDF5 would try once more when the program ends, and print what it thinks of that.
TEST_F(Faults, ADiskOfOneBlockIsToldOnce) {
  fs::create_directory(path("disk"));
  if (std::system(("mount -t tmpfs -o size=4k none " + path("disk") + " 2> /dev/null").c_str()) != 0)
    GTEST_SKIP() << "no disk can be mounted";
  const Outcome outcome = scree(
      {"compare", "shots.toml", "--arms", "start.speed=100,50", "--checkpoint", "0", "-o", "disk/r.h5", "--quiet"});
  shell("umount " + path("disk"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, testing::EndsWith("scree: disk/r.h5: cannot be written: No space left on device\n"));
}

/// What had room stays, and no more than that is cut off.
TEST_F(Faults, AFullDiskTakesNoRecordThatWasWritten) {
  // With targets samples are kept before each look at them.
  const Words command{"run", "shots.toml", "--until", "mean(range) +- 50 %", "--samples", "12000", "--at-most", "24000",
                      "-o",  "r.h5",       "--quiet"};
  for (const int at : {4, 6, 10}) {
    // Before their records there are the head of the journal and that of the arm.
    ASSERT_TRUE(fails(command + Words{"--checkpoint", "1000"}, "write", at, "28", "FAULT_ON=1"));
    EXPECT_EQ(outcome_.code, 1);
    EXPECT_EQ(read_journal(path("r.h5.journal")).samples(), 1024u * (static_cast<unsigned>(at) - 3)) << outcome_.err;
  }
  EXPECT_EQ(scree(command + Words{"--resume"}).code, 0) << read("stderr");
}

/// A disk that is slow to keep what it has does not put off when it is given more.
TEST_F(Faults, ASlowDiskGetsWhatIsFinishedInTime) {
  const pid_t pid = start_with_slow("sync", "r.h5.journal",
                                    {"run", "shots.toml", "--set", "step=0.0005", "--samples", "400000", "-o", "r.h5",
                                     "--quiet", "--checkpoint", "1"});
  await_listening(pid);
  std::uintmax_t size = 0;
  int grown = 0;
  for (int i = 0; i < 130 && grown < 4; ++i, usleep(100'000)) {
    std::error_code none;
    const std::uintmax_t now = fs::file_size(path("r.h5.journal"), none);
    if (none || now == size) continue;
    size = now;
    ++grown;
  }
  kill(pid, SIGKILL);
  EXPECT_EQ(finish(pid).code, 137);
  EXPECT_GE(grown, 4) << "in 13 s";
}

/// The samples take milliseconds, what comes after them more than a checkpoint.
TEST_F(Faults, WhatIsFinishedIsKeptWhileItsResultIsWritten) {
  learn({"run", "shots.toml", "-o", "r.h5", "--quiet"});
  const Words command{"run", "shots.toml", "-o", "r.h5", "--quiet", "--checkpoint", "0.4"};
  const pid_t pid = start_with_slow("sync", ".r.h5.", command);
  const auto kept = [&]() -> std::uint64_t {
    return fs::exists(path("r.h5.journal")) ? read_journal(path("r.h5.journal")).samples() : 0;
  };
  await([&] { return kept() >= 200 || fs::exists(path("r.h5")); });
  EXPECT_EQ(kept(), 200u);
  kill(pid, SIGKILL);
  EXPECT_EQ(finish(pid).code, 137);
  ASSERT_FALSE(fs::exists(path("r.h5")));
  EXPECT_EQ(scree(command + Words{"--resume"}).code, 0);
  EXPECT_TRUE(is_whole());
  // Where all is over before, no more than the head of the journal is written.
  EXPECT_FALSE(fails({"run", "shots.toml", "-o", "r.h5", "--quiet", "--checkpoint", "60"}, "write", 2, "28",
                     "FAULT_FILE=r.h5.journal"));
  EXPECT_TRUE(is_whole());
}

/// Before that is due, where somebody asks for it.
TEST_F(Faults, WhatIsFinishedIsKeptWhenAskedForWhileItsResultIsWritten) {
  learn({"run", "shots.toml", "-o", "r.h5", "--quiet"});
  const Words command{"run", "shots.toml", "-o", "r.h5", "--quiet", "--checkpoint", "3600"};
  const pid_t pid = start_with_slow("rename", "r.h5", command, 10);
  await_part();
  kill(pid, SIGUSR1);
  const auto kept = [&] { return read_journal(path("r.h5.journal")).samples(); };
  await([&] { return kept() >= 200; });
  EXPECT_EQ(kept(), 200u);
  kill(pid, SIGKILL);
  EXPECT_EQ(finish(pid).code, 137);
  EXPECT_EQ(scree(command + Words{"--resume"}).code, 0);
  EXPECT_TRUE(is_whole());
}

/// Who has removed the journal of a command may have begun another one there.
TEST_F(Faults, AJournalOfAnotherCommandIsLeftAlone) {
  learn({"run", "shots.toml", "-o", "r.h5", "--quiet"});
  const pid_t pid = start_with_slow("rename", "r.h5", {"run", "shots.toml", "-o", "r.h5", "--quiet"}, 2);
  await_part();
  ASSERT_TRUE(fs::remove(path("r.h5.journal")));
  write("r.h5.journal", "of another");
  EXPECT_EQ(finish(pid).code, 0);
  EXPECT_EQ(read("r.h5.journal"), "of another");
  fs::remove(path("r.h5.journal"));
  EXPECT_TRUE(is_whole());
}

/// Both ends of a command that was asked for one: the result where there is time for it, else what it can be made of.
TEST_F(Faults, AResultThatTakesLongerThanGraceIsLeftToItsJournal) {
  struct Case {
    const char *config, *samples, *grace;
    bool is_written;
  };
  for (const Case& one : {Case{"shots.toml", "20000", "1", false}, Case{"watched.toml", "1500", "1", false},
                          Case{"shots.toml", "20000", "60", true}}) {
    SCOPED_TRACE(std::string(one.config) + " " + one.grace);
    const Words command{"run", one.config, "--samples", one.samples, "-o", "r.h5", "--quiet", "--threads", "2"};
    const Words slow = one.config == std::string("shots.toml") ? Words{"--set", "step=0.0005"} : Words{};
    learn(command + slow);
    const pid_t pid = start_with_slow("rename", "r.h5", command + slow + Words{"--grace", one.grace}, 4);
    await_working(pid, 0.1);
    kill(pid, SIGTERM);
    const Outcome outcome = finish(pid);
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    EXPECT_EQ(fs::exists(path("r.h5")), one.is_written);
    if (!one.is_written) {
      const std::string kept = std::to_string(read_journal(path("r.h5.journal")).samples());
      EXPECT_NE(kept, "0");
      EXPECT_THAT(outcome.err, testing::EndsWith("scree: interrupted: " + kept +
                                                 " samples are safe in r.h5.journal: "
                                                 "the same command with --resume goes on from there\n"));
    }
    EXPECT_EQ(scree(command + slow + Words{"--resume"}).code, 0) << read("stderr");
    EXPECT_TRUE(is_whole());
    for (const auto& entry : fs::directory_iterator(folder_))
      EXPECT_FALSE(entry.path().filename().string().ends_with(".part")) << entry.path();
    clear();
  }
}

TEST_F(Faults, ASecondSignalWhileTheResultIsWrittenLeavesItToItsJournal) {
  learn({"run", "shots.toml", "-o", "r.h5", "--quiet"});
  const Words command{"run", "shots.toml", "-o", "r.h5", "--quiet"};
  const pid_t pid = start_with_slow("rename", "r.h5", command, 10);
  const auto interrupt_twice = [&](pid_t which) {
    await_part();
    signal_until_answered(which, SIGINT);
    kill(which, SIGINT);
  };
  interrupt_twice(pid);
  const Outcome outcome = finish(pid);
  EXPECT_EQ(outcome.code, 130);
  EXPECT_EQ(outcome.err,
            "scree: interrupted: writing the result\nscree: interrupted: 200 samples are safe in "
            "r.h5.journal: the same command with --resume goes on from there\n");
  EXPECT_FALSE(fs::exists(path("r.h5")));
  EXPECT_EQ(scree(command + Words{"--resume"}).code, 0) << read("stderr");
  EXPECT_TRUE(is_whole());
  // Where nothing can be kept the result is worth waiting for.
  clear();
  const pid_t unkept = start_with_slow("rename", "r.h5", command + Words{"--checkpoint", "0"}, 3);
  interrupt_twice(unkept);
  EXPECT_EQ(finish(unkept).code, 0);
  EXPECT_TRUE(is_whole());
}

/// The power goes at each call, and the disk has no more than what it was told to keep.
TEST_F(Faults, APowerLossCostsNothingThatWasKept) {
  const Words command{"run", "watched.toml", "--samples", "300", "--checkpoint", "0.02", "-o", "r.h5", "--quiet"};
  learn(command);
  ASSERT_FALSE(fails(command, "any", 1'000'000, "power"));
  const int calls = std::stoi(read("calls")), last = tries(4, 9), apart = tries(calls / 3, 29);
  ASSERT_GT(calls, 100);
  enum class Left { nothing, samples, all };
  // What the power leaves that goes at such a call, nothing where there is none; all is made of it by --resume.
  const auto left_at = [&](const char* call, int at, const std::string& names, const std::string& more = "") {
    std::optional<Left> left;
    if (!fails(command, call, at, "power", "FAULT_IMAGE=image FAULT_NAMES=" + names + " " + more)) return left;
    SCOPED_TRACE(names + " " + std::to_string(at) + " " + read("fired"));
    EXPECT_EQ(outcome_.code, 137);
    clear();
    for (const auto& entry : fs::directory_iterator(path("image"))) {
      if (entry.path().filename().string().find("r.h5") != std::string::npos)
        fs::copy_file(entry.path(), path(entry.path().filename().string()));
      fs::remove(entry.path());
    }
    left = Left::nothing;
    if (fs::exists(path("r.h5"))) {
      EXPECT_TRUE(is_whole());
      left = Left::all;
    } else if (fs::exists(path("r.h5.journal")) && read_journal(path("r.h5.journal")).samples() > 0) {
      left = Left::samples;
    }
    EXPECT_EQ(scree({"run", "watched.toml", "--samples", "300", "-o", "r.h5", "--quiet", "--resume"}).code, 0)
        << read("stderr");
    EXPECT_TRUE(is_whole());
    return left;
  };
  for (const char* names : {"then", "now"}) {
    int gone_on = 0;
    // How often the journal is written, and so how many calls there are, differs from run to run.
    for (int at = 1; at <= calls && !HasFailure();
         at += at < tries(3, 8) || at >= calls - last ? 1 : std::min(apart, calls - last - at)) {
      const std::optional<Left> left = left_at("any", at, names);
      if (!left) break;
      gone_on += left == Left::samples ? 1 : 0;
    }
    EXPECT_GT(gone_on, 0) << names;
    // The journal is removed when the result is safe.
    EXPECT_EQ(left_at("unlink", 1, names, "FAULT_FILE=r.h5.journal"), Left::all) << names;
  }
}

TEST_F(Faults, MemoryThatIsShortIsToldAndDamagesNothing) {
  learn({"run", "watched.toml", "--samples", "200", "-o", "r.h5", "--quiet"});
  in_less_memory(
      "run watched.toml --samples 200 -o r.h5 --quiet", [] {}, [] {});
}

/// A result of which memory ran out while it ran has its samples, but no maps to go on from.
TEST_F(Faults, AResultThatMemoryLeftWithoutMapsIsMadeWholeByResume) {
  const Words command{"run", "watched.toml", "--samples", "60", "-o", "r.h5", "--quiet"};
  ASSERT_EQ(scree(command).code, 0) << read("stderr");
  fs::rename(path("r.h5"), path("whole.h5"));
  StoredResult stored = read_result(path("whole.h5"));
  for (const bool all : {true, false}) {
    if (!all) stored.arms[0].table.status[40] = static_cast<std::uint32_t>(Status::not_run);
    stored.arms[0].digest = digest(stored.arms[0].table);
    write_result(path("r.h5"), stored.run, stored.arms, true);  // the maps are not read
    ASSERT_FALSE(has_maps());
    const Outcome outcome = scree(Words(command.begin(), command.end() - 1) + Words{"--resume"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err,
              "r.h5: lacks what paths leave, for memory or a device failed: its samples are run again\nresult: r.h5\n");
    expect_same_files("r.h5", "whole.h5");
  }
}

/// Where one that has maps is gone on from it stays, for what would take its place could not be gone on from.
TEST_F(Faults, MemoryThatIsShortForAnExtensionLeavesWhatItExtends) {
  ASSERT_EQ(scree({"run", "watched.toml", "--samples", "50", "-o", "base", "--quiet"}).code, 0) << read("stderr");
  place("base", "r.h5");
  learn({"run", "--extend", "r.h5", "--samples", "400", "--quiet"});
  in_less_memory(
      "run --extend r.h5 --samples 400 --quiet", [&] { place("base", "r.h5"); },
      [&] {
        EXPECT_TRUE(read("r.h5") == read("base"));
        if (outcome_.err.find("paths leave") != std::string::npos) {
          EXPECT_THAT(outcome_.err, HasSubstr("; r.h5 stays as it was"));
        }
      });
}

/// What takes the memory here is the library that writes the result, which crashed for want of it, or was told of as a
/// disk that fails.
TEST_F(Faults, MemoryThatIsShortForTheResultAloneIsTold) {
  int refused = 0;
  for (int megabytes = 140; megabytes > 60; megabytes -= 2) {
    clear();
    const int code = code_within(megabytes, "run shots.toml -o r.h5 --quiet --threads 2");
    SCOPED_TRACE(std::to_string(megabytes) + " MB: " + outcome_.err);
    if (never_started()) break;
    if (code == 0) continue;
    ++refused;
    expect_short(code);
  }
  EXPECT_GT(refused, 0);
}

/// The run goes on: another program may make room.
TEST_F(Faults, ADiskThatMayBeTooSmallIsToldBeforeTheRun) {
  const auto told = [&](const char* samples, const Words& more) {
    return finish(
        start_with({{"FAULT_ROOM", "8192"}, {"LD_PRELOAD", SCREE_FAULTS}},
                   Words{"run", "shots.toml", "--samples", samples, "-o", "r.h5", "--quiet", "--force"} + more));
  };
  const nlohmann::json needed =
      object({"run", "shots.toml", "--samples", "2000", "-o", "r.h5", "--dry-run", "--json", "--quiet"})["dry_run"];
  const auto warning = [&](double bytes, const std::string& with) {
    return "warning: r.h5: takes about " + bytes_text(bytes) + with + " 8.192 kB are available there\n";
  };
  const double result = needed["result_bytes"], journal = needed["journal_bytes"];
  ASSERT_GT(result, 8192);
  Outcome outcome = told("2000", {});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, warning(result + journal, " with its journal,"));
  outcome = told("2000", {"--checkpoint", "0"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, warning(result, ","));
  EXPECT_EQ(told("20", {}).err, "");
}

TEST_F(Faults, AFileSystemWithoutLocksIsTold) {
  ASSERT_TRUE(fails({"run", "shots.toml", "-o", "r.h5", "--quiet"}, "lock", 1, "37"));
  EXPECT_EQ(outcome_.code, 0);
  EXPECT_EQ(outcome_.err,
            "warning: r.h5.journal: cannot be locked (No locks available); see to it that nobody else writes r.h5\n");
}

}  // namespace
}  // namespace scree
