// What the harnesses in this folder share. Each source that is called after a reader feeds it one input after the
// other: under libFuzzer (the preset fuzz) those that it makes up, in scree_fuzz_tests those of corpus/. Each has a
// namespace of its own, so that these tests compile as one source, in a quarter of the time that they take apart.
//
// What a reader promises for any input: it takes it or throws scree::Error, whose text is one printable line, within a
// second of processor time; and a config that it takes can be run, with the same bits from every backend.
#pragma once

#include <ctime>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "host/model/run.hpp"

namespace scree::fuzz {

/// A promise that was not kept, in words.
struct Broken : std::logic_error {
  using std::logic_error::logic_error;
};

struct Harness {
  const char* name;                      // of its folder in corpus/
  void (*feed)(std::string_view input);  // throws Error where the input is refused
};
/// Those of this program: all, or under libFuzzer one.
std::vector<Harness>& harnesses();
struct Registered {
  explicit Registered(const Harness& harness) { harnesses().push_back(harness); }
};

/// What one input shows: empty, or which promise was broken. `refusal`: why it was refused, empty if it was not.
std::string verdict(const Harness& harness, std::string_view input, std::string* refusal = nullptr);

/// Throws Broken where a text is more than one line, or has control characters.
void require_line(const std::string& text);

/// What `read` gives, which may take a second of processor time.
template <class Read>
auto in_time(const Read& read) {
  const std::clock_t start = std::clock();
  const auto check = [&] {
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (seconds > 1) throw Broken("it took " + std::to_string(seconds) + " s of processor time");
  };
  try {
    auto result = read();
    check();
    return result;
  } catch (const std::exception&) {
    check();
    throw;
  }
}

/// Whether PROJ takes a text for a definition of a coordinate reference system. All else it takes for a name, and looks
/// for it among thousands, in a hundred times the time.
bool is_a_definition(std::string_view crs);

/// The path of a file in this process's own folder, where data files of configs are looked for: terrain.asc, block.obj,
/// starts.csv, stems.csv, observed.csv and line.geojson are there.
std::string file(const std::string& name);
void write(const std::string& name, std::string_view bytes);

/// A config of the system with about every table that it knows, three samples and few steps. With data files unless it
/// is to be `plain`. Empty: it is not in this build.
std::string study(const std::string& system, bool plain = false);

/// Reads a config with these changes of it ("--set:key=value") and three samples.
Run read(const std::string& config, const std::vector<std::string>& overlays = {});
/// Reads it and runs at most 100 steps of its samples under each scheme, scalar and in packs.
void read_and_run(const std::string& config, const std::vector<std::string>& overlays = {});

}  // namespace scree::fuzz
