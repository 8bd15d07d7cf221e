// A validated config, and the table of summaries that it leads to.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "forest.hpp"
#include "gates.hpp"
#include "host/common/numbers.hpp"
#include "inputs.hpp"
#include "maps.hpp"
#include "model.hpp"
#include "sampling.hpp"

namespace scree {

struct InputFile {
  std::string path;  // as the config gives it
  std::string xxh3;  // XXH3-128 of its bytes, 32 hex digits
  std::string file;  // where it was read; empty of a stored result
};

/// Observed values to print beside the simulated ones and to score these by ([observed] in the config): one number per
/// observation and group.
struct Observed {
  std::string column;              // the summary column they compare with, as "runout"
  std::vector<std::string> group;  // group name per observation (a shape's name), empty without groups
  std::vector<double> value;
  std::uint64_t rows = 0;                    // of the table of starts, where observations are matched with it; else 0
  std::vector<std::uint64_t> row = {};       // of each observation, among these
  std::vector<std::array<double, 2>> place = {};  // where each lay, m, in the terrain's coordinates; empty: not given
  enum class Holdout { none, some, each } holdout = Holdout::none;  // each: one after the other
  std::vector<bool> outside = {};                                   // of `some`: whether the observation is held out
  std::string note = {};                                            // on them, shown with the scores
};

/// Published numbers ([published]), to print beside ours and to be judged by themselves (published.hpp): per scheme and
/// column a mean and a standard deviation.
struct Published {
  std::string source;         // as "Leine et al. 2021, tables 2 and 3"
  std::string place;          // what the source calls this config's study, as "ramp"; may be empty
  std::uint64_t samples = 0;  // that each mean is of; 0: not said
  struct Row {
    std::string column, scheme, unit;
    double mean, sd;          // in the column's unit divided by `scale`
    double scale;             // the column's value is divided by this before printing (1000 for J -> kJ)
    std::string place;        // of another study of the same source, not to be printed beside ours; empty: this one
    bool over_steps = false;  // over the steps of all samples (statistics.hpp), else over the samples
  };
  std::vector<Row> rows;
};

/// A preset or parameter to repeat the run over ([sensitivity]): one line of the table per value.
struct Sensitivity {
  std::string key;  // as "rock.ground"
  std::vector<std::string> values;
};

/// What a shape came to, as it rolls; of several variants the means.
struct ShapeFacts {
  double mass, volume, size;      // kg, m^3, m: twice the largest distance of a corner from the centre of mass
  std::array<double, 3> moments;  // principal, kg m^2, the smallest first
  int corners;
  int variants = 1;
};

/// The factor of the lengths of a shape of this volume (m^3) where a start has that scale and volume: rock_size
/// (src/systems/rock/table.hpp).
inline double shape_factor(double of_shape, double scale, double volume) {
  return volume > 0 ? std::cbrt(volume / of_shape) : scale;
}

/// What the grids of a terrain took to be read: its heights, a mask, codes of the ground.
struct GridsRead {
  double heights = 0;
  double memory = 0;  // bytes at most, with the tables of the run
  template <class Grid>
  void add(const Grid& grid) {
    heights += grid.read_heights;
    memory += grid.memory;
  }
};

inline constexpr std::uint64_t most_shards = 1000000;
/// One of several parts of a run, each of which a process of its own makes: [number, of) of the samples from `from` on.
struct Shard {
  std::uint64_t number = 0, of = 1;
  std::uint64_t from = 0;  // those before are in the result that the run goes on from
  bool operator==(const Shard&) const = default;
};

/// Samples, or rows of a table, from `first` on to the one before `end`.
struct SampleRange {
  std::uint64_t first, end;
};
/// Those of a shard of a run of `samples`: the shards differ by one at most.
SampleRange samples_of(const Shard& shard, std::uint64_t samples);

struct Loaded;  // host/config/loaded.hpp

struct Run {
  std::string config_path, config_text;
  std::vector<std::string> overlays;  // --set and the command line's other changes of the config, see load_run
  std::string title;
  const Model* model = nullptr;
  std::vector<std::string> schemes;  // names of description.schemes
  std::uint64_t samples = 0;         // that are run: all, or those of the shard
  std::uint64_t first = 0;           // the number of the first of them
  std::uint64_t samples_of_run = 0;  // of all shards, and of what these go on from
  std::optional<Shard> shard;
  Sampling sampling;
  bool strict = false;
  EnsembleSpec spec;
  std::vector<std::string>
      step_scales;            // where samples choose their steps: the parameters that these are in proportion to
  std::vector<Input> varied;  // what differs from sample to sample
  std::string preset;         // "ground medium", or several joined by commas; empty if values were given one by one
  std::string preset_note;    // what they rest on
  std::string terrain_name, terrain_note;
  std::string crs, crs_wkt;  // of x and y, as "EPSG:31287"; empty: not known
  GridsRead grids;           // none of a stored run
  std::string ground_map;  // "scree slope 60.1 %, alpine meadow 39.9 % of ..."; empty without a map of the ground
  std::vector<std::string> shape_names;
  std::vector<ShapeFacts> shapes;  // in the same order
  std::string group_by;            // "shape": statistics also per shape
  std::vector<InputFile> inputs;
  std::vector<std::string> warnings;     // one line each, printed before the run
  std::optional<std::string> moved_end;  // that of a run whose end is not the config's, but a multiple of the step
  MapSettings maps;
  std::vector<Gate> gates;
  std::vector<BarrierGate> barriers;
  std::vector<ForestStand> forest;
  Observed observed;
  Published published;
  Sensitivity sensitivity;
  std::vector<double> margins;  // per summary column, in its unit: a smaller difference does not matter; 0: none given
  std::vector<int> columns;     // of short tables and verdicts; empty: the system's choice, see shown_columns
  std::shared_ptr<const Loaded> loaded;  // what derive() needs of its config; null unless it was read from one

