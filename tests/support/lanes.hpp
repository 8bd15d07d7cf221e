// Runs a generic function on doubles and on one pack that holds them, and compares the bits.
#pragma once

#include <gtest/gtest.h>

#include <array>
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

/// A struct of doubles, or of packs, as a flat list.
template <class T>
std::vector<double> flat(const T& value) {
  static_assert(sizeof(T) % sizeof(double) == 0);
  std::vector<double> list(sizeof(T) / sizeof(double));
  std::memcpy(list.data(), static_cast<const void*>(&value), sizeof(T));
  return list;
}

template <class In, class Real>
using LanesOf = std::array<In, static_cast<std::size_t>(Real::lanes)>;

/// The struct of packs whose lanes are these structs of doubles.
template <class Packed, class Real, class In>
Packed packed(const LanesOf<In, Real>& lanes) {
  static_assert(sizeof(Packed) == sizeof(In) / sizeof(double) * sizeof(Real), "a struct of Reals only");
  Packed result;
  double* numbers = reinterpret_cast<double*>(&result);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const std::vector<double> values = flat(lanes[lane]);
    for (std::size_t k = 0; k < values.size(); ++k) numbers[k * lanes.size() + lane] = values[k];
  }
  return result;
}

/// Expects the lanes of a struct of packs to be these structs of doubles.
template <class Real, class Packed, class In>
void expect_lanes(const Packed& pack, const LanesOf<In, Real>& lanes) {
  const std::vector<double> all = flat(pack);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const std::vector<double> one = flat(lanes[lane]);
    ASSERT_EQ(all.size(), one.size() * lanes.size());
    for (std::size_t k = 0; k < one.size(); ++k)
      ASSERT_TRUE(same_bits(one[k], all[k * lanes.size() + lane])) << "number " << k << ", lane " << lane;
  }
}

/// Calls f on each In<double> and on one In<Real> that holds them; In and what f returns consist of Reals only.
template <template <class> class In, class Real, class F>
void expect_same_lanes(const LanesOf<In<double>, Real>& in, F f) {
  LanesOf<decltype(f(in[0])), Real> one_by_one;
  for (std::size_t lane = 0; lane < in.size(); ++lane) one_by_one[lane] = f(in[lane]);
  expect_lanes<Real>(f(packed<In<Real>, Real>(in)), one_by_one);
}

}  // namespace scree::test
