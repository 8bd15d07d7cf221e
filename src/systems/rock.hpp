// A convex polyhedral rock on terrain: free flight, impacts and friction at its vertices, and a scarring ground.
//
//   q = (r, p), u = (v, w): centre of mass and orientation, velocity in world axes and spin in principal axes
//   M du = h(q, u) dt + sum W_i dP_i,   r' = v,   p' = F(p) w                         (L14 eqs 24-31, L21 eqs 76-78)
//
// Moreau's midpoint step (L21 eqs 79-90):
//   r_h = r + h/2 v,  p_h = p + h/2 F(p) w;  contacts and their frames from (r_h, p_h)            (79)
//   v_f = ((1 - k) v + h g) / (1 + k),  w_f by the rotor                                          (84)
//   v1 = v_f + sum d P / (m (1 + k)),  w1 = w_f + Theta^-1 sum y P                                (85)
//   r1 = r_h + h/2 v1;  p1 by the rotor                                                           (86)-(90)
// k = h nu / 2 while a contact is closed and 0 in flight: ground drag per unit mass, on translation only. A drag layer
// above the ground adds to it (drag_factor).
//
// Soil (soil.hpp) may lie above the hard ground, which then is d below the terrain: a contact is closed where a vertex
// is as deep. d is that of the step in which the rock touches the soil, and is kept until the rock is out of it. The
// soil's drag is a rate frozen at |v|, on the mean of the velocities before and after:
//   q = h C_d rho_s A |v| / (2 m),  k_s = q / (2 + q),  k <- (k + k_s) / (1 + k k_s)
// so that the factors (1 - k) / (1 + k) multiply. Its work -(k m / 2) |v0 + v1|^2 is not positive, whatever P is; a
// drag by the velocity before, L14 (49) and (56), or after the step may add energy where P turns the rock round. A drag
// of the spin of torque -C_w rho_s A |v| (5/4) Theta w / m likewise, k_w = q_w / (2 + q_w), q_w = (5/2) q C_w / C_d.
//
// Friction grows with the length s of the scar that the rock is cutting (L14 eqs 46, 47, 51; one s per rock):
//   mu(s) = mu_min + 2/pi (mu_max - mu_min) atan(kappa s),   s' = |v| in contact, s' = -beta s otherwise
// Restitution: a contact that presses leaves with gamma_N1 = -e gamma_N0, gamma_0 = W^T (v, w_f). With e > 0 a contact
// acts at the foot of its vertex on the ground, y <- y - g A^T n with g the vertex's gap, not at the vertex, which lies
// up to h |v_n| below. For vertices sink to different depths, and the line between two of them is tilted against the
// ground: to stick at both, each with an e gamma_N0 of its own, it would have to change its length, and percussions
// along it build up over thousands of sweeps until one contact slips. The line between two feet lies in the ground.
// Normal columns of W are the same for both, and so is the energy balance without friction. With e = 0 all contacts
// leave with 0, which a rigid body can do, and the vertices serve.
//
// Lengths of a rock of scale s are s times its shape's, its mass s^3 and its moments s^5 times.
//
// mu is frozen over a step. There is no position correction: it would break the energy balance; a vertex sinks by at
// most |v_n| h. A rock stops when |v| < v_stop and |w| r_max < v_stop, a contact closed, for t_stop,
// unless all of it is below the hard ground.
//
// Sources: Leine et al., Multibody Syst. Dyn. 52 (2021) 431 [L21] and 32 (2014) 241 [L14]; of soil Lu et al.,
// Landslides 16 (2019) 2353 [Lu19], which has no drag of the spin.
#pragma once

#include "../contact/gauss_seidel.hpp"
#include "../contact/scan.hpp"
#include "../contact/soil.hpp"
#include "../elementary.hpp"
#include "../ensemble.hpp"
#include "../integrate.hpp"
#include "../passage.hpp"
#include "../steppers/rotor_rk4.hpp"
#include "rock/record.hpp"

namespace scree {

template <class Real>
struct Rock {
  using Schemes = SchemeList<RotorExplicit, RotorMidpoint<ExpB>, RotorMidpoint<Cayley>, RotorRk4>;
  using Params = RockParams<Real>;
  using Start = RockStart<Real>;
  using Summary = RockSummary<Real>;
  using Track = RockTrack<Real>;
  using Passage = RockPassage<Real>;

