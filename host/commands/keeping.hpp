// What a command keeps of its samples while it runs, and what it goes on from with --resume.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "extend.hpp"
#include "host/journal/journal.hpp"
#include "host/results/result_file.hpp"
#include "host/statistics/targets.hpp"

namespace scree {

/// A part of a command before it runs: what is finished of it, and where more is kept; null: nowhere.
struct Start {
  Arm finished;
  JournalPart* journal = nullptr;
};

/// What a command is to make.
struct Intent {
  std::vector<ArmHead> arms;
  std::size_t finer = 0;            // arms at finer steps of each
  std::uint64_t finer_samples = 0;  // of each of these
  Until until = {};                 // with targets the number of samples is no part of it
};

/// The result of a command and its journal. Of a command without one nothing is locked, kept or found. With
/// options.shards that of the whole, whose samples are kept in shards alone: none of it are gone on with.
class Keeping {
 public:
  /// Locks the result, which check_output has allowed. Throws Error(Exit::usage) where another process writes it, and
  /// where samples of an interrupted command are there and neither --resume nor --force says what to do with them;
  /// Error(Exit::input) where --resume finds what is not of this command. `base` is what --extend goes on from.
  Keeping(const RunOptions& options, const Run& run, const Intent& intent, const Extension* base = nullptr);

  /// Whether --resume finds a result that is complete: there is nothing to do.
  bool is_complete() const { return is_complete_; }

  /// A part, of which `before` is finished anyway. With --until it may have more samples than the run. Throws
  /// Error(Exit::failed) where this program gives other numbers than the one before.
  Start start(const PartHead& head, const Run& run, Arm before = {});
  /// More parts than one are to come.
  void expect_several();

  /// The result that many summaries lie beside (lies_in_file); empty where they lie in memory.
  const std::string& beside() const { return beside_; }
  /// Whether the result may take the place of what is there: with --force, or where it goes on from that.
  bool may_replace() const { return may_replace_; }

  /// Whether what is there and was gone on from has the maps, gates, barriers and forests of its samples, and these
  /// arms do not: it stays, as it can be gone on from once more.
  bool is_better_than(std::span<const Arm> arms, const Run& run) const;
  /// While it lives, what is not kept of these is kept when it is time to.
  KeptMeanwhile meanwhile(std::span<const Arm> arms);
  /// The result is there, with these arms and `all` that was finished; else the journal stays, if it has all by itself,
  /// or of finer steps and of the table of [sensitivity] what the result has not.
  void done(bool all, std::span<const Arm> arms);
  /// "; all 2000 samples are safe in r.h5.journal: ...", or how many of them, where it could not be written; empty
  /// where none are.
  std::string safe(std::span<const Arm> arms);

 private:
  void find_result(const RunOptions& options, const Run& run, const Intent& intent);
  bool adds_to_result(const PartHead& head, const Extension* base) const;
  void find_parts_in_result(const Extension* base);
  bool is_in_result(const JournalContents::Part& part) const;
  std::uint64_t samples_beyond_result() const;
  bool fits_result(const Extension* base) const;
  bool is_covered_by_journal() const;
  /// Of the journal: nothing; what the result lacks, if there is one; or all, without the result, of which it has each
  /// sample.
  enum class Use { nothing, journal, journal_alone };
  Use use_of(const RunOptions& options, const JournalHead& head, const Extension* base, const std::string& different);

  std::string output_, beside_;
  std::optional<Journal> journal_;
  std::optional<StoredResult> found_;
  bool is_complete_ = false, may_replace_ = false, goes_on_from_there_ = false;
  bool stands_alone_ = false;    // the journal, without a result
  std::vector<bool> in_result_;  // of each of its parts, whether all its samples are; empty: of none
};

/// What a part says of itself.
PartHead part_of(const std::string& name, const std::string& scheme, const Run& run, const Engine& engine);

}  // namespace scree
