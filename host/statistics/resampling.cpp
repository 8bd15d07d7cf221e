#include "resampling.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <unordered_set>

#include "distributions.hpp"
#include "src/random.hpp"
#include "statistics.hpp"

namespace scree {
namespace {

/// What random words are for: the last word of the counter, so that one seed serves all without sharing a word.
constexpr std::uint32_t for_swaps = 0xC0000001u, for_bootstrap = 0xC0000002u;
/// The same for `uniform`, as its sample.
constexpr std::uint64_t for_subsample = 0xC0000003ull << 32;

PhiloxBlock counter_of(std::uint32_t purpose, std::uint32_t resample, std::uint64_t block) {
  return {{static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), resample, purpose}};
}

PhiloxBlock words(std::uint64_t seed, std::uint32_t purpose, std::uint32_t resample, std::uint64_t block) {
  return philox(counter_of(purpose, resample, block), static_cast<std::uint32_t>(seed),
                static_cast<std::uint32_t>(seed >> 32));
}

/// The pooled values of all pairs in rising order.
struct Pooled {
  std::vector<std::uint32_t> slot;  // [2 pairs], whose value: 2 unit + (0 of a, 1 of b)
  std::vector<double> gap;          // [2 pairs], to the next value; 0 after the last
  std::vector<std::int32_t> ends;   // [2 pairs], all bits set where the next value differs, so F has its step here
};

Pooled pool(std::span<const double> a, std::span<const double> b, std::span<const std::uint32_t> unit) {
  struct Entry {
    double value;
    std::uint32_t slot;
  };
  std::vector<Entry> entries;
  entries.reserve(2 * a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    entries.push_back({a[i], 2 * unit[i]});
    entries.push_back({b[i], 2 * unit[i] + 1});
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& x, const Entry& y) { return x.value < y.value; });
  Pooled pooled;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const bool last = k + 1 == entries.size();
    const double gap = last ? 0 : entries[k + 1].value - entries[k].value;
    pooled.slot.push_back(entries[k].slot);
    pooled.gap.push_back(gap);
    pooled.ends.push_back(last || gap > 0 ? -1 : 0);
  }
  return pooled;
}

/// With D = n (F_a - F_b), which is whole: the largest |D|, and the integral of D^2.
struct Distances {
  std::int32_t largest;
  double squares;
};

/// One pass for both. `sign[slot]` is +1 where the value counts for a, -1 where for b.
Distances distances(const Pooled& pooled, const std::vector<std::int32_t>& sign) {
  std::int32_t above = 0, largest = 0;
  double squares = 0;
  for (std::size_t k = 0; k < pooled.slot.size(); ++k) {
    above += sign[pooled.slot[k]];
    largest = std::max(largest, std::abs(above) & pooled.ends[k]);
    squares += static_cast<double>(above) * static_cast<double>(above) * pooled.gap[k];
  }
  return {largest, squares};
}

/// The units that are drawn, less the mean of all values, which is the mean of the units.
std::vector<double> centred_units(std::span<const double> values, double mean) {
  std::vector<double> units(values.begin(), values.end());
  for (double& x : units) x -= mean;
  if (units.size() <= most_resampled) return units;
  const std::uint64_t length = units.size() / most_resampled, longer = units.size() % most_resampled;
  const double scale = static_cast<double>(most_resampled) / static_cast<double>(units.size());
  std::vector<double> blocks;
  std::uint64_t first = 0;
  for (std::uint64_t block = 0; block < most_resampled; ++block) {
    const std::uint64_t size = length + (block < longer ? 1 : 0);
    blocks.push_back(scale * pairwise_sum(std::span(units).subspan(first, size)));
    first += size;
  }
  return blocks;
}

