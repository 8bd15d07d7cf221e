// Whether numbers have a distribution.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace scree {

/// Largest distance between the empirical distribution of the numbers and `law`, a distribution function; NaN if one of
/// them is, or if there are none.
template <class Law>
double kolmogorov_distance_to_law(std::vector<double> numbers, Law law) {
  if (numbers.empty() || std::any_of(numbers.begin(), numbers.end(), [](double x) { return std::isnan(x); }))
    return std::numeric_limits<double>::quiet_NaN();
  std::sort(numbers.begin(), numbers.end());
  const double n = static_cast<double>(numbers.size());
  double most = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double p = law(numbers[i]), below = static_cast<double>(i) / n;
    most = std::max({most, p - below, below + 1 / n - p});
  }
  return most;
}

/// What that is beyond for one seed in 1000, of n numbers that have the law (Kolmogorov).
inline double kolmogorov_bound(std::size_t n) { return 1.95 / std::sqrt(static_cast<double>(n)); }

}  // namespace scree