  /// Every vertex on both half-spaces of a ramp.
  static constexpr int most_contacts = 2 * max_vertices;
  static constexpr int cuda_blocks = 3;

  template <class Table>
  static void describe(Table& table) {
    describe_rock<Real>(table);
  }

  static Mistake mistake(const World& world, const Sample<Rock>& sample) {
    if (const Mistake mistake = rock_mistake(world, sample.params, sample.start); mistake.text) return mistake;
    if (!(world.forest.areas > 0.0)) return nullptr;
    const Vec3<Real>& r = sample.start.position;
    return mistake_at_stems(world, sample.draws.sample, r.x, r.y, radius_of(world, prepare(world, sample)));
  }

  static constexpr const char* too_long_step = "drag times half a step must stay below 1: the velocity would flip";
  template <class Scheme>
  static double largest_step(const World& world, const Sample<Rock>& sample) {
    return rock_longest_step(world, sample.params, sample.start);
  }

  // What steps read of the parameters.
  struct Brakes : RockBrakes<Real> {
    Real gravity;
  };
  struct Ground : RockFooting<Real> {
    Real contact_tolerance, contact_sweeps;
  };
  /// What the brake of a rock in soil reads.
  struct Submerged {
    Brakes brakes;
    Real mass;
    Vec3<Real> inertia;
    Vec3<Real> velocity, omega, middle;
    Quaternion<Real> middle_orientation;
    Real gap;
  };
  /// What the contact solve of a step reads.
  struct Approach : Submerged {
    Ground ground;
    Real shape, scale;  // shape: its offset in the tables
    Real scar, hits[2];
    Real contacts;  // how many the solve has room for: hits, or 1 for a rock in soil alone, which is braked
  };
  /// What both change.
  struct Motion {
    Vec3<Real> next_velocity, next_omega;
  };
  /// And what the solve changes.
  struct Outcome : Motion {
    Real touching, status;
    Real effort;  // sweeps of the last solve; after `begin` 0 for a rock in soil alone, for others 1 or more
    Real closed;  // contacts with hard ground
    Real depth;   // of the hard ground below the soil that the rock is in, m; 0: it is in none
    ContactTally<Real> tally;
  };
  struct Lane : Approach, Outcome {
    RockRecord<Real> record;
    Real vertices, radius;
    Vec3<Real> position;
    Quaternion<Real> orientation;
    Real healing, stop_speed, stop_time, steps, rest_steps;
    Real ground_class, sample;  // of the map, at the last midpoint; the sample's number
    Real height;                // of the centre of mass above the terrain, m, vertical; NaN where there is none
    // within a step
    Quaternion<Real> next_orientation;
  };

