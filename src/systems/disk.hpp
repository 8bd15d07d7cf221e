// The expanding disk: a cloud of particles with contact repulsion g fills |x| < R0 evenly (a slab with a mirror at its
// centre, or a disk), its walls vanish at t = 0, and it expands into the vacuum. A condensate in the Thomas-Fermi limit
// does that, and so does shallow water when a dam breaks: depth n, gravity g/m.
//
// The continuum m x'' = -g dn/dx along paths is cut into N + 1 cells of constant particle number, whose edges are the
// nodes x_0 > x_1 > ... > x_N > 0 (N + 1 of them, x_0 the front) and the centre:
//
//   Q_k = 2 (g/m) n(x_{k-1/2}) (x_{k-1} - x_k) [(x_{k-1} + x_k)] at the start, k = 1 .. N + 1, constant             (1)
//   p_k = Q_k / ((x_{k-1} - x_k) [(x_{k-1} + x_k)]) = 2 (g/m) n_k,   p_0 = 0                                       (2)
//   x_i'' = (p_{i+1} - p_i) / (x_{i-1} - x_{i+1}),   x_{-1} = x_0, x_{N+1} = 0                                     (3)
//   h <= C min_k (w_k / c_k),   w_k = x_{k-1} - x_k,  c_k = sqrt(p_k / 2)                                          (4)
//
// The factors in brackets are those of two dimensions. (5) is the energy (disk/observe.hpp), (6) to (8) the start
// (disk/start.hpp). In the arrays Q_k stands at k - 1, with the node outside of its cell.
//
// C = sqrt 2 for rk4, 1 for position_verlet. Fixed steps that are too long for the start are refused before the run. A
// sample in which the bound falls below its step later ends there, as `diverged`, with courant_max > C. It only grows
// where the fan of (7) is resolved, by some 10 coarse cells, 3 V t0 / Dx; of a fan of fewer beside many fine ones nodes
// nearly meet. How many there are is not checked, for disks of few nodes are allowed, with their errors. Adaptive
// steps, h = min(courant min(w/c), growth t, step), always keep to (4). A sample ends as `diverged` where nodes cross,
// or are so near that sound crosses a cell in less than 2^-24 of the time: adaptive steps would be more than 1e7 until
// the time has doubled. The last step ends at `end`.
//
// No energy is conserved by (3): (5) drifts by what the mesh leaves out, however short the step. Front cells may be
// fine at no cost: c/w is 1/(6 t) there, whatever their width.
//
// A sample is 3 (N + 2) numbers, beyond the registers for all but the smallest N. One thread has one sample: its nodes
// lie in local memory, which a GPU interleaves by thread, that is by sample, and in a slot of global memory only
// between launches; a pack interleaves them by lane. A step reads and writes each of them once (disk/motion.hpp).
//
// Source: "Triangular" ideas, Idea 03, "The disk", version 010.3, with the misprints of its equations put right: (2)
// and (3) are its (1) to (5), (6) its (6) read as the distance from the front, or from the centre.
#pragma once

#include "../integrate.hpp"
#include "disk/mistake.hpp"
#include "disk/observe.hpp"
#include "disk/schemes.hpp"
#include "disk/start.hpp"

namespace scree {

template <class Real, int most>
struct DiskOf {
  using Capacities = DiskCapacities;
  template <int n>
  struct Sized {
    template <class R>
    using System = DiskOf<R, n>;
  };
  using Schemes = SchemeList<DiskRk4, DiskPositionVerlet>;
  using Params = DiskParams<Real>;
  using Start = DiskStart<Real>;
  using Summary = DiskSummary<Real>;
  using Track = DiskTrack<Real>;

  /// Of 101 nodes, a step takes 540 ns a sample with AVX2 and 440 with AVX-512; 2 registers take 630 and 415.
  static constexpr int pack_registers = 1;

  template <class Table>
  static void describe(Table& table) {
    describe_disk<Real>(table);
  }

