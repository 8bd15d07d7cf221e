#include "export.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>

#include "host/common/error.hpp"
#include "host/common/suggest.hpp"
#include "host/exports/features.hpp"
#include "host/exports/raster.hpp"
#include "host/results/maps.hpp"
#include "host/results/output.hpp"
#include "host/results/stored_run.hpp"
#include "host/statistics/ranked.hpp"
#include "src/status.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// Most points of a path: what is between them is nearly straight.
constexpr std::size_t most_points = 300;

class Export {
 public:
  explicit Export(const ExportOptions& options)
      : options_(options), stored_(read_result(options.result)), arm_(chosen_arm()) {
    crs_ = {stored_.run.crs, stored_.run.crs_wkt, 0};
    if (stored_.run.crs.starts_with("EPSG:")) crs_.epsg = std::stoi(stored_.run.crs.substr(5));
  }

  void run() {
    if (options_.kind == "geotiff" || options_.kind == "asc") {
      write_layers();
    } else {
      write_features();
    }
    if (!options_.quiet)
      for (const std::string& file : written_) std::cerr << "exported: " << file << '\n';
    if (!failures_.empty()) throw Error(Exit::failed, joined(failures_, "; "));
  }

 private:
  const Arm& chosen_arm() const {
    std::vector<std::string> names;
    for (const Arm& arm : stored_.arms) {
      if (arm.name == options_.arm || (stored_.arms.size() == 1 && options_.arm.empty())) return arm;
      names.push_back(arm.name);
    }
    if (options_.arm.empty())
      throw Error(Exit::usage, options_.result + ": is a comparison of " + joined(names) + "; choose one with --arm");
    throw Error(Exit::usage, "--arm " + options_.arm + ": " + options_.result + " has no such arm" +
                                 suggestion(options_.arm, names));
  }

  /// The folder of files of one kind.
  void make_folder() const {
    std::error_code error;
    if (fs::exists(options_.output, error) && !fs::is_directory(options_.output, error))
      throw Error(Exit::usage, options_.output + ": is a file; --to " + options_.kind + " writes into a folder");
    fs::create_directories(options_.output, error);
    if (error) throw Error(Exit::usage, options_.output + ": cannot be made: " + error.message());
  }
  std::string in_folder(const std::string& name) const { return (fs::path(options_.output) / name).string(); }
  /// Writes one file under a temporary name of the same ending. A failure does not stop the others.
  template <class Write>
  void write_file(const std::string& path, const Write& write) {
    try {
      check_output(path, options_.force, {options_.result});
      write_renamed(path, write);
      written_.push_back(path);
    } catch (const Error& error) {
      if (error.code != Exit::failed) throw;
      failures_.push_back(error.what());
    }
  }

  void write_layers() {
    if (!arm_.map_facts)
      throw Error(Exit::usage, options_.result + ": has no maps, which --to " + options_.kind + " writes" +
                                   (arm_.gate_facts.empty() ? "" : "; it has gates, for --to gpkg, geojson or csv"));
    check_layers(options_.result, stored_.arms, arm_, options_.layers);
    make_folder();
    for_each_layer(options_.result, stored_.arms, arm_, options_.layers,
                   [&](const MapLayer& layer) { write_layer(layer); });
    if (written_.empty() && failures_.empty())
      throw Error(Exit::usage, "--names rockyfor3d: it has none of the layers " + joined(options_.layers));
  }
  void write_layer(const MapLayer& layer) {
    const MapGrid& grid = arm_.map_facts->grid;
    const bool peers = options_.names == "rockyfor3d";
    const PeerName peer = rockyfor3d_name(layer.name);
    if (peers && peer.name.empty()) return;
    const std::string stem = peers ? peer.name : layer.name;
    const bool tiff = options_.kind == "geotiff";
    const std::string file = in_folder(stem + (tiff ? ".tif" : ".asc"));
    write_file(file, [&](const std::string& temporary) {
      if (tiff)
        write_geotiff(temporary, layer, grid, crs_);
      else
        write_ascii_grid(temporary, layer, grid, peers ? 1 / peer.divisor : 1);
    });
    if (!tiff && crs_.known()) write_text(in_folder(stem + ".prj"), crs_.wkt + "\n");
    if (!peers) write_text(in_folder(stem + ".qml"), qgis_style(layer));
  }
  void write_text(const std::string& path, const std::string& text) {
    write_file(path, [&](const std::string& temporary) {
      std::ofstream file(temporary);
      file << text;
      file.close();
      if (!file) throw Error(Exit::failed, path + ": cannot be written");
    });
  }

