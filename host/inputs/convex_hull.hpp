// Convex hull of a few points, by Qhull.
#pragma once

#include <Eigen/Core>

#include <array>
#include <vector>

namespace scree {

struct ConvexHull {
  std::vector<int> vertices;                  // indices of the points that are corners, ascending
  std::vector<std::array<int, 3>> triangles;  // faces, triangulated; corners in no particular sense of rotation
  std::vector<Eigen::Vector3d> normals;       // of the faces, outward, of length 1
  std::vector<double> offsets;                // of their planes, normal . x + offset = 0
  int inside = 0;                             // points that lie below all faces by more than 1e-6 of the size
};

/// Hull of points that are not all in one plane. A point on a face or an edge is not a corner. Throws
/// std::runtime_error with Qhull's words if it gives up.
ConvexHull convex_hull(const std::vector<Eigen::Vector3d>& points);

/// The largest distance of the point above the plane of a face, negative inside; the first that is not below `enough`.
double height_above(const ConvexHull& hull, const Eigen::Vector3d& point, double enough = 1e300);

}  // namespace scree
