// The running record of a rock, and the summary columns that it comes to.
//
// Averages are time means over the whole run; `slope_*` are time means over 0.3 x_foot < x < x_foot of a ramp, 0 for a
// rock that stopped before it got there, so that every rock counts in their mean (an average over those alone that
// passed would compare the schemes over different rocks). The jump height is the least vertex gap at the step's
// midpoint, normal to the terrain, clipped at 0. The alignment is |w . e3| / |w| with e3 the axis of largest inertia, 0
// for |w| <= 1e-3 rad/s; a rock that turns about e3 like a wheel has 1.
//
// `flat_*` are over x >= x_foot. A wheel index is the share of the time without a closed contact in
// which the alignment is above 0.95. What a rock has no time for does not exist and is NaN, as the wheel index on the
// slope of a rock that never flew there, or the alignment on the flat of one that stopped before: as 0 it would look
// like a rock that does not turn as a wheel.
//
// `flight_*` are over the steps whose least vertex gap is above 0, so that no vertex is in the ground or its soil, and
// that end faster than 0.1 m/s: the reading of Lu et al. (Landslides 16 (2019) 2353, p. 2362), of which a mean and a
// deviation are over the steps of all rocks. Their height is that of the centre of mass above the terrain, vertical, at
// the end of the step.
//
// Bounces with restitution become lower, ever faster: a cascade that ends within a time that no step resolves. A
// micro-bounce is a step whose fastest rebound, r = max(-e gamma_N0) over the contacts that press, is no faster than
// what gravity takes away in a step, so that the flight after it is over within two:
//   g h / 1000 < r <= g h.
// Below that it is rest. Of the end of a cascade every second step is one, as the steps between see the contact leave:
// ln(1000) / (2 ln(1/e)) or so, 2 for e = 0.2 and 33 for e = 0.9. Without restitution there is no such number.
#pragma once

#include <limits>

#include "../../elementary.hpp"
#include "../../endings.hpp"
#include "table.hpp"

namespace scree {

/// One step as the record sees it.
template <class Real>
struct RockStep {
  Vec3<Real> from, to;
  Real spin3, gap, speed, rotation, rotational_energy, kinetic_energy, energy;
  Real height;  // of the centre of mass above the terrain, vertical; not a number where there is none
  Real depth;   // of the scar, 0 outside soil
};

/// The jump height of a rock with this least vertex gap, m: none where no corner is above ground.
template <class Real>
ALWAYS_INLINE Real rock_jump(const Real& gap) {
  const Real zero = Real(0.0);
  return select((gap > zero) & bounded(gap), gap, zero);
}

/// What the contact solves of one sample say so far.
template <class Real>
struct ContactTally {
  Real impacts, micro_bounces, contact_solves, sweeps, capped_steps, twofold_steps, residual_max;
};

/// Sums and extremes of one sample so far.
template <class Real>
struct RockRecord {
  Vec3<Real> start;
  Real fall_x, fall_y;  // horizontal unit vector down the slope at the release
  Real energy;          // of the last step
  struct Sums {
    Real kinetic_energy, rotational_energy, speed, rotation, jump, alignment, steps;
  } all, slope;
  Real path, lateral_foot, reached_flat;
  Real kinetic_energy_max, speed_max, rotation_max, jump_max;
  Real closed_steps, wheel_steps;
  struct Turning {
    Real flight, wheel;  // steps in flight, and those of them with an alignment above 0.95
  } slope_turning, flat_turning;
  Real flat_steps, flat_alignment;
  Real energy_gain_max, penetration_max, unsupported_vertices;
  struct Flight {
    Real steps;
    struct Powers {
      Real sum, squares;
    } kinetic_energy, speed, rotation, height;
  } flight;
  Real height_max, soil_steps;

  HOST_DEVICE static RockRecord empty() {
    RockRecord record{};
    record.lateral_foot = Real(std::numeric_limits<double>::quiet_NaN());
    return record;
  }

