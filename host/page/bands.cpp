#include "bands.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/statistics/intervals.hpp"

namespace scree {

void Profile::enter(std::size_t stretch, double value) {
  if (stretch >= largest_.size()) largest_.resize(stretch + 1, std::numeric_limits<double>::quiet_NaN());
  largest_[stretch] = std::fmax(largest_[stretch], value);
}

void Profile::add(double distance, double value) {
  constexpr double most_stretches = 4096;
  if (std::isnan(value) || !std::isfinite(distance)) return;
  while (distance / stretch_ >= most_stretches) coarsen();
  const auto place = static_cast<std::size_t>(distance / stretch_);
  if (!largest_.empty())
    for (std::size_t k = largest_.size(); k <= place; ++k) {
      // Between the last value and this one, at the edge of two stretches.
      const double edge = static_cast<double>(k) * stretch_;
      const double there = std::lerp(value_, value, (edge - distance_) / (distance - distance_));
      enter(k - 1, there);
      enter(k, there);
    }
  enter(place, value);
  distance_ = distance;
  value_ = value;
}

void Profile::coarsen() {
  for (std::size_t k = 0; 2 * k < largest_.size(); ++k)
    largest_[k] = 2 * k + 1 < largest_.size() ? std::fmax(largest_[2 * k], largest_[2 * k + 1]) : largest_[2 * k];
  largest_.resize((largest_.size() + 1) / 2);
  stretch_ *= 2;
}

Bands bands_of(std::vector<Profile> profiles, std::size_t most, std::uint64_t fewest) {
  Bands bands;
  for (const Profile& profile : profiles) bands.length = std::max(bands.length, profile.stretch());
  std::size_t count = 0;
  do {
    count = 0;
    for (Profile& profile : profiles) {
      while (profile.stretch() < bands.length) profile.coarsen();
      count = std::max(count, profile.largest().size());
    }
    if (count > most) bands.length *= 2;
  } while (count > most);
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<double> values;
    for (const Profile& profile : profiles)
      if (k < profile.largest().size() && !std::isnan(profile.largest()[k])) values.push_back(profile.largest()[k]);
    Bands::Stretch stretch{values.size(), {}};
    std::ranges::sort(values);
    constexpr std::array<double, 5> levels{0.05, 0.25, 0.5, 0.75, 0.95};
    for (std::size_t q = 0; q < levels.size(); ++q)
      stretch.quantiles[q] = values.empty() ? std::numeric_limits<double>::quiet_NaN() : quantile_of(values, levels[q]);
    bands.stretches.push_back(stretch);
  }
  while (!bands.stretches.empty() && bands.stretches.back().paths < fewest) bands.stretches.pop_back();
  return bands;
}

}  // namespace scree
