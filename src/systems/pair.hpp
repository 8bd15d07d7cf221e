// Two point masses at a constant distance in space, sliding with Coulomb friction on a smooth surface z = f(x, y).
//
//   r = r1 - r2 = (X, Y, Z),   |r| = d,   the link pushes mass 1 by lambda r and mass 2 by -lambda r
//   t_i = (X, Y) + Z grad f_i,   c_i = Z - grad f_i . (X, Y),   G_i = phi_i^2 grad f_i + mu s_i phi_i v_i / |V_i|
//
// Each mass moves by (contact/sliding.hpp), with s_i = sgn(p_i),
//   p_1 = g + theta_1 - lambda c_1 / m_1,   p_2 = g + theta_2 + lambda c_2 / m_2                         (1)
//   a_i = a_i0 +- lambda b_i,   a_i0 = -(g + theta_i) G_i,   b_i = [(X, Y) + c_i G_i] / m_i               (2)
// and the distance is constant if r . (r1'' - r2'') = -|r'|^2, that is
//   lambda = -[ |r'|^2 + Z (theta_1 - theta_2) + t_1 . a_10 - t_2 . a_20 ] / (t_1 . b_1 + t_2 . b_2)     (3)
// Friction is mu |N| with the whole normal force N_i = m_i phi_i p_i. Energy and its balance:
//   E = sum_i m_i (|V_i|^2 / 2 + g z_i),   W' = mu sum_i |N_i| |V_i|,   E + W constant                   (4)
//
// This is the exact model. The approximation of Gallotti and Tinti's Part 1 lets the link press on no surface: it is
// (1) to (3) with c_i = 0, and (3) then solves their eq (19), a diagonal matrix and one of rank one. It does not keep E
// even without friction: it adds vertical forces that do work.
//
// Rest: a mass whose velocity is 0 is held while mu_s N_i suffices (pair/rest.hpp); so both slide, or the first or the
// second is held and the other one swings about it, or both rest, and the sample has stopped. A mass that slows down
// comes to rest by sub-steps of 0.3 |v| / |a| until |v| <= finest_step h |a|; from there it decelerates evenly to
// 0 while the other one goes on. With friction, no step is longer than 0.3 |V| / (mu |N| / m), for the direction of
// friction turns as fast as that, and none shorter than finest_step h, unless a mass halts within it. So every sample
// has its own clock. A release is noticed at the beginning of a step.
//
// Only the second derivative of the distance is kept at 0, so that it drifts, as the scheme's error does; Baumgarte's
// stabilisation adds to the right-hand side of eq (3), projection moves the masses after each step.
//
// Source: Gallotti and Tinti, Theor. Appl. Mech. Lett. 2019, eqs (15)-(19) and appendix.
#pragma once

#include "../steppers/smooth_schemes.hpp"
#include "pair/record.hpp"
#include "pair/stepping.hpp"

namespace scree {

template <class Real>
struct Pair {
  using Schemes = SmoothSchemes;
  using Params = PairParams<Real>;
  using Start = PairStart<Real>;
  using Summary = PairSummary<Real>;
  using Track = PairTrack<Real>;
  using State = PairState<Real>;
  using Mode = PairMode<Real>;

  /// Registers of a pack in flight: measured on AVX-512, 36 ns a step and lane with 1, 42 with 2, 65 with 3.
  static constexpr int pack_registers = 1;
  /// By the model of bench/README.md 0.86 of the time of the compiler's own choice, 2; with 4 blocks more is kept in
  /// local memory than they have of the cache.
  static constexpr int cuda_blocks = 3;

  template <class Table>
  static void describe(Table& table) {
    describe_pair<Real>(table);
  }

  static Mistake mistake(const World& world, const Sample<Pair>& sample) {
    return pair_mistake(world, sample.params, sample.start);
  }

  static constexpr const char* too_long_step =
      "stabilise_rate times the step must be at most 0.3: the correction would overshoot";
  template <class Scheme>
  static double largest_step(const World&, const Sample<Pair>& sample) {
    return pair_longest_step(sample.params);
  }

