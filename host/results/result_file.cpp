#include "result_file.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>

#include "compare.hpp"
#include "forest.hpp"
#include "gates.hpp"
#include "hdf5.hpp"
#include "host/common/available_threads.hpp"
#include "host/common/suggest.hpp"
#include "host/common/version.hpp"
#include "host/model/digest.hpp"
#include "inputs.hpp"
#include "maps.hpp"
#include "observed.hpp"
#include "output.hpp"
#include "seal.hpp"
#include "shards.hpp"
#include "until.hpp"

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

/// Those that its samples had on processors, or where a device had them, or several runs, all.
int threads_beside(const Arm& arm) {
  return arm.backend == "scalar" || arm.backend == "pack" ? arm.threads : available_threads();
}

/// Links of an arm whose samples lie in other results.
std::vector<h5::Link> links_of(const Arm& arm) {
  std::vector<h5::Link> links;
  for (const LinkedRows& rows : arm.linked) links.push_back({rows.file, rows.first, rows.count});
  return links;
}

/// Of a whole column that lies in memory.
template <class Number>
h5::Fill from(const std::vector<Number>& values) {
  return [&values](std::uint64_t first, std::size_t count, void* into) {
    std::memcpy(into, values.data() + first, count * sizeof(Number));
  };
}

void write_samples(hid_t parent, hid_t status_type, const Run& run, const Arm& arm) {
  const SummaryTable& table = arm.table;
  const Handle group = h5::create_group(parent, "samples");
  const h5::Chunked sample = write_sample_numbers(group, table, threads_beside(arm));
  make_coordinate(sample, "sample");
  const std::vector<h5::Link> links = links_of(arm);
  const auto write = [&](const std::string& name, hid_t type, const void* missing, const h5::Fill& fill,
                         const std::function<void(std::uint64_t first, std::uint64_t count)>& written = {}) {
    return links.empty() ? h5::write_pieces(group, name, type, table.samples, threads_beside(arm), fill, written)
                         : h5::Chunked(h5::write_links(group, name, type, table.samples, missing, links));
  };
  constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
  constexpr std::uint32_t not_run = static_cast<std::uint32_t>(Status::not_run);
  constexpr std::int32_t none = -1;
  write_attribute(sample, "long_name", std::string("number of the sample, as replay --sample takes it"));

  for (std::size_t c = 0; c < table.description->columns.size(); ++c) {
    const Column& column = table.description->columns[c];
    const auto fill = [&](std::uint64_t first, std::size_t count, void* into) {
      auto* const values = static_cast<double*>(into);
      for (std::size_t i = 0; i < count; ++i)
        values[i] = table.status[first + i] == not_run ? not_a_number : table.at(static_cast<int>(c), first + i);
    };
    const h5::Chunked dataset = write(column.name, H5T_IEEE_F64LE, &not_a_number, fill,
                                      [&](std::uint64_t first, std::uint64_t count) { table.release(first, count); });
    std::string long_name = column.name;
    std::replace(long_name.begin(), long_name.end(), '_', ' ');
    write_attribute(dataset, "units", column.unit);
    write_attribute(dataset, "long_name", long_name);
    write_attribute(dataset, "description", column.meaning);
    // Of a column that may not exist for a sample, and is left out of the digest there.
    if (column.optional) write_attribute(dataset, "optional", 1);
    if (column.late) write_attribute(dataset, "late", 1);  // in no digest
    if (column.time >= 0) {
      const auto name_of = [&](int c) { return table.description->columns[static_cast<std::size_t>(c)].name; };
      write_attribute(dataset, "mean_over", name_of(column.time));
      write_attribute(dataset, "rms", name_of(column.rms));
    }
    write_attribute(dataset, "samples_counted", std::string(column.counted == Counted::stopped ? "stopped" : "all"));
    label(dataset, 0, sample);
  }

  const h5::Chunked status = write("status", status_type, &not_run, from(table.status));
  write_attribute(status, "long_name", std::string("why the sample ended"));
  write_flags(status, status_texts);
  label(status, 0, sample);

  if (!arm.group.empty()) {
    const h5::Chunked dataset = write("group", H5T_STD_I32LE, &none, from(arm.group));
    write_attribute(dataset, "long_name", "group of the sample, by " + run.group_by + "; -1 for none");
    write_flags(dataset, run.shape_names);
    label(dataset, 0, sample);
  }
  if (arm.barriers) {
    const std::vector<std::int32_t> numbers = caught_by(arm);
    std::vector<std::string> names;
    for (const BarrierFacts& barrier : arm.barrier_facts) names.push_back(barrier.arrivals.name);
    const h5::Chunked dataset = write("caught_by", H5T_STD_I32LE, &none, from(numbers));
    write_attribute(dataset, "long_name", std::string("barrier that caught the sample; -1 for none"));
    write_flags(dataset, names);
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

/// "samples" and "status_samples" over cells that have these numbers, labelled with `coordinates`.
template <class Cells>
void write_counts(hid_t group, const Cells& cells, std::vector<hsize_t> dims, const std::vector<hid_t>& coordinates) {
  std::vector<std::int64_t> samples, status;
  for (const auto* cell : cells) {
    samples.push_back(static_cast<std::int64_t>(cell->samples));
    status.insert(status.end(), cell->status.begin(), cell->status.end());
  }
  const auto labelled = [&](const Handle& dataset) {
    for (unsigned d = 0; d < coordinates.size(); ++d) label(dataset, d, coordinates[d]);
  };
  labelled(write_array(group, "samples", dims, samples));
  const Handle names = h5::write_coordinate(group, "status", status_texts);
  dims.push_back(status_count);
  const Handle dataset = write_array(group, "status_samples", dims, status);
  labelled(dataset);
  label(dataset, static_cast<unsigned>(coordinates.size()), names);
}

void write_sensitivity(hid_t file, const Run& run, const std::vector<Variant>& variants) {
  const Description& description = *variants[0].arm.table.description;
  const Handle group = h5::create_group(file, "sensitivity");
  std::vector<std::string> values, schemes, rows;
  std::vector<const Statistics*> all;
  std::vector<const GroupStatistics*> of_groups;
  std::vector<const ColumnStatistics*> cells, group_cells;
  for (const Variant& variant : variants) {
    values.push_back(variant.value);
    schemes.push_back(variant.arm.scheme);
    rows.push_back(variant.value + ", " + variant.arm.scheme);
    all.push_back(&variant.arm.statistics);
    for (const ColumnStatistics& c : variant.arm.statistics.columns) cells.push_back(&c);
    for (const GroupStatistics& of_group : variant.arm.statistics.groups) {
      of_groups.push_back(&of_group);
      for (const ColumnStatistics& c : of_group.columns) group_cells.push_back(&c);
    }
  }
  write_attribute(group, "description",
                  std::string("statistics of the run with each of these values of a key, over samples of its own"));
  write_attribute(group, "key", run.sensitivity.key);
  write_attribute(group, "values", values);
  write_attribute(group, "schemes", schemes);
  write_attribute(group, "group_column", run.observed.column);
  const bool replicated = all[0]->replicates > 0;
  const hsize_t columns = description.columns.size();
  const Handle row = h5::write_coordinate(group, "row", rows), column = column_coordinate(group, description);
  write_counts(group, all, {rows.size()}, {row});
  write_cells(group, cells, {rows.size(), columns}, {row, column}, replicated);
  write_scores(group, run, variants);
  if (of_groups.empty()) return;
  const Handle groups = h5::create_group(group, "groups"), of_row = h5::write_coordinate(groups, "row", rows),
               names = h5::write_coordinate(groups, "group", run.shape_names),
               of_column = column_coordinate(groups, description);
  write_counts(groups, of_groups, {rows.size(), run.shape_names.size()}, {of_row, names});
  write_cells(groups, group_cells, {rows.size(), run.shape_names.size(), columns}, {of_row, names, of_column},
              replicated);
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
  if (run.shard) write_attribute(group, "shard_first", arm.table.first);
  write_attribute(group, "step", arm.step);
  write_attribute(group, "changes", arm.changes);
  write_attribute(group, "digest", arm.digest);
  write_engine(group, arm);
  write_arm(group, status_type, run, arm);
  if (arm.run) write_inputs(group, *arm.run, arm.table, threads_beside(arm), links_of(arm));
}

/// Where the samples of a merge of some parts are that statistics rest on.
void write_counted(hid_t parent, const SummaryTable& table) {
  const Handle group = h5::create_group(parent, "counted");
  const auto numbers = [&](const char* name, const char* meaning, std::uint64_t SampleRange::*member) {
    std::vector<std::int64_t> values;
    for (const SampleRange& range : table.counted) values.push_back(static_cast<std::int64_t>(range.*member));
    const hsize_t dims[] = {values.size()};
    const Handle dataset = h5::write_array(group, name, dims, values);
    write_attribute(dataset, "long_name", std::string(meaning));
  };
  numbers("first", "rows that statistics rest on, of each range the first", &SampleRange::first);
  numbers("end", "the first row after each range", &SampleRange::end);
}

void write_arm(hid_t parent, hid_t status_type, const Run& run, const Arm& arm) {
  if (!arm.linked.empty()) {
    std::vector<double> rows;
    for (const LinkedRows& part : arm.linked)
      rows.insert(rows.end(), {static_cast<double>(part.first), static_cast<double>(part.count)});
    write_attribute(parent, "linked_rows", std::span<const double>(rows));
  }
  write_attribute(parent, "name", arm.name);
  write_attribute(parent, "scheme", arm.scheme);
  write_attribute(parent, "wall_s", arm.wall_s);
  write_attribute(parent, "longest_wall_s", longest_wall(arm));
  write_attribute(parent, "sample_steps", arm.sample_steps);
  if (arm.finer_steps > 0) {
    write_attribute(parent, "finer_steps", static_cast<std::uint64_t>(arm.finer_steps));
    write_attribute(parent, "finer_samples", arm.finer_samples);
  }
  write_samples(parent, status_type, run, arm);
  if (arm.table.counted.size() > 1) write_counted(parent, arm.table);
  write_statistics(parent, *arm.table.description, arm.statistics);
  if (!arm.group.empty()) write_groups(parent, run, *arm.table.description, arm.statistics);
  if (arm.statistics.has_deposition) write_deposition(parent, arm.statistics.deposition);
  if (arm.maps) write_maps(parent, arm.run ? *arm.run : run, arm);
  if (arm.gates) write_gates(parent, arm.run ? *arm.run : run, arm);
  if (arm.barriers) write_barriers(parent, arm.run ? *arm.run : run, arm);
  if (arm.forest) write_forest(parent, arm);
  if (!arm.until.looks.empty()) write_until(parent, arm.until);
  if (arm.finer.empty()) return;
  const Handle finer = h5::create_group(parent, "finer");
  for (const Arm& at : arm.finer) write_named_arm(finer, status_type, run, at);
}

/// Attributes of the shapes, in the order of group_names: shape_mass (kg), shape_volume (m^3), shape_size (m across),
/// shape_moments (three each, kg m^2), shape_corners and shape_variants.
void write_shapes(hid_t file, const std::vector<ShapeFacts>& shapes) {
  if (shapes.empty()) return;
  std::vector<double> mass, volume, size, moments, corners, variants;
  for (const ShapeFacts& s : shapes) {
    mass.push_back(s.mass);
    volume.push_back(s.volume);
    size.push_back(s.size);
    moments.insert(moments.end(), s.moments.begin(), s.moments.end());
    corners.push_back(s.corners);
    variants.push_back(s.variants);
  }
  for (const auto& [name, values] : {std::pair{"shape_mass", &mass},
                                     {"shape_volume", &volume},
                                     {"shape_size", &size},
                                     {"shape_moments", &moments},
                                     {"shape_corners", &corners},
                                     {"shape_variants", &variants}})
    h5::write_attribute(file, name, std::span<const double>(*values));
}

void write_root(hid_t file, const Run& run, const std::vector<Arm>& arms) {
  const Description& description = *arms[0].table.description;
  std::vector<std::string> names, schemes, headline, why, paths, hashes;
  for (const Arm& arm : arms) {
    names.push_back(arm.name);
    if (std::find(schemes.begin(), schemes.end(), arm.scheme) == schemes.end()) schemes.push_back(arm.scheme);
  }
  for (const int c : shown_columns(run, description))
    headline.push_back(description.columns[static_cast<std::size_t>(c)].name);
  for (const int c : description.why) why.push_back(description.columns[static_cast<std::size_t>(c)].name);
  for (const InputFile& input : run.inputs) {
    paths.push_back(input.path);
    hashes.push_back(input.xxh3);
  }
  const std::string config_path = fs::absolute(run.config_path).lexically_normal().string();
  // As the config is called above, whatever it was called on the command line.
  std::vector<std::string> warnings = run.warnings;
  for (std::string& warning : warnings)
    if (warning.starts_with(run.config_path + ":")) warning.replace(0, run.config_path.size(), config_path);
  write_attribute(file, "Conventions", std::string("CF-1.8"));
  write_attribute(file, "title", "Scree: " + description.meaning);
  write_attribute(file, "schema_version", result_schema);
  write_attribute(file, "program_version", std::string(SCREE_VERSION));
  write_attribute(file, "commit", std::string(SCREE_COMMIT));
  write_attribute(file, "system", description.system);
  write_attribute(file, "schemes", schemes);
  write_attribute(file, "arms", names);
  write_attribute(file, "samples", arms[0].table.samples);
  if (run.shard) {
    write_attribute(file, "shard_number", run.shard->number);
    write_attribute(file, "shard_count", run.shard->of);
    write_attribute(file, "shard_from", run.shard->from);
    write_attribute(file, "shard_first", arms[0].table.first);
    write_attribute(file, "samples_of_run", run.samples_of_run);
    write_attribute(file, "run_xxh3", run_xxh3(run, arms));
  }
  if (!arms[0].linked.empty()) {
    std::vector<std::string> parts, of_parts;
    for (const LinkedRows& part : arms[0].linked) {
      parts.push_back(part.file);
      of_parts.push_back(part.digest);
    }
    write_attribute(file, "linked_parts", parts);
    write_attribute(file, "linked_digests", of_parts);
    write_attribute(file, "run_xxh3", run_xxh3(run, arms));
  }
  write_attribute(file, "seed", run.spec.seed);
  write_attribute(file, "sampling", sampling_name(run.sampling));
  write_attribute(file, "replicates", run.sampling.replicates);
  write_attribute(file, "dimensions", run.sampling.dimensions);
  write_attribute(file, "step", run.spec.world.step);
  write_attribute(file, "end", run.spec.world.end);
  write_attribute(file, "step_scales", run.step_scales);
  write_attribute(file, "study", run.title);
  write_attribute(file, "config_path", config_path);
  write_attribute(file, "config_text", run.config_text);
  write_attribute(file, "config_overlays", run.overlays);
  write_attribute(file, "config_xxh3", xxh3_hex(run.config_text));
  write_attribute(file, "input_files", paths);
  write_attribute(file, "input_xxh3", hashes);
  write_attribute(file, "preset", run.preset);
  write_attribute(file, "preset_note", run.preset_note);
  write_attribute(file, "terrain", run.terrain_name);
  write_attribute(file, "ground_map", run.ground_map);
  write_attribute(file, "crs", run.crs);
  write_attribute(file, "crs_wkt", run.crs_wkt);
  write_attribute(file, "terrain_note", run.terrain_note);
  write_attribute(file, "group_by", run.group_by);
  write_attribute(file, "group_names", run.shape_names);
  write_shapes(file, run.shapes);
  write_attribute(file, "warnings", warnings);
  write_attribute(file, "columns", description.column_names());
  write_attribute(file, "headline", headline);
  write_attribute(file, "why_columns", why);
  const auto name_of = [&](int c) {
    return c < 0 ? std::string() : description.columns[static_cast<std::size_t>(c)].name;
  };
  write_attribute(file, "deposition_columns",
                  std::vector<std::string>{name_of(description.deposition_x), name_of(description.deposition_y),
                                           name_of(description.deposition_across)});
  write_attribute(file, "digest", digests_of(arms));
  write_engine(file, arms[0]);
}

void write_arms(hid_t file, const Run& run, const std::vector<Arm>& arms, const Evaluation* evaluation) {
  if (!arms[0].run) write_inputs(file, run, arms[0].table, threads_beside(arms[0]), links_of(arms[0]));
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
  Handle file = h5::create_file(path, !arms[0].linked.empty());
  write_root(file, run, arms);
  write_observed(file, run);
  write_arms(file, run, arms, evaluation);
  file.close();
  seal(path);
}

}  // namespace

void write_result(const std::string& path, const Run& run, const std::vector<Arm>& arms, bool force,
                  const Evaluation* evaluation) {
  const h5::Session session;
  write_renamed(
      path, [&](const std::string& temporary) { write_file(temporary, run, arms, evaluation); }, force);
}

std::string group_of(std::span<const Arm> arms, const std::string& arm, const std::string& finer) {
  const std::string group = arms.size() == 1 ? "" : "/arms/" + arm;
  return finer.empty() ? (group.empty() ? "/" : group) : group + "/finer/" + finer;
}

void add_sensitivity(const std::string& path, const Run& run, const std::vector<Variant>& variants) {
  if (variants.empty()) return;
  const h5::Session session;
  const auto add = [&](const std::string& temporary) {
    fs::copy_file(path, temporary, fs::copy_options::overwrite_existing);
    Handle file = h5::open_to_add(temporary);  // without its seal, which lies beyond what HDF5 knows of
    write_sensitivity(file, run, variants);
    file.close();
    seal(temporary);
  };
  write_renamed(path, add);
}

}  // namespace scree
