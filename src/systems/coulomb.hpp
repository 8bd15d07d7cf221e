// Bodies in a plane that attract or repel one another as the inverse square of their distance: gravity, charges, or any
// matrix of couplings.
//
//   r_i'' = sum_j A_ij (r_i - r_j) / (|r_i - r_j|^2 + eps^2)^(3/2)                                         (1)
//   A_ij = -G m_j + k q_i q_j / m_i + (the matrix A0, A1, ... of the config);   A_ij < 0 attracts          (2)
//   E = sum w_i v_i^2 / 2 + sum_{i<j} U_ij,   U_ij = w_i A_ij / sqrt(|r_i - r_j|^2 + eps^2)                 (3)
//   P = sum m_i v_i,   L = sum w_i r_i x v_i                                                               (4)
//
// The third law asks for m_i A_ij = m_j A_ji, and a matrix that breaks it is refused. A body of no mass is a test
// particle: it acts on no body, A_ij = 0 for all i, and itself feels A_ji whatever that is.
// The weights w are the masses; where at most one body has a mass, E and L would be those of nothing, and test
// particles have the weight 1. The softening eps takes the singularity away and changes the physics: at distances like
// eps the force is no longer that of (1) with eps = 0.
//
// A body i escapes, as seen at the end of the run, if it recedes from the centre of mass of the others (mass M',
// velocity V'), is farther from it than `escape_distance`, and
//   |v_i - V'|^2 / 2 + (1 + m_i / M') sum_j A_ij / sqrt(|r_i - r_j|^2 + eps^2) > 0,                        (5)
// which for two bodies is the energy of their relative motion and decides; for more, it takes the others as one clump.
// The heaviest of a set of test particles and one mass is the centre, and never escapes.
//
// The motion is computed in the frame of the centre of mass, where P = 0 and L is about that centre; positions and
// velocities that come out are those of the frame that the config is in. Two dimensions, as in the source: a laboratory
// text on central forces, whose equation (1.7) prints dr/dt for r''.
#pragma once

#include <limits>

#include "../integrate.hpp"
#include "../steppers/euler.hpp"
#include "../steppers/euler_cromer.hpp"
#include "../steppers/leapfrog.hpp"
#include "../steppers/rk4.hpp"
#include "coulomb/table.hpp"

namespace scree {

namespace detail {

/// f(i) for the bodies of 0 .. n - 1. Short lists are unrolled, so that they stay in registers.
template <int most, class F>
ALWAYS_INLINE void for_bodies(int n, const F& f) {
  if constexpr (most <= 4) {
    SCREE_UNROLLED
    for (int i = 0; i < most; ++i)
      if (i < n) f(i);
  } else {
    SCREE_ROLLED
    for (int i = 0; i < n; ++i) f(i);
  }
}
/// f(i, j) for the pairs i < j of them.
template <int most, class F>
ALWAYS_INLINE void for_pairs(int n, const F& f) {
  if constexpr (most <= 4) {
    SCREE_UNROLLED
    for (int j = 1; j < most; ++j) {
      SCREE_UNROLLED
      for (int i = 0; i < most; ++i)
        if (i < j && j < n) f(i, j);
    }
  } else {
    SCREE_ROLLED
    for (int j = 1; j < n; ++j) {
      SCREE_ROLLED
      for (int i = 0; i < j; ++i) f(i, j);
    }
  }
}

}  // namespace detail

template <class Real, int most>
struct CoulombOf {
  /// Eight bodies, RK4, AVX-512: 204 ns a step with 1 register in flight, 320 with 2; two to four bodies take the same
  /// with both, or less with 2.
  static constexpr int pack_registers = most <= 4 ? 2 : 1;
  /// By the model of bench/README.md, two and three bodies: 0.87 and 0.80 of the time of the compiler's own choice,
  /// 3 and 2.
  static constexpr int cuda_blocks = most <= 2 ? 5 : most <= 4 ? 4 : 0;

  using Schemes = SchemeList<Leapfrog, Rk4, EulerCromer, Euler>;
  using Params = CoulombParams<Real>;
  using Start = CoulombStart<Real>;
  using Summary = CoulombSummary<Real>;
  using Track = CoulombTrack<Real>;
  using Vector = Vec2<Real>;

