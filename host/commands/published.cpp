#include "published.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <utility>

#include "commands.hpp"
#include "host/common/json_text.hpp"
#include "host/common/terminal.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "host/report/json.hpp"
#include "host/report/report.hpp"

namespace scree {
namespace {

using Row = Published::Row;

constexpr double level = 0.05;

[[noreturn]] void refuse(const Run& run, const std::string& text) {
  throw Error(Exit::usage, run.config_path + ": " + text);
}

const std::string& place_of(const Run& run, const Row& row) {
  return row.place.empty() ? run.published.place : row.place;
}

/// "Chant Sura, speed_mean", or without a place the column alone.
std::string subject(const std::string& place, const std::string& column) {
  return place.empty() ? column : place + ", " + column;
}

/// The schemes that have rows: those of the config in its order, then the others as they come.
std::vector<std::string> schemes_of(const Run& run) {
  std::vector<std::string> order;
  const auto add = [&](const std::string& scheme) {
    if (std::find(order.begin(), order.end(), scheme) == order.end()) order.push_back(scheme);
  };
  for (const std::string& scheme : run.schemes) add(scheme);
  for (const Row& row : run.published.rows) add(row.scheme);
  return order;
}

/// The rows of one place and column in the order of the schemes.
std::vector<const Row*> rows_of(const Run& run, const Row& like) {
  std::vector<const Row*> rows;
  for (const std::string& scheme : schemes_of(run))
    for (const Row& row : run.published.rows) {
      if (row.scheme != scheme || row.column != like.column || row.place != like.place) continue;
      const std::string name = subject(place_of(run, row), row.column);
      if (!rows.empty() && rows.back()->scheme == scheme)
        refuse(run, "[published] has two rows of " + name + " under " + scheme);
      if (!rows.empty() && (rows.back()->unit != row.unit || rows.back()->scale != row.scale))
        refuse(run, "[published] has rows of " + name + " with different units or scales");
      if (!rows.empty() && rows.back()->over_steps != row.over_steps)
        refuse(run, "[published] has rows of " + name + " over samples and over steps");
      rows.push_back(&row);
    }
  return rows;
}

PublishedContrast contrast(const Run& run, const Row& baseline, const Row& arm) {
  const double n = static_cast<double>(run.published.samples);
  PublishedContrast c;
  c.place = place_of(run, baseline);
  c.column = baseline.column;
  c.unit = baseline.unit;
  c.baseline = baseline.scheme;
  c.arm = arm.scheme;
  c.of_baseline = {n, baseline.mean, baseline.sd};
  c.of_arm = {n, arm.mean, arm.sd};
  c.difference = arm.mean - baseline.mean;
  c.ci95 = welch_interval(c.of_baseline, c.of_arm);
  c.p = welch(c.of_baseline, c.of_arm).p;
  // Groups of one size: the pooled variance is the mean of both.
  const double pooled = std::sqrt((baseline.sd * baseline.sd + arm.sd * arm.sd) / 2);
  c.effect_size = pooled > 0 ? c.difference / pooled : std::numeric_limits<double>::quiet_NaN();
  c.sd_ratio = baseline.sd > 0 ? arm.sd / baseline.sd : std::numeric_limits<double>::quiet_NaN();
  c.p_sd = f_test(c.of_baseline, c.of_arm).p;
  return c;
}

using P = double PublishedContrast::*;

void correct(std::vector<PublishedContrast>& contrasts, P p, P adjusted) {
  std::vector<double> values;
  for (const PublishedContrast& c : contrasts) values.push_back(c.*p);
  const std::vector<double> by_holm = holm(values);
  for (std::size_t i = 0; i < contrasts.size(); ++i) contrasts[i].*adjusted = by_holm[i];
}

std::size_t count_below(const std::vector<PublishedContrast>& contrasts, P p) {
  return static_cast<std::size_t>(
      std::count_if(contrasts.begin(), contrasts.end(), [&](const PublishedContrast& c) { return c.*p <= level; }));
}

std::size_t tests(const std::vector<PublishedContrast>& contrasts, P p) {
  return static_cast<std::size_t>(
      std::count_if(contrasts.begin(), contrasts.end(), [&](const PublishedContrast& c) { return !std::isnan(c.*p); }));
}

/// Every contrast has the same two schemes.
bool one_pair(const std::vector<PublishedContrast>& contrasts) {
  return std::all_of(contrasts.begin(), contrasts.end(), [&](const PublishedContrast& c) {
    return c.baseline == contrasts[0].baseline && c.arm == contrasts[0].arm;
  });
}

/// "ramp, slope_speed (rk4 - explicit); ..." of the contrasts whose means cannot be told apart.
std::string not_distinguishable(const std::vector<PublishedContrast>& contrasts) {
  std::string text;
  for (const PublishedContrast& c : contrasts)
    if (c.p_holm > level)
      text += (text.empty() ? "" : "; ") + subject(c.place, c.column) +
              (one_pair(contrasts) ? "" : " (" + c.arm + " - " + c.baseline + ")");
  return text;
}

std::string correction(std::size_t tests) {
  return "Holm's correction for " + std::to_string(tests) + (tests == 1 ? " test" : " tests");
}

std::string unit_cell(const std::string& unit) { return unit == "1" ? "" : unit; }

/// As it was published.
std::string with_sd(const Moments& m) { return number_text(m.mean) + " (" + number_text(m.sd) + ")"; }

/// The contrasts of one arm with its baseline: of the means, and of the standard deviations, with p as
/// `p_of` writes it.
struct PairTables {
  TextTable means, spreads;
};
PairTables tables_of(const PublishedJudgement& judgement, const std::string& baseline, const std::string& arm,
                     std::string (*p_of)(double)) {
  TextTable means(3, {"place", "column", "unit", "difference", "95 % from", "to", "p", "p (Holm)", "d", ""});
  TextTable spreads(
      3, {"place", "column", "unit", baseline + ": mean (sd)", arm + ": mean (sd)", "sd / sd", "p", "p (Holm)"});
  for (const PublishedContrast& c : judgement.contrasts) {
    if (c.baseline != baseline || c.arm != arm) continue;
    const std::string unit = unit_cell(c.unit);
    const double half = (c.ci95.high - c.ci95.low) / 2, pooled = c.difference / c.effect_size;
    // Of a ratio of standard deviations of n normal values in each arm: its square has a variance of 4 / n of itself.
    const double of_ratio = 1.96 * c.sd_ratio / std::sqrt(c.of_arm.n);
    means.row({c.place, c.column, unit, number_within(c.difference, half), number_within(c.ci95.low, half),
               number_within(c.ci95.high, half), p_of(c.p), p_of(c.p_holm), number_within(c.effect_size, half / pooled),
               c.p_holm <= level ? "differs" : ""});
    spreads.row({c.place, c.column, unit, with_sd(c.of_baseline), with_sd(c.of_arm),
                 number_within(c.sd_ratio, of_ratio), p_of(c.p_sd), p_of(c.p_sd_holm)});
  }
  return {means, spreads};
}

std::string means_title(const std::string& baseline, const std::string& arm) {
  return "Means, " + arm + " minus " + baseline + ": Welch's t test of independent groups";
}

/// The two tables of one arm and its baseline.
void print_pair(const Printer& printer, const PublishedJudgement& judgement, const std::string& baseline,
                const std::string& arm) {
  const PairTables tables = tables_of(judgement, baseline, arm, short_number);
  printer.title(means_title(baseline, arm));
  tables.means.print(printer.out);
  printer.out << "d: the difference over the pooled standard deviation (Cohen's). differs: p (Holm) <= 0.05.\n";
  printer.title("Standard deviations, " + arm + " over " + baseline + ": F test, valid for normal values only");
  tables.spreads.print(printer.out);
}

/// The pairs of schemes that are compared, in their order.
std::vector<std::pair<std::string, std::string>> pairs_of(const PublishedJudgement& judgement) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const PublishedContrast& c : judgement.contrasts)
    if (std::find(pairs.begin(), pairs.end(), std::pair(c.baseline, c.arm)) == pairs.end())
      pairs.emplace_back(c.baseline, c.arm);
  return pairs;
}

}  // namespace

