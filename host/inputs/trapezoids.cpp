#include "trapezoids.hpp"

#include <algorithm>
#include <cmath>

#include "src/ensemble.hpp"

namespace scree {
namespace {

/// From left to right.
struct Edge {
  Point2 a, b;
  /// Exact at both ends, so that neighbours meet.
  double y(double x) const { return x <= a.x ? a.y : x >= b.x ? b.y : std::lerp(a.y, b.y, (x - a.x) / (b.x - a.x)); }
};

/// The edges that some line x = const crosses.
std::vector<Edge> edges_of(std::span<const double> corners) {
  std::vector<Edge> edges;
  const std::int64_t count = static_cast<std::int64_t>(corners.size() / 2);
  for (std::int64_t i = 0; i < count; ++i) {
    const Point2 a = point_at(corners.data(), i), b = point_at(corners.data(), i + 1 < count ? i + 1 : 0);
    if (a.x != b.x) edges.push_back(a.x < b.x ? Edge{a, b} : Edge{b, a});
  }
  return edges;
}

/// Every x where an edge ends or crosses another, rising.
std::vector<double> lines_of(const std::vector<Edge>& edges) {
  std::vector<double> lines;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    lines.insert(lines.end(), {edges[i].a.x, edges[i].b.x});
    for (std::size_t j = 0; j < i; ++j) {
      const double left = std::max(edges[i].a.x, edges[j].a.x), right = std::min(edges[i].b.x, edges[j].b.x);
      if (!(left < right)) continue;
      const double above = edges[i].y(left) - edges[j].y(left), below = edges[j].y(right) - edges[i].y(right);
      if (above * below > 0) lines.push_back(std::lerp(left, right, above / (above + below)));
    }
  }
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

}  // namespace

std::vector<double> trapezoids_of(std::span<const double> corners) {
  const std::vector<Edge> edges = edges_of(corners);
  const std::vector<double> lines = lines_of(edges);
  std::vector<double> numbers;
  double area = 0;
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    const double x0 = lines[i], x1 = lines[i + 1];
    std::vector<Point2> sides;  // the y of each edge at x0 and at x1
    for (const Edge& edge : edges)
      if (edge.a.x <= x0 && edge.b.x >= x1) sides.push_back({edge.y(x0), edge.y(x1)});
    std::sort(sides.begin(), sides.end(), [](Point2 p, Point2 q) { return p.x + p.y < q.x + q.y; });
    for (std::size_t k = 0; k + 1 < sides.size(); k += 2) {
      const Point2 lower = sides[k], upper = sides[k + 1];
      // Edges that cross on a line may have passed each other by a rounding.
      const double left = std::max(0.0, upper.x - lower.x), right = std::max(0.0, upper.y - lower.y);
      const double before = area;
      area += (left + right) / 2 * (x1 - x0);
      if (area > before)
        numbers.insert(numbers.end(), {area, x0, x1, lower.x, lower.y, lower.x + left, lower.y + right});
    }
  }
  for (std::size_t i = 0; i < numbers.size(); i += trapezoid_numbers) numbers[i] /= area;
  return numbers;
}

}  // namespace scree
