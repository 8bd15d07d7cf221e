// Hard discs in a rectangle or a circle: straight flight, and hits that take no time (../steppers/hard_hits.hpp has
// what a hit does, and the schemes).
//
// The scheme `events` goes from hit to hit, and is exact but for rounding. Each disc keeps its place at the time of its
// own last hit, and the time of its next one with whom it will be; after a hit only the discs it touched, and those
// that were to meet one of them, look for their next hits anew, in O(n). Of hits at the same time that of the disc with
// the lower index comes first, and of its partners that with the lower index, the wall last. Two discs that have just
// hit each other cannot meet again before one of them has met something else, so that pair is left out. A step is the
// time between two observations.
//
// The scheme `overlap` is that of the laboratory text, to compare with: all discs move by h v; then discs beyond the
// wall and, pair by pair, discs that overlap rebound if they approach. Each hit makes an error of order h in the
// places, which grows with every further hit. The normal of two discs is (d_x / s, +-sqrt(1 - d_x^2 / s^2)) with s =
// r_i + r_j in place of |d| < s: a unit vector, so with restitution 1 the energy is kept to rounding and says nothing
// of all this, but bent away from the line of centres. Nothing is done about the overlap itself, nor about hits within
// the step. The text also reverses pairs that are already parting, which can hold a pair together; here only
// approaching pairs rebound.
//
// Where a sample lies: 8 numbers and 2 indices per disc, of a run's own capacity of 4, 16 or 64 discs, and some 30
// numbers more. They are indexed by the disc that is hit, which no register file can be, so on a GPU a sample in flight
// is in the local memory of its thread (0.7, 2.5 and 10.2 kB on sm_80), which is interleaved by thread, that is by
// sample.
//
// Sources: Alder and Wainwright, J. Chem. Phys. 31 (1959) 459 (from hit to hit); Luding and McNamara, Granular Matter 1
// (1998) 113 (guard time, there of one body, here of both); the laboratory text, eqs (1.13), (1.14).
#pragma once

#include "../placement.hpp"
#include "../steppers/hard_hits.hpp"
#include "hard_discs/hits.hpp"
#include "hard_discs/table.hpp"

namespace scree {

template <class Real, int most>
struct HardDiscsOf : HardHits<HardDiscsOf<Real, most>, Real> {
  /// By the model of bench/README.md, 16 discs; the compiler's own choice, 7, takes 1.03 times as long, 3
  /// takes 1.4 times. From 5 on the traffic between the caches is what limits them.
  static constexpr int cuda_blocks = most == 16 ? 5 : 0;

