// [[gate]]: lines that paths are watched at; [[barrier]]: those that hold up what comes against them.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "reading.hpp"
#include "src/shapes/shape.hpp"

namespace scree {
namespace {

struct Place {
  double x, y;
};
Place point(const std::vector<double>& line, std::size_t i) { return {line[2 * i], line[2 * i + 1]}; }
std::string text_of(const Place& p) { return "[" + number_text(p.x) + ", " + number_text(p.y) + "]"; }

/// Twice the area of the triangle a, b, c: its sign is the side of a to b that c is on.
double side(const Place& a, const Place& b, const Place& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}
bool cross(const Place& a, const Place& b, const Place& c, const Place& d) {
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}
bool operator==(const Place& a, const Place& b) { return a.x == b.x && a.y == b.y; }
/// Whether c lies on the segment a to b.
bool is_on(const Place& a, const Place& b, const Place& c) {
  return side(a, b, c) == 0 && (c.x - a.x) * (c.x - b.x) + (c.y - a.y) * (c.y - b.y) <= 0;
}
/// Whether two segments that are no neighbours have a point in common but for the one in which a line closes, a = d.
bool touch(const Place& a, const Place& b, const Place& c, const Place& d) {
  const bool closes = a == d;
  return is_on(a, b, c) || (!closes && is_on(a, b, d)) || (!closes && is_on(c, d, a)) || is_on(c, d, b);
}

/// Whether a segment comes into a rectangle.
bool comes_into(const Rectangle& area, const Place& a, const Place& b) {
  // The part of it within the area's west and east, and within its south and north.
  double from = 0, to = 1;
  for (const auto& [begin, change, low, high] :
       {std::array{a.x, b.x - a.x, area.west, area.east}, std::array{a.y, b.y - a.y, area.south, area.north}}) {
    if (change == 0 && (begin < low || begin > high)) return false;
    if (change == 0) continue;
    const double enters = (low - begin) / change, leaves = (high - begin) / change;
    from = std::max(from, std::min(enters, leaves));
    to = std::min(to, std::max(enters, leaves));
  }
  return from <= to;
}

/// Whether the way from b to c leads back towards a.
bool back(const Place& a, const Place& b, const Place& c) {
  return (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y) < 0;
}

/// The south and the north of the maps, or of the terrain.
std::vector<double> line_at(const Reading& reading, const Node& node) {
  const double x = read_number(node, any_value, "m");
  const World& world = reading.run.spec.world;
  if (const GridHeights* heights = heights_of(world.terrain)) {
    const Rectangle area = area_of(*heights);
    return {x, area.south, x, area.north};
  }
  if (world.maps.columns > 0) return {x, world.maps.south, x, world.maps.edge_y(world.maps.rows)};
  const std::string table = node.key.substr(0, node.key.rfind('.'));
  complain(node, node.key + " needs maps.extent, which says how far the line goes; or give " + table + ".line");
}

std::vector<double> read_line(Reading& reading, const Node& table) {
  const Node *line = table.find("line"), *x = table.find("x"), *file = table.find("file");
  if ((line != nullptr) + (x != nullptr) + (file != nullptr) != 1)
    complain(table, table.key + " must have one of line = [[x, y], ...], x (m) and file (GeoJSON or CSV)");
  if (x) return line_at(reading, *x);
  if (line) return read_points(*line, 2, 2, "m");
  return read_line_of(reading, *file);
}

void check_line(Reading& reading, const Node& node, const Gate& gate, const std::string& kind) {
  const std::size_t points = gate.line.size() / 2;
  const std::string start = kind + " \"" + gate.name + "\"";
  if (points < 2) complain(node, start + " has " + std::to_string(points) + " points, must have 2 or more");
  for (std::size_t i = 0; i + 1 < points; ++i) {
    const Place a = point(gate.line, i), b = point(gate.line, i + 1);
    if (i > 0 && side(point(gate.line, i - 1), a, b) == 0 && back(point(gate.line, i - 1), a, b))
      complain(node, start + " folds back at the point " + text_of(a));
    if (a.x == b.x && a.y == b.y) complain(node, start + " has the point " + text_of(a) + " twice in a row");
    for (std::size_t j = 0; j + 1 < i; ++j) {
      const Place c = point(gate.line, j), d = point(gate.line, j + 1);
      const bool crosses = cross(a, b, c, d);
      if (crosses || touch(c, d, a, b))
        complain(node, start + (crosses ? " crosses" : " touches") + " itself: segment " + std::to_string(j + 1) +
                           " and segment " + std::to_string(i + 1));
    }
  }
  const GridHeights* heights = heights_of(reading.run.spec.world.terrain);
  if (!heights) return;
  // A rounding at the rim, where a line of gate.x ends, is not outside.
  const Rectangle area = area_of(*heights, 1e-9 * heights->cell.value);
  std::size_t outside = points;  // the first that is
  bool comes = false;
  for (std::size_t i = 0; i < points; ++i) {
    const Place p = point(gate.line, i);
    if (outside == points && !comes_into(area, p, p)) outside = i;
    comes = comes || comes_into(area, p, point(gate.line, std::min(i + 1, points - 1)));
  }
  if (outside == points) return;
  const std::string text = start + " has the point " + text_of(point(gate.line, outside)) +
                           " outside of the terrain, " + reading.terrain_extent;
  if (!comes) complain(node, text);
  reading.run.warnings.push_back(node.where + ": " + text);
}

/// Whether a start of a sample, which counts among its doubles from `place` on, may have this value, of those that laws
/// choose from.
bool may_be(const Run& run, std::size_t place, double value) {
  bool varies = false;
  for (const Variation& law : run.spec.variations) {
    if (static_cast<std::size_t>(law.target) != place) continue;
    varies = true;
    if (law.law != Law::choice && law.law != Law::weighted_choice && law.law != Law::table) return true;
    const std::size_t count = static_cast<std::size_t>(law.count);
    const double* values = run.spec.tables.data() + static_cast<std::size_t>(law.offset);
    const double* shares = values + count;  // each with those before it
    for (std::size_t i = 0; i < count; ++i) {
      const bool never = law.law == Law::weighted_choice && !(shares[i] > (i == 0 ? 0.0 : shares[i - 1]));
      if (values[i] == value && !never) return true;
    }
  }
  return !varies && run.spec.start[place - run.model->description.param_doubles] == value;
}

/// The heaviest of the rocks and the largest one, for a fence whose config does not give the block: a law of their size
/// has none.
void take_largest_rock(const Reading& reading, const Node& table, GateDesign& design) {
  const auto place_of = [&](const char* name) { return static_cast<std::size_t>(find_start(reading, name)->offset); };
  const auto fixed = [&](const char* name) { return reading.run.spec.start[place_of(name)]; };
  const auto source_of = [&](const char* name) -> const Source& {
    return reading.sources[reading.description.param_doubles + place_of(name)];
  };
  const auto refuse_varied = [&](const char* key, const char* what, std::initializer_list<const char*> starts) {
    for (const char* start : starts)
      if (const Node* law = source_of(start).varied)
        complain(table.need("design", ""), table.key + "." + key + " is missing: " + law->where + " draws start." +
                                               start + ", and a fence is designed for one block, whose " + what +
                                               " must be given");
  };
  const bool mass = !table.find("block_mass"), radius = !table.find("block_radius");
  if (mass && source_of("mass").varied) refuse_varied("block_mass", "mass (kg)", {"mass"});
  if (mass && !(fixed("mass") > 0)) refuse_varied("block_mass", "mass (kg)", {"volume", "scale"});
  if (radius) refuse_varied("block_radius", "radius (m)", {"volume", "scale"});
  const double* tables = reading.run.spec.tables.data();
  const double shapes = reading.run.spec.world.shapes;
  for (double i = 0; i < static_cast<double>(reading.run.shapes.size()); ++i) {
    if (!may_be(reading.run, reading.description.param_doubles + place_of("shape"), i)) continue;
    for (double k = 0; k < variants_of_shape(tables, shapes, i); ++k) {
      const double* shape = table_row(tables, shape_variant(tables, shapes, i, k));
      const double factor = shape_factor(shape[ShapeLayout::volume], fixed("scale"), fixed("volume"));
      const double own = shape[ShapeLayout::mass] * factor * factor * factor;
      if (mass) design.mass = std::max(design.mass, fixed("mass") > 0 ? fixed("mass") : own);
      if (radius) design.radius = std::max(design.radius, factor * shape[ShapeLayout::radius]);
    }
  }
}

GateDesign read_design(const Reading& reading, const Node& table) {
  GateDesign design;
  const Node* node = table.find("design");
  const std::pair<const char*, double GateDesign::*> factors[] = {
      {"g_dp", &GateDesign::g_dp},       {"g_vol", &GateDesign::g_vol},
      {"g_tr", &GateDesign::g_tr},       {"g_gamma", &GateDesign::g_gamma},
      {"g_r", &GateDesign::g_r},         {"g_e", &GateDesign::g_e},
      {"block_mass", &GateDesign::mass}, {"block_radius", &GateDesign::radius}};
  if (node) {
    read_choice(*node, {"uni11211"});
    if (!reading.description.uses_shapes)
      complain(*node, node->key + ": fences are designed for rocks, not for " + reading.description.system);
    design.on = true;
  }
  for (const auto& [name, factor] : factors)
    if (const Node* given = table.find(name)) {
      if (!node) complain(*given, given->key + " needs design = \"uni11211\"");
      design.*factor = read_number(*given, positive);
    }
  return design;
}

/// A gate without its design, or the line of a barrier.
Gate read_gate(Reading& reading, const Node& table, const std::string& kind) {
  const Run& run = reading.run;
  const Node& name = read_table(table).need("name", "what the " + kind + " is called");
  Gate gate{read_text(name), {}, {}};
  // It names a group of a result.
  if (gate.name.empty() || gate.name == "." || gate.name.find('/') != std::string::npos)
    refuse(name, "a name that is not empty, without /, and not \".\"");
  const bool of_gate = std::ranges::find(run.gates, gate.name, &Gate::name) != run.gates.end();
  const auto barrier_name = [](const BarrierGate& other) -> const std::string& { return other.gate.name; };
  const bool of_barrier = std::ranges::find(run.barriers, gate.name, barrier_name) != run.barriers.end();
  if (of_gate || of_barrier)
    complain(name, (of_gate != (kind == "gate") ? "a gate and a barrier" : "two " + kind + "s") + " have the name \"" +
                       gate.name + "\"");
  gate.line = read_line(reading, table);
  check_line(reading, table, gate, kind);
  return gate;
}

Barrier read_barrier(Reading& reading, const Node& table) {
  Barrier barrier{0, std::numeric_limits<double>::infinity(), 0, std::numeric_limits<double>::quiet_NaN()};
  barrier.height = read_number(table.need("height", "how high the barrier is (m)"), positive, "m");
  if (const Node* capacity = table.find("capacity"); capacity && capacity->number != barrier.capacity)
    barrier.capacity = read_number(*capacity, non_negative, reading.description.energy_unit());
  // The least that nets are certified for is 100 kJ.
  if (constexpr double little = 1e4;
      reading.description.energy_unit() == "J" && barrier.capacity > 0 && barrier.capacity < little)
    reading.run.warnings.push_back(table.need("capacity", "").where + ": barrier.capacity = " +
                                   number_text(barrier.capacity) + " is less than 10 kJ; numbers are in J");
  if (const Node* margin = table.find("margin")) barrier.margin = read_number(*margin, any_value, "m");
  if (const Node* base = table.find("base")) {
    const bool is_number = base->kind == Node::Kind::whole || base->kind == Node::Kind::number;
    if (is_number)
      barrier.base = read_number(*base, any_value, "m");
    else if (base->kind != Node::Kind::text || read_text(*base) != "ground")
      refuse(*base, "\"ground\" or a z (m)");
  }
  return barrier;
}

void add_segments(const std::vector<double>& line, std::size_t number, std::vector<double>& segments) {
  double before = 0;
  for (std::size_t i = 0; 2 * i + 3 < line.size(); ++i) {
    const Place a = point(line, i), b = point(line, i + 1);
    segments.insert(segments.end(),
                    {a.x, a.y, b.x, b.y, before, static_cast<double>(number), 2 * i + 5 > line.size() ? 1.0 : 0.0});
    before += std::sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
  }
}

}  // namespace

void settle_designs(Reading& reading) {
  if (reading.run.gates.empty()) return;
  const std::span<const Node> tables = tables_of(reading, "gate");
  for (std::size_t i = 0; i < reading.run.gates.size(); ++i)
    if (GateDesign& design = reading.run.gates[i].design; design.on) take_largest_rock(reading, tables[i], design);
}

std::span<const Node> tables_of(const Reading& reading, std::string_view key) {
  const Node* node = reading.root.find(key);
  if (!node) return {};
  return node->kind == Node::Kind::table ? std::span(node, 1) : std::span<const Node>(read_array(*node));
}

void read_gates(Reading& reading) {
  if (reading.description.map_quantities.empty()) {
    refuse_watching(reading, "gate");
    refuse_watching(reading, "barrier");
    return;
  }
  Run& run = reading.run;
  std::vector<double> segments, barriers;
  for (const Node& table : tables_of(reading, "gate")) {
    Gate gate = read_gate(reading, table, "gate");
    gate.design = read_design(reading, table);
    add_segments(gate.line, run.gates.size(), segments);
    run.gates.push_back(std::move(gate));
  }
  for (const Node& table : tables_of(reading, "barrier")) {
    BarrierGate given{read_gate(reading, table, "barrier"), read_barrier(reading, table)};
    if (const Node* on = table.find("on"); on && !read_flag(*on)) continue;
    if (run.barriers.size() == most_barriers)
      complain(table, "more than " + std::to_string(most_barriers) + " barriers are not possible");
    add_segments(given.gate.line, run.gates.size() + run.barriers.size(), segments);
    const Barrier& b = given.barrier;
    barriers.insert(barriers.end(), {b.height, b.capacity, b.margin, b.base});
    run.barriers.push_back(std::move(given));
  }
  World& world = run.spec.world;
  if (!run.maps.on) world.maps = {};  // which may have said where a line ends
  if (segments.empty()) return;
  world.lines.first = add_table(reading, segments);
  world.lines.segments = static_cast<double>(segments.size() * sizeof(double) / sizeof(LineSegment));
  if (barriers.empty()) return;
  run.maps.caught = true;
  world.barriers.first = add_table(reading, barriers);
  world.barriers.count = static_cast<double>(run.barriers.size());
  world.barriers.first_line = static_cast<double>(run.gates.size());
}

}  // namespace scree
