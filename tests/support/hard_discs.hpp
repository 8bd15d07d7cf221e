// Hard discs by hand, for the physics tests: a run described as a config would, stepped in the test's own loop.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "src/systems/hard_discs.hpp"
#include "worst.hpp"

namespace scree::test {

/// Discs in a box of 1 x 1 m unless said otherwise: 1 kg, elastic, guard_time 0.
struct DiscStudy {
  HardDiscsParams<double> params{};
  HardDiscsStart<double> start{};
  DrawStream draws{1, 0, 0};
  World world{};

  DiscStudy(double step, double end) {
    HardDiscsParams<double>& p = params;
    p.wall_radius = 0.5;
    p.width = p.height = p.restitution = p.wall_restitution = 1;
    for (int i = 0; i < most_hard_discs; ++i) {
      p.radius[i] = 0.02;
      p.mass[i] = 1;
    }
    world.step = step;
    world.end = end;
  }
  DiscStudy& box(double width, double height) {
    params.width = width;
    params.height = height;
    return *this;
  }
  DiscStudy& circle(double radius) {
    params.circle = 1;
    params.wall_radius = radius;
    return *this;
  }
  DiscStudy& add(double radius, Vec2<double> position, Vec2<double> velocity, double mass = 1) {
    const int i = count();
    params.radius[i] = radius;
    params.mass[i] = mass;
    start.position[i] = position;
    start.velocity[i] = velocity;
    params.discs = i + 1;
    return *this;
  }
  /// `discs` of `radius` at random places with normally distributed velocities of 1 m/s, sample `sample` of an
  /// ensemble.
  DiscStudy& random(int discs, double radius, std::uint64_t sample) {
    DrawStream speeds{2, sample, 0};
    draws = {1, sample, 0};
    params.random_placement = 1;
    params.discs = discs;
    for (int i = 0; i < discs; ++i) {
      params.radius[i] = radius;
      start.velocity[i] = {speeds.normal(), speeds.normal()};
    }
    return *this;
  }
  int count() const { return static_cast<int>(params.discs); }
  SampleOf<HardDiscsParams<double>, HardDiscsStart<double>> sample() const { return {params, start, draws}; }
  Mistake mistake() const { return HardDiscs<double>::mistake(world, sample()); }
};

template <class Discs = HardDiscs<double>>
using DiscLane = typename Discs::Lane;

struct DiscRun {
  DiscLane<> lane;
  HardDiscsSummary<double> summary;
  Status status;
};

template <class Scheme>
void step(const World& world, DiscLane<>& lane) {
  Step<HardDiscs<double>, Scheme>::advance(world, lane);
}
template <class Scheme>
DiscRun collide(const DiscStudy& study) {
  const World& world = study.world;
  DiscLane<> lane = HardDiscs<double>::prepare(world, study.sample());
  Step<HardDiscs<double>, Scheme>::run(world, lane);
  return {lane, HardDiscs<double>::summarize(world, lane), static_cast<Status>(lane.status)};
}

/// Largest distance between the places of the same disc; NaN if one is.
inline double distance(const DiscLane<>& a, const DiscLane<>& b) {
  double most = 0;
  for (int i = 0; i < static_cast<int>(a.count); ++i) {
    const Vec2<double> x = HardDiscs<double>::place(a, i), y = HardDiscs<double>::place(b, i);
    most = worst(most, std::hypot(x.x - y.x, x.y - y.y));
  }
  return most;
}

/// One hit, of discs `first` and `second`; a wall is -1 (x), -2 (y) or -3 (round).
struct DiscHitRecord {
  double time;
  int first, second;
};
/// The next hit of the lane, which then happens.
inline DiscHitRecord next_hit(DiscLane<>& lane) {
  const int first = HardDiscs<double>::next_to_hit(lane);
  const DiscHitRecord hit{lane.next[first], first, static_cast<int>(lane.partner[first])};
  HardDiscs<double>::take_hit(lane, first);
  return hit;
}

/// Discs the plain way, for comparison: all move together, and every pair and wall is asked anew after every hit, by
/// the textbook's roots, in long double.
class PlainDiscs {
  using Real = long double;

 public:
  struct Body {
    Real x, y, vx, vy, radius, mass;
  };
  std::vector<Body> bodies;
  bool circle;
  Real wall, half_width, half_height, restitution, wall_restitution, now = 0;

  explicit PlainDiscs(const DiscStudy& study)
      : circle(study.params.circle == 1),
        wall(study.params.wall_radius),
        half_width(0.5 * study.params.width),
        half_height(0.5 * study.params.height),
        restitution(study.params.restitution),
        wall_restitution(study.params.wall_restitution) {
    for (int i = 0; i < study.count(); ++i)
      bodies.push_back({study.start.position[i].x, study.start.position[i].y, study.start.velocity[i].x,
                        study.start.velocity[i].y, study.params.radius[i], study.params.mass[i]});
  }

