// Which vertices of a rock are in the ground, and how far the nearest one is from it.
//
// Only vertices are tested (L14 eq 23): a contact is closed iff the vertex's gap is <= 0, or in soil <= -d, with d the
// depth of the hard ground below it (soil.hpp). A rock over a grid can miss a peak between two of its vertices, so cells
// should be no smaller than the rock.
#pragma once

#include "../shapes/shape.hpp"
#include "../terrain/terrain.hpp"

namespace scree {

template <class Real>
struct Scan {
  Real least_gap;    // m, of all vertices, normal to the terrain
  Real hits[2];      // vertices with gap <= -depth, per half-space (a grid uses the first): bit i is vertex i
  Real count;        // how many hits
  Real unsupported;  // vertices outside the grid or over NODATA: they make no contact
};

namespace detail {

/// The shape's vertices i, i + 1, ... in its own axes, m.
template <class Real, class Row, std::size_t n>
ALWAYS_INLINE void read_vertices(const Row& shape, int i, Vec3<Real> (&vertices)[n]) {
  Real x[n], y[n], z[n];
  read_row(shape, ShapeLayout::x + i, x);
  read_row(shape, ShapeLayout::y + i, y);
  read_row(shape, ShapeLayout::z + i, z);
  SCREE_UNROLLED
  for (std::size_t k = 0; k < n; ++k) vertices[k] = {x[k], y[k], z[k]};
}

/// Takes a vertex's gap into the scan's hits.
template <class Real>
ALWAYS_INLINE void mark(const Mask<Real>& hit, const Real& bit, Real& hits, Real& count) {
  hits = select(hit, hits + bit, hits);
  count = select(hit, count + Real(1.0), count);
}

template <class Real, class Row>
HOST_DEVICE inline void scan_half_space(const HalfSpace& plane, const Row& shape, const Real& vertices,
                                        const Vec3<Real>& position, const Mat3<Real>& axes, const Real& depth,
                                        Real& least_gap, Real& hits, Real& count) {
  const Vec3<Real> body = transposed_times(axes, HalfSpace::of<Real>(plane.normal));
  const Real base = plane.gap(position);
  const auto gap_of = [&](const Vec3<Real>& vertex) __attribute__((always_inline)) {
    return fma(vertex.x, body.x, fma(vertex.y, body.y, fma(vertex.z, body.z, base)));
  };
  const auto gap = [&](int i) __attribute__((always_inline)) {
    Vec3<Real> vertex[1];
    read_vertices(shape, i, vertex);
    return gap_of(vertex[0]);
  };
  const int slots = highest(vertices);
  Real bit = Real(1.0), own_hits = Real(0.0), own_count = Real(0.0);
  const auto mark_next = [&](int i, const Real& gap) __attribute__((always_inline)) {
    mark<Real>((gap <= -depth) & (Real(i) < vertices), bit, own_hits, own_count);
    bit = bit + bit;
  };
  // Four running minima: the list is padded to a multiple of four with copies of the first vertex.
  Real least[4];
  if constexpr (lanes_of < Real >> 1) {
    // In a pack there is nearly always a rock in contact: hits are marked on the way.
    Vec3<Real> vertex[4];
    read_vertices(shape, 0, vertex);
    SCREE_UNROLLED
    for (int k = 0; k < 4; ++k) mark_next(k, least[k] = gap_of(vertex[k]));
    for (int i = 4; i < slots; i += 4) {
      read_vertices(shape, i, vertex);
      SCREE_UNROLLED
      for (int k = 0; k < 4; ++k) {
        const Real next = gap_of(vertex[k]);
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
  if (!any(lowest <= -depth)) return;
  if constexpr (lanes_of<Real> == 1)
    for (int i = 0; i < slots; ++i) mark_next(i, gap(i));
  hits = own_hits;
  count = count + own_count;
}

}  // namespace detail

/// A vertex's position, m: the centre of mass plus the turned and scaled body vertex.
template <class Real, class Row>
ALWAYS_INLINE Vec3<Real> vertex(const Row& shape, int i, const Vec3<Real>& position, const Mat3<Real>& axes) {
  return position + axes * Vec3<Real>{shape[ShapeLayout::x + i], shape[ShapeLayout::y + i], shape[ShapeLayout::z + i]};
}

namespace detail {

template <HeightField Kind, class Real, class Row>
HOST_DEVICE inline Scan<Real> scan(const Kind& kind, const double* tables, const Row& shape, const Real&,
                                   const Vec3<Real>& position, const Mat3<Real>& axes, const Real& depth) {
  const Real zero = Real(0.0), vertices = shape[ShapeLayout::vertices];
  Scan<Real> result{Real(1e300), {zero, zero}, zero, zero};
  // Of the least gap so far: the height above ground, the ground's slope, and both of them squared, the first with its
  // sign, the second with the run: gaps are as square / steepness, so most are told apart without a division or a root.
  // Either side of that comparison is off by at most 15 roundings of 2^-53 from what it would be of the gaps as
  // GroundPoint gives them; where the two are alike to 64, these decide.
  Real above = result.least_gap, square = Real(1e200);
  const Divisor run = kind.run();
  const Real level = Real(run.value * run.value);
  GroundPoint<Real> nearest{zero, zero, zero, run, {}, {}};
  Real steepness = level;
  const Real depth2 = depth * depth;
  Real bit = Real(1.0);
  const auto look = [&](int i, const GroundPoint<Real>& ground, const Real& z) __attribute__((always_inline)) {
    const Real next_above = z - ground.height, next_square = next_above * abs(next_above);
    const Real next_steepness = fma(ground.rise_x, ground.rise_x, fma(ground.rise_y, ground.rise_y, level));
    const Real next = next_square * steepness, least = square * next_steepness;
    const Mask<Real> present = Real(i) < vertices, supported = present & ground.data;
    Mask<Real> closer = supported & (next < least);
    const Mask<Real> alike = supported & (abs(next - least) <= Real(0x1p-47) * abs(least));
    if (any(alike)) closer = select(alike, ground.gap(z) < above * nearest.normal_z(), closer);
    above = select(closer, next_above, above);
    square = select(closer, next_square, square);
    nearest.rise_x = select(closer, ground.rise_x, nearest.rise_x);
    nearest.rise_y = select(closer, ground.rise_y, nearest.rise_y);
    steepness = select(closer, next_steepness, steepness);
    result.unsupported = select(present & !supported, result.unsupported + Real(1.0), result.unsupported);
    // gap <= -depth, both sides squared.
    const Mask<Real> hit = (next_above <= zero) & (depth2 * next_steepness <= -next_square * level);
    mark<Real>(supported & hit, bit, result.hits[0], result.count);
    bit = bit + bit;
  };
  constexpr int together = lanes_of<Real> > 1 ? 4 : 1;
  const int slots = highest(vertices);
  for (int i = 0; i < slots; i += together) {
    Vec3<Real> body[together];
    read_vertices(shape, i, body);
    // The cells of all four first: each takes a chain of some ten operations, and so the chains overlap. The list is
    // padded to a multiple of four; what lies beyond its end is not `present`.
    decltype(kind.cell_of(zero, zero)) cell[together];
    Real z[together];
    SCREE_UNROLLED
    for (int k = 0; k < together; ++k) {
      const Vec3<Real> x = position + axes * body[k];
      cell[k] = kind.cell_of(x.x, x.y);
      z[k] = x.z;
    }
    for (int k = 0; k < together; ++k) look(i + k, kind.at(tables, cell[k]), z[k]);
  }
  result.least_gap = above * nearest.normal_z();
  return result;
}

template <HalfSpaces Kind, class Real, class Row>
HOST_DEVICE inline Scan<Real> scan(const Kind& kind, const double*, const Row& shape, const Real& radius,
                                   const Vec3<Real>& position, const Mat3<Real>& axes, const Real& depth) {
  static_assert(Kind::half_spaces <= 2, "a rock has hits on two half-spaces");
  const Real zero = Real(0.0), vertices = shape[ShapeLayout::vertices];
  Scan<Real> result{Real(1e300), {zero, zero}, zero, zero};
  const auto look = [&](int k) __attribute__((always_inline)) {
    scan_half_space(kind.half_space(k), shape, vertices, position, axes, depth, result.least_gap, result.hits[k],
                    result.count);
  };
  if constexpr (Kind::half_spaces == 1) {
    look(0);
  } else {
    // A half-space is skipped where it is farther than the other one's nearest vertex can be, and out of reach.
    const Real reach = radius + Real(1e-9);
    const Real first = kind.half_space(0).gap(position), second = kind.half_space(1).gap(position);
    const bool wanted[2] = {any((first <= reach) | (first - reach <= second)),
                            any((second <= reach) | (second - reach <= first))};
    if constexpr (gpu_code) {
      // Of the rocks of a warp some are near the one, some near the other: each looks at its own at the same time.
      SCREE_ROLLED
      for (int k = wanted[0] ? 0 : 1; k < 2 && wanted[k]; ++k) look(k);
    } else {
      if (wanted[0]) look(0);
      if (wanted[1]) look(1);
    }
  }
  return result;
}

}  // namespace detail

/// Scans the rock whose shape starts at `offset` of the tables: its vertices are `axes` times the shape's from
/// `position`, m, and none is farther than `radius`, m. The axes are a rotation times the rock's scale. Vertices hit
/// that are below the terrain by `depth` >= 0, m, or more.
template <class... Kinds, class Real>
HOST_DEVICE inline Scan<Real> scan(const OneOf<Kinds...>& terrain, const double* tables, const Real& offset,
                                   const Real& radius, const Vec3<Real>& position, const Mat3<Real>& axes,
                                   const Real& depth = Real(0.0)) {
  return with_table_row(tables, offset, [&](const auto& shape) {
    return with_kind<IsRough>(
        terrain, [&](const auto& kind) { return detail::scan(kind, tables, shape, radius, position, axes, depth); });
  });
}

/// How far the rock must be raised for its least gap to be `gap`, m (negative: lowered). Vertices without ground below
/// are left out. The axes are as in `scan`.
template <class... Kinds, class Real>
HOST_DEVICE inline Real set_down_shift(const OneOf<Kinds...>& terrain, const double* tables, const Real& offset,
                                       const Real& gap, const Vec3<Real>& position, const Mat3<Real>& axes) {
  const auto shape = table_row(tables, offset);
  const Real vertices = shape[ShapeLayout::vertices];
  Real shift = Real(-1e300);
  for (int i = 0; i < highest(vertices); ++i) {
    const Vec3<Real> x = vertex(shape, i, position, axes);
    const Real needed = with_kind<IsRough>(terrain, [&](const auto& kind) __attribute__((always_inline)) {
      return raise_to_gap(kind, tables, x, gap);
    });
    shift = select((Real(i) < vertices) & (needed > shift), needed, shift);
  }
  return select(shift > Real(-1e299), shift, Real(0.0));
}

}  // namespace scree
