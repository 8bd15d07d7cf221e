// Two point masses at a constant distance in space, sliding with Coulomb friction on a smooth surface z = f(x, y).
//
// The equations of motion are (1)-(3) of pair/link.hpp, in the exact model or in Part 1's approximation; friction is
// mu |N| with the whole normal force N_i = m_i phi_i p_i. Energy and its balance:
//   E = sum_i m_i (|V_i|^2 / 2 + g z_i),   W' = mu sum_i |N_i| |V_i|,   E + W constant                             (1)
// Part 1's model does not keep E even without friction: it adds vertical forces that do work.
//
// Rest: a mass whose velocity is 0 is held while mu_s N_i suffices (pair/rest.hpp); so both slide, or the first or the
// second is held and the other one swings about it, or both rest, and the sample has stopped. A mass that slows down
// comes to rest by sub-steps of 0.3 |v| / |a| until |v| <= finest_step h |a|; from there it decelerates evenly to
// 0 while the other one goes on. With friction, no step is longer than 0.3 |V| / (mu |N| / m): the direction of
// friction turns as fast as that. So every sample has its own clock. A release is noticed at the beginning of a step.
//
// Only the second derivative of the distance is kept at 0, so that it drifts, as the scheme's error does; Baumgarte's
// stabilisation adds to the right-hand side of eq (3), projection moves the masses after each step.
//
// Source: Gallotti and Tinti, Theor. Appl. Mech. Lett. 2019.
#pragma once

#include <type_traits>

#include "../steppers/smooth_schemes.hpp"
#include "pair/rest.hpp"
#include "pair/summary.hpp"

namespace scree {

template <class Real>
struct Pair {
  using Schemes = SmoothSchemes;
  using Params = PairParams<Real>;
  using Start = PairStart<Real>;
  using Summary = PairSummary<Real>;
  using Track = PairTrack<Real>;
  using State = PairState<Real>;
  using Motion = PairMotion<Real>;
  using Mode = PairMode<Real>;

  /// Registers of a pack in flight: measured on AVX-512, 36 ns a step and lane with 1, 42 with 2, 65 with 3.
  static constexpr int pack_registers = 1;
  /// Part of |v| / |a| that a step near rest takes.
  static constexpr double caution = 0.3;
  /// Largest |r . r'| of a start, as a part of |r| |r'|: what inputs of ten digits leave.
  static constexpr double start_tolerance = 1e-9;
  /// Newton steps of the projection; the second leaves a relative error of the order of the drift squared.
  static constexpr int projection_passes = 2;

  template <class Table>
  static void describe(Table& table) {
    describe_pair<Real>(table);
  }

  struct Lane {
    PairLink<Real> link;
    Real static_friction, stabilise, finest_step;
    State state;
    Mode mode;  // of the last step
    // The clock: `since` + `count` h, with `count` whole steps since the last that was not one. `last`: length of the
    // last step.
    Real since, count, last;
    Real failed;  // 1: no consistent signs
    PairRecord<Real> record;
    Real start_x1, start_y1, start_x2, start_y2, energy_start, momentum_start;
    Real steps, contacts, status;
  };

  static Mistake mistake(const World& world, const Sample<Pair>& sample) {
    const PairParams<double>& p = sample.params;
    const PairStart<double>& start = sample.start;
    if (p.static_friction != 0 && p.static_friction < p.friction) return "static_friction is below friction";
    if (p.link_reaction != 0 && p.link_reaction != 1) return "link_reaction must be 0 or 1";
    if (p.project_start != 0 && p.project_start != 1) return "project_start must be 0 or 1";
    if (p.stabilise != pair_not_stabilised && p.stabilise != pair_baumgarte && p.stabilise != pair_projection)
      return "stabilisation must be 0, 1 or 2";
    if (p.stabilise == pair_baumgarte && !(p.stabilise_rate * world.step <= 0.3))
      return "stabilise_rate times the step must be at most 0.3: the correction would overshoot";
    for (const Vec2<double>& place : {start.position1, start.position2}) {
      const auto at = surface_point(world.terrain, world.tables, place.x, place.y);
      if (!at.inside) return "a mass starts beyond the surface";
      if (!at.data) return "a mass starts over a cell with a NODATA corner";
    }
    const PairState<double> s = first_state(start);
    const PairMode<double> both{1, 1};
    const PairMotion<double> m = pair_motion(anywhere(world), link_of(world, p, s), s, both);
    if (!(m.distance2 > 0)) return "position1 and position2 coincide: the link has no length";
    if (!(uniqueness(link_of(world, p, s), m, s, both) > 0))
      return "the link's force is not determined at the start: the link is normal to the surface, or friction is too "
             "large for its direction (Painleve's paradox)";
    const double rx = s.vx1 - s.vx2, ry = s.vy1 - s.vy2, rz = m.first.at.vz - m.second.at.vz;
    const double size = sqrt(m.distance2 * (rx * rx + ry * ry + rz * rz));
    if (p.project_start == 0 && !(abs(opening(m, s)) <= start_tolerance * size))
      return "velocity1 and velocity2 would change the distance of the masses: r12 . r12' must be 0 (or set "
             "start_check = \"project\")";
    return nullptr;
  }

