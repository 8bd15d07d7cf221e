#include "intervals.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "statistics.hpp"

namespace scree {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

double normal_quantile(double miss) {
  return boost::math::quantile(boost::math::complement(boost::math::normal(), miss / 2));
}

double sum_of_powers(std::span<const double> values, double centre, int power) {
  std::vector<double> work(values.size());
  std::transform(values.begin(), values.end(), work.begin(), [&](double x) {
    const double square = (x - centre) * (x - centre);
    return power == 2 ? square : square * square;
  });
  return pairwise_sum(work);
}

double plain_mean(std::span<const double> values) { return pairwise_sum(values) / static_cast<double>(values.size()); }

/// Without `share` of the values at either end, rounded down, but never without all.
double trimmed_mean(std::span<const double> sorted, double share) {
  const std::size_t most = (sorted.size() - 1) / 2;
  const std::size_t cut = std::min(static_cast<std::size_t>(share * static_cast<double>(sorted.size())), most);
  return plain_mean(sorted.subspan(cut, sorted.size() - 2 * cut));
}

/// The largest r <= n with P(B < r) <= tail for B of the binomial law (n, p); 0 if there is none.
std::uint64_t lower_rank(std::uint64_t n, double p, double tail) {
  using Real = boost::math::policies::policy<
      boost::math::policies::discrete_quantile<boost::math::policies::integer_round_nearest>>;
  const boost::math::binomial_distribution<double, Real> law(static_cast<double>(n), p);
  // The rounding of the quantile puts it beside the rank, not always on the same side.
  double below = boost::math::quantile(law, tail);
  while (below > 0 && boost::math::cdf(law, below) > tail) --below;
  if (boost::math::cdf(law, below) > tail) return 0;
  while (below + 1 < static_cast<double>(n) && boost::math::cdf(law, below + 1) <= tail) ++below;
  return static_cast<std::uint64_t>(below) + 1;
}

}  // namespace

Interval mean_interval(std::span<const double> values, double miss) {
  if (values.size() < 2) return {missing, missing};
  const double n = static_cast<double>(values.size()), mean = plain_mean(values);
  const double variance = sum_of_powers(values, mean, 2) / (n - 1);
  const double t = boost::math::quantile(boost::math::complement(boost::math::students_t(n - 1), miss / 2));
  const double half = t * std::sqrt(variance / n);
  return {mean - half, mean + half};
}

Interval sd_interval(std::span<const double> sorted, double miss) {
  const double n = static_cast<double>(sorted.size()), z = normal_quantile(miss);
  if (n <= 4 || n <= z) return {missing, missing};
  const double squares = sum_of_powers(sorted, plain_mean(sorted), 2);
  if (squares == 0) return {0, 0};
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
  // x_r exceeds the quantile if fewer than r values are not above it, and n - x_r is the same seen from above.
  const std::uint64_t low = lower_rank(n, p, miss / 2), high = lower_rank(n, 1 - p, miss / 2);
  return {low == 0 ? -infinity : sorted[low - 1], high == 0 ? infinity : sorted[n - high]};
}

Interval replicate_interval(std::span<const double> estimates, double miss) { return mean_interval(estimates, miss); }

}  // namespace scree
