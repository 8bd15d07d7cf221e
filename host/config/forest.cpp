// [[forest]]: areas with stems.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "reading.hpp"
#include "src/forest.hpp"

namespace scree {
namespace {

constexpr Range stem_density{0, 1e4, true, false, "> 0 and <= 10000"};
constexpr Range stem_diameter{0, 10, true, false, "> 0 and <= 10"};
constexpr double hectare = 1e4;  // m^2
/// Of stems that are given: the table has a place for each cell.
constexpr double most_cells_with_stems = 1e7;

double cells_along(double from, double to) { return std::max(std::ceil((to - from) / forest_cell), 1.0); }

/// The largest value that a law gives.
double largest_of(const Variation& law, const SharedNumbers& tables) {
  const double z = inverse_normal(1 - 0x1p-53);
  const double* table = tables.data() + static_cast<std::size_t>(law.offset);
  switch (law.law) {
    case Law::normal:
      return law.a + law.b * z;
    case Law::lognormal:
      return exp(law.a + law.b * z);
    case Law::truncated_normal:
      return std::min(law.a + law.b * z, table[3]);
    case Law::truncated_lognormal:
      return std::min(exp(law.a + law.b * z), table[3]);
    case Law::choice:
    case Law::weighted_choice:
      return *std::max_element(table, table + static_cast<std::size_t>(law.count));
    default:
      return law.b;
  }
}

/// P(no more than k stems in a cell), k = 0, 1, ..., until it is 1 to rounding.
std::vector<double> numbers_of_stems(double mean) {
  std::vector<double> below;
  double share = exp(-mean), sum = share;
  for (int k = 0; k < most_stems_of_a_cell; ++k) {
    below.push_back(sum);
    if (k > mean && share < 1e-17) break;
    share *= mean / (k + 1);
    sum += share;
  }
  return below;
}

/// South-west and north-east corner of the box around points.
std::array<double, 4> box_of(const std::vector<double>& points) {
  std::array<double, 4> box{points[0], points[1], points[0], points[1]};
  for (std::size_t i = 0; i < points.size(); ++i) {
    box[i % 2] = std::min(box[i % 2], points[i]);
    box[2 + i % 2] = std::max(box[2 + i % 2], points[i]);
  }
  return box;
}

void set_grid(const Reading& reading, ForestArea& area, const std::vector<double>& points, double most_cells,
              const Node& node) {
  const auto [west, south, east, north] = box_of(points);
  if (const GridHeights* heights = heights_of(reading.run.spec.world.terrain)) {
    const Rectangle area_of_terrain = area_of(*heights);
    if (west > area_of_terrain.east || east < area_of_terrain.west || south > area_of_terrain.north ||
        north < area_of_terrain.south)
      complain(node, node.key + " lies outside of the terrain, " + reading.terrain_extent);
  }
  area.x0 = west;
  area.y0 = south;
  area.columns = cells_along(west, east);
  area.rows = cells_along(south, north);
  if (area.columns * area.rows > most_cells)
    complain(node, node.key + " spans " + short_number(east - west) + " m by " + short_number(north - south) +
                       " m, more than " + short_number(most_cells) + " cells of 10 m");
}

void read_rule(const Reading& reading, const Node& table, ForestArea& area) {
  const Node* law = table.find("law");
  const Node* share = table.find("share");
  area.shares = law && read_choice(*law, {"plastic", "dorren"}) == 1 ? 1 : 0;
  const std::string unit = reading.description.energy_unit();
  const Node& capacity = table.need(
      "capacity", "the energy that a stem takes (" + unit + "), or { factor, exponent } of its diameter in cm");
  if (capacity.kind == Node::Kind::table) {
    area.factor = read_number(capacity.need("factor", "of a stem of 1 cm (" + unit + ")"), positive, unit);
    area.exponent = read_number(capacity.need("exponent", "of the diameter in cm"), positive, "1");
  } else {
    area.factor = read_number(capacity, non_negative, unit);
  }
  if (area.shares > 0) {
    if (!share)
      complain(*law, law->key + " = \"dorren\" needs " + table.key +
                         ".share = [a, b, c, d], of which a stem hit at u = 0 (head-on) to 1 takes "
                         "a + b / (1 + 10^(-c (d - u)))");
    const std::vector<double> numbers = read_numbers(*share, 4, any_value, "1");
    std::copy(numbers.begin(), numbers.end(), area.share);
  } else if (share) {
    complain(*share, share->key + " belongs to law = \"dorren\"");
  }
}

/// Stems by a density and a law of their diameters.
std::string read_drawn(Reading& reading, const Node& table, ForestArea& area, std::vector<double>& corners) {
  static const Quantity diameter{"diameter", "m", "of a stem", 0, 1, {}, stem_diameter};
  const Node& polygon = table.need("polygon", "a list of corners [x, y] (m), or a file of stems");
  corners = read_corners(reading, polygon, "m");
  const double share = check_polygon(reading, polygon, corners);
  set_grid(reading, area, corners, most_cells_of_an_area, polygon);
  const auto [west, south, east, north] = box_of(corners);
  const double density = read_number(table.need("stems", "how many per ha"), stem_density, "per ha");
  const Node& node = table.need("diameter", "of the stems (m), a number or a law");
  const Variation law = read_free_law(reading, node, diameter);
  area.largest = largest_of(law, reading.run.spec.tables);
  if (!(area.largest > 0) || area.largest > stem_diameter.high)
    complain(node, node.key + " has a largest value of " + short_number(area.largest) +
                       " m, must be > 0 and <= 10 (m): bound a normal or lognormal law by min and max");
  const bool has_no_low_end =
      law.law == Law::normal ||
      (law.law == Law::truncated_normal && !(reading.run.spec.tables[static_cast<std::size_t>(law.offset) + 2] > 0));
  if (has_no_low_end && !(law.a > 3 * law.b))
    complain(node, node.key + " has values that are not > 0: bound the law by min");
  const Node* resample = table.find("resample");
  area.resampled = resample && read_flag(*resample) ? 1 : 0;
  area.corners = add_table(reading, corners);
  area.corner_count = static_cast<double>(corners.size() / 2);
  const std::vector<double> numbers = numbers_of_stems(density * forest_cell * forest_cell / hectare);
  area.numbers = add_table(reading, numbers);
  area.most = static_cast<double>(numbers.size());
  area.law = static_cast<double>(static_cast<int>(law.law));
  area.a = law.a;
  area.b = law.b;
  area.c = law.c;
  area.offset = law.offset;
  area.count = law.count;
  return number_text(density) + " stems per ha on " + number_text(std::round(share * (east - west) * (north - south))) +
         " m2, " + (area.resampled > 0 ? "others for each sample" : "the same for all samples");
}

/// Stems one by one.
std::string read_given(Reading& reading, const Node& table, const Node& file, ForestArea& area) {
  for (const char* key : {"polygon", "stems", "diameter", "resample"})
    if (const Node* node = table.find(key)) complain(*node, node->key + " cannot be given beside a file of stems");
  const CsvTable& stems = read_data(reading, file, read_csv);
  std::size_t columns[3];
  for (std::size_t c = 0; c < 3; ++c) {
    const std::string name = c == 0 ? "x" : c == 1 ? "y" : "dbh";
    const auto column = stems.column(name);
    if (!column)
      throw Error(Exit::input, stems.path + ": has no column " + name +
                                   "; it must have x, y and dbh, the diameter at breast height, in m");
    columns[c] = *column;
  }
  std::vector<double> points;
  std::vector<std::array<double, 3>> all;
  for (std::size_t row = 0; row < stems.rows.size(); ++row) {
    const std::array<double, 3> stem{stems.number(row, columns[0]), stems.number(row, columns[1]),
                                     stems.number(row, columns[2])};
    if (!in_range(stem[2], stem_diameter))
      throw Error(Exit::input,
                  stems.where(row) + ": dbh = " + number_text(stem[2]) + ", must be " + stem_diameter.text + " (m)");
    all.push_back(stem);
    points.insert(points.end(), {stem[0], stem[1]});
    area.largest = std::max(area.largest, stem[2]);
  }
  set_grid(reading, area, points, most_cells_with_stems, file);
  area.given = 1;
  const auto cell_of = [&](const std::array<double, 3>& stem) {
    const double column = forest_cell_of(stem[0], area.x0, area.columns);
    const double row = forest_cell_of(stem[1], area.y0, area.rows);
    return static_cast<std::size_t>(row * area.columns + column);
  };
  std::ranges::stable_sort(all, {}, cell_of);
  std::vector<double> starts(static_cast<std::size_t>(area.columns * area.rows) + 1), numbers;
  for (const auto& stem : all) {
    starts[cell_of(stem) + 1] += 1;
    numbers.insert(numbers.end(), stem.begin(), stem.end());
  }
  for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
  area.starts = add_table(reading, starts);
  area.stems = add_table(reading, numbers);
  return counted(all.size(), "stem", "stems") + " of " + file.text;
}

}  // namespace

void read_forest(Reading& reading) {
  if (reading.description.map_quantities.empty()) return refuse_watching(reading, "forest");
  std::vector<double> areas;
  std::set<std::string> names;
  double number = 0;
  for (const Node& table : tables_of(reading, "forest")) {
    ForestArea area{};
    area.number = number++;
    if (number > most_forest_areas)
      complain(table, "more than " + number_text(most_forest_areas) + " areas of forest are not possible");
    const Node* name = read_table(table).find("name");
    if (const Node* drag = table.find("drag"))
      complain(*drag, drag->key +
                          ": the drag of a forest is of the ground: give the area in [[terrain.ground.area]] a "
                          "class, and [ground.CLASS] its layer_drag and layer_height");
    const Node* file = table.find("file");
    ForestStand stand;
    if (name && !names.insert(read_text(*name)).second)
      complain(*name, "two forests have the name \"" + name->text + "\"");
    if (name) stand.text = read_text(*name) + ": ";
    stand.text += file ? read_given(reading, table, *file, area) : read_drawn(reading, table, area, stand.corners);
    stand.resampled = area.resampled > 0;
    read_rule(reading, table, area);
    const Node* on = table.find("on");
    if (on && !read_flag(*on)) continue;
    const double* numbers = reinterpret_cast<const double*>(&area);
    areas.insert(areas.end(), numbers, numbers + sizeof area / sizeof(double));
    reading.run.forest.push_back(std::move(stand));
  }
  if (areas.empty()) return;
  reading.run.spec.world.forest.first = add_table(reading, areas);
  reading.run.spec.world.forest.areas = static_cast<double>(reading.run.forest.size());
}

}  // namespace scree
