// What is seen of a path from outside: which cells of a raster a sample passes, with the largest values that it has in
// each, and where it crosses lines (lines.hpp). And what it meets there and is changed by: barriers (barriers.hpp) and
// stems (forest.hpp).
//
// For cells the path is the chord of each step, on which quantities are linear. It is followed from cell edge to cell
// edge, so no cell is skipped, however long a step: with r(t) = r0 + t (r1 - r0), 0 <= t <= 1, the next edge is at
//   t_x = (edge_x - x0) / (x1 - x0) while the column is not that of the end, t_y alike,
// and the path goes on beyond the nearer one, through a corner beyond both (a corner is not passed). Amanatides and
// Woo, A fast voxel traversal algorithm for ray tracing, Eurographics 1987, from the edges in place of increments,
// which would add up their roundings. The column and row of the end are those of its place, not of the walk.
//
// A visit is a stretch of a path in one cell; its peaks are the largest values at its ends and at the ends of steps in
// it. A system whose steps may be taken back says `static constexpr bool takes_back = true`: time goes back then, to
// within the last step, as where a slider lost contact. What was seen of that step is undone, and its path is the chord
// from its beginning to there.
//
// Visits and crossings go to the backend's Taker, from which a PathWatch is derived:
//
//   double begin(world)                        a sample is released; what comes back is its `list`, not 0
//   void visit(list, const Visit&)             a visit is over
//   void back(list, visits)                    the last so many visits, all of the last step, were none
//   void crossed(list, const LineCrossing&)
//   void uncrossed(list, crossings)            the last so many crossings, all of the last step, were none
//   void end(list, sample, status, const PathEnd&)   the list is gone; of a Taker whose PathWatch is asked to `end`
//
// One whose room is bounded says so with `static constexpr bool may_be_full = true`, and has
//
//   bool make_room(world, const Sights&)       for all that one look brings; false: the look has to wait
//   void look_ends()
//
// What becomes of them is the business of kernels/visits.hpp.
#pragma once

#include <limits>
#include <type_traits>
#include <utility>

#include "forest.hpp"
#include "integrate.hpp"
#include "obstacles.hpp"

namespace scree {

/// Where a sample is at the end of a step, and what maps show of it there: a struct of Reals. Quantities are neither
/// negative nor NaN unless the sample has diverged.
template <class Real, class Quantities>
struct PathPlace {
  Real x, y, z;  // of the centre of mass, m
  Real time;     // since the release, s
  Quantities quantities;
};

/// A place with what crossings of lines show besides.
template <class Real, class Quantities>
struct PathPoint : PathPlace<Real, Quantities> {
  // m/s, kg, J, rad^2/s^2. Of a system whose energies are per mass, a mass of 1.
  Vec3<Real> velocity;
  Real mass, rotational_energy, rotation_square;
};

/// Most quantities that a system may offer.
inline constexpr int most_map_quantities = 6;

/// One stretch of a path in a cell.
struct Visit {
  std::uint32_t cell;      // of MapGrid::number
  std::uint32_t is_first;  // that is over within its step; those before it will not be undone
  double entered;          // s since the release
  double peaks[most_map_quantities];
};

/// What is left to say of a path where its sample ends.
struct PathEnd {
  Visit last;                  // over now; its cell is that of the sample. no_map_cell: outside, there is no visit
  std::uint32_t release_cell;  // no_map_cell: outside
  double way_outside;          // m
  double stems_hit, stems_broken;
};

/// The most that one look can bring.
struct Sights {
  std::uint64_t visits;  // or steps back
  std::uint64_t crossings;

