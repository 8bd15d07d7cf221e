// What lies under a point, of every rough kind of terrain.
#pragma once

#include "../real.hpp"

namespace scree {

template <class Real>
struct GroundUnder {
  Real gap;           // m, along the normal; negative in the ground
  Mask<Real> inside;  // where there is terrain; beyond it the gap means nothing
  Mask<Real> data;    // inside, and the height is known
};

}  // namespace scree
