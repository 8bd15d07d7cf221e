// The journal of an interrupted command, and behind it, from SCREEMAP on, the maps of its first part. Their checksums
// are made right before they are read. The inputs `run` and `rock` stand for the journals of two studies.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "harness.hpp"
#include "host/commands/info.hpp"
#include "host/common/error.hpp"
#include "host/config/config.hpp"
#include "host/engine/execute.hpp"
#include "host/journal/journal.hpp"
#include "host/journal/records.hpp"
#include "host/results/result_file.hpp"

namespace scree::fuzz::of_journal {
namespace {

constexpr std::string_view map_mark = "SCREEMAP", record_mark = "SREC";

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string journal_of(const std::string& system) {
  const Run run = read(study(system));
  const std::string output = file("kept.h5");
  Journal journal(output, 3600, true, Caller());
  JournalHead head_of_all;
  head_of_all.command = "run";
  head_of_all.config_path = run.config_path;
  head_of_all.config_text = run.config_text;
  head_of_all.overlays = run.overlays;
  head_of_all.input_files = input_files_of(run);
  journal.begin(std::move(head_of_all));
  journal.expect_several();
  for (const std::string& scheme : run.schemes) {
    Engine engine;
    engine.kernel = run.model->kernels.scalar[0];
    engine.backend = "scalar";
    PartHead head;
    head.name = head.scheme = scheme;
    head.step = run.spec.world.step;
    head.samples = run.samples;
    head.backend = engine.backend;
    head.watched = run.is_watched();
    head.has_maps = run.maps.on;
    execute(run, scheme, engine, {}, "", {}, nullptr, journal.part(head));
  }
  std::string bytes = bytes_of(journal.path());
  if (run.maps.on) bytes += bytes_of(journal::maps_path(journal.path(), 0));
  journal.remove();
  return bytes;
}

/// By their names in inputs; made once.
const std::map<std::string, std::string>& bases() {
  static const std::map<std::string, std::string> all = [] {
    std::map<std::string, std::string> made;
    try {
      if (!study("projectile").empty()) made["run"] = journal_of("projectile");
      if (!study("rock").empty()) made["rock"] = journal_of("rock");
    } catch (const Error& error) {
      throw Broken(std::string("no journal to change: ") + error.what());
    }
    return made;
  }();
  return all;
}

std::string journal_named(std::string_view input) {
  const auto base = bases().find(std::string(input.substr(0, input.find('\n'))));
  return base == bases().end() ? std::string(input) : base->second;
}

/// Puts the right checksum behind the bytes [first, end), where there is room for one.
void repair(std::string& bytes, std::size_t first, std::size_t end) {
  if (end > bytes.size() || bytes.size() - end < journal::checksum_size) return;
  const std::uint64_t sum = journal::checksum(std::string_view(bytes).substr(first, end - first));
  std::memcpy(bytes.data() + end, &sum, sizeof sum);
}

template <class T>
T number_at(const std::string& bytes, std::size_t at) {
  T number = 0;
  if (at + sizeof number <= bytes.size()) std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

void repair_journal(std::string& bytes) {
  const std::size_t head = journal::file_head + number_at<std::uint32_t>(bytes, journal::file_head - 4);
  repair(bytes, 0, head);
  for (std::size_t at = bytes.find(record_mark); at != std::string::npos; at = bytes.find(record_mark, at + 1)) {
    const auto length = number_at<std::uint64_t>(bytes, at + 8);
    if (length < bytes.size()) repair(bytes, at, at + 16 + length);
  }
}

void feed(std::string_view input) {
  std::string bytes = journal_named(input), maps;
  if (const std::size_t at = bytes.find(map_mark); at != std::string::npos) {
    maps = bytes.substr(at);
    bytes.resize(at);
  }
  repair_journal(bytes);
  if (maps.size() > journal::checksum_size) repair(maps, 0, maps.size() - journal::checksum_size);
  const std::string path = file("fuzzed.h5.journal");
  write("fuzzed.h5.journal", bytes);
  write("fuzzed.h5.journal.maps.0", maps);
  if (!is_journal(path)) return;
  const JournalHead head = in_time([&] { return read_journal(path); }).head;
  // As many samples as a sound config asks for take the memory that a run of them does.
  if (load_run_text(head.config_path, head.config_text, head.overlays).samples > 1000) return;
  const StoredResult result = in_time([&] { return read_result(path); });
  if (result.arms.size() > 1) return;  // the tests of a comparison take long
  std::ostringstream out;
  print_info(out, path, {.all = true}, {});
}

const Registered registered({"journal", feed});

}  // namespace
}  // namespace scree::fuzz::of_journal

#if SCREE_FUZZ

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

/// libFuzzer's own changes, of the journal that an input stands for.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned int) {
  const std::string bytes = scree::fuzz::of_journal::journal_named({reinterpret_cast<const char*>(data), size});
  size = std::min(bytes.size(), most);
  std::copy_n(bytes.begin(), size, data);
  return LLVMFuzzerMutate(data, size, most);
}

#endif
