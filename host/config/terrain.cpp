// [terrain] and [[shape]]: what the bodies roll on, and the bodies.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/inputs/shape_file.hpp"
#include "host/inputs/spline.hpp"
#include "host/inputs/terrain_file.hpp"
#include "reading.hpp"
#include "src/terrain/surface.hpp"

namespace scree {
namespace {

constexpr Range plane_slope{0, 90, false, true, ">= 0 and < 90"};
constexpr Range ramp_slope{0, 90, true, true, "> 0 and < 90"};

/// The slope's half-space through (0, 0, height) with +x as its fall line. sin and cos are the program's own, so that
/// the same config gives the same bits under every C library.
HalfSpace slope_plane(double degrees, double height) {
  const SinCos<double> a = sincos(degrees * (3.14159265358979323846 / 180.0));
  return {{a.sin, 0, a.cos}, {a.cos, 0, -a.sin}, {0, 1, 0}, a.cos * height};
}

void read_plane(Reading& reading, const Node& node) {
  const double slope = read_number(node.need("slope", "an angle"), plane_slope, "degrees");
  const Node* height = node.find("height");
  Terrain& terrain = reading.run.spec.world.terrain;
  terrain.kind = TerrainKind::plane;
  terrain.slope = slope_plane(slope, height ? read_number(*height, any_value, "m") : 0.0);
  const Vec3<double>& normal = terrain.slope.normal;
  terrain.quadric = {0, 0, 0, -normal.x / normal.z, 0, terrain.slope.offset / normal.z};
  reading.run.terrain_name = "plane of " + number_text(slope) + " degrees";
}

void read_ramp(Reading& reading, const Node& node) {
  const double slope = read_number(node.need("slope", "an angle"), ramp_slope, "degrees");
  const double height = read_number(node.need("height", "a height"), positive, "m");
  Terrain& terrain = reading.run.spec.world.terrain;
  terrain.kind = TerrainKind::ramp;
  terrain.slope = slope_plane(slope, height);
  terrain.flat = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, 0};
  terrain.foot = height * terrain.slope.normal.z / terrain.slope.normal.x;
  reading.run.terrain_name = "ramp of " + number_text(slope) + " degrees, " + number_text(height) + " m high";
}

void read_grid(Reading& reading, const Node& node) {
  const Node& file = node.need("file", "an ESRI ASCII grid (.asc)");
  const Grid& grid = read_data(reading, file, read_ascii_grid);
  const bool smooth = reading.description.ground == Ground::smooth;
  Terrain& terrain = reading.run.spec.world.terrain;
  terrain = grid_terrain(grid, reading.run.spec.tables);
  if (smooth) {
    terrain.kind = TerrainKind::spline;
    terrain.coefficients = add_table(
        reading, once(reading, data_file(reading, file), [&] { return spline_coefficients(grid); }));
  }
  const double cells = static_cast<double>(grid.columns) * grid.rows;
  const double percent = std::round(1000.0 * static_cast<double>(grid.nodata) / cells) / 10;
  reading.run.terrain_name = file.text + ", " + std::to_string(grid.columns) + " x " + std::to_string(grid.rows) +
                             " cells of " + number_text(grid.cell) + " m" +
                             (grid.nodata > 0 ? ", " + number_text(percent) + " % NODATA" : "") +
                             (smooth ? ", bicubic spline" : "");
}

void read_quadric(Reading& reading, const Node& node) {
  Terrain& terrain = reading.run.spec.world.terrain;
  Quadric& q = terrain.quadric;
  const struct {
    const char *name, *unit, *of;
    double* value;
  } terms[] = {{"a", "1/m", "x^2", &q.a}, {"b", "1/m", "y^2", &q.b}, {"c", "1/m", "x y", &q.c},
               {"d", "1", "x", &q.d},     {"e", "1", "y", &q.e},     {"f", "m", "", &q.f}};
  terrain.kind = TerrainKind::quadric;
  std::string formula;
  for (const auto& term : terms) {
    const Node* given = node.find(term.name);
    if (!given) continue;
    *term.value = read_number(*given, any_value, term.unit);
    const bool minus = std::signbit(*term.value);
    formula += formula.empty() ? (minus ? "-" : "") : (minus ? " - " : " + ");
    formula += number_text(std::abs(*term.value)) + (*term.of ? " " : "") + term.of;
  }
  if (formula.empty())
    complain(node, "terrain has no coefficient of z = a x^2 + b y^2 + c x y + d x + e y + f, give at least one");
  reading.run.terrain_name = "quadric z = " + formula + " (m)";
}

void read_sphere(Reading& reading, const Node& node) {
  const double radius = read_number(node.need("radius", "a radius > 0 (m)"), positive, "m");
  Terrain& terrain = reading.run.spec.world.terrain;
  const std::string& kind = node.find("kind")->text;
  terrain.kind = kind == "bowl" ? TerrainKind::bowl : TerrainKind::dome;
  terrain.radius = radius;
  reading.run.terrain_name = kind + " of radius " + number_text(radius) + " m";
}

void read_cosine(Reading& reading, const Node& node) {
  Terrain& terrain = reading.run.spec.world.terrain;
  terrain.kind = TerrainKind::cosine;
  terrain.amplitude = read_number(node.need("amplitude", "half the height from trough to crest (m)"), any_value, "m");
  reading.run.terrain_name = "cosine hills of amplitude " + number_text(terrain.amplitude) + " m";
  const auto wave_number = [&](const char* name, const char* axis) {
    const Node* given = node.find(name);
    if (!given) return 0.0;
    const double length = read_number(*given, positive, "m");
    reading.run.terrain_name += ", wavelength " + number_text(length) + " m along " + axis;
    return 6.28318530717958647692 / length;
  };
  terrain.wave_x = wave_number("wavelength_x", "x");
  terrain.wave_y = wave_number("wavelength_y", "y");
  if (terrain.wave_x == 0 && terrain.wave_y == 0)
    complain(node, "terrain has no wavelength, give wavelength_x, wavelength_y (m) or both");
}

template <class Numbers>
std::array<double, 3> three(const Numbers& numbers, std::size_t first = 0) {
  return {numbers[first], numbers[first + 1], numbers[first + 2]};
}

const std::vector<std::string> shape_kinds = {"cuboid", "ellipsoid", "eota", "octahedron", "file", "points"};

ShapeSpec read_spec(Reading& reading, const Node& node, std::size_t number) {
  ShapeSpec spec;
  const Node* name = node.find("name");
  spec.name = name ? read_text(*name) : std::to_string(number);
  spec.kind = shape_kinds[read_choice(node.need("kind", "one of " + joined(shape_kinds)), shape_kinds)];
  if (spec.kind == "file") {
    spec.file = data_file(reading, node.need("file", "an OBJ or .pts file"));
  } else if (spec.kind == "points") {
    const std::vector<double> p = read_points(node.need("points", "a list of points"), 3, 4, "m");
    for (std::size_t i = 0; i < p.size(); i += 3) spec.points.push_back(three(p, i));
  } else {
    spec.size = three(read_numbers(node.need("size", "[x, y, z] (m)"), 3, positive, "m"));
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

void read_shape(Reading& reading, const Node& node, std::size_t number) {
  ShapeSpec spec = read_spec(reading, read_table(node), number);
  if (find_shape(reading.run, spec.name) >= 0) complain(node, "two shapes have the name \"" + spec.name + "\"");
  Shape shape;
  try {
    if (spec.kind == "file") spec.points = once(reading, spec.file, [&] { return read_shape_points(spec); });
    shape = make_shape(spec);
  } catch (const Error& error) {
    if (spec.kind == "file") throw;  // names the file and its line already
    complain(node, error.what());
  }
  append(shape, reading.run.spec.tables);
  reading.run.shape_names.push_back(spec.name);
  if (!shape.note.empty()) reading.run.warnings.push_back(node.where + ": " + shape.note);
}

struct TerrainReader {
  const char* name;
  bool rough, smooth;  // suits bodies that collide with the ground; suits what slides
  void (*read)(Reading&, const Node&);
};
constexpr TerrainReader kinds[] = {{"plane", true, true, read_plane},      {"ramp", true, false, read_ramp},
                                   {"quadric", false, true, read_quadric}, {"bowl", false, true, read_sphere},
                                   {"dome", false, true, read_sphere},     {"cosine", false, true, read_cosine},
                                   {"grid", true, true, read_grid}};

}  // namespace

void read_terrain(Reading& reading) {
  const Ground ground = reading.description.ground;
  if (ground == Ground::none) return;
  std::vector<std::string> all, fitting;
  for (const TerrainReader& kind : kinds) {
    all.emplace_back(kind.name);
    if (ground == Ground::rough ? kind.rough : kind.smooth) fitting.emplace_back(kind.name);
  }
  const std::string allowed = joined(fitting);
  const Node& node = read_table(reading.root.need("terrain", "a table with kind = one of " + allowed));
  const Node& kind = node.need("kind", "one of " + allowed);
  const std::string& name = read_text(kind);
  const auto known = std::find(all.begin(), all.end(), name);
  if (known != all.end() && std::find(fitting.begin(), fitting.end(), name) == fitting.end())
    complain(kind,
             "terrain.kind = \"" + name + "\" does not suit the system " + reading.description.system +
                 (ground == Ground::rough ? ", whose contacts need planes or a grid"
                                          : ", which slides on smooth surfaces (a ramp has an edge at its foot)") +
                 ": must be one of " + allowed);
  read_choice(kind, fitting);
  kinds[known - all.begin()].read(reading, node);
  if (const Node* note = node.find("note")) reading.run.terrain_note = read_text(*note);
}

void read_shapes(Reading& reading) {
  if (!reading.description.uses_shapes) return;
  const Node& node = reading.root.need("shape", "at least one [[shape]] with kind, size and mass");
  World& world = reading.run.spec.world;
  world.shapes = static_cast<double>(reading.run.spec.tables.size());
  if (node.kind == Node::Kind::array) {
    if (node.items.empty()) refuse(node, "at least one [[shape]]");
    for (std::size_t i = 0; i < node.items.size(); ++i) read_shape(reading, node.items[i], i + 1);
  } else {
    read_shape(reading, node, 1);
  }
  world.shape_count = static_cast<double>(reading.run.shape_names.size());
}

double ground_height(const Terrain& terrain, const double* tables, double x, double y) {
  constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
  switch (terrain.kind) {
    case TerrainKind::grid: {
      const GridPoint<double> point = grid_point(terrain, tables, x, y);
      return point.data ? point.height : nowhere;
    }
    case TerrainKind::ramp:
      if (x > terrain.foot) return 0;
      [[fallthrough]];
    case TerrainKind::plane:
      return (terrain.slope.offset - terrain.slope.normal.x * x) / terrain.slope.normal.z;
    default: {
      const SurfacePoint<double> point = surface_point(terrain, tables, x, y);
      return point.data ? point.z : nowhere;
    }
  }
}

}  // namespace scree
