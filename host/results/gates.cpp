#include "gates.hpp"

#include <algorithm>

#include "hdf5.hpp"

namespace scree {
namespace {

using h5::Handle;
using h5::write_attribute;

void write_gate(hid_t parent, const Gate& gate, const GateTable& table, double release_frequency,
                const std::string& energy_unit) {
  const Handle group = h5::create_group(parent, gate.name);
  write_attribute(group, "line", std::span<const double>(gate.line));
  write_attribute(group, "points", static_cast<std::uint64_t>(gate.line.size() / 2));
  write_attribute(group, "release_frequency", release_frequency);
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
}

GateDesign read_design(hid_t group) {
  if (!h5::has_attribute(group, "design_factors")) return {};
  const std::vector<double> d = h5::read_doubles(group, "design_factors", 8);
  return {true, d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]};
}

GateTable read_gate(hid_t group, std::uint64_t samples) {
  GateTable table;
  const std::uint64_t rows = h5::size_of(h5::open_array(group, "sample"));
  if (rows > samples) throw std::runtime_error("a gate has more samples than there are");
  table.sample.resize(rows);
  h5::read_array(group, "sample", H5T_NATIVE_UINT64, table.sample.size(), table.sample.data());
  for (std::size_t c = 0; c < gate_column_count; ++c) {
    h5::require_size(h5::open_array(group, gate_columns[c].name), table.sample.size());
    table.columns[c].resize(table.sample.size());
    h5::read_array(group, gate_columns[c].name, H5T_NATIVE_DOUBLE, table.sample.size(), table.columns[c].data());
  }
  return table;
}

}  // namespace

void write_gates(hid_t parent, const Run& run, const Arm& arm) {
  const Handle group = h5::create_group(parent, "gates");
  std::vector<std::string> names;
  for (const Gate& gate : run.gates) names.push_back(gate.name);
  write_attribute(group, "description",
                  std::string("the samples that crossed each gate, at their first crossing; shares are of n samples"));
  write_attribute(group, "names", names);
  write_attribute(group, "n", arm.gates->counted());
  const std::vector<std::uint64_t>& counted_in = arm.gates->counted_in();
  if (!counted_in.empty()) {
    const hsize_t dims[] = {counted_in.size()};
    h5::write_array(group, "counted_in", dims, H5T_STD_U64LE, H5T_NATIVE_UINT64, counted_in.data());
  }
  write_attribute(group, "gates_digest", arm.gates->digest());
  for (std::size_t g = 0; g < run.gates.size(); ++g)
    write_gate(group, run.gates[g], arm.gates->tables()[g], run.maps.release_frequency, arm.gate_facts[g].energy_unit);
}

void read_gates(hid_t parent, Arm& arm) {
  if (!h5::has_link(parent, "gates")) return;
  const Handle group = h5::open_group(parent, "gates");
  const std::vector<std::string> names = h5::read_texts(group, "names");
  std::vector<GateTable> tables;
  for (const std::string& name : names) {
    tables.push_back(read_gate(h5::open_group(group, name), arm.table.samples));
    for (const std::uint64_t sample : tables.back().sample)
      if (sample >= arm.table.samples) throw std::runtime_error("the gate " + name + " has a sample that is not there");
  }
  std::vector<std::uint64_t> counted_in;
  if (arm.table.replicates > 0) {
    counted_in.resize(static_cast<std::size_t>(arm.table.replicates));
    h5::read_array(group, "counted_in", H5T_NATIVE_UINT64, counted_in.size(), counted_in.data());
  }
  auto store = std::make_shared<GateStore>(GateStore::Lines{0, names.size(), false}, std::move(tables), h5::read_uint(group, "n"), std::move(counted_in));
  if (store->digest() != h5::read_text(group, "gates_digest"))
    throw std::runtime_error("was changed after it was written: its gates do not give their digest");
  for (std::size_t g = 0; g < names.size(); ++g) {
    const Handle of_gate = h5::open_group(group, names[g]);
    const std::uint64_t points = h5::read_uint(of_gate, "points");
    if (points > 1000000) throw std::runtime_error("the gate " + names[g] + " has too many points");
    const Gate gate{names[g], h5::read_doubles(of_gate, "line", 2 * points), read_design(of_gate)};
    arm.gate_facts.push_back(gate_facts(gate, *store, g, h5::read_double(of_gate, "release_frequency"),
                                        h5::read_text(of_gate, "energy_unit")));
  }
  arm.gates = std::move(store);
}

}  // namespace scree