  using Capacities = CoulombCapacities;
  template <int n>
  struct Sized {
    template <class R>
    using System = CoulombOf<R, n>;
  };
  static int bodies(const CoulombParams<double>& params) { return static_cast<int>(params.bodies); }

  template <class Table>
  static void describe(Table& table) {
    describe_coulomb<Real>(table);
  }

  static Mistake mistake(const World&, const Sample<CoulombOf>& sample) {
    const auto& p = sample.params;
    const int n = static_cast<int>(p.bodies);
    for (int i = 0; i < n; ++i) {
      if (p.matrix(i, i) != 0) return "A: a body does not act on itself, A_ii must be 0";
      if (p.coulomb * p.charge[i] != 0 && p.mass[i] == 0) return "a body with a charge must have a mass > 0";
      for (int j = 0; j < i; ++j) {
        const double action = p.mass[i] * p.matrix(i, j), reaction = p.mass[j] * p.matrix(j, i);
        // Beyond what the decimals of a config round.
        const bool massless_acts = (p.mass[i] == 0 && p.matrix(j, i) != 0) || (p.mass[j] == 0 && p.matrix(i, j) != 0);
        if (massless_acts || abs(action - reaction) > 1e-12 * (abs(action) + abs(reaction)))
          return "A violates the third law: mass_i A_ij must be mass_j A_ji";
        const double dx = sample.start.position[i].x - sample.start.position[j].x;
        const double dy = sample.start.position[i].y - sample.start.position[j].y;
        if (dx == 0 && dy == 0 && p.softening == 0) return "start.position: two bodies are at the same place";
      }
    }
    return nullptr;
  }

  /// In the frame of the centre of mass.
  struct State {
    Vector r[most], v[most];
  };
  struct Lane {
    Real bodies, softening2, close2, escape_distance;
    Real coupling[most * most];            // A_ij at i most + j
    Real strength[most * (most - 1) / 2];  // w_i A_ij of the pair i < j, at bond(i, j)
    Real mass[most], weight[most];
    State state;
    Vector acceleration[most];
    Real potential, nearest2;     // now
    Real energy, energy_change;   // now; the largest change so far
    Real closest2, closest_time;  // so far
    Real energy0, energy_scale, momentum_scale, angular0, angular_scale;
    Vector centre, drift;           // of the centre of mass at the start
    Vector separation0, velocity0;  // of body 1 relative to body 0
    Real steps, status;
  };

  HOST_DEVICE static Lane prepare(const World&, const Sample<CoulombOf>& sample) {
    const Real zero = Real(0.0), one = Real(1.0);
    const Params& p = sample.params;
    Lane lane{};
    lane.bodies = p.bodies;
    lane.softening2 = p.softening * p.softening;
    lane.close2 = p.close * p.close;
    lane.escape_distance = p.escape_distance;
    lane.status = Real(running);
    const int n = count(lane);
    Real total = zero, massive = zero;
    for (int i = 0; i < n; ++i) {
      lane.mass[i] = p.mass[i];
      total = total + p.mass[i];
      massive = massive + select(p.mass[i] > zero, one, zero);
      lane.state.r[i] = sample.start.position[i];
      lane.state.v[i] = sample.start.velocity[i];
    }
    for (int i = 0; i < n; ++i) lane.weight[i] = select((p.mass[i] > zero) | (massive > one), p.mass[i], one);
    couple(p, n, lane);

    const Real per_mass = select(total > zero, one / total, zero);
    lane.centre = weighed(lane.mass, lane.state.r, n, per_mass);
    lane.drift = weighed(lane.mass, lane.state.v, n, per_mass);
    for (int i = 0; i < n; ++i) {
      lane.state.r[i] = difference(lane.state.r[i], lane.centre);
      lane.state.v[i] = difference(lane.state.v[i], lane.drift);
    }
    if (n > 1) {
      lane.separation0 = difference(lane.state.r[1], lane.state.r[0]);
      lane.velocity0 = difference(lane.state.v[1], lane.state.v[0]);
    }
    observe(lane, look(lane, n, lane.state.r, lane.acceleration));
    lane.closest2 = lane.nearest2;
    lane.energy = lane.energy0 = kinetic(lane, n) + lane.potential;
    scale(lane, n);
    return lane;
  }

