// Where a step meets barriers (barriers.hpp), and when it is at a place of its chord, where it hits stems (forest.hpp).
// What it does there, and what becomes of the sample, is in passage.hpp.
#pragma once

#include "ensemble.hpp"

namespace scree::detail {

/// A length that no rounding of a crossing of one of the lines reaches, m.
HOST_DEVICE inline double above_rounding(const World& world) {
  double size = 0;
  for (int i = 0; i < static_cast<int>(world.lines.segments); ++i) {
    const LineSegment& s = segment_of(world.lines, world.tables, i);
    size = larger((abs(s.ax) + abs(s.ay)) + (abs(s.bx) + abs(s.by)), size);
  }
  return 0x1p-48 * size;
}
/// A crossing as the motion of a sample, `off` (m) further on across the line.
HOST_DEVICE inline Moving moved(const LineCrossing& at, double off) {
  Moving m{};
  m.x = fma(at.direction * off, at.normal_x, at.x);
  m.y = fma(at.direction * off, at.normal_y, at.y);
  m.z = at.z;
  m.time = at.time;
  m.velocity = at.velocity;
  m.rotational_energy = at.rotational_energy;
  return m;
}
/// When in the step from `from` to `to` a sample is at t of its chord, seen from above, as a part of the step.
HOST_DEVICE inline double part_of_step(double t, const Moving& from, const Moving& to) {
  const double dx = to.x - from.x, dy = to.y - from.y, square = fma(dx, dx, dy * dy);
  const auto ahead = [&](double tau) {
    const Moving m = moving_at(tau, from, to);
    return fma(m.x - from.x, dx, (m.y - from.y) * dy) - t * square;
  };
  if (!(t > 0.0)) return 0.0;
  return t < 1.0 ? bracketed_root(1.0, (1.0 - t) * square, 0.0, -t * square, true, 0.0, ahead) : 1.0;
}

/// A barrier on the way of a step.
struct BarrierCrossing {
  LineCrossing at;
  int segment = -1;  // its number among those of all lines; -1: there is no barrier
};
/// Of the barriers that stand and whose lines the step crosses, the one that comes next after `last`, by time and, at
/// the same time, by the numbers of segments; the first where `last` is none.
HOST_DEVICE inline BarrierCrossing next_barrier(const World& world, double down, const Moving& from, const Moving& to,
                                                const BarrierCrossing& last) {
  BarrierCrossing next{};
  for (int i = 0; i < static_cast<int>(world.lines.segments); ++i) {
    const LineSegment& segment = segment_of(world.lines, world.tables, i);
    if (!is_barrier(world.barriers, segment) || is_down(world.barriers, down, segment)) continue;
    if (!crosses(segment, from, to)) continue;
    const LineCrossing at = crossing_of(segment, from, to);
    const bool comes = last.segment < 0 || at.time > last.at.time || (at.time == last.at.time && i > last.segment);
    if (comes && (next.segment < 0 || at.time < next.at.time)) next = {at, i};
  }
  return next;
}
/// The next barrier, by its number from `line` on, that stands and is within `reach` (m) of the place `at`; its
/// crossing is that of a step from `from`. None: segment -1.
HOST_DEVICE inline BarrierCrossing barrier_at(const World& world, double down, const Moving& from,
                                              const LineCrossing& at, double reach, double line) {
  BarrierCrossing found{};
  for (int i = 0; i < static_cast<int>(world.lines.segments); ++i) {
    const LineSegment& segment = segment_of(world.lines, world.tables, i);
    if (!is_barrier(world.barriers, segment) || segment.line < line || is_down(world.barriers, down, segment)) continue;
    if (found.segment >= 0 || segment.distance(at.x, at.y) > reach) continue;
    found = {at, i};
    found.at.cross(segment, from);
  }
  return found;
}

}  // namespace scree::detail
