// A result, changed through HDF5 or in its bytes and sealed again, so that the reader gets beyond the checksum. An
// input is a text of changes, a line each, of which those that cannot be made are left out:
//
//   base run | pair | maps | compare         the result to change; the last has all that a result can have
//   attribute PATH NAME delete               of the object at PATH, / being the root
//   attribute PATH NAME number X [N]         one number, or N of them
//   attribute PATH NAME whole K [N]
//   attribute PATH NAME text WORD [N]        of any length; fixed WORD: of this length
//   attribute PATH NAME null                 a number without a value
//   dataset PATH number X D [D]              D or D x D numbers; whole K, text WORD alike
//   dataset PATH value X                     all its numbers
//   link PATH delete | soft TARGET | hard TARGET     the last are made after all but bytes
//   group PATH
//   bytes OFFSET HEX                         exclusive or, after all else, but for heaps of texts
#include <hdf5.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <sstream>

#include "harness.hpp"
#include "host/commands/info.hpp"
#include "host/commands/sensitivity.hpp"
#include "host/common/error.hpp"
#include "host/common/text_input.hpp"
#include "host/config/config.hpp"
#include "host/engine/execute.hpp"
#include "host/report/verdict.hpp"
#include "host/results/hdf5.hpp"
#include "host/results/result_file.hpp"
#include "host/results/seal.hpp"

