#include "intervals.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "distributions.hpp"
#include "statistics.hpp"

namespace scree {
namespace {

double normal_quantile(double miss) { return StandardNormal::upper_quantile(miss / 2); }

double t_quantile(double freedom, double miss) { return StudentsT{freedom}.upper_quantile(miss / 2); }

double sum_of_powers(std::span<const double> values, double centre, int power) {
  std::vector<double> work(values.size());
  std::transform(values.begin(), values.end(), work.begin(), [&](double x) {
    const double square = (x - centre) * (x - centre);
    return power == 2 ? square : square * square;
  });
  return pairwise_sum(work);
}

double plain_mean(std::span<const double> values) { return pairwise_sum(values) / static_cast<double>(values.size()); }

/// Also of one value and of none.
bool all_equal(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [&](double x) { return x == values[0]; });
}

bool is_binary(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return x == 0 || x == 1; });
}

/// Of the probability of 1.
Interval share_interval(std::span<const double> values, double miss) {
  return clopper_pearson(static_cast<double>(values.size()), pairwise_sum(values), miss);
}

/// sqrt(p (1 - p)), with the n / (n - 1) of s^2, over an interval of p.
Interval binary_sd_interval(const Interval& p, double n) {
  const auto sd = [n](double x) { return std::sqrt(x * (1 - x) * n / (n - 1)); };
  const double most = p.low < 0.5 && p.high > 0.5 ? 0.5 : (p.low >= 0.5 ? p.low : p.high);
  return {std::min(sd(p.low), sd(p.high)), sd(most)};
}

double skewness(std::span<const double> values, double mean, double sd) {
  if (values.size() < 3) return 0;
  const double n = static_cast<double>(values.size());
  std::vector<double> cubes(values.size());
  std::transform(values.begin(), values.end(), cubes.begin(), [&](double x) {
    const double z = (x - mean) / sd;
    return z * z * z;
  });
  return pairwise_sum(cubes) * n / ((n - 1) * (n - 2));
}

/// T with T + a T^2 / 3 + a^2 T^3 / 27 + a / 6 = t.
double unskewed(double a, double t) {
  if (a == 0) return t;
  const double y = a * (t - a / 6);
  // Differences of roots would cancel for small skewness.
  return 3 / a * (y > -0.5 ? std::expm1(std::log1p(y) / 3) : std::cbrt(1 + y) - 1);
}

/// Without `share` of the values at either end, rounded down, but never without all.
double trimmed_mean(std::span<const double> sorted, double share) {
  const std::size_t most = (sorted.size() - 1) / 2;
  const std::size_t cut = std::min(static_cast<std::size_t>(share * static_cast<double>(sorted.size())), most);
  return plain_mean(sorted.subspan(cut, sorted.size() - 2 * cut));
}

/// The largest r <= n with P(B < r) <= tail for B of the binomial law (n, p); 0 if there is none.
std::uint64_t lower_rank(std::uint64_t n, double p, double tail) {
  const Binomial law{static_cast<double>(n), p};
  double below = law.near_quantile(tail);
  while (below > 0 && law.cdf(below) > tail) --below;
  if (law.cdf(below) > tail) return 0;
  while (below + 1 < static_cast<double>(n) && law.cdf(below + 1) <= tail) ++below;
  return static_cast<std::uint64_t>(below) + 1;
}

}  // namespace

Interval wilson_interval(double n, double successes) {
  const double z = StandardNormal::upper_quantile(0.025), square = z * z;
  const double middle = (successes + square / 2) / (n + square);
  const double half = z / (n + square) * std::sqrt(successes * (n - successes) / n + square / 4);
  return {successes == 0 ? 0 : middle - half, successes == n ? 1 : middle + half};
}

Interval replicated_share_interval(std::span<const double> successes, std::span<const std::uint64_t> of_each) {
  std::vector<double> shares;
  for (std::size_t r = 0; r < successes.size(); ++r)
    if (of_each[r] > 0) shares.push_back(successes[r] / static_cast<double>(of_each[r]));
  if (shares.size() < 2) return {missing, missing};
  const Moments of = moments(shares);
  if (!(of.sd > 0)) return {missing, missing};
  const double half = t_quantile(of.n - 1, 0.05) * of.sd / std::sqrt(of.n);
  return {std::max(of.mean - half, 0.0), std::min(of.mean + half, 1.0)};
}

QuantileRanks quantile_ranks(std::uint64_t n, double p, double miss) {
  const std::uint64_t from_above = lower_rank(n, 1 - p, miss / 2);
  return {lower_rank(n, p, miss / 2), from_above == 0 ? 0 : n + 1 - from_above};
}

Interval mean_interval(std::span<const double> values, double miss) {
  if (all_equal(values)) return {missing, missing};
  if (is_binary(values)) return share_interval(values, miss);
  const double n = static_cast<double>(values.size()), mean = plain_mean(values);
  const double sd = std::sqrt(sum_of_powers(values, mean, 2) / (n - 1));
  const double error = sd / std::sqrt(n), t = t_quantile(n - 1, miss), a = skewness(values, mean, sd) / std::sqrt(n);
  return {mean - error * std::max(t, unskewed(a, t)), mean + error * std::max(t, -unskewed(a, -t))};
}

