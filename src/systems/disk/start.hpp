// The disk at its start, the time t0 after the walls were removed: by Ritter's solution of the dam break, which the
// continuum follows until sound has reached the centre (in two dimensions: for short times).
//
//   R_f = R0 + 2 V t0,   Dx = R_f / (N - M + 2)
//
//   x_i = R_f - d_i,  or, of the mesh "centre", d_{N+1-i}
//   d_i = Dx i / M where i <= M,  Dx (i - M + 1) where i >= M                                                      (6)
//
//   (g/m) n(x) = ((x - R_f) / t0)^2 / 9 in the fan, R0 - V t0 <= x <= R_f;  V^2 inside of it                       (7)
//
//   v(x) = 2 V + (2/3) (x - R_f) / t0 in the fan;  0 inside of it                                                  (8)
//
// Cell numbers follow by (1) of ../disk.hpp, with (7) at the middle of each cell.
#pragma once

#include "../../ensemble.hpp"
#include "motion.hpp"
#include "table.hpp"

namespace scree {

template <class Real>
ALWAYS_INLINE DiskSpace<Real> disk_space(const DiskParams<Real>& p) {
  return {Real(2.0) - p.dimension, p.dimension - Real(1.0)};
}

/// Particles of a cell (1D: of one half) over its Q.
template <class Real>
ALWAYS_INLINE Real disk_particles(const DiskParams<Real>& p) {
  return select(p.dimension == Real(2.0), Real(1.5707963267948966), Real(0.5)) / p.g_over_m;  // pi/2
}

/// Equations (7) and (8), for x <= R_f.
template <class Real>
struct DiskFan {
  Real radius, speed, time, front;

  HOST_DEVICE explicit DiskFan(const DiskStart<Real>& start)
      : radius(start.radius),
        speed(start.speed),
        time(start.time),
        front(start.radius + Real(2.0) * start.speed * start.time) {}

  HOST_DEVICE Mask<Real> holds(const Real& x) const { return x >= radius - speed * time; }
  /// (g/m) n, m^2/s^2.
  HOST_DEVICE Real square_of_sound(const Real& x) const {
    const Real slope = (x - front) / time;
    return select(holds(x), slope * slope / Real(9.0), speed * speed);
  }
  HOST_DEVICE Real velocity(const Real& x) const {
    return select(holds(x), Real(2.0) * speed + Real(2.0 / 3.0) * (x - front) / time, Real(0.0));
  }
};

/// Equation (6).
template <class Real>
struct DiskMesh {
  int nodes;
  Real front, refinement, width, centre;

  HOST_DEVICE DiskMesh(const DiskParams<Real>& p, const Real& front)
      : nodes(highest(p.nodes)),
        front(front),
        refinement(p.refinement),
        width(front / (p.nodes - p.refinement + Real(1.0))),
        centre(p.centre) {}

  HOST_DEVICE Real distance(const Real& i) const {
    return select(i <= refinement, width * i / refinement, width * (i - refinement + Real(1.0)));
  }
  /// x_i, m.
  HOST_DEVICE Real node(int i) const {
    return select(centre > Real(0.0), distance(Real(static_cast<double>(nodes - i))),
                  front - distance(Real(static_cast<double>(i))));
  }
};

/// Places, velocities and Q of the nodes; x[nodes] = v[nodes] = 0 is the centre. What the config gives in numbers comes
/// before (6) to (8), and noise, from the sample's own draws 2 k and 2 k + 1, is added in the end.
template <class Real>
HOST_DEVICE void start_disk(const World& world, const DiskParams<Real>& p, const DiskStart<Real>& start,
                            DrawStream draws, Real* x, Real* v, Real* q) {
  const Real zero = Real(0.0), one = Real(1.0);
  const int nodes = highest(p.nodes);
  const DiskFan<Real> fan(start);
  const DiskMesh<Real> mesh(p, fan.front);
  const DiskSpace<Real> space = disk_space(p);
  const bool placed = any(p.positions.count > zero), moving = any(p.velocities.count > zero),
             filled = any(p.cells.count > zero);
  const bool noisy = any((start.cell_noise > zero) | (start.velocity_noise > zero));
  const Real particles = disk_particles(p);
  x[nodes] = v[nodes] = zero;
  for (int i = 0; i < nodes; ++i) x[i] = placed ? p.positions.at(world.tables, i) : mesh.node(i);
  for (int i = 0; i < nodes; ++i) {
    v[i] = moving ? p.velocities.at(world.tables, i) : fan.velocity(x[i]);
    const Real middle = Real(0.5) * (x[i] + x[i + 1]);
    q[i] = filled ? p.cells.at(world.tables, i) / particles
                  : Real(2.0) * fan.square_of_sound(middle) * space.size(x[i], x[i + 1]);
    if (noisy) {
      q[i] = q[i] * fma(start.cell_noise, Real(draws.normal()), one);
      v[i] = fma(start.velocity_noise * start.speed, Real(draws.normal()), v[i]);
    }
  }
}

}  // namespace scree
