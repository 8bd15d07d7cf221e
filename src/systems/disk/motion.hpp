// The equations of motion of the disk's nodes, (2) and (3) of ../disk.hpp, one node after another from the front to the
// centre.
//
// A node's acceleration needs its two neighbours and nothing else, so a whole step of a scheme runs through the nodes
// once: each stage follows the one before it at a node's distance. Positions and velocities are read and written once
// a step, in place, and no stage is ever stored.
#pragma once

#include "../../endings.hpp"
#include "../../real.hpp"

namespace scree {

/// The factor in brackets of (1) to (3): 1 in one dimension, the sum of both radii in two.
template <class Real>
struct DiskSpace {
  Real line, plane;  // 1 and 0, or 0 and 1

  /// Of the cell between two nodes: its width, or its area over pi. Exact.
  ALWAYS_INLINE Real size(const Real& outer, const Real& inner) const {
    return (outer - inner) * fma(plane, outer + inner, line);
  }
};

/// Equation (3), as a stage of a scheme meets it.
template <class Real>
struct DiskSweep {
  DiskSpace<Real> space;
  Real outer, here;  // x_{i-1} and x_i
  Real pressure;     // p_i, of the cell between them

  /// At the front, x_0.
  ALWAYS_INLINE DiskSweep(const DiskSpace<Real>& space, const Real& front)
      : space(space), outer(front), here(front), pressure(Real(0.0)) {}

  /// The acceleration of the node `here`, m/s^2, given its inner neighbour and the Q of the cell between the two; then
  /// that neighbour is `here`. One division serves both quotients.
  ALWAYS_INLINE Real next(const Real& inner, const Real& q) {
    const Real size = space.size(here, inner), span = outer - inner, inverse = Real(1.0) / (size * span);
    const Real p = q * (span * inverse);
    const Real acceleration = (p - pressure) * (size * inverse);
    outer = here;
    here = inner;
    pressure = p;
    return acceleration;
  }
};

/// What a step leaves to be known of the new state: how short the next one must be, and whether it is a state at all.
template <class Real>
struct DiskMonitor {
  DiskSpace<Real> space;
  // The cell with the least (w/c)^2 = 2 w^2 size / Q, as a fraction: a quotient for each cell would cost a division.
  Real numerator, q;
  Real width;        // of the narrowest cell
  Mask<Real> sound;  // nodes in order, velocities finite

  ALWAYS_INLINE explicit DiskMonitor(const DiskSpace<Real>& space)
      : space(space),
        numerator(Real(__builtin_huge_val())),
        q(Real(1.0)),
        width(Real(__builtin_huge_val())),
        sound(Real(0.0) < Real(1.0)) {}

  /// The cell inside of a node at `outer` that moves with `velocity`.
  ALWAYS_INLINE void cell(const Real& outer, const Real& velocity, const Real& inner, const Real& q_cell) {
    const Real w = outer - inner, here = w * w * space.size(outer, inner);
    const Mask<Real> narrower = here * q < numerator * q_cell;
    numerator = select(narrower, here, numerator);
    q = select(narrower, q_cell, q);
    width = smaller(w, width);
    sound = sound & (w > Real(0.0)) & bounded(abs(velocity));
  }
  /// min(w/c), s: the time in which sound crosses a cell.
  ALWAYS_INLINE Real crossing_time() const { return sqrt(Real(2.0) * numerator / q); }
};

}  // namespace scree
