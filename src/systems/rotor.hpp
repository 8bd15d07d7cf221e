// A rigid body that turns freely: no torque, no translation. What is left of a rock between two contacts.
//
//   Theta w' + w x Theta w = 0,   p' = p (x) (0, w) / 2                                (1) (L21 eqs 5, 11-12)
//   T = w . Theta w / 2,   L = A(p) Theta w                                            (2)
//
// Theta = diag(A, B, C) are the principal moments, w the angular velocity in principal axes, p the orientation,
// principal axes to world. T and the vector L are constant; rotation about the axes of largest and of least inertia is
// stable, about the third it is not: the body flips over and over, at intervals that grow with the logarithm of the
// first deviation (rotor_cases.hpp). Schemes are told apart by what they keep of this.
//
// Source: Leine et al., Multibody Syst. Dyn. 52 (2021) 431 [L21], section 4.
#pragma once

#include "../elementary.hpp"
#include "../ensemble.hpp"
#include "../integrate.hpp"
#include "../range.hpp"
#include "../steppers/rotor_rk4.hpp"

namespace scree {

template <class Real>
struct Rotor {
  /// The midpoint's Newton passes wait for one another: 4 registers in flight take 8.1 ns per step (Cayley, AVX-512), 2
  /// take 10.5. RK4 loses, 17.6 against 14.0.
  static constexpr int pack_registers = 4;

  using Schemes = SchemeList<RotorExplicit, RotorMidpoint<ExpB>, RotorMidpoint<Cayley>, RotorRk4>;
  struct Params {
    Vec3<Real> inertia;
  };
  struct Start {
    Vec3<Real> omega;
    Quaternion<Real> orientation;
  };
  struct Summary {
    Real omega_x, omega_y, omega_z, orientation_w, orientation_x, orientation_y, orientation_z;
    Real energy_drift, momentum_drift, tilt, tilt_max, flips;
  };
  struct Track {
    Real omega_x, omega_y, omega_z, orientation_w, orientation_x, orientation_y, orientation_z;
    Real energy, momentum, tilt;
  };

  template <class Table>
  static void describe(Table& table) {
    table.system("rotor", "free rigid body: rotation without torque");
    table.param("inertia", &Params::inertia, "kg m^2", Vec3<Real>{Real(5.0 / 12), Real(10.0 / 12), Real(13.0 / 12)},
                positive, "principal moments, in any order; the default is a cuboid of 3 x 2 x 1 m and 1 kg");
    table.start("omega", &Start::omega, "rad/s", Vec3<Real>{Real(1e-3), Real(10.0), Real(1e-3)}, any_value,
                "angular velocity in principal axes");
    table.start("orientation", &Start::orientation, "1", Quaternion<Real>{Real(1.0), Real(0.0), Real(0.0), Real(0.0)},
                any_value, "unit quaternion (w, x, y, z), principal axes to world");
    table.column("omega_x", &Summary::omega_x, "rad/s", "angular velocity at the end, principal axes");
    table.column("omega_y", &Summary::omega_y, "rad/s", "angular velocity at the end, principal axes");
    table.column("omega_z", &Summary::omega_z, "rad/s", "angular velocity at the end, principal axes");
    table.column("orientation_w", &Summary::orientation_w, "1", "orientation at the end");
    table.column("orientation_x", &Summary::orientation_x, "1", "orientation at the end");
    table.column("orientation_y", &Summary::orientation_y, "1", "orientation at the end");
    table.column("orientation_z", &Summary::orientation_z, "1", "orientation at the end");
    table.column("energy_drift", &Summary::energy_drift, "1", "largest |T / T(0) - 1|");
    table.column("momentum_drift", &Summary::momentum_drift, "1", "largest |L - L(0)| / |L(0)|, vectors in world axes");
    table.column("tilt", &Summary::tilt, "rad",
                 "angle between the angular velocity and the axis of largest inertia at the end, 0 to pi/2");
    table.column("tilt_max", &Summary::tilt_max, "rad", "largest such angle");
    table.column(
        "flips", &Summary::flips, "1",
        "reversals of the spin about the intermediate axis, from more than |w|/2 one way to as much the other way");
    table.track("omega_x", &Track::omega_x, "rad/s", "angular velocity, principal axes");
    table.track("omega_y", &Track::omega_y, "rad/s", "angular velocity, principal axes");
    table.track("omega_z", &Track::omega_z, "rad/s", "angular velocity, principal axes");
    table.track("orientation_w", &Track::orientation_w, "1", "orientation, principal axes to world");
    table.track("orientation_x", &Track::orientation_x, "1", "orientation, principal axes to world");
    table.track("orientation_y", &Track::orientation_y, "1", "orientation, principal axes to world");
    table.track("orientation_z", &Track::orientation_z, "1", "orientation, principal axes to world");
    table.track("energy", &Track::energy, "J", "kinetic energy T");
    table.track("momentum", &Track::momentum, "kg m^2/s", "size of the angular momentum L");
    table.track("tilt", &Track::tilt, "rad", "angle between the angular velocity and the axis of largest inertia");
    table.headline({"flips", "tilt", "tilt_max", "energy_drift", "momentum_drift"});
    table.figure("omega_y", "omega_z",
                 "paths of the angular velocity in the body, which close where energy and angular momentum are kept");
  }

