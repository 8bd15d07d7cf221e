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

/// The horizontal unit vector down a slope; +x on level ground.
template <class Real>
HOST_DEVICE inline Vec2<Real> fall_direction(const Real& fx, const Real& fy) {
  const Real zero = Real(0.0), one = Real(1.0), square = fma(fx, fx, fy * fy);
  const Mask<Real> level = !(square > zero);
  const Real inverse = rsqrt(select(level, one, square));
  return {select(level, one, -(fx * inverse)), select(level, zero, -(fy * inverse))};
}

template <class Real, class M>
ALWAYS_INLINE SliderState<Real> select(const M& condition, const SliderState<Real>& a, const SliderState<Real>& b) {
  return {select(condition, a.x, b.x), select(condition, a.y, b.y), select(condition, a.vx, b.vx),
          select(condition, a.vy, b.vy), select(condition, a.work, b.work)};
}

/// The time derivative of the state, eqs (3) and (4): friction = mu |g + theta|, phi2 = phi^2, grip = phi / |V|.
template <class Real>
ALWAYS_INLINE SliderState<Real> slider_derivative(const SliderState<Real>& s, const Sliding<Real>& c,
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
    const Sliding<Real> c = sliding(surface(s.x, s.y), s.vx, s.vy, gravity);
    const Real grip = grip_of(c.square, c.steepness);
    return slider_derivative(s, c, phi2_of(grip, c.square), grip, friction * abs(c.reaction));
  }
};
template <class Real, class Surface>
SliderMotion(const Surface&, Real, Real) -> SliderMotion<Real, Surface>;

/// The mass at the beginning of a step: what serves the scheme's first stage, the search for events and the record.
template <class Real>
struct SliderNode {
  Sliding<Real> contact;
  SliderState<Real> k1;
  Real speed;        // |V|, eq (1)
  Real speed_slope;  // d|V| / dt = V . a / |V|
  Real normal;       // N / m, eq (2)
  Real rate;         // mu |N/m| / |V|: how fast friction turns the velocity, 1/s
  Real phi, level2;  // level2: vx^2 + vy^2
  Mask<Real> inside, data;
};

template <class Surface, class Real>
ALWAYS_INLINE SliderNode<Real> slider_node(const Surface& surface, const Real& gravity, const Real& mu,
                                           const SliderState<Real>& y) {
  const auto at = surface(y.x, y.y);
  SliderNode<Real> n;
  n.contact = sliding(at, y.vx, y.vy, gravity);
  const Real chi = rsqrt(n.contact.square), friction = mu * abs(n.contact.reaction);
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

/// SliderMotion, continued smoothly beyond a change of sign of g + theta: `side`, 1 or -1, is the sign that it had.
/// Only for looking for the event.
template <class Real>
struct MotionBeyondLift {
  const World& world;
  Real gravity, friction, side;

  HOST_DEVICE SliderState<Real> operator()(const SliderState<Real>& s) const {
    const Sliding<Real> c = sliding(surface_point(world.terrain, world.tables, s.x, s.y), s.vx, s.vy, gravity);
    const Real grip = grip_of(c.square, c.steepness);
    return slider_derivative(s, c, phi2_of(grip, c.square), grip, friction * side * c.reaction);
  }
};

/// SliderMotion, continued smoothly beyond a momentary stop: friction keeps the direction of the velocity (ux, uy). A
/// path with such a stop is straight, seen from above.
template <class Real>
struct MotionBeyondTurn {
  const World& world;
  Real gravity, friction, ux, uy;

  HOST_DEVICE SliderState<Real> operator()(const SliderState<Real>& s) const {
    const Sliding<Real> c = sliding(surface_point(world.terrain, world.tables, s.x, s.y), s.vx, s.vy, gravity);
    const Real uz = fma(c.fx, ux, c.fy * uy);
    const Real square = square_speed(ux, uy, uz), grip = grip_of(square, c.steepness);
    const Real drag = friction * abs(c.reaction) * grip;
    const SliderState<Real> free = slider_derivative(s, c, phi2_of(grip, square), Real(0.0), Real(0.0));
    return {s.vx, s.vy, fma(-drag, ux, free.vx), fma(-drag, uy, free.vy),
            drag * fma(s.vx, ux, fma(s.vy, uy, c.vz * uz))};
  }
};

}  // namespace scree
