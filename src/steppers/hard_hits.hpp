// Bodies that fly straight and collide in no time, of one dimension or two: the schemes, one collision, and what a
// sample keeps and records of them. Hard discs and balls on a line add where and when their bodies meet.
//
// Two bodies with the velocities v1 and v2 hit along the unit normal n, with the speed u = (v1 - v2).n and the
// restitution e:
//
//   v1 -= (1 + e) u m2 / (m1 + m2) n,   v2 += (1 + e) u m1 / (m1 + m2) n                                            (1)
//   energy lost  (1 - e^2) m1 m2 / (m1 + m2) u^2 / 2                                                                (2)
//
// which for e = 1 is v' = 2 V - v with the velocity V of the centre of mass. A wall is a body of infinite mass.
//
// With restitution below 1 bodies may collapse: hit each other infinitely often in a finite time. A hit of bodies each
// of which was hit less than guard_time ago therefore takes no energy; `guarded_hits` counts them. What still has more
// than most_hits_in_a_step ends as `not_converged`.
#pragma once

#include <limits>
#include <type_traits>

#include "../integrate.hpp"
#include "../list.hpp"
#include "../range.hpp"
#include "../vec.hpp"

namespace scree {

/// From hit to hit: between them bodies fly straight, so the time of the next hit is the root of an equation, and the
/// motion is exact but for rounding. A step is the time between two observations and changes nothing.
struct HitByHit {
  static constexpr const char* name = "events";
  static constexpr const char* meaning = "from hit to hit, exact but for rounding";
};

/// Steps after which bodies that overlap rebound, wherever in the step they met: order 1.
struct OverlapSteps {
  static constexpr const char* name = "overlap";
  static constexpr const char* meaning = "steps after which what overlaps rebounds, order 1; for contrast";
};

/// Hits in one step beyond which HitByHit gives a sample up as `not_converged`: a body that slides along a round wall,
/// fills its room, or is too fast for the times of its hits to differ, is hit without end. A dense or long run that has
/// more hits than this between two observations can be observed more often.
inline constexpr double most_hits_in_a_step = 1e6;

/// Time of no hit.
template <class Real>
HOST_DEVICE inline Real never() {
  return Real(std::numeric_limits<double>::infinity());
}

/// What equations (1) and (2) say of a hit, before its normal.
template <class Real>
struct HardCollision {
  Real change;          // (1 + e) u, m/s
  Real share1, share2;  // parts of it that the bodies take
  Real dissipated;      // the energy lost over u^2, kg
};
template <class Real>
HOST_DEVICE HardCollision<Real> hard_collision(const Real& mass1, const Real& mass2, const Real& u,
                                               const Real& restitution) {
  const Real one = Real(1.0), share1 = mass2 / (mass1 + mass2);
  return {(one + restitution) * u, share1, mass1 / (mass1 + mass2),
          Real(0.5) * fma(-restitution, restitution, one) * (mass1 * share1)};
}

/// Up to `most` bodies with places and velocities of the type Vector, which have up to `slots` next hits.
template <class Real, class Vector, int most, int slots>
struct HardBodies {
  Real count;
  Real restitution, wall_restitution, guard_time;
  List<Vector, most> position, velocity;  // position at the time `since`, that of the last hit
  List<Real, most> radius, mass, since;
  List<Real, slots> next;  // times of the next hits
  Real now;                // time reached
  // the record
  Real pair_hits, wall_hits, guarded_hits, hits_most, first_hit;
  Real path;         // integral of |v| over time, summed over bodies
  Vector v_squares;  // the same of the squares of the components of v
  Real lost, speed_max, overlap_max, energy_start;
  Real steps, status;
};

/// What a system of hard bodies need not say itself. Its Lane is HardBodies and more; it says
///
///   int  slots(lane)             how many times of next hits there are: of each body, or of each gap
///   void take_hit(lane, slot)    the hit at the time lane.next[slot] happens
///   void overlap_step(lane, h)   a step of OverlapSteps
template <class System, class Real>
struct HardHits {
  using Schemes = SchemeList<HitByHit, OverlapSteps>;
  static constexpr bool packs = false;  // samples have their hits at different times

  /// Kinetic energy, J.
  template <class Lane>
  HOST_DEVICE static Real energy(const Lane& lane) {
    Real sum = Real(0.0);
    SCREE_ROLLED
    for (int i = 0; i < highest(lane.count); ++i) sum = add_mv2(lane.mass[i], lane.velocity[i], sum);
    return Real(0.5) * sum;
  }
  /// kg m/s.
  template <class Lane>
  HOST_DEVICE static auto momentum(const Lane& lane) {
    auto sum = decltype(lane.v_squares){};
    SCREE_ROLLED
    for (int i = 0; i < highest(lane.count); ++i) sum = fma(lane.mass[i], lane.velocity[i], sum);
    return sum;
  }
  /// Centre of body i now, m.
  template <class Lane>
  HOST_DEVICE static auto place(const Lane& lane, int i) {
    return fma(lane.now - lane.since[i], lane.velocity[i], lane.position[i]);
  }
  /// Time reached, s; that of the last hit where a sample was given up.
  template <class Lane>
  HOST_DEVICE static Real time(const World&, const Lane& lane) {
    return lane.now;
  }

