// Terrain: what lies under a sample. To add a kind, write its header and name it in the list below.
//
// Convention: z up, the fall line of a plane or ramp is +x. The gap of a point is positive when it is above ground.
#pragma once

#include "bowl.hpp"
#include "cosine.hpp"
#include "dome.hpp"
#include "grid.hpp"
#include "one_of.hpp"
#include "plane.hpp"
#include "quadric.hpp"
#include "ramp.hpp"
#include "spline.hpp"

namespace scree {

using Terrain = OneOf<Plane, Ramp, Quadric, Bowl, Dome, Cosine, BilinearGrid, Spline>;
using AnySurface = SurfaceOf<Terrain>;

}  // namespace scree
