// Particles that fall on an inclined plane and on a ball, one sample each: they do not meet one another.
//
//   r'' = (0, -g) - a r'                                    flight; drag_flight.hpp has its closed form            (1)
//   s = n . r,   n = (-sin f, cos f)                        height above the plane y = x tan f; contact at s = 0   (2)
//   D = |r - c|^2 - R^2                                     the ball of centre c and radius R; contact at D = 0    (3)
//   v+ = v - (1 + e) n (n . v)                              impact, if n . v < 0; n = (r - c) / R on the ball      (4)
//
// Schemes. `exact`: the closed form between impacts, which are located to rounding; `step` is only the time between two
// observations. `rk4`: Runge-Kutta steps, each cut where s or D first falls below 0 in it. `euler_cromer_overlap`: the
// loop of the laboratory text, for contrast: a step of Euler and Cromer, then whoever is found behind a surface has its
// velocity reflected, whether it approaches or not, is lifted to y = x tan f, or moved on by another h v off the ball,
// whose normal (r - c) / R is not of length 1 there. Its near_time counts whole steps, by the place before that other
// h v.
//
// Roots. Along a flight s rises to at most one maximum and falls from then on, so it has a root within a time T if and
// only if s(T) < 0. D may have four; it is followed by strides within which |v| t + |g| t^2 / 2 cannot reach the
// surface (conservative advancement), but not below 1e-3 R / sqrt(v^2 + g R), and in a stride without a change of sign
// the least D is found where D' changes sign: a graze is a hit if it is one by more than rounding. The time near the
// ball is found in the same way from the circle of the radius R + `near`; `rk4` takes a whole step as one stride.
//
// Rest. A rebound from the plane slower than `rest_speed` ends the bouncing, which would take infinitely many impacts
// for e < 1: the particle slides along the plane without friction, (1) with the pull -g sin f along it, until the ball
// lifts it. On the ball, where sliding has no closed form, a particle pressed onto it leaves with at least rest_speed,
// in hops of 2 rest_speed / g; what its normal velocity gains by that, its tangential one loses, so that the energy
// rises only if the particle was slower than rest_speed, and then by no more than rest_speed^2 / 2. One that meets the
// ball while on the plane at no more than twice that lies in the wedge between them, if e < 1: `stopped`. More than
// 10^4 impacts within a step end a sample as `not_converged`.
//
// Source: a laboratory text on the motion of one particle, section on reflections.
#pragma once

#include <limits>
#include <type_traits>

#include "../bracketed_root.hpp"
#include "../drag_flight.hpp"
#include "../integrate.hpp"
#include "../steppers/euler_cromer.hpp"
#include "../steppers/exact_flight.hpp"
#include "../steppers/rk4.hpp"
#include "scatter/table.hpp"

namespace scree {

/// A scheme of `scatter` alone.
struct OverlapLoop {
  static constexpr const char* name = "euler_cromer_overlap";
  static constexpr const char* meaning =
      "Euler-Cromer steps that reflect after an overlap, as the laboratory text does";
};

template <class Real>
struct Scatter {
  static constexpr bool packs = false;  // impacts come at other times in every sample
  /// By the model of bench/README.md 0.80 of the time of the compiler's own choice, 3.
  static constexpr int cuda_blocks = 6;
  static constexpr int most_impacts = 10000;

  using Schemes = SchemeList<ExactFlight, Rk4, OverlapLoop>;
  using Params = ScatterParams<Real>;
  using Start = ScatterStart<Real>;
  using Summary = ScatterSummary<Real>;
  using Track = ScatterTrack<Real>;
  using Vector = Vec2<Real>;

  template <class Table>
  static void describe(Table& table) {
    describe_scatter<Real>(table);
  }

