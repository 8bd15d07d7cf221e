// Disks by hand, for the physics tests: a run described as a config would, stepped in the test's own loop.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "src/systems/disk.hpp"
#include "src/systems/disk/cases.hpp"
#include "worst.hpp"

namespace scree::test {

using DiskLane = Disk<double>::Lane;

/// By default R0 = V = g/m = 1, t0 = 0.1, M = 4 fine cells at the front, steps as long as stability allows times 0.7.
struct DiskStudy {
  DiskParams<double> params{};
  DiskStart<double> start{1, 1, 0.1, 0, 0};
  World world{};
  std::vector<double> tables;

  DiskStudy(int dimension, int n, double end) {
    params.dimension = dimension;
    params.nodes = n + 1;
    params.refinement = n < 4 ? 1 : 4;
    params.adaptive = 1;
    params.courant = 0.7;
    params.growth = 0.1;
    params.g_over_m = 1;
    world.step = 1e300;
    world.end = end;
  }
  DiskStudy& refined(int m, bool centre = false) {
    params.refinement = m;
    params.centre = centre;
    return *this;
  }
  DiskStudy& courant(double c) {
    params.courant = c;
    return *this;
  }
  /// Steps of one length, s.
  DiskStudy& fixed(double step) {
    params.adaptive = 0;
    world.step = step;
    return *this;
  }
  DiskStudy& from(double time) {
    start.time = time;
    return *this;
  }
  DiskStudy& until(double end) {
    world.end = end;
    return *this;
  }
  /// Numbers in place of equations (6) to (8), one per node.
  DiskStudy& given(Series<double> DiskParams<double>::*what, const std::vector<double>& numbers) {
    params.*what = {static_cast<double>(tables.size()), static_cast<double>(numbers.size())};
    tables.insert(tables.end(), numbers.begin(), numbers.end());
    return *this;
  }
  const World& ground() {
    world.tables = tables.data();
    return world;
  }
  DiskLane prepared() { return Disk<double>::prepare(ground(), {params, start}); }
  double crossing_time() { return prepared().crossing_time; }
};

struct Expanded {
  DiskLane lane;
  DiskSummary<double> summary;
  Status status;
};

template <class Scheme, class System = Disk<double>>
void step(const World& world, typename System::Lane& lane) {
  Step<System, Scheme>::advance(world, lane);
}

template <class Scheme>
Expanded expand(DiskStudy study) {
  DiskLane lane = study.prepared();
  Step<Disk<double>, Scheme>::run(study.world, lane);
  return {lane, Disk<double>::summarize(study.world, lane), static_cast<Status>(lane.status)};
}

/// Largest difference of the nodes' places (velocities) from f(i); NaN if one is.
template <class F>
double place_error(const DiskLane& lane, F f) {
  double error = 0;
  for (int i = 0; i < static_cast<int>(lane.nodes); ++i) error = worst(error, std::fabs(lane.x[i] - f(i)));
  return error;
}
template <class F>
double velocity_error(const DiskLane& lane, F f) {
  double error = 0;
  for (int i = 0; i < static_cast<int>(lane.nodes); ++i) error = worst(error, std::fabs(lane.v[i] - f(i)));
  return error;
}

/// Observed order from the errors with 2h and h.
inline double order_of(double coarse, double fine) { return std::log2(coarse / fine); }

}  // namespace scree::test
