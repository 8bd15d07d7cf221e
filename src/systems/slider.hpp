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
// once friction alone would end its motion within the step, |V| <= gn h, where friction holds, |grad f| <= mu; it does
// so as on a plane of that slope, after
//   tau = |V| (gn + gs cos a) / (gn^2 - gs^2),   gn = mu |N/m|,  gs = g phi |grad f|,  gs cos a = -g vz / |V|,      (6)
// at a place in closed form too (slide_to_rest). With friction, a step near rest is shortened to 0.3 |V| / |a| or
// 0.3 |V| / gn, whichever is less, but not below finest_step h: the direction of friction turns as fast as that. Where
// the mass comes to a momentary stop on too steep a slope, the step ends there. So every sample has its own clock.
//
// Sources: Gallotti and Tinti, Theor. Appl. Mech. Lett. 2019, eqs (4)-(8), with |N| in the friction, where the printed
// (8) would feed energy in for N < 0.
#pragma once

#include <limits>
#include <type_traits>

#include "../steppers/smooth_schemes.hpp"
#include "slider/events.hpp"
#include "slider/summary.hpp"

namespace scree {

template <class Real>
struct Slider {
  using Schemes = SmoothSchemes;
  using Params = SliderParams<Real>;
  using Start = SliderStart<Real>;
  using Summary = SliderSummary<Real>;
  using Track = SliderTrack<Real>;
  using State = SliderState<Real>;
  using Contact = SliderContact<Real>;

  static constexpr int pack_registers = 4;  // 7.3 ns a step with AVX-512; 3 take 8.0, 2 take 9.4

  template <class Table>
  static void describe(Table& table) {
    describe_slider<Real>(table);
  }

  static Mistake mistake(const World& world, const Sample<Slider>& sample) {
    const SliderParams<double>& p = sample.params;
    const SliderStart<double>& start = sample.start;
    if (p.static_friction != 0 && p.static_friction < p.friction) return "static_friction is below friction";
    if (p.stop_at_liftoff != 0 && p.stop_at_liftoff != 1) return "stop_at_liftoff must be 0 or 1";
    const auto at = surface_point(world.terrain, world.tables, start.position.x, start.position.y);
    if (!at.inside) return "start.position is beyond the surface";
    if (!at.data) return "start.position is over a cell with a NODATA corner";
    return nullptr;
  }

  struct Lane {
    Params params;
    State state;
    // The clock: `since` + `count` h, with `count` whole steps since the last that was not one. `last`: length of the
    // last step.
    Real since, count, last;
    Real steps, status;
    // the record
    State before;  // at the beginning of the last step
    Real path, square_max, normal_min, reversals;
    Real side;  // 1; -1 while N < 0
    Real lost;  // when N became negative last
    Real negative_time, liftoff_time, liftoff_x, liftoff_y, liftoff_speed;
    Real start_x, start_y, energy_start;
  };

  HOST_DEVICE static Lane prepare(const World& world, const Sample<Slider>& sample) {
    const Real zero = Real(0.0), one = Real(1.0), none = Real(std::numeric_limits<double>::quiet_NaN());
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
    lane.normal_min = Real(std::numeric_limits<double>::infinity());
    lane.side = one;
    lane.liftoff_time = lane.liftoff_x = lane.liftoff_y = lane.liftoff_speed = none;
    lane.start_x = lane.state.x;
    lane.start_y = lane.state.y;
    lane.energy_start = energy(lane.params, at, slider_contact(at, lane.state, lane.params.gravity));
    lane.status = Real(running);
    return lane;
  }

  /// Equation (5), J/kg.
  HOST_DEVICE static Real energy(const Params& p, const SurfacePoint<Real>& at, const Contact& c) {
    return fma(p.gravity, at.z, Real(0.5) * c.square);
  }
  /// Time since the release, s.
  ALWAYS_INLINE static Real time(const World& world, const Lane& lane) {
    return fma(Real(world.step), lane.count, lane.since);
  }

