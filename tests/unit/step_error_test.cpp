// Time-step errors of made-up arms whose samples depend on the step by a formula, so that changes, orders and limits
// are known.
#include "host/statistics/step_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fake_result.hpp"
#include "src/elementary.hpp"
#include "src/random.hpp"

namespace scree {
namespace {

using namespace fake;

double normal(int i, std::uint64_t stream) { return inverse_normal(uniform(5, static_cast<std::uint64_t>(i), stream)); }

/// Error c_i h^p with c_i around 3, on samples that spread by 10.
Arm of_order(double p, int samples = 400, int levels = 4) {
  return ladder("euler", samples, levels,
                [p](int i, double h) { return 50 + 10 * normal(i, 1) + (3 + 0.3 * normal(i, 2)) * std::pow(h, p); });
}

TEST(StepError, FindsTheOrderAndTheLimit) {
  for (const double p : {1.0, 2.0, 4.0}) {
    const ColumnSteps s = step_errors(of_order(p))[0];
    EXPECT_EQ(s.n, 400u);
    ASSERT_EQ(s.orders.size(), 2u);
    // Every sample's changes have the quotient 2^p, so the order is exact but for round-off of 1e-16 * 60 in a change
    // of some 3 (0.05)^p.
    EXPECT_NEAR(s.orders[0].value, p, 1e-13 / std::pow(0.05, p)) << p;
    EXPECT_TRUE(s.order_seen);
    // The mean of c_i over the samples, by the values themselves.
    double c = 0;
    for (int i = 0; i < 400; ++i) c += (3 + 0.3 * normal(i, 2)) / 400;
    EXPECT_NEAR(s.errors[0].value, c * std::pow(0.1, p), 1e-13) << p;
    EXPECT_NEAR(s.errors[3].value, c * std::pow(0.0125, p), 1e-13) << p;
  }
}

TEST(StepError, IsALowerBoundUntilTheOrderIsSeen) {
  const ColumnSteps s = step_errors(of_order(1, 400, 2))[0];
  EXPECT_FALSE(s.order_seen);
  EXPECT_TRUE(std::isnan(s.errors[1].value));
  // x(h) - x(h/2) is half of c h.
  double c = 0;
  for (int i = 0; i < 400; ++i) c += (3 + 0.3 * normal(i, 2)) / 400;
  EXPECT_NEAR(s.errors[0].value, c * 0.05, 1e-13);
  EXPECT_LT(s.errors[0].value, c * 0.1);
  EXPECT_TRUE(s.errors[0].seen());
}

TEST(StepError, IsNotSeenInNoise) {
  // Another normal number at every step: the mean change is 0 within its interval, and there is no order.
  const ColumnSteps s = step_errors(
      ladder("rk4", 400, 4, [](int i, double h) { return 50 + normal(i, static_cast<std::uint64_t>(1 / h)); }))[0];
  ASSERT_EQ(s.changes.size(), 3u);
  ASSERT_EQ(s.orders.size(), 2u);
  for (const Estimate& change : s.changes) EXPECT_FALSE(change.seen());
  for (const Estimate& order : s.orders) EXPECT_TRUE(std::isnan(order.value));
  EXPECT_FALSE(s.order_seen);
  EXPECT_FALSE(s.errors[0].seen());
  EXPECT_FALSE(s.sd_error.seen());
}

TEST(StepError, SeesAnOrderOnlyIfItSettles) {
  // Changes of 1, 2 and 1.5: not those of an order.
  const double x[] = {0, 1, 3, 4.5};
  const ColumnSteps s = step_errors(ladder("explicit", 400, 4, [&](int i, double h) {
    return x[static_cast<int>(std::lround(std::log2(0.1 / h)))] + 0.01 * normal(i, 1);
  }))[0];
  EXPECT_FALSE(s.order_seen);
  // Numbers up to 5 are rounded to 4.4e-16, a dozen times at most.
  EXPECT_NEAR(s.orders[0].value, -1, 1e-14);
  EXPECT_NEAR(s.errors[0].value, -4.5, 1e-14);
}

TEST(StepError, OfTheSpreadIsFound) {
  // The standard deviation is 1 + h: at 0.1 minus at 0.05 is 5 % of the sd of the normal numbers.
  const ColumnSteps s = step_errors(ladder("euler", 400, 2, [](int i, double h) { return (1 + h) * normal(i, 1); }))[0];
  std::vector<double> z;
  for (int i = 0; i < 400; ++i) z.push_back(normal(i, 1));
  const ColumnStatistics of_z = column_statistics(z);
  EXPECT_NEAR(s.sd_error.value, 0.05 * of_z.sd, 1e-13);
  EXPECT_TRUE(s.sd_error.seen());
  EXPECT_NEAR(s.quantile_errors[5].value, 0.05 * of_z.quantiles[5], 1e-13);
}

StepShares shares_of(const Arm& baseline, const Arm& arm) {
  return step_shares(baseline, arm, 0, step_errors(baseline)[0], step_errors(arm)[0]);
}

TEST(StepShares, SplitTheDifferenceBetweenTwoArms) {
  // Baseline 10 - 400 h, arm 12 + 20 h: at 0.1 the difference is 2 + 42, in the limit 2. Orders of 1 are seen.
  const Arm baseline = ladder("explicit", 400, 4, [](int i, double h) { return 10 + normal(i, 1) - 400 * h; }),
            exact = ladder("implicit", 400, 4, [](int i, double h) { return 12 + normal(i, 1) + 20 * h; });
  const StepShares s = shares_of(baseline, exact);
  EXPECT_NEAR(s.first.value, 44, 1e-12);
  EXPECT_TRUE(s.limit);
  EXPECT_NEAR(s.last.value, 2, 1e-11);
  EXPECT_NEAR(s.baseline.value, 40.0 / 44, 1e-12);
  EXPECT_NEAR(s.arm.value, 2.0 / 44, 1e-12);
  EXPECT_NEAR(s.rest.value, 2.0 / 44, 1e-12);
  EXPECT_EQ(s.first_step, 0.1);
  EXPECT_EQ(s.last_step, 0.0125);
}

TEST(StepShares, AreThoseOfTheFinestStepUntilTheOrderIsSeen) {
  // The same with one halving: the difference goes from 44 to 23.
  const Arm baseline = ladder("explicit", 400, 2, [](int i, double h) { return 10 + normal(i, 1) - 400 * h; }),
            exact = ladder("implicit", 400, 2, [](int i, double h) { return 12 + normal(i, 1) + 20 * h; });
  const StepShares s = shares_of(baseline, exact);
  EXPECT_FALSE(s.limit);
  EXPECT_NEAR(s.change.value, -21, 1e-12);
  EXPECT_NEAR(s.baseline.value, 20.0 / 44, 1e-12);
  EXPECT_NEAR(s.arm.value, 1.0 / 44, 1e-12);
  EXPECT_NEAR(s.rest.value, 23.0 / 44, 1e-12);
}

TEST(StepShares, NeedTheSameSteps) {
  const auto constant = [](int i, double) { return normal(i, 1); };
  const Arm three = ladder("a", 10, 3, constant), two = ladder("b", 10, 2, constant),
            one = ladder("c", 10, 1, constant);
  EXPECT_TRUE(same_steps(three, three));
  EXPECT_FALSE(same_steps(three, two));
  EXPECT_FALSE(same_steps(one, one));
}

TEST(StepError, OfOneTrajectoryHasOrdersWithoutIntervals) {
  const ColumnSteps s = step_errors(of_order(2, 1))[0];
  EXPECT_EQ(s.n, 1u);
  // Round-off of 1e-14 in a change of some 3 (0.025)^2.
  EXPECT_NEAR(s.orders[0].value, 2, 1e-10);
  EXPECT_TRUE(s.order_seen);
  EXPECT_TRUE(std::isnan(s.errors[0].low));
  EXPECT_NEAR(s.errors[0].value, (3 + 0.3 * normal(0, 2)) * 0.01, 1e-12);
}

TEST(StepError, LeavesRoundOffOut) {
  // Order 4 from 0.1 down to 0.1 / 2^7, where changes of 3e-3 h^4 are below 1e-14 of 50: the order is that of the steps
  // before, on which rounding of 1e-14 beside a change of 3e-3 (0.05)^4 = 2e-8 leaves 1e-6.
  const ColumnSteps s = step_errors(ladder("rk4", 400, 8, [](int i, double h) {
    return 50 + 10 * normal(i, 1) + (3 + 0.3 * normal(i, 2)) * 1e-3 * std::pow(h, 4);
  }))[0];
  EXPECT_LT(s.last, 7u);
  EXPECT_TRUE(s.order_seen);
  EXPECT_NEAR(s.orders[0].value, 4, 1e-6);
}

TEST(StepShares, AreNotGivenOfADifferenceThatIsNotSeen) {
  const Arm a = ladder("a", 50, 2, [](int i, double) { return normal(i, 1); }),
            b = ladder("b", 50, 2, [](int i, double) { return normal(i, 2); });
  const StepShares s = shares_of(a, b);
  EXPECT_FALSE(s.first.seen());
  EXPECT_TRUE(std::isnan(s.baseline.value) && std::isnan(s.rest.value));
}

}  // namespace
}  // namespace scree
