// A point mass that slides with Coulomb friction on a smooth surface z = f(x, y).
//
//   vz = f_x vx + f_y vy,   |V|^2 = vx^2 + vy^2 + vz^2,   phi = (1 + f_x^2 + f_y^2)^(-1/2)                        (1)
//   N / m = phi (g + theta),   theta = f_xx vx^2 + 2 f_xy vx vy + f_yy vy^2                                        (2)
//   ax = -phi^2 (g + theta) f_x - mu phi |g + theta| vx / |V|,   ay alike with f_y and vy                          (3)
//   W' = mu |N / m| |V|                                                                                            (4)
//   E / m = |V|^2 / 2 + g f,   E + W m constant                                                                    (5)
//
// The surface holds the mass from both sides (a bead; mode "bilateral"): N may be negative, and friction is mu |N|. A
// sample that lost contact, N < 0, says so in its columns; in the mode "unilateral_stop" it ends there, `lifted_off`.
//
// At rest (3) has no direction. A mass at rest stays where |grad f| <= mu_s (`stopped`); elsewhere friction opposes the
// motion that impends, down the fall line, which leaves phi^2 g (mu / |grad f| - 1) grad f of (3). A moving mass stops
// once friction alone would end its motion within the shortest step, |V| <= gn finest_step h, where friction holds,
// |grad f| <= mu; it does so as on a plane of that slope, after
//   tau = |V| (gn + gs cos a) / (gn^2 - gs^2),   gn = mu |N/m|,  gs = g phi |grad f|,  gs cos a = -g vz / |V|,      (6)
// at a place in closed form too (slide_to_rest). With friction, a step near rest is shortened to 0.3 |v| / |a|, of
// velocity and acceleration as seen from above, or 0.3 |V| / gn, whichever is less, but not below finest_step h: the
// direction of friction turns as fast as that. Where the mass comes to a momentary stop on too steep a slope, the step
// ends there. So every sample has its own clock.
//
// Sources: Gallotti and Tinti, Theor. Appl. Mech. Lett. 2019, eqs (4)-(8), with |N| in the friction, where the printed
// (8) would feed energy in for N < 0.
#pragma once

#include "../passage.hpp"
#include "../steppers/smooth_schemes.hpp"
#include "slider/stepping.hpp"

namespace scree {

template <class Real>
struct Slider {
  using Schemes = SmoothSchemes;
  using Params = SliderParams<Real>;
  using Start = SliderStart<Real>;
  using Summary = SliderSummary<Real>;
  using Track = SliderTrack<Real>;
  using Passage = SliderPassage<Real>;
  using State = SliderState<Real>;
  using Contact = Sliding<Real>;

  static constexpr int pack_registers = 4;  // 3 take 1.10 times as long a step with AVX-512, 2 take 1.29 times
  /// By the model of bench/README.md, a valley and a spline: 0.78 and 0.70 of the time of the compiler's own
  /// choice, 2; with 5 blocks more is kept in local memory than they have of the cache.
  static constexpr int cuda_blocks = 4;

  template <class Table>
  static void describe(Table& table) {
    describe_slider<Real>(table);
  }

  static Mistake mistake(const World& world, const Sample<Slider>& sample) {
    if (const Mistake mistake = slider_mistake(world, sample.params, sample.start); mistake.text) return mistake;
    const Vec2<Real>& r = sample.start.position;
    return mistake_at_stems(world, sample.draws.sample, r.x, r.y, 0.0);
  }

  struct Lane {
    Params params;
    State state;
    StepClock<Real> clock;
    Real steps, status;
    State before;  // at the beginning of the last step
    SliderRecord<Real> record;
    Real side;  // 1; -1 while N < 0
  };

  HOST_DEVICE static Lane prepare(const World& world, const Sample<Slider>& sample) {
    const Real zero = Real(0.0), one = Real(1.0);
    const Start& start = sample.start;
    Lane lane{};
    lane.params = sample.params;
    const auto at = surface_point(world.terrain, world.tables, start.position.x, start.position.y);
    const Vec2<Real> down = fall_direction(at.fx, at.fy);
    // `speed` (cos heading t1 + sin heading t2), t1 down the slope, t2 level and left of it.
    const SinCos<Real> turn = sincos(start.heading);
    const Real along = start.speed * turn.cos * rsqrt(fma(at.fx, at.fx, fma(at.fy, at.fy, one)));
    const Real across = start.speed * turn.sin;
    lane.state = {start.position.x, start.position.y, start.velocity.x + fma(along, down.x, -(across * down.y)),
                  start.velocity.y + fma(along, down.y, across * down.x), zero};
    lane.before = lane.state;
    lane.side = one;
    lane.record = SliderRecord<Real>::empty();
    lane.record.start_x = lane.state.x;
    lane.record.start_y = lane.state.y;
    lane.record.energy_start = energy(lane.params, at, sliding(at, lane.state.vx, lane.state.vy, lane.params.gravity));
    lane.status = Real(running);
    return lane;
  }

