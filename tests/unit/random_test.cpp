#include "src/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <set>

namespace scree {
namespace {

std::array<std::uint32_t, 4> words(const PhiloxBlock& b) { return {b.word[0], b.word[1], b.word[2], b.word[3]}; }

TEST(Philox, GivesTheKnownAnswersOfRandom123) {
  // kat_vectors of Random123 1.14: philox4x32, 10 rounds; zeros, ones, and the digits of pi.
  const std::uint32_t ones = 0xffffffffu;
  EXPECT_EQ(words(philox({{0, 0, 0, 0}}, 0, 0)),
            (std::array<std::uint32_t, 4>{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
  EXPECT_EQ(words(philox({{ones, ones, ones, ones}}, ones, ones)),
            (std::array<std::uint32_t, 4>{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}));
  EXPECT_EQ(words(philox({{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}}, 0xa4093822u, 0x299f31d0u)),
            (std::array<std::uint32_t, 4>{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}));
}

TEST(Philox, GivesManyBlocksAtATimeWhatItGivesEach) {
  constexpr int lanes = 16;
  std::uint32_t many[4][lanes];
  std::array<PhiloxBlock, lanes> counters;
  for (std::uint32_t i = 0; i < lanes; ++i) {
    counters[i] = {{i, i * i, 0xffffffffu - i, 7}};
    for (int j = 0; j < 4; ++j) many[j][i] = counters[i].word[j];
  }
  philox(many, 0xa4093822u, 0x299f31d0u);
  for (int i = 0; i < lanes; ++i)
    EXPECT_EQ((std::array{many[0][i], many[1][i], many[2][i], many[3][i]}),
              words(philox(counters[i], 0xa4093822u, 0x299f31d0u)))
        << i;
}

TEST(Uniform, IsAnOddMultipleOfTwoToTheMinus53) {
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const double u = uniform(1, i, 5), scaled = u * 0x1p53;
    ASSERT_GT(u, 0.0);
    ASSERT_LT(u, 1.0);
    ASSERT_EQ(scaled, std::floor(scaled));
    ASSERT_EQ(std::fmod(scaled, 2.0), 1.0);
  }
}

TEST(Uniform, DependsOnSeedSampleAndDrawInAllTheirBits) {
  std::set<double> seen;
  int count = 0;
  for (const std::uint64_t seed : {0ull, 1ull, 1ull << 32, 1ull << 63})
    for (const std::uint64_t sample : {0ull, 1ull, 1ull << 32, 1ull << 63})
      for (const std::uint64_t draw : {0ull, 1ull, 1ull << 16, 1ull << 32}) {
        seen.insert(uniform(seed, sample, draw));
        ++count;
      }
  EXPECT_EQ(static_cast<int>(seen.size()), count);
}

TEST(Uniform, HasTheMomentsOfAUniformVariable) {
  // n draws: the mean has the standard error 1 / sqrt(12 n), the second moment sqrt(4 / 45 / n); 5 standard errors.
  const int n = 200000;
  double sum = 0, squares = 0, product = 0;
  for (int i = 0; i < n; ++i) {
    const double u = uniform(42, static_cast<std::uint64_t>(i), 0), v = uniform(42, static_cast<std::uint64_t>(i), 1);
    sum += u;
    squares += u * u;
    product += (u - 0.5) * (v - 0.5);
  }
  EXPECT_NEAR(sum / n, 0.5, 5 / std::sqrt(12.0 * n));
  EXPECT_NEAR(squares / n, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / n));
  EXPECT_NEAR(product / n, 0, 5 / (12 * std::sqrt(1.0 * n)));
}

}  // namespace
}  // namespace scree
