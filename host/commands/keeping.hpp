// What a command keeps of its samples while it runs, and what it goes on from with --resume.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "host/journal/journal.hpp"
#include "host/results/result_file.hpp"

namespace scree {

/// A part of a command before it runs: what is finished of it, and where more is kept; null: nowhere.
struct Start {
  Arm finished;
  JournalPart* journal = nullptr;
};

/// What makes a command what it is besides its config, each with its name, as ("targets", "mean(runout) +- 1 %").
using Identity = std::vector<std::pair<std::string, std::string>>;

/// What a command is to make.
struct Intent {
  std::vector<std::string> arms;  // their names
  std::size_t finer = 0;          // arms at finer steps of each
  Identity more;                  // what makes it what it is besides its config and its arms
  bool grows = false;             // with --until the number of samples is no part of it
};

/// The result of a command and its journal. Of a command without one nothing is locked, kept or found.
class Keeping {
 public:
  /// Locks the result, which check_output has allowed. Throws Error(Exit::usage) where another process writes it, and
  /// where samples of an interrupted command are there and neither --resume nor --force says what to do with them;
  /// Error(Exit::input) where --resume finds what is not of this command. `base` is what --extend goes on from.
  Keeping(const RunOptions& options, const Run& run, const Intent& intent, const Arm* base = nullptr);

  /// Whether --resume finds a result that is complete: there is nothing to do, which standard error tells.
  bool is_complete() const { return is_complete_; }

  /// A part, of which `before` is finished anyway. With --until it may have more samples than the run. Throws
  /// Error(Exit::failed) where this program gives other numbers than the one before.
  Start start(const PartHead& head, const Run& run, Arm before = {});
  /// More parts than one are to come.
  void expect_several();

  /// The result is there.
  void done();
  /// "; all 2000 samples are safe in r.h5.journal: ..." where it could not be written; empty where they are not.
  std::string safe(std::span<const Arm> arms);

 private:
  bool find_result(const RunOptions& options, const Run& run, const Intent& intent);
  bool covers(const JournalContents& journal) const;
  bool goes_on(const RunOptions& options, const Run& run, const Identity& identity, const Arm* base,
               const std::string& base_digest);
  const Arm* found_arm(const PartHead& head, std::string& group) const;

  std::string output_;
  std::optional<Journal> journal_;
  std::optional<StoredResult> found_;
  bool is_complete_ = false;
  std::uint64_t elsewhere_ = 0;  // samples that are finished, but not in the journal
};

/// What a part says of itself.
PartHead part_of(const std::string& name, const std::string& scheme, const Run& run, const Engine& engine);

}  // namespace scree