  /// The rock at its release. With `set_down` it is put on the terrain with `start.gap` under its lowest vertex;
  /// `speed` is added along the fall line.
  HOST_DEVICE static Lane prepare(const World& world, const Sample<Rock>& sample) {
    const Real zero = Real(0.0);
    Lane lane{};
    const Start& start = sample.start;
    lane.shape = Real(drawn_shape(world, lane_of(start.shape, 0), sample.draws));
    const auto shape = table_row(world.tables, lane.shape);
    lane.vertices = shape[ShapeLayout::vertices];
    const RockSize<Real> size = rock_size(shape, start);
    lane.scale = size.scale;
    lane.radius = lane.scale * Real(shape[ShapeLayout::radius]);
    lane.mass = size.mass;
    lane.inertia = (lane.mass * (lane.scale * lane.scale)) *
                   Vec3<Real>{shape[ShapeLayout::inertia], shape[ShapeLayout::inertia + 1],
                              shape[ShapeLayout::inertia + 2]};
    const Quaternion<Real> axes{shape[ShapeLayout::axes], shape[ShapeLayout::axes + 1], shape[ShapeLayout::axes + 2],
                                shape[ShapeLayout::axes + 3]};
    lane.orientation = normalized(normalized(start.orientation) * axes);
    lane.omega = transposed_times(rotation(axes), start.omega);
    lane.position = start.position;
    if (world.set_down != 0.0) {
      lane.position.z = zero;
      lane.position.z = set_down_shift(world.terrain, world.tables, lane.shape, start.gap, lane.position,
                                       lane.scale * rotation(lane.orientation));
    }
    const Vec3<Real> down = fall_line(world.terrain, world.tables, lane.position.x, lane.position.y);
    lane.velocity = fma(start.speed, down, start.velocity);
    const Params& p = sample.params;
    lane.sample = Real(static_cast<double>(sample.draws.sample));
    lane.ground_class = zero;
    if (world.ground.classes > 0.0) lane.ground_class = world.ground.at(world.tables, lane.position.x, lane.position.y);
    const RockGroundTerms<Real> ground = ground_terms(world, ground_of(p, highest(lane.ground_class)), lane.mass);
    lane.brakes = {ground.brakes, p.gravity};
    lane.ground = {ground.footing, p.contact_tolerance, p.contact_sweeps};
    lane.healing = ground.healing;
    lane.stop_speed = p.stop_speed;
    lane.stop_time = p.stop_time;
    lane.status = Real(running);
    lane.effort = Real(1.0);
    lane.record = first_record(lane, down);
    lane.height = lane.position.z - ground_height(world.terrain, world.tables, lane.position.x, lane.position.y);
    return lane;
  }

  /// Kinetic energy, J.
  ALWAYS_INLINE static Real rotational_energy(const Lane& lane) {
    return Real(0.5) * dot(scale(lane.inertia, lane.omega), lane.omega);
  }
  HOST_DEVICE static Real kinetic_energy(const Lane& lane) {
    return fma(Real(0.5) * lane.mass, dot(lane.velocity, lane.velocity), rotational_energy(lane));
  }
  /// Kinetic and potential energy, J; the level is z = 0.
  HOST_DEVICE static Real energy(const Lane& lane) {
    return fma(lane.mass * lane.brakes.gravity, lane.position.z, kinetic_energy(lane));
  }

  /// Midpoint, contact set, and the step as it would be without contact.
  template <class Scheme>
  HOST_DEVICE static void begin(const World& world, Lane& lane) {
    const Real h = Real(world.step), half = Real(0.5) * h;
    lane.middle = fma(half, lane.velocity, lane.position);
    lane.middle_orientation = normalized(half_turn(lane.orientation, lane.omega, h));
    if (world.ground.classes > 0.0) take_ground(world, lane);
    const Scan<Real> found =
        scan(world.terrain, world.tables, lane.shape, lane.radius, lane.middle,
             lane.scale * rotation(lane.middle_orientation), lane.depth);
    lane.gap = found.least_gap;
    lane.hits[0] = found.hits[0];
    lane.hits[1] = found.hits[1];
    const auto soil = in_soil(lane, lane.depth);
    lane.depth = select(soil, lane.depth, Real(0.0));
    lane.closed = found.count;
    lane.contacts = found.count;
    lane.effort = larger(lane.effort, Real(1.0));
    if (any(soil)) {
      lane.contacts = select(soil, larger(found.count, Real(1.0)), found.count);
      lane.effort = select(soil & !(found.count > Real(0.0)), Real(0.0), lane.effort);  // a brake and no solve
    }
    lane.record.unsupported_vertices = larger(found.unsupported, lane.record.unsupported_vertices);
    if constexpr (Scheme::orientation_needs_contact) {
      lane.next_omega = Scheme::free_spin(lane.inertia, lane.omega, h);
    } else {
      const Rotation<Real> next = Scheme::free_step(lane.inertia, lane.omega, lane.orientation, h);
      lane.next_omega = next.w;
      lane.next_orientation = next.p;
    }
    lane.next_velocity = free_velocity(world, lane, drag_factor(world, lane, found.count > Real(0.0)));
  }

