#include "step_error.hpp"

#include <algorithm>
#include <cmath>

#include "host/common/available_memory.hpp"
#include "host/common/parallel.hpp"
#include "statistics.hpp"

namespace scree {
namespace {

const Estimate none{std::nan(""), std::nan(""), std::nan("")};

using Replicates = std::vector<std::uint32_t>;

/// The mean of these values with its interval.
Estimate estimate(const std::vector<double>& values, const Replicates& replicate_of) {
  const Mean m = mean_of(values, replicate_of);
  return {m.value, m.value - m.half_width, m.value + m.half_width};
}

std::vector<const SummaryTable*> tables_of(const Arm& arm) {
  std::vector<const SummaryTable*> tables{&arm.table};
  for (const Arm& finer : arm.finer) tables.push_back(&finer.table);
  return tables;
}

std::vector<double> minus(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] - b[i];
  return result;
}

double mean(const std::vector<double>& values) { return pairwise_sum(values) / static_cast<double>(values.size()); }

/// A function of means, linearised: `value`, with the interval of the mean of f(0), f(1), ...
template <class F>
Estimate linearised(double value, const Replicates& replicate_of, std::size_t n, F f) {
  std::vector<double> influence(n);
  for (std::size_t i = 0; i < n; ++i) influence[i] = f(i);
  const double half = mean_of(influence, replicate_of).half_width;
  return {value, value - half, value + half};
}

/// log2 of the quotient of two means of the same samples.
Estimate order_of(const std::vector<double>& d, const std::vector<double>& finer, const Replicates& replicate_of) {
  const double a = mean(d), b = mean(finer);
  if (!(a / b > 0)) return none;
  const double ln2 = std::log(2.0);
  return linearised(std::log2(a / b), replicate_of, d.size(),
                    [&](std::size_t i) { return (d[i] / a - finer[i] / b) / ln2; });
}

/// The values' statistics, their sd and quantiles, in one list.
std::vector<double> spread_of(const ColumnStatistics& s) {
  std::vector<double> values{s.sd};
  values.insert(values.end(), s.quantiles.begin(), s.quantiles.end());
  return values;
}

/// sd and quantiles at h minus those at the finest step, with intervals from sections: the difference over each of 20
/// parts of the samples (every 20th), or over each replicate, with Student's t. Sections keep pairs together, so they
/// see what the two steps have in common. No interval for a quantile beyond which a section has less than one value.
std::vector<Estimate> sectioned(const std::vector<double>& coarse, const std::vector<double>& fine,
                                const Replicates& replicate_of) {
  const std::size_t sections =
      replicate_of.empty() ? 20 : 1 + *std::max_element(replicate_of.begin(), replicate_of.end());
  std::vector<std::vector<double>> a(sections), b(sections);
  for (std::size_t i = 0; i < coarse.size(); ++i) {
    const std::size_t s = replicate_of.empty() ? i % sections : replicate_of[i];
    a[s].push_back(coarse[i]);
    b[s].push_back(fine[i]);
  }
  const double per_section = static_cast<double>(coarse.size()) / static_cast<double>(sections);
  std::vector<std::vector<double>> parts(1 + quantile_levels.size());
  for (std::size_t s = 0; s < sections; ++s) {
    if (a[s].size() < 2) continue;
    const std::vector<double> x = spread_of(column_statistics(std::move(a[s]))),
                              y = spread_of(column_statistics(std::move(b[s])));
    for (std::size_t q = 0; q < parts.size(); ++q) parts[q].push_back(x[q] - y[q]);
  }
  const std::vector<double> all_coarse = spread_of(column_statistics(coarse)),
                            all_fine = spread_of(column_statistics(fine));
  std::vector<Estimate> estimates;
  for (std::size_t q = 0; q < parts.size(); ++q) {
    const double value = all_coarse[q] - all_fine[q], p = q == 0 ? 0.5 : quantile_levels[q - 1];
    const double half = per_section * std::min(p, 1 - p) < 1 ? std::nan("") : mean_of(parts[q]).half_width;
    estimates.push_back({value, value - half, value + half});
  }
  return estimates;
}

/// Whether the last two of the orders that are not round-off agree.
bool seen_order(const std::vector<Estimate>& orders, std::size_t last, bool single) {
  if (last < 3) return false;
  const Estimate &before = orders[last - 3], &latest = orders[last - 2];
  if (!(latest.value >= 0.5)) return false;
  const double apart = std::fabs(latest.value - before.value);
  if (single) return apart <= 0.25;
  return before.half_width() <= 0.25 && latest.half_width() <= 0.25 &&
         apart <= std::max(0.25, before.half_width() + latest.half_width());
}

/// How many times the last change is still to come.
double richardson(const ColumnSteps& s) { return s.order_seen ? 1 / (std::exp2(s.orders[s.last - 2].value) - 1) : 0.0; }

ColumnSteps of_column(const std::vector<const SummaryTable*>& tables, int column) {
  ColumnSteps result;
  const Matched matched = matched_values(tables, column);
  const std::vector<std::vector<double>>& x = matched.values;
  const Replicates& replicate_of = matched.replicate_of;
  const std::size_t n = x[0].size();
  result.n = n;
  result.errors.assign(x.size(), none);
  result.sd_error = none;
  result.quantile_errors.fill(none);
  for (const std::vector<double>& values : x) result.means.push_back(values.empty() ? std::nan("") : mean(values));
  std::vector<std::vector<double>> changes;
  for (std::size_t k = 0; k + 1 < x.size(); ++k) {
    changes.push_back(minus(x[k + 1], x[k]));
    result.changes.push_back(estimate(changes.back(), replicate_of));
  }
  const auto round_off = [&](std::size_t k) {
    return std::fabs(result.changes[k].value) <= 1e-14 * std::fabs(result.means[k]);
  };
  while (result.last < changes.size() && !round_off(result.last)) ++result.last;
  for (std::size_t k = 0; k + 1 < changes.size(); ++k)
    result.orders.push_back(k + 1 < result.last &&
                                    (n == 1 || (result.changes[k].seen() && result.changes[k + 1].seen()))
                                ? order_of(changes[k], changes[k + 1], replicate_of)
                                : none);
  if (n == 0) return result;
  result.order_seen = seen_order(result.orders, result.last, n == 1);
  // Without a change that is not round-off, the finest step is as good a limit as any.
  const std::size_t end = result.last == 0 ? changes.size() : result.last;
  const double rest = richardson(result);
  for (std::size_t k = 0; k <= end; ++k) {
    if (k == end && !result.order_seen) break;
    const std::vector<double> error = minus(x[k], x[end]);
    const double value = mean(error) - rest * result.changes[end - 1].value;
    // The order is an estimate too: with r = 1 / (2^p - 1), dr/dp = -ln 2 r (1 + r), and p linearised as in order_of.
    const double of_order = result.order_seen ? result.changes[end - 1].value * rest * (1 + rest) : 0.0;
    result.errors[k] = linearised(value, replicate_of, n, [&](std::size_t i) {
      double influence = error[i] - rest * changes[end - 1][i];
      if (result.order_seen)
        influence += of_order * (changes[end - 2][i] / result.changes[end - 2].value -
                                 changes[end - 1][i] / result.changes[end - 1].value);
      return influence;
    });
  }
  if (n < 2) return result;
  const std::vector<Estimate> spread = sectioned(x.front(), x.back(), replicate_of);
  result.sd_error = spread[0];
  std::copy(spread.begin() + 1, spread.end(), result.quantile_errors.begin());
  return result;
}

}  // namespace

