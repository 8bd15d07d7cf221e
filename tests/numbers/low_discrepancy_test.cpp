#include "src/low_discrepancy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "host/inputs/sobol.hpp"
#include "tests/support/net.hpp"
#include "tests/support/reference.hpp"

namespace scree {
namespace {

using test::Net;

TEST(Sobol, HasTheDirectionNumbersAndThePointsOfScipy) {
  const test::Json reference = test::reference("sobol.json");
  const std::vector<int> dimensions = reference["dimensions"];
  ASSERT_EQ(dimensions.size(), 23u);
  const std::vector<double> numbers = sobol_direction_numbers(most_sobol_dimensions);
  ASSERT_EQ(numbers.size(), static_cast<std::size_t>(most_sobol_dimensions * net_digits));
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const int d = dimensions[i];
    for (int k = 0; k < net_digits; ++k)
      ASSERT_EQ(numbers[static_cast<std::size_t>(d * net_digits + k)],
                reference["direction_numbers"][i][static_cast<std::size_t>(k)].get<double>())
          << "dimension " << d << ", number " << k;
    for (std::uint64_t n = 0; n < 16; ++n)
      EXPECT_EQ(net_point({0, 1}, numbers.data(), 1, n ^ n >> 1).plain(d),
                reference["points"][n][i].get<std::uint32_t>())
          << "dimension " << d << ", point " << n;
  }
}

TEST(Sobol, HasTheFirstNumbersOfFewDimensionsInManyToo) {
  const std::vector<double> few = sobol_direction_numbers(1), many = sobol_direction_numbers(50);
  ASSERT_EQ(few.size(), static_cast<std::size_t>(net_digits));
  for (std::size_t k = 0; k < few.size(); ++k) EXPECT_EQ(few[k], many[k]);
}

TEST(Scrambling, PutsOnePointOfEachReplicateIntoEachDyadicInterval) {
  constexpr int dimensions = 12;
  const Net net(3, 5, dimensions);
  for (int r = 0; r < 5; ++r)
    for (int d = 0; d < dimensions; ++d)
      for (int m = 0; m <= 10; ++m)
        // Any 2^m points in a row that begin at a multiple of 2^m are a net as well.
        for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{3} << m, std::uint64_t{1} << (31 - m) << m}) {
          std::set<int> intervals;
          for (std::uint64_t i = 0; i < std::uint64_t{1} << m; ++i)
            intervals.insert(static_cast<int>(net(r, first + i, d) * (1 << m)));
          ASSERT_EQ(intervals.size(), std::size_t{1} << m) << "replicate " << r << ", dimension " << d << ", m " << m;
        }
}

TEST(Scrambling, KeepsTheFirstTwoDimensionsANetOfStrengthZero) {
  const Net net(4, 3, 2);
  for (int r = 0; r < 3; ++r)
    for (int m = 1; m <= 10; ++m)
      for (int a = 0; a <= m; ++a) {
        std::set<int> boxes;  // of the sides 2^-a and 2^-(m - a)
        for (std::uint64_t i = 0; i < std::uint64_t{1} << m; ++i)
          boxes.insert((static_cast<int>(net(r, i, 0) * (1 << a)) << (m - a)) +
                       static_cast<int>(net(r, i, 1) * (1 << (m - a))));
        ASSERT_EQ(boxes.size(), std::size_t{1} << m) << "replicate " << r << ", m " << m << ", a " << a;
      }
}

// Over n independent replicates; five standard errors throughout.
constexpr int replicates = 16384;
const double five_deviations = 5 / std::sqrt(1.0 * replicates);  // in standard deviations

TEST(Scrambling, MakesEachPointUniform) {
  const Net net(1, replicates, 3);
  for (const std::uint64_t number : {0u, 1u, 2u, 1000u}) {
    double sum = 0, squares = 0, across = 0;
    for (int r = 0; r < replicates; ++r) {
      const double x = net(r, number, 2);
      sum += x;
      squares += x * x;
      across += (x - 0.5) * (net(r, number, 1) - 0.5);
    }
    EXPECT_NEAR(sum / replicates, 0.5, five_deviations / std::sqrt(12.0)) << number;
    EXPECT_NEAR(squares / replicates, 1.0 / 3, five_deviations * std::sqrt(4.0 / 45)) << number;
    EXPECT_NEAR(across / replicates, 0, five_deviations / 12) << number;  // two dimensions are independent
  }
}