  /// In any step of any sample: a way from one end of the raster to the other, over every line, after a step back; a
  /// barrier may be met once more where it stands in the place of another.
  HOST_DEVICE static Sights of_any_step(const World& world) {
    return {static_cast<std::uint64_t>(world.maps.columns + world.maps.rows) + 3,
            static_cast<std::uint64_t>(world.lines.segments + world.barriers.count) + 1};
  }
};

/// The visit that is going on.
template <class Real, int count>
struct OpenVisit {
  Real column, row;   // of its cell, see MapGrid
  Real peaks[count];  // so far
  Real entered;       // when it began, s
  Real way_outside;   // length of the path outside of the raster, m
};

/// The last step, to be undone if it is taken back.
template <class Real, int count, bool kept>
struct LastStep {};
template <class Real, int count>
struct LastStep<Real, count, true> {
  PathPoint<Real, Real[count]> begun_at;
  OpenVisit<Real, count> begun_in;
  Real visits, crossings;  // that the Taker was told of
};

/// A sample on its path.
template <class Real, int count, bool takes_back>
struct Watch : LastStep<Real, count, takes_back> {
  PathPoint<Real, Real[count]> at;  // the end of the last step; what lines alone need, only where there are lines
  OpenVisit<Real, count> visit;     // the one that is going on
  Real list;                        // of the Taker; 0: none, this lane shadows another
  Real release_cell;                // by its number
  Real way, alarm;                  // over the ground at least so far, and the way at which a line may be reached, m
  Real down;                        // the barriers that it breached: bit b is that of barrier b
  StemsMet<Real> stems;
  Real sample, radius;  // its number; of the sphere that stems meet, m
};

namespace detail {

/// The visit that is going on; of no_map_cell outside.
template <int count>
HOST_DEVICE Visit visit_of(const MapGrid& grid, const OpenVisit<double, count>& open) {
  Visit visit{grid.number(open.column, open.row), 0, open.entered, {}};
  for (int q = 0; q < count; ++q) visit.peaks[q] = open.peaks[q];
  return visit;
}

/// Follows the chord from `at` to `now`, which lies in another cell, and there. Gives how many visits are over then.
template <class Taker, int count>
SCREE_COLD HOST_DEVICE double follow(const MapGrid& grid, Taker& taker, double list, OpenVisit<double, count>& open,
                                     const PathPlace<double, double[count]>& at,
                                     const PathPlace<double, double[count]>& now) {
  const double dx = now.x - at.x, dy = now.y - at.y, dz = now.z - at.z;
  const double length = sqrt(fma(dx, dx, fma(dy, dy, dz * dz)));
  const double column = grid.column_of(now.x), row = grid.row_of(now.y);
  double from = 0, visits = 0;
  while (open.column != column || open.row != row) {
    const bool sideways = open.column != column, along = open.row != row;
    const double t_x = (grid.edge_x(open.column + (column > open.column ? 1.0 : 0.0)) - at.x) / dx;
    const double t_y = (grid.edge_y(open.row + (row > open.row ? 1.0 : 0.0)) - at.y) / dy;
    const bool takes_x = sideways && !(along && t_y < t_x), takes_y = along && !(sideways && t_x < t_y);
    // Roundings must not lead back, nor beyond the ends.
    const double t = smaller(larger(takes_x ? t_x : t_y, from), 1.0);
    double values[count];
    for (int q = 0; q < count; ++q) {
      values[q] = fma(t, now.quantities[q] - at.quantities[q], at.quantities[q]);
      open.peaks[q] = larger(values[q], open.peaks[q]);
    }
    Visit visit = visit_of(grid, open);
    if (visit.cell == no_map_cell) {
      open.way_outside = fma(t - from, length, open.way_outside);
    } else {
      visit.is_first = visits == 0 ? 1 : 0;
      taker.visit(list, visit);
      visits += 1.0;
    }
    if (takes_x) open.column += column > open.column ? 1.0 : -1.0;
    if (takes_y) open.row += row > open.row ? 1.0 : -1.0;
    for (int q = 0; q < count; ++q) open.peaks[q] = values[q];
    open.entered = fma(t, now.time - at.time, at.time);
    from = t;
  }
  if (grid.number(column, row) == no_map_cell) open.way_outside = fma(1.0 - from, length, open.way_outside);
  return visits;
}

template <class Quantities>
HOST_DEVICE Moving moving(const PathPoint<double, Quantities>& p) {
  return {p.x, p.y, p.z, p.time, p.velocity, p.mass, p.rotational_energy, p.rotation_square};
}

/// Of a point above the ground below it, m, vertical; NaN where there is none.
HOST_DEVICE inline double height_above_ground(const World& world, double x, double y, double z) {
  const Underground ground = under(world.terrain, world.tables, x, y);
  return ground.data ? z - ground.height : __builtin_nan("");
}

/// The phases of the same system for another Real; of what is no template, the same.
template <class Phases, class Real>
struct OnReal {
  using type = Phases;
};
template <template <class> class System, class From, class Real>
struct OnReal<System<From>, Real> {
  using type = System<Real>;
};

/// How many segments of lines the step from where `watch` is to `now` crosses.
template <int count, bool takes_back>
SCREE_COLD HOST_DEVICE std::uint64_t count_crossings(const World& world, const Watch<double, count, takes_back>& watch,
                                                     const PathPoint<double, double[count]>& now) {
  const Moving from = moving(watch.at), to = moving(now);
  std::uint64_t crossings = 0;
  for (int i = 0; i < static_cast<int>(world.lines.segments); ++i)
    crossings += crosses(segment_of(world.lines, world.tables, i), from, to) ? 1 : 0;
  return crossings;
}

/// Whether a barrier or a stem is in the way.
template <int count, bool takes_back>
HOST_DEVICE bool meets_something(const World& world, const Watch<double, count, takes_back>& watch,
                                 const PathPoint<double, double[count]>& now) {
  const Moving from = moving(watch.at), to = moving(now);
  if (!(to.time > from.time)) return false;
  if (world.barriers.count > 0.0 && next_barrier(world, watch.down, from, to, {}).segment >= 0) return true;
  return world.forest.areas > 0.0 && first_stem(world, watch.stems, watch.sample, watch.radius, from, to).t < no_stem;
}
/// The most that a step can bring whose path ends anywhere on it. A cubic of Hermite's is no further from the numbers
/// at its ends than 4/27 of its slopes there.
template <int count, bool takes_back>
HOST_DEVICE Sights sights_before(const World& world, const Watch<double, count, takes_back>& watch,
                                 const PathPoint<double, double[count]>& now) {
  const auto& at = watch.at;
  const double part = 4.0 / 27.0 * 1.001 * (now.time - at.time);
  const auto cells = [&](double from, double slope_from, double to, double slope_to, const auto& cell_of) {
    const double over = part * (abs(slope_from) + abs(slope_to));
    return static_cast<std::uint64_t>(cell_of(larger(from, to) + over) - cell_of(smaller(from, to) - over));
  };
  Sights most = Sights::of_any_step(world);
  most.visits -= 1;
  most.crossings -= 1;
  if (world.maps.columns > 0.0) {
    const std::uint64_t near =
        cells(at.x, at.velocity.x, now.x, now.velocity.x, [&](double x) { return world.maps.column_of(x); }) +
        cells(at.y, at.velocity.y, now.y, now.velocity.y, [&](double y) { return world.maps.row_of(y); }) + 2;
    if (near < most.visits) most.visits = near;
  }
  return most;
}

/// Looks which gates the step from where `watch` is to `now` crosses, and when to look at lines again. Gives how many
/// it crosses.
template <class Taker, int count, bool takes_back>
SCREE_COLD HOST_DEVICE double look_at_lines(const World& world, Taker& taker, Watch<double, count, takes_back>& watch,
                                            const PathPoint<double, double[count]>& now) {
  const Moving from = moving(watch.at), to = moving(now);
  // What is added up in `way` is rounded to 10^-10 of itself at worst.
  constexpr double nearly = 0.999;
  // No segment that is further from the end of the chord is crossed: its length, and what coordinates are rounded by.
  const double reach = fma(1e-12, abs(now.x) + abs(now.y), abs(to.x - from.x) + abs(to.y - from.y) + 1e-6);
  double distance = 1e300, crossings = 0;
  for (int i = 0; i < static_cast<int>(world.lines.segments); ++i) {
    const LineSegment& segment = segment_of(world.lines, world.tables, i);
    const double nearest = larger(distance, reach);
    if (segment.least_square(now.x, now.y) > nearest * nearest) continue;
    distance = smaller(segment.distance(now.x, now.y), distance);
    if (world.visits == nullptr || !crosses(segment, from, to)) continue;
    if (is_barrier(world.barriers, segment)) continue;
    LineCrossing crossing = crossing_of(segment, from, to);
    crossing.height = height_above_ground(world, crossing.x, crossing.y, crossing.z);
    taker.crossed(watch.list, crossing);
    crossings += 1.0;
  }
  if (world.forest.areas > 0.0)
    distance = smaller(distance_to_stems(world, watch.stems, watch.sample, watch.radius, now.x, now.y), distance);
  watch.alarm = fma(nearly, larger(distance, 0.0), watch.way);
  return crossings;
}

}  // namespace detail

/// Watches the paths of the samples of a system that says where they are:
///   PathPoint<Real, Passage> passage(world, lane)     at the end of the last step
/// where world.visits says so; else it sees nothing. Where there are barriers or stems, it has samples meet them, which
/// the system, for one sample, makes possible by
///   bool put_back(world, lane, const Moving&)   to a place within the last step, as it was there, running; false: it
///                                               did not come there, as the next step will tell, and the lane is spoilt
///   void strike(world, lane, velocity, keep)    it has that velocity now, and its spin times `keep`
///   double radius_of(world, lane)               of the sphere that stems meet, m
template <class Phases, class Taker>
struct PathWatch : Taker {
  using Lane = typename Phases::Lane;
  using Real = std::remove_cvref_t<decltype(std::declval<Lane>().steps)>;
  using Passage = typename Phases::Passage;
  static constexpr int lanes = lanes_of<Real>;
  static constexpr int count = sizeof(Passage) / sizeof(Real);
  static_assert(count <= most_map_quantities && sizeof(Passage) == count * sizeof(Real));
  static constexpr bool takes_back = requires { requires Phases::takes_back; };