  void write_features() {
    const std::vector<FeatureTable> tables = all_tables();
    if (options_.kind == "gpkg") {
      write_file(options_.output, [&](const std::string& temporary) { write_geopackage(temporary, tables, crs_); });
      return;
    }
    make_folder();
    for (const FeatureTable& table : tables)
      write_file(in_folder(table.name + "." + options_.kind), [&](const std::string& temporary) {
        if (options_.kind == "csv")
          write_csv(temporary, table);
        else
          write_geojson(temporary, table, crs_);
      });
  }
  std::vector<FeatureTable> all_tables() const {
    std::vector<FeatureTable> tables;
    if (stored_.description->deposition_x >= 0) tables.push_back(deposition());
    if (!arm_.gate_facts.empty()) {
      tables.push_back(gates());
      tables.push_back(crossings());
    }
    if (options_.paths) tables.push_back(paths());
    if (tables.empty())
      throw Error(Exit::usage, options_.result + ": has neither resting places nor gates; paths come with --paths N");
    return tables;
  }

  double at(int column, std::uint64_t sample) const { return arm_.table.at(column, sample); }

  FeatureTable deposition() const {
    const Description& d = *stored_.description;
    const int z = d.column("final_z");
    FeatureTable table{"deposition", "where samples were at their end", false, {}, {}};
    table.fields = {{"sample", Field::Kind::whole}, {"status", Field::Kind::text}};
    for (const Column& column : d.columns) table.fields.push_back({column.name});
    for (std::uint64_t i = 0; i < arm_.table.samples; ++i) {
      const double x = at(d.deposition_x, i), y = at(d.deposition_y, i);
      if (arm_.table.status[i] == static_cast<std::uint32_t>(Status::not_run) || !std::isfinite(x) || !std::isfinite(y))
        continue;
      Feature feature{{x, y, z < 0 ? std::nan("") : at(z, i)}, {}};
      feature.values.emplace_back(static_cast<double>(i));
      feature.values.emplace_back(std::string(status_names[arm_.table.status[i]]));
      for (int c = 0; c < static_cast<int>(d.columns.size()); ++c) feature.values.emplace_back(at(c, i));
      table.features.push_back(std::move(feature));
    }
    return table;
  }

  FeatureTable gates() const {
    FeatureTable table{"gates", "lines that samples crossed", true, {}, {}};
    table.fields = {{"name", Field::Kind::text},
                    {"samples", Field::Kind::whole},
                    {"crossed", Field::Kind::whole},
                    {"probability"},
                    {"probability_low"},
                    {"probability_high"},
                    {"energy_p95"},
                    {"energy_p99"},
                    {"height_p95"},
                    {"speed_mean"}};
    for (const GateFacts& facts : arm_.gate_facts) {
      Feature feature;
      for (std::size_t i = 0; i + 1 < facts.line.size(); i += 2)
        feature.points.insert(feature.points.end(), {facts.line[i], facts.line[i + 1], std::nan("")});
      feature.values = {facts.name,
                        static_cast<double>(facts.n),
                        static_cast<double>(facts.crossed),
                        facts.probability,
                        facts.interval.low,
                        facts.interval.high,
                        facts.energy[2].value,
                        facts.energy[3].value,
                        facts.height[2].value,
                        facts.columns[gate_column("speed")].mean};
      table.features.push_back(std::move(feature));
    }
    return table;
  }

