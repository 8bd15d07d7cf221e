// Hard discs in a box or a circle: straight flight, and hits that take no time.
//
// The scheme `events` goes from hit to hit, and is exact but for rounding. Each disc keeps its place at the time of its
// own last hit, and the time of its next one with whom it will be; after a hit only the discs it touched, and those
// that were to meet one of them, look for their next hits anew, in O(n). Of hits at the same time that of the disc with
// the lower index comes first, and of its partners that with the lower index, the wall last. Two discs that have just
// hit each other cannot meet again before one of them has met something else, so that pair is left out. A step is the
// time between two observations.
//
// With restitution below 1 discs may collapse: hit each other infinitely often in a finite time. A hit of bodies each
// of which was hit less than guard_time ago therefore takes no energy; `guarded_hits` counts them. What still has more
// than most_hits_in_a_step, as a disc that slides along a round wall, ends as `not_converged`.
//
// The scheme `overlap` is that of the laboratory text, to compare with: all discs move by h v; then discs beyond the
// wall and, pair by pair, discs that overlap rebound if they approach. Each hit makes an error of order h in the
// places, which grows with every further hit. The normal of two discs is (d_x / s, +-sqrt(1 - d_x^2 / s^2)) with s =
// r_i + r_j in place of |d| < s: a unit vector, so with restitution 1 the energy is kept to rounding and says nothing
// of all this, but bent away from the line of centres. Nothing is done about the overlap itself, nor about hits within
// the step. The text also reverses pairs that are already parting, which can hold a pair together; here only
// approaching pairs rebound.
//
// Where a sample lies: 10 numbers per disc, of a run's own capacity of 4, 16 or 64 discs, and some 30 more. They are
// indexed by the disc that is hit, which no register file can be, so on a GPU a sample in flight is in the local memory
// of its thread (0.7, 2.6 and 10.7 kB on sm_80), which is interleaved by thread, that is by sample.
//
// Sources: Alder and Wainwright, J. Chem. Phys. 31 (1959) 459 (from hit to hit); Luding and McNamara, Granular Matter 1
// (1998) 113 (guard time, there of one body, here of both); the laboratory text, eqs (1.13), (1.14).
#pragma once

#include <limits>

#include "../integrate.hpp"
#include "../placement.hpp"
#include "../steppers/hard_hits.hpp"
#include "hard_discs/hits.hpp"
#include "hard_discs/table.hpp"

namespace scree {

template <class Real, int most>
struct HardDiscsOf {
  using Capacities = HardDiscsCapacities;
  template <int n>
  struct Sized {
    template <class R>
    using System = HardDiscsOf<R, n>;
  };
  static constexpr bool packs = false;  // samples have their hits at different times

  using Schemes = SchemeList<HitByHit, OverlapSteps>;
  using Params = HardDiscsParams<Real>;
  using Start = HardDiscsStart<Real>;
  using Summary = HardDiscsSummary<Real>;
  using Track = HardDiscsTrack<Real>;

  template <class Table>
  static void describe(Table& table) {
    describe_hard_discs<Real>(table);
  }
  static int bodies(const Params& params) { return highest(params.discs); }