  /// No mass distribution has a moment above the sum of the two others; a flat body has equality, up to rounding.
  static Mistake mistake(const World&, const Sample<Rotor>& sample) {
    const Vec3<double>& i = sample.params.inertia;
    const double allowed = 1 + 1e-12;
    if (i.x > allowed * (i.y + i.z) || i.y > allowed * (i.x + i.z) || i.z > allowed * (i.x + i.y))
      return "inertia: one moment exceeds the sum of the other two, no body has that";
    return nullptr;
  }

  struct Lane {
    Vec3<Real> inertia, omega;
    Quaternion<Real> orientation;
    Vec3<Real> major, middle;  // unit vectors of the axes of largest and of intermediate inertia
    Real energy0;
    Vec3<Real> momentum0;  // world axes
    // The largest |T - T(0)| and |L - L(0)|^2 so far; the least cos^2 of the tilt as a fraction, for a quotient a step
    // would cost a division; and which way the body last turned about the intermediate axis, 1 or -1, 0 if it never
    // did.
    Real energy_change, momentum_change2, axial2, size2, flips, way;
    Real steps, status;
  };

  HOST_DEVICE static Lane prepare(const World&, const Sample<Rotor>& sample) {
    const Real zero = Real(0.0), one = Real(1.0);
    const Vec3<Real>& i = sample.params.inertia;
    Lane lane{};
    lane.inertia = i;
    lane.omega = sample.start.omega;
    lane.orientation = normalized(sample.start.orientation);
    // Of equal moments the later axis counts as the larger, so that the three are always different axes.
    const auto x_over_y = i.x > i.y, y_over_z = i.y > i.z, x_over_z = i.x > i.z;
    const auto flag = [&](const Mask<Real>& m) { return select(m, one, zero); };
    lane.major = {flag(x_over_y & x_over_z), flag((!x_over_y) & y_over_z), flag((!x_over_z) & (!y_over_z))};
    const Vec3<Real> minor{flag((!x_over_y) & (!x_over_z)), flag(x_over_y & (!y_over_z)), flag(x_over_z & y_over_z)};
    lane.middle = Vec3<Real>{one, one, one} - lane.major - minor;
    lane.energy0 = energy(lane);
    lane.momentum0 = momentum(lane);
    lane.axial2 = lane.size2 = one;
    lane.status = Real(running);
    observe_axes(lane);
    return lane;
  }

