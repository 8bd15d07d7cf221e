// A projectile: a point mass under gravity, with drag in proportion to its velocity, from a height y0 to the ground.
//
//   x'' = -a x',   y'' = -g - a y'                                                                (1)
//   x = vx E,   y = y0 + vy E - g G,   E and G of drag_flight.hpp with the pull (0, -g)            (2)
//
// The scheme `exact` evaluates (2) at each step, from the launch; the others integrate (1). All of them end where y =
// 0, which is located within the last step: there, and at the apex, the step is repeated with the fraction of its
// length for which y, or vy, vanishes. So range and flight time have the order of the scheme, not of the step.
//
// Source: a laboratory text on the motion of one particle; (2) and the flight time by Lambert's function
// (projectile_cases.hpp) are textbook mechanics.
#pragma once

#include <type_traits>

#include "../bracketed_root.hpp"
#include "../drag_flight.hpp"
#include "../integrate.hpp"
#include "../range.hpp"
#include "../steppers/euler.hpp"
#include "../steppers/euler_cromer.hpp"
#include "../steppers/exact_flight.hpp"
#include "../steppers/rk4.hpp"

namespace scree {

inline constexpr Range down_to_up{-1.5707963267948966, 1.5707963267948966, false, false, ">= -pi/2 and <= pi/2"};

template <class Real>
struct Projectile {
  using Schemes = SchemeList<ExactFlight, Euler, EulerCromer, Rk4>;
  struct Params {
    Real gravity, drag;
  };
  struct Start {
    Real speed, angle, height;
  };
  struct State {
    Real x, y, vx, vy;
  };
  struct Summary {
    Real range, flight_time, apex, apex_time, impact_speed, impact_angle, final_x, final_y, position_error, time;
    Real launch_angle, drag;
  };
  struct Track {
    Real x, y, vx, vy, position_error;
  };

  template <class Table>
  static void describe(Table& table) {
    table.system("projectile", "a shot with linear drag: closed form against Euler, Euler-Cromer and Runge-Kutta");
    table.param("gravity", &Params::gravity, "m/s^2", 9.81, positive, "downward");
    table.param("drag", &Params::drag, "1/s", 0.05, non_negative, "a of the force of the air, -m a v");
    table.start("speed", &Start::speed, "m/s", 100.0, non_negative, "speed of the launch");
    table.start("angle", &Start::angle, "rad", 0.7853981633974483, down_to_up, "of the launch, above the horizontal");
    table.start("height", &Start::height, "m", 0.0, non_negative, "of the launch above the ground");
    table.column("range", &Summary::range, "m", "horizontal distance from launch to landing", Counted::stopped);
    table.column("flight_time", &Summary::flight_time, "s", "from launch to landing", Counted::stopped);
    table.column("apex", &Summary::apex, "m", "largest height above the ground");
    table.column("apex_time", &Summary::apex_time, "s", "when; 0 if it never rose");
    table.column("impact_speed", &Summary::impact_speed, "m/s", "speed at the landing", Counted::stopped);
    table.column("impact_angle", &Summary::impact_angle, "rad", "of the landing, below the horizontal; 0 if at rest",
                 Counted::stopped);
    table.column("final_x", &Summary::final_x, "m", "distance at the end");
    table.column("final_y", &Summary::final_y, "m", "height at the end");
    table.column("position_error", &Summary::position_error, "m",
                 "at the end: from where the closed form has the shot at that time to where the scheme has it");
    table.column("time", &Summary::time, "s", "from the launch to the end of the sample");
    table.column("launch_angle", &Summary::launch_angle, "rad", "angle of the launch, to show the range against");
    table.column("drag", &Summary::drag, "1/s", "drag of the sample, to show the range against");
    table.track("x", &Track::x, "m", "horizontal distance");
    table.track("y", &Track::y, "m", "height");
    table.track("vx", &Track::vx, "m/s", "horizontal velocity");
    table.track("vy", &Track::vy, "m/s", "vertical velocity, upward");
    table.track("position_error", &Track::position_error, "m",
                "from where the closed form has the shot at that time to where the scheme has it");
    table.headline({"range", "flight_time", "apex", "position_error"});
    table.figure("launch_angle", "range", "how far it flies by the angle it is launched at");
    table.suggest("rk4", 0.02, 60.0);
    table.suggest_law("start.angle", "{ uniform = [0.2, 1.4] }  # rad");
  }

  static Mistake mistake(const World&, const Sample<Projectile>& sample) {
    if (sample.start.height == 0 && sample.start.angle < 0) return "start.angle is downward, and start.height is 0";
    return nullptr;
  }

  struct Lane {
    Params params;
    State start, before, state;  // `before`: at the beginning of the last step
    Real angle, apex, apex_time;
    Real tail;  // what the last step lacks in length, negative, if it ended on the ground
    Real steps, status;
  };

  HOST_DEVICE static Lane prepare(const World&, const Sample<Projectile>& sample) {
    const SinCos<Real> angle = sincos(sample.start.angle);
    Lane lane{};
    lane.params = sample.params;
    lane.start = {Real(0.0), sample.start.height, sample.start.speed * angle.cos, sample.start.speed * angle.sin};
    lane.before = lane.state = lane.start;
    lane.angle = sample.start.angle;
    lane.apex = sample.start.height;
    lane.status = Real(running);
    return lane;
  }

