#include "arm.hpp"

#include <algorithm>
#include <sstream>

#include "host/common/text_input.hpp"

namespace scree {

namespace {
constexpr std::string_view option = "--arms:";
}

bool draws_otherwise(const Arm& arm) {
  return std::ranges::any_of(arm.changes, [](const std::string& change) { return change.starts_with(option); });
}

std::string keys_of_arms(std::span<const Arm> arms) {
  std::string keys;
  for (const std::string& change : arms[0].changes)
    if (change.starts_with(option))
      keys += (keys.empty() ? "" : ", ") + printable(change.substr(option.size(), change.find('=') - option.size()));
  return keys;
}

std::string digests_of(std::span<const Arm> arms) {
  std::string digests;
  for (const Arm& arm : arms) digests += (digests.empty() ? "" : " ") + arm.digest;
  return digests;
}

std::string digest_at(const std::string& digests, std::size_t place) {
  std::istringstream words(digests);
  std::string digest;
  for (std::size_t i = 0; i <= place; ++i)
    if (!(words >> digest)) return "";
  return digest;
}

std::uint64_t failed_samples(const Arm& arm) {
  return arm.statistics.status[static_cast<std::size_t>(Status::diverged)] +
         arm.statistics.status[static_cast<std::size_t>(Status::not_converged)];
}

std::uint64_t unfinished_samples(const Arm& arm) {
  return static_cast<std::uint64_t>(std::ranges::count(arm.table.status, static_cast<std::uint32_t>(Status::not_run)));
}

std::uint64_t left_out_count(const Arm& arm) {
  const std::uint64_t finished = arm.table.samples - unfinished_samples(arm);
  return finished - std::min(arm.table.counted_samples(), finished);
}

std::string left_out_samples(const Arm& arm) {
  const std::uint64_t beyond = left_out_count(arm);
  if (beyond == 0) return "";
  return std::to_string(beyond) + (beyond == 1 ? " sample" : " samples") + " after the first unfinished one " +
         (arm.table.counted.size() > 1 ? "of their part " : "") + (beyond == 1 ? "is" : "are") +
         " finished too, and left out of the statistics: what is finished there ended early";
}

}  // namespace scree
