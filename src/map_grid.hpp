// The raster of a run's maps: square cells, half-open, so that every place is in one.
#pragma once

#include <cstdint>

#include "real.hpp"

namespace scree {

/// No cell: outside of the raster.
inline constexpr std::uint32_t no_map_cell = ~std::uint32_t{0};

/// Columns from the west, rows from the south. What lies outside has the column -1 or `columns`, or such a row: so few
/// that a path far outside is followed at no cost.
struct MapGrid {
  double west, south;      // of the south-west corner, m
  double cell, per_metre;  // side of a cell, m, and 1 / cell
  double columns, rows;    // 0: there is none; columns * rows < 2^31

  template <class Real>
  ALWAYS_INLINE Real column_of(const Real& x) const {
    return place(x, west, columns);
  }
  template <class Real>
  ALWAYS_INLINE Real row_of(const Real& y) const {
    return place(y, south, rows);
  }
  /// The western edge of a column, the southern one of a row, m.
  ALWAYS_INLINE double edge_x(double column) const { return fma(column, cell, west); }
  ALWAYS_INLINE double edge_y(double row) const { return fma(row, cell, south); }

  template <class Real>
  ALWAYS_INLINE Mask<Real> is_outside(const Real& column, const Real& row) const {
    const Real zero = Real(0.0);
    return (column < zero) | (row < zero) | (column >= Real(columns)) | (row >= Real(rows));
  }
  ALWAYS_INLINE std::uint32_t number(double column, double row) const {
    return is_outside(column, row) ? no_map_cell : static_cast<std::uint32_t>(fma(row, columns, column));
  }

 private:
  /// floor((x - first) / cell), from -1 to count; count for NaN.
  template <class Real>
  ALWAYS_INLINE Real place(const Real& x, double first, double count) const {
    const Real u = larger(smaller((x - Real(first)) * Real(per_metre), Real(count)), Real(-1.0));
    const Real whole = truncate(u);
    return whole - select(whole > u, Real(1.0), Real(0.0));
  }
};

}  // namespace scree
