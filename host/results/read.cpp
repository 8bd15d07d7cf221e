
#include <algorithm>
#include <filesystem>

#include "compare.hpp"
#include "forest.hpp"
#include "gates.hpp"
#include "hdf5.hpp"
#include "host/common/available_memory.hpp"
#include "host/common/available_threads.hpp"
#include "host/common/error.hpp"
#include "host/common/text_input.hpp"
#include "host/common/while_reading.hpp"
#include "host/engine/memory.hpp"
#include "host/journal/journal.hpp"
#include "host/model/digest.hpp"
#include "inputs.hpp"
#include "kept.hpp"
#include "maps.hpp"
#include "observed.hpp"
#include "result_file.hpp"
#include "seal.hpp"
#include "until.hpp"
#include "untrusted.hpp"

namespace scree {
namespace {

using h5::Handle;
namespace fs = std::filesystem;

Counted counted_of(const std::string& name) {
  if (name != "stopped" && name != "all")
    throw std::runtime_error("attribute samples_counted is neither all nor stopped");
  return name == "stopped" ? Counted::stopped : Counted::all;
}

void require_at_most(std::size_t most, std::size_t count, const char* what) {
  if (count > most)
    throw std::runtime_error("has " + std::to_string(count) + " " + what + ", must be at most " + std::to_string(most));
}

std::unique_ptr<Description> read_description(hid_t file, hid_t samples) {
  auto description = std::make_unique<Description>();
  description->system = h5::read_text(file, "system");
  description->meaning = h5::read_text(file, "title");
  if (constexpr std::string_view start = "Scree: "; description->meaning.starts_with(start))
    description->meaning.erase(0, start.size());
  const std::vector<std::string> columns = h5::read_texts(file, "columns");
  require_at_most(most_result_columns, columns.size(), "columns");
  for (const std::string& name : columns) {
    const Handle dataset = h5::open_array(samples, name);
    description->columns.push_back({name, h5::read_text(dataset, "units"), h5::read_text(dataset, "description"),
                                    counted_of(h5::read_text(dataset, "samples_counted")), -1,
                                    h5::has_attribute(dataset, "optional"), h5::has_attribute(dataset, "late")});
  }
  for (Column& column : description->columns) {
    const Handle dataset = h5::open_array(samples, column.name);
    if (!h5::has_attribute(dataset, "mean_over")) continue;
    column.time = description->column(h5::read_text(dataset, "mean_over"));
    column.rms = description->column(h5::read_text(dataset, "rms"));
    if (column.time < 0 || column.rms < 0)
      throw std::runtime_error("attributes mean_over and rms of " + column.name + " name no columns");
  }
  const auto column = [&](const char* attribute, const std::string& name) {
    const int found = description->column(name);
    if (found < 0) throw std::runtime_error(std::string("attribute ") + attribute + " names no column: " + name);
    return found;
  };
  for (const std::string& name : h5::read_texts(file, "headline"))
    description->headline.push_back(column("headline", name));
  for (const std::string& name : h5::read_texts(file, "why_columns"))
    description->why.push_back(column("why_columns", name));
  const std::vector<std::string> deposition = h5::read_texts(file, "deposition_columns");
  if (deposition.size() != 3) throw std::runtime_error("attribute deposition_columns has not three entries");
  const auto column_or_none = [&](const std::string& name) {
    return name.empty() ? -1 : column("deposition_columns", name);
  };
  description->deposition_x = column_or_none(deposition[0]);
  description->deposition_y = column_or_none(deposition[1]);
  description->deposition_across = column_or_none(deposition[2]);
  if ((description->deposition_x < 0) != (description->deposition_y < 0))
    throw std::runtime_error("attribute deposition_columns has one of x and y alone");
  return description;
}

Handle opened(const std::string& path) {
  try {
    return h5::open_file(path);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(std::string("cannot be read as an HDF5 file: ") + error.what());
  }
}

/// The parts that a result leads to.
class Parts {
 public:
  Parts(hid_t file, const std::string& path) : path_(path), folder_(fs::path(path).parent_path()) {
    if (!h5::has_attribute(file, "linked_parts")) return;
    names_ = h5::read_raw_texts(file, "linked_parts");
    digests_ = h5::read_texts(file, "linked_digests");
    if (digests_.size() != names_.size())
      throw std::runtime_error("attributes linked_parts and linked_digests do not go together");
    known_.resize(names_.size());
  }
  /// Of the result itself.
  const std::string& path() const { return path_; }
  bool empty() const { return names_.empty(); }
  std::size_t size() const { return names_.size(); }
  /// A part, which must be as it was when the result was put together.
  Handle open(std::size_t k) {
    const std::string path = (folder_ / names_[k]).string();
    const auto refuse = [&](const std::string& why) { throw std::runtime_error("its part " + names_[k] + " " + why); };
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) refuse("is not there");
    const auto seal = [&] {
      try {
        return seal_of(path);
      } catch (const std::runtime_error& error) {
        throw std::runtime_error("its part " + names_[k] + ": " + error.what());
      }
    };
    if (!known_[k] && seal() == Seal::broken) refuse("was damaged after it was written");
    if (H5Fis_hdf5(path.c_str()) <= 0) refuse("is no HDF5 file");
    Handle part = opened(path);
    if (known_[k]) return part;
    require_harmless(part);
    if (!h5::has_attribute(part, "digest") || h5::read_text(part, "digest") != digests_[k] ||
        h5::has_attribute(part, "linked_parts"))
      refuse("is not the one that was put together");
    known_[k] = true;
    return part;
  }