  Watch<Real, count, takes_back> watch;

  HOST_DEVICE void release(const World& world, const Lane& lane, std::uint64_t sample) {
    if (!sees(world)) return;
    const auto now = Phases::passage(world, lane);
    const MapGrid& grid = world.maps;
    watch.visit.column = grid.column_of(now.x);
    watch.visit.row = grid.row_of(now.y);
    watch.visit.way_outside = watch.visit.entered = watch.way = watch.alarm = watch.down = Real(0.0);
    take(now);
    for (int q = 0; q < count; ++q) watch.visit.peaks[q] = watch.at.quantities[q];
    begin_step(world);
    if constexpr (lanes == 1) {
      watch.release_cell = static_cast<double>(grid.number(watch.visit.column, watch.visit.row));
      watch.list = world.visits != nullptr ? Taker::begin(world) : 1.0;
      watch.sample = static_cast<double>(sample);
      watch.radius = world.forest.areas > 0.0 ? Phases::radius_of(world, lane) : 0.0;
      watch.stems = {};
    }
  }

  /// Changes the lane where a sample meets a barrier or a stem.
  ALWAYS_INLINE void step(const World& world, Lane& lane) {
    if (sees(world)) look(world, lane);
  }

  /// Of a sample that has ended; of a pack's sample, the sink for a double is asked.
  HOST_DEVICE PathEnd path_end(const World& world) const {
    static_assert(lanes == 1);
    return {detail::visit_of(world.maps, watch.visit), static_cast<std::uint32_t>(watch.release_cell),
            watch.visit.way_outside, watch.stems.hits, watch.stems.broken};
  }
  HOST_DEVICE void end(const World& world, const Lane& lane, std::uint64_t sample) {
    if (world.visits == nullptr) return;
    Taker::end(watch.list, sample, static_cast<std::uint32_t>(lane.status), path_end(world));
  }