  template <class Scheme>
  HOST_DEVICE static void begin(const World& world, Lane& lane) {
    with_surface(world.terrain, world.tables, [&](const auto& surface) {
      if constexpr (gpu_code) {
        any_step<Scheme>(surface, world, lane);
      } else {
        // Shortened steps come in rows: where the last one was, this one is not tried as a plain one.
        const bool steady = !any(lane.last != Real(world.step));
        if (!steady || !plain_step<Scheme>(surface, world, lane)) any_step<Scheme>(surface, world, lane);
      }
    });
  }

  /// Counts the step and ends a sample whose time is over or whose state is none.
  template <class Scheme>
  HOST_DEVICE static void finish(const World& world, Lane& lane) {
    lane.steps = lane.steps + Real(1.0);
    const State& s = lane.state;
    const Mask<Real> lost = !bounded(abs(s.vx + s.vy));
    const Mask<Real> over = lane.since >= Real(world.end);  // the last step sets `since`
    if (any(lost | over)) {
      const auto at = surface_point(world.terrain, world.tables, s.x, s.y);
      end_where<Real>(lane, Status::diverged, lost);
      end_off_terrain<Real>(lane, over & !at.inside, over & !at.data);
      end_where<Real>(lane, Status::end_time, over);
    }
  }

  HOST_DEVICE static Summary summarize(const World& world, const Lane& lane) {
    const Real zero = Real(0.0), one = Real(1.0), half = Real(0.5);
    const Real none = Real(std::numeric_limits<double>::quiet_NaN());
    const State& s = lane.state;
    const auto at = surface_point(world.terrain, world.tables, s.x, s.y);
    const auto from = surface_point(world.terrain, world.tables, lane.start_x, lane.start_y);
    const Node node = look(AnySurface{world.terrain, world.tables}, lane, s);
    const Vec2<Real> down = fall_direction(from.fx, from.fy);
    const Real dx = s.x - lane.start_x, dy = s.y - lane.start_y, now = time(world, lane);
    const Mask<Real> attached = lane.liftoff_time != lane.liftoff_time, level = node.level2 == zero;
    Summary c;
    c.runout = sqrt(fma(dx, dx, dy * dy));
    c.runout_attached = select(attached, c.runout, none);
    c.path_length =
        lane.path + select(level, zero, lane.last * fma(half, node.speed, lane.last * node.speed_slope / Real(-12.0)));
    c.drop = from.z - at.z;
    c.apparent_friction = select(c.runout > zero, c.drop / select(c.runout > zero, c.runout, one), none);
    c.final_x = s.x;
    c.final_y = s.y;
    c.final_z = at.z;
    c.lateral_final = difference_of_products(down.x, dy, down.y, dx);
    c.stop_time = c.time = now;
    c.speed_max = sqrt(larger(node.contact.square, lane.square_max));
    c.energy_start = lane.energy_start;
    c.energy_end = energy(lane.params, at, node.contact);
    c.friction_work = s.work;
    c.energy_error = (c.energy_end - c.energy_start) + s.work;
    c.lifted_off = select(attached, zero, one);
    c.liftoff_time = lane.liftoff_time;
    c.liftoff_x = lane.liftoff_x;
    c.liftoff_y = lane.liftoff_y;
    c.liftoff_speed = lane.liftoff_speed;
    c.normal_min = smaller(node.normal, lane.normal_min);
    c.negative_time = lane.negative_time + select(lane.side < zero, now - lane.lost, zero);
    c.reversals = lane.reversals;
    c.steps = lane.steps;
    return c;
  }

  HOST_DEVICE static Track track(const World& world, const Lane& lane) {
    const State& s = lane.state;
    const auto at = surface_point(world.terrain, world.tables, s.x, s.y);
    const Node node = look(AnySurface{world.terrain, world.tables}, lane, s);
    return {
        s.x,   s.y, at.z, s.vx, s.vy, node.contact.vz, node.speed, node.normal, energy(lane.params, at, node.contact),
        s.work};
  }

 private:
  /// A step's length, as a part of the time in which the velocity would change by its own size.
  static constexpr double caution = 0.3;

