// Rocks by hand, for the physics tests: a study as a config would describe it, one rock stepped in the test's own loop,
// and whole ensembles through the product's kernels.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "host/inputs/shape_file.hpp"
#include "host/model/run.hpp"
#include "kernels/cpu_threads.hpp"
#include "src/systems/rock.hpp"
#include "worst.hpp"

namespace scree::test {

using Explicit = RotorExplicit;
using Implicit = RotorMidpoint<ExpB>;
using ImplicitCayley = RotorMidpoint<Cayley>;
using RockLane = Rock<double>::Lane;

inline constexpr double pi = 3.14159265358979323846;
inline double radians(double degrees) { return degrees * (pi / 180.0); }

inline const Model& rock_model() {
  const Model* model = find_model("rock");
  if (model == nullptr) throw std::logic_error("the program has no system named rock");
  return *model;
}

/// A half-space that falls along +x through (0, 0, height).
inline HalfSpace slope_plane(double degrees, double height) {
  const double s = std::sin(radians(degrees)), c = std::cos(radians(degrees));
  return {{s, 0, c}, {c, 0, -s}, {0, 1, 0}, c * height, 1 / c};
}
inline Terrain plane(double degrees) { return Terrain::of(Plane{slope_plane(degrees, 0)}); }
inline Terrain ramp(double degrees, double height) {
  return Terrain::of(Ramp{slope_plane(degrees, height), level_ground, height / std::tan(radians(degrees))});
}

inline Shape named_shape(const char* kind, double x, double y, double z, double mass) {
  ShapeSpec spec;
  spec.name = spec.kind = kind;
  spec.size = {x, y, z};
  spec.mass = mass;
  return make_shape(spec);
}
/// The rock of Leine et al. 2021, section 6.
inline Shape eota221() { return named_shape("eota", 0.93, 0.93, 0.47, 780); }
/// The equant rock of the same mass: A = B = C.
inline Shape eota111() { return named_shape("eota", 0.7444, 0.7444, 0.7444, 780); }

/// The quaternion of a turn by `angle` about the unit vector (x, y, z).
inline Quaternion<double> turned(double angle, double x, double y, double z) {
  const double s = std::sin(0.5 * angle);
  return {std::cos(0.5 * angle), s * x, s * y, s * z};
}
/// A shape lying on the slope as it lies on level ground: turned about y, so that its z is the slope's normal.
inline Quaternion<double> lying_on(double degrees) { return turned(radians(degrees), 0, 1, 0); }

/// What a config says, with the defaults of `describe()`.
struct RockStudy {
  Rock<double>::Params params{};
  Rock<double>::Start start;
  World world{};
  std::vector<double> tables;
  std::vector<Variation> variations;
  std::uint64_t seed = 1;

  explicit RockStudy(const Shape& shape, const Terrain& terrain) {
    const Description& description = rock_model().description;
    fill(description.params, &params);
    fill(description.starts, &start);
    append(shape, tables);
    world.terrain = terrain;
    world.shape_count = 1;
    world.step = 0.002;
    world.end = 120;
  }

  /// Coulomb friction that does not depend on the scar, and no ground drag.
  RockStudy& constant_friction(double mu) {
    params.friction_min = params.friction_max = mu;
    params.drag = 0;
    return *this;
  }
  RockStudy& vary_orientation() {
    Variation vary{};
    vary.target = static_cast<int>((sizeof params + offsetof(Rock<double>::Start, orientation)) / sizeof(double));
    vary.law = Law::orientation;
    variations.push_back(vary);
    return *this;
  }
  const World& ground() {
    world.tables = tables.data();
    return world;
  }
  RockLane prepare() { return Rock<double>::prepare(ground(), {params, start}); }
  EnsembleSpec spec() const {
    EnsembleSpec result;
    result.world = world;
    result.tables = tables;
    result.params = doubles(params);
    result.start = doubles(start);
    result.variations = variations;
    result.seed = seed;
    return result;
  }

 private:
  static void fill(const std::vector<Quantity>& quantities, void* values) {
    for (const Quantity& q : quantities)
      std::memcpy(static_cast<double*>(values) + q.offset, q.standard.data(), q.standard.size() * sizeof(double));
  }
  template <class Struct>
  static std::vector<double> doubles(const Struct& s) {
    std::vector<double> result(sizeof(Struct) / sizeof(double));
    std::memcpy(result.data(), &s, sizeof(Struct));
    return result;
  }
};

/// Everything of a step that comes after `begin`.
template <class Scheme>
void end_step(const World& world, RockLane& lane) {
  NoSink<Rock<double>> nobody;
  Step<Rock<double>, Scheme>::solve(world, lane);
  Step<Rock<double>, Scheme>::finish(world, lane, nobody);
}
template <class Scheme>
void step(const World& world, RockLane& lane) {
  Step<Rock<double>, Scheme>::advance(world, lane);
}

/// Angular velocity in world axes, rad/s.
inline Vec3<double> world_spin(const RockLane& lane) { return rotation(lane.orientation) * lane.omega; }

/// Calls f.template operator()<Scheme>() with each of the four schemes, naming it in failures.
template <class F>
void for_all_schemes(F f) {
  const auto with = [&]<class Scheme>() {
    SCOPED_TRACE(Scheme::name);
    f.template operator()<Scheme>();
  };
  with.template operator()<Explicit>();
  with.template operator()<Implicit>();
  with.template operator()<ImplicitCayley>();
  with.template operator()<RotorRk4>();
}

/// The fastest CPU kernel that can run here.
inline Kernel best_kernel() {
  const SystemKernels& kernels = rock_model().kernels;
  return kernels.pack[best_isa(kernels.pack)];
}

inline int scheme_number(const std::string& name) { return rock_model().description.scheme(name); }

struct Schedule {
  int threads = 2, block = 0;
  Kernel kernel = nullptr;  // null: the best one
  std::uint64_t first = 0;
};

inline SummaryTable run(const RockStudy& study, const std::string& scheme, std::uint64_t samples, Schedule how = {}) {
  const EnsembleSpec spec = study.spec();
  const std::vector<std::byte> ensemble = rock_model().ensemble(spec);
  SummaryTable table;
  table.description = &rock_model().description;
  table.samples = samples;
  table.values.resize(table.description->columns.size() * samples);
  table.status.resize(samples);
  Control control;
  Job job{};
  job.ensemble = ensemble.data();
  job.table_size = spec.tables.size();
  job.scheme = scheme_number(scheme);
  job.first = how.first;
  job.count = samples;
  job.columns = table.values.data();
  job.stride = samples;
  job.status = table.status.data();
  job.threads = how.threads;
  job.block = how.block;
  job.control = &control;
  (how.kernel != nullptr ? how.kernel : best_kernel())(job);
  return table;
}

/// The column of that name, for all samples.
inline std::span<const double> column(const SummaryTable& table, const std::string& name) {
  const int c = table.description->column(name);
  if (c < 0) throw std::logic_error("no column named " + name);
  return table.column(c);
}

/// Mean and variance of the values that are numbers.
struct Moments {
  double mean = 0, variance = 0;
  std::size_t n = 0;
  double error2() const { return variance / static_cast<double>(n); }  // squared standard error of the mean
};
template <class Values>
Moments moments(const Values& values) {
  Moments m;
  for (const double x : values)
    if (!std::isnan(x)) m.mean += x, ++m.n;
  m.mean /= static_cast<double>(m.n);
  for (const double x : values)
    if (!std::isnan(x)) m.variance += (x - m.mean) * (x - m.mean);
  m.variance /= static_cast<double>(m.n) - 1;
  return m;
}

}  // namespace scree::test
