// An ESRI ASCII grid: all of it, a part, larger cells, and as a terrain of rocks and, splined, of sliders.
#include "harness.hpp"
#include "host/common/error.hpp"
#include "host/inputs/terrain_file.hpp"
#include "terrain.hpp"

namespace scree::fuzz::of_grid {
namespace {

void feed(std::string_view input) {
  const auto parsed = [&](const std::optional<Rectangle>& extent) {
    return in_time([&] { return parse_ascii_grid(input, "x.asc", {extent}); });
  };
  const Grid grid = parsed({});
  try_grid(grid, parsed);
  write("fuzzed.asc", input);
  run_on_terrain(input, "fuzzed.asc");
}

const Registered registered({"grid", feed});

}  // namespace
}  // namespace scree::fuzz::of_grid
