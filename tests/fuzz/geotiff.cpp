// A GeoTIFF: as grid.cpp does with an ASCII grid. (libtiff and PROJ are those of the system, without sanitizers.)
#include "host/inputs/geotiff.hpp"
#include "harness.hpp"
#include "terrain.hpp"

namespace scree::fuzz::of_geotiff {
namespace {

void feed(std::string_view input) {
  write("fuzzed.tif", input);
  const auto read = [&](const std::optional<Rectangle>& extent) {
    return in_time([&] { return read_geotiff(file("fuzzed.tif"), {extent}); });
  };
  const Grid grid = read({});
  try_grid(grid, read);
  run_on_terrain(input, "fuzzed.tif");
}

const Registered registered({"geotiff", feed});

}  // namespace
}  // namespace scree::fuzz::of_geotiff
