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
// it.
//
// Visits and crossings go to the backend's Taker, from which a PathWatch is derived:
//
//   double begin(world)                        a sample is released; what comes back is its `list`, not 0
//   void visit(list, const Visit&)             a visit is over
//   void back(list, time, cell)                the path goes back to an earlier time, in this cell. The visits that
//                                              began after it were none, and if the one that was going on then is of
//                                              this cell, the next is the same one
//   void crossed(list, const LineCrossing&)
//   void uncrossed(list, line)                 the last crossing of the line was none
//   void end(list, sample, status, const PathEnd&)   the list is gone; of a Taker whose PathWatch is asked to `end`
//
// One whose room is bounded says so with `static constexpr bool may_be_full = true`, and has
//
//   bool make_room(world, const Sights&)       for all that one look brings; false: the look has to wait
//   void look_ends()
//
// What becomes of them is the business of kernels/visits.hpp.
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

/// What is left to say of a path where its sample ends.
struct PathEnd {
  Visit last;                  // over now; its cell is that of the sample. no_map_cell: outside, there is no visit
  std::uint32_t release_cell;  // no_map_cell: outside
  double way_outside;          // m
};

/// The most that one look can bring.
struct Sights {
  std::uint64_t visits;  // or steps back
  std::uint64_t crossings;

  /// In any step of any sample: a way from one end of the raster to the other, over every line.
  HOST_DEVICE static Sights of_any_step(const World& world) {
    return {static_cast<std::uint64_t>(world.maps.columns + world.maps.rows) + 2,
            static_cast<std::uint64_t>(world.lines.segments)};
  }
};

/// A sample on its path.
template <class Real, int count>
struct Watch {
  PathPoint<Real, Real[count]> at;  // the end of the last step; what lines alone need, only where there are lines
  Real list;                        // of the Taker; 0: none, this lane shadows another
  Real column, row;                 // the cell there, see MapGrid
  Real release_cell;                // by its number
  Real peaks[count];                // of the visit so far
  Real entered;                     // when it began, s
  Real way_outside;                 // length of the path outside of the raster, m
  Real way, alarm;                  // length of the path, and the one at which a line may be reached, m
};

namespace detail {

/// The visit that is going on; of no_map_cell outside.
template <int count>
HOST_DEVICE Visit visit_of(const MapGrid& grid, const Watch<double, count>& watch) {
  Visit visit{grid.number(watch.column, watch.row), watch.entered, {}};
  for (int q = 0; q < count; ++q) visit.peaks[q] = watch.peaks[q];
  return visit;
}

/// Follows the chord from where `watch` is to `now`, which lies in another cell, and there.
template <class Taker, int count>
SCREE_COLD HOST_DEVICE void follow(const MapGrid& grid, Taker& taker, Watch<double, count>& watch,
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
    const Visit visit = visit_of(grid, watch);
    if (visit.cell == no_map_cell)
      watch.way_outside = fma(t - from, length, watch.way_outside);
    else
      taker.visit(watch.list, visit);
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
template <class Taker, int count>
SCREE_COLD HOST_DEVICE void go_back(const MapGrid& grid, Taker& taker, Watch<double, count>& watch,
                                    const PathPoint<double, double[count]>& now) {
  watch.column = grid.column_of(now.x);
  watch.row = grid.row_of(now.y);
  if (!(watch.entered > now.time)) return;
  // The way back is no chord of the path, so this need not be the cell that the path was in then.
  taker.back(watch.list, now.time, grid.number(watch.column, watch.row));
  watch.entered = now.time;
  for (int q = 0; q < count; ++q) watch.peaks[q] = now.quantities[q];
}

template <int count>
HOST_DEVICE Moving moving(const PathPoint<double, double[count]>& p) {
  return {p.x, p.y, p.z, p.time, p.velocity, p.mass, p.rotational_energy, p.rotation_square};
}

/// How many segments of lines the step from where `watch` is to `now` crosses.
template <int count>
SCREE_COLD HOST_DEVICE std::uint64_t count_crossings(const World& world, const Watch<double, count>& watch,
                                                     const PathPoint<double, double[count]>& now) {
  const Moving from = moving(watch.at), to = moving(now);
  std::uint64_t crossings = 0;
  for (int i = 0; i < static_cast<int>(world.lines.segments); ++i)
    crossings += crosses(segment_of(world.lines, world.tables, i), from, to) ? 1 : 0;
  return crossings;
}

/// Looks which lines the step from where `watch` is to `now` crosses, and when to look again.
template <class Taker, int count>
SCREE_COLD HOST_DEVICE void look_at_lines(const World& world, Taker& taker, Watch<double, count>& watch,
                                          const PathPoint<double, double[count]>& now) {
  const Moving from = moving(watch.at), to = moving(now);
  // What is added up in `way` is rounded to 10^-10 of itself at worst.
  constexpr double nearly = 0.999;
  double distance = 1e300;
  for (int i = 0; i < static_cast<int>(world.lines.segments); ++i) {
    const LineSegment& segment = segment_of(world.lines, world.tables, i);
    distance = smaller(segment.distance(now.x, now.y), distance);
    if (!crosses(segment, from, to)) continue;
    if (to.time < from.time) {
      taker.uncrossed(watch.list, static_cast<std::uint32_t>(segment.line));
      continue;
    }
    LineCrossing crossing = crossing_of(segment, from, to);
    const Underground ground = under(world.terrain, world.tables, crossing.x, crossing.y);
    crossing.height = ground.data ? crossing.z - ground.height : __builtin_nan("");
    taker.crossed(watch.list, crossing);
  }
  watch.alarm = fma(nearly, distance, watch.way);
}

}  // namespace detail

/// Watches the paths of the samples of a system that says where they are:
///   PathPoint<Real, Passage> passage(world, lane)     at the end of the last step
/// where world.visits says so; else it sees nothing.
template <class Phases, class Taker>
struct PathWatch : Taker {
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
    if constexpr (lanes == 1) {
      watch.release_cell = static_cast<double>(grid.number(watch.column, watch.row));
      watch.list = Taker::begin(world);
    }
  }

