// Counter-based random numbers: a draw is a function of (seed, sample, number of the draw) and of nothing else, so a
// sample does not depend on which thread, batch or machine asks for it.
//
// Philox4x32-10: Salmon, Moraes, Dror and Shaw, Parallel random numbers: as easy as 1, 2, 3, SC 2011.
#pragma once

#include <cstdint>

#include "real.hpp"

namespace scree {

/// One block of Philox: four 32-bit words.
struct PhiloxBlock {
  std::uint32_t word[4];
};

/// Ten rounds on `lanes` counters at a time, of which counter i has its words in word[0..3][i], under the key
/// (key0, key1): a loop that compilers make vectors of.
template <int lanes>
HOST_DEVICE inline void philox(std::uint32_t (&word)[4][lanes], std::uint32_t key0, std::uint32_t key1) {
  SCREE_ROLLED
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < lanes; ++i) {
      const std::uint64_t product0 = std::uint64_t{0xD2511F53u} * word[0][i];
      const std::uint64_t product1 = std::uint64_t{0xCD9E8D57u} * word[2][i];
      word[0][i] = static_cast<std::uint32_t>(product1 >> 32) ^ word[1][i] ^ key0;
      word[1][i] = static_cast<std::uint32_t>(product1);
      word[2][i] = static_cast<std::uint32_t>(product0 >> 32) ^ word[3][i] ^ key1;
      word[3][i] = static_cast<std::uint32_t>(product0);
    }
    key0 += 0x9E3779B9u;  // the golden ratio
    key1 += 0xBB67AE85u;  // sqrt(3) - 1
  }
}

/// The same on one counter.
HOST_DEVICE inline PhiloxBlock philox(PhiloxBlock counter, std::uint32_t key0, std::uint32_t key1) {
  std::uint32_t word[4][1] = {{counter.word[0]}, {counter.word[1]}, {counter.word[2]}, {counter.word[3]}};
  philox(word, key0, key1);
  return {{word[0][0], word[1][0], word[2][0], word[3][0]}};
}

/// The block of draw number `draw` of a sample.
HOST_DEVICE inline PhiloxBlock random_block(std::uint64_t seed, std::uint64_t sample, std::uint64_t draw) {
  const PhiloxBlock counter{{static_cast<std::uint32_t>(draw), static_cast<std::uint32_t>(draw >> 32),
                             static_cast<std::uint32_t>(sample), static_cast<std::uint32_t>(sample >> 32)}};
  return philox(counter, static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
}

/// 64 random bits: draw number `draw` of a sample.
HOST_DEVICE inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t sample, std::uint64_t draw) {
  const PhiloxBlock block = random_block(seed, sample, draw);
  return (static_cast<std::uint64_t>(block.word[1]) << 32) | block.word[0];
}

/// The number in (0, 1) that the upper 52 bits choose: an odd multiple of 2^-53, so never 0, 1/2 or 1, and of random
/// bits 1 - u is as likely as u.
HOST_DEVICE inline double unit_interval(std::uint64_t bits) {
  return fma(static_cast<double>(bits >> 12), 0x1p-52, 0x1p-53);
}

/// Draw number `draw` of a sample, uniform in (0, 1).
HOST_DEVICE inline double uniform(std::uint64_t seed, std::uint64_t sample, std::uint64_t draw) {
  return unit_interval(random_bits(seed, sample, draw));
}

/// Two numbers uniform in (0, 1), of one block: the first is that of `uniform`.
struct TwoUniforms {
  double first, second;
};
HOST_DEVICE inline TwoUniforms two_uniforms(std::uint64_t seed, std::uint64_t sample, std::uint64_t draw) {
  const PhiloxBlock block = random_block(seed, sample, draw);
  return {unit_interval((static_cast<std::uint64_t>(block.word[1]) << 32) | block.word[0]),
          unit_interval((static_cast<std::uint64_t>(block.word[3]) << 32) | block.word[2])};
}

}  // namespace scree
