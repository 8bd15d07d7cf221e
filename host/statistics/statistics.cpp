#include "statistics.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "distributions.hpp"
#include "host/common/available_memory.hpp"
#include "host/common/parallel.hpp"

namespace scree {
namespace {

/// 0.95 quantile of chi-squared with two degrees of freedom: -2 ln 0.05.
constexpr double chi_squared_2_95 = 5.991464547107979;

/// Quantiles at quantile_levels by selection, which reorders the values.
std::array<double, 7> quantiles(std::vector<double>& values) {
  std::array<double, 7> result;
  const std::size_t last = values.size() - 1;
  auto unsorted = values.begin();
  for (std::size_t i = 0; i < quantile_levels.size(); ++i) {
    const double position = static_cast<double>(last) * quantile_levels[i];
    const std::size_t below = std::min(static_cast<std::size_t>(position), last);
    const auto low = values.begin() + static_cast<std::ptrdiff_t>(below);
    std::nth_element(unsorted, low, values.end());
    const double high = below == last ? *low : *std::min_element(low + 1, values.end());
    result[i] = std::lerp(*low, high, position - static_cast<double>(below));
    unsorted = low;
  }
  return result;
}

std::uint32_t replicate(const SummaryTable& table, std::uint64_t row) {
  return static_cast<std::uint32_t>(table.number(row) % static_cast<std::uint64_t>(table.replicates));
}

/// Removes the values that are not finite, and their replicates; how many they were.
std::uint64_t keep_finite(std::vector<double>& values, std::vector<std::uint32_t>& replicate_of) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    values[kept] = values[i];
    if (!replicate_of.empty()) replicate_of[kept] = replicate_of[i];
    ++kept;
  }
  const std::size_t removed = values.size() - kept;
  values.resize(kept);
  if (!replicate_of.empty()) replicate_of.resize(kept);
  return removed;
}

/// The values of one column over the samples for which `enters(sample)`.
template <class Enters>
ColumnStatistics over(const SummaryTable& table, int column, Enters enters) {
  std::vector<double> values;
  std::vector<std::uint32_t> replicate_of;
  std::size_t count = 0;  // a vector that grows takes up to three times its values
  for (std::uint64_t i = 0; i < table.samples; ++i) count += enters(i);
  values.reserve(count);
  if (table.replicates > 0) replicate_of.reserve(count);
  for (std::uint64_t i = 0; i < table.samples; ++i) {
    if (!enters(i)) continue;
    values.push_back(table.at(column, i));
    if (table.replicates > 0) replicate_of.push_back(replicate(table, i));
  }
  return column_statistics(std::move(values), std::move(replicate_of));
}

Deposition deposition(const SummaryTable& table) {
  const Description& description = *table.description;
  Deposition result;
  std::vector<double> x, y, across;
  const int across_column = description.deposition_across;
  for (std::vector<double>* values : {&x, &y, &across}) values->reserve(table.samples);
  for (std::uint64_t i = 0; i < table.samples; ++i) {
    if (!counts(Counted::stopped, table.counted_status(i))) continue;
    const double xi = table.at(description.deposition_x, i), yi = table.at(description.deposition_y, i);
    if (!std::isfinite(xi) || !std::isfinite(yi)) continue;
    x.push_back(xi);
    y.push_back(yi);
    if (across_column >= 0) across.push_back(table.at(across_column, i));
  }
  result.n = x.size();
  result.mean_x = result.mean_y = result.var_x = result.cov_xy = result.var_y = missing;
  result.semi_major = result.semi_minor = result.angle = result.lateral_width = missing;
  result.width_definition = across_column >= 0
                                ? "5 to 95 % of " + description.columns[static_cast<std::size_t>(across_column)].name
                                : "5 to 95 % across the major axis of the ellipse";
  if (x.empty()) return result;
  const double n = static_cast<double>(x.size());
  result.mean_x = pairwise_sum(x) / n;
  result.mean_y = pairwise_sum(y) / n;
  if (x.size() >= 2) {
    std::vector<double> products(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) products[i] = (x[i] - result.mean_x) * (y[i] - result.mean_y);
    result.var_x = squared_deviations(x, result.mean_x) / (n - 1);
    result.var_y = squared_deviations(y, result.mean_y) / (n - 1);
    result.cov_xy = pairwise_sum(products) / (n - 1);
    Eigen::Matrix2d covariance;
    covariance << result.var_x, result.cov_xy, result.cov_xy, result.var_y;
    Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> eigen;
    eigen.computeDirect(covariance);  // eigenvalues in rising order
    result.semi_minor = std::sqrt(chi_squared_2_95 * std::max(0.0, eigen.eigenvalues()[0]));
    result.semi_major = std::sqrt(chi_squared_2_95 * std::max(0.0, eigen.eigenvalues()[1]));
    Eigen::Vector2d axis = eigen.eigenvectors().col(1);
    if (axis.x() < 0 || (axis.x() == 0 && axis.y() < 0)) axis = -axis;
    result.angle = std::atan2(axis.y(), axis.x());
    if (across_column < 0)
      for (std::size_t i = 0; i < x.size(); ++i)
        across.push_back(axis.x() * (y[i] - result.mean_y) - axis.y() * (x[i] - result.mean_x));
  }
  if (!across.empty()) {
    const ColumnStatistics width = column_statistics(across);
    result.lateral_width = width.quantiles[5] - width.quantiles[0];
  }
  return result;
}

}  // namespace