  ALWAYS_INLINE void step(const World& world, const Lane& lane) {
    if (world.visits != nullptr) look(world, lane);
  }

  /// Of a sample that has ended; of a pack's sample, the sink for a double is asked.
  HOST_DEVICE PathEnd path_end(const World& world) const {
    static_assert(lanes == 1);
    return {detail::visit_of(world.maps, watch), static_cast<std::uint32_t>(watch.release_cell), watch.way_outside};
  }
  HOST_DEVICE void end(const World& world, const Lane& lane, std::uint64_t sample) {
    if (world.visits == nullptr) return;
    Taker::end(watch.list, sample, static_cast<std::uint32_t>(lane.status), path_end(world));
  }

 private:
  using Point = PathPoint<Real, Passage>;
  using One = Watch<double, count>;
  using OnePoint = PathPoint<double, double[count]>;

  /// The end of a step.
  SCREE_APART HOST_DEVICE void look(const World& world, const Lane& lane) {
    const Point now = Phases::passage(world, lane);
    if constexpr (Taker::may_be_full) {
      if (!Taker::make_room(world, sights(world, now))) return;
    }
    if (world.maps.columns > 0.0) pass_cells(world.maps, now);
    const bool has_lines = world.lines.segments > 0.0;
    if (has_lines) {
      watch.way = watch.way + chord(now);
      const auto rings = watch.way >= watch.alarm;
      if (any(rings))
        for (int i = 0; i < lanes; ++i)
          if (lane_of(watch.way, i) >= lane_of(watch.alarm, i))
            with_lane(i, now, [&](One& one, const OnePoint& end) { detail::look_at_lines(world, taker(), one, end); });
    }
    take(now, has_lines);
    for (int q = 0; q < count; ++q) watch.peaks[q] = larger(watch.at.quantities[q], watch.peaks[q]);
    if constexpr (Taker::may_be_full) Taker::look_ends();
  }
  /// To go back leaves a cell too.
  HOST_DEVICE Sights sights(const World& world, const Point& now) const {
    Sights most{0, 0};
    if (world.maps.columns > 0.0)
      most.visits = static_cast<std::uint64_t>(abs(world.maps.column_of(now.x) - watch.column) +
                                               abs(world.maps.row_of(now.y) - watch.row));
    if (world.lines.segments > 0.0 && watch.way + chord(now) >= watch.alarm) {
      OnePoint end;
      copy_numbers<sizeof(end) / sizeof(double), lanes, 1>(&now, 0, &end, 0);
      most.crossings = detail::count_crossings(world, watch, end);
    }
    return most;
  }
  ALWAYS_INLINE void pass_cells(const MapGrid& grid, const Point& now) {
    const Real column = grid.column_of(now.x), row = grid.row_of(now.y);
    const auto leaves = (column != watch.column) | (row != watch.row);
    if (any(leaves)) {
      for (int i = 0; i < lanes; ++i)
        if (lane_of(column, i) != lane_of(watch.column, i) || lane_of(row, i) != lane_of(watch.row, i))
          with_lane(i, now, [&](One& one, const OnePoint& end) {
            if (end.time < one.at.time)
              detail::go_back(grid, taker(), one, end);
            else
              detail::follow(grid, taker(), one, end);
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

  HOST_DEVICE Taker& taker() { return *this; }
  /// f with lane i alone, if it has a sample.
  template <class F>
  HOST_DEVICE void with_lane(int i, const Point& now, const F& f) {
    if (lanes > 1 && lane_of(watch.list, i) == 0) {
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

}  // namespace scree
