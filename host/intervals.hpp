// Intervals for statistics of a law, from values of it, which miss with a given probability.
//
// Values are finite; intervals are in their unit, both ends NaN where there are too few. The interval of a quantile may
// have an infinite end.
#pragma once

#include <span>

#include "inference.hpp"

namespace scree {

/// Student's t, n - 1 degrees of freedom. Exact for normal values, for others as n grows.
Interval mean_interval(std::span<const double> values, double miss);

/// Bonett 2006, Approximate confidence interval for standard deviation of nonnormal distributions, Computational
/// Statistics and Data Analysis 50, 775-782, whose example the tests repeat: on the scale of ln(s^2), with the kurtosis
/// of the values about their trimmed mean. For any law with a fourth moment, as n grows.
///
///   ln(c s^2) +- z c sqrt((g - (n - 3) / n) / (n - 1)),  c = n / (n - z)              (1)
///
/// Chi-squared's interval holds for normal values alone, and does not get better with n for others. `sorted` in rising
/// order; needs n > 4 and n > z.
Interval sd_interval(std::span<const double> sorted, double miss);

/// Between two order statistics, whose ranks the binomial law gives: misses to either side with at most miss / 2, for
/// any law and any n. `sorted` in rising order; an end beyond all values is infinite.
Interval quantile_interval(std::span<const double> sorted, double p, double miss);

/// Student's t over estimates that are independent of each other, one of each replicate.
Interval replicate_interval(std::span<const double> estimates, double miss);

}  // namespace scree
