// Tests and intervals that compare two groups of values, as pure functions of plain numbers. Nothing is random here
// (resampling.hpp) and nothing depends on threads: each sum runs in an order fixed by the number of values.
//
// Values must be finite. Group a is the baseline, group b the arm; differences and the signs of statistics are b minus
// a. All p-values are two-sided unless they say otherwise. Distributions are Boost.Math's.
#pragma once

#include <span>
#include <vector>

namespace scree {

/// NaN both where the test does not exist (too few values, no variation).
struct TestResult {
  double statistic, p;
};

struct Interval {
  double low, high;
};

/// Of one group of values, as published tables give them: sd with n - 1. Mean NaN for n = 0, sd NaN for n < 2.
struct Moments {
  double n, mean, sd;
};

Moments moments(std::span<const double> values);

/// Sorts a large column in about half the time of std::sort or less (Boost's spreadsort, by bits: -0 before 0).
void sort_rising(std::vector<double>& values);

/// Equality of two means with unequal variances, independent groups: Welch 1947, t with Welch-Satterthwaite degrees of
/// freedom. Needs n >= 2 in both groups and sd > 0 in one.
TestResult welch(const Moments& a, const Moments& b);

/// Of mean b - mean a, from the same law as `welch`. A point if both sd are 0; NaN for n < 2.
Interval welch_interval(const Moments& a, const Moments& b, double level = 0.95);

/// Equality of the variances of two normal laws from published standard deviations: F = sd_b^2 / sd_a^2 with (n_b - 1,
/// n_a - 1) degrees of freedom, p twice the smaller tail. Needs n >= 2 and sd > 0 in both. Not robust against other
/// laws: with the values at hand use `brown_forsythe`.
TestResult f_test(const Moments& a, const Moments& b);

/// Symmetry of paired differences about 0, Wilcoxon 1945, by the rules below. The statistic is the smaller of the rank
/// sums of positive and negative differences. Needs one difference that is not 0.
TestResult wilcoxon_signed_rank(std::vector<double> differences);
inline constexpr const char* wilcoxon_rules =
    "zero differences dropped, ties by mid-ranks, no continuity correction; exact null distribution up to 50 "
    "differences without ties or zeros, else normal with tie correction";

/// Equality of spread: Levene's test about the medians, Brown and Forsythe 1974; F(1, n_a + n_b - 2). Needs three
/// values in one group, one in the other, and distances from the medians that vary within a group by more than
/// round-off.
TestResult brown_forsythe(std::span<const double> a, std::span<const double> b);

/// Largest |F_a - F_b| of the empirical distributions; both groups in rising order. NaN if one is empty.
double kolmogorov_distance(std::span<const double> sorted_a, std::span<const double> sorted_b);

/// sqrt(2 integral (F_a - F_b)^2 dx), Szekely and Rizzo 2013, in the square root of the values' unit; both groups in
/// rising order. NaN if one is empty.
double energy_distance(std::span<const double> sorted_a, std::span<const double> sorted_b);

/// p-values adjusted for their number, in the order given: Holm 1979. At most 1; NaN stays NaN and does not count.
std::vector<double> holm(std::span<const double> p);

/// Of a true difference delta and a margin: p-values against |delta| >= margin and against |delta| <= margin.
struct Equivalence {
  double p_equivalent;  // small: |delta| is below the margin
  double p_beyond;      // small: |delta| is above the margin
};

/// From an estimate of delta with its standard error (>= 0) and degrees of freedom, margin >= 0, with t Student's law:
///
///   p_equivalent = P(t <= (|d| - margin) / se)                                                            (1)
///   p_beyond     = P(t >= (|d| - margin) / se) + P(t >= (|d| + margin) / se)                              (2)
///
/// (1) are two one-sided tests, Schuirmann 1987: equivalent at level alpha if p_equivalent <= alpha. (2) is the p of
/// Hodges and Lehmann 1954 for |delta| <= margin: one-sided where the margin is many standard errors, the common
/// two-sided p where it is 0. Without variation (se = 0) both are 0, 1/2 or 1 by the sign of |d| - margin; NaN for
/// degrees of freedom < 1.
Equivalence equivalence(double difference, double standard_error, double degrees_of_freedom, double margin);

/// Pairs needed so that, were the true difference and the standard deviation of the differences as seen, the tests of
/// `equivalence` decide at `level` with probability `power`: equivalence where |difference| < margin, else that
/// |difference| is larger. A whole number >= 2; infinity where |difference| = margin; NaN for NaN.
///
/// Power of the two one-sided tests by noncentral t: P(t' <= -c; (|d| - margin) / se) - P(t' < c; (|d| + margin) / se)
/// (Phillips 1990; Julious 2004, eq. 19), a lower bound of the exact power that is close to it where it is above 1/2.
double pairs_needed(double difference, double sd, double margin, double power = 0.9, double level = 0.05);

}  // namespace scree
