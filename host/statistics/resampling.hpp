// Permutation tests and bootstrap intervals as pure functions of (values, seed): random words are Philox blocks
// (src/random.hpp) at a counter of (what for, number of the resample, position), on one thread, and every sum has an
// order fixed by the number of values. So neither threads nor what was computed before change a bit.
//
// Above `most_resampled` values resampling works on fewer units, and the results say so: means of fixed blocks for a
// mean, a fixed sub-sample of the pairs for distances between distributions. Values must be finite.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "inference.hpp"

namespace scree {

/// With B permutations a p-value is a multiple of 1 / (B + 1), so a test at level 0.05 or 0.01 is exact.
inline constexpr int permutations = 999;
/// (B + 1) 0.025 is whole: the ends of a 95 % interval without bias and skewness are order statistics.
inline constexpr int bootstrap_resamples = 1999;
inline constexpr std::uint64_t most_resampled = 10000;

struct PermutationTests {
  TestResult kolmogorov, energy;  // distances as kolmogorov_distance and energy_distance, over the pairs used
  std::uint64_t pairs = 0;        // used
  bool subsample = false;         // the pairs used are subsample(n, most_resampled, seed)
};

/// Whether two paired groups have one distribution: arms swapped within pairs, each with probability 1/2;
/// p = (1 + number of permuted distances >= the observed one) / (count + 1), exact for pairs that are exchangeable
/// within. `a[i]` and `b[i]` are a pair. `unit[i]` >= 0, if given, says which pairs are swapped together (replicates of
/// a low-discrepancy set); empty: each on its own. NaN without pairs; p = 1 where no swap changes a distance.
/// Throws std::invalid_argument if the sizes differ.
PermutationTests permutation_tests(std::span<const double> a, std::span<const double> b, std::uint64_t seed,
                                   std::span<const int> unit = {}, int count = permutations);

struct Bootstrap {
  Interval interval;
  bool block_means = false;  // the units drawn are means of blocks
  std::uint64_t units = 0;   // drawn in each resample: values, or blocks
};

/// BCa interval of the mean: Efron 1987; Efron and Tibshirani 1993, eqs. 14.9 to 14.15, with the jackknife's
/// acceleration, which for a mean is sum (x - mean)^3 / (6 (sum (x - mean)^2)^1.5). NaN for n < 2, a point if all
/// values are equal.
///
/// Above most_resampled values the units are that many blocks of consecutive values, floor(n / units) values long or,
/// the first (n mod units), one longer; a block's value is the mean of all plus its sum of deviations from it over n /
/// units, so the blocks' mean is that of the values (for equal blocks this is the block's own mean).
Bootstrap bca_mean(std::span<const double> values, std::uint64_t seed, double level = 0.95,
                   int resamples = bootstrap_resamples);

/// `size` of the positions 0 .. n - 1 without replacement, each set as likely (Floyd's algorithm, Bentley and Floyd
/// 1987), in rising order; all of them if size >= n.
std::vector<std::uint64_t> subsample(std::uint64_t n, std::uint64_t size, std::uint64_t seed);

}  // namespace scree
