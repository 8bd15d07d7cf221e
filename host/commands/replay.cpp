#include "replay.hpp"

#include <hdf5.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <ostream>

#include "host/common/csv.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/common/version.hpp"
#include "host/results/hdf5.hpp"
#include "host/results/output.hpp"
#include "host/results/result_file.hpp"
#include "host/results/stored_run.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// What replay is given, whether it came as a config or as a result.
struct Origin {
  Run run;
  std::optional<StoredResult> stored;
  const Arm* arm = nullptr;  // of the result
  std::string scheme;
};

/// The scheme, or of a result the arm, that is wanted among those that are there.
std::string choose_scheme(const std::string& file, const std::vector<std::string>& schemes, const std::string& wanted) {
  if (wanted.empty() && schemes.size() > 1)
    throw Error(Exit::usage, file + ": has the schemes " + joined(schemes) + "; choose one with --scheme");
  if (wanted.empty()) return schemes.front();
  if (std::find(schemes.begin(), schemes.end(), wanted) == schemes.end())
    throw Error(Exit::usage, file + ": --scheme " + wanted + suggestion(wanted, schemes));
  return wanted;
}

/// The arm of this name, at its own step or at a finer one; null if there is none.
const Arm* find_arm(const std::vector<Arm>& arms, const std::string& name) {
  for (const Arm& arm : arms) {
    if (arm.name == name) return &arm;
    if (const Arm* finer = find_arm(arm.finer, name)) return finer;
  }
  return nullptr;
}

Origin open_origin(const ReplayOptions& options) {
  Origin origin;
  std::error_code ignored;
  const h5::Quiet quiet;
  if (fs::is_regular_file(options.file, ignored) && H5Fis_hdf5(options.file.c_str()) > 0) {
    if (!options.sets.empty() || options.overrides.samples || options.overrides.seed)
      throw Error(Exit::usage,
                  options.file + ": a result is replayed as it was made, without --set, --samples and --seed");
    origin.stored = read_result(options.file);
    std::vector<std::string> names;
    for (const Arm& arm : origin.stored->arms) names.push_back(arm.name);
    origin.arm = options.scheme.empty() ? nullptr : find_arm(origin.stored->arms, options.scheme);
    if (!origin.arm) origin.arm = find_arm(origin.stored->arms, choose_scheme(options.file, names, options.scheme));
    origin.run = run_again(options.file, *origin.stored, *origin.arm);
    origin.scheme = origin.arm->scheme;
  } else {
    origin.run = load_run(options.file, options.sets, options.overrides);
    // A config may be replayed under any scheme of its system, a result under those that it holds.
    const std::vector<std::string> known =
        options.scheme.empty() ? origin.run.schemes : origin.run.model->description.scheme_names();
    origin.scheme = choose_scheme(options.file, known, options.scheme);
  }
  const std::uint64_t samples = origin.arm ? origin.arm->table.samples : origin.run.samples;
  if (options.sample >= samples)
    throw Error(Exit::usage, options.file + ": --sample " + std::to_string(options.sample) + ", must be 0 to " +
                                 std::to_string(samples - 1));
  return origin;
}

/// Columns of the track at these places, the time first.
std::vector<Column> track_columns(const Description& description, const std::vector<std::size_t>& places) {
  std::vector<Column> columns{{"time", "s", "since the release", Counted::all}};
  for (const std::size_t place : places) columns.push_back(description.track[place]);
  return columns;
}

/// The path [columns, rows], in memory: at most steps / every + 2 rows.
struct Path {
  std::vector<Column> columns;
  std::vector<std::vector<double>> values;
};

void write_csv(std::ostream& out, const Path& path) {
  for (std::size_t c = 0; c < path.columns.size(); ++c)
    out << (c ? "," : "") << path.columns[c].name << " [" << path.columns[c].unit << "]";
  out << '\n';
  for (std::size_t row = 0; row < path.values[0].size(); ++row) {
    for (std::size_t c = 0; c < path.columns.size(); ++c) out << (c ? "," : "") << csv_number(path.values[c][row]);
    out << '\n';
  }
}