  GateStore::Lines lines_of_gates() const { return {0, gates.size(), false}; }
  /// Their lines keep the numbers that the config gave them, where gates are not looked at.
  GateStore::Lines lines_of_barriers() const {
    return {static_cast<std::size_t>(spec.world.barriers.first_line), barriers.size(), true};
  }
  /// Whether paths are, for maps, gates, barriers or stems.
  bool is_watched() const { return maps.on || !gates.empty() || !barriers.empty() || !forest.empty(); }
};

/// Of a run at a finer step: what steps do to these is not asked, but barriers and stems change where samples go.
inline void leave_out_maps_and_gates(Run& run) {
  run.maps.on = false;
  run.gates.clear();
}

/// Every file that the run was read from.
inline std::vector<std::string> files_read(const Run& run) {
  std::vector<std::string> files{run.config_path};
  for (const InputFile& input : run.inputs) files.push_back(input.file);
  return files;
}
/// The terrain, the system of its coordinates if it is known and the config's note on it; empty without a terrain.
inline std::string terrain_text(const Run& run) {
  return run.terrain_name + (run.crs.empty() ? "" : ", in " + run.crs) +
         (run.terrain_note.empty() ? "" : ", " + run.terrain_note);
}
/// The presets and what they rest on; empty without one.
inline std::string preset_text(const Run& run) {
  return run.preset + (run.preset_note.empty() ? "" : " (" + run.preset_note + ")");
}

/// "210 x 150 cells of 2 m from [-20, -150] (m)"
std::string raster_text(const MapGrid& grid);
/// Heights of the terrain at the centres of a raster's cells, by rows from the south-west corner, m; NaN without data.
std::vector<double> terrain_heights(const Run& run, const MapGrid& grid);
inline std::vector<double> terrain_of_maps(const Run& run) { return terrain_heights(run, run.spec.world.maps); }

/// The columns of short tables and verdicts.
inline std::vector<int> shown_columns(const Run& run, const Description& description) {
  return run.columns.empty() ? description.headline_columns() : run.columns;
}

/// How many steps of one length a sample takes that lives to the end of the run: the end of the last is the nearest to
/// `end` (time_is_up, src/endings.hpp).
inline double whole_steps(double step, double end) { return std::floor(end / step - 0.5) + 1; }

/// "0.002 s, end 120 s"; of steps that adapt, also what their length is in proportion to.
std::string steps_text(const Run& run);

/// "EOTA221: 780.0 kg, 0.2880 m^3, 1.2 m across, moments 61.2, 61.2, 85.0 kg m^2, 24 corners" of each shape, or of more
/// than `most` one line on all.
std::vector<std::string> shapes_text(const Run& run, std::size_t most);

/// Summaries of one run of one scheme: [columns, samples], and a status per sample.
struct SummaryTable {
  const Description* description = nullptr;
  std::uint64_t samples = 0;
  std::uint64_t first = 0;     // the number of the first: it has sample first + i in row i
  int replicates = 0;          // sample n is of replicate n mod replicates; 0: samples are independent
  Numbers<double> values;     // column c of row i at c * samples + i
  std::vector<std::uint32_t> status;
  /// Where the samples are that statistics rest on, in rising order: those before the first that was not finished, of
  /// each part of a merge. Of those after it only the ones that end early are finished, and their means are not those
  /// of the ensemble. Empty before count_finished(): all.
  std::vector<SampleRange> counted;
  /// How the sample of a row enters the statistics.
  std::uint32_t counted_status(std::uint64_t row) const {
    return counts(row) ? status[row] : static_cast<std::uint32_t>(Status::not_run);
  }
  bool is_in_statistics(std::uint64_t row) const { return is_finished(row) && counts(row); }
  bool counts(std::uint64_t row) const {
    if (counted.empty() || (counted[0].first <= row && row < counted[0].end)) return true;
    return counted.size() > 1 && counts_further(row);
  }
  /// How many these are.
  std::uint64_t counted_samples() const;
  /// Sets `counted` by the statuses: what is before the first unfinished sample, of all and of each range that is
  /// there.
  void count_finished();
  /// The same of a part alone, which has these rows here.
  void count_part(const SummaryTable& part);
  double at(int column, std::uint64_t row) const { return values[static_cast<std::size_t>(column) * samples + row]; }
  std::uint64_t number(std::uint64_t row) const { return first + row; }
  bool is_finished(std::uint64_t row) const { return status[row] != static_cast<std::uint32_t>(Status::not_run); }
  bool has(std::uint64_t number) const { return number >= first && number - first < samples; }
  std::uint64_t row(std::uint64_t number) const { return number - first; }
  std::span<const double> column(int c) const {
    return {values.data() + static_cast<std::size_t>(c) * samples, samples};
  }
  /// Lets the values of these samples out of memory, if they lie in a file.
  void release(std::uint64_t first, std::uint64_t count) const;

 private:
  bool counts_further(std::uint64_t row) const;  // in a range after the first
};

/// " (shard 1/4: 250 to 499 of 1000)" of the samples of a table; empty of a whole run.
std::string shard_text(const Run& run, const SummaryTable& table);

/// So many samples of a table are gone through at once before they are released.
inline constexpr std::uint64_t samples_at_once = std::uint64_t{1} << 16;

/// The first rows of a table, of which there may be fewer: what is not there is NaN and `not_run`. With a path the
/// values lie in a file beside it (MappedFile), and what is not there is 0: nobody asks for it.
SummaryTable grown(const SummaryTable& table, const Description& description, std::uint64_t samples,
                   const std::string& beside = "");

}  // namespace scree
