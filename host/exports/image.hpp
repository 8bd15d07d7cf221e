// Rasters as pictures have them, with the northernmost row first, and coarser ones of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "host/statistics/map_layers.hpp"

namespace scree {

template <class T>
struct Image {
  std::uint32_t columns, rows;
  std::vector<T> pixels;
  T at(std::uint32_t column, std::uint32_t row) const { return pixels[std::size_t{row} * columns + column]; }
};

/// `values` by rows from the south-west corner.
template <class T>
Image<T> north_first(const std::vector<T>& values, const MapGrid& grid) {
  Image<T> image{static_cast<std::uint32_t>(grid.columns), static_cast<std::uint32_t>(grid.rows), {}};
  image.pixels.reserve(values.size());
  for (std::uint32_t row = image.rows; row-- > 0;) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(std::size_t{row} * image.columns);
    image.pixels.insert(image.pixels.end(), first, first + image.columns);
  }
  return image;
}

/// What a cell of a coarser raster has of its parts: the sum, or the value that is hardest, first or most different.
enum class Joining { largest, least, furthest_from_0, sum };
/// Passages are no sum: a sample would count twice.
inline Joining joining_of(const MapLayer& layer) {
  if (layer.name == "deposits" || layer.name == "caught") return Joining::sum;
  if (layer.name.starts_with("difference_")) return Joining::furthest_from_0;
  const bool is_early = layer.name.starts_with("return_period") || layer.name.starts_with("arrival_time");
  return is_early ? Joining::least : Joining::largest;
}
/// Whether a value stands for a group in place of another; none stands for nothing.
template <class T>
bool stands_before(Joining joining, T value, T other) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(value) || std::isnan(other)) return !std::isnan(value);
    if (joining == Joining::furthest_from_0) return std::fabs(value) > std::fabs(other);
  }
  return joining == Joining::least ? value < other : value > other;
}

/// Half as wide and high, of up to four cells each. Cells without a value do not count.
template <class T>
Image<T> coarser(const Image<T>& fine, Joining joining) {
  const auto join = [joining](T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return stands_before(joining, b, a) ? b : a;
    } else {
      if (joining != Joining::sum) return stands_before(joining, b, a) ? b : a;
      return a > std::numeric_limits<T>::max() - b ? std::numeric_limits<T>::max() : static_cast<T>(a + b);
    }
  };
  Image<T> half{(fine.columns + 1) / 2, (fine.rows + 1) / 2, {}};
  half.pixels.reserve(std::size_t{half.columns} * half.rows);
  for (std::uint32_t row = 0; row < half.rows; ++row)
    for (std::uint32_t column = 0; column < half.columns; ++column) {
      T value = fine.at(2 * column, 2 * row);
      for (const auto& [right, below] : {std::pair{1u, 0u}, {0u, 1u}, {1u, 1u}})
        if (2 * column + right < fine.columns && 2 * row + below < fine.rows)
          value = join(value, fine.at(2 * column + right, 2 * row + below));
      half.pixels.push_back(value);
    }
  return half;
}

}  // namespace scree