  /// The contact solve, eq (85), for at most `capacity` contacts. False, and nothing is changed, if it was given up.
  template <class Scheme, int capacity, int patience = 0>
  HOST_DEVICE static bool contact(const World& world, const Approach& lane, Outcome& outcome) {
    const Real h = Real(world.step), zero = Real(0.0), one = Real(1.0);
    const Ground& ground = lane.ground;
    const Mat3<Real> axes = rotation(lane.middle_orientation);
    Real depth = outcome.depth, contact_count = outcome.closed;
    Real left[2] = {lane.hits[0], lane.hits[1]}, spin_brake = zero;
    Twist<Real> free{outcome.next_velocity, outcome.next_omega};
    const auto soil = in_soil(lane, depth);
    if (any(soil)) enter(world, lane, axes, soil & !(depth > zero), depth, left, contact_count);
    Real k = drag_factor(world, lane, contact_count > zero);
    if (any(soil)) {
      slow<Scheme>(world, lane, axes, soil, k, spin_brake, free);
      if (!any(contact_count > zero)) {
        outcome.depth = depth;
        outcome.closed = outcome.touching = zero;
        outcome.next_velocity = free.v;
        outcome.next_omega = free.w;
        outcome.effort = zero;
        return true;
      }
    }
    const Mobility<Real> rock{one / (lane.mass * (one + k)), Scheme::response(lane.inertia, lane.omega, h, spin_brake)};
    // The spin without a brake: so the work of the percussions is that of the mean velocities at the contacts.
    const Twist<Real> before{lane.velocity, Scheme::restitution_uses_free_spin ? outcome.next_omega : lane.omega};
    const int count = capacity == 1 ? 1 : highest(contact_count);
    const auto bounces = ground.restitution > zero;
    Contact<Real> contacts[capacity];
    Real number = zero;
    Mask<Real> second = zero > zero;
    SCREE_ROLLED
    for (int i = 0; i < count; ++i) {
      // A lane of a pack with fewer contacts than another repeats its last one, without a percussion. Any other vertex
      // may be over missing data, and 0 times what is no number would be none.
      const Mask<Real> first = left[0] > zero, some = first | (left[1] > zero);  // the first half-space's come first
      Real set = select(first, left[0], left[1]);
      number = select(some, take_lowest_bit(set), number);
      second = select(some, !first, second);
      const Vec3<Real> body = lane.scale * vertex_of(world, lane.shape, number);
      left[0] = select(first, set, zero);
      left[1] = select(first, left[1], set);
      Contact<Real>& c = contacts[i];
      const Vec3<Real> vertex = lane.middle + axes * body;
      contact_frame(world.terrain, world.tables, second, vertex, c.d);
      Vec3<Real> arm = body;
      if (any(bounces)) {
        const Real gap = contact_gap(world.terrain, world.tables, second, vertex) + depth;
        arm = select(bounces, fma(-gap, transposed_times(axes, c.d[0]), body), body);
      }
      for (int a = 0; a < 3; ++a) c.y[a] = cross(arm, transposed_times(axes, c.d[a]));
      complete(c, rock);
      c.bounce = ground.restitution * (dot(c.d[0], before.v) + dot(c.y[0], before.w));
    }
    const Real two_over_pi = Real(0.63661977236758134308);
    const Real mu = fma(two_over_pi * (ground.friction_max - ground.friction_min), atan(ground.scar_growth * lane.scar),
                        ground.friction_min);
    Twist<Real> after;
    ContactVector<Real> p[capacity];
    const SolveReport<Real> report =
        solve_contacts<Real, capacity, patience>(contacts, count, contact_count, mu, rock, ground.contact_tolerance,
                                                 ground.contact_sweeps, free, after, p);
    if (report.given_up) return false;
    const auto solid = contact_count > zero;
    outcome.depth = depth;
    outcome.closed = contact_count;
    outcome.next_velocity = select(solid, after.v, free.v);
    outcome.next_omega = select(solid, after.w, free.w);
    Real pressed = zero, rebound = zero;
    for (int i = 0; i < count; ++i) {
      const auto presses = solid & (p[i].x > zero);
      pressed = select(presses, one, pressed);
      rebound = select(presses, larger(-contacts[i].bounce, rebound), rebound);
    }
    ContactTally<Real>& tally = outcome.tally;
    const Real lost = lane.brakes.gravity * h;
    tally.micro_bounces = tally.micro_bounces + select((rebound > Real(1e-3) * lost) & (rebound <= lost), one, zero);
    tally.impacts = tally.impacts + pressed * (one - outcome.touching);
    outcome.touching = pressed;
    outcome.effort = report.sweeps;
    tally.sweeps = select(solid, tally.sweeps + report.sweeps, tally.sweeps);
    tally.contact_solves = select(solid, tally.contact_solves + one, tally.contact_solves);
    tally.capped_steps = select(solid & report.capped, tally.capped_steps + one, tally.capped_steps);
    tally.twofold_steps = select(solid & report.twofold, tally.twofold_steps + one, tally.twofold_steps);
    tally.residual_max = select(solid, larger(report.residual, tally.residual_max), tally.residual_max);
    outcome.status = select(solid & report.failed, Real(static_cast<double>(Status::not_converged)), outcome.status);
    return true;
  }

