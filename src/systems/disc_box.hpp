// Discs in a box, each with an observer: a point mass off its centre. They collide, with each other and the wall, by
// the law of Hunt and Crossley, with friction; the forces are finite, and a contact takes time.
//
// Plane (X, Z), angles about +Y. Disc i: centre (x, z), velocity (ux, uz), angle q, spin u = q', mass m0, inertia I;
// its observer, of mass mo, is at a (cos q, -sin q) from the centre. A point at the offset (sx, sz) has the velocity u
// (sz, -sx) from the spin, and a force F there the torque sz Fx - sx Fz. With m = m0 + mo, s = sin q, c = cos q, and
// (Fx, Fz, T) the resultant of the contacts at the centre,
//
//   gx = Fx + mo a u^2 c,   gz = Fz - mo a u^2 s                                                                   (1)
//   u' = (T + (mo a / m) (s gx + c gz)) / D,   D = I + mo m0 a^2 / m                                               (2)
//   ux' = (gx + mo a s u') / m,   uz' = (gz + mo a c u') / m                                                       (3)
//
// the closed solution of Newton's and Euler's three equations of a disc with its observer.
//
// A contact has the gap g, closed for g < 0, and the unit normal n that points to disc i:
//   two discs   d = |x_i - x_j|,  n = (x_i - x_j) / d,  g = d - 2 r,      g' = (v_i - v_j) . n
//   circle      b = |x_i|,        n = -x_i / b,         g = R_W - b - r,  g' = v_i . n                             (4)
//   rectangle   two walls across x at +-W, two across z at +-H, alike
//   rho = pen (2 r - d) for two discs, -g at a wall                                                                (5)
//   f = k rho^(3/2) (1 + a_d R), not below 0                                                                       (6)
//   a_d = 3/2 (1 - c_tau),  R = -g' / |g'_0|                                                                       (7)
//   k = 4 / (3 (s_1 + s_2)) sqrt(R_1 R_2 / (R_1 + R_2)),  s = (1 - nu^2) / E,  R_2 = -R_W for a circle,            (8)
//   infinite for a plane wall
// and g'_0 the approach speed when this contact began, latched there (disc_box/stepping.hpp), not below onset_floor.
//
// Friction, with the tangent t = (-nz, nx), the arm h = d/2 for two discs (their arms add up to d) and r at a wall:
//   slip = (v_j - v_i) . t - h (u_i + u_j),   at a wall  -v_i . t - h u_i                                          (9)
//   F = mu f slip  (viscous; mu in s/m)                                                                           (10)
//   F = mu f slip / sqrt(slip^2 + v_s^2)  (Coulomb's, regularised)                                                (11)
//   on i along t, on j against it; torque h F on both                                                             (12)
//
//   E = sum of m |v_c|^2 / 2 + D u^2 / 2 + U,   U = k (2/5) rho^(5/2) / pen  (pen = 1 at a wall)                  (13)
//   W_n' = (k rho^(3/2) - f) g',   W_t' = -sum (F . v + T u),   E + W_n + W_t constant
//   P = sum m0 v + mo w,   L = sum m0 (z ux - x uz) + I u + mo (Z wx - X wz)                                      (14)
//
// v_c: velocity of the joint mass centre; (X, Z), w: place and velocity of the observer. Without walls P and L are
// constant, whatever the damping and friction, while friction's force and torque belong together (friction_force = 1).
//
// The preset "script" is what the script of the source integrates: R replaced by its sign (its latch is rewritten all
// through the contact), friction's force between discs twice what its torque belongs to, I about a diameter, an arm of
// 1 m at the wall. The preset "corrected" is the above.
//
// A sample has some 40 numbers, 12 more for each disc and one for each pair. On a GPU they lie in local memory, which it
// interleaves by thread, and so by sample, and caches; the positions, velocities and slopes of a step of up to four
// discs are in registers, as far as these go. Between launches a sample lies in its slot of global memory.
//
// Sources: sympy gallery, "Colliding discs" (Kane's method); Hunt and Crossley, J. Appl. Mech. 42 (1975) 440.
#pragma once

#include <limits>