double pairwise_sum(std::span<const double> values) {
  if (values.size() <= 32) {
    double sum = 0;
    for (const double x : values) sum += x;
    return sum;
  }
  const std::size_t half = values.size() / 2;
  return pairwise_sum(values.first(half)) + pairwise_sum(values.subspan(half));
}

double squared_deviations(std::span<const double> values, double mean) {
  std::vector<double> work(values.size());
  std::transform(values.begin(), values.end(), work.begin(), [mean](double x) { return x - mean; });
  const double rest = pairwise_sum(work);
  for (double& x : work) x *= x;
  return std::max(0.0, pairwise_sum(work) - rest * rest / static_cast<double>(values.size()));
}

double ci_half_width(std::uint64_t n, double sd) {
  if (n < 2) return missing;
  return StudentsT{static_cast<double>(n - 1)}.quantile(0.975) * sd / std::sqrt(static_cast<double>(n));
}

bool counts(Counted counted, std::uint32_t status) {
  if (counted == Counted::stopped) return status == static_cast<std::uint32_t>(Status::stopped);
  const auto is = [&](Status which) { return status == static_cast<std::uint32_t>(which); };
  return !is(Status::not_run) && !is(Status::diverged) && !is(Status::not_placed);
}

std::uint64_t counted_samples(Counted counted, const StatusCounts& status) {
  std::uint64_t sum = 0;
  for (std::uint32_t s = 0; s < status_count; ++s)
    if (counts(counted, s)) sum += status[s];
  return sum;
}

ReplicatedInterval replicated_interval(std::span<const double> values, std::span<const std::uint32_t> replicate_of,
                                       double mean) {
  std::vector<std::vector<double>> deviations;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (deviations.size() <= replicate_of[i]) deviations.resize(replicate_of[i] + 1);
    deviations[replicate_of[i]].push_back(values[i] - mean);
  }
  std::erase_if(deviations, [](const std::vector<double>& of_replicate) { return of_replicate.empty(); });
  ReplicatedInterval result{static_cast<int>(deviations.size()), missing, missing};
  if (result.replicates < 2) return result;
  const double n = static_cast<double>(values.size()), r = static_cast<double>(result.replicates);
  double squares = 0;
  for (const std::vector<double>& of_replicate : deviations) {
    const double total = pairwise_sum(of_replicate);
    squares += total * total;
  }
  result.variance = r / (r - 1) * squares / (n * n);
  result.half_width = StudentsT{r - 1}.quantile(0.975) * std::sqrt(result.variance);
  return result;
}

std::array<double, 2> gain_factors(int replicates) {
  const double freedom = replicates - 1;
  const ChiSquared law{freedom};
  return {law.quantile(0.025) / freedom, law.quantile(0.975) / freedom};
}

