// Gates in a result: gates/<name> of a run with one arm, or of /arms/<name>.
//
//   gates/          attributes n (samples that count), gates_digest, names (in the order of the config)
//   gates/<name>/   along `crossing`, a row for each sample that crossed, at its first crossing: sample, and the columns
//                   of model/gates.hpp with units and description. Attributes line (x, y, x, y, ... in m), points (of
//                   it), energy_unit, release_frequency, and where a fence is designed design_factors (g_dp, g_vol,
//                   g_tr, g_gamma, g_r, g_e, mass and radius of the block)
#pragma once

#include <hdf5.h>

#include <memory>

#include "host/statistics/arm.hpp"

namespace scree {

/// Of an arm that has gates.
void write_gates(hid_t parent, const Run& run, const Arm& arm);
/// The gates of an arm whose table is there, with what they come to; nothing where it has none. Throws
/// std::runtime_error as the functions of hdf5.hpp.
void read_gates(hid_t parent, Arm& arm);

}  // namespace scree
