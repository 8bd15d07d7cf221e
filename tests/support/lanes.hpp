// Runs a generic function on four doubles and on one Pack, and compares the bits.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/pack.hpp"

namespace scree::test {

/// Bit for bit; every NaN counts as the same.
inline bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

/// A struct of doubles, or of Packs, as a flat list.
template <class T>
std::vector<double> flat(const T& value) {
  static_assert(sizeof(T) % sizeof(double) == 0);
  std::vector<double> list(sizeof(T) / sizeof(double));
  std::memcpy(list.data(), &value, sizeof(T));
  return list;
}

/// Calls f on each of four In<double> and on one In<Pack> that holds them; In and what f returns consist of Reals only.
template <template <class> class In, class F>
void expect_same_lanes(const In<double> (&in)[Pack::lanes], F f) {
  In<Pack> packed;
  double* numbers = reinterpret_cast<double*>(&packed);
  for (std::size_t lane = 0; lane < Pack::lanes; ++lane) {
    const std::vector<double> values = flat(in[lane]);
    for (std::size_t k = 0; k < values.size(); ++k) numbers[k * Pack::lanes + lane] = values[k];
  }
  const std::vector<double> all = flat(f(packed));
  for (std::size_t lane = 0; lane < Pack::lanes; ++lane) {
    const std::vector<double> one = flat(f(in[lane]));
    ASSERT_EQ(all.size(), one.size() * Pack::lanes);
    for (std::size_t k = 0; k < one.size(); ++k)
      ASSERT_TRUE(same_bits(one[k], all[k * Pack::lanes + lane])) << "number " << k << ", lane " << lane;
  }
}

}  // namespace scree::test
