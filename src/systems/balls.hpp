// Balls on a line between two walls: straight flight, and hits that take no time (../steppers/hard_hits.hpp has what a
// hit does, and the schemes).
//
// Balls keep their order, so only neighbours meet. The scheme `events` goes from hit to hit, and is exact but for
// rounding: each of the n + 1 gaps (left wall, n - 1 pairs, right wall) has the time at which it closes next, in O(1);
// a hit changes its own and the two beside it. Of hits at the same time the leftmost comes first. A gap that has just
// closed opens, and cannot close again before one beside it has, so it is left out.
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

#include "../steppers/hard_hits.hpp"
#include "balls/table.hpp"

namespace scree {

template <class Real, int most>
struct BallsOf : HardHits<BallsOf<Real, most>, Real> {
  using Hits = HardHits<BallsOf, Real>;
  using Capacities = BallsCapacities;
  template <int n>
  struct Sized {
    template <class R>
    using System = BallsOf<R, n>;
  };
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

  /// Gap k is left of ball k; the time at which it closes next is lane.next[k].
  struct Lane : HardBodies<Real, Real, most, most + 1> {
    Real left, right, left_impulse, right_impulse;
  };

  /// Width of each gap if all are equal, m.
  HOST_DEVICE static Real even_gap(const Params& p) {
    Real open = p.right - p.left;
    for (int i = 0; i < highest(p.balls); ++i) open = open - (p.radius[i] + p.radius[i]);
    return open / (p.balls + Real(1.0));
  }

  HOST_DEVICE static Lane prepare(const World&, const SampleOf<Params, Start>& sample) {
    const Params& p = sample.params;
    Lane lane = Hits::template at_start<Lane>(p.balls, p, sample.start);
    lane.left = p.left;
    lane.right = p.right;
    if (any(p.even_placement > Real(0.0))) {
      const Real gap = even_gap(p);
      Real edge = p.left;  // right of the last ball placed
      SCREE_ROLLED
      for (int i = 0; i < highest(p.balls); ++i) {
        lane.position[i] = edge + gap + p.radius[i];
        edge = lane.position[i] + p.radius[i];
      }
    }
    lane.energy_start = Hits::energy(lane);
    SCREE_ROLLED
    for (int k = 0; k < slots(lane); ++k) look_ahead(lane, k);
    return lane;
  }

  HOST_DEVICE static int slots(const Lane& lane) { return highest(lane.count) + 1; }
  /// Gap k closes: a hit of balls k - 1 and k, or of the first or last ball and its wall.
  HOST_DEVICE static void take_hit(Lane& lane, int k) {
    const int n = highest(lane.count);
    lane.now = lane.next[k];
    const bool at_wall = k == 0 || k == n;
    const bool just_hit = (k == 0 || was_just_hit(lane, k - 1)) && (k == n || was_just_hit(lane, k));
    const Real e = Hits::guarded(lane, at_wall ? lane.wall_restitution : lane.restitution, just_hit);
    if (k > 0) Hits::fly(lane, k - 1, lane.now);
    if (k < n) Hits::fly(lane, k, lane.now);
    if (at_wall)
      hit_wall(lane, k, e);
    else
      hit_pair(lane, k, e);
    lane.next[k] = never<Real>();
    if (k > 0) look_ahead(lane, k - 1);
    if (k < n) look_ahead(lane, k + 1);
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
      Hits::record_flight(lane, i, h);
    }
    const auto rebounds = [&](int k) { return any((gap(lane, k) < zero) & (closing(lane, k) > zero)); };
    if (rebounds(0)) hit_wall(lane, 0, lane.wall_restitution);
    if (rebounds(n)) hit_wall(lane, n, lane.wall_restitution);
    SCREE_ROLLED
    for (int k = 1; k < n; ++k)
      if (rebounds(k)) hit_pair(lane, k, lane.restitution);
  }

