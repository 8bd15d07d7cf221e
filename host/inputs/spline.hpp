// The bicubic spline through the heights of a grid, as coefficients of B-splines: what a slider on real terrain slides
// on.
#pragma once

#include <vector>

#include "terrain_file.hpp"

namespace scree {

/// Coefficients [rows + 2, columns + 2] of the spline that src/terrain/spline.hpp evaluates: it takes the height of
/// every node, has continuous second derivatives, and not-a-knot ends (the third derivative is continuous across the
/// nodes next to the border), so that it is a cubic's own self and its error is O(cell^4) up to the border. Lines of 3
/// nodes give a parabola, of 2 a straight line.
///
/// A NODATA node takes the height of the nearest node with data, counted in steps along rows and columns, for this
/// solution only: cells that touch it hold no data, and what it changes elsewhere falls to 27 % with every cell.
std::vector<double> spline_coefficients(const Grid& grid);

}  // namespace scree
