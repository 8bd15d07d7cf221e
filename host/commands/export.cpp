#include "export.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string_view>

#include "host/common/error.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_table.hpp"
#include "host/exports/features.hpp"
#include "host/exports/raster.hpp"
#include "host/exports/vtp.hpp"
#include "host/page/thinned.hpp"
#include "host/results/maps.hpp"
#include "host/results/output.hpp"
#include "host/results/stored_run.hpp"
#include "host/statistics/ranked.hpp"
#include "replay_samples.hpp"
#include "src/status.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// Most points of a path (page/thinned.hpp).
constexpr std::size_t most_points = 300;

class Export {
 public:
  explicit Export(const ExportOptions& options)
      : options_(options), stored_(read_result(options.result)), arm_(chosen_arm()) {
    if (!stored_.damage.empty()) options_.caller.warn(stored_.damage);
    // An arm may have another terrain than the config that it changes.
    const bool own_terrain = std::ranges::any_of(
        arm_.changes, [](const std::string& change) { return change.find("terrain.") != std::string::npos; });
    try {
      take_crs(own_terrain ? run_of_arm() : stored_.run);
    } catch (const Error& error) {
      // What the result has of it may be exported.
      if (error.code != Exit::input) throw;
      options_.caller.warn(std::string("the coordinate reference system of ") + arm_.name +
                           " is not known: " + error.what());
    }
  }

  void run() {
    const Stop::Accepting accepting(*options_.caller.stop, "ending when the file in hand is written");
    try {
      if (options_.kind == "geotiff" || options_.kind == "asc") {
        write_layers();
      } else if (options_.kind == "vtp") {
        write_meshes();
      } else {
        write_features();
      }
    } catch (...) {
      tell_written();
      throw;
    }
    tell_written();
    if (!failures_.empty()) throw Error(Exit::failed, joined(failures_, "; "));
  }

 private:
  void tell_written() const {
    for (const std::string& file : written_) options_.caller.note("exported: " + file);
  }
  void take_crs(const Run& run) {
    crs_ = {run.crs, run.crs_wkt, 0};
    if (constexpr std::string_view epsg = "EPSG:"; run.crs.starts_with(epsg))
      std::from_chars(run.crs.data() + epsg.size(), run.crs.data() + run.crs.size(), crs_.epsg);
  }
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
  /// Before the first of several is written.
  void check_files(const std::vector<std::string>& paths) const {
    for (const std::string& path : paths) check_output(path, options_.force, {options_.result});
  }
  /// Writes one file under a temporary name of the same ending, and gives whether that succeeded. A failure does not
  /// stop the others.
  template <class Write>
  bool write_file(const std::string& path, const Write& write) {
    if (options_.caller.asks_for_end())
      throw Error(Exit::interrupted, "interrupted: " + counted(written_.size(), "file is", "files are") + " exported");
    std::string temporary;
    try {
      check_files({path});
      write_renamed(path, [&](const std::string& part) {
        temporary = part;
        errno = 0;
        write(part);
      });
      written_.push_back(path);
      return true;
    } catch (const Error& error) {
      if (error.code != Exit::failed) throw;
      const std::string why = errno == 0 ? "" : std::string(": ") + std::strerror(errno);
      std::string text = error.what();
      if (const std::size_t at = temporary.empty() ? std::string::npos : text.find(temporary); at != std::string::npos)
        text.replace(at, temporary.size(), path);
      failures_.push_back(text + (text.find(why) == std::string::npos ? why : ""));
      return false;
    }
  }