  /// What `contact` does where effort is 0: the brake of a rock in soil alone.
  template <class Scheme>
  HOST_DEVICE static void ease(const World& world, const Submerged& lane, Motion& motion) {
    const Real zero = Real(0.0);
    const Mask<Real> soil = lane.gap <= zero;
    Real k = drag_factor(world, lane, zero > zero), spin_brake = zero;
    Twist<Real> free{motion.next_velocity, motion.next_omega};
    slow<Scheme>(world, lane, rotation(lane.middle_orientation), soil, k, spin_brake, free);
    motion.next_velocity = free.v;
    motion.next_omega = free.w;
  }

  /// Takes the new velocities, moves on, folds the step into the record and ends the sample if it is over.
  template <class Scheme>
  HOST_DEVICE static void finish(const World& world, Lane& lane) {
    const Real h = Real(world.step), half = Real(0.5) * h, zero = Real(0.0), one = Real(1.0);
    if constexpr (Scheme::orientation_needs_contact)
      lane.next_orientation = Scheme::turn(lane.middle_orientation, lane.next_omega, h);
    const auto closed = lane.closed > zero;
    lane.touching = select(closed, lane.touching, zero);
    const Vec3<Real> from = lane.position;
    lane.velocity = lane.next_velocity;
    lane.omega = lane.next_omega;
    lane.orientation = lane.next_orientation;
    lane.position = fma(half, lane.velocity, lane.middle);
    lane.steps = lane.steps + one;

    const Real speed = norm(lane.velocity), rotation_rate = norm(lane.omega);
    lane.scar = select(lane.touching > zero, fma(h, speed, lane.scar), lane.scar * lane.healing);
    Real height = lane.position.z;
    Mask<Real> outside = zero > zero, hole = zero > zero;
    with_kind<IsRough>(
        world.terrain, [&]<class Kind>(const Kind& kind) __attribute__((always_inline)) {
          if constexpr (HeightField<Kind>) {
            const GroundPoint<Real> ground = kind.at(world.tables, lane.position.x, lane.position.y);
            outside = !ground.inside;
            hole = !ground.data;
            height = select(hole, Real(std::numeric_limits<double>::quiet_NaN()), height - ground.height);
          } else {
            height = height_above(kind, lane.position);
          }
        });
    lane.height = height;
    record_step(world, lane, from, speed, rotation_rate, closed);

    const auto buried = lane.gap + lane.depth < -(lane.radius + lane.radius);
    const auto still =
        closed & (!buried) & (speed < lane.stop_speed) & (rotation_rate * lane.radius < lane.stop_speed);
    lane.rest_steps = select(still, lane.rest_steps + one, zero);
    end_where<Real>(lane, Status::diverged, !(bounded(abs(lane.record.energy)) & is_unit(lane.orientation)));
    end_where<Real>(lane, Status::stopped, h * lane.rest_steps > lane.stop_time - half);
    end_off_terrain<Real>(lane, outside, hole);
    end_where<Real>(lane, Status::end_time, time_is_up(world, lane.steps));
  }