Interval sd_interval(std::span<const double> sorted, double miss) {
  const double n = static_cast<double>(sorted.size()), z = normal_quantile(miss);
  if (n <= 4 || n <= z) return {missing, missing};
  if (all_equal(sorted)) return {missing, missing};
  if (is_binary(sorted)) return binary_sd_interval(share_interval(sorted, miss), n);
  const double squares = sum_of_powers(sorted, plain_mean(sorted), 2);
  const double centre = trimmed_mean(sorted, 1 / (2 * std::sqrt(n - 4)));
  const double kurtosis = n * sum_of_powers(sorted, centre, 4) / (squares * squares);
  const double c = n / (n - z);
  // The kurtosis is at least 1, up to rounding; the fourth powers about another centre are no fewer.
  const double error = c * std::sqrt(std::max(kurtosis - (n - 3) / n, 0.0) / (n - 1));
  const double middle = std::log(c * squares / (n - 1));
  return {std::exp((middle - z * error) / 2), std::exp((middle + z * error) / 2)};
}

Interval quantile_interval(std::span<const double> sorted, double p, double miss) {
  const std::uint64_t n = sorted.size();
  if (n == 0) return {missing, missing};
  const auto [low, high] = quantile_ranks(n, p, miss);
  return {low == 0 ? -infinity : sorted[low - 1], high == 0 ? infinity : sorted[high - 1]};
}

Interval replicated_mean_interval(std::span<const double> values, std::span<const std::uint32_t> replicate_of,
                                  double miss) {
  if (values.size() < 2) return {missing, missing};
  const double mean = plain_mean(values);
  const ReplicatedInterval replicated = replicated_interval(values, replicate_of, mean);
  // What a sum is rounded by is no variance.
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  const double rounding = std::numeric_limits<double>::epsilon() * std::max(std::fabs(*least), std::fabs(*greatest));
  if (!(replicated.variance > rounding * rounding)) return {missing, missing};
  const double half = t_quantile(replicated.replicates - 1, miss) * std::sqrt(replicated.variance);
  return {mean - half, mean + half};
}

Interval replicated_sd_interval(std::span<const double> values, std::span<const std::uint32_t> replicate_of,
                                double miss) {
  if (values.empty()) return {missing, missing};
  const double mean = plain_mean(values);
  std::vector<std::vector<double>> deviations(*std::max_element(replicate_of.begin(), replicate_of.end()) + 1);
  for (std::size_t i = 0; i < values.size(); ++i) deviations[replicate_of[i]].push_back(values[i] - mean);
  std::erase_if(deviations, [](const std::vector<double>& of_replicate) { return of_replicate.empty(); });
  if (deviations.size() < 2) return {missing, missing};
  std::vector<double> sums, squares;
  for (const std::vector<double>& of_replicate : deviations) {
    sums.push_back(pairwise_sum(of_replicate));
    squares.push_back(sum_of_powers(of_replicate, 0, 2));
  }
  const double n = static_cast<double>(values.size()), sum = pairwise_sum(sums), square = pairwise_sum(squares);
  const auto log_variance = [](double count, double sum_of_count, double squares_of_count) {
    return std::log((squares_of_count - sum_of_count * sum_of_count / count) / (count - 1));
  };
  std::vector<double> without;
  for (std::size_t r = 0; r < deviations.size(); ++r)
    without.push_back(log_variance(n - static_cast<double>(deviations[r].size()), sum - sums[r], square - squares[r]));
  const double replicates = static_cast<double>(deviations.size());
  const double spread = sum_of_powers(without, plain_mean(without), 2) * (replicates - 1) / replicates;
  const double rounding = std::numeric_limits<double>::epsilon();
  if (!(spread > rounding * rounding)) return {missing, missing};
  const double half = t_quantile(replicates - 1, miss) * std::sqrt(spread);
  const double of_mean = replicated_interval(values, replicate_of, mean).variance;
  const double middle = std::log((square - sum * sum / n) / n + of_mean);
  return {std::exp((middle - half) / 2), std::exp((middle + half) / 2)};
}

Interval replicated_quantile_interval(std::span<const double> values, std::span<const std::uint32_t> replicate_of,
                                      double p, double miss) {
  if (values.empty()) return {missing, missing};
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const double n = static_cast<double>(values.size()), x = quantile_of(sorted, p);
  std::vector<double> up_to_x(values.size());
  std::transform(values.begin(), values.end(), up_to_x.begin(), [x](double value) { return value <= x ? 1.0 : 0.0; });
  const ReplicatedInterval replicated = replicated_interval(up_to_x, replicate_of, plain_mean(up_to_x));
  if (replicated.replicates < 2) return {missing, missing};
  const double variance = sorted.back() > x ? replicated.variance : p * (1 - p) / n;
  const double half = n * (t_quantile(replicated.replicates - 1, miss) * std::sqrt(variance)) + 1;
  // With N values up to the quantile, x_r exceeds it if N < r, and does not if N >= r.
  const double low = std::ceil(n * p - half), high = std::floor(n * p + half) + 1;
  return {low < 1 ? -infinity : sorted[static_cast<std::size_t>(low) - 1],
          high > n ? infinity : sorted[static_cast<std::size_t>(high) - 1]};
}

double quantile_of(std::span<const double> sorted, double p) {
  const double position = static_cast<double>(sorted.size() - 1) * p;
  const std::size_t below = std::min(static_cast<std::size_t>(position), sorted.size() - 1);
  const double high = sorted[std::min(below + 1, sorted.size() - 1)];
  return std::lerp(sorted[below], high, position - static_cast<double>(below));
}

}  // namespace scree