std::string published_verdict(double p, double p_holm, std::uint64_t samples) {
  if (std::isnan(p)) return "not judged: neither scheme has a spread";
  if (p_holm <= level) return "differs";
  return "not distinguishable from zero at n = " + std::to_string(samples) +
         (p <= level ? " after Holm's correction" : "");
}

PublishedJudgement judge_published(const Run& run) {
  const Published& published = run.published;
  if (published.rows.empty()) refuse(run, "has no [published] section, whose means --published judges");
  if (published.samples == 0)
    refuse(run, "published.samples is missing, must be a whole number >= 2: how many samples each mean is of");
  PublishedJudgement judgement;
  judgement.source = published.source;
  judgement.samples = published.samples;
  judgement.over_steps = std::ranges::any_of(published.rows, &Row::over_steps);
  std::vector<std::pair<std::string, std::string>> seen;
  for (const Row& row : published.rows) {
    if (std::find(seen.begin(), seen.end(), std::pair(row.place, row.column)) != seen.end()) continue;
    seen.emplace_back(row.place, row.column);
    const std::vector<const Row*> rows = rows_of(run, row);
    if (rows.size() == 1) judgement.alone.push_back(subject(place_of(run, row), row.column));
    for (std::size_t k = 1; k < rows.size(); ++k) judgement.contrasts.push_back(contrast(run, *rows[0], *rows[k]));
  }
  if (judgement.contrasts.empty()) refuse(run, "[published] has no column under two schemes, so nothing to compare");
  correct(judgement.contrasts, &PublishedContrast::p, &PublishedContrast::p_holm);
  correct(judgement.contrasts, &PublishedContrast::p_sd, &PublishedContrast::p_sd_holm);
  for (PublishedContrast& c : judgement.contrasts) c.verdict = published_verdict(c.p, c.p_holm, published.samples);
  return judgement;
}

