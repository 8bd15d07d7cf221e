#include "init.hpp"

#include <algorithm>
#include <initializer_list>
#include <iostream>
#include <sstream>

#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "host/config/reading.hpp"
#include "host/config/tree.hpp"
#include "offer.hpp"

namespace scree {
namespace {

/// "degrees, > 0 and < 90"
std::string unit_and_range(const std::string& unit, const Range& range) {
  const std::string text = unit == "1" ? "dimensionless" : unit;
  return text + (range.low > -unbounded || range.high < unbounded ? std::string(", ") + range.text : "");
}

/// Widest line of a config, which `scree info` prints with two blanks before it.
constexpr std::size_t config_width = report_width - 2;

/// `key = value` and its comment, the comments of a block below each other and wrapped; above a line that leaves no
/// room.
class TomlBlock {
 public:
  using Line = std::pair<std::string, std::string>;
  TomlBlock() = default;
  TomlBlock(std::initializer_list<Line> lines) : lines_(lines) {}
  void add(const std::string& line, const std::string& comment) { lines_.emplace_back(line, comment); }
  void print(std::ostream& out) {
    const auto is_long = [](const std::string& line) { return line.size() > config_width - 38; };
    std::size_t width = 0;
    for (const auto& line : lines_)
      if (!is_long(line.first)) width = std::max(width, line.first.size());
    for (const auto& [line, comment] : lines_) {
      if (is_long(line) || comment.empty()) {
        if (!comment.empty())
          for (const std::string& words : wrapped(comment, 0, config_width - 2)) out << "# " << words << '\n';
        out << line << '\n';
        continue;
      }
      std::string before = line + std::string(width - line.size(), ' ');
      for (const std::string& words : wrapped(comment, 0, config_width - width - 4)) {
        out << before << "  # " << words << '\n';
        before = std::string(width, ' ');
      }
    }
    lines_.clear();
  }

