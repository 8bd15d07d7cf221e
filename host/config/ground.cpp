// [terrain.ground] and [ground.NAME]: which ground lies where, and what it is.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "host/inputs/ground_areas.hpp"
#include "host/inputs/terrain_file.hpp"
#include "reading.hpp"

namespace scree {
namespace {

/// The map as the config gives it, with classes by their names.
struct MapGiven {
  const Grid* grid = nullptr;
  std::string file;
  std::map<double, std::string> names;  // of the file's codes
  std::string outside;                  // empty: the run's own ground
  std::vector<GroundArea> areas;
  std::vector<std::string> area_classes;
};

/// What a class of ground may be called: a preset, or a table [ground.NAME] of the config.
class GroundNames {
 public:
  explicit GroundNames(const Reading& reading) : presets_(preset_names(reading.description, "ground")) {
    known_ = presets_;
    if (const Node* own = reading.root.find("ground"))
      for (const Node& item : read_table(*own).items) {
        // Keys of laws and of --set are paths with dots.
        if (item.name.find_first_of(".\"'") != std::string::npos)
          complain(item, item.key + ": the name of a ground may have neither dots nor quotes");
        if (std::ranges::find(known_, item.name) == known_.end()) known_.push_back(item.name);
      }
  }
  /// The class that a value of the config names.
  const std::string& read(const Node& node) const {
    const std::string& name = read_text(node);
    if (std::ranges::find(known_, name) == known_.end())
      complain(node, node.key + " = \"" + name + "\" is no ground: neither a preset nor a table [ground." + name + "]" +
                         suggestion(name, known_));
    return name;
  }

