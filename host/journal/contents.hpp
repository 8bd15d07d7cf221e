// The journal of a command: its finished samples, kept in a file beside its result while it runs, so that neither a
// kill nor a full disk nor a power loss takes more than the last seconds of work.
//
// OUT.journal lies beside OUT while a command that writes OUT runs. It is the lock on OUT too, and is gone when OUT is
// there. Little-endian:
//
//   header   "SCREEJRN", version u32, length u32 and so many bytes of JSON (JournalHead), XXH3-64 of all that
//   records  "SREC", kind u32, length u64 and so many bytes, XXH3-64 of all that
//     writer    JSON (JournalWriter): a process that began to write, or went on
//     part      JSON (PartHead); parts are numbered from 0 in this order
//     samples   part u32, count u32, columns u32, seconds f64 that the part had taken; sample u64 [count], rising;
//               steps u64 [count]; status u8 [count]; values f64 [columns][count]. Where paths are watched also stems
//               that were hit and broken, u32 [count] each, the number of crossings u64, and these (SampleOnLine)
//
// It is read from the front, to the first record that is short or has another checksum: what a kill left of it. The
// maps of a part, which all its samples add to, are no records but a file of their own, OUT.journal.maps.N of part N,
// which is replaced as a whole; it says how many bytes of the journal it goes with, and records of that part beyond
// these do not count.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/model/run.hpp"
#include "host/statistics/arm.hpp"

namespace scree {

inline constexpr const char* journal_end = ".journal";

/// What an arm says of itself before it runs.
struct ArmHead {
  std::string name, scheme;
  double step = 0;                   // s
  std::vector<std::string> changes;  // of the command's config
};

/// What the samples are of.
struct JournalHead {
  std::string command;  // run, compare or converge
  std::string config_path, config_text;
  std::vector<std::string> overlays;
  std::string input_files;  // input_files_of the run
  std::vector<ArmHead> arms;  // that it makes, of which parts are there once samples of them are
  /// What besides these makes it this command and no other, each with its name: samples of two commands are put
  /// together only where all is equal.
  std::vector<std::pair<std::string, std::string>> identity;
  std::string base;  // digests of the result whose samples it goes on from; empty: of none
  std::string id;    // of this journal alone; its maps have it too
  std::string program_version, commit;
};

struct JournalWriter {
  std::string host, boot, started;  // boot: the system's id since its start; started: "2026-11-25 16:20:07 UTC"
  std::int64_t process = 0;
};

/// What Arm says of itself.
struct PartHead {
  std::string name, scheme;
  double step = 0;
  std::vector<std::string> changes;
  std::uint64_t samples = 0;  // of the part when it began; --until adds to them
  std::string backend, device;
  int threads = 1;
  std::string finer_of;     // the arm that it is at a finer step of; empty: an arm
  bool of_a_table = false;  // of [sensitivity]: no arm
  bool watched = false, has_maps = false;
  /// By which a part is found.
  std::string key() const { return finer_of.empty() ? name : finer_of + ": " + name; }
};

/// What lies in a journal.
struct JournalContents {
  struct Part {
    PartHead head;
    std::vector<std::uint64_t> records;  // where those of its samples begin
    std::uint64_t samples = 0;           // in these, one that is there twice counted twice
    std::uint64_t end = 0;               // beyond the last of them
    std::string maps;                    // bytes of the file of its maps; empty without
  };
  JournalHead head;
  std::vector<Part> parts;
  std::uint64_t sound = 0;         // bytes, of whole records that count
  std::uint64_t readable = 0;      // bytes, of whole records: of samples without their maps none counts
  std::uint64_t without_maps = 0;  // samples in the latter, which are run again
  bool is_damaged = false;         // what comes after these is no record that a kill cut off
  const Part* part(const std::string& key) const;
  std::uint64_t samples() const;
};

/// The arm that a part is of, which may be a finer one; null where none of these is it.
const Arm* arm_of(const PartHead& head, std::span<const Arm> arms);

/// "slope.asc 0123..." of each: what files the run was read from, with their checksums.
std::string input_files_of(const Run& run);

/// What is left out of a damaged one, or of one whose maps are gone, in words; empty of any other.
std::string damage_text(const std::string& path, const JournalContents& contents);
/// What of it must not be begun anew without a word: "holds 412 finished samples of an interrupted run", or that some
/// may have been; empty of one that holds nothing.
std::string held_text(const JournalContents& contents);

/// Whether a file is a journal.
bool is_journal(const std::string& path);

/// Throws Error(Exit::input) with one line where it cannot be read.
JournalContents read_journal(const std::string& path);

/// Adds what a part of a journal holds to what `execute` goes on from, which is of the same run: `finished`, with none
/// or some of its samples, gets a table of so many samples. Throws Error(Exit::input) with one line where it cannot be
/// read or is not of this run. With a path `beside` the table lies in a file (grown).
void add_finished(const std::string& path, const JournalContents& contents, const std::string& key, const Run& run,
                  std::uint64_t samples, Arm& finished, const std::string& beside = "");

/// Calls `f` with the number of each sample in a part of a journal. Throws as add_finished.
void for_each_sample(const std::string& path, const JournalContents& contents, const std::string& key,
                     const std::function<void(std::uint64_t)>& f);

}  // namespace scree
