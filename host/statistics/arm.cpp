#include "arm.hpp"

namespace scree {

std::uint64_t failed_samples(const Arm& arm) {
  return arm.statistics.status[static_cast<std::size_t>(Status::diverged)] +
         arm.statistics.status[static_cast<std::size_t>(Status::not_converged)];
}

}  // namespace scree
