#include "ranked.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree {

std::vector<std::uint64_t> samples_at_even_ranks(const Description& description, const SummaryTable& table,
                                                 std::uint64_t most) {
  const int column = description.headline_columns().front();
  std::vector<std::uint64_t> finished;
  for (std::uint64_t i = 0; i < table.samples; ++i)
    if (counts_in_maps(table.status[i])) finished.push_back(i);
  const auto rank = [&](std::uint64_t i) {
    const double value = table.at(column, i);
    return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
  };
  std::ranges::stable_sort(finished, {}, rank);
  if (finished.size() <= most) return finished;
  std::vector<std::uint64_t> some;
  for (std::uint64_t k = 0; k < most; ++k) some.push_back(finished[(2 * k + 1) * finished.size() / (2 * most)]);
  return some;
}

}  // namespace scree
