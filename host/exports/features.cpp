#include "features.hpp"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "host/common/csv.hpp"
#include "host/common/error.hpp"
#include "host/common/json_text.hpp"
#include "host/common/text_input.hpp"

namespace scree {
namespace {

void require_written(std::ofstream& file, const std::string& path) {
  file.close();
  if (!file) throw Error(Exit::failed, path + ": cannot be written");
}

std::string wkt_of(const std::vector<double>& points) {
  const bool has_z = !std::isnan(points[2]);
  std::string text = has_z ? "LINESTRING Z (" : "LINESTRING (";
  for (std::size_t i = 0; i < points.size(); i += 3)
    text += (i == 0 ? "" : ", ") + number_text(points[i]) + " " + number_text(points[i + 1]) +
            (has_z ? " " + number_text(points[i + 2]) : "");
  return text + ")";
}

}  // namespace

void write_csv(const std::string& path, const FeatureTable& table) {
  std::ofstream file(path);
  file << (table.lines ? "wkt" : "x,y,z");
  for (const Field& field : table.fields) file << ',' << field.name;
  file << '\n';
  for (const Feature& feature : table.features) {
    if (table.lines)
      file << '"' << wkt_of(feature.points) << '"';
    else
      file << csv_number(feature.points[0]) << ',' << csv_number(feature.points[1]) << ','
           << csv_number(feature.points[2]);
    for (const auto& value : feature.values)
      file << ','
           << (std::holds_alternative<double>(value) ? csv_number(std::get<double>(value))
                                                     : csv_text(std::get<std::string>(value)));
    file << '\n';
  }
  require_written(file, path);
}

void write_geojson(const std::string& path, const FeatureTable& table, const Crs& crs) {
  using Json = nlohmann::ordered_json;
  std::ofstream file(path);
  file << "{\"type\": \"FeatureCollection\", \"name\": " << json_text(Json(table.name));
  if (crs.known()) {
    const std::string name = crs.epsg > 0 ? "urn:ogc:def:crs:EPSG::" + std::to_string(crs.epsg) : crs.wkt;
    file << ", \"crs\": " << json_text(Json{{"type", "name"}, {"properties", {{"name", name}}}});
  }
  file << ", \"features\": [";
  bool first = true;
  for (const Feature& feature : table.features) {
    Json coordinates = Json::array();
    for (std::size_t i = 0; i < feature.points.size(); i += 3) {
      Json point = Json::array({feature.points[i], feature.points[i + 1]});
      if (!std::isnan(feature.points[i + 2])) point.push_back(feature.points[i + 2]);
      coordinates.push_back(point);
    }
    Json properties = Json::object();
    for (std::size_t k = 0; k < table.fields.size(); ++k) {
      const auto& value = feature.values[k];
      if (std::holds_alternative<std::string>(value))
        properties[table.fields[k].name] = std::get<std::string>(value);
      else if (table.fields[k].kind == Field::Kind::whole && std::isfinite(std::get<double>(value)))
        properties[table.fields[k].name] = static_cast<std::int64_t>(std::get<double>(value));
      else
        properties[table.fields[k].name] = std::get<double>(value);  // null for NaN
    }
    const Json json{{"type", "Feature"},
                    {"properties", properties},
                    {"geometry",
                     {{"type", table.lines ? "LineString" : "Point"},
                      {"coordinates", table.lines ? coordinates : coordinates[0]}}}};
    file << (first ? "\n" : ",\n") << json_text(json);
    first = false;
  }
  file << "\n]}\n";
  require_written(file, path);
}

}  // namespace scree
