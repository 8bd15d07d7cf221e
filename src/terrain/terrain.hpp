// Terrain: what lies under a rock. One tagged type; a run has one terrain, the same for all its samples.
//
//   plane   z = height - tan(slope) x
//   ramp    a plane that falls by `height` along +x from the origin and meets the flat half-space z = 0 at its foot
//           x = foot; both half-spaces are tested everywhere, so the concave corner is exact
//   grid    heights at cell centres, bilinear in between (L14 eqs 3-4), normal from the cell's derivatives (L14 eq 7)
//
// Convention: z up, the fall line of a plane or ramp is +x. The gap of a point is positive when it is above ground:
// for a half-space its distance, for a grid (z - h(x, y)) n_z (the height difference seen along the normal).
#pragma once

#include "../vec.hpp"

namespace scree {

enum class TerrainKind : int { plane = 0, ramp = 1, grid = 2 };

/// Points of a half-space's surface satisfy normal . x = offset.
struct HalfSpace {
  Vec3<double> normal, tangent1, tangent2;
  double offset;
};

struct Terrain {
  TerrainKind kind;
  HalfSpace slope, flat;  // plane uses slope only; grid uses neither
  double foot;            // ramp: x of the slope's foot, m
  // grid: node (column i, row j) at (x0 + i cell, y0 + j cell), row 0 southernmost; height at tables[heights + j
  // columns
  // + i], m; a NODATA node holds NaN
  double x0, y0, cell, columns, rows, heights;
};

/// A quantity of a point over the grid: height, its slopes, and whether all four corners are there.
template <class Real>
struct GridPoint {
  Real height, slope_x, slope_y;
  Mask<Real> inside;  // within the rectangle of cell centres
  Mask<Real> data;    // inside, and no corner is NODATA
};

/// Bilinear height and slopes at (x, y), L14 eqs (3), (4) and (7). Outside, cell (0, 0) is read and `inside`
/// is false.
template <class Real>
HOST_DEVICE inline GridPoint<Real> grid_point(const Terrain& terrain, const double* tables, const Real& x,
                                              const Real& y) {
  const Real u = (x - Real(terrain.x0)) / Real(terrain.cell), v = (y - Real(terrain.y0)) / Real(terrain.cell);
  const Real last_u = Real(terrain.columns - 1.0), last_v = Real(terrain.rows - 1.0), zero = Real(0.0);
  const auto inside = (u >= zero) & (u <= last_u) & (v >= zero) & (v <= last_v);
  // A point that is outside, or not a number, reads cell (0, 0); its values are not used.
  const Real safe_u = select(inside, u, zero), safe_v = select(inside, v, zero);
  Real i = truncate(safe_u), j = truncate(safe_v);
  i = select(i >= last_u, last_u - Real(1.0), i);
  j = select(j >= last_v, last_v - Real(1.0), j);
  const Real a = safe_u - i, b = safe_v - j;
  const Real corner = fma(j, Real(terrain.columns), i);
  const double* heights = tables + static_cast<std::int64_t>(terrain.heights);
  const Real h00 = gather(heights, corner), h10 = gather(heights, corner + Real(1.0));
  const Real h01 = gather(heights, corner + Real(terrain.columns));
  const Real h11 = gather(heights, corner + Real(terrain.columns + 1.0));
  const Real du0 = h10 - h00, twist = (h11 - h01) - du0, dv0 = h01 - h00;
  GridPoint<Real> point;
  const Real du = fma(twist, b, du0);
  point.height = fma(du, a, fma(dv0, b, h00));
  point.slope_x = du / Real(terrain.cell);
  point.slope_y = fma(twist, a, dv0) / Real(terrain.cell);
  point.inside = inside;
  point.data = inside & (point.height == point.height);
  return point;
}

}  // namespace scree
