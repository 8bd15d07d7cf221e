#include "records.hpp"

#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "host/common/json_text.hpp"

namespace scree::journal {
namespace {

using Json = nlohmann::json;

constexpr std::string_view record_mark = "SREC";
constexpr std::size_t record_head = 4 + 4 + 8;
constexpr std::uint64_t most_of_a_file = std::uint64_t{1} << 62;  // bytes
constexpr std::uint64_t crossing_size = 8 + 5 * 4 + 17 * 8;       // bytes, by put_crossing

/// The bytes of a record by the length that it begins with, be they there or not; nothing where none begins.
std::optional<std::uint64_t> size_of_record(int file, std::uint64_t place, std::uint64_t end) {
  if (end - place < record_head) return std::nullopt;
  const std::optional<std::string> head = read_at(file, place, record_head);
  if (!head || !head->starts_with(record_mark)) return std::nullopt;
  const auto length = ByteReader(std::string_view(*head).substr(record_head - 8)).get<std::uint64_t>();
  return std::min(length, most_of_a_file) + record_head + checksum_size;
}

/// Whether what is there of a record has it of samples of a part that the journal does not have, or of so many, with so
/// many crossings of lines, that its length cannot be theirs.
bool has_wrong_length(int file, const JournalContents& before, std::uint64_t end) {
  constexpr std::uint64_t numbers_before = 3 * sizeof(std::uint32_t) + sizeof(double);
  const std::uint64_t all = record_head + numbers_before;
  const std::optional<std::string> start =
      end - before.readable < all ? std::nullopt : read_at(file, before.readable, all);
  if (!start) return false;
  ByteReader reader(std::string_view(*start).substr(record_mark.size()));
  const auto kind = reader.get<std::uint32_t>();
  const auto length = reader.get<std::uint64_t>();
  if (kind != samples_record) return false;
  const SamplesHead head = samples_head(reader);
  constexpr std::uint64_t most_columns = 1 << 16;
  if (head.columns > most_columns) return true;
  const std::uint64_t count = head.count,
                      plain = numbers_before + count * (8 + 8 + 1 + 8 * std::uint64_t{head.columns}),
                      watched = plain + count * (4 + 4) + 8;
  // The number of crossings comes before them; a kill may have cut it off.
  const std::optional<std::string> counted =
      end - before.readable < record_head + watched
          ? std::nullopt
          : read_at(file, before.readable + record_head + watched - sizeof(std::uint64_t), sizeof(std::uint64_t));
  const auto is_of_crossings = [&] {
    const std::uint64_t rest = length - watched;
    return rest % crossing_size == 0 && (!counted || ByteReader(*counted).get<std::uint64_t>() == rest / crossing_size);
  };
  const bool is_of_plain = length == plain, is_of_watched = length >= watched && is_of_crossings();
  if (head.part < before.parts.size()) return !(before.parts[head.part].head.watched ? is_of_watched : is_of_plain);
  // Parts are not read any more behind samples without their maps: those of such a part may be of either kind.
  return before.without_maps == 0 || !(is_of_plain || is_of_watched);
}

void put_checksum(ByteWriter& to) { to.put<std::uint64_t>(checksum(to.bytes)); }

SampleOnLine get_crossing(ByteReader& from) {
  SampleOnLine on{};
  LineCrossing& c = on.first;
  on.sample = from.get<std::uint64_t>();
  std::uint32_t passing = 0;
  for (std::uint32_t* number : {&on.status, &on.crossings, &on.passings, &c.line, &passing})
    *number = from.get<std::uint32_t>();
  c.passing = static_cast<Passing>(passing);
  for (double* number : {&on.kinetic_energy_max, &on.height_max, &c.time, &c.offset, &c.x, &c.y, &c.z, &c.height,
                         &c.velocity.x, &c.velocity.y, &c.velocity.z, &c.translational_energy, &c.rotational_energy,
                         &c.rotation, &c.direction, &c.normal_x, &c.normal_y})
    *number = from.get<double>();
  return on;
}

}  // namespace

std::uint64_t checksum(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::string header_of(const JournalHead& head) {
  ByteWriter to;
  to.bytes = file_mark;
  const std::string text = text_of(head);
  to.put(version);
  to.put(static_cast<std::uint32_t>(text.size()));
  to.bytes += text;
  put_checksum(to);
  return to.bytes;
}

std::string record_of(Kind kind, std::string_view payload) {
  ByteWriter record;
  const std::size_t begin = begin_record(record, kind);
  record.bytes += payload;
  end_record(record, begin);
  return record.bytes;
}

std::size_t begin_record(ByteWriter& to, Kind kind) {
  const std::size_t begin = to.bytes.size();
  to.bytes += record_mark;
  to.put<std::uint32_t>(kind);
  to.put<std::uint64_t>(0);
  return begin;
}

void end_record(ByteWriter& to, std::size_t begin) {
  const std::uint64_t length = to.bytes.size() - begin - record_head;
  std::memcpy(to.bytes.data() + begin + record_head - sizeof length, &length, sizeof length);
  to.put<std::uint64_t>(checksum(std::string_view(to.bytes).substr(begin)));
}

std::string text_of(const JournalHead& head) {
  Json identity = Json::array(), arms = Json::array();
  for (const auto& [name, value] : head.identity) identity.push_back({name, value});
  for (const ArmHead& arm : head.arms)
    arms.push_back({{"name", arm.name}, {"scheme", arm.scheme}, {"step", arm.step}, {"changes", arm.changes}});
  return json_text(Json{{"command", head.command},
                        {"config_path", head.config_path},
                        {"config_text", head.config_text},
                        {"overlays", head.overlays},
                        {"input_files", head.input_files},
                        {"arms", arms},
                        {"identity", identity},
                        {"base", head.base},
                        {"id", head.id},
                        {"program_version", head.program_version},
                        {"commit", head.commit}});
}
JournalHead head_of(const Json& json) {
  JournalHead head;
  head.command = json.at("command");
  head.config_path = json.at("config_path");
  head.config_text = json.at("config_text");
  head.overlays = json.at("overlays");
  head.input_files = json.at("input_files");
  head.base = json.at("base");
  head.id = json.at("id");
  head.program_version = json.at("program_version");
  head.commit = json.at("commit");
  for (const Json& arm : json.at("arms"))
    head.arms.push_back({arm.at("name"), arm.at("scheme"), arm.at("step"), arm.at("changes")});
  for (const Json& pair : json.at("identity")) head.identity.emplace_back(pair.at(0), pair.at(1));
  return head;
}

std::string text_of(const PartHead& head) {
  return json_text(Json{{"name", head.name},
                        {"scheme", head.scheme},
                        {"step", head.step},
                        {"changes", head.changes},
                        {"samples", head.samples},
                        {"backend", head.backend},
                        {"device", head.device},
                        {"threads", head.threads},
                        {"finer_of", head.finer_of},
                        {"table", head.of_a_table},
                        {"watched", head.watched},
                        {"maps", head.has_maps}});
}
PartHead part_of(const Json& json) {
  return {json.at("name"),     json.at("scheme"),  json.at("step"),    json.at("changes"),
          json.at("samples"),  json.at("backend"), json.at("device"),  json.at("threads"),
          json.at("finer_of"), json.at("table"),   json.at("watched"), json.at("maps")};
}

std::string text_of(const JournalWriter& writer) {
  return json_text(
      Json{{"host", writer.host}, {"boot", writer.boot}, {"started", writer.started}, {"process", writer.process}});
}
JournalWriter writer_of(const Json& json) {
  return {json.at("host"), json.at("boot"), json.at("started"), json.at("process")};
}

std::string maps_path(const std::string& journal, std::uint32_t part) {
  return journal + ".maps." + std::to_string(part);
}

std::optional<std::string> read_at(int file, std::uint64_t place, std::uint64_t count) {
  std::string bytes(count, '\0');
  for (std::uint64_t done = 0; done < count;) {
    const ssize_t read = pread(file, bytes.data() + done, count - done, static_cast<off_t>(place + done));
    if (read < 0 && errno == EINTR) continue;
    if (read <= 0) return std::nullopt;
    done += static_cast<std::uint64_t>(read);
  }
  return bytes;
}

bool has_record(int file, std::uint64_t place, std::uint64_t end) {
  constexpr std::uint64_t piece = std::uint64_t{1} << 20;
  for (std::uint64_t left = end - place; place < end; place += piece) {
    const std::optional<std::string> bytes =
        read_at(file, place, std::min<std::uint64_t>(end - place, piece + record_mark.size() - 1));
    if (!bytes) return false;
    for (std::size_t at = bytes->find(record_mark); at != std::string::npos; at = bytes->find(record_mark, at + 1)) {
      const std::optional<std::uint64_t> size = size_of_record(file, place + at, end);
      if (!size || *size > left) continue;
      if (read_record(file, place + at, end)) return true;
      left -= *size;
    }
  }
  return false;
}

std::optional<Record> read_record(int file, std::uint64_t place, std::uint64_t end) {
  const std::optional<std::uint64_t> size = end < place ? std::nullopt : size_of_record(file, place, end);
  if (!size || *size > end - place) return std::nullopt;
  const std::optional<std::string> all = read_at(file, place, *size);
  if (!all) return std::nullopt;
  const std::string_view checked = std::string_view(*all).substr(0, *size - checksum_size);
  if (ByteReader(std::string_view(*all).substr(checked.size())).get<std::uint64_t>() != checksum(checked))
    return std::nullopt;
  const auto kind = ByteReader(checked.substr(record_mark.size())).get<std::uint32_t>();
  return Record{kind, std::string(checked.substr(record_head)), *size};
}

bool is_cut_off(int file, const JournalContents& before, std::uint64_t end) {
  const std::uint64_t place = before.readable;
  if (const std::optional<std::uint64_t> size = size_of_record(file, place, end))
    return *size > end - place && !has_wrong_length(file, before, end) &&
           !has_record(file, place + record_mark.size(), end);
  const std::optional<std::string> start =
      read_at(file, place, std::min<std::uint64_t>(record_mark.size(), end - place));
  return end - place < record_head && start && record_mark.starts_with(*start);
}

std::optional<JournalWriter> last_writer(int file) {
  std::optional<JournalWriter> writer;
  const std::optional<std::string> start = read_at(file, 0, file_head);
  if (!start) return writer;
  std::uint64_t place =
      file_head + ByteReader(std::string_view(*start).substr(file_head - 4)).get<std::uint32_t>() + checksum_size;
  while (const std::optional<std::string> head = read_at(file, place, record_head)) {
    if (!head->starts_with(record_mark)) break;
    ByteReader reader(std::string_view(*head).substr(record_mark.size()));
    const auto kind = reader.get<std::uint32_t>();
    const std::uint64_t size = std::min(reader.get<std::uint64_t>(), most_of_a_file) + record_head + checksum_size;
    if (size > most_of_a_file - place) break;
    if (kind == writer_record)
      if (const std::optional<Record> record = read_record(file, place, place + size))
        writer = writer_of(Json::parse(record->payload));
    place += size;
  }
  return writer;
}

SamplesHead samples_head(ByteReader& reader) {
  SamplesHead head{};
  head.part = reader.get<std::uint32_t>();
  head.count = reader.get<std::uint32_t>();
  head.columns = reader.get<std::uint32_t>();
  head.seconds = reader.get<double>();
  return head;
}

void put_crossing(ByteWriter& to, const SampleOnLine& on) {
  const LineCrossing& c = on.first;
  to.put(on.sample);
  for (const std::uint32_t number :
       {on.status, on.crossings, on.passings, c.line, static_cast<std::uint32_t>(c.passing)})
    to.put(number);
  for (const double number :
       {on.kinetic_energy_max, on.height_max, c.time, c.offset, c.x, c.y, c.z, c.height, c.velocity.x, c.velocity.y,
        c.velocity.z, c.translational_energy, c.rotational_energy, c.rotation, c.direction, c.normal_x, c.normal_y})
    to.put(number);
}

Samples samples_of(std::string_view payload, bool is_watched) {
  ByteReader reader(payload);
  Samples samples{samples_head(reader), {}, {}, {}, {}, {}};
  const std::size_t count = samples.head.count;
  const auto get = [&](auto& numbers, std::size_t size) {
    if (size > payload.size()) throw std::runtime_error("a record ends too early");
    numbers.resize(size);
    reader.get_each(std::span(numbers));
  };
  get(samples.sample, count);
  get(samples.steps, count);
  get(samples.status, count);
  get(samples.values, count * samples.head.columns);
  if (!is_watched) return samples;
  std::vector<std::uint32_t> hit, broken;
  get(hit, count);
  get(broken, count);
  for (std::size_t i = 0; i < count; ++i)
    samples.watched.samples.push_back({samples.sample[i], samples.status[i], 0, 0, 0.0, 0, 0, hit[i], broken[i]});
  for (std::uint64_t left = reader.get<std::uint64_t>(); left > 0; --left)
    samples.watched.on_lines.push_back(get_crossing(reader));
  return samples;
}

}  // namespace scree::journal