  static Mistake mistake(const World&, const SampleOf<HardDiscsParams<double>, HardDiscsStart<double>>& sample) {
    const HardDiscsParams<double>& p = sample.params;
    const int n = highest(p.discs);
    if (p.circle != 0 && p.circle != 1) return "circle must be 0 or 1";
    if (p.random_placement != 0 && p.random_placement != 1) return "random_placement must be 0 or 1";
    const Enclosure<double> enclosure{p.circle, p.wall_radius, 0.5 * p.width, 0.5 * p.height};
    const double gap = p.random_placement * p.gap;
    const Placement possible = possible_placement(n, p.radius.at, enclosure, gap);
    if (possible == Placement::disc_too_large) {
      const bool by_gap = possible_placement(n, p.radius.at, enclosure, 0.0) != Placement::disc_too_large;
      if (p.circle == 1)
        return {by_gap ? "gap: it leaves a disc no room to move in the circle of wall_radius"
                       : "radius: a disc has no room to move in the circle of wall_radius",
                p.wall_radius, "m"};
      return {by_gap ? "gap: it leaves a disc no room to move in the box, whose lesser side is"
                     : "radius: a disc has no room to move in the box, whose lesser side is",
              p.width < p.height ? p.width : p.height, "m"};
    }
    const Vec2<double>* at = sample.start.position.at;
    if (p.random_placement == 1) {
      for (int i = 0; i < n; ++i)
        if (at[i].x != 0 || at[i].y != 0)
          return "start.position has no use where placement is random: set hard_discs.placement = \"given\"";
      if (possible == Placement::too_dense)
        return "radius: the discs are too dense for random places, which equal discs find up to a covered fraction of "
               "0.547";
      // A sample without luck is counted as not_placed; where eight have none, hardly one will.
      if (sample.draws.sample != 0) return nullptr;
      Vec2<double> place[most_hard_discs];
      for (std::uint64_t attempt = 0; attempt < 8; ++attempt) {
        DrawStream draws{sample.draws.seed, attempt, sample.draws.next};
        if (place_discs(draws, n, p.radius.at, enclosure, p.gap, place)) return nullptr;
      }
      return "radius: no random places without overlap were found in eight attempts";
    }
    for (int i = 0; i < n; ++i)
      if (!inside_enclosure(enclosure, at[i], p.radius[i])) return "start.position: a disc reaches beyond the wall";
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) {
        const double dx = at[i].x - at[j].x, dy = at[i].y - at[j].y, reach = p.radius[i] + p.radius[j];
        if (fma(dx, dx, dy * dy) < reach * reach) return "start.position: two discs overlap";
      }
    return nullptr;
  }

  struct Lane {
    Real count;
    Enclosure<Real> enclosure;
    Real restitution, wall_restitution, guard_time;
    List<Vec2<Real>, most> position, velocity;  // position at the time `since`, that of the last hit
    List<Real, most> radius, mass, since;
    List<Real, most> next, partner;  // time of the next hit, and with whom: a disc or one of the walls below
    List<Real, most> last;           // whom it hit last
    Real now;                        // time reached
    // the record
    Real pair_hits, wall_hits, guarded_hits, hits_most, first_hit;
    Real path, vx_square, vy_square, fourth;  // integrals over time, summed over discs: |v|, vx^2, vy^2, |v|^4
    Real wall_impulse, lost, speed_square_max, overlap_max;
    Real energy_start, angular_momentum_start;
    Real steps, contacts, status;
  };

  HOST_DEVICE static Lane prepare(const World&, const SampleOf<Params, Start>& sample) {
    const Params& p = sample.params;
    const Real zero = Real(0.0), half = Real(0.5);
    Lane lane{};
    lane.count = p.discs;
    lane.enclosure = {p.circle, p.wall_radius, half * p.width, half * p.height};
    lane.restitution = p.restitution;
    lane.wall_restitution = p.wall_restitution;
    lane.guard_time = p.guard_time;
    lane.first_hit = Real(std::numeric_limits<double>::quiet_NaN());
    lane.status = Real(running);
    const int n = highest(lane.count);
    SCREE_ROLLED
    for (int i = 0; i < n; ++i) {
      lane.position[i] = sample.start.position[i];
      lane.velocity[i] = sample.start.velocity[i];
      lane.radius[i] = p.radius[i];
      lane.mass[i] = p.mass[i];
      lane.last[i] = lane.partner[i] = Real(nobody);
      lane.speed_square_max = larger(speed_square(lane, i), lane.speed_square_max);
    }
    if (any(p.random_placement > zero)) {
      DrawStream draws = sample.draws;
      if (!place_discs(draws, n, lane.radius.at, lane.enclosure, p.gap, lane.position.at)) {
        lane.status = Real(static_cast<double>(Status::not_placed));
        return lane;
      }
    }
    lane.energy_start = energy(lane);
    lane.angular_momentum_start = angular_momentum(lane);
    SCREE_ROLLED
    for (int i = 0; i < n; ++i) lane.next[i] = never<Real>();
    SCREE_ROLLED
    for (int i = 0; i < n; ++i) look_ahead(lane, i);
    return lane;
  }