  /// Equation (5), J/kg.
  HOST_DEVICE static Real energy(const Params& p, const SurfacePoint<Real>& at, const Contact& c) {
    return fma(p.gravity, at.z, Real(0.5) * c.square);
  }
  /// Time since the release, s.
  ALWAYS_INLINE static Real time(const World& world, const Lane& lane) { return lane.clock.time(world); }

  /// Moves on by a step: `step_on` twice over, once without the code for special steps, which though not taken costs a
  /// plain step its registers (20 % with AVX2, 5 % with AVX-512, 6 % as a scalar). Special steps come in rows: after
  /// one, the next is not tried as a plain one. A GPU has the one code.
  template <class Scheme>
  HOST_DEVICE static void begin(const World& world, Lane& lane) {
    with_surface(world.terrain, world.tables, [&](const auto& surface) {
      const bool steady = !gpu_code && !any(lane.clock.last != Real(world.step));
      if (!steady || !step_on<Scheme, true>(surface, world, lane)) any_step_on<Scheme>(surface, world, lane);
    });
  }
  /// Counts the step and ends a sample whose time is over or whose state is none.
  template <class Scheme>
  HOST_DEVICE static void finish(const World& world, Lane& lane) {
    lane.steps = lane.steps + Real(1.0);
    const State& s = lane.state;
    const Mask<Real> lost = !bounded(abs(s.vx + s.vy));
    const Mask<Real> over = lane.clock.over(world);
    if (any(lost | over)) {
      const auto at = surface_point(world.terrain, world.tables, s.x, s.y);
      end_where<Real>(lane, Status::diverged, lost);
      end_off_terrain<Real>(lane, over & !at.inside, over & !at.data);
      end_where<Real>(lane, Status::end_time, over);
    }
  }

  HOST_DEVICE static Summary summarize(const World& world, const Lane& lane) {
    const auto at = surface_point(world.terrain, world.tables, lane.state.x, lane.state.y);
    const SliderNode<Real> now = node(world, lane);
    return slider_summary(world, lane, at, now, energy(lane.params, at, now.contact));
  }

  HOST_DEVICE static Track track(const World& world, const Lane& lane) {
    const State& s = lane.state;
    const auto at = surface_point(world.terrain, world.tables, s.x, s.y);
    const SliderNode<Real> now = node(world, lane);
    return {s.x,   s.y, at.z, s.vx, s.vy, now.contact.vz, now.speed, now.normal, energy(lane.params, at, now.contact),
            s.work};
  }
  ALWAYS_INLINE static PathPoint<Real, Passage> passage(const World& world, const Lane& lane) {
    const State& s = lane.state;
    const auto at = surface_point(world.terrain, world.tables, s.x, s.y);
    const Contact c = sliding(at, s.vx, s.vy, lane.params.gravity);
    const Real zero = Real(0.0);
    return {{s.x, s.y, at.z, time(world, lane), {Real(0.5) * c.square, c.square}},
            {s.vx, s.vy, c.vz},
            Real(1.0),
            zero,
            zero};
  }