/// Mean of as many units as there are, drawn with replacement; word j of each block of random words goes to sum j.
/// A unit's probability is off from 1 / n by at most 2^-32.
double resampled_mean(const std::vector<double>& units, std::uint64_t seed, std::uint32_t resample) {
  const std::uint64_t n = units.size();
  const auto drawn = [&](std::uint32_t word) { return units[word * n >> 32]; };
  constexpr int lanes = 16;  // blocks at a time, in vectors: a tenth less of the time of `compare`
  double sum[4]{};
  for (std::uint64_t first = 0; 4 * first < n; first += lanes) {
    std::uint32_t random[4][lanes];
    for (int i = 0; i < lanes; ++i) {
      const PhiloxBlock counter = counter_of(for_bootstrap, resample, first + static_cast<std::uint64_t>(i));
      for (int j = 0; j < 4; ++j) random[j][i] = counter.word[j];
    }
    philox(random, static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
    const int whole = static_cast<int>(std::min<std::uint64_t>(lanes, n / 4 - first));
    for (int i = 0; i < whole; ++i)
      for (int j = 0; j < 4; ++j) sum[j] += drawn(random[j][i]);
    for (std::uint64_t j = 0; whole < lanes && j < n % 4; ++j) sum[j] += drawn(random[j][whole]);
  }
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) / static_cast<double>(n);
}

/// Quantile of values in rising order at position (B + 1) p, linear between order statistics: type 6 of Hyndman and Fan
/// 1996, for which B resamples and the estimate cut the line into B + 1 parts as likely.
double resampling_quantile(const std::vector<double>& sorted, double p) {
  const double last = static_cast<double>(sorted.size() - 1);
  const double position = std::clamp(static_cast<double>(sorted.size() + 1) * p - 1, 0.0, last);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

/// Efron and Tibshirani's a, (14.15), of a mean. By Cauchy and Schwarz |a| <= 1/6. It does not change with the unit of
/// the values; that of the largest keeps the cubes finite.
double acceleration(const std::vector<double>& centred) {
  double largest = 0;
  for (const double x : centred) largest = std::max(largest, std::fabs(x));
  std::vector<double> unit(centred.size()), work(centred.size());
  std::transform(centred.begin(), centred.end(), unit.begin(), [largest](double x) { return x / largest; });
  std::transform(unit.begin(), unit.end(), work.begin(), [](double x) { return x * x; });
  const double squares = pairwise_sum(work);
  std::transform(unit.begin(), unit.end(), work.begin(), [](double x) { return x * x * x; });
  return pairwise_sum(work) / (6 * squares * std::sqrt(squares));
}

}  // namespace

PermutationTests permutation_tests(std::span<const double> a, std::span<const double> b, std::uint64_t seed,
                                   std::span<const int> unit, int count) {
  if (a.size() != b.size() || (!unit.empty() && unit.size() != a.size()))
    throw std::invalid_argument("permutation tests need pairs, and a unit for each");
  PermutationTests result;
  const std::vector<std::uint64_t> used = subsample(a.size(), most_resampled, seed);
  result.pairs = used.size();
  result.subsample = used.size() < a.size();
  result.kolmogorov = result.energy = {missing, missing};
  if (used.empty()) return result;
  std::vector<double> of_a, of_b;
  std::vector<std::uint32_t> of_unit;
  for (const std::uint64_t i : used) {
    of_a.push_back(a[i]);
    of_b.push_back(b[i]);
    of_unit.push_back(unit.empty() ? static_cast<std::uint32_t>(of_unit.size()) : static_cast<std::uint32_t>(unit[i]));
  }
  const std::uint32_t units = 1 + *std::max_element(of_unit.begin(), of_unit.end());
  const Pooled pooled = pool(of_a, of_b, of_unit);
  std::vector<std::int32_t> sign(2 * std::size_t{units});
  for (std::size_t slot = 0; slot < sign.size(); ++slot) sign[slot] = slot % 2 == 0 ? 1 : -1;
  const Distances observed = distances(pooled, sign);
  // Two sums of the same squares in another order differ by up to a rounding, eps / 2, per term each.
  const double n = static_cast<double>(used.size());
  const double as_large = observed.squares * (1 - 2 * n * std::numeric_limits<double>::epsilon());
  int kolmogorov = 1, energy = 1;  // the observed assignment is one of all
  for (int r = 0; r < count; ++r) {
    PhiloxBlock random{};
    for (std::uint32_t u = 0; u < units; ++u) {
      if (u % 128 == 0) random = words(seed, for_swaps, static_cast<std::uint32_t>(r), u / 128);
      const std::int32_t swap = random.word[u / 32 % 4] >> (u % 32) & 1 ? -1 : 1;
      sign[2 * u] = swap;
      sign[2 * u + 1] = -swap;
    }
    const Distances permuted = distances(pooled, sign);
    kolmogorov += permuted.largest >= observed.largest;
    energy += permuted.squares >= as_large;
  }
  result.kolmogorov = {observed.largest / n, static_cast<double>(kolmogorov) / (count + 1)};
  result.energy = {std::sqrt(2 * observed.squares) / n, static_cast<double>(energy) / (count + 1)};
  return result;
}

