#include "inference.hpp"

#include <algorithm>
#include <bit>
#include <boost/sort/spreadsort/integer_sort.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "distributions.hpp"
#include "src/bracketed_root.hpp"
#include "statistics.hpp"

namespace scree {
namespace {

constexpr TestResult no_test{missing, missing};

/// With a square that neither overflows nor vanishes.
bool has_variance(const Moments& m) { return m.n >= 2 && (m.sd == 0 || (m.sd > 1e-150 && m.sd < 1e150)); }

/// Welch's standard error of mean b - mean a, and its degrees of freedom (Satterthwaite 1946).
struct WelchLaw {
  double standard_error, degrees_of_freedom;
};

WelchLaw welch_law(const Moments& a, const Moments& b) {
  const double of_a = a.sd * a.sd / a.n, of_b = b.sd * b.sd / b.n, sum = of_a + of_b;
  const double share_a = of_a / sum, share_b = of_b / sum;
  return {std::sqrt(sum), 1 / (share_a * share_a / (a.n - 1) + share_b * share_b / (b.n - 1))};
}

/// P(rank sum <= statistic) of n differences without ties, each sign as likely. The number of sets of ranks 1 .. n with
/// each sum comes rank by rank; n <= 50 keeps the counts below 2^53, exact in a double.
double exact_signed_rank_tail(std::uint64_t n, std::uint64_t statistic) {
  std::vector<double> ways(statistic + 1);
  ways[0] = 1;
  for (std::uint64_t rank = 1; rank <= n; ++rank)
    for (std::uint64_t sum = statistic; sum >= rank; --sum) ways[sum] += ways[sum - rank];
  return std::ldexp(std::accumulate(ways.begin(), ways.end(), 0.0), -static_cast<int>(n));
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return values.size() % 2 == 1 ? *middle : std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

/// Distances from the median: their mean, and the sum of the squared deviations from it, 0 where it is only round-off.
struct Spread {
  double mean, squares;
};

Spread spread_about_median(std::span<const double> values) {
  std::vector<double> distance(values.begin(), values.end());
  const double middle = median(distance);  // of a copy: sums run in the order given
  double size = 0;
  for (double& x : distance) {
    size = std::max(size, std::fabs(x));
    x = std::fabs(x - middle);
  }
  const double n = static_cast<double>(distance.size()), mean = pairwise_sum(distance) / n;
  const double squares = squared_deviations(distance, mean);
  // The median is rounded by up to eps size / 2, and the distance from it, up to 2 size, by as much again twice: a
  // distance is off by up to 1.5 eps size and its deviation from the mean of such by up to 3.
  const double round_off = 3 * std::numeric_limits<double>::epsilon() * size;
  return {mean, squares > n * round_off * round_off ? squares : 0};
}

/// F_a - F_b at each value of two sorted groups, in rising order: visit(value, F_a - F_b there and up to the next).
template <class Visit>
void for_each_step(std::span<const double> a, std::span<const double> b, Visit visit) {
  const auto n = static_cast<std::int64_t>(a.size()), m = static_cast<std::int64_t>(b.size());
  const double scale = 1 / (static_cast<double>(n) * static_cast<double>(m));
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const double x = j == b.size() || (i < a.size() && a[i] < b[j]) ? a[i] : b[j];
    while (i < a.size() && a[i] == x) ++i;
    while (j < b.size() && b[j] == x) ++j;
    visit(x, static_cast<double>(static_cast<std::int64_t>(i) * m - static_cast<std::int64_t>(j) * n) * scale);
  }
}

/// P(t' <= x), noncentral t. Above 1000 degrees of freedom by Abramowitz and Stegun 26.7.10, which is off by less than
/// 2e-7 there where |x| < 2 and holds for shifts at which the series no longer does.
double noncentral_t(double degrees_of_freedom, double shift, double x) {
  if (degrees_of_freedom <= 1000 && std::fabs(shift) <= 35) return NoncentralT{degrees_of_freedom, shift}.cdf(x);
  const double z = (x * (1 - 1 / (4 * degrees_of_freedom)) - shift) / std::sqrt(1 + x * x / (2 * degrees_of_freedom));
  return StandardNormal::cdf(z);
}

/// The t = (|d| - margin) / se at which p_beyond of `equivalence` is `level`, for margin / se = `margin`.
double critical_beyond(double degrees_of_freedom, double margin, double level) {
  const StudentsT law{degrees_of_freedom};
  const auto excess = [&](double t) { return law.survival(t) + law.survival(t + 2 * margin) - level; };
  const double low = law.upper_quantile(level), high = law.upper_quantile(level / 2);
  const double at_low = excess(low), at_high = excess(high);
  if (!(at_low > 0)) return low;
  if (!(at_high < 0)) return high;
  return bracketed_root(low, at_low, high, at_high, true, 0.0, excess);
}

/// Of the test of `equivalence` that `pairs_needed` plans, with n pairs.
double power_with(double n, double difference, double sd, double margin, double level) {
  const double df = n - 1, error = sd / std::sqrt(n), size = std::fabs(difference);
  if (size > margin) return 1 - noncentral_t(df, (size - margin) / error, critical_beyond(df, margin / error, level));
  const double c = StudentsT{df}.upper_quantile(level);
  return noncentral_t(df, (size - margin) / error, -c) - noncentral_t(df, (size + margin) / error, c);
}

}  // namespace

Moments moments(std::span<const double> values) {
  const Mean mean = mean_of(values);
  return {static_cast<double>(mean.n), mean.value, mean.sd};
}

void sort_rising(std::vector<double>& values) {
  // As unsigned integers in the order of the doubles: Boost's own float_sort subtracts signed ones, which may overflow.
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  std::vector<std::uint64_t> keys(values.size());
  std::transform(values.begin(), values.end(), keys.begin(), [](double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    return bits & sign ? ~bits : bits | sign;
  });
  boost::sort::spreadsort::integer_sort(keys.begin(), keys.end());
  std::transform(keys.begin(), keys.end(), values.begin(),
                 [](std::uint64_t key) { return std::bit_cast<double>(key & sign ? key & ~sign : ~key); });
}

TestResult welch(const Moments& a, const Moments& b) {
  if (!has_variance(a) || !has_variance(b) || (a.sd == 0 && b.sd == 0)) return no_test;
  const WelchLaw law = welch_law(a, b);
  const double t = (b.mean - a.mean) / law.standard_error;
  return {t, 2 * StudentsT{law.degrees_of_freedom}.survival(std::fabs(t))};
}

Interval welch_interval(const Moments& a, const Moments& b, double level) {
  if (!has_variance(a) || !has_variance(b)) return {missing, missing};
  const double difference = b.mean - a.mean;
  if (a.sd == 0 && b.sd == 0) return {difference, difference};
  const WelchLaw law = welch_law(a, b);
  const double half = StudentsT{law.degrees_of_freedom}.upper_quantile((1 - level) / 2) * law.standard_error;
  return {difference - half, difference + half};
}

TestResult f_test(const Moments& a, const Moments& b) {
  if (!has_variance(a) || !has_variance(b) || a.sd == 0 || b.sd == 0) return no_test;
  const double root = b.sd / a.sd, ratio = root * root;
  const FisherF law{b.n - 1, a.n - 1};
  return {ratio, std::min(1.0, 2 * std::min(law.cdf(ratio), law.survival(ratio)))};
}

TestResult wilcoxon_signed_rank(std::vector<double> differences) {
  // Sorted by size with the sign as the lowest bit: the bits of positive doubles rise with their value.
  std::vector<std::uint64_t> keys;
  keys.reserve(differences.size());
  for (const double d : differences)
    if (d != 0) keys.push_back(std::bit_cast<std::uint64_t>(std::fabs(d)) << 1 | (d < 0 ? 1u : 0u));
  const std::uint64_t count = keys.size();
  if (count == 0) return no_test;
  boost::sort::spreadsort::integer_sort(keys.begin(), keys.end());
  std::uint64_t positive = 0;  // twice the sum of the ranks: mid-ranks are halves
  double ties = 0;             // sum of t^3 - t over groups of t equal sizes
  for (std::uint64_t i = 0; i < count;) {
    const std::uint64_t size = keys[i] >> 1, first = i;
    std::uint64_t of_group = 0;
    for (; i < count && keys[i] >> 1 == size; ++i) of_group += 1 - (keys[i] & 1);
    positive += of_group * (first + 1 + i);
    const double t = static_cast<double>(i - first);
    ties += t * t * t - t;
  }
  const std::uint64_t smaller = std::min(positive, count * (count + 1) - positive);
  const double statistic = 0.5 * static_cast<double>(smaller), n = static_cast<double>(count);
  if (differences.size() <= 50 && count == differences.size() && ties == 0)
    return {statistic, std::min(1.0, 2 * exact_signed_rank_tail(count, smaller / 2))};
  const double mean = n * (n + 1) / 4, variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48;
  return {statistic, 2 * StandardNormal::cdf((statistic - mean) / std::sqrt(variance))};
}

TestResult brown_forsythe(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return no_test;
  const Spread of_a = spread_about_median(a), of_b = spread_about_median(b);
  const double n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  const double within = of_a.squares + of_b.squares, df = n + m - 2;
  if (!(within > 0)) return no_test;
  // Of two groups, sum n_i (z_i - z)^2 is (z_a - z_b)^2 n m / (n + m).
  const double apart = of_b.mean - of_a.mean, between = apart * apart * (n * m / (n + m));
  const double statistic = df * between / within;
  return {statistic, FisherF{1, df}.survival(statistic)};
}

double kolmogorov_distance(std::span<const double> sorted_a, std::span<const double> sorted_b) {
  if (sorted_a.empty() || sorted_b.empty()) return missing;
  double largest = 0;
  for_each_step(sorted_a, sorted_b, [&](double, double step) { largest = std::max(largest, std::fabs(step)); });
  return largest;
}

double energy_distance(std::span<const double> sorted_a, std::span<const double> sorted_b) {
  if (sorted_a.empty() || sorted_b.empty()) return missing;
  double integral = 0, from = 0, height = 0;
  for_each_step(sorted_a, sorted_b, [&](double x, double step) {
    integral += height * height * (x - from);
    from = x;
    height = step;
  });
  return std::sqrt(2 * integral);
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (!std::isnan(p[i])) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return p[i] < p[j]; });
  std::vector<double> adjusted(p.size(), missing);
  double largest = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    largest = std::max(largest, std::min(1.0, static_cast<double>(order.size() - k) * p[order[k]]));
    adjusted[order[k]] = largest;
  }
  return adjusted;
}

