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

std::string left_out_samples(const Arm& arm) {
  const SummaryTable& table = arm.table;
  const std::uint64_t finished = table.samples - unfinished_samples(arm);
  if (finished <= table.counted) return "";
  const std::uint64_t beyond = finished - table.counted;
  return std::to_string(beyond) + (beyond == 1 ? " sample" : " samples") + " after the first unfinished one " +
         (beyond == 1 ? "is" : "are") +
         " finished too, and left out of the statistics: what is finished there ended early";
}

}  // namespace scree
