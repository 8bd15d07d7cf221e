#include "hillshade.hpp"

#include <algorithm>
#include <cmath>

namespace scree {

std::vector<std::uint8_t> hillshade(const Image<float>& heights, double cell) {
  // East, north, up: of azimuth 315 and altitude 45 degrees.
  constexpr double east = -0.5, north = 0.5, up = 0.70710678118654752;
  std::vector<std::uint8_t> shades;
  shades.reserve(heights.pixels.size() * 2);
  const auto at = [&](std::uint32_t column, std::uint32_t row, int right, int below) {
    const auto beside = [](std::uint32_t i, int step, std::uint32_t count) {
      return static_cast<std::uint32_t>(std::clamp<std::int64_t>(std::int64_t{i} + step, 0, std::int64_t{count} - 1));
    };
    return static_cast<double>(heights.at(beside(column, right, heights.columns), beside(row, below, heights.rows)));
  };
  for (std::uint32_t row = 0; row < heights.rows; ++row)
    for (std::uint32_t column = 0; column < heights.columns; ++column) {
      const auto h = [&](int right, int below) { return at(column, row, right, below); };
      const double p = (h(1, -1) + 2 * h(1, 0) + h(1, 1) - h(-1, -1) - 2 * h(-1, 0) - h(-1, 1)) / (8 * cell);
      const double q = (h(-1, -1) + 2 * h(0, -1) + h(1, -1) - h(-1, 1) - 2 * h(0, 1) - h(1, 1)) / (8 * cell);
      const double light = (up - p * east - q * north) / std::sqrt(1 + p * p + q * q);
      const bool known = !std::isnan(light);
      shades.push_back(known ? static_cast<std::uint8_t>(std::lround(255 * std::clamp(light, 0.0, 1.0))) : 0);
      shades.push_back(known ? 255 : 0);
    }
  return shades;
}

}  // namespace scree