std::vector<std::string> verdict(const PublishedJudgement& judgement) {
  const std::vector<PublishedContrast>& all = judgement.contrasts;
  const std::string n = std::to_string(judgement.samples), of = std::to_string(all.size());
  const std::size_t differ = count_below(all, &PublishedContrast::p_holm),
                    uncorrected = count_below(all, &PublishedContrast::p),
                    spreads = count_below(all, &PublishedContrast::p_sd_holm);
  const std::string rest = not_distinguishable(all);
  std::vector<std::string> sentences;
  sentences.push_back("Distinguishable from zero at the 5 % level: " + std::to_string(differ) + " of " + of +
                      " differences of means, with n = " + n + " in each arm and " +
                      correction(tests(all, &PublishedContrast::p)) + "; without the correction " +
                      (differ == uncorrected ? "the same." : std::to_string(uncorrected) + "."));
  if (!rest.empty()) sentences.push_back("Not distinguishable from zero: " + rest + ".");
  sentences.push_back("Standard deviations that differ at the 5 % level: " + std::to_string(spreads) + " of " + of +
                      ", by the F test with " + correction(tests(all, &PublishedContrast::p_sd)) +
                      "; it is valid for normal values only, and of values with longer tails its p is too small.");
  for (const std::string& name : judgement.alone)
    sentences.push_back("Published under one scheme only, so that nothing can be compared: " + name + ".");
  sentences.push_back(
      "Published means allow no pairing: if both arms hold the same samples and their values correlate positively, "
      "paired differences would have narrower intervals.");
  sentences.push_back(judgement.over_steps
                          ? "Means over steps are taken for means of n = " + n +
                                " independent values: their errors are not known without the samples' own means."
                          : "That each mean is over n = " + n +
                                " independent samples is an assumption: where an observation is a time step or a cell, "
                                "observations depend on one another and these p are too small.");
  return sentences;
}

void print_published_judgement(std::ostream& out, const Run& run, const PublishedJudgement& judgement,
                               const Form& form) {
  const std::string title = run.model->description.system + (run.title.empty() ? "" : ": ") + run.title,
                    config = run.config_path + ", its published numbers; nothing was run",
                    source =
                        "source: " + judgement.source + "; n = " + std::to_string(judgement.samples) + " in each arm";
  const std::vector<std::string> sentences = verdict(judgement);
  if (!form.all) {
    Screen screen(form);
    std::vector<std::string> head = wrapped(source, 2, screen_width);
    head.insert(head.begin(), config);
    screen.add(title, head, 4);
    screen.add_items("Verdict", sentences, 6);
    for (const auto& [baseline, arm] : pairs_of(judgement))
      screen.add(means_title(baseline, arm), tables_of(judgement, baseline, arm, p_text).means, 4);
    screen.add("", {"--all: the standard deviations too; --json: one object"}, 1);
    return screen.print(out);
  }
  const Printer printer{out, form.colour};
  out << (form.colour ? "\033[1m" : "") << title << (form.colour ? "\033[0m" : "") << '\n' << config << '\n';
  print_wrapped(out, source, 2);
  for (const auto& [baseline, arm] : pairs_of(judgement)) print_pair(printer, judgement, baseline, arm);
  printer.title("Verdict");
  for (const std::string& sentence : sentences) print_wrapped(out, "- " + sentence, 2);
}

nlohmann::ordered_json published_json(const PublishedJudgement& judgement) {
  nlohmann::ordered_json json;
  json["published"] = nlohmann::ordered_json::array();
  for (const PublishedContrast& c : judgement.contrasts)
    json["published"].push_back({{"place", c.place},
                                 {"column", c.column},
                                 {"unit", c.unit},
                                 {"baseline", c.baseline},
                                 {"arm", c.arm},
                                 {"n", judgement.samples},
                                 {"difference", c.difference},
                                 {"ci95", {c.ci95.low, c.ci95.high}},
                                 {"p", c.p},
                                 {"p_holm", c.p_holm},
                                 {"effect_size", c.effect_size},
                                 {"sd_ratio", c.sd_ratio},
                                 {"p_sd", c.p_sd},
                                 {"p_sd_holm", c.p_sd_holm},
                                 {"verdict", c.verdict}});
  json["verdict"] = verdict(judgement);
  return json;
}

Exit compare_published(const CompareOptions& options) {
  const Run run = load_given(options, options.overrides);
  const PublishedJudgement judgement = judge_published(run);
  if (options.json) {
    Json json = json_of("compare");
    json["run"] = run_json(run, run.model->description);
    json.update(published_json(judgement));
    std::cout << json_text(json, 2) << '\n';
    return Exit::ok;
  }
  print_published_judgement(std::cout, run, judgement, {options.all, wants_colour(STDOUT_FILENO)});
  return Exit::ok;
}

}  // namespace scree
