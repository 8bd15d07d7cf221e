// How many threads there are processors for.
#pragma once

namespace scree {

/// One for each processor that this process may run on, and no more than its control groups (cgroup.hpp) give it time
/// for. At least 1.
int available_threads();

}  // namespace scree