  /// The mass at the beginning of a step.
  struct Node {
    Contact contact;
    State k1;
    Real speed;        // |V|, eq (1)
    Real speed_slope;  // d|V| / dt = V . a / |V|
    Real normal;       // N / m, eq (2)
    Real rate;         // mu |N/m| / |V|: how fast friction turns the velocity, 1/s
    Real phi, level2;  // level2: vx^2 + vy^2
    Mask<Real> inside, data;
  };
  template <class Surface>
  ALWAYS_INLINE static Node look(const Surface& surface, const Lane& lane, const State& y) {
    const Real gravity = lane.params.gravity;
    const auto at = surface(y.x, y.y);
    Node n;
    n.contact = slider_contact(at, y, gravity);
    const Real chi = rsqrt(n.contact.square), friction = lane.params.friction * abs(n.contact.reaction);
    n.phi = rsqrt(n.contact.steepness);
    const Real grip = n.phi * chi;
    n.k1 = slider_derivative(y, n.contact, n.phi * n.phi, grip, friction);
    n.speed = n.contact.square * chi;
    n.speed_slope = -(fma(gravity, n.contact.vz, n.k1.work) * chi);
    n.normal = n.phi * n.contact.reaction;
    n.rate = friction * grip;
    n.level2 = fma(y.vx, y.vx, y.vy * y.vy);
    n.inside = at.inside;
    n.data = at.data;
    return n;
  }

  /// 0.3 times the lesser of |v| / |a| and 1 / rate: how far a step may reach.
  ALWAYS_INLINE static Real reach_of(const Node& node) {
    const Real acceleration2 = fma(node.k1.vx, node.k1.vx, node.k1.vy * node.k1.vy);
    const Real quick2 = larger(acceleration2, (node.rate * node.rate) * node.level2);
    return Real(caution) * (node.level2 * rsqrt(node.level2 * quick2));
  }

  /// How a step goes on.
  struct Step {
    Real length;        // of the scheme's step
    Mask<Real> placed;  // an event puts the mass to `place` instead
    State place;
    Real elapsed;        // how far the clock advances; back, where a loss of contact was found to lie in the last step
    Mask<Real> final;    // to the end of the run
    Real stretch, bend;  // lengths that weigh the speed and its slope in the path; see `record_path`
    Real path;           // what an event adds to it
  };

  /// Lanes whose step is like most: whole, after a whole one, far from rest and from the end of the run, still in
  /// contact. The comparisons are false for a NaN.
  ALWAYS_INLINE static Mask<Real> is_plain(const World& world, const Lane& lane, const Node& node) {
    const Real h = Real(world.step);
    const Real acceleration2 = fma(node.k1.vx, node.k1.vx, node.k1.vy * node.k1.vy);
    const Real left = Real(world.end) - time(world, lane);
    return (Real(world.step * world.step * (1.0 / (caution * caution))) * acceleration2 <= node.level2) &
           (Real(world.step * (1.0 / caution)) * node.rate <= Real(1.0)) & (lane.last == h) & (left > Real(1.5) * h) &
           (node.contact.reaction * lane.side >= Real(0.0)) & node.data;
  }
  /// One step, if it is plain in all lanes; else false, and nothing is changed. Apart from any_step, which can do it
  /// too, because the code for special steps, not taken, costs a pack 15 % (AVX-512) to 34 % (AVX2) of a plain one. The
  /// contact at the step's beginning serves the scheme's first stage, the search for events and the record.
  template <class Scheme, class Surface>
  ALWAYS_INLINE static bool plain_step(const Surface& surface, const World& world, Lane& lane) {
    const Real h = Real(world.step);
    const State y = lane.state;
    Node node = look(surface, lane, y);
    const Mask<Real> plain = is_plain(world, lane, node);
    if (any(!plain)) return false;
    lane.count = lane.count + Real(1.0);
    lane.last = h;
    lane.before = y;
    lane.path = fma(h, node.speed, lane.path);
    lane.square_max = larger(node.contact.square, lane.square_max);
    lane.normal_min = smaller(node.normal, lane.normal_min);
    const SliderMotion motion{surface, lane.params.gravity, lane.params.friction};
    lane.state = Scheme::step(y, node.k1, h, motion);
    return true;
  }