Mean mean_of(std::span<const double> values, std::span<const std::uint32_t> replicate_of) {
  Mean result;
  result.n = values.size();
  result.value = result.sd = result.standard_error = result.freedom = result.half_width = result.gain = missing;
  if (values.empty()) return result;
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  const double n = static_cast<double>(values.size());
  // Rounding may put the mean of equal values beside them by one ulp.
  result.value = std::clamp(pairwise_sum(values) / n, *least, *greatest);
  if (values.size() < 2) return result;
  result.sd = std::sqrt(squared_deviations(values, result.value) / (n - 1));
  result.standard_error = result.sd / std::sqrt(n);
  result.freedom = n - 1;
  result.half_width = ci_half_width(result.n, result.sd);
  if (replicate_of.empty()) return result;
  const ReplicatedInterval interval = replicated_interval(values, replicate_of, result.value);
  result.standard_error = std::sqrt(interval.variance);
  result.freedom = interval.replicates - 1;
  result.half_width = interval.half_width;
  // What a sum is rounded by is no variance: replicates that agree that far agree.
  const double rounding = std::numeric_limits<double>::epsilon() * std::max(std::fabs(*least), *greatest);
  const double variance = interval.variance <= rounding * rounding ? 0.0 : interval.variance;
  result.gain = result.sd * result.sd / n / variance;
  return result;
}

ColumnStatistics column_statistics(std::vector<double> values, std::vector<std::uint32_t> replicate_of) {
  ColumnStatistics result;
  result.undefined = keep_finite(values, replicate_of);
  const Mean mean = mean_of(values, replicate_of);
  result.n = mean.n;
  result.mean = mean.value;
  result.sd = mean.sd;
  result.ci_low = mean.value - mean.half_width;
  result.ci_high = mean.value + mean.half_width;
  result.gain = mean.gain;
  result.min = result.max = missing;
  result.quantiles.fill(missing);
  if (values.empty()) return result;
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  result.min = *least;
  result.max = *greatest;
  result.quantiles = quantiles(values);
  return result;
}

Statistics statistics(const SummaryTable& table, const std::vector<int>* group, int groups, int threads) {
  Statistics result;
  const std::vector<Column>& columns = table.description->columns;
  result.samples = table.samples;
  result.replicates = table.replicates;
  for (std::uint64_t i = 0; i < table.samples; ++i) ++result.status[table.counted_status(i)];
  result.groups.resize(static_cast<std::size_t>(groups));
  if (group) {
    for (std::uint64_t i = 0; i < table.samples; ++i) {
      const int g = (*group)[i];
      if (g < 0) continue;
      GroupStatistics& of_group = result.groups.at(static_cast<std::size_t>(g));
      ++of_group.samples;
      ++of_group.status[table.counted_status(i)];
    }
  }
  result.columns.resize(columns.size());
  for (std::uint32_t s = 1; s < status_count; ++s)
    if (result.status[s] > 0) result.by_status[s].resize(columns.size());
  for (GroupStatistics& of_group : result.groups) of_group.columns.resize(columns.size());
  const double of_a_column = column_bytes(table.replicates > 0) * static_cast<double>(table.samples);
  on_threads(threads_within_memory(threads, of_a_column), columns.size(), [&](std::size_t k) {
    const int c = static_cast<int>(k);
    const Counted counted = columns[k].counted;
    result.columns[k] = over(table, c, [&](std::uint64_t i) { return counts(counted, table.counted_status(i)); });
    for (std::uint32_t s = 1; s < status_count; ++s)
      if (result.status[s] > 0)
        result.by_status[s][k] = over(table, c, [&](std::uint64_t i) { return table.counted_status(i) == s; });
    for (int g = 0; g < (group ? groups : 0); ++g)
      result.groups[static_cast<std::size_t>(g)].columns[k] =
          over(table, c, [&](std::uint64_t i) { return (*group)[i] == g && counts(counted, table.counted_status(i)); });
  });
  result.has_deposition = table.description->deposition_x >= 0 && table.description->deposition_y >= 0;
  if (result.has_deposition) result.deposition = deposition(table);
  return result;
}

bool enters(const SummaryTable& table, int column, std::uint64_t sample) {
  const Counted counted = table.description->columns[static_cast<std::size_t>(column)].counted;
  return counts(counted, table.counted_status(sample)) && std::isfinite(table.at(column, sample));
}