namespace scree::fuzz::of_result {
namespace {

using h5::Handle;
using Words = std::vector<std::string>;

/// Of what one line makes.
constexpr hsize_t most_values = 100000;

struct Place {
  std::string path;
  Words attributes;
  bool is_dataset;
};
struct Base {
  std::string bytes;  // without a seal
  std::vector<Place> places;
};

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Handle own(hid_t id, Handle::Close close) { return {id, close}; }

void add_place(hid_t file, const char* name, std::vector<Place>& places) {
  const Handle object = own(H5Oopen(file, name, H5P_DEFAULT), H5Oclose);
  Place place{name, {}, H5Iget_type(object) == H5I_DATASET};
  H5Aiterate(
      object, H5_INDEX_NAME, H5_ITER_INC, nullptr,
      [](hid_t, const char* attribute, const H5A_info_t*, void* names) -> herr_t {
        static_cast<Words*>(names)->push_back(attribute);
        return 0;
      },
      &place.attributes);
  places.push_back(std::move(place));
}

std::vector<Place> places_in(const std::string& path) {
  std::vector<Place> places;
  const Handle opened = own(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  add_place(opened, "/", places);
  H5Lvisit(
      opened, H5_INDEX_NAME, H5_ITER_INC,
      [](hid_t root, const char* name, const H5L_info_t*, void* into) -> herr_t {
        add_place(root, name, *static_cast<std::vector<Place>*>(into));
        return 0;
      },
      &places);
  return places;
}

Engine scalar_of(const Run& run) {
  Engine engine;
  engine.kernel = run.model->kernels.scalar[0];
  engine.backend = "scalar";
  return engine;
}

Base base_of(const Run& run, std::vector<Arm> arms, bool compared) {
  const std::string path = file("base.h5");
  const Evaluation evaluation = compared ? evaluate_in_words(run, arms, 1) : Evaluation{};
  write_result(path, run, arms, true, compared ? &evaluation : nullptr);
  Course course(1);
  Keeping nothing({}, run, {});
  if (!run.sensitivity.key.empty())
    add_sensitivity(path, run, run_sensitivity(run, scalar_of(run), {}, course, nothing));
  Base base{"", places_in(path)};
  { const Handle drops_the_seal = h5::open_to_add(path); }
  base.bytes = bytes_of(path);
  return base;
}

Base make_run() {
  const Run run = read(study("projectile"));
  std::vector<Arm> arms{execute(run, run.schemes[0], scalar_of(run))};
  const std::string target = "mean(range) +- 1 %";
  arms[0].until = plan_until(parse_targets({&target, 1}, run.model->description), 3, 3);
  look(arms[0].until, arms[0].table);
  return base_of(run, std::move(arms), false);
}

/// Of the system with maps that has the fewest columns, each of which takes time to read.
Base make_maps() {
  const Run run = read(study("slider"));
  return base_of(run, {execute(run, run.schemes[0], scalar_of(run))}, false);
}

/// All schemes, each with its run at half the step, of which the latter has no maps.
Base make_compare(const std::string& system) {
  const Run run = read(study(system));
  std::vector<std::string> overlays = run.overlays;
  overlays.push_back("--steps:step=0.005");
  if (run.spec.world.maps.columns > 0.0) overlays.push_back("--steps:maps.on=false");
  const Run half = derive(run, overlays);
  std::vector<Arm> arms;
  for (const std::string& scheme : run.schemes) {
    Arm arm = execute(run, scheme, scalar_of(run));
    arm.finer.push_back(execute(half, scheme, scalar_of(run)));
    arm.finer[0].name += "-half";  // a blank would end a word
    arm.finer[0].changes = {"--steps:step=0.005"};
    arms.push_back(std::move(arm));
  }
  return base_of(run, std::move(arms), true);
}

/// By their name in inputs; made once.
const std::map<std::string, Base>& bases() {
  static const std::map<std::string, Base> all = [] {
    std::map<std::string, Base> made;
    try {
      if (!study("projectile").empty()) made["run"] = make_run();
      if (!study("projectile").empty()) made["pair"] = make_compare("projectile");
      if (!study("slider").empty()) made["maps"] = make_maps();
      if (!study("rock").empty()) made["compare"] = make_compare("rock");
    } catch (const Error& error) {
      throw Broken(std::string("no result to change: ") + error.what());
    }
    return made;
  }();
  return all;
}

double number_of(const std::string& word) { return std::strtod(word.c_str(), nullptr); }
hsize_t count_of(const std::string& word) {
  return std::min<hsize_t>(std::strtoull(word.c_str(), nullptr, 10), most_values);
}

/// A type and values of it, as lines describe them: number X, whole K, text WORD, fixed WORD.
struct Values {
  Handle type;
  std::vector<double> numbers;
  std::vector<std::int64_t> wholes;
  Words words;
  std::vector<const char*> texts;
  std::string fixed;
  const void* data = nullptr;

  Values(const std::string& kind, const std::string& word, std::size_t count) {
    if (kind == "number") {
      type = own(H5Tcopy(H5T_NATIVE_DOUBLE), H5Tclose);
      numbers.assign(count, number_of(word));
      data = numbers.data();
    } else if (kind == "whole") {
      type = own(H5Tcopy(H5T_NATIVE_INT64), H5Tclose);
      wholes.assign(count, std::strtoll(word.c_str(), nullptr, 10));
      data = wholes.data();
    } else if (kind == "text") {
      type = own(H5Tcopy(H5T_C_S1), H5Tclose);
      H5Tset_size(type, H5T_VARIABLE);
      words.push_back(word);
      texts.assign(count, words[0].c_str());
      data = texts.data();
    } else if (kind == "fixed") {
      type = own(H5Tcopy(H5T_C_S1), H5Tclose);
      H5Tset_size(type, word.size() + 1);
      for (std::size_t i = 0; i < count; ++i) fixed += word + '\0';
      data = fixed.data();
    }
  }
};

Handle space_of(const std::vector<hsize_t>& dims) {
  if (dims.empty()) return own(H5Screate(H5S_SCALAR), H5Sclose);
  return own(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), H5Sclose);
}

/// The numbers after the word at `first`, of which there may be two.
std::vector<hsize_t> dims_of(const Words& words, std::size_t first) {
  std::vector<hsize_t> dims;
  hsize_t product = 1;
  for (std::size_t i = first; i < words.size() && dims.size() < 2; ++i) {
    const hsize_t size = count_of(words[i]);
    if (size > 0 && product > most_values / size) break;
    product *= size;
    dims.push_back(size);
  }
  return dims;
}
std::size_t product_of(const std::vector<hsize_t>& dims) {
  std::size_t product = 1;
  for (const hsize_t size : dims) product *= size;
  return product;
}

void change_attribute(hid_t root, const Words& words) {
  if (words.size() < 4) return;
  const Handle object = own(H5Oopen(root, words[1].c_str(), H5P_DEFAULT), H5Oclose);
  if (object < 0) return;
  const char* const name = words[2].c_str();
  H5Adelete(object, name);
  if (words[3] == "null") {
    const Handle space = own(H5Screate(H5S_NULL), H5Sclose);
    own(H5Acreate2(object, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    return;
  }
  if (words.size() < 5) return;
  const std::vector<hsize_t> dims = dims_of(words, 5);
  const Values values(words[3], words[4], product_of(dims));
  if (!values.data && product_of(dims) > 0) return;
  const Handle made = own(H5Acreate2(object, name, values.type, space_of(dims), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (made >= 0 && product_of(dims) > 0) H5Awrite(made, values.type, values.data);
}

void change_dataset(hid_t root, const Words& words) {
  if (words.size() < 4) return;
  const char* const path = words[1].c_str();
  if (words[2] == "value") {
    const Handle there = own(H5Dopen2(root, path, H5P_DEFAULT), H5Dclose);
    if (there < 0) return;
    const Handle space = own(H5Dget_space(there), H5Sclose);
    const hssize_t size = H5Sget_simple_extent_npoints(space);
    if (size <= 0 || static_cast<hsize_t>(size) > most_values) return;
    const std::vector<double> all(static_cast<std::size_t>(size), number_of(words[3]));
    H5Dwrite(there, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data());
    return;
  }
  const std::vector<hsize_t> dims = dims_of(words, 4);
  const Values values(words[2], words[3], product_of(dims));
  if (!values.data && product_of(dims) > 0) return;
  // Attributes stay with the data that had them, but a reader looks for these too.
  const Handle before = own(H5Oopen(root, path, H5P_DEFAULT), H5Oclose);
  H5Ldelete(root, path, H5P_DEFAULT);
  const Handle made =
      own(H5Dcreate2(root, path, values.type, space_of(dims), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  if (made < 0) return;
  if (product_of(dims) > 0) H5Dwrite(made, values.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data);
  if (before < 0) return;
  for (const char* name : {"units", "description", "samples_counted"}) {
    if (H5Aexists(before, name) <= 0) continue;
    const std::string text = h5::read_text(before, name);
    h5::write_attribute(made, name, text);
  }
}

void change_link(hid_t root, const Words& words) {
  if (words.size() < 3 || words[1] == "/") return;
  const char* const path = words[1].c_str();
  H5Ldelete(root, path, H5P_DEFAULT);
  if (words.size() < 4) return;
  if (words[2] == "soft") H5Lcreate_soft(words[3].c_str(), root, path, H5P_DEFAULT, H5P_DEFAULT);
}

void change(hid_t root, const Words& words) {
  try {
    if (words[0] == "attribute") change_attribute(root, words);
    if (words[0] == "dataset") change_dataset(root, words);
    if (words[0] == "link") change_link(root, words);
    if (words[0] == "group" && words.size() > 1)
      own(H5Gcreate2(root, words[1].c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  } catch (const std::runtime_error&) {
    // Of a handle: it cannot be made.
  }
}

/// Made after all else: libhdf5 1.10 frees space twice where a file is changed further in which a group holds itself.
bool is_hard_link(const Words& words) { return words.size() > 3 && words[0] == "link" && words[2] == "hard"; }

/// Whether a byte is of a global heap, where texts lie: it has no checksum, and libhdf5 1.10 takes damage there for a
/// place in memory.
bool is_in_heap(const std::string& bytes, std::size_t at) {
  for (std::size_t heap = bytes.find("GCOL"); heap != std::string::npos && heap <= at;
       heap = bytes.find("GCOL", heap + 4)) {
    std::uint64_t size = 0;
    if (heap + 16 <= bytes.size()) std::memcpy(&size, bytes.data() + heap + 8, 8);
    if (at - heap < size) return true;
  }
  return false;
}

void change_bytes(std::string& bytes, const Words& words) {
  if (words.size() < 3) return;
  const std::string before = bytes;
  std::size_t at = std::strtoull(words[1].c_str(), nullptr, 10);
  for (std::size_t i = 0; i + 1 < words[2].size() && at < bytes.size(); i += 2, ++at) {
    const std::string two = words[2].substr(i, 2);
    if (!is_in_heap(before, at)) bytes[at] = static_cast<char>(bytes[at] ^ std::strtoul(two.c_str(), nullptr, 16));
  }
}

std::vector<Words> changes_of(std::string_view input) {
  std::vector<Words> changes;
  LineReader lines(input);
  for (std::string_view line; lines.next(line);) {
    Words words;
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) words.emplace_back(word);
    if (!words.empty()) changes.push_back(std::move(words));
  }
  return changes;
}

/// What libhdf5 has freed it keeps in lists of its own. They are given up after each input, so that the sanitizer sees
/// what that one had freed twice.
struct GivesUpFreed {
  ~GivesUpFreed() { H5garbage_collect(); }
};

void feed(std::string_view input) {
  const std::vector<Words> changes = changes_of(input);
  if (changes.empty() || changes[0].size() != 2 || changes[0][0] != "base") return;
  const auto base = bases().find(changes[0][1]);
  if (base == bases().end()) return;
  const GivesUpFreed at_the_end;
  write("fuzzed.h5", base->second.bytes);
  const std::string path = file("fuzzed.h5");
  {
    const h5::Session session;
    const Handle opened = h5::open_to_add(path);
    for (const Words& words : changes) change(opened, words);
    for (const Words& words : changes)
      if (is_hard_link(words))
        H5Lcreate_hard(opened, words[3].c_str(), opened, words[1].c_str(), H5P_DEFAULT, H5P_DEFAULT);
  }
  if (std::ranges::any_of(changes, [](const Words& words) { return words[0] == "bytes"; })) {
    std::string bytes = bytes_of(path);
    for (const Words& words : changes)
      if (words[0] == "bytes") change_bytes(bytes, words);
    write("fuzzed.h5", bytes);
  }
  seal(path);
  in_time([&] { return read_result(path); });
  // Printing reads the file twice more, and the tests of a comparison take half a second.
  const std::size_t printed = base->first == "compare" ? 32 : 16;
  if (std::hash<std::string_view>{}(input) % printed != 0) return;
  std::ostringstream out;
  print_info(out, path, {.all = true}, {});
  print_info_json(out, path, {});
}

const Registered registered({"result", feed});

#if SCREE_FUZZ

using Random = std::minstd_rand;

template <class T>
const T& one_of(Random& random, const std::vector<T>& all) {
  return all[random() % all.size()];
}

/// The name of one of the bases: of `run` fifteen are read in the time of one of `compare`.
std::string chosen_base(Random& random) {
  const std::size_t of_40 = random() % 40;
  const char* const name = of_40 == 0 ? "compare" : of_40 < 4 ? "maps" : of_40 < 12 ? "pair" : "run";
  return bases().contains(name) ? name : bases().begin()->first;
}

/// A line that changes something of what there is.
std::string made_line(Random& random, const Base& base) {
  static const Words numbers{"0",  "1", "-1", "2", "3", "nan", "inf", "1e300", "4294967296", "9223372036854775807",
                             "0.5"},
      counts{"", "", "", " 0", " 1", " 2", " 3", " 4", " 45", " 1000", " 3 2", " 0 3", " 2 0"},
      kinds{"number", "whole", "text", "fixed"};
  const Place& place = one_of(random, base.places);
  const auto value = [&](const std::string& kind) {
    if (kind == "number" || kind == "whole") return one_of(random, numbers);
    const Place& other = one_of(random, base.places);
    const Words words{"x", "all", "stopped", "nobody", "sobol", "mean(range)+-1%", "\x1b[2J", "\xff", other.path};
    return one_of(random, words);
  };
  const std::string kind = one_of(random, kinds);
  switch (random() % 10) {
    case 0:
      return "link " + place.path + " delete";
    case 1:
      return "link " + place.path + (random() % 2 == 0 ? " soft " : " hard ") + one_of(random, base.places).path;
    case 2:
      return "bytes " + std::to_string(random() % base.bytes.size()) + " " + (random() % 2 == 0 ? "ff" : "0100");
    case 3:
    case 4:
      if (place.is_dataset)
        return random() % 2 == 0 ? "dataset " + place.path + " value " + one_of(random, numbers)
                                 : "dataset " + place.path + " " + kind + " " + value(kind) + one_of(random, counts);
      return "group " + place.path + "/x";
    default:
      break;
  }
  if (place.attributes.empty()) return "attribute / samples number 3";
  const std::string start = "attribute " + place.path + " " + one_of(random, place.attributes) + " ";
  if (random() % 5 == 0) return start + (random() % 2 == 0 ? "delete" : "null");
  return start + kind + " " + value(kind) + one_of(random, counts);
}

#endif

}  // namespace
}  // namespace scree::fuzz::of_result

#if SCREE_FUZZ

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned int seed) {
  using namespace scree::fuzz::of_result;
  Random random(seed);
  if (size > 0 && random() % 4 == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string chosen = chosen_base(random);
  std::vector<std::string> lines;
  std::istringstream text(std::string(reinterpret_cast<const char*>(data), size));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  const bool is_slow = !lines.empty() && (lines[0] == "base compare" || lines[0] == "base maps");
  if (lines.empty() || !lines[0].starts_with("base ") || (is_slow && random() % 8 != 0))
    lines.assign(1, "base " + chosen);
  const auto base = bases().find(lines[0].substr(5));
  const std::string made = made_line(random, base == bases().end() ? bases().at(chosen) : base->second);
  const std::size_t at = lines.size() > 1 ? 1 + random() % (lines.size() - 1) : 0;
  if (at > 0 && random() % 3 == 0)
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
  else if (at > 0 && random() % 3 == 0)
    lines[at] = made;
  else
    lines.push_back(made);
  std::string all;
  for (const std::string& line : lines)
    if (all.size() + line.size() + 1 <= most) all += line + '\n';
  std::copy(all.begin(), all.end(), data);
  return all.size();
}

#endif
