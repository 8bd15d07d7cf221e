// [terrain] and [[shape]]: what the bodies roll on, and the bodies.
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "host/inputs/shape_file.hpp"
#include "host/inputs/spline.hpp"
#include "host/inputs/terrain_file.hpp"
#include "host/model/terrain_description.hpp"
#include "reading.hpp"

namespace scree {
namespace {

/// The texts of a label or an extent, with the values of the keys in it.
class Filled {
 public:
  void give(const std::string& key, const std::string& value) { given_.emplace_back(key, value); }

  std::string text(const std::string& pattern) const {
    std::string text;
    bool first = true;
    for (std::size_t i = 0; i < pattern.size();) {
      const char open = pattern[i];
      if (open != '[' && open != '{') {
        text += pattern[i++];
        continue;
      }
      const std::size_t end = pattern.find(open == '[' ? ']' : '}', i);
      const std::string inner = pattern.substr(i + 1, end - i - 1);
      i = end + 1;
      if (open == '[') {
        if (all_given(inner)) text += this->text(inner);
      } else if (inner[0] == '+') {
        text += term(inner.substr(1), first);
      } else {
        text += *value(inner);
      }
    }
    return text;
  }

 private:
  const std::string* value(const std::string& key) const {
    for (const auto& [name, text] : given_)
      if (name == key) return &text;
    return nullptr;
  }
  bool all_given(const std::string& pattern) const {
    for (std::size_t i = pattern.find('{'); i != std::string::npos; i = pattern.find('{', i + 1))
      if (!value(pattern.substr(i + 1, pattern.find('}', i) - i - 1))) return false;
    return true;
  }
  /// " + 3 x y" of "c x y", without the plus at the beginning of the sum.
  std::string term(const std::string& inner, bool& first) const {
    const std::size_t space = std::min(inner.find(' '), inner.size());
    const std::string* number = value(inner.substr(0, space));
    if (!number) return "";
    const bool minus = number->front() == '-';
    const std::string sign = first ? (minus ? "-" : "") : (minus ? " - " : " + ");
    first = false;
    return sign + number->substr(minus ? 1 : 0) + inner.substr(space);
  }

