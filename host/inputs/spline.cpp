#include "spline.hpp"

#include <cmath>
#include <cstddef>

namespace scree {
namespace {

/// Coefficients c_{-1} ... c_n of the cubic spline through z_0 ... z_{n-1}, a distance 1 apart; both are `stride` apart
/// in memory. With M_i = c_{i-1} - 2 c_i + c_{i+1}, the second derivative at node i:
///
///   z_i = c_i + M_i / 6                                              from (c_{i-1} + 4 c_i + c_{i+1}) / 6 = z_i   (1)
///   M_{i-1} + 4 M_i + M_{i+1} = 6 (z_{i-1} - 2 z_i + z_{i+1})        continuous slope                            (2)
///   M_0 - 2 M_1 + M_2 = 0, and the same at the other end             not-a-knot                                  (3)
///
/// (2) and (3) give M_1 = z_0 - 2 z_1 + z_2 outright, so what remains of (2) is tridiagonal with constant coefficients.
/// Solved here and not by a library, in an order of operations that is the program's own: the bits of a slider's run
/// depend on every one of them.
class LineSolver {
 public:
  explicit LineSolver(std::size_t n) : n_(n), m_(n), ratio_(n) {}

  void solve(const double* z, double* c, std::size_t stride) {
    const std::size_t last = n_ - 1;
    const auto bend = [&](std::size_t i) { return (z[(i - 1) * stride] - 2 * z[i * stride]) + z[(i + 1) * stride]; };
    if (n_ == 2) {
      m_[0] = m_[1] = 0;
    } else if (n_ == 3) {
      m_[0] = m_[1] = m_[2] = bend(1);
    } else {
      m_[1] = bend(1);
      m_[last - 1] = bend(last - 1);
      eliminate(bend);
      m_[0] = 2 * m_[1] - m_[2];
      m_[last] = 2 * m_[last - 1] - m_[last - 2];
    }
    for (std::size_t i = 0; i < n_; ++i) c[(i + 1) * stride] = z[i * stride] - m_[i] / 6;
    c[0] = m_[0] + (2 * c[stride] - c[2 * stride]);
    c[(n_ + 1) * stride] = m_[last] + (2 * c[n_ * stride] - c[last * stride]);
  }

 private:
  /// M_2 ... M_{n-3} between M_1 and M_{n-2}, by Thomas' algorithm; |ratio| < 0.27.
  template <class Bend>
  void eliminate(const Bend& bend) {
    ratio_[1] = 0;
    for (std::size_t i = 2; i + 2 < n_; ++i) {
      const double pivot = 4 - ratio_[i - 1];
      ratio_[i] = 1 / pivot;
      m_[i] = (6 * bend(i) - m_[i - 1]) / pivot;
    }
    if (n_ < 5) return;
    for (std::size_t i = n_ - 3; i >= 2; --i) m_[i] -= ratio_[i] * m_[i + 1];
  }

  std::size_t n_;
  std::vector<double> m_, ratio_;
};

/// The heights with every NODATA node at the height of a nearest node that has one: a flood from all nodes with data.
std::vector<double> filled(const Grid& grid) {
  std::vector<double> heights = grid.heights;
  if (grid.nodata == 0) return heights;
  const std::size_t columns = static_cast<std::size_t>(grid.columns), rows = static_cast<std::size_t>(grid.rows);
  std::vector<std::size_t> front;
  for (std::size_t node = 0; node < heights.size(); ++node)
    if (!std::isnan(heights[node])) front.push_back(node);
  for (std::size_t next = 0; next < front.size(); ++next) {
    const std::size_t node = front[next], i = node % columns, j = node / columns;
    const auto flood = [&](bool exists, std::size_t neighbour) {
      if (!exists || !std::isnan(heights[neighbour])) return;
      heights[neighbour] = heights[node];
      front.push_back(neighbour);
    };
    flood(i > 0, node - 1);
    flood(i + 1 < columns, node + 1);
    flood(j > 0, node - columns);
    flood(j + 1 < rows, node + columns);
  }
  return heights;
}

}  // namespace

std::vector<double> spline_coefficients(const Grid& grid) {
  const std::size_t columns = static_cast<std::size_t>(grid.columns), rows = static_cast<std::size_t>(grid.rows);
  const std::size_t width = columns + 2;
  const std::vector<double> heights = filled(grid);
  std::vector<double> along_rows(rows * width), coefficients((rows + 2) * width);
  LineSolver row_solver(columns), column_solver(rows);
  for (std::size_t j = 0; j < rows; ++j) row_solver.solve(&heights[j * columns], &along_rows[j * width], 1);
  for (std::size_t i = 0; i < width; ++i) column_solver.solve(&along_rows[i], &coefficients[i], width);
  return coefficients;
}

}  // namespace scree
