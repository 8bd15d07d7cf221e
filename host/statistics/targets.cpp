#include "targets.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "host/common/error.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "statistics.hpp"

namespace scree {
namespace {

/// Reads one target; `text_` is what every message quotes.
class TargetText {
 public:
  TargetText(std::string_view text, const Description& description) : text_(trimmed(text)), description_(description) {}

  PrecisionTarget read() const {
    const std::size_t open = text_.find('('), close = text_.find(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open)
      fail("must be STATISTIC(COLUMN) +- WIDTH, as \"p95(runout) +- 1 %\"");
    PrecisionTarget target;
    const std::string statistic(trimmed(text_.substr(0, open))),
        column(trimmed(text_.substr(open + 1, close - open - 1)));
    read_statistic(statistic, target);
    target.column = description_.column(column);
    if (target.column < 0) fail("unknown column \"" + column + "\"" + suggestion(column, description_.column_names()));
    read_width(trimmed(text_.substr(close + 1)), target);
    target.text = statistic + "(" + column + ") +- " + target.text;
    return target;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(Exit::usage, "--until \"" + std::string(text_) + "\": " + why);
  }

  void read_statistic(const std::string& name, PrecisionTarget& target) const {
    if (name == "mean") return;
    if (name == "sd") {
      target.statistic = TargetStatistic::sd;
      return;
    }
    target.statistic = TargetStatistic::quantile;
    if (name == "median") return;
    const std::optional<double> percent = name.starts_with('p') ? parse_number(name.substr(1)) : std::nullopt;
    if (!percent || !(*percent > 0 && *percent < 100))
      fail("statistic \"" + name + "\", must be mean, sd, median or a percentile between p0 and p100, as p95 or p97.5");
    target.p = *percent / 100;
  }

  /// Leaves the width as typed in target.text.
  void read_width(std::string_view rest, PrecisionTarget& target) const {
    const std::string_view* sign = nullptr;
    static constexpr std::string_view signs[] = {"+-", "+/-", "\u00b1"};
    for (const std::string_view& known : signs)
      if (rest.starts_with(known)) sign = &known;
    if (!sign) fail("must go on with +- WIDTH after the column, as +- 1 %");
    rest = trimmed(rest.substr(sign->size()));
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), target.width);
    if (error != std::errc{} || !(target.width > 0 && std::isfinite(target.width)))
      fail("the width must be a number > 0, and is \"" + std::string(rest) + "\"");
    const std::string unit(trimmed(rest.substr(static_cast<std::size_t>(end - rest.data()))));
    const Column& column = description_.columns[static_cast<std::size_t>(target.column)];
    target.text = number_text(target.width);
    target.unit = column.unit == "1" ? "" : column.unit;
    if (unit == "%") {
      target.text += " %";
      target.relative = true;
      target.width /= 100;
      return;
    }
    if (!unit.empty() && unit != column.unit)
      fail("unit \"" + unit + "\", must be " + (target.unit.empty() ? "% or none" : "% or " + target.unit) + " for " +
           column.name);
    if (!target.unit.empty()) target.text += " " + target.unit;
  }

  std::string_view text_;
  const Description& description_;
};

/// Values in the order of their samples, which the report's sums keep, and in rising order.
struct Values {
  std::vector<double> in_order, sorted;
  std::vector<std::uint32_t> replicate_of;  // as in_order; empty for independent samples
};

/// Those of the samples that enter the column.
Values values_of(const SummaryTable& table, int column) {
  const SummaryTable* const one[] = {&table};
  Matched matched = matched_values(one, column);
  Values values{std::move(matched.values[0]), {}, std::move(matched.replicate_of)};
  values.sorted = values.in_order;
  std::sort(values.sorted.begin(), values.sorted.end());
  return values;
}

double estimate_of(const PrecisionTarget& target, const Values& values) {
  if (values.sorted.empty()) return missing;
  if (target.statistic == TargetStatistic::quantile) return quantile_of(values.sorted, target.p);
  const ColumnStatistics s = column_statistics(values.in_order);
  return target.statistic == TargetStatistic::mean ? s.mean : s.sd;
}

Interval interval_of(const PrecisionTarget& target, const Values& values, double miss) {
  const bool replicated = !values.replicate_of.empty();
  switch (target.statistic) {
    case TargetStatistic::mean:
      return replicated ? replicated_mean_interval(values.in_order, values.replicate_of, miss)
                        : mean_interval(values.in_order, miss);
    case TargetStatistic::sd:
      return replicated ? replicated_sd_interval(values.in_order, values.replicate_of, miss)
                        : sd_interval(values.sorted, miss);
    default:
      return replicated ? replicated_quantile_interval(values.in_order, values.replicate_of, target.p, miss)
                        : quantile_interval(values.sorted, target.p, miss);
  }
}

