// What is done with heights that a reader took.
#pragma once

#include <functional>

#include "harness.hpp"
#include "host/common/error.hpp"
#include "host/inputs/terrain_file.hpp"

namespace scree::fuzz {

/// Parts and changes of a grid; `read` reads it again, of an extent.
template <class Read>
void try_grid(const Grid& grid, const Read& read) {
  require_line(grid_text(grid) + ", " + extent_text(grid));
  const double width = (grid.columns - 1) * grid.cell, height = (grid.rows - 1) * grid.cell;
  const auto attempt = [](const auto& action) {
    try {
      action();
    } catch (const Error& error) {
      require_line(error.what());
    }
  };
  attempt([&] {
    read(Rectangle{grid.x0 + width / 4, grid.y0 + height / 3, grid.x0 + 3 * width / 4, grid.y0 + height});
  });
  attempt([&] { in_time([&] { return averaged(grid, 1.7 * grid.cell, "x"); }); });
  Grid changed = grid;
  raise_to_floor(changed, grid.heights[0]);
  leave_out(changed, grid);
}

/// Rocks and sliders on a terrain of this file; under libFuzzer for one of four inputs that are taken, for runs take
/// nearly all the time.
inline void run_on_terrain([[maybe_unused]] std::string_view input, const std::string& name) {
#if SCREE_FUZZ
  if (std::hash<std::string_view>{}(input) % 4 != 0) return;
#endif
  for (const char* system : {"rock", "slider"})
    if (const std::string config = study(system, true); !config.empty()) {
      try {
        read_and_run(config, {"--set:terrain.file=" + name});
      } catch (const Error& error) {
        require_line(error.what());
      }
    }
}

}  // namespace scree::fuzz
