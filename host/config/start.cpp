// [start]: fixed values, and a table of starts of which sample i takes row i mod rows.
#include <algorithm>
#include <cmath>

#include "host/common/available_memory.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "reading.hpp"

namespace scree {
namespace {

const char* component_name(int width, int component) {
  static const char* const vector[] = {"x", "y", "z"};  // Vec2 and Vec3
  static const char* const quaternion[] = {"w", "x", "y", "z"};
  return width == 4 ? quaternion[component] : vector[component];
}

/// `target`, and each of its components if it has several.
void add_with_components(std::vector<Target>& targets, const Target& target) {
  targets.push_back(target);
  if (target.width == 1) return;
  for (int i = 0; i < target.width; ++i)
    targets.push_back({target.name + "." + component_name(target.width, i), target.quantity, target.first + i, 1,
                       target.repeats, target.stride});
}

void add_targets(std::vector<Target>& targets, const Quantity& quantity, const std::string& prefix, int base,
                 int bodies) {
  const Target target{prefix + "." + quantity.name, &quantity, base + quantity.offset, quantity.width};
  if (quantity.most == 0) return add_with_components(targets, target);
  add_with_components(targets, {target.name, &quantity, target.first, target.width, bodies, quantity.width});
  for (int body = 0; body < bodies; ++body)
    add_with_components(targets, {target.name + "[" + std::to_string(body) + "]", &quantity,
                                  target.first + body * quantity.width, target.width});
}

void read_start_value(Reading& reading, const Quantity& quantity, const Node& node) {
  const int params = static_cast<int>(reading.description.param_doubles), first = params + quantity.offset;
  if (quantity.most > 0) return read_list(reading, quantity, node, reading.run.spec.start, params);
  std::vector<double> values;
  if (quantity.name == "shape" && node.kind == Node::Kind::text) {
    values = {static_cast<double>(read_choice(node, reading.run.shape_names))};
  } else if (quantity.name == "shape") {
    refuse(node, "the name of a [[shape]]: " + joined(reading.run.shape_names));
  } else if (quantity.width == 1) {
    values = {read_number(node, quantity.range, quantity.unit)};
  } else if (reading.description.sets_down(quantity)) {
    if (node.kind != Node::Kind::array || (node.items.size() != 2 && node.items.size() != 3))
      refuse(node, "[x, y] to set the body down on the terrain, or [x, y, z]", quantity.unit);
    values = read_numbers(node, 0, quantity.range, quantity.unit);
  } else {
    values = read_numbers(node, static_cast<std::size_t>(quantity.width), quantity.range, quantity.unit);
  }
  if (quantity.width == 4) {
    const double size =
        std::sqrt(values[0] * values[0] + values[1] * values[1] + values[2] * values[2] + values[3] * values[3]);
    if (!(size > 1e-6)) refuse(node, "a quaternion [w, x, y, z] of length 1");
    // A quaternion written with six digits is meant as a unit quaternion; more than that is worth a line.
    if (std::abs(size - 1) > 1e-5)
      reading.run.warnings.push_back(node.where + ": " + node.key + " = " + value_text(node) + " has length " +
                                     number_text(size) + "; it is normalised");
    for (double& value : values) value /= size;
  }
  std::copy(values.begin(), values.end(), reading.run.spec.start.begin() + quantity.offset);
  set_fixed(reading, first, static_cast<int>(values.size()), node);
}

/// One column of the table of starts and where it goes.
struct Mapping {
  Target target;
  std::size_t column;
  const Node* node;
};

void map_columns(Reading& reading, const CsvTable& table, const Node& columns, const std::string& prefix,
                 std::vector<Mapping>& mappings) {
  for (const Node& item : columns.items) {
    const Node& node = *columns.find(item.name);
    const std::string name = prefix + item.name;
    if (node.kind == Node::Kind::table) {
      map_columns(reading, table, node, name + ".", mappings);
      continue;
    }
    const auto target = find_target(reading, name);
    if (!target || target->width > 1 || target->repeats > 1) {
      std::vector<std::string> names;
      for (const Target& known : all_targets(reading))
        if (known.width == 1 && known.repeats == 1)
          names.push_back(known.name.compare(0, 6, "start.") == 0 ? known.name.substr(6) : known.name);
      complain(node, "unknown start " + name + suggestion(name, names));
    }
    const auto column = table.column(read_text(node));
    if (!column)
      complain(node, node.key + " = " + value_text(node) + " is not a column of " + table.path +
                         suggestion(node.text, table.names));
    mappings.push_back({*target, *column, &node});
  }
}

/// Without [start.columns]: every column that is called as a start.
std::vector<Mapping> default_columns(const Reading& reading, const CsvTable& table, const Node& file) {
  std::vector<Mapping> mappings;
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    const auto target = find_target(reading, table.names[i]);
    if (target && target->width == 1 && target->repeats == 1) {
      mappings.push_back({*target, i, &file});
    } else if (const auto component = find_target(reading, "start.position." + table.names[i])) {
      mappings.push_back({*component, i, &file});
    }
  }
  if (mappings.empty())
    complain(file, "no column of " + table.path + " is called as a start; name them in [start.columns]. It has " +
                       joined(table.names));
  return mappings;
}

std::vector<double> column_values(const Reading& reading, const CsvTable& table, const Mapping& mapping) {
  std::vector<double> values;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    values.push_back(table_value(reading, table, row, mapping.column, mapping.target));
  return values;
}

/// Unit quaternions from four columns w, x, y, z.
void normalize_rows(Reading& reading, const CsvTable& table, std::vector<std::vector<double>*> parts) {
  std::size_t changed = 0;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    double square = 0;
    for (const auto* part : parts) square += (*part)[row] * (*part)[row];
    const double size = std::sqrt(square);
    if (!(size > 1e-6))
      throw Error(Exit::input, table.where(row) + ": the orientation is 0, must be a quaternion of length 1");
    if (std::abs(size - 1) > 1e-5) ++changed;
    for (auto* part : parts) (*part)[row] /= size;
  }
  if (changed > 0)
    reading.run.warnings.push_back(table.path + ": " + std::to_string(changed) + " of " +
                                   std::to_string(table.rows.size()) +
                                   " orientations do not have length 1; they are normalised");
}

