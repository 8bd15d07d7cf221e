// The parts that pages are made of.
#include <gtest/gtest.h>

#include <cmath>
#include <string_view>
#include <vector>

#include "host/common/base64.hpp"
#include "host/page/bands.hpp"
#include "host/page/hillshade.hpp"
#include "host/page/packed.hpp"
#include "host/page/thinned.hpp"

namespace scree {
namespace {

TEST(Base64, GivesTheTestVectorsOfRfc4648) {
  const std::vector<std::pair<std::string_view, std::string>> vectors{
      {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) EXPECT_EQ(base64(bytes), text);
}

TEST(Thinned, KeepsEndsAndCornersOfACurve) {
  // Along x, then along y: two ends and the corner say all.
  std::vector<double> points;
  for (int i = 0; i <= 50; ++i) points.insert(points.end(), {static_cast<double>(i), 0.0});
  for (int i = 1; i <= 50; ++i) points.insert(points.end(), {50.0, static_cast<double>(i)});
  EXPECT_EQ(thinned(points, 2, 10), (std::vector<std::size_t>{0, 50, 100}));
  EXPECT_EQ(thinned(points, 2, 2), (std::vector<std::size_t>{0, 100}));
  EXPECT_EQ(thinned(std::vector<double>{1, 2}, 2, 5), (std::vector<std::size_t>{0}));
  EXPECT_TRUE(thinned({}, 2, 5).empty());
}

TEST(Thinned, SeesThreeDimensions) {
  // Straight seen from above, bent seen from the side.
  const std::vector<double> points{0, 0, 0, 1, 0, 2, 2, 0, 0, 3, 0, 0.1, 4, 0, 0};
  EXPECT_EQ(thinned(points, 3, 3), (std::vector<std::size_t>{0, 1, 4}));
  EXPECT_EQ(thinned(points, 3, 9), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(Codes, DivideWhatLiesBetweenTheLeastAndTheGreatestValue) {
  const std::vector<float> values{-2, NAN, 0, 6};
  const Codes linear = coded(values, Scale::linear, 8);
  EXPECT_EQ(linear.low, -2);
  EXPECT_EQ(linear.step, 8.0 / 254);
  EXPECT_FALSE(linear.logarithmic);
  // 0 is none, 1 the least and 255 the greatest.
  const Codes logarithmic = coded(std::vector<float>{0, 1e-3f, 1e3f}, Scale::logarithmic, 16);
  EXPECT_FLOAT_EQ(static_cast<float>(logarithmic.low), 1e-3f);
  EXPECT_NEAR(logarithmic.low * std::exp(65534 * logarithmic.step), 1e3, 1e-3);
  // Counts are exact where there are as many codes.
  EXPECT_EQ(coded(std::vector<float>{0, 65000}, Scale::whole, 16).step, 1);
  // With more, small ones stay apart from none.
  const Codes many = coded(std::vector<float>{0, 1, 65000}, Scale::whole, 8);
  EXPECT_TRUE(many.logarithmic);
  EXPECT_EQ(many.low, 1);
  // 0 is one of the codes of what may have both signs.
  const Codes differences = coded(std::vector<float>{-0.3f, 0, 0.1f}, Scale::symmetric, 16);
  EXPECT_EQ(differences.low + 32767 * differences.step, 0);
  // One value alone, and none.
  EXPECT_EQ(coded(std::vector<float>{7, 7}, Scale::linear, 16).low, 7);
  EXPECT_EQ(coded(std::vector<float>{NAN}, Scale::linear, 16).step, 1);
}

TEST(Bands, AreQuantilesOfTheLargestValueInEachStretch) {
  // 21 paths of 10 m whose value is their number, times two in the second half, and one that goes on to 40 m.
  std::vector<Profile> profiles(22);
  for (int path = 0; path < 21; ++path)
    for (int k = 0; k < 1000; ++k) profiles[static_cast<std::size_t>(path)].add(0.01 * k, k < 500 ? path : 2 * path);
  for (int k = 0; k < 4000; ++k) profiles[21].add(0.01 * k, 100);
  const Bands bands = bands_of(profiles, 10, 2);
  EXPECT_EQ(bands.length, 4);             // 2^k / 64 m, at most 10 of them in 40 m
  ASSERT_EQ(bands.stretches.size(), 3u);  // up to 10 m: beyond is one path
  for (std::size_t s = 0; s < 3; ++s) {
    EXPECT_EQ(bands.stretches[s].paths, 22u);
    // Values 0, f, ... 20 f, 100 of type 7: the p quantile is at 21 p.
    const double f = s == 0 ? 1 : 2;
    EXPECT_DOUBLE_EQ(bands.stretches[s].quantiles[2], 10.5 * f);
    EXPECT_DOUBLE_EQ(bands.stretches[s].quantiles[0], 1.05 * f);
  }
}

TEST(Bands, HaveNoGapsWhereAStepIsLongerThanAStretch) {
  // Values equal to the distance, at steps of 10 and of 100 stretches.
  std::vector<Profile> profiles(10);
  for (std::size_t path = 0; path < profiles.size(); ++path)
    for (int k = 0; k <= 10; ++k)
      profiles[path].add((path % 2 == 0 ? 10.0 : 1.0) * k / 64 * 10, (path % 2 == 0 ? 10.0 : 1.0) * k / 64 * 10);
  const Bands bands = bands_of(profiles, 100000, 1);
  std::uint64_t before = 10;
  for (std::size_t k = 0; k < bands.stretches.size(); ++k) {
    EXPECT_LE(bands.stretches[k].paths, before);
    before = bands.stretches[k].paths;
    EXPECT_LE(bands.stretches[k].quantiles[0], static_cast<double>(k + 1) * bands.length * (1 + 1e-12));
    EXPECT_GE(bands.stretches[k].quantiles[0], static_cast<double>(k) * bands.length);
  }
  EXPECT_EQ(bands.stretches.back().paths, 5u);
}

TEST(Joining, KeepsWhatMattersOfEachLayer) {
  const auto joined = [](const std::string& name, const std::vector<float>& values) {
    MapLayer layer{name, "1", ""};
    return coarser(Image<float>{2, 2, values}, joining_of(layer)).pixels[0];
  };
  EXPECT_EQ(joined("kinetic_energy_p95", {1, 4, NAN, 2}), 4);
  EXPECT_EQ(joined("difference_implicit", {0.1f, -0.3f, NAN, 0.2f}), -0.3f);
  EXPECT_EQ(joined("arrival_time_min", {5, 3, NAN, 4}), 3);
  EXPECT_TRUE(std::isnan(joined("speed_max", {NAN, NAN, NAN, NAN})));
  MapLayer deposits{"deposits", "1", "", true};
  EXPECT_EQ(coarser(Image<std::uint32_t>{2, 2, {1, 2, 3, 4}}, joining_of(deposits)).pixels[0], 10u);
  deposits.name = "caught";
  EXPECT_EQ(coarser(Image<std::uint32_t>{2, 2, {1, 2, 3, 4}}, joining_of(deposits)).pixels[0], 10u);
  deposits.name = "passages";
  EXPECT_EQ(coarser(Image<std::uint32_t>{2, 2, {1, 2, 3, 4}}, joining_of(deposits)).pixels[0], 4u);
}

TEST(Hillshade, IsThatOfPlanes) {
  // z = a x + b y, y to the north: grey is the light from 315 degrees, 45 above the horizon, on its normal.
  const auto shade = [](double a, double b) {
    Image<float> heights{5, 5, {}};
    for (int row = 0; row < 5; ++row)
      for (int column = 0; column < 5; ++column)
        heights.pixels.push_back(static_cast<float>(2 * (a * column - b * row)));
    return hillshade(heights, 2.0)[2 * (2 * 5 + 2)];
  };
  const auto expected = [](double a, double b) {
    const double light = (std::sqrt(0.5) + 0.5 * a - 0.5 * b) / std::sqrt(1 + a * a + b * b);
    return std::lround(255 * std::max(light, 0.0));
  };
  for (const auto& [a, b] : std::vector<std::pair<double, double>>{{0, 0}, {0.5, 0}, {0, 0.5}, {-0.5, 0.25}, {-3, 3}})
    EXPECT_EQ(shade(a, b), expected(a, b)) << a << " " << b;
  // A slope that falls to the north-west faces the light.
  EXPECT_GT(shade(0.5, -0.5), shade(-0.5, 0.5));
}

TEST(Hillshade, IsSeenThroughWhereThereIsNoData) {
  Image<float> heights{4, 3, std::vector<float>(12, 1.0f)};
  heights.pixels[0] = std::nanf("");
  const std::vector<std::uint8_t> shades = hillshade(heights, 1.0);
  EXPECT_EQ(shades[1], 0);
  EXPECT_EQ(shades[2 * 11 + 1], 255);
}

}  // namespace
}  // namespace scree
