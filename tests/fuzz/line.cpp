// A line in GeoJSON, of a gate and of a barrier.
#include "harness.hpp"
#include "host/common/error.hpp"

namespace scree::fuzz::of_line {
namespace {

void feed(std::string_view input) {
  const std::string config = study("slider");
  if (config.empty()) return;
  write("fuzzed.geojson", input);
  read_and_run(config,
               {"--set:gate={ name = 'x', file = 'fuzzed.geojson' }", "--set:barrier.fence.file=fuzzed.geojson"});
}

const Registered registered({"line", feed});

}  // namespace
}  // namespace scree::fuzz::of_line
