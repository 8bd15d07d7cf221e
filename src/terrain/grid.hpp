// Grid: heights at cell centres, bilinear in between (L14 eqs 3-4), normal from the cell's derivatives (L14 eq 7).
//
// Source: Leine et al., Multibody Syst. Dyn. 32 (2014) 241 [L14].
#pragma once

#include <cstdint>

#include "height_field.hpp"

namespace scree {

/// The cell of a grid that holds a point: column i and row j of its south-west corner, and where in it the point is.
template <class Real>
struct GridCell {
  Real i, j, a, b;    // whole numbers; 0 <= a, b <= 1
  Mask<Real> inside;  // within the rectangle of cell centres
};

/// Node (column i, row j) is at (x0 + i cell, y0 + j cell), row 0 southernmost; its height is
/// tables[heights + j columns + i], m; a NODATA node holds NaN.
struct GridHeights {
  double x0, y0;
  Divisor cell;
  double columns, rows, heights;

  /// The cell of (x, y). Outside, or for a point that is not a number, cell (0, 0), and `inside` is false.
  template <class Real>
  ALWAYS_INLINE GridCell<Real> cell_of(const Real& x, const Real& y) const {
    const Real u = divide(x - Real(x0), cell), v = divide(y - Real(y0), cell);
    const Real last_u = Real(columns - 1.0), last_v = Real(rows - 1.0), zero = Real(0.0);
    GridCell<Real> found;
    found.inside = (u >= zero) & (u <= last_u) & (v >= zero) & (v <= last_v);
    const Real safe_u = select(found.inside, u, zero), safe_v = select(found.inside, v, zero);
    const Real i = truncate(safe_u), j = truncate(safe_v);
    found.i = select(i >= last_u, last_u - Real(1.0), i);
    found.j = select(j >= last_v, last_v - Real(1.0), j);
    found.a = safe_u - found.i;
    found.b = safe_v - found.j;
    return found;
  }
};

struct BilinearGrid : GridHeights {
  ALWAYS_INLINE Divisor run() const { return cell; }
  /// Bilinear height and slopes at (x, y), L14 eqs (3), (4) and (7). Outside, those of cell (0, 0), which are not used.
  template <class Real>
  ALWAYS_INLINE GroundPoint<Real> at(const double* tables, const Real& x, const Real& y) const {
    const GridCell<Real> where = cell_of(x, y);
    const Real corner = fma(where.j, Real(columns), where.i);
    const double* nodes = tables + static_cast<std::int64_t>(heights);
    Real h00, h10, h01, h11;
    gather_two(nodes, corner, h00, h10);
    gather_two(nodes, corner + Real(columns), h01, h11);
    const Real du0 = h10 - h00, twist = (h11 - h01) - du0, dv0 = h01 - h00;
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

  struct Keys {
    GridHeights file;
  };
  template <class Table>
  static void describe(Table& table) {
    table.kind("grid", "heights of an ESRI ASCII file, bilinear facets in between", "{file}");
    table.heights("file", &Keys::file);
  }
  static BilinearGrid of(const Keys& keys) { return {keys.file}; }
};

}  // namespace scree
