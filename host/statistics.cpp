#include "statistics.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace scree {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
/// 0.95 quantile of chi-squared with two degrees of freedom: -2 ln 0.05.
constexpr double chi_squared_2_95 = 5.991464547107979;

/// Sum of the squared deviations from the mean. The second term takes away what the rounding of the mean left.
double squared_deviations(std::span<const double> values, double mean) {
  std::vector<double> work(values.size());
  std::transform(values.begin(), values.end(), work.begin(), [mean](double x) { return x - mean; });
  const double rest = pairwise_sum(work);
  for (double& x : work) x *= x;
  return std::max(0.0, pairwise_sum(work) - rest * rest / static_cast<double>(values.size()));
}

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

/// The values of one column over the samples for which `enters(sample)`.
template <class Enters>
ColumnStatistics over(const SummaryTable& table, int column, Enters enters) {
  std::vector<double> values;
  for (std::uint64_t i = 0; i < table.samples; ++i)
    if (enters(i)) values.push_back(table.at(column, i));
  return column_statistics(std::move(values));
}

Deposition deposition(const SummaryTable& table) {
  const Description& description = *table.description;
  Deposition result;
  std::vector<double> x, y, across;
  const int across_column = description.deposition_across;
  for (std::uint64_t i = 0; i < table.samples; ++i) {
    if (!counts(Counted::stopped, table.status[i])) continue;
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

double ci_half_width(std::uint64_t n, double sd) {
  if (n < 2) return missing;
  const boost::math::students_t t(static_cast<double>(n - 1));
  return boost::math::quantile(t, 0.975) * sd / std::sqrt(static_cast<double>(n));
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

ColumnStatistics column_statistics(std::vector<double> values) {
  ColumnStatistics result;
  const auto finite_end =
      std::stable_partition(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
  result.undefined = static_cast<std::uint64_t>(values.end() - finite_end);
  values.erase(finite_end, values.end());
  result.n = values.size();
  result.mean = result.sd = result.ci_low = result.ci_high = result.min = result.max = missing;
  result.quantiles.fill(missing);
  if (values.empty()) return result;
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  result.min = *least;
  result.max = *greatest;
  const double n = static_cast<double>(values.size());
  // Rounding may put the mean of equal values beside them by one ulp.
  result.mean = std::clamp(pairwise_sum(values) / n, result.min, result.max);
  if (values.size() >= 2) {
    result.sd = std::sqrt(squared_deviations(values, result.mean) / (n - 1));
    const double half = ci_half_width(result.n, result.sd);
    result.ci_low = result.mean - half;
    result.ci_high = result.mean + half;
  }
  result.quantiles = quantiles(values);
  return result;
}

Statistics statistics(const SummaryTable& table, const std::vector<int>* group, int groups) {
  Statistics result;
  const std::vector<Column>& columns = table.description->columns;
  result.samples = table.samples;
  for (const std::uint32_t status : table.status) ++result.status[status];
  result.groups.resize(static_cast<std::size_t>(groups));
  if (group) {
    for (std::uint64_t i = 0; i < table.samples; ++i) {
      const int g = (*group)[i];
      if (g < 0) continue;
      GroupStatistics& of_group = result.groups.at(static_cast<std::size_t>(g));
      ++of_group.samples;
      ++of_group.status[table.status[i]];
    }
  }
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const int c = static_cast<int>(k);
    const Counted counted = columns[k].counted;
    result.columns.push_back(over(table, c, [&](std::uint64_t i) { return counts(counted, table.status[i]); }));
    for (std::uint32_t s = 1; s < status_count; ++s)
      if (result.status[s] > 0)
        result.by_status[s].push_back(over(table, c, [&](std::uint64_t i) { return table.status[i] == s; }));
    if (group)
      for (int g = 0; g < groups; ++g)
        result.groups[static_cast<std::size_t>(g)].columns.push_back(
            over(table, c, [&](std::uint64_t i) { return (*group)[i] == g && counts(counted, table.status[i]); }));
  }
  result.has_deposition = table.description->deposition_x >= 0 && table.description->deposition_y >= 0;
  if (result.has_deposition) result.deposition = deposition(table);
  return result;
}

std::vector<std::vector<double>> matched_values(std::span<const SummaryTable* const> tables, int column,
                                                std::vector<std::uint64_t>* samples) {
  std::vector<std::vector<double>> values(tables.size());
  const Counted counted = tables[0]->description->columns[static_cast<std::size_t>(column)].counted;
  std::uint64_t all = tables[0]->samples;
  for (const SummaryTable* table : tables) all = std::min(all, table->samples);
  for (std::uint64_t i = 0; i < all; ++i) {
    const bool enters = std::all_of(tables.begin(), tables.end(), [&](const SummaryTable* table) {
      return counts(counted, table->status[i]) && std::isfinite(table->at(column, i));
    });
    if (!enters) continue;
    for (std::size_t t = 0; t < tables.size(); ++t) values[t].push_back(tables[t]->at(column, i));
    if (samples) samples->push_back(i);
  }
  return values;
}

PairedColumn paired_column(std::span<const double> a, std::span<const double> b) {
  std::vector<double> differences(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) differences[i] = b[i] - a[i];
  const ColumnStatistics difference = column_statistics(std::move(differences));
  const double n = static_cast<double>(a.size());
  PairedColumn column;
  column.n = difference.n;
  column.baseline_mean = a.empty() ? missing : pairwise_sum(a) / n;
  column.arm_mean = b.empty() ? missing : pairwise_sum(b) / n;
  column.difference = difference.mean;
  column.sd = difference.sd;
  column.standard_error = difference.sd / std::sqrt(n);
  column.freedom = n - 1;
  column.ci_low = difference.ci_low;
  column.ci_high = difference.ci_high;
  column.effect_size = difference.sd > 0 ? difference.mean / difference.sd : missing;
  column.excludes_zero = difference.ci_low > 0 || difference.ci_high < 0;
  return column;
}

Paired paired(const SummaryTable& baseline, const SummaryTable& arm) {
  if (baseline.samples != arm.samples || baseline.values.size() != arm.values.size())
    throw std::invalid_argument("paired statistics need the same samples and columns in both arms");
  Paired result;
  result.samples = baseline.samples;
  const std::vector<Column>& columns = baseline.description->columns;
  const SummaryTable* const both[] = {&baseline, &arm};
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const int c = static_cast<int>(k);
    const auto values = matched_values(both, c);
    PairedColumn column = paired_column(values[0], values[1]);
    column.left_out = baseline.samples - column.n;
    for (std::uint64_t i = 0; i < baseline.samples; ++i) {
      const bool a = counts(columns[k].counted, baseline.status[i]) && std::isfinite(baseline.at(c, i));
      const bool b = counts(columns[k].counted, arm.status[i]) && std::isfinite(arm.at(c, i));
      column.only_baseline += a && !b;
      column.only_arm += b && !a;
    }
    result.columns.push_back(column);
  }
  return result;
}

}  // namespace scree
