#include "gates.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "digest.hpp"
#include "maps.hpp"

namespace scree {
namespace {

/// In the order of gate_columns.
std::array<double, gate_column_count> row_of(const SampleOnLine& on) {
  const LineCrossing& c = on.first;
  const Vec3<double>& v = c.velocity;
  const double level = std::hypot(v.x, v.y), speed = std::sqrt(dot(v, v));
  const double across = std::fabs(v.x * c.normal_x + v.y * c.normal_y);
  return {static_cast<double>(on.crossings),
          c.time,
          c.offset,
          c.x,
          c.y,
          c.z,
          c.height,
          v.x,
          v.y,
          v.z,
          speed,
          c.translational_energy,
          c.rotational_energy,
          c.translational_energy + c.rotational_energy,
          c.rotation,
          c.direction,
          std::atan2(v.z, level),
          std::acos(std::min(across / speed, 1.0)),
          on.kinetic_energy_max,
          on.height_max};
}

}  // namespace

std::size_t gate_column(const std::string& name) {
  for (std::size_t c = 0; c < gate_column_count; ++c)
    if (name == gate_columns[c].name) return c;
  throw std::logic_error("a gate has no column " + name);
}

void GateStore::fold(const PassageBatch& batch) {
  for (const SampleOfMap& sample : batch.samples) {
    if (!counts_in_maps(sample.status)) continue;
    ++counted_;
    if (!counted_in_.empty()) ++counted_in_[sample.sample % counted_in_.size()];
  }
  for (const SampleOnLine& on : batch.on_lines) {
    const std::size_t place = on.first.line - lines_.first;
    if (!counts_in_maps(on.status) || on.first.line < lines_.first || place >= lines_.count) continue;
    GateTable& table = tables_[place];
    table.sample.push_back(on.sample);
    if (lines_.barriers) table.passings.push_back(on.passings);
    const auto row = row_of(on);
    for (std::size_t c = 0; c < gate_column_count; ++c) table.columns[c].push_back(row[c]);
  }
}

void GateStore::add(const GateStore& other) {
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  counted_ += other.counted_;
  for (std::size_t r = 0; r < counted_in_.size(); ++r) counted_in_[r] += other.counted_in_[r];
  for (std::size_t k = 0; k < tables_.size(); ++k) {
    append(tables_[k].sample, other.tables_[k].sample);
    append(tables_[k].passings, other.tables_[k].passings);
    for (std::size_t c = 0; c < gate_column_count; ++c) append(tables_[k].columns[c], other.tables_[k].columns[c]);
  }
}

void GateStore::settle() {
  for (GateTable& table : tables_) {
    std::vector<std::size_t> order(table.sample.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t row) { return table.sample[row]; });
    const auto sorted = [&]<class T>(const std::vector<T>& values) {
      std::vector<T> in_order;
      in_order.reserve(values.size());
      for (const std::size_t row : order) in_order.push_back(values[row]);
      return in_order;
    };
    table.sample = sorted(table.sample);
    if (lines_.barriers) table.passings = sorted(table.passings);
    for (std::vector<double>& column : table.columns) column = sorted(column);
  }
}

std::string GateStore::digest() const {
  Checksum sum;
  sum.add(&counted_, sizeof counted_);
  sum.add(counted_in_.data(), counted_in_.size() * sizeof(std::uint64_t));
  for (const GateTable& table : tables_) {
    sum.add(table.sample.data(), table.sample.size() * sizeof(std::uint64_t));
    for (const std::vector<double>& column : table.columns) sum.add(column.data(), column.size() * sizeof(double));
    sum.add(table.passings.data(), table.passings.size() * sizeof(std::uint32_t));
  }
  return sum.hex();
}

}  // namespace scree
