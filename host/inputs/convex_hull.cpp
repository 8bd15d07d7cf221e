#include "convex_hull.hpp"

#include <libqhull_r/libqhull_r.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace scree {
namespace {

/// Qhull's state. Its own memory and a stream that catches its words live as long as this.
class QhullRun {
 public:
  explicit QhullRun(const std::vector<Eigen::Vector3d>& points) {
    for (const auto& point : points) coordinates_.insert(coordinates_.end(), {point.x(), point.y(), point.z()});
    words_ = open_memstream(&text_, &text_size_);
    qh_zero(&state_, words_);
    char command[] = "qhull Qt Pp";  // Qt: faces as triangles; Pp: no advice on precision
    const int code =
        qh_new_qhull(&state_, 3, static_cast<int>(points.size()), coordinates_.data(), False, command, nullptr, words_);
    std::fflush(words_);
    if (code != 0) {
      const std::string text(text_, text_size_);
      release();
      throw std::runtime_error("Qhull: " + text.substr(0, text.find('\n')));
    }
  }
  QhullRun(const QhullRun&) = delete;
  QhullRun& operator=(const QhullRun&) = delete;
  ~QhullRun() { release(); }

  qhT* operator->() { return &state_; }
  qhT* get() { return &state_; }

 private:
  void release() {
    qh_freeqhull(&state_, !qh_ALL);
    int large = 0, small = 0;
    qh_memfreeshort(&state_, &large, &small);
    std::fclose(words_);
    std::free(text_);
  }

  qhT state_{};
  std::vector<double> coordinates_;
  std::FILE* words_ = nullptr;
  char* text_ = nullptr;
  std::size_t text_size_ = 0;
};

/// True if the normals of a corner's faces span space; for a point that round-off left on a face or an edge, they span
/// a line or a plane only.
bool is_corner(const std::vector<Eigen::Vector3d>& normals) {
  constexpr double flat = 1e-7;  // sine of the smallest angle that counts as a bend, far above round-off
  for (std::size_t i = 1; i < normals.size(); ++i) {
    const Eigen::Vector3d edge = normals[0].cross(normals[i]);
    if (edge.norm() <= flat) continue;
    for (std::size_t j = i + 1; j < normals.size(); ++j)
      if (std::abs(edge.normalized().dot(normals[j])) > flat) return true;
    return false;
  }
  return false;
}

}  // namespace

double height_above(const ConvexHull& hull, const Eigen::Vector3d& point, double enough) {
  double height = -1e300;
  for (std::size_t f = 0; f < hull.normals.size() && height < enough; ++f)
    height = std::max(height, hull.normals[f].dot(point) + hull.offsets[f]);
  return height;
}

ConvexHull convex_hull(const std::vector<Eigen::Vector3d>& points) {
  QhullRun qh(points);
  ConvexHull hull;
  std::vector<std::vector<Eigen::Vector3d>> normals(points.size());
  Eigen::Vector3d low = points[0], high = points[0];
  for (const auto& point : points) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  for (facetT* facet = qh->facet_list; facet != nullptr && facet->next != nullptr; facet = facet->next) {
    const Eigen::Vector3d normal = Eigen::Map<const Eigen::Vector3d>(facet->normal);
    std::array<int, 3> triangle{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto* vertex = static_cast<const vertexT*>(facet->vertices->e[k].p);
      triangle[k] = qh_pointid(qh.get(), vertex->point);
      normals[static_cast<std::size_t>(triangle[k])].push_back(normal);
    }
    hull.triangles.push_back(triangle);
    hull.normals.push_back(normal);
    hull.offsets.push_back(facet->offset);
  }
  const double below = -1e-6 * (high - low).norm();
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (is_corner(normals[i])) hull.vertices.push_back(static_cast<int>(i));
    if (normals[i].empty() && height_above(hull, points[i], below) < below) ++hull.inside;
  }
  return hull;
}

}  // namespace scree