  static Mistake mistake(const World&, const Sample<Scatter>& sample) {
    const auto& p = sample.params;
    const auto& at = sample.start.position;
    // A place on a surface, in decimals, may be behind it by the rounding of its coordinates.
    const double rounding = 1e-12 * (abs(at.x) + abs(at.y));
    if (p.plane == 1 && at.y * cos(p.plane_angle) < at.x * sin(p.plane_angle) - rounding)
      return "start.position is below the plane";
    const double dx = at.x - p.ball_position.x, dy = at.y - p.ball_position.y;
    if (p.ball == 1 && sqrt(dx * dx + dy * dy) < p.ball_radius - rounding) return "start.position is inside the ball";
    return nullptr;
  }

  struct State {
    Real x, y, vx, vy;
  };
  struct Lane {
    Params params;
    Vector normal;  // of the plane
    State state;
    Real sliding;  // 1: along the plane
    Real plane_hits, ball_hits, impact_parameter, scattering_angle, landing_x, landing_time, near_time;
    Real steps, status;
  };

  HOST_DEVICE static Lane prepare(const World&, const Sample<Scatter>& sample) {
    const Real none = Real(std::numeric_limits<double>::quiet_NaN());
    const SinCos<Real> angle = sincos(sample.params.plane_angle);
    const Start& start = sample.start;
    Lane lane{};
    lane.params = sample.params;
    lane.normal = {-angle.sin, angle.cos};
    lane.state = {start.position.x, start.position.y, start.velocity.x, start.velocity.y};
    lane.impact_parameter = lane.scattering_angle = lane.landing_x = lane.landing_time = none;
    lane.status = Real(running);
    return lane;
  }

  template <class Scheme>
  HOST_DEVICE static void begin(const World& world, Lane& lane) {
    if constexpr (std::is_same_v<Scheme, OverlapLoop>) {
      overlap_step(world, lane);
    } else {
      bounce_for<Scheme>(world, lane);
    }
  }
  template <class Scheme>
  HOST_DEVICE static void finish(const World& world, Lane& lane) {
    lane.steps = lane.steps + Real(1.0);
    const State& s = lane.state;
    end_where<Real>(lane, Status::diverged, !bounded(abs(s.x) + abs(s.y) + abs(s.vx) + abs(s.vy)));
    end_where<Real>(lane, Status::end_time, time_is_up(world, lane.steps));
  }

  HOST_DEVICE static Summary summarize(const World&, const Lane& lane) {
    const State& s = lane.state;
    return {lane.plane_hits,
            lane.ball_hits,
            lane.impact_parameter,
            lane.scattering_angle,
            lane.landing_x,
            lane.landing_time,
            lane.near_time,
            lane.sliding,
            s.x,
            s.y,
            s.vx,
            s.vy};
  }
  HOST_DEVICE static Track track(const World&, const Lane& lane) {
    const State& s = lane.state;
    const Real kinetic = Real(0.5) * fma(s.vx, s.vx, s.vy * s.vy);
    return {s.x, s.y, s.vx, s.vy, lane.plane_hits, lane.ball_hits, fma(lane.params.gravity, s.y, kinetic)};
  }

 private:
  HOST_DEVICE static Real infinite() { return Real(std::numeric_limits<double>::infinity()); }
  HOST_DEVICE static bool is_on(const Real& flag) { return any(flag > Real(0.5)); }

  /// From the centre of the ball to the particle.
  HOST_DEVICE static Vector from_ball(const Lane& lane) {
    return {lane.state.x - lane.params.ball_position.x, lane.state.y - lane.params.ball_position.y};
  }
  HOST_DEVICE static Vector velocity(const Lane& lane) { return {lane.state.vx, lane.state.vy}; }
  /// Equation (2), but not below 0, where rounding may leave it.
  HOST_DEVICE static Real height(const Lane& lane) {
    return larger(dot(lane.normal, Vector{lane.state.x, lane.state.y}), Real(0.0));
  }
  /// What pulls the particle: gravity, or the part of it along the plane.
  HOST_DEVICE static Vector pull(const Lane& lane) {
    const Real g = lane.params.gravity;
    if (!is_on(lane.sliding)) return {Real(0.0), -g};
    const Real along = g * lane.normal.x;  // -g sin f
    return {along * lane.normal.y, -(along * lane.normal.x)};
  }

