#include "targets.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <tuple>

#include "beside.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_table.hpp"
#include "printer.hpp"

namespace scree {
namespace {

std::string percent(double share) { return short_number(100 * share) + " %"; }
/// An error as a share, to two digits.
std::string percent_error(double share) { return error_text(100 * share) + " %"; }

/// The kinds of intervals among the targets of samples in so many replicates.
std::string methods(const Until& until, int replicates) {
  static constexpr std::tuple<TargetStatistic, const char*, const char*> known[] = {
      {TargetStatistic::mean,
       "of means by Student's t and Hall 1992 (where values are skewed, for large numbers), of shares by the binomial "
       "law",
       "of means by Student's t over their means"},
      {TargetStatistic::sd, "of standard deviations by Bonett 2006, for large numbers",
       "of standard deviations by leaving out one after the other, for large numbers"},
      {TargetStatistic::quantile, "of quantiles by order statistics and the binomial law",
       "of quantiles by Woodruff 1952, from the shares of values below"}};
  std::vector<std::string> used;
  for (const auto& [statistic, method, of_replicates] : known)
    for (const Reached& reached : until.targets)
      if (reached.target.statistic == statistic) {
        used.push_back(replicates > 0 ? of_replicates : method);
        break;
      }
  const std::string from = replicates > 0 ? "from " + std::to_string(replicates) + " replicates: " : "";
  return from + joined(used);
}

}  // namespace

std::string look_of(const Until& until, std::size_t number) {
  return "look " + std::to_string(number) + " of " + std::to_string(until.looks.size());
}

std::string looks_text(const Until& until) {
  constexpr std::size_t shown = 6;
  std::string text;
  for (std::size_t i = 0; i < until.looks.size(); ++i) {
    if (until.looks.size() > shown && i + 2 == shown) text += ", ...";
    if (until.looks.size() > shown && i + 2 >= shown && i + 1 < until.looks.size()) continue;
    text += (i == 0 ? "" : ", ") + std::to_string(until.looks[i]);
  }
  return text;
}

std::string targets_title(const Until& until) {
  return "Targets, " + (until.taken == 0
                            ? "interrupted before the first look"
                            : (until.met()    ? "met at "
                               : until.over() ? "not met at "
                                              : "interrupted after ") +
                                  look_of(until, until.taken) + ", " + std::to_string(until.samples()) + " samples");
}

TextTable targets_table(const Until& until) {
  TextTable table(1, {"target", "n", "estimate", percent(1 - until.miss) + " from", "to", "+-", "allowed", ""});
  for (const Reached& r : until.targets) {
    const auto known = [&](double x) { return number_within(x, r.half_width); };
    table.row({r.target.text, std::to_string(r.n), known(r.estimate), known(r.interval.low), known(r.interval.high),
               error_text(r.half_width), short_number(r.allowed),
               r.met ? "met" : (r.why.empty() ? "not met" : "not met: " + r.why)});
  }
  return table;
}

std::vector<std::string> targets_notes(const Arm& arm) {
  const Until& until = arm.until;
  bool censored = false;
  for (const Reached& r : until.targets) {
    const Column& column = arm.table.description->columns[static_cast<std::size_t>(r.target.column)];
    censored = censored || is_censored(column.counted, arm.statistics.status);
  }
  const std::size_t looks = until.looks.size(), targets = until.targets.size();
  const std::string held = percent(1 - until.miss);
  const auto count = [](std::size_t n, const char* of) {
    return std::to_string(n) + " planned " + of + (n == 1 ? "" : "s");
  };
  std::vector<std::string> notes{
      (looks * targets == 1 ? "The interval holds with " + held
                            : "Each interval holds with " + held + ", so that those of " + count(targets, "target") +
                                  " at " + count(looks, "look") +
                                  " hold together with 95 % (Bonferroni): to end at the first look that meets the "
                                  "targets is fair") +
      ". Intervals " + methods(until, arm.table.replicates) +
      ". The +-95 % of the other tables take the number of samples as given."};
  if (censored) notes.push_back(censored_note);
  return notes;
}

void print_targets(std::ostream& out, const Arm& arm, bool colour) {
  if (arm.until.looks.empty()) return;
  out << '\n' << (colour ? "\033[1m" : "") << targets_title(arm.until) << (colour ? "\033[0m" : "") << '\n';
  targets_table(arm.until).print(out);
  for (const std::string& note : targets_notes(arm)) print_wrapped(out, note, 0);
}

nlohmann::ordered_json targets_json(const Until& until) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Reached& r : until.targets)
    list.push_back({{"target", r.target.text},
                    {"estimate", r.estimate},
                    {"interval", {r.interval.low, r.interval.high}},
                    {"half_width", r.half_width},
                    {"allowed", r.allowed},
                    {"n", r.n},
                    {"met", r.met},
                    {"needed", r.needed(until.samples())},
                    {"why", r.why},
                    {"level", 1 - until.miss},
                    {"samples", until.samples()},
                    {"look", until.taken},
                    {"looks", until.looks}});
  return list;
}

std::string unmet_targets(const Until& until) {
  if (!until.over() || until.looks.empty() || until.met()) return "";
  std::string text;
  for (const Reached& r : until.targets) {
    if (r.met) continue;
    text += text.empty() ? "--until: with " + std::to_string(until.samples()) + " samples " : "; ";
    text += r.target.text;
    if (&r == until.hopeless()) {
      text += " has no value in any sample, so that fewer than " +
              short_number(3 / static_cast<double>(until.samples())) + " of all have one (95 %): no more are run";
      continue;
    }
    if (!std::isfinite(r.half_width)) {
      text += " has no interval yet, from " + std::to_string(r.n) + (r.n == 1 ? " value" : " values");
      if (!r.why.empty()) text += ": " + r.why;
      continue;
    }
    text += " came to +- " + (r.target.relative
                                  ? percent_error(r.half_width / std::fabs(r.estimate))
                                  : error_text(r.half_width) + (r.target.unit.empty() ? "" : " " + r.target.unit));
    const double needed = r.needed(until.samples());
    if (std::isfinite(needed)) text += " and needs about " + rough_count(needed) + " samples";
  }
  return text;
}

}  // namespace scree
