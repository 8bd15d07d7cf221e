// A table in CSV: of releases, stems and observations.
#include <array>
#include <functional>

#include "harness.hpp"
#include "host/common/csv.hpp"
#include "host/common/error.hpp"

namespace scree::fuzz::of_table {
namespace {

void feed(std::string_view input) {
  in_time([&] { return parse_csv(std::string(input), "x.csv"); });
  const std::string config = study("rock");
  if (config.empty()) return;
  write("fuzzed.csv", input);
  constexpr std::array keys{"start.table", "forest.row.file", "observed.table"};
  for (std::size_t i = 0; i < keys.size(); ++i) {
#if SCREE_FUZZ
    // Of each input one: runs take nearly all the time.
    if (std::hash<std::string_view>{}(input) % keys.size() != i) continue;
#endif
    try {
      read_and_run(config, {std::string("--set:") + keys[i] + "=fuzzed.csv"});
    } catch (const Error& error) {
      require_line(error.what());
    }
  }
}

const Registered registered({"table", feed});

}  // namespace
}  // namespace scree::fuzz::of_table
