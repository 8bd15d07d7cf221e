// Gates and barriers in a result: gates/<name> and barriers/<name> of a run with one arm, or of /arms/<name>.
//
//   gates/          attributes n (samples that count), gates_digest, names (in the order of the config)
//   gates/<name>/   along `crossing`, a row for each sample that crossed, at its first crossing: sample, and the
//                   columns of model/gates.hpp with units and description. Attributes line (x, y, x, y, ... in m),
//                   points (of it), energy_unit, release_frequency, with one the return periods (yr) that are asked
//                   for, and where a fence is designed design_factors (g_dp, g_vol, g_tr, g_gamma, g_r, g_e, mass and
//                   radius of the block)
//   barriers/       as gates/, with barriers_digest; and barriers/<name>/ of the samples that arrived, at their first
//                   arrival, with `passings`: what became of the sample there, by flag_masks and flag_meanings
//                   (overtopped, caught, breached), several of one that came back. Attributes also height, capacity
//                   (infinite: it holds all), margin, base ("ground", or a z)
#pragma once

#include <hdf5.h>

#include <memory>

#include "host/statistics/arm.hpp"

namespace scree {

/// Of an arm that has gates, or barriers.
void write_gates(hid_t parent, const Run& run, const Arm& arm);
void write_barriers(hid_t parent, const Run& run, const Arm& arm);
/// The gates and barriers of an arm whose table is there, with what they come to; nothing where it has none. Throws
/// std::runtime_error as the functions of hdf5.hpp.
void read_gates(hid_t parent, Arm& arm);
void read_barriers(hid_t parent, Arm& arm);  // after the gates

/// Of each sample the number of the barrier that caught it, in the order of the config; -1: none did.
std::vector<std::int32_t> caught_by(const Arm& arm);

}  // namespace scree
