// Relief of a terrain as light from the north-west shows it.
#pragma once

#include <cstdint>
#include <vector>

#include "host/exports/image.hpp"

namespace scree {

/// Grey and opacity of each cell of heights (m) whose cells are `cell` m wide; one without data, or with a neighbour
/// without, is seen through. The light comes from 315 degrees, 45 above the horizon, on slopes by
///   p = dz/dx, q = dz/dy of the eight neighbours, weights 1 2 1;   grey ~ n . l,  n = (-p, -q, 1) / |...|
/// Horn, Hill shading and the reflectance map, Proc. IEEE 69 (1981) 14.
std::vector<std::uint8_t> hillshade(const Image<float>& heights, double cell);

}  // namespace scree
