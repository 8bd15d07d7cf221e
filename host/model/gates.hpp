// Gates: lines that paths are watched at, and what crossed them. A barrier is a gate that not all pass.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/visits.hpp"

namespace scree {

/// Factors of UNI 11211-4 for a fence at a gate, and the percentiles that it is designed by.
struct GateDesign {
  bool on = false;
  double g_dp = 1.02, g_vol = 1.02, g_tr = 1.02;  // quality of topography, of the block's volume, of the paths
  double g_gamma = 1.0;                           // of the rock's density
  double g_r = 1.0;                               // consequence
  double g_e = 1.2;                               // of the fence's energy class
  double mass = 0, radius = 0;                    // of the block that it is for, kg, m
};

/// [[gate]] of a config.
struct Gate {
  std::string name;
  std::vector<double> line;  // x, y, x, y, ... (m)
  GateDesign design = {};
};

/// [[barrier]] of a config.
struct BarrierGate {
  Gate gate;  // without a design
  Barrier barrier;
};

struct GateColumn {
  const char *name, *unit, *meaning;
};
/// What is kept of a sample that crossed a gate, at its first crossing but for `crossings` and the last two.
inline constexpr GateColumn gate_columns[] = {
    {"crossings", "1", "how often the sample crossed"},
    {"time", "s", "since the release"},
    {"offset", "m", "along the line, from its first point"},
    {"x", "m", "centre of mass"},
    {"y", "m", "centre of mass"},
    {"z", "m", "centre of mass"},
    {"height", "m", "of the centre of mass above the ground below it, vertical"},
    {"vx", "m/s", "velocity"},
    {"vy", "m/s", "velocity"},
    {"vz", "m/s", "velocity"},
    {"speed", "m/s", "speed"},
    {"translational_energy", "J", "kinetic energy without rotation"},
    {"rotational_energy", "J", "kinetic energy of rotation"},
    {"kinetic_energy", "J", "kinetic energy, rotation included"},
    {"rotation", "rad/s", "angular speed"},
    {"direction", "1", "1: from left to right of the line; -1: back"},
    {"angle", "rad", "of the velocity to the horizontal, upwards positive"},
    {"incidence", "rad", "of the velocity to the horizontal normal of the line, 0 to pi/2"},
    {"kinetic_energy_max", "J", "largest kinetic energy at any of its crossings"},
    {"height_max", "m", "largest height at any of its crossings"},
};
/// The unit of a column where energies have this one, "J" or "J/kg".
inline std::string gate_unit(std::size_t column, const std::string& energy_unit) {
  const std::string unit = gate_columns[column].unit;
  return unit == "J" ? energy_unit : unit;
}
inline constexpr std::size_t gate_column_count = sizeof gate_columns / sizeof gate_columns[0];
/// The place of a column by its name.
std::size_t gate_column(const std::string& name);

/// What may become of a sample at a barrier, as files call it.
struct PassingName {
  Passing passing;
  const char* name;
};
inline constexpr PassingName passing_names[] = {
    {Passing::overtopped, "overtopped"}, {Passing::caught, "caught"}, {Passing::breached, "breached"}};
/// Its bit in SampleOnLine::passings.
constexpr std::uint32_t mask_of(Passing passing) { return 1u << static_cast<std::uint32_t>(passing); }

/// The samples that crossed one gate, by their number.
struct GateTable {
  std::vector<std::uint64_t> sample;
  std::vector<std::vector<double>> columns = std::vector<std::vector<double>>(gate_column_count);
  std::vector<std::uint32_t> passings;  // of a barrier: SampleOnLine::passings; of a gate empty

  const std::vector<double>& column(const std::string& name) const { return columns[gate_column(name)]; }
  /// At a barrier, at one of its arrivals.
  bool has_passed(std::size_t row, Passing as) const { return (passings[row] & mask_of(as)) != 0; }
};

/// What crossed lines of a run: those of its gates, or those of its barriers. Samples that failed (counts_in_maps) are
/// left out.
class GateStore {
 public:
  struct Lines {
    std::size_t first, count;  // among Run's gates and then barriers
    bool barriers;
  };
  /// `replicates`: as SummaryTable's.
  GateStore(const Lines& lines, int replicates)
      : lines_(lines), counted_in_(static_cast<std::size_t>(replicates)), tables_(lines.count) {}
  /// Goes on from what is there.
  GateStore(const Lines& lines, std::vector<GateTable> tables, std::uint64_t counted,
            std::vector<std::uint64_t> counted_in)
      : lines_(lines), counted_(counted), counted_in_(std::move(counted_in)), tables_(std::move(tables)) {}

  /// A store that goes on from another one, or begins; null where there are no lines.
  static std::shared_ptr<GateStore> going_on(const Lines& lines, const std::shared_ptr<const GateStore>& before,
                                             int replicates) {
    if (lines.count == 0) return nullptr;
    return before ? std::make_shared<GateStore>(*before) : std::make_shared<GateStore>(lines, replicates);
  }

  void fold(const PassageBatch& batch);
  /// Adds what other samples left at the same lines.
  void add(const GateStore& other);
  /// After the last batch, and before the tables are looked at: sorts them.
  void settle();

  /// Samples that shares are of.
  std::uint64_t counted() const { return counted_; }
  /// Of them in each replicate; empty: samples are independent.
  const std::vector<std::uint64_t>& counted_in() const { return counted_in_; }
  const std::vector<GateTable>& tables() const { return tables_; }
  /// XXH3-128 of all tables.
  std::string digest() const;

 private:
  Lines lines_;
  std::uint64_t counted_ = 0;
  std::vector<std::uint64_t> counted_in_;
  std::vector<GateTable> tables_;
};

}  // namespace scree
