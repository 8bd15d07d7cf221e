#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <ostream>
#include <span>

#include "compare.hpp"
#include "host/common/text_table.hpp"
#include "printer.hpp"
#include "targets.hpp"

namespace scree {
namespace {

const char* const quantile_keys[] = {"0.05", "0.25", "0.5", "0.75", "0.9", "0.95", "0.99"};
constexpr std::size_t q05 = 0, q50 = 2, q95 = 5;  // positions in quantile_levels

double half_width(const ColumnStatistics& column) { return (column.ci_high - column.ci_low) / 2; }

/// Whether its text is below 1.
bool is_below_one(double gain) { return gain < 0.995; }

/// n, mean, half width, gain where samples come in replicates, sd, quantiles and maximum, as cells.
std::vector<std::string> cells(const ColumnStatistics& s, bool replicated) {
  std::vector<std::string> texts{whole(s.n),
                                 short_number(s.mean),
                                 short_number(half_width(s)),
                                 short_number(s.sd),
                                 short_number(s.quantiles[q05]),
                                 short_number(s.quantiles[q50]),
                                 short_number(s.quantiles[q95]),
                                 short_number(s.max)};
  if (replicated) texts.insert(texts.begin() + 3, gain_text(s.gain));
  return texts;
}

std::vector<std::string> appended(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// The heads of `cells`.
std::vector<std::string> statistic_names(bool replicated) {
  std::vector<std::string> names{"n", "mean", "+-95 %", "sd", "5 %", "50 %", "95 %", "max"};
  if (replicated) names.insert(names.begin() + 3, "gain");
  return names;
}

/// "2 end_time, 1 diverged" of the statuses for which `listed(status)`.
template <class Listed>
std::string status_list(const StatusCounts& status, Listed listed) {
  std::string text;
  for (std::uint32_t s = 1; s <= status_count; ++s) {
    const std::uint32_t k = s % status_count;  // not_run last
    if (status[k] > 0 && listed(k)) text += (text.empty() ? "" : ", ") + whole(status[k]) + " " + status_names[k];
  }
  return text;
}

/// "Over the 998 samples that stopped; left out: 2 end_time", or "No sample stopped; left out: 1000 end_time".
std::string section_title(Counted counted, const Statistics& statistics) {
  const std::uint64_t n = counted_samples(counted, statistics.status);
  std::string text = n > 0 ? "Over the " + samples_text(n) + " " + section_name(counted)
                           : std::string("No sample ") + (counted == Counted::stopped ? "stopped" : "was finished");
  const std::string rest = status_list(statistics.status, [&](std::uint32_t s) { return !counts(counted, s); });
  return rest.empty() ? text : text + "; left out: " + rest;
}

void print_undefined(const Printer& printer, const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::string text = "No sample has a value of:";
  for (const std::string& name : names) text += " " + name + (&name == &names.back() ? "." : ",");
  print_wrapped(printer.out, text, 2);
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

void print_columns(const Printer& printer, const Description& description, const Statistics& statistics) {
  const bool replicated = statistics.replicates > 0;
  std::vector<std::string> below_one;
  for (const Counted counted : {Counted::stopped, Counted::all}) {
    TextTable table(2, appended({"column", "unit"}, statistic_names(replicated)));
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
      table.row(appended({column.name, unit_of(column)}, cells(s, replicated)));
    }
    if (table.empty() && undefined.empty()) continue;
    printer.title(section_title(counted, statistics));
    if (counted_samples(counted, statistics.status) == 0) continue;
    if (!table.empty()) table.print(printer.out);
    if (some_undefined) printer.out << "A smaller n: the quantity does not exist for the other samples.\n";
    print_undefined(printer, undefined);
  }
  if (replicated) print_gain(printer, statistics.replicates, below_one);
}

/// Headline columns of several ensembles under each other; `key` heads the column of their names.
struct Named {
  std::string name;
  const std::vector<ColumnStatistics>* columns;
};
void print_headline(const Printer& printer, const Description& description, const std::string& key,
                    const std::vector<Named>& rows, int replicates) {
  const bool replicated = replicates > 0;
  TextTable table(3, appended({"column", "unit", key}, statistic_names(replicated)));
  std::vector<std::string> below_one;
  for (const int c : description.headline_columns()) {
    const Column& column = column_of(description, c);
    bool defined = false;
    for (const Named& row : rows) defined = defined || (*row.columns)[static_cast<std::size_t>(c)].n > 0;
    if (!defined) continue;
    for (const Named& row : rows) {
      const ColumnStatistics& s = (*row.columns)[static_cast<std::size_t>(c)];
      if (is_below_one(s.gain)) below_one.push_back(column.name + ", " + row.name + " (" + gain_text(s.gain) + ")");
      table.row(
          appended({&row == &rows.front() ? column.name : "", &row == &rows.front() ? unit_of(column) : "", row.name},
                   cells(s, replicated)));
    }
  }
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
  if (!rows.empty()) print_headline(printer, *arm.table.description, run.group_by, rows, statistics.replicates);
}

void print_deposition(const Printer& printer, std::span<const Arm> arms) {
  const auto stopped = [](const Arm& arm) { return arm.statistics.deposition.n > 0; };
  if (!arms[0].statistics.has_deposition || std::none_of(arms.begin(), arms.end(), stopped)) return;
  const Description& description = *arms[0].table.description;
  const std::string unit = column_of(description, description.deposition_x).unit;
  printer.title("Resting places of the samples that stopped (" + unit + ")");
  TextTable table(1, {"scheme", "n", "mean x", "mean y", "sd x", "sd y", "semi-major", "semi-minor", "angle (rad)",
                      "lateral width"});
  for (const Arm& arm : arms) {
    const Deposition& d = arm.statistics.deposition;
    table.row({arm.name, whole(d.n), short_number(d.mean_x), short_number(d.mean_y), short_number(std::sqrt(d.var_x)),
               short_number(std::sqrt(d.var_y)), short_number(d.semi_major), short_number(d.semi_minor),
               short_number(d.angle), short_number(d.lateral_width)});
  }
  table.print(printer.out);
  printer.out << "Ellipse: 95 % of a normal law with this covariance, major axis at `angle` from +x.\nLateral width: "
              << arms[0].statistics.deposition.width_definition << ".\n";
}

std::string mean_with_sd(double mean, double sd) {
  return std::isfinite(sd) ? short_number(mean) + " (" + short_number(sd) + ")" : short_number(mean);
}

void print_published(const Printer& printer, const Run& run, std::span<const Arm> arms) {
  TextTable table(3, {"column", "unit", "scheme", "n", "here: mean (sd)", "published: mean (sd)", "here / published"});
  for (const Published::Row& row : run.published.rows)
    for (const Arm& arm : arms) {
      const int c = arm.table.description->column(row.column);
      if (c < 0 || !row.place.empty() || (!row.scheme.empty() && row.scheme != arm.scheme)) continue;
      const ColumnStatistics& s = arm.statistics.columns[static_cast<std::size_t>(c)];
      table.row({row.column, row.unit == "1" ? "" : row.unit, arm.name, whole(s.n),
                 mean_with_sd(s.mean / row.scale, s.sd / row.scale), mean_with_sd(row.mean, row.sd),
                 short_number(s.mean / row.scale / row.mean)});
    }
  if (table.empty()) return;
  const std::string& place = run.published.place;
  printer.title("Beside published means: " + run.published.source + (place.empty() ? "" : ", " + place));
  table.print(printer.out);
}

std::vector<double> observed_in(const Observed& observed, const std::string& group) {
  std::vector<double> values;
  for (std::size_t i = 0; i < observed.group.size(); ++i)
    if (observed.group[i] == group) values.push_back(observed.value[i]);
  return values;
}

/// The table of print_observed, and what its footnotes need.
class ObservedTable {
 public:
  ObservedTable(const Run& run, const Column& column, std::size_t number)
      : run_(run),
        column_(column),
        number_(number),
        table_(2, {"scheme", run.group_by.empty() ? "group" : run.group_by, "observed", "mean", "+-95 %", "sd",
                   column.counted == Counted::stopped ? "stopped" : "finished", "of", "mean", "+-95 %", "sd",
                   "sim - obs"}) {}

  void add(const Arm& arm) {
    const Statistics& all = arm.statistics;
    const bool by_group = !all.groups.empty() && run_.observed.group.size() == run_.observed.value.size();
    for (std::size_t g = 0; by_group && g < all.groups.size(); ++g) {
      const GroupStatistics& group = all.groups[g];
      const std::vector<double> values = observed_in(run_.observed, run_.shape_names[g]);
      if (!values.empty()) row(arm, run_.shape_names[g], values, group.samples, group.status, group.columns[number_]);
    }
    if (const std::string why = by_group ? why_no_total(run_, all, column_, number_) : ""; !why.empty())
      notes_.push_back(arm.name + ", all: not shown, " + why + ".");
    else
      row(arm, "all", run_.observed.value, arm.table.samples, all.status, all.columns[number_]);
  }

  void print(std::ostream& out) const {
    table_.print(out);
    if (!left_out_.empty()) print_wrapped(out, "Left out: " + left_out_ + ".", 2);
    for (const std::string& note : notes_) print_wrapped(out, note, 2);
    if (censored_) print_wrapped(out, censored_note, 2);
  }

 private:
  void row(const Arm& arm, const std::string& name, const std::vector<double>& values, std::uint64_t samples,
           const StatusCounts& status, const ColumnStatistics& simulated) {
    const ColumnStatistics seen = column_statistics(values);
    table_.row({arm.name, name, whole(seen.n), short_number(seen.mean), short_number(half_width(seen)),
                short_number(seen.sd), whole(simulated.n), whole(samples), short_number(simulated.mean),
                short_number(half_width(simulated)), short_number(simulated.sd),
                short_number(simulated.mean - seen.mean)});
    std::string rest = status_list(status, [&](std::uint32_t s) { return !counts(column_.counted, s); });
    if (simulated.undefined > 0) rest += (rest.empty() ? "" : ", ") + whole(simulated.undefined) + " without a value";
    if (!rest.empty()) left_out_ += (left_out_.empty() ? "" : "; ") + arm.name + ", " + name + ": " + rest;
    censored_ = censored_ || is_censored(column_.counted, status);
  }

  const Run& run_;
  const Column& column_;
  std::size_t number_;
  TextTable table_;
  std::string left_out_;
  std::vector<std::string> notes_;
  bool censored_ = false;
};

void print_observed(const Printer& printer, const Run& run, std::span<const Arm> arms) {
  const Observed& observed = run.observed;
  if (observed.value.empty()) return;
  const Description& description = *arms[0].table.description;
  const int c = description.column(observed.column);
  if (c < 0) return;
  const Column& column = column_of(description, c);
  ObservedTable table(run, column, static_cast<std::size_t>(c));
  for (const Arm& arm : arms) table.add(arm);
  printer.title("Observed beside simulated: " + observed.column + " (" + column.unit +
                "), simulated over the samples " + section_name(column.counted));
  table.print(printer.out);
}

}  // namespace

void print_header(const Printer& printer, const Run& run, std::span<const Arm> arms) {
  const Description& description = *arms[0].table.description;
  std::ostream& out = printer.out;
  out << (printer.colour ? "\033[1m" : "") << description.system << (printer.colour ? "\033[0m" : "");
  if (!run.title.empty()) out << ": " << run.title;
  out << '\n'
      << run.config_path << ", " << samples_text(arms[0].table.samples) << ", seed " << run.spec.seed << ", step "
      << run.spec.world.step << " s, end " << run.spec.world.end << " s\n";
  if (run.sampling.sobol) out << "sampling " << sampling_text(run.sampling) << '\n';
  if (!run.terrain_name.empty())
    print_wrapped(out, "terrain " + run.terrain_name + (run.terrain_note.empty() ? "" : ", " + run.terrain_note), 2);
  if (!run.preset.empty())
    out << run.preset << (description.preset_note.empty() ? "" : " (" + description.preset_note + ")") << '\n';
  for (const Arm& arm : arms) {
    out << '\n' << arm.name << ": " << status_line(arm.table.samples, arm.statistics.status) << '\n';
    out << "  " << arm.sample_steps << " sample-steps in " << short_number(arm.wall_s) << " s, backend " << arm.backend;
    if (!arm.device.empty()) out << " (" << arm.device << ")";
    out << ", " << arm.threads << (arm.threads == 1 ? " thread\n" : " threads\n");
    out << "  digest " << arm.digest << '\n';
  }
}

std::string why_no_total(const Run& run, const Statistics& statistics, const Column& column, std::size_t number) {
  constexpr double most = 0.05;
  const std::vector<GroupStatistics>& groups = statistics.groups;
  const bool observed = !run.observed.group.empty();
  std::vector<double> entered, expected;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    entered.push_back(static_cast<double>(groups[g].columns[number].n));
    expected.push_back(observed ? static_cast<double>(observed_in(run.observed, run.shape_names[g]).size())
                                : static_cast<double>(groups[g].samples));
    if (entered[g] == 0 && expected[g] > 0)
      return "no sample of " + run.shape_names[g] + (column.counted == Counted::stopped ? " stopped" : " has a value");
  }
  const double all_entered = std::accumulate(entered.begin(), entered.end(), 0.0),
               all_expected = std::accumulate(expected.begin(), expected.end(), 0.0);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const double here = entered[g] / all_entered, there = expected[g] / all_expected;
    if (std::fabs(here - there) > most)
      return run.shape_names[g] + " is " + short_number(100 * here) + " % of the samples " +
             section_name(column.counted) + ", but " + short_number(100 * there) + " % of " +
             (observed ? "the observations" : "all samples");
  }
  return "";
}

