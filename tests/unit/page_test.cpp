// The parts that pages are made of.
#include <gtest/gtest.h>

#include <cmath>
#include <string_view>
#include <vector>

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
  EXPECT_EQ(thinned(points, 10), (std::vector<std::size_t>{0, 50, 100}));
  EXPECT_EQ(thinned(points, 2), (std::vector<std::size_t>{0, 100}));
  EXPECT_EQ(thinned(std::vector<double>{1, 2}, 5), (std::vector<std::size_t>{0}));
  EXPECT_TRUE(thinned({}, 5).empty());
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