 private:
  std::string path_;
  fs::path folder_;
  std::vector<std::string> names_, digests_;
  std::vector<bool> known_;
};

/// Reads the arrays of samples in a group into so many rows of an arm from `first` on.
void read_rows(hid_t group, std::uint64_t first, std::uint64_t count, Arm& arm) {
  SummaryTable& table = arm.table;
  const std::vector<Column>& columns = table.description->columns;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    h5::read_array(group, columns[c].name, H5T_NATIVE_DOUBLE, count, table.values.data() + c * table.samples + first);
    table.values.release(c * table.samples + first, count);
    while_reading();
  }
  const Handle status_type = h5::enumeration(status_names);
  h5::read_array(group, "status", status_type, count, table.status.data() + first);
  if (!arm.group.empty()) h5::read_array(group, "group", H5T_NATIVE_INT32, count, arm.group.data() + first);
}

/// The same of all rows, out of the parts that have them.
void read_linked_rows(hid_t object, Parts& parts, Arm& arm) {
  const std::vector<double> rows = h5::read_doubles(object, "linked_rows", 2 * parts.size());
  const std::string path = h5::path_of(object);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const double first = rows[2 * k], count = rows[2 * k + 1], all = static_cast<double>(arm.table.samples);
    if (!(first >= 0 && count >= 0 && first <= all && count <= all - first))
      throw std::runtime_error("attribute linked_rows has rows that are not there");
    if (count == 0) continue;
    const Handle part = parts.open(k), from = h5::open_group(part, path), group = h5::open_group(from, "samples");
    read_rows(group, static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(count), arm);
  }
}

/// For so many values of the samples of the file `path`: beside it where they are too many for memory, and the file is
/// no small one that would fill a disk. Packed, samples take some three quarters of their bytes.
Numbers<double> room_for(std::size_t count, const std::string& path) {
  const double bytes = 8 * static_cast<double>(count);
  if (bytes > most_in_memory() && bytes < 4 * static_cast<double>(fs::file_size(path))) {
    try {
      return Numbers<double>::in_file(path, count);
    } catch (const Error&) {
      // As of a folder that cannot be written to.
    }
  }
  if (const double available = memory_available(); bytes > available)
    throw std::runtime_error("its samples take " + bytes_text(bytes) + " of memory, " + bytes_text(available) +
                             " are available");
  return std::vector<double>(count, missing);
}

/// So that their sums over files are numbers too.
std::uint64_t read_count(hid_t object, const char* name, std::uint64_t most) {
  const std::uint64_t count = h5::read_uint(object, name);
  if (count > most)
    throw std::runtime_error("attribute " + std::string(name) + " = " + std::to_string(count) +
                             ", must be <= " + std::to_string(most));
  return count;
}