bool is_censored(Counted counted, const StatusCounts& status) {
  if (counted != Counted::stopped) return false;
  std::uint64_t n = 0;
  for (const Status s : {Status::end_time, Status::left_terrain, Status::no_data})
    n += status[static_cast<std::size_t>(s)];
  return n > 0;
}

std::string status_line(std::uint64_t samples, const StatusCounts& status) {
  const std::string list = status_list(status, [](std::uint32_t) { return true; });
  return samples_text(samples) + (list.empty() ? "" : ": " + list);
}

void print_run(std::ostream& out, const Run& run, const Arm& arm, bool colour) {
  const Printer printer{out, colour};
  const std::span<const Arm> arms(&arm, 1);
  print_header(printer, run, arms);
  print_targets(out, arm, colour);
  print_columns(printer, *arm.table.description, arm.statistics);
  print_groups(printer, run, arm, "By " + run.group_by);
  print_deposition(printer, arms);
  print_published(printer, run, arms);
  print_observed(printer, run, arms);
}

void print_compare(std::ostream& out, const Run& run, std::span<const Arm> arms, const Evaluation& evaluation,
                   bool colour) {
  const Printer printer{out, colour};
  print_header(printer, run, arms);
  printer.title("By scheme, each over its own samples");
  std::vector<Named> rows;
  for (const Arm& arm : arms) rows.push_back({arm.name, &arm.statistics.columns});
  print_headline(printer, *arms[0].table.description, "scheme", rows, arms[0].statistics.replicates);
  print_two_errors(printer, arms, evaluation);
  for (const Arm& arm : arms) print_groups(printer, run, arm, arm.name + ", by " + run.group_by);
  print_deposition(printer, arms);
  print_published(printer, run, arms);
  print_observed(printer, run, arms);
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
  print_headline(printer, *variants[0].arm.table.description, "value", rows, variants[0].arm.statistics.replicates);
}

