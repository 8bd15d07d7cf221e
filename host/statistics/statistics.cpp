#include "statistics.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "distributions.hpp"
#include "exact_sum.hpp"
#include "host/common/parallel.hpp"

namespace scree {
namespace {

/// 0.95 quantile of chi-squared with two degrees of freedom: -2 ln 0.05.
constexpr double chi_squared_2_95 = 5.991464547107979;

std::uint32_t replicate(const SummaryTable& table, std::uint64_t row) {
  return static_cast<std::uint32_t>(table.number(row) % static_cast<std::uint64_t>(table.replicates));
}

/// Finite values, and the replicate of each; empty: they are independent.
using Take = std::function<void(std::span<const double>, std::span<const std::uint32_t>)>;

/// Hands on the finite ones of values that come one by one, some at a time.
class Batch {
 public:
  explicit Batch(const Take& take) : take_(take) {}
  void add(double value) {
    if (!put(value)) return;
    if (size_ == values_.size()) flush();
  }
  void add(double value, std::uint32_t replicate) {
    replicate_of_[size_] = replicate;
    replicated_ = true;
    add(value);
  }
  void flush() {
    if (size_ > 0) take_({values_.data(), size_}, {replicate_of_.data(), replicated_ ? size_ : 0});
    size_ = 0;
  }
  std::uint64_t left_out() const { return left_out_; }

 private:
  bool put(double value) {
    const bool is_finite = std::isfinite(value);
    values_[size_] = value;
    size_ += is_finite;
    left_out_ += !is_finite;
    return is_finite;
  }
  const Take& take_;
  std::array<double, 2048> values_;
  std::array<std::uint32_t, 2048> replicate_of_;
  std::size_t size_ = 0;
  std::uint64_t left_out_ = 0;
  bool replicated_ = false;
};

/// Samples of a table with one of some statuses, and of one group where that is given.
struct Selected {
  const SummaryTable& table;
  std::uint32_t statuses;  // bit s: of status s
  const std::vector<int>* group = nullptr;
  int of_group = -1;

  /// Calls visit() with the row of each.
  template <class Visit>
  void each(const Visit& visit) const {
    constexpr std::uint64_t piece = 8 * samples_at_once;
    for (std::uint64_t first = 0; first < table.samples; first += piece) {
      const std::uint64_t end = std::min(table.samples, first + piece);
      for (std::uint64_t i = first; i < end; ++i) {
        if (!(statuses >> table.counted_status(i) & 1)) continue;
        if (group != nullptr && (*group)[i] != of_group) continue;
        visit(i);
      }
      table.release(first, end - first);
    }
  }
  /// Calls take() with the finite ones of value(row), again and again with the same; how many are not finite.
  template <class Value>
  std::uint64_t pass(const Value& value, const Take& take) const {
    Batch batch(take);
    each([&](std::uint64_t i) {
      if (table.replicates > 0)
        batch.add(value(i), replicate(table, i));
      else
        batch.add(value(i));
    });
    batch.flush();
    return batch.left_out();
  }
};

std::uint32_t statuses_of(Counted counted) {
  std::uint32_t statuses = 0;
  for (std::uint32_t s = 0; s < status_count; ++s) statuses |= static_cast<std::uint32_t>(counts(counted, s)) << s;
  return statuses;
}

/// What one pass over values tells of them.
struct Sums {
  ExactMoments all;
  double least = infinity, greatest = -infinity;
  std::vector<ExactSum> sum_of;  // of each replicate
  std::vector<std::uint64_t> count_of;

  void take(std::span<const double> values, std::span<const std::uint32_t> replicate_of) {
    for (double x : values) {
      x += 0.0;  // of two zeros one is the least
      all.add(x);
      least = std::min(least, x);
      greatest = std::max(greatest, x);
    }
    for (std::size_t i = 0; i < replicate_of.size(); ++i) {
      if (sum_of.size() <= replicate_of[i]) {
        sum_of.resize(replicate_of[i] + 1);
        count_of.resize(replicate_of[i] + 1);
      }
      sum_of[replicate_of[i]].add(values[i]);
      ++count_of[replicate_of[i]];
    }
  }

  ReplicatedInterval interval(double mean) const {
    double squares = 0, r = 0;
    for (std::size_t k = 0; k < sum_of.size(); ++k) {
      if (count_of[k] == 0) continue;
      ++r;
      const double total = sum_of[k].minus(count_of[k], mean);
      squares += total * total;
    }
    ReplicatedInterval result{static_cast<int>(r), missing, missing};
    if (r < 2) return result;
    const double n = static_cast<double>(all.n);
    result.variance = r / (r - 1) * squares / (n * n);
    result.half_width = StudentsT{r - 1}.quantile(0.975) * std::sqrt(result.variance);
    return result;
  }

