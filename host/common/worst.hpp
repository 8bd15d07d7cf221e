// The larger of two errors. Unlike std::max it keeps a NaN, so that a check fails on one.
#pragma once

#include <cmath>

namespace scree {

inline double worst(double a, double b) { return std::isnan(a) || a > b ? a : b; }

}  // namespace scree