/// Those of a merge of some parts; else none.
std::vector<SampleRange> read_counted(hid_t object, std::uint64_t samples) {
  if (!h5::has_link(object, "counted")) return {};
  const Handle group = h5::open_group(object, "counted");
  const Handle ends = h5::open_array(group, "end");
  const std::uint64_t count = h5::size_of(ends);
  if (count > samples) throw std::runtime_error("group counted has more ranges than samples");
  if (h5::size_of(h5::open_array(group, "first")) != count)
    throw std::runtime_error("group counted has beginnings of other ranges than ends");
  std::vector<std::uint64_t> first(count), end(count);
  h5::read_array(group, "first", H5T_NATIVE_UINT64, count, first.data());
  h5::read_array(group, "end", H5T_NATIVE_UINT64, count, end.data());
  std::vector<SampleRange> ranges;
  for (std::size_t k = 0; k < count; ++k) {
    if (first[k] < (k > 0 ? end[k - 1] : 0) || end[k] < first[k] || end[k] > samples)
      throw std::runtime_error("group counted has ranges that are none of its samples");
    ranges.push_back({first[k], end[k]});
  }
  return ranges;
}

/// `is_finer`: it has no finer ones itself, even if a link leads back to an arm that has.
Arm read_arm(hid_t object, const Description& description, const Run& run, int groups, bool with_statistics,
             Parts& parts, bool is_finer = false) {
  Arm arm;
  const std::uint64_t samples = h5::read_uint(object, "samples");
  arm.name = h5::read_text(object, "name");
  arm.step = h5::read_double(object, "step");
  if (h5::has_attribute(object, "changes"))
    arm.changes = h5::read_raw_texts(object, "changes");
  else if (arm.step != run.spec.world.step)  // of an older file
    arm.changes = {"its step:step=" + number_text(arm.step)};
  arm.scheme = h5::read_text(object, "scheme");
  arm.digest = h5::read_text(object, "digest");
  arm.backend = h5::read_text(object, "backend");
  arm.device = h5::read_text(object, "device");
  arm.threads = static_cast<int>(read_count(object, "threads", most_result_threads));
  arm.wall_s = h5::read_double(object, "wall_s");
  if (h5::has_attribute(object, "longest_wall_s")) arm.longest_wall_s = h5::read_double(object, "longest_wall_s");
  arm.sample_steps = read_count(object, "sample_steps", most_result_steps);
  if (h5::has_attribute(object, "finer_steps")) {
    arm.finer_steps = read_count(object, "finer_steps", most_finer_steps);
    arm.finer_samples = read_count(object, "finer_samples", most_result_steps);
  }
  SummaryTable& table = arm.table;
  table.description = &description;
  table.samples = samples;
  if (h5::has_attribute(object, "shard_first")) table.first = h5::read_uint(object, "shard_first");
  if (table.first >= std::uint64_t{1} << 62) throw std::runtime_error("attribute shard_first is no number of a sample");
  table.replicates = run.sampling.replicates;
  const Handle group = h5::open_group(object, "samples");
  const Handle sample = h5::open_array(group, "sample");
  h5::require_size(sample, samples);  // before memory is taken for what a damaged attribute asks
  const bool is_linked = !parts.empty();
  table.values = room_for(description.columns.size() * samples, parts.path());
  table.status.resize(samples, static_cast<std::uint32_t>(Status::not_run));
  if (h5::has_link(group, "group")) arm.group.resize(samples, -1);
  if (is_linked)
    read_linked_rows(object, parts, arm);
  else
    read_rows(group, 0, samples, arm);
  for (const std::uint32_t status : table.status)
    if (status >= status_count) throw std::runtime_error("dataset status has a value without a name");
  for (const int g : arm.group)
    if (g >= groups) throw std::runtime_error("dataset group has a value without a name");
  table.counted = read_counted(object, samples);
  table.count_finished();
  arm.until = read_until(object, description);
  arm.map_facts = read_maps(object);
  if (arm.map_facts && arm.map_facts->counted > samples)
    throw std::runtime_error("has maps of more samples than it has");
  read_gates(object, arm);
  read_barriers(object, arm);
  read_forest(object, arm);
  while_reading();
  if (with_statistics) {
    arm.statistics = statistics(table, arm.group.empty() ? nullptr : &arm.group, arm.group.empty() ? 0 : groups,
                                available_threads());
    arm.scores = scores(run, table, arm.group);
  }
  if (!is_finer && h5::has_link(object, "finer")) {
    const Handle finer = h5::open_group(object, "finer");
    for (const std::string& name : h5::link_names(finer))
      arm.finer.push_back(read_arm(h5::open_group(finer, name), description, run, groups, with_statistics, parts, true));
  }
  return arm;
}