std::uint64_t finer_samples(const std::string& command, std::uint64_t samples) {
  constexpr std::uint64_t enough = 10000;  // to see the error of the step beside what is compared
  return command == "compare" ? std::min(samples, enough) : samples;
}

std::vector<ColumnSteps> step_errors(const Arm& arm, int threads) {
  std::vector<ColumnSteps> columns;
  if (arm.finer.empty()) return columns;
  const std::vector<const SummaryTable*> tables = tables_of(arm);
  columns.resize(arm.table.description->columns.size());
  const double of_a_column = compared_column_bytes(tables.size()) * static_cast<double>(arm.table.samples);
  threads = threads_within_memory(threads, of_a_column);
  on_threads(threads, columns.size(), [&](std::size_t c) { columns[c] = of_column(tables, static_cast<int>(c)); });
  return columns;
}

bool same_steps(const Arm& baseline, const Arm& arm) {
  if (baseline.finer.empty() || baseline.step != arm.step || baseline.finer.size() != arm.finer.size()) return false;
  for (std::size_t k = 0; k < arm.finer.size(); ++k)
    if (baseline.finer[k].step != arm.finer[k].step) return false;
  return true;
}

StepShares step_shares(const Arm& baseline, const Arm& arm, int column, const ColumnSteps& of_baseline,
                       const ColumnSteps& of_arm) {
  std::vector<const SummaryTable*> tables = tables_of(baseline);
  const std::size_t levels = tables.size();
  for (const SummaryTable* table : tables_of(arm)) tables.push_back(table);
  const Matched matched = matched_values(tables, column);
  const std::vector<std::vector<double>>& x = matched.values;
  const Replicates& replicate_of = matched.replicate_of;
  // The finest step, or the limit where the order has been seen.
  const auto limit = [&](std::size_t first_level, const ColumnSteps& steps) {
    const std::size_t finest = first_level + (steps.order_seen ? steps.last : levels - 1);
    std::vector<double> values = x[finest];
    const double rest = richardson(steps);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += rest * (x[finest][i] - x[finest - 1][i]);
    return values;
  };
  StepShares shares;
  shares.n = x[0].size();
  shares.first_step = baseline.step;
  shares.last_step = baseline.finer.back().step;
  shares.limit = of_baseline.order_seen && of_arm.order_seen;
  shares.baseline = shares.arm = shares.rest = none;
  const std::vector<double> baseline_end = limit(0, of_baseline), arm_end = limit(levels, of_arm),
                            first = minus(x[levels], x[0]), last = minus(arm_end, baseline_end),
                            baseline_part = minus(baseline_end, x[0]), arm_part = minus(x[levels], arm_end);
  shares.first = estimate(first, replicate_of);
  shares.last = estimate(last, replicate_of);
  shares.change = estimate(minus(last, first), replicate_of);
  if (shares.n < 2 || !shares.first.seen()) return shares;
  const auto share = [&](const std::vector<double>& part) {
    const double value = mean(part) / shares.first.value;
    return linearised(value, replicate_of, part.size(),
                      [&](std::size_t i) { return (part[i] - value * first[i]) / shares.first.value; });
  };
  shares.baseline = share(baseline_part);
  shares.arm = share(arm_part);
  shares.rest = share(last);
  return shares;
}

}  // namespace scree
