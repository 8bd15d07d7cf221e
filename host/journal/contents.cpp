#include "contents.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <stdexcept>

#include "host/common/available_memory.hpp"
#include "host/common/error.hpp"
#include "host/common/text_table.hpp"
#include "host/model/digest.hpp"
#include "map_snapshot.hpp"
#include "records.hpp"
#include "src/status.hpp"

namespace scree {

namespace {

std::uint64_t size_of(int file) {
  struct stat status {};
  return fstat(file, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

/// Into the table of an arm, which has room for them, and its steps.
void add_samples(const journal::Samples& found, bool once, Arm& arm) {
  SummaryTable& table = arm.table;
  const std::size_t count = found.head.count, columns = found.head.columns;
  if (columns != table.description->columns.size()) throw std::runtime_error("has other columns than this program");
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t sample = found.sample[i];
    const auto name = [&] { return "sample " + std::to_string(sample); };
    if (!table.has(sample)) throw std::runtime_error("has " + name() + ", which the run does not have");
    const std::uint64_t row = table.row(sample);
    std::uint32_t& status = table.status[row];
    if (found.status[i] == 0 || found.status[i] >= status_count) throw std::runtime_error(name() + " has no status");
    const bool again = status != static_cast<std::uint32_t>(Status::not_run);
    bool same = status == found.status[i];
    for (std::size_t c = 0; c < columns; ++c) {
      double& to = table.values[c * table.samples + row];
      const double value = found.values[c * count + i];
      same = same && same_bits(to, value);
      to = value;
    }
    // Where paths are watched its own would count twice.
    if (again && (once || !same))
      throw std::runtime_error("has " + name() + " twice" + (same ? "" : ", with other bits"));
    status = found.status[i];
    if (!again) arm.sample_steps += found.steps[i];
  }
}

/// An open file, closed at the end.
struct OpenFile {
  int number;
  explicit OpenFile(const std::string& path) : number(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (number < 0) throw std::runtime_error(std::strerror(errno));
  }
  ~OpenFile() { close(number); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
};

/// Calls `f` with each record of samples of a part. Throws Error(Exit::input) with the file's name, also for what `f`
/// throws.
template <class F>
void for_each_record(const std::string& path, const JournalContents& contents, const JournalContents::Part& part,
                     const F& f) {
  try {
    const OpenFile file(path);
    for (const std::uint64_t place : part.records) {
      const std::optional<journal::Record> record = journal::read_record(file.number, place, contents.sound);
      if (!record) throw std::runtime_error("was changed while it was read");
      f(journal::samples_of(record->payload, part.head.watched));
    }
  } catch (const std::exception& error) {
    throw Error(Exit::input, path + ": " + error.what());
  }
}

/// The part that a record tells of, with its maps if they are whole and its own, and it is none of those `without`.
void add_part(const journal::Record& record, const std::string& path, const std::set<std::size_t>& without,
              JournalContents& contents) {
  const auto number = static_cast<std::uint32_t>(contents.parts.size());
  JournalContents::Part& part = contents.parts.emplace_back();
  part.head = journal::part_of(nlohmann::json::parse(record.payload));
  if (!part.head.has_maps) return;
  const std::string name = journal::maps_path(path, number);
  std::error_code gone;
  if (!std::filesystem::is_regular_file(name, gone)) return;
  std::ifstream file(name, std::ios::binary);
  std::string maps(std::istreambuf_iterator<char>(file), {});
  if (is_map_snapshot(maps) && id_of(maps) == contents.head.id && part_number_of(maps) == number &&
      !without.contains(number))
    part.maps = std::move(maps);
}

/// The samples of a record, unless their maps, or those of samples before them, were not written any more: then they
/// are counted alone.
void add_record(const journal::Record& record, JournalContents& contents) {
  ByteReader of(record.payload);
  const journal::SamplesHead samples = journal::samples_head(of);
  if (contents.without_maps == 0 && samples.part >= contents.parts.size())
    throw std::runtime_error("has samples of a part that it does not have");
  const auto has_maps = [&](const JournalContents::Part& part) {
    return !part.head.has_maps || (!part.maps.empty() && contents.readable < journal_bytes_of(part.maps));
  };
  if (contents.without_maps > 0 || !has_maps(contents.parts[samples.part])) {
    contents.without_maps += samples.count;
    return;
  }
  JournalContents::Part& part = contents.parts[samples.part];
  part.records.push_back(contents.readable);
  part.samples += samples.count;
  if (samples.count > of.rest().size() / sizeof(std::uint64_t)) throw std::runtime_error("has a record without end");
  std::vector<std::uint64_t> numbers(samples.count);
  of.get_each(std::span(numbers));
  constexpr std::uint64_t beyond_any = std::uint64_t{1} << 62;
  for (const std::uint64_t number : numbers) {
    if (number >= beyond_any) throw std::runtime_error("has a sample of a number that none has");
    part.end = std::max(part.end, number + 1);
  }
}

/// Without the maps of some parts, and so without their samples. `torn` gets those whose maps are of another moment
/// than any that the journal was at when a record had been written.
JournalContents contents_without(const std::set<std::size_t>& without, int file, const std::string& path,
                                 std::set<std::size_t>& torn) {
  JournalContents contents;
  const std::uint64_t end = size_of(file), marked = std::min<std::uint64_t>(end, journal::file_mark.size());
  const std::optional<std::string> mark = journal::read_at(file, 0, marked);
  if (!mark || !journal::file_mark.starts_with(*mark)) throw std::runtime_error("is no journal of Scree");
  const std::optional<std::string> start =
      end < journal::file_head ? std::nullopt : journal::read_at(file, 0, journal::file_head);
  if (!start) return contents;
  ByteReader reader(std::string_view(*start).substr(journal::file_mark.size()));
  const std::uint32_t found = reader.get<std::uint32_t>(), length = reader.get<std::uint32_t>();
  if (found != journal::version)
    throw std::runtime_error("is a journal of version " + std::to_string(found) + ", this program reads " +
                             std::to_string(journal::version));
  const std::uint64_t whole = journal::file_head + std::uint64_t{length} + journal::checksum_size;
  if (whole > end) {
    if (journal::has_record(file, journal::file_head, end)) throw std::runtime_error("is a damaged journal");
    return contents;
  }
  const std::optional<std::string> head = journal::read_at(file, 0, whole);
  if (!head) return contents;
  ByteReader stored(std::string_view(*head).substr(journal::file_head + length));
  if (stored.get<std::uint64_t>() != journal::checksum(std::string_view(*head).substr(0, journal::file_head + length)))
    throw std::runtime_error("is a damaged journal");
  contents.head = journal::head_of(nlohmann::json::parse(head->substr(journal::file_head, length)));
  contents.sound = contents.readable = head->size();
  std::set<std::size_t> of_a_moment;
  while (const std::optional<journal::Record> record = journal::read_record(file, contents.readable, end)) {
    if (record->kind == journal::part_record && contents.without_maps == 0) add_part(*record, path, without, contents);
    if (record->kind == journal::samples_record) add_record(*record, contents);
    contents.readable += record->size;
    if (contents.without_maps > 0) continue;  // nothing counts any more that maps could go with
    contents.sound = contents.readable;
    for (std::size_t i = 0; i < contents.parts.size(); ++i)
      if (const std::string& maps = contents.parts[i].maps;
          !maps.empty() && journal_bytes_of(maps) == contents.readable)
        of_a_moment.insert(i);
  }
  for (std::size_t i = 0; i < contents.parts.size(); ++i)
    if (!contents.parts[i].maps.empty() && !of_a_moment.contains(i)) torn.insert(i);
  contents.is_damaged = contents.readable < end && !journal::is_cut_off(file, contents, end);
  return contents;
}

}  // namespace

JournalContents journal::contents_of(int file, const std::string& path) {
  std::set<std::size_t> without;
  for (int tries = 1;; ++tries) {
    std::set<std::size_t> torn;
    JournalContents contents = contents_without(without, file, path, torn);
    if (torn.empty()) return contents;
    // Maps that were written after the size of the journal was asked are of the moment that is seen at the next try.
    // Of a journal that is damaged, or was copied before its maps were, they have samples that it has not.
    if (tries >= 3) without.merge(torn);
  }
}

const JournalContents::Part* JournalContents::part(const std::string& key) const {
  const auto found = std::ranges::find(parts, key, [](const Part& part) { return part.head.key(); });
  return found == parts.end() ? nullptr : &*found;
}

std::uint64_t JournalContents::samples() const {
  return std::accumulate(parts.begin(), parts.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Part& part) { return sum + part.samples; });
}

const Arm* arm_of(const PartHead& head, std::span<const Arm> arms) {
  if (head.of_a_table) return nullptr;
  const auto named = [](std::span<const Arm> among, const std::string& name) -> const Arm* {
    const auto at = std::ranges::find(among, name, &Arm::name);
    return at == among.end() ? nullptr : &*at;
  };
  if (head.finer_of.empty()) return named(arms, head.name);
  const Arm* const coarser = named(arms, head.finer_of);
  return coarser ? named(coarser->finer, head.name) : nullptr;
}

std::string input_files_of(const Run& run) {
  std::string files;
  for (const InputFile& input : run.inputs) files += (files.empty() ? "" : ", ") + input.path + " " + input.xxh3;
  return files;
}

std::string held_text(const JournalContents& contents) {
  const auto finished = [](std::uint64_t samples) { return counted(samples, "finished sample", "finished samples"); };
  if (const std::uint64_t samples = contents.samples(); samples > 0)
    return "holds " + finished(samples) + " of an interrupted run" + (contents.is_damaged ? ", and is damaged" : "");
  const std::string without_maps = finished(contents.without_maps) + " of an interrupted run without their maps";
  if (contents.is_damaged)
    return "is damaged at byte " + std::to_string(contents.readable) +
           (contents.without_maps > 0 ? ", and holds " + without_maps : ", before its first finished sample");
  return contents.without_maps > 0 ? "holds " + without_maps : "";
}

std::string damage_text(const std::string& path, const JournalContents& contents) {
  const std::string without_maps = counted(contents.without_maps, "sample", "samples") + " without their maps";
  if (!contents.is_damaged)
    return contents.without_maps == 0
               ? ""
               : path + ": " + without_maps + (contents.without_maps == 1 ? " is" : " are") + " left out";
  return path + ": is damaged at byte " + std::to_string(contents.readable) +
         ", what it holds from there on is left out" +
         (contents.without_maps > 0 ? ", and before it " + without_maps : "");
}

bool is_journal(const std::string& path) {
  std::error_code gone;
  if (!std::filesystem::is_regular_file(path, gone)) return false;  // a pipe would be waited for
  std::ifstream file(path, std::ios::binary);
  std::string mark(journal::file_mark.size(), '\0');
  return file.read(mark.data(), static_cast<std::streamsize>(mark.size())) && mark == journal::file_mark;
}

JournalContents read_journal(const std::string& path) {
  try {
    const OpenFile file(path);
    return journal::contents_of(file.number, path);
  } catch (const std::exception& error) {
    throw Error(Exit::input, path + ": " + error.what());
  }
}

void add_finished(const std::string& path, const JournalContents& contents, const std::string& key, const Run& run,
                  std::uint64_t samples, Arm& finished, const std::string& beside) {
  const double bytes = 8.0 * static_cast<double>(samples) * static_cast<double>(run.model->description.columns.size());
  if (beside.empty() && bytes > memory_available())
    throw Error(Exit::device,
                path + ": its " + std::to_string(samples) + " samples take more memory than is available");
  finished.table = grown(finished.table, run.model->description, samples, beside);
  finished.table.first = run.first;
  const JournalContents::Part* part = contents.part(key);
  if (part == nullptr || part->records.empty()) return;
  const auto gates = GateStore::going_on(run.lines_of_gates(), finished.gates, run.sampling.replicates),
             barriers = GateStore::going_on(run.lines_of_barriers(), finished.barriers, run.sampling.replicates);
  ForestCounts forest = finished.forest ? finished.forest->counts : ForestCounts{};
  double seconds = 0;
  for_each_record(path, contents, *part, [&](const journal::Samples& found) {
    seconds = std::max(seconds, found.head.seconds);
    add_samples(found, part->head.watched, finished);
    if (!found.sample.empty())
      finished.table.release(finished.table.row(found.sample.front()), found.sample.back() + 1 - found.sample.front());
    if (gates) gates->fold(found.watched);
    if (barriers) barriers->fold(found.watched);
    forest.fold(found.watched);
  });
  finished.wall_s = seconds;
  finished.gates = gates;
  finished.barriers = barriers;
  if (!run.forest.empty()) finished.forest = forest_facts(run.forest, forest, run.sampling.replicates);
  if (!run.maps.on) return;
  try {
    finished.maps = maps_of(part->maps, run);
  } catch (const std::runtime_error& error) {
    throw Error(Exit::input, path + ": " + error.what());
  }
}

void for_each_sample(const std::string& path, const JournalContents& contents, const std::string& key,
                     const std::function<void(std::uint64_t)>& f) {
  if (const JournalContents::Part* part = contents.part(key))
    for_each_record(path, contents, *part,
                    [&](const journal::Samples& found) { std::ranges::for_each(found.sample, f); });
}

}  // namespace scree