  /// Kinetic energy, J.
  HOST_DEVICE static Real energy(const Lane& lane) {
    Real sum = Real(0.0);
    SCREE_ROLLED
    for (int i = 0; i < highest(lane.count); ++i) sum = fma(lane.mass[i], speed_square(lane, i), sum);
    return Real(0.5) * sum;
  }
  /// Of the centres about the origin, kg m^2/s.
  HOST_DEVICE static Real angular_momentum(const Lane& lane) {
    Real sum = Real(0.0);
    SCREE_ROLLED
    for (int i = 0; i < highest(lane.count); ++i) {
      const Vec2<Real> x = place(lane, i), v = lane.velocity[i];
      sum = fma(lane.mass[i], difference_of_products(x.x, v.y, x.y, v.x), sum);
    }
    return sum;
  }
  HOST_DEVICE static Vec2<Real> momentum(const Lane& lane) {
    Vec2<Real> sum{Real(0.0), Real(0.0)};
    SCREE_ROLLED
    for (int i = 0; i < highest(lane.count); ++i)
      sum = {fma(lane.mass[i], lane.velocity[i].x, sum.x), fma(lane.mass[i], lane.velocity[i].y, sum.y)};
    return sum;
  }
  /// Centre of disc i now, m.
  HOST_DEVICE static Vec2<Real> place(const Lane& lane, int i) {
    const Real flown = lane.now - lane.since[i];
    return {fma(lane.velocity[i].x, flown, lane.position[i].x), fma(lane.velocity[i].y, flown, lane.position[i].y)};
  }
  /// Time reached, s; that of the last hit where a sample was given up.
  HOST_DEVICE static Real time(const World&, const Lane& lane) { return lane.now; }

  /// The disc whose hit comes first; lane.next says when, and lane.partner with whom.
  HOST_DEVICE static int next_to_hit(const Lane& lane) {
    int first = 0;
    SCREE_ROLLED
    for (int i = 1; i < highest(lane.count); ++i)
      if (any(lane.next[i] < lane.next[first])) first = i;
    return first;
  }
  /// The next hit of disc i happens.
  HOST_DEVICE static void take_hit(Lane& lane, int i) {
    const Real with = lane.partner[i];
    const bool is_pair = any(with >= Real(0.0));
    const int j = is_pair ? highest(with) : i;
    lane.now = lane.next[i];
    const bool guarded = was_just_hit(lane, i) && was_just_hit(lane, j);
    fly(lane, i, lane.now);
    if (is_pair) {
      fly(lane, j, lane.now);
      const Vec2<Real>&x = lane.position[i], &y = lane.position[j];
      const Vec2<Real> d{x.x - y.x, x.y - y.y};
      const Real apart = sqrt(fma(d.x, d.x, d.y * d.y));
      lane.overlap_max = larger(lane.radius[i] + lane.radius[j] - apart, lane.overlap_max);
      hit_pair(lane, i, j, {d.x / apart, d.y / apart}, restitution(lane, lane.restitution, guarded));
      lane.last[j] = Real(static_cast<double>(i));
    } else {
      const Real e = restitution(lane, lane.wall_restitution, guarded);
      if (any(with == Real(round_wall)))
        hit_round_wall(lane, i, e);
      else
        hit_flat_wall(lane, i, e, any(with == Real(left_or_right)));
    }
    lane.last[i] = with;
    const Real first = Real(static_cast<double>(i)), second = Real(static_cast<double>(j));
    SCREE_ROLLED
    for (int k = 0; k < highest(lane.count); ++k)
      if (k == i || k == j || any((lane.partner[k] == first) | (lane.partner[k] == second))) look_ahead(lane, k);
  }

  template <class Scheme>
  HOST_DEVICE static void begin(const World& world, Lane& lane) {
    const Real before = lane.pair_hits + lane.wall_hits;
    if constexpr (std::is_same_v<Scheme, HitByHit>) {
      fly_until(lane, Real(world.step) * (lane.steps + Real(1.0)));
    } else {
      overlap_step(lane, Real(world.step));
    }
    lane.hits_most = larger(lane.pair_hits + lane.wall_hits - before, lane.hits_most);
  }

