#include "memory.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

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

/// Of summaries that lie in a file, what may be in memory at once of them.
constexpr double most_of_a_file = 512e6;

/// Of a thread that packs what a result has of samples: two chunks of a column, as they are, shuffled and deflated.
constexpr double bytes_of_writing = 2.5e6;

double bytes_of_values(const Run& run, double samples) {
  return 8 * static_cast<double>(run.model->description.columns.size()) * samples;
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

double most_in_memory() {
  constexpr double most = 1e9;
  if (const char* given = std::getenv("SCREE_TABLE_MEMORY")) {
    const std::optional<double> bytes = parse_number(given);
    if (!bytes || !(*bytes >= 0))
      throw Error(Exit::usage, std::string("SCREE_TABLE_MEMORY = ") + given + ", must be a number of bytes >= 0");
    return *bytes;
  }
  return std::min(most, memory_available() / 4);
}

bool lies_in_file(const Run& run, const std::string& output, std::size_t compared) {
  return !output.empty() && compared == 1 && bytes_of_values(run, static_cast<double>(run.samples)) > most_in_memory();
}

double memory_needed(const Run& run, const Work& work, int threads, const std::string& output) {
  const Description& description = run.model->description;
  const double samples = static_cast<double>(run.samples), columns = static_cast<double>(description.columns.size());
  const bool in_file = lies_in_file(run, output, work.compared);
  const double of_values = in_file ? most_of_a_file : bytes_of_values(run, work.samples);
  // Of a run that is kept in a journal, the steps of its samples.
  const double of_steps = in_file || output.empty() ? 0 : sizeof(std::uint64_t);
  const double of_one = 4 + (run.group_by.empty() ? 0 : 4) + of_steps;
  const double held = of_values + of_one * work.samples + fixed_map_bytes(run) + gate_bytes(run, work.samples);
  // Scores and targets copy their column, in order and sorted.
  const double copied = samples * (work.has_targets || !run.observed.column.empty() ? 32 : 0);
  const double of_a_column =
      work.compared > 1 ? samples * compared_column_bytes(work.compared) : column_bytes(run.sampling.replicates);
  threads = threads_within(std::min(threads, static_cast<int>(columns)), of_a_column, memory_available() - held);
  return held + std::max(copied, std::max(output.empty() ? 0.0 : bytes_of_writing, of_a_column) * threads);
}

DiskNeeded disk_needed(const Run& run, const Work& work, const std::string& output) {
  const double values = bytes_of_values(run, 1);
  double inputs = 0;
  for (const Input& input : run.varied) inputs += 8.0 * static_cast<double>(input.places.size());
  const double tables = lies_in_file(run, output, work.compared) ? (values + sizeof(std::uint64_t)) * work.samples : 0;
  return {0.75 * (values + inputs) * work.samples, (values + 8 + 8 + 1) * work.samples, tables};
}

void require_memory(const Run& run, const Work& work, const std::string& output) {
  const double needed = memory_needed(run, work, 1, output), available = memory_available();
  if (fixed_map_bytes(run) > available) {
    const MapGrid& grid = run.spec.world.maps;
    const double cells = grid.columns * grid.rows, allowed = available / bytes_of_a_cell;
    throw Error(Exit::device,
                run.config_path + ": maps.cell = " + number_text(grid.cell) + " makes " + short_number(cells) +
                    " cells; this memory (" + bytes_text(available) + ") allows " + short_number(allowed) +
                    ": cell >= " + short_number(1.01 * grid.cell * std::sqrt(cells / allowed)) + " m for this extent");
  }
  const std::string summaries = run.config_path + ": the summaries of " + std::to_string(run.samples) + " samples" +
                                (work.samples < 2 * static_cast<double>(run.samples)
                                     ? ""
                                     : ", " + short_number(work.samples) + " with all schemes and steps,") +
                                " take ";
  if (needed > available)
    throw Error(Exit::device, summaries + bytes_text(needed) + " of memory, " + bytes_text(available) +
                                  " are available" +
                                  (work.compared > 1 && bytes_of_values(run, work.samples) > most_in_memory()
                                       ? "; what is compared lies in memory"
                                       : ""));
  const double on_disk = disk_needed(run, work, output).tables, room = disk_available(output);
  if (on_disk > room)
    throw Error(Exit::device, summaries + bytes_text(on_disk) + " in a file beside " + output + ", " +
                                  bytes_text(room) + " are available there");
}

}  // namespace scree
