#include "gates.hpp"

#include <algorithm>
#include <cmath>

#include "hdf5.hpp"
#include "host/common/text_input.hpp"

namespace scree {
namespace {

using h5::Handle;
using h5::write_attribute;

/// The two kinds of lines, as a file has them.
struct Kind {
  const char *group, *one, *digest, *description;
};
constexpr Kind of_gates{"gates", "gate", "gates_digest",
                        "the samples that crossed each gate, at their first crossing; shares are of n samples"};
constexpr Kind of_barriers{"barriers", "barrier", "barriers_digest",
                           "the samples that arrived at each barrier, at their first arrival; shares are of n samples"};

Handle write_gate(hid_t parent, const Gate& gate, const GateTable& table, const MapSettings& maps,
                  const std::string& energy_unit) {
  Handle group = h5::create_group(parent, gate.name);
  write_attribute(group, "line", std::span<const double>(gate.line));
  write_attribute(group, "points", static_cast<std::uint64_t>(gate.line.size() / 2));
  write_attribute(group, "release_frequency", maps.release_frequency);
  if (maps.release_frequency > 0 && !maps.periods.empty()) {
    write_attribute(group, "periods", std::span<const double>(maps.periods));
    write_attribute(group, "period_count", static_cast<std::uint64_t>(maps.periods.size()));
  }
  write_attribute(group, "energy_unit", energy_unit);
  const GateDesign& d = gate.design;
  const double factors[] = {d.g_dp, d.g_vol, d.g_tr, d.g_gamma, d.g_r, d.g_e, d.mass, d.radius};
  if (d.on) write_attribute(group, "design_factors", std::span<const double>(factors));
  const hsize_t dims[] = {table.sample.size()};
  const Handle crossing = h5::write_dimension(group, "crossing", dims[0]);
  const Handle sample = h5::write_array(group, "sample", dims, H5T_STD_U64LE, H5T_NATIVE_UINT64, table.sample.data());
  write_attribute(sample, "long_name", std::string("number of the sample, as replay --sample takes it"));
  h5::label(sample, 0, crossing);
  for (std::size_t c = 0; c < gate_column_count; ++c) {
    const Handle column = h5::write_array(group, gate_columns[c].name, dims, table.columns[c]);
    write_attribute(column, "units", gate_unit(c, energy_unit));
    write_attribute(column, "description", std::string(gate_columns[c].meaning));
    h5::label(column, 0, crossing);
  }
  return group;
}

/// Beside the columns of its line.
void write_passings(hid_t group, const GateTable& table) {
  const hsize_t dims[] = {table.passings.size()};
  const Handle passings =
      h5::write_array(group, "passings", dims, H5T_STD_U32LE, H5T_NATIVE_UINT32, table.passings.data());
  write_attribute(passings, "long_name", std::string("what became of the sample at the barrier"));
  std::vector<std::int32_t> masks;
  std::vector<std::string> names;
  for (const PassingName& passing : passing_names) {
    masks.push_back(static_cast<std::int32_t>(mask_of(passing.passing)));
    names.emplace_back(passing.name);
  }
  h5::write_flag_masks(passings, masks, names);
  h5::label(passings, 0, h5::open_array(group, "crossing"));
}

GateDesign read_design(hid_t group) {
  if (!h5::has_attribute(group, "design_factors")) return {};
  const std::vector<double> d = h5::read_doubles(group, "design_factors", 8);
  return {true, d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]};
}

GateTable read_table(hid_t group, const Kind& kind, std::uint64_t samples) {
  GateTable table;
  const std::uint64_t rows = h5::size_of(h5::open_array(group, "sample"));
  if (rows > samples) throw std::runtime_error("a " + std::string(kind.one) + " has more samples than there are");
  table.sample.resize(rows);
  h5::read_array(group, "sample", H5T_NATIVE_UINT64, table.sample.size(), table.sample.data());
  for (std::size_t c = 0; c < gate_column_count; ++c) {
    h5::require_size(h5::open_array(group, gate_columns[c].name), table.sample.size());
    table.columns[c].resize(table.sample.size());
    h5::read_array(group, gate_columns[c].name, H5T_NATIVE_DOUBLE, table.sample.size(), table.columns[c].data());
  }
  return table;
}

/// The group of all lines of a kind, with what they share.
Handle write_store(hid_t parent, const Kind& kind, const std::vector<std::string>& names, const GateStore& store) {
  Handle group = h5::create_group(parent, kind.group);
  write_attribute(group, "description", std::string(kind.description));
  write_attribute(group, "names", names);
  write_attribute(group, "n", store.counted());
  const std::vector<std::uint64_t>& counted_in = store.counted_in();
  if (!counted_in.empty()) {
    const hsize_t dims[] = {counted_in.size()};
    h5::write_array(group, "counted_in", dims, H5T_STD_U64LE, H5T_NATIVE_UINT64, counted_in.data());
  }
  write_attribute(group, kind.digest, store.digest());
  return group;
}

/// `first`: the number of the first line among those of the run.
std::shared_ptr<const GateStore> read_store(hid_t group, const Kind& kind, const std::vector<std::string>& names,
                                            std::size_t first, const SummaryTable& samples) {
  const bool barriers = &kind == &of_barriers;
  std::vector<GateTable> tables;
  for (const std::string& name : names) {
    const Handle one = h5::open_group(group, name);
    GateTable& table = tables.emplace_back(read_table(one, kind, samples.samples));
    const std::string start = "the " + std::string(kind.one) + " " + name + " has ";
    for (const std::uint64_t sample : table.sample)
      if (!samples.has(sample)) throw std::runtime_error(start + "a sample that is not there");
    if (!barriers) continue;
    h5::require_size(h5::open_array(one, "passings"), table.sample.size());
    table.passings.resize(table.sample.size());
    h5::read_array(one, "passings", H5T_NATIVE_UINT32, table.passings.size(), table.passings.data());
  }
  const std::uint64_t counted = h5::read_uint(group, "n");
  if (counted > samples.samples)
    throw std::runtime_error("has " + std::string(kind.group) + " of more samples than it has");
  std::vector<std::uint64_t> counted_in;
  if (samples.replicates > 0) {
    counted_in.resize(static_cast<std::size_t>(samples.replicates));
    h5::read_array(group, "counted_in", H5T_NATIVE_UINT64, counted_in.size(), counted_in.data());
  }
  auto store = std::make_shared<GateStore>(GateStore::Lines{first, names.size(), barriers}, std::move(tables), counted,
                                           std::move(counted_in));
  if (store->digest() != h5::read_text(group, kind.digest))
    throw std::runtime_error("was changed after it was written: its " + std::string(kind.group) +
                             " do not give their digest");
  return store;
}

Gate read_gate(hid_t group, const Kind& kind, const std::string& name) {
  const std::uint64_t points = h5::read_uint(group, "points");
  if (points > 1000000) throw std::runtime_error("the " + std::string(kind.one) + " " + name + " has too many points");
  return {name, h5::read_doubles(group, "line", 2 * points), read_design(group)};
}

Releases read_releases(hid_t group, const std::string& name) {
  Releases releases{h5::read_double(group, "release_frequency")};
  if (!h5::has_attribute(group, "periods")) return releases;
  const std::uint64_t count = h5::read_uint(group, "period_count");
  if (count > 1000) throw std::runtime_error("the line " + name + " has too many periods");
  releases.periods = h5::read_doubles(group, "periods", count);
  return releases;
}

double read_foot(hid_t group, const std::string& name) {
  const std::string base = h5::read_text(group, "base");
  if (base == "ground") return std::nan("");
  const std::optional<double> z = parse_number(base);
  if (!z) throw std::runtime_error("the barrier " + name + " has the base \"" + base + "\"");
  return *z;
}

}  // namespace