 private:
  std::vector<std::string> presets_, known_;
};

void read_codes(const Node& table, const GroundNames& known, MapGiven& given) {
  for (const Node& item : read_table(table).items) {
    const Node& name = *table.find(item.name);
    const auto code = parse_number(item.name);
    if (!code || *code != std::trunc(*code))
      complain(name, name.key + ": \"" + item.name + "\" is no code of a raster, must be a whole number");
    if (!given.names.emplace(*code, known.read(name)).second)
      complain(name, name.key + ": code " + number_text(*code) + " is named twice");
  }
}

/// Codes of a raster that have no name are mistakes; names whose code it does not have are worth a line.
void check_codes(Reading& reading, const Node& file, const Node& names, const MapGiven& given) {
  std::set<double> codes;
  for (const double code : given.grid->heights)
    if (!std::isnan(code)) codes.insert(code);
  for (const double code : codes) {
    const std::string text = given.file + ": ground code " + number_text(code);
    if (code != std::trunc(code)) throw Error(Exit::input, text + " is no whole number");
    if (!given.names.contains(code))
      throw Error(Exit::input, text + " has no name: add it to " + names.key + " (" + names.where + ")");
  }
  for (const auto& [code, name] : given.names)
    if (!codes.contains(code))
      reading.run.warnings.push_back(names.where + ": " + names.key + ": no cell of " + file.text + " has the code " +
                                     number_text(code) + " (" + name + ")");
}

MapGiven read_map(Reading& reading, const Node& node, const GroundNames& known) {
  MapGiven given;
  if (const Node* file = node.find("file")) {
    given.grid = &read_grid_of_codes(reading, *file, 2);
    require_same_crs(reading, *file, given.grid->crs);
    reading.run.grids.add(*given.grid);
    given.file = data_file(reading, *file);
    const Node& names = node.need("names", "a table of the file's codes, as { 1 = \"scree slope\" }");
    read_codes(names, known, given);
    check_codes(reading, *file, names, given);
  } else if (const Node* names = node.find("names")) {
    complain(*names, names->key + " names the codes of terrain.ground.file, which is not given");
  }
  if (const Node* areas = node.find("area")) {
    for (const Node& area : read_array(*areas)) {
      given.area_classes.push_back(known.read(read_table(area).need("class", "the name of a ground")));
      const Node& polygon = area.need("polygon", "a list of corners [x, y] (m)");
      given.areas.push_back({read_corners(reading, polygon, "m"), 0});
      check_polygon(reading, polygon, given.areas.back().corners);
    }
  }
  if (!given.grid && given.areas.empty())
    complain(node, node.key + " is no map: give a file, or one or several [[" + node.key + ".area]]");
  if (const Node* outside = node.find("outside")) given.outside = known.read(*outside);
  return given;
}

/// Values of a class: those of its preset, and of the keys that its table has; of the others it has none (NaN).
void read_class(Reading& reading, const std::string& name, std::vector<const Preset*>& used) {
  static const Node empty{};
  const Description& description = reading.description;
  const Node* tables = reading.root.find("ground");
  const Node* own = tables ? tables->find(name) : nullptr;
  const Node& table = own ? read_table(*own) : empty;
  const std::vector<const Preset*> presets = presets_of(description, "ground");
  const std::vector<std::string> names = preset_names(description, "ground");
  const Preset* preset = nullptr;
  if (const Node* like = table.find("like"))
    preset = presets[read_choice(*like, names)];
  else if (const auto found = std::ranges::find(names, name); found != names.end())
    preset = presets[static_cast<std::size_t>(found - names.begin())];
  std::vector<double>& params = reading.run.spec.params;
  const int number = static_cast<int>(reading.ground_classes.size());
  std::fill_n(params.begin() + description.grounds.place(number, description.grounds.own), description.grounds.numbers,
              std::numeric_limits<double>::quiet_NaN());
  if (preset) {
    for (const auto& [offset, value] : preset->values)
      params[static_cast<std::size_t>(description.grounds.place(number, offset))] = value;
    used.push_back(preset);
  }
  for (const Quantity& quantity : description.params) {
    if (!description.grounds.has(quantity)) continue;
    const Node* node = table.find(quantity.name);
    if (!node) continue;
    const int place = description.grounds.place(number, quantity.offset);
    params[static_cast<std::size_t>(place)] = read_number(*node, quantity.range, quantity.unit);
    set_fixed(reading, place, 1, *node);
  }
}

/// The number of a class in the map.
double number_of(const Reading& reading, const std::string& name) {
  if (name.empty()) return 0;
  const auto& classes = reading.ground_classes;
  return static_cast<double>(1 + (std::ranges::find(classes, name) - classes.begin()));
}

GroundMap make_map(Reading& reading, MapGiven& given) {
  GroundMap map{};
  map.classes = static_cast<double>(reading.ground_classes.size());
  map.outside = number_of(reading, given.outside);
  map.cell = map.band = Divisor::of(1);
  if (given.grid) {
    const Grid& grid = *given.grid;
    std::vector<double> cells;
    for (const double code : grid.heights)
      cells.push_back(std::isnan(code) ? map.outside : number_of(reading, given.names.at(code)));
    map.x0 = grid.x0 - 0.5 * grid.cell;
    map.y0 = grid.y0 - 0.5 * grid.cell;
    map.cell = Divisor::of(grid.cell);
    map.columns = static_cast<double>(grid.columns);
    map.rows = static_cast<double>(grid.rows);
    map.cells = add_table(reading, cells);
  }
  for (std::size_t i = 0; i < given.areas.size(); ++i)
    given.areas[i].ground_class = number_of(reading, given.area_classes[i]);
  if (!given.areas.empty()) add_areas(given.areas, reading.run.spec.tables.own(), map);
  return map;
}

/// Points at which the classes are counted, what they stand for, and what they are, as texts say it.
struct Countable {
  std::vector<Point2> points;
  std::string what, looked_at;
};

Countable points_to_count(const Reading& reading, const MapGiven& given) {
  Countable counted;
  const World& world = reading.run.spec.world;
  const auto cells = [&](const GridHeights& grid, const auto& counts) {
    for (double j = 0; j < grid.rows; ++j)
      for (double i = 0; i < grid.columns; ++i)
        if (counts(static_cast<std::size_t>(j * grid.columns + i)))
          counted.points.push_back({grid.x0 + i * grid.cell.value, grid.y0 + j * grid.cell.value});
  };
  if (world.terrain.is<BilinearGrid>()) {
    const GridHeights& grid = world.terrain.get<BilinearGrid>();
    const double* heights = reading.run.spec.tables.data() + static_cast<std::size_t>(grid.heights);
    cells(grid, [&](std::size_t k) { return !std::isnan(heights[k]); });
    counted.what = counted.looked_at = std::to_string(counted.points.size()) + " cells of the terrain";
  } else if (given.grid) {
    const Grid& grid = *given.grid;
    cells({grid.x0, grid.y0, Divisor::of(grid.cell), static_cast<double>(grid.columns), static_cast<double>(grid.rows),
           0},
          [](std::size_t) { return true; });
    counted.what = counted.looked_at = std::to_string(counted.points.size()) + " cells of the map";
  } else {
    constexpr int side = 256;
    double low[2], high[2];
    bounds_of(given.areas, low, high);
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side; ++i)
        counted.points.push_back(
            {low[0] + (i + 0.5) / side * (high[0] - low[0]), low[1] + (j + 0.5) / side * (high[1] - low[1])});
    counted.looked_at = std::to_string(counted.points.size()) + " points around its areas";
    counted.what = "x from " + short_number(low[0]) + " to " + short_number(high[0]) + ", y from " +
                   short_number(low[1]) + " to " + short_number(high[1]) + " m";
  }
  return counted;
}

/// "scree slope 60.1 %, alpine meadow 39.9 % of 1978 cells of the terrain"; a class at none of the points is worth a
/// line.
std::string shares_text(Reading& reading, const Node& node, const MapGiven& given) {
  const GroundMap& map = reading.run.spec.world.ground;
  const double* tables = reading.run.spec.tables.data();
  const Countable counted = points_to_count(reading, given);
  std::vector<std::size_t> counts(reading.ground_classes.size() + 1);
  for (const Point2& point : counted.points) ++counts[static_cast<std::size_t>(map.at(tables, point.x, point.y))];
  std::string text;
  for (std::size_t k = 1; k <= counts.size(); ++k) {
    const std::size_t c = k % counts.size();  // the run's own ground last
    const std::string name = c == 0 ? "the run's own" : reading.ground_classes[c - 1];
    if (counts[c] == 0) {
      if (c > 0 && name != given.outside)
        reading.run.warnings.push_back(node.where + ": " + node.key + ": ground " + name + " is at none of the " +
                                       counted.looked_at);
      continue;
    }
    const double share = static_cast<double>(counts[c]) / static_cast<double>(counted.points.size());
    text += (text.empty() ? "" : ", ") + name + " " + number_text(std::round(1000 * share) / 10) + " %";
  }
  return text + " of " + counted.what;
}

}  // namespace