  HOST_DEVICE static Lane prepare(const World& world, const Sample<Pair>& sample) {
    const Real zero = Real(0.0), one = Real(1.0);
    const Params& p = sample.params;
    Lane lane{};
    lane.state = first_state(sample.start);
    lane.link = link_of(world, p, lane.state);
    lane.static_friction = select(p.static_friction > zero, p.static_friction, p.friction);
    lane.stabilise = p.stabilise;
    lane.finest_step = p.finest_step;
    lane.mode = {one, one};
    const Motion m = pair_motion(anywhere(world), lane.link, lane.state, lane.mode);
    lane.state =
        select(p.project_start > zero, with_matching_velocities(lane.link, m, lane.state, lane.mode), lane.state);
    lane.record = PairRecord<Real>::empty();
    lane.start_x1 = lane.state.x1;
    lane.start_y1 = lane.state.y1;
    lane.start_x2 = lane.state.x2;
    lane.start_y2 = lane.state.y2;
    lane.energy_start = energy(world, lane);
    lane.momentum_start = angular_momentum(lane);
    lane.status = Real(running);
    return lane;
  }

  /// Equation (1), J.
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
  ALWAYS_INLINE static Real time(const World& world, const Lane& lane) {
    return fma(Real(world.step), lane.count, lane.since);
  }

  /// The motion of the lane as it is now, and which masses friction holds; `doubtful` where there may be no such
  /// motion, or several.
  template <class Surface>
  ALWAYS_INLINE static Motion motion_now(const Surface& surface, const World& world, const Lane& lane, Mode& mode,
                                         Mask<Real>& doubtful) {
    const Real zero = Real(0.0), one = Real(1.0);
    const State& s = lane.state;
    mode = {one, one};
    Motion m = pair_motion(surface, lane.link, s, mode);
    const Mask<Real> rough = lane.static_friction > zero;
    doubtful = zero != zero;
    const Mask<Real> rest1 = rough & (s.vx1 == zero) & (s.vy1 == zero),
                     rest2 = rough & (s.vx2 == zero) & (s.vy2 == zero);
    if (any(rest1 | rest2)) {
      const Settled<Real> settled = settle(anywhere(world), lane.link, lane.static_friction, s, rest1, rest2, m);
      m = settled.motion;
      mode = settled.mode;
      doubtful = settled.doubtful;
    }
    return m;
  }

  /// The right-hand side of a step; `failed` where no signs are consistent.
  template <class Surface>
  struct Stage {
    const Surface& surface;
    const PairLink<Real>& link;
    const Mode& mode;
    Mask<Real>& failed;

    ALWAYS_INLINE State operator()(const State& s) const {
      const Motion m = pair_motion(surface, link, s, mode);
      failed = failed | !m.consistent;
      return m.rate;
    }
  };

  /// One step. The motion at its beginning serves the scheme's first stage, the events and the record.
  template <class Scheme>
  HOST_DEVICE static void begin(const World& world, Lane& lane) {
    with_surface(world.terrain, world.tables, [&](const auto& surface) { step_on<Scheme>(surface, world, lane); });
  }

