// What makes a disk nonsense although each of its values is in range.
#pragma once

#include "../../ensemble.hpp"
#include "../../mistake.hpp"
#include "start.hpp"
#include "table.hpp"

namespace scree {

namespace detail {
/// The lists are the same for all samples.
inline Mistake series_mistake(const double* tables, const DiskParams<double>& p) {
  const double nodes = p.nodes;
  if (p.cells.count != 0 && p.cells.count != nodes)
    return {"cells must have one number for each of the nodes, that is", nodes, ""};
  if (p.positions.count != 0 && p.positions.count != nodes)
    return {"positions must have one number for each of the nodes, that is", nodes, ""};
  if (p.velocities.count != 0 && p.velocities.count != nodes)
    return {"velocities must have one number for each of the nodes, that is", nodes, ""};
  for (int i = 1; i < static_cast<int>(p.positions.count); ++i)
    if (p.positions.at(tables, i) >= p.positions.at(tables, i - 1))
      return "positions must fall from the front to the centre";
  return nullptr;
}
}  // namespace detail

/// `first`: of the samples, which is asked for what they share.
inline Mistake disk_mistake(const World& world, const DiskParams<double>& p, const DiskStart<double>& start,
                            bool first) {
  const auto whole = [](double x) { return truncate(x) == x; };
  if (!whole(p.refinement)) return "refinement must be a whole number";
  if (p.refinement > larger(p.nodes - 1, 1.0))
    return {"refinement must be at most N = nodes - 1, that is", larger(p.nodes - 1, 1.0), ""};
  if (start.speed * start.time >= start.radius)
    return {"start.time must be below start.radius / start.speed, when the fan reaches the centre, that is",
            start.radius / start.speed, "s"};
  if (world.end <= start.time) return {"end must be above start.time, that is", start.time, "s"};
  if (first)
    if (const Mistake mistake = detail::series_mistake(world.tables, p); mistake.text) return mistake;
  // Equations (7) and (8) end at R_f.
  static constexpr const char* beyond =
      "positions must be at most start.radius + 2 start.speed start.time unless cells and velocities are given, that "
      "is";
  const double front = DiskFan<double>(start).front;
  if (p.positions.count != 0 && (p.cells.count == 0 || p.velocities.count == 0) &&
      p.positions.at(world.tables, 0) > front * (1 + 1e-12))
    return {beyond, front, "m"};
  return nullptr;
}

}  // namespace scree
