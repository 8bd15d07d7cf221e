// Low-discrepancy points: coordinates of Sobol points, scrambled, in independent replicates.
//
//   x_d(p) = sum_k p_k v_dk   mod 2, digit by digit; p_k the binary digits of the number p of the point           (1)
//
// v_dk is direction number k of dimension d. Each replicate scrambles them anew (see `scrambled`), so that each
// coordinate alone is uniform in (0, 1) and the replicates are independent. Sample i is point i div R of replicate
// i mod R: a run of 1000 is the beginning of a run of 4000, and all replicates grow alike.
//
// Sobol, USSR Comput. Math. Math. Phys. 7, 86 (1967), in the order of his own, without Gray code; Owen, Randomly
// permuted (t,m,s)-nets and (t,s)-sequences, 1995, for scrambling and replicates.
#pragma once

#include <cstdint>

#include "random.hpp"

namespace scree {

/// Binary digits of a coordinate that the net decides; those below are random. A replicate has 2^32 points.
inline constexpr int net_digits = 32;

/// Number of the first of the draws that scramble, beyond those of every sample; up to those of stems (forest.hpp).
inline constexpr std::uint64_t first_scramble_draw = std::uint64_t{1} << 63;

/// Where the points of an ensemble are. No replicates: there are none, and every draw is a random number.
struct LowDiscrepancy {
  double offset = 0;             // in World::tables, of the direction numbers [dimensions, net_digits], whole numbers
  std::uint32_t replicates = 0;  // R
};

/// Nested uniform scrambling, Owen 1995: digit k is flipped or not by a random bit that the points of a replicate share
/// whose digits before k are the same. The points stay a net; the error of a mean over them is at worst a constant
/// times that of random points, for a smooth integrand n^-3/2 up to logarithms (Owen, Ann. Statist. 25, 1541, 1997),
/// and near normal (Loh, Ann. Statist. 31, 1282, 2003), unlike under linear scrambling, where rare replicates hold most
/// of the variance. One block of random bits serves six digits: it has a bit for each node of the binary tree that they
/// walk down, where the root is 1 and node n leads to 2 n and 2 n + 1.
HOST_DEVICE inline std::uint32_t scrambled(std::uint32_t x, std::uint64_t seed, std::uint32_t replicate, int d) {
  constexpr int levels = 6;
  std::uint32_t flips = 0;
  SCREE_ROLLED
  for (int first = 0; first < net_digits; first += levels) {
    const std::uint32_t before = first == 0 ? 0 : x >> (net_digits - first);
    const std::uint64_t draw = first_scramble_draw + static_cast<std::uint64_t>(d * net_digits + first);
    const std::uint64_t bits = random_bits(seed, std::uint64_t{replicate} << 32 | before, draw);
    std::uint32_t node = 1;
    SCREE_ROLLED
    for (int k = first; k < first + levels && k < net_digits; ++k) {
      flips = flips << 1 | static_cast<std::uint32_t>(bits >> node & 1);
      node = node << 1 | (x >> (net_digits - 1 - k) & 1);
    }
  }
  return x ^ flips;
}

/// The point of one sample.
struct NetPoint {
  const double* directions;
  std::uint64_t seed;
  std::uint32_t replicate, number;

  /// Coordinate d of the point without scrambling, equation (1), as a whole number below 2^32.
  HOST_DEVICE std::uint32_t plain(int d) const {
    const double* v = directions + static_cast<std::int64_t>(d) * net_digits;
    std::uint32_t x = 0;
    SCREE_ROLLED
    for (std::uint32_t rest = number; rest != 0; rest >>= 1, ++v)
      if (rest & 1) x ^= static_cast<std::uint32_t>(*v);
    return x;
  }
  /// Coordinate d, scrambled.
  HOST_DEVICE std::uint32_t digits(int d) const { return scrambled(plain(d), seed, replicate, d); }
};

HOST_DEVICE inline NetPoint net_point(const LowDiscrepancy& points, const double* tables, std::uint64_t seed,
                                      std::uint64_t sample) {
  if (points.replicates == 0) return {tables, seed, 0, 0};
  return {tables + static_cast<std::int64_t>(points.offset), seed,
          static_cast<std::uint32_t>(sample % points.replicates),
          static_cast<std::uint32_t>(sample / points.replicates)};
}

/// A coordinate whose upper digits are the net's and whose lower ones are random: uniform in (0, 1), with all that
/// random.hpp says of a uniform draw.
HOST_DEVICE inline double coordinate(std::uint32_t digits, std::uint64_t random) {
  return unit_interval(std::uint64_t{digits} << 32 | random >> 32);
}

}  // namespace scree