  /// What the sample meets in its last step. True: that changed its way; what comes before has been watched, and the
  /// lane is what it is behind it.
  SCREE_COLD HOST_DEVICE bool meet(const World& world, Lane& lane) {
    static_assert(lanes == 1);
    if (has_failed(lane)) return false;
    const Moving from = detail::moving(watch.at), to = detail::moving(Phases::passage(world, lane));
    if (!(to.time > from.time)) return false;
    StemHit hit{};
    if (world.forest.areas > 0.0) hit = first_stem(world, watch.stems, watch.sample, watch.radius, from, to);
    const bool has_barriers = world.barriers.count > 0.0, has_stem = hit.t < no_stem;
    constexpr double always = std::numeric_limits<double>::infinity();
    if (!has_stem) return has_barriers && meet_barriers(world, lane, from, to, always).changed;
    // So little further that its circle, and others that it touches there, have been entered.
    const double beyond = part_above_rounding(from, to, watch.radius), t = smaller(hit.t + beyond, 1.0);
    const Moving at_stem = moving_at(detail::part_of_step(t, from, to), from, to);
    BarriersMet met{};
    if (has_barriers) met = meet_barriers(world, lane, from, to, at_stem.time);
    // A barrier may stand where the circle begins.
    const bool at_once = met.changed && fma(4.0 * beyond, to.time - from.time, met.time) >= at_stem.time;
    if (met.changed && (!at_once || lane.status == static_cast<double>(Status::caught))) return true;
    if (!met.changed && !come_to(world, lane, at_stem)) return false;
    const StemsMet<double> before = watch.stems;
    for_hits(world, before, watch.sample, watch.radius, from, to, [&](const StemHit& one) {
      if (one.t <= t) meet_stem(world, lane, one);
    });
    take(Phases::passage(world, lane));
    return true;
  }

