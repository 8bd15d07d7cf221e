// What samples did in a forest, in a result: forest of a run with one arm, or of /arms/<name>.
//
//   forest/   attributes n (samples that count), hitting (of them, those that hit a stem), hits (of all of them),
//   broken
//             (of these, how many broke the stem), stands (texts), resampled (of each stand 1: other stems for each
//             sample). Of each stand that has an area `area_<i>`, its corners (m)
#pragma once

#include <hdf5.h>

#include "host/statistics/arm.hpp"

namespace scree {

/// Of an arm that has a forest.
void write_forest(hid_t parent, const Arm& arm);
/// Of an arm whose table is there; nothing where it has none. Throws std::runtime_error as the functions of hdf5.hpp.
void read_forest(hid_t parent, Arm& arm);

}  // namespace scree
