// A line in GeoJSON, of a gate and of a barrier.
#include <functional>
#include <nlohmann/json.hpp>

#include "harness.hpp"
#include "host/common/error.hpp"

namespace scree::fuzz::of_line {
namespace {

#if SCREE_FUZZ
/// The shortest study that has lines: under libFuzzer the whole one, whose reading takes nearly all the time, is for
/// one of eight inputs.
constexpr const char* short_study = R"(system = "slider"
scheme = "rk4"
samples = 3
step = 0.05
end = 5.0
[terrain]
kind = "plane"
slope = 20
[start]
velocity = [8.0, 0.0]
[[barrier]]
name = "fence"
height = 2.0
)";

/// Whether PROJ would look for the name of its system, which the harness of these does.
bool has_named_crs(std::string_view input) {
  const nlohmann::json json = nlohmann::json::parse(input, nullptr, false);
  const nlohmann::json* at = &json;
  for (const char* key : {"crs", "properties", "name"}) {
    if (!at->is_object() || !at->contains(key)) return false;
    at = &(*at)[key];
  }
  const auto* name = at->get_ptr<const nlohmann::json::string_t*>();
  return name && !is_a_definition(*name) && !name->starts_with("urn:");
}
#endif

void feed(std::string_view input) {
  std::string config = study("slider");
  if (config.empty()) return;
#if SCREE_FUZZ
  if (has_named_crs(input)) return;
  if (std::hash<std::string_view>{}(input) % 8 != 0) config = short_study;
#endif
  write("fuzzed.geojson", input);
  read_and_run(config,
               {"--set:gate={ name = 'x', file = 'fuzzed.geojson' }", "--set:barrier.fence.file=fuzzed.geojson"});
}

const Registered registered({"line", feed});

}  // namespace
}  // namespace scree::fuzz::of_line