  HOST_DEVICE void step(const World& world, const RockStep<Real>& s, const Mask<Real>& closed) {
    const Real zero = Real(0.0), one = Real(1.0);
    const Real jump = rock_jump(s.gap);
    const auto turning = s.rotation > Real(1e-3);
    const Real alignment = select(turning, abs(s.spin3) / select(turning, s.rotation, one), zero);
    const auto add = [&](Sums & sums, const Real& weight) __attribute__((always_inline)) {
      sums.kinetic_energy = fma(weight, s.kinetic_energy, sums.kinetic_energy);
      sums.rotational_energy = fma(weight, s.rotational_energy, sums.rotational_energy);
      sums.speed = fma(weight, s.speed, sums.speed);
      sums.rotation = fma(weight, s.rotation, sums.rotation);
      sums.jump = fma(weight, jump, sums.jump);
      sums.alignment = fma(weight, alignment, sums.alignment);
      sums.steps = sums.steps + weight;
    };
    add(all, one);
    const Real open = select(closed, zero, one);
    const Real wheel = select((!closed) & (alignment > Real(0.95)), one, zero);
    if (world.terrain.is<Ramp>()) {
      const Real foot = Real(world.terrain.get<Ramp>().foot);
      const auto beyond = s.to.x >= foot;
      const Real on_slope = select((s.to.x > Real(0.3) * foot) & (s.to.x < foot), one, zero);
      const Real on_flat = select(beyond, one, zero);
      add(slope, on_slope);
      slope_turning.flight = fma(on_slope, open, slope_turning.flight);
      slope_turning.wheel = fma(on_slope, wheel, slope_turning.wheel);
      flat_turning.flight = fma(on_flat, open, flat_turning.flight);
      flat_turning.wheel = fma(on_flat, wheel, flat_turning.wheel);
      flat_alignment = fma(on_flat, alignment, flat_alignment);
      flat_steps = flat_steps + on_flat;
      const auto arrives = beyond & (reached_flat == zero);
      lateral_foot = select(arrives, s.to.y - start.y, lateral_foot);
      reached_flat = select(arrives, one, reached_flat);
    }
    const auto known = s.height == s.height;
    const Real height = select(known, s.height, zero);
    const Real flies = select(known & (s.gap > zero) & (s.speed > Real(0.1)), one, zero);
    flight.steps = flight.steps + flies;
    const auto fly = [&](typename Flight::Powers& powers, const Real& value) __attribute__((always_inline)) {
      const Real counted = flies * value;
      powers.sum = powers.sum + counted;
      powers.squares = fma(counted, value, powers.squares);
    };
    fly(flight.kinetic_energy, s.kinetic_energy);
    fly(flight.speed, s.speed);
    fly(flight.rotation, s.rotation);
    fly(flight.height, height);
    height_max = larger(height, height_max);
    soil_steps = select(s.depth > zero, soil_steps + one, soil_steps);
    path = path + norm(s.to - s.from);
    kinetic_energy_max = larger(s.kinetic_energy, kinetic_energy_max);
    speed_max = larger(s.speed, speed_max);
    rotation_max = larger(s.rotation, rotation_max);
    jump_max = larger(jump, jump_max);
    closed_steps = select(closed, closed_steps + one, closed_steps);
    wheel_steps = wheel_steps + wheel;
    energy_gain_max = larger(s.energy - energy, energy_gain_max);
    penetration_max = larger(-s.gap, penetration_max);
    energy = s.energy;
  }
  /// The last step ended at `place` and not at `end`, which it has been added with: the path is shorter, and the foot
  /// of a ramp in between was not reached.
  HOST_DEVICE void step_back(const World& world, const Vec3<Real>& end, const Vec3<Real>& place) {
    path = path - norm(end - place);
    if (!world.terrain.is<Ramp>()) return;
    const Real foot = Real(world.terrain.get<Ramp>().foot);
    if (!(place.x < foot) || !(end.x >= foot)) return;
    if (lateral_foot != end.y - start.y) return;  // it was reached before, if at all
    lateral_foot = Real(std::numeric_limits<double>::quiet_NaN());
    reached_flat = Real(0.0);
  }
};

/// The summary columns of a sample that has ended; `lane` is a Rock's. Strength and restitution are the largest that
/// ground has somewhere.
template <class Lane, class Real>
HOST_DEVICE RockSummary<Real> rock_summary(const World& world, const Lane& lane, const Real& soil_strength,
                                           const Real& restitution) {
  const auto& record = lane.record;
  const auto& tally = lane.tally;
  const Real h = Real(world.step), zero = Real(0.0), one = Real(1.0);
  const Real none = Real(std::numeric_limits<double>::quiet_NaN());
  const Real steps = record.all.steps, slope = record.slope.steps;
  const Real dx = lane.position.x - record.start.x, dy = lane.position.y - record.start.y;
  const bool ramp = world.terrain.is<Ramp>();
  const auto on_slope = [&](const Real& sum) { return ramp ? sum / select(slope > zero, slope, one) : none; };
  RockSummary<Real> s;
  s.runout = sqrt(fma(dx, dx, dy * dy));
  s.runout_from_foot = ramp ? lane.position.x - Real(world.terrain.get<Ramp>().foot) : none;
  s.path_length = record.path;
  s.final_x = lane.position.x;
  s.final_y = lane.position.y;
  s.final_z = lane.position.z;
  s.lateral_final = difference_of_products(record.fall_x, dy, record.fall_y, dx);
  s.drop = record.start.z - lane.position.z;
  s.reach_angle = Real(180 / 3.14159265358979323846) * atan(ratio_or_nan(s.drop, s.runout));
  s.stop_time = h * steps;
  s.lateral_foot = record.lateral_foot;
  s.reached_flat = ramp ? record.reached_flat : none;
  s.kinetic_energy_max = record.kinetic_energy_max;
  s.kinetic_energy_mean = ratio_or_nan(record.all.kinetic_energy, steps);
  s.rotational_energy_mean = ratio_or_nan(record.all.rotational_energy, steps);
  s.rotational_share = ratio_or_nan(record.all.rotational_energy, record.all.kinetic_energy);
  s.speed_max = record.speed_max;
  s.speed_mean = ratio_or_nan(record.all.speed, steps);
  s.rotation_max = record.rotation_max;
  s.rotation_mean = ratio_or_nan(record.all.rotation, steps);
  s.jump_max = record.jump_max;
  s.jump_mean = ratio_or_nan(record.all.jump, steps);
  s.alignment_mean = ratio_or_nan(record.all.alignment, steps);
  s.slope_kinetic_energy = on_slope(record.slope.kinetic_energy);
  s.slope_rotational_energy = on_slope(record.slope.rotational_energy);
  s.slope_speed = on_slope(record.slope.speed);
  s.slope_rotation = on_slope(record.slope.rotation);
  s.slope_jump = on_slope(record.slope.jump);
  s.slope_alignment = on_slope(record.slope.alignment);
  s.slope_wheel_index = ratio_or_nan(record.slope_turning.wheel, record.slope_turning.flight);
  s.flat_alignment = ratio_or_nan(record.flat_alignment, record.flat_steps);
  s.flat_wheel_index = ratio_or_nan(record.flat_turning.wheel, record.flat_turning.flight);
  s.contact_time = h * record.closed_steps;
  s.contact_share = ratio_or_nan(record.closed_steps, steps);
  s.impacts = tally.impacts;
  s.wheel_index = ratio_or_nan(record.wheel_steps, steps - record.closed_steps);
  s.energy_gain_max = record.energy_gain_max;
  s.residual_max = tally.residual_max;
  s.penetration_max = record.penetration_max;
  s.unsupported_vertices = record.unsupported_vertices;
  s.contact_solves = tally.contact_solves;
  s.sweeps_mean = ratio_or_nan(tally.sweeps, tally.contact_solves);
  s.capped_steps = tally.capped_steps;
  s.twofold_steps = tally.twofold_steps;
  s.steps = steps;
  s.micro_bounces = select(restitution > zero, tally.micro_bounces, none);
  const auto& flight = record.flight;
  s.flight_time = h * flight.steps;
  s.flight_kinetic_energy = ratio_or_nan(flight.kinetic_energy.sum, flight.steps);
  s.flight_speed = ratio_or_nan(flight.speed.sum, flight.steps);
  s.flight_rotation = ratio_or_nan(flight.rotation.sum, flight.steps);
  s.flight_height = ratio_or_nan(flight.height.sum, flight.steps);
  s.flight_kinetic_energy_rms = sqrt(ratio_or_nan(flight.kinetic_energy.squares, flight.steps));
  s.flight_speed_rms = sqrt(ratio_or_nan(flight.speed.squares, flight.steps));
  s.flight_rotation_rms = sqrt(ratio_or_nan(flight.rotation.squares, flight.steps));
  s.flight_height_rms = sqrt(ratio_or_nan(flight.height.squares, flight.steps));
  s.height_max = record.height_max;
  const Real variant = table_row(world.tables, lane.shape)[ShapeLayout::number];
  s.variant = select(variant >= zero, variant, none);
  s.soil_share = select(soil_strength > zero, ratio_or_nan(record.soil_steps, steps), none);
  return s;
}

}  // namespace scree
