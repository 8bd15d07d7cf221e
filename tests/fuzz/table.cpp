// A table in CSV: of releases, stems and observations.
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
  for (const char* key : {"start.table", "forest.row.file", "observed.table"}) try {
      read_and_run(config, {std::string("--set:") + key + "=fuzzed.csv"});
    } catch (const Error& error) {
      require_line(error.what());
    }
}

const Registered registered({"table", feed});

}  // namespace
}  // namespace scree::fuzz::of_table
