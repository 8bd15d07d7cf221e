// [observed]: values from the field, a column of a CSV file in the SI unit of the summary column, and which of our
// samples each is forecast by.
#include <algorithm>
#include <map>
#include <optional>

#include "host/common/csv.hpp"
#include "host/common/suggest.hpp"
#include "reading.hpp"

namespace scree {
namespace {

std::size_t csv_column(const CsvTable& table, const Node& node) {
  const auto column = table.column(read_text(node));
  if (!column)
    complain(node, node.key + " = \"" + node.text + "\" is not a column of " + table.path +
                       suggestion(node.text, table.names));
  return *column;
}

/// The text of each row in a column that tells them apart, by its row.
std::map<std::string, std::uint64_t> rows_by_name(const CsvTable& table, std::size_t column) {
  std::map<std::string, std::uint64_t> rows;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    if (const auto [known, is_new] = rows.emplace(table.rows[row][column], row); !is_new)
      throw Error(Exit::input, table.where(row) + ": " + table.names[column] + " = \"" + known->first +
                                   "\" was already in line " + std::to_string(table.lines[known->second]));
  return rows;
}

/// The column of the table of starts that names shapes, if it has one.
std::optional<std::size_t> shape_column(const Node& start, const CsvTable& starts) {
  const Node* columns = start.find("columns");
  const Node* shape = columns ? columns->find("shape") : nullptr;
  return starts.column(shape ? shape->text : "shape");
}

/// Which row of the table of starts each observation is of: the one with the same text in the column `match`.
void match_observations(Reading& reading, const Node& match, const CsvTable& observed) {
  const Node* start = reading.root.find("start");
  const Node* file = start ? start->find("table") : nullptr;
  if (!file) complain(match, match.key + " compares observations with start.table, which is not given");
  const CsvTable& starts = read_data(reading, *file, read_csv);
  const std::size_t here = csv_column(observed, match), there = csv_column(starts, match);
  const std::map<std::string, std::uint64_t> rows = rows_by_name(starts, there);
  const std::optional<std::size_t> shape = shape_column(*start, starts);
  reading.run.observed.rows = starts.rows.size();
  for (std::size_t row = 0; row < observed.rows.size(); ++row) {
    const std::string& name = observed.rows[row][here];
    const auto found = rows.find(name);
    if (found == rows.end())
      throw Error(Exit::input,
                  observed.where(row) + ": " + match.text + " = \"" + name + "\" is not in " + starts.path);
    reading.run.observed.row.push_back(found->second);
    if (!shape || reading.run.observed.group.empty()) continue;
    const std::string &said = reading.run.observed.group[row], &started = starts.rows[found->second][*shape];
    if (said != started)
      throw Error(Exit::input, observed.where(row) + ": is of \"" + said + "\", and " + starts.path + " starts " +
                                   match.text + " = \"" + name + "\" with \"" + started + "\"");
  }
}

void read_places(Reading& reading, const Node& node, const CsvTable& table) {
  const Description& description = reading.description;
  if (description.deposition_x < 0)
    complain(node, node.key + " is where a sample comes to rest, which " + description.system + " does not tell");
  if (read_array(node).size() != 2) refuse(node, "two columns of " + table.path + ", of x and y");
  const std::size_t x = csv_column(table, node.items[0]), y = csv_column(table, node.items[1]);
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    reading.run.observed.place.push_back({table.number(row, x), table.number(row, y)});
}

/// Which observations are held out: "leave-one-out", { groups = [...] }, or { rows = [...], column = "..." }, the texts
/// of some rows in that column.
void read_holdout(Reading& reading, const Node& node, const CsvTable& table) {
  Observed& observed = reading.run.observed;
  if (node.kind == Node::Kind::text) {
    read_choice(node, {"leave-one-out"});
    observed.holdout = Observed::Holdout::each;
    return;
  }
  const std::string form = "\"leave-one-out\", { groups = [...] } or { column = \"...\", rows = [...] }";
  if (node.kind != Node::Kind::table) refuse(node, form);
  const Node *groups = node.find("groups"), *rows = node.find("rows");
  if (!groups == !rows) refuse(node, form);
  observed.holdout = Observed::Holdout::some;
  observed.outside.assign(observed.value.size(), false);
  const std::size_t column = groups ? 0 : csv_column(table, node.need("column", "a column of " + table.path));
  if (groups && observed.group.empty()) complain(*groups, groups->key + " needs observed.group, the column of groups");
  for (const Node& item : read_array(groups ? *groups : *rows)) {
    bool found = false;
    for (std::size_t k = 0; k < observed.value.size(); ++k)
      if ((groups ? observed.group[k] : table.rows[k][column]) == read_text(item)) found = observed.outside[k] = true;
    if (!found)
      complain(item, item.key + " = \"" + item.text + "\" is " +
                         (groups ? "the group of no observation" : "in no row of " + table.path));
  }
  const auto held = std::ranges::count(observed.outside, true);
  if (held == 0 || held == std::ssize(observed.outside))
    complain(node, node.key + " holds out " + (held == 0 ? "no observation" : "all observations"));
}

}  // namespace

void read_observed(Reading& reading) {
  const Node* node = reading.root.find("observed");
  if (!node) return;
  Observed& observed = reading.run.observed;
  const CsvTable& table = read_data(reading, read_table(*node).need("table", "a CSV file"), read_csv);
  const std::vector<std::string> columns = reading.description.column_names();
  observed.column = columns[read_choice(node->need("column", "the summary column to compare with"), columns)];
  const std::size_t value = csv_column(table, node->need("value", "a column of " + table.path));
  const Node* group = node->find("group");
  if (group) reading.run.group_by = "shape";  // what they are compared with
  const std::size_t group_column = group ? csv_column(table, *group) : 0;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    observed.value.push_back(table.number(row, value));
    if (!group) continue;
    const std::string& name = table.rows[row][group_column];
    if (find_shape(reading.run, name) < 0)
      throw Error(Exit::input, table.where(row) + ": " + group->text + " = \"" + name +
                                   "\" is not the name of a shape" + suggestion(name, reading.run.shape_names));
    observed.group.push_back(name);
  }
  if (const Node* match = node->find("match")) match_observations(reading, *match, table);
  if (const Node* place = node->find("position")) read_places(reading, *place, table);
  if (const Node* holdout = node->find("holdout")) read_holdout(reading, *holdout, table);
  if (const Node* note = node->find("note")) observed.note = read_text(*note);
}

}  // namespace scree