  template <class Scheme>
  HOST_DEVICE static void begin(const World& world, Lane& lane) {
    const int n = count(lane);
    State k1;
    detail::for_bodies<most>(most, [&](int i) {
      k1.r[i] = lane.state.v[i];
      k1.v[i] = lane.acceleration[i];
    });
    const auto f = [&](const State& s) {
      State slope;
      detail::for_bodies<most>(most, [&](int i) { slope.r[i] = s.v[i]; });
      rest(slope.v);
      if constexpr (looks_at_end<Scheme>) {
        observe(lane, look(lane, n, s.r, slope.v));
        detail::for_bodies<most>(most, [&](int i) { lane.acceleration[i] = slope.v[i]; });
      } else {
        accelerate(lane, n, s.r, slope.v);
      }
      return slope;
    };
    lane.state = Scheme::step(lane.state, k1, Real(world.step), f);
  }

  template <class Scheme>
  HOST_DEVICE static void finish(const World& world, Lane& lane) {
    const Real h = Real(world.step);
    const int n = count(lane);
    lane.steps = lane.steps + Real(1.0);
    if constexpr (!looks_at_end<Scheme>) {
      rest(lane.acceleration);
      observe(lane, look(lane, n, lane.state.r, lane.acceleration));
    }
    lane.energy = kinetic(lane, n) + lane.potential;
    lane.energy_change = larger(abs(lane.energy - lane.energy0), lane.energy_change);
    const Mask<Real> closer = lane.nearest2 < lane.closest2;
    lane.closest2 = select(closer, lane.nearest2, lane.closest2);
    lane.closest_time = select(closer, h * lane.steps, lane.closest_time);
    end_where<Real>(lane, Status::diverged, !bounded(abs(lane.energy)));
    end_where<Real>(lane, Status::end_time, time_is_up(world, lane.steps));
  }

  HOST_DEVICE static Summary summarize(const World& world, const Lane& lane) {
    const Real zero = Real(0.0), one = Real(1.0), none = Real(std::numeric_limits<double>::quiet_NaN());
    const int n = count(lane);
    const Vector momentum = weighed(lane.mass, lane.state.v, n, one);
    Summary s;
    s.energy_error = lane.energy_change / lane.energy_scale;
    s.energy_drift = (lane.energy - lane.energy0) / lane.energy_scale;
    s.momentum_drift = length(momentum) / lane.momentum_scale;
    s.angular_momentum_drift = abs(angular_momentum(lane) - lane.angular0) / lane.angular_scale;
    s.closest = n > 1 ? sqrt(lane.closest2) : none;
    s.closest_time = n > 1 ? lane.closest_time : none;
    s.close = select(lane.closest2 < lane.close2, one, zero);
    find_escapes(lane, s);
    s.time = lane.steps * Real(world.step);
    s.scattering_angle = s.impact_parameter = s.final_x = s.final_y = s.final_vx = s.final_vy = s.return_distance =
        none;
    if (n > 1) {
      const Vector r = difference(lane.state.r[1], lane.state.r[0]), v = difference(lane.state.v[1], lane.state.v[0]);
      const Vector &d = lane.separation0, &w = lane.velocity0;
      s.scattering_angle = angle_between(w, v);
      s.impact_parameter = difference_of_products(d.x, w.y, d.y, w.x) / length(w);
      s.final_x = r.x;
      s.final_y = r.y;
      s.final_vx = v.x;
      s.final_vy = v.y;
      s.return_distance = length(difference(r, lane.separation0));
    }
    return s;
  }

  HOST_DEVICE static Track track(const World& world, const Lane& lane) {
    const Real t = lane.steps * Real(world.step);
    const Vector centre{fma(t, lane.drift.x, lane.centre.x), fma(t, lane.drift.y, lane.centre.y)};
    Track row{};
    for (int i = 0; i < count(lane); ++i) {
      row.x[i] = lane.state.r[i].x + centre.x;
      row.y[i] = lane.state.r[i].y + centre.y;
      row.vx[i] = lane.state.v[i].x + lane.drift.x;
      row.vy[i] = lane.state.v[i].y + lane.drift.y;
    }
    row.energy = lane.energy;
    row.closest = count(lane) > 1 ? sqrt(lane.closest2) : Real(std::numeric_limits<double>::quiet_NaN());
    return row;
  }