  template <class Scheme>
  HOST_DEVICE static void finish(const World& world, Lane& lane) {
    lane.steps = lane.steps + Real(1.0);
    const Mask<Real> over = time_is_up(world, lane.steps);
    if (!any(over | (lane.status != Real(running)))) return;
    SCREE_ROLLED
    for (int i = 0; i < highest(lane.count); ++i) fly(lane, i, lane.now);
    end_where<Real>(lane, Status::diverged, !bounded(energy(lane)));
    end_where<Real>(lane, Status::end_time, over);
  }

  HOST_DEVICE static Summary summarize(const World&, const Lane& lane) {
    const Real zero = Real(0.0), one = Real(1.0), two = Real(2.0);
    const Real none = Real(std::numeric_limits<double>::quiet_NaN());
    const auto quotient = [&](const Real& a, const Real& b) {
      return select(b > zero, a / select(b > zero, b, one), none);
    };
    const Enclosure<Real>& e = lane.enclosure;
    const Real wall = select(e.circle > Real(0.5), Real(2 * 3.14159265358979323846) * e.radius,
                             Real(4.0) * (e.half_width + e.half_height));
    const Real disc_time = lane.count * lane.now, square = lane.vx_square + lane.vy_square;
    const Vec2<Real> sum = momentum(lane), first = place(lane, 0);
    Summary c;
    c.pair_hits = lane.pair_hits;
    c.wall_hits = lane.wall_hits;
    c.guarded_hits = lane.guarded_hits;
    c.hits_most = lane.hits_most;
    c.first_hit = lane.first_hit;
    c.mean_free_path = quotient(lane.path, two * lane.pair_hits);
    c.pair_rate = quotient(lane.pair_hits, lane.now);
    c.wall_rate = quotient(lane.wall_hits, lane.now);
    c.wall_impulse = lane.wall_impulse;
    c.pressure = quotient(lane.wall_impulse, lane.now * wall);
    c.speed_mean = quotient(lane.path, disc_time);
    c.speed_max = sqrt(lane.speed_square_max);
    c.vx_square = quotient(lane.vx_square, disc_time);
    c.vy_square = quotient(lane.vy_square, disc_time);
    c.flatness = quotient(lane.fourth * disc_time, square * square);
    c.energy_start = lane.energy_start;
    c.energy_end = energy(lane);
    c.energy_change = quotient(c.energy_end - c.energy_start, c.energy_start);
    c.energy_error = quotient((c.energy_end - c.energy_start) + lane.lost, c.energy_start);
    c.momentum_x = sum.x;
    c.momentum_y = sum.y;
    c.angular_momentum = angular_momentum(lane);
    c.angular_momentum_change = c.angular_momentum - lane.angular_momentum_start;
    c.overlap_max = lane.overlap_max;
    c.x0 = first.x;
    c.y0 = first.y;
    c.speed0 = sqrt(speed_square(lane, 0));
    c.time = lane.now;
    return c;
  }

  HOST_DEVICE static Track track(const World&, const Lane& lane) {
    Track row{};
    row.energy = energy(lane);
    row.pair_hits = lane.pair_hits;
    row.wall_hits = lane.wall_hits;
    for (int i = 0; i < highest(lane.count); ++i) {
      const Vec2<Real> x = place(lane, i);
      row.x[i] = x.x;
      row.y[i] = x.y;
      row.vx[i] = lane.velocity[i].x;
      row.vy[i] = lane.velocity[i].y;
    }
    return row;
  }

 private:
  /// Whom a disc meets that meets no disc.
  static constexpr double left_or_right = -1, below_or_above = -2, round_wall = -3, nobody = -4;

  HOST_DEVICE static bool is_round(const Lane& lane) { return any(lane.enclosure.circle > Real(0.5)); }
  HOST_DEVICE static Real speed_square(const Lane& lane, int i) {
    const Vec2<Real>& v = lane.velocity[i];
    return fma(v.x, v.x, v.y * v.y);
  }

