// What is seen of a path from outside: which cells of a raster a sample passes, with the largest values that it has in
// each, and where it crosses lines (lines.hpp).
//
// For cells the path is the chord of each step, on which quantities are linear. It is followed from cell edge to cell
// edge, so no cell is skipped, however long a step: with r(t) = r0 + t (r1 - r0), 0 <= t <= 1, the next edge is at
//   t_x = (edge_x - x0) / (x1 - x0) while the column is not that of the end, t_y alike,
// and the path goes on beyond the nearer one, through a corner beyond both (a corner is not passed). Amanatides and
// Woo, A fast voxel traversal algorithm for ray tracing, Eurographics 1987, from the edges in place of increments,
// which would add up their roundings. The column and row of the end are those of its place, not of the walk.
//
// A visit is a stretch of a path in one cell; its peaks are the largest values at its ends and at the ends of steps in
// it. What becomes of visits and crossings is the business of kernels/visits.hpp.
#pragma once

#include <type_traits>
#include <utility>

#include "integrate.hpp"

namespace scree {

/// Where a sample is at the end of a step, and what maps and lines show of it there: a struct of Reals. Quantities are
/// neither negative nor NaN unless the sample has diverged.
template <class Real, class Quantities>
struct PathPoint {
  Real x, y, z;  // of the centre of mass, m
  Real time;     // since the release, s
  Quantities quantities;
  // What crossings of lines show besides: m/s, kg, J, rad^2/s^2. Of a system whose energies are per mass, a mass of 1.
  Vec3<Real> velocity;
  Real mass, rotational_energy, rotation_square;
};

/// Most quantities that a system may offer.
inline constexpr int most_map_quantities = 6;

/// One stretch of a path in a cell.
struct Visit {
  std::uint32_t cell;  // of MapGrid::number
  double entered;      // s since the release
  double peaks[most_map_quantities];
};

/// A sample on its path.
template <class Real, int count>
struct Watch {
  PathPoint<Real, Real[count]> at;  // the end of the last step; what lines alone need, only where there are lines
  Real list;                        // who takes the visits, as a whole number; 0: nobody, this lane shadows another
  Real column, row;                 // the cell there, see MapGrid
  Real peaks[count];                // of the visit so far
  Real entered;                     // when it began, s
  Real way_outside;                 // length of the path outside of the raster, m
  Real way, alarm;                  // length of the path, and the one at which a line may be reached, m
};

}  // namespace scree

// Who takes what is seen on a CPU (kernels/visits.cpp). C names: sources for special instruction sets call them.
extern "C" {
/// A list for one sample that is released in `cell`, no_map_cell: outside.
void* scree_visits_begin(void* collector, std::uint32_t release_cell);
void scree_visit(void* list, const scree::Visit& visit);
/// The path goes back to an earlier time: the visits that began after it are dropped, and the one that was going on
/// then is taken out of the list again. False: there is none.
bool scree_visits_back(void* list, double time, scree::Visit* visit);
/// A crossing; where the step went back in time, the one that it takes back.
void scree_line_crossed(void* list, const scree::LineCrossing& crossing, bool back);
/// The sample has ended with `status`, in `cell`. The list is gone.
void scree_visits_end(void* list, std::uint64_t sample, std::uint32_t status, std::uint32_t cell, double way_outside);
}

namespace scree {

namespace detail {

HOST_DEVICE inline void* list_of(double number) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(number)); }

/// A sample leaves its cell, or ends: its visit of the cell is over.
template <int count>
HOST_DEVICE void leave_cell(const MapGrid& grid, const Watch<double, count>& watch) {
  const std::uint32_t cell = grid.number(watch.column, watch.row);
  if (cell == no_map_cell) return;
#if !defined(__CUDA_ARCH__)
  Visit visit{cell, watch.entered, {}};
  for (int q = 0; q < count; ++q) visit.peaks[q] = watch.peaks[q];
  scree_visit(list_of(watch.list), visit);
#endif
}

/// Follows the chord from where `watch` is to `now`, which lies in another cell, and there.
template <int count>
SCREE_COLD HOST_DEVICE void follow(const MapGrid& grid, Watch<double, count>& watch,
                                   const PathPoint<double, double[count]>& now) {
  const auto& at = watch.at;
  const double dx = now.x - at.x, dy = now.y - at.y, dz = now.z - at.z;
  const double length = sqrt(fma(dx, dx, fma(dy, dy, dz * dz)));
  const double column = grid.column_of(now.x), row = grid.row_of(now.y);
  double from = 0;
  while (watch.column != column || watch.row != row) {
    const bool sideways = watch.column != column, along = watch.row != row;
    const double t_x = (grid.edge_x(watch.column + (column > watch.column ? 1.0 : 0.0)) - at.x) / dx;
    const double t_y = (grid.edge_y(watch.row + (row > watch.row ? 1.0 : 0.0)) - at.y) / dy;
    const bool takes_x = sideways && !(along && t_y < t_x), takes_y = along && !(sideways && t_x < t_y);
    // Roundings must not lead back, nor beyond the ends.
    const double t = smaller(larger(takes_x ? t_x : t_y, from), 1.0);
    double values[count];
    for (int q = 0; q < count; ++q) {
      values[q] = fma(t, now.quantities[q] - at.quantities[q], at.quantities[q]);
      watch.peaks[q] = larger(values[q], watch.peaks[q]);
    }
    leave_cell(grid, watch);
    if (grid.number(watch.column, watch.row) == no_map_cell)
      watch.way_outside = fma(t - from, length, watch.way_outside);
    if (takes_x) watch.column += column > watch.column ? 1.0 : -1.0;
    if (takes_y) watch.row += row > watch.row ? 1.0 : -1.0;
    for (int q = 0; q < count; ++q) watch.peaks[q] = values[q];
    watch.entered = fma(t, now.time - at.time, at.time);
    from = t;
  }
  if (grid.number(column, row) == no_map_cell) watch.way_outside = fma(1.0 - from, length, watch.way_outside);
}

