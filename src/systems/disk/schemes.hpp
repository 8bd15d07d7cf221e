// Steps of the disk, in place and in one pass over its nodes (motion.hpp).
//
// Both schemes are stable while omega h stays below a bound; the largest omega of the chain of cells is 2 max(c/w).
// That gives `most_courant`, the C of (4) in ../disk.hpp.
#pragma once

#include "motion.hpp"

namespace scree {

/// The classical Runge-Kutta method (../../steppers/rk4.hpp) on (x, v). As x' = v, the velocities of its stages drop
/// out:
///   a1 = a(x),  a2 = a(x + h/2 v),  a3 = a(x + h/2 v + h^2/4 a1),  a4 = a(x + h v + h^2/2 a2)
///   x + h v + h^2/6 (a1 + a2 + a3),   v + h/6 (a1 + 2 a2 + 2 a3 + a4)
struct DiskRk4 {
  static constexpr const char* name = "rk4";
  static constexpr const char* meaning = "Runge-Kutta, order 4 (Kutta 1901)";
  static constexpr double most_courant = 1.4142135623730951;  // h max(c/w): omega h <= 2 sqrt 2 on the imaginary axis

  /// One step h of `nodes` nodes; x[nodes] and v[nodes] are 0, the centre. The new state's cells go to `monitor`.
  template <class Real>
  ALWAYS_INLINE static void step(const DiskSpace<Real>& space, int nodes, Real* x, Real* v, const Real* q,
                                 const Real& h, DiskMonitor<Real>& monitor) {
    const Real half = Real(0.5) * h, sixth = Real(1.0 / 6.0) * h;
    const Real half_square = half * h, quarter_square = half * half, sixth_square = sixth * h;
    DiskSweep<Real> first(space, x[0]), second(space, fma(half, v[0], x[0]));
    Real x_here = x[0], v_here = v[0], a1 = first.next(x[1], q[0]), a2 = second.next(fma(half, v[1], x[1]), q[0]);
    DiskSweep<Real> third(space, fma(quarter_square, a1, fma(half, v_here, x_here)));
    DiskSweep<Real> fourth(space, fma(half_square, a2, fma(h, v_here, x_here)));
    Real x_outer = x[0], v_outer = v[0];  // of the last node that has been moved
    const auto move = [&](int i, const Real& a3, const Real& a4) {
      const Real x_new = fma(sixth_square, (a1 + a2) + a3, fma(h, v_here, x_here));
      const Real v_new = fma(sixth, (a1 + a4) + Real(2.0) * (a2 + a3), v_here);
      if (i > 0) monitor.cell(x_outer, v_outer, x_new, q[i - 1]);
      x[i] = x_outer = x_new;
      v[i] = v_outer = v_new;
    };
    // The first two stages are at node i, the other two one node behind them.
    SCREE_ROLLED
    for (int i = 1; i < nodes; ++i) {
      const Real x_next = x[i], v_next = v[i];
      const Real a1_next = first.next(x[i + 1], q[i]), a2_next = second.next(fma(half, v[i + 1], x[i + 1]), q[i]);
      const Real a3 = third.next(fma(quarter_square, a1_next, fma(half, v_next, x_next)), q[i - 1]);
      const Real a4 = fourth.next(fma(half_square, a2_next, fma(h, v_next, x_next)), q[i - 1]);
      move(i - 1, a3, a4);
      x_here = x_next;
      v_here = v_next;
      a1 = a1_next;
      a2 = a2_next;
    }
    const Real zero = Real(0.0);
    const Real a3 = third.next(zero, q[nodes - 1]), a4 = fourth.next(zero, q[nodes - 1]);
    move(nodes - 1, a3, a4);
    monitor.cell(x_outer, v_outer, zero, q[nodes - 1]);
  }
};

/// Position Verlet, the leapfrog that begins with a drift: h/2 of drift, a kick, h/2 of drift. Order 2, and with steps
/// of one length reversible in time.
struct DiskPositionVerlet {
  static constexpr const char* name = "position_verlet";
  static constexpr const char* meaning = "drift, kick, drift: order 2, one evaluation a step";
  static constexpr double most_courant = 1.0;  // omega h <= 2

  template <class Real>
  ALWAYS_INLINE static void step(const DiskSpace<Real>& space, int nodes, Real* x, Real* v, const Real* q,
                                 const Real& h, DiskMonitor<Real>& monitor) {
    const Real half = Real(0.5) * h;
    DiskSweep<Real> sweep(space, fma(half, v[0], x[0]));
    Real x_outer = x[0], v_outer = v[0];
    SCREE_ROLLED
    for (int i = 0; i < nodes; ++i) {
      const Real middle = sweep.here;
      const Real v_new = fma(h, sweep.next(fma(half, v[i + 1], x[i + 1]), q[i]), v[i]);
      const Real x_new = fma(half, v_new, middle);
      if (i > 0) monitor.cell(x_outer, v_outer, x_new, q[i - 1]);
      x[i] = x_outer = x_new;
      v[i] = v_outer = v_new;
    }
    monitor.cell(x_outer, v_outer, Real(0.0), q[nodes - 1]);
  }
};

}  // namespace scree