void read_start_table(Reading& reading, const Node& start, const Node& file, bool set_down) {
  const CsvTable& table = read_data(reading, file, read_csv);
  std::vector<Mapping> mappings;
  if (const Node* columns = start.find("columns")) {
    map_columns(reading, table, read_table(*columns), "", mappings);
    if (mappings.empty()) complain(*columns, columns->key + " names no column of " + table.path);
  } else {
    mappings = default_columns(reading, table, file);
  }

  std::vector<std::vector<double>> values;
  for (const Mapping& mapping : mappings) values.push_back(column_values(reading, table, mapping));

  for (const Quantity& quantity : reading.description.starts) {
    if (quantity.width != 4) continue;
    std::vector<std::vector<double>*> parts;
    for (std::size_t i = 0; i < mappings.size(); ++i)
      if (mappings[i].target.quantity == &quantity) parts.push_back(&values[i]);
    if (parts.empty()) continue;
    if (parts.size() != 4) complain(file, "start." + quantity.name + " needs four columns: w, x, y and z");
    normalize_rows(reading, table, parts);
  }

  for (std::size_t i = 0; i < mappings.size(); ++i) {
    const Target& target = mappings[i].target;
    if (target.name == "start.position.z" && set_down) {
      reading.table_heights = values[i];
      reading.table_heights_name = table.names[mappings[i].column] + " of " + table.path;
      continue;
    }
    set_varied(reading, target, 1, *mappings[i].node, true);
    add_variation(
        reading, target,
        {target.first, Law::table, 0, 0, 0, add_table(reading, values[i]), static_cast<double>(table.rows.size())},
        *mappings[i].node);
  }
  const std::uint64_t rows = table.rows.size(), samples = reading.run.samples_of_run;
  if (samples % rows != 0)
    reading.run.warnings.push_back(file.where + ": " + std::to_string(samples) + " samples are not a multiple of the " +
                                   std::to_string(rows) + " rows of " + table.path + ": the first " +
                                   std::to_string(samples % rows) + " rows are used once more than the others");
}

}  // namespace

