// Grid: heights at cell centres, bilinear in between (L14 eqs 3-4), normal from the cell's derivatives (L14 eq 7).
//
// Source: Leine et al., Multibody Syst. Dyn. 32 (2014) 241 [L14].
#pragma once

#include <cstdint>

#include "height_field.hpp"

namespace scree {

/// The cell of a grid that holds a point, or the nearest one: column i and row j of its south-west corner, which are
/// always those of a cell of the grid, and where in it the point is.
template <class Real>
struct GridCell {
  Real i, j, a, b;    // whole numbers; 0 <= a, b <= 1 where inside
  Mask<Real> inside;  // within the rectangle of cell centres
};

/// Node (column i, row j) is at (x0 + i cell, y0 + j cell), row 0 southernmost; its height is
/// tables[heights + j columns + i], m; a NODATA node holds NaN.
struct GridHeights {
  double x0, y0;
  Divisor cell;
  double columns, rows, heights;

  /// The cell of (x, y). For one that is not a number the last one; what is larger or smaller keeps i and j in range.
  template <class Real>
  ALWAYS_INLINE GridCell<Real> cell_of(const Real& x, const Real& y) const {
    const Real u = divide(x - Real(x0), cell), v = divide(y - Real(y0), cell);
    const Real last_u = Real(columns - 1.0), last_v = Real(rows - 1.0), zero = Real(0.0);
    GridCell<Real> found;
    found.inside = (u >= zero) & (u <= last_u) & (v >= zero) & (v <= last_v);
    found.i = smaller(larger(zero, truncate(u)), last_u - Real(1.0));
    found.j = smaller(larger(zero, truncate(v)), last_v - Real(1.0));
    found.a = u - found.i;
    found.b = v - found.j;
    return found;
  }
};

struct BilinearGrid : GridHeights {
  ALWAYS_INLINE Divisor run() const { return cell; }
  /// Bilinear height and slopes in the cell, L14 eqs (3), (4) and (7). Outside, the nearest cell continued.
  template <class Real>
  ALWAYS_INLINE GroundPoint<Real> at(const double* tables, const GridCell<Real>& where) const {
    const Real corner = fma(where.j, Real(columns), where.i);
    const auto nodes = table_row(tables + static_cast<std::int64_t>(heights), corner);
    Real south[2], north[2];
    read_row(nodes, 0, south);
    read_row(nodes, static_cast<int>(columns), north);
    const Real h00 = south[0], du0 = south[1] - h00, twist = (north[1] - north[0]) - du0, dv0 = north[0] - h00;
    GroundPoint<Real> point;
    const Real du = fma(twist, where.b, du0);
    point.height = fma(du, where.a, fma(dv0, where.b, h00));
    point.rise_x = du;
    point.rise_y = fma(twist, where.a, dv0);
    point.run = run();
    point.inside = where.inside;
    point.data = where.inside & (point.height == point.height);
    return point;
  }
  template <class Real>
  ALWAYS_INLINE GroundPoint<Real> at(const double* tables, const Real& x, const Real& y) const {
    return at(tables, cell_of(x, y));
  }

  struct Keys {
    GridHeights file;
  };
  template <class Table>
  static void describe(Table& table) {
    table.kind("grid", "heights of a GeoTIFF or ESRI ASCII file, bilinear facets in between", "{file}");
    table.heights("file", &Keys::file);
  }
  static BilinearGrid of(const Keys& keys) { return {keys.file}; }
};

}  // namespace scree