void write_gates(hid_t parent, const Run& run, const Arm& arm) {
  std::vector<std::string> names;
  for (const Gate& gate : run.gates) names.push_back(gate.name);
  const Handle group = write_store(parent, of_gates, names, *arm.gates);
  for (std::size_t g = 0; g < run.gates.size(); ++g)
    write_gate(group, run.gates[g], arm.gates->tables()[g], run.maps, arm.gate_facts[g].energy_unit);
}

void write_barriers(hid_t parent, const Run& run, const Arm& arm) {
  std::vector<std::string> names;
  for (const BarrierGate& barrier : run.barriers) names.push_back(barrier.gate.name);
  const Handle group = write_store(parent, of_barriers, names, *arm.barriers);
  for (std::size_t b = 0; b < run.barriers.size(); ++b) {
    const Barrier& barrier = run.barriers[b].barrier;
    const Handle one = write_gate(group, run.barriers[b].gate, arm.barriers->tables()[b], run.maps,
                                  arm.barrier_facts[b].arrivals.energy_unit);
    write_passings(one, arm.barriers->tables()[b]);
    write_attribute(one, "height", barrier.height);
    write_attribute(one, "capacity", barrier.capacity);
    write_attribute(one, "margin", barrier.margin);
    write_attribute(one, "base", std::isnan(barrier.base) ? std::string("ground") : number_text(barrier.base));
  }
}

void read_gates(hid_t parent, Arm& arm) {
  if (!h5::has_link(parent, of_gates.group)) return;
  const Handle group = h5::open_group(parent, of_gates.group);
  const std::vector<std::string> names = h5::read_texts(group, "names");
  arm.gates = read_store(group, of_gates, names, 0, arm.table);
  for (std::size_t g = 0; g < names.size(); ++g) {
    const Handle one = h5::open_group(group, names[g]);
    arm.gate_facts.push_back(gate_facts(read_gate(one, of_gates, names[g]), *arm.gates, g, read_releases(one, names[g]),
                                        h5::read_text(one, "energy_unit")));
  }
}

void read_barriers(hid_t parent, Arm& arm) {
  if (!h5::has_link(parent, of_barriers.group)) return;
  const Handle group = h5::open_group(parent, of_barriers.group);
  const std::vector<std::string> names = h5::read_texts(group, "names");
  arm.barriers = read_store(group, of_barriers, names, arm.gate_facts.size(), arm.table);
  for (std::size_t b = 0; b < names.size(); ++b) {
    const Handle one = h5::open_group(group, names[b]);
    const BarrierGate barrier{read_gate(one, of_barriers, names[b]),
                              {h5::read_double(one, "height"), h5::read_double(one, "capacity"),
                               h5::read_double(one, "margin"), read_foot(one, names[b])}};
    arm.barrier_facts.push_back(
        barrier_facts(barrier, *arm.barriers, b, read_releases(one, names[b]), h5::read_text(one, "energy_unit")));
  }
}

std::vector<std::int32_t> caught_by(const Arm& arm) {
  std::vector<std::int32_t> numbers(arm.table.samples, -1);
  for (std::size_t b = 0; b < arm.barriers->tables().size(); ++b) {
    const GateTable& table = arm.barriers->tables()[b];
    for (std::size_t row = 0; row < table.sample.size(); ++row)
      if (table.has_passed(row, Passing::caught))
        numbers[arm.table.row(table.sample[row])] = static_cast<std::int32_t>(b);
  }
  return numbers;
}

}  // namespace scree