  /// The slot whose hit comes first; lane.next says when.
  template <class Lane>
  HOST_DEVICE static int next_to_hit(const Lane& lane) {
    int first = 0;
    SCREE_ROLLED
    for (int k = 1; k < System::slots(lane); ++k)
      if (any(lane.next[k] < lane.next[first])) first = k;
    return first;
  }

  template <class Scheme, class Lane>
  HOST_DEVICE static void begin(const World& world, Lane& lane) {
    const Real before = lane.pair_hits + lane.wall_hits;
    if constexpr (std::is_same_v<Scheme, HitByHit>) {
      take_hits(lane, Real(world.step) * (lane.steps + Real(1.0)));
    } else {
      System::overlap_step(lane, Real(world.step));
    }
    lane.hits_most = larger(lane.pair_hits + lane.wall_hits - before, lane.hits_most);
  }

  template <class Scheme, class Lane>
  HOST_DEVICE static void finish(const World& world, Lane& lane) {
    lane.steps = lane.steps + Real(1.0);
    const Mask<Real> over = time_is_up(world, lane.steps);
    if (!any(over | (lane.status != Real(running)))) return;
    SCREE_ROLLED
    for (int i = 0; i < highest(lane.count); ++i) fly(lane, i, lane.now);
    end_where<Real>(lane, Status::diverged, !bounded(energy(lane)));
    end_where<Real>(lane, Status::end_time, over);
  }

 protected:
  /// Size of a velocity, m/s, the squares of its components, and m v^2 + sum.
  HOST_DEVICE static Real speed(const Real& v) { return abs(v); }
  HOST_DEVICE static Real speed(const Vec2<Real>& v) { return sqrt(square(v)); }
  HOST_DEVICE static Real square(const Vec2<Real>& v) { return fma(v.x, v.x, v.y * v.y); }
  HOST_DEVICE static Real squares(const Real& v) { return v * v; }
  HOST_DEVICE static Vec2<Real> squares(const Vec2<Real>& v) { return {v.x * v.x, v.y * v.y}; }
  HOST_DEVICE static Real add_mv2(const Real& m, const Real& v, const Real& sum) { return fma(m * v, v, sum); }
  HOST_DEVICE static Real add_mv2(const Real& m, const Vec2<Real>& v, const Real& sum) {
    return fma(m, square(v), sum);
  }

  /// Bodies at their starts, which have not been hit.
  template <class Lane, class Params, class Start>
  HOST_DEVICE static Lane at_start(const Real& count, const Params& p, const Start& start) {
    Lane lane{};
    lane.count = count;
    lane.restitution = p.restitution;
    lane.wall_restitution = p.wall_restitution;
    lane.guard_time = p.guard_time;
    lane.first_hit = Real(std::numeric_limits<double>::quiet_NaN());
    lane.status = Real(running);
    SCREE_ROLLED
    for (int i = 0; i < highest(lane.count); ++i) {
      lane.position[i] = start.position[i];
      lane.velocity[i] = start.velocity[i];
      lane.radius[i] = p.radius[i];
      lane.mass[i] = p.mass[i];
      lane.speed_max = larger(speed(lane.velocity[i]), lane.speed_max);
    }
    return lane;
  }

  /// Moves body i to where it is at `until`, and adds its flight to the record.
  template <class Lane>
  HOST_DEVICE static void fly(Lane& lane, int i, const Real& until) {
    const Real flown = until - lane.since[i];
    lane.position[i] = fma(flown, lane.velocity[i], lane.position[i]);
    lane.since[i] = until;
    System::record_flight(lane, i, flown);
  }
  template <class Lane>
  HOST_DEVICE static void record_flight(Lane& lane, int i, const Real& flown) {
    lane.path = fma(flown, speed(lane.velocity[i]), lane.path);
    lane.v_squares = fma(flown, squares(lane.velocity[i]), lane.v_squares);
  }

  /// Restitution of a hit, `usual` unless each of its bodies was just hit.
  template <class Lane>
  HOST_DEVICE static Real guarded(Lane& lane, const Real& usual, bool just_hit) {
    if (!just_hit || any(usual == Real(1.0))) return usual;
    lane.guarded_hits = lane.guarded_hits + Real(1.0);
    return Real(1.0);
  }
  /// Less than guard_time ago, for a body that was hit at all.
  template <class Lane>
  HOST_DEVICE static Mask<Real> within_guard(const Lane& lane, int i) {
    return lane.now - lane.since[i] < lane.guard_time;
  }

