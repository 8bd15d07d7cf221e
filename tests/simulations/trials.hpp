// How many trials a simulation makes, and how far a rate of so many may lie from what is expected.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace scree::test {

/// SCREE_TRIALS, as tests/long.sh sets it, else 1000.
inline std::uint64_t trials() {
  static const char* const text = std::getenv("SCREE_TRIALS");
  static const std::uint64_t number = text ? std::strtoull(text, nullptr, 10) : 1000;
  return number;
}

/// Three standard errors of the rate of an event with probability p: 0.0065 at 0.05 and 10^4 trials.
inline double three_errors(double p, double n = static_cast<double>(trials())) {
  return 3 * std::sqrt(p * (1 - p) / n);
}

/// A bound that 10^4 trials stay above, for the number of trials that are made: fewer may lie lower by as much as their
/// error is larger.
inline double above_from_1e4(double bound) { return bound - (three_errors(bound) - three_errors(bound, 1e4)); }

/// What one trial of `happens` adds to a rate.
inline double share(bool happens) { return happens ? 1.0 / static_cast<double>(trials()) : 0.0; }

}  // namespace scree::test
