// [vary]: which parameters, presets and starts differ from sample to sample, and by which law.
#include <algorithm>
#include <cmath>
#include <numeric>

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
  Law truncated;  // the law between bounds; the same law if it has bounds of its own
};

constexpr NumberLaw number_laws[] = {
    {"uniform", Law::uniform, 2, true, "[low, high] with low < high", [](const auto& v) { return v[0] < v[1]; },
     Law::uniform},
    {"normal", Law::normal, 2, false, "[mean, standard deviation >= 0]", [](const auto& v) { return v[1] >= 0; },
     Law::truncated_normal},
    {"lognormal", Law::lognormal, 2, false, "[mean, standard deviation >= 0] of the logarithm",
     [](const auto& v) { return v[1] >= 0; }, Law::truncated_lognormal},
    {"triangular", Law::triangular, 3, true, "[low, high, mode] with low <= mode <= high and low < high",
     [](const auto& v) { return v[0] < v[1] && v[0] <= v[2] && v[2] <= v[1]; }, Law::triangular}};

const std::vector<std::string> law_names = {"uniform", "normal", "lognormal", "triangular",
                                            "choice",  "table",  "line",      "polygon"};

bool has_law(const Node& node) {
  return node.kind == Node::Kind::table && std::any_of(node.items.begin(), node.items.end(), [](const Node& item) {
           return std::find(law_names.begin(), law_names.end(), item.name) != law_names.end();
         });
}

/// One of `values`, equally likely or by the law's `weights`.
Variation choice_of(Reading& reading, const Node& law, std::vector<double> values) {
  const std::size_t count = values.size();
  Variation variation{0, Law::choice, 0, 0, 0, 0, static_cast<double>(count)};
  if (const Node* node = law.find("weights")) {
    const std::vector<double> weights = read_numbers(*node, count, non_negative, "1");
    const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (!(all > 0) || !std::isfinite(all)) refuse(*node, "weights of which one is > 0");
    variation.law = Law::weighted_choice;
    double before = 0;
    for (const double weight : weights) values.push_back((before += weight) / all);
  }
  variation.offset = add_table(reading, values);
  return variation;
}
void add_choice(Reading& reading, const Target& target, const Node& law, std::vector<double> values, const Node& list,
                int stream = -1) {
  Variation variation = choice_of(reading, law, std::move(values));
  variation.target = target.first;
  variation.stream = stream;
  add_variation(reading, target, variation, list);
}

