// An ensemble: one system, one set of parameters and starts, and what varies from sample to sample by which law.
//
// An Ensemble is what a kernel is given: two kilobytes, more where there are many bodies, plus one read-only table of
// doubles (terrain heights, shapes, choices, starts, direction numbers). Sample i draws its parameters and its start
// from (seed, i) with a counter-based generator, or from the coordinates of low-discrepancy point i, so it is the same
// sample on every backend, in any order and for any count.
#pragma once

#include <type_traits>

#include "barriers.hpp"
#include "elementary.hpp"
#include "low_discrepancy.hpp"
#include "map_grid.hpp"
#include "mistake.hpp"
#include "random.hpp"
#include "shapes/shape.hpp"
#include "status.hpp"
#include "terrain/ground_map.hpp"
#include "terrain/terrain.hpp"

namespace scree {

/// Where stems stand (forest.hpp): areas lie one after the other in the run's tables.
struct Forest {
  double first, areas;  // offset in the tables; how many, 0: no forest
  std::uint64_t seed;   // the run's
};

/// What all samples of a run share.
struct World {
  const double* tables;  // read-only numbers; the offsets below and in Terrain and Variation count from here
  const void* ensemble;  // that this world is of, for what a sample does not keep but draws again
  Terrain terrain;
  GroundMap ground;
  MapGrid maps;  // no columns: no maps
  Lines lines;   // gates first, then barriers
  Barriers barriers;
  Forest forest;
  void* visits;   // who takes visits of cells and crossings of lines; null: paths are not watched
  double shapes;  // offset of the first ShapeLayout
  double shape_count;
  double step;      // h, s
  double end;       // s
  double set_down;  // 1: `start.gap` fixes the height of the release; 0: the position is taken as given
};

enum class Law : int {
  uniform = 0,      // a <= x < b
  normal = 1,       // mean a, standard deviation b
  lognormal = 2,    // ln x is normal with mean a, standard deviation b
  triangular = 3,   // from a to b, mode c
  choice = 4,       // one of the `count` numbers at tables[offset], equally likely
  table = 5,        // tables[offset + sample mod count]
  orientation = 6,  // four numbers: a unit quaternion uniform on SO(3) (Shoemake 1992, from four normals)
  line = 7,         // two numbers: uniform on the polyline of `count` points (x, y) at tables[offset]
  polygon = 8,      // two numbers: uniform in the polygon of `count` corners (x, y) at tables[offset]
  // The same laws as smooth images of as few uniform numbers as they have dimensions, for low-discrepancy points.
  orientation_map = 9,  // orientation, of three numbers by Shoemake's subgroup algorithm
  polygon_map = 10,     // polygon, of two; the polygon is cut into `count` trapezoids at tables[offset]
  // Laws within bounds and with weights.
  truncated_normal = 11,     // normal within bounds: tables[offset] and on are its truncated_numbers
  truncated_lognormal = 12,  // lognormal within bounds, likewise
  weighted_choice = 13,      // choice; after the `count` numbers as many shares, each with those before it
};

/// One thing that varies. `target` counts doubles: parameters first, then starts (see `draw`). The law is drawn from
/// anew for each of `repeats` bodies, whose values are `stride` doubles apart. Its draws are the coordinates of the
/// sample's low-discrepancy point from `dimension` on, or random numbers if that is negative. Variations of one
/// `stream` make the same draws: what they vary goes together; -1: the variation's own.
struct Variation {
  int target;
  Law law;
  double a, b, c;
  double offset, count;
  int repeats = 1, stride = 0;
  int dimension = -1;
  int stream = -1;
};

inline constexpr int max_variations = 24;

/// Draws of one sample, in order, from number `next` on.
struct DrawStream {
  std::uint64_t seed, sample, next;

  HOST_DEVICE double uniform() { return scree::uniform(seed, sample, next++); }
  HOST_DEVICE double normal() { return inverse_normal(uniform()); }
};

/// Draws of one variation: coordinates of `point` from `dimension` on, or random numbers if that is negative. A
/// coordinate takes its lower digits from the random number in whose place it stands.
struct VariationStream {
  DrawStream draws;
  NetPoint point;
  int dimension;

