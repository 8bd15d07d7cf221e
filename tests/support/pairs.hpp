// Pairs by hand, for the physics tests: a run described as a config would, stepped in the test's own loop.
#pragma once

#include <vector>

#include "sliders.hpp"
#include "src/systems/pair.hpp"

namespace scree::test {

using PairLane = Pair<double>::Lane;

struct PairStudy {
  PairParams<double> params{10, 10, 9.81, 0, 0, 1, 0, pair_not_stabilised, 1, 1e-3};
  PairStart<double> start{};
  World world{};

  PairStudy(const Terrain& terrain, double step, double end) {
    world.terrain = terrain;
    world.step = step;
    world.end = end;
  }
  PairStudy& masses(double first, double second) {
    params.mass1 = first;
    params.mass2 = second;
    return *this;
  }
  PairStudy& friction(double mu, double at_rest = 0) {
    params.friction = mu;
    params.static_friction = at_rest;
    return *this;
  }
  PairStudy& from(const PairState<double>& s) {
    start = {{s.x1, s.y1}, {s.x2, s.y2}, {s.vx1, s.vy1}, {s.vx2, s.vy2}};
    return *this;
  }
  PairStudy& part1() {
    params.link_reaction = 0;
    return *this;
  }
  PairStudy& stabilised(double how, double rate = 1) {
    params.stabilise = how;
    params.stabilise_rate = rate;
    return *this;
  }
  PairStudy& projected() {
    params.project_start = 1;
    return *this;
  }
  PairStudy& whole_steps() {
    params.finest_step = 1;
    return *this;
  }
  PairStudy with_step(double step) const {
    PairStudy other = *this;
    other.world.step = step;
    return other;
  }
  const char* mistake() const { return Pair<double>::mistake(world, {params, start}).text; }
};

struct Paired {
  PairLane lane;
  PairSummary<double> summary;
  Status status;
};

/// Runs to the sample's end; `observe(lane)` sees it at the start and after each step.
template <class Scheme, class F>
Paired run_pair(const PairStudy& study, F observe) {
  PairLane lane = Pair<double>::prepare(study.world, {study.params, study.start});
  observe(lane);
  while (lane.status == running) {
    Step<Pair<double>, Scheme>::advance(study.world, lane);
    observe(lane);
  }
  return {lane, Pair<double>::summarize(study.world, lane), static_cast<Status>(lane.status)};
}
template <class Scheme>
Paired run_pair(const PairStudy& study) {
  return run_pair<Scheme>(study, [](const PairLane&) {});
}

/// Largest difference of a component of positions and velocities; NaN if one is.
inline double distance(const PairState<double>& a, const PairState<double>& b) {
  double largest = 0;
  const double *p = &a.x1, *q = &b.x1;
  for (int i = 0; i < 8; ++i) largest = worst(largest, std::fabs(p[i] - q[i]));
  return largest;
}
inline double largest(const PairState<double>& s) { return distance(s, PairState<double>{}); }

}  // namespace scree::test
