// Sliders by hand, for the physics tests: a run described as a config would, stepped in the test's own loop.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "host/inputs/spline.hpp"
#include "src/systems/slider.hpp"
#include "worst.hpp"

namespace scree::test {

using SliderLane = Slider<double>::Lane;

inline Terrain quadric(double a, double b, double c, double d, double e, double f) {
  return Terrain::of(Quadric{a, b, c, d, e, f});
}
/// A plane that falls along the direction `heading` (from +x) at the angle `slope`.
inline Terrain tilted(double slope, double heading = 0) {
  return quadric(0, 0, 0, -std::tan(slope) * std::cos(heading), -std::tan(slope) * std::sin(heading), 0);
}
inline Terrain bowl(double radius) { return Terrain::of(Bowl{radius}); }
inline Terrain dome(double radius) { return Terrain::of(Dome{radius}); }
inline Terrain cosine_hills(double amplitude, double wave_x, double wave_y) {
  return Terrain::of(Cosine{amplitude, wave_x, wave_y});
}

/// The spline through a grid, whose numbers go to `tables`.
inline Terrain spline_through(const Grid& grid, std::vector<double>& tables) {
  const GridHeights heights = grid_heights(grid, tables);
  const std::vector<double> coefficients = spline_coefficients(grid);
  const Spline spline{heights, static_cast<double>(tables.size())};
  tables.insert(tables.end(), coefficients.begin(), coefficients.end());
  return Terrain::of(spline);
}

struct SliderStudy {
  SliderParams<double> params{9.81, 0, 0, 0, 1e-3};
  SliderStart<double> start{};
  World world{};
  std::vector<double> tables;

  SliderStudy(const Terrain& terrain, double step, double end) {
    world.terrain = terrain;
    world.step = step;
    world.end = end;
  }
  SliderStudy& friction(double mu) {
    params.friction = mu;
    return *this;
  }
  SliderStudy& from(double x, double y, double vx = 0, double vy = 0) {
    start.position = {x, y};
    start.velocity = {vx, vy};
    return *this;
  }
  /// No sub-steps.
  SliderStudy& whole_steps() {
    params.finest_step = 1;
    return *this;
  }
  SliderStudy with_step(double step) const {
    SliderStudy other = *this;
    other.world.step = step;
    return other;
  }
  const World& ground() {
    world.tables = tables.data();
    return world;
  }
};

struct Slid {
  SliderLane lane;
  SliderSummary<double> summary;
  Status status;
};

template <class Scheme>
void step(const World& world, SliderLane& lane) {
  Step<Slider<double>, Scheme>::advance(world, lane);
}

template <class Scheme>
Slid slide(SliderStudy study) {
  const World& world = study.ground();
  SliderLane lane = Slider<double>::prepare(world, {study.params, study.start});
  Step<Slider<double>, Scheme>::run(world, lane);
  return {lane, Slider<double>::summarize(world, lane), static_cast<Status>(lane.status)};
}

/// Largest difference of a component of position and velocity; NaN if one is.
inline double distance(const SliderState<double>& a, const SliderState<double>& b) {
  return worst(worst(std::fabs(a.x - b.x), std::fabs(a.y - b.y)),
               worst(std::fabs(a.vx - b.vx), std::fabs(a.vy - b.vy)));
}

/// Calls f.template operator()<Scheme>(order) with each scheme, naming it in failures.
template <class F>
void for_all_slider_schemes(F f) {
  const auto with = [&]<class Scheme>(int order) {
    SCOPED_TRACE(Scheme::name);
    f.template operator()<Scheme>(order);
  };
  with.template operator()<Rk4>(4);
  with.template operator()<Euler>(1);
  with.template operator()<EulerCromer>(1);
  with.template operator()<Rk2Midpoint>(2);
  with.template operator()<Rk2Heun>(2);
  with.template operator()<Rk3>(3);
  with.template operator()<ImplicitMidpoint>(2);
}

}  // namespace scree::test
