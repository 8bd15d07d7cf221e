// Convex hull of a few points, by Qhull.
#pragma once

#include <Eigen/Core>

#include <array>
#include <vector>

namespace scree {

struct ConvexHull {
  std::vector<int> vertices;                  // indices of the points that are corners, ascending
  std::vector<std::array<int, 3>> triangles;  // faces, triangulated; corners in no particular sense of rotation
  int inside = 0;                             // points that lie below all faces by more than 1e-6 of the size
};

/// Hull of points that are not all in one plane. A point on a face or an edge is not a corner. Throws
/// std::runtime_error with Qhull's words if it gives up.
ConvexHull convex_hull(const std::vector<Eigen::Vector3d>& points);

}  // namespace scree