  /// Moves disc i to where it is at `until`, and adds its flight to the record.
  HOST_DEVICE static void fly(Lane& lane, int i, const Real& until) {
    const Vec2<Real>& v = lane.velocity[i];
    Vec2<Real>& x = lane.position[i];
    const Real flown = until - lane.since[i], square = speed_square(lane, i);
    x = {fma(v.x, flown, x.x), fma(v.y, flown, x.y)};
    lane.since[i] = until;
    lane.path = fma(sqrt(square), flown, lane.path);
    lane.vx_square = fma(v.x * v.x, flown, lane.vx_square);
    lane.vy_square = fma(v.y * v.y, flown, lane.vy_square);
    lane.fourth = fma(square * square, flown, lane.fourth);
  }

  /// The next hit of disc i, from now on. Tells its partner, if that has none before.
  HOST_DEVICE static void look_ahead(Lane& lane, int i) {
    const Vec2<Real> x = place(lane, i), v = lane.velocity[i];
    Real soonest = never<Real>(), with = Real(nobody);
    const auto consider = [&](const Real& after, const Real& whom) {
      if (!any(after < soonest)) return;
      soonest = after;
      with = whom;
    };
    SCREE_ROLLED
    for (int j = 0; j < highest(lane.count); ++j) {
      if (j == i) continue;
      const Real index = Real(static_cast<double>(j));
      if (any((lane.last[i] == index) & (lane.last[j] == Real(static_cast<double>(i))))) continue;
      const Vec2<Real> other = place(lane, j), u = lane.velocity[j];
      consider(
          time_to_meet<Real>({x.x - other.x, x.y - other.y}, {v.x - u.x, v.y - u.y}, lane.radius[i] + lane.radius[j]),
          index);
    }
    const Enclosure<Real>& e = lane.enclosure;
    const Real r = lane.radius[i];
    if (is_round(lane)) {
      consider(time_to_circle(x, v, e.radius - r), Real(round_wall));
    } else {
      consider(time_to_side(x.x, v.x, e.half_width - r), Real(left_or_right));
      consider(time_to_side(x.y, v.y, e.half_height - r), Real(below_or_above));
    }
    lane.next[i] = lane.now + soonest;
    lane.partner[i] = with;
    if (!any(with >= Real(0.0))) return;
    const int j = highest(with);
    if (!any(lane.next[i] < lane.next[j])) return;
    lane.next[j] = lane.next[i];
    lane.partner[j] = Real(static_cast<double>(i));
  }

  /// All hits up to `until`.
  HOST_DEVICE static void fly_until(Lane& lane, const Real& until) {
    take_hits(
        lane, until, [](const Lane& l) { return next_to_hit(l); }, [](const Lane& l, int i) { return l.next[i]; },
        [](Lane& l, int i) { take_hit(l, i); });
  }

  HOST_DEVICE static bool was_just_hit(const Lane& lane, int i) {
    return any((lane.last[i] != Real(nobody)) & (lane.now - lane.since[i] < lane.guard_time));
  }
  HOST_DEVICE static Real restitution(Lane& lane, const Real& usual, bool guarded) {
    if (!guarded || any(usual == Real(1.0))) return usual;
    lane.guarded_hits = lane.guarded_hits + Real(1.0);
    return Real(1.0);
  }

