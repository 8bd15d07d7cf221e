// What a rock is given and what it leaves behind: parameters, starts, summary columns, and the one table that names
// them all. What the columns mean in detail is in record.hpp.
#pragma once

#include <string>

#include "../../elementary.hpp"
#include "../../ensemble.hpp"
#include "../../range.hpp"
#include "ground.hpp"

namespace scree {

template <class Real>
struct RockGravity {
  Real gravity;
};
/// Gravity, the run's own ground, and what does not depend on the ground.
template <class Real>
struct RockParams : RockGravity<Real>, RockGround<Real> {
  Real stop_speed, stop_time;
  Real contact_tolerance, contact_sweeps;
  RockGround<Real> classes[most_ground_classes];  // of a map; a value that is NaN is the run's own
};

/// The ground of a class of the map, 0 being the run's own.
template <class Real>
HOST_DEVICE inline RockGround<Real> ground_of(const RockParams<Real>& params, int ground_class) {
  const RockGround<Real>& own = params;
  return ground_class > 0 ? completed(params.classes[ground_class - 1], own) : own;
}

template <class Real>
struct RockStart {
  Vec3<Real> position;
  Real gap;
  Vec3<Real> velocity;
  Real speed;
  Quaternion<Real> orientation;
  Vec3<Real> omega;
  Real shape, scale, volume, mass;
};

template <class Real>
struct RockTrack {
  Real x, y, z, vx, vy, vz, qw, qx, qy, qz, wx, wy, wz, scar, kinetic_energy, energy, gap, contacts, depth;
  Real ground_class;
};

/// What maps show, as it is followed along a path.
template <class Real>
struct RockPassage {
  Real kinetic_energy, speed_square, rotation_square, jump, height;
};

template <class Real>
struct RockSummary {
  Real runout, runout_from_foot, path_length, final_x, final_y, final_z, lateral_final, drop, reach_angle, stop_time;
  Real lateral_foot, reached_flat;
  Real kinetic_energy_max, kinetic_energy_mean, rotational_energy_mean, rotational_share;
  Real speed_max, speed_mean, rotation_max, rotation_mean, jump_max, jump_mean;
  Real alignment_mean;
  Real slope_kinetic_energy, slope_rotational_energy, slope_speed, slope_rotation, slope_jump, slope_alignment;
  Real slope_wheel_index, flat_alignment, flat_wheel_index;
  Real contact_time, contact_share, impacts, wheel_index;
  Real energy_gain_max, residual_max, penetration_max, unsupported_vertices;
  Real contact_solves, sweeps_mean, capped_steps, twofold_steps, steps;
  Real micro_bounces;
  Real flight_time, flight_kinetic_energy, flight_speed, flight_rotation, flight_height;
  Real flight_kinetic_energy_rms, flight_speed_rms, flight_rotation_rms, flight_height_rms;
  Real height_max, soil_share, variant;
};

/// Within a step no interruption is heard.
inline constexpr Range sweeps_of_a_step{counting.low, 1e5, false, false, "a whole number from 1 to 100000", true};

/// How large a rock is: the factor of its shape's lengths, and its mass, kg.
template <class Real>
struct RockSize {
  Real scale, mass;
};
/// A volume V asks for the scale (V / V_shape)^(1/3). Of the shape's density, unless the mass is given.
template <class Real, class Row>
HOST_DEVICE inline RockSize<Real> rock_size(const Row& shape, const RockStart<Real>& start) {
  const Real zero = Real(0.0);
  RockSize<Real> size{start.scale, start.mass};
  if (any(start.volume > zero))
    size.scale = select(start.volume > zero, cube_root(start.volume / Real(shape[ShapeLayout::volume])), size.scale);
  const Real own = Real(shape[ShapeLayout::mass]) * (size.scale * size.scale * size.scale);
  size.mass = select(start.mass > zero, start.mass, own);
  return size;
}

/// What makes a sample nonsense although each of its values is in range; null if nothing does.
inline Mistake rock_mistake(const World& world, const RockParams<double>& p, const RockStart<double>& start) {
  for (int c = 0; c <= world.ground.classes; ++c)
    if (const RockGround<double> ground = ground_of(p, c); ground.friction_max < ground.friction_min)
      return Mistake("friction_max is below friction_min").of_class(c);
  if (start.volume > 0 && start.scale != 1) return "start.volume and start.scale both say how large the rock is";
  return nullptr;
}

/// The longest step, s, in half of which drag does not take all of the velocity: shorter than 2 / nu, with the layer's
/// drag c_d / m in nu.
inline double rock_longest_step(const World& world, const RockParams<double>& p, const RockStart<double>& start) {
  double least = unbounded;  // mass
  for (double k = 0; k < variants_of_shape(world.tables, world.shapes, start.shape); ++k) {
    const double* shape = table_row(world.tables, shape_variant(world.tables, world.shapes, start.shape, k));
    least = smaller(rock_size(shape, start).mass, least);
  }
  double most = 0;
  for (int c = 0; c <= world.ground.classes; ++c) {
    const RockGround<double> ground = ground_of(p, c);
    most = larger(ground.drag + ground.layer_drag / least, most);
  }
  return __builtin_nextafter(2 / most, 0.0);
}

/// The one table of names, units, defaults, ranges and meanings.
template <class Real, class Table>
void describe_rock(Table& table) {
  using P = RockParams<Real>;
  using S = RockStart<Real>;
  using C = RockSummary<Real>;
  using T = RockTrack<Real>;
  table.system("rock", "rotating rocks on terrain: Moreau's midpoint scheme, impacts, friction, scarring ground");
  table.needs_terrain();
  table.ground_classes(&P::classes);
  table.needs_shapes();

  table.param("gravity", &P::gravity, "m/s^2", 9.81, non_negative, "downward");
  table.param("friction_min", &P::friction_min, "1", 0.35, non_negative, "mu_min: friction of undisturbed ground");
  table.param("friction_max", &P::friction_max, "1", 2.0, non_negative, "mu_max: friction at the end of a long scar");
  table.param("scar_decay", &P::scar_decay, "1/s", 150.0, non_negative,
              "beta: how fast the scar is left behind in flight");
  table.param("scar_growth", &P::scar_growth, "1/m", 2.0, non_negative,
              "kappa: how fast friction grows along the scar");
  table.param("restitution", &P::restitution, "1", 0.0, zero_to_one, "e of Newton's impact law, normal");
  table.param("drag", &P::drag, "1/s", 0.6, non_negative, "nu: ground drag per unit mass while in contact");
  table.param("soil_strength", &P::soil_strength, "Pa", 0.0, non_negative,
              "M_e of the soil above hard ground, into which rocks sink (Lu et al. 2019, eq 11); 0: none. It brakes "
              "them beside drag");
  table.param("soil_drag", &P::soil_drag, "1", 0.0, non_negative,
              "C_d of the soil (Lu et al. 2019, eqs 9, 12): 1 for its flow, and more as it is compacted");
  table.param("soil_density", &P::soil_density, "kg/m^3", 1700.0, non_negative, "of the soil");
  table.param("soil_spin_drag", &P::soil_spin_drag, "1", 0.0, non_negative,
              "C_w of a torque C_w rho_s A |v| (5/4) Theta w / m of the soil against the rotation");
  table.param("layer_drag", &P::layer_drag, "kg/s", 0.0, non_negative,
              "c_d of the drag layer (forest, L14 eq 10); 0: none");
  table.param("layer_height", &P::layer_height, "m", 0.0, non_negative, "thickness of the drag layer above ground");
  table.param("stop_speed", &P::stop_speed, "m/s", 0.05, non_negative,
              "slower than this, turning included, counts as rest");
  table.param("stop_time", &P::stop_time, "s", 0.5, positive, "rest lasts this long before a rock has stopped");
  table.param("contact_tolerance", &P::contact_tolerance, "1", 1e-9, positive_below_one,
              "relative change of the percussions at which sweeps end");
  table.param("contact_sweeps", &P::contact_sweeps, "1", 120.0, sweeps_of_a_step,
              "most sweeps over the contacts in a step");
  // mu_min, mu_max, beta, kappa, nu; restitution is 0 in all of them
  struct Soil {
    double strength = 0, drag = 0;  // M_e, C_d
  };
  const auto ground = [&](const char* note, const char* name, double low, double high, double decay, double growth,
                          double drag, Soil soil = {}) {
    table.preset("ground", name,
                 {{&P::friction_min, low},
                  {&P::friction_max, high},
                  {&P::scar_decay, decay},
                  {&P::scar_growth, growth},
                  {&P::restitution, 0.0},
                  {&P::drag, drag},
                  {&P::soil_strength, soil.strength},
                  {&P::soil_drag, soil.drag}},
                 note);
  };
  const char* const hard = "RAMMS-like: only extra soft, hard and extra hard are corroborated by public sources";
  ground(hard, "extra soft", .20, 2, 50, 1, .9);
  ground(hard, "soft", .25, 2, 100, 1.25, .8);
  ground(hard, "medium soft", .30, 2, 125, 1.5, .7);
  ground(hard, "medium", .35, 2, 150, 2, .6);
  ground(hard, "medium hard", .40, 2, 175, 2.5, .5);
  ground(hard, "hard", .55, 2, 185, 3, .4);
  ground(hard, "extra hard", .80, 2, 200, 4, .3);
  ground(hard, "snow", .10, .35, 150, 2, .7);
  ground("Lu et al. 2019, of all the slope of Chant Sura, rocks of 780 kg", "scree slope", .55, 2, 185, 3, 0,
         {15e6, 2.5});
  ground("fitted to Leine et al. 2021, table 2; soil_drag < 1 is outside Lu et al. 2019", "hard scree", .55, 2, 185, 3,
         0, {50e6, .8});
  ground("fitted to 40 runs at Tschamut, 40 to 79 kg; soil_drag < 1 is outside Lu et al. 2019", "alpine meadow", 1.58,
         2, 185, 3, 0, {.51e6, .16});

  table.start("position", &S::position, "m", Vec3<Real>{0, 0, 0}, any_value,
              "centre of mass; with two numbers the rock is set down on the terrain");
  table.start("gap", &S::gap, "m", 0.5, non_negative,
              "lowest vertex above ground when set down, normal to the terrain");
  table.start("velocity", &S::velocity, "m/s", Vec3<Real>{0, 0, 0}, any_value, "of the centre of mass, world axes");
  table.start("speed", &S::speed, "m/s", 0.0, any_value, "added along the fall line");
  table.start("orientation", &S::orientation, "1", Quaternion<Real>{1, 0, 0, 0}, any_value,
              "unit quaternion (w, x, y, z), the shape's axes to world");
  table.start("omega", &S::omega, "rad/s", Vec3<Real>{0, 0, 0}, any_value, "angular velocity in the shape's axes");
  table.start("shape", &S::shape, "1", 0.0, non_negative, "which shape, by name");
  table.start("scale", &S::scale, "1", 1.0, positive, "factor of the shape's lengths, at its density");
  table.start("volume", &S::volume, "m^3", 0.0, non_negative, "the shape is scaled to it, at its density; 0: no");
  table.start("mass", &S::mass, "kg", 0.0, non_negative, "0: the shape's own, with scale and volume");

  constexpr auto stopped = Counted::stopped;
  table.column("runout", &C::runout, "m", "horizontal distance from release to rest", stopped);
  table.column("runout_from_foot", &C::runout_from_foot, "m", "rest beyond the foot of the ramp, along x", stopped);
  table.column("path_length", &C::path_length, "m", "length of the path of the centre of mass", stopped);
  table.column("final_x", &C::final_x, "m", "resting place", stopped);
  table.column("final_y", &C::final_y, "m", "resting place", stopped);
  table.column("final_z", &C::final_z, "m", "resting place, centre of mass", stopped);
  table.column("lateral_final", &C::lateral_final, "m", "resting place left of the fall line through the release",
               stopped);
  table.column("drop", &C::drop, "m", "release height above resting height", stopped);
  table.column("reach_angle", &C::reach_angle, "degrees", "angle of reach: atan(drop / runout)", stopped);
  table.column("stop_time", &C::stop_time, "s", "time from release until the rock has stopped", stopped);
  table.column("lateral_foot", &C::lateral_foot, "m", "lateral offset when passing the foot of the ramp");
  table.column("reached_flat", &C::reached_flat, "1", "1 if the rock passed the foot of the ramp, else 0");
  table.column("kinetic_energy_max", &C::kinetic_energy_max, "J", "largest kinetic energy, rotation included");
  table.column("kinetic_energy_mean", &C::kinetic_energy_mean, "J", "time mean of the kinetic energy");
  table.column("rotational_energy_mean", &C::rotational_energy_mean, "J", "time mean of the rotational energy");
  table.column("rotational_share", &C::rotational_share, "1", "rotational_energy_mean over kinetic_energy_mean");
  table.column("speed_max", &C::speed_max, "m/s", "largest speed of the centre of mass");
  table.column("speed_mean", &C::speed_mean, "m/s", "time mean of the speed");
  table.column("rotation_max", &C::rotation_max, "rad/s", "largest rotation rate |w|");
  table.column("rotation_mean", &C::rotation_mean, "rad/s", "time mean of |w|");
  table.column("jump_max", &C::jump_max, "m", "largest jump height");
  table.column("jump_mean", &C::jump_mean, "m", "time mean of the jump height");
  table.column("alignment_mean", &C::alignment_mean, "1", "time mean of |w . e3| / |w|");
  table.column("slope_kinetic_energy", &C::slope_kinetic_energy, "J",
               "time mean of the kinetic energy on the slope, 0 if never there");
  table.column("slope_rotational_energy", &C::slope_rotational_energy, "J",
               "time mean of the rotational energy on the slope, 0 if never there");
  table.column("slope_speed", &C::slope_speed, "m/s", "time mean of the speed on the slope, 0 if never there");
  table.column("slope_rotation", &C::slope_rotation, "rad/s", "time mean of |w| on the slope, 0 if never there");
  table.column("slope_jump", &C::slope_jump, "m", "time mean of the jump height on the slope, 0 if never there");
  table.column("slope_alignment", &C::slope_alignment, "1",
               "time mean of |w . e3| / |w| on the slope, 0 if never there");
  table.column("slope_wheel_index", &C::slope_wheel_index, "1",
               "share of the time without a closed contact on the slope with |w . e3| / |w| > 0.95");
  table.column("flat_alignment", &C::flat_alignment, "1", "time mean of |w . e3| / |w| beyond the foot of the ramp");
  table.column("flat_wheel_index", &C::flat_wheel_index, "1",
               "share of the time without a closed contact beyond the foot with |w . e3| / |w| > 0.95");
  table.column("contact_time", &C::contact_time, "s", "time with a closed contact");
  table.column("contact_share", &C::contact_share, "1", "share of the time with a closed contact");
  table.column("impacts", &C::impacts, "1", "how often a percussion followed a step without one");
  table.column("wheel_index", &C::wheel_index, "1",
               "share of the time without a closed contact with |w . e3| / |w| > 0.95");
  table.column("energy_gain_max", &C::energy_gain_max, "J", "largest gain of energy in a step");
  table.column("residual_max", &C::residual_max, "m/s", "worst residual of the contact laws in a step");
  table.column("penetration_max", &C::penetration_max, "m", "deepest vertex below ground, normal to the terrain");
  table.column("unsupported_vertices", &C::unsupported_vertices, "1",
               "most vertices at once off the grid or over NODATA");
  table.column("contact_solves", &C::contact_solves, "1", "steps with a closed contact");
  table.column("sweeps_mean", &C::sweeps_mean, "1", "sweeps per contact solve");
  table.column("capped_steps", &C::capped_steps, "1", "contact solves that reached the sweep limit");
  table.column("twofold_steps", &C::twofold_steps, "1", "contact solves where sticking and sliding were both possible");
  table.column("steps", &C::steps, "1", "time steps");
  table.optional_column("micro_bounces", &C::micro_bounces, "1",
                        "steps with a rebound e |gamma_N0| of g h / 1000 to g h, too slow for the step to resolve");
  table.late_column("flight_time", &C::flight_time, "s", "time above the ground and faster than 0.1 m/s");
  table.late_column("flight_kinetic_energy", &C::flight_kinetic_energy, "J",
                    "mean of the kinetic energy in flight_time");
  table.late_column("flight_speed", &C::flight_speed, "m/s", "mean of the speed in flight_time");
  table.late_column("flight_rotation", &C::flight_rotation, "rad/s", "mean of |w| in flight_time");
  table.late_column("flight_height", &C::flight_height, "m",
                    "mean height of the centre of mass above ground, vertical, in flight_time");
  table.late_column("flight_kinetic_energy_rms", &C::flight_kinetic_energy_rms, "J",
                    "root mean square of the kinetic energy in flight_time");
  table.late_column("flight_speed_rms", &C::flight_speed_rms, "m/s", "root mean square of the speed in flight_time");
  table.late_column("flight_rotation_rms", &C::flight_rotation_rms, "rad/s", "root mean square of |w| in flight_time");
  table.late_column("flight_height_rms", &C::flight_height_rms, "m", "root mean square of that height in flight_time");
  table.late_column("height_max", &C::height_max, "m",
                    "largest height of the centre of mass above ground after a step, vertical");
  table.optional_column("soil_share", &C::soil_share, "1", "share of the time in soil");
  table.late_column("variant", &C::variant, "1", "which variant of its shape the rock is, from 0 on; if that has some");
  for (const char* mean : {"flight_kinetic_energy", "flight_speed", "flight_rotation", "flight_height"})
    table.mean_over(mean, "flight_time", (std::string(mean) + "_rms").c_str());
  table.deposition("final_x", "final_y");
  table.headline(
      {"runout", "runout_from_foot", "lateral_final", "stop_time", "kinetic_energy_max", "rotation_max", "jump_max"});
  table.why({"slope_wheel_index", "flat_wheel_index", "slope_alignment", "flat_alignment", "kinetic_energy_mean",
             "rotational_energy_mean", "rotational_share", "contact_share", "impacts"});

  using M = RockPassage<Real>;
  table.passage("kinetic_energy", &M::kinetic_energy, "J", 6, 24, -6, "kinetic energy, rotation included");
  table.passage_root("speed", &M::speed_square, "m/s", -4, 12, -20, "speed of the centre of mass");
  table.passage_root("rotation", &M::rotation_square, "rad/s", -4, 12, -20, "angular speed");
  table.passage("jump", &M::jump, "m", -6, 16, -20, "jump height: least vertex gap, normal to the terrain");
  table.passage("height", &M::height, "m", -6, 16, -20,
                "height of the centre of mass above the ground below it, vertical");

  table.track("x", &T::x, "m", "centre of mass");
  table.track("y", &T::y, "m", "centre of mass");
  table.track("z", &T::z, "m", "centre of mass");
  table.track("vx", &T::vx, "m/s", "velocity");
  table.track("vy", &T::vy, "m/s", "velocity");
  table.track("vz", &T::vz, "m/s", "velocity");
  table.track("qw", &T::qw, "1", "orientation, principal axes to world");
  table.track("qx", &T::qx, "1", "orientation, principal axes to world");
  table.track("qy", &T::qy, "1", "orientation, principal axes to world");
  table.track("qz", &T::qz, "1", "orientation, principal axes to world");
  table.track("wx", &T::wx, "rad/s", "angular velocity, principal axes");
  table.track("wy", &T::wy, "rad/s", "angular velocity, principal axes");
  table.track("wz", &T::wz, "rad/s", "angular velocity, principal axes");
  table.track("scar", &T::scar, "m", "length of the scar s");
  table.track("kinetic_energy", &T::kinetic_energy, "J", "kinetic energy, rotation included");
  table.track("energy", &T::energy, "J", "kinetic and potential energy, level z = 0");
  table.track("gap", &T::gap, "m", "least vertex gap, normal to the terrain");
  table.track("contacts", &T::contacts, "1", "closed contacts of the last step");
  table.track("depth", &T::depth, "m", "of the hard ground below the soil where the rock is in it, else 0");
  table.track("ground_class", &T::ground_class, "1",
              "of the map at the last midpoint, numbered by the alphabet; 0: the run's own");
  table.along({"kinetic_energy", "gap"});
  table.figure("runout", "kinetic_energy_max", "how hard rocks hit that come so far");
}

}  // namespace scree