 private:
  using Point = PathPoint<Real, Passage>;
  using One = Watch<double, count, takes_back>;
  using OnePoint = PathPoint<double, double[count]>;
  using Place = PathPlace<Real, Passage>;
  using OnePlace = PathPlace<double, double[count]>;
  using Single = PathWatch<typename detail::OnReal<Phases, double>::type, Taker>;

  /// Whether there is no sound place that the step led to.
  HOST_DEVICE static bool has_failed(const Lane& lane) {
    return lane.status == static_cast<double>(Status::not_converged) ||
           lane.status == static_cast<double>(Status::diverged);
  }
  ALWAYS_INLINE static bool sees(const World& world) { return world.visits != nullptr || obstructs(world); }
  ALWAYS_INLINE static bool obstructs(const World& world) {
    return world.barriers.count > 0.0 || world.forest.areas > 0.0;
  }

  ALWAYS_INLINE static bool has_maps(const World& world) { return world.visits != nullptr && world.maps.columns > 0.0; }

  /// Where the barriers that a step crosses have put a sample.
  struct BarriersMet {
    bool changed = false;
    double time = 0;  // s since the release
  };
  /// The barriers that it crosses before a time.
  HOST_DEVICE BarriersMet meet_barriers(const World& world, Lane& lane, const Moving& from, const Moving& to,
                                        double before) {
    const double off = detail::above_rounding(world), same_place = 4.0 * off;
    detail::BarrierCrossing last{};
    double here = 0;  // those that it has overtopped in the place of the last
    while (true) {
      const detail::BarrierCrossing next = detail::next_barrier(world, watch.down, from, to, last);
      if (next.segment < 0 || next.at.time > before) return {};
      if (last.segment < 0 || abs(next.at.x - last.at.x) + abs(next.at.y - last.at.y) > same_place) here = 0;
      last = next;
      Lane there = lane;
      if (!Phases::put_back(world, there, detail::moved(next.at, 0.0))) return {};
      LineCrossing at = next.at;
      const Barrier& barrier = meet_barrier(world, there, at);
      const double bit = bit_of(world.barriers, static_cast<double>(at.line));
      if (at.passing == Passing::overtopped) {
        here += has_bit(here, bit) ? 0.0 : bit;
        continue;
      }
      // So little before the line, or beyond it, that its side is clear, for this line and others in its place.
      if (!come_to(world, lane, detail::moved(next.at, at.passing == Passing::caught ? -off : off))) return {};
      pass_barrier(world, lane, barrier, at);
      break;
    }
    // Others in this place: the chord need not cross them, where it ends there.
    detail::BarrierCrossing other{};
    for (double line = 0.0; lane.status != static_cast<double>(Status::caught); line = other.at.line + 1.0) {
      other = detail::barrier_at(world, watch.down, from, last.at, same_place, line);
      if (other.segment < 0) break;
      if (has_bit(here, bit_of(world.barriers, static_cast<double>(other.at.line)))) continue;
      const Barrier& barrier = meet_barrier(world, lane, other.at);
      if (other.at.passing != Passing::overtopped) pass_barrier(world, lane, barrier, other.at);
    }
    take(Phases::passage(world, lane));
    return {true, last.at.time};
  }
  /// What becomes of a sample that is at a barrier; `at` says which, where and when.
  HOST_DEVICE const Barrier& meet_barrier(const World& world, const Lane& lane, LineCrossing& at) {
    const LineCrossing place = at;
    // Of a mass on a surface the height is that of the surface, and the velocity along it.
    at.take(detail::moving(Phases::passage(world, lane)));
    at.x = place.x;
    at.y = place.y;
    at.time = place.time;
    at.height = detail::height_above_ground(world, at.x, at.y, at.z);
    const Barrier& barrier = barrier_of(world.barriers, world.tables, static_cast<double>(at.line));
    at.passing = passing_of(barrier, at);
    if (world.visits != nullptr) {
      Taker::crossed(watch.list, at);
      if constexpr (takes_back) watch.crossings = watch.crossings + 1.0;
    }
    return barrier;
  }
  /// That a sample is caught, or breaches the barrier.
  HOST_DEVICE void pass_barrier(const World& world, Lane& lane, const Barrier& barrier, const LineCrossing& at) {
    const double keep = at.passing == Passing::breached ? share_kept(barrier, at) : 0.0;
    Phases::strike(world, lane, keep * at.velocity, keep);
    if (at.passing == Passing::caught)
      lane.status = static_cast<double>(Status::caught);
    else
      watch.down = watch.down + bit_of(world.barriers, static_cast<double>(at.line));
  }
  /// Puts the sample to a place of its step, and watches its way there. False: it did not come there.
  HOST_DEVICE bool come_to(const World& world, Lane& lane, const Moving& place) {
    Lane there = lane;
    if (!Phases::put_back(world, there, place)) return false;
    Point arrival = Phases::passage(world, there);
    arrival.time = place.time;
    see(world, [&] { return arrival; });
    lane = there;
    return true;
  }
  HOST_DEVICE void meet_stem(const World& world, Lane& lane, const StemHit& hit) {
    const AfterStem after = after_stem(hit, detail::moving(Phases::passage(world, lane)));
    Phases::strike(world, lane, after.velocity, after.keep);
    remember(watch.stems, hit.stem, after.broke);
  }

