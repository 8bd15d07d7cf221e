// Balls on a line between two walls: straight flight, and hits that take no time.
//
//   v1 -= (1 + e) u m2 / (m1 + m2),   v2 += (1 + e) u m1 / (m1 + m2),   u = v1 - v2 > 0                            (1)
//   energy lost  (1 - e^2) m1 m2 / (m1 + m2) u^2 / 2                                                                (2)
//
// which for e = 1 is v' = 2 V - v with the velocity V of the centre of mass. A wall is a ball of infinite mass.
//
// Balls keep their order, so only neighbours meet. The scheme `events` goes from hit to hit, and is exact but for
// rounding: each of the n + 1 gaps (left wall, n - 1 pairs, right wall) has the time at which it closes next, in O(1);
// a hit changes its own and the two beside it. Of hits at the same time the leftmost comes first. A gap that has just
// closed opens, and cannot close again before one beside it has, so it is left out. Equal masses with e = 1 exchange
// their velocities, exactly.
//
// With restitution below 1 balls may collapse: hit each other infinitely often in a finite time. A hit of bodies each
// of which was hit less than guard_time ago therefore takes no energy; `guarded_hits` counts them. What still has more
// than most_hits_in_a_step ends as `not_converged`.
//
// The scheme `overlap` is the loop of the laboratory text, to compare with: all balls move by h v; then balls beyond a
// wall turn, and balls that overlap exchange velocities, from left to right. Each hit comes up to h late, which leaves
// an error of order v h in the places. The text's loop lacks the test whether they approach, which may glue a ball to a
// wall when a pair exchanges in the same step; that test is made here.
//
// Where a sample lies: 6 numbers per ball, of a run's own capacity of 4, 16 or 64 balls, and some 20 more. They are
// indexed by the gap that closes, which no register file can be, so on a GPU a sample in flight is in the local memory
// of its thread (0.5, 2.2 and 7.5 kB on sm_80), which is interleaved by thread, that is by sample.
//
// Source: the laboratory text, eq (1.9) and the part on three balls.
#pragma once

#include <limits>

#include "../integrate.hpp"
#include "../steppers/hard_hits.hpp"
#include "balls/table.hpp"

namespace scree {

template <class Real, int most>
struct BallsOf {
  using Capacities = BallsCapacities;
  template <int n>
  struct Sized {
    template <class R>
    using System = BallsOf<R, n>;
  };
  static constexpr bool packs = false;  // samples have their hits at different times

  using Schemes = SchemeList<HitByHit, OverlapSteps>;
  using Params = BallsParams<Real>;
  using Start = BallsStart<Real>;
  using Summary = BallsSummary<Real>;
  using Track = BallsTrack<Real>;

  template <class Table>
  static void describe(Table& table) {
    describe_balls<Real>(table);
  }
  static int bodies(const Params& params) { return highest(params.balls); }

  static Mistake mistake(const World&, const SampleOf<BallsParams<double>, BallsStart<double>>& sample) {
    const BallsParams<double>& p = sample.params;
    const auto& x = sample.start.position;
    const int n = highest(p.balls);
    if (p.even_placement != 0 && p.even_placement != 1) return "even_placement must be 0 or 1";
    if (!(p.left < p.right)) return "left must be less than right";
    if (!(even_gap(p) > 0))
      return {"radius: the balls do not fit between the walls, which are apart by", p.right - p.left, "m"};
    if (p.even_placement == 1) {
      for (int i = 0; i < n; ++i)
        if (x[i] != 0) return "start.position has no use where placement is even: set balls.placement = \"given\"";
      return nullptr;
    }
    if (x[0] - p.radius[0] < p.left) return "start.position: the first ball reaches beyond the left wall";
    if (x[n - 1] + p.radius[n - 1] > p.right) return "start.position: the last ball reaches beyond the right wall";
    for (int i = 1; i < n; ++i) {
      if (x[i] < x[i - 1]) return "start.position: the balls must be given from left to right";
      if (x[i] - x[i - 1] < p.radius[i] + p.radius[i - 1]) return "start.position: two balls overlap";
    }
    return nullptr;
  }

