// Curves with fewer points.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace scree {

/// The numbers of the points, rising, of a curve (of as many numbers each as it has dimensions) that stands for it with
/// at most `most`: its ends, and, one after another, the point that is furthest from what was chosen before. Douglas
/// and Peucker, Cartographica 10 (1973) 112, with a number of points in place of a tolerance.
std::vector<std::size_t> thinned(std::span<const double> points, std::size_t dimensions, std::size_t most);

}  // namespace scree