Matched matched_values(std::span<const SummaryTable* const> tables, int column) {
  Matched matched;
  matched.values.resize(tables.size());
  const SummaryTable& first = *tables[0];
  std::uint64_t all = first.samples;
  for (const SummaryTable* table : tables) all = std::min(all, table->samples);
  for (std::vector<double>& values : matched.values) values.reserve(all);
  if (first.replicates > 0) matched.replicate_of.reserve(all);
  for (std::uint64_t i = 0; i < all; ++i) {
    const auto has = [&](const SummaryTable* table) { return enters(*table, column, i); };
    if (!std::all_of(tables.begin(), tables.end(), has)) continue;
    for (std::size_t t = 0; t < tables.size(); ++t) matched.values[t].push_back(tables[t]->at(column, i));
    if (first.replicates > 0) matched.replicate_of.push_back(replicate(first, i));
  }
  return matched;
}

OverSteps over_steps(const SummaryTable& table, int column) {
  const Column& description = table.description->columns[static_cast<std::size_t>(column)];
  if (description.time < 0) throw std::invalid_argument(description.name + " is no mean over a time of each sample");
  const SummaryTable* const one[] = {&table};
  const Matched matched = matched_values(one, column);
  const std::vector<double>& x = matched.values[0];
  std::vector<double> time, sum, within;
  for (std::uint64_t i = 0; i < table.samples; ++i) {
    if (!enters(table, column, i)) continue;
    const double t = table.at(description.time, i), rms = table.at(description.rms, i);
    time.push_back(t);
    sum.push_back(t * table.at(column, i));
    within.push_back(t * (rms - table.at(column, i)) * (rms + table.at(column, i)));
  }
  OverSteps result{x.size(), missing, missing, missing, missing};
  const double total = pairwise_sum(time);
  if (!(total > 0)) return result;
  result.mean = pairwise_sum(sum) / total;
  std::vector<double> between(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) between[i] = time[i] * (x[i] - result.mean) * (x[i] - result.mean);
  result.sd = std::sqrt(std::max(pairwise_sum(within) + pairwise_sum(between), 0.0) / total);
  for (std::size_t i = 0; i < sum.size(); ++i)
    sum[i] = time[i] * (x[i] - result.mean) * (static_cast<double>(x.size()) / total);
  const double half = mean_of(sum, matched.replicate_of).half_width;
  result.ci_low = result.mean - half;
  result.ci_high = result.mean + half;
  return result;
}

PairedColumn paired_column(const SummaryTable& baseline, const SummaryTable& arm, int c, const Matched& matched) {
  const std::vector<double>&a = matched.values[0], &b = matched.values[1];
  std::vector<double> differences(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) differences[i] = b[i] - a[i];
  const Mean difference = mean_of(differences, matched.replicate_of);
  const double n = static_cast<double>(a.size());
  PairedColumn column;
  column.n = difference.n;
  column.left_out = baseline.samples - column.n;
  for (std::uint64_t i = 0; i < baseline.samples; ++i) {
    const bool in_a = enters(baseline, c, i), in_b = enters(arm, c, i);
    column.only_baseline += in_a && !in_b;
    column.only_arm += in_b && !in_a;
  }
  column.baseline_mean = a.empty() ? missing : pairwise_sum(a) / n;
  column.arm_mean = b.empty() ? missing : pairwise_sum(b) / n;
  column.difference = difference.value;
  column.sd = difference.sd;
  column.standard_error = difference.standard_error;
  column.freedom = difference.freedom;
  column.ci_low = difference.value - difference.half_width;
  column.ci_high = difference.value + difference.half_width;
  column.gain = difference.gain;
  column.effect_size = difference.sd > 0 ? difference.value / difference.sd : missing;
  column.excludes_zero = column.ci_low > 0 || column.ci_high < 0;
  return column;
}

Paired paired(const SummaryTable& baseline, const SummaryTable& arm) {
  if (baseline.samples != arm.samples || baseline.values.size() != arm.values.size())
    throw std::invalid_argument("paired statistics need the same samples and columns in both arms");
  Paired result;
  result.samples = baseline.samples;
  const SummaryTable* const both[] = {&baseline, &arm};
  for (int c = 0; c < static_cast<int>(baseline.description->columns.size()); ++c)
    result.columns.push_back(paired_column(baseline, arm, c, matched_values(both, c)));
  return result;
}

}  // namespace scree