  /// Equation (1).
  HOST_DEVICE static State derivative(const Params& p, const State& s) {
    return {s.vx, s.vy, -(p.drag * s.vx), -fma(p.drag, s.vy, p.gravity)};
  }
  /// Equation (2), at a time since the launch.
  HOST_DEVICE static State exact(const Lane& lane, const Real& t) {
    const Flight<Real> f = drag_flight(Vec2<Real>{lane.start.vx, lane.start.vy},
                                       Vec2<Real>{Real(0.0), -lane.params.gravity}, lane.params.drag, t);
    return {f.shift.x, lane.start.y + f.shift.y, f.velocity.x, f.velocity.y};
  }
  ALWAYS_INLINE static Real time(const World& world, const Lane& lane) {
    return fma(Real(world.step), lane.steps, lane.tail);
  }

  template <class Scheme>
  HOST_DEVICE static void begin(const World& world, Lane& lane) {
    lane.before = lane.state;
    lane.state = advanced<Scheme>(world, lane, lane.steps, Real(world.step));
  }

  template <class Scheme>
  HOST_DEVICE static void finish(const World& world, Lane& lane) {
    const Real zero = Real(0.0);
    const State& s = lane.state;
    lane.steps = lane.steps + Real(1.0);
    const Mask<Real> over = time_is_up(world, lane.steps);
    const Mask<Real> lost = !bounded(abs(s.x) + abs(s.y));
    const Mask<Real> lands = s.y <= zero, turns = (lane.before.vy > zero) & (s.vy <= zero);
    if (any(over | lost | lands | turns)) events<Scheme>(world, lane, over, lost, lands, turns);
  }

  HOST_DEVICE static Summary summarize(const World& world, const Lane& lane) {
    const State& s = lane.state;
    const Real t = time(world, lane), zero = Real(0.0);
    const Mask<Real> rests = (s.vx == zero) & (s.vy == zero);
    return {s.x,
            t,
            larger(s.y, lane.apex),
            lane.apex_time,
            sqrt(fma(s.vx, s.vx, s.vy * s.vy)),
            select(rests, zero, atan(-s.vy / select(rests, Real(1.0), abs(s.vx)))),
            s.x,
            s.y,
            position_error(lane, t),
            t,
            lane.angle,
            lane.params.drag};
  }
  HOST_DEVICE static Track track(const World& world, const Lane& lane) {
    const State& s = lane.state;
    return {s.x, s.y, s.vx, s.vy, position_error(lane, time(world, lane))};
  }

 private:
  HOST_DEVICE static Real position_error(const Lane& lane, const Real& t) {
    const State at = exact(lane, t);
    const Real dx = lane.state.x - at.x, dy = lane.state.y - at.y;
    return sqrt(fma(dx, dx, dy * dy));
  }

  /// The state `tau` after `lane.before`, to which `steps` whole steps have led.
  template <class Scheme>
  ALWAYS_INLINE static State advanced(const World& world, const Lane& lane, const Real& steps, const Real& tau) {
    if constexpr (std::is_same_v<Scheme, ExactFlight>) {
      return exact(lane, fma(Real(world.step), steps, tau));
    } else {
      const auto f = [&](const State& s) { return derivative(lane.params, s); };
      return Scheme::step(lane.before, f(lane.before), tau, f);
    }
  }

  template <class Scheme>
  SCREE_APART HOST_DEVICE static void events(const World& world, Lane& lane, const Mask<Real>& over,
                                             const Mask<Real>& lost, const Mask<Real>& lands, const Mask<Real>& turns) {
    const Real h = Real(world.step), zero = Real(0.0), one = Real(1.0), finest = Real(world.step * 0x1p-60);
    const Real steps = lane.steps - one;
    const State before = lane.before;
    if (any(turns)) {
      const auto vy = [&](const Real& tau) { return advanced<Scheme>(world, lane, steps, tau).vy; };
      const Real tau = bracketed_root(zero, before.vy, h, lane.state.vy, turns, finest, vy);
      const State top = advanced<Scheme>(world, lane, steps, tau);
      lane.apex = select(turns & (top.y > lane.apex), top.y, lane.apex);
      lane.apex_time = select(turns, fma(h, steps, tau), lane.apex_time);
    }
    const Mask<Real> down = lands & !lost;
    if (any(down)) {
      // A launch from the ground has a root of y at tau = 0, which y / tau has not. Downward from there, it has landed.
      const Mask<Real> from_ground = !(before.y > zero), nowhere = from_ground & (before.vy <= zero);
      const auto height = [&](const Real& tau) {
        return advanced<Scheme>(world, lane, steps, tau).y / select(from_ground, tau, one);
      };
      const Real first = select(from_ground, before.vy, before.y), last = lane.state.y / select(from_ground, h, one);
      const Real tau = bracketed_root(zero, first, h, last, down & !nowhere, finest, height);
      const State at = advanced<Scheme>(world, lane, steps, tau);
      lane.state.x = select(down, at.x, lane.state.x);
      lane.state.y = select(down, zero, lane.state.y);
      lane.state.vx = select(down, at.vx, lane.state.vx);
      lane.state.vy = select(down, at.vy, lane.state.vy);
      lane.tail = select(down, tau - h, lane.tail);
    }
    end_where<Real>(lane, Status::diverged, lost);
    end_where<Real>(lane, Status::stopped, down);
    end_where<Real>(lane, Status::end_time, over);
  }
};

}  // namespace scree
