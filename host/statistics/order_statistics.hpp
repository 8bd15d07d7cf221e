// The k-th smallest of values that may be too many to be copied: they are counted.
//
// Doubles are mapped to 64-bit keys in their order; -0 is 0. A pass over the values counts them in 65536 parts of the
// keys from the least to the greatest; the parts that hold wanted order statistics are divided again, until what they
// hold is few enough to be taken along and selected from. That takes two passes where all values are of one sign and
// size, three of others, and a few more where many lie close together, of which no copy is ever made.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace scree {

using TakeValues = std::function<void(std::span<const double>)>;
/// Calls the function with all values, none of them NaN, some at a time, in the same order each time.
using PassValues = std::function<void(const TakeValues&)>;

inline constexpr std::array<double, 7> quantile_levels{0.05, 0.25, 0.50, 0.75, 0.90, 0.95, 0.99};
inline constexpr const char* quantile_method =
    "type 7 of Hyndman and Fan 1996: linear between the order statistics around (n - 1) p";

/// Bytes that it takes, however many the values.
inline constexpr double order_statistics_bytes = 2 * 65536 * 8;

/// The values that would be at these places, a few thousand at most, which rise and are below n, if all n were sorted;
/// `least` and `greatest` of them are known.
std::vector<double> order_statistics(const PassValues& pass, std::span<const std::uint64_t> places, std::uint64_t n,
                                     double least, double greatest);

/// At quantile_levels, of n > 0 values.
std::array<double, 7> quantiles(const PassValues& pass, std::uint64_t n, double least, double greatest);

}  // namespace scree