  template <class Scheme, class Surface>
  ALWAYS_INLINE static void step_on(const Surface& surface, const World& world, Lane& lane) {
    const Real zero = Real(0.0), one = Real(1.0), h = Real(world.step);
    Mode mode;
    Mask<Real> doubtful;
    const Motion m = motion_now(surface, world, lane, mode, doubtful);
    const Real now = time(world, lane), left = Real(world.end) - now;
    lane.record.look(lane.link, m, lane.mode, mode, now, lane.last, lane.start_x1 - lane.start_x2,
                     lane.start_y1 - lane.start_y2);
    Mask<Real> failed = (!m.consistent) | !bounded(abs(m.lambda));
    lane.mode = mode;

    // A remainder that is a step but for roundings is a whole one.
    const Mask<Real> last = left <= Real(1.0 + 1e-9) * h;
    Real length = select(left < Real(1.0 - 1e-9) * h, left, h);
    Real passed = zero;
    if (any(lane.static_friction > zero)) {
      doubtful = doubtful | ((lane.static_friction > zero) & (mode.w1 + mode.w2 > zero) &
                             !(uniqueness(lane.link, m, lane.state, mode) > zero));
      lane.record.paradoxes = select(doubtful, lane.record.paradoxes + one, lane.record.paradoxes);
      length = length_near_rest(lane, m, mode, length, passed);
    }
    end_off_terrain<Real>(lane, !m.inside, !m.data);
    length = select(lane.status == Real(running), length, zero);
    passed = passed + length;
    const Mask<Real> whole = passed == h, ends = last & (passed >= Real(1.0 - 1e-9) * left);
    lane.since = select(ends, Real(world.end), select(whole, lane.since, now + passed));
    lane.count = select(ends | !whole, zero, lane.count + one);
    lane.last = passed;

    const Mask<Real> rests = mode.w1 + mode.w2 == zero;
    const Mode moving{select(rests, one, mode.w1), select(rests, one, mode.w2)};
    if constexpr (std::is_same_v<Scheme, ImplicitMidpoint>) {
      // The iteration of the implicit rule contracts by half of this product: not where a speed grows from 0.
      const State& s = lane.state;
      const Real rate =
          lane.link.friction * larger(mode.w1 * (abs(m.p1) * m.first.grip), mode.w2 * (abs(m.p2) * m.second.grip));
      const Mask<Real> leaves = rate * length > one, nowhere = zero != zero;
      State next = s;
      if (any(!leaves)) {
        // A lane that has converged iterates with the others, so only the midpoint itself tells whether it failed.
        Mask<Real> on_the_way = nowhere, at_middle = nowhere;
        next = Scheme::step(s, m.rate, length, Stage<Surface>{surface, lane.link, moving, on_the_way});
        Stage<Surface>{surface, lane.link, moving, at_middle}(middle_of<Real>(s, next));
        failed = failed | ((!leaves) & at_middle & (next.x1 == next.x1));
      }
      if (any(leaves)) {
        Mask<Real> in_a_stage = nowhere;
        const Stage<Surface> f{surface, lane.link, moving, in_a_stage};
        next = select(leaves, Rk4::step(s, m.rate, length, f), next);
        failed = failed | (leaves & in_a_stage);
      }
      lane.state = next;
    } else {
      lane.state = Scheme::step(lane.state, m.rate, length, Stage<Surface>{surface, lane.link, moving, failed});
    }
    lane.failed = select(failed, one, zero);
  }

  /// Projection, if it is asked for, and the end of the sample.
  template <class Scheme>
  HOST_DEVICE static void finish(const World& world, Lane& lane) {
    const Real zero = Real(0.0), one = Real(1.0);
    lane.steps = lane.steps + one;
    const Mask<Real> projected = lane.stabilise == Real(pair_projection);
    if (any(projected)) {
      const Projection moved = projection(anywhere(world), lane.link, lane.state, lane.static_friction);
      lane.state = select(projected, moved.state, lane.state);
      lane.record.gap = select(projected, larger(moved.gap, lane.record.gap), lane.record.gap);
    }
    // Near rest what r . r' has drifted to would be all that is left of the velocities, and go on for ever.
    const Mask<Real> shortened = (lane.static_friction > zero) & (lane.last < Real(world.step));
    if (any(shortened))
      lane.state = select(shortened, matched(anywhere(world), lane.link, lane.state, lane.static_friction), lane.state);
    const State& s = lane.state;
    end_where<Real>(lane, Status::not_converged, lane.failed > zero);
    const Real places = (abs(s.x1) + abs(s.y1)) + (abs(s.x2) + abs(s.y2));
    const Real speeds = (abs(s.vx1) + abs(s.vy1)) + (abs(s.vx2) + abs(s.vy2));
    end_where<Real>(lane, Status::diverged, !bounded(places + speeds));
    end_where<Real>(lane, Status::stopped, lane.mode.w1 + lane.mode.w2 == zero);
    const Mask<Real> over = time(world, lane) >= Real(world.end);
    if (any(over)) {
      const auto one_at = surface_point(world.terrain, world.tables, s.x1, s.y1);
      const auto two_at = surface_point(world.terrain, world.tables, s.x2, s.y2);
      end_off_terrain<Real>(lane, over & !(one_at.inside & two_at.inside), over & !(one_at.data & two_at.data));
      end_where<Real>(lane, Status::end_time, over);
    }
  }

