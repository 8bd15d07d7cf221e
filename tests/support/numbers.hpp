// Numbers that tests compare with.
#pragma once

#include <limits>
#include <numeric>
#include <vector>

namespace scree::test {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// 1, 2, ... n.
inline std::vector<double> one_to(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

}  // namespace scree::test