  /// To a place of the last step, with the velocity and the energy of rotation that it had there; the orientation is
  /// that of the step's end, and so is the clock. Sums and extremes over steps have the step as a whole.
  HOST_DEVICE static bool put_back(const World& world, Lane& lane, const Moving& at) {
    const Vec3<Real> place{Real(at.x), Real(at.y), Real(at.z)};
    lane.record.step_back(world, lane.position, place);
    lane.position = place;
    const Real turning = rotational_energy(lane);
    const Real factor = turning > Real(0.0) ? sqrt(Real(at.rotational_energy) / turning) : Real(1.0);
    strike(world, lane, {Real(at.velocity.x), Real(at.velocity.y), Real(at.velocity.z)}, factor);
    lane.height = lane.position.z - ground_height(world.terrain, world.tables, lane.position.x, lane.position.y);
    lane.rest_steps = Real(0.0);
    lane.status = Real(running);
    end_where<Real>(lane, Status::end_time, time_is_up(world, lane.steps));
    return true;
  }
  /// Of the sphere of its volume, m.
  HOST_DEVICE static double radius_of(const World& world, const Lane& lane) {
    const double volume = table_row(world.tables, lane.shape)[ShapeLayout::volume];
    return lane.scale * cube_root(0.238732414637843 * volume);  // 3 / (4 pi)
  }
  HOST_DEVICE static void strike(const World&, Lane& lane, const Vec3<Real>& velocity, const Real& keep) {
    lane.velocity = velocity;
    lane.omega = keep * lane.omega;
    lane.record.energy = energy(lane);
  }

  /// About how many steps until a vertex can reach the ground, by the gap and the speeds of the last step.
  HOST_DEVICE static Real quiet_steps(const World& world, const Lane& lane) {
    return lane.gap / (Real(world.step) * fma(norm(lane.omega), lane.radius, norm(lane.velocity)));
  }

  HOST_DEVICE static Summary summarize(const World& world, const Lane& lane) {
    Real strength = lane.ground.soil_strength, restitution = lane.ground.restitution;
    // The run's own ground is nowhere where the map names another one outside of it.
    for (int c = world.ground.outside > 0.0 ? 1 : 0; c <= world.ground.classes && world.ground.classes > 0.0; ++c)
      for (int i = 0; i < lanes_of<Real>; ++i) {
        const RockGround<double> ground = drawn(world, lane_of(lane.sample, i), c);
        set_lane(strength, i, larger(ground.soil_strength, lane_of(strength, i)));
        set_lane(restitution, i, larger(ground.restitution, lane_of(restitution, i)));
      }
    return rock_summary(world, lane, strength, restitution);
  }
  ALWAYS_INLINE static PathPoint<Real, Passage> passage(const World& world, const Lane& lane) {
    const Vec3<Real>&r = lane.position, &v = lane.velocity, &w = lane.omega;
    const Real square = dot(v, v), turning = dot(w, w), rotational = rotational_energy(lane);
    return {{r.x,
             r.y,
             r.z,
             Real(world.step) * lane.steps,
             {fma(Real(0.5) * lane.mass, square, rotational), square, turning, rock_jump(lane.gap),
              larger(lane.height, Real(0.0))}},
            v,
            lane.mass,
            rotational,
            turning};
  }
  HOST_DEVICE static Track track(const World& world, const Lane& lane) {
    const Vec3<Real>&r = lane.position, &v = lane.velocity, &w = lane.omega;
    const Quaternion<Real>& p = lane.orientation;
    return {r.x,
            r.y,
            r.z,
            v.x,
            v.y,
            v.z,
            p.w,
            p.x,
            p.y,
            p.z,
            w.x,
            w.y,
            w.z,
            lane.scar,
            kinetic_energy(lane),
            energy(lane),
            scan(world.terrain, world.tables, lane.shape, lane.radius, r, lane.scale * rotation(p)).least_gap,
            lane.closed,
            lane.depth,
            lane.ground_class};
  }

 private:
  /// The layout of one of the shape's variants, all as likely.
  HOST_DEVICE static double drawn_shape(const World& world, double shape, DrawStream own) {
    const double variants = variants_of_shape(world.tables, world.shapes, shape);
    const double number = variants > 1.0 ? truncate(smaller(own.uniform() * variants, variants - 1.0)) : 0.0;
    return shape_variant(world.tables, world.shapes, shape, number);
  }
  HOST_DEVICE static Vec3<Real> vertex_of(const World& world, const Real& shape, const Real& i) {
    const Real place = shape + i;
    return {gather(world.tables + ShapeLayout::x, place), gather(world.tables + ShapeLayout::y, place),
            gather(world.tables + ShapeLayout::z, place)};
  }