  using Hits = HardHits<HardDiscsOf, Real>;
  using Capacities = HardDiscsCapacities;
  template <int n>
  struct Sized {
    template <class R>
    using System = HardDiscsOf<R, n>;
  };
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
    const Vec2<double>* at = sample.start.position.at;
    const Mistake placement = placement_mistake(p, n, p.radius.at, at, sample.draws);
    if (placement.text || p.random_placement == 1) return placement;
    const Enclosure<double> enclosure = enclosure_of<double>(p);
    for (int i = 0; i < n; ++i)
      if (!inside_enclosure(enclosure, at[i], p.radius[i])) return "start.position: a disc reaches beyond the wall";
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) {
        const double dx = at[i].x - at[j].x, dy = at[i].y - at[j].y, reach = p.radius[i] + p.radius[j];
        if (fma(dx, dx, dy * dy) < reach * reach) return "start.position: two discs overlap";
      }
    return nullptr;
  }

  struct Lane : HardBodies<Real, Vec2<Real>, most, most> {
    Enclosure<Real> enclosure;
    List<int, most> partner;  // with whom its next hit is: a disc or one of the walls below
    List<int, most> last;     // whom it hit last
    Real fourth;              // integral over time of |v|^4, summed over discs
    Real wall_impulse, angular_momentum_start;
  };

  HOST_DEVICE static Lane prepare(const World&, const SampleOf<Params, Start>& sample) {
    const Params& p = sample.params;
    Lane lane = Hits::template at_start<Lane>(p.discs, p, sample.start);
    const int n = highest(lane.count);
    lane.enclosure = enclosure_of<Real>(p);
    SCREE_ROLLED
    for (int i = 0; i < n; ++i) lane.last[i] = lane.partner[i] = nobody;
    if (any(p.random_placement > Real(0.0))) {
      DrawStream draws = sample.draws;
      if (!place_discs(draws, n, lane.radius.at, lane.enclosure, p.gap, lane.position.at)) {
        lane.status = Real(static_cast<double>(Status::not_placed));
        return lane;
      }
    }
    lane.energy_start = Hits::energy(lane);
    lane.angular_momentum_start = angular_momentum(lane);
    SCREE_ROLLED
    for (int i = 0; i < n; ++i) lane.next[i] = never<Real>();
    SCREE_ROLLED
    for (int i = 0; i < n; ++i) look_ahead(lane, i);
    return lane;
  }

  /// Of the centres about the origin, kg m^2/s.
  HOST_DEVICE static Real angular_momentum(const Lane& lane) {
    Real sum = Real(0.0);
    SCREE_ROLLED
    for (int i = 0; i < highest(lane.count); ++i) {
      const Vec2<Real> x = Hits::place(lane, i), v = lane.velocity[i];
      sum = fma(lane.mass[i], difference_of_products(x.x, v.y, x.y, v.x), sum);
    }
    return sum;
  }

  HOST_DEVICE static int slots(const Lane& lane) { return highest(lane.count); }
  /// The next hit of disc i happens.
  HOST_DEVICE static void take_hit(Lane& lane, int i) {
    const int with = lane.partner[i];
    const bool is_pair = with >= 0;
    const int j = is_pair ? with : i;
    lane.now = lane.next[i];
    const bool just_hit = was_just_hit(lane, i) && was_just_hit(lane, j);
    Hits::fly(lane, i, lane.now);
    if (is_pair) {
      Hits::fly(lane, j, lane.now);
      const Vec2<Real>&x = lane.position[i], &y = lane.position[j];
      const Vec2<Real> d{x.x - y.x, x.y - y.y};
      const Real apart = sqrt(fma(d.x, d.x, d.y * d.y)), e = Hits::guarded(lane, lane.restitution, just_hit);
      hit_pair(lane, i, j, {d.x / apart, d.y / apart}, e, lane.radius[i] + lane.radius[j] - apart);
      lane.last[j] = i;
    } else {
      const Real e = Hits::guarded(lane, lane.wall_restitution, just_hit);
      if (with == round_wall)
        hit_round_wall(lane, i, e);
      else
        hit_flat_wall(lane, i, e, with == left_or_right);
    }
    lane.last[i] = with;
    look_ahead_after_hit(lane, i, j);
  }

  /// One step of the laboratory text.
  HOST_DEVICE static void overlap_step(Lane& lane, const Real& h) {
    const Real zero = Real(0.0), one = Real(1.0);
    const int n = highest(lane.count);
    lane.now = h * (lane.steps + one);
    SCREE_ROLLED
    for (int i = 0; i < n; ++i) Hits::fly(lane, i, lane.now);
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
        hit_pair(lane, i, j, normal, lane.restitution, reach - sqrt(square));
      }
  }

  /// Adds to the record what disc i has flown for the time `flown`, s.
  HOST_DEVICE static void record_flight(Lane& lane, int i, const Real& flown) {
    const Real square = Hits::square(lane.velocity[i]);
    Hits::record_flight(lane, i, flown);
    lane.fourth = fma(square * square, flown, lane.fourth);
  }

  HOST_DEVICE static Summary summarize(const World&, const Lane& lane) {
    const Real two = Real(2.0);
    const Enclosure<Real>& e = lane.enclosure;
    const Real wall = select(e.circle > Real(0.5), Real(2 * 3.14159265358979323846) * e.radius,
                             Real(4.0) * (e.half_width + e.half_height));
    const Real disc_time = lane.count * lane.now, square = lane.v_squares.x + lane.v_squares.y;
    const Vec2<Real> sum = Hits::momentum(lane), first = Hits::place(lane, 0);
    Summary c = Hits::template summary_of<Summary>(lane);
    c.mean_free_path = ratio_or_nan(lane.path, two * lane.pair_hits);
    c.pair_rate = ratio_or_nan(lane.pair_hits, lane.now);
    c.wall_rate = ratio_or_nan(lane.wall_hits, lane.now);
    c.wall_impulse = lane.wall_impulse;
    c.pressure = ratio_or_nan(lane.wall_impulse, lane.now * wall);
    c.vx_square = ratio_or_nan(lane.v_squares.x, disc_time);
    c.vy_square = ratio_or_nan(lane.v_squares.y, disc_time);
    c.flatness = ratio_or_nan(lane.fourth * disc_time, square * square);
    c.momentum_x = sum.x;
    c.momentum_y = sum.y;
    c.angular_momentum = angular_momentum(lane);
    c.angular_momentum_change = c.angular_momentum - lane.angular_momentum_start;
    c.x0 = first.x;
    c.y0 = first.y;
    c.speed0 = Hits::speed(lane.velocity[0]);
    return c;
  }

  HOST_DEVICE static Track track(const World&, const Lane& lane) {
    Track row = Hits::template track_of<Track>(lane);
    for (int i = 0; i < highest(lane.count); ++i) {
      const Vec2<Real> x = Hits::place(lane, i);
      row.x[i] = x.x;
      row.y[i] = x.y;
      row.vx[i] = lane.velocity[i].x;
      row.vy[i] = lane.velocity[i].y;
    }
    return row;
  }

 private:
  /// Whom a disc meets that meets no disc.
  static constexpr int left_or_right = -1, below_or_above = -2, round_wall = -3, nobody = -4;

  HOST_DEVICE static bool is_round(const Lane& lane) { return any(lane.enclosure.circle > Real(0.5)); }

  /// The next hits of discs i and j, which have just been hit, and of those that were to meet one of them, by rising
  /// index. Who they may be is known before the first looks ahead: so on a GPU samples look ahead side by side, each
  /// for a disc of its own.
  HOST_DEVICE static void look_ahead_after_hit(Lane& lane, int i, int j) {
    static_assert(most <= 64, "a bit for each disc");
    const auto concerned = [&](int k) { return k == i || k == j || lane.partner[k] == i || lane.partner[k] == j; };
    std::uint64_t those = 0;
    SCREE_ROLLED
    for (int k = 0; k < highest(lane.count); ++k)
      if (concerned(k)) those |= std::uint64_t{1} << k;
    SCREE_ROLLED
    while (those != 0) {
      const int k = take_lowest_bit(those);
      if (!concerned(k)) continue;  // has been told of a sooner hit since
      const int told = look_ahead(lane, k);
      if (told > k) those |= std::uint64_t{1} << told;
    }
  }

  /// The next hit of disc i, from now on. Tells its partner, if that has none before; returns it then, else -1.
  HOST_DEVICE static int look_ahead(Lane& lane, int i) {
    const Vec2<Real> x = Hits::place(lane, i), v = lane.velocity[i];
    Real soonest = never<Real>();
    int with = nobody;
    const auto consider = [&](const Real& after, int whom) {
      if (!any(after < soonest)) return;
      soonest = after;
      with = whom;
    };
    SCREE_ROLLED
    for (int j = 0; j < highest(lane.count); ++j) {
      if (j == i) continue;
      if (lane.last[i] == j && lane.last[j] == i) continue;
      const Vec2<Real> other = Hits::place(lane, j), u = lane.velocity[j];
      consider(
          time_to_meet<Real>({x.x - other.x, x.y - other.y}, {v.x - u.x, v.y - u.y}, lane.radius[i] + lane.radius[j]),
          j);
    }
    const Enclosure<Real>& e = lane.enclosure;
    const Real r = lane.radius[i];
    if (is_round(lane)) {
      consider(time_to_circle(x, v, e.radius - r), round_wall);
    } else {
      consider(time_to_side(x.x, v.x, e.half_width - r), left_or_right);
      consider(time_to_side(x.y, v.y, e.half_height - r), below_or_above);
    }
    lane.next[i] = lane.now + soonest;
    lane.partner[i] = with;
    if (with < 0 || !any(lane.next[i] < lane.next[with])) return -1;
    lane.next[with] = lane.next[i];
    lane.partner[with] = i;
    return with;
  }

  HOST_DEVICE static bool was_just_hit(const Lane& lane, int i) {
    return lane.last[i] != nobody && any(Hits::within_guard(lane, i));
  }

  HOST_DEVICE static void hit_pair(Lane& lane, int i, int j, const Vec2<Real>& normal, const Real& e,
                                   const Real& overlap) {
    const DiscHit<Real> hit = hit_discs(lane.velocity[i], lane.velocity[j], lane.mass[i], lane.mass[j], normal, e);
    lane.velocity[i] = hit.velocity1;
    lane.velocity[j] = hit.velocity2;
    lane.lost = lane.lost + hit.lost;
    Hits::record_pair(lane, i, j, overlap);
  }
  HOST_DEVICE static void hit_flat_wall(Lane& lane, int i, const Real& e, bool along_x) {
    Real& v = along_x ? lane.velocity[i].x : lane.velocity[i].y;
    const Real x = along_x ? lane.position[i].x : lane.position[i].y;
    const Real half = along_x ? lane.enclosure.half_width : lane.enclosure.half_height;
    Hits::record_wall(lane, i, abs(v), e, abs(x) + lane.radius[i] - half, lane.wall_impulse);
    v = -(e * v);
  }
  HOST_DEVICE static void hit_round_wall(Lane& lane, int i, const Real& e) {
    const Vec2<Real> x = lane.position[i];
    Vec2<Real>& v = lane.velocity[i];
    const Real away = sqrt(fma(x.x, x.x, x.y * x.y));
    const Vec2<Real> normal{x.x / away, x.y / away};
    const Real speed = fma(v.x, normal.x, v.y * normal.y), change = (Real(1.0) + e) * speed;
    Hits::record_wall(lane, i, speed, e, away + lane.radius[i] - lane.enclosure.radius, lane.wall_impulse);
    v = {fma(-change, normal.x, v.x), fma(-change, normal.y, v.y)};
  }
};

template <class Real>
using HardDiscs = HardDiscsOf<Real, most_hard_discs>;

}  // namespace scree
