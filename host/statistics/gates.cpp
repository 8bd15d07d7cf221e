#include "gates.hpp"

#include <algorithm>
#include <cmath>

#include "distributions.hpp"
#include "host/common/text_input.hpp"
#include "intervals.hpp"
#include "map_layers.hpp"

namespace scree {
namespace {

constexpr double gate_levels[] = {0.5, 0.9, 0.95, 0.99};

/// Over the finite values; `replicate_of` each of all, empty of independent samples.
std::vector<GatePercentile> percentiles_of(std::span<const double> all, std::span<const std::uint32_t> replicate_of) {
  std::vector<double> values;
  std::vector<std::uint32_t> replicates;
  for (std::size_t row = 0; row < all.size(); ++row) {
    if (!std::isfinite(all[row])) continue;
    values.push_back(all[row]);
    if (!replicate_of.empty()) replicates.push_back(replicate_of[row]);
  }
  std::vector<double> sorted = values;
  sort_rising(sorted);
  constexpr double miss = 0.05;
  std::vector<GatePercentile> percentiles;
  for (const double level : gate_levels)
    percentiles.push_back({level, sorted.empty() ? missing : quantile_of(sorted, level),
                           replicates.empty() ? quantile_interval(sorted, level, miss)
                                              : replicated_quantile_interval(values, replicates, level, miss)});
  return percentiles;
}

/// At thresholds from 0 to the largest value.
std::vector<Exceedance> curve_of(const GateTable& table, const std::string& column, const GateStore& store) {
  constexpr int points = 40;
  double largest = 0;
  for (const double value : table.column(column)) largest = std::isfinite(value) ? std::max(largest, value) : largest;
  std::vector<Exceedance> curve;
  if (!(largest > 0) || store.counted() == 0) return curve;
  for (int k = 0; k < points; ++k)
    curve.push_back(exceedance_of(table, column, largest * k / points, store.counted(), store.counted_in()));
  return curve;
}

/// Of the samples that count, these.
CountedShare share_of(std::span<const std::uint64_t> samples, std::uint64_t counted,
                      std::span<const std::uint64_t> counted_in) {
  CountedShare share;
  share.count = samples.size();
  if (counted == 0) return share;
  const double n = static_cast<double>(counted), k = static_cast<double>(share.count);
  share.share = k / n;
  share.interval = wilson_interval(n, k);
  if (counted_in.empty()) return share;
  std::vector<double> came(counted_in.size());
  for (const std::uint64_t sample : samples) came[sample % came.size()] += 1;
  share.interval = replicated_share_interval(came, counted_in);
  return share;
}

}  // namespace

Exceedance exceedance_of(const GateTable& table, const std::string& column, double above, std::uint64_t counted,
                         std::span<const std::uint64_t> counted_in) {
  const std::vector<double>& values = table.column(column);
  std::vector<std::uint64_t> exceeding;
  for (std::size_t row = 0; row < values.size(); ++row)
    if (values[row] > above) exceeding.push_back(table.sample[row]);
  const CountedShare share = share_of(exceeding, counted, counted_in);
  return {above, share.share, share.interval};
}

EnergyAtPeriod energy_at_period(const GateTable& table, std::uint64_t counted, double frequency, double years) {
  const std::uint64_t allowed = exceedances_allowed(counted, frequency, years);
  std::vector<double> energies = table.column("kinetic_energy");
  if (allowed >= energies.size()) return {years, 0, allowed};
  const auto next = energies.begin() + static_cast<std::ptrdiff_t>(allowed);
  std::ranges::nth_element(energies, next, std::ranges::greater{});
  return {years, *next, allowed};
}

std::string interval_name(const GateFacts& facts) {
  return facts.replicates > 0 ? "Student's t over " + std::to_string(facts.replicates) + " replicates" : "Wilson";
}

FenceDesign design_fence(const GateDesign& factors, double v95, double h95) {
  // MEL of classes 0 to 7, EAD 340059-00-0106; class 8 is beyond.
  constexpr double certified[] = {100e3, 250e3, 500e3, 1000e3, 1500e3, 2000e3, 3000e3, 4500e3};
  FenceDesign design{};
  const double paths = factors.g_tr * factors.g_dp;
  design.speed = v95 * paths;
  design.energy = factors.g_r * 0.5 * factors.mass * factors.g_vol * factors.g_gamma * design.speed * design.speed;
  design.height = h95 * paths;
  design.required_energy = design.energy * factors.g_e;
  design.required_height = design.height + std::max(0.5, factors.radius);
  design.fence_class = static_cast<int>(
      std::lower_bound(std::begin(certified), std::end(certified), design.required_energy) - std::begin(certified));
  return design;
}

GateFacts gate_facts(const Gate& gate, const GateStore& store, std::size_t place, const Releases& releases,
                     const std::string& energy_unit) {
  const GateTable& table = store.tables()[place];
  const std::uint64_t counted = store.counted();
  const std::vector<std::uint64_t>& counted_in = store.counted_in();
  GateFacts facts;
  facts.name = gate.name;
  facts.line = gate.line;
  facts.n = counted;
  facts.crossed = table.sample.size();
  facts.replicates = static_cast<int>(counted_in.size());
  facts.release_frequency = releases.frequency;
  if (releases.frequency > 0 && counted > 0)
    for (const double years : releases.periods)
      facts.at_periods.push_back(energy_at_period(table, counted, releases.frequency, years));
  facts.energy_unit = energy_unit;
  const CountedShare crossed = share_of(table.sample, counted, counted_in);
  facts.probability = crossed.share;
  facts.interval = crossed.interval;
  std::vector<std::uint32_t> replicate_of;
  if (!counted_in.empty())
    for (const std::uint64_t sample : table.sample)
      replicate_of.push_back(static_cast<std::uint32_t>(sample % counted_in.size()));
  for (const std::vector<double>& column : table.columns)
    facts.columns.push_back(column_statistics(column, replicate_of));
  const auto percentiles = [&](const char* column) { return percentiles_of(table.column(column), replicate_of); };
  facts.energy = percentiles("kinetic_energy");
  facts.height = percentiles("height");
  facts.factors = gate.design;
  const auto p95 = [](const std::vector<GatePercentile>& of) { return of[2].value; };
  if (gate.design.on && facts.crossed > 0)
    facts.design = design_fence(gate.design, p95(percentiles("speed")), p95(facts.height));
  facts.energy_curve = curve_of(table, "kinetic_energy", store);
  facts.height_curve = curve_of(table, "height", store);
  return facts;
}

BarrierFacts barrier_facts(const BarrierGate& barrier, const GateStore& store, std::size_t place,
                           const Releases& releases, const std::string& energy_unit) {
  const GateTable& table = store.tables()[place];
  const auto those = [&](Passing passing) {
    std::vector<std::uint64_t> samples;
    for (std::size_t row = 0; row < table.sample.size(); ++row)
      if (table.has_passed(row, passing)) samples.push_back(table.sample[row]);
    return share_of(samples, store.counted(), store.counted_in());
  };
  return {gate_facts(barrier.gate, store, place, releases, energy_unit), barrier.barrier, those(Passing::caught),
          those(Passing::breached), those(Passing::overtopped)};
}

namespace {

std::vector<std::string> warnings_of(const GateFacts& facts, const std::string& kind, const std::string& came) {
  std::vector<std::string> lines;
  const auto is_open = [](const GatePercentile& p) { return p.level == 0.95 && std::isinf(p.interval.high); };
  const std::string name = kind + " \"" + facts.name + "\"";
  if (facts.crossed > 0 && std::ranges::any_of(facts.energy, is_open))
    lines.push_back(name + ": " + std::to_string(facts.crossed) + " samples " + came +
                    (facts.replicates > 0 ? ", too few in " + std::to_string(facts.replicates) +
                                                " replicates for an upper end of a 95 % percentile"
                                          : ", fewer than the 72 that an upper end of a 95 % percentile needs"));
  if (facts.crossed > 0)
    for (const EnergyAtPeriod& at : facts.at_periods)
      if (const std::string few = few_exceed(at.allowed, facts.n); !few.empty())
        lines.push_back(name + ": the energy once in " + number_text(at.years) + " years has " + few);
  return lines;
}

}  // namespace

std::vector<std::string> gate_warnings(const GateFacts& facts) { return warnings_of(facts, "gate", "crossed"); }
std::vector<std::string> barrier_warnings(const BarrierFacts& facts) {
  return warnings_of(facts.arrivals, "barrier", "arrived");
}

}  // namespace scree
