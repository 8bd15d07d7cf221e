// Which samples belong together in statistics.
#pragma once

#include <vector>

#include "host/model/run.hpp"

namespace scree {

/// The shape of each sample, [samples], by its place in run.shape_names: drawn again, on so many threads. Empty unless
/// run.group_by asks for it. `ensemble` is that of run.spec.
std::vector<int> groups_of(const Run& run, const void* ensemble, int threads);

}  // namespace scree