  DiscHitRecord next_hit() {
    Real soonest = std::numeric_limits<Real>::infinity();
    int first = -1, second = -1;
    const int n = static_cast<int>(bodies.size());
    const auto consider = [&](Real after, int i, int j) {
      if (!(after < soonest)) return;
      soonest = after;
      first = i;
      second = j;
    };
    for (int i = 0; i < n; ++i) {
      for (int j = i + 1; j < n; ++j) consider(pair_time(body(i), body(j)), i, j);
      wall_times(body(i), [&](Real after, int side) { consider(after, i, side); });
    }
    for (Body& b : bodies) {
      b.x += b.vx * soonest;
      b.y += b.vy * soonest;
    }
    now += soonest;
    if (second >= 0)
      collide(body(first), body(second));
    else
      reflect(body(first), second);
    return {static_cast<double>(now), first, second};
  }

 private:
  Body& body(int i) { return bodies[static_cast<std::size_t>(i)]; }
  static Real pair_time(const Body& p, const Body& q) {
    const Real dx = p.x - q.x, dy = p.y - q.y, wx = p.vx - q.vx, wy = p.vy - q.vy, s = p.radius + q.radius;
    const Real a = wx * wx + wy * wy, b = dx * wx + dy * wy, c = dx * dx + dy * dy - s * s, d = b * b - a * c;
    if (b >= 0 || d < 0) return std::numeric_limits<Real>::infinity();
    return (-b - std::sqrt(d)) / a;
  }
  template <class F>
  void wall_times(const Body& p, F consider) const {
    if (circle) {
      const Real room = wall - p.radius, a = p.vx * p.vx + p.vy * p.vy, b = p.x * p.vx + p.y * p.vy;
      consider((-b + std::sqrt(b * b - a * (p.x * p.x + p.y * p.y - room * room))) / a, -3);
      return;
    }
    if (p.vx != 0) consider(((p.vx > 0 ? half_width - p.radius : p.radius - half_width) - p.x) / p.vx, -1);
    if (p.vy != 0) consider(((p.vy > 0 ? half_height - p.radius : p.radius - half_height) - p.y) / p.vy, -2);
  }
  void collide(Body& p, Body& q) const {
    const Real dx = p.x - q.x, dy = p.y - q.y, s = std::sqrt(dx * dx + dy * dy), nx = dx / s, ny = dy / s;
    const Real impulse =
        (1 + restitution) * p.mass * q.mass / (p.mass + q.mass) * ((p.vx - q.vx) * nx + (p.vy - q.vy) * ny);
    p.vx -= impulse / p.mass * nx;
    p.vy -= impulse / p.mass * ny;
    q.vx += impulse / q.mass * nx;
    q.vy += impulse / q.mass * ny;
  }
  void reflect(Body& p, int side) const {
    if (side == -1) p.vx *= -wall_restitution;
    if (side == -2) p.vy *= -wall_restitution;
    if (side != -3) return;
    const Real s = std::sqrt(p.x * p.x + p.y * p.y), nx = p.x / s, ny = p.y / s;
    const Real change = (1 + wall_restitution) * (p.vx * nx + p.vy * ny);
    p.vx -= change * nx;
    p.vy -= change * ny;
  }
};

/// By how much a difference in the places or velocities of one disc grows over `hits` hits, in places or times of hits:
/// the most, over all discs and both kinds, when each component is put 1e-9 m or m/s aside; at the least 1.
inline double growth(const DiscStudy& study, int hits) {
  constexpr double small = 1e-9;
  double most = 1;
  for (int disc = 0; disc < study.count(); ++disc)
    for (int component = 0; component < 4; ++component) {
      DiscStudy other = study;
      Vec2<double>& changed = component < 2 ? other.start.position[disc] : other.start.velocity[disc];
      (component % 2 == 0 ? changed.x : changed.y) += small;
      PlainDiscs from(study), aside(other);
      for (int k = 0; k < hits; ++k) {
        from.next_hit();
        aside.next_hit();
        const long double late = aside.now - from.now;
        most = worst(most, static_cast<double>(std::fabs(late)) / small);
        for (std::size_t i = 0; i < from.bodies.size(); ++i) {
          // At the time of the one: the other's hit comes a little earlier or later.
          const auto &p = from.bodies[i], &q = aside.bodies[i];
          most = worst(most, static_cast<double>(std::hypot(q.x - q.vx * late - p.x, q.y - q.vy * late - p.y)) / small);
        }
      }
    }
  return most;
}

}  // namespace scree::test
