// Points and lines with their attributes, as files of GIS programs: CSV, GeoJSON, GeoPackage.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "host/inputs/crs.hpp"

namespace scree {

struct Field {
  std::string name;
  enum class Kind { whole, number, text } kind = Kind::number;
};

struct Feature {
  std::vector<double> points;                             // x, y, z, x, y, z, ... (m)
  std::vector<std::variant<double, std::string>> values;  // of each field; NaN: none
};

/// Features of one kind.
struct FeatureTable {
  std::string name;     // "deposition"
  std::string meaning;  // what one of them is
  bool lines = false;   // else points
  std::vector<Field> fields;
  std::vector<Feature> features;
};

/// Columns x, y and, of points, z; then the fields. Of lines a column `wkt` in their place. Throws Error(Exit::failed),
/// like those below.
void write_csv(const std::string& path, const FeatureTable& table);

/// A FeatureCollection in the coordinates of the terrain, with the member `crs` that RFC 7946 took out but that GIS
/// programs read; none where the system is not known, or is WGS 84 by RFC 7946.
void write_geojson(const std::string& path, const FeatureTable& table, const Crs& crs);

/// One file with all tables: OGC GeoPackage 1.3. Throws Error(Exit::usage) in a program without SQLite.
void write_geopackage(const std::string& path, const std::vector<FeatureTable>& tables, const Crs& crs);

}  // namespace scree
