// Ensembles of dams against the law that the width and the speed of the filling give.
#include <cmath>
#include <string>
#include <vector>

#include "host/engine/execute.hpp"
#include "tests/support/config_fixture.hpp"

namespace scree {
namespace {

using DiskEnsemble = test::ConfigFixture;

/// Dams of random width and depth at the same V t0 / R0: front(T) = R0 + 2 V T in every sample, so mean and variance
/// are those of R0 + 2 V T, but for what the first cell's width adds, (T - t0) w / (6 t0) at most, and 0.4 V T / R0 of
/// the energy is kinetic until the wave reaches the mirror.
TEST_F(DiskEnsemble, FollowsTheLawOfTheDegenerateDisk) {
  const double end = 0.8;
  const Run run = load(R"(system = "disk"
scheme = "rk4"
samples = 4000
step = 0.1
end = 0.8
[vary]
"start.radius" = { normal = [1.0, 0.02] }
"start.speed" = { normal = [1.0, 0.05] }
)");
  const SummaryTable table = execute(run, "rk4", choose_engine(run, {})).table;
  const Description& d = *table.description;
  const double n = static_cast<double>(run.samples);
  double sum = 0, square = 0, lead_most = 0;
  for (std::uint64_t i = 0; i < run.samples; ++i) {
    ASSERT_EQ(table.status[i], static_cast<std::uint32_t>(Status::end_time));
    const std::vector<double> values = drawn(run, i);
    const double radius = values[d.param_doubles], speed = values[d.param_doubles + 1];
    const double front = table.at(d.column("front"), i), lead = front - (radius + 2 * speed * end);
    const double width = (radius + 0.2 * speed) / 98 / 4;
    EXPECT_GT(lead, 0);
    EXPECT_LT(lead, (end - 0.1) * width / 0.6);
    lead_most = std::fmax(lead, lead_most);
    if (speed * end < radius) {
      // Published for one dam at t = 0.5 and 1, N = 100: 1.8e-4 and 7e-5 more.
      EXPECT_NEAR(table.at(d.column("kinetic_share"), i), 0.4 * speed * end / radius, 2e-4);
    }
    sum += front;
    square += front * front;
  }
  const double mean = sum / n, variance = square / n - mean * mean;
  const double expected = 0.02 * 0.02 + 4 * end * end * 0.05 * 0.05;
  // Four standard errors: sqrt(Var / n), and sqrt(2 / n) of the variance.
  EXPECT_NEAR(mean, 1 + 2 * end, 4 * std::sqrt(expected / n) + lead_most);
  EXPECT_NEAR(variance, expected, 4 * std::sqrt(2 / n) * expected);
}

}  // namespace
}  // namespace scree