/// A step that ends before it began, as where a slider is put back to the point where it lost contact: the path beyond
/// that was none.
template <int count>
SCREE_COLD HOST_DEVICE void go_back(const MapGrid& grid, Watch<double, count>& watch,
                                    const PathPoint<double, double[count]>& now) {
  const double column = grid.column_of(now.x), row = grid.row_of(now.y);
#if !defined(__CUDA_ARCH__)
  Visit visit;
  if (watch.entered > now.time && scree_visits_back(list_of(watch.list), now.time, &visit)) {
    watch.entered = visit.entered;
    for (int q = 0; q < count; ++q) watch.peaks[q] = visit.peaks[q];
    // The way back is no chord of the path, so its cell may be a neighbour: then it is entered now.
    if (visit.cell != grid.number(column, row)) {
      scree_visit(list_of(watch.list), visit);
      watch.entered = now.time;
      for (int q = 0; q < count; ++q) watch.peaks[q] = now.quantities[q];
    }
  }
#endif
  watch.column = column;
  watch.row = row;
}

template <int count>
HOST_DEVICE Moving moving(const PathPoint<double, double[count]>& p) {
  return {p.x, p.y, p.z, p.time, p.velocity, p.mass, p.rotational_energy, p.rotation_square};
}

/// Looks whether the step from where `watch` is to `now` crosses lines, and when to look again.
template <int count>
SCREE_COLD HOST_DEVICE void look_at_lines(const World& world, Watch<double, count>& watch,
                                          const PathPoint<double, double[count]>& now) {
  const Moving from = moving(watch.at), to = moving(now);
  // What is added up in `way` is rounded to 10^-10 of itself at worst.
  constexpr double nearly = 0.999;
  double distance = 1e300;
  for (int i = 0; i < static_cast<int>(world.lines.segments); ++i) {
    const LineSegment& segment = segment_of(world.lines, world.tables, i);
    distance = smaller(segment.distance(now.x, now.y), distance);
    if (!crosses(segment, from, to)) continue;
#if !defined(__CUDA_ARCH__)
    LineCrossing crossing = crossing_of(segment, from, to);
    const Underground ground = under(world.terrain, world.tables, crossing.x, crossing.y);
    crossing.height = ground.data ? crossing.z - ground.height : __builtin_nan("");
    scree_line_crossed(list_of(watch.list), crossing, to.time < from.time);
#endif
  }
  watch.alarm = fma(nearly, distance, watch.way);
}

}  // namespace detail

/// Watches the paths of the samples of a system that says where they are:
///   PathPoint<Real, Passage> passage(world, lane)     at the end of the last step
/// where world.visits says so; else it sees nothing.
template <class Phases>
struct PathWatch {
  using Lane = typename Phases::Lane;
  using Real = std::remove_cvref_t<decltype(std::declval<Lane>().steps)>;
  using Passage = typename Phases::Passage;
  static constexpr int lanes = lanes_of<Real>;
  static constexpr int count = sizeof(Passage) / sizeof(Real);
  static_assert(count <= most_map_quantities && sizeof(Passage) == count * sizeof(Real));

  Watch<Real, count> watch;

  HOST_DEVICE void release(const World& world, const Lane& lane) {
    if (world.visits == nullptr) return;
    const auto now = Phases::passage(world, lane);
    const MapGrid& grid = world.maps;
    watch.column = grid.column_of(now.x);
    watch.row = grid.row_of(now.y);
    watch.way_outside = watch.entered = watch.way = watch.alarm = Real(0.0);
    take(now, true);
    for (int q = 0; q < count; ++q) watch.peaks[q] = watch.at.quantities[q];
#if !defined(__CUDA_ARCH__)
    if constexpr (lanes == 1)
      watch.list = static_cast<double>(
          reinterpret_cast<std::uintptr_t>(scree_visits_begin(world.visits, grid.number(watch.column, watch.row))));
#endif
  }

  ALWAYS_INLINE void step(const World& world, const Lane& lane) {
    if (world.visits != nullptr) look(world, lane);
  }