  static int bodies(const Params& p) { return highest(p.nodes); }

  static Mistake mistake(const World& world, const Sample<DiskOf>& sample) {
    return disk_mistake(world, sample.params, sample.start, sample.draws.sample == 0);
  }

  struct Lane {
    DiskSpace<Real> space;
    Real nodes;
    List<Real, most + 1> x, v, q;  // x[nodes] = v[nodes] = 0 is the centre
    Real adaptive, courant, growth;
    Real since, time;                 // of the start, and now
    Real crossing_time;               // min(w/c) now
    Real courant_max, width;          // width: of the narrowest cell now
    Real particles, speed;            // particles of a cell over its Q; V
    Real energy0;                     // at the start, with Q in place of particle numbers
    Real sound, last, steps, status;  // sound, last: 1 or 0, whether this is a state, and whether the end is reached
  };

  HOST_DEVICE static Lane prepare(const World& world, const Sample<DiskOf>& sample) {
    const Params& p = sample.params;
    const Start& start = sample.start;
    Lane lane{};
    lane.space = disk_space(p);
    lane.nodes = p.nodes;
    start_disk(world, p, start, sample.draws, lane.x.at, lane.v.at, lane.q.at);
    lane.adaptive = p.adaptive;
    lane.courant = p.courant;
    lane.growth = p.growth;
    lane.since = lane.time = start.time;
    lane.particles = disk_particles(p);
    lane.speed = start.speed;
    lane.energy0 = disk_sums(nodes_of(lane)).energy();
    DiskMonitor<Real> monitor(lane.space);
    for (int i = 0, n = highest(lane.nodes); i < n; ++i) monitor.cell(lane.x[i], lane.v[i], lane.x[i + 1], lane.q[i]);
    look(lane, monitor);
    lane.status = select(lane.sound > Real(0.0), Real(running), Real(static_cast<double>(Status::diverged)));
    return lane;
  }

  /// Since the walls were removed, s.
  HOST_DEVICE static Real time(const World&, const Lane& lane) { return lane.time; }

  /// Equation (4): the longest step, s, with which the sample can begin, whatever its noise; infinity if it chooses its
  /// steps itself; 0 or NaN if its nodes are no state.
  template <class Scheme>
  static double largest_step(const World& world, Sample<DiskOf> sample) {
    if (sample.params.adaptive != 0) return __builtin_huge_val();
    const double fullest = 1 + most_normal * sample.start.cell_noise;  // of the cells, over what it is without noise
    sample.start.cell_noise = 0;
    return Scheme::most_courant * prepare(world, sample).crossing_time / sqrt(fullest);
  }

  template <class Scheme>
  HOST_DEVICE static void begin(const World& world, Lane& lane) {
    const Real zero = Real(0.0), one = Real(1.0), step = Real(world.step), end = Real(world.end);
    const Mask<Real> adapts = lane.adaptive > zero;
    const Real allowed = smaller(lane.courant * lane.crossing_time, lane.growth * lane.time);
    const Real wanted = select(adapts, smaller(allowed, step), step), left = end - lane.time;
    // A step may be longer by a part in a million, rather than leave a rest of rounding for one more.
    const Mask<Real> last = !(left > Real(1 + 0x1p-20) * wanted);
    const Real h = select(last, left, wanted);
    const Real whole = select(adapts, lane.time + h, fma(lane.steps + one, step, lane.since));
    lane.last = select(last, one, zero);
    lane.time = select(last, end, whole);
    const Real courant = h / lane.crossing_time;
    lane.courant_max = larger(courant, lane.courant_max);
    // Equation (4), up to rounding and the lengthened step; and steps that adapt have a least length.
    const Mask<Real> stable = courant < Real((1 + 0x1p-16) * Scheme::most_courant);
    const Mask<Real> apart = lane.crossing_time > select(adapts, Real(0x1p-24) * lane.time, zero);
    DiskMonitor<Real> monitor(lane.space);
    Scheme::step(lane.space, highest(lane.nodes), lane.x.at, lane.v.at, lane.q.at, h, monitor);
    look(lane, monitor);
    // Steps that no longer advance the clock would never end.
    lane.sound = select(stable & apart & (h > Real(0x1p-50) * lane.time), lane.sound, zero);
  }
  template <class Scheme>
  HOST_DEVICE static void finish(const World&, Lane& lane) {
    lane.steps = lane.steps + Real(1.0);
    end_where<Real>(lane, Status::diverged, !(lane.sound > Real(0.0)));
    end_where<Real>(lane, Status::end_time, lane.last > Real(0.0));
  }

