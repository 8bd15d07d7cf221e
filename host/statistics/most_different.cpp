#include "most_different.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "statistics.hpp"

namespace scree {

std::vector<DifferingSample> most_different(const SummaryTable& a, const SummaryTable& b,
                                            const std::vector<int>& columns, std::size_t count) {
  if (a.samples != b.samples || a.values.size() != b.values.size())
    throw std::invalid_argument("the tables do not hold the same samples and columns");
  std::vector<DifferingSample> all;
  std::vector<std::pair<double, std::uint64_t>> found;  // (-|b - a|, sample): in rising order the largest come first
  for (const int column : columns) {
    if (column < 0 || static_cast<std::size_t>(column) >= a.description->columns.size())
      throw std::invalid_argument("there is no column " + std::to_string(column));
    found.clear();
    for (std::uint64_t i = 0; i < a.samples; ++i) {
      if (!enters(a, column, i) || !enters(b, column, i)) continue;
      const double x = a.at(column, i), y = b.at(column, i);
      if (x != y) found.emplace_back(-std::fabs(y - x), i);
    }
    const std::size_t shown = std::min(count, found.size());
    std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(shown), found.end());
    for (std::size_t k = 0; k < shown; ++k) {
      const std::uint64_t i = found[k].second;
      all.push_back({column, a.number(i), a.at(column, i), b.at(column, i), a.status[i], b.status[i]});
    }
  }
  return all;
}

}  // namespace scree
