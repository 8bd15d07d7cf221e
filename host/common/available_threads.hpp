// How many threads there are processors for.
#pragma once

#include <cstddef>
#include <vector>

namespace scree {

/// The numbers of those that this process may run on, as taskset, a batch system or a cpuset say. At least one.
std::vector<int> allowed_processors();

/// How many of them are that process's, of several on one machine each of which is allowed some: a processor is shared
/// evenly by all that may run on it, and so is the time of `quota` processors that their control groups give all of
/// them. At least 1.
int share_of_processors(const std::vector<std::vector<int>>& allowed, std::size_t process, double quota);

/// One for each processor that this process may run on, and no more than its control groups (cgroup.hpp) give it time
/// for. At least 1.
int available_threads();

}  // namespace scree
