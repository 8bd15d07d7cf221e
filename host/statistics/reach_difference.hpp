// Where samples of one arm come and those of another do not: the reach probabilities of two maps, cell by cell.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "intervals.hpp"

namespace scree {

/// The 95 % interval of p2 - p1 for k1 of n1 and k2 of n2 from Wilson's intervals (l, u) of both, d = p2 - p1:
///   d - sqrt((p2 - l2)^2 + (u1 - p1)^2)   to   d + sqrt((u2 - p2)^2 + (p1 - l1)^2)
/// Newcombe, Statistics in Medicine 17 (1998) 873, method 10. It takes the two for independent; of the same samples in
/// two arms it is too wide where they go together.
Interval newcombe_interval(double n1, double k1, double n2, double k2);

/// Which of these p-values are found at a false discovery rate `q`: the k smallest, with the largest k for which the
/// k-th smallest is at most q k / m. Benjamini and Hochberg, J. R. Stat. Soc. B 57 (1995) 289. NaN is no test.
std::vector<bool> discoveries(std::span<const double> p, double q);

/// Of the cells of two maps; NaN where neither was reached.
struct ReachDifference {
  std::vector<float> difference, low, high;  // of the arm's share from the baseline's
  /// 1: the shares differ, at a false discovery rate of 5 % over the cells reached, by the normal test of two shares
  /// with their common one, p = erfc(|d| / sqrt(2 p (1 - p) (1/n1 + 1/n2))). 0: that was not seen.
  std::vector<std::uint32_t> significant;
};
/// From the passages of each cell and the samples that count.
ReachDifference reach_difference(std::span<const std::uint32_t> baseline, std::uint64_t of_baseline,
                                 std::span<const std::uint32_t> arm, std::uint64_t of_arm);

}  // namespace scree