nlohmann::ordered_json run_json(const Arm& arm) {
  const bool replicated = arm.table.replicates > 0;
  nlohmann::ordered_json json;
  json["digest"] = arm.digest;
  json["samples"] = arm.table.samples;
  if (replicated) {
    json["sampling"] = "sobol";
    json["replicates"] = arm.table.replicates;
  }
  json["sample_steps"] = arm.sample_steps;
  json["backend"] = arm.backend;
  json["threads"] = arm.threads;
  json["wall_s"] = arm.wall_s;
  json["status"] = nlohmann::ordered_json::object();
  for (std::size_t s = 0; s < status_count; ++s) json["status"][status_names[s]] = arm.statistics.status[s];
  json["statistics"] = nlohmann::ordered_json::object();
  for (std::size_t c = 0; c < arm.statistics.columns.size(); ++c) {
    const ColumnStatistics& s = arm.statistics.columns[c];
    nlohmann::ordered_json quantiles;
    for (std::size_t q = 0; q < quantile_levels.size(); ++q) quantiles[quantile_keys[q]] = s.quantiles[q];
    json["statistics"][arm.table.description->columns[c].name] = {
        {"n", s.n},     {"mean", s.mean}, {"sd", s.sd}, {"ci95", {s.ci_low, s.ci_high}}, {"quantiles", quantiles},
        {"min", s.min}, {"max", s.max}};
    if (replicated) json["statistics"][arm.table.description->columns[c].name]["gain"] = s.gain;
  }
  if (!arm.until.looks.empty()) json["until"] = targets_json(arm.until);
  return json;
}