  Mean mean() const {
    Mean result;
    result.n = all.n;
    result.value = result.sd = result.standard_error = result.freedom = result.half_width = result.gain = missing;
    if (result.n == 0) return result;
    const double n = static_cast<double>(result.n);
    result.value = all.mean();
    if (result.n < 2) return result;
    result.sd = all.sd();
    result.standard_error = result.sd / std::sqrt(n);
    result.freedom = n - 1;
    result.half_width = ci_half_width(result.n, result.sd);
    if (sum_of.empty()) return result;
    const ReplicatedInterval of_replicates = interval(result.value);
    result.standard_error = std::sqrt(of_replicates.variance);
    result.freedom = of_replicates.replicates - 1;
    result.half_width = of_replicates.half_width;
    // What a mean is rounded by is no variance: replicates that agree that far agree.
    const double rounding = std::numeric_limits<double>::epsilon() * std::max(std::fabs(least), greatest);
    const double variance = of_replicates.variance <= rounding * rounding ? 0.0 : of_replicates.variance;
    result.gain = result.sd * result.sd / n / variance;
    return result;
  }
};

/// Of values that `pass` hands to what it is called with, each time the same; it gives how many are not finite.
ColumnStatistics statistics_of(const std::function<std::uint64_t(const Take&)>& pass) {
  ColumnStatistics result;
  Sums moments;
  result.undefined =
      pass([&](std::span<const double> values, std::span<const std::uint32_t> of) { moments.take(values, of); });
  const Mean mean = moments.mean();
  result.n = mean.n;
  result.mean = mean.value;
  result.sd = mean.sd;
  result.ci_low = mean.value - mean.half_width;
  result.ci_high = mean.value + mean.half_width;
  result.gain = mean.gain;
  result.min = result.max = missing;
  result.quantiles.fill(missing);
  if (mean.n == 0) return result;
  result.min = moments.least;
  result.max = moments.greatest;
  result.quantiles = quantiles(
      [&](const TakeValues& take) {
        pass([&](std::span<const double> values, std::span<const std::uint32_t>) { take(values); });
      },
      mean.n, result.min, result.max);
  return result;
}

ColumnStatistics over(const Selected& selected, int column) {
  const auto value = [&](std::uint64_t i) { return selected.table.at(column, i); };
  return statistics_of([&](const Take& take) { return selected.pass(value, take); });
}

Deposition deposition(const SummaryTable& table) {
  const Description& description = *table.description;
  Deposition result;
  const int across_column = description.deposition_across;
  const auto x = [&](std::uint64_t i) { return table.at(description.deposition_x, i); };
  const auto y = [&](std::uint64_t i) { return table.at(description.deposition_y, i); };
  const Selected stopped{table, statuses_of(Counted::stopped)};
  const auto is_somewhere = [&](std::uint64_t i) { return std::isfinite(x(i)) && std::isfinite(y(i)); };
  ExactMoments of_x, of_y;
  ExactProducts products;
  stopped.each([&](std::uint64_t i) {
    if (!is_somewhere(i)) return;
    of_x.add(x(i));
    of_y.add(y(i));
    products.add(x(i), y(i));
  });
  result.n = of_x.n;
  result.mean_x = of_x.mean();
  result.mean_y = of_y.mean();
  result.var_x = result.cov_xy = result.var_y = missing;
  result.semi_major = result.semi_minor = result.angle = result.lateral_width = missing;
  result.width_definition = across_column >= 0
                                ? "5 to 95 % of " + description.columns[static_cast<std::size_t>(across_column)].name
                                : "5 to 95 % across the major axis of the ellipse";
  if (result.n == 0) return result;
  Eigen::Vector2d axis{missing, missing};
  if (result.n >= 2) {
    result.var_x = of_x.variance();
    result.var_y = of_y.variance();
    result.cov_xy = covariance(result.n, of_x.sum, of_y.sum, products);
    Eigen::Matrix2d covariance;
    covariance << result.var_x, result.cov_xy, result.cov_xy, result.var_y;
    Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> eigen;
    eigen.computeDirect(covariance);  // eigenvalues in rising order
    result.semi_minor = std::sqrt(chi_squared_2_95 * std::max(0.0, eigen.eigenvalues()[0]));
    result.semi_major = std::sqrt(chi_squared_2_95 * std::max(0.0, eigen.eigenvalues()[1]));
    axis = eigen.eigenvectors().col(1);
    if (axis.x() < 0 || (axis.x() == 0 && axis.y() < 0)) axis = -axis;
    result.angle = std::atan2(axis.y(), axis.x());
  }
  const auto width = [&](const auto& across) {
    const auto value = [&](std::uint64_t i) { return is_somewhere(i) ? across(i) : missing; };
    const ColumnStatistics of = statistics_of([&](const Take& take) { return stopped.pass(value, take); });
    return of.quantiles[5] - of.quantiles[0];
  };
  result.lateral_width = across_column >= 0
                             ? width([&](std::uint64_t i) { return table.at(across_column, i); })
                             : width([&](std::uint64_t i) {
                                 return axis.x() * (y(i) - result.mean_y) - axis.y() * (x(i) - result.mean_x);
                               });
  return result;
}

double exact_mean(std::span<const double> values) {
  ExactSum sum;
  for (const double x : values) sum.add(x);
  return sum.mean(values.size());
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
  Sums moments;
  moments.take(values, replicate_of);
  return moments.interval(mean);
}

std::array<double, 2> gain_factors(int replicates) {
  const double freedom = replicates - 1;
  const ChiSquared law{freedom};
  return {law.quantile(0.025) / freedom, law.quantile(0.975) / freedom};
}

Mean mean_of(std::span<const double> values, std::span<const std::uint32_t> replicate_of) {
  Sums moments;
  moments.take(values, replicate_of);
  return moments.mean();
}

ColumnStatistics column_statistics(const std::vector<double>& values, const std::vector<std::uint32_t>& replicate_of) {
  return statistics_of([&](const Take& take) {
    Batch batch(take);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (replicate_of.empty())
        batch.add(values[i]);
      else
        batch.add(values[i], replicate_of[i]);
    batch.flush();
    return batch.left_out();
  });
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
  on_threads(threads, columns.size(), [&](std::size_t k) {
    const int c = static_cast<int>(k);
    const Counted counted = columns[k].counted;
    const auto has_samples = [&](std::uint32_t status) { return result.status[status] > 0; };
    result.columns[k] = over({table, statuses_of(counted)}, c);
    std::uint32_t those = 0, that_count = 0;  // statuses
    for (std::uint32_t s = 1; s < status_count; ++s)
      if (has_samples(s) && counts(counted, s)) those = s, ++that_count;
    for (std::uint32_t s = 1; s < status_count; ++s)
      if (has_samples(s))
        result.by_status[s][k] =
            that_count == 1 && s == those ? result.columns[k] : over({table, std::uint32_t{1} << s}, c);
    for (int g = 0; g < (group ? groups : 0); ++g)
      result.groups[static_cast<std::size_t>(g)].columns[k] = over({table, statuses_of(counted), group, g}, c);
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
  const Selected selected{table, statuses_of(description.counted)};
  const auto x = [&](std::uint64_t i) { return table.at(column, i); };
  const auto time = [&](std::uint64_t i) { return table.at(description.time, i); };
  const auto passed = [&](const auto& value) {
    Sums moments;
    // Of the samples that enter, whatever the value.
    const auto of_entering = [&](std::uint64_t i) { return std::isfinite(x(i)) ? value(i) : missing; };
    selected.pass(of_entering, [&](std::span<const double> values, std::span<const std::uint32_t> replicate_of) {
      moments.take(values, replicate_of);
    });
    return moments;
  };
  const auto sum = [&](const auto& value) {
    const ExactMoments of = passed(value).all;
    return std::pair{of.n, of.sum.value()};
  };
  OverSteps result{passed(x).all.n, missing, missing, missing, missing};
  const auto [n, total] = sum(time);
  if (n != result.n || !(total > 0)) return result;
  const double weighted = sum([&](std::uint64_t i) { return time(i) * x(i); }).second, mean = weighted / total;
  result.mean = mean;
  const auto square = [&](std::uint64_t i) {
    const double rms = table.at(description.rms, i);
    return time(i) * (rms - x(i)) * (rms + x(i));
  };
  const double within = sum(square).second,
               between = sum([&](std::uint64_t i) { return time(i) * (x(i) - mean) * (x(i) - mean); }).second;
  result.sd = std::sqrt(std::max(within + between, 0.0) / total);
  const double of_mean_time = static_cast<double>(n) / total;
  const double half = passed([&](std::uint64_t i) { return time(i) * (x(i) - mean) * of_mean_time; }).mean().half_width;
  result.ci_low = mean - half;
  result.ci_high = mean + half;
  return result;
}

PairedColumn paired_column(const SummaryTable& baseline, const SummaryTable& arm, int c, const Matched& matched) {
  const std::vector<double>&a = matched.values[0], &b = matched.values[1];
  std::vector<double> differences(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) differences[i] = b[i] - a[i];
  const Mean difference = mean_of(differences, matched.replicate_of);
  PairedColumn column;
  column.n = difference.n;
  column.left_out = baseline.samples - column.n;
  for (std::uint64_t i = 0; i < baseline.samples; ++i) {
    if (!baseline.is_in_statistics(i) || !arm.is_in_statistics(i)) continue;
    const bool in_a = enters(baseline, c, i), in_b = enters(arm, c, i);
    column.only_baseline += in_a && !in_b;
    column.only_arm += in_b && !in_a;
  }
  column.baseline_mean = exact_mean(a);
  column.arm_mean = exact_mean(b);
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
