#include "thinned.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

namespace scree {
namespace {

/// A stretch of the curve between two chosen points, and its point that is furthest from their chord.
struct Stretch {
  double distance;
  std::size_t first, furthest, last;
  bool operator<(const Stretch& other) const { return distance < other.distance; }
};

Stretch stretch(std::span<const double> points, std::size_t first, std::size_t last) {
  const double x0 = points[2 * first], y0 = points[2 * first + 1];
  const double dx = points[2 * last] - x0, dy = points[2 * last + 1] - y0, square = dx * dx + dy * dy;
  Stretch found{0, first, first, last};
  for (std::size_t i = first + 1; i < last; ++i) {
    const double x = points[2 * i] - x0, y = points[2 * i + 1] - y0;
    const double along = x * dx + y * dy;
    const double d = along <= 0        ? std::hypot(x, y)
                     : along >= square ? std::hypot(x - dx, y - dy)
                                       : std::fabs(x * dy - y * dx) / std::sqrt(square);
    if (d > found.distance) {
      found.distance = d;
      found.furthest = i;
    }
  }
  return found;
}

}  // namespace

std::vector<std::size_t> thinned(std::span<const double> points, std::size_t most) {
  const std::size_t count = points.size() / 2;
  if (count == 0) return {};
  std::vector<std::size_t> chosen{0};
  if (count > 1) chosen.push_back(count - 1);
  std::priority_queue<Stretch> stretches;
  stretches.push(stretch(points, 0, count - 1));
  while (chosen.size() < most && stretches.top().distance > 0) {
    const Stretch s = stretches.top();
    stretches.pop();
    chosen.push_back(s.furthest);
    stretches.push(stretch(points, s.first, s.furthest));
    stretches.push(stretch(points, s.furthest, s.last));
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace scree