Bootstrap bca_mean(std::span<const double> values, std::uint64_t seed, double level, int resamples) {
  Bootstrap result;
  result.block_means = values.size() > most_resampled;
  result.units = std::min<std::uint64_t>(values.size(), most_resampled);
  result.interval = {missing, missing};
  if (values.size() < 2) return result;
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  const double mean = std::clamp(pairwise_sum(values) / static_cast<double>(values.size()), *least, *greatest);
  result.interval = {mean, mean};
  const std::vector<double> units = centred_units(values, mean);
  if (std::all_of(units.begin(), units.end(), [](double x) { return x == 0; })) return result;
  if (!std::all_of(units.begin(), units.end(), [](double x) { return std::isfinite(x); })) {
    result.interval = {missing, missing};  // values so large that their sums overflow
    return result;
  }
  std::vector<double> means;
  for (int r = 0; r < resamples; ++r) means.push_back(resampled_mean(units, seed, static_cast<std::uint32_t>(r)));
  // A sum of n terms is rounded by less than n eps per largest term on average, so a mean that is the estimate, as many
  // are where values are whole, comes out within this of it.
  const double largest = std::max(mean - *least, *greatest - mean);
  const double rounding =
      static_cast<double>(units.size()) * std::numeric_limits<double>::epsilon() * (largest + std::fabs(mean));
  for (double& m : means)
    if (std::fabs(m) <= rounding) m = 0;
  std::sort(means.begin(), means.end());
  // (14.14), with half of the resamples that are equal to the estimate.
  const auto [low, high] = std::equal_range(means.begin(), means.end(), 0.0);
  const double below = 0.5 * static_cast<double>((low - means.begin()) + (high - means.begin()));
  const double count = static_cast<double>(resamples);
  const double bias = StandardNormal::quantile(std::clamp(below / count, 0.5 / count, 1 - 0.5 / count));
  const double a = acceleration(units);
  const auto end = [&](double p) {  // (14.9) and (14.10)
    const double z = bias + StandardNormal::quantile(p);
    const double value = mean + resampling_quantile(means, StandardNormal::cdf(bias + z / (1 - a * z)));
    return std::fabs(value) <= rounding ? 0.0 : value;
  };
  result.interval = {end((1 - level) / 2), end((1 + level) / 2)};
  return result;
}

std::vector<std::uint64_t> subsample(std::uint64_t n, std::uint64_t size, std::uint64_t seed) {
  std::vector<std::uint64_t> chosen;
  if (size >= n) {
    for (std::uint64_t i = 0; i < n; ++i) chosen.push_back(i);
    return chosen;
  }
  std::unordered_set<std::uint64_t> taken;
  for (std::uint64_t last = n - size; last < n; ++last) {
    const double u = uniform(seed, for_subsample, last) * static_cast<double>(last + 1);
    const std::uint64_t position = std::min(static_cast<std::uint64_t>(u), last);  // rounding may reach last + 1
    taken.insert(taken.contains(position) ? last : position);
  }
  chosen.assign(taken.begin(), taken.end());
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace scree
