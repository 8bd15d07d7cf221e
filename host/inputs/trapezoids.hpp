// A polygon as trapezoids, for the law that maps the unit square onto it.
#pragma once

#include <span>
#include <vector>

namespace scree {

/// Trapezoids between lines x = const that make up the polygon, from left to right and, between two lines, upwards, as
/// src/ensemble.hpp reads them (trapezoid_numbers each). `corners` are x, y, x, y, ...; where edges cross, a point
/// belongs to the polygon if a ray from it crosses an odd number of them, as inside_polygon says. Empty if the polygon
/// has no area.
std::vector<double> trapezoids_of(std::span<const double> corners);

}  // namespace scree
