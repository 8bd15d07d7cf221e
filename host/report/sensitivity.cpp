#include "sensitivity.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "host/common/text_table.hpp"
#include "printer.hpp"
#include "report.hpp"

namespace scree {
namespace {

using Json = nlohmann::ordered_json;

const Column& column_of(const Variant& variant, int c) {
  return variant.arm.table.description->columns[static_cast<std::size_t>(c)];
}

std::string mean_and_width(const ColumnStatistics& s) {
  return s.n < 2 ? short_number(s.mean) : short_number(s.mean) + " +- " + short_number(s.mean - s.ci_low);
}

/// The observations beside them, by group and all: means, and under them how many there are.
void add_observed(TextTable& table, const Run& run) {
  std::vector<std::string> means{"observed"}, numbers{""};
  const auto add = [&](const std::vector<double>& values) {
    means.push_back(mean_and_width(column_statistics(values)));
    numbers.push_back(std::to_string(values.size()));
  };
  for (const std::string& name : run.shape_names) {
    std::vector<double> values;
    for (std::size_t i = 0; i < run.observed.group.size(); ++i)
      if (run.observed.group[i] == name) values.push_back(run.observed.value[i]);
    add(values);
  }
  add(run.observed.value);
  table.row(means);
  table.row(numbers);
}

/// A mean per group and, under it, how many of how many samples it is of.
void print_by_group(std::ostream& out, const Run& run, const std::vector<Variant>& variants, bool colour) {
  const Description& description = *variants[0].arm.table.description;
  const bool has_observed = !run.observed.value.empty();
  const int c = has_observed ? description.column(run.observed.column) : description.headline_columns().front();
  const std::size_t number = static_cast<std::size_t>(c);
  const Column& column = column_of(variants[0], c);
  out << '\n'
      << (colour ? "\033[1m" : "") << column.name << " (" << column.unit << ") by " << run.sensitivity.key << " and "
      << run.group_by << ": mean +- 95 % confidence, over the samples "
      << (column.counted == Counted::stopped ? "that stopped" : "that were finished") << (colour ? "\033[0m" : "")
      << '\n';
  std::vector<std::string> header{"value"};
  header.insert(header.end(), run.shape_names.begin(), run.shape_names.end());
  header.push_back("all");
  TextTable table(1, header);
  std::vector<std::string> notes;
  bool censored = false;
  for (const Variant& variant : variants) {
    const Statistics& all = variant.arm.statistics;
    std::vector<std::string> means{variant.value}, numbers{""};
    const auto add = [&](const ColumnStatistics& s, std::uint64_t samples) {
      means.push_back(mean_and_width(s));
      numbers.push_back(std::to_string(s.n) + " of " + std::to_string(samples));
    };
    for (const GroupStatistics& group : all.groups) add(group.columns[number], group.samples);
    add(all.columns[number], all.samples);
    if (const std::string why = why_no_total(run, all, column, number); !why.empty()) {
      means.back() = "-";
      notes.push_back(variant.value + ", all: not shown, " + why + ".");
    }
    censored = censored || is_censored(column.counted, all.status);
    table.row(means);
    table.row(numbers);
  }
  if (has_observed) add_observed(table, run);
  table.print(out);
  for (const std::string& note : notes) print_wrapped(out, note, 2);
  if (censored) print_wrapped(out, censored_note, 2);
}

Json columns_json(const Description& description, const std::vector<ColumnStatistics>& columns) {
  Json json = Json::object();
  for (const int c : description.headline_columns()) {
    const ColumnStatistics& s = columns[static_cast<std::size_t>(c)];
    json[description.columns[static_cast<std::size_t>(c)].name] = {
        {"n", s.n}, {"mean", s.mean}, {"ci95", {s.ci_low, s.ci_high}}};
  }
  return json;
}

}  // namespace

void print_sensitivity_table(std::ostream& out, const Run& run, const std::vector<Variant>& variants, bool colour) {
  if (variants.empty()) return;
  std::vector<Variant> named = variants;
  if (run.schemes.size() > 1)
    for (Variant& variant : named) variant.value += ", " + variant.arm.scheme;
  print_sensitivity(out, run, named, colour);
  if (!run.group_by.empty()) print_by_group(out, run, named, colour);
}

Json sensitivity_json(const Run& run, const std::vector<Variant>& variants) {
  Json json{{"key", run.sensitivity.key}, {"rows", Json::array()}};
  for (const Variant& variant : variants) {
    const Description& description = *variant.arm.table.description;
    Json row{{"value", variant.value}, {"scheme", variant.arm.scheme}};
    row["statistics"] = columns_json(description, variant.arm.statistics.columns);
    if (!run.group_by.empty()) row["groups"] = Json::object();
    for (std::size_t g = 0; g < variant.arm.statistics.groups.size(); ++g)
      row["groups"][run.shape_names[g]] = columns_json(description, variant.arm.statistics.groups[g].columns);
    json["rows"].push_back(row);
  }
  return json;
}

}  // namespace scree