  /// The flight for a time t, equation (1): its closed form, or a step of a scheme.
  template <class Scheme>
  HOST_DEVICE static Flight<Real> flight(const Lane& lane, const Real& t) {
    const Vector g = pull(lane);
    if constexpr (std::is_same_v<Scheme, ExactFlight>) {
      return drag_flight(velocity(lane), g, lane.params.drag, t);
    } else {
      const Real a = lane.params.drag;
      const auto f = [&](const State& s) { return State{s.vx, s.vy, fma(-a, s.vx, g.x), fma(-a, s.vy, g.y)}; };
      const State from{Real(0.0), Real(0.0), lane.state.vx, lane.state.vy};
      const State to = Scheme::step(from, f(from), t, f);
      return {{to.x, to.y}, {to.vx, to.vy}};
    }
  }

  /// When the plane is hit, within `left`; else infinity.
  template <class Scheme>
  HOST_DEVICE static Real plane_hit(const Lane& lane, const Real& left) {
    const Real zero = Real(0.0);
    if (!is_on(lane.params.plane) || is_on(lane.sliding)) return infinite();
    const Real from = height(lane), rate = dot(lane.normal, velocity(lane));
    const bool on_it = any(from == zero);
    if (on_it && any(rate < zero)) return zero;
    const auto at = [&](const Real& t) { return from + dot(lane.normal, flight<Scheme>(lane, t).shift); };
    const Real last = at(left);
    if (!any(last < zero)) return infinite();
    const Real finest = left * Real(0x1p-60);
    // From the plane upward s has a root at t = 0, which s / t has not.
    if (on_it)
      return bracketed_root(zero, rate, left, last / left, last < zero, finest,
                            [&](const Real& t) { return at(t) / t; });
    return bracketed_root(zero, from, left, last, last < zero, finest, at);
  }

  /// A time, s, within which a particle whose D about a circle is `value` cannot reach that circle, whatever its way:
  /// the positive root of |v| t + |g| t^2 / 2 = gap, but at least `shortest`.
  HOST_DEVICE static Real stride(const Real& value, const Real& radius, const Real& speed, const Real& pulled,
                                 const Real& shortest) {
    const Real two = Real(2.0), gap = abs(value) / (sqrt(fma(radius, radius, value)) + radius);
    const Real faster = sqrt(fma(speed, speed, two * pulled * gap));
    return larger(two * gap / larger(speed + faster, Real(1e-300)), shortest);
  }
  /// The least such time. It moves the clock, which may stand at `left`: a ball that is passed within 2^-30 of that is
  /// smaller than 2^-26 of the way, and then D is known to no more than R^2.
  HOST_DEVICE static Real shortest_stride(const Real& radius, const Real& vivid, const Real& left) {
    return larger(Real(1e-3) * radius * rsqrt(vivid), Real(0x1p-30) * left);
  }

