// Intervals for statistics of a law, from values of it, which miss with a given probability.
//
// Values are finite; intervals are in their unit, both ends NaN where there are too few. The interval of a quantile may
// have an infinite end.
#pragma once

#include <cstdint>
#include <span>

#include "inference.hpp"

namespace scree {

/// Of values that differ. Student's t, n - 1 degrees of freedom, and, where it reaches further, the end that Hall 1992
/// (On the removal of skewness by transformation, Journal of the Royal Statistical Society B 54, 221-228) gives with
/// the skewness g of the values: t of T + a T^2 / 3 + a^2 T^3 / 27 + a / 6, a = g / sqrt(n), in place of T = (mean - m)
/// / se. Wide enough for normal values, for others as n grows. Of zeros and ones Clopper and Pearson's (1934), by the
/// binomial law for any n. NaN if all values are equal: nothing tells by how much others would differ.
Interval mean_interval(std::span<const double> values, double miss);

/// Bonett 2006, Approximate confidence interval for standard deviation of nonnormal distributions, Computational
/// Statistics and Data Analysis 50, 775-782, whose example the tests repeat: on the scale of ln(s^2), with the kurtosis
/// of the values about their trimmed mean. For any law with a fourth moment, as n grows.
///
///   ln(c s^2) +- z c sqrt((g - (n - 3) / n) / (n - 1)),  c = n / (n - z)              (1)
///
/// Chi-squared's interval holds for normal values alone, and does not get better with n for others. Of zeros and ones
/// that which belongs to the interval of their mean. `sorted` in rising order; needs n > 4, n > z and values that
/// differ.
Interval sd_interval(std::span<const double> sorted, double miss);

/// Of a share, successes / n: Wilson 1927, Probable inference, the law of succession, and statistical inference,
/// Journal of the American Statistical Association 22, 209-212, with 95 %. It covers that on average over shares, for
/// some less; clopper_pearson() never does, and is wider.
Interval wilson_interval(double n, double successes);

/// Of a share that was counted in replicates, successes of so many in each: Student's t over the shares of those that
/// have any, within 0 and 1; NaN where these agree, for then they tell nothing, or are fewer than two.
Interval replicated_share_interval(std::span<const double> successes, std::span<const std::uint64_t> of_each);

/// Ranks, from 1 on, of the two order statistics of n values between which their p quantile lies but for `miss`, at
/// most half of it to either side, by the binomial law: the x of rank r exceeds it if fewer than r values are not above
/// it. 0: there is none, not even the first or last value.
struct QuantileRanks {
  std::uint64_t low, high;
};
QuantileRanks quantile_ranks(std::uint64_t n, double p, double miss);

/// Between two order statistics, whose ranks the binomial law gives: misses to either side with at most miss / 2, for
/// any law and any n. `sorted` in rising order; an end beyond all values is infinite.
Interval quantile_interval(std::span<const double> sorted, double p, double miss);

// Of values that come in R replicates, of which only the replicates are independent. The estimate is that of all values
// and the replicates only tell how well it is known: their own quantiles and deviations, of n / R values each, are
// biased by R / n, which does not shrink as their mean gets more certain. `replicate_of` gives the replicate of each
// value; NaN for fewer than two replicates, and where they agree to rounding, so that they tell nothing.

/// Student's t, R - 1 degrees of freedom, with the variance of replicated_interval(). Exact for replicate means of a
/// normal law, for others as n grows.
Interval replicated_mean_interval(std::span<const double> values, std::span<const std::uint32_t> replicate_of,
                                  double miss);

/// Student's t, R - 1 degrees of freedom, about ln(m_2 + v), where m_2 is the mean squared deviation and v the variance
/// of the mean by replicated_interval(): the deviations are from a mean that the values themselves gave, which takes v
/// away from m_2 (s^2 / n if they are independent, whence the n - 1 in s^2; less if they are balanced). The variance of
/// the logarithm is that of leaving out one replicate after the other:
///
///   (R - 1) / R sum over r of (ln(s_(r)^2) - their mean)^2,  s_(r) without replicate r                            (2)
///
/// As n grows, for laws whose fourth moment shows among n values: of nominal 95 % and independent values it covers 94
/// to 95 % for normal ones from n = 64 on, 93 % for 256 exponential ones, 83 % for 256 lognormal ones.
Interval replicated_sd_interval(std::span<const double> values, std::span<const std::uint32_t> replicate_of,
                                double miss);

/// Woodruff 1952, Confidence intervals for medians and other position measures, Journal of the American Statistical
/// Association 47, 635-646: with x the p quantile of all values, the share of values up to x has the variance v of
/// replicated_interval(), and
///
///   p +- (t sqrt(v) + 1 / n),  t with R - 1 degrees of freedom                                                    (3)
///
/// are the shares that the ends have. The 1 / n, one rank, is what a share is known by at best; an end beyond all
/// values is infinite. Where no value lies above x, the replicates say nothing of those that might, and v is that of
/// independent values. As n grows; with fewer than a few values beyond x it is wider than it needs to be.
Interval replicated_quantile_interval(std::span<const double> values, std::span<const std::uint32_t> replicate_of,
                                      double p, double miss);

/// The p quantile of type 7, as the report has it; `sorted` in rising order, not empty.
double quantile_of(std::span<const double> sorted, double p);

}  // namespace scree