 private:
  /// Whether the scheme's own evaluation is at the end of its step, and serves the next one.
  template <class Scheme>
  static constexpr bool looks_at_end = requires {
    Scheme::evaluates_end;
  };

  ALWAYS_INLINE static int count(const Lane& lane) { return highest(lane.bodies); }
  ALWAYS_INLINE static constexpr int bond(int i, int j) { return j * (j - 1) / 2 + i; }
  ALWAYS_INLINE static Vector difference(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y}; }
  ALWAYS_INLINE static Real length(const Vector& a) { return sqrt(fma(a.x, a.x, a.y * a.y)); }

  /// scale sum w_i a_i.
  HOST_DEVICE static Vector weighed(const Real* w, const Vector* a, int n, const Real& scale) {
    Vector sum{Real(0.0), Real(0.0)};
    for (int i = 0; i < n; ++i) sum = {fma(w[i], a[i].x, sum.x), fma(w[i], a[i].y, sum.y)};
    return {scale * sum.x, scale * sum.y};
  }
  HOST_DEVICE static Real angle_between(const Vector& a, const Vector& b) {
    const Real in = Real(1.0) / length(a), on = Real(1.0) / length(b);
    const Vector p{in * a.x, in * a.y}, q{on * b.x, on * b.y};
    return Real(2.0) * atan(length(difference(q, p)) / length({q.x + p.x, q.y + p.y}));
  }

  /// Equations (2) and the coefficients of U in (3).
  HOST_DEVICE static void couple(const Params& p, int n, Lane& lane) {
    const Real zero = Real(0.0), one = Real(1.0);
    for (int i = 0; i < n; ++i) {
      const Real per_mass = select(p.mass[i] > zero, one / p.mass[i], zero);
      for (int j = 0; j < n; ++j) {
        const Real electric = p.coulomb * p.charge[i] * p.charge[j] * per_mass;
        const Real all = fma(-p.gravitation, p.mass[j], electric) + p.matrix(i, j);
        lane.coupling[i * most + j] = i == j ? zero : all;
      }
    }
    for (int j = 1; j < n; ++j)
      for (int i = 0; i < j; ++i) {
        const Real on_i = lane.coupling[i * most + j], on_j = lane.coupling[j * most + i];
        lane.strength[bond(i, j)] = select(on_i != zero, lane.weight[i] * on_i, lane.weight[j] * on_j);
      }
  }

  /// One pair: separation, its square, and 1 / sqrt(square + eps^2).
  struct Bond {
    Vector d;
    Real square, inverse;
  };
  ALWAYS_INLINE static Bond look_at(const Lane& lane, const Vector& a, const Vector& b) {
    const Vector d = difference(a, b);
    const Real square = fma(d.x, d.x, d.y * d.y);
    return {d, square, rsqrt(square + lane.softening2)};
  }
  /// Equation (1) for the pair.
  ALWAYS_INLINE static void pull(const Lane& lane, int i, int j, const Bond& b, Vector* a) {
    const Real cube = b.inverse * b.inverse * b.inverse;
    const Real on_i = lane.coupling[i * most + j] * cube, on_j = lane.coupling[j * most + i] * cube;
    a[i] = {fma(on_i, b.d.x, a[i].x), fma(on_i, b.d.y, a[i].y)};
    a[j] = {fma(-on_j, b.d.x, a[j].x), fma(-on_j, b.d.y, a[j].y)};
  }
  ALWAYS_INLINE static void accelerate(const Lane& lane, int n, const Vector* r, Vector* a) {
    detail::for_pairs<most>(n, [&](int i, int j) { pull(lane, i, j, look_at(lane, r[i], r[j]), a); });
  }
  /// The same, and what a step's end is asked for: the potential energy of (3), and the square of the least distance.
  struct Look {
    Real potential, nearest2;
  };
  ALWAYS_INLINE static Look look(const Lane& lane, int n, const Vector* r, Vector* a) {
    Look seen{Real(0.0), Real(std::numeric_limits<double>::infinity())};
    detail::for_pairs<most>(n, [&](int i, int j) {
      const Bond b = look_at(lane, r[i], r[j]);
      pull(lane, i, j, b, a);
      seen.potential = fma(lane.strength[bond(i, j)], b.inverse, seen.potential);
      seen.nearest2 = smaller(b.square, seen.nearest2);
    });
    return seen;
  }
  ALWAYS_INLINE static void observe(Lane& lane, const Look& seen) {
    lane.potential = seen.potential;
    lane.nearest2 = seen.nearest2;
  }
  ALWAYS_INLINE static void rest(Vector* a) {
    detail::for_bodies<most>(most, [&](int i) { a[i] = {Real(0.0), Real(0.0)}; });
  }
  ALWAYS_INLINE static Real kinetic(const Lane& lane, int n) {
    Real sum = Real(0.0);
    detail::for_bodies<most>(n, [&](int i) {
      const Vector& v = lane.state.v[i];
      sum = fma(lane.weight[i], fma(v.x, v.x, v.y * v.y), sum);
    });
    return Real(0.5) * sum;
  }
  HOST_DEVICE static Real angular_momentum(const Lane& lane) {
    Real sum = Real(0.0);
    for (int i = 0; i < count(lane); ++i) {
      const Vector &r = lane.state.r[i], &v = lane.state.v[i];
      sum = fma(lane.weight[i], difference_of_products(r.x, v.y, r.y, v.x), sum);
    }
    return sum;
  }

