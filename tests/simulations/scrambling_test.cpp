// The error of means over scrambled points, by simulation on functions whose mean is known.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>

#include "src/random.hpp"
#include "tests/support/net.hpp"

namespace scree {
namespace {

using test::Net;

/// Root mean square over the replicates of the error of the mean of `f` over n points in `dimensions` dimensions.
double error(int dimensions, int n, double mean, const std::function<double(const double*)>& f, bool scrambled) {
  constexpr int count = 256;
  const Net net(11, count, dimensions);
  double squares = 0;
  for (int r = 0; r < count; ++r) {
    double sum = 0;
    for (int i = 0; i < n; ++i) {
      double x[8];
      for (int d = 0; d < dimensions; ++d)
        x[d] = scrambled ? net(r, static_cast<std::uint64_t>(i), d)
                         : uniform(11, static_cast<std::uint64_t>(i * count + r), static_cast<std::uint64_t>(d));
      sum += f(x);
    }
    const double off = sum / n - mean;
    squares += off * off;
  }
  return std::sqrt(squares / count);
}

/// Least squares slope of log2 of the error over log2 of n.
double order(int dimensions, double mean, const std::function<double(const double*)>& f, bool scrambled) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0, count = 0;
  for (int m = 4; m <= 11; ++m, ++count) {
    const double y = std::log2(error(dimensions, 1 << m, mean, f, scrambled));
    sx += m;
    sy += y;
    sxx += m * m;
    sxy += m * y;
  }
  return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

// Owen, Ann. Statist. 25, 1541 (1997): of a smooth function in d dimensions scrambled points miss the mean by n^-3/2
// (log n)^((d - 1) / 2), random ones by n^-1/2. The root mean square over R = 256 replicates is off by a share
// 1 / sqrt(2 R) = 0.044, twice that for errors of heavier tails than normal, and log2 of it by 0.13. A slope over m
// from 4 to 11, whose squared deviations add up to 42, is off by 0.13 / sqrt(42) = 0.02: five of these. For d = 3 the
// factor log n = m log 2 raises the slope by (log2 11 - log2 4) / 7 = 0.21 over this range.
TEST(Scrambling, OfSmoothFunctionsTheErrorFallsWithThePowerThreeHalves) {
  const auto smooth = [](const double* x) { return std::exp(x[0]); };
  EXPECT_NEAR(order(1, std::exp(1.0) - 1, smooth, true), -1.5, 0.1);
  EXPECT_NEAR(order(1, std::exp(1.0) - 1, smooth, false), -0.5, 0.1);
  const auto product = [](const double* x) { return std::exp(x[0] + x[1] + x[2]); };
  const double slope = order(3, std::pow(std::exp(1.0) - 1, 3), product, true);
  EXPECT_GT(slope, -1.5 - 0.1);
  EXPECT_LT(slope, -1.5 + 0.21 + 0.1);
}

}  // namespace
}  // namespace scree