Sampling read_sampling(hid_t file) {
  Sampling sampling;
  if (!h5::has_attribute(file, "sampling")) return sampling;  // older files hold independent samples
  const std::string name = h5::read_text(file, "sampling");
  sampling.sobol = name == "sobol";
  sampling.replicates = static_cast<int>(h5::read_uint(file, "replicates"));
  sampling.dimensions = static_cast<int>(h5::read_uint(file, "dimensions"));
  if (name != sampling_name(sampling) || sampling.sobol != (sampling.replicates > 0) ||
      sampling.replicates > most_replicates)
    throw std::runtime_error("attributes sampling and replicates do not go together");
  return sampling;
}

/// None of an older file.
std::vector<ShapeFacts> read_shapes(hid_t file, std::size_t count) {
  std::vector<ShapeFacts> shapes;
  if (count == 0 || !h5::has_attribute(file, "shape_mass")) return shapes;
  const auto numbers = [&](const char* name, std::size_t wanted) { return h5::read_doubles(file, name, wanted); };
  const std::vector<double> mass = numbers("shape_mass", count), volume = numbers("shape_volume", count),
                            size = numbers("shape_size", count), moments = numbers("shape_moments", 3 * count),
                            corners = numbers("shape_corners", count);
  const bool has_variants = h5::has_attribute(file, "shape_variants");
  const std::vector<double> variants = has_variants ? numbers("shape_variants", count) : std::vector<double>(count, 1);
  for (std::size_t i = 0; i < count; ++i)
    shapes.push_back({mass[i],
                      volume[i],
                      size[i],
                      {moments[3 * i], moments[3 * i + 1], moments[3 * i + 2]},
                      static_cast<int>(corners[i]),
                      static_cast<int>(variants[i])});
  return shapes;
}

/// Statistics of `count` rows of all columns, as write_cells has written them.
std::vector<std::vector<ColumnStatistics>> read_cells(hid_t group, std::size_t count, std::size_t columns) {
  h5::require_size(h5::open_array(group, "n"), count * columns);  // before memory is taken for them
  std::vector<std::vector<ColumnStatistics>> rows(count, std::vector<ColumnStatistics>(columns));
  const auto each = [&](const char* name, auto type, hid_t memory_type, std::size_t per_cell, auto take) {
    std::vector<decltype(type)> values(count * columns * per_cell);
    h5::read_array(group, name, memory_type, values.size(), values.data());
    for (std::size_t i = 0; i < count * columns; ++i)
      take(rows[i / columns][i % columns], values.data() + i * per_cell);
  };
  const auto counts = [&](const char* name, std::uint64_t ColumnStatistics::*member) {
    each(name, std::uint64_t{}, H5T_NATIVE_UINT64, 1, [&](ColumnStatistics& c, const auto* x) { c.*member = *x; });
  };
  const auto numbers = [&](const char* name, double ColumnStatistics::*member) {
    each(name, double{}, H5T_NATIVE_DOUBLE, 1, [&](ColumnStatistics& c, const auto* x) { c.*member = *x; });
  };
  counts("n", &ColumnStatistics::n);
  counts("undefined", &ColumnStatistics::undefined);
  numbers("mean", &ColumnStatistics::mean);
  numbers("sd", &ColumnStatistics::sd);
  numbers("ci95_low", &ColumnStatistics::ci_low);
  numbers("ci95_high", &ColumnStatistics::ci_high);
  numbers("min", &ColumnStatistics::min);
  numbers("max", &ColumnStatistics::max);
  for (auto& row : rows)
    for (ColumnStatistics& c : row) c.gain = missing;
  if (h5::has_link(group, "gain")) numbers("gain", &ColumnStatistics::gain);
  each("quantiles", double{}, H5T_NATIVE_DOUBLE, quantile_levels.size(),
       [](ColumnStatistics& c, const auto* x) { std::copy_n(x, quantile_levels.size(), c.quantiles.begin()); });
  return rows;
}

/// How many samples each of `count` rows has, and how they ended: of the statuses that there were when it was written.
template <class Row>
void read_counts(hid_t group, const std::vector<Row*>& rows) {
  const std::uint64_t size = h5::size_of(h5::open_array(group, "status_samples")),
                      known = rows.empty() ? 0 : size / rows.size();
  if (size != known * rows.size() || known > status_count)
    throw std::runtime_error("dataset status_samples has " + std::to_string(size) + " values, which are not those of " +
                             std::to_string(rows.size()) + " rows");
  std::vector<std::uint64_t> samples(rows.size()), status(size);
  h5::read_array(group, "samples", H5T_NATIVE_UINT64, samples.size(), samples.data());
  h5::read_array(group, "status_samples", H5T_NATIVE_UINT64, status.size(), status.data());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i]->samples = samples[i];
    std::copy_n(status.data() + i * known, known, rows[i]->status.begin());
  }
}