#include "../capacities.hpp"
#include "../integrate.hpp"
#include "../mistake.hpp"
#include "../placement.hpp"
#include "disc_box/stepping.hpp"
#include "disc_box/table.hpp"
#include "disc_box/cases.hpp"

namespace scree {

template <class Real, int most>
struct DiscBoxOf {
  /// One register: 0.11 us a step of three discs with AVX-512 (0.35 on a double), 0.14 with AVX2 (0.37); with two, 0.15
  /// and 0.19. At 40 discs 4.7 us (14).
  static constexpr int pack_registers = 1;

  using Capacities = DiscBoxCapacities;
  template <int n>
  struct Sized {
    template <class R>
    using System = DiscBoxOf<R, n>;
  };
  static int bodies(const DiscBoxParams<double>& p) { return static_cast<int>(p.discs); }

  using Schemes = SchemeList<Rk4Redo, Rk4Events, Rk4Graded>;
  using Params = DiscBoxParams<Real>;
  using Start = DiscBoxStart<Real>;
  using Summary = DiscBoxSummary<Real>;
  using Track = DiscBoxTrack<Real>;
  using State = DiscState<Real, most>;
  using Lane = DiscLane<Real, most>;

  template <class Table>
  static void describe(Table& table) {
    describe_disc_box<Real>(table);
  }

  static Mistake mistake(const World& world, const Sample<DiscBoxOf>& sample) {
    const DiscBoxParams<double>& p = sample.params;
    double radius[most_discs];
    for (double& r : radius) r = p.radius;
    const Mistake placement =
        placement_mistake(p, highest(p.discs), radius, sample.start.position.at, sample.draws);
    if (placement.text || p.random_placement == 1) return placement;
    // A start at which discs touch is good to the rounding of its positions.
    const Lane lane = prepare(world, sample);
    const double rounding = 1e-12 * p.radius;
    for (int j = 0; j < lane.count(); ++j) {
      for (int i = 0; i < j; ++i)
        if (!(gap_at(lane, i, j) >= -rounding))
          return "start.position: two discs overlap";
      const bool inside = p.circle == 1
                              ? gap_at(lane, j, circle_wall) >= -rounding
                              : gap_at(lane, j, x_wall) >= -rounding && gap_at(lane, j, z_wall) >= -rounding;
      if (!inside) return "start.position: a disc reaches beyond the wall";
    }
    return nullptr;
  }

  /// A tenth of the shortest contact that can begin, s: longer steps hardly see it, and shorter ones by ten are good to
  /// some 1e-4. It is that of Hertz (without damping) in which all of the start's energy meets in two discs, or in one
  /// and the wall, with the least mass that a push at the centre can meet: by (2) and (3) the inverse of
  /// (1 + mo^2 a^2 / (m D)) / m, the observer being across the push. Infinity if nothing moves.
  template <class Scheme>
  static double largest_step(const World& world, Sample<DiscBoxOf> sample) {
    sample.params.random_placement = 0;  // wherever they are
    const Lane lane = prepare(world, sample);
    const DiscLaw<double>& law = lane.law;
    const DiscTotals<double> totals = disc_totals(law, lane.moment, lane.inverse_inertia, lane.state);
    const double energy = totals.kinetic_translation + totals.kinetic_rotation;
    if (!(energy > 0)) return __builtin_huge_val();
    double yields = 0;  // largest inverse of such a mass, 1/kg
    for (int i = 0; i < lane.count(); ++i) {
      const double swing = lane.moment[i] * law.inverse_mass;
      yields = larger(fma(swing * swing, lane.inverse_inertia[i], law.inverse_mass), yields);
    }
    const auto contact = [&](double stiffness, double mass) {
      return disc_box_cases::hertz_duration(stiffness, mass, sqrt(2 * energy / mass));
    };
    double shortest = contact(law.wall_stiffness, 1 / yields);
    if (lane.count() > 1) {
      const double pen = law.penetration;
      shortest = smaller(contact(law.stiffness * (pen * sqrt(pen)), 1 / (2 * yields)), shortest);
    }
    return 0.1 * shortest;
  }

