#include "compare.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "host/common/shell.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "host/config/config.hpp"
#include "host/statistics/most_different.hpp"
#include "host/statistics/targets.hpp"
#include "report.hpp"

namespace scree {
namespace {

using Json = nlohmann::ordered_json;

std::uint64_t both_counted(Counted counted, const SummaryTable& a, const SummaryTable& b) {
  std::uint64_t n = 0;
  for (std::uint64_t i = 0; i < a.samples; ++i)
    n += counts(counted, a.counted_status(i)) && counts(counted, b.counted_status(i));
  return n;
}

/// Whether there is something to test: two pairs or more, whose differences vary.
bool is_tested(const ColumnComparison& c) {
  return c.judgement != Judgement::equal && c.judgement != Judgement::constant && c.judgement != Judgement::too_few;
}

struct Section {
  TextTable differences, tests;
  std::vector<std::string> undefined, equal, notes;
  bool some_undefined = false;
};

Section section_of(Counted counted, const Comparison& comparison, const Arm& baseline, const Arm& arm,
                   std::uint64_t both, int digits) {
  const Description& description = *baseline.table.description;
  const bool replicated = comparison.replicates > 0;
  std::vector<std::string> head{"column",    "unit", "pairs", comparison.baseline, comparison.arm, "difference",
                                "95 % from", "to",   "p",     "judgement"};
  constexpr std::ptrdiff_t gain_place = 8;
  if (replicated) head.insert(head.begin() + gain_place, "gain");
  Section s{TextTable(2, head),
            TextTable(1, {"column", "effect", "Welch", "Wilcoxon", "KS D", "KS", "energy", "sd ratio", "spread"}),
            {},
            {},
            {}};
  for (std::size_t k = 0; k < description.columns.size(); ++k) {
    const Column& column = description.columns[k];
    const ColumnComparison& c = comparison.columns[k];
    const PairedColumn& p = c.paired;
    if (column.counted != counted) continue;
    if (p.n == 0 && both > 0) {
      s.undefined.push_back(column.name);
      continue;
    }
    s.some_undefined = s.some_undefined || p.n < both;
    if (c.judgement == Judgement::equal) {
      s.equal.push_back(column.name);
      continue;
    }
    const auto known = [&, half = half_width(p)](double x) { return number_within(x, half, digits); };
    std::vector<std::string> row{column.name,
                                 unit_of(column),
                                 whole(p.n),
                                 number_within(p.baseline_mean, half_width(baseline.statistics.columns[k])),
                                 number_within(p.arm_mean, half_width(arm.statistics.columns[k])),
                                 known(p.difference),
                                 known(p.ci_low),
                                 known(p.ci_high),
                                 p_text(c.tests[paired_t].p_holm),
                                 judgement_name(c.judgement)};
    if (replicated) row.insert(row.begin() + gain_place, gain_text(p.gain));
    s.differences.row(row);
    if (!is_tested(c)) continue;
    // 95 % of the normal laws for large n: of d, 1/n + d^2 / (2 n) of variance; of a ratio of sds of independent
    // values, 1/n of its square; of the distance between two distribution functions, less than 1 / (2 n).
    const double n = static_cast<double>(p.n), d = p.effect_size, of_root = 1.96 / std::sqrt(n);
    s.tests.row({column.name, number_within(d, of_root * std::sqrt(1 + d * d / 2)), p_text(c.tests[welch_t].p_holm),
                 p_text(c.tests[wilcoxon].p_holm),
                 number_within(c.tests[kolmogorov].statistic, of_root / std::sqrt(2.0)),
                 p_text(c.tests[kolmogorov].p_holm), p_text(c.tests[energy].p_holm),
                 number_within(c.sd_ratio, of_root * c.sd_ratio), p_text(c.tests[spread].p_holm)});
    if (c.intervals_disagree)
      s.notes.push_back(column.name + ": the BCa bootstrap gives " + known(c.bootstrap.interval.low) + " to " +
                        with_unit(known(c.bootstrap.interval.high), column) + " for the difference" +
                        (c.bootstrap.block_means ? ", from " + whole(c.bootstrap.units) + " block means" : "") +
                        "; the intervals disagree, the values are skewed or few.");
    if (p.only_baseline + p.only_arm > 0 && counted == Counted::all)
      s.notes.push_back(column.name + ": " + samples_text(p.only_baseline) + " with a value only under " +
                        comparison.baseline + ", " + whole(p.only_arm) + " only under " + comparison.arm +
                        "; left out.");
  }
  return s;
}

/// How samples ended in both arms, where they did not all stop in both.
void print_endings(const Printer& printer, const Comparison& comparison) {
  std::vector<std::size_t> rows, columns;
  for (std::size_t s = 0; s < status_count; ++s) {
    std::uint64_t row = 0, column = 0;
    for (std::size_t t = 0; t < status_count; ++t) {
      row += comparison.joint[s][t];
      column += comparison.joint[t][s];
    }
    if (row > 0) rows.push_back(s);
    if (column > 0) columns.push_back(s);
  }
  if (rows.size() < 2 && rows == columns) return;
  printer.title("How samples ended: rows under " + comparison.baseline + ", columns under " + comparison.arm);
  std::vector<std::string> header{""};
  for (const std::size_t c : columns) header.push_back(status_names[c]);
  TextTable table(1, header);
  for (const std::size_t r : rows) {
    std::vector<std::string> cells{status_names[r]};
    for (const std::size_t c : columns) cells.push_back(whole(comparison.joint[r][c]));
    table.row(cells);
  }
  table.print(printer.out);
  const std::uint64_t one = comparison.stopped_baseline + comparison.stopped_arm;
  if (one > 0)
    print_wrapped(printer.out,
                  whole(comparison.stopped_baseline) + " stopped only under " + comparison.baseline + ", " +
                      whole(comparison.stopped_arm) + " only under " + comparison.arm +
                      " (exact McNemar test of equal shares: " + p_phrase(comparison.stopping.p) +
                      "). They take part in no comparison of resting places.",
                  2);
}

void print_legend(const Printer& printer, const Comparison& comparison, std::size_t comparisons) {
  std::uint64_t permuted = 0, pairs = 0, units = 0;
  for (const ColumnComparison& c : comparison.columns) {
    permuted = std::max(permuted, c.permuted);
    pairs = std::max(pairs, c.paired.n);
    units = std::max(units, c.bootstrap.units);
  }
  const std::string subsample = permuted < pairs ? ", p on a fixed sub-sample of " + whole(permuted) + " pairs" : "";
  std::string text = "p: paired t test; ";
  if (comparison.replicates > 0)
    text +=
        "tests: Kolmogorov-Smirnov and energy distance (" + whole(permutations) +
        " permutations). The samples come in " + whole(static_cast<std::uint64_t>(comparison.replicates)) +
        " replicates: t tests rest on what these differ by, permutations swap whole ones, and tests that take pairs "
        "as independent are not given. ";
  else
    text += "tests: Welch's t, Wilcoxon's signed ranks (" + std::string(wilcoxon_rules) +
            "), Kolmogorov-Smirnov and energy distance (" + whole(permutations) +
            " permutations, arms swapped within pairs" + subsample +
            "), spread by Brown-Forsythe (Levene about the median). ";
  text += "Each kind of test is adjusted by Holm's rule over the " + whole(comparison.compared) +
          " columns of this comparison: " + whole(comparison.p_values) + " p-values in all";
  if (comparisons > 1) text += ", and as many in each of the other " + whole(comparisons - 1) + " comparisons";
  const double least = 1.0 / (permutations + 1);
  text += ". The least p that permutations can give is " + p_text(least) + ", " +
          p_text(std::min(1.0, least * static_cast<double>(comparison.compared))) +
          " after the adjustment. Judgement at 5 % by the paired t test";
  if (comparison.margins > 0)
    text += " and, for the " + whole(comparison.margins) + " with a margin, one-sided t tests against it";
  if (units < pairs && units > 0) text += ". The bootstrap draws from means of " + whole(units) + " blocks of pairs";
  print_wrapped(printer.out,
                text +
                    ". Effect: mean difference over the standard deviation of the differences. sd ratio: of the "
                    "arm's standard deviation to the baseline's.",
                2);
}

}  // namespace

std::string step_error_text(const Estimate& error, bool order_seen) {
  if (!std::isfinite(error.value)) return "-";
  if (error.value == 0 && !(error.high > 0)) return "0";
  if (std::isfinite(error.low) && !error.seen()) return "<" + error_text(std::max(-error.low, error.high));
  return (order_seen ? "" : ">=") + error_text(error.value);
}

std::string order_text(const Estimate& order) {
  return number_within(order.value, std::max(0.005, order.half_width()));
}

std::string step_text(double step) {
  const std::string text = number_text(step);
  return text.size() <= 8 ? text : short_number(step);
}

void print_comparison(const Printer& printer, const Comparison& comparison, std::span<const Arm> arms) {
  const Arm& baseline = arms[0];
  const Arm& arm = *std::find_if(arms.begin(), arms.end(), [&](const Arm& a) { return a.name == comparison.arm; });
  print_endings(printer, comparison);
  std::vector<Section> sections;
  for (const Counted counted : {Counted::stopped, Counted::all}) {
    const std::uint64_t both = both_counted(counted, baseline.table, arm.table);
    int digits = most_digits;
    Section s = section_of(counted, comparison, baseline, arm, both, digits);
    while (s.differences.width(report_width) > report_width && digits > 4)
      s = section_of(counted, comparison, baseline, arm, both, --digits);
    if (s.differences.empty() && s.undefined.empty() && s.equal.empty()) continue;
    if (both == 0) {
      printer.title("No sample " + std::string(counted == Counted::stopped ? "stopped" : "was finished") + " in both " +
                    arm.name + " and " + baseline.name);
      continue;
    }
    printer.title("Paired differences " + arm.name + " - " + baseline.name + " over the " + samples_text(both) + " " +
                  section_name(counted) + " in both; left out: " + whole(comparison.samples - both));
    if (!s.differences.empty()) s.differences.print(printer.out);
    if (s.some_undefined) printer.out << "Fewer pairs: the quantity does not exist for the other samples.\n";
    print_names(printer, "Equal in all pairs:", s.equal);
    print_names(printer, no_value_of, s.undefined);
    for (const std::string& note : s.notes) print_wrapped(printer.out, note, 2);
    sections.push_back(std::move(s));
  }
  const bool some = std::any_of(sections.begin(), sections.end(), [](const Section& s) { return !s.tests.empty(); });
  if (!some) return;
  printer.title("Tests of " + arm.name + " against " + baseline.name + ": p-values");
  for (const Section& s : sections)
    if (!s.tests.empty()) s.tests.print(printer.out);
  print_legend(printer, comparison, arms.size() - 1);
}

// ---------------------------------------------------------------------------------------------------------------------

namespace {

/// A number, its sampling error and its time-step error, as three cells; digits beyond the larger error are left out.
void add_cells(std::vector<std::string>& cells, double value, double sampling, const Estimate& step, bool order_seen) {
  // Where the sample is too small to tell its error, two digits are not too few.
  const double known = std::isfinite(sampling) ? sampling : std::fabs(value) / 10;
  cells.push_back(number_within(value, std::max(known, step.seen() ? std::fabs(step.value) : 0.0)));
  cells.push_back(std::isfinite(sampling) ? error_text(sampling) : "-");
  cells.push_back(step_error_text(step, order_seen));
}

/// Sampling error, 95 %, of a statistic of a column.
double sampling_error(const Arm& arm, int column, TargetStatistic statistic, double p = 0.5) {
  PrecisionTarget target;
  target.column = column;
  target.statistic = statistic;
  target.p = p;
  return reach(target, arm.table, 0.05).half_width;
}

}  // namespace

void print_two_errors(const Printer& printer, std::span<const Arm> arms, const Evaluation& evaluation) {
  const auto measured = std::find_if(arms.begin(), arms.end(), [](const Arm& arm) { return !arm.finer.empty(); });
  if (measured == arms.end()) return;
  const Description& description = *arms[0].table.description;
  printer.title("Two errors of each number: sampling (+-95 %) and time step");
  TextTable table(
      3, {"column", "unit", "arm", "mean", "+-95 %", "step", "sd", "+-95 %", "step", "95 %", "+-95 %", "step"});
  for (const int c : evaluation.columns) {
    const std::size_t k = static_cast<std::size_t>(c);
    const Column& column = column_of(description, c);
    for (std::size_t a = 0; a < arms.size(); ++a) {
      const ColumnStatistics& s = arms[a].statistics.columns[k];
      if (evaluation.steps[a].empty() || s.n == 0) continue;
      const ColumnSteps& steps = evaluation.steps[a][k];
      std::vector<std::string> cells{a == 0 ? column.name : "", a == 0 ? unit_of(column) : "", arms[a].name};
      add_cells(cells, s.mean, half_width(s), steps.errors[0], steps.order_seen);
      add_cells(cells, s.sd, sampling_error(arms[a], c, TargetStatistic::sd), steps.sd_error, false);
      add_cells(cells, s.quantiles[5], sampling_error(arms[a], c, TargetStatistic::quantile, 0.95),
                steps.quantile_errors[5], false);
      table.row(cells);
    }
  }
  table.print(printer.out);
  std::string text = "Step: the size of the change to each arm's finest step";
  if (const SummaryTable& finest = measured->finer.back().table; finest.samples < measured->table.samples)
    text += ", on the first " + samples_text(finest.samples);
  text +=
      ". >= is a lower bound of the time-step error, since the scheme's order has not been seen; < was not seen and "
      "is smaller (95 %). Digits beyond the larger error are left out.";
  print_wrapped(printer.out, text, 2);
}

// ---------------------------------------------------------------------------------------------------------------------

namespace {

constexpr std::size_t replays = 3;

/// The command that replays a sample of an arm from the config.
std::string replay_command(const Run& run, const Arm& arm, std::uint64_t sample) {
  std::string text = "scree replay " + shell_word(run.config_path) + " --scheme " + shell_word(arm.scheme) +
                     " --sample " + whole(sample);
  for (const std::string& overlay : run.overlays) {
    const std::string option = overlay.substr(0, overlay.find(':'));
    if (option == "--set" || option == "--seed" || option == "--samples") text += " " + option_of(overlay);
  }
  for (const std::string& change : arm.changes) text += " " + option_of(change);
  return text;
}

/// The column that samples are ranked by: the first in which two arms differ.
int ranked_column(const Comparison& comparison, const std::vector<int>& columns) {
  for (const int c : columns)
    if (const Judgement j = comparison.columns[static_cast<std::size_t>(c)].judgement;
        j != Judgement::equal && j != Judgement::too_few)
      return c;
  return -1;
}

}  // namespace

std::vector<DifferingSample> differing_samples(const Run& run, const Arm& baseline, const Arm& arm,
                                               const Comparison& comparison) {
  const int c = ranked_column(comparison, shown_columns(run, *baseline.table.description));
  return c < 0 ? std::vector<DifferingSample>() : most_different(baseline.table, arm.table, {c}, replays);
}

void print_reasons(const Printer& printer, const Run& run, std::span<const Arm> arms, const Evaluation& evaluation) {
  const Description& description = *arms[0].table.description;
  std::vector<std::string> header{"column", "unit"};
  for (const Arm& arm : arms) header.push_back(arm.name);
  for (std::size_t a = 1; a < arms.size(); ++a) {
    header.push_back(arms.size() == 2 ? "difference" : arms[a].name + " -");
    header.push_back("+-95 %");
  }
  TextTable table(2, header);
  for (const int c : description.why) {
    const std::size_t k = static_cast<std::size_t>(c);
    const Column& column = column_of(description, c);
    std::vector<std::string> cells{column.name, unit_of(column)};
    bool some = false;
    for (const Arm& arm : arms) {
      const ColumnStatistics& s = arm.statistics.columns[k];
      some = some || s.n > 0;
      cells.push_back(number_within(s.mean, half_width(s)));
    }
    for (const Comparison& comparison : evaluation.comparisons) {
      const PairedColumn& p = comparison.columns[k].paired;
      const double width = half_width(p);
      cells.push_back(number_within(p.difference, width));
      cells.push_back(error_text(width));
    }
    if (some) table.row(cells);
  }
  if (!table.empty()) {
    printer.title("Why: means by arm, and paired differences");
    table.print(printer.out);
  }
  for (const Comparison& comparison : evaluation.comparisons) {
    const Arm& arm = *std::find_if(arms.begin(), arms.end(), [&](const Arm& a) { return a.name == comparison.arm; });
    const std::vector<DifferingSample> samples = differing_samples(run, arms[0], arm, comparison);
    if (samples.empty()) continue;
    const Column& column = column_of(description, samples[0].column);
    printer.title("Samples that " + arm.name + " and " + arms[0].name + " treat most differently, by " + column.name +
                  (unit_of(column).empty() ? "" : " (" + unit_of(column) + ")"));
    TextTable list(1, {"sample", arms[0].name, arm.name, "difference"});
    for (const DifferingSample& s : samples)
      list.row({whole(s.sample), short_number(s.a), short_number(s.b), short_number(s.b - s.a)});
    list.print(printer.out);
    for (const DifferingSample& sample : samples)
      for (const Arm* one : {&arms[0], &arm}) printer.out << "  " << replay_command(run, *one, sample.sample) << '\n';
  }
}

// ---------------------------------------------------------------------------------------------------------------------

namespace {

Json interval_json(double low, double high) { return {low, high}; }
Json estimate_json(const Estimate& e) { return {{"value", e.value}, {"ci95", {e.low, e.high}}}; }

}  // namespace

Json comparison_json(const Comparison& comparison, const Description& description) {
  Json json = Json::object();
  for (std::size_t k = 0; k < comparison.columns.size(); ++k) {
    const ColumnComparison& c = comparison.columns[k];
    const PairedColumn& p = c.paired;
    Json column{{"n", p.n},
                {"difference", p.difference},
                {"ci95", interval_json(p.ci_low, p.ci_high)},
                {"ci95_bca", interval_json(c.bootstrap.interval.low, c.bootstrap.interval.high)},
                {"intervals_disagree", c.intervals_disagree},
                {"bootstrap_units", c.bootstrap.units},
                {"permuted_pairs", c.permuted},
                {"only_baseline", p.only_baseline},
                {"only_arm", p.only_arm},
                {"effect_size", p.effect_size},
                {"sd_ratio", c.sd_ratio}};
    if (comparison.replicates > 0) column["gain"] = p.gain;
    for (std::size_t t = 0; t < column_tests; ++t)
      column[column_test_names[t]] = {
          {"statistic", c.tests[t].statistic}, {"p", c.tests[t].p}, {"p_holm", c.tests[t].p_holm}};
    if (c.margin > 0)
      column["margin"] = {{"value", c.margin}, {"p_equivalent", c.p_equivalent}, {"p_beyond", c.p_beyond}};
    if (c.judgement == Judgement::undecided) column["margin"]["samples_needed"] = c.samples_needed;
    column["judgement"] = judgement_name(c.judgement);
    json[description.columns[k].name] = column;
  }
  return json;
}

Json endings_json(const Comparison& comparison) {
  Json json{{"columns_compared", comparison.compared},
            {"p_values", comparison.p_values},
            {"stopped_both", comparison.stopped_both},
            {"stopped_only_baseline", comparison.stopped_baseline},
            {"stopped_only_arm", comparison.stopped_arm},
            {"p_mcnemar", comparison.stopping.p},
            {"statuses", Json::array()}};
  for (std::size_t s = 0; s < status_count; ++s)
    for (std::size_t t = 0; t < status_count; ++t)
      if (comparison.joint[s][t] > 0)
        json["statuses"].push_back(
            {{"baseline", status_names[s]}, {"arm", status_names[t]}, {"samples", comparison.joint[s][t]}});
  return json;
}

Json steps_json(const std::vector<ColumnSteps>& steps, const Arm& arm) {
  Json json{{"steps", {arm.step}}, {"columns", Json::object()}};
  for (const Arm& finer : arm.finer) json["steps"].push_back(finer.step);
  json["samples"] = arm.finer.back().table.samples;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const ColumnSteps& s = steps[k];
    Json column{{"n", s.n}, {"means", s.means}, {"changes", Json::array()}, {"orders", Json::array()}};
    for (const Estimate& change : s.changes) column["changes"].push_back(estimate_json(change));
    for (const Estimate& order : s.orders) column["orders"].push_back(estimate_json(order));
    column["order_seen"] = s.order_seen;
    column["errors"] = Json::array();
    for (const Estimate& error : s.errors) column["errors"].push_back(estimate_json(error));
    column["sd_error"] = estimate_json(s.sd_error);
    for (std::size_t q = 0; q < quantile_levels.size(); ++q)
      column["quantile_errors"][number_text(quantile_levels[q])] = estimate_json(s.quantile_errors[q]);
    json["columns"][arm.table.description->columns[k].name] = column;
  }
  return json;
}