  /// When the ball is hit, within `left`; else infinity.
  template <class Scheme>
  HOST_DEVICE static Real ball_hit(const Lane& lane, const Real& left) {
    const Real zero = Real(0.0), two = Real(2.0);
    if (!is_on(lane.params.ball)) return infinite();
    const Real radius = lane.params.ball_radius;
    const Vector from = from_ball(lane), v = velocity(lane), g = pull(lane);
    const Real start = larger(fma(-radius, radius, dot(from, from)), zero);
    const Real pulled = sqrt(dot(g, g)), vivid = fma(pulled, radius, dot(v, v));
    const bool on_it = any(start == zero);
    Real slope = dot(from, v);  // D' / 2
    if (on_it && any(slope < zero)) return zero;
    if (!any(vivid > zero)) return infinite();

    const auto distance2 = [&](const Vector& shift) {
      return start + dot(shift, Vector{fma(two, from.x, shift.x), fma(two, from.y, shift.y)});
    };
    const auto at = [&](const Real& t) { return distance2(flight<Scheme>(lane, t).shift); };
    const auto rate = [&](const Flight<Real>& f) {
      return dot(Vector{from.x + f.shift.x, from.y + f.shift.y}, f.velocity);
    };
    const Real finest = left * Real(0x1p-60), shortest = shortest_stride(radius, vivid, left);
    Real t = zero, value = start, speed = sqrt(dot(v, v));
    // The root of D between t, outside, and `inside`; from the ball outward D has one at 0, which D / t has not.
    const auto root = [&](const Real& inside, const Real& below) {
      if (on_it && any(t == zero))
        return bracketed_root(zero, two * slope, inside, below / inside, below < zero, finest,
                              [&](const Real& tau) { return at(tau) / tau; });
      return bracketed_root(t, value, inside, below, below < zero, finest, at);
    };
    while (any(t < left)) {
      Real next = left;
      if constexpr (std::is_same_v<Scheme, ExactFlight>)
        next = smaller(t + stride(value, radius, speed, pulled, shortest), left);
      const Flight<Real> f = flight<Scheme>(lane, next);
      const Real reached = distance2(f.shift), turned = rate(f);
      if (any(reached < zero)) return root(next, reached);
      if (any((slope < zero) & (turned > zero))) {
        const Real least = bracketed_root(t, -slope, next, -turned, slope < zero, finest,
                                          [&](const Real& tau) { return -rate(flight<Scheme>(lane, tau)); });
        const Real depth = at(least);
        if (any(depth < zero)) return root(least, depth);
      }
      t = next;
      value = reached;
      slope = turned;
      speed = sqrt(dot(f.velocity, f.velocity));
    }
    return infinite();
  }

  /// How long a flight of the time `end` is within `near` of the ball.
  template <class Scheme>
  HOST_DEVICE static Real time_near(const Lane& lane, const Real& end) {
    const Real zero = Real(0.0), reach = lane.params.ball_radius + lane.params.near;
    if (!is_on(lane.params.ball) || !any(lane.params.near > zero)) return zero;
    const Vector from = from_ball(lane), v = velocity(lane), g = pull(lane);
    const Real pulled = sqrt(dot(g, g)), vivid = fma(pulled, reach, dot(v, v));
    const Real finest = end * Real(0x1p-60), shortest = shortest_stride(reach, vivid, end);
    const auto beyond = [&](const Flight<Real>& f) {
      const Vector to{from.x + f.shift.x, from.y + f.shift.y};
      return fma(-reach, reach, dot(to, to));
    };
    const auto rate = [&](const Flight<Real>& f) {
      return dot(Vector{from.x + f.shift.x, from.y + f.shift.y}, f.velocity);
    };
    const auto at = [&](const Real& tau) { return beyond(flight<Scheme>(lane, tau)); };
    const auto crossing = [&](const Real& outside, const Real& above, const Real& inside, const Real& below) {
      return bracketed_root(outside, above, inside, below, below < zero, finest, at);
    };
    if (!any(vivid > zero)) return any(at(zero) < zero) ? end : zero;
    Real t = zero, total = zero, value = fma(-reach, reach, dot(from, from)), slope = dot(from, v);
    Real speed = sqrt(dot(v, v));
    while (any(t < end)) {
      Real next = end;
      if constexpr (std::is_same_v<Scheme, ExactFlight>)
        next = smaller(t + stride(value, reach, speed, pulled, shortest), end);
      const Flight<Real> f = flight<Scheme>(lane, next);
      const Real reached = beyond(f), turned = rate(f);
      const bool was_near = any(value < zero), is_near = any(reached < zero);
      if (was_near && is_near) {
        total = total + (next - t);
      } else if (was_near) {
        total = total + (crossing(next, reached, t, value) - t);
      } else if (is_near) {
        total = total + (next - crossing(t, value, next, reached));
      } else if (any((slope < zero) & (turned > zero))) {
        const Real least = bracketed_root(t, -slope, next, -turned, slope < zero, finest,
                                          [&](const Real& tau) { return -rate(flight<Scheme>(lane, tau)); });
        const Real depth = at(least);
        if (any(depth < zero))
          total = total + (crossing(next, reached, least, depth) - crossing(t, value, least, depth));
      }
      t = next;
      value = reached;
      slope = turned;
      speed = sqrt(dot(f.velocity, f.velocity));
    }
    return total;
  }

