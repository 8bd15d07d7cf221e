// Calls of the system that fail, one after the other, and the power that goes at each: a command either does its work
// or says in one line what it could not, no file is damaged, and what it kept is gone on with.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "host/journal/journal.hpp"
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
  /// Runs a command of which a call fails; whether it came to that.
  bool fails(const Words& command, const std::string& call, int at, const std::string& with,
             const std::string& more = "") {
    clear();
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
  /// Starts a command whose syncs of such files are slow.
  pid_t start_with_slow_syncs(const Words& command, const std::string& of) const {
    const std::pair<const char*, std::string> all[] = {{"FAULT_FILE", of},      {"FAULT_CALL", "sync"},
                                                       {"FAULT_AT", "1"},       {"FAULT_ON", "1"},
                                                       {"FAULT_ERRNO", "slow"}, {"LD_PRELOAD", SCREE_FAULTS}};
    for (const auto& [name, value] : all) setenv(name, value.c_str(), 1);
    const pid_t pid = start(command, "stdout");
    for (const auto& [name, value] : all) unsetenv(name);
    return pid;
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
  void expect_told(int code) const {
    EXPECT_EQ(code, 4);
    EXPECT_THAT(outcome_.err, MatchesRegex("(warning: [^\n]+\n)*scree: [^\n]+\n"));
  }
  void clear() const {
    for (const auto& entry : fs::directory_iterator(folder_))
      if (entry.path().filename().string().find("r.h5") != std::string::npos) fs::remove(entry.path());
  }
  bool is_whole() const { return fs::exists(path("r.h5")) && read_result(path("r.h5")).arms[0].digest == digest_; }
  /// The run without faults.
  void learn(const Words& command) {
    ASSERT_EQ(scree(command).code, 0) << read("stderr");
    digest_ = read_result(path("r.h5")).arms[0].digest;
    clear();
  }

  Outcome outcome_;
  std::string digest_;
};

TEST_F(Faults, EachCallThatFailsIsToldOrMakesNoDifference) {
  const Words command{"run", "shots.toml", "-o", "r.h5", "--quiet"};
  learn(command);
  int fired = 0;
  for (const auto& [call, with] : {std::pair{"open", "5"},
                                   {"write", "28"},
                                   {"sync", "5"},
                                   {"rename", "5"},
                                   {"unlink", "5"},
                                   {"truncate", "28"},
                                   {"lock", "37"}})
    for (int at = 1; fails(command, call, at, with); ++at) {
      SCOPED_TRACE(std::string(call) + " " + std::to_string(at) + ": " + outcome_.err);
      ++fired;
      if (outcome_.code == 0) {
        EXPECT_TRUE(is_whole());
        // All was on the disk before.
        if (call == std::string("sync")) {
          EXPECT_THAT(outcome_.err, MatchesRegex("warning: r\\.h5\\.journal: is removed, [^\n]+\n"));
        }
      } else {
        EXPECT_TRUE(outcome_.code == 1 || outcome_.code == 2) << outcome_.code;
        EXPECT_THAT(outcome_.err, MatchesRegex("(warning: [^\n]+\n)*scree: r\\.h5[^\n]+\n"));
        // Else it had not begun, and nothing is lost.
        if (outcome_.code == 1) {
          EXPECT_EQ(read_journal(path("r.h5.journal")).samples(), 200u);
          EXPECT_THAT(outcome_.err, HasSubstr("; all 200 samples are safe in r.h5.journal: "));
        }
      }
      ASSERT_EQ(scree({"run", "shots.toml", "-o", "r.h5", "--quiet", "--resume"}).code, 0) << read("stderr");
      EXPECT_TRUE(is_whole());
      for (const auto& entry : fs::directory_iterator(folder_))
        EXPECT_FALSE(entry.path().filename().string().ends_with(".part")) << entry.path();
    }
  EXPECT_GT(fired, 50);
}

TEST_F(Faults, InterruptedAndShortWritesMakeNoDifference) {
  const Words command{"run", "shots.toml", "-o", "r.h5", "--quiet"};
  learn(command);
  for (const char* with : {"short", "4"})
    for (int at = 1; fails(command, "write", at, with); ++at) {
      EXPECT_EQ(outcome_.code, 0) << at << ": " << outcome_.err;
      EXPECT_TRUE(is_whole()) << with << " " << at;
    }
}

/// What there is of the disk fills up while the run goes on: every write from one on fails.
TEST_F(Faults, AFullDiskIsToldOnceAndGoneOnWithWhenThereIsRoom) {
  const Words command{"run", "watched.toml", "--samples", "800", "--checkpoint", "0.02", "-o", "r.h5", "--quiet"};
  learn(command);
  int gone_on = 0;
  for (const int at : {2, 3, 4, 6, 9, 14}) {
    if (!fails(command, "write", at, "28", "FAULT_ON=1")) break;
    SCOPED_TRACE(std::to_string(at) + ": " + outcome_.err);
    EXPECT_EQ(outcome_.code, 1);
    EXPECT_THAT(outcome_.err, HasSubstr("scree: r.h5: cannot be written: "));
    if (fs::exists(path("r.h5.journal"))) {
      const std::uint64_t kept = read_journal(path("r.h5.journal")).samples();
      gone_on += kept > 0 && kept < 800 ? 1 : 0;
    }
    ASSERT_EQ(scree({"run", "watched.toml", "--samples", "800", "-o", "r.h5", "--quiet", "--resume"}).code, 0)
        << read("stderr");
    EXPECT_TRUE(is_whole());
  }
  EXPECT_GT(gone_on, 0);
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
  const pid_t pid = start_with_slow_syncs({"run", "shots.toml", "--set", "step=0.0005", "--samples", "400000", "-o",
                                           "r.h5", "--quiet", "--checkpoint", "1"},
                                          "r.h5.journal");
  await_listening(pid);
  std::uintmax_t size = 0;
  int grown = 0;
  for (int i = 0; i < 200 && grown < 6; ++i, usleep(100'000)) {
    std::error_code none;
    const std::uintmax_t now = fs::file_size(path("r.h5.journal"), none);
    if (none || now == size) continue;
    size = now;
    ++grown;
  }
  kill(pid, SIGKILL);
  EXPECT_EQ(finish(pid).code, 137);
  EXPECT_GE(grown, 6) << "in 20 s";
}

/// The samples take milliseconds, what comes after them more than a checkpoint.
TEST_F(Faults, WhatIsFinishedIsKeptWhileItsResultIsWritten) {
  learn({"run", "shots.toml", "-o", "r.h5", "--quiet"});
  const Words command{"run", "shots.toml", "-o", "r.h5", "--quiet", "--checkpoint", "0.4"};
  const pid_t pid = start_with_slow_syncs(command, ".r.h5.");
  const auto kept = [&]() -> std::uint64_t {
    return fs::exists(path("r.h5.journal")) ? read_journal(path("r.h5.journal")).samples() : 0;
  };
  for (int i = 0; i < 3000 && kept() < 200 && !fs::exists(path("r.h5")); ++i) usleep(1'000);
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

/// The power goes at each call, and the disk has no more than what it was told to keep.
TEST_F(Faults, APowerLossCostsNothingThatWasKept) {
  const Words command{"run", "watched.toml", "--samples", "300", "--checkpoint", "0.02", "-o", "r.h5", "--quiet"};
  learn(command);
  ASSERT_FALSE(fails(command, "any", 1'000'000, "power"));
  const int calls = std::stoi(read("calls"));
  ASSERT_GT(calls, 100);
  int whole = 0, gone_on = 0;
  for (const char* names : {"then", "now"})
    for (int at = 1; at <= calls; at += at < 8 || at >= calls - 12 ? 1 : std::min(59, calls - 12 - at)) {
      if (!fails(command, "any", at, "power", "FAULT_IMAGE=image FAULT_NAMES=" + std::string(names))) break;
      SCOPED_TRACE(std::string(names) + " " + std::to_string(at) + " " + read("fired"));
      ASSERT_EQ(outcome_.code, 137);
      clear();
      for (const auto& entry : fs::directory_iterator(path("image"))) {
        if (entry.path().filename().string().find("r.h5") != std::string::npos)
          fs::copy_file(entry.path(), path(entry.path().filename().string()));
        fs::remove(entry.path());
      }
      if (fs::exists(path("r.h5"))) {
        EXPECT_TRUE(is_whole());
        ++whole;
      } else if (fs::exists(path("r.h5.journal"))) {
        gone_on += read_journal(path("r.h5.journal")).samples() > 0 ? 1 : 0;
      }
      ASSERT_EQ(scree({"run", "watched.toml", "--samples", "300", "-o", "r.h5", "--quiet", "--resume"}).code, 0)
          << read("stderr");
      EXPECT_TRUE(is_whole());
    }
  EXPECT_GT(gone_on, 5);
  EXPECT_GT(whole, 0);
}

/// Less and less memory, down to where nothing runs.
TEST_F(Faults, MemoryThatIsShortIsToldAndDamagesNothing) {
  learn({"run", "watched.toml", "--samples", "1000", "-o", "r.h5", "--quiet"});
  int refused = 0;
  for (int megabytes = 260; megabytes > 60 && refused < 3; megabytes -= 12) {
    clear();
    const int code = code_within(megabytes, "run watched.toml --samples 1000 -o r.h5 --quiet --checkpoint 0.02");
    SCOPED_TRACE(std::to_string(megabytes) + " MB: " + outcome_.err);
    if (code == 0) {
      EXPECT_TRUE(is_whole());
      continue;
    }
    if (outcome_.err.find("error while loading shared libraries") != std::string::npos) break;
    ++refused;
    expect_told(code);
    ASSERT_EQ(scree({"run", "watched.toml", "--samples", "1000", "-o", "r.h5", "--quiet", "--resume", "--force"}).code,
              0)
        << read("stderr");
    EXPECT_TRUE(is_whole());
  }
  EXPECT_GT(refused, 0);
}

/// What takes the memory here is the library that writes the result, which crashed for want of it, or was told of as a
/// disk that fails.
TEST_F(Faults, MemoryThatIsShortForTheResultAloneIsTold) {
  int refused = 0;
  for (int megabytes = 140; megabytes > 60; megabytes -= 2) {
    clear();
    const int code = code_within(megabytes, "run shots.toml -o r.h5 --quiet --threads 2");
    SCOPED_TRACE(std::to_string(megabytes) + " MB: " + outcome_.err);
    if (outcome_.err.find("error while loading shared libraries") != std::string::npos) break;
    if (code == 0) continue;
    ++refused;
    expect_told(code);
  }
  EXPECT_GT(refused, 0);
}

TEST_F(Faults, AFileSystemWithoutLocksIsTold) {
  ASSERT_TRUE(fails({"run", "shots.toml", "-o", "r.h5", "--quiet"}, "lock", 1, "37"));
  EXPECT_EQ(outcome_.code, 0);
  EXPECT_EQ(outcome_.err,
            "warning: r.h5.journal: cannot be locked (No locks available); see to it that nobody else writes r.h5\n");
}

}  // namespace
}  // namespace scree
