// Which vertices of a rock are in the ground, and how far the nearest one is from it.
//
// Only vertices are tested (L14 eq 23): a contact is closed iff the vertex's gap is <= 0. A rock over a grid can miss a
// peak between two of its vertices, so cells should be no smaller than the rock.
#pragma once

#include "../shapes/shape.hpp"
#include "../terrain/terrain.hpp"

namespace scree {

template <class Real>
struct Scan {
  Real least_gap;    // m, of all vertices, normal to the terrain
  Real hits[2];      // vertices with gap <= 0, per half-space (a grid uses the first): bit i is vertex i
  Real count;        // how many hits
  Real unsupported;  // vertices outside the grid or over NODATA: they make no contact
};

namespace detail {

/// Takes a vertex's gap into the scan's hits.
template <class Real>
ALWAYS_INLINE void mark(const Mask<Real>& hit, const Real& bit, Real& hits, Real& count) {
  hits = select(hit, hits + bit, hits);
  count = select(hit, count + Real(1.0), count);
}

template <class Real, class Row>
HOST_DEVICE inline void scan_half_space(const HalfSpace& plane, const Row& shape, const Real& vertices,
                                        const Vec3<Real>& position, const Mat3<Real>& axes, Real& least_gap, Real& hits,
                                        Real& count) {
  const Vec3<Real> n{Real(plane.normal.x), Real(plane.normal.y), Real(plane.normal.z)};
  const Vec3<Real> body = transposed_times(axes, n);
  const Real base = dot(n, position) - Real(plane.offset);
  const auto gap = [&](int i) __attribute__((always_inline)) {
    return fma(shape[ShapeLayout::x + i], body.x,
               fma(shape[ShapeLayout::y + i], body.y, fma(shape[ShapeLayout::z + i], body.z, base)));
  };
  const int slots = highest(vertices);
  Real bit = Real(1.0), own_hits = Real(0.0), own_count = Real(0.0);
  const auto mark_next = [&](int i, const Real& gap) __attribute__((always_inline)) {
    mark<Real>((gap <= Real(0.0)) & (Real(i) < vertices), bit, own_hits, own_count);
    bit = bit + bit;
  };
  // Four running minima: the list is padded to a multiple of four with copies of the first vertex.
  Real least[4];
  if constexpr (lanes_of < Real >> 1) {
    // In a pack there is nearly always a rock in contact: hits are marked on the way.
    SCREE_UNROLLED
    for (int k = 0; k < 4; ++k) mark_next(k, least[k] = gap(k));
    for (int i = 4; i < slots; i += 4) {
      SCREE_UNROLLED
      for (int k = 0; k < 4; ++k) {
        const Real next = gap(i + k);
        least[k] = smaller(next, least[k]);
        mark_next(i + k, next);
      }
    }
  } else {
    // These loops the compiler turns into vectors, four vertices at a time.
    for (int k = 0; k < 4; ++k) least[k] = gap(k);
    for (int i = 4; i < slots; i += 4)
      for (int k = 0; k < 4; ++k) least[k] = smaller(gap(i + k), least[k]);
  }
  const Real lowest = smaller(smaller(least[0], least[1]), smaller(least[2], least[3]));
  least_gap = smaller(lowest, least_gap);
  if (!any(lowest <= Real(0.0))) return;
  if constexpr (lanes_of<Real> == 1)
    for (int i = 0; i < slots; ++i) mark_next(i, gap(i));
  hits = own_hits;
  count = count + own_count;
}

}  // namespace detail

/// A vertex's position, m: the centre of mass plus the turned body vertex.
template <class Real, class Row>
ALWAYS_INLINE Vec3<Real> vertex(const Row& shape, int i, const Vec3<Real>& position, const Mat3<Real>& axes) {
  return position + axes * Vec3<Real>{shape[ShapeLayout::x + i], shape[ShapeLayout::y + i], shape[ShapeLayout::z + i]};
}

/// n_z of the surface with slopes h_x, h_y, L14 eq (7).
template <class Real>
HOST_DEVICE inline Real normal_z(const Real& slope_x, const Real& slope_y) {
  return Real(1.0) / sqrt(fma(slope_x, slope_x, fma(slope_y, slope_y, Real(1.0))));
}

namespace detail {

template <class Real, class Row>
HOST_DEVICE inline Scan<Real> scan(const Terrain& terrain, const double* tables, const Row& shape,
                                   const Vec3<Real>& position, const Mat3<Real>& axes) {
  const Real zero = Real(0.0), vertices = shape[ShapeLayout::vertices], radius = shape[ShapeLayout::radius];
  Scan<Real> result{Real(1e300), {zero, zero}, zero, zero};
  if (terrain.kind == TerrainKind::grid) {
    Real bit = Real(1.0);
    for (int i = 0; i < highest(vertices); ++i, bit = bit + bit) {
      const Vec3<Real> x = vertex(shape, i, position, axes);
      const GridPoint<Real> ground = grid_point(terrain, tables, x.x, x.y);
      const Real gap = (x.z - ground.height) * normal_z(ground.slope_x, ground.slope_y);
      const Mask<Real> present = Real(i) < vertices, supported = present & ground.data;
      result.least_gap = select(supported & (gap < result.least_gap), gap, result.least_gap);
      result.unsupported = select(present & !supported, result.unsupported + Real(1.0), result.unsupported);
      detail::mark<Real>(supported & (gap <= zero), bit, result.hits[0], result.count);
    }
    return result;
  }
  if (terrain.kind == TerrainKind::plane) {
    detail::scan_half_space(terrain.slope, shape, vertices, position, axes, result.least_gap, result.hits[0],
                            result.count);
    return result;
  }
  // A ramp's half-space is skipped where it is farther than the other one's nearest vertex can be, and out of reach.
  const auto height = [&](const HalfSpace& plane) {
    return fma(Real(plane.normal.x), position.x,
               fma(Real(plane.normal.y), position.y, fma(Real(plane.normal.z), position.z, -Real(plane.offset))));
  };
  const Real slope = height(terrain.slope), flat = height(terrain.flat), reach = radius + Real(1e-9);
  if (any((slope <= reach) | (slope - reach <= flat)))
    detail::scan_half_space(terrain.slope, shape, vertices, position, axes, result.least_gap, result.hits[0],
                            result.count);
  if (any((flat <= reach) | (flat - reach <= slope)))
    detail::scan_half_space(terrain.flat, shape, vertices, position, axes, result.least_gap, result.hits[1],
                            result.count);
  return result;
}

}  // namespace detail

/// Scans the rock whose shape starts at `offset` of the tables.
template <class Real>
HOST_DEVICE inline Scan<Real> scan(const Terrain& terrain, const double* tables, const Real& offset,
                                   const Vec3<Real>& position, const Mat3<Real>& axes) {
  return with_table_row(tables, offset,
                        [&](const auto& shape) { return detail::scan(terrain, tables, shape, position, axes); });
}

/// The frame of a contact at x, with a ramp's slope or, where `on_flat` holds, with its flat: unit normal and two unit
/// tangents.
template <class Real>
HOST_DEVICE inline void contact_frame(const Terrain& terrain, const double* tables, const Mask<Real>& on_flat,
                                      const Vec3<Real>& x, Vec3<Real>* frame) {
  if (terrain.kind != TerrainKind::grid) {
    const auto axis = [&](Vec3<double> HalfSpace::*which) {
      const auto of = [which](const HalfSpace& plane) {
        return Vec3<Real>{Real((plane.*which).x), Real((plane.*which).y), Real((plane.*which).z)};
      };
      return select(on_flat, of(terrain.flat), of(terrain.slope));
    };
    frame[0] = axis(&HalfSpace::normal);
    frame[1] = axis(&HalfSpace::tangent1);
    frame[2] = axis(&HalfSpace::tangent2);
    return;
  }
  const GridPoint<Real> ground = grid_point(terrain, tables, x.x, x.y);
  const Real nz = normal_z(ground.slope_x, ground.slope_y), zero = Real(0.0), one = Real(1.0);
  const Vec3<Real> n{-ground.slope_x * nz, -ground.slope_y * nz, nz};
  // e_x made tangent, e_y on slopes so steep that e_x is nearly normal.
  const auto steep = abs(n.x) > Real(0.9);
  const Vec3<Real> along{select(steep, zero, one), select(steep, one, zero), zero};
  const Vec3<Real> t = fma(-dot(along, n), n, along);
  frame[0] = n;
  frame[1] = (one / norm(t)) * t;
  frame[2] = cross(n, frame[1]);
}

/// How far the rock must be raised for its least gap to be `gap`, m (negative: lowered). Vertices without ground below
/// are left out.
template <class Real>
HOST_DEVICE inline Real set_down_shift(const Terrain& terrain, const double* tables, const Real& offset,
                                       const Real& gap, const Vec3<Real>& position, const Mat3<Real>& axes) {
  const auto shape = table_row(tables, offset);
  const Real vertices = shape[ShapeLayout::vertices];
  Real shift = Real(-1e300);
  for (int i = 0; i < highest(vertices); ++i) {
    const Vec3<Real> x = vertex(shape, i, position, axes);
    const auto present = Real(i) < vertices;
    if (terrain.kind == TerrainKind::grid) {
      const GridPoint<Real> ground = grid_point(terrain, tables, x.x, x.y);
      const Real needed = gap / normal_z(ground.slope_x, ground.slope_y) - (x.z - ground.height);
      shift = select(present & ground.data & (needed > shift), needed, shift);
      continue;
    }
    for (int k = 0; k < (terrain.kind == TerrainKind::ramp ? 2 : 1); ++k) {
      const HalfSpace& plane = k == 0 ? terrain.slope : terrain.flat;
      const Vec3<Real> n{Real(plane.normal.x), Real(plane.normal.y), Real(plane.normal.z)};
      const Real needed = (gap - (dot(n, x) - Real(plane.offset))) / n.z;
      shift = select(present & (needed > shift), needed, shift);
    }
  }
  return select(shift > Real(-1e299), shift, Real(0.0));
}

/// Unit vector down the steepest slope at (x, y), m; level ground gives e_x.
template <class Real>
HOST_DEVICE inline Vec3<Real> fall_line(const Terrain& terrain, const double* tables, const Real& x, const Real& y) {
  const Real zero = Real(0.0), one = Real(1.0);
  if (terrain.kind != TerrainKind::grid) {
    const auto tangent = [](const HalfSpace& plane) {
      return Vec3<Real>{Real(plane.tangent1.x), Real(plane.tangent1.y), Real(plane.tangent1.z)};
    };
    if (terrain.kind == TerrainKind::plane) return tangent(terrain.slope);
    return select(x < Real(terrain.foot), tangent(terrain.slope), tangent(terrain.flat));
  }
  const GridPoint<Real> ground = grid_point(terrain, tables, x, y);
  const Real steepness2 = fma(ground.slope_x, ground.slope_x, ground.slope_y * ground.slope_y);
  const auto sloping = steepness2 > zero;
  const Vec3<Real> down{-ground.slope_x, -ground.slope_y, -steepness2};
  const Real length = norm(down);
  return select(sloping, (one / select(sloping, length, one)) * down, Vec3<Real>{one, zero, zero});
}

}  // namespace scree