  void write_layers() {
    if (!arm_.map_facts)
      throw Error(Exit::usage, options_.result + ": has no maps, which --to " + options_.kind + " writes" +
                                   (lines().empty() ? "" : "; it has " + lines() + ", for --to gpkg, geojson or csv"));
    check_layers(options_.result, stored_.arms, arm_, options_.layers);
    std::vector<std::string> files;
    const std::vector<std::string> there = layer_names(stored_.arms, arm_);
    for (const std::string& name : options_.layers.empty() ? there : options_.layers)
      if (const std::string stem = stem_of(name); !stem.empty())
        for (const std::string& ending : endings()) files.push_back(in_folder(stem + ending));
    if (files.empty())
      throw Error(Exit::usage, "--names rockyfor3d: it has none of the layers " + joined(options_.layers));
    make_folder();
    check_files(files);
    for_each_layer(options_.result, stored_.arms, arm_, options_.layers,
                   [&](const MapLayer& layer) { write_layer(layer); });
    if (has_peers_names() && options_.layers.empty() && std::ranges::count(there, "sources") == 0)
      options_.caller.warn("Reach_probability and Nr_sourcecells are not there: they take maps.sources = true");
  }
  bool has_peers_names() const { return options_.names == "rockyfor3d"; }
  /// Of the files of a layer; empty: there are none.
  std::string stem_of(const std::string& layer) const {
    return has_peers_names() ? rockyfor3d_name(layer).name : layer;
  }
  /// Of the files of each layer, the raster first.
  std::vector<std::string> endings() const {
    const bool tiff = options_.kind == "geotiff";
    std::vector<std::string> all{tiff ? ".tif" : ".asc"};
    if (!tiff && crs_.known()) all.emplace_back(".prj");
    if (!has_peers_names()) all.emplace_back(".qml");
    return all;
  }
  void write_layer(const MapLayer& layer) {
    const std::string stem = stem_of(layer.name);
    if (stem.empty()) return;
    const MapGrid& grid = arm_.map_facts->grid;
    for (const std::string& ending : endings()) {
      const std::string path = in_folder(stem + ending);
      if (ending == ".prj") {
        write_text(path, crs_.wkt + "\n");
      } else if (ending == ".qml") {
        write_text(path, qgis_style(layer));
      } else if (!write_file(path, [&](const std::string& temporary) {
                   if (ending == ".tif")
                     write_geotiff(temporary, layer, grid, crs_);
                   else
                     write_ascii_grid(temporary, layer, grid,
                                      has_peers_names() ? 1 / rockyfor3d_name(layer.name).divisor : 1);
                 })) {
        return;
      }
    }
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
    if (options_.kind == "gpkg") check_files({options_.output});
    std::vector<FeatureTable> tables = all_tables();
    if (options_.wgs84) {
      if (!crs_.known())
        throw Error(Exit::usage, "--wgs84: the coordinate reference system of " + options_.result +
                                     " is not known; terrain.crs of its config names it");
      const ToWgs84 to_wgs84(crs_);
      for (FeatureTable& table : tables)
        for (Feature& feature : table.features) to_wgs84(feature.points);
    }
    if (options_.kind == "gpkg") {
      write_file(options_.output, [&](const std::string& temporary) { write_geopackage(temporary, tables, crs_); });
      return;
    }
    make_folder();
    std::vector<std::string> files;
    for (const FeatureTable& table : tables) files.push_back(in_folder(table.name + "." + options_.kind));
    check_files(files);
    for (const FeatureTable& table : tables)
      write_file(in_folder(table.name + "." + options_.kind), [&](const std::string& temporary) {
        if (options_.kind == "csv")
          write_csv(temporary, table);
        else
          write_geojson(temporary, table, options_.wgs84 ? Crs{} : crs_);
      });
  }
  /// What there is of them: "gates", "gates and barriers".
  std::string lines() const {
    std::vector<std::string> kinds;
    if (!arm_.gate_facts.empty()) kinds.emplace_back("gates");
    if (!arm_.barrier_facts.empty()) kinds.emplace_back("barriers");
    return joined(kinds, " and ");
  }
  /// Whether replays of the system have x and y.
  bool has_paths() const {
    const auto is = [](const char* name) { return [name](const Column& column) { return column.name == name; }; };
    const Model* model = find_model(stored_.description->system);
    if (!model) return true;  // which replaying says
    const std::vector<Column>& track = model->description.track;
    return std::ranges::any_of(track, is("x")) && std::ranges::any_of(track, is("y"));
  }
  std::vector<FeatureTable> all_tables() const {
    std::vector<FeatureTable> tables;
    if (stored_.description->deposition_x >= 0) tables.push_back(deposition());
    if (!arm_.gate_facts.empty()) {
      tables.push_back(gates());
      tables.push_back(crossings());
    }
    if (!arm_.barrier_facts.empty()) {
      tables.push_back(barriers());
      tables.push_back(arrivals());
    }
    if (options_.paths) tables.push_back(paths());
    if (tables.empty())
      throw Error(Exit::usage,
                  options_.result + ": has no resting places, gates or barriers" +
                      (has_paths() ? "; paths come with --paths N" : ", and its samples have no path in x and y"));
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
      if (!arm_.table.is_finished(i) || !std::isfinite(x) || !std::isfinite(y)) continue;
      Feature feature{{x, y, z < 0 ? std::nan("") : at(z, i)}, {}};
      feature.values.emplace_back(static_cast<double>(arm_.table.number(i)));
      feature.values.emplace_back(std::string(status_names[arm_.table.status[i]]));
      for (int c = 0; c < static_cast<int>(d.columns.size()); ++c) feature.values.emplace_back(at(c, i));
      table.features.push_back(std::move(feature));
    }
    return table;
  }

  static Feature feature_of(const std::vector<double>& line) {
    Feature feature;
    for (std::size_t i = 0; i + 1 < line.size(); i += 2)
      feature.points.insert(feature.points.end(), {line[i], line[i + 1], std::nan("")});
    return feature;
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
      Feature feature = feature_of(facts.line);
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

  FeatureTable barriers() const {
    FeatureTable table{"barriers", "lines that hold samples up", true, {}, {}};
    table.fields = {{"name", Field::Kind::text},    {"height"}, {"capacity"}, {"margin"}, {"base"},
                    {"samples", Field::Kind::whole}};
    for (const char* what : {"arrived", "caught", "breached", "overtopped"}) {
      table.fields.push_back({what, Field::Kind::whole});
      for (const char* of : {"_probability", "_low", "_high"}) table.fields.push_back({what + std::string(of)});
    }
    for (const char* name : {"energy_p95", "energy_p99", "height_p95", "speed_mean"}) table.fields.push_back({name});
    for (const BarrierFacts& facts : arm_.barrier_facts) {
      const GateFacts& arrivals = facts.arrivals;
      const Barrier& given = facts.barrier;
      Feature feature = feature_of(arrivals.line);
      // None where it holds all, and where its base is the ground.
      const double capacity = std::isinf(given.capacity) ? std::nan("") : given.capacity;
      feature.values = {arrivals.name, given.height, capacity,
                        given.margin,  given.base,   static_cast<double>(arrivals.n)};
      const CountedShare arrived{arrivals.crossed, arrivals.probability, arrivals.interval};
      for (const CountedShare* share : {&arrived, &facts.caught, &facts.breached, &facts.overtopped}) {
        feature.values.emplace_back(static_cast<double>(share->count));
        for (const double value : {share->share, share->interval.low, share->interval.high})
          feature.values.emplace_back(value);
      }
      for (const double value : {arrivals.energy[2].value, arrivals.energy[3].value, arrivals.height[2].value,
                                 arrivals.columns[gate_column("speed")].mean})
        feature.values.emplace_back(value);
      table.features.push_back(std::move(feature));
    }
    return table;
  }

  FeatureTable crossings() const {
    FeatureTable table{"crossings", "where samples first crossed gates", false, {}, {}};
    table.fields = {{"gate", Field::Kind::text}, {"sample", Field::Kind::whole}};
    add_column_fields(table);
    for (std::size_t g = 0; g < arm_.gate_facts.size(); ++g)
      for (std::size_t row = 0; row < arm_.gates->tables()[g].sample.size(); ++row)
        add_crossing(table, arm_.gates->tables()[g], row, {arm_.gate_facts[g].name});
    return table;
  }

  FeatureTable arrivals() const {
    FeatureTable table{"arrivals", "where samples first arrived at barriers, and what became of them", false, {}, {}};
    table.fields = {{"barrier", Field::Kind::text}, {"became", Field::Kind::text}, {"sample", Field::Kind::whole}};
    add_column_fields(table);
    for (std::size_t b = 0; b < arm_.barrier_facts.size(); ++b) {
      const GateTable& barrier = arm_.barriers->tables()[b];
      for (std::size_t row = 0; row < barrier.sample.size(); ++row) {
        std::vector<std::string> became;
        for (const PassingName& passing : passing_names)
          if (barrier.has_passed(row, passing.passing)) became.emplace_back(passing.name);
        add_crossing(table, barrier, row, {arm_.barrier_facts[b].arrivals.name, joined(became)});
      }
    }
    return table;
  }

  // The place is that of the point itself.
  static bool is_place(std::size_t column) { return column >= gate_column("x") && column <= gate_column("z"); }
  static void add_column_fields(FeatureTable& table) {
    for (std::size_t c = 0; c < gate_column_count; ++c)
      if (!is_place(c)) table.fields.push_back({gate_columns[c].name});
  }
  /// A point, with its texts, sample and columns.
  static void add_crossing(FeatureTable& table, const GateTable& gate, std::size_t row,
                           const std::vector<std::string>& texts) {
    Feature feature{{gate.column("x")[row], gate.column("y")[row], gate.column("z")[row]}, {}};
    for (const std::string& text : texts) feature.values.emplace_back(text);
    feature.values.emplace_back(static_cast<double>(gate.sample[row]));
    for (std::size_t c = 0; c < gate_column_count; ++c)
      if (!is_place(c)) feature.values.emplace_back(gate.columns[c][row]);
    table.features.push_back(std::move(feature));
  }

  /// A replayed path, thinned.
  struct Replayed {
    std::uint64_t sample;
    std::string status;
    std::vector<double> points;                // x, y, z, ...; z NaN where the system has none
    std::vector<std::vector<double>> columns;  // of each that was asked for, at those points
  };
  /// Paths of samples at even ranks, with these columns of path_columns(run).
  std::vector<Replayed> replayed(const Run& run, const std::vector<std::string>& names) const {
    const std::vector<Column> columns = path_columns(run);
    const std::size_t x = place_of(columns, "x"), y = place_of(columns, "y"), z = place_of(columns, "z");
    const bool has_z = z < columns.size();
    if (x == columns.size() || y == columns.size())
      throw Error(Exit::usage, "--paths: the system " + run.model->description.system + " has no path in x and y");
    std::vector<std::size_t> places;
    for (const std::string& name : names) places.push_back(place_of(columns, name));
    // Where paths are replayed, on several threads, all but the rows that stand for a path are left behind.
    const auto thin = [&](Path& path) {
      std::vector<double> points, values;
      for (std::size_t row = 0; row < path.rows(); ++row)
        points.insert(points.end(), {path.at(row, x), path.at(row, y), has_z ? path.at(row, z) : 0.0});
      for (const std::size_t row : thinned(points, 3, most_points))
        for (std::size_t c = 0; c < path.columns; ++c) values.push_back(path.at(row, c));
      path.values = std::move(values);
    };
    std::vector<Replayed> paths;
    const auto take = [&](Path& path) {
      Replayed one{path.sample, status_names[path.result.status], {}, {}};
      one.columns.resize(places.size());
      for (std::size_t row = 0; row < path.rows(); ++row) {
        one.points.insert(one.points.end(), {path.at(row, x), path.at(row, y), has_z ? path.at(row, z) : std::nan("")});
        for (std::size_t k = 0; k < places.size(); ++k) one.columns[k].push_back(path.at(row, places[k]));
      }
      paths.push_back(std::move(one));
    };
    const Replay replay{run,
                        run.model->description.scheme(arm_.scheme),
                        samples_at_even_ranks(*stored_.description, arm_.table, *options_.paths),
                        {},
                        false,
                        options_.caller};
    const Stop::Accepting accepting(*options_.caller.stop, nullptr);
    replay_samples(replay, thin, take);
    return paths;
  }

  Run run_of_arm() const {
    Run run = run_again(options_.result, stored_, arm_);
    warn_of_far_inputs(options_.result, run, options_.caller);
    return run;
  }

  FeatureTable paths() const {
    FeatureTable table{"paths", "paths of some samples, replayed", true, {}, {}};
    table.fields = {{"sample", Field::Kind::whole}, {"status", Field::Kind::text}};
    for (Replayed& path : replayed(run_of_arm(), {}))
      table.features.push_back({std::move(path.points), {static_cast<double>(path.sample), path.status}});
    return table;
  }

  // Meshes.

  void write_meshes() {
    if (!arm_.map_facts && !options_.paths)
      throw Error(Exit::usage, options_.result + ": has no maps" + (has_paths() ? "; paths come with --paths N" : ""));
    check_layers(options_.result, stored_.arms, arm_, options_.layers);
    make_folder();
    if (arm_.map_facts) check_files({in_folder("terrain.vtp")});
    if (options_.paths) check_files({in_folder("paths.vtp")});
    if (arm_.map_facts)
      write_file(in_folder("terrain.vtp"), [&](const std::string& temporary) { write_vtp(temporary, terrain_mesh()); });
    if (options_.paths)
      write_file(in_folder("paths.vtp"), [&](const std::string& temporary) { write_vtp(temporary, path_mesh()); });
  }
  static std::string with_unit(const std::string& name, const std::string& unit) {
    return unit.empty() || unit == "1" ? name : name + " (" + unit + ")";
  }
  /// The ground between the centres of cells, with the layers there.
  VtpMesh terrain_mesh() const {
    const MapGrid& grid = arm_.map_facts->grid;
    const auto columns = static_cast<std::size_t>(grid.columns), rows = static_cast<std::size_t>(grid.rows);
    VtpMesh mesh;
    mesh.polygons = true;
    std::vector<float> heights;
    for_each_layer(options_.result, stored_.arms, arm_, {"terrain"},
                   [&](const MapLayer& layer) { heights = layer.values; });
    std::vector<std::int64_t> number(columns * rows, -1);
    std::vector<std::size_t> cells;
    for (std::size_t k = 0; k < heights.size(); ++k) {
      if (std::isnan(heights[k])) continue;
      number[k] = static_cast<std::int64_t>(cells.size());
      cells.push_back(k);
      mesh.points.push_back({grid.west + (static_cast<double>(k % columns) + 0.5) * grid.cell,
                             grid.south + (static_cast<double>(k / columns) + 0.5) * grid.cell,
                             static_cast<double>(heights[k])});
    }
    for (std::size_t row = 0; row + 1 < rows; ++row)
      for (std::size_t column = 0; column + 1 < columns; ++column) {
        const std::size_t k = row * columns + column;
        std::vector<std::int64_t> corners{number[k], number[k + 1], number[k + columns + 1], number[k + columns]};
        if (std::ranges::find(corners, -1) == corners.end()) mesh.cells.push_back(std::move(corners));
      }
    std::vector<std::string> names = options_.layers;
    if (!names.empty()) names.emplace_back("terrain");
    for_each_layer(options_.result, stored_.arms, arm_, names, [&](const MapLayer& layer) {
      VtpArray array{with_unit(layer.name, layer.unit), {}};
      for (const std::size_t k : cells)
        array.values.push_back(layer.is_count ? static_cast<double>(layer.counts[k])
                                              : static_cast<double>(layer.values[k]));
      mesh.point_data.push_back(std::move(array));
    });
    return mesh;
  }
  VtpMesh path_mesh() const {
    const Run run = run_of_arm();
    const std::vector<Column> columns = path_columns(run);
    std::vector<std::string> names{columns[0].name};
    for (const char* name : {"vx", "vy", "vz"})
      if (place_of(columns, name) < columns.size()) names.emplace_back(name);
    const std::size_t first = names.size();
    for (const std::string& name : run.model->description.along)
      if (name != "speed") names.push_back(name);
    VtpMesh mesh;
    VtpArray sample{"sample", {}}, time{"time (s)", {}}, speed{"speed (m/s)", {}};
    std::vector<VtpArray> others;
    for (std::size_t k = first; k < names.size(); ++k)
      others.push_back({with_unit(names[k], columns[place_of(columns, names[k])].unit), {}});
    for (const Replayed& path : replayed(run, names)) {
      std::vector<std::int64_t> line;
      for (std::size_t row = 0; row < path.columns[0].size(); ++row) {
        line.push_back(static_cast<std::int64_t>(mesh.points.size()));
        const double z = path.points[3 * row + 2];
        mesh.points.push_back({path.points[3 * row], path.points[3 * row + 1], std::isnan(z) ? 0.0 : z});
        double square = 0;
        for (std::size_t k = 1; k < first; ++k) square += path.columns[k][row] * path.columns[k][row];
        time.values.push_back(path.columns[0][row]);
        speed.values.push_back(std::sqrt(square));
        for (std::size_t k = first; k < names.size(); ++k) others[k - first].values.push_back(path.columns[k][row]);
      }
      mesh.cells.push_back(std::move(line));
      sample.values.push_back(static_cast<double>(path.sample));
    }
    mesh.point_data = {time};
    if (first > 1) mesh.point_data.push_back(speed);
    mesh.point_data.insert(mesh.point_data.end(), others.begin(), others.end());
    mesh.cell_data = {sample};
    return mesh;
  }

  const ExportOptions& options_;
  StoredResult stored_;
  const Arm& arm_;
  Crs crs_;
  std::vector<std::string> written_, failures_;
};

}  // namespace

const std::vector<std::string>& export_kinds() {
  static const std::vector<std::string> kinds{"geotiff", "asc", "gpkg", "geojson", "csv", "vtp"};
  return kinds;
}

void export_command(const ExportOptions& options) {
  if (std::ranges::find(export_kinds(), options.kind) == export_kinds().end())
    throw Error(Exit::usage, "--to " + options.kind + suggestion(options.kind, export_kinds()));
  if (!options.names.empty() && options.kind != "asc")
    throw Error(Exit::usage, "--names " + options.names + " is for --to asc");
  const bool rasters = options.kind == "geotiff" || options.kind == "asc";
  if (rasters && options.paths) throw Error(Exit::usage, "--paths is for --to gpkg, geojson, csv and vtp");
  if (!rasters && options.kind != "vtp" && !options.layers.empty())
    throw Error(Exit::usage, "--layers is for --to geotiff, asc and vtp");
  if (options.wgs84 && options.kind != "geojson") throw Error(Exit::usage, "--wgs84 is for --to geojson");
  if (!options.names.empty() && options.names != "rockyfor3d")
    throw Error(Exit::usage, "--names " + options.names + ", must be rockyfor3d");
  Export(options).run();
}

}  // namespace scree