  /// What the drifts are measured by.
  HOST_DEVICE static void scale(Lane& lane, int n) {
    const Real zero = Real(0.0), one = Real(1.0), two = Real(2.0);
    Real energy = kinetic(lane, n), weight = zero, inertia = zero;
    for (int j = 0; j < n; ++j) {
      const Vector& r = lane.state.r[j];
      weight = weight + lane.weight[j];
      inertia = fma(lane.weight[j], fma(r.x, r.x, r.y * r.y), inertia);
      for (int i = 0; i < j; ++i)
        energy = fma(abs(lane.strength[bond(i, j)]), look_at(lane, lane.state.r[i], r).inverse, energy);
    }
    const auto or_one = [&](const Real& a) { return select(a > zero, a, one); };
    lane.energy_scale = or_one(energy);
    lane.momentum_scale = or_one(sqrt(two * weight * energy));
    lane.angular_scale = or_one(sqrt(two * inertia * energy));
    lane.angular0 = angular_momentum(lane);
  }

  /// Equation (5).
  HOST_DEVICE static void find_escapes(const Lane& lane, Summary& summary) {
    const Real zero = Real(0.0), one = Real(1.0);
    const int n = count(lane);
    summary.escaped = zero;
    summary.escaper = Real(std::numeric_limits<double>::quiet_NaN());
    for (int i = n - 1; i >= 0; --i) {
      Real others = zero, field = zero;
      Vector r = zero_vector(), v = zero_vector();
      for (int j = 0; j < n; ++j) {
        if (j == i) continue;
        const Vector &rj = lane.state.r[j], &vj = lane.state.v[j];
        others = others + lane.mass[j];
        r = {fma(lane.mass[j], rj.x, r.x), fma(lane.mass[j], rj.y, r.y)};
        v = {fma(lane.mass[j], vj.x, v.x), fma(lane.mass[j], vj.y, v.y)};
        field = fma(lane.coupling[i * most + j], look_at(lane, lane.state.r[i], rj).inverse, field);
      }
      const Mask<Real> held = others > zero;
      const Real per_mass = one / select(held, others, one);
      const Vector d{fma(-per_mass, r.x, lane.state.r[i].x), fma(-per_mass, r.y, lane.state.r[i].y)};
      const Vector w{fma(-per_mass, v.x, lane.state.v[i].x), fma(-per_mass, v.y, lane.state.v[i].y)};
      const Real energy = fma(fma(lane.mass[i], per_mass, one), field, Real(0.5) * fma(w.x, w.x, w.y * w.y));
      const Mask<Real> escapes = held & (energy > zero) & (fma(d.x, w.x, d.y * w.y) > zero) &
                                 (fma(d.x, d.x, d.y * d.y) > lane.escape_distance * lane.escape_distance);
      summary.escaped = select(escapes, summary.escaped + one, summary.escaped);
      summary.escaper = select(escapes, Real(static_cast<double>(i)), summary.escaper);
    }
  }
  HOST_DEVICE static Vector zero_vector() { return {Real(0.0), Real(0.0)}; }
};

template <class Real>
using Coulomb = CoulombOf<Real, most_charges>;

}  // namespace scree