  /// A step that lost or regained contact goes back to where it did.
  static constexpr bool takes_back = true;
  /// To a place of the last step, with the time and the velocity that it had there. A mass that ends where it lifts off
  /// does not come there if the surface would have to pull at it from there to the step's end: the next step finds
  /// where it lifted off.
  HOST_DEVICE static bool put_back(const World& world, Lane& lane, const Moving& there) {
    const Real zero = Real(0.0), half = Real(0.5);
    State& s = lane.state;
    const auto end = surface_point(world.terrain, world.tables, s.x, s.y);
    const SliderNode<Real> last = node(world, lane);
    // The path is complete up to the end of the step, and less what is beyond the place.
    const Real slope = select(last.level2 == zero, zero, last.speed_slope), step = lane.clock.last;
    const Real whole = lane.record.path + step * fma(half, last.speed, step * slope / Real(-12.0));
    const Real left = energy(lane.params, end, last.contact);
    s.x = Real(there.x);
    s.y = Real(there.y);
    s.vx = Real(there.velocity.x);
    s.vy = Real(there.velocity.y);
    const auto at = surface_point(world.terrain, world.tables, s.x, s.y);
    Contact c = sliding(at, s.vx, s.vy, lane.params.gravity);
    if (lane.params.stop_at_liftoff > zero && c.reaction < zero && last.contact.reaction < zero) return false;
    const Real beyond = half * (lane.clock.time(world) - Real(there.time)) * (last.speed + sqrt(c.square));
    // The work of the step is in proportion to its way; what is left of the energy sets the speed, so that a velocity
    // that does not change evenly, as on curved ground, brings no error of its own.
    const auto from = surface_point(world.terrain, world.tables, lane.before.x, lane.before.y);
    const Real dx = s.x - lane.before.x, dy = s.y - lane.before.y, dz = at.z - from.z;
    const Real way = sqrt(fma(dx, dx, fma(dy, dy, dz * dz))) + beyond;
    const Real work = way > zero ? (s.work - lane.before.work) * (beyond / way) : zero;
    const Real kinetic = left + work - lane.params.gravity * at.z;
    if (kinetic > zero && c.square > zero) {
      const Real factor = sqrt(kinetic / (half * c.square));
      s.vx = factor * s.vx;
      s.vy = factor * s.vy;
      c = sliding(at, s.vx, s.vy, lane.params.gravity);
    }
    s.work = s.work + (left - energy(lane.params, at, c));
    lane.record.path = whole - beyond;
    lane.record.square_max = larger(lane.record.square_max, c.square);
    // No step leads here: what the next one looks back at begins and ends here.
    lane.before = s;
    lane.clock = {Real(there.time), zero, zero};
    lane.status = Real(running);
    return true;
  }
  HOST_DEVICE static double radius_of(const World&, const Lane&) { return 0.0; }
  /// What it loses so is counted as work, so that the energy remains complete.
  HOST_DEVICE static void strike(const World& world, Lane& lane, const Vec3<Real>& velocity, const Real&) {
    State& s = lane.state;
    const auto at = surface_point(world.terrain, world.tables, s.x, s.y);
    const Real before = sliding(at, s.vx, s.vy, lane.params.gravity).square;
    s.vx = velocity.x;
    s.vy = velocity.y;
    const Real after = sliding(at, s.vx, s.vy, lane.params.gravity).square;
    s.work = fma(Real(0.5), before - after, s.work);
    lane.before = s;
  }

 private:
  /// One step: the motion at its beginning, how the step goes on, the record, the scheme. With `only_plain`, a step
  /// that is special in a lane is not taken: false, and nothing is changed.
  template <class Scheme, bool only_plain, class Surface>
  ALWAYS_INLINE static bool step_on(const Surface& surface, const World& world, Lane& lane) {
    const Real h = Real(world.step);
    const State y = lane.state;
    SliderNode<Real> begun = slider_node(surface, lane.params.gravity, lane.params.friction, y);
    const Mask<Real> plain = slides_on(world, lane, begun);
    const bool special = any(!plain);
    if (only_plain && special) return false;

    SliderStep<Real> step;
    Real weight = step.length = h;
    if (special) {
      step = special_step<Scheme>(world, lane, begun, plain);
      weight = lane.record.path_weight(lane.clock.last, step.stretch, step.bend, begun.speed_slope, step.path);
      lane.clock.step(world, step.elapsed, step.final);
      lane.clock.last = step.bend;  // what the next step begins after: 0 after a stop
    } else {
      lane.clock.whole_step(h);
    }
    lane.before = y;
    lane.record.look(begun, weight);

    const SliderMotion motion{surface, lane.params.gravity, lane.params.friction};
    lane.state = Scheme::step(y, begun.k1, step.length, motion);
    if (special) lane.state = select(step.placed, step.place, lane.state);
    return true;
  }
  template <class Scheme, class Surface>
  SCREE_APART HOST_DEVICE static void any_step_on(const Surface& surface, const World& world, Lane& lane) {
    step_on<Scheme, false>(surface, world, lane);
  }

  /// The motion as it is now.
  HOST_DEVICE static SliderNode<Real> node(const World& world, const Lane& lane) {
    const AnySurface surface{world.terrain, world.tables};
    return slider_node(surface, lane.params.gravity, lane.params.friction, lane.state);
  }
};

}  // namespace scree