  /// One step, with all its events.
  template <class Scheme, class Surface>
  SCREE_APART HOST_DEVICE static void any_step(const Surface& surface, const World& world, Lane& lane) {
    const Real h = Real(world.step);
    const State y = lane.state;
    Node node = look(surface, lane, y);
    Step step;
    step.length = h;
    Real weight = h;
    const Mask<Real> plain = is_plain(world, lane, node);
    const bool special = any(!plain);
    if (special) {
      step = special_step<Scheme>(world, lane, node, plain);
      weight = record_path(lane, node, step);
      const Mask<Real> whole = (step.elapsed == h) & !step.final;
      const Real later = select(step.final, Real(world.end), time(world, lane) + step.elapsed);
      lane.since = select(whole, lane.since, later);
      lane.count = select(whole, lane.count + Real(1.0), Real(0.0));
      lane.last = step.bend;
    } else {
      lane.count = lane.count + Real(1.0);
      lane.last = h;
    }
    lane.before = y;
    lane.path = fma(weight, node.speed, lane.path);
    lane.square_max = larger(node.contact.square, lane.square_max);
    lane.normal_min = smaller(node.normal, lane.normal_min);
    const SliderMotion motion{surface, lane.params.gravity, lane.params.friction};
    lane.state = Scheme::step(y, node.k1, step.length, motion);
    if (special) lane.state = select(step.placed, step.place, lane.state);
  }

  /// A step in which some lanes are not `plain`: they may be shortened, or have events. Shortened steps are some ten in
  /// a hundred of a sample that comes to rest, so in a pack nearly every step has one: they are kept cheap.
  template <class Scheme>
  ALWAYS_INLINE static Step special_step(const World& world, Lane& lane, Node& node, const Mask<Real>& plain) {
    const Real zero = Real(0.0), one = Real(1.0), h = Real(world.step);
    const Params& p = lane.params;
    const Mask<Real> moves = node.level2 > zero, rough = p.friction > zero;
    const Real reach = reach_of(node), left = Real(world.end) - time(world, lane);
    Step step;
    step.length = select(plain | !rough, h, larger(smaller(reach, h), p.finest_step * h));
    // Up to 1.25 lengths ahead: the last stages of a step that ended just short of a momentary stop would lie beyond
    // it, with the friction of the way back.
    const Real ahead = Real(1.25) * step.length;
    const Mask<Real> braked =
        rough & ((node.rate * step.length >= one) | (fma(ahead, node.speed_slope, node.speed) <= zero));
    Mask<Real> quiet = moves & (!braked) & (left > ahead) & (node.contact.reaction * lane.side >= zero) & node.data &
                       (node.speed < Real(1e150));
    // The iteration of the implicit rule needs a velocity that keeps its direction.
    if constexpr (std::is_same_v<Scheme, ImplicitMidpoint>) quiet = quiet & ((reach >= step.length) | !rough);
    const Mask<Real> eventful = !(plain | quiet);
    if (!any(eventful)) {
      step.elapsed = step.stretch = step.bend = step.length;
      step.path = zero;
      step.placed = step.final = zero > one;
      step.place = lane.state;
      return step;
    }
    if constexpr (gpu_code) {
      const Eventful all = events_copy<Scheme>(world, lane, node, eventful, step.length, left);
      lane = all.lane;
      node = all.node;
      return all.step;
    } else {
      Node copy = node;  // so that `node` itself stays in registers
      step = events<Scheme>(world, lane, copy, eventful, step.length, left);
      node = copy;
      return step;
    }
  }