Equivalence equivalence(double difference, double standard_error, double degrees_of_freedom, double margin) {
  if (std::isnan(difference + standard_error + margin) || !(degrees_of_freedom >= 1)) return {missing, missing};
  const double size = std::fabs(difference), beyond = size - margin;
  if (standard_error == 0) {
    if (beyond == 0) return {0.5, margin == 0 ? 1.0 : 0.5};
    return {beyond < 0 ? 0.0 : 1.0, beyond < 0 ? 1.0 : 0.0};
  }
  const StudentsT law{degrees_of_freedom};
  const double t = beyond / standard_error;
  return {law.cdf(t), law.survival(t) + law.survival((size + margin) / standard_error)};
}

double pairs_needed(double difference, double sd, double margin, double power, double level) {
  if (std::isnan(difference + sd + margin)) return missing;
  if (std::fabs(difference) == margin) return infinity;
  const auto enough = [&](double n) { return sd == 0 || power_with(n, difference, sd, margin, level) >= power; };
  constexpr double most = 0x1p50;
  double few = 1, many = 2;
  while (!enough(many)) {
    few = many;
    many *= 2;
    if (many > most) return infinity;
  }
  while (many - few > 1) {
    const double middle = std::floor((few + many) / 2);
    (enough(middle) ? many : few) = middle;
  }
  return many;
}

}  // namespace scree