std::vector<Target> all_targets(const Reading& reading) {
  std::vector<Target> targets;
  for (const Quantity& quantity : reading.description.params)
    add_targets(targets, quantity, reading.description.system, 0, reading.bodies);
  for (const Quantity& quantity : reading.description.starts)
    add_targets(targets, quantity, "start", static_cast<int>(reading.description.param_doubles), reading.bodies);
  for (const Target& target : ground_targets(reading)) targets.push_back(target);
  return targets;
}

std::vector<Target> ground_targets(const Reading& reading) {
  std::vector<Target> targets;
  const GroundClasses& grounds = reading.description.grounds;
  for (std::size_t c = 0; c < reading.ground_classes.size(); ++c)
    for (const Quantity& quantity : reading.description.params)
      if (grounds.has(quantity))
        targets.push_back({"ground." + reading.ground_classes[c] + "." + quantity.name, &quantity,
                           grounds.place(static_cast<int>(c) + 1, quantity.offset)});
  return targets;
}

std::optional<Target> find_target(const Reading& reading, const std::string& name) {
  const std::vector<Target> targets = all_targets(reading);
  for (const std::string& full : {name, "start." + name, reading.description.system + "." + name})
    for (const Target& target : targets)
      if (target.name == full) return target;
  return std::nullopt;
}

const Quantity* find_start(const Reading& reading, const std::string& name) {
  for (const Quantity& quantity : reading.description.starts)
    if (quantity.name == name) return &quantity;
  return nullptr;
}

int find_shape(const Run& run, const std::string& name) {
  const auto found = std::find(run.shape_names.begin(), run.shape_names.end(), name);
  return found == run.shape_names.end() ? -1 : static_cast<int>(found - run.shape_names.begin());
}

void set_fixed(Reading& reading, int first, int width, const Node& node) {
  for (int i = first; i < first + width; ++i) reading.sources[static_cast<std::size_t>(i)].fixed = &node;
}

void read_list(Reading& reading, const Quantity& quantity, const Node& node, std::vector<double>& values, int first) {
  const std::size_t width = static_cast<std::size_t>(quantity.width), bodies = static_cast<std::size_t>(reading.bodies);
  const auto is_one = [&](const Node& item) {
    return width == 1
               ? item.kind != Node::Kind::array
               : item.kind == Node::Kind::array && !item.items.empty() && item.items.front().kind != Node::Kind::array;
  };
  const auto read_one = [&](const Node& item) {
    return width == 1 ? std::vector<double>{read_number(item, quantity.range, quantity.unit)}
                      : read_numbers(item, width, quantity.range, quantity.unit);
  };
  const bool for_all = is_one(node);
  if (!for_all && (node.kind != Node::Kind::array || node.items.size() != bodies))
    refuse(node,
           std::string(width == 1 ? "a number" : "a list of " + std::to_string(width) + " numbers") +
               " for all bodies, or a list of " + std::to_string(bodies) + " of them",
           quantity.unit);
  for (std::size_t body = 0; body < bodies; ++body) {
    const std::vector<double> one = read_one(for_all ? node : node.items[body]);
    std::copy(one.begin(), one.end(), values.begin() + quantity.offset + static_cast<std::ptrdiff_t>(body * width));
  }
  set_fixed(reading, first + quantity.offset, static_cast<int>(bodies * width), node);
}

void set_varied(Reading& reading, const Target& target, int width, const Node& node, bool from_table) {
  if (reading.description.is_count(*target.quantity))
    complain(node, target.name + " is the number of bodies, which is the same in all samples: it cannot vary");
  for (int k = 0; k < target.repeats * width; ++k) {
    const int i = target.first + k / width * target.stride + k % width;
    Source& source = reading.sources[static_cast<std::size_t>(i)];
    if (source.fixed) {
      const bool whole = source.fixed->kind != Node::Kind::array;
      if (whole && k == 0)
        reading.run.warnings.push_back(source.fixed->where + ": " + source.fixed->key + " = " +
                                       value_text(*source.fixed) + " has no effect, for it varies (" + node.where +
                                       ")");
      source.fixed = nullptr;
    }
    if (source.varied)
      complain(node, target.name + " varies here and again in " + source.varied->key + " (" + source.varied->where +
                         "): keep one of the two");
    source.varied = &node;
    source.from_table = from_table;
  }
}