  HOST_DEVICE static Lane prepare(const World&, const Sample<DiscBoxOf>& sample) {
    const Real zero = Real(0.0), one = Real(1.0), two = Real(2.0), three = Real(3.0);
    const Params& p = sample.params;
    const Start& start = sample.start;
    Lane lane{};
    DiscLaw<Real>& law = lane.law;
    const int n = highest(p.discs);
    const bool circle = any(p.circle > zero);
    law.discs = p.discs;
    law.reach = two * p.radius;
    law.reach2 = law.reach * law.reach;
    law.circle = p.circle;
    const Enclosure<Real> enclosure = enclosure_of<Real>(p);
    law.room = (circle ? enclosure.radius : enclosure.half_width) - p.radius;
    law.room2 = law.room * law.room;
    law.room_z = enclosure.half_height - p.radius;
    const Real modulus = p.youngs_modulus / fma(-p.poisson_ratio, p.poisson_ratio, one);  // 1 / s of equation (8)
    const Real hertz = two * modulus / three;
    law.stiffness = hertz * sqrt(p.radius / two);
    law.wall_stiffness = hertz * sqrt(circle ? p.radius * p.wall_radius / (p.wall_radius - p.radius) : p.radius);
    law.damping = Real(1.5) * (one - p.c_tau);
    law.penetration = p.penetration;
    law.latched = p.onset_latch;
    law.onset_floor = p.onset_floor;
    law.friction = p.friction;
    law.wall_friction = p.wall_friction;
    law.coulomb = p.coulomb;
    law.slip2 = p.slip_speed * p.slip_speed;
    law.friction_force = p.friction_force;
    law.wall_arm = select(p.unit_wall_arm > zero, one, p.radius);
    law.mass = p.mass;
    law.observer = p.observer_mass;
    law.inverse_mass = one / (p.mass + p.observer_mass);
    law.inertia = p.inertia_factor * (p.mass * (p.radius * p.radius));
    lane.perimeter = circle ? Real(6.28318530717958647693) * p.wall_radius
                            : Real(4.0) * (enclosure.half_width + enclosure.half_height);
    lane.status = Real(running);

    Vec2<Real> position[most] = {};
    if (any(p.random_placement > zero)) {
      Real radius[most] = {};
      for (int i = 0; i < n; ++i) radius[i] = p.radius;
      DrawStream draws = sample.draws;
      if (!place_discs(draws, n, radius, enclosure, p.gap, position))
        lane.status = Real(static_cast<double>(Status::not_placed));
    } else {
      for (int i = 0; i < n; ++i) position[i] = start.position[i];
    }
    State& y = lane.state;
    for (int i = 0; i < n; ++i) {
      const Real a = p.radius * p.observer_offset[i];
      lane.moment[i] = p.observer_mass * a;
      lane.inverse_inertia[i] = one / fma(lane.moment[i] * a, p.mass * law.inverse_mass, law.inertia);
      y.x[i] = position[i].x;
      y.z[i] = position[i].y;
      y.ux[i] = start.velocity[i].x;
      y.uz[i] = start.velocity[i].y;
      y.q[i] = start.angle[i];
      y.u[i] = start.spin[i];
      lane.start_x[i] = y.x[i];
      lane.start_z[i] = y.z[i];
    }
    const DiscTotals<Real> totals = disc_totals(law, lane.moment, lane.inverse_inertia, y);
    lane.record.energy0 = totals.energy();
    lane.record.angular0 = totals.angular_momentum;
    return lane;
  }

  template <class Scheme>
  HOST_DEVICE static void begin(const World& world, Lane& lane) {
    Scheme::step(lane, Real(world.step));
  }
  template <class Scheme>
  HOST_DEVICE static void finish(const World& world, Lane& lane) {
    const State& y = lane.state;
    lane.steps = lane.steps + Real(1.0);
    Real size = Real(0.0), radius = lane.record.radius_sum;
    for (int i = 0; i < lane.count(); ++i) {
      const Real square = fma(y.x[i], y.x[i], y.z[i] * y.z[i]);
      radius = radius + sqrt(square);
      size = size + fma(y.u[i], y.u[i], fma(y.ux[i], y.ux[i], fma(y.uz[i], y.uz[i], square)));
    }
    lane.record.radius_sum = radius;
    end_where<Real>(lane, Status::diverged, !bounded(size));
    end_where<Real>(lane, Status::end_time, time_is_up(world, lane.steps));
  }