/// The table over the values of a key, and these into run.sensitivity; empty of a result without.
std::vector<Variant> read_sensitivity(hid_t file, const Description& description, Run& run) {
  std::vector<Variant> variants;
  if (!h5::has_link(file, "sensitivity")) return variants;
  const Handle group = h5::open_group(file, "sensitivity");
  run.sensitivity.key = h5::read_text(group, "key");
  const std::string shown = h5::read_text(group, "group_column");
  if (!shown.empty() && description.column(shown) < 0) throw std::runtime_error("attribute group_column is no column");
  if (run.observed.value.empty()) run.observed.column = shown;
  const std::vector<std::string> values = h5::read_texts(group, "values"), schemes = h5::read_texts(group, "schemes");
  if (values.size() != schemes.size()) throw std::runtime_error("attributes values and schemes do not go together");
  const std::size_t columns = description.columns.size(), groups = run.shape_names.size();
  const auto cells = read_cells(group, values.size(), columns);
  const bool grouped = h5::has_link(group, "groups");
  std::vector<Statistics*> all;
  std::vector<GroupStatistics*> of_groups;
  variants.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    Arm& arm = variants[i].arm;
    variants[i].value = values[i];
    if (std::ranges::find(run.sensitivity.values, values[i]) == run.sensitivity.values.end())
      run.sensitivity.values.push_back(values[i]);
    arm.name = arm.scheme = schemes[i];
    arm.table.description = &description;
    arm.statistics.columns = cells[i];
    arm.statistics.replicates = run.sampling.replicates;
    if (grouped) arm.statistics.groups.resize(groups);
    all.push_back(&arm.statistics);
    for (GroupStatistics& of_group : arm.statistics.groups) of_groups.push_back(&of_group);
  }
  read_counts(group, all);
  for (Variant& variant : variants) variant.arm.table.samples = variant.arm.statistics.samples;
  read_scores(group, run, variants);
  if (!grouped) return variants;
  const Handle by_group = h5::open_group(group, "groups");
  const auto group_cells = read_cells(by_group, of_groups.size(), columns);
  for (std::size_t i = 0; i < of_groups.size(); ++i) of_groups[i]->columns = group_cells[i];
  read_counts(by_group, of_groups);
  return variants;
}

/// Whether the samples of arms and their finer ones are as they were written, in words; empty if they are.
std::string change_of(std::span<const Arm> arms) {
  for (const Arm& arm : arms) {
    if (digest(arm.table) != arm.digest)
      return "was changed after it was written: the samples of " + arm.name + " do not give its digest " + arm.digest;
    if (std::string change = change_of(arm.finer); !change.empty()) return change;
  }
  return "";
}

/// What a shard says of itself; of another result that it has all samples.
void read_shard(hid_t file, Run& run) {
  run.samples_of_run = run.samples;
  if (!h5::has_attribute(file, "shard_number")) return;
  run.shard = {h5::read_uint(file, "shard_number"), h5::read_uint(file, "shard_count"),
               h5::read_uint(file, "shard_from")};
  run.first = h5::read_uint(file, "shard_first");
  run.samples_of_run = h5::read_uint(file, "samples_of_run");
  if (run.shard->of > most_shards || run.shard->number >= run.shard->of ||
      run.shard->from >= run.samples_of_run || run.samples > run.samples_of_run ||
      run.first > run.samples_of_run - run.samples)
    throw std::runtime_error("attributes of the shard do not go together");
}

