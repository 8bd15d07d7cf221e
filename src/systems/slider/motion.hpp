// The motion of a slider along its surface: equations (1)-(4) of slider.hpp.
#pragma once

#include "../../contact/sliding.hpp"
#include "../../ensemble.hpp"

namespace scree {

/// What is integrated; the same struct holds the time derivatives.
template <class Real>
struct SliderState {
  static constexpr int positions = 2;
  Real x, y, vx, vy;
  Real work;  // done against friction since the release, per mass: integral of mu |N| |V| dt, m^2/s^2
};

template <class Real, class M>
ALWAYS_INLINE SliderState<Real> select(const M& condition, const SliderState<Real>& a, const SliderState<Real>& b) {
  return {select(condition, a.x, b.x), select(condition, a.y, b.y), select(condition, a.vx, b.vx),
          select(condition, a.vy, b.vy), select(condition, a.work, b.work)};
}

/// Equations (1) and (2).
template <class Real>
using SliderContact = Sliding<Real>;

template <class Real>
ALWAYS_INLINE SliderContact<Real> slider_contact(const SurfacePoint<Real>& at, const SliderState<Real>& s,
                                                 const Real& gravity) {
  return sliding(at, s.vx, s.vy, gravity);
}

/// The time derivative of the state, eqs (3) and (4): friction = mu |g + theta|, phi2 = phi^2, grip = phi / |V|.
template <class Real>
ALWAYS_INLINE SliderState<Real> slider_derivative(const SliderState<Real>& s, const SliderContact<Real>& c,
                                                  const Real& phi2, const Real& grip, const Real& friction) {
  const Real push = phi2 * c.reaction, drag = friction * grip;
  return {s.vx, s.vy, -fma(push, c.fx, drag * s.vx), -fma(push, c.fy, drag * s.vy), drag * c.square};
}

/// The right-hand side of a step.
template <class Real, class Surface>
struct SliderMotion {
  const Surface& surface;
  Real gravity, friction;

  ALWAYS_INLINE SliderState<Real> operator()(const SliderState<Real>& s) const {
    const SliderContact<Real> c = slider_contact(surface(s.x, s.y), s, gravity);
    const Grip<Real> grip = grip_of(c.square, c.steepness);
    return slider_derivative(s, c, grip.phi2, grip.grip, friction * abs(c.reaction));
  }
};
template <class Real, class Surface>
SliderMotion(const Surface&, Real, Real) -> SliderMotion<Real, Surface>;

/// The same, continued smoothly beyond an event: friction keeps its sign where the velocity turns against (ux, uy) and
/// where g + theta changes its sign (`side`, 1 or -1, is the sign it had). Only for looking for the event.
template <class Real>
struct ContinuedMotion {
  const World& world;
  Real gravity, friction, side, ux, uy;

  HOST_DEVICE SliderState<Real> operator()(const SliderState<Real>& s) const {
    const SliderContact<Real> c = slider_contact(surface_point(world.terrain, world.tables, s.x, s.y), s, gravity);
    const Grip<Real> grip = grip_of(c.square, c.steepness);
    const Real one = Real(1.0), onward = select(fma(s.vx, ux, s.vy * uy) >= Real(0.0), one, -one);
    return slider_derivative(s, c, grip.phi2, grip.grip, friction * (onward * side) * c.reaction);
  }
};

}  // namespace scree
