// [maps]: the raster, and what is shown of the paths in its cells.
#include <algorithm>
#include <cmath>

#include "host/common/markup.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "reading.hpp"

namespace scree {
namespace {

/// Cells are numbered by whole numbers below this.
constexpr double most_cells = 0x1p31 - 1;

/// Of the cells around the heights of a terrain.
Rectangle pixels_of(const GridHeights& heights) { return area_of(heights, heights.cell.value / 2); }

std::string kind_of_terrain(const Reading& reading) { return reading.root.find("terrain")->find("kind")->text; }

Rectangle read_extent(const Reading& reading, const Node& table, const GridHeights* heights) {
  const Node* node = table.find("extent");
  if (!node) {
    if (!heights)
      complain(table, "maps.extent is missing: a " + kind_of_terrain(reading) +
                          " has no edge; give [west, south, east, north] in m");
    return pixels_of(*heights);
  }
  const Rectangle extent = read_rectangle(*node);
  if (!heights) return extent;
  const Rectangle all = pixels_of(*heights);
  if (extent.west >= all.east || extent.east <= all.west || extent.south >= all.north || extent.north <= all.south)
    refuse(*node, "on the terrain, " + text_of(all), "m");
  return extent;
}

double read_cell(const Reading& reading, const Node& table, const GridHeights* heights) {
  const Node* node = table.find("cell");
  if (node) return read_number(*node, positive, "m");
  if (!heights)
    complain(table, "maps.cell is missing: a " + kind_of_terrain(reading) +
                        " has no cells of its own; give the side of one, > 0 (m)");
  return heights->cell.value;
}

/// How many cells cover a length: a rounding of it does not make another one.
double cells_in(double length, double cell) { return std::max(1.0, std::ceil(length / cell - 1e-9)); }

MapGrid read_raster(const Reading& reading, const Node& table) {
  const GridHeights* heights = heights_of(reading.run.spec.world.terrain);
  const Rectangle extent = read_extent(reading, table, heights);
  const double cell = read_cell(reading, table, heights);
  const MapGrid grid{extent.west,
                     extent.south,
                     cell,
                     1 / cell,
                     cells_in(extent.east - extent.west, cell),
                     cells_in(extent.north - extent.south, cell)};
  const Node* given = table.find("cell");
  if (!(grid.columns * grid.rows <= most_cells))
    complain(given ? *given : table, "maps.cell = " + number_text(cell) + " makes " +
                                         short_number(grid.columns * grid.rows) + " cells of " + text_of(extent) +
                                         ", must be at most 2147483647");
  return grid;
}

/// Names of quantities, as their places; `all` where there is no such key.
std::vector<int> read_quantities(const Reading& reading, const Node* node, const std::vector<std::string>& all) {
  const std::vector<MapQuantity>& known = reading.description.map_quantities;
  std::vector<std::string> names;
  for (const MapQuantity& quantity : known) names.push_back(quantity.name);
  std::vector<int> places;
  const auto add = [&](int place) { places.push_back(place); };
  if (!node) {
    for (const std::string& name : all)
      if (const auto found = std::ranges::find(names, name); found != names.end())
        add(static_cast<int>(found - names.begin()));
  } else {
    for (const Node& item : read_array(*node)) {
      const int place = static_cast<int>(read_choice(item, names));
      if (std::ranges::count(places, place) > 0) complain(item, item.key + " = \"" + item.text + "\" is named twice");
      add(place);
    }
  }
  std::ranges::sort(places);
  return places;
}

/// Levels as per mille.
std::vector<int> read_levels(const Node& node) {
  std::vector<int> levels;
  for (const Node& item : read_array(node)) {
    const double level = read_number(item), per_mille = std::round(level * 1000);
    if (!(per_mille >= 1 && per_mille <= 999) || std::fabs(level * 1000 - per_mille) > 1e-9)
      refuse(item, "from 0.001 to 0.999 with at most three decimals");
    levels.push_back(static_cast<int>(per_mille));
  }
  std::ranges::sort(levels);
  if (std::ranges::adjacent_find(levels) != levels.end()) complain(node, node.key + " has a level twice");
  return levels;
}

/// Numbers > 0 in rising order.
std::vector<double> read_rising(const Node& node, std::string_view unit) {
  std::vector<double> numbers = read_numbers(node, 0, positive, unit);
  for (std::size_t i = 1; i < numbers.size(); ++i)
    if (!(numbers[i - 1] < numbers[i])) refuse(node, "numbers in rising order", unit);
  return numbers;
}

std::vector<std::string> read_colours(const Node& node, std::size_t count) {
  std::vector<std::string> colours;
  for (const Node& item : read_array(node)) {
    const std::string& text = read_text(item);
    if (!is_colour(text)) refuse(item, "\"#rrggbb\"");
    colours.push_back(text);
  }
  if (colours.size() != count)
    complain(node, node.key + " has " + counted(colours.size(), "colour", "colours") +
                       ", must have one for each of the " + counted(count, "name", "names"));
  return colours;
}

/// Of a run whose other keys of maps have been read.
DangerMatrix read_danger(const Reading& reading, const Node& node) {
  const MapSettings& maps = reading.run.maps;
  const Node& table = read_table(node);
  if (maps.periods.empty()) complain(node, node.key + " needs a return period, and maps.periods has none");
  if (std::ranges::none_of(maps.percentiles, [&](int place) {
        return reading.description.map_quantities[static_cast<std::size_t>(place)].name == "kinetic_energy";
      }))
    complain(node, node.key + " needs kinetic_energy among maps.percentiles");
  DangerMatrix danger;
  std::vector<std::string> choices{"none"};
  const Node& names = table.need("names", "those of the levels of danger in rising order");
  for (const Node& item : read_array(names)) {
    const std::string& name = read_text(item);
    if (trimmed(name).empty()) refuse(item, "a name");
    if (std::ranges::count(choices, name) > 0)
      complain(item, item.key + " = \"" + name + "\" is " +
                         (name == "none" ? "what the matrix calls no danger" : "named twice"));
    choices.push_back(name);
  }
  danger.names.assign(choices.begin() + 1, choices.end());
  if (danger.names.size() < 2) refuse(names, "two names or more");
  if (const Node* colours = table.find("colours")) danger.colours = read_colours(*colours, danger.names.size());
  const Node& matrix = table.need("matrix", "names by class of intensity, the weakest first, and return period");
  for (const Node& row : read_array(matrix)) {
    std::vector<int>& by_period = danger.matrix.emplace_back();
    for (const Node& item : read_array(row)) by_period.push_back(static_cast<int>(read_choice(item, choices)));
    if (by_period.size() != maps.periods.size())
      complain(row, matrix.key + ": row " + std::to_string(danger.matrix.size()) + " has " +
                        counted(by_period.size(), "name", "names") + ", must have one for each of the " +
                        counted(maps.periods.size(), "return period", "return periods"));
  }
  if (danger.matrix.size() != maps.classes.size() + 1)
    complain(matrix, matrix.key + " has " + counted(danger.matrix.size(), "row", "rows") + ", must have " +
                         std::to_string(maps.classes.size() + 1) + ", one for each class of intensity");
  return danger;
}

}  // namespace

void refuse_watching(const Reading& reading, const std::string& key) {
  const auto given = std::ranges::find(reading.root.items, key, &Node::name);
  if (given == reading.root.items.end()) return;
  std::vector<std::string> names;
  for (const Model& model : models())
    if (!model.description.map_quantities.empty()) names.push_back(model.description.system);
  complain(*given, key + ": the system " + reading.description.system + " has no " + key +
                       (key == "maps" || key == "forest" ? "; " : "s; ") + joined(names, " and ") +
                       (names.size() == 1 ? " has" : " have"));
}

void read_maps(Reading& reading) {
  const Description& description = reading.description;
  if (description.map_quantities.empty()) return refuse_watching(reading, "maps");
  const Node* node = reading.root.find("maps");
  if (!node) return;
  const Node& table = read_table(*node);
  MapSettings& maps = reading.run.maps;
  const Node* on = table.find("on");
  maps.on = !on || read_flag(*on);
  // Without maps what the raster needs need not be given; if it is, it says how far gates go.
  const Node *cell = table.find("cell"), *extent = table.find("extent");
  if (maps.on || (cell && extent)) reading.run.spec.world.maps = read_raster(reading, table);
  std::vector<std::string> all;
  for (const MapQuantity& quantity : description.map_quantities) all.push_back(quantity.name);
  maps.quantities = read_quantities(reading, table.find("quantities"), all);
  const Node* percentiles = table.find("percentiles");
  maps.percentiles = read_quantities(reading, percentiles, {"kinetic_energy", "jump"});
  if (!percentiles) {
    std::erase_if(maps.percentiles, [&](int place) { return std::ranges::count(maps.quantities, place) == 0; });
  } else {
    for (const int place : maps.percentiles)
      if (std::ranges::count(maps.quantities, place) == 0)
        complain(*percentiles, percentiles->key + ": " +
                                   description.map_quantities[static_cast<std::size_t>(place)].name +
                                   " is not among maps.quantities");
  }
  if (const Node* levels = table.find("levels")) maps.levels = read_levels(*levels);
  if (const Node* interval = table.find("interval"))
    maps.clopper_pearson = read_choice(*interval, {"wilson", "clopper-pearson"}) == 1;
  if (const Node* sources = table.find("sources")) maps.sources = read_flag(*sources);
  if (const Node* bins = table.find("bins_per_octave")) {
    maps.bins_per_octave = static_cast<int>(std::clamp<std::int64_t>(read_whole(*bins, 0), 0, 1000));
    if (std::ranges::count(std::vector<int>{8, 16, 32, 64}, maps.bins_per_octave) == 0)
      refuse(*bins, "8, 16, 32 or 64");
  }
  if (const Node* keep = table.find("keep_store")) maps.keep_store = read_flag(*keep);
  const Node *frequency = table.find("release_frequency"), *periods = table.find("periods"),
             *classes = table.find("classes"), *danger = table.find("danger");
  if (frequency) maps.release_frequency = read_number(*frequency, positive, "1/yr");
  if (periods) maps.periods = read_rising(*periods, "yr");
  if (classes) {
    maps.classes = read_rising(*classes, "J");
    if (maps.classes.empty()) refuse(*classes, "one number or more", "J");
  }
  for (const Node* needs : {periods, classes, danger})
    if (needs && !frequency) complain(*needs, needs->key + " needs maps.release_frequency, the releases in a year");
  if (const std::string unit = description.energy_unit(); frequency && unit != "J") {
    const std::string why =
        "classes of intensity are of energies in J, those of " + description.system + " are in " + unit;
    for (const Node* needs : {classes, danger})
      if (needs) complain(*needs, needs->key + ": " + why);
    reading.run.warnings.push_back(frequency->where + ": " + frequency->key + ": no layers of intensity, " + why);
  }
  if (danger) maps.danger = read_danger(reading, *danger);
}

}  // namespace scree