  /// A step with an event, in the lanes that are `eventful`. Sets the status of a sample that ends at the step's
  /// beginning or comes to rest within it.
  template <class Scheme>
  SCREE_APART HOST_DEVICE static Step events(const World& world, Lane& lane, Node& node, const Mask<Real>& eventful,
                                             const Real& length, const Real& left) {
    const Real zero = Real(0.0), one = Real(1.0);
    const Params& p = lane.params;
    const State& y = lane.state;
    const Real now = time(world, lane);
    end_where<Real>(lane, Status::diverged,
                    eventful & !(bounded(node.contact.square) & bounded(abs(y.x) + abs(y.y))));
    end_off_terrain<Real>(lane, eventful & !node.inside, eventful & !node.data);
    const Mask<Real> present = lane.status == Real(running);
    Mask<Real> free = eventful & present;

    Step step;
    const Mask<Real> last = eventful & (left <= length * Real(1.0 + 1e-9));
    step.length = step.elapsed = select(last, left, length);
    step.path = zero;
    step.placed = !present;
    step.place = y;

    const Mask<Real> crosses = free & (node.contact.reaction * lane.side < zero);
    Mask<Real> goes_back = zero > one;
    Real back_to = zero;
    if (any(crosses)) {
      const SliderLift<Real> lift = slider_lift<Real>(world, p.gravity, p.friction, lane.side, lane.before, lane.last);
      goes_back = crosses & lift.found;
      back_to = lift.tau;
      step.elapsed = select(goes_back, lift.tau - lane.last, step.elapsed);
      step.place = select(goes_back, lift.state, step.place);
      step.path = select(goes_back, lift.path, zero);
      const Mask<Real> ends = record_crossing(lane, crosses, select(goes_back, now + step.elapsed, now), step.place,
                                              select(goes_back, lift.speed, node.speed));
      step.elapsed = select(ends & !goes_back, zero, step.elapsed);
      step.placed = step.placed | goes_back | ends;
      free = free & !(goes_back | ends);
    }

    // Rest, eq (6). It is within reach where friction alone would end the motion in this step.
    const Mask<Real> moves = node.level2 > zero, rough = p.friction > zero;
    const Real slope2 = fma(node.contact.fx, node.contact.fx, node.contact.fy * node.contact.fy);
    Mask<Real> rests = goes_back & !goes_back;
    const Mask<Real> slow = free & moves & (slope2 <= p.friction * p.friction) & (node.rate * step.length >= one);
    if (any(slow)) {
      const Real gn = p.friction * abs(node.normal), gs = p.gravity * node.phi * sqrt(slope2);
      const SliderRest<Real> rest = slide_to_rest(y, node.contact, node.speed, gn, gs);
      rests = slow & (gn > gs) & (rest.tau <= left);
      step.elapsed = select(rests, rest.tau, step.elapsed);
      step.place = select(rests, rest.state, step.place);
      step.path = select(rests, rest.path, step.path);
    }
    const Mask<Real> still = free & !moves;
    if (any(still)) {
      // A mass at rest stays, or starts in the direction of impending motion.
      const Real sticking = larger(p.static_friction, p.friction);
      const Mask<Real> stays = still & (slope2 <= sticking * sticking), impends = still & !stays;
      step.elapsed = select(stays, zero, step.elapsed);
      rests = rests | stays;
      const Real excess = select(impends, one - p.friction * rsqrt(slope2), one);
      node.k1.vx = node.k1.vx * excess;
      node.k1.vy = node.k1.vy * excess;
      const Real az = fma(node.contact.fx, node.k1.vx, node.contact.fy * node.k1.vy);
      const Real away = sqrt(fma(node.k1.vx, node.k1.vx, fma(node.k1.vy, node.k1.vy, az * az)));
      node.speed_slope = select(impends, away, node.speed_slope);
      lane.reversals = select(impends & rough & (lane.steps > zero), lane.reversals + one, lane.reversals);
    }
    step.placed = step.placed | rests;
    end_where<Real>(lane, Status::stopped, rests);

    const Mask<Real> goes_on = free & rough & !rests;
    if constexpr (std::is_same_v<Scheme, ImplicitMidpoint>) {
      const AnySurface surface{world.terrain, world.tables};
      const SliderMotion motion{surface, p.gravity, p.friction};
      const Mask<Real> unsteady = goes_on & (reach_of(node) < length);
      step.place = select(unsteady, Rk4::step(y, node.k1, step.length, motion), step.place);
      step.placed = step.placed | unsteady;
    }
    const Real ahead = Real(1.25) * step.length;
    const Mask<Real> suspects = goes_on & moves & (fma(ahead, node.speed_slope, node.speed) <= zero);
    Mask<Real> turns = goes_back & !goes_back;
    if (any(suspects)) {
      const Real guess = select(suspects, -node.speed / node.speed_slope, length);
      const SliderTurn<Real> turn = slider_turn<Real>(world, p.gravity, p.friction, y, guess);
      turns = suspects & turn.found & (turn.tau <= ahead) & (turn.tau <= left);
      step.place = select(turns, turn.state, step.place);
      step.placed = step.placed | turns;
      step.elapsed = select(turns, turn.tau, step.elapsed);
    }

    step.elapsed = select(present, step.elapsed, zero);
    step.final = last & (step.elapsed == left);
    step.stretch = select(rests, zero, step.elapsed);
    step.bend = select(goes_back, back_to, select(rests | turns, zero, step.elapsed));
    // Neither a point beyond the surface nor one that is gone back from enters the record.
    const Mask<Real> counted = present & !goes_back;
    node.speed = select(counted, node.speed, zero);
    node.speed_slope = select(counted, node.speed_slope, zero);
    node.contact.square = select(counted, node.contact.square, zero);
    node.normal = select(counted, node.normal, lane.normal_min);
    return step;
  }