  struct Lane {
    Real count, left, right, restitution, wall_restitution, guard_time;
    List<Real, most> position, velocity, since;  // position at the time `since`, that of the last hit
    List<Real, most> radius, mass;
    List<Real, most + 1> closes;  // time at which gap k, left of ball k, closes next
    Real now;                     // time reached
    // the record
    Real pair_hits, wall_hits, guarded_hits, hits_most, first_hit;
    Real path, v_square;  // integrals over time, summed over balls: |v|, v^2
    Real left_impulse, right_impulse, lost, speed_max, overlap_max;
    Real energy_start;
    Real steps, contacts, status;
  };

  /// Width of each gap if all are equal, m.
  HOST_DEVICE static Real even_gap(const Params& p) {
    Real open = p.right - p.left;
    for (int i = 0; i < highest(p.balls); ++i) open = open - (p.radius[i] + p.radius[i]);
    return open / (p.balls + Real(1.0));
  }

  HOST_DEVICE static Lane prepare(const World&, const SampleOf<Params, Start>& sample) {
    const Params& p = sample.params;
    Lane lane{};
    lane.count = p.balls;
    lane.left = p.left;
    lane.right = p.right;
    lane.restitution = p.restitution;
    lane.wall_restitution = p.wall_restitution;
    lane.guard_time = p.guard_time;
    lane.first_hit = Real(std::numeric_limits<double>::quiet_NaN());
    lane.status = Real(running);
    const int n = highest(lane.count);
    const bool even = any(p.even_placement > Real(0.0));
    const Real gap = even_gap(p);
    Real edge = p.left;  // right of the last ball placed
    SCREE_ROLLED
    for (int i = 0; i < n; ++i) {
      const Real at = edge + gap + p.radius[i];
      edge = at + p.radius[i];
      lane.position[i] = even ? at : sample.start.position[i];
      lane.velocity[i] = sample.start.velocity[i];
      lane.radius[i] = p.radius[i];
      lane.mass[i] = p.mass[i];
      lane.speed_max = larger(abs(lane.velocity[i]), lane.speed_max);
    }
    lane.energy_start = energy(lane);
    SCREE_ROLLED
    for (int k = 0; k <= n; ++k) look_ahead(lane, k);
    return lane;
  }

  /// Kinetic energy, J.
  HOST_DEVICE static Real energy(const Lane& lane) {
    Real sum = Real(0.0);
    SCREE_ROLLED
    for (int i = 0; i < highest(lane.count); ++i) sum = fma(lane.mass[i] * lane.velocity[i], lane.velocity[i], sum);
    return Real(0.5) * sum;
  }
  /// Centre of ball i now, m.
  HOST_DEVICE static Real place(const Lane& lane, int i) {
    return fma(lane.velocity[i], lane.now - lane.since[i], lane.position[i]);
  }
  /// Time reached, s; that of the last hit where a sample was given up.
  HOST_DEVICE static Real time(const World&, const Lane& lane) { return lane.now; }

