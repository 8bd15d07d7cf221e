// What a gate comes to: how likely it is crossed, by what, how hard and how high, with intervals.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/model/gates.hpp"
#include "inference.hpp"
#include "statistics.hpp"

namespace scree {

/// A point of an exceedance curve: the share of all samples that crossed with more than `above`.
struct Exceedance {
  double above, share;
  Interval interval;  // 95 %, for this point alone: Wilson's, or Student's t over replicates
};

/// A percentile over the samples that crossed, with the order statistics that it lies between with 95 %, by the counts
/// of each replicate where there are such; an end that does not exist for so few is infinite.
struct GatePercentile {
  double level, value;
  Interval interval;
};

/// The arithmetic of UNI 11211-4 with the factors of the config, not a design: design speed, energy and height, the
/// energy that a fence must be certified for, and its class of EAD 340059-00-0106 by that, from 0 to 8.
struct FenceDesign {
  double speed, energy, height;  // m/s, J, m
  double required_energy, required_height;
  int fence_class;
};
/// From the 95 % percentiles of speed (m/s) and height (m), m and R being mass and radius of the block:
///   v_d = v95 g_tr g_dp,   E_d = g_r m g_vol g_gamma v_d^2 / 2,   E >= E_d g_e
///   h_d = h95 g_tr g_dp,   H >= h_d + max(0.5 m, R)
FenceDesign design_fence(const GateDesign& factors, double v95, double h95);

/// How often there are releases, and the return periods that are asked for.
struct Releases {
  double frequency = 0;              // 1/yr, all together; 0: not known
  std::vector<double> periods = {};  // yr
};
/// The kinetic energy at the first crossing that is exceeded at most once in so many years: `allowed` of the samples
/// that count may exceed it. 0 where no more samples cross.
struct EnergyAtPeriod {
  double years, energy;
  std::uint64_t allowed;
};

struct GateFacts {
  std::string name;
  std::vector<double> line;          // x, y, x, y, ... (m)
  std::uint64_t n = 0, crossed = 0;  // samples that count, and those that crossed
  double probability = std::numeric_limits<double>::quiet_NaN();
  Interval interval{probability, probability};  // 95 %: Wilson's, or Student's t over replicates
  std::vector<ColumnStatistics> columns;        // in the order of gate_columns, at the first crossing
  std::vector<GatePercentile> energy, height;   // 50, 90, 95 and 99 %
  std::vector<Exceedance> energy_curve, height_curve;
  int replicates = 0;            // that intervals are taken over; 0: samples are independent
  double release_frequency = 0;  // 1/yr; 0: not given
  std::vector<EnergyAtPeriod> at_periods;
  std::string energy_unit = "J";
  GateDesign factors;
  std::optional<FenceDesign> design;  // if it was asked for and samples crossed
};

/// Of the gate at a place of the store.
GateFacts gate_facts(const Gate& gate, const GateStore& store, std::size_t place, const Releases& releases,
                     const std::string& energy_unit);

/// Samples that did something, of those that count.
struct CountedShare {
  std::uint64_t count = 0;
  double share = std::numeric_limits<double>::quiet_NaN();
  Interval interval{share, share};  // 95 %: Wilson's, or Student's t over replicates
};
/// What comes against a barrier, at its first arrival, and what becomes of it. A sample that overtopped it may come
/// back and be caught, so the three need not add up to the arrivals.
struct BarrierFacts {
  GateFacts arrivals;
  Barrier barrier;
  CountedShare caught, breached, overtopped;
};
BarrierFacts barrier_facts(const BarrierGate& barrier, const GateStore& store, std::size_t place,
                           const Releases& releases, const std::string& energy_unit);

/// The share of `counted` samples whose value in a column at their first crossing is above this; `counted_in`: of them
/// in each replicate, none of independent samples.
Exceedance exceedance_of(const GateTable& table, const std::string& column, double above, std::uint64_t counted,
                         std::span<const std::uint64_t> counted_in = {});
EnergyAtPeriod energy_at_period(const GateTable& table, std::uint64_t counted, double frequency, double years);

/// "Wilson", "Student's t over 16 replicates": what the intervals of shares are.
std::string interval_name(const GateFacts& facts);

/// What a reader has to know of a gate or a barrier, a line each.
std::vector<std::string> gate_warnings(const GateFacts& facts);
std::vector<std::string> barrier_warnings(const BarrierFacts& facts);

}  // namespace scree