  HOST_DEVICE double uniform() {
    const std::uint64_t random = random_bits(draws.seed, draws.sample, draws.next++);
    return dimension < 0 ? unit_interval(random) : coordinate(point.digits(dimension++), random);
  }
  HOST_DEVICE double normal() { return inverse_normal(uniform()); }
};

template <class Params, class Start>
struct EnsembleOf {
  World world;
  Params params;
  Start start;
  int variation_count;
  Variation variations[max_variations];
  std::uint64_t seed;
  LowDiscrepancy points;
};
template <class System>
using Ensemble = EnsembleOf<typename System::Params, typename System::Start>;

template <class Params, class Start>
struct SampleOf {
  Params params;
  Start start;
  DrawStream draws{};  // for what the system draws itself, as where bodies lie that must not overlap
};
template <class System>
using Sample = SampleOf<typename System::Params, typename System::Start>;

/// Number of the first of the draws that a system makes itself, beyond those of the variations.
inline constexpr std::uint64_t first_own_draw = std::uint64_t{1} << 32;

/// Writes those of a sample's numbers from `first` to before `end`, parameters and then starts, that vary, to `values`.
template <class Params, class Start>
HOST_DEVICE void draw_varied(const EnsembleOf<Params, Start>& ensemble, std::uint64_t index, int first, int end,
                             double* values);

/// Parameters and start of sample `index`: draw d of stream v, that of variation v if it has no other, uses the counter
/// (seed, index, 2^16 v + d), so laws do not disturb each other and a run of 1000 is the beginning of a run of 4000.
template <class Params, class Start>
HOST_DEVICE SampleOf<Params, Start> draw(const EnsembleOf<Params, Start>& ensemble, std::uint64_t index);

/// Rejection from the bounding box gives up after this many points; the host refuses polygons that fill so little of
/// their box that this could happen.
inline constexpr int max_polygon_tries = 4096;

struct Point2 {
  double x, y;
};
HOST_DEVICE inline Point2 point_at(const double* points, std::int64_t i) { return {points[2 * i], points[2 * i + 1]}; }
HOST_DEVICE inline double distance(Point2 a, Point2 b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  return sqrt(fma(dx, dx, dy * dy));
}

/// What a truncated law of x has in the tables, z being standard normal: P(z < low), P(low <= z < high), and the bounds
/// of x.
inline constexpr int truncated_numbers = 4;

/// a + b z between bounds, by the inverse distribution function.
HOST_DEVICE inline double truncated_normal(double u, double a, double b, const double* numbers) {
  const double below = fma(u, numbers[1], numbers[0]), most = 1.0 - 0x1p-53;
  return fma(b, inverse_normal(smaller(below, most)), a);
}
/// x within its bounds, beyond which roundings may have led.
HOST_DEVICE inline double within_bounds(double x, const double* numbers) {
  return larger(smaller(x, numbers[3]), numbers[2]);
}

/// Triangular law from a to b with mode c, by its inverse distribution function.
HOST_DEVICE inline double triangular(double u, double a, double b, double c) {
  const double width = b - a;
  if (u * width < c - a) return a + sqrt(u * width * (c - a));
  return b - sqrt((1.0 - u) * width * (b - c));
}

/// The point at the fraction u of the length of the polyline through `count` points.
HOST_DEVICE inline Point2 point_on_line(double u, const double* points, std::int64_t count) {
  double length = 0;
  for (std::int64_t i = 0; i + 1 < count; ++i) length += distance(point_at(points, i), point_at(points, i + 1));
  double rest = u * length;
  for (std::int64_t i = 0; i + 1 < count; ++i) {
    const Point2 a = point_at(points, i), b = point_at(points, i + 1);
    const double piece = distance(a, b);
    if (rest < piece) {
      const double t = rest / piece;
      return {fma(t, b.x - a.x, a.x), fma(t, b.y - a.y, a.y)};
    }
    rest -= piece;
  }
  return point_at(points, count - 1);
}

/// Whether p is inside, by the parity of the edges that a ray towards +x crosses.
HOST_DEVICE inline bool inside_polygon(Point2 p, const double* points, std::int64_t count) {
  bool inside = false;
  for (std::int64_t i = 0; i < count; ++i) {
    const Point2 a = point_at(points, i), b = point_at(points, i + 1 < count ? i + 1 : 0);
    if ((a.y > p.y) != (b.y > p.y) && p.x - a.x < (b.x - a.x) * ((p.y - a.y) / (b.y - a.y))) inside = !inside;
  }
  return inside;
}

/// A uniform point of the polygon; its first corner if `max_polygon_tries` points of the bounding box all miss it.
HOST_DEVICE inline Point2 point_in_polygon(VariationStream& stream, const double* points, std::int64_t count) {
  Point2 low = point_at(points, 0), high = low;
  for (std::int64_t i = 1; i < count; ++i) {
    const Point2 p = point_at(points, i);
    low = {smaller(p.x, low.x), smaller(p.y, low.y)};
    high = {larger(p.x, high.x), larger(p.y, high.y)};
  }
  for (int attempt = 0; attempt < max_polygon_tries; ++attempt) {
    const double u = stream.uniform(), v = stream.uniform();
    const Point2 p{fma(u, high.x - low.x, low.x), fma(v, high.y - low.y, low.y)};
    if (inside_polygon(p, points, count)) return p;
  }
  return point_at(points, 0);
}

/// The polygon as trapezoids between two lines x = const: what the area of this one and those before it is of the
/// whole, then x, the y of its lower and the y of its upper side, each at the left and at the right line.
inline constexpr int trapezoid_numbers = 7;

/// The point of `count` trapezoids that (u, v) of the unit square maps to, areas in proportion: v divides the height of
/// a trapezoid, and u the area left of a point, which in a trapezoid of the heights a and b is for the share s of its
/// width
///
///   t = (a s + (b - a) s^2 / 2) / ((a + b) / 2)   =>   s = t (a + b) / (a + sqrt((1 - t) a^2 + t b^2))
HOST_DEVICE inline Point2 point_in_trapezoids(double u, double v, const double* trapezoid, std::int64_t count) {
  double before = 0;
  for (std::int64_t i = 0; i + 1 < count && u >= trapezoid[0]; ++i) {
    before = trapezoid[0];
    trapezoid += trapezoid_numbers;
  }
  const double *x = trapezoid + 1, *lower = trapezoid + 3, *upper = trapezoid + 5;
  const double t = (u - before) / (trapezoid[0] - before), a = upper[0] - lower[0], b = upper[1] - lower[1];
  const double s = t > 0 ? t * (a + b) / (a + sqrt(fma(1 - t, a * a, t * (b * b)))) : 0.0;
  const double y0 = fma(s, lower[1] - lower[0], lower[0]), y1 = fma(s, upper[1] - upper[0], upper[0]);
  return {fma(s, x[1] - x[0], x[0]), fma(v, y1 - y0, y0)};
}

/// Uniform on SO(3) for u, v and w uniform in (0, 1): a turn about z, then one that takes z anywhere. Shoemake, Uniform
/// random rotations, Graphics Gems III, 1992, pp. 124-132.
HOST_DEVICE inline Quaternion<double> rotation_of(double u, double v, double w) {
  const double two_pi = 0x1.921fb54442d18p+2;
  const SinCos<double> first = sincos(two_pi * v), second = sincos(two_pi * w);
  const double r = sqrt(1 - u), rest = sqrt(u);
  return normalized(Quaternion<double>{rest * second.cos, r * first.sin, r * first.cos, rest * second.sin});
}

/// The numbers of a point, or of a quaternion, one after another.
HOST_DEVICE inline void put(const Point2& p, double* value) {
  value[0] = p.x;
  value[1] = p.y;
}
HOST_DEVICE inline void put(const Quaternion<double>& e, double* value) {
  value[0] = e.w;
  value[1] = e.x;
  value[2] = e.y;
  value[3] = e.z;
}

/// Writes what one draw of a variation says to `value` and, for laws of several numbers, to what follows.
HOST_DEVICE inline void draw_variation(const Variation& vary, const double* tables, VariationStream& stream,
                                       double* value) {
  const double* table = tables + static_cast<std::int64_t>(vary.offset);
  const std::int64_t count = static_cast<std::int64_t>(vary.count);
  switch (vary.law) {
    case Law::uniform: {
      const double x = fma(stream.uniform(), vary.b - vary.a, vary.a);
      *value = x < vary.b ? x : vary.a;  // u below 1 may still round up to b
      break;
    }
    case Law::normal:
      *value = fma(vary.b, stream.normal(), vary.a);
      break;
    case Law::lognormal:
      *value = exp(fma(vary.b, stream.normal(), vary.a));
      break;
    case Law::triangular:
      *value = triangular(stream.uniform(), vary.a, vary.b, vary.c);
      break;
    case Law::choice:
      *value = table[static_cast<std::int64_t>(smaller(stream.uniform() * vary.count, vary.count - 1.0))];
      break;
    case Law::truncated_normal:
      *value = within_bounds(truncated_normal(stream.uniform(), vary.a, vary.b, table), table);
      break;
    case Law::truncated_lognormal:
      *value = within_bounds(exp(truncated_normal(stream.uniform(), vary.a, vary.b, table)), table);
      break;
    case Law::weighted_choice: {
      const double u = stream.uniform();
      std::int64_t i = 0;
      while (i + 1 < count && u >= table[count + i]) ++i;
      *value = table[i];
      break;
    }
    case Law::table:
      *value = table[stream.draws.sample % static_cast<std::uint64_t>(count)];
      break;
    case Law::orientation: {
      Quaternion<double> e;
      e.w = stream.normal();
      e.x = stream.normal();
      e.y = stream.normal();
      e.z = stream.normal();
      e = normalized(e);  // a normal draw is never 0 (random.hpp), so neither is the norm
      put(e, value);
      break;
    }
    case Law::line: {
      put(point_on_line(stream.uniform(), table, count), value);
      break;
    }
    case Law::polygon: {
      put(point_in_polygon(stream, table, count), value);
      break;
    }
    case Law::orientation_map: {
      const double u = stream.uniform(), v = stream.uniform(), w = stream.uniform();
      put(rotation_of(u, v, w), value);
      break;
    }
    case Law::polygon_map: {
      const double u = stream.uniform(), v = stream.uniform();
      put(point_in_trapezoids(u, v, table, count), value);
      break;
    }
  }
}

template <class Params, class Start>
HOST_DEVICE void draw_varied(const EnsembleOf<Params, Start>& ensemble, std::uint64_t index, int first, int end,
                             double* values) {
  const NetPoint point = net_point(ensemble.points, ensemble.world.tables, ensemble.seed, index);
  SCREE_ROLLED
  for (int v = 0; v < ensemble.variation_count; ++v) {
    const Variation& vary = ensemble.variations[v];
    if (vary.target < first || vary.target >= end) continue;
    const std::uint64_t draws = static_cast<std::uint64_t>(vary.stream < 0 ? v : vary.stream);
    VariationStream stream{{ensemble.seed, index, draws << 16}, point, vary.dimension};
    SCREE_ROLLED
    for (int r = 0; r < vary.repeats; ++r)
      draw_variation(vary, ensemble.world.tables, stream, values + (vary.target - first) + r * vary.stride);
  }
}

template <class Params, class Start>
HOST_DEVICE SampleOf<Params, Start> draw(const EnsembleOf<Params, Start>& ensemble, std::uint64_t index) {
  static_assert(std::is_trivially_copyable_v<Params> && std::is_trivially_copyable_v<Start> &&
                    alignof(Params) == alignof(double) && alignof(Start) == alignof(double) &&
                    sizeof(Params) % sizeof(double) == 0,
                "parameters and starts are doubles, without gaps, so that a variation's target counts doubles");
  SampleOf<Params, Start> sample{ensemble.params, ensemble.start, {ensemble.seed, index, first_own_draw}};
  draw_varied(ensemble, index, 0, static_cast<int>((sizeof(Params) + sizeof(Start)) / sizeof(double)),
              reinterpret_cast<double*>(&sample));
  return sample;
}

}  // namespace scree