  /// Moves the particle on by a flight of the time t, and counts what of it is near the ball.
  template <class Scheme>
  HOST_DEVICE static void fly(Lane& lane, const Real& t) {
    lane.near_time = lane.near_time + time_near<Scheme>(lane, t);
    const Flight<Real> f = flight<Scheme>(lane, t);
    lane.state = {lane.state.x + f.shift.x, lane.state.y + f.shift.y, f.velocity.x, f.velocity.y};
  }

  /// One step of the length h: flights and impacts.
  template <class Scheme>
  HOST_DEVICE static void bounce_for(const World& world, Lane& lane) {
    Real left = Real(world.step);
    for (int impacts = 0; any(left > Real(0.0)); ++impacts) {
      if (impacts > most_impacts) {
        end_where<Real>(lane, Status::not_converged, left > Real(0.0));
        return;
      }
      const Real plane = plane_hit<Scheme>(lane, left), ball = ball_hit<Scheme>(lane, smaller(plane, left));
      const bool hits_ball = any(ball <= plane) && any(ball <= left), hits_plane = !hits_ball && any(plane <= left);
      const Real tau = hits_ball ? ball : hits_plane ? plane : left;
      fly<Scheme>(lane, tau);
      left = left - tau;
      const Real now = fma(lane.steps, Real(world.step), Real(world.step) - left);
      if (hits_ball) {
        hit_ball(lane);
      } else if (hits_plane) {
        hit_plane(lane, now);
      }
      if (any(lane.status != Real(running))) return;
    }
  }

  /// Equation (4) on the plane.
  HOST_DEVICE static void hit_plane(Lane& lane, const Real& now) {
    const Real zero = Real(0.0), one = Real(1.0);
    State& s = lane.state;
    const Vector n = lane.normal;
    record_landing(lane, now);
    const Real sunk = dot(n, Vector{s.x, s.y}), vn = dot(n, velocity(lane));
    const Real rebound = -(lane.params.restitution * vn);
    const Mask<Real> stays = (lane.params.gravity > zero) | (rebound == zero);
    const bool slides = any((rebound < lane.params.rest_speed) & stays);
    const Real change = slides ? -vn : rebound - vn;
    lane.sliding = slides ? one : zero;
    s = {fma(-sunk, n.x, s.x), fma(-sunk, n.y, s.y), fma(change, n.x, s.vx), fma(change, n.y, s.vy)};
  }

  /// Equation (4) on the ball.
  HOST_DEVICE static void hit_ball(Lane& lane) {
    const Real zero = Real(0.0), one = Real(1.0), two = Real(2.0), radius = lane.params.ball_radius;
    State& s = lane.state;
    const Vector out = from_ball(lane), before = velocity(lane);
    const Real scale = one / sqrt(dot(out, out));
    const Vector n{scale * out.x, scale * out.y};
    const Real vn = dot(n, before), speed2 = dot(before, before);
    Real rebound = -(lane.params.restitution * vn);
    // Pressed onto the ball: the path curves away from it less than its surface does.
    const Mask<Real> hops = (fma(radius, dot(n, pull(lane)), speed2) < zero) & (rebound < lane.params.rest_speed);
    rebound = select(hops, lane.params.rest_speed, rebound);
    // What a hop gains over the normal velocity before it comes out of the tangential one.
    const Vector along{fma(-vn, n.x, before.x), fma(-vn, n.y, before.y)};
    const Real along2 = dot(along, along), gained = fma(rebound, rebound, -(vn * vn));
    const Mask<Real> pays = hops & (gained > zero) & (along2 > zero);
    const Real kept = select(pays, sqrt(larger(along2 - gained, zero) / select(pays, along2, one)), one);
    // Else it leaves along the tangent at the slowest, but for the rounding that would have it hit again at once.
    rebound = larger(rebound, Real(0x1p-40) * sqrt(speed2));
    const Real change = rebound - vn;
    const Real less = kept - one;
    s = {fma(radius, n.x, lane.params.ball_position.x), fma(radius, n.y, lane.params.ball_position.y),
         fma(less, along.x, fma(change, n.x, s.vx)), fma(less, along.y, fma(change, n.y, s.vy))};
    record_scattering(lane, out, before);
    const bool on_plane = is_on(lane.params.plane) && any(height(lane) <= Real(1e-9) * radius);
    const Real slow = two * lane.params.rest_speed;
    lane.sliding = zero;
    if (on_plane && any(lane.params.restitution < one))
      end_where<Real>(lane, Status::stopped, dot(velocity(lane), velocity(lane)) <= slow * slow);
  }

