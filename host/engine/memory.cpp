#include "memory.hpp"

#include <algorithm>
#include <cmath>

#include "host/common/error.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "host/statistics/statistics.hpp"

namespace scree {

void Work::add(std::uint64_t more, double step, double end) {
  const std::uint64_t of_one = static_cast<std::uint64_t>(whole_steps(step, end));
  samples += static_cast<double>(more);
  steps += static_cast<double>(more) * static_cast<double>(of_one);
  longest = std::max(longest, of_one);
}

Work work_of(const Run& run) {
  Work work;
  for (std::size_t k = 0; k < run.schemes.size(); ++k) work.add(run.samples, run.spec.world.step, run.spec.world.end);
  return work;
}

namespace {

/// Of each cell of a raster: its row among those that were passed, and, while layers are made, the terrain's height and
/// one layer.
constexpr double bytes_of_a_cell = 4 + 8 + 4;

/// Of what crossings of gates and barriers may take, where every sample crosses all of them: a row, twice while it is
/// sorted.
double gate_bytes(const Run& run, double samples) {
  return 2 * 8.0 * (gate_column_count + 1) * samples * static_cast<double>(run.gates.size() + run.barriers.size());
}

double fixed_map_bytes(const Run& run) {
  const MapGrid& grid = run.spec.world.maps;
  return run.maps.on ? bytes_of_a_cell * grid.columns * grid.rows : 0.0;
}

}  // namespace

std::string map_memory_text(const Run& run) {
  return bytes_text(fixed_map_bytes(run)) + ", and for each cell that is reached " +
         bytes_text(MapStore::cell_bytes(run.maps.quantities.size())) +
         (run.maps.percentiles.empty() ? "" : " and 12 B a bin of its percentiles");
}

double memory_needed(const Run& run, const Work& work, int threads) {
  const Description& description = run.model->description;
  const double samples = static_cast<double>(run.samples), columns = static_cast<double>(description.columns.size());
  const double of_one = 8 * columns + 4 + (run.group_by.empty() ? 0 : 4);
  const double held = of_one * work.samples + fixed_map_bytes(run) + gate_bytes(run, work.samples);
  // The result file is written after the statistics: copies of a column, of the samples' numbers and of what they drew.
  constexpr double of_the_file = 24;
  const double least = samples * of_the_file;
  const double of_a_column =
      work.compared > 1 ? samples * compared_column_bytes(work.compared) : column_bytes(run.sampling.replicates);
  threads = threads_within(std::min(threads, static_cast<int>(columns)), of_a_column, memory_available() - held);
  return held + std::max(least, of_a_column * threads);
}

DiskNeeded disk_needed(const Run& run, const Work& work) {
  const double values = 8.0 * static_cast<double>(run.model->description.columns.size());
  double inputs = 0;
  for (const Input& input : run.varied) inputs += 8.0 * static_cast<double>(input.places.size());
  return {0.75 * (values + inputs) * work.samples, (values + 8 + 8 + 1) * work.samples};
}

void require_memory(const Run& run, const Work& work) {
  const double needed = memory_needed(run, work, 1), available = memory_available();
  if (fixed_map_bytes(run) > available) {
    const MapGrid& grid = run.spec.world.maps;
    const double cells = grid.columns * grid.rows, allowed = available / bytes_of_a_cell;
    throw Error(Exit::device,
                run.config_path + ": maps.cell = " + number_text(grid.cell) + " makes " + short_number(cells) +
                    " cells; this memory (" + bytes_text(available) + ") allows " + short_number(allowed) +
                    ": cell >= " + short_number(1.01 * grid.cell * std::sqrt(cells / allowed)) + " m for this extent");
  }
  if (needed > available)
    throw Error(Exit::device, run.config_path + ": the summaries of " + std::to_string(run.samples) + " samples" +
                                  (work.samples < 2 * static_cast<double>(run.samples)
                                       ? ""
                                       : ", " + short_number(work.samples) + " with all schemes and steps,") +
                                  " take " + bytes_text(needed) + " of memory, " + bytes_text(available) +
                                  " are available");
}

}  // namespace scree