  HOST_DEVICE static void hit_pair(Lane& lane, int i, int j, const Vec2<Real>& normal, const Real& e) {
    const DiscHit<Real> hit = hit_discs(lane.velocity[i], lane.velocity[j], lane.mass[i], lane.mass[j], normal, e);
    lane.velocity[i] = hit.velocity1;
    lane.velocity[j] = hit.velocity2;
    lane.lost = lane.lost + hit.lost;
    lane.pair_hits = lane.pair_hits + Real(1.0);
    lane.first_hit = select(lane.first_hit == lane.first_hit, lane.first_hit, lane.now);
    lane.speed_square_max = larger(speed_square(lane, i), lane.speed_square_max);
    lane.speed_square_max = larger(speed_square(lane, j), lane.speed_square_max);
  }
  /// The record of a hit on the wall with the normal speed `speed` > 0.
  HOST_DEVICE static void record_wall(Lane& lane, int i, const Real& speed, const Real& e, const Real& beyond) {
    const Real one = Real(1.0), mass = lane.mass[i];
    lane.wall_hits = lane.wall_hits + one;
    lane.wall_impulse = fma(mass * (one + e), speed, lane.wall_impulse);
    lane.lost = fma(Real(0.5) * mass * fma(-e, e, one) * speed, speed, lane.lost);
    lane.overlap_max = larger(beyond, lane.overlap_max);
  }
  HOST_DEVICE static void hit_flat_wall(Lane& lane, int i, const Real& e, bool along_x) {
    Real& v = along_x ? lane.velocity[i].x : lane.velocity[i].y;
    const Real x = along_x ? lane.position[i].x : lane.position[i].y;
    const Real half = along_x ? lane.enclosure.half_width : lane.enclosure.half_height;
    record_wall(lane, i, abs(v), e, abs(x) + lane.radius[i] - half);
    v = -(e * v);
  }
  HOST_DEVICE static void hit_round_wall(Lane& lane, int i, const Real& e) {
    const Vec2<Real> x = lane.position[i];
    Vec2<Real>& v = lane.velocity[i];
    const Real away = sqrt(fma(x.x, x.x, x.y * x.y));
    const Vec2<Real> normal{x.x / away, x.y / away};
    const Real speed = fma(v.x, normal.x, v.y * normal.y), change = (Real(1.0) + e) * speed;
    record_wall(lane, i, speed, e, away + lane.radius[i] - lane.enclosure.radius);
    v = {fma(-change, normal.x, v.x), fma(-change, normal.y, v.y)};
  }

  /// One step of the laboratory text.
  HOST_DEVICE static void overlap_step(Lane& lane, const Real& h) {
    const Real zero = Real(0.0), one = Real(1.0);
    const int n = highest(lane.count);
    lane.now = h * (lane.steps + one);
    SCREE_ROLLED
    for (int i = 0; i < n; ++i) fly(lane, i, lane.now);
    const Enclosure<Real>& e = lane.enclosure;
    SCREE_ROLLED
    for (int i = 0; i < n; ++i) {
      const Vec2<Real> x = lane.position[i], v = lane.velocity[i];
      const Real r = lane.radius[i];
      if (is_round(lane)) {
        const Real room = e.radius - r;
        if (any((fma(x.x, x.x, x.y * x.y) > room * room) & (fma(x.x, v.x, x.y * v.y) > zero)))
          hit_round_wall(lane, i, lane.wall_restitution);
      } else {
        if (any((abs(x.x) > e.half_width - r) & (x.x * v.x > zero)))
          hit_flat_wall(lane, i, lane.wall_restitution, true);
        if (any((abs(x.y) > e.half_height - r) & (x.y * v.y > zero)))
          hit_flat_wall(lane, i, lane.wall_restitution, false);
      }
    }
    SCREE_ROLLED
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) {
        const Vec2<Real>&x = lane.position[i], &y = lane.position[j], &v = lane.velocity[i], &u = lane.velocity[j];
        const Vec2<Real> d{x.x - y.x, x.y - y.y};
        const Real reach = lane.radius[i] + lane.radius[j], square = fma(d.x, d.x, d.y * d.y);
        if (!any(square < reach * reach)) continue;
        const Real along = d.x / reach;
        const Vec2<Real> normal{along, copysign(sqrt(fma(-along, along, one)), d.y)};
        if (!any(fma(v.x - u.x, normal.x, (v.y - u.y) * normal.y) < zero)) continue;
        lane.overlap_max = larger(reach - sqrt(square), lane.overlap_max);
        hit_pair(lane, i, j, normal, lane.restitution);
      }
  }
};

template <class Real>
using HardDiscs = HardDiscsOf<Real, most_hard_discs>;

}  // namespace scree