  HOST_DEVICE static void record_landing(Lane& lane, const Real& now) {
    const Mask<Real> first = lane.plane_hits == Real(0.0);
    lane.landing_x = select(first, lane.state.x, lane.landing_x);
    lane.landing_time = select(first, now, lane.landing_time);
    lane.plane_hits = lane.plane_hits + Real(1.0);
  }
  /// `out`: from the centre of the ball to where it was hit. The angle between two directions p and q is
  /// 2 atan(|q - p| / |q + p|). A velocity of 0 has none: the angle then is 0, and so is the impact parameter of rest.
  HOST_DEVICE static void record_scattering(Lane& lane, const Vector& out, const Vector& before) {
    const Mask<Real> first = lane.ball_hits == Real(0.0);
    const Vector after = velocity(lane);
    const Real zero = Real(0.0), one = Real(1.0), came = sqrt(dot(before, before)), goes = sqrt(dot(after, after));
    const Mask<Real> moves = came > zero, turns = moves & (goes > zero);
    const Real in = select(moves, one / select(moves, came, one), zero), on = one / select(turns, goes, one);
    const Vector p{in * before.x, in * before.y}, q{on * after.x, on * after.y};
    const Vector sum{q.x + p.x, q.y + p.y}, difference{q.x - p.x, q.y - p.y};
    const Real angle = select(turns, Real(2.0) * atan(sqrt(dot(difference, difference) / dot(sum, sum))), zero);
    lane.impact_parameter = select(first, cross(out, p), lane.impact_parameter);
    lane.scattering_angle = select(first, angle, lane.scattering_angle);
    lane.ball_hits = lane.ball_hits + Real(1.0);
  }

  /// One turn of the laboratory text's loop.
  HOST_DEVICE static void overlap_step(const World& world, Lane& lane) {
    const Real zero = Real(0.0), h = Real(world.step), radius = lane.params.ball_radius;
    const Real a = lane.params.drag, g = lane.params.gravity, more = Real(1.0) + lane.params.restitution;
    const auto f = [&](const State& s) { return State{s.vx, s.vy, -(a * s.vx), -fma(a, s.vy, g)}; };
    State& s = lane.state;
    s = EulerCromer::step(s, f(s), h, f);
    const Vector n = lane.normal;
    const Real risen = -(s.x * n.x / n.y);  // x tan f
    if (is_on(lane.params.plane) && any(s.y < risen)) {
      record_landing(lane, fma(lane.steps, h, h));
      const Real change = -(more * dot(n, velocity(lane)));
      s = {s.x, risen, fma(change, n.x, s.vx), fma(change, n.y, s.vy)};
    }
    const Vector out = from_ball(lane);
    const Real square = dot(out, out), reach = radius + lane.params.near;
    if (is_on(lane.params.ball) && any(square < radius * radius)) {
      const Vector before = velocity(lane), normal{out.x / radius, out.y / radius};
      const Real change = -(more * dot(normal, before));
      const Vector after{fma(change, normal.x, s.vx), fma(change, normal.y, s.vy)};
      s = {fma(h, after.x, s.x), fma(h, after.y, s.y), after.x, after.y};
      record_scattering(lane, out, before);
    }
    const Mask<Real> near = (lane.params.ball > zero) & (square < reach * reach);
    lane.near_time = lane.near_time + select(near, h, zero);
  }
};

}  // namespace scree
