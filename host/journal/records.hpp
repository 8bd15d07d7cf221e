// The records of a journal as bytes, and back (contents.hpp says how they lie).
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bytes.hpp"
#include "contents.hpp"

namespace scree::journal {

inline constexpr std::string_view file_mark = "SCREEJRN";
inline constexpr std::uint32_t version = 2;
inline constexpr std::size_t checksum_size = 8, file_head = 8 + 4 + 4;
enum Kind : std::uint32_t { writer_record = 0, part_record = 1, samples_record = 2 };

std::uint64_t checksum(std::string_view bytes);
/// The header of a file.
std::string header_of(const JournalHead& head);
std::string record_of(Kind kind, std::string_view payload);
/// A record of what is put between these two, in place.
std::size_t begin_record(ByteWriter& to, Kind kind);
void end_record(ByteWriter& to, std::size_t begin);

std::string text_of(const JournalHead& head);
std::string text_of(const PartHead& head);
std::string text_of(const JournalWriter& writer);
JournalHead head_of(const nlohmann::json& json);
PartHead part_of(const nlohmann::json& json);
JournalWriter writer_of(const nlohmann::json& json);

/// The file of a part's maps.
std::string maps_path(const std::string& journal, std::uint32_t part);

/// So many bytes of an open file from a place; nothing where there are fewer.
std::optional<std::string> read_at(int file, std::uint64_t place, std::uint64_t count);

struct Record {
  std::uint32_t kind;
  std::string payload;
  std::uint64_t size;  // bytes, of the record
};
/// The record at a place of an open file of so many bytes, if it is whole.
std::optional<Record> read_record(int file, std::uint64_t place, std::uint64_t end);
/// Whether a whole record begins between two places. Of a file that was made to take long no more is read than is
/// there, twice.
bool has_record(int file, std::uint64_t place, std::uint64_t end);
/// Whether what comes after what could be read `before`, and is no whole record, is the beginning of one, as a kill
/// leaves it: the last.
bool is_cut_off(int file, const JournalContents& before, std::uint64_t end);

/// Who wrote last, without a look at the samples; nothing where none is named.
std::optional<JournalWriter> last_writer(int file);

/// The first numbers of a record of samples.
struct SamplesHead {
  std::uint32_t part, count, columns;
  double seconds;
};
SamplesHead samples_head(ByteReader& reader);

/// What a record of samples holds.
struct Samples {
  SamplesHead head;
  std::vector<std::uint64_t> sample, steps;
  std::vector<std::uint8_t> status;
  std::vector<double> values;  // [columns][count]
  PassageBatch watched;        // without passages
};
/// Throws std::runtime_error where the payload ends too early.
Samples samples_of(std::string_view payload, bool is_watched);
void put_crossing(ByteWriter& to, const SampleOnLine& on);

/// The journal from a file that is open; empty where it has no whole header. Throws std::exception where it is none.
JournalContents contents_of(int file, const std::string& path);

}  // namespace scree::journal
