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
  std::vector<std::uint64_t> some;
  const std::uint64_t count = std::min<std::uint64_t>(most, finished.size());
  for (std::uint64_t k = 0; k < count; ++k)
    some.push_back(table.number(finished[(2 * k + 1) * finished.size() / (2 * count)]));
  return some;
}

}  // namespace scree