  HOST_DEVICE static Summary summarize(const World& world, const Lane& lane) {
    const Real zero = Real(0.0), one = Real(1.0), none = Real(std::numeric_limits<double>::quiet_NaN());
    const State& y = lane.state;
    const DiscRecord<Real>& r = lane.record;
    const int n = lane.count();
    const DiscTotals<Real> totals = disc_totals(lane.law, lane.moment, lane.inverse_inertia, y);
    Summary c;
    c.energy_start = r.energy0;
    c.energy_end = totals.energy();
    c.kinetic_translation = totals.kinetic_translation;
    c.kinetic_rotation = totals.kinetic_rotation;
    c.damping_work = y.damping_work;
    c.friction_work = y.friction_work;
    c.energy_error = (c.energy_end - c.energy_start) + (y.damping_work + y.friction_work);
    c.impacts_disc = r.impacts_disc;
    c.impacts_wall = r.impacts_wall;
    c.onset_speed_mean = ratio_or_nan(r.onset_sum, r.impacts_disc + r.impacts_wall);
    c.onset_speed_max = select(r.onset_max > zero, r.onset_max, none);
    c.restitution = ratio_or_nan(r.release_sum, r.ended_onset_sum);
    c.contact_time = ratio_or_nan(r.contact_steps, lane.steps);
    c.overlap_max = r.overlap_max;
    c.momentum_x = totals.momentum_x;
    c.momentum_z = totals.momentum_z;
    c.angular_momentum = totals.angular_momentum;
    c.angular_momentum_change = totals.angular_momentum - r.angular0;
    c.wall_impulse = y.wall_impulse;
    c.wall_pressure = ratio_or_nan(y.wall_impulse, lane.perimeter * (lane.steps * Real(world.step)));
    c.centre_radius = ratio_or_nan(r.radius_sum, lane.steps * lane.law.discs);
    Real x = zero, z = zero, square = zero, turned = zero;
    for (int i = 0; i < n; ++i) {
      x = x + y.x[i];
      z = z + y.z[i];
      square = square + fma(y.x[i], y.x[i], y.z[i] * y.z[i]);
      for (int j = 0; j < i; ++j) {
        const Real now = difference_of_products(y.x[i], y.z[j], y.z[i], y.x[j]);
        const Real then = difference_of_products(lane.start_x[i], lane.start_z[j], lane.start_z[i], lane.start_x[j]);
        turned = turned + select(now * then < zero, one, zero);
      }
    }
    x = x / lane.law.discs;
    z = z / lane.law.discs;
    c.centre_spread = sqrt(larger(square / lane.law.discs - fma(x, x, z * z), zero));
    c.mixing = ratio_or_nan(turned, Real(0.5) * (lane.law.discs * (lane.law.discs - one)));
    c.first_x = y.x[0];
    c.first_z = y.z[0];
    return c;
  }

  HOST_DEVICE static Track track(const World&, const Lane& lane) {
    const State& y = lane.state;
    const DiscTotals<Real> totals = disc_totals(lane.law, lane.moment, lane.inverse_inertia, y);
    Track row{};
    for (int i = 0; i < lane.count(); ++i) {
      row.x[i] = y.x[i];
      row.z[i] = y.z[i];
      row.angle[i] = y.q[i];
      row.vx[i] = y.ux[i];
      row.vz[i] = y.uz[i];
      row.spin[i] = y.u[i];
    }
    row.energy = totals.energy();
    row.kinetic_translation = totals.kinetic_translation;
    row.kinetic_rotation = totals.kinetic_rotation;
    row.elastic = totals.elastic;
    row.damping_work = y.damping_work;
    row.friction_work = y.friction_work;
    row.momentum_x = totals.momentum_x;
    row.momentum_z = totals.momentum_z;
    row.angular_momentum = totals.angular_momentum;
    return row;
  }

 private:
  static double gap_at(const Lane& lane, int i, int j) { return contact_at(lane.law, lane.state, i, j).gap; }
};

/// Of any number of discs.
template <class Real>
using DiscBox = DiscBoxOf<Real, most_discs>;

}  // namespace scree
