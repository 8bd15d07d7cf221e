#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <span>

#include "beside.hpp"
#include "compare.hpp"
#include "forest.hpp"
#include "gates.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "maps.hpp"
#include "printer.hpp"
#include "scores.hpp"
#include "short_report.hpp"
#include "targets.hpp"

namespace scree {
namespace {

/// Whether its text is below 1.
bool is_below_one(double gain) { return gain < 0.995; }

/// "Over the 998 samples that stopped; left out: 2 end_time", or "No sample stopped; left out: 1000 end_time".
std::string section_title(Counted counted, const Statistics& statistics) {
  const std::uint64_t n = counted_samples(counted, statistics.status);
  std::string text = n > 0 ? "Over the " + samples_text(n) + " " + section_name(counted)
                           : std::string("No sample ") + (counted == Counted::stopped ? "stopped" : "was finished");
  const std::string rest = status_list(statistics.status, [&](std::uint32_t s) { return !counts(counted, s); });
  return rest.empty() ? text : text + "; left out: " + rest;
}

/// What the gains of a table say, below it.
void print_gain(const Printer& printer, int replicates, const std::vector<std::string>& below_one) {
  const auto [low, high] = gain_factors(replicates);
  std::string names;
  for (const std::string& name : below_one) names += (names.empty() ? "" : ", ") + name;
  print_wrapped(printer.out,
                "gain: variance of the mean of n independent samples over that between the " +
                    std::to_string(replicates) +
                    " replicates, from which +-95 % comes; as many know it within a factor of " + gain_text(low) +
                    " to " + gain_text(high) + " (95 %)." + (names.empty() ? "" : " Below 1: " + names + "."),
                2);
}

/// The table with the most digits that leave it room: values that agree to rounding would have twelve.
template <class F>
TextTable fitting(const F& table_of) {
  int digits = most_digits;
  TextTable table = table_of(digits);
  while (table.width(report_width) > report_width && digits > 4) table = table_of(--digits);
  return table;
}

void print_columns(const Printer& printer, const Description& description, const Statistics& statistics) {
  const bool replicated = statistics.replicates > 0;
  std::vector<std::string> below_one;
  for (const Counted counted : {Counted::stopped, Counted::all}) {
    std::vector<std::size_t> listed;
    std::vector<std::string> undefined;
    bool some_undefined = false;
    for (std::size_t c = 0; c < description.columns.size(); ++c) {
      const Column& column = description.columns[c];
      const ColumnStatistics& s = statistics.columns[c];
      if (column.counted != counted) continue;
      if (s.n == 0 && s.undefined > 0) {
        undefined.push_back(column.name);
        continue;
      }
      some_undefined = some_undefined || s.undefined > 0;
      if (is_below_one(s.gain)) below_one.push_back(column.name + " (" + gain_text(s.gain) + ")");
      listed.push_back(c);
    }
    const TextTable table = fitting([&](int digits) {
      const ShownStatistics shown{.all = true, .replicated = replicated, .digits = digits};
      TextTable of(2, shown.heads({"column", "unit"}));
      for (const std::size_t c : listed)
        of.row(shown.cells({description.columns[c].name, unit_of(description.columns[c])}, statistics.columns[c]));
      return of;
    });
    if (table.empty() && undefined.empty()) continue;
    printer.title(section_title(counted, statistics));
    if (counted_samples(counted, statistics.status) == 0) continue;
    if (!table.empty()) table.print(printer.out);
    if (some_undefined) printer.out << "A smaller n: the quantity does not exist for the other samples.\n";
    print_names(printer, no_value_of, undefined);
  }
  if (replicated) print_gain(printer, statistics.replicates, below_one);
}

/// What the samples drew, as far as it differs.
void print_inputs(const Printer& printer, const Run& run) {
  if (run.varied.empty()) return;
  const std::vector<InputSpread> spreads = input_spreads(run);
  printer.title("Drawn for each sample" +
                (spreads[0].samples < run.samples ? ", the first " + whole(spreads[0].samples) + " of them" : ""));
  TextTable table(2, {"input", "unit", "mean", "sd", "min", "max"});
  std::vector<std::string> named;
  for (std::size_t k = 0; k < run.varied.size(); ++k) {
    const Input& input = run.varied[k];
    const InputSpread& s = spreads[k];
    if (input.choices.empty()) {
      table.row({input.name, input.unit == "1" ? "" : input.unit, short_number(s.mean), short_number(s.sd()),
                 short_number(s.min), short_number(s.max)});
      continue;
    }
    std::string text = input.name + ":";
    for (std::size_t i = 0; i < input.choices.size(); ++i)
      text += (i ? ", " : " ") + whole(s.counts[i]) + " " + input.choices[i];
    named.push_back(text);
  }
  if (!table.empty()) table.print(printer.out);
  for (const std::string& text : named) print_wrapped(printer.out, "  " + text, 4);
}

/// The shown columns of several ensembles under each other; `key` heads the column of their names.
struct Named {
  std::string name;
  const std::vector<ColumnStatistics>* columns;
};
void print_headline(const Printer& printer, const Run& run, const Description& description, const std::string& key,
                    const std::vector<Named>& rows, int replicates) {
  std::vector<std::string> below_one;
  const bool replicated = replicates > 0;
  const TextTable table = fitting([&](int digits) {
    const ShownStatistics shown{.all = true, .replicated = replicated, .digits = digits};
    TextTable of(3, shown.heads({"column", "unit", key}));
    below_one.clear();
    for (const int c : shown_columns(run, description)) {
      const Column& column = column_of(description, c);
      bool defined = false;
      for (const Named& row : rows) defined = defined || (*row.columns)[static_cast<std::size_t>(c)].n > 0;
      if (!defined) continue;
      for (const Named& row : rows) {
        const ColumnStatistics& s = (*row.columns)[static_cast<std::size_t>(c)];
        if (is_below_one(s.gain)) below_one.push_back(column.name + ", " + row.name + " (" + gain_text(s.gain) + ")");
        const bool first = &row == &rows.front();
        of.row(shown.cells({first ? column.name : "", first ? unit_of(column) : "", row.name}, s));
      }
    }
    return of;
  });
  if (table.empty()) return;
  table.print(printer.out);
  if (replicated) print_gain(printer, replicates, below_one);
}

void print_groups(const Printer& printer, const Run& run, const Arm& arm, const std::string& title) {
  const Statistics& statistics = arm.statistics;
  if (statistics.groups.empty()) return;
  printer.title(title);
  std::vector<Named> rows;
  for (std::size_t g = 0; g < statistics.groups.size(); ++g) {
    const GroupStatistics& group = statistics.groups[g];
    printer.out << "  " << run.shape_names[g] << ": " << status_line(group.samples, group.status) << '\n';
    if (group.samples > 0) rows.push_back({run.shape_names[g], &group.columns});
  }
  if (!rows.empty()) print_headline(printer, run, *arm.table.description, run.group_by, rows, statistics.replicates);
}

void print_deposition(const Printer& printer, std::span<const Arm> arms) {
  const auto stopped = [](const Arm& arm) { return arm.statistics.deposition.n > 0; };
  if (!arms[0].statistics.has_deposition || std::none_of(arms.begin(), arms.end(), stopped)) return;
  const Description& description = *arms[0].table.description;
  const std::string unit = column_of(description, description.deposition_x).unit;
  printer.title("Resting places of the samples that stopped (" + unit + ")");
  TextTable table(
      1, {"arm", "n", "mean x", "mean y", "sd x", "sd y", "semi-major", "semi-minor", "angle (rad)", "lateral width"});
  for (const Arm& arm : arms) {
    const Deposition& d = arm.statistics.deposition;
    // Errors under a normal law, as in column_texts; of the angle by the asymptotic law of principal axes
    // (Anderson, Annals of Mathematical Statistics 34, 1963); of the width that of two independent quantiles.
    const double n = static_cast<double>(d.n), error = 1.96 / std::sqrt(n), of_sd = error / std::sqrt(2.0);
    const double sd_x = std::sqrt(d.var_x), sd_y = std::sqrt(d.var_y), a = d.semi_major, b = d.semi_minor;
    const double sd_across = d.lateral_width / (2 * 1.645);
    table.row({arm.name, whole(d.n), number_within(d.mean_x, error * sd_x), number_within(d.mean_y, error * sd_y),
               number_within(sd_x, of_sd * sd_x), number_within(sd_y, of_sd * sd_y), number_within(a, of_sd * a),
               number_within(b, of_sd * b), number_within(d.angle, error * a * b / (a * a - b * b)),
               number_within(d.lateral_width, 2.11 * std::sqrt(2.0) * error * sd_across)});
  }
  table.print(printer.out);
  printer.out << "Ellipse: 95 % of a normal law with this covariance, major axis at `angle` from +x.\nLateral width: "
              << arms[0].statistics.deposition.width_definition << ".\n";
}

void print_published(const Printer& printer, const Run& run, std::span<const Arm> arms) {
  const TextTable table = published_table(run, arms);
  if (table.empty()) return;
  printer.title(published_title(run.published));
  table.print(printer.out);
}

void print_observed(const Printer& printer, const Run& run, std::span<const Arm> arms) {
  const std::optional<ObservedBeside> beside = observed_beside(run, arms);
  if (!beside) return;
  printer.title(beside->title);
  beside->table.print(printer.out);
  if (!beside->left_out.empty()) print_wrapped(printer.out, beside->left_out, 2);
  for (const std::string& note : beside->notes) print_wrapped(printer.out, note, 2);
  if (beside->censored) print_wrapped(printer.out, censored_note, 2);
}

void print_scores(const Printer& printer, const Run& run, std::span<const Arm> arms) {
  const ScoresShown shown = scores_shown(run, arms);
  if (shown.table.empty()) return;
  printer.title(shown.title);
  shown.table.print(printer.out);
  for (const std::string& note : shown.notes) print_wrapped(printer.out, note, 2);
  printer.title("Where the observations lie in their forecasts (PIT), as many as there are in each tenth");
  pit_table(run, arms).print(printer.out);
}

}  // namespace

void print_header(const Printer& printer, const Run& run, std::span<const Arm> arms) {
  const Description& description = *arms[0].table.description;
  std::ostream& out = printer.out;
  out << (printer.colour ? "\033[1m" : "") << description.system << (printer.colour ? "\033[0m" : "");
  if (!run.title.empty()) out << ": " << run.title;
  out << '\n'
      << printable(run.config_path) << ", " << samples_text(arms[0].table.samples) << shard_text(run, arms[0].table)
      << ", seed " << run.spec.seed << ", step " << steps_text(run) << '\n';
  if (run.sampling.sobol) out << "sampling " << sampling_text(run.sampling) << '\n';
  if (!run.terrain_name.empty()) print_wrapped(out, "terrain " + terrain_text(run), 2);
  if (!run.ground_map.empty()) print_wrapped(out, "ground classes " + run.ground_map, 2);
  for (const std::string& shape : shapes_text(run, 20)) print_wrapped(out, "shape " + shape, 2);
  if (!run.preset.empty()) out << preset_text(run) << '\n';
  if (const std::string keys = keys_of_arms(arms); !keys.empty()) print_wrapped(out, "but the arms set " + keys, 2);
  for (const Arm& arm : arms) {
    out << '\n' << arm.name << ": " << status_line(arm.table.samples, arm.statistics.status) << '\n';
    out << "  " << arm.sample_steps << " sample-steps in " << short_number(arm.wall_s) << " s, backend " << arm.backend;
    if (!arm.device.empty()) out << " (" << arm.device << ")";
    out << ", " << arm.threads << (arm.threads == 1 ? " thread\n" : " threads\n");
    out << "  digest " << arm.digest << '\n';
    if (const std::string left_out = left_out_samples(arm); !left_out.empty()) print_wrapped(out, "  " + left_out, 2);
  }
}

void print_run(std::ostream& out, const Run& run, const Arm& arm, const Form& form) {
  if (!form.all) return print_short_run(out, run, arm, form);
  const Printer printer{out, form.colour};
  const std::span<const Arm> arms(&arm, 1);
  print_header(printer, run, arms);
  print_inputs(printer, run);
  print_targets(out, arm, form.colour);
  print_columns(printer, *arm.table.description, arm.statistics);
  print_groups(printer, run, arm, "By " + run.group_by);
  print_deposition(printer, arms);
  print_published(printer, run, arms);
  print_observed(printer, run, arms);
  print_scores(printer, run, arms);
  print_gates(printer, arms);
  print_barriers(printer, arms);
  print_frequencies(printer, arms);
  print_forest(printer, arms);
  print_maps(printer, arms);
}

void print_compare(std::ostream& out, const Run& run, std::span<const Arm> arms, const Evaluation& evaluation,
                   const Form& form) {
  if (!form.all) return print_short_compare(out, run, arms, evaluation, form);
  const Printer printer{out, form.colour};
  print_header(printer, run, arms);
  print_inputs(printer, arms[0].run ? *arms[0].run : run);
  printer.title("By arm, each over its own samples");
  std::vector<Named> rows;
  for (const Arm& arm : arms) rows.push_back({arm.name, &arm.statistics.columns});
  print_headline(printer, run, *arms[0].table.description, "arm", rows, arms[0].statistics.replicates);
  print_two_errors(printer, arms, evaluation);
  for (const Arm& arm : arms) print_groups(printer, run, arm, arm.name + ", by " + run.group_by);
  print_deposition(printer, arms);
  print_published(printer, run, arms);
  print_observed(printer, run, arms);
  print_scores(printer, run, arms);
  print_gates(printer, arms);
  print_barriers(printer, arms);
  print_frequencies(printer, arms);
  print_forest(printer, arms);
  print_maps(printer, arms);
  for (const Comparison& comparison : evaluation.comparisons) print_comparison(printer, comparison, arms);
  print_reasons(printer, run, arms, evaluation);
  printer.title("Verdict");
  for (const std::string& text : evaluation.verdict) print_wrapped(out, "- " + text, 2);
}

void print_sensitivity(std::ostream& out, const Run& run, const std::vector<Variant>& variants, bool colour) {
  if (variants.empty()) return;
  const Printer printer{out, colour};
  printer.title("Sensitivity to " + run.sensitivity.key);
  std::vector<Named> rows;
  for (const Variant& variant : variants) {
    out << "  " << variant.value << ": " << status_line(variant.arm.table.samples, variant.arm.statistics.status)
        << '\n';
    rows.push_back({variant.value, &variant.arm.statistics.columns});
  }
  print_headline(printer, run, *variants[0].arm.table.description, "value", rows,
                 variants[0].arm.statistics.replicates);
}

}  // namespace scree
