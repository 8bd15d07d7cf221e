// A validated config, and the table of summaries that it leads to.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model.hpp"
#include "sampling.hpp"

namespace scree {

struct InputFile {
  std::string path;
  std::string xxh3;  // XXH3-128 of its bytes, 32 hex digits
};

/// Observed values to print beside the simulated ones ([observed] in the config): one number per observation and group.
struct Observed {
  std::string column;              // the summary column they compare with, as "runout"
  std::vector<std::string> group;  // group name per observation (a shape's name), empty without groups
  std::vector<double> value;
};

/// Published numbers ([published]), to print beside ours and to be judged by themselves (published.hpp): per scheme and
/// column a mean and a standard deviation.
struct Published {
  std::string source;         // as "Leine et al. 2021, tables 2 and 3"
  std::string place;          // what the source calls this config's study, as "ramp"; may be empty
  std::uint64_t samples = 0;  // that each mean is of; 0: not said
  struct Row {
    std::string column, scheme, unit;
    double mean, sd;    // in the column's unit divided by `scale`
    double scale;       // the column's value is divided by this before printing (1000 for J -> kJ)
    std::string place;  // of another study of the same source, not to be printed beside ours; empty: this one
  };
  std::vector<Row> rows;
};

/// A preset or parameter to repeat the run over ([sensitivity]): one line of the table per value.
struct Sensitivity {
  std::string key;  // as "rock.ground"
  std::vector<std::string> values;
};

struct Loaded;  // host/config/loaded.hpp

struct Run {
  std::string config_path, config_text;
  std::vector<std::string> overlays;  // --set and the command line's other changes of the config, see load_run
  std::string title;
  const Model* model = nullptr;
  std::vector<std::string> schemes;  // names of description.schemes
  std::uint64_t samples = 0;
  Sampling sampling;
  bool strict = false;
  EnsembleSpec spec;
  std::string preset;  // "ground medium", or several joined by commas; empty if values were given one by one
  std::string terrain_name, terrain_note;
  std::vector<std::string> shape_names;
  std::string group_by;  // "shape": statistics also per shape
  std::vector<InputFile> inputs;
  std::vector<std::string> warnings;  // one line each, printed before the run
  Observed observed;
  Published published;
  Sensitivity sensitivity;
  std::vector<double> margins;  // per summary column, in its unit: a smaller difference does not matter; 0: none given
  std::shared_ptr<const Loaded> loaded;  // what derive() needs of its config; null unless it was read from one
};

/// The terrain with the config's note on it; empty without a terrain.
inline std::string terrain_text(const Run& run) {
  return run.terrain_name + (run.terrain_note.empty() ? "" : ", " + run.terrain_note);
}
/// The presets with the system's note on them; empty without one.
inline std::string preset_text(const Run& run, const Description& description) {
  const std::string& note = description.preset_note;
  return run.preset + (run.preset.empty() || note.empty() ? "" : " (" + note + ")");
}

/// Summaries of one run of one scheme: [columns, samples], and a status per sample.
struct SummaryTable {
  const Description* description = nullptr;
  std::uint64_t samples = 0;
  int replicates = 0;          // sample i is of replicate i mod replicates; 0: samples are independent
  std::vector<double> values;  // column c of sample i at c * samples + i
  std::vector<std::uint32_t> status;
  double at(int column, std::uint64_t sample) const {
    return values[static_cast<std::size_t>(column) * samples + sample];
  }
  std::span<const double> column(int c) const {
    return {values.data() + static_cast<std::size_t>(c) * samples, samples};
  }
};

}  // namespace scree
