#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "features.hpp"
#include "host/common/error.hpp"

#if SCREE_HAS_GIS
#include <sqlite3.h>

#include <memory>
#endif

namespace scree {

#if SCREE_HAS_GIS

namespace {

std::string quoted_name(const std::string& name) {
  std::string inside;
  for (const char c : name) inside += c == '"' ? std::string("\"\"") : std::string(1, c);
  return "\"" + inside + "\"";
}

class Database {
 public:
  explicit Database(const std::string& path) : path_(path) {
    sqlite3* opened = nullptr;
    const int result = sqlite3_open(path.c_str(), &opened);
    database_.reset(opened);
    require(result == SQLITE_OK);
  }
  void run(const std::string& sql) {
    require(sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  }

  class Statement {
   public:
    Statement(Database& database, const std::string& sql) : database_(database) {
      sqlite3_stmt* prepared = nullptr;
      database.require(sqlite3_prepare_v2(database.database_.get(), sql.c_str(), -1, &prepared, nullptr) == SQLITE_OK);
      statement_.reset(prepared);
    }
    void bind(int place, const std::string& text) {
      database_.require(sqlite3_bind_text(statement_.get(), place, text.data(), static_cast<int>(text.size()),
                                          SQLITE_TRANSIENT) == SQLITE_OK);
    }
    void bind(int place, double number) {
      database_.require((std::isnan(number) ? sqlite3_bind_null(statement_.get(), place)
                                            : sqlite3_bind_double(statement_.get(), place, number)) == SQLITE_OK);
    }
    void bind(int place, std::int64_t whole) {
      database_.require(sqlite3_bind_int64(statement_.get(), place, whole) == SQLITE_OK);
    }
    void bind_bytes(int place, const std::string& bytes) {
      database_.require(sqlite3_bind_blob(statement_.get(), place, bytes.data(), static_cast<int>(bytes.size()),
                                          SQLITE_TRANSIENT) == SQLITE_OK);
    }
    void run() {
      database_.require(sqlite3_step(statement_.get()) == SQLITE_DONE);
      database_.require(sqlite3_reset(statement_.get()) == SQLITE_OK);
    }

   private:
    struct Close {
      void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    };
    Database& database_;
    std::unique_ptr<sqlite3_stmt, Close> statement_;
  };

 private:
  void require(bool good) const {
    if (!good) throw Error(Exit::failed, path_ + ": cannot be written: " + sqlite3_errmsg(database_.get()));
  }
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
  };
  std::string path_;
  std::unique_ptr<sqlite3, Close> database_;
};

template <class T>
void append(std::string& bytes, T value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

bool has_z(const FeatureTable& table) {
  return std::ranges::all_of(table.features, [](const Feature& feature) { return !std::isnan(feature.points[2]); });
}

/// The standard's header, little-endian and without an envelope, then WKB: a point or a line (1, 2), with z 1000 more.
std::string geometry_of(const Feature& feature, bool line, bool z, std::int32_t srs) {
  std::string bytes = "GP";
  bytes += '\0';
  bytes += '\1';
  append(bytes, srs);
  bytes += '\1';
  append(bytes, std::uint32_t{(line ? 2u : 1u) + (z ? 1000u : 0u)});
  if (line) append(bytes, static_cast<std::uint32_t>(feature.points.size() / 3));
  for (std::size_t i = 0; i < feature.points.size(); ++i)
    if (z || i % 3 != 2) append(bytes, feature.points[i]);
  return bytes;
}

const char* type_of(const Field& field) {
  return field.kind == Field::Kind::whole ? "INTEGER" : field.kind == Field::Kind::text ? "TEXT" : "REAL";
}

void write_systems(Database& database, const Crs& crs, std::int32_t srs) {
  database.run(
      "CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER PRIMARY KEY, organization TEXT NOT "
      "NULL, organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);"
      "CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT "
      "UNIQUE, description TEXT DEFAULT '', last_change DATETIME NOT NULL DEFAULT '1970-01-01T00:00:00.000Z', min_x "
      "DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER, CONSTRAINT fk_gc_r_srs_id FOREIGN KEY "
      "(srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));"
      "CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL, geometry_type_name "
      "TEXT "
      "NOT NULL, srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL, CONSTRAINT pk_geom_cols PRIMARY KEY "
      "(table_name, column_name), CONSTRAINT uk_gc_table_name UNIQUE (table_name), CONSTRAINT fk_gc_tn FOREIGN KEY "
      "(table_name) REFERENCES gpkg_contents(table_name), CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES "
      "gpkg_spatial_ref_sys (srs_id));");
  Database::Statement insert(database, "INSERT INTO gpkg_spatial_ref_sys VALUES (?, ?, ?, ?, ?, NULL)");
  const auto add = [&](const std::string& name, std::int64_t id, const std::string& organization, std::int64_t code,
                       const std::string& definition) {
    insert.bind(1, name);
    insert.bind(2, id);
    insert.bind(3, organization);
    insert.bind(4, code);
    insert.bind(5, definition);
    insert.run();
  };
  // The standard wants these three.
  add("Undefined cartesian SRS", -1, "NONE", -1, "undefined");
  add("Undefined geographic SRS", 0, "NONE", 0, "undefined");
  add("WGS 84 geodetic", 4326, "EPSG", 4326,
      "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],PRIMEM[\"Greenwich\",0],UNIT["
      "\"degree\",0.0174532925199433],AUTHORITY[\"EPSG\",\"4326\"]]");
  if (srs > 0) add(crs.name, srs, crs.epsg > 0 ? "EPSG" : "NONE", crs.epsg > 0 ? crs.epsg : srs, crs.wkt);
}

void write_table(Database& database, const FeatureTable& table, std::int32_t srs) {
  const std::string name = quoted_name(table.name);
  const bool z = has_z(table);
  std::string columns, places;
  for (const Field& field : table.fields) {
    columns += ", " + quoted_name(field.name) + " " + type_of(field);
    places += ", ?";
  }
  database.run("CREATE TABLE " + name + " (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom " +
               (table.lines ? "LINESTRING" : "POINT") + columns + ")");
  double low_x = std::numeric_limits<double>::infinity(), low_y = low_x, high_x = -low_x, high_y = -low_x;
  Database::Statement insert(database, "INSERT INTO " + name + " VALUES (NULL, ?" + places + ")");
  for (const Feature& feature : table.features) {
    for (std::size_t i = 0; i < feature.points.size(); i += 3) {
      low_x = std::min(low_x, feature.points[i]);
      high_x = std::max(high_x, feature.points[i]);
      low_y = std::min(low_y, feature.points[i + 1]);
      high_y = std::max(high_y, feature.points[i + 1]);
    }
    insert.bind_bytes(1, geometry_of(feature, table.lines, z, srs));
    for (std::size_t k = 0; k < table.fields.size(); ++k) {
      const int place = static_cast<int>(k) + 2;
      if (std::holds_alternative<std::string>(feature.values[k]))
        insert.bind(place, std::get<std::string>(feature.values[k]));
      else if (const double value = std::get<double>(feature.values[k]);
               table.fields[k].kind == Field::Kind::whole && std::isfinite(value))
        insert.bind(place, static_cast<std::int64_t>(value));
      else
        insert.bind(place, value);
    }
    insert.run();
  }
  Database::Statement contents(database,
                               "INSERT INTO gpkg_contents (table_name, data_type, identifier, description, min_x, "
                               "min_y, max_x, max_y, srs_id) VALUES (?, 'features', ?, ?, ?, ?, ?, ?, ?)");
  contents.bind(1, table.name);
  contents.bind(2, table.name);
  contents.bind(3, table.meaning);
  const bool some = !table.features.empty();
  const double none = std::numeric_limits<double>::quiet_NaN();
  contents.bind(4, some ? low_x : none);
  contents.bind(5, some ? low_y : none);
  contents.bind(6, some ? high_x : none);
  contents.bind(7, some ? high_y : none);
  contents.bind(8, std::int64_t{srs});
  contents.run();
  Database::Statement geometry(database, "INSERT INTO gpkg_geometry_columns VALUES (?, 'geom', ?, ?, ?, 0)");
  geometry.bind(1, table.name);
  geometry.bind(2, std::string(table.lines ? "LINESTRING" : "POINT"));
  geometry.bind(3, std::int64_t{srs});
  geometry.bind(4, std::int64_t{z ? 1 : 0});
  geometry.run();
}

}  // namespace

void write_geopackage(const std::string& path, const std::vector<FeatureTable>& tables, const Crs& crs) {
  // A system without a code has one that no authority gives away.
  constexpr std::int32_t own = 100000;
  const std::int32_t srs = !crs.known() ? -1 : crs.epsg > 0 ? crs.epsg : own;
  Database database(path);
  // A file under a temporary name has nothing to roll back.
  database.run("PRAGMA journal_mode = MEMORY");
  database.run("PRAGMA application_id = 1196444487; PRAGMA user_version = 10300; BEGIN");  // "GPKG", version 1.3
  write_systems(database, crs, srs);
  for (const FeatureTable& table : tables) write_table(database, table, srs);
  database.run("COMMIT");
}

#else

void write_geopackage(const std::string&, const std::vector<FeatureTable>&, const Crs&) {
  throw Error(Exit::usage, "this program was built without GeoPackage: use --to geojson or csv");
}

#endif

}  // namespace scree
