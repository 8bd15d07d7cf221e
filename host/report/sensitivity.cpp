#include "sensitivity.hpp"

#include <nlohmann/json.hpp>
#include <ostream>

#include "beside.hpp"
#include "host/common/text_table.hpp"
#include "printer.hpp"
#include "report.hpp"
#include "scores.hpp"

namespace scree {
namespace {

using Json = nlohmann::ordered_json;

/// The column that is shown by group: the one with observations, else the first that is shown.
int column_by_group(const Run& run, const Description& description) {
  return run.observed.column.empty() ? shown_columns(run, description).front()
                                     : description.column(run.observed.column);
}

/// The observations beside them, by group and all: means, and under them how many there are.
void add_observed(TextTable& table, const Run& run) {
  std::vector<std::string> means{"observed"}, numbers{""};
  const auto add = [&](const std::vector<double>& values) {
    means.push_back(mean_and_width(column_statistics(values)));
    numbers.push_back(std::to_string(values.size()));
  };
  for (const std::string& name : run.shape_names) add(observed_in(run.observed, name));
  add(run.observed.value);
  table.row(means);
  table.row(numbers);
}

/// "10.62 +- 0.83 of 39", of so many observations.
std::string crps_text(const Scores& scores) {
  const std::string part = scores.all() ? "" : "inside";
  const Mean& crps = scores.all(part)->crps;
  if (crps.n == 0) return "-";
  return number_within(crps.value, crps.half_width) +
         (std::isnan(crps.half_width) ? "" : " +- " + error_text(crps.half_width)) + " of " + whole(crps.n);
}

/// A mean per group and, under it, how many of how many samples it is of.
void print_by_group(std::ostream& out, const Run& run, const std::vector<Variant>& variants, bool colour) {
  const Description& description = *variants[0].arm.table.description;
  const bool has_observed = !run.observed.value.empty();
  const int c = column_by_group(run, description);
  const std::size_t number = static_cast<std::size_t>(c);
  const Column& column = column_of(description, c);
  Printer{out, colour}.title(column.name + " (" + column.unit + ") by " + run.sensitivity.key + " and " + run.group_by +
                             ": mean +- 95 % confidence, over the samples " + section_name(column.counted));
  std::vector<std::string> header{"value"};
  header.insert(header.end(), run.shape_names.begin(), run.shape_names.end());
  header.push_back("all");
  const bool scored = !variants[0].arm.scores.rows.empty();
  if (scored) header.push_back("CRPS");
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
    if (scored) means.push_back(crps_text(variant.arm.scores));
    table.row(means);
    table.row(numbers);
  }
  if (has_observed) add_observed(table, run);
  table.print(out);
  for (const std::string& note : notes) print_wrapped(out, note, 2);
  if (censored) print_wrapped(out, censored_note, 2);
  if (const std::string chosen = choice_text(run, variants); !chosen.empty()) print_wrapped(out, chosen, 2);
}

/// One line per value: how many stopped, and the means that fit beside each other: of the observed column (else the
/// first that is shown) by group, or without groups of those that are shown.
void print_short_sensitivity(std::ostream& out, const Run& run, const std::vector<Variant>& variants,
                             const Form& form) {
  const Description& description = *variants[0].arm.table.description;
  struct Shown {
    std::string head;
    std::size_t column;
    int group;  // -1: all samples
  };
  const auto with_its_unit = [](const Column& column) {
    return column.name + (unit_of(column).empty() ? "" : " (" + column.unit + ")");
  };
  std::vector<Shown> wanted, shown;
  std::string of = "";
  if (!run.group_by.empty()) {
    const int c = column_by_group(run, description);
    of = " of " + with_its_unit(column_of(description, c));
    for (std::size_t g = 0; g < run.shape_names.size(); ++g)
      wanted.push_back({run.shape_names[g], static_cast<std::size_t>(c), static_cast<int>(g)});
  } else {
    for (const int c : shown_columns(run, description))
      wanted.push_back({with_its_unit(column_of(description, c)), static_cast<std::size_t>(c), -1});
  }
  const bool scored = !variants[0].arm.scores.rows.empty();
  const auto table = [&] {
    std::vector<std::string> header{"value", "stopped"};
    if (scored) header.push_back("CRPS");
    for (const Shown& one : shown) header.push_back(one.head);
    TextTable rows(1, header);
    for (const Variant& variant : variants) {
      const Statistics& s = variant.arm.statistics;
      std::vector<std::string> cells{
          shortened(variant.value, 32),
          whole(s.status[static_cast<std::size_t>(Status::stopped)]) + " of " + whole(s.samples)};
      if (scored) cells.push_back(crps_text(variant.arm.scores));
      for (const Shown& one : shown)
        cells.push_back(mean_and_width(
            (one.group < 0 ? s.columns : s.groups[static_cast<std::size_t>(one.group)].columns)[one.column]));
      rows.row(cells);
    }
    return rows;
  };
  for (const Shown& one : wanted) {
    shown.push_back(one);
    if (table().width(screen_width) > screen_width) shown.pop_back();
  }
  Screen screen(form);
  screen.add("Sensitivity" + of + " to " + run.sensitivity.key + (of.empty() ? "" : " by " + run.group_by) +
                 ": means with their 95 % confidence",
             table(), variants.size());
  out << '\n';
  screen.print(out);
  if (const std::string chosen = choice_text(run, variants); !chosen.empty())
    for (const std::string& line : wrapped(chosen, 2, screen_width)) out << line << '\n';
}

Json columns_json(const Run& run, const Description& description, const std::vector<ColumnStatistics>& columns) {
  Json json = Json::object();
  for (const int c : shown_columns(run, description)) {
    const ColumnStatistics& s = columns[static_cast<std::size_t>(c)];
    json[description.columns[static_cast<std::size_t>(c)].name] = {
        {"n", s.n}, {"mean", s.mean}, {"ci95", {s.ci_low, s.ci_high}}};
  }
  return json;
}

}  // namespace

