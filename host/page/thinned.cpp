#include "thinned.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

namespace scree {
namespace {

/// A stretch of the curve between two chosen points, and its point that is furthest from their chord.
struct Stretch {
  double square;  // of the distance
  std::size_t first, furthest, last;
  bool operator<(const Stretch& other) const { return square < other.square; }
};

/// The square of the distance of point i from the chord of two others.
double square_from_chord(std::span<const double> points, std::size_t dimensions, std::size_t first, std::size_t last,
                         std::size_t i) {
  const auto difference = [&](std::size_t a, std::size_t b, std::size_t d) {
    return points[a * dimensions + d] - points[b * dimensions + d];
  };
  double chord = 0, along = 0, square = 0;
  for (std::size_t d = 0; d < dimensions; ++d) {
    chord += difference(last, first, d) * difference(last, first, d);
    along += difference(last, first, d) * difference(i, first, d);
  }
  const double part = chord > 0 ? std::clamp(along / chord, 0.0, 1.0) : 0.0;
  for (std::size_t d = 0; d < dimensions; ++d) {
    const double apart = difference(i, first, d) - part * difference(last, first, d);
    square += apart * apart;
  }
  // Nearer than this to it, in parts of its length, is on it but for roundings.
  constexpr double nearly = 1e-12;
  return square > nearly * nearly * chord ? square : 0.0;
}

Stretch stretch(std::span<const double> points, std::size_t dimensions, std::size_t first, std::size_t last) {
  Stretch found{0, first, first, last};
  for (std::size_t i = first + 1; i < last; ++i)
    if (const double square = square_from_chord(points, dimensions, first, last, i); square > found.square) {
      found.square = square;
      found.furthest = i;
    }
  return found;
}

}  // namespace

std::vector<std::size_t> thinned(std::span<const double> points, std::size_t dimensions, std::size_t most) {
  const std::size_t count = points.size() / dimensions;
  if (count == 0) return {};
  std::vector<std::size_t> chosen{0};
  if (count > 1) chosen.push_back(count - 1);
  std::priority_queue<Stretch> stretches;
  stretches.push(stretch(points, dimensions, 0, count - 1));
  while (chosen.size() < most && stretches.top().square > 0) {
    const Stretch s = stretches.top();
    stretches.pop();
    chosen.push_back(s.furthest);
    stretches.push(stretch(points, dimensions, s.first, s.furthest));
    stretches.push(stretch(points, dimensions, s.furthest, s.last));
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace scree
