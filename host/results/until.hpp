// The group `until` of a result file: the targets of the run, its looks, and what it came to.
#pragma once

#include <hdf5.h>

#include "host/model/description.hpp"
#include "host/statistics/targets.hpp"

namespace scree {

void write_until(hid_t parent, const Until& until);

/// Empty if there is no such group. Throws std::runtime_error if it cannot be read.
Until read_until(hid_t parent, const Description& description);

}  // namespace scree
