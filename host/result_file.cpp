#include "result_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <numeric>

#include "digest.hpp"
#include "error.hpp"
#include "hdf5.hpp"
#include "host/version.hpp"
#include "kernels/cpu_threads.hpp"
#include "result_compare.hpp"
#include "result_until.hpp"
#include "suggest.hpp"

namespace scree {
namespace {

using h5::Handle;
using h5::label;
using h5::make_coordinate;
using h5::write_array;
using h5::write_attribute;
using h5::write_flags;
namespace fs = std::filesystem;

const std::vector<std::string> status_texts(status_names, status_names + status_count);

/// A name beside the result that no other process uses.
fs::path temporary_name(const fs::path& path) {
  return path.parent_path() / ("." + path.filename().string() + "." + std::to_string(getpid()) + ".part");
}

std::string folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path().string() : std::string(".");
}

// ---------------------------------------------------------------------------------------------------------------------

void write_samples(hid_t parent, hid_t status_type, const Run& run, const Arm& arm) {
  const SummaryTable& table = arm.table;
  const Handle group = h5::create_group(parent, "samples");
  const hsize_t dims[] = {table.samples};
  std::vector<std::int64_t> numbers(table.samples);
  std::iota(numbers.begin(), numbers.end(), 0);
  const Handle sample = write_array(group, "sample", dims, numbers);
  make_coordinate(sample, "sample");
  write_attribute(sample, "long_name", std::string("number of the sample, as replay --sample takes it"));

  for (std::size_t c = 0; c < table.description->columns.size(); ++c) {
    const Column& column = table.description->columns[c];
    std::vector<double> values(table.samples);
    for (std::uint64_t i = 0; i < table.samples; ++i)
      values[i] = table.status[i] == static_cast<std::uint32_t>(Status::not_run)
                      ? std::numeric_limits<double>::quiet_NaN()
                      : table.at(static_cast<int>(c), i);
    const Handle dataset = write_array(group, column.name, dims, values);
    std::string long_name = column.name;
    std::replace(long_name.begin(), long_name.end(), '_', ' ');
    write_attribute(dataset, "units", column.unit);
    write_attribute(dataset, "long_name", long_name);
    write_attribute(dataset, "description", column.meaning);
    write_attribute(dataset, "samples_counted", std::string(column.counted == Counted::stopped ? "stopped" : "all"));
    label(dataset, 0, sample);
  }

  const Handle status = write_array(group, "status", dims, status_type, status_type, table.status.data());
  write_attribute(status, "long_name", std::string("why the sample ended"));
  write_flags(status, status_texts);
  label(status, 0, sample);

  if (!arm.group.empty()) {
    const Handle dataset = write_array(group, "group", dims, H5T_STD_I32LE, H5T_NATIVE_INT32, arm.group.data());
    write_attribute(dataset, "long_name", "group of the sample, by " + run.group_by + "; -1 for none");
    write_flags(dataset, run.shape_names);
    label(dataset, 0, sample);
  }
}

/// One array per statistic over all `cells`, which has the shape of `dims`, labelled with `coordinates`; then the
/// quantiles with one dimension more.
void write_cells(hid_t group, const std::vector<const ColumnStatistics*>& cells, std::vector<hsize_t> dims,
                 const std::vector<hid_t>& coordinates, bool replicated) {
  const auto labelled = [&](const Handle& dataset, const char* meaning) {
    for (unsigned d = 0; d < coordinates.size(); ++d) label(dataset, d, coordinates[d]);
    write_attribute(dataset, "long_name", std::string(meaning));
  };
  const auto counts = [&](const char* name, const char* meaning, std::uint64_t ColumnStatistics::*member) {
    std::vector<std::int64_t> values;
    for (const ColumnStatistics* cell : cells) values.push_back(static_cast<std::int64_t>(cell->*member));
    labelled(write_array(group, name, dims, values), meaning);
  };
  const auto numbers = [&](const char* name, const char* meaning, double ColumnStatistics::*member) {
    std::vector<double> values;
    for (const ColumnStatistics* cell : cells) values.push_back(cell->*member);
    labelled(write_array(group, name, dims, values), meaning);
  };
  counts("n", "samples that entered", &ColumnStatistics::n);
  counts("undefined", "samples of the right status without a finite value", &ColumnStatistics::undefined);
  numbers("mean", "mean", &ColumnStatistics::mean);
  numbers("sd", "standard deviation, with n - 1", &ColumnStatistics::sd);
  numbers("ci95_low", "lower end of the 95 % confidence interval of the mean (Student's t)", &ColumnStatistics::ci_low);
  numbers("ci95_high", "upper end of the 95 % confidence interval of the mean (Student's t)",
          &ColumnStatistics::ci_high);
  if (replicated)
    numbers("gain", "variance of the mean of n independent samples over that between the replicates",
            &ColumnStatistics::gain);
  numbers("min", "smallest value", &ColumnStatistics::min);
  numbers("max", "largest value", &ColumnStatistics::max);

  const hsize_t level_dims[] = {quantile_levels.size()};
  const Handle level = write_array(group, "quantile", level_dims, quantile_levels);
  make_coordinate(level, "quantile");
  std::vector<double> values;
  for (const ColumnStatistics* cell : cells)
    values.insert(values.end(), cell->quantiles.begin(), cell->quantiles.end());
  dims.push_back(quantile_levels.size());
  const Handle quantiles = write_array(group, "quantiles", dims, values);
  labelled(quantiles, quantile_method);
  label(quantiles, static_cast<unsigned>(coordinates.size()), level);
}

std::vector<const ColumnStatistics*> cells_of(const std::vector<ColumnStatistics>& columns) {
  std::vector<const ColumnStatistics*> cells;
  for (const ColumnStatistics& column : columns) cells.push_back(&column);
  return cells;
}

void write_statistics(hid_t parent, const Description& description, const Statistics& statistics) {
  const Handle group = h5::create_group(parent, "statistics");
  const Handle column = column_coordinate(group, description);
  const hsize_t columns = description.columns.size();
  write_cells(group, cells_of(statistics.columns), {columns}, {column}, statistics.replicates > 0);

  const Handle status = h5::write_coordinate(group, "status", status_texts);
  const std::vector<std::int64_t> counts(statistics.status.begin(), statistics.status.end());
  const hsize_t status_dims[] = {status_count};
  label(write_array(group, "status_samples", status_dims, counts), 0, status);
  std::vector<double> mean(status_count * columns, std::numeric_limits<double>::quiet_NaN()), sd = mean;
  for (std::size_t s = 0; s < status_count; ++s)
    for (std::size_t c = 0; c < statistics.by_status[s].size(); ++c) {
      mean[s * columns + c] = statistics.by_status[s][c].mean;
      sd[s * columns + c] = statistics.by_status[s][c].sd;
    }
  const hsize_t dims[] = {status_count, columns};
  for (const auto& [name, values] : {std::pair{"status_mean", &mean}, std::pair{"status_sd", &sd}}) {
    const Handle dataset = write_array(group, name, dims, *values);
    label(dataset, 0, status);
    label(dataset, 1, column);
  }
}

void write_groups(hid_t parent, const Run& run, const Description& description, const Statistics& statistics) {
  const Handle group = h5::create_group(parent, "groups");
  write_attribute(group, "group_by", run.group_by);
  const Handle names = h5::write_coordinate(group, "group", run.shape_names);
  const Handle column = column_coordinate(group, description);
  std::vector<const ColumnStatistics*> cells;
  for (const GroupStatistics& of_group : statistics.groups)
    for (const ColumnStatistics& c : of_group.columns) cells.push_back(&c);
  write_cells(group, cells, {statistics.groups.size(), description.columns.size()}, {names, column},
              statistics.replicates > 0);
}

void write_deposition(hid_t parent, const Deposition& deposition) {
  const Handle group = h5::create_group(parent, "deposition");
  write_attribute(group, "description",
                  std::string("resting places of the samples that stopped; metres and radians; the ellipse holds 95 % "
                              "of a normal law with this mean and covariance"));
  write_attribute(group, "n", deposition.n);
  write_attribute(group, "mean_x", deposition.mean_x);
  write_attribute(group, "mean_y", deposition.mean_y);
  write_attribute(group, "var_x", deposition.var_x);
  write_attribute(group, "cov_xy", deposition.cov_xy);
  write_attribute(group, "var_y", deposition.var_y);
  write_attribute(group, "semi_major", deposition.semi_major);
  write_attribute(group, "semi_minor", deposition.semi_minor);
  write_attribute(group, "angle", deposition.angle);
  write_attribute(group, "lateral_width", deposition.lateral_width);
  write_attribute(group, "lateral_width_definition", deposition.width_definition);
}

void write_engine(hid_t object, const Arm& arm) {
  write_attribute(object, "backend", arm.backend);
  write_attribute(object, "device", arm.device);
  write_attribute(object, "threads", arm.threads);
}

void write_arm(hid_t parent, hid_t status_type, const Run& run, const Arm& arm);

/// An arm in a group of its own, with what the root says of a single one.
void write_named_arm(hid_t parent, hid_t status_type, const Run& run, const Arm& arm) {
  const Handle group = h5::create_group(parent, arm.name);
  write_attribute(group, "samples", arm.table.samples);
  write_attribute(group, "step", arm.step);
  write_attribute(group, "digest", arm.digest);
  write_engine(group, arm);
  write_arm(group, status_type, run, arm);
}

void write_arm(hid_t parent, hid_t status_type, const Run& run, const Arm& arm) {
  write_attribute(parent, "name", arm.name);
  write_attribute(parent, "scheme", arm.scheme);
  write_attribute(parent, "wall_s", arm.wall_s);
  write_attribute(parent, "sample_steps", arm.sample_steps);
  write_samples(parent, status_type, run, arm);
  write_statistics(parent, *arm.table.description, arm.statistics);
  if (!arm.group.empty()) write_groups(parent, run, *arm.table.description, arm.statistics);
  if (arm.statistics.has_deposition) write_deposition(parent, arm.statistics.deposition);
  if (!arm.until.looks.empty()) write_until(parent, arm.until);
  if (arm.finer.empty()) return;
  const Handle finer = h5::create_group(parent, "finer");
  for (const Arm& at : arm.finer) write_named_arm(finer, status_type, run, at);
}

void write_root(hid_t file, const Run& run, const std::vector<Arm>& arms) {
  const Description& description = *arms[0].table.description;
  std::vector<std::string> names, schemes, digests, headline, why, paths, hashes;
  for (const Arm& arm : arms) {
    names.push_back(arm.name);
    if (std::find(schemes.begin(), schemes.end(), arm.scheme) == schemes.end()) schemes.push_back(arm.scheme);
    digests.push_back(arm.digest);
  }
  for (const int c : description.headline) headline.push_back(description.columns[static_cast<std::size_t>(c)].name);
  for (const int c : description.why) why.push_back(description.columns[static_cast<std::size_t>(c)].name);
  for (const InputFile& input : run.inputs) {
    paths.push_back(input.path);
    hashes.push_back(input.xxh3);
  }
  write_attribute(file, "Conventions", std::string("CF-1.8"));
  write_attribute(file, "title", "Scree: " + description.meaning);
  write_attribute(file, "schema_version", result_schema);
  write_attribute(file, "program_version", std::string(SCREE_VERSION));
  write_attribute(file, "commit", std::string(SCREE_COMMIT));
  write_attribute(file, "system", description.system);
  write_attribute(file, "schemes", schemes);
  write_attribute(file, "arms", names);
  write_attribute(file, "samples", arms[0].table.samples);
  write_attribute(file, "seed", run.spec.seed);
  write_attribute(file, "sampling", sampling_name(run.sampling));
  write_attribute(file, "replicates", run.sampling.replicates);
  write_attribute(file, "dimensions", run.sampling.dimensions);
  write_attribute(file, "step", run.spec.world.step);
  write_attribute(file, "end", run.spec.world.end);
  write_attribute(file, "study", run.title);
  write_attribute(file, "config_path", fs::absolute(run.config_path).lexically_normal().string());
  write_attribute(file, "config_text", run.config_text);
  write_attribute(file, "config_overlays", run.overlays);
  write_attribute(file, "config_xxh3", xxh3_hex(run.config_text));
  write_attribute(file, "input_files", paths);
  write_attribute(file, "input_xxh3", hashes);
  write_attribute(file, "preset", run.preset);
  write_attribute(file, "preset_note", description.preset_note);
  write_attribute(file, "terrain", run.terrain_name);
  write_attribute(file, "terrain_note", run.terrain_note);
  write_attribute(file, "group_by", run.group_by);
  write_attribute(file, "group_names", run.shape_names);
  write_attribute(file, "warnings", run.warnings);
  write_attribute(file, "columns", column_names(description));
  write_attribute(file, "headline", headline);
  write_attribute(file, "why_columns", why);
  const auto name_of = [&](int c) {
    return c < 0 ? std::string() : description.columns[static_cast<std::size_t>(c)].name;
  };
  write_attribute(file, "deposition_columns",
                  std::vector<std::string>{name_of(description.deposition_x), name_of(description.deposition_y),
                                           name_of(description.deposition_across)});
  write_attribute(file, "digest", joined(digests, " "));
  write_engine(file, arms[0]);
}

void write_arms(hid_t file, const Run& run, const std::vector<Arm>& arms, const Evaluation* evaluation) {
  const Handle status_type = h5::enumeration(status_names);
  h5::commit(file, "status_type", status_type);
  if (arms.size() == 1) {
    write_arm(file, status_type, run, arms[0]);
    if (evaluation) write_comparisons(file, run, arms, *evaluation);
    return;
  }
  const Handle all = h5::create_group(file, "arms");
  for (const Arm& arm : arms) write_named_arm(all, status_type, run, arm);
  if (evaluation) write_comparisons(file, run, arms, *evaluation);
}

void write_file(const std::string& path, const Run& run, const std::vector<Arm>& arms, const Evaluation* evaluation) {
  Handle file = h5::create_file(path);
  write_root(file, run, arms);
  write_arms(file, run, arms, evaluation);
  file.close();
}

// ---------------------------------------------------------------------------------------------------------------------

std::unique_ptr<Description> read_description(hid_t file, hid_t samples) {
  auto description = std::make_unique<Description>();
  description->system = h5::read_text(file, "system");
  description->meaning = h5::read_text(file, "title").substr(std::strlen("Scree: "));
  description->preset_note = h5::read_text(file, "preset_note");
  for (const std::string& name : h5::read_texts(file, "columns")) {
    const Handle dataset = h5::open_array(samples, name);
    description->columns.push_back(
        {name, h5::read_text(dataset, "units"), h5::read_text(dataset, "description"),
         h5::read_text(dataset, "samples_counted") == "stopped" ? Counted::stopped : Counted::all});
  }
  for (const std::string& name : h5::read_texts(file, "headline"))
    description->headline.push_back(description->column(name));
  for (const std::string& name : h5::read_texts(file, "why_columns"))
    description->why.push_back(description->column(name));
  const std::vector<std::string> deposition = h5::read_texts(file, "deposition_columns");
  if (deposition.size() != 3) throw std::runtime_error("attribute deposition_columns has not three entries");
  description->deposition_x = description->column(deposition[0]);
  description->deposition_y = description->column(deposition[1]);
  description->deposition_across = description->column(deposition[2]);
  return description;
}

Arm read_arm(hid_t object, const Description& description, const Run& run, int groups) {
  Arm arm;
  const std::uint64_t samples = h5::read_uint(object, "samples");
  arm.name = h5::read_text(object, "name");
  arm.step = h5::read_double(object, "step");
  arm.scheme = h5::read_text(object, "scheme");
  arm.digest = h5::read_text(object, "digest");
  arm.backend = h5::read_text(object, "backend");
  arm.device = h5::read_text(object, "device");
  arm.threads = static_cast<int>(h5::read_uint(object, "threads"));
  arm.wall_s = h5::read_double(object, "wall_s");
  arm.sample_steps = h5::read_uint(object, "sample_steps");
  SummaryTable& table = arm.table;
  table.description = &description;
  table.samples = samples;
  table.replicates = run.sampling.replicates;
  const Handle group = h5::open_group(object, "samples");
  const Handle sample = h5::open_array(group, "sample");
  h5::require_size(sample, samples);  // before memory is taken for what a damaged attribute asks
  table.values.resize(description.columns.size() * samples);
  for (std::size_t c = 0; c < description.columns.size(); ++c)
    h5::read_array(group, description.columns[c].name, H5T_NATIVE_DOUBLE, samples, table.values.data() + c * samples);
  table.status.resize(samples);
  const Handle status_type = h5::enumeration(status_names);
  h5::read_array(group, "status", status_type, samples, table.status.data());
  for (const std::uint32_t status : table.status)
    if (status >= status_count) throw std::runtime_error("dataset status has a value without a name");
  if (h5::has_link(group, "group")) {
    arm.group.resize(samples);
    h5::read_array(group, "group", H5T_NATIVE_INT32, samples, arm.group.data());
    for (const int g : arm.group)
      if (g >= groups) throw std::runtime_error("dataset group has a value without a name");
  }
  arm.until = read_until(object, description);
  arm.statistics = statistics(table, arm.group.empty() ? nullptr : &arm.group, arm.group.empty() ? 0 : groups,
                              scree_available_threads());
  if (h5::has_link(object, "finer")) {
    const Handle finer = h5::open_group(object, "finer");
    for (const std::string& name : h5::link_names(finer))
      arm.finer.push_back(read_arm(h5::open_group(finer, name), description, run, groups));
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

StoredResult read_file(hid_t file) {
  StoredResult result;
  Run& run = result.run;
  result.program_version = h5::read_text(file, "program_version");
  result.commit = h5::read_text(file, "commit");
  result.config_xxh3 = h5::read_text(file, "config_xxh3");
  run.title = h5::read_text(file, "study");
  run.config_path = h5::read_text(file, "config_path");
  run.config_text = h5::read_text(file, "config_text");
  run.overlays = h5::read_texts(file, "config_overlays");
  run.schemes = h5::read_texts(file, "schemes");
  run.samples = h5::read_uint(file, "samples");
  run.spec.seed = h5::read_uint(file, "seed");
  run.sampling = read_sampling(file);
  run.spec.world.step = h5::read_double(file, "step");
  run.spec.world.end = h5::read_double(file, "end");
  run.preset = h5::read_text(file, "preset");
  run.terrain_name = h5::read_text(file, "terrain");
  run.terrain_note = h5::read_text(file, "terrain_note");
  run.group_by = h5::read_text(file, "group_by");
  run.shape_names = h5::read_texts(file, "group_names");
  run.warnings = h5::read_texts(file, "warnings");
  const std::vector<std::string> paths = h5::read_texts(file, "input_files"),
                                 hashes = h5::read_texts(file, "input_xxh3");
  for (std::size_t i = 0; i < std::min(paths.size(), hashes.size()); ++i) run.inputs.push_back({paths[i], hashes[i]});
  const int groups = static_cast<int>(run.shape_names.size());
  const std::vector<std::string> names = h5::read_texts(file, "arms");
  for (const std::string& name : names) {
    const Handle object = h5::open_group(file, names.size() == 1 ? "/" : "arms/" + name);
    if (!result.description) result.description = read_description(file, h5::open_group(object, "samples"));
    result.arms.push_back(read_arm(object, *result.description, run, groups));
  }
  if (h5::has_link(file, "compare")) run.margins = read_margins(file, *result.description);
  if (result.arms.empty()) throw std::runtime_error("attribute arms is missing");
  return result;
}

}  // namespace

void check_output(const std::string& path, bool force) {
  const fs::path target(path);
  std::error_code ignored;
  if (target.filename().empty() || fs::is_directory(target, ignored))
    throw Error(Exit::usage, path + ": the result is a file, but this names a folder");
  const std::string folder = folder_of(target);
  if (!fs::is_directory(folder, ignored)) throw Error(Exit::usage, path + ": there is no folder " + folder);
  // A rename would put the result in the place of the device or pipe, with --force too.
  if (fs::exists(target, ignored) && !fs::is_regular_file(target, ignored))
    throw Error(Exit::usage, path + ": the result is a file, but this names a device or a pipe");
  if (fs::exists(target, ignored) && !force)
    throw Error(Exit::usage, path + ": exists already; give another name, or --force to replace it");
  // Only an attempt tells whether a folder can be written: permissions, read-only mounts and quotas all count.
  const fs::path temporary = temporary_name(target);
  const int file = open(temporary.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (file < 0) throw Error(Exit::usage, path + ": cannot write to the folder " + folder + ": " + std::strerror(errno));
  close(file);
  fs::remove(temporary, ignored);
}

void write_renamed(const std::string& path, const std::function<void(const std::string& temporary)>& write) {
  const fs::path temporary = temporary_name(path);
  try {
    write(temporary.string());
    fs::rename(temporary, path);
  } catch (const std::exception& error) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw Error(Exit::failed, path + ": cannot be written: " + error.what());
  }
}

void write_result(const std::string& path, const Run& run, const std::vector<Arm>& arms, bool force,
                  const Evaluation* evaluation) {
  check_output(path, force);
  const h5::Quiet quiet;
  write_renamed(path, [&](const std::string& temporary) { write_file(temporary, run, arms, evaluation); });
}

StoredResult read_result(const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) throw Error(Exit::input, path + ": there is no such file");
  const h5::Quiet quiet;
  if (fs::is_directory(path, ignored) || H5Fis_hdf5(path.c_str()) <= 0)
    throw Error(Exit::input, path + ": not an HDF5 file");
  try {
    const Handle file = h5::open_file(path);
    if (!h5::has_attribute(file, "schema_version"))
      throw std::runtime_error("not a result of Scree: there is no root attribute schema_version");
    const std::uint64_t schema = h5::read_uint(file, "schema_version");
    if (schema != static_cast<std::uint64_t>(result_schema))
      throw std::runtime_error("has schema version " + std::to_string(schema) + ", this program reads " +
                               std::to_string(result_schema));
    return read_file(file);
  } catch (const std::exception& error) {
    throw Error(Exit::input, path + ": " + error.what());
  }
}

}  // namespace scree
