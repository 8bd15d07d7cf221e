// Lines and polygons of a config: lists of points, or files that have one.
#include <nlohmann/json.hpp>

#include "host/common/csv.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "reading.hpp"

namespace scree {
namespace {

/// The points of the one geometry of a file.
struct PointsFile {
  std::vector<double> points;  // x, y, x, y, ...
  Crs crs;                     // as its member `crs` says, in degrees too
};
// Of the same file a line and a polygon may be read.
struct LineFile : PointsFile {};
struct PolygonFile : PointsFile {};

[[noreturn]] void refuse_file(const std::string& path, const std::string& text) {
  throw Error(Exit::input, path + ": " + text);
}

/// The geometry of a GeoJSON file that has one, `type` or a Multi of a single one.
nlohmann::json one_geometry(const std::string& path, nlohmann::json json, const std::string& type) {
  if (json.value("type", "") == "FeatureCollection") {
    if (json.at("features").size() != 1)
      refuse_file(path, "has " + std::to_string(json["features"].size()) + " features, must be one " + type);
    json = nlohmann::json(json["features"][0]);
  }
  if (json.value("type", "") == "Feature") json = nlohmann::json(json.at("geometry"));
  if (json.is_null()) refuse_file(path, "has a feature without geometry, must be one " + type);
  const std::string found = json.value("type", "thing without a type");
  nlohmann::json coordinates = json.value("coordinates", nlohmann::json());
  if (found == "Multi" + type) {
    if (coordinates.size() != 1)
      refuse_file(path, "is a " + found + " of " + std::to_string(coordinates.size()) + " parts, must be one " + type);
    return nlohmann::json(coordinates[0]);
  }
  if (found != type) refuse_file(path, "is a " + found + ", must be one " + type);
  return coordinates;
}

void read_geojson(const std::string& path, const std::string& type, PointsFile& file) {
  try {
    const nlohmann::json json = nlohmann::json::parse(read_text_file(path));
    if (json.contains("crs") && !json["crs"].is_null())
      file.crs = any_crs_of(json["crs"].at("properties").at("name").get<std::string>(), path);
    nlohmann::json coordinates = one_geometry(path, json, type);
    if (type == "Polygon") {
      if (coordinates.size() != 1)
        refuse_file(path, "is a Polygon of " + std::to_string(coordinates.size()) + " rings, must have one: no holes");
      coordinates = nlohmann::json(coordinates[0]);
    }
    for (const nlohmann::json& at : coordinates) {
      file.points.push_back(at.at(0).get<double>());
      file.points.push_back(at.at(1).get<double>());
    }
  } catch (const nlohmann::json::exception& error) {
    refuse_file(path, std::string("is no GeoJSON: ") + error.what());
  }
}

void read_csv_points(const std::string& path, PointsFile& file) {
  const CsvTable table = read_csv(path);
  const auto x = table.column("x"), y = table.column("y");
  if (!x || !y) refuse_file(path, std::string("has no column ") + (x ? "y" : "x") + "; it must have x and y, in m");
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    file.points.insert(file.points.end(), {table.number(row, *x), table.number(row, *y)});
}

void read_points_file(const std::string& path, const std::string& type, PointsFile& file) {
  if (path.ends_with(".csv") || path.ends_with(".CSV"))
    read_csv_points(path, file);
  else
    read_geojson(path, type, file);
}

LineFile read_line_file(const std::string& path) {
  LineFile file;
  read_points_file(path, "LineString", file);
  if (file.points.size() < 4)
    refuse_file(path, "has " + counted(file.points.size() / 2, "point", "points") + ", must have 2 or more");
  return file;
}

PolygonFile read_polygon_file(const std::string& path) {
  PolygonFile file;
  read_points_file(path, "Polygon", file);
  std::vector<double>& p = file.points;
  // A ring ends where it began.
  if (p.size() > 2 && p[0] == p[p.size() - 2] && p[1] == p.back()) p.resize(p.size() - 2);
  if (p.size() < 6) refuse_file(path, "has " + std::to_string(p.size() / 2) + " corners, must have 3 or more");
  return file;
}

/// In metres, and those of the terrain.
void require_crs(Reading& reading, const Node& node, const Crs& crs) {
  require_same_crs(reading, node, crs);
  if (!crs.not_in_metres.empty()) refuse_file(data_file(reading, node), crs.not_in_metres);
}

}  // namespace

std::vector<double> read_line_of(Reading& reading, const Node& file) {
  const LineFile& read = read_data(reading, file, read_line_file);
  require_crs(reading, file, read.crs);
  return read.points;
}

std::vector<double> read_corners(Reading& reading, const Node& node, std::string_view unit) {
  if (node.kind != Node::Kind::text) return read_points(node, 2, 3, unit);
  const PolygonFile& read = read_data(reading, node, read_polygon_file);
  require_crs(reading, node, read.crs);
  return read.points;
}

}  // namespace scree
