// Closed forms of balls on a line. For the host (tests and `verify`), in plain double.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree::balls_cases {

/// Places of equal balls at the time t, m, from left to right: equal masses and radii, no losses. What is left of the
/// line without the balls themselves, points share: a hit of two exchanges their velocities, as if they had passed
/// through each other. So every point is reflected by the walls alone, and sorting tells which ball is where.
/// Source: the laboratory text, three balls.
///   left, right   m, the walls;   radius   m;   x, v   m and m/s, one number for each ball, x rising
inline std::vector<double> equal_balls(double left, double right, double radius, const std::vector<double>& x,
                                       const std::vector<double>& v, double t) {
  const double n = static_cast<double>(x.size()), open = right - left - 2 * radius * n;
  std::vector<double> places;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double start = x[i] - left - radius * (2 * static_cast<double>(i) + 1);
    double y = std::fmod(start + v[i] * t, 2 * open);
    if (y < 0) y += 2 * open;
    places.push_back(y > open ? 2 * open - y : y);
  }
  std::sort(places.begin(), places.end());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] += left + radius * (2 * static_cast<double>(i) + 1);
  return places;
}

/// Hits in all when a ball comes from far to a light one at rest before a wall, `ratio` times lighter: those of the
/// balls and those of the wall, ceil(pi / atan(1 / sqrt(ratio))) - 1. For ratio = 100^k these are the first k + 1
/// digits of pi. Source: Galperin, Regular and Chaotic Dynamics 8 (2003) 375.
inline double hits_before_a_wall(double ratio) {
  return std::ceil(std::acos(-1.0) / std::atan(1 / std::sqrt(ratio))) - 1;
}

/// Restitution below which three equal balls collapse if the outer two close in on the one between them: 7 - 4 sqrt(3).
/// Source: Bernu and Mazighi, J. Phys. A 23 (1990) 5745.
inline double collapse_restitution() { return 7 - 4 * std::sqrt(3.0); }

}  // namespace scree::balls_cases