std::size_t sensitivity_lines(const Run& run) {
  const std::size_t variants = run.sensitivity.values.size() * run.schemes.size();
  return variants == 0 ? 0 : 3 + variants;  // blank, title, names of the columns
}

void print_sensitivity_table(std::ostream& out, const Run& run, const std::vector<Variant>& variants,
                             const Form& form) {
  if (variants.empty()) return;
  std::vector<Variant> named = variants;
  if (run.schemes.size() > 1)
    for (Variant& variant : named) variant.value += ", " + variant.arm.scheme;
  if (!form.all) return print_short_sensitivity(out, run, named, form);
  print_sensitivity(out, run, named, form.colour);
  if (!run.group_by.empty()) print_by_group(out, run, named, form.colour);
}

Json sensitivity_json(const Run& run, const std::vector<Variant>& variants) {
  Json json{{"key", run.sensitivity.key}, {"rows", Json::array()}};
  for (const Variant& variant : variants) {
    const Description& description = *variant.arm.table.description;
    Json row{{"value", variant.value}, {"scheme", variant.arm.scheme}};
    if (Json scored = scores_json(run, variant.arm.scores); !scored.is_null()) row["scores"] = scored["rows"];
    row["statistics"] = columns_json(run, description, variant.arm.statistics.columns);
    if (!run.group_by.empty()) row["groups"] = Json::object();
    for (std::size_t g = 0; g < variant.arm.statistics.groups.size(); ++g)
      row["groups"][run.shape_names[g]] = columns_json(run, description, variant.arm.statistics.groups[g].columns);
    json["rows"].push_back(row);
  }
  if (Json chosen = chosen_json(run, variants); !chosen.is_null()) json["chosen"] = std::move(chosen);
  return json;
}

}  // namespace scree