  using Drawn = EnsembleOf<RockParams<double>, RockStart<double>>;
  static HOST_DEVICE RockGround<double> drawn(const World& world, double sample, int ground_class) {
    return drawn_ground(*static_cast<const Drawn*>(world.ensemble), static_cast<std::uint64_t>(sample), ground_class);
  }
  SCREE_COLD HOST_DEVICE static RockGroundTerms<double> terms_drawn(const World& world, double sample,
                                                                    double ground_class, double mass) {
    return ground_terms(world, drawn(world, sample, static_cast<int>(ground_class)), mass);
  }
  /// Takes the ground below the midpoint, where it is of another class than before.
  HOST_DEVICE static void take_ground(const World& world, Lane& lane) {
    const Real below = world.ground.at(world.tables, lane.middle.x, lane.middle.y);
    if (!any(below != lane.ground_class)) return;
    for (int i = 0; i < lanes_of<Real>; ++i) {
      const double found = lane_of(below, i);
      if (found == lane_of(lane.ground_class, i)) continue;
      const RockGroundTerms<double> ground =
          terms_drawn(world, lane_of(lane.sample, i), found, lane_of(lane.mass, i));
      const auto take = [i]<template <class> class Part>(Part<Real>& here, const Part<double>& there) {
        Real* const to = reinterpret_cast<Real*>(&here);
        const double* const from = reinterpret_cast<const double*>(&there);
        SCREE_UNROLLED
        for (std::size_t k = 0; k < sizeof there / sizeof(double); ++k) set_lane(to[k], i, from[k]);
      };
      take.template operator()<RockBrakes>(lane.brakes, ground.brakes);
      take.template operator()<RockFooting>(lane.ground, ground.footing);
      set_lane(lane.healing, i, ground.healing);
      set_lane(lane.ground_class, i, found);
    }
  }
  /// Whether the rock is in soil, or in a scar that it has begun in soil.
  ALWAYS_INLINE static Mask<Real> in_soil(const Approach& lane, const Real& depth) {
    return ((lane.ground.soil_strength > Real(0.0)) | (depth > Real(0.0))) & (lane.gap <= Real(0.0));
  }
  /// Where the rock begins a scar: its depth, and which of the vertices below the terrain are as deep.
  HOST_DEVICE static void enter(const World& world, const Approach& lane, const Mat3<Real>& axes,
                                const Mask<Real>& enters, Real& depth, Real (&hits)[2], Real& count) {
    if (!any(enters)) return;
    const Real zero = Real(0.0), one = Real(1.0);
    const Real strength = select(enters, lane.ground.soil_strength, one);
    depth = select(enters, scar_depth(lane.mass, strength, lane.velocity.z), depth);
    Real left[2] = {select(enters, hits[0], zero), select(enters, hits[1], zero)}, kept[2] = {zero, zero}, hard = zero;
    SCREE_ROLLED
    while (any((left[0] > zero) | (left[1] > zero))) {
      const Mask<Real> second = !(left[0] > zero), some_left = (left[0] > zero) | (left[1] > zero);
      const Real set = select(second, left[1], left[0]);
      Real rest = set;
      const Vec3<Real> body = lane.scale * vertex_of(world, lane.shape, take_lowest_bit(rest));
      left[0] = select(second, zero, rest);
      left[1] = select(second, rest, left[1]);
      const Real gap = contact_gap(world.terrain, world.tables, second, lane.middle + axes * body);
      const Mask<Real> deep = some_left & (gap <= -depth);
      const Real bit = select(deep, set - rest, zero);
      kept[0] = select(second, kept[0], kept[0] + bit);
      kept[1] = select(second, kept[1] + bit, kept[1]);
      hard = select(deep, hard + one, hard);
    }
    hits[0] = select(enters, kept[0], hits[0]);
    hits[1] = select(enters, kept[1], hits[1]);
    count = select(enters, hard, count);
  }
  /// What the soil adds to k, that of the spin, and the free motion with both.
  template <class Scheme>
  HOST_DEVICE static void slow(const World& world, const Submerged& lane, const Mat3<Real>& axes,
                               const Mask<Real>& soil, Real& k, Real& spin_brake, Twist<Real>& free) {
    brake(world, lane, axes, soil, k, spin_brake);
    free.v = select(soil, free_velocity(world, lane, k), free.v);
    if (any(spin_brake > Real(0.0)))
      free.w = select(soil, Scheme::braked(lane.inertia, lane.omega, free.w, Real(world.step), spin_brake), free.w);
  }
  /// What the soil adds to k, and that of the spin: Lu19 eq (9) as a rate frozen at |v|, on the mean of the velocities
  /// before and after the step. The ground's normal is that below the centre of mass.
  HOST_DEVICE static void brake(const World& world, const Submerged& lane, const Mat3<Real>& axes,
                                const Mask<Real>& soil, Real& k, Real& spin_brake) {
    const Real zero = Real(0.0);
    const Vec3<Real> up = transposed_times(axes, ground_normal(world.terrain, world.tables, lane.middle));
    const Real swept = submerged_area(ellipsoid_of(lane.inertia, lane.mass), up,
                                      transposed_times(axes, lane.velocity), larger(-lane.gap, zero));
    const auto with = [&](const Real& brake, const Real& rate) {  // and k_s = q / (2 + q), over one denominator
      const Real q = select(soil, rate * swept, zero), sum = q + Real(2.0);
      return fma(brake, sum, q) / fma(brake, q, sum);
    };
    k = with(k, lane.brakes.soil_rate);
    if (any(lane.brakes.soil_spin_rate > zero)) spin_brake = with(zero, lane.brakes.soil_spin_rate);
  }
  /// k = h nu / 2 with a closed contact, plus h c_d / (2m) inside L14's drag layer (eqs 10-11).
  HOST_DEVICE static Real drag_factor(const World& world, const Submerged& lane, const Mask<Real>& closed) {
    const Real half = Real(0.5) * Real(world.step), zero = Real(0.0);
    Real rate = select(closed, lane.brakes.drag, zero);
    if (any(lane.brakes.layer_drag > zero)) {
      const Vec3<Real>& r = lane.middle;
      const Real above = r.z - ground_height(world.terrain, world.tables, r.x, r.y);
      rate = rate + select(above < lane.brakes.layer_height, lane.brakes.layer_drag / lane.mass, zero);
    }
    return half * rate;
  }
  HOST_DEVICE static Vec3<Real> free_velocity(const World& world, const Submerged& lane, const Real& k) {
    const Real h = Real(world.step), one = Real(1.0);
    const Vec3<Real>& v = lane.velocity;
    if (!any(k > Real(0.0))) return {v.x, v.y, fma(-h, lane.brakes.gravity, v.z)};
    const Real keep = (one - k) / (one + k), push = h / (one + k);
    return {keep * v.x, keep * v.y, fma(-push, lane.brakes.gravity, keep * v.z)};
  }
  HOST_DEVICE static RockRecord<Real> first_record(const Lane& lane, const Vec3<Real>& down) {
    RockRecord<Real> record = RockRecord<Real>::empty();
    const Real level = sqrt(fma(down.x, down.x, down.y * down.y));
    record.start = lane.position;
    record.fall_x = down.x / level;
    record.fall_y = down.y / level;
    record.energy = energy(lane);
    return record;
  }
  HOST_DEVICE static void record_step(const World& world, Lane& lane, const Vec3<Real>& from, const Real& speed,
                                      const Real& rotation_rate, const Mask<Real>& closed) {
    const Real rotational = rotational_energy(lane);
    const Real kinetic = fma(Real(0.5) * lane.mass, speed * speed, rotational);
    const Real total = fma(lane.mass * lane.brakes.gravity, lane.position.z, kinetic);
    lane.record.step(world,
                     {from, lane.position, lane.omega.z, lane.gap, speed, rotation_rate, rotational, kinetic, total,
                      lane.height, lane.depth},
                     closed);
  }
};

}  // namespace scree