  HOST_DEVICE static Summary summarize(const World& world, const Lane& lane) {
    const Real zero = Real(0.0), one = Real(1.0), none = Real(std::numeric_limits<double>::quiet_NaN());
    const State& s = lane.state;
    Mode mode;
    Mask<Real> doubtful;
    const Motion m = motion_now(anywhere(world), world, lane, mode, doubtful);
    const Real first_x = lane.start_x1 - lane.start_x2, first_y = lane.start_y1 - lane.start_y2;
    PairRecord<Real> record = lane.record;
    record.look(lane.link, m, lane.mode, mode, time(world, lane), lane.last, first_x, first_y);
    const Real mass = lane.link.mass1 + lane.link.mass2, distance = sqrt(lane.link.distance2);
    const auto middle = [&](const Real& a, const Real& b) {
      return fma(lane.link.mass1, a, lane.link.mass2 * b) / mass;
    };
    const auto length = [](const Real& x, const Real& y) { return sqrt(fma(x, x, y * y)); };
    const auto root = [](const Real& a) { return copysign(sqrt(abs(a)), a); };
    const auto height = [&](const Real& x, const Real& y) {
      return surface_point(world.terrain, world.tables, x, y).z;
    };
    const Real along = fma(first_x, m.x, first_y * m.y), across = difference_of_products(first_x, m.y, first_y, m.x);
    const Mask<Real> lost = record.liftoff_time == record.liftoff_time;
    Summary c;
    c.runout =
        length(middle(s.x1 - lane.start_x1, s.x2 - lane.start_x2), middle(s.y1 - lane.start_y1, s.y2 - lane.start_y2));
    c.runout_attached = select(lost, none, c.runout);
    c.runout1 = length(s.x1 - lane.start_x1, s.y1 - lane.start_y1);
    c.runout2 = length(s.x2 - lane.start_x2, s.y2 - lane.start_y2);
    c.drop = middle(height(lane.start_x1, lane.start_y1) - height(s.x1, s.y1),
                    height(lane.start_x2, lane.start_y2) - height(s.x2, s.y2));
    c.final_x = middle(s.x1, s.x2);
    c.final_y = middle(s.y1, s.y2);
    c.final_x1 = s.x1;
    c.final_y1 = s.y1;
    c.final_x2 = s.x2;
    c.final_y2 = s.y2;
    c.stop_time = time(world, lane);
    c.time = c.stop_time;
    c.energy_start = lane.energy_start;
    c.energy_end = energy(world, lane);
    c.friction_work = s.work;
    c.energy_error = (c.energy_end - c.energy_start) + c.friction_work;
    c.link_force_min = distance * record.lambda_min;
    c.link_force_max = distance * record.lambda_max;
    c.link_force_end = distance * record.lambda;
    c.link_sign_changes = record.sign_changes;
    c.link_turns = record.turns + angle(along, across) * Real(0.15915494309189533577);  // 1 / (2 pi)
    c.distance_error_max = record.gap / (sqrt(lane.link.distance2 + record.gap) + distance);
    c.angular_momentum = angular_momentum(lane);
    c.angular_momentum_change = c.angular_momentum - lane.momentum_start;
    c.lifted_off = select(lost, one, zero);
    c.liftoff_time = record.liftoff_time;
    c.normal_min1 = root(record.normal1);
    c.normal_min2 = root(record.normal2);
    c.negative_time = record.negative_time;
    c.held_time1 = record.held_time1;
    c.held_time2 = record.held_time2;
    c.releases = record.releases;
    c.paradoxes = record.paradoxes;
    c.steps = lane.steps;
    return c;
  }