  struct Lane {
    PairLink<Real> link;
    Real static_friction, stabilise, finest_step;
    State state;
    Mode mode;  // of the last step
    StepClock<Real> clock;
    Real failed;  // 1: no consistent signs
    PairRecord<Real> record;
    Real steps, status;
  };

  HOST_DEVICE static Lane prepare(const World& world, const Sample<Pair>& sample) {
    const Real zero = Real(0.0), one = Real(1.0);
    const Params& p = sample.params;
    Lane lane{};
    lane.state = pair_first_state(sample.start);
    lane.link = pair_link(world, p, lane.state);
    lane.static_friction = select(p.static_friction > zero, p.static_friction, p.friction);
    lane.stabilise = p.stabilise;
    lane.finest_step = p.finest_step;
    lane.mode = {one, one};
    const PairMotion<Real> m = pair_motion(anywhere(world), lane.link, lane.state, lane.mode);
    lane.state =
        select(p.project_start > zero, with_matching_velocities(lane.link, m, lane.state, lane.mode), lane.state);
    lane.record = PairRecord<Real>::empty();
    lane.record.start_x1 = lane.state.x1;
    lane.record.start_y1 = lane.state.y1;
    lane.record.start_x2 = lane.state.x2;
    lane.record.start_y2 = lane.state.y2;
    lane.record.energy_start = energy(world, lane);
    lane.record.momentum_start = angular_momentum(lane);
    lane.status = Real(running);
    return lane;
  }

  /// Equation (4), J.
  HOST_DEVICE static Real energy(const World& world, const Lane& lane) {
    const State& s = lane.state;
    const auto one = surface_point(world.terrain, world.tables, s.x1, s.y1);
    const auto two = surface_point(world.terrain, world.tables, s.x2, s.y2);
    const auto of = [&](const SurfacePoint<Real>& at, const Real& vx, const Real& vy) {
      return fma(lane.link.gravity, at.z, Real(0.5) * sliding(at, vx, vy, lane.link.gravity).square);
    };
    return fma(lane.link.mass1, of(one, s.vx1, s.vy1), lane.link.mass2 * of(two, s.vx2, s.vy2));
  }
  /// About the z axis, kg m^2/s.
  HOST_DEVICE static Real angular_momentum(const Lane& lane) {
    const State& s = lane.state;
    return fma(lane.link.mass1, difference_of_products(s.x1, s.vy1, s.y1, s.vx1),
               lane.link.mass2 * difference_of_products(s.x2, s.vy2, s.y2, s.vx2));
  }
  /// Time since the release, s.
  ALWAYS_INLINE static Real time(const World& world, const Lane& lane) { return lane.clock.time(world); }

  template <class Scheme>
  HOST_DEVICE static void begin(const World& world, Lane& lane) {
    with_surface(world.terrain, world.tables, [&](const auto& surface) { step_on<Scheme>(surface, world, lane); });
  }
  /// One step: the motion at its beginning, the record, the length, the scheme.
  template <class Scheme, class Surface>
  ALWAYS_INLINE static void step_on(const Surface& surface, const World& world, Lane& lane) {
    const Real zero = Real(0.0), one = Real(1.0), h = Real(world.step);
    Mode mode;
    Mask<Real> doubtful;
    const PairMotion<Real> m = motion_now(surface, world, lane, mode, doubtful);
    const Real now = lane.clock.time(world), left = lane.clock.left(world);
    lane.record.look(lane.link, m, lane.mode, mode, now, lane.clock.last);
    Mask<Real> failed = (!m.consistent) | !bounded(abs(m.lambda));
    lane.mode = mode;

    // A remainder that is a step but for roundings is a whole one.
    const Mask<Real> last = left <= Real(1.0 + 1e-9) * h;
    Real length = select(left < Real(1.0 - 1e-9) * h, left, h);
    Real passed = zero;
    if (any(lane.static_friction > zero)) {
      const Mask<Real> unsure = !(uniqueness(lane.link, m, lane.state, mode) > zero);
      doubtful = doubtful | ((lane.static_friction > zero) & (mode.w1 + mode.w2 > zero) & unsure);
      lane.record.paradoxes = select(doubtful, lane.record.paradoxes + one, lane.record.paradoxes);
      length = length_near_rest(lane, m, mode, length, passed);
    }
    end_off_terrain<Real>(lane, !m.inside, !m.data);
    length = select(lane.status == Real(running), length, zero);
    passed = passed + length;
    lane.clock.step(world, passed, last & (passed >= Real(1.0 - 1e-9) * left));

    const Mask<Real> rests = mode.w1 + mode.w2 == zero;
    const Mode moving{select(rests, one, mode.w1), select(rests, one, mode.w2)};
    lane.state = pair_step<Scheme>(surface, lane.link, lane.state, m, moving, length, failed);
    lane.failed = select(failed, one, zero);
  }

