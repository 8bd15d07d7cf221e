// Intervals of means whose samples come in replicates, by simulation.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "host/inputs/sobol.hpp"
#include "host/statistics/statistics.hpp"
#include "src/low_discrepancy.hpp"
#include "src/random.hpp"
#include "tests/support/numbers.hpp"
#include "trials.hpp"

namespace scree {
namespace {

using Integrand = std::function<double(const double*)>;
using test::nan;
using test::share;
using test::three_errors;
using test::trials;

constexpr int replicates = 16, points = 16;  // points of each replicate

struct Coverage {
  double interval = 0;     // share of the trials whose interval holds the mean
  double independent = 0;  // the same for the interval that takes the samples for independent
  double gain_within = 0;  // share of the trials whose gain is within gain_factors of the true one
};

/// Of the mean of f over the points at which it is finite, in two dimensions; each trial has a seed of its own.
Coverage coverage(double exact, const Integrand& f) {
  const std::vector<double> table = sobol_direction_numbers(2);
  const auto [low, high] = gain_factors(replicates);
  std::vector<double> gains;
  const double n = static_cast<double>(trials());
  double squares = 0, variance = 0;
  Coverage result;
  for (std::uint64_t seed = 1; seed <= trials(); ++seed) {
    std::vector<double> values;
    std::vector<std::uint32_t> replicate_of;
    for (std::uint64_t i = 0; i < std::uint64_t{points * replicates}; ++i) {
      const NetPoint point = net_point({0, replicates}, table.data(), seed, i);
      double x[2];
      for (int d = 0; d < 2; ++d)
        x[d] = coordinate(point.digits(d), random_bits(seed, i, static_cast<std::uint64_t>(d) << 16));
      values.push_back(f(x));
      replicate_of.push_back(point.replicate);
    }
    const ColumnStatistics s = column_statistics(values, replicate_of);
    result.interval += share(s.ci_low <= exact && exact <= s.ci_high);
    result.independent += share(std::fabs(s.mean - exact) <= ci_half_width(s.n, s.sd));
    squares += (s.mean - exact) * (s.mean - exact) / n;
    variance += s.sd * s.sd / static_cast<double>(s.n) / n;
    gains.push_back(s.gain);
  }
  const double gain = variance / squares;
  for (const double seen : gains) result.gain_within += share(gain / seen >= low && gain / seen <= high);
  return result;
}

// The interval is Student's for normal replicate means and so approximate; it is held to three standard errors of the
// nominal share all the same. Gains: two of these on top of the nominal share for the true gain, which is known from as
// many trials to sqrt(2 / trials) of itself and moves either end of its interval by as much.
const double within = three_errors(0.95);

TEST(Replicates, CoverTheMeanOfASmoothIntegrand) {
  const double e = std::exp(1.0);
  const Coverage seen = coverage((e - 1) * (e * e - 1) / 2, [](const double* x) { return std::exp(x[0] + 2 * x[1]); });
  EXPECT_NEAR(seen.interval, 0.95, within);
  EXPECT_GT(seen.independent, 0.999) << "a gain of 86: an interval nine times too wide";
  EXPECT_NEAR(seen.gain_within, 0.95, 2 * within);
}

TEST(Replicates, CoverTheMeanOfARoughIntegrand) {
  const Coverage seen =
      coverage(std::acos(-1.0) / 4, [](const double* x) { return x[0] * x[0] + x[1] * x[1] < 1 ? 1.0 : 0.0; });
  EXPECT_NEAR(seen.interval, 0.95, within);
  EXPECT_GT(seen.gain_within, 0.95 - 2 * within);
}

TEST(Replicates, CoverTheMeanOfTheSamplesThatEnter) {
  // The number of points in the quarter of the disc differs by replicate; mean of x there.
  const Coverage seen =
      coverage(4 / (3 * std::acos(-1.0)), [](const double* x) { return x[0] * x[0] + x[1] * x[1] < 1 ? x[0] : nan; });
  EXPECT_NEAR(seen.interval, 0.95, within);
  EXPECT_GT(seen.gain_within, 0.95 - 2 * within);
}

}  // namespace
}  // namespace scree
