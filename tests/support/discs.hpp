// Disc boxes by hand, for the physics tests: a run described as a config would, stepped in the test's own loop.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "reference.hpp"
#include "src/systems/disc_box.hpp"
#include "worst.hpp"

namespace scree::test {

/// Up to `most` discs; by default what the preset "corrected" and the defaults of describe() say, at given places.
template <int most = 4>
struct DiscStudy {
  using Box = DiscBoxOf<double, most>;
  using Lane = typename Box::Lane;

  DiscBoxParams<double> params{};
  DiscBoxStart<double> start{};
  World world{};
  DrawStream draws{1, 0, first_own_draw};

  explicit DiscStudy(double step = 1e-3, double end = 10) {
    params.radius = params.mass = params.observer_mass = 1;
    for (double& alpha : params.observer_offset.at) alpha = 0.99;
    params.inertia_factor = 0.5;
    params.circle = 1;
    params.wall_radius = 5;
    params.width = params.height = 10;
    params.youngs_modulus = 2000;
    params.poisson_ratio = 0.28;
    params.c_tau = 0.9;
    params.penetration = 0.5;
    params.onset_latch = 1;
    params.onset_floor = 5e-3;
    params.friction = params.wall_friction = 0.1;
    params.slip_speed = 0.05;
    params.friction_force = 1;
    world.step = step;
    world.end = end;
  }
  DiscStudy& script() {
    params.onset_latch = 0;
    params.friction_force = 2;
    params.inertia_factor = 0.25;
    params.unit_wall_arm = 1;
    return *this;
  }
  DiscStudy& no_friction() {
    params.friction = params.wall_friction = 0;
    return *this;
  }
  DiscStudy& no_observer() {
    params.observer_mass = 0;
    return *this;
  }
  /// So large a box that no disc gets to its wall.
  DiscStudy& no_walls() {
    params.wall_radius = 1e3;
    return *this;
  }
  DiscStudy& add(double x, double z, double vx, double vz, double spin = 0, double angle = 0) {
    const int i = static_cast<int>(params.discs++);
    start.position[i] = {x, z};
    start.velocity[i] = {vx, vz};
    start.angle[i] = angle;
    start.spin[i] = spin;
    return *this;
  }
  /// The law and the state of a case in tests/reference/discs_particles.json; `y` as its conventions say.
  DiscStudy& from(const Json& law, const Json& y) {
    params.radius = law["r"];
    params.mass = law["m0"];
    params.observer_mass = law["mo"];
    params.wall_radius = law["RW"];
    params.inertia_factor = law["iYY"].get<double>() / (params.mass * params.radius * params.radius);
    params.c_tau = law["ctau"];
    params.friction = law["mu"];
    params.wall_friction = law["muW"];
    params.onset_latch = law["law"] == "latched" ? 1 : 0;
    params.penetration = law["pen"];
    params.friction_force = law["ff"];
    params.discs = 0;
    const std::size_t n = law["n"];
    for (std::size_t i = 0; i < n; ++i) {
      params.observer_offset[static_cast<int>(i)] = law["alpha"][i];
      add(y[i], y[n + i], y[3 * n + i], y[4 * n + i], y[5 * n + i], y[2 * n + i]);
    }
    return *this;
  }
  DiscStudy with_step(double step) const {
    DiscStudy other = *this;
    other.world.step = step;
    return other;
  }
  Sample<Box> sample() const { return {params, start, draws}; }
  Lane prepared() const { return Box::prepare(world, sample()); }
  const char* mistake() const { return Box::mistake(world, sample()).text; }
};

template <int most>
struct Boxed {
  DiscLane<double, most> lane;
  DiscBoxSummary<double> summary;
};

/// Runs to the end; `observe(lane)` sees it at the start and after each step.
template <class Scheme, int most, class F>
Boxed<most> run_discs(const DiscStudy<most>& study, F observe) {
  using Box = DiscBoxOf<double, most>;
  auto lane = study.prepared();
  observe(lane);
  while (lane.status == running) {
    Step<Box, Scheme>::advance(study.world, lane);
    observe(lane);
  }
  EXPECT_EQ(static_cast<Status>(lane.status), Status::end_time);
  return {lane, Box::summarize(study.world, lane)};
}
template <class Scheme, int most>
Boxed<most> run_discs(const DiscStudy<most>& study) {
  return run_discs<Scheme>(study, [](const DiscLane<double, most>&) {});
}

/// Positions and angles, then velocities and spins, as the reference lists them.
template <int most>
double component(const DiscState<double, most>& y, int n, int k) {
  return (&y.x[0])[most * (k / n) + k % n];
}
/// Largest difference of a coordinate of a centre from the reference's row.
template <int most>
double position_error(const DiscState<double, most>& y, int n, const Json& row) {
  double largest = 0;
  for (int k = 0; k < 2 * n; ++k)
    largest = worst(largest, std::fabs(component(y, n, k) - row[static_cast<std::size_t>(k)].get<double>()));
  return largest;
}
template <int most>
double position_distance(const DiscState<double, most>& a, const DiscState<double, most>& b) {
  double largest = 0;
  for (int k = 0; k < 3 * most; ++k) largest = worst(largest, std::fabs((&a.x[0])[k] - (&b.x[0])[k]));
  return largest;
}

template <int most>
DiscTotals<double> totals(const DiscLane<double, most>& lane) {
  return disc_totals(lane.law, lane.moment, lane.inverse_inertia, lane.state);
}

/// Calls f.template operator()<Scheme>() with each scheme, naming it in failures.
template <class F>
void for_all_disc_schemes(F f) {
  const auto with = [&]<class Scheme>() {
    SCOPED_TRACE(Scheme::name);
    f.template operator()<Scheme>();
  };
  with.template operator()<Rk4Redo>();
  with.template operator()<Rk4Events>();
  with.template operator()<Rk4Graded>();
}

}  // namespace scree::test