  HOST_DEVICE static Track track(const World& world, const Lane& lane) {
    const Real one = Real(1.0);
    const State& s = lane.state;
    Mode mode;
    Mask<Real> doubtful;
    const Motion m = motion_now(anywhere(world), world, lane, mode, doubtful);
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
  template <class R>
  HOST_DEVICE static PairState<R> first_state(const PairStart<R>& start) {
    return {start.position1.x, start.position1.y, start.position2.x,
            start.position2.y, start.velocity1.x, start.velocity1.y,
            start.velocity2.x, start.velocity2.y, R(0.0)};
  }
  template <class R>
  HOST_DEVICE static PairLink<R> link_of(const World& world, const PairParams<R>& p, const PairState<R>& s) {
    const R one = R(1.0);
    const R x = s.x1 - s.x2, y = s.y1 - s.y2;
    const R z = surface_point(world.terrain, world.tables, s.x1, s.y1).z -
                surface_point(world.terrain, world.tables, s.x2, s.y2).z;
    return {p.gravity,
            p.friction,
            p.link_reaction,
            p.mass1,
            p.mass2,
            one / p.mass1,
            one / p.mass2,
            fma(x, x, fma(y, y, z * z)),
            select(p.stabilise == R(pair_baumgarte), p.stabilise_rate, R(0.0))};
  }

  HOST_DEVICE static AnySurface anywhere(const World& world) { return {world.terrain, world.tables}; }

  /// A mass that friction slows, or turns, within less than a few steps.
  struct Slowing {
    Mask<Real> found, halts;
    Mask<Real> crawls;  // is so slow that it halts when the other one does
    Real length;        // of the next step, s; where it halts, the time until then
  };
  ALWAYS_INLINE static Slowing slowing(const Lane& lane, const PairContact<Real>& c, const Real& pressure,
                                       const Real& vx, const Real& vy, const Real& ax, const Real& ay, const Real& w,
                                       const Real& h) {
    const Real zero = Real(0.0), one = Real(1.0), part = Real(caution);
    const Real v2 = fma(vx, vx, vy * vy), a2 = fma(ax, ax, ay * ay), reach2 = (h * h) * a2;
    const Real along = fma(vx, ax, vy * ay);
    const Real rate = (lane.link.friction * abs(pressure)) * c.grip;  // mu |N| / (m |V|)
    const Mask<Real> slides = (lane.static_friction > zero) & (w > zero) & (v2 > zero),
                     slower = slides & (along < zero);
    const Mask<Real> near = slower & ((part * part) * v2 < reach2), turning = slides & (h * rate > part);
    Slowing out;
    out.found = near | turning;
    out.halts = out.crawls = near;
    out.length = h;
    if (any(out.found)) {
      const Real finest = lane.finest_step;
      const Real braking = select(near, h * sqrt((part * part) * v2 / select(near, reach2, one)), h);
      const Real steady = select(turning, part / select(turning, rate, one), h);
      // Steps cannot get shorter: here it halts, unless it passes another way than it is pushed. Below mu |N| / m times
      // the finest step the scheme cannot follow its direction: it halts anyway, and starts again if it is pushed.
      const Real stiffness = finest * h * rate;
      const Mask<Real> finished = (near & (v2 <= (finest * finest) * reach2)) | (turning & (stiffness > part));
      out.halts = (slower & finished & (along * along > Real(0.5) * v2 * a2)) | (turning & (stiffness > one));
      out.crawls = finished | (turning & (stiffness > Real(0.1)));
      const Real until = larger(-v2 / select(out.halts, along, one), Real(0.25) * finest * h);
      out.length = select(out.halts, smaller(until, h), larger(smaller(braking, steady), finest * h));
    }
    return out;
  }

  /// The length of the next step, at most `length`; 0 where both masses rest. A mass that halts within it is moved
  /// there and then, and what is left to the scheme is a step of length 0; `passed` is the time that this took.
  ALWAYS_INLINE static Real length_near_rest(Lane& lane, const Motion& m, const Mode& mode, const Real& length,
                                             Real& passed) {
    const Real zero = Real(0.0);
    const State& s = lane.state;
    const Slowing one = slowing(lane, m.first, m.p1, s.vx1, s.vy1, m.rate.vx1, m.rate.vy1, mode.w1, length);
    const Slowing two = slowing(lane, m.second, m.p2, s.vx2, s.vy2, m.rate.vx2, m.rate.vy2, mode.w2, length);
    const Real least = smaller(smaller(one.length, two.length), length);
    const Mask<Real> halts = one.halts | two.halts;
    if (any(halts)) {
      // One that could not have halted alone does so with the other: else they may take turns without end.
      const Mask<Real> first_halts = one.halts & (one.length <= least),
                       second_halts = two.halts & (two.length <= least);
      const Mask<Real> first = first_halts | (second_halts & one.crawls),
                       second = second_halts | (first_halts & two.crawls);
      const Mask<Real> now = first | second;
      lane.state = select(now, halted(lane.link, m, s, mode, least, first, second), s);
      passed = select(now, least, passed);
      return select(now | (mode.w1 + mode.w2 == zero), zero, least);
    }
    return select(mode.w1 + mode.w2 == zero, zero, least);
  }

  /// The state after the time tau, in which the marked masses come to rest by a constant deceleration; the other one
  /// moves with constant acceleration and then as the link allows. Friction's power falls to 0 with the speed.
  SCREE_COLD HOST_DEVICE static State halted(PairLink<Real> link, Motion m, State s, Mode mode, Real tau,
                                             Mask<Real> halts1, Mask<Real> halts2) {
    const Real zero = Real(0.0), half = Real(0.5) * tau;
    const State& a = m.rate;
    State next = s;
    next.x1 = fma(half, select(halts1, s.vx1, fma(tau, a.vx1, s.vx1 + s.vx1)), s.x1);
    next.y1 = fma(half, select(halts1, s.vy1, fma(tau, a.vy1, s.vy1 + s.vy1)), s.y1);
    next.x2 = fma(half, select(halts2, s.vx2, fma(tau, a.vx2, s.vx2 + s.vx2)), s.x2);
    next.y2 = fma(half, select(halts2, s.vy2, fma(tau, a.vy2, s.vy2 + s.vy2)), s.y2);
    next.vx1 = select(halts1, zero, fma(tau, a.vx1, s.vx1));
    next.vy1 = select(halts1, zero, fma(tau, a.vy1, s.vy1));
    next.vx2 = select(halts2, zero, fma(tau, a.vx2, s.vx2));
    next.vy2 = select(halts2, zero, fma(tau, a.vy2, s.vy2));
    const auto power = [&](const PairContact<Real>& c, const Real& mass, const Real& pressure) {
      return (link.friction * mass) * (abs(pressure) * (c.grip * c.at.square));
    };
    const Real power1 = power(m.first, link.mass1, m.p1), power2 = power(m.second, link.mass2, m.p2);
    next.work = fma(half, select(halts1, power1, power1 + power1) + select(halts2, power2, power2 + power2), s.work);
    const Mode left{select(halts1, zero, mode.w1), select(halts2, zero, mode.w2)};
    return with_matching_velocities(link, m, next, left);
  }

  /// Masses at rest stay so when others are moved.
  HOST_DEVICE static Mode mobile(const State& s, const Real& static_friction) {
    const Real zero = Real(0.0), one = Real(1.0);
    const Mask<Real> rough = static_friction > zero;
    return {select(rough & (s.vx1 == zero) & (s.vy1 == zero), zero, one),
            select(rough & (s.vx2 == zero) & (s.vy2 == zero), zero, one)};
  }

  /// The state with velocities that keep the distance.
  SCREE_COLD HOST_DEVICE static State matched(AnySurface surface, PairLink<Real> link, State s, Real static_friction) {
    const Mode mode = mobile(s, static_friction);
    return with_matching_velocities(link, pair_motion(surface, link, s, mode), s, mode);
  }

  /// The state moved to the distance d and to velocities that keep it, and ||r|^2 - d^2| before.
  struct Projection {
    State state;
    Real gap;
  };
  SCREE_COLD HOST_DEVICE static Projection projection(AnySurface surface, PairLink<Real> link, State s,
                                                      Real static_friction) {
    const Mode mode = mobile(s, static_friction);
    Motion m = pair_motion(surface, link, s, mode);
    const Real gap = abs(m.distance2 - link.distance2);
    SCREE_ROLLED
    for (int pass = 0; pass < projection_passes; ++pass) {
      s = with_nearer_distance(link, m, s, mode);
      m = pair_motion(surface, link, s, mode);
    }
    return {with_matching_velocities(link, m, s, mode), gap};
  }

  /// The angle of (x, y) from the x axis, in (-pi, pi].
  HOST_DEVICE static Real angle(const Real& x, const Real& y) {
    const Real zero = Real(0.0), one = Real(1.0), half_pi = Real(1.57079632679489661923);
    const Mask<Real> steep = abs(y) > abs(x);
    const Real down = select(steep, y, x), up = select(steep, x, y);
    const Real a = atan(up / select(down == zero, one, down));
    const Real near_x = select(x < zero, a + copysign(half_pi + half_pi, y), a);
    return select(steep, copysign(half_pi, y) - a, near_x);
  }
};

}  // namespace scree
