// The parts that pages are made of.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "host/common/base64.hpp"
#include "host/exports/raster.hpp"
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
  // 0 is none, 1 is 0, 2 the least above it and the last one the greatest.
  const Codes logarithmic = coded(std::vector<float>{0, 1e-3f, 1e3f}, Scale::logarithmic, 16);
  EXPECT_FLOAT_EQ(static_cast<float>(logarithmic.low), 1e-3f);
  EXPECT_NEAR(logarithmic.low * std::exp(65533 * logarithmic.step), 1e3, 1e-3);
  EXPECT_NE(logarithmic.text, coded(std::vector<float>{NAN, 1e-3f, 1e3f}, Scale::logarithmic, 16).text);
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

TEST(Classes, HaveRoundEdgesThatArePrintedShort) {
  const auto edges = [](const std::string& name, const std::string& unit, const std::vector<float>& values) {
    return layer_classes({name, unit, "", false, values}).edges;
  };
  using Edges = std::vector<double>;
  EXPECT_EQ(edges("terrain", "m", {1080, 1207, NAN}), (Edges{1100, 1120, 1140, 1160, 1180, 1200}));
  EXPECT_EQ(edges("terrain", "m", {-0.2f, 0.3f}), (Edges{-0.1, 0, 0.1, 0.2}));
  EXPECT_EQ(edges("arrival_time_min", "s", {0, 36.2f}), (Edges{5, 10, 15, 20, 25, 30, 35}));
  EXPECT_EQ(edges("passage_frequency", "1/yr", {0, 0.2f}), (Edges{0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1}));
  EXPECT_EQ(edges("terrain", "m", {7, 7}), (Edges{1}));
  const LayerClasses density = layer_classes({"deposit_density", "1/m^2", "", false, {0, 0.0037f}});
  EXPECT_EQ(density.labels[3], "5e-05 to 1e-04 1/m^2");
}

TEST(Classes, OfCountsTellOneFromNone) {
  const auto of = [](std::uint32_t most) { return layer_classes({"passages", "1", "", true, {}, {0, most}}); };
  EXPECT_EQ(of(300).edges, (std::vector<double>{1, 2, 5, 10, 20, 50, 100, 200}));
  EXPECT_EQ(of(300).labels[0], "1");
  EXPECT_EQ(of(300).labels[1], "2");
  EXPECT_EQ(of(300).labels[2], "3 to 5");
  EXPECT_EQ(of(300).labels.back(), "above 200");
  EXPECT_EQ(of(5000).edges, (std::vector<double>{1, 3, 10, 30, 100, 300, 1000, 3000}));
  EXPECT_EQ(of(4'000'000).edges, (std::vector<double>{1, 10, 100, 1000, 10000, 100000, 1e6}));
  EXPECT_EQ(of(1).edges, (std::vector<double>{1}));
  EXPECT_TRUE(is_clear_at_0({"deposits", "1", "", true}));
  EXPECT_TRUE(is_clear_at_0({"reach_probability", "1", ""}));
  EXPECT_TRUE(is_clear_at_0({"intensity_T30", "1", ""}));
  EXPECT_FALSE(is_clear_at_0({"jump_p95", "m", ""}));
  EXPECT_FALSE(is_clear_at_0({"difference_implicit", "1", ""}));
}

TEST(Classes, OfIntensityHaveTheNamesAndLimitsOfTheConfig) {
  const auto of = [](const std::vector<double>& limits) {
    return layer_classes({"intensity_T30", "1", "", false, {0, 1}, {}, intensity_classes(limits)});
  };
  const LayerClasses three = of({30e3, 300e3});
  EXPECT_EQ(three.edges, (std::vector<double>{1.5, 2.5}));
  EXPECT_EQ(three.labels,
            (std::vector<std::string>{"weak, below 30 kJ", "medium, 30 to 300 kJ", "strong, from 300 kJ on"}));
  const LayerClasses many = of({1e3, 2e3, 3e3, 4e3, 5e3, 6e3, 7e3, 8e3, 9e3, 10e3, 11e3});
  EXPECT_EQ(many.labels.size(), 12u);
  EXPECT_EQ(many.labels[1], "1 to 2 kJ");
  EXPECT_EQ(std::set<std::string>(many.colours.begin(), many.colours.end()).size(), 12u);
  EXPECT_EQ(many.colours.front(), "#440154");
  EXPECT_EQ(many.colours.back(), "#fde725");
  EXPECT_EQ(of({50e3}).labels, (std::vector<std::string>{"below 50 kJ", "from 50 kJ on"}));
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