  /// The gap that closes first; lane.closes says when.
  HOST_DEVICE static int next_to_close(const Lane& lane) {
    int first = 0;
    SCREE_ROLLED
    for (int k = 1; k <= highest(lane.count); ++k)
      if (any(lane.closes[k] < lane.closes[first])) first = k;
    return first;
  }
  /// Gap k closes: a hit of balls k - 1 and k, or of the first or last ball and its wall.
  HOST_DEVICE static void take_hit(Lane& lane, int k) {
    const int n = highest(lane.count);
    lane.now = lane.closes[k];
    const bool at_wall = k == 0 || k == n;
    Real e = at_wall ? lane.wall_restitution : lane.restitution;
    if (any(e < Real(1.0)) && (k == 0 || was_just_hit(lane, k - 1)) && (k == n || was_just_hit(lane, k))) {
      e = Real(1.0);
      lane.guarded_hits = lane.guarded_hits + Real(1.0);
    }
    if (k > 0) fly(lane, k - 1, lane.now);
    if (k < n) fly(lane, k, lane.now);
    if (at_wall)
      hit_wall(lane, k, e);
    else
      hit_pair(lane, k, e);
    lane.closes[k] = Real(std::numeric_limits<double>::infinity());
    if (k > 0) look_ahead(lane, k - 1);
    if (k < n) look_ahead(lane, k + 1);
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
    const Real zero = Real(0.0), one = Real(1.0), none = Real(std::numeric_limits<double>::quiet_NaN());
    const auto quotient = [&](const Real& a, const Real& b) {
      return select(b > zero, a / select(b > zero, b, one), none);
    };
    const int last = highest(lane.count) - 1;
    Real momentum = zero, moment = zero, mass = zero;
    SCREE_ROLLED
    for (int i = 0; i <= last; ++i) {
      momentum = fma(lane.mass[i], lane.velocity[i], momentum);
      moment = fma(lane.mass[i], place(lane, i), moment);
      mass = mass + lane.mass[i];
    }
    Summary c;
    c.pair_hits = lane.pair_hits;
    c.wall_hits = lane.wall_hits;
    c.guarded_hits = lane.guarded_hits;
    c.hits_most = lane.hits_most;
    c.first_hit = lane.first_hit;
    c.left_impulse = lane.left_impulse;
    c.right_impulse = lane.right_impulse;
    c.speed_mean = quotient(lane.path, lane.count * lane.now);
    c.speed_max = lane.speed_max;
    c.v_square = quotient(lane.v_square, lane.count * lane.now);
    c.energy_start = lane.energy_start;
    c.energy_end = energy(lane);
    c.energy_change = quotient(c.energy_end - c.energy_start, c.energy_start);
    c.energy_error = quotient((c.energy_end - c.energy_start) + lane.lost, c.energy_start);
    c.momentum = momentum;
    c.centre = moment / mass;
    c.overlap_max = lane.overlap_max;
    c.x_first = place(lane, 0);
    c.x_last = place(lane, last);
    c.v_first = lane.velocity[0];
    c.v_last = lane.velocity[last];
    c.time = lane.now;
    return c;
  }

  HOST_DEVICE static Track track(const World&, const Lane& lane) {
    Track row{};
    row.energy = energy(lane);
    row.pair_hits = lane.pair_hits;
    row.wall_hits = lane.wall_hits;
    for (int i = 0; i < highest(lane.count); ++i) {
      row.x[i] = place(lane, i);
      row.v[i] = lane.velocity[i];
    }
    return row;
  }

 private:
  /// Moves ball i to where it is at `until`, and adds its flight to the record.
  HOST_DEVICE static void fly(Lane& lane, int i, const Real& until) {
    const Real v = lane.velocity[i], flown = until - lane.since[i];
    lane.position[i] = fma(v, flown, lane.position[i]);
    lane.since[i] = until;
    record_flight(lane, v, flown);
  }
  HOST_DEVICE static void record_flight(Lane& lane, const Real& v, const Real& flown) {
    lane.path = fma(abs(v), flown, lane.path);
    lane.v_square = fma(v * v, flown, lane.v_square);
  }

  /// Width of gap k now, m, and the speed at which it closes.
  HOST_DEVICE static Real gap(const Lane& lane, int k) {
    if (k == 0) return (place(lane, 0) - lane.left) - lane.radius[0];
    const Real x = place(lane, k - 1), r = lane.radius[k - 1];
    if (k == highest(lane.count)) return (lane.right - x) - r;
    return (place(lane, k) - x) - (r + lane.radius[k]);
  }
  HOST_DEVICE static Real closing(const Lane& lane, int k) {
    const Real zero = Real(0.0);
    return (k > 0 ? lane.velocity[k - 1] : zero) - (k < highest(lane.count) ? lane.velocity[k] : zero);
  }
  /// When gap k closes next, from now on.
  HOST_DEVICE static void look_ahead(Lane& lane, int k) {
    const Real zero = Real(0.0), speed = closing(lane, k);
    lane.closes[k] = any(speed > zero) ? lane.now + larger(gap(lane, k) / speed, zero)
                                       : Real(std::numeric_limits<double>::infinity());
  }

