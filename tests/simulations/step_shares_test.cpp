// The intervals of the shares that the time step has in a difference, by simulation on arms of noise.
#include <gtest/gtest.h>

#include <cstdint>

#include "host/statistics/step_error.hpp"
#include "src/elementary.hpp"
#include "src/random.hpp"
#include "tests/unit/fake_result.hpp"
#include "trials.hpp"

namespace scree {
namespace {

using fake::ladder;

TEST(StepShares, HaveIntervalsThatHold) {
  // Share of the baseline's change in the difference, of 50 samples with independent noise in each of the four runs;
  // the true share is 1/2. A linearised interval is not exact: half a point beside three binomial standard errors.
  double held = 0;
  for (std::uint64_t trial = 0; trial < test::trials(); ++trial) {
    const auto noise = [&](int i, std::uint64_t what) {
      return inverse_normal(uniform(5, static_cast<std::uint64_t>(i), 1000 + 4 * trial + what));
    };
    const Arm a = ladder("a", 50, 2, [&](int i, double h) { return h > 0.07 ? noise(i, 0) : 5 + noise(i, 1); }),
              b = ladder("b", 50, 2, [&](int i, double h) { return 10 + noise(i, h > 0.07 ? 2 : 3); });
    const Estimate share = step_shares(a, b, 0, step_errors(a)[0], step_errors(b)[0]).baseline;
    held += test::share(share.low <= 0.5 && 0.5 <= share.high);
  }
  EXPECT_NEAR(held, 0.95, 0.005 + test::three_errors(0.95));
}

}  // namespace
}  // namespace scree
