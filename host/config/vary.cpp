// [vary]: which parameters and starts differ from sample to sample, and by which law.
#include <algorithm>
#include <cmath>

#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "reading.hpp"

namespace scree {
namespace {

/// A law of one number with plain numbers as its arguments.
struct NumberLaw {
  const char* name;
  Law law;
  std::size_t count;
  bool within;  // the arguments are values of the quantity, so its range holds for them
  const char* form;
  bool (*allowed)(const std::vector<double>& v);
};

constexpr NumberLaw number_laws[] = {
    {"uniform", Law::uniform, 2, true, "[low, high] with low < high", [](const auto& v) { return v[0] < v[1]; }},
    {"normal", Law::normal, 2, false, "[mean, standard deviation >= 0]", [](const auto& v) { return v[1] >= 0; }},
    {"lognormal", Law::lognormal, 2, false, "[mean, standard deviation >= 0] of the logarithm",
     [](const auto& v) { return v[1] >= 0; }},
    {"triangular", Law::triangular, 3, true, "[low, high, mode] with low <= mode <= high and low < high",
     [](const auto& v) { return v[0] < v[1] && v[0] <= v[2] && v[2] <= v[1]; }}};

const std::vector<std::string> law_names = {"uniform", "normal", "lognormal", "triangular",
                                            "choice",  "table",  "line",      "polygon"};

bool has_law(const Node& node) {
  return node.kind == Node::Kind::table && std::any_of(node.items.begin(), node.items.end(), [](const Node& item) {
           return std::find(law_names.begin(), law_names.end(), item.name) != law_names.end();
         });
}

void read_choice_law(Reading& reading, const Target& target, const Node& list) {
  if (list.kind != Node::Kind::array || list.items.empty()) refuse(list, "a list of at least one value");
  std::vector<double> values;
  for (const Node& item : list.items) {
    if (target.name == "start.shape")
      values.push_back(static_cast<double>(read_choice(item, reading.run.shape_names)));
    else
      values.push_back(read_value(item, *target.quantity));
  }
  const double count = static_cast<double>(values.size());
  add_variation(reading, target, {target.first, Law::choice, 0, 0, 0, add_table(reading, values), count}, list);
}

void read_table_law(Reading& reading, const Target& target, const Node& law, const Node& file) {
  if (target.repeats > 1)
    complain(file, target.name + " has a value for each body, and a table gives one per sample: name a body, as " +
                       target.quantity->name + "[0]");
  const CsvTable& table = read_data(reading, file, read_csv);
  const Node* named = law.find("column");
  const std::string name = named ? read_text(*named) : target.name;
  auto column = table.column(name);
  if (!named && !column && target.name.compare(0, 6, "start.") == 0) column = table.column(target.name.substr(6));
  if (!column)
    complain(named ? *named : file,
             "\"" + name + "\" is not a column of " + table.path + suggestion(name, table.names));
  std::vector<double> values;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    values.push_back(table_value(reading, table, row, *column, target));
  const double count = static_cast<double>(values.size());
  add_variation(reading, target, {target.first, Law::table, 0, 0, 0, add_table(reading, values), count}, file);
}

/// Signed area by the shoelace formula about the first corner, which keeps digits for large map coordinates.
double polygon_area(const std::vector<double>& p) {
  double twice = 0;
  for (std::size_t i = 2; i + 3 < p.size(); i += 2)
    twice += (p[i] - p[0]) * (p[i + 3] - p[1]) - (p[i + 2] - p[0]) * (p[i + 1] - p[1]);
  return 0.5 * twice;
}

void check_polygon(const Node& node, const std::vector<double>& p) {
  double low[2] = {p[0], p[1]}, high[2] = {p[0], p[1]};
  for (std::size_t i = 0; i < p.size(); ++i) {
    low[i % 2] = std::min(low[i % 2], p[i]);
    high[i % 2] = std::max(high[i % 2], p[i]);
  }
  const double area = std::abs(polygon_area(p)), box = (high[0] - low[0]) * (high[1] - low[1]);
  if (!(area > 0)) complain(node, node.key + " has no area; use line for a line of release points");
  // Points are drawn in the bounding box and rejected outside; a sliver would need too many of them.
  if (area < 0.01 * box)
    complain(node, node.key + " fills " + number_text(std::round(1e4 * area / box) / 100) +
                       " % of its bounding box, must be >= 1 %; use line for a line of release points");
}

void read_area_law(Reading& reading, const Target& target, const Node& law, const Node& points, bool polygon) {
  if (const Node* rule = law.find("rule")) read_choice(*rule, {"random"});
  const std::vector<double> p = read_points(points, 2, polygon ? 3 : 2, target.quantity->unit);
  if (polygon) {
    check_polygon(points, p);
  } else {
    double length = 0;
    for (std::size_t i = 2; i < p.size(); i += 2) length += std::hypot(p[i] - p[i - 2], p[i + 1] - p[i - 1]);
    if (!(length > 0)) complain(points, points.key + " has no length");
  }
  const double count = static_cast<double>(p.size() / 2);
  add_variation(reading, target,
                {target.first, polygon ? Law::polygon : Law::line, 0, 0, 0, add_table(reading, p), count}, points);
}

/// Laws of two numbers at once: for points of the plane, and for where a rock is set down.
bool takes_area(const Target& target) {
  return target.width == 2 || (target.width == 3 && target.name == "start.position");
}

std::string allowed_laws(const Target& target) {
  if (target.width == 4) return "\"uniform\" (on SO(3))";
  if (takes_area(target)) return "{ line = [[x, y], ...] } or { polygon = [[x, y], ...] }";
  if (target.width > 1) return "a table of laws for its components, as { x = { uniform = [0, 1] } }";
  return "a law, as { uniform = [low, high] }; laws are uniform, normal, lognormal, triangular, choice, table";
}

void read_law(Reading& reading, const Target& target, const Node& node) {
  if (target.width == 4) {
    if (node.kind != Node::Kind::text || node.text != "uniform") refuse(node, allowed_laws(target));
    set_varied(reading, target, 4, node, false);
    add_variation(reading, target, {target.first, Law::orientation, 0, 0, 0, 0, 0}, node);
    return;
  }
  if (node.kind != Node::Kind::table || node.items.empty()) refuse(node, allowed_laws(target));
  if (target.quantity->width == 4)
    complain(node,
             target.name + " cannot vary alone; start." + target.quantity->name + " = \"uniform\" varies all four");

  const Node* found = nullptr;
  for (const std::string& name : law_names) {
    const bool area = name == "line" || name == "polygon";
    if (area != takes_area(target) || (target.width > 1 && !area)) continue;
    const Node* law = node.find(name);
    if (!law) continue;
    if (found) refuse(node, "one law, not " + found->name + " and " + law->name);
    found = law;
  }
  if (!found) {
    const std::string& first = node.items.front().name;
    if (target.width > 1 || has_law(node)) refuse(node, allowed_laws(target));
    complain(node, "unknown law " + node.key + "." + first + suggestion(first, node.asked));
  }
  set_varied(reading, target, target.width > 1 ? 2 : 1, node, found->name == "table");
  if (found->name == "choice") return read_choice_law(reading, target, *found);
  if (found->name == "table") return read_table_law(reading, target, node, *found);
  if (found->name == "line" || found->name == "polygon")
    return read_area_law(reading, target, node, *found, found->name == "polygon");
  if (target.name == "start.shape") refuse(node, "{ choice = [names of shapes] }");
  if (target.quantity->is_choice())
    refuse(node, "{ choice = [...] } with names of " + joined(target.quantity->choice_names()));
  for (const NumberLaw& law : number_laws) {
    if (found->name != law.name) continue;
    if (found->kind != Node::Kind::array || found->items.size() != law.count)
      refuse(*found, law.form, target.quantity->unit);
    std::vector<double> v =
        read_numbers(*found, law.count, law.within ? target.quantity->range : any_value, target.quantity->unit);
    if (!law.allowed(v)) refuse(*found, law.form, target.quantity->unit);
    v.resize(3);
    add_variation(reading, target, {target.first, law.law, v[0], v[1], v[2], 0, 0}, *found);
  }
}

struct Entry {
  Target target;
  const Node* node;
};

/// Keys may be written "start.speed" = ... or start.speed = ..., so that a name is a path through tables.
void walk(Reading& reading, const Node& table, const std::string& prefix, std::vector<Entry>& entries) {
  for (const Node& item : table.items) {
    const Node& node = *table.find(item.name);
    const std::string name = prefix + item.name;
    const auto target = find_target(reading, name);
    const bool parts = node.kind == Node::Kind::table && !node.items.empty() && !has_law(node);
    if (target && !(target->width > 1 && parts)) {
      entries.push_back({*target, &node});
    } else if (parts) {
      walk(reading, node, name + ".", entries);
    } else {
      std::vector<std::string> names;
      for (const Target& known : all_targets(reading))
        if (known.quantity->most == 0 || known.repeats > 1 || reading.bodies == 1) names.push_back(known.name);
      std::string near = nearest(name, names);
      if (near.empty()) near = nearest("start." + name, names);
      if (near.empty()) near = nearest(reading.description.system + "." + name, names);
      complain(node, "unknown key " + node.key +
                         (near.empty() ? ", must be one of " + joined(names) : ", did you mean " + near + "?"));
    }
  }
}

void mark_used(const Node& node) {
  node.used = true;
  for (const Node& item : node.items) mark_used(item);
}

}  // namespace

void read_vary(Reading& reading) {
  std::vector<Entry> entries;
  if (const Node* vary = reading.root.find("vary")) walk(reading, read_table(*vary), "", entries);
  for (const Entry& entry : entries) {
    // However either is spelled, --set replaces the law of the config.
    const bool replaced =
        !entry.node->laid_over && std::any_of(entries.begin(), entries.end(), [&](const Entry& other) {
          return other.node->laid_over && other.target.name == entry.target.name;
        });
    if (replaced)
      mark_used(*entry.node);
    else
      read_law(reading, entry.target, *entry.node);
  }
  // By target, so that the draws do not depend on where in the config a variation stands.
  std::stable_sort(reading.run.spec.variations.begin(), reading.run.spec.variations.end(),
                   [](const Variation& a, const Variation& b) { return a.target < b.target; });
}

}  // namespace scree