 private:
  std::vector<Line> lines_;
};

std::string comment_of(const Quantity& q) {
  if (q.name == "shape") return "name of a [[shape]]";
  if (q.is_choice()) return allowed(q) + "; " + q.meaning;
  return unit_and_range(q.unit, q.range) + "; " + q.meaning +
         (q.most > 0 ? "; one for all bodies, or a list of each one's" : "");
}

/// Of each key the preset whose values are the defaults, where there is one.
std::vector<const Preset*> standard_presets(const Description& d) {
  std::vector<double> standard(d.param_doubles);
  for (const Quantity& q : d.params) std::copy(q.standard.begin(), q.standard.end(), standard.begin() + q.offset);
  std::vector<const Preset*> found;
  for (const Preset& preset : d.presets) {
    const bool is_standard = std::all_of(preset.values.begin(), preset.values.end(), [&](const auto& v) {
      return standard[static_cast<std::size_t>(v.first)] == v.second;
    });
    if (is_standard && std::none_of(found.begin(), found.end(), [&](const Preset* p) { return p->key == preset.key; }))
      found.push_back(&preset);
  }
  return found;
}

bool sets(const Preset& preset, const Quantity& q) {
  return std::any_of(preset.values.begin(), preset.values.end(), [&](const auto& v) { return v.first == q.offset; });
}
bool sets(const std::vector<const Preset*>& presets, const Quantity& q) {
  return std::any_of(presets.begin(), presets.end(), [&](const Preset* preset) { return sets(*preset, q); });
}

/// A parameter that is worth an example of a law: not 0, rather of the presets or dimensionless than of nature.
const Quantity* example_param(const Description& d) {
  const auto find = [&](auto suits) -> const Quantity* {
    const auto found = std::find_if(d.params.begin(), d.params.end(), [&](const Quantity& q) {
      return q.width == 1 && q.standard[0] != 0 && !d.is_count(q) && !q.is_choice() && suits(q);
    });
    return found == d.params.end() ? nullptr : &*found;
  };
  if (!d.presets.empty())
    if (const Quantity* q = find([&](const Quantity& p) { return sets(d.presets.front(), p); })) return q;
  const auto of_a_preset = [&](const Quantity& q) {
    return std::any_of(d.presets.begin(), d.presets.end(), [&](const Preset& preset) { return sets(preset, q); });
  };
  if (const Quantity* q = find([&](const Quantity& p) { return p.unit == "1" && !of_a_preset(p); })) return q;
  return find([&](const Quantity& q) { return !of_a_preset(q); });
}

void init_top(std::ostream& out, const Description& d) {
  const std::vector<std::string> schemes = d.scheme_names();
  out << "# " << d.meaning
      << "\n# Every key with its default. Units are SI; angles are in radians, slopes and angles of reach in degrees.\n\n";
  TomlBlock block{{"system = \"" + d.system + "\"", "`scree list` shows all"},
                  {"scheme = \"" + (d.first_scheme.empty() ? schemes.front() : d.first_scheme) + "\"",
                   "or a list of several for `scree compare`: " + joined(schemes)},
                  {"samples = 1000", "how many"},
                  {"seed = 1", "another seed, another ensemble"},
                  {"sampling = \"random\"", "or \"sobol\": scrambled low-discrepancy points"},
                  {"# replicates = 16", "of \"sobol\", independent of each other, 2 to 1024: they give the error bars"},
                  {"step = " + toml_number(d.first_step), "s"},
                  {"end = " + toml_number(d.first_end),
                   std::string(d.adapts >= 0 ? "s" : "s, a multiple of the step") +
                       (d.column("runout") < 0 ? "" : "; samples that still move then have no run-out")},
                  {"strict = false", "true: a sample that diverged or did not converge fails the run"},
                  {"title = \"\"", "of the report"}};
  if (d.uses_shapes) block.add("# group_by = \"shape\"", "statistics of each shape too");
  const std::vector<int> shown = d.headline_columns();
  block.add("# columns = [\"" + d.columns[static_cast<std::size_t>(shown.front())].name + "\"]",
            "of the tables and the verdict on the screen, instead of the system's " + std::to_string(shown.size()));
  block.print(out);
}

/// What varies below must not be fixed here.
bool varies(const Description& d, const std::string& table, const Quantity& q) {
  return std::any_of(d.first_laws.begin(), d.first_laws.end(),
                     [&](const auto& law) { return law.first == table + "." + q.name; });
}

void init_params(std::ostream& out, const Description& d) {
  TomlBlock block;
  out << "\n[" << d.system << "]\n";
  const std::vector<const Preset*> presets = standard_presets(d);
  for (const Preset* preset : presets) {
    out << "# " << preset->key
        << " gives the values that are commented out below; uncomment one to replace it. It is one of\n";
    for (const PresetNote& same : by_note(presets_of(d, preset->key))) {
      std::vector<std::string> names;
      for (const Preset* one : same.presets) names.push_back(one->name);
      out << "# " << joined(names) << (same.note.empty() ? "" : "\n#   (" + same.note + ")") << '\n';
    }
    out << preset->key << " = \"" << preset->name << "\"\n";
  }
  for (std::size_t i = 0; i < d.params.size();) {
    const Quantity& q = d.params[i];
    const std::size_t end = end_of_family(d.params, i);
    block.add(
        (sets(presets, q) || varies(d, d.system, q) ? "# " : "") + q.name + " = " + default_text(d, q),
        comment_of(q) + (end > i + 1 ? "; " + d.params[i + 1].name + " to " + d.params[end - 1].name + " alike" : ""));
    i = end;
  }
  for (const Quantity& q : d.series) block.add("# " + q.name + " = " + default_text(d, q), comment_of(q));
  block.print(out);
}

/// "plane { slope, height }", what may be left out in ( ).
std::string keys_text(const TerrainDescription& kind) {
  std::string text;
  for (const TerrainKey& key : kind.keys)
    if (!key.name.empty()) text += (text.empty() ? "" : ", ") + (key.standard ? "(" + key.name + ")" : key.name);
  return kind.name + " { " + text + " }";
}

void init_ground(std::ostream& out, const Description& d) {
  if (d.grounds.most == 0) return;
  const std::vector<std::string> names = preset_names(d, "ground");
  const Quantity& first = *std::ranges::find_if(d.params, [&](const Quantity& q) { return d.grounds.has(q); });
  out << "\n# [terrain.ground]  # classes of ground from place to place; elsewhere holds what [" << d.system
      << "] says\n";
  TomlBlock{{"# file = \"classes.asc\"", "an ESRI ASCII grid of codes; a point has that of the nearest cell"},
            {"# names = { 1 = \"" + names.front() + "\" }", "its codes: presets, or tables [ground.NAME]"},
            {"# outside = \"" + names.back() + "\"", "where the file has no code, and no area is"},
            {"# area = [{ class = \"" + names.front() + "\", polygon = [[0.0, 0.0], ...] }]",
             "over the file, later ones on top"}}
      .print(out);
  out << "\n# [ground.NAME]  # a class of one's own, or other values of a preset\n";
  TomlBlock{{"# like = \"" + names.front() + "\"", "the preset it begins with; without one, as [" + d.system + "]"},
            {"# " + first.name + " = " + default_text(d, first),
             "and any other key of the ground; [vary] knows it as \"ground.NAME." + first.name + "\""}}
      .print(out);
}

void init_terrain(std::ostream& out, const Description& d) {
  if (d.ground == Ground::none) return;
  const std::vector<TerrainDescription> kinds = terrains(d);
  out << "\n[terrain]  # kinds and their keys; those in ( ) may be left out\n";
  TomlBlock block;
  for (const TerrainDescription& kind : kinds) block.add("# " + keys_text(kind), kind.meaning);
  block.print(out);
  const auto shown =
      std::find_if(kinds.begin(), kinds.end(), [](const TerrainDescription& kind) { return !kind.example.empty(); });
  block.add("kind = \"" + shown->name + "\"", shown->meaning);
  for (const TerrainKey& key : shown->keys) {
    const auto value = std::find_if(shown->example.begin(), shown->example.end(),
                                    [&](const auto& given) { return given.first == key.name; });
    const bool given = value != shown->example.end();
    block.add((given ? "" : "# ") + key.name + " = " + toml_number(given ? value->second : *key.standard),
              unit_and_range(key.unit, key.range) + "; " + key.meaning);
  }
  block.add("# note = \"\"", "on the terrain, for the report");
  block.print(out);
  init_ground(out, d);
}

void init_shapes(std::ostream& out, const Description& d) {
  if (d.uses_shapes) {
    out << "\n[[shape]]  # one or several\n";
    TomlBlock{{"name = \"rock\"", "start.shape chooses by it"},
              {"kind = \"eota\"",
               "cuboid, ellipsoid, eota, octahedron { size }, irregular { size, (corners), (seed), (variants) }, "
               "file { file, scale }, points { points, scale }"},
              {"# file = \"rock.obj\"", "or .pts, .xyz, .txt; of a hull with more than " +
                                            std::to_string(max_vertices) + " corners so many are kept"},
              {"# points = [[0.0, 0.0, 0.0], ...]", "m; the corners of the hull of these"},
              {"# scale = 1.0", "of the lengths of file and points"},
              {"size = [0.93, 0.93, 0.47]", "m"},
              {"mass = 780.0", "kg"},
              {"# density = 2700.0", "kg/m^3, in place of the mass"},
              {"# inertia = [52.3, 52.3, 83.3]", "kg m^2, in place of the computed one"}}
        .print(out);
  }
}

void init_start(std::ostream& out, const Description& d) {
  TomlBlock block;
  out << "\n[start]\n";
  for (const Quantity& q : d.starts) {
    std::string value = default_text(d, q);
    if (q.name == "shape" && d.uses_shapes) value = "\"rock\"";
    if (d.sets_down(q)) value = toml_values(q.standard, 2);
    block.add((q.width == 4 || varies(d, "start", q) ? "# " : "") + q.name + " = " + value, comment_of(q));
  }
  if (std::any_of(d.starts.begin(), d.starts.end(), [&](const Quantity& q) { return d.sets_down(q); }))
    block.add("# set_down = true", "put it on the terrain, whatever height a table of starts gives");
  block.add("# table = \"releases.csv\"", "sample i takes row i mod rows; a column for each key, in its unit");
  block.add("# columns = { speed = \"v0\" }", "what a key's column is called there, if not as the key");
  block.print(out);
  out << "\n[vary]  # what differs from sample to sample: any key of [start] or [" << d.system << "], at most "
      << max_variations << " laws\n# uniform [low, high], triangular [low, high, mode], normal [mean, sd], lognormal "
      << "[mu, sigma], these two\n# with min and max; choice [...], with weights [...]; table \"FILE.csv\", with "
      << "column; for points line\n# or polygon [[x, y], ...]\n";
  const char* const laws = "of each sample anew";
  for (const auto& [name, law] : d.first_laws) {
    const bool of_points = law.find("[[") != std::string::npos;
    block.add("\"" + name + "\" = " + law, of_points ? "or line; or its x and y, each with a law" : laws);
  }
  for (const Quantity& q : d.starts)
    if (q.width == 4) block.add("\"start." + q.name + "\" = \"uniform\"", "on SO(3)");
  if (d.first_laws.empty()) {
    if (const Quantity* example = example_param(d))
      block.add("# \"" + d.system + "." + example->name + "\" = { uniform = " +
                    toml_values({0.9 * example->standard[0], 1.1 * example->standard[0]}, 2) + " }",
                laws);
    const auto plane = std::find_if(d.starts.begin(), d.starts.end(),
                                    [&](const Quantity& q) { return (q.width == 2 && q.most == 0) || d.sets_down(q); });
    if (plane != d.starts.end())
      block.add("# \"start." + plane->name + "\" = { line = [[0.0, -5.0], [0.0, 5.0]] }",
                "or polygon; rule = \"random\" draws them uniformly");
  }
  for (const Preset* preset : standard_presets(d)) {
    const auto other = std::ranges::find_if(
        d.presets, [&](const Preset& p) { return p.key == preset->key && p.name != preset->name; });
    if (other != d.presets.end())
      block.add("# \"" + d.system + "." + preset->key + "\" = { choice = [\"" + preset->name + "\", \"" + other->name +
                    "\"], weights = [3, 1] }",
                "all values of one or the other");
  }
  block.print(out);
}

/// What a config may have besides, all of it commented out.
void init_rest(std::ostream& out, const Description& d) {
  const Column& column = d.columns[static_cast<std::size_t>(d.headline_columns().front())];
  const std::string unit = column.unit == "1" ? "" : ", " + column.unit;
  TomlBlock block;
  const auto table = [&](const std::string& head, const std::string& meaning) {
    out << "\n# [" << head << "]  # " << meaning << '\n';
  };
  table("margin", "differences that do not matter: `scree compare` tells whether schemes agree to within them");
  block.add("# " + column.name + " = 1.0", "of any column, in its unit" + unit);
  block.print(out);
  if (!d.map_quantities.empty()) {
    std::string names;
    for (const MapQuantity& q : d.map_quantities) names += (names.empty() ? "\"" : ", \"") + q.name + "\"";
    table("maps", "where samples come, how often, how hard, in the cells of a raster (--maps, --no-maps)");
    block.add("# cell = 2.0", "side of a cell, m; the terrain's own cells if not given");
    block.add("# extent = [-100.0, -100.0, 500.0, 100.0]", "west, south, east, north, m; all of a grid if not given");
    block.add("# quantities = [" + names + "]", "all if not given");
    block.add("# percentiles = [\"kinetic_energy\"]", "quantities with percentiles; [] for none");
    block.add("# levels = [0.5, 0.9, 0.95, 0.99]", "of these");
    block.add("# interval = \"wilson\"", "of shares, or \"clopper-pearson\"");
    block.add("# sources = false", "whether to count from where samples come to each cell");
    block.add("# release_frequency = 0.2", "releases of all in a year: frequencies and energies at return periods");
    block.add("# periods = [30.0, 100.0, 300.0]", "yr");
    if (d.energy_unit() == "J") {
      block.add("# classes = [3e4, 3e5]", "of intensity, J");
      block.add("# danger.names = [\"low\", \"high\"]", "of a guideline's levels of danger, with its danger.matrix");
    }
    block.add("# bins_per_octave = 16", "of percentiles: 8, 16, 32 or 64");
    block.add("# keep_store = true", "whether the result can be extended");
    block.add("# on = true", "false: none are made");
    block.print(out);
    out << "\n# [[gate]]  # a line, as a road, at which crossings are counted; again for another\n";
    block.add("# name = \"road\"", "");
    block.add("# line = [[120.0, -60.0], [120.0, 60.0]]", "points, m; or x = 120.0, or file = \"road.geojson\"");
    if (d.uses_shapes) {
      block.add("# design = \"uni11211\"", "the arithmetic of UNI 11211-4, with the factors below");
      block.add("# g_dp = 1.02", "quality of the topography, 1.02 or 1.10");
      block.add("# g_vol = 1.02", "of the block's volume, 1.02 or 1.10");
      block.add("# g_tr = 1.02", "of the paths, 1.02 or 1.10");
      block.add("# g_gamma = 1.0", "of the rock's density");
      block.add("# g_r = 1.0", "of the consequences, 1.0 to 1.2");
      block.add("# g_e = 1.2", "of the fence's class");
      block.add("# block_mass = 1000.0", "kg; that of the heaviest rock if not given");
      block.add("# block_radius = 0.5", "m; that of the largest rock if not given");
    }
    block.print(out);
    const bool joules = d.energy_unit() == "J";
    out << "\n# [[barrier]]  # a net or a wall on such a line, which catches samples or gives way; again for another\n";
    block.add("# name = \"fence\"", "");
    block.add("# line = [[90.0, -30.0], [90.0, 30.0]]", "points, m; or x = 90.0, or file = \"fence.geojson\"");
    block.add("# height = 4.0", "m; samples pass above where they are higher");
    block.add(joules ? "# capacity = 1000e3" : "# capacity = 25.0",
              d.energy_unit() + " that it holds; all if not given");
    block.add("# margin = 0.0", "m, added to the height of the centre of mass" +
                                    std::string(d.uses_shapes ? ": the radius of the rock, and no part is above" : ""));
    block.add("# base = \"ground\"", "or the z that its height counts from, m");
    block.print(out);
    out << "\n# [[forest]]  # an area with stems that samples run into; again for another\n";
    block.add("# polygon = [[20.0, -80.0], [80.0, -80.0], [80.0, 80.0], [20.0, 80.0]]", "corners, m");
    block.add("# stems = 400", "per ha");
    block.add("# diameter = { normal = [0.3, 0.08], min = 0.1 }", "m; a number, or a law as under [vary]");
    block.add(joules ? "# capacity = 100e3" : "# capacity = 5.0",
              d.energy_unit() + " that a stem takes; or { factor, exponent } of its diameter in cm");
    block.add("# law = \"plastic\"", "or \"dorren\", with share = [a, b, c, d]");
    block.add("# resample = false", "true: other stems for each sample");
    block.print(out);
  }
  table("observed", "values from the field, printed beside ours");
  block.add("# table = \"observed.csv\"", "one row for each");
  block.add("# column = \"" + column.name + "\"", "the column of ours that they compare with");
  block.add("# value = \"" + column.name + "\"", "their column in the file" + unit);
  if (d.uses_shapes) block.add("# group = \"rock\"", "the column with the name of the shape, if they differ by it");
  block.add("# match = \"id\"", "a column that start.table has too: each is forecast by the samples of its own start");
  if (d.deposition_x >= 0) block.add("# position = [\"x\", \"y\"]", "the columns of its resting place, m");
  block.add("# holdout = \"leave-one-out\"",
            "or { groups = [...] }, or { column = \"id\", rows = [...] }: what no choice is made by");
  block.add("# note = \"\"", "on them, for the report, as what was fitted to them");
  block.print(out);
  const std::vector<const Preset*> presets = standard_presets(d);
  const Quantity* example = example_param(d);
  if (!presets.empty() || example) {
    table("sensitivity", "the run again for each value of a preset or a parameter");
    block.add("# key = \"" + d.system + "." + (presets.empty() ? example->name : presets.front()->key) + "\"", "");
    block.add(
        "# values = " + (presets.empty() ? toml_values({0.9 * example->standard[0], 1.1 * example->standard[0]}, 2)
                                         : std::string("\"all\"")),
        presets.empty() ? "" : "or a list of them");
    block.print(out);
  }
  table("published", "means and deviations from the literature, printed beside ours");
  block.add("# source = \"Author 2021, table 2\"", "");
  block.add("# place = \"\"", "what the source calls this study; rows of other places are left out");
  block.add("# samples = 1000", "that each mean is of");
  block.print(out);
  out << "# [[published.row]]  # one for each mean\n";
  block.add("# column = \"" + column.name + "\"", "");
  block.add("# scheme = \"" + d.schemes.front().name + "\"", "");
  block.add("# mean = 1.0", "in `unit`");
  block.add("# sd = 0.1", "");
  block.add("# unit = \"" + column.unit + "\"", "as it is printed");
  block.add("# scale = 1.0", "ours is divided by this for it, 1000 for kJ");
  block.add("# place = \"\"", "of this row");
  if (std::ranges::any_of(d.columns, [](const Column& c) { return c.time >= 0; }))
    block.add("# over = \"samples\"", "or \"steps\", those of all samples, of a mean over a time of each");
  block.print(out);
}

}  // namespace

std::string init_text(const Description& description) {
  std::ostringstream out;
  init_top(out, description);
  init_params(out, description);
  init_terrain(out, description);
  init_shapes(out, description);
  init_start(out, description);
  init_rest(out, description);
  return out.str();
}

void init_command(const std::string& system) { std::cout << init_text(known_model("init", system).description); }

}  // namespace scree