  /// All hits up to `until`.
  HOST_DEVICE static void fly_until(Lane& lane, const Real& until) {
    take_hits(
        lane, until, [](const Lane& l) { return next_to_close(l); }, [](const Lane& l, int i) { return l.closes[i]; },
        [](Lane& l, int i) { take_hit(l, i); });
  }

  /// A ball that was never hit has flown since the time 0; one hit at that very time counts with those.
  HOST_DEVICE static bool was_just_hit(const Lane& lane, int i) {
    return any((lane.since[i] > Real(0.0)) & (lane.now - lane.since[i] < lane.guard_time));
  }

  /// Equation (1), of balls k - 1 and k.
  HOST_DEVICE static void hit_pair(Lane& lane, int k, const Real& e) {
    const Real one = Real(1.0), m1 = lane.mass[k - 1], m2 = lane.mass[k];
    Real &v1 = lane.velocity[k - 1], &v2 = lane.velocity[k];
    const Real u = v1 - v2, share1 = m2 / (m1 + m2), share2 = m1 / (m1 + m2), change = (one + e) * u;
    lane.lost = fma(Real(0.5) * fma(-e, e, one) * (m1 * share1) * u, u, lane.lost);
    const Mask<Real> swap = (m1 == m2) & (e == one);
    const Real after1 = select(swap, v2, fma(-change, share1, v1)), after2 = select(swap, v1, fma(change, share2, v2));
    v1 = after1;
    v2 = after2;
    lane.pair_hits = lane.pair_hits + one;
    lane.first_hit = select(lane.first_hit == lane.first_hit, lane.first_hit, lane.now);
    lane.speed_max = larger(larger(abs(v1), abs(v2)), lane.speed_max);
    lane.overlap_max = larger(-gap(lane, k), lane.overlap_max);
  }
  /// Of the first ball and the left wall (k = 0), or the last and the right one.
  HOST_DEVICE static void hit_wall(Lane& lane, int k, const Real& e) {
    const Real one = Real(1.0);
    const int i = k == 0 ? 0 : k - 1;
    Real& v = lane.velocity[i];
    Real& impulse = k == 0 ? lane.left_impulse : lane.right_impulse;
    impulse = fma(lane.mass[i] * (one + e), abs(v), impulse);
    lane.lost = fma(Real(0.5) * fma(-e, e, one) * lane.mass[i] * v, v, lane.lost);
    v = -(e * v);
    lane.wall_hits = lane.wall_hits + one;
    lane.overlap_max = larger(-gap(lane, k), lane.overlap_max);
  }

  /// One pass of the laboratory text's loop; its sums are not fused.
  HOST_DEVICE static void overlap_step(Lane& lane, const Real& h) {
    const Real zero = Real(0.0);
    const int n = highest(lane.count);
    lane.now = h * (lane.steps + Real(1.0));
    SCREE_ROLLED
    for (int i = 0; i < n; ++i) {
      lane.position[i] = lane.position[i] + lane.velocity[i] * h;
      lane.since[i] = lane.now;
      record_flight(lane, lane.velocity[i], h);
    }
    const auto rebounds = [&](int k) { return any((gap(lane, k) < zero) & (closing(lane, k) > zero)); };
    if (rebounds(0)) hit_wall(lane, 0, lane.wall_restitution);
    if (rebounds(n)) hit_wall(lane, n, lane.wall_restitution);
    SCREE_ROLLED
    for (int k = 1; k < n; ++k)
      if (rebounds(k)) hit_pair(lane, k, lane.restitution);
  }
};

template <class Real>
using Balls = BallsOf<Real, most_balls>;

}  // namespace scree
