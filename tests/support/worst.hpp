// The larger of two errors. Unlike std::fmax it keeps a NaN, so that a test fails on one.
#pragma once

#include <cmath>

namespace scree::test {

inline double worst(double a, double b) { return std::isnan(a) || a > b ? a : b; }

}  // namespace scree::test
