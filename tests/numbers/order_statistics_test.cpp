#include "host/statistics/order_statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace scree {
namespace {

using Values = std::vector<double>;

/// Passes over values in pieces; `passes` counts them.
struct Passed {
  const Values& values;
  int passes = 0;
  PassValues pass() {
    return [this](const TakeValues& take) {
      ++passes;
      for (std::size_t first = 0; first < values.size(); first += 1000)
        take(std::span(values).subspan(first, std::min<std::size_t>(1000, values.size() - first)));
    };
  }
};

std::array<double, 7> counted(const Values& values, int* passes = nullptr) {
  Passed passed{values};
  const auto [least, greatest] = std::ranges::minmax(values);
  const auto result = quantiles(passed.pass(), values.size(), least, greatest);
  if (passes) *passes = passed.passes;
  return result;
}

/// Type 7 by selection in a copy.
std::array<double, 7> selected(Values values) {
  std::array<double, 7> result;
  const std::size_t last = values.size() - 1;
  for (std::size_t i = 0; i < quantile_levels.size(); ++i) {
    const double position = static_cast<double>(last) * quantile_levels[i];
    const std::size_t below = std::min(static_cast<std::size_t>(position), last);
    const auto low = values.begin() + static_cast<std::ptrdiff_t>(below);
    std::nth_element(values.begin(), low, values.end());
    const double high = below == last ? *low : *std::min_element(low + 1, values.end());
    result[i] = std::lerp(*low, high, position - static_cast<double>(below));
  }
  return result;
}

TEST(OrderStatistics, AreThoseOfSelectionWhateverTheLaw) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal(10, 3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const std::vector<std::pair<const char*, std::function<double()>>> laws{
      {"normal", [&] { return normal(engine); }},
      {"one in a million", [&] { return engine() % 4 ? 1e-3 : uniform(engine); }},
      {"few values", [&] { return static_cast<double>(engine() % 3); }},
      {"over all decades", [&] { return std::ldexp(uniform(engine), static_cast<int>(engine() % 2000) - 1050); }},
      {"zeros of both signs", [&] { return engine() % 2   ? -0.0
                                           : engine() % 3 ? 0.0
                                                          : uniform(engine); }},
      {"next to one another", [&] { return std::nextafter(1.0, engine() % 2 ? 2.0 : 0.0); }},
      {"all bits", [&] {
         double x;
         do x = std::bit_cast<double>(engine());
         while (!std::isfinite(x));
         return x;
       }}};
  for (const auto& [name, law] : laws)
    for (const std::size_t n : {1u, 2u, 3u, 20u, 65536u, 65537u, 300000u}) {
      Values values(n);
      for (double& x : values) x = law();
      EXPECT_EQ(counted(values), selected(values)) << name << ", " << n;
    }
}

TEST(OrderStatistics, OfAColumnTakeTwoOrThreePasses) {
  std::mt19937_64 engine(2);
  std::normal_distribution<double> normal(0, 1);
  Values far(400000), around_zero(400000);
  for (double& x : far) x = 100 + normal(engine);
  for (double& x : around_zero) x = normal(engine);
  int passes = 0;
  counted(far, &passes);
  EXPECT_EQ(passes, 2);
  counted(around_zero, &passes);
  EXPECT_LE(passes, 3);
  far.resize(65536);
  counted(far, &passes);
  EXPECT_EQ(passes, 1);
}

TEST(OrderStatistics, OfTheWorstValuesTakeSixPasses) {
  // Parts of parts that hold nearly all, around two of the wanted places.
  std::mt19937_64 engine(3);
  Values values(200000, 1.0);
  for (std::size_t i = 0; i < 60000; ++i) values[i] = std::nextafter(1.0, engine() % 2 ? 2.0 : 0.0);
  values[0] = -std::numeric_limits<double>::max();
  values[1] = std::numeric_limits<double>::max();
  int passes = 0;
  EXPECT_EQ(counted(values, &passes), selected(values));
  EXPECT_LE(passes, 6);
}

TEST(OrderStatistics, MakeNoDifferenceBetweenZeros) {
  const Values values{-0.0, -0.0, 0.0, -0.0};
  for (const double x : counted(values)) EXPECT_FALSE(std::signbit(x));
}

TEST(OrderStatistics, AreThoseOfASortedCopy) {
  std::mt19937_64 engine(4);
  std::lognormal_distribution<double> law(0, 40);
  Values values(250000);
  for (double& x : values) x = engine() % 2 ? law(engine) : -law(engine);
  Values sorted = values;
  std::ranges::sort(sorted);
  std::vector<std::uint64_t> places;
  for (std::uint64_t place = 0; place < values.size(); place += 1 + engine() % 5000) places.push_back(place);
  Passed passed{values};
  const Values found = order_statistics(passed.pass(), places, values.size(), sorted.front(), sorted.back());
  for (std::size_t k = 0; k < places.size(); ++k) EXPECT_EQ(found[k], sorted[places[k]]);
}

}  // namespace
}  // namespace scree
