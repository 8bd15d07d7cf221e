#include "reach_difference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace scree {

Interval newcombe_interval(double n1, double k1, double n2, double k2) {
  const double p1 = k1 / n1, p2 = k2 / n2;
  const Interval w1 = wilson_interval(n1, k1), w2 = wilson_interval(n2, k2);
  return {p2 - p1 - std::hypot(p2 - w2.low, w1.high - p1), p2 - p1 + std::hypot(w2.high - p2, p1 - w1.low)};
}

std::vector<bool> discoveries(std::span<const double> p, double q) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (!std::isnan(p[i])) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p[i]; });
  std::size_t found = 0;
  for (std::size_t k = 1; k <= order.size(); ++k)
    if (p[order[k - 1]] <= q * static_cast<double>(k) / static_cast<double>(order.size())) found = k;
  std::vector<bool> is(p.size(), false);
  for (std::size_t k = 0; k < found; ++k) is[order[k]] = true;
  return is;
}

ReachDifference reach_difference(std::span<const std::uint32_t> baseline, std::uint64_t of_baseline,
                                 std::span<const std::uint32_t> arm, std::uint64_t of_arm) {
  constexpr double false_discoveries = 0.05;
  const auto n1 = static_cast<double>(of_baseline), n2 = static_cast<double>(of_arm);
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  ReachDifference cells;
  std::vector<double> p(baseline.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < baseline.size(); ++i) {
    const double k1 = baseline[i], k2 = arm[i];
    const bool reached = k1 + k2 > 0 && n1 > 0 && n2 > 0;
    const double difference = k2 / n2 - k1 / n1, share = (k1 + k2) / (n1 + n2);
    const Interval interval = reached ? newcombe_interval(n1, k1, n2, k2) : Interval{};
    cells.difference.push_back(reached ? static_cast<float>(difference) : none);
    cells.low.push_back(reached ? static_cast<float>(interval.low) : none);
    cells.high.push_back(reached ? static_cast<float>(interval.high) : none);
    if (!reached) continue;
    const double variance = share * (1 - share) * (1 / n1 + 1 / n2);
    p[i] = variance > 0 ? std::erfc(std::fabs(difference) / std::sqrt(2 * variance)) : 1.0;
  }
  for (const bool found : discoveries(p, false_discoveries)) cells.significant.push_back(found ? 1 : 0);
  return cells;
}

}  // namespace scree
