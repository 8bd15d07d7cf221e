// Contacts of discs with each other and with the wall: where they are, and what force they pass on. Equation numbers of
// ../disc_box.hpp.
#pragma once

#include "../../elementary.hpp"

namespace scree {

/// The constants of a box: what all its discs share.
template <class Real>
struct DiscLaw {
  Real discs;                                  // how many
  Real reach, reach2;                          // 2 r, squared
  Real circle;                                 // 1: a circle; 0: walls at +-W, +-H
  Real room, room2, room_z;                    // circle: R_W - r, squared; rectangle: W - r, H - r
  Real stiffness, wall_stiffness;              // k of equation (8), N/m^(3/2)
  Real damping;                                // a of equation (7)
  Real penetration;                            // rho / overlap of two discs
  Real latched, onset_floor;                   // 1: R of equation (7), 0: its sign; m/s
  Real friction, wall_friction;                // mu
  Real coulomb, slip2;                         // 1: equation (11), 0: (10); v_s^2
  Real friction_force, wall_arm;               // ff; m
  Real mass, observer, inverse_mass, inertia;  // m0, mo, 1 / (m0 + mo), I
};

/// Positions and velocities of up to `most` discs, and the integrals that go with them.
template <class Real, int most>
struct DiscState {
  static constexpr int positions = 3 * most;
  Real x[most], z[most], q[most], ux[most], uz[most], u[most];
  Real damping_work, friction_work, wall_impulse;
};

/// Slots, each a place for one contact: the pairs, then two for each disc's walls.
template <int most>
inline constexpr int disc_slots = most*(most - 1) / 2 + 2 * most;
/// Slot of the pair i < j.
HOST_DEVICE constexpr int pair_slot(int i, int j) { return j * (j - 1) / 2 + i; }
/// Slot of disc i and the circle or the walls across x (side 0), or the walls across z (1).
template <int most>
HOST_DEVICE constexpr int wall_slot(int i, int side) {
  return most * (most - 1) / 2 + 2 * i + side;
}
inline constexpr int circle_wall = -1, x_wall = -2, z_wall = -3;

/// Disc i against disc j, or against a wall: j < 0.
template <class Real>
struct DiscContact {
  int i, j;
  Real nx, nz;    // unit normal, the direction in which disc i is pushed
  Real gap;       // m, negative when closed
  Real rate;      // d gap / dt, m/s
  Real distance;  // of the two centres; of the centre from the box's
};

/// Whether a sample stays in the registers of a GPU's thread: loops over its discs are then unrolled, and no array is
/// indexed by what is known at run time only.
template <int most>
inline constexpr bool in_registers = most <= 4 && gpu_code;

/// f(i) for the discs 0 .. n - 1.
template <int most, class F>
ALWAYS_INLINE void for_discs(int n, const F& f) {
  if constexpr (in_registers<most>) {
    SCREE_UNROLLED
    for (int i = 0; i < most; ++i)
      if (i < n) f(i);
  } else {
    for (int i = 0; i < n; ++i) f(i);
  }
}
/// The value of disc i.
template <int most, class Real>
ALWAYS_INLINE Real of_disc(const Real (&values)[most], int i) {
  if constexpr (in_registers<most>) {
    Real value = values[0];
    SCREE_UNROLLED
    for (int k = 1; k < most; ++k) value = select(i == k, values[k], value);
    return value;
  } else {
    return values[i];
  }
}
/// Adds to the value of disc i.
template <int most, class Real>
ALWAYS_INLINE void add_to_disc(Real (&values)[most], int i, const Real& part, const Mask<Real>& where) {
  if constexpr (in_registers<most>) {
    SCREE_UNROLLED
    for (int k = 0; k < most; ++k) values[k] = select(where & (i == k), values[k] + part, values[k]);
  } else {
    values[i] = select(where, values[i] + part, values[i]);
  }
}

/// Equation (4).
template <class Real, int most>
ALWAYS_INLINE DiscContact<Real> contact_at(const DiscLaw<Real>& law, const DiscState<Real, most>& y, int i, int j) {
  const Real one = Real(1.0), zero = Real(0.0);
  const Real x = of_disc(y.x, i), z = of_disc(y.z, i), ux = of_disc(y.ux, i), uz = of_disc(y.uz, i);
  if (j >= 0) {
    const Real dx = x - of_disc(y.x, j), dz = z - of_disc(y.z, j);
    const Real distance = sqrt(fma(dx, dx, dz * dz)), inverse = one / distance;
    const Real nx = dx * inverse, nz = dz * inverse;
    const Real rate = fma(ux - of_disc(y.ux, j), nx, (uz - of_disc(y.uz, j)) * nz);
    return {i, j, nx, nz, distance - law.reach, rate, distance};
  }
  if (j != circle_wall) {
    const bool across_x = j == x_wall;
    const Real at = across_x ? x : z, speed = across_x ? ux : uz;
    const Real n = -copysign(one, at), distance = abs(at);
    return {i,         j,       across_x ? n : zero, across_x ? zero : n, (across_x ? law.room : law.room_z) - distance,
            n * speed, distance};
  }
  const Real distance = sqrt(fma(x, x, z * z));
  const Real inverse = one / select(distance > zero, distance, one);
  const Real nx = -(x * inverse), nz = -(z * inverse);
  return {i, j, nx, nz, law.room - distance, fma(ux, nx, uz * nz), distance};
}

/// Calls f(slot, i, j, kept) for each slot; kept and closed as below. The gap is told by squares.
template <class Real, int most, class Keep, class F>
ALWAYS_INLINE void each_slot(const DiscLaw<Real>& law, const DiscState<Real, most>& y, int n, const Keep& keep,
                             const F& f) {
  for_discs<most>(
      n, [&](int j) __attribute__((always_inline)) {
        for_discs<most>(
            j, [&](int i) __attribute__((always_inline)) {
              const Real dx = y.x[i] - y.x[j], dz = y.z[i] - y.z[j];
              const int slot = pair_slot(i, j);
              f(slot, i, j, keep(slot, fma(dx, dx, dz * dz) < law.reach2));
            });
      });
  const Mask<Real> rectangle = law.circle < Real(0.5);
  if (any(!rectangle)) {
    for_discs<most>(
        n, [&](int i) __attribute__((always_inline)) {
          const int slot = wall_slot<most>(i, 0);
          const Mask<Real> closed = fma(y.x[i], y.x[i], y.z[i] * y.z[i]) > law.room2;
          f(slot, i, circle_wall, keep(slot, closed) & !rectangle);
        });
  }
  if (any(rectangle)) {
    for_discs<most>(
        n, [&](int i) __attribute__((always_inline)) {
          const int slot = wall_slot<most>(i, 0);
          f(slot, i, x_wall, keep(slot, abs(y.x[i]) > law.room) & rectangle);
          f(slot + 1, i, z_wall, keep(slot + 1, abs(y.z[i]) > law.room_z) & rectangle);
        });
  }
}

/// Calls f(slot, contact, kept) for each slot where `kept`, keep(slot, closed), holds for some sample; `closed` where
/// its gap is negative. The square root and the division of contact_at are spent on what is kept. In registers, all
/// slots are asked before the first call, so that samples work on their contacts side by side and f has one copy.
template <class Real, int most, class Keep, class F>
ALWAYS_INLINE void each_contact(const DiscLaw<Real>& law, const DiscState<Real, most>& y, int n, const Keep& keep,
                                const F& f) {
  if constexpr (in_registers<most>) {
    std::uint64_t those = 0;
    each_slot(law, y, n, keep, [&](int slot, int, int, bool kept) { those |= std::uint64_t{kept} << slot; });
    constexpr int pairs = wall_slot<most>(0, 0);
    SCREE_ROLLED
    while (those != 0) {
      const int slot = take_lowest_bit(those), wall = slot - pairs;
      int i = wall / 2, j = any(law.circle < Real(0.5)) ? (wall % 2 == 0 ? x_wall : z_wall) : circle_wall;
      if (slot < pairs) {
        j = 1;
        for (int k = 2; k < most; ++k) j += slot >= pair_slot(0, k) ? 1 : 0;
        i = slot - pair_slot(0, j);
      }
      f(slot, contact_at(law, y, i, j), true);
    }
  } else {
    each_slot(
        law, y, n, keep, [&](int slot, int i, int j, const Mask<Real>& kept) __attribute__((always_inline)) {
          if (any(kept)) f(slot, contact_at(law, y, i, j), kept);
        });
  }
}

/// What a closed contact passes on to disc i; the disc j gets the opposite force and the same torque.
template <class Real>
struct DiscForce {
  Real normal;                         // f, N
  Real friction;                       // force along the tangent (-nz, nx), N
  Real torque;                         // about +Y, N m
  Real damping_power, friction_power;  // W
};

/// rho of equation (5), m: what of the overlap enters the force.
template <class Real>
ALWAYS_INLINE Real penetration_of(const DiscLaw<Real>& law, const DiscContact<Real>& c) {
  const Real rho = c.j < 0 ? -c.gap : law.penetration * -c.gap;
  return larger(rho, Real(0.0));  // the test by squares may round the other way
}

/// Equations (6), (7) and (9) to (12).
///   latch  as in DiscLane; 0 while the onset is not known: the damping then goes by the sign of the rate
///   held   whether the script's law takes that sign from the latch
template <class Real, int most>
ALWAYS_INLINE DiscForce<Real> force_of(const DiscLaw<Real>& law, const DiscState<Real, most>& y,
                                       const DiscContact<Real>& c, const Real& latch, bool held) {
  const Real zero = Real(0.0), one = Real(1.0), half = Real(0.5);
  const bool wall = c.j < 0;
  const Real rho = penetration_of(law, c);
  const Real elastic = (wall ? law.wall_stiffness : law.stiffness) * (rho * sqrt(rho));
  const Mask<Real> known = latch != zero, by_rate = known & (law.latched > zero);
  Real ratio = copysign(one, held ? select(known, latch, -c.rate) : -c.rate);
  if (any(by_rate)) ratio = select(by_rate, -c.rate / select(by_rate, abs(latch), one), ratio);
  DiscForce<Real> force;
  force.normal = larger(elastic * fma(law.damping, ratio, one), zero);
  force.damping_power = (elastic - force.normal) * c.rate;

  const Real tx = -c.nz, tz = c.nx;
  const Real arm = wall ? law.wall_arm : half * c.distance;
  Real vx = of_disc(y.ux, c.i), vz = of_disc(y.uz, c.i), spins = of_disc(y.u, c.i);
  if (!wall) {
    vx = vx - of_disc(y.ux, c.j);
    vz = vz - of_disc(y.uz, c.j);
    spins = spins + of_disc(y.u, c.j);
  }
  const Real sliding = fma(vx, tx, vz * tz), rolling = arm * spins;
  const Real slip = -(sliding + rolling);
  Real friction = (wall ? law.wall_friction : law.friction) * force.normal * slip;
  if (any(law.coulomb > zero)) {
    const Real size = sqrt(fma(slip, slip, law.slip2));
    friction = select(law.coulomb > zero, friction / size, friction);
  }
  force.friction = wall ? friction : law.friction_force * friction;
  force.torque = arm * friction;
  force.friction_power = -fma(force.friction, sliding, friction * rolling);
  return force;
}

}  // namespace scree