  /// The end of a step.
  SCREE_APART HOST_DEVICE void look(const World& world, Lane& lane) {
    if constexpr (Taker::may_be_full) {
      if (!Taker::make_room(world, sights(world, lane, Phases::passage(world, lane)))) return;
    }
    if constexpr (takes_back) {
      const auto taken_back = Phases::passage(world, lane).time < watch.at.time;
      if (any(taken_back)) undo(lanes_where(taken_back));
      begin_step(world);
    }
    if (obstructs(world)) meet_any(world, lane);
    see(world, [&] { return Phases::passage(world, lane); });
    if constexpr (Taker::may_be_full) Taker::look_ends();
  }
  /// Has the samples meet what is in their way.
  ALWAYS_INLINE void meet_any(const World& world, Lane& lane) {
    const Real way = watch.way + chord_over_ground(Phases::passage(world, lane));
    if (!any(way >= watch.alarm)) return;
    for (int i = 0; i < lanes; ++i) {
      if (!(lane_of(way, i) >= lane_of(watch.alarm, i))) continue;
      if constexpr (lanes == 1) {
        meet(world, lane);
      } else {
        if (lane_of(watch.list, i) == 0) continue;
        Single one{};
        typename Single::Lane alone;
        copy_numbers<sizeof(one.watch) / sizeof(double), lanes, 1>(&watch, i, &one.watch, 0);
        copy_numbers<sizeof(alone) / sizeof(double), lanes, 1>(&lane, i, &alone, 0);
        const bool changed = one.meet(world, alone);
        if constexpr (takes_back) set_lane(watch.crossings, i, one.watch.crossings);
        if (!changed) continue;
        copy_numbers<sizeof(one.watch) / sizeof(double), 1, lanes>(&one.watch, 0, &watch, i);
        copy_numbers<sizeof(alone) / sizeof(double), 1, lanes>(&alone, 0, &lane, i);
      }
    }
  }
  /// Follows the path to the point that `now` gives, which is asked of a pack for each: what lines alone need would
  /// else be made and stored for maps too.
  template <class Now>
  ALWAYS_INLINE void see(const World& world, const Now& now) {
    if (world.lines.segments > 0.0 || world.forest.areas > 0.0) pass_lines(world, now);
    if (has_maps(world)) {
      const Place place = now();
      pass_cells(world.maps, place);
      take_place(place);
      take_quantities(place);
      SCREE_UNROLLED
      for (int q = 0; q < count; ++q) watch.visit.peaks[q] = larger(watch.at.quantities[q], watch.visit.peaks[q]);
    }
  }
  /// Leaves the place to maps, if there are any, which follow the same chord.
  template <class Now>
  SCREE_APART HOST_DEVICE void pass_lines(const World& world, const Now& at) {
    const Point now = at();
    watch.way = watch.way + chord_over_ground(now);
    const auto near = watch.way >= watch.alarm;
    // A copy, as in pass_cells.
    if (any(near)) look_at_lines(world, lanes_where(near), Point(now));
    take_motion(now);
    if (!has_maps(world)) take_place(now);
  }
  /// What pass_lines does for the lanes of this set.
  SCREE_APART HOST_DEVICE void look_at_lines(const World& world, unsigned near, const Point& now) {
    for (int i = 0; i < lanes; ++i) {
      if ((near >> i & 1u) == 0) continue;
      if (lanes > 1 && lane_of(watch.list, i) == 0) {
        // It crosses nothing, but is not to be here in every step.
        const double never = 1e300;
        set_lane(watch.alarm, i, never);
        continue;
      }
      OnePoint end;
      copy_numbers<sizeof(end) / sizeof(double), lanes, 1>(&now, i, &end, 0);
      [[maybe_unused]] double crossings = 0;
      if constexpr (lanes == 1) {
        crossings = detail::look_at_lines(world, taker(), watch, end);
      } else {
        One one;
        copy_numbers<sizeof(one) / sizeof(double), lanes, 1>(&watch, i, &one, 0);
        crossings = detail::look_at_lines(world, taker(), one, end);
        set_lane(watch.alarm, i, one.alarm);
      }
      if constexpr (takes_back) set_lane(watch.crossings, i, lane_of(watch.crossings, i) + crossings);
    }
  }
  HOST_DEVICE Sights sights(const World& world, const Lane& lane, const Point& now) const {
    auto from = watch;
    Sights back{0, 0};
    if constexpr (takes_back) {
      if (now.time < from.at.time) {
        go_back(from, 0);
        back = {1, 1};  // which say so
      }
    }
    Sights most = back;
    if (world.maps.columns > 0.0)
      most.visits += static_cast<std::uint64_t>(abs(world.maps.column_of(now.x) - from.visit.column) +
                                                abs(world.maps.row_of(now.y) - from.visit.row));
    if (from.way + chord_over_ground(from.at, now) >= from.alarm) {
      OnePoint end;
      copy_numbers<sizeof(end) / sizeof(double), lanes, 1>(&now, 0, &end, 0);
      most.crossings += detail::count_crossings(world, from, end);
      // A path that ends at an obstacle may pass other cells and lines than its chord.
      if (obstructs(world) && !has_failed(lane) && detail::meets_something(world, from, end)) {
        const Sights near = detail::sights_before(world, from, end);
        return {back.visits + near.visits, back.crossings + near.crossings};
      }
    }
    return most;
  }
  /// Keeps what the step that begins may have to be undone to.
  ALWAYS_INLINE void begin_step([[maybe_unused]] const World& world) {
    if constexpr (takes_back) {
      auto& begun = watch.begun_at;
      begun.x = watch.at.x;
      begun.y = watch.at.y;
      begun.z = watch.at.z;
      begun.time = watch.at.time;
      watch.visits = watch.crossings = Real(0.0);
      if (has_maps(world)) {
        for (int q = 0; q < count; ++q) begun.quantities[q] = watch.at.quantities[q];
        watch.begun_in = watch.visit;
      }
      if (world.lines.segments > 0.0 || world.forest.areas > 0.0) {
        begun.velocity = watch.at.velocity;
        begun.mass = watch.at.mass;
        begun.rotational_energy = watch.at.rotational_energy;
        begun.rotation_square = watch.at.rotation_square;
      }
    }
  }
  /// Undoes the last step of these lanes.
  SCREE_APART HOST_DEVICE void undo(unsigned taken_back) {
    for (int i = 0; i < lanes; ++i) {
      if ((taken_back >> i & 1u) == 0) continue;
      go_back(watch, i);
      const double visits = lane_of(watch.visits, i), crossings = lane_of(watch.crossings, i);
      if (visits > 0) taker().back(lane_of(watch.list, i), static_cast<std::uint32_t>(visits));
      if (crossings > 0) taker().uncrossed(lane_of(watch.list, i), static_cast<std::uint32_t>(crossings));
    }
  }
  /// To the beginning of the last step of lane i, where lines have not been looked at.
  HOST_DEVICE static void go_back(Watch<Real, count, takes_back>& watch, int i) {
    copy_numbers<sizeof(watch.begun_at) / sizeof(Real), lanes, lanes>(&watch.begun_at, i, &watch.at, i);
    copy_numbers<sizeof(watch.begun_in) / sizeof(Real), lanes, lanes>(&watch.begun_in, i, &watch.visit, i);
    set_lane(watch.alarm, i, lane_of(watch.way, i));
  }
  ALWAYS_INLINE void pass_cells(const MapGrid& grid, const Place& now) {
    const Real column = grid.column_of(now.x), row = grid.row_of(now.y);
    const auto leaves = (column != watch.visit.column) | (row != watch.visit.row);
    // What a call is given by address is kept in memory: a copy, so that it is only where there is a call.
    if (any(leaves)) leave_cells(grid, lanes_where(leaves), {now.x, now.y, now.z, now.time, now.quantities});
    const auto outside = grid.is_outside(column, row) & !leaves;
    if (any(outside)) watch.visit.way_outside = watch.visit.way_outside + select(outside, chord(now), Real(0.0));
  }
  /// What pass_cells does for the lanes of this set, bit i being lane i: only what it needs of them is copied.
  SCREE_APART HOST_DEVICE void leave_cells(const MapGrid& grid, unsigned leaving, const Place& now) {
    for (int i = 0; i < lanes; ++i) {
      if ((leaving >> i & 1u) == 0) continue;
      if (lanes > 1 && lane_of(watch.list, i) == 0) {
        // It has no visits, but is not to be here in every step.
        set_lane(watch.visit.column, i, grid.column_of(lane_of(now.x, i)));
        set_lane(watch.visit.row, i, grid.row_of(lane_of(now.y, i)));
        continue;
      }
      OnePlace at, end;
      OpenVisit<double, count> open;
      copy_numbers<sizeof(at) / sizeof(double), lanes, 1>(&watch.at, i, &at, 0);
      copy_numbers<sizeof(end) / sizeof(double), lanes, 1>(&now, i, &end, 0);
      copy_numbers<sizeof(open) / sizeof(double), lanes, 1>(&watch.visit, i, &open, 0);
      [[maybe_unused]] const double visits = detail::follow(grid, taker(), lane_of(watch.list, i), open, at, end);
      if constexpr (takes_back) set_lane(watch.visits, i, lane_of(watch.visits, i) + visits);
      copy_numbers<sizeof(open) / sizeof(double), 1, lanes>(&open, 0, &watch.visit, i);
    }
  }
  ALWAYS_INLINE Real chord(const Place& now) const {
    const Real dx = now.x - watch.at.x, dy = now.y - watch.at.y, dz = now.z - watch.at.z;
    return sqrt(fma(dx, dx, fma(dy, dy, dz * dz)));
  }
  /// At least the length of the chord over the ground, and at most 1.09 times as much, without a root.
  ALWAYS_INLINE Real chord_over_ground(const Place& now) const { return chord_over_ground(watch.at, now); }
  template <class From>
  ALWAYS_INLINE static Real chord_over_ground(const From& from, const Place& now) {
    const Real dx = abs(now.x - from.x), dy = abs(now.y - from.y);
    return fma(Real(0.4143), smaller(dx, dy), larger(dx, dy));  // sqrt(2) - 1
  }
  ALWAYS_INLINE void take_place(const Place& now) {
    watch.at.x = now.x;
    watch.at.y = now.y;
    watch.at.z = now.z;
    watch.at.time = now.time;
  }
  /// What maps alone need.
  ALWAYS_INLINE void take_quantities(const Place& now) {
    const Real* values = reinterpret_cast<const Real*>(&now.quantities);
    SCREE_UNROLLED
    for (int q = 0; q < count; ++q) watch.at.quantities[q] = values[q];
  }
  /// What lines alone need.
  ALWAYS_INLINE void take_motion(const Point& now) {
    watch.at.velocity = now.velocity;
    watch.at.mass = now.mass;
    watch.at.rotational_energy = now.rotational_energy;
    watch.at.rotation_square = now.rotation_square;
  }
  ALWAYS_INLINE void take(const Point& now) {
    take_place(now);
    take_quantities(now);
    take_motion(now);
  }

  HOST_DEVICE Taker& taker() { return *this; }
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