  HOST_DEVICE static Summary summarize(const World&, const Lane& lane) {
    const int last = highest(lane.count) - 1;
    Real moment = Real(0.0), mass = Real(0.0);
    SCREE_ROLLED
    for (int i = 0; i <= last; ++i) {
      moment = fma(lane.mass[i], Hits::place(lane, i), moment);
      mass = mass + lane.mass[i];
    }
    Summary c = Hits::template summary_of<Summary>(lane);
    c.left_impulse = lane.left_impulse;
    c.right_impulse = lane.right_impulse;
    c.v_square = ratio_or_nan(lane.v_squares, lane.count * lane.now);
    c.momentum = Hits::momentum(lane);
    c.centre = moment / mass;
    c.x_first = Hits::place(lane, 0);
    c.x_last = Hits::place(lane, last);
    c.v_first = lane.velocity[0];
    c.v_last = lane.velocity[last];
    return c;
  }

  HOST_DEVICE static Track track(const World&, const Lane& lane) {
    Track row = Hits::template track_of<Track>(lane);
    for (int i = 0; i < highest(lane.count); ++i) {
      row.x[i] = Hits::place(lane, i);
      row.v[i] = lane.velocity[i];
    }
    return row;
  }

 private:
  /// Width of gap k now, m, and the speed at which it closes.
  HOST_DEVICE static Real gap(const Lane& lane, int k) {
    if (k == 0) return (Hits::place(lane, 0) - lane.left) - lane.radius[0];
    const Real x = Hits::place(lane, k - 1), r = lane.radius[k - 1];
    if (k == highest(lane.count)) return (lane.right - x) - r;
    return (Hits::place(lane, k) - x) - (r + lane.radius[k]);
  }
  HOST_DEVICE static Real closing(const Lane& lane, int k) {
    const Real zero = Real(0.0);
    return (k > 0 ? lane.velocity[k - 1] : zero) - (k < highest(lane.count) ? lane.velocity[k] : zero);
  }
  /// When gap k closes next, from now on.
  HOST_DEVICE static void look_ahead(Lane& lane, int k) {
    const Real zero = Real(0.0), speed = closing(lane, k);
    lane.next[k] = any(speed > zero) ? lane.now + larger(gap(lane, k) / speed, zero) : never<Real>();
  }

  /// A ball that was never hit has flown since the time 0; one hit at that very time counts with those.
  HOST_DEVICE static bool was_just_hit(const Lane& lane, int i) {
    return any((lane.since[i] > Real(0.0)) & Hits::within_guard(lane, i));
  }

  /// Of balls k - 1 and k; equal masses with e = 1 exchange their velocities, exactly.
  HOST_DEVICE static void hit_pair(Lane& lane, int k, const Real& e) {
    const Real m1 = lane.mass[k - 1], m2 = lane.mass[k];
    Real &v1 = lane.velocity[k - 1], &v2 = lane.velocity[k];
    const Real u = v1 - v2;
    const HardCollision<Real> hit = hard_collision(m1, m2, u, e);
    lane.lost = fma(hit.dissipated * u, u, lane.lost);
    const Mask<Real> swap = (m1 == m2) & (e == Real(1.0));
    const Real after1 = select(swap, v2, fma(-hit.change, hit.share1, v1));
    v2 = select(swap, v1, fma(hit.change, hit.share2, v2));
    v1 = after1;
    Hits::record_pair(lane, k - 1, k, -gap(lane, k));
  }
  /// Of the first ball and the left wall (k = 0), or the last and the right one.
  HOST_DEVICE static void hit_wall(Lane& lane, int k, const Real& e) {
    const int i = k == 0 ? 0 : k - 1;
    Real& v = lane.velocity[i];
    Hits::record_wall(lane, i, abs(v), e, -gap(lane, k), k == 0 ? lane.left_impulse : lane.right_impulse);
    v = -(e * v);
  }
};

template <class Real>
using Balls = BallsOf<Real, most_balls>;

}  // namespace scree
