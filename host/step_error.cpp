#include "step_error.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "statistics.hpp"

namespace scree {
namespace {

const Estimate none{std::nan(""), std::nan(""), std::nan("")};

/// The mean of these values, with Student's t.
Estimate mean_of(std::vector<double> values) {
  const ColumnStatistics s = column_statistics(std::move(values));
  return {s.mean, s.ci_low, s.ci_high};
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

/// weighted[i] = f(i) with its mean's interval, shifted so that the mean is `value`: a linearised estimate.
template <class F>
Estimate linearised(double value, std::size_t n, F f) {
  std::vector<double> influence(n);
  for (std::size_t i = 0; i < n; ++i) influence[i] = f(i);
  const double half = ci_half_width(n, column_statistics(std::move(influence)).sd);
  return {value, value - half, value + half};
}

/// log2 of the quotient of two means of the same samples.
Estimate order_of(const std::vector<double>& d, const std::vector<double>& finer) {
  const double a = mean(d), b = mean(finer);
  if (!(a / b > 0)) return none;
  const double ln2 = std::log(2.0);
  return linearised(std::log2(a / b), d.size(), [&](std::size_t i) { return (d[i] / a - finer[i] / b) / ln2; });
}

/// A statistic at h minus that at the finest step, its interval from sections: the statistic's difference over each of
/// 20 parts of the samples (every 20th), with Student's t. Sections keep pairs together, so they see what the two steps
/// have in common.
Estimate sectioned(const std::vector<double>& coarse, const std::vector<double>& fine,
                   const std::function<double(const ColumnStatistics&)>& statistic) {
  constexpr std::size_t sections = 20;
  const double value = statistic(column_statistics(coarse)) - statistic(column_statistics(fine));
  if (coarse.size() < 2 * sections) return {value, std::nan(""), std::nan("")};
  std::vector<double> parts;
  for (std::size_t s = 0; s < sections; ++s) {
    std::vector<double> a, b;
    for (std::size_t i = s; i < coarse.size(); i += sections) {
      a.push_back(coarse[i]);
      b.push_back(fine[i]);
    }
    parts.push_back(statistic(column_statistics(std::move(a))) - statistic(column_statistics(std::move(b))));
  }
  const Estimate spread = mean_of(parts);
  const double half = (spread.high - spread.low) / 2;
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
  const std::vector<std::vector<double>> x = matched_values(tables, column);
  result.n = x[0].size();
  result.errors.assign(x.size(), none);
  result.sd_error = none;
  result.quantile_errors.fill(none);
  for (const std::vector<double>& values : x) result.means.push_back(values.empty() ? std::nan("") : mean(values));
  std::vector<std::vector<double>> changes;
  for (std::size_t k = 0; k + 1 < x.size(); ++k) {
    changes.push_back(minus(x[k + 1], x[k]));
    result.changes.push_back(mean_of(changes.back()));
  }
  for (std::size_t k = 0; k + 1 < changes.size(); ++k)
    result.orders.push_back(
        result.changes[k].seen() && result.changes[k + 1].seen() ? order_of(changes[k], changes[k + 1]) : none);
  if (result.n < 2) return result;
  result.order_seen = seen_order(result.orders);
  const double rest = result.order_seen ? 1 / (std::exp2(result.orders.back().value) - 1) : 0.0;
  for (std::size_t k = 0; k + (result.order_seen ? 0 : 1) < x.size(); ++k) {
    std::vector<double> error = minus(x[k], x.back());
    for (std::size_t i = 0; i < error.size(); ++i) error[i] -= rest * changes.back()[i];
    result.errors[k] = mean_of(std::move(error));
  }
  result.sd_error = sectioned(x.front(), x.back(), [](const ColumnStatistics& s) { return s.sd; });
  for (std::size_t q = 0; q < quantile_levels.size(); ++q)
    result.quantile_errors[q] =
        sectioned(x.front(), x.back(), [q](const ColumnStatistics& s) { return s.quantiles[q]; });
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
  const std::vector<std::vector<double>> x = matched_values(tables, column);
  StepShares shares;
  shares.n = x[0].size();
  shares.first_step = baseline.step;
  shares.last_step = baseline.finer.empty() ? baseline.step : baseline.finer.back().step;
  shares.baseline = shares.arm = shares.rest = none;
  const std::vector<double> first = minus(x[first_of_arm], x[0]), last = minus(x.back(), x[first_of_arm - 1]),
                            of_baseline = minus(x[first_of_arm - 1], x[0]), of_arm = minus(x[first_of_arm], x.back());
  shares.first = mean_of(first);
  shares.last = mean_of(last);
  if (shares.n < 2 || !shares.first.seen()) return shares;
  const auto share = [&](const std::vector<double>& part) {
    const double value = mean(part) / shares.first.value;
    return linearised(value, part.size(),
                      [&](std::size_t i) { return (part[i] - value * first[i]) / shares.first.value; });
  };
  shares.baseline = share(of_baseline);
  shares.arm = share(of_arm);
  shares.rest = share(last);
  return shares;
}

}  // namespace scree