  std::vector<std::pair<std::string, std::string>> given_;
};

/// What a message says of a key that is missing.
std::string wanted(const TerrainKey& key) {
  if (key.gives == TerrainKey::Gives::heights) return key.meaning;
  const bool bounded = key.range.low > -unbounded || key.range.high < unbounded;
  return key.meaning + (bounded ? std::string(" ") + key.range.text : "") + unit_text(key.unit);
}

/// The heights of a terrain's file as its table in the config wants them: raised to the floor, without what a mask
/// hides.
struct Heights {
  const Grid* grid;
  std::shared_ptr<const Grid> changed;  // what `grid` points to, if that is not the file's
  std::string label, key;               // key: of what depends on these heights
};

void read_crs(Reading& reading, const Node& terrain, const Grid& grid) {
  Crs crs = grid.crs;
  if (const Node* given = terrain.find("crs")) {
    crs = crs_of(read_text(*given), given->where + ": " + given->key);
    if (grid.crs.known() && !are_same(grid.crs, crs))
      reading.run.warnings.push_back(given->where + ": " + given->key + " = " + value_text(*given) +
                                     ", the file says " + grid.crs.name);
  }
  // Zones of Transverse Mercator keep within a thousandth; 1 % is more than most ensembles tell.
  constexpr double most = 0.01;
  const double x = grid.x0 + 0.5 * (grid.columns - 1) * grid.cell, y = grid.y0 + 0.5 * (grid.rows - 1) * grid.cell;
  const double scale = !crs.known() ? 1
                                    : once(reading, "scale at " + number_text(x) + " " + number_text(y) + " " + crs.wkt,
                                           [&] { return scale_at(crs, x, y); });
  if (std::abs(scale - 1) > most)
    reading.run.warnings.push_back(terrain.where + ": in " + crs.name + " lengths are " + short_number(scale) +
                                   " times those on the ground here, which slopes and run-outs do not know; reproject "
                                   "the terrain");
  if (const std::string why = why_unchecked(crs); !why.empty())
    reading.run.warnings.push_back(terrain.where + ": " + why);
  reading.run.crs = crs.name;
  reading.run.crs_wkt = crs.wkt;
  reading.crs = std::move(crs);
}

/// `tables`: how many there are of numbers of these heights, and of what is made of them, at once.
Heights read_heights(Reading& reading, const Node& node, const Node& file, int tables) {
  const Node *floor = node.find("floor"), *mask = node.find("mask");
  GridPart part;
  part.copies = 1 + tables + (floor || mask ? 1 : 0);
  const std::string path = data_file(reading, file);
  Heights heights{nullptr, nullptr, "", path};
  std::string what;
  const Node *extent = node.find("extent"), *cell = node.find("cell");
  if (extent) {
    part.extent = read_rectangle(*extent);
    heights.key += " extent " + text_of(*part.extent);
    what += ", the part " + text_of(*part.extent);
  }
  if (cell) {
    part.cell = read_number(*cell, positive, "m");
    heights.key += " cell " + number_text(part.cell);
    what += ", averaged";
  }
  try {
    heights.grid = &once(reading, heights.key, [&] { return read_part(path, part); });
  } catch (const Error& error) {
    if (error.code != Exit::usage) throw;
    const bool is_cell = std::string_view(error.what()).starts_with("terrain.cell");
    throw Error(Exit::usage, (is_cell ? cell : extent)->where + ": " + error.what());
  }
  if (extent) {
    const Grid& grid = *heights.grid;
    const Rectangle asked = *part.extent, there = area_of(grid);
    // The outermost heights lie half a cell within the edges of a raster.
    const double rim = 0.5 * grid.cell * (1 + 1e-9);
    if (asked.west < there.west - rim || asked.south < there.south - rim || asked.east > there.east + rim ||
        asked.north > there.north + rim)
      reading.run.warnings.push_back(extent->where + ": " + extent->key + " reaches beyond the heights of " +
                                     file.text + ", " + extent_text(grid));
  }
  heights.label = file.text + what + ", " + grid_text(*heights.grid);
  read_crs(reading, node, *heights.grid);
  reading.run.grids.add(*heights.grid);
  if (!floor && !mask) return heights;
  Grid grid = *heights.grid;
  const std::string of_all = " of " + std::to_string(grid.heights.size() - grid.nodata) + " heights ";
  if (floor) {
    const double level = read_number(*floor, any_value, "m");
    const std::size_t raised = raise_to_floor(grid, level);
    heights.label += ", " + std::to_string(raised) + of_all + "raised to " + number_text(level) + " m";
    heights.key += " floor " + number_text(level);
    if (raised == grid.heights.size() - grid.nodata)
      reading.run.warnings.push_back(floor->where + ": " + floor->key + " is above all heights of " + file.text);
  }
  if (mask) {
    const Grid& shown = read_grid_of_codes(reading, *mask, 1);
    require_same_crs(reading, *mask, shown.crs);
    reading.run.grids.add(shown);
    const std::size_t left_out = leave_out(grid, shown);
    if (grid.nodata == grid.heights.size()) complain(*mask, mask->key + ": " + mask->text + " leaves no height");
    heights.label += ", " + std::to_string(left_out) + of_all + "left out by " + mask->text;
    heights.key += " mask " + data_file(reading, *mask);
  }
  heights.changed = std::make_shared<const Grid>(std::move(grid));
  heights.grid = heights.changed.get();
  return heights;
}

/// Reads the keys of a kind into the doubles of its Keys, and names the terrain.
std::vector<double> read_keys(Reading& reading, const Node& node, const TerrainDescription& kind) {
  std::vector<double> keys(kind.doubles);
  Filled filled;
  std::string extent = kind.extent;
  Heights heights{};
  bool some = false;
  // Of a spline the heights without gaps and two directions of coefficients, or the tables while they grow.
  const bool has_spline =
      std::ranges::any_of(kind.keys, [](const TerrainKey& key) { return key.gives == TerrainKey::Gives::spline; });
  for (const TerrainKey& key : kind.keys) {
    double* const value = &keys[static_cast<std::size_t>(key.offset)];
    if (key.gives == TerrainKey::Gives::heights) {
      heights = read_heights(reading, node, node.need(key.name, wanted(key)), has_spline ? 4 : 1);
      require_memory_of_table(reading, heights.grid->heights.size());
      const GridHeights place = grid_heights(*heights.grid, reading.run.spec.tables.own());
      std::memcpy(value, &place, sizeof place);
      filled.give(key.name, heights.label);
      extent = extent_text(*heights.grid);
    } else if (key.gives == TerrainKey::Gives::of_heights) {
      continue;  // read with the heights
    } else if (key.gives == TerrainKey::Gives::spline) {
      *value = add_table(reading, once(reading, heights.key, [&] { return spline_coefficients(*heights.grid); }));
    } else if (const Node* given = key.standard ? node.find(key.name) : &node.need(key.name, wanted(key))) {
      *value = read_number(*given, key.range, key.unit);
      filled.give(key.name, number_text(*value));
      some = some || key.standard;
    } else {
      *value = *key.standard;
    }
  }
  if (!kind.need_one.empty() && !some) complain(node, "terrain has " + kind.need_one);
  reading.run.terrain_name = filled.text(kind.label);
  reading.terrain_extent = filled.text(extent);
  return keys;
}

template <class Numbers>
std::array<double, 3> three(const Numbers& numbers, std::size_t first = 0) {
  return {numbers[first], numbers[first + 1], numbers[first + 2]};
}

const std::vector<std::string> shape_kinds = {"cuboid",    "ellipsoid", "eota",  "octahedron",
                                              "irregular", "file",      "points"};
/// The least that have a volume, the most that contacts can have.
constexpr Range irregular_corners{4, max_vertices, false, false, "a whole number from 4 to 48", true};
static_assert(max_vertices == 48);
/// In as many ways a rock looks random.
constexpr Range shape_variants{1, 1000, false, false, "a whole number from 1 to 1000", true};

ShapeSpec read_spec(Reading& reading, const Node& node, std::size_t number) {
  ShapeSpec spec;
  const Node* name = node.find("name");
  spec.name = name ? read_text(*name) : std::to_string(number);
  if (spec.name.empty()) refuse(*name, "a name");
  spec.kind = shape_kinds[read_choice(node.need("kind", "one of " + joined(shape_kinds)), shape_kinds)];
  // What the kinds take besides name, mass or density, and inertia.
  const auto belongs = [&](const char* key, std::initializer_list<const char*> kinds) {
    const Node* given = node.find(key);
    if (!given || std::find(kinds.begin(), kinds.end(), spec.kind) != kinds.end()) return;
    complain(*given, given->key + " belongs to kind = \"" + *kinds.begin() + "\", not to \"" + spec.kind + "\"");
  };
  belongs("file", {"file"});
  belongs("points", {"points"});
  belongs("scale", {"file", "points"});
  belongs("size", {"cuboid", "ellipsoid", "eota", "octahedron", "irregular"});
  belongs("corners", {"irregular"});
  belongs("seed", {"irregular"});
  belongs("variants", {"irregular"});
  if (spec.kind == "file") {
    spec.file = data_file(reading, node.need("file", "an OBJ or .pts file"));
  } else if (spec.kind == "points") {
    const std::vector<double> p = read_points(node.need("points", "a list of points"), 3, 4, "m");
    for (std::size_t i = 0; i < p.size(); i += 3) spec.points.push_back(three(p, i));
  } else {
    spec.size = three(read_numbers(node.need("size", "[x, y, z] (m)"), 3, positive, "m"));
  }
  if (spec.kind == "irregular") {
    if (const Node* corners = node.find("corners"))
      spec.corners = static_cast<int>(read_number(*corners, irregular_corners, ""));
    if (const Node* seed = node.find("seed")) spec.seed = static_cast<std::uint64_t>(read_whole(*seed, 0));
    if (const Node* variants = node.find("variants"))
      spec.variants = static_cast<int>(read_number(*variants, shape_variants, ""));
  }
  if (spec.kind == "file" || spec.kind == "points")
    if (const Node* scale = node.find("scale")) spec.scale = read_number(*scale, positive, "1");
  const Node *mass = node.find("mass"), *density = node.find("density");
  if (mass) spec.mass = read_number(*mass, positive, "kg");
  if (density) spec.density = read_number(*density, positive, "kg/m^3");
  if (mass && density) complain(*density, "shape " + spec.name + " has a mass and a density: keep one of the two");
  if (!mass && !density) node.need("mass", "a mass (kg), or shape.density a density (kg/m^3)");
  if (const Node* inertia = node.find("inertia")) spec.inertia = three(read_numbers(*inertia, 3, positive, "kg m^2"));
  return spec;
}

/// Rocks are as dense as pumice to ore, and fit on a slope: other numbers are often of other units.
void warn_of_units(Reading& reading, const Node& node, const std::string& name, const ShapeFacts& facts) {
  const double density = facts.mass / facts.volume;
  const auto warn = [&](const std::string& text) {
    reading.run.warnings.push_back(node.where + ": shape " + name + " " + text);
  };
  if (density < 200 || density > 20000)
    warn("has a density of " + short_number(density) + " kg/m^3, which no rock has; lengths are in m, masses in kg");
  if (facts.size > 100) warn("is " + short_number(facts.size) + " m across; lengths are in m");
  if (facts.size < 1e-3) warn("is " + short_number(facts.size) + " m across; lengths are in m");
}

ShapeFacts facts_of(const std::vector<Shape>& variants) {
  ShapeFacts facts{0, 0, 0, {}, static_cast<int>(variants.front().vertices.size()), static_cast<int>(variants.size())};
  const double share = 1 / static_cast<double>(variants.size());
  for (const Shape& shape : variants) {
    facts.mass += share * shape.mass;
    facts.volume += share * shape.volume;
    facts.size += share * (2 * shape.radius);
    for (std::size_t i = 0; i < 3; ++i) facts.moments[i] += share * (shape.mass * shape.inertia[i]);
  }
  return facts;
}

/// The variants of a shape.
std::vector<Shape> read_shape(Reading& reading, const Node& node, std::size_t number) {
  ShapeSpec spec = read_spec(reading, read_table(node), number);
  if (find_shape(reading.run, spec.name) >= 0) complain(node, "two shapes have the name \"" + spec.name + "\"");
  std::vector<Shape> shapes;
  try {
    if (spec.kind == "file") {
      const ShapePoints& read = once(reading, spec.file, [&] { return read_shape_points(spec); });
      spec.points = read.points;
      spec.mesh_volume = read.volume;
    }
    for (int k = 0; k < spec.variants; ++k, ++spec.seed) shapes.push_back(make_shape(spec));
  } catch (const Error& error) {
    if (spec.kind == "file") throw;  // names the file and its line already
    complain(node, error.what());
  }
  reading.run.shape_names.push_back(spec.name);
  reading.run.shapes.push_back(facts_of(shapes));
  warn_of_units(reading, node, spec.name, reading.run.shapes.back());
  for (const Shape& shape : shapes)
    if (!shape.note.empty()) reading.run.warnings.push_back(node.where + ": " + shape.note);
  return shapes;
}

/// The first variant of each shape, then the others.
void append_shapes(const std::vector<std::vector<Shape>>& shapes, std::vector<double>& tables) {
  const std::size_t first = tables.size();
  for (const std::vector<Shape>& variants : shapes) append(variants.front(), tables);
  std::size_t others = shapes.size();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    double* const row = tables.data() + first + i * ShapeLayout::size;
    row[ShapeLayout::variants] = static_cast<double>(shapes[i].size());
    row[ShapeLayout::others] = static_cast<double>(others);
    if (shapes[i].size() > 1) row[ShapeLayout::number] = 0;
    others += shapes[i].size() - 1;
  }
  for (const std::vector<Shape>& variants : shapes)
    for (std::size_t k = 1; k < variants.size(); ++k) {
      append(variants[k], tables);
      tables[tables.size() - ShapeLayout::size + ShapeLayout::number] = static_cast<double>(k);
    }
}

}  // namespace