void write_h5(const std::string& name, const Origin& origin, const ReplayOptions& options, const Path& path,
              std::uint32_t status) {
  const h5::Quiet quiet;
  const Run& run = origin.run;
  h5::Handle file = h5::create_file(name);
  const auto text = [&](hid_t object, const char* key, const std::string& value) {
    h5::write_attribute(object, key, value);
  };
  text(file, "Conventions", "CF-1.8");
  text(file, "title", "Scree: path of one sample of " + run.model->description.system);
  text(file, "program_version", SCREE_VERSION);
  text(file, "commit", SCREE_COMMIT);
  text(file, "system", run.model->description.system);
  text(file, "scheme", origin.scheme);
  h5::write_attribute(file, "sample", options.sample);
  h5::write_attribute(file, "seed", run.spec.seed);
  h5::write_attribute(file, "step", run.spec.world.step);
  h5::write_attribute(file, "every", options.every);
  text(file, "status", status_names[status]);
  text(file, "config_path", fs::absolute(run.config_path).lexically_normal().string());
  text(file, "config_text", run.config_text);
  h5::write_attribute(file, "config_overlays", std::span<const std::string>(run.overlays));
  const hsize_t dims[] = {path.values[0].size()};
  h5::Handle time;
  for (std::size_t c = 0; c < path.columns.size(); ++c) {
    h5::Handle array = h5::write_array(file, path.columns[c].name, dims, path.values[c]);
    text(array, "units", path.columns[c].unit);
    text(array, "long_name", path.columns[c].meaning);
    if (c == 0) {
      h5::make_coordinate(array, "time");
      time = std::move(array);
    } else {
      h5::label(array, 0, time);
    }
  }
  time.close();
  file.close();
}

void write_path(const Origin& origin, const ReplayOptions& options, const Path& path, std::uint32_t status) {
  if (options.output.empty()) {
    write_csv(std::cout, path);
  } else if (options.output.ends_with(".h5")) {
    write_renamed(options.output, [&](const std::string& name) { write_h5(name, origin, options, path, status); });
  } else {
    write_renamed(options.output, [&](const std::string& name) {
      std::ofstream file(name);
      write_csv(file, path);
      if (!file.flush()) throw std::runtime_error("the disk is full or the folder cannot be written");
    });
  }
}

/// Compares the end of the replayed sample with the stored one and says what came of it.
Exit compare_with_stored(const Origin& origin, const ReplayOptions& options, const ReplayResult& result) {
  const Arm* arm = origin.arm;
  const Description& now = origin.run.model->description;
  const std::string name = "sample " + std::to_string(options.sample) + " (" + arm->name + ")";
  const std::uint32_t status = arm->table.status[options.sample];
  if (status == static_cast<std::uint32_t>(Status::not_run)) {
    std::cerr << name << " was not run before " << options.file
              << " was interrupted: there is nothing to compare with\n";
    return Exit::ok;
  }
  const std::string different = differences(*arm, options.sample, now, result);
  if (different.empty()) {
    if (!options.quiet)
      std::cerr << name << ": status and " << now.columns.size() << " columns equal those of " << options.file
                << " bit for bit\n";
    return Exit::ok;
  }
  throw Error(Exit::failed, name + " differs from " + options.file + " (scree " + origin.stored->program_version +
                                ", commit " + origin.stored->commit + "): " + different);
}

}  // namespace

Exit replay_command(const ReplayOptions& options) {
  if (!options.output.empty()) {
    if (!options.output.ends_with(".csv") && !options.output.ends_with(".h5"))
      throw Error(Exit::usage, options.output + ": a path is written as .csv or .h5");
  }
  const Origin origin = open_origin(options);
  if (!options.output.empty()) {
    std::vector<std::string> read = files_read(origin.run);
    read.push_back(options.file);
    check_output(options.output, options.force, read);
  }
  for (const std::string& warning : origin.run.warnings) std::cerr << "warning: " << warning << '\n';
  const Description& description = origin.run.model->description;
  const int scheme = description.scheme(origin.scheme);

  Path path;
  const std::vector<std::size_t> places = description.track_of(description.bodies(origin.run.spec.params));
  path.columns = track_columns(description, places);
  path.values.resize(path.columns.size());
  const std::vector<std::byte> ensemble = origin.run.model->ensemble(origin.run.spec);
  const ReplayResult result = origin.run.model->replay(ensemble.data(), scheme, options.sample, options.every,
                                                       [&](std::span<const double> row) {
                                                         path.values[0].push_back(row[0]);
                                                         for (std::size_t c = 0; c < places.size(); ++c)
                                                           path.values[c + 1].push_back(row[places[c] + 1]);
                                                       });
  write_path(origin, options, path, result.status);
  if (!options.quiet)
    std::cerr << "sample " << options.sample << " (" << origin.scheme << "): " << status_names[result.status]
              << " after " << number_text(rounded(path.values[0].back())) << " s, " << path.values[0].size() << " rows"
              << (options.output.empty() ? "" : " in " + options.output) << '\n';
  return origin.stored ? compare_with_stored(origin, options, result) : Exit::ok;
}

}  // namespace scree
