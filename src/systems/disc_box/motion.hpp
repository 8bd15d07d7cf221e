// The motion of the discs between and during contacts, and what it keeps. Equation numbers of ../disc_box.hpp.
#pragma once

#include "contact.hpp"

namespace scree {

/// The right-hand side: equations (1) to (3), under the forces of contacts with the given latches, and the powers of
/// equation (13).
///   moment           mo a_i, kg m, of each disc
///   inverse_inertia  1 / D_i of equation (2), 1/(kg m^2)
///   latch, held      of each slot; see force_of
template <class Real, int most>
struct DiscMotion {
  const DiscLaw<Real>& law;
  const Real* moment;
  const Real* inverse_inertia;
  const Real* latch;
  bool held;
  int n;

  ALWAYS_INLINE DiscState<Real, most> operator()(const DiscState<Real, most>& y) const {
    if constexpr (in_registers<most>) {
      return derivative(y);
    } else {
      return called(y);
    }
  }
  SCREE_CALLED HOST_DEVICE DiscState<Real, most> called(const DiscState<Real, most>& y) const { return derivative(y); }
  ALWAYS_INLINE DiscState<Real, most> derivative(const DiscState<Real, most>& y) const {
    const Real zero = Real(0.0);
    DiscState<Real, most> d{};
    // The resultants are gathered where the accelerations will be.
    each_contact(
        law, y, n, [](int, const Mask<Real>& closed) { return closed; },
        [&](int slot, const DiscContact<Real>& c, const Mask<Real>& closed) {
          const DiscForce<Real> force = force_of(law, y, c, latch[slot], held);
          const auto add = [&](Real& sum, const Real& part) { sum = select(closed, sum + part, sum); };
          const Real fx = fma(force.normal, c.nx, -(force.friction * c.nz));
          const Real fz = fma(force.normal, c.nz, force.friction * c.nx);
          add_to_disc(d.ux, c.i, fx, closed);
          add_to_disc(d.uz, c.i, fz, closed);
          add_to_disc(d.u, c.i, force.torque, closed);
          if (c.j >= 0) {
            add_to_disc(d.ux, c.j, -fx, closed);
            add_to_disc(d.uz, c.j, -fz, closed);
            add_to_disc(d.u, c.j, force.torque, closed);
          } else {
            add(d.wall_impulse, force.normal);
          }
          add(d.damping_work, force.damping_power);
          add(d.friction_work, force.friction_power);
        });
    const Real w = law.inverse_mass;
    for_discs<most>(
        n, [&](int i) __attribute__((always_inline)) {
          d.x[i] = y.ux[i];
          d.z[i] = y.uz[i];
          d.q[i] = y.u[i];
          const Real b = moment[i];
          const Mask<Real> observed = law.observer > zero;
          Real ux = zero, uz = zero, u = zero;
          if (any(!observed)) {
            ux = w * d.ux[i];
            uz = w * d.uz[i];
            u = inverse_inertia[i] * d.u[i];
          }
          if (any(observed)) {
            const SinCos<Real> turn = sincos(y.q[i]);
            const Real swing = b * (y.u[i] * y.u[i]), sb = b * turn.sin, cb = b * turn.cos;
            const Real gx = fma(swing, turn.cos, d.ux[i]), gz = fma(-swing, turn.sin, d.uz[i]);
            const Real spin = fma(w, fma(sb, gx, cb * gz), d.u[i]) * inverse_inertia[i];
            // Without an observer this is the same but for 0 times infinity, and for the sign of a 0.
            ux = select(observed, w * fma(sb, spin, gx), ux);
            uz = select(observed, w * fma(cb, spin, gz), uz);
            u = select(observed, spin, u);
          }
          d.ux[i] = ux;
          d.uz[i] = uz;
          d.u[i] = u;
        });
    return d;
  }
};

/// Energies (J), linear momentum (kg m/s) and angular momentum about the box's centre (kg m^2/s): equations (13), (14).
template <class Real>
struct DiscTotals {
  Real kinetic_translation, kinetic_rotation, elastic, momentum_x, momentum_z, angular_momentum;

  ALWAYS_INLINE Real energy() const { return kinetic_translation + kinetic_rotation + elastic; }
};

template <class Real, int most>
HOST_DEVICE DiscTotals<Real> disc_totals(const DiscLaw<Real>& law, const Real* moment, const Real* inverse_inertia,
                                         const DiscState<Real, most>& y) {
  const Real zero = Real(0.0), half = Real(0.5), one = Real(1.0);
  const int n = highest(law.discs);
  DiscTotals<Real> sum{};
  for (int i = 0; i < n; ++i) {
    const SinCos<Real> turn = sincos(y.q[i]);
    // The observer is at the offset (sx, sz), and has the velocity (wx, wz).
    const Real a = select(law.observer > zero, moment[i] / select(law.observer > zero, law.observer, one), zero);
    const Real sx = a * turn.cos, sz = -(a * turn.sin);
    const Real wx = fma(y.u[i], sz, y.ux[i]), wz = fma(-y.u[i], sx, y.uz[i]);
    const Real px = fma(law.mass, y.ux[i], law.observer * wx), pz = fma(law.mass, y.uz[i], law.observer * wz);
    sum.momentum_x = sum.momentum_x + px;
    sum.momentum_z = sum.momentum_z + pz;
    sum.kinetic_translation = fma(half * law.inverse_mass, fma(px, px, pz * pz), sum.kinetic_translation);
    sum.kinetic_rotation = fma(half * y.u[i], y.u[i] / inverse_inertia[i], sum.kinetic_rotation);
    const Real of_disc = law.mass * difference_of_products(y.z[i], y.ux[i], y.x[i], y.uz[i]);
    const Real of_observer = law.observer * difference_of_products(y.z[i] + sz, wx, y.x[i] + sx, wz);
    sum.angular_momentum = sum.angular_momentum + (fma(law.inertia, y.u[i], of_disc) + of_observer);
  }
  each_contact(
      law, y, n, [](int, const Mask<Real>& closed) { return closed; },
      [&](int, const DiscContact<Real>& c, const Mask<Real>& closed) {
        const Real rho = penetration_of(law, c);
        const Real k = c.j < 0 ? law.wall_stiffness : law.stiffness / law.penetration;
        sum.elastic = select(closed, fma(Real(0.4) * k, rho * rho * sqrt(rho), sum.elastic), sum.elastic);
      });
  return sum;
}

}  // namespace scree
