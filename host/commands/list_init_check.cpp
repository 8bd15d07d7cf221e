#include "list_init_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <iostream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "host/config/tree.hpp"
#include "host/model/terrain_description.hpp"
#include "host/report/json.hpp"

namespace scree {
namespace {

/// A number as TOML writes a float, so that a whole default still shows that fractions are allowed.
std::string toml_number(double value) {
  const std::string text = number_text(value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string toml_values(const std::vector<double>& values, std::size_t count) {
  if (count == 1) return toml_number(values[0]);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i ? ", " : "") + toml_number(values[i]);
  return "[" + text + "]";
}

std::string default_text(const Description& d, const Quantity& q) {
  if (q.is_choice()) return "\"" + q.choice_name(q.standard[0]) + "\"";
  if (q.width == 0) return "[]";
  return d.is_count(q) ? number_text(q.standard[0]) : toml_values(q.standard, q.standard.size());
}

std::vector<TerrainDescription> terrains(const Description& d) {
  std::vector<TerrainDescription> suiting;
  for (const TerrainDescription& kind : describe_kinds<Terrain>())
    if (kind.suits(d.ground)) suiting.push_back(kind);
  return suiting;
}

/// "degrees, > 0 and < 90"
std::string unit_and_range(const std::string& unit, const Range& range) {
  const std::string text = unit == "1" ? "dimensionless" : unit;
  return text + (range.low > -unbounded || range.high < unbounded ? std::string(", ") + range.text : "");
}

/// "> 0", and "any" in place of the words for no bounds.
std::string range_text(const Range& range) {
  return range.low > -unbounded || range.high < unbounded ? std::string(range.text) : "any";
}

Json bound(double value) { return std::abs(value) >= unbounded ? Json(nullptr) : Json(value); }

/// What values it may have.
std::string allowed(const Quantity& q) { return q.is_choice() ? "one of " + joined(q.choice_names()) : q.range.text; }

/// A value of it as a table shows it.
std::string shown(const Quantity& q, double value) { return q.is_choice() ? q.choice_name(value) : number_text(value); }

Json json_of(const Quantity& q) {
  Json json{{"name", q.name}, {"unit", q.unit}};
  json["default"] = q.is_choice()  ? Json(q.choice_name(q.standard[0]))
                    : q.width == 1 ? Json(q.standard[0])
                                   : Json(q.standard);
  json["range"] = {{"text", allowed(q)}, {"min", bound(q.range.low)}, {"max", bound(q.range.high)}};
  if (q.is_choice()) json["choices"] = q.choice_names();
  json["meaning"] = q.meaning;
  if (q.most > 0) json["most_bodies"] = q.most;
  return json;
}

Json json_of(const TerrainKey& key) {
  Json json{{"name", key.name}, {"unit", key.unit}};
  json["default"] = key.standard && std::isfinite(*key.standard) ? Json(*key.standard) : Json(nullptr);
  json["required"] = !key.standard;
  json["range"] = {{"text", key.range.text}, {"min", bound(key.range.low)}, {"max", bound(key.range.high)}};
  json["meaning"] = key.meaning;
  return json;
}

Json json_of(const Description& d) {
  Json json{{"name", d.system}, {"meaning", d.meaning}};
  for (const char* key : {"params", "starts", "columns", "schemes", "presets"}) json[key] = Json::array();
  for (const Quantity& q : d.params) json["params"].push_back(json_of(q));
  for (const Quantity& q : d.series) json["params"].push_back(json_of(q));
  for (const Quantity& q : d.starts) json["starts"].push_back(json_of(q));
  for (const Column& c : d.columns)
    json["columns"].push_back({{"name", c.name},
                               {"unit", c.unit},
                               {"meaning", c.meaning},
                               {"samples", c.counted == Counted::stopped ? "stopped" : "finished"}});
  for (const Scheme& s : d.schemes) json["schemes"].push_back({{"name", s.name}, {"meaning", s.meaning}});
  for (const Preset& preset : d.presets) {
    Json values = Json::object();
    for (const auto& [offset, value] : preset.values)
      for (const Quantity& q : d.params)
        if (q.offset == offset) values[q.name] = q.is_choice() ? Json(q.choice_name(value)) : Json(value);
    json["presets"].push_back(
        {{"key", preset.key}, {"name", preset.name}, {"note", d.preset_note}, {"values", values}});
  }
  if (d.ground != Ground::none) json["terrain"] = Json::array();
  for (const TerrainDescription& kind : terrains(d)) {
    Json keys = Json::array();
    for (const TerrainKey& key : kind.keys)
      if (!key.name.empty()) keys.push_back(json_of(key));
    json["terrain"].push_back({{"kind", kind.name}, {"meaning", kind.meaning}, {"keys", keys}});
  }
  return json;
}

/// Rows of cells below each other. The last cell is wrapped: beside the others where they leave it room, else below. A
/// row of one cell is a line of its own.
void print_rows(std::ostream& out, const std::vector<std::vector<std::string>>& rows) {
  constexpr std::size_t least_room = 34;
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      if (widths.size() <= i) widths.push_back(0);
      widths[i] = std::max(widths[i], row[i].size());
    }
  for (const auto& row : rows) {
    std::string line = "   ";
    for (std::size_t i = 0; i + 1 < row.size(); ++i)
      line += " " + row[i] + std::string(widths[i] - row[i].size() + 1, ' ');
    line += ' ';
    std::size_t indent = line.size();
    if (row.size() > 1 && indent + std::min(least_room, row.back().size()) > report_width) {
      out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
      indent = 8;
      line = std::string(indent, ' ');
    }
    const std::vector<std::string> words = wrapped(row.back(), 0, report_width - indent);
    for (std::size_t k = 0; k < words.size(); ++k) {
      line += words[k];
      out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
      line = std::string(indent, ' ');
    }
  }
}

/// Where in the list a family of numbered keys that begins at `first` ends: A0, A1, A2 and so on that differ in nothing
/// else. Without one, first + 1.
std::size_t end_of_family(const std::vector<Quantity>& quantities, std::size_t first) {
  const Quantity& head = quantities[first];
  std::size_t end = first + 1;
  if (head.name.empty() || head.name.back() != '0') return end;
  const std::string stem = head.name.substr(0, head.name.size() - 1);
  while (end < quantities.size() && quantities[end].name == stem + std::to_string(end - first) &&
         quantities[end].unit == head.unit && quantities[end].standard == head.standard &&
         quantities[end].meaning == head.meaning)
    ++end;
  return end;
}

/// The default, with as many digits as tell it: the config of `scree init` has them all.
std::string short_default(const Description& d, const Quantity& q) {
  if (q.width <= 1) return default_text(d, q);
  std::string text;
  for (const double value : q.standard) {
    char number[32];
    std::snprintf(number, sizeof number, "%.4g", value);
    text += (text.empty() ? "" : ", ") + std::string(number);
  }
  return "[" + text + "]";
}

void print_quantities(std::ostream& out, const char* title, const Description& d,
                      const std::vector<Quantity>& quantities) {
  out << "\n  " << title << '\n';
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < quantities.size();) {
    const Quantity& q = quantities[i];
    const std::size_t end = end_of_family(quantities, i);
    const bool by_name = q.name == "shape";
    rows.push_back({q.name + (end > i + 1 ? " ... " + quantities[end - 1].name : ""), by_name ? "" : q.unit,
                    by_name ? "the first" : short_default(d, q),
                    by_name || q.is_choice() ? "a name" : range_text(q.range),
                    by_name ? "of a [[shape]]"
                            : (q.is_choice() ? joined(q.choice_names()) + ": " : "") + q.meaning +
                                  (q.most > 0 ? " (of each body)" : "")});
    i = end;
  }
  print_rows(out, rows);
}

void print_presets(std::ostream& out, const Description& d) {
  if (d.presets.empty()) return;
  out << "\n  presets of [" << d.system << "]" << (d.preset_note.empty() ? "" : " (" + d.preset_note + ")") << '\n';
  std::vector<std::vector<std::string>> rows;
  for (const Preset& preset : d.presets) {
    std::string values;
    for (const auto& [offset, value] : preset.values)
      for (const Quantity& q : d.params)
        if (q.offset == offset) values += (values.empty() ? "" : ", ") + q.name + " " + shown(q, value);
    rows.push_back({preset.key + " = \"" + preset.name + "\"", values});
  }
  print_rows(out, rows);
}

void print_terrains(std::ostream& out, const Description& d) {
  if (d.ground == Ground::none) return;
  out << "\n  terrain [terrain]: kind, its keys with unit, default, range, meaning\n";
  std::vector<std::vector<std::string>> rows;
  for (const TerrainDescription& kind : terrains(d)) {
    rows.push_back({"kind = \"" + kind.name + "\": " + kind.meaning});
    for (const TerrainKey& key : kind.keys)
      if (!key.name.empty())
        rows.push_back({"  " + key.name, key.unit,
                        !key.standard                  ? "required"
                        : std::isfinite(*key.standard) ? toml_number(*key.standard)
                                                       : "none",
                        key.gives == TerrainKey::Gives::number ? range_text(key.range) : "", key.meaning});
  }
  print_rows(out, rows);
}

void print_description(std::ostream& out, const Description& d) {
  out << d.system << ": " << d.meaning << '\n';
  print_quantities(out, ("parameters [" + d.system + "]: name, unit, default, range, meaning").c_str(), d, d.params);
  if (!d.series.empty()) print_quantities(out, "lists of any length, the same for all samples", d, d.series);
  print_presets(out, d);
  print_quantities(out, "starts [start]: name, unit, default, range, meaning", d, d.starts);
  print_terrains(out, d);
  out << "\n  schemes\n";
  std::vector<std::vector<std::string>> rows;
  for (const Scheme& s : d.schemes) rows.push_back({s.name, s.meaning});
  print_rows(out, rows);
  out << "\n  summary columns: name, unit, samples that count, meaning\n";
  rows.clear();
  for (const Column& c : d.columns)
    rows.push_back({c.name, c.unit, c.counted == Counted::stopped ? "stopped" : "finished", c.meaning});
  print_rows(out, rows);
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
      << "\n# Every key with its default. Units are SI; angles are in radians, but terrain slopes in degrees.\n\n";
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
    std::vector<std::string> names;
    for (const Preset& other : d.presets)
      if (other.key == preset->key) names.push_back(other.name);
    out << "# " << preset->key
        << " gives the values that are commented out below; uncomment one to replace it. It is one of\n# "
        << joined(names) << (d.preset_note.empty() ? "" : "\n# (" + d.preset_note + ")") << '\n'
        << preset->key << " = \"" << preset->name << "\"\n";
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
}

void init_shapes(std::ostream& out, const Description& d) {
  if (d.uses_shapes) {
    out << "\n[[shape]]  # one or several\n";
    TomlBlock{{"name = \"rock\"", "start.shape chooses by it"},
              {"kind = \"eota\"",
               "cuboid, ellipsoid, eota, octahedron { size }, file { file, scale }, points { points, scale }"},
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
  table("observed", "values from the field, printed beside ours");
  block.add("# table = \"observed.csv\"", "one row for each");
  block.add("# column = \"" + column.name + "\"", "the column of ours that they compare with");
  block.add("# value = \"" + column.name + "\"", "their column in the file" + unit);
  if (d.uses_shapes) block.add("# group = \"rock\"", "the column with the name of the shape, if they differ by it");
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
  block.print(out);
}

/// The system of this name, or an error with the nearest name.
const Model& known_model(const char* command, const std::string& system) {
  if (const Model* model = find_model(system)) return *model;
  std::vector<std::string> names;
  for (const Model& known : models()) names.push_back(known.description.system);
  throw Error(Exit::usage, std::string(command) + ": unknown system \"" + system + "\"" + suggestion(system, names));
}

}  // namespace

void list_command(const std::string& system, bool json) {
  const Model* one = system.empty() ? nullptr : &known_model("list", system);
  if (json) {
    Json object = json_of("list");
    object["systems"] = Json::array();
    for (const Model& model : models())
      if (!one || one == &model) object["systems"].push_back(json_of(model.description));
    std::cout << object.dump(2) << '\n';
    return;
  }
  if (one) return print_description(std::cout, one->description);
  std::size_t width = 0;
  for (const Model& model : models()) width = std::max(width, model.description.system.size());
  for (const Model& model : models()) {
    const Description& d = model.description;
    const std::vector<std::string> lines = wrapped(d.meaning, 0, screen_width - width - 4);
    for (std::size_t k = 0; k < lines.size(); ++k) {
      const std::string name = k == 0 ? d.system : "";
      std::cout << "  " << name << std::string(width - name.size() + 2, ' ') << lines[k] << '\n';
    }
  }
  std::cout << "\nscree list SYSTEM: its parameters, starts, columns and schemes; scree init SYSTEM: a config\n";
}

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

std::vector<std::pair<std::string, std::string>> told_of(const Run& run) {
  std::vector<std::pair<std::string, std::string>> lines{
      {"system", run.model->description.system},
      {"schemes", joined(run.schemes)},
      {"samples", std::to_string(run.samples) + ", seed " + std::to_string(run.spec.seed)},
      {"sampling", sampling_text(run.sampling)},
      {"step", steps_text(run)}};
  if (!run.preset.empty()) lines.emplace_back("preset", preset_text(run, run.model->description));
  if (!run.terrain_name.empty()) lines.emplace_back("terrain", terrain_text(run));
  for (const std::string& shape : shapes_text(run, 20)) lines.emplace_back("shape", shape);
  std::vector<std::string> names;
  for (const Input& input : run.varied) names.push_back(input.name);
  if (constexpr std::size_t shown = 12; names.size() > shown) {
    const std::string more = "and " + std::to_string(names.size() - shown) + " more";
    names.resize(shown);
    names.push_back(more);
  }
  lines.emplace_back("varies", std::to_string(run.spec.variations.size()) + " of at most " +
                                   std::to_string(max_variations) + (names.empty() ? "" : ": " + joined(names)));
  return lines;
}

void check_command(const std::string& path, const std::vector<std::string>& sets, const Overrides& overrides,
                   bool json) {
  const Run run = load_run(path, sets, overrides);
  if (json) {
    Json object = json_of("check");
    object["run"] = run_json(run, run.model->description);
    std::cout << object.dump(2) << '\n';
    return;
  }
  for (const std::string& warning : run.warnings) std::cerr << "warning: " << warning << '\n';
  std::cout << path << ": ok\n";
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, text] : told_of(run)) rows.push_back({name, text});
  print_rows(std::cout, rows);
  for (const InputFile& input : run.inputs)
    std::cout << "    reads     " << input.path << "  XXH3 " << input.xxh3 << '\n';
}

}  // namespace scree
