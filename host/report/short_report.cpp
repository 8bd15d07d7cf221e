#include "short_report.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "beside.hpp"
#include "compare.hpp"
#include "forest.hpp"
#include "gates.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "maps.hpp"
#include "printer.hpp"
#include "scores.hpp"
#include "targets.hpp"
#include "verdict.hpp"

namespace scree {
namespace {

constexpr const char* barriers_title = "Barriers, with energy and height at first arrivals";

/// A path, or its end where it is long.
std::string end_of_path(const std::string& path) {
  constexpr std::size_t most = 48;
  return path.size() <= most ? path : ".." + path.substr(path.size() - most + 2);
}

/// "pack (AVX-512) on 2 threads", of all arms.
std::string backends_text(std::span<const Arm> arms) {
  std::vector<std::string> names;
  for (const Arm& arm : arms) {
    const std::string name = arm.backend + (arm.device.empty() ? "" : " (" + arm.device + ")") + " on " +
                             std::to_string(arm.threads) + (arm.threads == 1 ? " thread" : " threads");
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return joined(names);
}

/// "explicit, implicit: 200 samples: 200 stopped": a line for all arms whose samples ended alike.
std::vector<std::string> endings(std::span<const Arm> arms) {
  std::vector<std::string> lines;
  std::vector<bool> told(arms.size(), false);
  for (std::size_t a = 0; a < arms.size(); ++a) {
    if (told[a]) continue;
    std::vector<std::string> names;
    for (std::size_t b = a; b < arms.size(); ++b)
      if (status_line(arms[b].table.samples, arms[b].statistics.status) ==
          status_line(arms[a].table.samples, arms[a].statistics.status)) {
        told[b] = true;
        names.push_back(arms[b].name);
      }
    constexpr std::size_t most = 60;
    const std::string list = joined(names);
    lines.push_back((names.size() == 1 || list.size() <= most ? list : std::to_string(names.size()) + " arms") + ": " +
                    status_line(arms[a].table.samples, arms[a].statistics.status));
  }
  return lines;
}

/// What was run, and how the samples of each arm ended.
void add_head(Screen& screen, const Run& run, std::span<const Arm> arms) {
  const Description& description = *arms[0].table.description;
  std::vector<std::string> lines;
  const auto add = [&](const std::string& text, std::size_t most) {
    std::vector<std::string> some = wrapped(text, 2, screen_width);
    if (some.size() > most) some[most - 1] += "..";
    lines.insert(lines.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(std::min(most, some.size())));
  };
  add(end_of_path(printable(run.config_path)) + ", " + samples_text(arms[0].table.samples) +
          shard_text(run, arms[0].table) + ", seed " + std::to_string(run.spec.seed) + ", step " + steps_text(run),
      2);
  if (run.sampling.sobol) add("sampling " + sampling_text(run.sampling), 1);
  if (!run.terrain_name.empty()) add("terrain " + terrain_text(run), 2);
  if (!run.ground_map.empty()) add("ground classes " + run.ground_map, 2);
  for (const std::string& shape : shapes_text(run, 1)) add("shape " + shape, 1);
  if (!run.preset.empty()) add(preset_text(run), 2);
  if (const std::string keys = keys_of_arms(arms); !keys.empty()) add("but the arms set " + keys, 2);
  double wall_s = 0, steps = 0;
  for (const Arm& arm : arms) {
    wall_s += arm.wall_s;
    steps += static_cast<double>(arm.sample_steps);
  }
  add(short_number(steps) + " sample-steps in " + short_number(wall_s) + " s, " + backends_text(arms), 1);
  const std::size_t least = lines.size() + 4;
  for (const std::string& line : endings(arms)) lines.push_back(line);
  for (const Arm& arm : arms)
    if (const std::string left_out = left_out_samples(arm); !left_out.empty()) add(arm.name + ": " + left_out, 2);
  screen.add(description.system + (run.title.empty() ? "" : ": " + run.title), lines, least);
}

/// Whether any sample has a value, so that there is something to show.
bool has_value(std::span<const Arm> arms, int c) {
  return std::any_of(arms.begin(), arms.end(),
                     [&](const Arm& arm) { return arm.statistics.columns[static_cast<std::size_t>(c)].n > 0; });
}

/// Which of the columns that were asked for have nothing to show.
void add_without_value(Screen& screen, const Run& run, std::span<const Arm> arms) {
  std::vector<std::string> names;
  for (const int c : run.columns)
    if (!has_value(arms, c)) names.push_back(column_of(*arms[0].table.description, c).name);
  if (!names.empty()) screen.add("", wrapped("No sample has a value of " + joined(names) + ".", 2, screen_width), 1);
}

void add_rest(Screen& screen, const Form& form, const std::string& all) {
  const std::string kept = form.file.empty() ? "-o FILE keeps the samples"
                                             : end_of_path(form.file) + " keeps the samples (scree info, scree replay)";
  screen.add("", wrapped("--all: " + all + "; --json: one object; " + kept, 2, screen_width), 2);
}

void add_gates(Screen& screen, std::span<const Arm> arms) {
  if (!have_gates(arms)) return;
  GatesShown shown = gates_shown(arms);
  screen.add("Gates, at first crossings", std::move(shown.lines), shown.least);
}

void add_frequencies(Screen& screen, std::span<const Arm> arms) {
  if (!have_frequencies(arms)) return;
  std::vector<std::string> lines =
      within_screen([&](std::size_t width) { return frequencies_table(arms, width); }).lines(screen_width);
  for (const std::string& line : wrapped(frequencies_note, 2, screen_width)) lines.push_back(line);
  screen.add(frequencies_title(arms), lines, 3);
}

void add_targets(Screen& screen, const Until& until) {
  if (!until.looks.empty()) screen.add(targets_title(until), targets_table(until), 3);
}

void add_beside(Screen& screen, const Run& run, std::span<const Arm> arms) {
  screen.add(published_title(run.published), published_table(run, arms), 4);
  if (const std::optional<ObservedBeside> beside = observed_beside(run, arms)) {
    std::vector<std::string> lines = beside->table.lines(screen_width);
    for (const std::string& note : beside->notes)
      for (const std::string& line : wrapped(note, 2, screen_width)) lines.push_back(line);
    screen.add(beside->title, lines, 5);
  }
  if (const ScoresShown shown = scores_shown(run, arms, true); !shown.table.empty()) {
    std::vector<std::string> lines = shown.table.lines(screen_width);
    for (const std::string& note : shown.notes)
      for (const std::string& line : wrapped(note, 2, screen_width)) lines.push_back(line);
    screen.add(shown.title, lines, 5);
  }
}

}  // namespace

void print_short_run(std::ostream& out, const Run& run, const Arm& arm, const Form& form) {
  Screen screen(form);
  const std::span<const Arm> arms(&arm, 1);
  const Description& description = *arm.table.description;
  const Statistics& statistics = arm.statistics;
  const ShownStatistics shown{.all = false, .replicated = statistics.replicates > 0};
  add_head(screen, run, arms);
  screen.add_items("Verdict", run_verdict(run, arm), 4);
  add_targets(screen, arm.until);
  TextTable table(2, shown.heads({"column", "unit"}));
  for (const int c : shown_columns(run, description))
    if (const ColumnStatistics& s = statistics.columns[static_cast<std::size_t>(c)]; s.n > 0)
      table.row(shown.cells({column_of(description, c).name, unit_of(column_of(description, c))}, s));
  screen.add("Mean with its 95 % confidence, and quantiles", table, 3);
  add_without_value(screen, run, arms);
  add_beside(screen, run, arms);
  // Observed numbers stand beside those of each group.
  const std::size_t groups = run.observed.value.empty() ? statistics.groups.size() : 0;
  TextTable by_group(3, shown.heads({"column", "unit", run.group_by}));
  for (const int c : shown_columns(run, description))
    for (std::size_t g = 0; g < groups; ++g) {
      const ColumnStatistics& s = statistics.groups[g].columns[static_cast<std::size_t>(c)];
      const Column& column = column_of(description, c);
      by_group.row(shown.cells({g == 0 ? column.name : "", g == 0 ? unit_of(column) : "", run.shape_names[g]}, s));
    }
  screen.add("By " + run.group_by, by_group, 2);
  add_gates(screen, arms);
  if (have_barriers(arms)) screen.add(barriers_title, barriers_lines(arms), 6);
  add_frequencies(screen, arms);
  if (const auto lines = forest_lines(arms); !lines.empty()) screen.add_items("Forest", lines, 3);
  if (arm.map_facts) screen.add_items("Maps", maps_lines(*arm.map_facts), 3);
  add_rest(screen, form, "every column");
  screen.print(out);
}

namespace {

/// Both arms beside each other, over the pairs.
TextTable pair_table(std::span<const Arm> arms, const Evaluation& evaluation) {
  const Description& description = *arms[0].table.description;
  const Comparison& comparison = evaluation.comparisons[0];
  TextTable table(2, {"column", "unit", "pairs", comparison.baseline, comparison.arm, "difference", "95 % from", "to",
                      "judgement"});
  for (const int c : evaluation.columns) {
    if (!has_value(arms, c)) continue;
    const ColumnComparison& of = comparison.columns[static_cast<std::size_t>(c)];
    const PairedColumn& p = of.paired;
    const auto known = [half = half_width(p)](double x) { return number_within(x, half); };
    const auto of_arm = [&](const Arm& arm, double mean) {
      return number_within(mean, half_width(arm.statistics.columns[static_cast<std::size_t>(c)]));
    };
    table.row({column_of(description, c).name, unit_of(column_of(description, c)), whole(p.n),
               of_arm(arms[0], p.baseline_mean), of_arm(arms[1], p.arm_mean), known(p.difference), known(p.ci_low),
               known(p.ci_high), judgement_name(of.judgement)});
  }
  return table;
}

/// Several arms under each other, each over its pairs with the first, their names within `width`.
TextTable arms_table_within(std::size_t width, std::span<const Arm> arms, const Evaluation& evaluation) {
  const Description& description = *arms[0].table.description;
  std::vector<std::string> names;
  for (const Arm& arm : arms) names.push_back(arm.name);
  names = distinct_within(names, width);
  TextTable table(3, {"column", "unit", "arm", "n", "mean", "difference", "95 % from", "to", "judgement"});
  for (const int c : evaluation.columns) {
    if (!has_value(arms, c)) continue;
    const std::size_t k = static_cast<std::size_t>(c);
    const ColumnStatistics& first = arms[0].statistics.columns[k];
    table.row({column_of(description, c).name, unit_of(column_of(description, c)), names[0], whole(first.n),
               column_texts(first).mean, "", "", "", ""});
    for (std::size_t a = 1; a < arms.size(); ++a) {
      const ColumnComparison& of = evaluation.comparisons[a - 1].columns[k];
      const PairedColumn& p = of.paired;
      const auto known = [half = half_width(p)](double x) { return number_within(x, half); };
      table.row({"", "", names[a], whole(p.n), number_within(p.arm_mean, half_width(arms[a].statistics.columns[k])),
                 known(p.difference), known(p.ci_low), known(p.ci_high), judgement_name(of.judgement)});
    }
  }
  return table;
}

/// With the names as long as the screen leaves room for.
TextTable arms_table(std::span<const Arm> arms, const Evaluation& evaluation) {
  return within_screen([&](std::size_t width) { return arms_table_within(width, arms, evaluation); });
}

}  // namespace

void print_short_compare(std::ostream& out, const Run& run, std::span<const Arm> arms, const Evaluation& evaluation,
                         const Form& form) {
  Screen screen(form);
  add_head(screen, run, arms);
  screen.add_items("Verdict", short_verdict(arms, evaluation), 5);
  if (arms.size() == 2) {
    const Comparison& comparison = evaluation.comparisons[0];
    const TextTable table = pair_table(arms, evaluation);
    if (table.width(screen_width) <= screen_width)
      screen.add(
          "Means over the pairs, and " + comparison.arm + " - " + comparison.baseline + " with its 95 % interval",
          table, 4);
    else
      screen.add("Means, and differences from " + arms[0].name, arms_table(arms, evaluation), 4);
  } else {
    screen.add("Means, and differences from " + arms[0].name + " over the pairs with it", arms_table(arms, evaluation),
               4);
  }
  add_without_value(screen, run, arms);
  add_beside(screen, run, arms);
  add_gates(screen, arms);
  if (have_barriers(arms)) screen.add(barriers_title, barriers_lines(arms), 5);
  add_frequencies(screen, arms);
  if (const auto lines = forest_lines(arms); !lines.empty()) screen.add_items("Forest", lines, 3);
  std::vector<std::string> maps;
  for (const Arm& arm : arms)
    if (arm.map_facts) maps.push_back(arm.name + ": " + maps_lines(*arm.map_facts)[0]);
  if (!maps.empty()) screen.add_items("Maps", maps, 2);
  add_rest(screen, form, "every column, test and reason");
  screen.print(out);
}

void print_short_converge(std::ostream& out, const Run& run, std::span<const Arm> arms, const Evaluation& evaluation,
                          const Form& form) {
  Screen screen(form);
  const Description& description = *arms[0].table.description;
  add_head(screen, run, arms);
  screen.add_items("Verdict", converge_verdict(arms, evaluation), 5);
  TextTable table(3, {"column", "unit", "arm", "mean", "+-95 %", "order", "error", "at", "error", "at"});
  for (const int c : evaluation.columns) {
    const std::size_t k = static_cast<std::size_t>(c);
    bool first = true;
    for (std::size_t a = 0; a < arms.size(); ++a) {
      if (evaluation.steps[a].empty() || evaluation.steps[a][k].n == 0) continue;
      const ColumnSteps& s = evaluation.steps[a][k];
      const ColumnStatistics& at_step = arms[a].statistics.columns[k];
      // The finest step of which an error is known.
      std::size_t last = s.errors.size() - 1;
      while (last > 0 && !std::isfinite(s.errors[last].value)) --last;
      const double error = s.errors[0].seen() ? std::fabs(s.errors[0].value) : 0;
      const auto order =
          std::find_if(s.orders.rbegin(), s.orders.rend(), [](const Estimate& e) { return std::isfinite(e.value); });
      const auto step = [&](std::size_t i) {
        return step_text(i == 0 ? arms[a].step : arms[a].finer[i - 1].step) + " s";
      };
      table.row({first ? column_of(description, c).name : "", first ? unit_of(column_of(description, c)) : "",
                 shortened_within(arms[a].name, 24),
                 at_step.n < 2 ? number_within(at_step.mean, error)
                               : number_within(at_step.mean, std::max(half_width(at_step), error)),
                 at_step.n < 2 ? "-" : error_text(half_width(at_step)),
                 order == s.orders.rend() ? "-" : order_text(*order), step_error_text(s.errors[0], s.order_seen),
                 step(0), last == 0 ? "" : step_error_text(s.errors[last], s.order_seen), last == 0 ? "" : step(last)});
      first = false;
    }
  }
  screen.add("Time-step error of the mean: the size of mean minus limit", table, 4);
  TextTable cost(1, {"arm", "step (s)", "steps/sample", "us/sample", "finest (s)", "steps/sample", "us/sample"});
  for (const Arm& arm : arms) {
    std::vector<std::string> row{shortened_within(arm.name, 32)};
    for (const Arm* one : {&arm, arm.finer.empty() ? nullptr : &arm.finer.back()}) {
      if (!one) continue;
      const double samples = static_cast<double>(one->table.samples);
      row.insert(row.end(), {step_text(one->step), short_number(static_cast<double>(one->sample_steps) / samples),
                             short_number(1e6 * one->wall_s * one->threads / samples)});
    }
    cost.row(row);
  }
  add_without_value(screen, run, arms);
  screen.add("Cost", cost, 2);
  add_rest(screen, form, "every step, order and error");
  screen.print(out);
}

}  // namespace scree