  /// The record of a hit of bodies i and j, which have their velocities after it; `overlap` is that of the two.
  template <class Lane>
  HOST_DEVICE static void record_pair(Lane& lane, int i, int j, const Real& overlap) {
    lane.pair_hits = lane.pair_hits + Real(1.0);
    lane.first_hit = select(lane.first_hit == lane.first_hit, lane.first_hit, lane.now);
    lane.speed_max = larger(larger(speed(lane.velocity[i]), speed(lane.velocity[j])), lane.speed_max);
    lane.overlap_max = larger(overlap, lane.overlap_max);
  }
  /// The record of a hit of body i and the wall whose `impulse`, N s, this adds to: its normal speed before it, and how
  /// far it is beyond.
  template <class Lane>
  HOST_DEVICE static void record_wall(Lane& lane, int i, const Real& normal_speed, const Real& e, const Real& beyond,
                                      Real& impulse) {
    const Real one = Real(1.0), mass = lane.mass[i];
    lane.wall_hits = lane.wall_hits + one;
    impulse = fma(mass * (one + e), normal_speed, impulse);
    lane.lost = fma(Real(0.5) * mass * fma(-e, e, one) * normal_speed, normal_speed, lane.lost);
    lane.overlap_max = larger(beyond, lane.overlap_max);
  }

  /// The columns that all such systems have.
  template <class Summary, class Lane>
  HOST_DEVICE static Summary summary_of(const Lane& lane) {
    Summary c{};
    c.pair_hits = lane.pair_hits;
    c.wall_hits = lane.wall_hits;
    c.guarded_hits = lane.guarded_hits;
    c.hits_most = lane.hits_most;
    c.first_hit = lane.first_hit;
    c.speed_mean = ratio_or_nan(lane.path, lane.count * lane.now);
    c.speed_max = lane.speed_max;
    c.energy_start = lane.energy_start;
    c.energy_end = energy(lane);
    c.energy_change = ratio_or_nan(c.energy_end - c.energy_start, c.energy_start);
    c.energy_error = ratio_or_nan((c.energy_end - c.energy_start) + lane.lost, c.energy_start);
    c.overlap_max = lane.overlap_max;
    c.time = lane.now;
    return c;
  }
  template <class Track, class Lane>
  HOST_DEVICE static Track track_of(const Lane& lane) {
    Track row{};
    row.energy = energy(lane);
    row.pair_hits = lane.pair_hits;
    row.wall_hits = lane.wall_hits;
    return row;
  }

 private:
  /// All hits up to `until`, to which lane.now then goes; beyond most_hits_in_a_step the sample ends.
  template <class Lane>
  HOST_DEVICE static void take_hits(Lane& lane, const Real& until) {
    const Real most_hits = Real(most_hits_in_a_step);
    for (Real hits = Real(0.0);; hits = hits + Real(1.0)) {
      const int first = next_to_hit(lane);
      if (!any(lane.next[first] <= until)) break;
      if (any(hits >= most_hits)) {
        end_where<Real>(lane, Status::not_converged, hits >= most_hits);
        return;
      }
      System::take_hit(lane, first);
    }
    lane.now = until;
  }
};

// ---------------------------------------------------------------------------------------------------------------------
// Lines of describe()

template <class Params, class Table>
void describe_collisions(Table& table) {
  table.param("restitution", &Params::restitution, "1", 1.0, zero_to_one, "of two bodies");
  table.param("wall_restitution", &Params::wall_restitution, "1", 1.0, zero_to_one, "of a body and a wall");
  table.param("guard_time", &Params::guard_time, "s", 1e-6, non_negative,
              "bodies that were hit less than this ago collide without loss: ends an inelastic collapse; 0: never");
}
template <class Params, class Table>
void describe_bodies(Table& table) {
  table.param("radius", &Params::radius, "m", 0.02, positive, "of each body");
  table.param("mass", &Params::mass, "kg", 1.0, positive, "of each body");
}
template <class Summary, class Table>
void describe_hit_columns(Table& table) {
  table.column("pair_hits", &Summary::pair_hits, "1", "hits of two bodies");
  table.column("wall_hits", &Summary::wall_hits, "1", "hits of a body and a wall");
  table.column("guarded_hits", &Summary::guarded_hits, "1", "hits of either kind that guard_time left without loss");
  table.column("hits_most", &Summary::hits_most, "1", "most hits between two observations");
  table.column("first_hit", &Summary::first_hit, "s", "time of the first hit of two bodies");
}
template <class Summary, class Table>
void describe_speed_columns(Table& table) {
  table.column("speed_mean", &Summary::speed_mean, "m/s", "mean speed over bodies and time");
  table.column("speed_max", &Summary::speed_max, "m/s", "largest speed of any body at any time");
}
template <class Summary, class Table>
void describe_energy_columns(Table& table) {
  table.column("energy_start", &Summary::energy_start, "J", "kinetic energy at the start");
  table.column("energy_end", &Summary::energy_end, "J", "kinetic energy at the end");
  table.column("energy_change", &Summary::energy_change, "1", "energy_end over energy_start, less 1");
  table.column("energy_error", &Summary::energy_error, "1",
               "what the energy lacks to its balance with the losses in hits, over energy_start");
}
template <class Track, class Table>
void describe_hit_track(Table& table) {
  table.track("energy", &Track::energy, "J", "kinetic energy");
  table.track("pair_hits", &Track::pair_hits, "1", "hits of two bodies so far");
  table.track("wall_hits", &Track::wall_hits, "1", "hits of a body and a wall so far");
}

}  // namespace scree
