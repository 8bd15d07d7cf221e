// Which ground lies where: classes of ground in the cells of a raster, and polygons laid over them.
//
// A class is a number: 0 is the run's own ground, others are those that a map names. Names are not mixed, so a point
// has the class of the raster's nearest node (L14, p. 249, interpolates numbers instead), and above that of the last
// polygon that it is in, by the parity of the edges that a ray towards +x crosses; an edge belongs to its polygon.
//
// Source: Leine et al., Multibody Syst. Dyn. 32 (2014) 241 [L14].
#pragma once

#include <cstdint>

#include "../elementary.hpp"

namespace scree {

/// Class of the cell (column i, row j), row 0 southernmost, is tables[cells + j columns + i]; the cells begin at
/// (x0, y0), their south-west corner, and `outside` is the class where there are none. The polygons' edges are sorted
/// into bands of y, `bands` of them from y_low on: in band b the edges tables[starts + b] to tables[starts + b + 1],
/// each `edge_numbers` at tables[edges].
struct GroundMap {
  double classes;  // besides the run's own; 0: all ground is the run's own
  double outside;
  double x0, y0;
  Divisor cell;
  double columns, rows, cells;
  double y_low;
  Divisor band;
  double bands, starts, edges;

  /// The lower end (x, y), the upper end, and the class of its polygon, if it is that polygon's last edge in the band;
  /// else -1. Polygons that share a side have the same edge, so that no point falls between them.
  static constexpr int edge_numbers = 5;

  /// The class at (x, y).
  template <class Real>
  HOST_DEVICE Real at(const double* tables, const Real& x, const Real& y) const {
    Real found = Real(outside);
    if (columns > 0.0) found = in_cells(tables, x, y);
    if (bands > 0.0) {
      const Real above = in_polygons(tables, x, y);
      found = select(above < Real(0.0), found, above);
    }
    return found;
  }
  /// The band of y, or the nearest one. It never falls as y rises, so an edge is in the bands from its lower end's to
  /// its upper end's.
  template <class Real>
  HOST_DEVICE Real band_of(const Real& y) const {
    return place_within(divide(y - Real(y_low), band), bands);
  }

 private:
  template <class Real>
  static ALWAYS_INLINE Real place_within(const Real& u, double count) {  // also of what is not a number
    return smaller(larger(Real(0.0), truncate(u)), Real(count - 1.0));
  }
  template <class Real>
  HOST_DEVICE Real in_cells(const double* tables, const Real& x, const Real& y) const {
    const Real zero = Real(0.0), u = divide(x - Real(x0), cell), v = divide(y - Real(y0), cell);
    const Mask<Real> inside = (u >= zero) & (u < Real(columns)) & (v >= zero) & (v < Real(rows));
    const Real place = fma(place_within(v, rows), Real(columns), place_within(u, columns));
    return select(inside, gather(tables + static_cast<std::int64_t>(cells), place), Real(outside));
  }
  /// The class of the last polygon around (x, y), or -1.
  template <class Real>
  HOST_DEVICE Real in_polygons(const double* tables, const Real& x, const Real& y) const {
    const Real zero = Real(0.0), one = Real(1.0);
    const double* const list = tables + static_cast<std::int64_t>(edges);
    const double* const begins = tables + static_cast<std::int64_t>(starts);
    const Real row = band_of(y);
    Real k = gather(begins, row), found = -one, odd = zero, on_edge = zero;
    const Real end = gather(begins, row + one);
    SCREE_ROLLED
    while (any(k < end)) {
      const Mask<Real> active = k < end;
      const auto edge = table_row(list, select(active, k, zero) * Real(static_cast<double>(edge_numbers)));
      const Real ax = edge[0], ay = edge[1], bx = edge[2], by = edge[3], closes = edge[4];
      const Real right = (x - ax) * (by - ay) - (bx - ax) * (y - ay);  // > 0: the point is right of the edge's line
      const Mask<Real> crossed = active & (ay <= y) & (y < by) & (right < zero);
      const Mask<Real> on =
          active & (right == zero) & (ay <= y) & (y <= by) & (smaller(ax, bx) <= x) & (x <= larger(ax, bx));
      const Mask<Real> last = active & (closes >= zero);
      odd = select(crossed, one - odd, odd);
      on_edge = select(on, one, on_edge);
      const Mask<Real> within = last & (odd + on_edge > zero);
      found = select(within, closes, found);
      odd = select(last, zero, odd);
      on_edge = select(last, zero, on_edge);
      k = k + one;
    }
    return found;
  }
};

}  // namespace scree
