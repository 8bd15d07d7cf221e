// What a slider is given and what it leaves behind: parameters, starts, summary columns, and the one table that names
// them all. Energies are per mass; the level is z = 0.
#pragma once

#include "../../ensemble.hpp"
#include "../../range.hpp"
#include "../../terrain/terrain.hpp"
#include "../../vec.hpp"

namespace scree {

template <class Real>
struct SliderParams {
  Real gravity, friction, static_friction, stop_at_liftoff, finest_step;
};

template <class Real>
struct SliderStart {
  Vec2<Real> position, velocity;
  Real speed, heading;
};

template <class Real>
struct SliderTrack {
  Real x, y, z, vx, vy, vz, speed, normal, energy, friction_work;
};

/// What maps show, as it is followed along a path.
template <class Real>
struct SliderPassage {
  Real kinetic_energy, speed_square;
};

template <class Real>
struct SliderSummary {
  Real runout, runout_attached, path_length, drop, apparent_friction, final_x, final_y, final_z, lateral_final;
  Real stop_time, time, speed_max, energy_start, energy_end, friction_work, energy_error;
  Real lifted_off, liftoff_time, liftoff_x, liftoff_y, liftoff_speed, normal_min, negative_time;
  Real reversals, steps;
};

/// What makes a sample nonsense although each of its values is in range; null if nothing does.
inline Mistake slider_mistake(const World& world, const SliderParams<double>& p, const SliderStart<double>& start) {
  if (p.static_friction != 0 && p.static_friction < p.friction) return "static_friction is below friction";
  const auto at = surface_point(world.terrain, world.tables, start.position.x, start.position.y);
  if (!at.inside) return "start.position is beyond the surface";
  if (!at.data) return "start.position is over a cell with a NODATA corner";
  return nullptr;
}

/// The one table of names, units, defaults, ranges and meanings.
template <class Real, class Table>
void describe_slider(Table& table) {
  using P = SliderParams<Real>;
  using S = SliderStart<Real>;
  using C = SliderSummary<Real>;
  using T = SliderTrack<Real>;
  table.system("slider", "point masses sliding with Coulomb friction on a smooth surface z = f(x, y)");
  table.needs_surface();
  table.suggest("rk4", 0.1, 2000.0);
  table.shortens_steps();
  table.suggest_law("start.position", "{ polygon = [[-1700, -100], [-1500, -100], [-1500, 100], [-1700, 100]] }");
  table.suggest_law("slider.friction", "{ uniform = [0.002, 0.004] }");

  table.param("gravity", &P::gravity, "m/s^2", 9.81, positive, "downward");
  table.param("friction", &P::friction, "1", 0.0, non_negative, "mu: friction is mu |N|, against the velocity");
  table.param("static_friction", &P::static_friction, "1", 0.0, non_negative,
              "a mass at rest stays where the slope is no more than this; 0: the same as friction");
  table.choice("mode", &P::stop_at_liftoff, {{"bilateral", 0.0}, {"unilateral_stop", 1.0}}, 0.0,
               "the surface holds a mass from both sides, or a mass ends where it loses contact");
  table.param("finest_step", &P::finest_step, "1", 1e-3, positive_to_one,
              "smallest sub-step near rest, as a part of the step; 1: none");
  table.renamed_key("stop_at_liftoff", "mode", "0 is \"bilateral\", 1 \"unilateral_stop\"");

  table.start("position", &S::position, "m", Vec2<Real>{0, 0}, any_value, "on the surface");
  table.start("velocity", &S::velocity, "m/s", Vec2<Real>{0, 0}, any_value,
              "horizontal components; the vertical one follows from the slope");
  table.start("speed", &S::speed, "m/s", 0.0, any_value, "added along the surface, in three dimensions");
  table.start("heading", &S::heading, "rad", 0.0, any_value,
              "direction of speed in the tangent plane, from the fall line counter-clockwise seen from above; on "
              "level ground from +x");

  constexpr auto stopped = Counted::stopped;
  table.column("runout", &C::runout, "m", "horizontal distance from release to rest", stopped);
  table.column("runout_attached", &C::runout_attached, "m", "the same, of those alone that never lost contact",
               stopped);
  table.column("path_length", &C::path_length, "m", "length of the path along the surface", stopped);
  table.column("drop", &C::drop, "m", "release height above resting height", stopped);
  table.column("apparent_friction", &C::apparent_friction, "1", "drop / runout (H/L)", stopped);
  table.column("final_x", &C::final_x, "m", "resting place", stopped);
  table.column("final_y", &C::final_y, "m", "resting place", stopped);
  table.column("final_z", &C::final_z, "m", "resting place", stopped);
  table.column("lateral_final", &C::lateral_final, "m", "resting place left of the fall line through the release",
               stopped);
  table.column("stop_time", &C::stop_time, "s", "time from release to rest", stopped);
  table.column("time", &C::time, "s", "time from release to the end of the sample");
  table.column("speed_max", &C::speed_max, "m/s", "largest speed at the steps' ends");
  table.column("energy_start", &C::energy_start, "J/kg", "kinetic and potential energy at the release");
  table.column("energy_end", &C::energy_end, "J/kg", "kinetic and potential energy at the end");
  table.column("friction_work", &C::friction_work, "J/kg",
               "energy lost to friction, by the scheme's own quadrature, to barriers and to stems");
  table.column("energy_error", &C::energy_error, "J/kg", "energy_end + friction_work - energy_start");
  table.column("lifted_off", &C::lifted_off, "1", "1 if contact was lost (N < 0), else 0");
  table.column("liftoff_time", &C::liftoff_time, "s", "when contact was lost first");
  table.column("liftoff_x", &C::liftoff_x, "m", "where contact was lost first");
  table.column("liftoff_y", &C::liftoff_y, "m", "where contact was lost first");
  table.column("liftoff_speed", &C::liftoff_speed, "m/s", "speed when contact was lost first");
  table.column("normal_min", &C::normal_min, "m/s^2", "least N/m at the steps' ends");
  table.column("negative_time", &C::negative_time, "s", "time with N < 0");
  table.column("reversals", &C::reversals, "1", "momentary stops with friction, each found within its step");
  table.column("steps", &C::steps, "1", "time steps, sub-steps included");
  table.deposition("final_x", "final_y");
  table.headline({"runout", "runout_attached", "lateral_final", "stop_time", "speed_max", "lifted_off"});
  table.why({"friction_work", "energy_error", "normal_min", "negative_time", "reversals"});

  using M = SliderPassage<Real>;
  table.passage("kinetic_energy", &M::kinetic_energy, "J/kg", -6, 16, -20, "kinetic energy");
  table.passage_root("speed", &M::speed_square, "m/s", -4, 12, -20, "speed");

  table.track("x", &T::x, "m", "position");
  table.track("y", &T::y, "m", "position");
  table.track("z", &T::z, "m", "position");
  table.track("vx", &T::vx, "m/s", "velocity");
  table.track("vy", &T::vy, "m/s", "velocity");
  table.track("vz", &T::vz, "m/s", "velocity");
  table.track("speed", &T::speed, "m/s", "speed");
  table.track("normal", &T::normal, "m/s^2", "normal force per mass; negative where the surface pulls");
  table.track("energy", &T::energy, "J/kg", "kinetic and potential energy");
  table.track("friction_work", &T::friction_work, "J/kg", "energy lost to friction");
  table.along({"speed", "normal"});
  table.figure("path_length", "apparent_friction",
               "friction as it seems from drop and run-out, by the length of the path");
}

}  // namespace scree
