// What a pair is given and what it leaves behind: parameters, starts, summary columns, and the one table that names
// them all. The level of the energies is z = 0; a place without a number is that of the centre of mass.
#pragma once

#include "../../ensemble.hpp"
#include "../../range.hpp"
#include "../../vec.hpp"
#include "motion.hpp"

namespace scree {

/// Values of PairParams::stabilise.
inline constexpr double pair_not_stabilised = 0, pair_baumgarte = 1, pair_projection = 2;

template <class Real>
struct PairParams {
  Real mass1, mass2, gravity, friction, static_friction;
  Real link_reaction, project_start, stabilise, stabilise_rate, finest_step;
};

template <class Real>
struct PairStart {
  Vec2<Real> position1, position2, velocity1, velocity2;
};

template <class Real>
struct PairTrack {
  Real x1, y1, z1, x2, y2, z2, vx1, vy1, vx2, vy2, link_force, normal1, normal2, energy, friction_work;
  Real angular_momentum, distance_error, held1, held2;
};

template <class Real>
struct PairSummary {
  Real runout, runout_attached, runout1, runout2, drop, final_x, final_y, final_x1, final_y1, final_x2, final_y2;
  Real stop_time, time, energy_start, energy_end, friction_work, energy_error;
  Real link_force_min, link_force_max, link_force_end, link_sign_changes, link_turns, distance_error_max;
  Real angular_momentum, angular_momentum_change;
  Real lifted_off, liftoff_time, normal_min1, normal_min2, negative_time;
  Real held_time1, held_time2, releases, paradoxes, steps;
};

/// What a sample begins with.
template <class Real>
HOST_DEVICE PairState<Real> pair_first_state(const PairStart<Real>& start) {
  return {start.position1.x, start.position1.y, start.position2.x, start.position2.y, start.velocity1.x,
          start.velocity1.y, start.velocity2.x, start.velocity2.y, Real(0.0)};
}
template <class Real>
HOST_DEVICE PairLink<Real> pair_link(const World& world, const PairParams<Real>& p, const PairState<Real>& s) {
  const Real one = Real(1.0);
  const Real x = s.x1 - s.x2, y = s.y1 - s.y2;
  const Real z = surface_point(world.terrain, world.tables, s.x1, s.y1).z -
                 surface_point(world.terrain, world.tables, s.x2, s.y2).z;
  return {p.gravity,
          p.friction,
          p.link_reaction,
          p.mass1,
          p.mass2,
          one / p.mass1,
          one / p.mass2,
          fma(x, x, fma(y, y, z * z)),
          select(p.stabilise == Real(pair_baumgarte), p.stabilise_rate, Real(0.0))};
}

/// Largest |r . r'| of a start, as a part of |r| |r'|: what inputs of ten digits leave.
inline constexpr double pair_start_tolerance = 1e-9;

/// What makes a sample nonsense although each of its values is in range; null if nothing does.
inline Mistake pair_mistake(const World& world, const PairParams<double>& p, const PairStart<double>& start) {
  if (p.static_friction != 0 && p.static_friction < p.friction) return "static_friction is below friction";
  for (const Vec2<double>& place : {start.position1, start.position2}) {
    const auto at = surface_point(world.terrain, world.tables, place.x, place.y);
    if (!at.inside) return "a mass starts beyond the surface";
    if (!at.data) return "a mass starts over a cell with a NODATA corner";
  }
  const PairState<double> s = pair_first_state(start);
  const PairMode<double> both{1, 1};
  const PairLink<double> link = pair_link(world, p, s);
  const PairMotion<double> m = pair_motion(AnySurface{world.terrain, world.tables}, link, s, both);
  if (!(m.distance2 > 0)) return "position1 and position2 coincide: the link has no length";
  if (!(uniqueness(link, m, s, both) > 0))
    return "the link's force is not determined at the start: the link is normal to the surface, or friction is too "
           "large for its direction (Painleve's paradox)";
  const double rx = s.vx1 - s.vx2, ry = s.vy1 - s.vy2, rz = m.first.at.vz - m.second.at.vz;
  const double size = sqrt(m.distance2 * (rx * rx + ry * ry + rz * rz));
  if (p.project_start == 0 && !(abs(opening(m, s)) <= pair_start_tolerance * size))
    return "velocity1 and velocity2 would change the distance of the masses: r12 . r12' must be 0 (or set "
           "start_check = \"project\")";
  return nullptr;
}

/// The longest step, s, in which Baumgarte's correction does not overshoot the distance.
inline double pair_longest_step(const PairParams<double>& p) {
  return p.stabilise == pair_baumgarte ? 0.3 / p.stabilise_rate : __builtin_huge_val();
}

/// The one table of names, units, defaults, ranges and meanings.
template <class Real, class Table>
void describe_pair(Table& table) {
  using P = PairParams<Real>;
  using S = PairStart<Real>;
  using C = PairSummary<Real>;
  using T = PairTrack<Real>;
  table.system("pair", "two masses at a constant distance, sliding with friction on a smooth surface z = f(x, y)");
  table.needs_surface();
  table.suggest("rk4", 0.1, 2000.0);
  table.shortens_steps();
  table.suggest_law("start.position1", "{ polygon = [[-1700, -100], [-1500, -100], [-1500, 100], [-1700, 100]] }");
  table.suggest_law("start.position2", "{ polygon = [[-1300, -100], [-1100, -100], [-1100, 100], [-1300, 100]] }");
  table.suggest_law("pair.friction", "{ uniform = [0.002, 0.004] }");

  table.param("mass1", &P::mass1, "kg", 10.0, positive, "of the first mass");
  table.param("mass2", &P::mass2, "kg", 10.0, positive, "of the second mass");
  table.param("gravity", &P::gravity, "m/s^2", 9.81, positive, "downward");
  table.param("friction", &P::friction, "1", 0.0, non_negative, "mu: friction is mu |N|, against the velocity");
  table.param("static_friction", &P::static_friction, "1", 0.0, non_negative,
              "a mass at rest stays while no more than this times N is needed; 0: the same as friction");
  table.choice("model", &P::link_reaction, {{"part1", 0.0}, {"exact", 1.0}}, 1.0,
               "the link presses the masses on the surface, or, Part 1's approximation, does not");
  table.choice("start_check", &P::project_start, {{"reject", 0.0}, {"project", 1.0}}, 0.0,
               "starting velocities must keep the distance, or are changed as little as makes them");
  table.choice("stabilise", &P::stabilise,
               {{"none", pair_not_stabilised}, {"baumgarte", pair_baumgarte}, {"projection", pair_projection}},
               pair_not_stabilised, "what keeps the distance from drifting");
  table.param("stabilise_rate", &P::stabilise_rate, "1/s", 1.0, non_negative,
              "a of Baumgarte's c'' = -2 a c' - a^2 c, c = (|r|^2 - d^2) / 2; a step of 0.3 / a at most");
  table.param("finest_step", &P::finest_step, "1", 1e-3, positive_to_one,
              "smallest sub-step near rest, as a part of the step; 1: none");
  table.renamed_key("link_reaction", "model", "0 is \"part1\", 1 \"exact\"");
  table.renamed_key("project_start", "start_check", "0 is \"reject\", 1 \"project\"");
  table.renamed_key("stabilisation", "stabilise", "0 is \"none\", 1 \"baumgarte\", 2 \"projection\"");

  table.start("position1", &S::position1, "m", Vec2<Real>{0, -1}, any_value, "first mass, on the surface");
  table.start("position2", &S::position2, "m", Vec2<Real>{0, 1}, any_value, "second mass, on the surface");
  table.start("velocity1", &S::velocity1, "m/s", Vec2<Real>{0, 0}, any_value,
              "horizontal components; the vertical one follows from the slope");
  table.start("velocity2", &S::velocity2, "m/s", Vec2<Real>{0, 0}, any_value,
              "horizontal components; the vertical one follows from the slope");

  constexpr auto stopped = Counted::stopped;
  table.column("runout", &C::runout, "m", "horizontal distance of the centre of mass from release to rest", stopped);
  table.column("runout_attached", &C::runout_attached, "m", "the same, of those alone that never lost contact",
               stopped);
  table.column("runout1", &C::runout1, "m", "horizontal distance of the first mass from release to rest", stopped);
  table.column("runout2", &C::runout2, "m", "horizontal distance of the second mass from release to rest", stopped);
  table.column("drop", &C::drop, "m", "height of the centre of mass at the release above that at rest", stopped);
  table.column("final_x", &C::final_x, "m", "resting place, centre of mass", stopped);
  table.column("final_y", &C::final_y, "m", "resting place, centre of mass", stopped);
  table.column("final_x1", &C::final_x1, "m", "first mass at the end");
  table.column("final_y1", &C::final_y1, "m", "first mass at the end");
  table.column("final_x2", &C::final_x2, "m", "second mass at the end");
  table.column("final_y2", &C::final_y2, "m", "second mass at the end");
  table.column("stop_time", &C::stop_time, "s", "time from release until both masses rest", stopped);
  table.column("time", &C::time, "s", "time from release to the end of the sample");
  table.column("energy_start", &C::energy_start, "J", "kinetic and potential energy at the release");
  table.column("energy_end", &C::energy_end, "J", "kinetic and potential energy at the end");
  table.column("friction_work", &C::friction_work, "J", "energy lost to friction, by the scheme's own quadrature");
  table.column("energy_error", &C::energy_error, "J", "energy_end + friction_work - energy_start");
  table.column("link_force_min", &C::link_force_min, "N", "least force in the link; negative is tension");
  table.column("link_force_max", &C::link_force_max, "N", "largest force in the link; positive is compression");
  table.column("link_force_end", &C::link_force_end, "N", "force in the link at the end, positive in compression");
  table.column("link_sign_changes", &C::link_sign_changes, "1", "how often the link force changed its sign");
  table.column("link_turns", &C::link_turns, "1", "turns of the link seen from above, counter-clockwise positive");
  table.column("distance_error_max", &C::distance_error_max, "m",
               "largest deviation from the distance at the release, before any projection");
  table.column("angular_momentum", &C::angular_momentum, "kg m^2/s", "about the z axis, at the end");
  table.column("angular_momentum_change", &C::angular_momentum_change, "kg m^2/s",
               "about the z axis, from release to end");
  table.column("lifted_off", &C::lifted_off, "1", "1 if a mass lost contact (N < 0), else 0");
  table.column("liftoff_time", &C::liftoff_time, "s", "when contact was lost first");
  table.column("normal_min1", &C::normal_min1, "N", "least normal force on the first mass at the steps' ends");
  table.column("normal_min2", &C::normal_min2, "N", "least normal force on the second mass at the steps' ends");
  table.column("negative_time", &C::negative_time, "s", "time with a normal force below 0");
  table.column("held_time1", &C::held_time1, "s", "time for which friction held the first mass while the other moved");
  table.column("held_time2", &C::held_time2, "s", "time for which friction held the second mass while the other moved");
  table.column("releases", &C::releases, "1", "how often a held mass slid again");
  table.column("paradoxes", &C::paradoxes, "1",
               "steps that began where the equations may have no solution, or several (Painleve)");
  table.column("steps", &C::steps, "1", "time steps, sub-steps included");
  table.deposition("final_x", "final_y");
  table.headline({"runout", "runout_attached", "stop_time", "link_force_min", "link_force_max", "link_turns",
                  "distance_error_max"});
  table.why({"friction_work", "energy_error", "negative_time", "held_time1", "held_time2", "releases", "paradoxes"});

  table.track("x1", &T::x1, "m", "first mass");
  table.track("y1", &T::y1, "m", "first mass");
  table.track("z1", &T::z1, "m", "first mass");
  table.track("x2", &T::x2, "m", "second mass");
  table.track("y2", &T::y2, "m", "second mass");
  table.track("z2", &T::z2, "m", "second mass");
  table.track("vx1", &T::vx1, "m/s", "velocity of the first mass");
  table.track("vy1", &T::vy1, "m/s", "velocity of the first mass");
  table.track("vx2", &T::vx2, "m/s", "velocity of the second mass");
  table.track("vy2", &T::vy2, "m/s", "velocity of the second mass");
  table.track("link_force", &T::link_force, "N", "force in the link, positive in compression");
  table.track("normal1", &T::normal1, "N", "normal force on the first mass");
  table.track("normal2", &T::normal2, "N", "normal force on the second mass");
  table.track("energy", &T::energy, "J", "kinetic and potential energy");
  table.track("friction_work", &T::friction_work, "J", "energy lost to friction");
  table.track("angular_momentum", &T::angular_momentum, "kg m^2/s", "about the z axis");
  table.track("distance_error", &T::distance_error, "m", "distance less that at the release");
  table.track("held1", &T::held1, "1", "1 while friction holds the first mass");
  table.track("held2", &T::held2, "1", "1 while friction holds the second mass");
  table.figure("time", "link_force", "the force in the link along the way, positive in compression");
}

}  // namespace scree
