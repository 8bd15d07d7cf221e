#include "arm.hpp"

#include <algorithm>

namespace scree {

std::uint64_t failed_samples(const Arm& arm) {
  return arm.statistics.status[static_cast<std::size_t>(Status::diverged)] +
         arm.statistics.status[static_cast<std::size_t>(Status::not_converged)];
}

std::uint64_t unfinished_samples(const Arm& arm) {
  return static_cast<std::uint64_t>(std::ranges::count(arm.table.status, static_cast<std::uint32_t>(Status::not_run)));
}

}  // namespace scree
