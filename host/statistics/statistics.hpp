// Statistics over the samples of a SummaryTable, and paired differences between two tables of the same samples.
//
// Which samples enter a column: those that stopped (Counted::stopped), or all but `not_run`, `not_placed` and
// `diverged` (Counted::all). Of these, samples whose value is not finite (the quantity does not exist for them) are
// left out and counted in `undefined`. Sums are exact and rounded once (exact_sum.hpp), and quantiles are counted
// (order_statistics.hpp): nothing depends on the order of the samples or on how they were grouped, and no column is
// copied.
//
// Where samples come in replicates (SummaryTable::replicates), those of one replicate depend on each other, and the
// interval of a mean rests on what the replicates differ by (replicated_interval).
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "host/model/run.hpp"
#include "order_statistics.hpp"
#include "src/status.hpp"

namespace scree {

/// A number that does not exist, and a bound that is none.
inline constexpr double missing = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

using StatusCounts = std::array<std::uint64_t, status_count>;

/// Of one column, in its unit. What needs more samples than there are is NaN: all with n = 0, sd and the interval with
/// n = 1.
struct ColumnStatistics {
  std::uint64_t n = 0;          // samples that entered
  std::uint64_t undefined = 0;  // samples of the right status without a finite value
  double mean, sd;              // sd with n - 1
  double ci_low, ci_high;       // 95 % confidence interval of the mean, Student's t; from the replicates, if any
  /// Variance of the mean of n independent samples over that between the replicates; infinite if these agree to
  /// rounding, NaN without replicates or if nothing varies.
  double gain;
  double min, max;
  std::array<double, 7> quantiles;  // at quantile_levels, see quantile_method
};

/// Where the samples that stopped came to rest.
struct Deposition {
  std::uint64_t n = 0;
  double mean_x, mean_y;
  double var_x, cov_xy, var_y;    // with n - 1
  double semi_major, semi_minor;  // of the ellipse that holds 95 % of a normal law with this mean and covariance
  double angle;                   // of the major axis from +x, rad, in (-pi/2, pi/2]
  double lateral_width;           // 5 to 95 % quantile range across the direction of travel
  std::string width_definition;   // which range that is
};

struct GroupStatistics {
  std::uint64_t samples = 0;
  StatusCounts status{};
  std::vector<ColumnStatistics> columns;
};

struct Statistics {
  std::uint64_t samples = 0;
  int replicates = 0;  // as SummaryTable::replicates
  StatusCounts status{};
  std::vector<ColumnStatistics> columns;
  /// Per status, over all its samples with a finite value; empty where no sample has the status, and for `not_run`.
  std::array<std::vector<ColumnStatistics>, status_count> by_status;
  std::vector<GroupStatistics> groups;
  bool has_deposition = false;
  Deposition deposition;
};

/// Of one column, arm minus baseline over the samples that enter it in both.
struct PairedColumn {
  std::uint64_t n = 0;
  std::uint64_t left_out = 0;                     // samples that enter in one arm or in none
  std::uint64_t only_baseline = 0, only_arm = 0;  // that ended in both, and enter in one
  double baseline_mean, arm_mean, difference;
  double sd;              // of the differences
  double standard_error;  // of their mean, with `freedom` degrees of freedom
  double freedom;
  double ci_low, ci_high;      // 95 %, Student's t; from the replicates where there are any
  double gain;                 // of the difference, as ColumnStatistics::gain
  double effect_size;          // difference / sd, Cohen's d of paired samples
  bool excludes_zero = false;  // the interval does
};

struct Paired {
  std::uint64_t samples = 0;
  std::vector<PairedColumn> columns;
};

/// `group` gives the group of each sample, 0 <= group < groups, or -1 for none. The result does not depend on
/// `threads`.
Statistics statistics(const SummaryTable& table, const std::vector<int>* group = nullptr, int groups = 0,
                      int threads = 1);

/// Both tables hold the same samples in the same order; throws std::invalid_argument if their shapes differ.
Paired paired(const SummaryTable& baseline, const SummaryTable& arm);

/// Whether a sample enters a column.
bool enters(const SummaryTable& table, int column, std::uint64_t sample);

/// The values of one column in several tables of the same samples, over those that enter it in all of them.
struct Matched {
  std::vector<std::vector<double>> values;  // of each table, all in the order of the samples
  std::vector<std::uint32_t> replicate_of;  // of each value; empty: samples are independent
};
Matched matched_values(std::span<const SummaryTable* const> tables, int column);
/// Of one column, with its matched values in the two tables.
PairedColumn paired_column(const SummaryTable& baseline, const SummaryTable& arm, int column, const Matched& matched);

/// A mean of finite values, exact but for one rounding, and how well it is known. sd and all that follows are NaN for
/// n < 2; without values all is.
struct Mean {
  std::uint64_t n = 0;
  double value, sd;
  double standard_error, freedom;  // Student's t with so many degrees of freedom
  double half_width;               // of the 95 % interval
  double gain;                     // as ColumnStatistics::gain
};
/// `replicate_of` gives the replicate of each value; empty: they are independent.
Mean mean_of(std::span<const double> values, std::span<const std::uint32_t> replicate_of = {});

/// A column that is a mean x_i over a time T_i of each sample, with a root mean square q_i over it (Column::time, rms),
/// over the steps of all samples at once:
///
///   mean M = sum T_i x_i / sum T_i,   sd^2 = sum T_i (q_i^2 - x_i^2 + (x_i - M)^2) / sum T_i
///
/// M is a ratio of two totals over the samples; its variance to first order is that of the mean of T_i (x_i - M) / T, T
/// being the mean time (Cochran, Sampling Techniques, 3rd ed., 1977, section 6.3). Samples without that time are left
/// out. Everything is NaN without samples, the interval with one.
struct OverSteps {
  std::uint64_t n = 0;  // samples
  double mean, sd;
  double ci_low, ci_high;  // 95 %, Student's t; from the replicates where there are any
};
/// Throws std::invalid_argument for any other column.
OverSteps over_steps(const SummaryTable& table, int column);

/// Bytes that the statistics of one column take, however many its samples are, and more of each replicate.
constexpr double column_bytes(int replicates) { return 1.5 * order_statistics_bytes + 600.0 * replicates; }
/// Of one column that is compared in so many tables: its values, sorted copies and differences.
constexpr double compared_column_bytes(std::size_t tables) { return 24.0 * static_cast<double>(tables) + 8; }

/// Of plain numbers; those that are not finite are left out and counted. `replicate_of` gives the replicate of each;
/// empty: they are independent.
ColumnStatistics column_statistics(const std::vector<double>& values,
                                   const std::vector<std::uint32_t>& replicate_of = {});

/// Whether a sample with this status enters a column.
bool counts(Counted counted, std::uint32_t status);
/// How many samples with these statuses enter.
std::uint64_t counted_samples(Counted counted, const StatusCounts& status);

/// Half width of the 95 % confidence interval of a mean: t_0.975(n - 1) sd / sqrt(n); NaN for n < 2.
double ci_half_width(std::uint64_t n, double sd);

/// Of the mean m of n values that come in R replicates, of which only the replicates are independent:
///
///   T_r = sum over the values of replicate r of (x - m)                                                          (1)
///   variance of m = R / (R - 1) sum over r of T_r^2 / n^2                                                        (2)
///
/// With n / R values in each this is the variance of the mean of the R replicate means. Samples that do not enter make
/// the numbers of values differ, and m is a ratio of two totals over the replicates; (2) is its variance to first order
/// (Cochran, Sampling Techniques, 3rd ed., 1977, section 6.3). R counts the replicates that have a value: one without
/// says nothing. Half width of the 95 % interval: t_0.975(R - 1) times the root of (2), which L'Ecuyer, Nakayama, Owen
/// and Tuffin (Winter Simulation Conference, 2023) find to cover well where bootstrap intervals do not. NaN for R < 2.
struct ReplicatedInterval {
  int replicates;  // R
  double variance, half_width;
};
ReplicatedInterval replicated_interval(std::span<const double> values, std::span<const std::uint32_t> replicate_of,
                                       double mean);

/// By which factors a gain that R replicates show may miss the true one: 95 % of chi-squared over its R - 1 degrees of
/// freedom, for replicate means of a normal law.
std::array<double, 2> gain_factors(int replicates);

/// Sum of the squared deviations from the mean, free of what the rounding of the mean left.
double squared_deviations(std::span<const double> values, double mean);

/// Sum by halves, in an order that depends on the size alone; error grows with log2(n) instead of n.
double pairwise_sum(std::span<const double> values);

}  // namespace scree
