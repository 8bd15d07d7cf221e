// Whole runs on Sobol points: what they depend on, and what they gain.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "host/config/config.hpp"
#include "host/engine/execute.hpp"

namespace scree {
namespace {

/// Rocks on a ramp for 1.2 s, in which they fall, hit, roll and slide: orientation, release and speed vary.
const std::string rocks = R"(system = "rock"
scheme = "implicit"
sampling = "sobol"
replicates = 8
samples = 200
step = 0.002
end = 1.2
[terrain]
kind = "ramp"
slope = 40.0
height = 4.0
[[shape]]
name = "EOTA221"
kind = "eota"
size = [0.93, 0.93, 0.47]
mass = 780.0
[vary]
orientation = "uniform"
"start.position" = { polygon = [[0, -2], [1, -2], [0.5, 0], [1, 2], [0, 2]] }
"start.speed" = { normal = [4.0, 1.0] }
)";

/// 1024 shots without drag, whose range is a smooth function of speed and angle.
const std::string shots = R"(system = "projectile"
scheme = "exact"
sampling = "sobol"
samples = 1024
step = 0.05
end = 60.0
[projectile]
gravity = 10.0
drag = 0.0
[vary]
"start.speed" = { uniform = [80.0, 120.0] }
"start.angle" = { uniform = [0.1, 1.5] }
)";

Run study(const std::string& text, const std::vector<std::string>& changes = {}) {
  std::vector<std::string> overlays;
  for (const std::string& change : changes) overlays.push_back("--set:" + change);
  return load_run_text("study.toml", text, overlays);
}

Arm result(const Run& run, const EngineOptions& how = {"scalar", "auto", 1}) {
  return execute(run, run.schemes[0], choose_engine(run, how));
}

const ColumnStatistics& column(const Arm& arm, std::string_view name) {
  return arm.statistics.columns.at(static_cast<std::size_t>(arm.table.description->column(std::string(name))));
}

/// The suite of all systems (tests/suites/) compares backends and schedules.
TEST(Sampling, OnSobolPointsDependsOnSeedAndReplicates) {
  const std::string expected = result(study(rocks)).digest;
  EXPECT_NE(result(study(rocks, {"seed=2"})).digest, expected);
  EXPECT_NE(result(study(rocks, {"replicates=4"})).digest, expected);
}

TEST(Sampling, TheSameForAllSchemesMakesTheirDifferencesPaired) {
  const scree::Run run = study(rocks, {"scheme=['explicit','implicit']", "samples=256"});
  const Engine engine = choose_engine(run, {"scalar", "auto", 2});
  const Arm a = execute(run, "explicit", engine), b = execute(run, "implicit", engine);
  EXPECT_EQ(a.table.replicates, 8);
  const std::vector<PairedColumn> columns = paired(a.table, b.table).columns;
  int compared = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const PairedColumn& pair = columns[c];
    if (pair.n != 256) continue;
    // Sample i is of replicate i mod 8: the means of 32 differences each are as good as independent.
    double mean = 0, largest = 0, of_replicate[8] = {}, squares = 0, between = 0;
    const auto difference = [&](std::uint64_t i) {
      return b.table.at(static_cast<int>(c), i) - a.table.at(static_cast<int>(c), i);
    };
    for (std::uint64_t i = 0; i < 256; ++i) {
      mean += difference(i) / 256;
      of_replicate[i % 8] += difference(i) / 32;
      largest = std::max(largest, std::fabs(difference(i)));
    }
    if (largest == 0) continue;
    for (std::uint64_t i = 0; i < 256; ++i) squares += (difference(i) - mean) * (difference(i) - mean) / 255;
    for (const double m : of_replicate) between += (m - mean) * (m - mean) / 7;
    const double half = boost::math::quantile(boost::math::students_t(7), 0.975) * std::sqrt(between / 8);
    // Sums of 256 numbers, each rounded by at most 256 eps = 6e-14 of the largest; the gain squares what is left.
    const double rounding = 1e-13 * largest;
    EXPECT_NEAR(pair.difference, mean, rounding);
    EXPECT_NEAR(pair.sd, std::sqrt(squares), 16 * rounding);
    EXPECT_NEAR(pair.ci_high - pair.difference, half, 16 * rounding);
    EXPECT_NEAR(pair.difference - pair.ci_low, half, 16 * rounding);
    EXPECT_NEAR(pair.gain * (between / 8), squares / 256, 1e-10 * squares);
    ++compared;
  }
  EXPECT_GT(compared, 10) << "columns that all samples have and that differ";
}

TEST(Sampling, OfASmoothRangeGainsWhatItsErrorsShow) {
  // Range v^2 sin(2 angle) / g: the mean of v^2 is (120^3 - 80^3) / 120, that of the sine (cos 0.2 - cos 3) / 2.8.
  const double exact = (std::pow(120.0, 3) - std::pow(80.0, 3)) / 120 * (std::cos(0.2) - std::cos(3.0)) / 2.8 / 10;
  constexpr int seeds = 20;
  double squares = 0, plain_squares = 0, logarithm = 0;
  int held = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    const std::string number = "seed=" + std::to_string(seed);
    const Arm sobol = result(study(shots, {number})), plain = result(study(shots, {"sampling='random'", number}));
    const ColumnStatistics &s = column(sobol, "range"), &p = column(plain, "range");
    EXPECT_TRUE(std::isnan(p.gain));
    squares += (s.mean - exact) * (s.mean - exact);
    plain_squares += (p.mean - exact) * (p.mean - exact);
    logarithm += std::log(s.gain) / seeds;
    held += s.ci_low <= exact && exact <= s.ci_high;
  }
  // 64 points of a smooth function in each replicate: n^-1/2 becomes n^-3/2 up to constants and logarithms.
  const double gain = plain_squares / squares, seen = std::exp(logarithm);
  EXPECT_GT(gain, 64);
  // A ratio of two means of 20 squares of normal errors is off by up to 6 in one case of 10^4 (Fisher's F); the mean
  // logarithm of 20 seen gains by some hundredths.
  EXPECT_LT(std::fabs(std::log(gain / seen)), std::log(6.0));
  EXPECT_GE(held, 15);  // of 20 intervals of 95 %; fewer in one case of 3000
}

}  // namespace
}  // namespace scree
