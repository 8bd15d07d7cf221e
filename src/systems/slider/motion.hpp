// The motion of a slider along its surface: equations (1)-(4) of slider.hpp.
#pragma once

#include "../../elementary.hpp"
#include "../../ensemble.hpp"
#include "../../terrain/surface.hpp"

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

/// Added to |V|^2, so that 1 / |V| is finite at rest, where it only ever multiplies a velocity of 0: no bit of a
/// |V| above 1e-92 m/s changes.
inline constexpr double least_square_speed = 1e-200;

/// What the surface and the velocity give before any root is taken.
template <class Real>
struct SliderContact {
  Real fx, fy;     // slopes
  Real vz;         // eq (1)
  Real square;     // |V|^2
  Real steepness;  // 1 / phi^2 = 1 + f_x^2 + f_y^2
  Real reaction;   // N / (m phi) = g + theta, eq (2)
};

template <class Real>
ALWAYS_INLINE SliderContact<Real> slider_contact(const SurfacePoint<Real>& at, const SliderState<Real>& s,
                                                 const Real& gravity) {
  SliderContact<Real> c;
  c.fx = at.fx;
  c.fy = at.fy;
  c.vz = fma(at.fx, s.vx, at.fy * s.vy);
  c.square = fma(s.vx, s.vx, fma(s.vy, s.vy, fma(c.vz, c.vz, Real(least_square_speed))));
  c.steepness = fma(at.fx, at.fx, fma(at.fy, at.fy, Real(1.0)));
  const Real twist = at.fxy * s.vy;
  c.reaction = fma(s.vx, fma(at.fxx, s.vx, twist + twist), fma(at.fyy * s.vy, s.vy, gravity));
  return c;
}

/// The time derivative of the state, eqs (3) and (4): friction = mu |g + theta|, phi2 = phi^2, grip = phi / |V|.
template <class Real>
ALWAYS_INLINE SliderState<Real> slider_derivative(const SliderState<Real>& s, const SliderContact<Real>& c,
                                                  const Real& phi2, const Real& grip, const Real& friction) {
  const Real push = phi2 * c.reaction, drag = friction * grip;
  return {s.vx, s.vy, -fma(push, c.fx, drag * s.vx), -fma(push, c.fy, drag * s.vy), drag * c.square};
}

/// The right-hand side of a step. One reciprocal root serves both: with r = phi / |V|, phi^2 = |V|^2 r^2.
template <class Real, class Surface>
struct SliderMotion {
  const Surface& surface;
  Real gravity, friction;

  ALWAYS_INLINE SliderState<Real> operator()(const SliderState<Real>& s) const {
    const SliderContact<Real> c = slider_contact(surface(s.x, s.y), s, gravity);
    const Real r = rsqrt(c.square * c.steepness);
    return slider_derivative(s, c, r * r * c.square, r, friction * abs(c.reaction));
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
    const Real r = rsqrt(c.square * c.steepness);
    const Real one = Real(1.0), onward = select(fma(s.vx, ux, s.vy * uy) >= Real(0.0), one, -one);
    return slider_derivative(s, c, r * r * c.square, r, friction * (onward * side) * c.reaction);
  }
};

}  // namespace scree