  HOST_DEVICE static Summary summarize(const World&, const Lane& lane) {
    const Real zero = Real(0.0), one = Real(1.0);
    const DiskNodes<Real> nodes = nodes_of(lane);
    const DiskSums<Real> sums = disk_sums(nodes);
    Summary s;
    s.front = lane.x[0];
    s.front_speed = lane.v[0];
    s.mean_x = sums.x / sums.all;
    s.rms_x = sqrt(sums.xx / sums.all);
    s.rms_v = sqrt(sums.vv / sums.all);
    s.mass = lane.particles * sums.all;
    s.energy = lane.particles * sums.energy();
    s.kinetic_share = sums.kinetic() / sums.energy();
    s.energy_change = (sums.energy() - lane.energy0) / lane.energy0;
    s.centre_density = nodes.square_of_sound(nodes.count - 1) / (lane.speed * lane.speed);
    constexpr double fractions[] = {0.05, 0.25, 0.5, 0.75, 0.95};
    Real* const places[] = {&s.x05, &s.x25, &s.x50, &s.x75, &s.x95};
    Real* const velocities[] = {&s.v05, &s.v25, &s.v50, &s.v75, &s.v95};
    for (int i = 0; i < 5; ++i) {
      const DiskPoint<Real> at = disk_quantile(nodes, sums.all, fractions[i]);
      *places[i] = at.x;
      *velocities[i] = at.v;
    }
    Real* const share[] = {&s.share1, &s.share2, &s.share3, &s.share4, &s.share5, &s.share6, &s.share7, &s.share8};
    Real below = zero;
    for (int i = 1; i <= disk_classes; ++i) {
      const Real slower = i == disk_classes ? one : disk_slower(nodes, sums.all, Real(0.25 * i) * lane.speed);
      *share[i - 1] = slower - below;
      below = slower;
    }
    s.width_min = lane.width;
    s.courant_max = lane.courant_max;
    s.crossed = select(lane.width > zero, zero, one);
    s.time = lane.time;
    s.steps = lane.steps;
    return s;
  }

  HOST_DEVICE static Track track(const World&, const Lane& lane) {
    const DiskNodes<Real> nodes = nodes_of(lane);
    const DiskSums<Real> sums = disk_sums(nodes);
    Track t{};
    t.front = lane.x[0];
    t.energy = lane.particles * sums.energy();
    t.kinetic_share = sums.kinetic() / sums.energy();
    t.width_min = lane.width;
    for (int i = 0; i < nodes.count; ++i) {
      t.x[i] = lane.x[i];
      t.v[i] = lane.v[i];
      t.n[i] = nodes.square_of_sound(i) / (lane.speed * lane.speed);
    }
    return t;
  }

 private:
  HOST_DEVICE static DiskNodes<Real> nodes_of(const Lane& lane) {
    return {lane.space, highest(lane.nodes), lane.x.at, lane.v.at, lane.q.at};
  }
  ALWAYS_INLINE static void look(Lane& lane, const DiskMonitor<Real>& monitor) {
    lane.crossing_time = monitor.crossing_time();
    lane.width = monitor.width;
    lane.sound = select(monitor.sound & (lane.crossing_time > Real(0.0)), Real(1.0), Real(0.0));
  }
};

template <class Real>
using Disk = DiskOf<Real, most_disk_nodes>;

}  // namespace scree
