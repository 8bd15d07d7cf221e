// The journal of a command that runs: its lock on the result, and the samples that it keeps (contents.hpp).
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "bytes.hpp"
#include "contents.hpp"
#include "host/common/caller.hpp"

namespace scree {

class Journal;

/// A part while it runs.
class JournalPart {
 public:
  JournalPart(Journal& journal, const PartHead& head) : journal_(journal), head_(head) {}

  /// Where the steps of its samples go, of so many samples; with a path in a file beside it (MappedFile).
  std::uint64_t* steps(std::uint64_t samples, const std::string& beside = "");
  /// Lets these out of memory, if they lie in a file.
  void release_steps() const { steps_.release(0, steps_.size()); }
  /// These samples of a table need not be kept: they are in the journal, or in the result that it goes on from.
  void has(const SummaryTable& table);
  /// Keeps what has ended since the last time, `seconds` after the part began; whether it did. Where its paths are
  /// watched these are the samples of `watched`, whose passages went to `maps`, which is settled; null: it has none.
  bool keep(const SummaryTable& table, double seconds, const PassageBatch& watched, const MapStore* maps);
  /// Whether it is time to, while it runs, and when it has ended, perhaps badly: in a command that has run for long, or
  /// of several parts, or where its paths, which are in no table, were watched. Else KeptMeanwhile has to.
  bool is_due() const;
  bool is_due_at_end(bool badly) const;
  /// Whether the last time did.
  bool has_kept() const { return has_kept_; }
  /// Ends the program, if it can be (Stop): all that has ended is kept.
  void leave() const;
  const PartHead& head() const { return head_; }

 private:
  bool write(const SummaryTable& table, double seconds, const PassageBatch& watched, const MapStore* maps,
             std::uint64_t& sound);
  std::vector<std::uint64_t> ended(const SummaryTable& table, std::uint64_t first, std::uint64_t end) const;
  void put_record(ByteWriter& to, const SummaryTable& table, double seconds, std::span<const std::uint64_t> rows) const;

  Journal& journal_;
  PartHead head_;
  bool is_told_ = false;  // the journal says what it is
  std::uint32_t number_ = 0;
  Numbers<std::uint64_t> steps_;
  std::vector<bool> kept_;
  std::uint64_t all_kept_before_ = 0;  // every sample below is kept
  std::uint64_t written_ = 0;          // samples, by this process
  bool has_kept_ = true;
  bool is_spoilt_ = false;             // memory ended while something was watched, which is lost
  PassageBatch waiting_;               // what was watched and is not kept yet, without passages
  friend class Journal;
  friend class KeptMeanwhile;
};

class Journal {
 public:
  /// Locks the result `output` for this process. Samples are kept every so many seconds; 0: never. Where the caller
  /// asks for an end the command has `grace` (s) to come to it (Stop::is_over). Throws Error(Exit::usage) where another
  /// process writes it, or the journal cannot be made, and Error(Exit::input) where what lies there is no journal, or a
  /// damaged one that is not to be begun `anew`.
  Journal(const std::string& output, double every, bool anew, const Caller& caller, double grace = 0);
  /// Leaves the file where samples are in it, and else removes it.
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const std::string& path() const { return path_; }
  /// What was in it when it was locked.
  const JournalContents& found() const { return found_; }
  /// Whether that is something which stays until it is begun anew, or the result is there.
  bool holds_something() const;
  /// Begins anew, or goes on with what was found, which is of the same command.
  void begin(JournalHead head);
  void go_on();

  /// The part of that key, which is made if it is not there; null where nothing is kept.
  JournalPart* part(const PartHead& head);
  /// That the command has several parts.
  void expect_several() { several_ = true; }
  /// Keeps what is not kept of these arms and their finer ones, of those whose paths are not watched. Whether all that
  /// has ended is kept, of these too.
  bool keep_tables(std::span<const Arm> arms);
  /// How many samples are in it; none where somebody has removed it.
  std::uint64_t samples() const;
  /// How many of the samples of these arms and their finer ones are in it, or in the result that it goes on from.
  std::uint64_t kept(std::span<const Arm> arms) const;
  /// Whether some are of a table of [sensitivity], or of a finer step that these arms lack.
  bool has_more_parts_than(std::span<const Arm> arms) const;
  /// The result is there, also after a power loss.
  void remove();

 private:
  friend class JournalPart;
  friend class KeptMeanwhile;
  using Clock = std::chrono::steady_clock;
  double until_due() const;
  void sync();
  bool lock();
  bool is_named() const;
  bool remove_maps(const std::set<std::string>& but = {});
  bool append(const std::string& record);
  bool write_maps(std::uint32_t part, const MapStore& maps);
  void fail(const std::string& why);
  void warn(const std::string& line);
  void cut(std::uint64_t end);
  void leave();
  void unlink_file();
  void close_file();

  std::string output_, path_;
  Caller caller_;  // hears what cannot be written, from the thread that began
  double grace_;   // s
  std::thread::id thread_ = std::this_thread::get_id();
  std::vector<std::string> warnings_;  // of another thread
  double every_;
  int file_ = -1;
  bool folder_synced_ = false;  // as it is now
  bool several_ = false, used_ = false, says_of_failure_ = false, says_of_sync_ = false;
  std::uint64_t end_ = 0;  // bytes
  JournalContents found_;
  bool is_unreadable_ = false;  // what was there, and is to be begun anew
  std::deque<JournalPart> parts_;
  std::size_t arms_ = 0;  // of the command
  std::uint32_t told_parts_ = 0;
  Clock::time_point began_ = Clock::now(), last_ = began_;
  double lead_;       // s, that it begins before the time, to be done by then
  double pause_ = 0;  // s, from the last time to the next at least
  std::string id_;
};

/// While one lives, what has ended and is not kept yet is kept when it is time to, on a thread of its own: the one that
/// carries the command out is busy with what may take long. Where the end that was asked for has come meanwhile
/// (Stop::is_over), and all is kept, it leaves the program. Nobody else uses the journal meanwhile, or changes samples.
class KeptMeanwhile {
 public:
  /// `keep` keeps samples, and says whether all are kept. Null: nothing is kept.
  KeptMeanwhile(Journal* journal, std::function<bool()> keep);
  KeptMeanwhile(JournalPart* part, std::function<bool()> keep)
      : KeptMeanwhile(part ? &part->journal_ : nullptr, std::move(keep)) {}
  KeptMeanwhile(const KeptMeanwhile&) = delete;
  KeptMeanwhile& operator=(const KeptMeanwhile&) = delete;
  /// Waits for what is being kept.
  ~KeptMeanwhile();

 private:
  Journal* journal_;
  std::jthread thread_;
};

}  // namespace scree