  /// Moves the masses back to their distance where that is asked for, and ends the sample if it is over.
  template <class Scheme>
  HOST_DEVICE static void finish(const World& world, Lane& lane) {
    const Real zero = Real(0.0), one = Real(1.0);
    lane.steps = lane.steps + one;
    const Mask<Real> projected = lane.stabilise == Real(pair_projection);
    if (any(projected)) {
      const PairProjection<Real> moved = projection(anywhere(world), lane.link, lane.state, lane.static_friction);
      lane.state = select(projected, moved.state, lane.state);
      lane.record.gap = select(projected, larger(moved.gap, lane.record.gap), lane.record.gap);
    }
    // Near rest what r . r' has drifted to would be all that is left of the velocities, and go on for ever.
    const Mask<Real> shortened = (lane.static_friction > zero) & (lane.clock.last < Real(world.step));
    if (any(shortened))
      lane.state = select(shortened, matched(anywhere(world), lane.link, lane.state, lane.static_friction), lane.state);
    const State& s = lane.state;
    end_where<Real>(lane, Status::not_converged, lane.failed > zero);
    const Real places = (abs(s.x1) + abs(s.y1)) + (abs(s.x2) + abs(s.y2));
    const Real speeds = (abs(s.vx1) + abs(s.vy1)) + (abs(s.vx2) + abs(s.vy2));
    end_where<Real>(lane, Status::diverged, !bounded(places + speeds));
    end_where<Real>(lane, Status::stopped, lane.mode.w1 + lane.mode.w2 == zero);
    const Mask<Real> over = lane.clock.over(world);
    if (any(over)) {
      const auto one_at = surface_point(world.terrain, world.tables, s.x1, s.y1);
      const auto two_at = surface_point(world.terrain, world.tables, s.x2, s.y2);
      end_off_terrain<Real>(lane, over & !(one_at.inside & two_at.inside), over & !(one_at.data & two_at.data));
      end_where<Real>(lane, Status::end_time, over);
    }
  }

  HOST_DEVICE static Summary summarize(const World& world, const Lane& lane) {
    Mode mode;
    Mask<Real> doubtful;
    const PairMotion<Real> m = motion_now(anywhere(world), world, lane, mode, doubtful);
    return pair_summary(world, lane, m, mode, energy(world, lane), angular_momentum(lane));
  }

  HOST_DEVICE static Track track(const World& world, const Lane& lane) {
    const Real one = Real(1.0);
    const State& s = lane.state;
    Mode mode;
    Mask<Real> doubtful;
    const PairMotion<Real> m = motion_now(anywhere(world), world, lane, mode, doubtful);
    const Real distance = sqrt(lane.link.distance2);
    return {s.x1,
            s.y1,
            surface_point(world.terrain, world.tables, s.x1, s.y1).z,
            s.x2,
            s.y2,
            surface_point(world.terrain, world.tables, s.x2, s.y2).z,
            s.vx1,
            s.vy1,
            s.vx2,
            s.vy2,
            distance * m.lambda,
            lane.link.mass1 * m.p1 * sqrt(m.first.phi2),
            lane.link.mass2 * m.p2 * sqrt(m.second.phi2),
            energy(world, lane),
            s.work,
            angular_momentum(lane),
            (m.distance2 - lane.link.distance2) / (sqrt(m.distance2) + distance),
            one - mode.w1,
            one - mode.w2};
  }

 private:
  HOST_DEVICE static AnySurface anywhere(const World& world) { return {world.terrain, world.tables}; }
};

}  // namespace scree