  /// Equation (2), J.
  HOST_DEVICE static Real energy(const Lane& lane) {
    return Real(0.5) * dot(scale(lane.inertia, lane.omega), lane.omega);
  }
  /// Equation (2), kg m^2/s, world axes.
  HOST_DEVICE static Vec3<Real> momentum(const Lane& lane) {
    // A v = v + w t + e x t with t = 2 e x v: two thirds of the operations of the matrix.
    const Quaternion<Real>& p = lane.orientation;
    const Vec3<Real> spin = scale(lane.inertia, lane.omega), e{p.x, p.y, p.z}, t = cross(e + e, spin);
    return fma(p.w, t, spin) + cross(e, t);
  }
  /// Angle of equal (axial / size)^2 = axial2 / size2, 0 for a body at rest.
  HOST_DEVICE static Real angle(const Real& axial2, const Real& size2) {
    const Real zero = Real(0.0), across2 = larger(size2 - axial2, zero);
    return select(size2 > zero, atan(sqrt(across2 / axial2)), zero);
  }

  template <class Scheme>
  HOST_DEVICE static void begin(const World& world, Lane& lane) {
    const Rotation<Real> next = Scheme::free_step(lane.inertia, lane.omega, lane.orientation, Real(world.step));
    lane.omega = next.w;
    lane.orientation = next.p;
  }
  template <class Scheme>
  HOST_DEVICE static void finish(const World& world, Lane& lane) {
    lane.steps = lane.steps + Real(1.0);
    const Real now = energy(lane);
    lane.energy_change = larger(abs(now - lane.energy0), lane.energy_change);
    const Vec3<Real> change = momentum(lane) - lane.momentum0;
    lane.momentum_change2 = larger(dot(change, change), lane.momentum_change2);
    observe_axes(lane);
    end_where<Real>(lane, Status::diverged, !(bounded(now) & is_unit(lane.orientation)));
    end_where<Real>(lane, Status::end_time, time_is_up(world, lane.steps));
  }

  HOST_DEVICE static Summary summarize(const World&, const Lane& lane) {
    const Real zero = Real(0.0), one = Real(1.0);
    const auto turning = lane.energy0 > zero;
    const Real energy0 = select(turning, lane.energy0, one);
    const Real momentum0 = select(turning, norm(lane.momentum0), one);
    const Vec3<Real>& w = lane.omega;
    const Quaternion<Real>& p = lane.orientation;
    const Real axial = dot(lane.major, w);
    return {w.x,
            w.y,
            w.z,
            p.w,
            p.x,
            p.y,
            p.z,
            lane.energy_change / energy0,
            sqrt(lane.momentum_change2) / momentum0,
            angle(axial * axial, dot(w, w)),
            select(turning, angle(lane.axial2, lane.size2), zero),
            lane.flips};
  }

  HOST_DEVICE static Track track(const World&, const Lane& lane) {
    const Vec3<Real>& w = lane.omega;
    const Quaternion<Real>& p = lane.orientation;
    const Real axial = dot(lane.major, w);
    return {w.x, w.y, w.z, p.w, p.x, p.y, p.z, energy(lane), norm(momentum(lane)), angle(axial * axial, dot(w, w))};
  }

 private:
  /// Keeps the least axial2 / size2 of all steps, and counts flips.
  HOST_DEVICE static void observe_axes(Lane& lane) {
    const Real zero = Real(0.0), one = Real(1.0);
    const Real axial = dot(lane.major, lane.omega), axial2 = axial * axial, size2 = dot(lane.omega, lane.omega);
    const auto farther = axial2 * lane.size2 < lane.axial2 * size2;
    lane.axial2 = select(farther, axial2, lane.axial2);
    lane.size2 = select(farther, size2, lane.size2);
    const Real spin = dot(lane.middle, lane.omega);
    const auto about_middle = spin * spin > Real(0.25) * size2;
    const Real way = select(about_middle, copysign(one, spin), lane.way);
    lane.flips = select(way * lane.way < zero, lane.flips + one, lane.flips);
    lane.way = way;
  }
};

}  // namespace scree