void add_variation(Reading& reading, const Target& target, Variation variation, const Node& node) {
  if (reading.run.spec.variations.size() == max_variations)
    complain(node, "too many things vary, at most " + std::to_string(max_variations) +
                       " may (each component of a vector from a table counts)");
  variation.repeats = target.repeats;
  variation.stride = target.stride;
  reading.run.spec.variations.push_back(variation);
}

void require_memory_of_table(const Reading& reading, std::size_t numbers) {
  constexpr double much = 1e8;
  const double needed = static_cast<double>(numbers * sizeof(double));
  if (needed < much) return;  // to ask for what there is takes time
  if (const double available = memory_available(); needed > available)
    throw Error(Exit::device, reading.run.config_path + ": the terrain takes " + bytes_text(needed) +
                                  " of memory more, for another run of it, of which there are " +
                                  bytes_text(available));
}

double add_table(Reading& reading, const std::vector<double>& numbers) {
  require_memory_of_table(reading, numbers.size());
  std::vector<double>& tables = reading.run.spec.tables.own();
  const double offset = static_cast<double>(tables.size());
  tables.insert(tables.end(), numbers.begin(), numbers.end());
  return offset;
}

double read_value(const Node& node, const Quantity& quantity) {
  if (!quantity.is_choice()) return read_number(node, quantity.range, quantity.unit);
  if (node.kind != Node::Kind::text) refuse(node, "one of " + joined(quantity.choice_names()));
  return quantity.choices[read_choice(node, quantity.choice_names())].second;
}

double table_value(const Reading& reading, const CsvTable& table, std::size_t row, std::size_t column,
                   const Target& target) {
  const auto named = [&](const std::vector<std::string>& known, const char* what) {
    const std::string& word = table.rows[row][column];
    const auto found = std::find(known.begin(), known.end(), word);
    if (found == known.end())
      throw Error(Exit::input, table.where(row) + ": " + table.names[column] + " = \"" + word + "\" is not " + what +
                                   suggestion(word, known));
    return static_cast<std::size_t>(found - known.begin());
  };
  const Quantity& quantity = *target.quantity;
  if (target.name == "start.shape") return static_cast<double>(named(reading.run.shape_names, "the name of a shape"));
  if (quantity.is_choice())
    return quantity.choices[named(quantity.choice_names(), ("a choice of " + quantity.name).c_str())].second;
  const double value = table.number(row, column);
  const Range& range = quantity.range;
  if (!in_range(value, range))
    throw Error(Exit::input, table.where(row) + ": " + target.name + " = " + number_text(value) + ", must be " +
                                 allowed_text(value, range) + unit_text(quantity.unit));
  return value;
}

void read_start(Reading& reading) {
  static const Node empty{};
  const Node* given = reading.root.find("start");
  const Node& start = given ? read_table(*given) : empty;
  const Quantity* position = find_start(reading, "position");
  const bool can_set_down = position && reading.description.sets_down(*position);
  const Node* set_down = can_set_down ? start.find("set_down") : nullptr;
  const bool forced = set_down && read_flag(*set_down);

  for (const Quantity& quantity : reading.description.starts)
    if (const Node* node = start.find(quantity.name)) read_start_value(reading, quantity, *node);
  if (const Node* file = start.find("table"))
    read_start_table(reading, start, *file, forced);
  else if (const Node* columns = start.find("columns"))
    complain(*columns, columns->key + " names columns of start.table, which is not given");
  read_vary(reading);

  if (!can_set_down) return;
  const std::size_t z = reading.description.param_doubles + static_cast<std::size_t>(position->offset) + 2;
  const Node* height = reading.sources[z].varied ? reading.sources[z].varied : reading.sources[z].fixed;
  if (forced && height)
    complain(
        *height,
        height->key + " gives a height, but start.set_down = true puts the body on the terrain: keep one of the two");
  if (set_down && !forced && !height)
    complain(*set_down, "start.set_down = false, but no height z is given for start.position");
  reading.run.spec.world.set_down = height ? 0 : 1;
  const Node* gap = start.find("gap");
  if (height && gap)
    reading.run.warnings.push_back(gap->where + ": start.gap is not used, because the height of the release is given");
}

}  // namespace scree