  /// The sample has ended, and with it its last visit; of a pack's sample, the sink for a double is asked.
  HOST_DEVICE void end(const World& world, const Lane& lane, std::uint64_t sample) {
    static_assert(lanes == 1);
    if (world.visits == nullptr) return;
    detail::leave_cell(world.maps, watch);
#if !defined(__CUDA_ARCH__)
    scree_visits_end(detail::list_of(watch.list), sample, static_cast<std::uint32_t>(lane.status),
                     world.maps.number(watch.column, watch.row), watch.way_outside);
#endif
  }

 private:
  using Point = PathPoint<Real, Passage>;
  using One = Watch<double, count>;
  using OnePoint = PathPoint<double, double[count]>;

  /// The end of a step.
  SCREE_APART HOST_DEVICE void look(const World& world, const Lane& lane) {
    const Point now = Phases::passage(world, lane);
    if (world.maps.columns > 0.0) pass_cells(world.maps, now);
    const bool has_lines = world.lines.segments > 0.0;
    if (has_lines) {
      watch.way = watch.way + chord(now);
      const auto rings = watch.way >= watch.alarm;
      if (any(rings))
        for (int i = 0; i < lanes; ++i)
          if (lane_of(watch.way, i) >= lane_of(watch.alarm, i))
            with_lane(i, now, [&](One& one, const OnePoint& end) { detail::look_at_lines(world, one, end); });
    }
    take(now, has_lines);
    for (int q = 0; q < count; ++q) watch.peaks[q] = larger(watch.at.quantities[q], watch.peaks[q]);
  }
  ALWAYS_INLINE void pass_cells(const MapGrid& grid, const Point& now) {
    const Real column = grid.column_of(now.x), row = grid.row_of(now.y);
    const auto leaves = (column != watch.column) | (row != watch.row);
    if (any(leaves)) {
      for (int i = 0; i < lanes; ++i)
        if (lane_of(column, i) != lane_of(watch.column, i) || lane_of(row, i) != lane_of(watch.row, i))
          with_lane(i, now, [&](One& one, const OnePoint& end) {
            if (end.time < one.at.time)
              detail::go_back(grid, one, end);
            else
              detail::follow(grid, one, end);
          });
    }
    const auto outside = grid.is_outside(column, row) & !leaves;
    if (any(outside)) watch.way_outside = watch.way_outside + select(outside, chord(now), Real(0.0));
  }
  ALWAYS_INLINE Real chord(const Point& now) const {
    const Real dx = now.x - watch.at.x, dy = now.y - watch.at.y, dz = now.z - watch.at.z;
    return sqrt(fma(dx, dx, fma(dy, dy, dz * dz)));
  }
  ALWAYS_INLINE void take(const Point& now, bool has_lines) {
    watch.at.x = now.x;
    watch.at.y = now.y;
    watch.at.z = now.z;
    watch.at.time = now.time;
    const Real* values = reinterpret_cast<const Real*>(&now.quantities);
    for (int q = 0; q < count; ++q) watch.at.quantities[q] = values[q];
    if (!has_lines) return;
    watch.at.velocity = now.velocity;
    watch.at.mass = now.mass;
    watch.at.rotational_energy = now.rotational_energy;
    watch.at.rotation_square = now.rotation_square;
  }

  /// f with lane i alone, if it has a sample.
  template <class F>
  HOST_DEVICE void with_lane(int i, const Point& now, const F& f) {
    if (lane_of(watch.list, i) == 0) {
      forget(i);
      return;
    }
    OnePoint end;
    copy_numbers<sizeof(end) / sizeof(double), lanes, 1>(&now, i, &end, 0);
    if constexpr (lanes == 1) {
      f(watch, end);
    } else {
      One one;
      copy_numbers<sizeof(one) / sizeof(double), lanes, 1>(&watch, i, &one, 0);
      f(one, end);
      copy_numbers<sizeof(one) / sizeof(double), 1, lanes>(&one, 0, &watch, i);
    }
  }
  /// A lane that shadows another is not to be looked at again.
  HOST_DEVICE void forget(int i) {
    const double never = 1e300;
    set_lane(watch.alarm, i, never);
  }
  /// Of structs of Reals, lane i of one to lane j of the other.
  template <std::size_t numbers, int from_lanes, int to_lanes>
  ALWAYS_INLINE static void copy_numbers(const void* from, int i, void* to, int j) {
    const double* in = static_cast<const double*>(from) + i;
    double* out = static_cast<double*>(to) + j;
    for (std::size_t k = 0; k < numbers; ++k)
      out[k * static_cast<std::size_t>(to_lanes)] = in[k * static_cast<std::size_t>(from_lanes)];
  }
};

namespace detail {
template <class Phases>
constexpr auto watching_of() {
  if constexpr (requires { typename Phases::Passage; }) {
    return std::type_identity<PathWatch<Phases>>{};
  } else {
    return std::type_identity<NoSink<Phases>>{};
  }
}
}  // namespace detail

/// What every backend gives its samples to be watched by.
template <class Phases>
using Watching = typename decltype(detail::watching_of<Phases>())::type;

}  // namespace scree
