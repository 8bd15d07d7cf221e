#include "step_error.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

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

/// A statistic at h minus that at the finest step, its interval from sections: the statistic's difference over each of
/// 20 parts of the samples (every 20th), or over each replicate, with Student's t. Sections keep pairs together, so
/// they see what the two steps have in common.
Estimate sectioned(const std::vector<double>& coarse, const std::vector<double>& fine, const Replicates& replicate_of,
                   const std::function<double(const ColumnStatistics&)>& statistic) {
  const double value = statistic(column_statistics(coarse)) - statistic(column_statistics(fine));
  const std::size_t sections =
      replicate_of.empty() ? 20 : 1 + *std::max_element(replicate_of.begin(), replicate_of.end());
  if (coarse.size() < 2 * sections) return {value, std::nan(""), std::nan("")};
  std::vector<std::vector<double>> a(sections), b(sections);
  for (std::size_t i = 0; i < coarse.size(); ++i) {
    const std::size_t s = replicate_of.empty() ? i % sections : replicate_of[i];
    a[s].push_back(coarse[i]);
    b[s].push_back(fine[i]);
  }
  std::vector<double> parts;
  for (std::size_t s = 0; s < sections; ++s)
    if (!a[s].empty())
      parts.push_back(statistic(column_statistics(std::move(a[s]))) - statistic(column_statistics(std::move(b[s]))));
  const double half = mean_of(parts).half_width;
  return {value, value - half, value + half};
}

bool seen_order(const std::vector<Estimate>& orders) {
  if (orders.size() < 2) return false;
  const Estimate &before = orders[orders.size() - 2], &last = orders.back();
  const auto half = [](const Estimate& e) { return (e.high - e.low) / 2; };
  const bool known = half(before) <= 0.5 && half(last) <= 0.5 && last.low > 0;
  return known && std::fabs(last.value - before.value) <= std::max(0.25, half(before) + half(last));
}

ColumnSteps of_column(const std::vector<const SummaryTable*>& tables, int column) {
  ColumnSteps result;
  const Matched matched = matched_values(tables, column);
  const std::vector<std::vector<double>>& x = matched.values;
  const Replicates& replicate_of = matched.replicate_of;
  result.n = x[0].size();
  result.errors.assign(x.size(), none);
  result.sd_error = none;
  result.quantile_errors.fill(none);
  for (const std::vector<double>& values : x) result.means.push_back(values.empty() ? std::nan("") : mean(values));
  std::vector<std::vector<double>> changes;
  for (std::size_t k = 0; k + 1 < x.size(); ++k) {
    changes.push_back(minus(x[k + 1], x[k]));
    result.changes.push_back(estimate(changes.back(), replicate_of));
  }
  for (std::size_t k = 0; k + 1 < changes.size(); ++k)
    result.orders.push_back(result.changes[k].seen() && result.changes[k + 1].seen()
                                ? order_of(changes[k], changes[k + 1], replicate_of)
                                : none);
  if (result.n < 2) return result;
  result.order_seen = seen_order(result.orders);
  const double rest = result.order_seen ? 1 / (std::exp2(result.orders.back().value) - 1) : 0.0;
  for (std::size_t k = 0; k + (result.order_seen ? 0 : 1) < x.size(); ++k) {
    std::vector<double> error = minus(x[k], x.back());
    for (std::size_t i = 0; i < error.size(); ++i) error[i] -= rest * changes.back()[i];
    result.errors[k] = estimate(error, replicate_of);
  }
  result.sd_error = sectioned(x.front(), x.back(), replicate_of, [](const ColumnStatistics& s) { return s.sd; });
  for (std::size_t q = 0; q < quantile_levels.size(); ++q)
    result.quantile_errors[q] =
        sectioned(x.front(), x.back(), replicate_of, [q](const ColumnStatistics& s) { return s.quantiles[q]; });
  return result;
}

}  // namespace

std::vector<ColumnSteps> step_errors(const Arm& arm) {
  std::vector<ColumnSteps> columns;
  if (arm.finer.empty()) return columns;
  const std::vector<const SummaryTable*> tables = tables_of(arm);
  for (std::size_t c = 0; c < arm.table.description->columns.size(); ++c)
    columns.push_back(of_column(tables, static_cast<int>(c)));
  return columns;
}

StepShares step_shares(const Arm& baseline, const Arm& arm, int column) {
  std::vector<const SummaryTable*> tables = tables_of(baseline);
  const std::size_t first_of_arm = tables.size();
  for (const SummaryTable* table : tables_of(arm)) tables.push_back(table);
  const Matched matched = matched_values(tables, column);
  const std::vector<std::vector<double>>& x = matched.values;
  const Replicates& replicate_of = matched.replicate_of;
  StepShares shares;
  shares.n = x[0].size();
  shares.first_step = baseline.step;
  shares.last_step = baseline.finer.empty() ? baseline.step : baseline.finer.back().step;
  shares.baseline = shares.arm = shares.rest = none;
  const std::vector<double> first = minus(x[first_of_arm], x[0]), last = minus(x.back(), x[first_of_arm - 1]),
                            of_baseline = minus(x[first_of_arm - 1], x[0]), of_arm = minus(x[first_of_arm], x.back());
  shares.first = estimate(first, replicate_of);
  shares.last = estimate(last, replicate_of);
  if (shares.n < 2 || !shares.first.seen()) return shares;
  const auto share = [&](const std::vector<double>& part) {
    const double value = mean(part) / shares.first.value;
    return linearised(value, replicate_of, part.size(),
                      [&](std::size_t i) { return (part[i] - value * first[i]) / shares.first.value; });
  };
  shares.baseline = share(of_baseline);
  shares.arm = share(of_arm);
  shares.rest = share(last);
  return shares;
}

}  // namespace scree