  /// The same by value, for a GPU: in line, or with references, it would spill the lane (sm_90, 255 registers: 1200
  /// bytes of spill loads; so 16).
  struct Eventful {
    Lane lane;
    Node node;
    Step step;
  };
  template <class Scheme>
  SCREE_COLD HOST_DEVICE static Eventful events_copy(const World& world, Lane lane, Node node, Mask<Real> eventful,
                                                     Real length, Real left) {
    const Step step = events<Scheme>(world, lane, node, eventful, length, left);
    return {lane, node, step};
  }

  /// Contact lost or regained at `when`, in the state `at`. True where the sample ends with it.
  HOST_DEVICE static Mask<Real> record_crossing(Lane& lane, const Mask<Real>& crosses, const Real& when,
                                                const State& at, const Real& speed) {
    const Real zero = Real(0.0);
    const Mask<Real> loses = crosses & (lane.side > zero), regains = crosses & !loses;
    const Mask<Real> first = loses & (lane.liftoff_time != lane.liftoff_time);
    lane.liftoff_time = select(first, when, lane.liftoff_time);
    lane.liftoff_x = select(first, at.x, lane.liftoff_x);
    lane.liftoff_y = select(first, at.y, lane.liftoff_y);
    lane.liftoff_speed = select(first, speed, lane.liftoff_speed);
    lane.negative_time = select(regains, lane.negative_time + (when - lane.lost), lane.negative_time);
    lane.lost = select(loses, when, lane.lost);
    lane.side = select(crosses, -lane.side, lane.side);
    const Mask<Real> ends = loses & (lane.params.stop_at_liftoff > zero);
    end_where<Real>(lane, Status::lifted_off, ends);
    return ends;
  }

  /// The path length is the integral of |V| by the trapezoidal rule with end corrections,
  ///   sum of h/2 (|V0| + |V1|) + h^2/12 (|V0|' - |V1|'),
  /// of order 4. Each step adds what the speed at its beginning weighs, in this step (`stretch`, `bend`) and in the
  /// last one; the derivatives cancel while h stays. At a momentary stop the derivative jumps, and is left out. The
  /// weight of the speed is returned, what else there is is added.
  ALWAYS_INLINE static Real record_path(Lane& lane, const Node& node, const Step& step) {
    const Real squares = (step.bend - lane.last) * (step.bend + lane.last);  // 0 for equal steps, exactly
    lane.path = lane.path + fma(Real(1.0 / 12.0) * squares, node.speed_slope, step.path);
    return Real(0.5) * (lane.last + step.stretch);
  }
};

}  // namespace scree