void read_choice_law(Reading& reading, const Target& target, const Node& law, const Node& list) {
  if (list.kind != Node::Kind::array || list.items.empty()) refuse(list, "a list of at least one value");
  std::vector<double> values;
  for (const Node& item : list.items) {
    if (target.name == "start.shape")
      values.push_back(static_cast<double>(read_choice(item, reading.run.shape_names)));
    else
      values.push_back(read_value(item, *target.quantity));
  }
  add_choice(reading, target, law, values, list);
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

/// "sides 1 and 3 cross", the first two that do, counted from 1; empty if none do. Not looked for among very many.
std::string crossing_sides(const std::vector<double>& p) {
  const std::size_t count = p.size() / 2;
  constexpr std::size_t most = 2000;
  const auto side_of = [&](std::size_t a, std::size_t b, std::size_t c) {  // > 0: c lies left of a b
    return (p[2 * b] - p[2 * a]) * (p[2 * c + 1] - p[2 * a + 1]) -
           (p[2 * b + 1] - p[2 * a + 1]) * (p[2 * c] - p[2 * a]);
  };
  for (std::size_t i = 0; i < count && count <= most; ++i)
    for (std::size_t k = i + 2; k < count; ++k) {
      const std::size_t i1 = i + 1, k1 = (k + 1) % count;
      if (k1 == i) continue;
      if (side_of(i, i1, k) * side_of(i, i1, k1) < 0 && side_of(k, k1, i) * side_of(k, k1, i1) < 0)
        return "sides " + std::to_string(i + 1) + " and " + std::to_string(k + 1) + " cross";
    }
  return "";
}

void read_area_law(Reading& reading, const Target& target, const Node& law, const Node& points, bool polygon) {
  if (const Node* rule = law.find("rule")) read_choice(*rule, {"random"});
  const std::string& unit = target.quantity->unit;
  const std::vector<double> p = polygon ? read_corners(reading, points, unit) : read_points(points, 2, 2, unit);
  if (polygon) {
    // Points are drawn in the bounding box and rejected outside; a sliver would need too many of them.
    const char* const line = "; use line for a line of release points";
    if (const double share = check_polygon(reading, points, p, line); share < 0.01)
      complain(points, points.key + " fills " + number_text(std::round(1e4 * share) / 100) +
                           " % of its bounding box, must be >= 1 %" + line);
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

/// P(Z < z) of the standard normal law, to the precision of inverse_normal: the number at which that crosses z. The
/// kernels draw by inverse_normal, so that bounds hold for what it gives, and no other library says where they are.
double normal_below(double z) {
  double low = 0, high = 1;
  while (true) {
    const double middle = low + (high - low) / 2;
    if (!(low < middle && middle < high)) return high;
    (inverse_normal(middle) < z ? low : high) = middle;
  }
}

/// `min` and `max` of a law that has no ends of its own. Without them it stays as it is.
void truncate_law(Reading& reading, const Quantity& quantity, const Node& node, const Node& found, const NumberLaw& law,
                  Variation& variation) {
  const Node *min = node.find("min"), *max = node.find("max");
  if (!min && !max) return;
  const bool logarithm = law.law == Law::lognormal;
  const Range& range = quantity.range;
  const auto bound = [&](const Node* given, double otherwise) {
    if (!given) return otherwise;
    const double value = read_number(*given, range, quantity.unit);
    if (logarithm && !(value > 0)) refuse(*given, "> 0 for a lognormal law", quantity.unit);
    return value;
  };
  const double low = bound(min, -unbounded), high = bound(max, unbounded);
  if (!(low < high)) refuse(*max, "> min = " + value_text(*min), quantity.unit);
  if (!(variation.b > 0)) refuse(found, "a standard deviation > 0 where min or max is given", quantity.unit);
  // inverse_normal is finite for numbers from 2^-53 to 1 - 2^-53.
  const auto below_value = [&](double x) {
    return normal_below(((logarithm ? log(x) : x) - variation.a) / variation.b);
  };
  const double below = min ? below_value(low) : 0.0, share = (max ? below_value(high) : 1.0) - below;
  if (!(share >= 1e-9))
    complain(found, node.key + ": min and max leave less than 1e-9 of the law's probability between them");
  variation.law = law.truncated;
  variation.offset = add_table(reading, {below, share, low, high});
  variation.count = truncated_numbers;
}

/// The law of one number that `found`, a key of `node`, is; it has no target yet.
Variation number_law(Reading& reading, const Quantity& quantity, const Node& node, const Node& found) {
  for (const NumberLaw& law : number_laws) {
    if (found.name != law.name) continue;
    if (found.kind != Node::Kind::array || found.items.size() != law.count) refuse(found, law.form, quantity.unit);
    std::vector<double> v = read_numbers(found, law.count, law.within ? quantity.range : any_value, quantity.unit);
    if (!law.allowed(v)) refuse(found, law.form, quantity.unit);
    v.resize(3);
    Variation variation{0, law.law, v[0], v[1], v[2], 0, 0};
    if (law.truncated == law.law)
      for (const char* end : {"min", "max"})
        if (const Node* given = node.find(end))
          complain(*given, given->key + " belongs to normal and lognormal laws; " + law.name + " has ends of its own");
    if (law.truncated != law.law) truncate_law(reading, quantity, node, found, law, variation);
    return variation;
  }
  throw std::logic_error(found.name + " is no law of one number");
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
  if (found->name == "choice") return read_choice_law(reading, target, node, *found);
  if (found->name == "table") return read_table_law(reading, target, node, *found);
  if (found->name == "line" || found->name == "polygon")
    return read_area_law(reading, target, node, *found, found->name == "polygon");
  if (target.name == "start.shape") refuse(node, "{ choice = [names of shapes] }");
  if (target.quantity->is_choice())
    refuse(node, "{ choice = [...] } with names of " + joined(target.quantity->choice_names()));
  Variation variation = number_law(reading, *target.quantity, node, *found);
  variation.target = target.first;
  add_variation(reading, target, variation, *found);
}

/// Variations of one preset have the same stream below -1 until all are sorted, then the place of the first of them.
int group_stream(std::size_t group) { return -2 - static_cast<int>(group); }
void share_streams(std::vector<Variation>& variations) {
  for (std::size_t v = 0; v < variations.size(); ++v) {
    const int group = variations[v].stream;
    if (group >= -1) continue;
    for (Variation& other : variations)
      if (other.stream == group) other.stream = static_cast<int>(v);
  }
}

/// The parameter of one number at this place among them.
Target param_at(const Reading& reading, int place) {
  for (const Target& target : all_targets(reading))
    if (target.first == place && target.width == 1) return target;
  throw std::logic_error("a preset sets what is no parameter of one number");
}

/// Two that do not differ, if there are any.
void refuse_alike(const Node& list, const Input& input) {
  for (std::size_t i = 0; i < input.choices.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (input.values[i] == input.values[k])
        complain(list, list.key + ": \"" + input.choices[k] + "\" and \"" + input.choices[i] +
                           "\" do not differ, for what tells them apart is given by itself");
}

/// { choice = [names], weights = [...] } of a preset: each sample takes all values of one of them, but for those that
/// the config gives by themselves, or by a law of their own.
void read_preset_law(Reading& reading, const std::string& key, const Node& node, std::vector<Input>& inputs) {
  const std::string name = reading.description.system + "." + key;
  const std::vector<const Preset*> presets = presets_of(reading.description, key);
  const std::vector<std::string> names = preset_names(reading.description, key);
  const std::string form = "{ choice = [...] } with names of " + joined(names);
  const Node* const list = node.kind == Node::Kind::table ? node.find("choice") : nullptr;
  if (!list) refuse(node, form);
  if (list->kind != Node::Kind::array || list->items.empty()) refuse(*list, "a list of at least one value");
  std::vector<const Preset*> chosen, different;
  for (const Node& item : list->items) {
    chosen.push_back(presets[read_choice(item, names)]);
    if (std::ranges::find(different, chosen.back()) == different.end()) different.push_back(chosen.back());
  }

  Input input{name, "", "the preset of the sample", {}};
  for (const Preset* preset : different) input.choices.push_back(preset->name);
  input.values.resize(different.size());
  for (std::size_t i = 0; i < chosen.front()->values.size(); ++i) {
    const int place = chosen.front()->values[i].first;
    const Source& source = reading.sources[static_cast<std::size_t>(place)];
    if (const Node* own = source.varied ? source.varied : source.fixed) {
      reading.run.warnings.push_back(own->where + ": " + own->key + " replaces that of " + node.key + " (" +
                                     node.where + ")");
      continue;
    }
    std::vector<double> values;
    for (const Preset* preset : chosen) values.push_back(preset->values[i].second);
    if (std::ranges::all_of(values, [&](double value) { return value == values.front(); })) {
      reading.run.spec.params[static_cast<std::size_t>(place)] = values.front();
      continue;
    }
    const Target target = param_at(reading, place);
    set_varied(reading, target, 1, node, false);
    add_choice(reading, target, node, values, *list, group_stream(inputs.size()));
    input.places.push_back(place);
    for (std::size_t k = 0; k < different.size(); ++k) input.values[k].push_back(different[k]->values[i].second);
  }
  refuse_alike(*list, input);
  name_preset(reading, key, joined(input.choices, " or "), note_of(different));
  if (!input.places.empty()) inputs.push_back(input);
}

/// What differs from sample to sample, in the order of its places; `presets` are among it.
std::vector<Input> all_inputs(const Reading& reading, std::vector<Input> inputs) {
  std::vector<bool> named(reading.sources.size());
  for (const Input& preset : inputs)
    for (const int place : preset.places) named[static_cast<std::size_t>(place)] = true;
  for (const Target& target : all_targets(reading)) {
    const std::size_t place = static_cast<std::size_t>(target.first);
    if (target.width > 1 || target.repeats > 1 || !reading.sources[place].varied || named[place]) continue;
    named[place] = true;
    const Quantity& quantity = *target.quantity;
    Input input{target.name, quantity.unit, quantity.meaning, {target.first}};
    if (quantity.name == "shape") input.choices = reading.run.shape_names;
    if (quantity.is_choice()) input.choices = quantity.choice_names();
    for (std::size_t k = 0; k < input.choices.size(); ++k)
      input.values.push_back({quantity.is_choice() ? quantity.choices[k].second : static_cast<double>(k)});
    inputs.push_back(input);
  }
  std::ranges::sort(inputs, {}, [](const Input& input) { return input.places.front(); });
  return inputs;
}

/// What a key of [vary] is about: a target, or a preset.
struct Entry {
  std::optional<Target> target;
  std::string preset;
  const Node* node;

  std::string name() const { return target ? target->name : preset; }
};

/// The preset key of this name, with the system's before it or not; empty if there is none.
std::string preset_called(const Description& description, const std::string& name) {
  for (const std::string& key : preset_keys(description))
    if (name == key || name == description.system + "." + key) return key;
  return "";
}

/// Keys may be written "start.speed" = ... or start.speed = ..., so that a name is a path through tables.
void walk(Reading& reading, const Node& table, const std::string& prefix, std::vector<Entry>& entries) {
  for (const Node& item : table.items) {
    const Node& node = *table.find(item.name);
    const std::string name = prefix + item.name;
    const auto target = find_target(reading, name);
    const std::string preset = preset_called(reading.description, name);
    const bool parts = node.kind == Node::Kind::table && !node.items.empty() && !has_law(node);
    const bool path = parts && (!target || target->width > 1 || node.items.front().kind == Node::Kind::table);
    if (target && !path) {
      entries.push_back({*target, "", &node});
    } else if (path && (preset.empty() || node.items.front().kind == Node::Kind::table)) {
      walk(reading, node, name + ".", entries);  // of a preset's key too: vary.ground.mud.drag
    } else if (!preset.empty()) {
      entries.push_back({{}, preset, &node});
    } else {
      std::vector<std::string> names;
      for (const Target& known : all_targets(reading))
        if (known.quantity->most == 0 || known.repeats > 1 || reading.bodies == 1) names.push_back(known.name);
      for (const std::string& key : preset_keys(reading.description))
        names.push_back(reading.description.system + "." + key);
      std::string near = nearest(name, names);
      if (near.empty()) near = nearest("start." + name, names);
      if (near.empty()) near = nearest(reading.description.system + "." + name, names);
      complain(node, "unknown key " + node.key +
                         (near.empty() ? ", must be one of " + joined(names) : ", did you mean " + near + "?"));
    }
  }
}

/// The value in the config that fixes a preset, or null.
const Node* fixed_preset(const Reading& reading, const std::string& key) {
  const Node* given = reading.root.find(reading.description.system);
  return given && given->kind == Node::Kind::table ? given->find(key) : nullptr;
}

/// Whether --set or another option fixes all that an entry of the config varies.
bool is_fixed_over(const Reading& reading, const Entry& entry) {
  if (entry.node->laid_over) return false;
  if (!entry.target) {
    const Node* fixed = fixed_preset(reading, entry.preset);
    return fixed && fixed->laid_over;
  }
  const auto fixed = [&](int i) {
    const Node* value = reading.sources[static_cast<std::size_t>(i)].fixed;
    return value && value->laid_over;
  };
  bool all = true;
  const int width = entry.target->width == 3 ? 2 : entry.target->width;  // of a release, that on the map
  for (int k = 0; k < entry.target->repeats * width; ++k)
    all = all && fixed(entry.target->first + k / width * entry.target->stride + k % width);
  return all;
}

void mark_used(const Node& node) {
  node.used = true;
  for (const Node& item : node.items) mark_used(item);
}

}  // namespace

Variation read_free_law(Reading& reading, const Node& node, const Quantity& quantity) {
  static const std::string form = "a number, or a law of uniform, normal, lognormal, triangular and choice";
  if (node.kind == Node::Kind::number || node.kind == Node::Kind::whole)
    return choice_of(reading, node, {read_number(node, quantity.range, quantity.unit)});
  if (node.kind != Node::Kind::table) refuse(node, form, quantity.unit);
  const Node* found = nullptr;
  for (const char* name : {"uniform", "normal", "lognormal", "triangular", "choice"}) {
    const Node* law = node.find(name);
    if (law && found) refuse(node, "one law, not " + found->name + " and " + law->name);
    if (law) found = law;
  }
  if (!found) refuse(node, form, quantity.unit);
  if (found->name != "choice") return number_law(reading, quantity, node, *found);
  if (read_array(*found).empty()) refuse(*found, "a list of at least one value");
  return choice_of(reading, node, read_numbers(*found, found->items.size(), quantity.range, quantity.unit));
}

double check_polygon(Reading& reading, const Node& node, const std::vector<double>& p, const char* otherwise) {
  double low[2] = {p[0], p[1]}, high[2] = {p[0], p[1]};
  for (std::size_t i = 0; i < p.size(); ++i) {
    low[i % 2] = std::min(low[i % 2], p[i]);
    high[i % 2] = std::max(high[i % 2], p[i]);
  }
  const double area = std::abs(polygon_area(p)), box = (high[0] - low[0]) * (high[1] - low[1]);
  const std::string crossing = crossing_sides(p);
  if (!(area > 1e-12 * box))
    complain(node, node.key + " has no area" +
                       (crossing.empty() ? otherwise : ", for its " + crossing + ": order its corners"));
  if (!crossing.empty())
    reading.run.warnings.push_back(node.where + ": " + node.key + ": its " + crossing +
                                   "; inside is what a ray leaves through an odd number of sides");
  return area / box;
}

std::string note_of(const std::vector<const Preset*>& presets) {
  const std::vector<PresetNote> notes = by_note(presets);
  std::string text;
  for (const PresetNote& one : notes) {
    if (one.note.empty()) continue;
    std::string names;
    for (const Preset* preset : one.presets) names += (names.empty() ? "" : ", ") + preset->name;
    text += (text.empty() ? "" : "; ") + (notes.size() > 1 ? names + ": " : "") + one.note;
  }
  return text;
}

void read_vary(Reading& reading) {
  std::vector<Entry> entries;
  if (const Node* vary = reading.root.find("vary")) walk(reading, read_table(*vary), "", entries);
  std::vector<Input> presets;
  const auto read_those = [&](bool of_presets) {
    for (const Entry& entry : entries) {
      if (entry.target.has_value() == of_presets) continue;
      // However either is spelled, --set replaces the law of the config, and so does a value that it fixes.
      const bool replaced = !entry.node->laid_over && std::ranges::any_of(entries, [&](const Entry& other) {
        return other.node->laid_over && other.name() == entry.name();
      });
      if (replaced || is_fixed_over(reading, entry)) {
        mark_used(*entry.node);
      } else if (entry.target) {
        read_law(reading, *entry.target, *entry.node);
      } else {
        if (const Node* fixed = fixed_preset(reading, entry.preset))
          reading.run.warnings.push_back(fixed->where + ": " + fixed->key + " = " + value_text(*fixed) +
                                         " has no effect, for it varies (" + entry.node->where + ")");
        read_preset_law(reading, entry.preset, *entry.node, presets);
      }
    }
  };
  // A preset's laws step back behind those of its parameters.
  read_those(false);
  read_those(true);
  // By target, so that the draws do not depend on where in the config a variation stands.
  std::stable_sort(reading.run.spec.variations.begin(), reading.run.spec.variations.end(),
                   [](const Variation& a, const Variation& b) { return a.target < b.target; });
  share_streams(reading.run.spec.variations);
  reading.run.varied = all_inputs(reading, std::move(presets));
}

}  // namespace scree