/// Why values have no finite interval.
std::string why_none(const PrecisionTarget& target, const Values& values, double miss) {
  if (values.sorted.empty()) return "";
  if (target.statistic != TargetStatistic::quantile) {
    if (values.sorted.size() > 1 && values.sorted.front() == values.sorted.back()) return "all are equal";
    return values.replicate_of.empty() ? "they are too few" : "the replicates do not differ or are too few";
  }
  if (!values.replicate_of.empty()) return "too few lie beyond the estimate";
  // The least n for which all values miss to one side with at most miss / 2.
  const double least = std::ceil(std::log(miss / 2) / std::log1p(-std::min(target.p, 1 - target.p)));
  constexpr double whole = 1e15;  // of more the last digits are none
  return "it takes at least " +
         (least < whole ? std::to_string(static_cast<std::uint64_t>(least)) : short_number(least));
}

}  // namespace

std::vector<PrecisionTarget> parse_targets(std::span<const std::string> texts, const Description& description) {
  std::vector<PrecisionTarget> targets;
  for (const std::string& text : texts)
    for (std::size_t first = 0; first <= text.size();) {
      const std::size_t comma = std::min(text.find(',', first), text.size());
      targets.push_back(TargetText(std::string_view(text).substr(first, comma - first), description).read());
      first = comma + 1;
    }
  return targets;
}

std::vector<std::uint64_t> look_schedule(std::uint64_t first, std::uint64_t at_most) {
  std::vector<std::uint64_t> looks;
  std::uint64_t n = first;
  while (n < at_most) {
    looks.push_back(n);
    n = at_most / 2 < n ? at_most : 2 * n;
  }
  looks.push_back(at_most);
  return looks;
}

std::uint64_t default_at_most(std::uint64_t first) {
  constexpr std::uint64_t times = 1000, most = std::numeric_limits<std::int64_t>::max();
  return first > most / times ? most : times * first;
}

double Reached::needed(std::uint64_t samples) const {
  const double ratio = half_width / allowed;
  return std::isfinite(ratio) ? static_cast<double>(samples) * ratio * ratio : missing;
}

Reached reach(const PrecisionTarget& target, const SummaryTable& table, double miss) {
  const Values values = values_of(table, target.column);
  Reached reached{target, values.sorted.size(), estimate_of(target, values), interval_of(target, values, miss), missing,
                  missing};
  const double below = reached.estimate - reached.interval.low, above = reached.interval.high - reached.estimate;
  reached.half_width = std::isnan(below) || std::isnan(above) ? missing : std::max(below, above);
  reached.allowed = target.relative ? target.width * std::fabs(reached.estimate) : target.width;
  reached.met = reached.half_width <= reached.allowed;
  if (!std::isfinite(reached.half_width)) reached.why = why_none(target, values, miss);
  return reached;
}

bool Until::met() const {
  return taken > 0 && std::all_of(targets.begin(), targets.end(), [](const Reached& r) { return r.met; });
}

const Reached* Until::hopeless() const {
  // Fewer than 3 samples in a thousand have a value then, with 95 %: the zero of n, (1 - 3 / n)^n = 0.05.
  constexpr std::uint64_t enough = 1000;
  if (samples() < enough) return nullptr;
  const auto found = std::find_if(targets.begin(), targets.end(), [](const Reached& r) { return r.n == 0; });
  return found == targets.end() ? nullptr : &*found;
}

bool is_same_plan(const Until& a, const Until& b) {
  const auto text = [](const Reached& reached) { return reached.target.text; };
  return a.looks == b.looks && std::ranges::equal(a.targets, b.targets, {}, text, text);
}

Until plan_until(const std::vector<PrecisionTarget>& targets, std::uint64_t first, std::uint64_t at_most) {
  Until until;
  until.looks = look_schedule(first, at_most);
  until.miss = until_miss / static_cast<double>(until.looks.size() * targets.size());
  for (const PrecisionTarget& target : targets)
    until.targets.push_back({target, 0, missing, {missing, missing}, missing, missing});
  return until;
}

void look(Until& until, const SummaryTable& table) {
  for (Reached& reached : until.targets) reached = reach(reached.target, table, until.miss);
  ++until.taken;
}

}  // namespace scree
