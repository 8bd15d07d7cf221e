// Barriers: lines (lines.hpp) of a height and a capacity that hold up what comes against them.
//
// Where a sample crosses the line of a barrier, z above its base and of the kinetic energy E, rotation included,
//   z + margin > height    it overtops the barrier, and goes on;
//   E <= capacity          it is caught, and ends there;
//   else                   it breaches the barrier: velocity and spin are multiplied by sqrt((E - capacity) / E), and
//                          for this sample the barrier is down from then on.
// What is beyond the place in that step is dropped, so that the energy is exact; the clock of a system whose steps are
// all of one length is up to a step ahead after each barrier that gave way.
//
// A net is so a surface without depth, sag or posts, and holds what it can hold wherever it is hit. The centre of mass
// decides, with `margin` on top: the radius of a rock says that no part of it may be above.
#pragma once

#include "lines.hpp"

namespace scree {

/// As it lies in the tables.
struct Barrier {
  double height, capacity;  // m; J, of energies per mass J/kg, infinity: it holds all
  double margin;            // m
  double base;              // z that the height counts from, m; NaN: the ground below the crossing
};

/// Barriers lie one after the other in the run's tables; their lines are the last of Lines, in the same order.
struct Barriers {
  double first, count;  // offset in the tables; how many, 0: none
  double first_line;
};
HOST_DEVICE inline bool is_barrier(const Barriers& barriers, const LineSegment& segment) {
  return barriers.count > 0.0 && segment.line >= barriers.first_line;
}
HOST_DEVICE inline const Barrier& barrier_of(const Barriers& barriers, const double* tables, double line) {
  return reinterpret_cast<const Barrier*>(
      tables + static_cast<std::int64_t>(barriers.first))[static_cast<std::int64_t>(line - barriers.first_line)];
}

/// Most barriers of a run: which of them are down is a set of bits in a double.
inline constexpr int most_barriers = 52;

HOST_DEVICE inline double bit_of(const Barriers& barriers, double line) {
  return static_cast<double>(std::uint64_t{1} << static_cast<int>(line - barriers.first_line));
}
HOST_DEVICE inline bool has_bit(double set, double bit) {
  return (static_cast<std::uint64_t>(set) & static_cast<std::uint64_t>(bit)) != 0;
}
/// Whether the set `down` has the barrier of a segment.
HOST_DEVICE inline bool is_down(const Barriers& barriers, double down, const LineSegment& segment) {
  return has_bit(down, bit_of(barriers, segment.line));
}

/// What becomes of a sample that crosses the line of a barrier so, by the rules above.
HOST_DEVICE inline Passing passing_of(const Barrier& barrier, const LineCrossing& at) {
  // NaN where there is no ground: such a crossing is not above.
  const double above = barrier.base == barrier.base ? at.z - barrier.base : at.height;
  if (above + barrier.margin > barrier.height) return Passing::overtopped;
  return at.energy() <= barrier.capacity ? Passing::caught : Passing::breached;
}
/// The factor of velocity and spin of one that breaches it, 0 to 1.
HOST_DEVICE inline double share_kept(const Barrier& barrier, const LineCrossing& at) {
  return sqrt((at.energy() - barrier.capacity) / at.energy());
}

}  // namespace scree