  FeatureTable crossings() const {
    FeatureTable table{"crossings", "where samples first crossed gates", false, {}, {}};
    table.fields = {{"gate", Field::Kind::text}, {"sample", Field::Kind::whole}};
    // The place is that of the point itself.
    const auto is_place = [](std::size_t c) { return c >= gate_column("x") && c <= gate_column("z"); };
    for (std::size_t c = 0; c < gate_column_count; ++c)
      if (!is_place(c)) table.fields.push_back({gate_columns[c].name});
    for (std::size_t g = 0; g < arm_.gate_facts.size(); ++g) {
      const GateTable& gate = arm_.gates->tables()[g];
      for (std::size_t row = 0; row < gate.sample.size(); ++row) {
        Feature feature{{gate.column("x")[row], gate.column("y")[row], gate.column("z")[row]}, {}};
        feature.values.emplace_back(arm_.gate_facts[g].name);
        feature.values.emplace_back(static_cast<double>(gate.sample[row]));
        for (std::size_t c = 0; c < gate_column_count; ++c)
          if (!is_place(c)) feature.values.emplace_back(gate.columns[c][row]);
        table.features.push_back(std::move(feature));
      }
    }
    return table;
  }

  FeatureTable paths() const {
    const Run run = run_again(options_.result, stored_, arm_);
    const Description& d = run.model->description;
    const auto place_of = [&](const std::string& name) {
      for (std::size_t i = 0; i < d.track.size(); ++i)
        if (d.track[i].name == name) return static_cast<int>(i) + 1;
      return -1;
    };
    const int x = place_of("x"), y = place_of("y"), z = place_of("z");
    if (x < 0 || y < 0) throw Error(Exit::usage, "--paths: the system " + d.system + " has no path in x and y");
    FeatureTable table{"paths", "paths of some samples, replayed", true, {}, {}};
    table.fields = {{"sample", Field::Kind::whole}, {"status", Field::Kind::text}};
    const std::vector<std::byte> ensemble = run.model->ensemble(run.spec);
    for (const std::uint64_t sample : samples_at_even_ranks(*stored_.description, arm_.table, *options_.paths)) {
      std::vector<double> points;
      const ReplayResult result =
          run.model->replay(ensemble.data(), d.scheme(arm_.scheme), sample, 1, [&](std::span<const double> row) {
            points.insert(points.end(), {row[static_cast<std::size_t>(x)], row[static_cast<std::size_t>(y)],
                                         z < 0 ? std::nan("") : row[static_cast<std::size_t>(z)]});
          });
      table.features.push_back(
          {thinned(points), {static_cast<double>(sample), std::string(status_names[result.status])}});
    }
    return table;
  }
  /// Every k-th point, and the last.
  static std::vector<double> thinned(const std::vector<double>& points) {
    const std::size_t count = points.size() / 3, stride = (count + most_points - 1) / most_points;
    std::vector<double> some;
    for (std::size_t i = 0; i < count; ++i)
      if (i % std::max<std::size_t>(stride, 1) == 0 || i + 1 == count)
        some.insert(some.end(), points.begin() + static_cast<std::ptrdiff_t>(3 * i),
                    points.begin() + static_cast<std::ptrdiff_t>(3 * i + 3));
    return some;
  }

  const ExportOptions& options_;
  StoredResult stored_;
  const Arm& arm_;
  Crs crs_;
  std::vector<std::string> written_, failures_;
};

}  // namespace

const std::vector<std::string>& export_kinds() {
  static const std::vector<std::string> kinds{"geotiff", "asc", "gpkg", "geojson", "csv"};
  return kinds;
}

void export_command(const ExportOptions& options) {
  if (std::ranges::find(export_kinds(), options.kind) == export_kinds().end())
    throw Error(Exit::usage, "--to " + options.kind + suggestion(options.kind, export_kinds()));
  if (!options.names.empty() && options.kind != "asc")
    throw Error(Exit::usage, "--names " + options.names + " is for --to asc");
  const bool rasters = options.kind == "geotiff" || options.kind == "asc";
  if (rasters && options.paths) throw Error(Exit::usage, "--paths is for --to gpkg, geojson and csv");
  if (!rasters && !options.layers.empty()) throw Error(Exit::usage, "--layers is for --to geotiff and asc");
  if (!options.names.empty() && options.names != "rockyfor3d")
    throw Error(Exit::usage, "--names " + options.names + ", must be rockyfor3d");
  Export(options).run();
}

}  // namespace scree