StoredResult read_file(hid_t file, const std::string& path, bool with_statistics) {
  StoredResult result;
  Run& run = result.run;
  Parts parts(file, path);
  result.linked_parts = parts.size();
  result.program_version = h5::read_text(file, "program_version");
  result.commit = h5::read_text(file, "commit");
  result.config_xxh3 = h5::read_text(file, "config_xxh3");
  run.title = h5::read_text(file, "study");
  run.config_path = h5::read_raw_text(file, "config_path");
  run.config_text = h5::read_raw_text(file, "config_text");
  run.overlays = h5::read_raw_texts(file, "config_overlays");
  run.schemes = h5::read_texts(file, "schemes");
  run.samples = h5::read_uint(file, "samples");
  read_shard(file, run);
  run.spec.seed = h5::read_uint(file, "seed");
  run.sampling = read_sampling(file);
  run.spec.world.step = h5::read_double(file, "step");
  run.spec.world.end = h5::read_double(file, "end");
  if (h5::has_attribute(file, "step_scales")) run.step_scales = h5::read_texts(file, "step_scales");
  run.preset = h5::read_text(file, "preset");
  run.preset_note = h5::read_text(file, "preset_note");
  run.terrain_name = h5::read_text(file, "terrain");
  if (h5::has_attribute(file, "ground_map")) run.ground_map = h5::read_text(file, "ground_map");
  if (h5::has_attribute(file, "crs")) {
    run.crs = h5::read_text(file, "crs");
    run.crs_wkt = h5::read_raw_text(file, "crs_wkt");
  }
  run.terrain_note = h5::read_text(file, "terrain_note");
  run.group_by = h5::read_text(file, "group_by");
  run.shape_names = h5::read_texts(file, "group_names");
  require_at_most(most_result_groups, run.shape_names.size(), "groups");
  run.shapes = read_shapes(file, run.shape_names.size());
  run.warnings = h5::read_texts(file, "warnings");
  run.varied = read_inputs(file);
  const std::vector<std::string> paths = h5::read_raw_texts(file, "input_files"),
                                 hashes = h5::read_texts(file, "input_xxh3");
  for (std::size_t i = 0; i < std::min(paths.size(), hashes.size()); ++i)
    run.inputs.push_back({paths[i], hashes[i], ""});
  const int groups = static_cast<int>(run.shape_names.size());
  const std::vector<std::string> names = h5::read_texts(file, "arms");
  if (names.empty()) throw std::runtime_error("attribute arms is missing");
  require_at_most(most_result_arms, names.size(), "arms");
  for (const std::string& name : names) {
    const Handle object = h5::open_group(file, names.size() == 1 ? "/" : "arms/" + name);
    if (!result.description) {
      result.description = read_description(file, h5::open_group(object, "samples"));
      read_observed(file, *result.description, run);
    }
    result.arms.push_back(read_arm(object, *result.description, run, groups, with_statistics, parts));
  }
  result.compared = h5::has_link(file, "compare");
  result.converged = h5::has_link(file, "converge");
  if (result.compared) run.margins = read_margins(file, *result.description);
  if (names.size() > 1 && run.varied.empty()) run.varied = read_inputs(h5::open_group(file, "arms/" + names[0]));
  result.sensitivity = read_sensitivity(file, *result.description, run);
  return result;
}

}  // namespace

StoredResult read_result(const std::string& path, bool with_statistics, bool anyway) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) {
    const std::string journal = path + journal_end;
    throw Error(Exit::input, path + ": there is no such file" +
                                 (fs::exists(journal, ignored)
                                      ? "; " + journal + " has what was finished of it, and --resume goes on"
                                      : ""));
  }
  const h5::Session session;
  if (!fs::is_regular_file(path, ignored)) throw Error(Exit::input, path + ": is a folder or a device, not a file");
  if (is_journal(path)) return read_kept(path);
  try {
    if (seal_of(path) == Seal::broken)
      throw std::runtime_error("was damaged after it was written: its bytes do not give the checksum at its end");
    if (H5Fis_hdf5(path.c_str()) <= 0) throw std::runtime_error("not an HDF5 file");
    const Handle file = opened(path);
    if (!h5::has_attribute(file, "schema_version"))
      throw std::runtime_error("not a result of Scree: there is no root attribute schema_version");
    const std::uint64_t schema = h5::read_uint(file, "schema_version");
    if (schema < static_cast<std::uint64_t>(oldest_result_schema) || schema > static_cast<std::uint64_t>(result_schema))
      throw std::runtime_error("has schema version " + std::to_string(schema) + ", this program reads " +
                               std::to_string(oldest_result_schema) + " to " + std::to_string(result_schema));
    require_harmless(file);
    StoredResult result = read_file(file, path, with_statistics);
    result.schema = static_cast<int>(schema);
    if (const std::string change = change_of(result.arms); !change.empty()) {
      if (!anyway) throw std::runtime_error(change + "; info and replay read it with --anyway");
      result.damage = path + ": " + change;
      result.run.warnings.push_back(result.damage);
    }
    return result;
  } catch (const std::bad_alloc&) {
    throw Error(Exit::device, path + ": cannot be read: out of memory");
  } catch (const std::exception& error) {
    throw Error(Exit::input, path + ": " + error.what());
  }
}

}  // namespace scree