void read_ground(Reading& reading) {
  const GroundClasses& grounds = reading.description.grounds;
  if (grounds.most == 0) return;
  const Node* terrain = reading.root.find("terrain");
  const Node* node = terrain ? terrain->find("ground") : nullptr;
  const Node* tables = reading.root.find("ground");
  if (!node) {
    if (tables && !read_table(*tables).items.empty())
      complain(tables->items.front(),
               tables->items.front().key + " is ground of a map, and there is no [terrain.ground]");
    return;
  }
  const GroundNames known(reading);
  MapGiven given = read_map(reading, read_table(*node), known);
  std::set<std::string> names(given.area_classes.begin(), given.area_classes.end());
  for (const auto& [code, name] : given.names) names.insert(name);
  if (!given.outside.empty()) names.insert(given.outside);
  if (static_cast<int>(names.size()) > grounds.most)
    complain(*node, node->key + " has " + std::to_string(names.size()) + " classes of ground, at most " +
                        std::to_string(grounds.most) + " are possible");
  if (tables)
    for (const Node& item : tables->items)
      if (!names.contains(item.name))
        complain(item, item.key + " is ground that " + node->key + " has nowhere" +
                           suggestion(item.name, {names.begin(), names.end()}));
  std::vector<const Preset*> used;
  // By the alphabet, so that draws do not depend on where in the config a class stands.
  for (const std::string& name : names) {
    reading.ground_classes.push_back(name);
    read_class(reading, name, used);
  }
  reading.run.spec.world.ground = make_map(reading, given);
  reading.run.ground_map = shares_text(reading, *node, given);
  if (const std::string note = note_of(used); !note.empty()) reading.run.ground_map += " (" + note + ")";
}

}  // namespace scree