Json shares_json(const Evaluation& evaluation, std::size_t a, const Description& description) {
  Json json = Json::object();
  const std::vector<StepShares>& shares = evaluation.shares[a - 1];
  for (std::size_t h = 0; h < shares.size(); ++h) {
    const StepShares& s = shares[h];
    json[column_of(description, evaluation.columns[h]).name] = {{"n", s.n},
                                                                {"limit", s.limit},
                                                                {"first_difference", estimate_json(s.first)},
                                                                {"last_difference", estimate_json(s.last)},
                                                                {"change", estimate_json(s.change)},
                                                                {"baseline_share", estimate_json(s.baseline)},
                                                                {"arm_share", estimate_json(s.arm)},
                                                                {"rest", estimate_json(s.rest)}};
  }
  return json;
}

Json most_different_json(const Run& run, const Arm& baseline, const Arm& arm, const Comparison& comparison) {
  Json json = Json::array();
  for (const DifferingSample& s : differing_samples(run, baseline, arm, comparison))
    json.push_back(
        {{"column", column_of(*baseline.table.description, s.column).name},
         {"sample", s.sample},
         {"baseline", s.a},
         {"arm", s.b},
         {"replay",
          {{"baseline", replay_command(run, baseline, s.sample)}, {"arm", replay_command(run, arm, s.sample)}}}});
  return json;
}

}  // namespace scree