void require_same_crs(const Reading& reading, const Node& file, const Crs& crs) {
  if (crs.known() && reading.crs.known() && !are_same(crs, reading.crs))
    throw Error(Exit::input, file.where + ": " + file.text + ": is in " + crs.name + ", the terrain in " +
                                 reading.crs.name + "; reproject it");
}

void read_terrain(Reading& reading) {
  const Ground ground = reading.description.ground;
  if (ground == Ground::none) return;
  const std::vector<TerrainKindOf<Terrain>> kinds = describe_kinds<Terrain>();
  std::vector<std::string> fitting;
  for (const TerrainDescription& kind : kinds)
    if (kind.suits(ground)) fitting.push_back(kind.name);
  const std::string allowed = joined(fitting);
  const Node& node = read_table(reading.root.need("terrain", "a table with kind = one of " + allowed));
  const Node& kind = node.need("kind", "one of " + allowed);
  const std::string& name = read_text(kind);
  const auto called = [&](const TerrainDescription& known) { return known.name == name; };
  if (std::any_of(kinds.begin(), kinds.end(), called) &&
      std::find(fitting.begin(), fitting.end(), name) == fitting.end())
    complain(kind,
             "terrain.kind = \"" + name + "\" does not suit the system " + reading.description.system +
                 (ground == Ground::rough ? ", whose contacts need planes" : ", which slides on a smooth surface") +
                 ": must be one of " + allowed);
  read_choice(kind, fitting);
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const TerrainDescription& known) {
    return called(known) && known.suits(ground);
  });
  reading.run.spec.world.terrain = found->make(read_keys(reading, node, *found).data(), ground == Ground::smooth);
  if (const Node* note = node.find("note")) reading.run.terrain_note = read_text(*note);
}

void read_shapes(Reading& reading) {
  if (!reading.description.uses_shapes) return;
  const Node& node = reading.root.need("shape", "at least one [[shape]] with kind, size and mass");
  World& world = reading.run.spec.world;
  world.shapes = static_cast<double>(reading.run.spec.tables.size());
  std::vector<std::vector<Shape>> shapes;
  if (node.kind == Node::Kind::array) {
    if (node.items.empty()) refuse(node, "at least one [[shape]]");
    for (std::size_t i = 0; i < node.items.size(); ++i) shapes.push_back(read_shape(reading, node.items[i], i + 1));
  } else {
    shapes.push_back(read_shape(reading, node, 1));
  }
  append_shapes(shapes, reading.run.spec.tables.own());
  world.shape_count = static_cast<double>(reading.run.shape_names.size());
}

}  // namespace scree