TEST(Scrambling, LeavesPointsInTheSameIntervalAndParts) {
  // In dimension 0 the points 0 and 2^k have k digits in common, which have the variance (1 - 4^-k) / 12; the next puts
  // them into different halves of an interval of length 2^-k, and there anywhere: 4^-k times a covariance of -1/16. A
  // product of two such numbers has at most the variance of the square of one, 1/180 about its mean and 1/80 about 0.
  const Net net(2, replicates, 1);
  for (const int k : {0, 1, 2, 5}) {
    double product = 0;
    for (int r = 0; r < replicates; ++r) product += (net(r, 0, 0) - 0.5) * (net(r, std::uint64_t{1} << k, 0) - 0.5);
    const double common = std::pow(0.25, k);
    EXPECT_NEAR(product / replicates, (1 - common) / 12 - common / 16, five_deviations / std::sqrt(80.0)) << k;
  }
}

TEST(Scrambling, FlipsEachHalfForItself) {
  // A linear scrambling would leave the sum of the third digits of points 0 to 3 of dimension 0 even; here each of the
  // four is a random bit. So is the sum of digits 8 of points 0 to 255, whose bits are in several blocks.
  const Net net(3, replicates, 1);
  for (const int digit : {2, 8}) {
    int odd = 0;
    for (int r = 0; r < replicates; ++r) {
      std::uint32_t sum = 0;
      for (std::uint64_t i = 0; i < std::uint64_t{1} << digit; ++i) sum ^= net.digits(r, i, 0) >> (31 - digit);
      odd += static_cast<int>(sum & 1);
    }
    EXPECT_NEAR(odd / (1.0 * replicates), 0.5, five_deviations / 2) << digit;
  }
}

TEST(Scrambling, DiffersBySeedReplicateAndDimension) {
  const Net net(1, 50, 20), other(2, 50, 20);
  std::set<std::vector<std::uint32_t>> seen;
  for (int r = 0; r < 50; ++r)
    for (int d = 0; d < 20; ++d)
      for (const Net* of : {&net, &other}) {
        std::vector<std::uint32_t> digits;
        for (std::uint64_t i = 0; i < 8; ++i) digits.push_back(of->digits(r, i, d));
        seen.insert(digits);
      }
  EXPECT_EQ(seen.size(), 50u * 20 * 2);
}

TEST(Scrambling, OfAReplicateDoesNotDependOnHowManyThereAre) {
  const Net few(7, 3, 4), many(7, 64, 9);
  for (int r = 0; r < 3; ++r)
    for (int d = 0; d < 4; ++d)
      for (std::uint64_t i = 0; i < 100; ++i) ASSERT_EQ(few.digits(r, i, d), many.digits(r, i, d));
}

TEST(Coordinate, IsAnOddMultipleOfTwoToTheMinus53WithTheDigitsOfTheNet) {
  for (const std::uint32_t digits : {0u, 1u, 0x80000000u, 0xffffffffu})
    for (const std::uint64_t random : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{0x123456789abcdef0}}) {
      const double u = coordinate(digits, random), scaled = u * 0x1p53;
      EXPECT_GT(u, 0.0);
      EXPECT_LT(u, 1.0);
      EXPECT_EQ(std::fmod(scaled, 2.0), 1.0);
      EXPECT_EQ(std::floor(u * 0x1p32), digits);
    }
}

TEST(Scrambling, IsUnbiasedForFewPointsToo) {
  // Three points of exp(x y): no net, but each is uniform. Mean over 1024 replicates of 20 seeds, five standard errors.
  const double mean = 1.3179021514544038;  // sum over k of 1 / (k! (k + 1)^2)
  double sum = 0, squares = 0, n = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Net net(seed, 1024, 2);
    for (int r = 0; r < 1024; ++r, ++n) {
      double estimate = 0;
      for (std::uint64_t i = 0; i < 3; ++i) estimate += std::exp(net(r, i, 0) * net(r, i, 1)) / 3;
      sum += estimate - mean;
      squares += (estimate - mean) * (estimate - mean);
    }
  }
  EXPECT_NEAR(sum / n, 0, 5 * std::sqrt(squares / n / n));
}

}  // namespace
}  // namespace scree
