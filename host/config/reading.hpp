// What the parts of the config reader share: config.cpp (keys of the top), terrain.cpp (terrain, shapes), ground.cpp
// (classes of ground), maps.cpp (the raster of maps), gates.cpp (gates and barriers), forest.cpp (stems), start.cpp
// ([start] and its table), observed.cpp (values from the field), vary.cpp (laws), sampling.cpp (low-discrepancy points)
// and check.cpp (the drawn ensemble).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <typeindex>
#include <vector>

#include "host/common/csv.hpp"
#include "host/inputs/crs.hpp"
#include "host/inputs/terrain_file.hpp"
#include "host/model/run.hpp"
#include "loaded.hpp"
#include "tree.hpp"

namespace scree {

/// Where one double of Params or Start comes from: a value in the config, or a variation.
struct Source {
  const Node* fixed = nullptr;
  const Node* varied = nullptr;
  bool from_table = false;  // a file of starts rather than a law
};

struct Reading {
  Run run;
  const Node& root;
  const Description& description;
  std::filesystem::path folder;
  DataFiles& files;
  std::vector<Source> sources;  // param_doubles, then start_doubles
  // Heights in a table of starts that are only compared with the terrain, because the rock is set down.
  std::vector<double> table_heights;
  std::string table_heights_name;
  int bodies = 1;                   // of each sample
  std::string terrain_extent = "";  // where releases must be, as a message says it; empty: everywhere
  struct Named {
    std::string key, name, note;
  };
  std::vector<std::string> ground_classes = {};  // of the terrain's map of the ground: names of classes 1, 2, ...
  std::vector<Named> presets;  // what the config calls by a name, as (ground, medium), and what that rests on
  Crs crs = {};                // of the terrain
};

/// What a variation or a column of a table of starts may set: all of a quantity or one component, of a list that of one
/// body or of all.
struct Target {
  std::string name;  // "rock.friction_min", "start.velocity.x", "start.spin[2]"
  const Quantity* quantity = nullptr;
  int first = 0, width = 1;     // doubles, as in Variation::target
  int repeats = 1, stride = 0;  // bodies, and doubles from one to the next
};
std::vector<Target> all_targets(const Reading& reading);
/// Those that the classes of a map of the ground have: "ground.scree slope.friction_min".
std::vector<Target> ground_targets(const Reading& reading);
/// By its name, without "start." or the system's name if that is clear; no target if there is none.
std::optional<Target> find_target(const Reading& reading, const std::string& name);

/// Sources of `width` doubles from `first`; a double that is both fixed and varied, or varied twice, is a mistake.
void set_fixed(Reading& reading, int first, int width, const Node& node);
void set_varied(Reading& reading, const Target& target, int width, const Node& node, bool from_table);
/// Writes the values that a config gives a list, those of one body, for all, or a list of each body's, to `values`,
/// which are Params or Start; `first` is where these begin among a sample's doubles. Room beyond the bodies stays as it
/// is.
void read_list(Reading& reading, const Quantity& quantity, const Node& node, std::vector<double>& values, int first);

/// The path of a data file named in the config, after a check that it is there; its hash goes to Run::inputs.
std::string data_file(Reading& reading, const Node& node);
/// What `make` gives, made once for a config and all runs that derive from it: `key` names the data file that it comes
/// from, and all else that it depends on.
template <class Make>
const auto& once(Reading& reading, const std::string& key, const Make& make) {
  using T = decltype(make());
  std::shared_ptr<const void>& made = reading.files.contents[{key, typeid(T)}];
  if (!made) made = std::make_shared<const T>(make());
  return *static_cast<const T*>(made.get());
}
/// The contents of a data file named in the config.
template <class T>
const T& read_data(Reading& reading, const Node& node, T (*read)(const std::string& path)) {
  const std::string path = data_file(reading, node);
  return once(reading, path, [&] { return read(path); });
}

/// A grid of codes, as of classes of the ground or of what a mask shows, of which there will be so many copies.
const Grid& read_grid_of_codes(Reading& reading, const Node& node, int copies);

/// [west, south, east, north] in m.
Rectangle read_rectangle(const Node& node);

const Quantity* find_start(const Reading& reading, const std::string& name);
/// Notes what the config calls by a name, in place of what it noted before for that key.
void name_preset(Reading& reading, const std::string& key, const std::string& name, const std::string& note = "");
/// The keys that name presets, as "ground", and of a key its presets, and their names.
std::vector<std::string> preset_keys(const Description& description);
std::vector<const Preset*> presets_of(const Description& description, const std::string& key);
std::vector<std::string> preset_names(const Description& description, const std::string& key);
/// What presets rest on: of several notes each with the names of its presets.
std::string note_of(const std::vector<const Preset*>& presets);
/// Refuses a polygon without an area, saying what is meant otherwise, and warns of sides that cross. Gives its share of
/// its bounding box.
double check_polygon(Reading& reading, const Node& node, const std::vector<double>& corners,
                     const char* otherwise = "");
/// The points of the one line of a data file, GeoJSON (one LineString) or CSV (columns x and y), in the terrain's
/// metres.
std::vector<double> read_line_of(Reading& reading, const Node& file);
/// The corners of a polygon, at least three: a list of them, or the name of a data file, GeoJSON (one Polygon without
/// holes) or CSV (columns x and y).
std::vector<double> read_corners(Reading& reading, const Node& node, std::string_view unit);
/// Adds the law of one draw for the target's bodies.
void add_variation(Reading& reading, const Target& target, Variation variation, const Node& node);
/// Throws Error(Exit::device) if there is no memory for so many numbers more in the run's tables.
void require_memory_of_table(const Reading& reading, std::size_t numbers);
/// Appends numbers to the run's tables and gives their offset.
double add_table(Reading& reading, const std::vector<double>& numbers);
/// The value that the config gives a quantity of one number, or a choice by its name.
double read_value(const Node& node, const Quantity& quantity);
/// The value that a cell of a data file gives the target: a number in its range, or the name of a shape or a choice.
/// "FILE:LINE: name = value, must be ...".
double table_value(const Reading& reading, const CsvTable& table, std::size_t row, std::size_t column,
                   const Target& target);
/// The shape called `name`, or -1.
int find_shape(const Run& run, const std::string& name);

/// Refuses a data file in another coordinate reference system than the terrain's, where both are known.
void require_same_crs(const Reading& reading, const Node& file, const Crs& crs);
/// The tables of a key that may stand several times.
std::span<const Node> tables_of(const Reading& reading, std::string_view key);
/// A value of a quantity of one number that is drawn elsewhere than by [vary]: a number, or a law of one number.
Variation read_free_law(Reading& reading, const Node& node, const Quantity& quantity);
/// Refuses the key of a table, `maps`, `gate`, `barrier` or `forest`, of a system whose paths are not watched, if it is
/// there.
void refuse_watching(const Reading& reading, const std::string& key);

void read_terrain(Reading& reading);
void read_ground(Reading& reading);
void read_maps(Reading& reading);
void read_gates(Reading& reading);
/// After the starts: the blocks of fences where the config does not give them.
void settle_designs(Reading& reading);
void read_forest(Reading& reading);
void read_observed(Reading& reading);
void read_shapes(Reading& reading);
void read_start(Reading& reading);
void read_vary(Reading& reading);
void read_sampling(Reading& reading);
/// Gives the laws of [vary] their coordinates of low-discrepancy points, if the samples are placed so.
void place_points(Reading& reading);
/// Draws the samples, of many the first 2^20 or less, and checks what no single value of the config can tell. Samples
/// that are in `drawn` already are checked by what is kept of them there.
void check_ensemble(Reading& reading, Drawn& drawn);

}  // namespace scree
