// What the nodes of a disk say of the cloud: energy, means, quantiles, how its velocities are distributed.
//
//   E/m = sum_i W_i v_i^2 / 2 + (1/2) sum_k (g/m) n_k N_k,   W_i = (N_i + N_{i+1}) / 2, N_0 = 0                     (5)
//
// N_k particles are in cell k: Q_k / (2 g/m) in one dimension, pi Q_k / (2 g/m) in two. Means are sums over the nodes
// with the weights W_i, from the front to the centre, where x and v are 0. For quantiles the particles of a cell are
// spread evenly over its width or area, with a velocity linear in x; for the shares of velocities, evenly between the
// velocities of its nodes.
#pragma once

#include "motion.hpp"
#include "table.hpp"

namespace scree {

/// The nodes of a disk.
template <class Real>
struct DiskNodes {
  DiskSpace<Real> space;
  int count;
  const Real *x, *v, *q;  // x[count] = v[count] = 0

  HOST_DEVICE Real width(int k) const { return x[k] - x[k + 1]; }
  /// (g/m) n of the cell inside of node k, m^2/s^2.
  HOST_DEVICE Real square_of_sound(int k) const { return Real(0.5) * (q[k] / space.size(x[k], x[k + 1])); }
};

/// Sums over all particles, with Q in place of their numbers.
template <class Real>
struct DiskSums {
  Real all, x, xx, vv, potential;  // potential: of (g/m) n / 2

  HOST_DEVICE Real kinetic() const { return Real(0.5) * vv; }
  HOST_DEVICE Real energy() const { return kinetic() + potential; }
};

template <class Real>
HOST_DEVICE DiskSums<Real> disk_sums(const DiskNodes<Real>& nodes) {
  const Real zero = Real(0.0), half = Real(0.5);
  DiskSums<Real> s{zero, zero, zero, zero, zero};
  Real outside = zero;
  for (int i = 0; i < nodes.count; ++i) {
    const Real q = nodes.q[i], weight = half * (outside + q), x = nodes.x[i], v = nodes.v[i];
    s.all = s.all + q;
    s.x = fma(weight, x, s.x);
    s.xx = fma(weight * x, x, s.xx);
    s.vv = fma(weight * v, v, s.vv);
    s.potential = fma(half * q, nodes.square_of_sound(i), s.potential);
    outside = q;
  }
  return s;
}

template <class Real>
struct DiskPoint {
  Real x, v;
};

/// Where `fraction` of the particles are nearer to the centre, and the velocity there.
template <class Real>
HOST_DEVICE DiskPoint<Real> disk_quantile(const DiskNodes<Real>& nodes, const Real& all, double fraction) {
  const Real one = Real(1.0), wanted = Real(fraction) * all;
  Real inside = Real(0.0);
  int k = nodes.count - 1;
  for (; k > 0 && any(inside + nodes.q[k] < wanted); --k) inside = inside + nodes.q[k];
  const Real part = smaller((wanted - inside) / nodes.q[k], one);
  const Real inner = nodes.x[k + 1], outer = nodes.x[k];
  const Real disk = sqrt(fma(part, (outer - inner) * (outer + inner), inner * inner));
  const Real x = select(nodes.space.plane > Real(0.0), disk, fma(part, outer - inner, inner));
  return {x, fma((x - inner) / (outer - inner), nodes.v[k] - nodes.v[k + 1], nodes.v[k + 1])};
}

/// Share of the particles that are slower than `limit`; those of a cell lie evenly between its nodes' velocities.
template <class Real>
HOST_DEVICE Real disk_slower(const DiskNodes<Real>& nodes, const Real& all, const Real& limit) {
  const Real zero = Real(0.0), one = Real(1.0);
  Real sum = zero;
  for (int k = 0; k < nodes.count; ++k) {
    const Real a = smaller(nodes.v[k], nodes.v[k + 1]), b = larger(nodes.v[k], nodes.v[k + 1]);
    const Real between = select(b > a, (limit - a) / select(b > a, b - a, one), one);
    sum = fma(nodes.q[k], select(limit <= a, zero, select(limit >= b, one, between)), sum);
  }
  return sum / all;
}

}  // namespace scree