nlohmann::ordered_json compare_json(const Run& run, std::span<const Arm> arms, const Evaluation& evaluation) {
  nlohmann::ordered_json json;
  const Description& description = *arms[0].table.description;
  json["arms"] = nlohmann::ordered_json::object();
  for (std::size_t a = 0; a < arms.size(); ++a) {
    nlohmann::ordered_json& arm = json["arms"][arms[a].name] = run_json(arms[a]);
    arm["scheme"] = arms[a].scheme;
    arm["step"] = arms[a].step;
    if (!evaluation.steps[a].empty()) arm["step_error"] = steps_json(evaluation.steps[a], arms[a]);
  }
  const bool two = arms.size() == 2;
  for (const char* key : {"paired", "endings", "most_different"}) json[key] = nlohmann::ordered_json::object();
  for (std::size_t a = 1; a < arms.size(); ++a) {
    const Comparison& comparison = evaluation.comparisons[a - 1];
    const auto place = [&](const char* key) -> nlohmann::ordered_json& {
      return two ? json[key] : json[key][arms[a].name];
    };
    place("paired") = comparison_json(comparison, description);
    place("endings") = endings_json(comparison);
    if (!evaluation.shares[a - 1].empty()) place("step_shares") = shares_json(evaluation.shares[a - 1], description);
    place("most_different") = most_different_json(run, arms[0], arms[a], comparison);
  }
  if (!evaluation.comparisons.empty())
    json["tests"] = {{"adjustment", "Holm, over the columns of an arm, each kind of test by itself"}, {"level", 0.05}};
  json["verdict"] = evaluation.verdict;
  return json;
}

}  // namespace scree
