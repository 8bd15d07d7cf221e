// Terrain: what lies under a sample. One tagged type; a run has one terrain, the same for all its samples.
//
//   plane    z = height - tan(slope) x
//   ramp     a plane that falls by `height` along +x from the origin and meets the flat half-space z = 0 at its foot
//            x = foot; both half-spaces are tested everywhere, so the concave corner is exact
//   grid     heights at cell centres, bilinear in between (L14 eqs 3-4), normal from the cell's derivatives (L14 eq 7)
//   quadric, bowl, dome, cosine, spline: smooth surfaces, see surface.hpp; a plane is one of them too
//
// Rocks need a plane, a ramp or a grid; sliders and pairs need a smooth surface, and slide on a grid's spline.
//
// Convention: z up, the fall line of a plane or ramp is +x. The gap of a point is positive when it is above ground:
// for a half-space its distance, for a grid (z - h(x, y)) n_z (the height difference seen along the normal).
#pragma once

#include "../vec.hpp"

namespace scree {

enum class TerrainKind : int { plane = 0, ramp = 1, grid = 2, quadric = 3, bowl = 4, dome = 5, cosine = 6, spline = 7 };

/// Points of a half-space's surface satisfy normal . x = offset.
struct HalfSpace {
  Vec3<double> normal, tangent1, tangent2;
  double offset;
};

/// z = a x^2 + b y^2 + c x y + d x + e y + f.
struct Quadric {
  double a, b, c, d, e, f;
};

struct Terrain {
  TerrainKind kind;
  HalfSpace slope, flat;  // ramp; plane uses slope only
  double foot;            // ramp: x of the slope's foot, m
  // grid and spline: node (column i, row j) at (x0 + i cell, y0 + j cell), row 0 southernmost; its height at
  // tables[heights + j columns + i], m; a NODATA node holds NaN
  double x0, y0, cell, columns, rows, heights;
  double coefficients;  // spline: (columns + 2) x (rows + 2) numbers at tables[coefficients], see surface.hpp
  Quadric quadric;      // quadric; a plane's too
  double radius;        // bowl and dome, m
  double amplitude, wave_x, wave_y;  // cosine: m, and wave numbers in 1/m
};

/// The cell of a grid that holds a point: column i and row j of its south-west corner, and where in it the point is.
template <class Real>
struct GridCell {
  Real i, j, a, b;    // whole numbers; 0 <= a, b <= 1
  Mask<Real> inside;  // within the rectangle of cell centres
};

/// The cell of (x, y). Outside, or for a point that is not a number, cell (0, 0), and `inside` is false.
template <class Real>
HOST_DEVICE inline GridCell<Real> grid_cell(const Terrain& terrain, const Real& x, const Real& y) {
  const Real u = (x - Real(terrain.x0)) / Real(terrain.cell), v = (y - Real(terrain.y0)) / Real(terrain.cell);
  const Real last_u = Real(terrain.columns - 1.0), last_v = Real(terrain.rows - 1.0), zero = Real(0.0);
  GridCell<Real> cell;
  cell.inside = (u >= zero) & (u <= last_u) & (v >= zero) & (v <= last_v);
  const Real safe_u = select(cell.inside, u, zero), safe_v = select(cell.inside, v, zero);
  const Real i = truncate(safe_u), j = truncate(safe_v);
  cell.i = select(i >= last_u, last_u - Real(1.0), i);
  cell.j = select(j >= last_v, last_v - Real(1.0), j);
  cell.a = safe_u - cell.i;
  cell.b = safe_v - cell.j;
  return cell;
}

/// A quantity of a point over the grid: height, its slopes, and whether all four corners are there.
template <class Real>
struct GridPoint {
  Real height, slope_x, slope_y;
  Mask<Real> inside;  // within the rectangle of cell centres
  Mask<Real> data;    // inside, and no corner is NODATA
};

/// Bilinear height and slopes at (x, y), L14 eqs (3), (4) and (7). Outside, those of cell (0, 0), which are not used.
template <class Real>
HOST_DEVICE inline GridPoint<Real> grid_point(const Terrain& terrain, const double* tables, const Real& x,
                                              const Real& y) {
  const GridCell<Real> cell = grid_cell(terrain, x, y);
  const Real corner = fma(cell.j, Real(terrain.columns), cell.i);
  const double* heights = tables + static_cast<std::int64_t>(terrain.heights);
  const Real h00 = gather(heights, corner), h10 = gather(heights, corner + Real(1.0));
  const Real h01 = gather(heights, corner + Real(terrain.columns));
  const Real h11 = gather(heights, corner + Real(terrain.columns + 1.0));
  const Real du0 = h10 - h00, twist = (h11 - h01) - du0, dv0 = h01 - h00;
  GridPoint<Real> point;
  const Real du = fma(twist, cell.b, du0);
  point.height = fma(du, cell.a, fma(dv0, cell.b, h00));
  point.slope_x = du / Real(terrain.cell);
  point.slope_y = fma(twist, cell.a, dv0) / Real(terrain.cell);
  point.inside = cell.inside;
  point.data = cell.inside & (point.height == point.height);
  return point;
}

}  // namespace scree
