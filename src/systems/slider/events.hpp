// Events inside a slider's step: where it comes to a momentary stop, and where it loses or regains contact. They are
// rare, and are found by repeating the step with RK4, whatever the scheme, with a smoothly continued right-hand side;
// coming to rest for good is in closed form.
#pragma once

#include "../../bracketed_root.hpp"
#include "../../steppers/rk4.hpp"
#include "motion.hpp"

namespace scree {

/// A mass that slides to rest on what is as good as a plane.
template <class Real>
struct SliderRest {
  SliderState<Real> state;
  Real tau, path;  // time to rest, s, and length of the way, m
};

/// The exact solution of eq (3) on a plane whose slope is less than friction, gn > gs (eq (6) of slider.hpp). With
/// V_s and V_t the velocity down the fall line and across,
///   V' = gs V_s / V - gn,   V_s' = gs - gn V_s / V,   V_t' = -gn V_t / V,
/// the derivatives of V + (gs / gn) V_s, V^2, V V_s, V_s^2, V V_t and V_s V_t give in turn
///   tau = (gn V + gs V_s) / (gn^2 - gs^2),
///   integral of V_s = (2 gn V V_s + gs (V^2 + V_s^2)) / (4 (gn^2 - gs^2)),
///   integral of V_t = V_t (2 gn V + gs V_s) / (4 gn^2 - gs^2),   integral of V = (V^2 / 2 + gs integral of V_s) / gn.
template <class Real>
HOST_DEVICE inline SliderRest<Real> slide_to_rest(const SliderState<Real>& s, const Sliding<Real>& c,
                                                  const Real& speed, const Real& gn, const Real& gs) {
  const Real zero = Real(0.0), two = Real(2.0);
  // Horizontally: w = level velocity down the fall line, so V_s = -vz / sin(slope angle) = w sqrt(1 + slope2).
  const Vec2<Real> fall_line = fall_direction(c.fx, c.fy);
  const Real dx = fall_line.x, dy = fall_line.y, steep = sqrt(c.steepness);
  const Real w = fma(s.vx, dx, s.vy * dy), across = difference_of_products(dx, s.vy, dy, s.vx), down = w * steep;
  const Real excess = (gn - gs) * (gn + gs);
  const Real fall = fma(two * gn * speed, down, gs * fma(speed, speed, down * down)) / (Real(4.0) * excess);
  const Real drift = across * fma(two * gn, speed, gs * down) / fma(Real(4.0) * gn, gn, -(gs * gs));
  const Real path = fma(gs, fall, Real(0.5) * speed * speed) / gn, level = fall / steep;
  return {{s.x + fma(level, dx, -(drift * dy)), s.y + fma(level, dy, drift * dx), zero, zero, fma(gn, path, s.work)},
          fma(gn, speed, gs * down) / excess,
          path};
}

/// A momentary stop: the state there (at rest), and the time from the step's beginning, s.
template <class Real>
struct SliderTurn {
  SliderState<Real> state;
  Real tau;
  Mask<Real> found;
};

/// A momentary stop after `guess` seconds or nearly so: Newton's iteration on V . V0. It is none if the velocity does
/// not vanish there, as where a path turns sharply: V . V0 = 0, but more than 1e-6 of |V0| is left across.
template <class Real>
SCREE_COLD HOST_DEVICE SliderTurn<Real> slider_turn(const World& world, Real gravity, Real friction,
                                                    SliderState<Real> from, Real guess) {
  const MotionBeyondTurn<Real> f{world, gravity, friction, from.vx, from.vy};
  const SliderState<Real> k1 = f(from);
  Real tau = guess;
  SliderState<Real> at = from;
  // Four corrections of a guess that is right to some per cent square its error to below a rounding; the last pass
  // only takes the step.
  SCREE_ROLLED
  for (int pass = 0; pass < 5; ++pass) {
    at = Rk4::step(from, k1, tau, f);
    const SliderState<Real> slope = f(at);
    const Real along = fma(at.vx, from.vx, at.vy * from.vy), change = fma(slope.vx, from.vx, slope.vy * from.vy);
    if (pass < 4) tau = tau - along / change;
  }
  const Real left = fma(at.vx, at.vx, at.vy * at.vy), before = fma(from.vx, from.vx, from.vy * from.vy);
  const Real zero = Real(0.0);
  const Mask<Real> found = (left <= Real(1e-12) * before) & (tau > zero);
  return {{at.x, at.y, zero, zero, at.work}, tau, found};
}

/// A loss or return of contact: the state just beyond it, the time from the step's beginning (s), the speed there, and
/// what the path length, which counted the whole step, has to be corrected by (see SliderRecord).
template <class Real>
struct SliderLift {
  SliderState<Real> state;
  Real tau, speed, path;
  Mask<Real> found;
};

/// The instant in the step of length h from `from` at which side (g + theta) falls below 0. Illinois' variant of the
/// regula falsi, to 1e-13 h; the end of the bracket that lies beyond is taken, so that the sign has changed there.
/// Not found if the repeated step ends with the sign it began with.
template <class Real>
SCREE_COLD HOST_DEVICE SliderLift<Real> slider_lift(const World& world, Real gravity, Real friction, Real side,
                                                    SliderState<Real> from, Real h) {
  const Real zero = Real(0.0), half = Real(0.5);
  const MotionBeyondLift<Real> f{world, gravity, friction, side};
  const SliderState<Real> k1 = f(from);
  const auto contact = [&](const SliderState<Real>& s) {
    return sliding(surface_point(world.terrain, world.tables, s.x, s.y), s.vx, s.vy, gravity);
  };
  const Sliding<Real> first = contact(from);
  SliderState<Real> end = from;
  Sliding<Real> there = first;
  Bracket<Real> ends{zero, side * first.reaction, h, zero};
  Mask<Real> active = h > zero, found = active;
  // The first pass looks at the step's end; further ones narrow the bracket until the sum is 0 but for its rounding.
  SCREE_ROLLED
  for (int pass = 0; pass < 60 && any(active); ++pass) {
    const Real tau =
        pass == 0 ? h : ends.below - ends.f_below * (ends.below - ends.above) / (ends.f_below - ends.f_above);
    const SliderState<Real> trial = Rk4::step(from, k1, tau, f);
    const Sliding<Real> c = contact(trial);
    const Real value = side * c.reaction;
    if (pass == 0) found = active & (value < zero);
    const Mask<Real> beyond = active & (value < zero), short_of = active & !(value < zero);
    end = select(beyond, trial, end);
    there.square = select(beyond, c.square, there.square);
    ends.take(tau, value, short_of, beyond);
    if (pass == 0) ends.last = zero;  // an end of the step has not moved
    active = active & found & (ends.below - ends.above > Real(1e-13) * h) &
             !(beyond & (value > Real(-1e-14) * gravity));
  }
  const Real speed = sqrt(first.square), slope = -(fma(gravity, first.vz, k1.work)) / speed;
  const Real tau = ends.below, path = fma(half * (tau - h), speed, (tau * tau - h * h) / Real(12.0) * slope);
  return {end, tau, sqrt(there.square), path, found};
}

}  // namespace scree
