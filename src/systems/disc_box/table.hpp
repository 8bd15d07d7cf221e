// What a disc box is given and what it leaves behind: parameters, starts, summary columns, and the one table that names
// them all. A Vec2 (x, y) stands for (X, Z) of the source: y is its Z axis, and angles turn about its +Y.
#pragma once

#include "../../list.hpp"
#include "../../placement.hpp"
#include "../../range.hpp"
#include "../../vec.hpp"

namespace scree {

/// The most discs that a box can hold.
inline constexpr int most_discs = 64;

template <class Real>
struct DiscBoxParams {
  Real discs, radius, mass, observer_mass;
  List<Real, most_discs> observer_offset;
  Real inertia_factor;
  Real circle, wall_radius, width, height;
  Real youngs_modulus, poisson_ratio, c_tau, penetration, onset_latch, onset_floor;
  Real friction, wall_friction, coulomb, slip_speed, friction_force, unit_wall_arm;
  Real random_placement, gap;
};

template <class Real>
struct DiscBoxStart {
  List<Vec2<Real>, most_discs> position, velocity;
  List<Real, most_discs> angle, spin;
};

template <class Real>
struct DiscBoxTrack {
  List<Real, most_discs> x, z, angle, vx, vz, spin;
  Real energy, kinetic_translation, kinetic_rotation, elastic, damping_work, friction_work;
  Real momentum_x, momentum_z, angular_momentum;
};

template <class Real>
struct DiscBoxSummary {
  Real energy_start, energy_end, kinetic_translation, kinetic_rotation, damping_work, friction_work, energy_error;
  Real impacts_disc, impacts_wall, onset_speed_mean, onset_speed_max, restitution, contact_time, overlap_max;
  Real momentum_x, momentum_z, angular_momentum, angular_momentum_change;
  Real wall_impulse, wall_pressure, centre_radius, centre_spread, mixing, first_x, first_z;
};

/// The one table of names, units, defaults, ranges and meanings.
template <class Real, class Table>
void describe_disc_box(Table& table) {
  using P = DiscBoxParams<Real>;
  using S = DiscBoxStart<Real>;
  using C = DiscBoxSummary<Real>;
  using T = DiscBoxTrack<Real>;
  constexpr Range below_one{0, 1, false, true, ">= 0 and < 1"}, poisson{-1, 0.5, true, false, "> -1 and <= 0.5"};
  table.system("disc_box", "discs with off-centre observer masses in a box: Hunt-Crossley impacts with friction");
  table.suggest("rk4_redo", 1e-3, 10.0);
  table.suggest_law("start.velocity", "{ polygon = [[-5, -5], [5, -5], [5, 5], [-5, 5]] }");
  table.suggest_law("start.spin", "{ uniform = [-15.0, 15.0] }");

  table.count("discs", &P::discs, 3.0, most_discs, "number of discs");
  table.param("radius", &P::radius, "m", 1.0, positive, "r of all discs");
  table.param("mass", &P::mass, "kg", 1.0, positive, "m0 of a disc, without its observer");
  table.param("observer_mass", &P::observer_mass, "kg", 1.0, non_negative, "mo, a point mass on each disc; 0: none");
  table.param("observer_offset", &P::observer_offset, "1", Real(0.99), below_one,
              "alpha: the observer sits at alpha r from the centre");
  table.param("inertia_factor", &P::inertia_factor, "1", 0.5, positive,
              "I / (m0 r^2) about the disc's axis: 0.5 for a disc; 0.25, about a diameter, in the script");
  describe_enclosure<P>(table, 1.0, 5.0);
  table.param("youngs_modulus", &P::youngs_modulus, "Pa", 2000.0, positive, "E of discs and wall; sets the stiffness");
  table.param("poisson_ratio", &P::poisson_ratio, "1", 0.28, poisson, "nu of discs and wall");
  table.param("c_tau", &P::c_tau, "1", 0.9, positive_to_one,
              "damping a = 3/2 (1 - c_tau); the restitution to first order in 1 - c_tau, 1: elastic");
  table.param("penetration", &P::penetration, "1", 0.5, positive_to_one,
              "part of the overlap of two discs that enters their force: 1 after Hertz, 0.5 in the script");
  table.choice("latch", &P::onset_latch, {{"script", 0.0}, {"onset", 1.0}}, 1.0,
               "damping by the sign of the rate alone, as the script does, or by it over that at the contact's onset");
  table.param("onset_floor", &P::onset_floor, "m/s", 5e-3, positive, "least onset speed; 1e-3 of a typical speed");
  table.param("friction", &P::friction, "s/m or 1", 0.1, non_negative,
              "mu between discs: friction over normal force and slip speed, s/m; under \"coulomb\" over normal force");
  table.param("wall_friction", &P::wall_friction, "s/m or 1", 0.1, non_negative, "mu between discs and wall, alike");
  table.choice("friction_law", &P::coulomb, {{"viscous", 0.0}, {"coulomb", 1.0}}, 0.0,
               "viscous slip, or Coulomb friction, regularised");
  table.param(
      "slip_speed", &P::slip_speed, "m/s", 0.05, positive,
      "at which regularised Coulomb friction has 0.7 of its size; below 0.4 mu f h (1/m + r^2/I) RK4 is unstable");
  table.param("friction_force", &P::friction_force, "1", 1.0, non_negative,
              "factor of the force, not of the torque, of friction between discs: 1; 2 in the script");
  table.choice("wall_arm", &P::unit_wall_arm, {{"radius", 0.0}, {"metre", 1.0}}, 0.0,
               "of friction at the wall: the radius, or 1 m, as in the script");
  describe_placement<P>(table);
  table.preset("preset", "script",
               {{&P::onset_latch, 0.0},
                {&P::penetration, 0.5},
                {&P::friction_force, 2.0},
                {&P::inertia_factor, 0.25},
                {&P::unit_wall_arm, 1.0},
                {&P::coulomb, 0.0},
                {&P::circle, 1.0}});
  table.preset("preset", "corrected",
               {{&P::onset_latch, 1.0},
                {&P::penetration, 0.5},
                {&P::friction_force, 1.0},
                {&P::inertia_factor, 0.5},
                {&P::unit_wall_arm, 0.0}});
  table.renamed_key("onset_latch", "latch", "0 is \"script\", 1 \"onset\"");
  table.renamed_key("coulomb", "friction_law", "0 is \"viscous\", 1 \"coulomb\"");
  table.renamed_key("unit_wall_arm", "wall_arm", "0 is \"radius\", 1 \"metre\"");
  table.renamed_key("rectangle", "enclosure", "0 is \"circle\", 1 \"rectangle\"");
  table.renamed_key("half_width", "width", "twice that");
  table.renamed_key("half_height", "height", "twice that");
  table.renamed_key("start_gap", "gap");

  table.start("position", &S::position, "m", Vec2<Real>{Real(0.0), Real(0.0)}, any_value,
              "centres (x, z), if they are not placed at random");
  table.start("velocity", &S::velocity, "m/s", Vec2<Real>{Real(0.0), Real(0.0)}, any_value, "of the centres (x, z)");
  table.start("angle", &S::angle, "rad", Real(0.0), any_value, "q: the observer lies along (cos q, -sin q)");
  table.start("spin", &S::spin, "rad/s", Real(0.0), any_value, "u = dq/dt");

  table.column("energy_start", &C::energy_start, "J", "energy, kinetic and elastic, at the start");
  table.column("energy_end", &C::energy_end, "J", "energy at the end");
  table.column("kinetic_translation", &C::kinetic_translation, "J", "of the joint mass centres, at the end");
  table.column("kinetic_rotation", &C::kinetic_rotation, "J",
               "about the joint mass centres, at the end; half of the above in equipartition");
  table.column("damping_work", &C::damping_work, "J", "energy taken by damping, W_n");
  table.column("friction_work", &C::friction_work, "J", "energy taken by friction, W_t");
  table.column("energy_error", &C::energy_error, "J", "energy_end + damping_work + friction_work - energy_start");
  table.column("impacts_disc", &C::impacts_disc, "1", "contacts between discs that began");
  table.column("impacts_wall", &C::impacts_wall, "1", "contacts with the wall that began");
  table.column("onset_speed_mean", &C::onset_speed_mean, "m/s", "mean approach speed at the onset of a contact");
  table.column("onset_speed_max", &C::onset_speed_max, "m/s", "largest such speed");
  table.column("restitution", &C::restitution, "1",
               "sum of the release speeds over that of the onset speeds, of contacts that have ended");
  table.column("contact_time", &C::contact_time, "1", "part of the time in which some contact is closed");
  table.column("overlap_max", &C::overlap_max, "m", "largest overlap of two discs, or of a disc and the wall");
  table.column("momentum_x", &C::momentum_x, "kg m/s", "linear momentum at the end");
  table.column("momentum_z", &C::momentum_z, "kg m/s", "linear momentum at the end");
  table.column("angular_momentum", &C::angular_momentum, "kg m^2/s", "about the box's centre, at the end");
  table.column("angular_momentum_change", &C::angular_momentum_change, "kg m^2/s", "the same, end minus start");
  table.column("wall_impulse", &C::wall_impulse, "N s", "integral of the normal forces at the wall");
  table.column("wall_pressure", &C::wall_pressure, "N/m", "wall_impulse over perimeter and time");
  table.column("centre_radius", &C::centre_radius, "m", "mean over time and discs of a centre's distance from (0, 0)");
  table.column("centre_spread", &C::centre_spread, "m",
               "root mean square distance of the centres from their mean, at the end");
  table.column("mixing", &C::mixing, "1", "part of the pairs whose order of angle about (0, 0) has changed at the end");
  table.column("first_x", &C::first_x, "m",
               "centre of disc 0 at the end; over a cloud of starts its sd tells the growth");
  table.column("first_z", &C::first_z, "m", "centre of disc 0 at the end");
  table.headline({"energy_end", "damping_work", "friction_work", "energy_error", "impacts_disc", "impacts_wall",
                  "onset_speed_mean", "restitution", "wall_pressure"});
  table.why({"kinetic_translation", "kinetic_rotation", "contact_time", "overlap_max"});

  table.track("x", &T::x, "m", "centre");
  table.track("z", &T::z, "m", "centre");
  table.track("angle", &T::angle, "rad", "q");
  table.track("vx", &T::vx, "m/s", "velocity of the centre");
  table.track("vz", &T::vz, "m/s", "velocity of the centre");
  table.track("spin", &T::spin, "rad/s", "u");
  table.track("energy", &T::energy, "J", "kinetic and elastic");
  table.track("kinetic_translation", &T::kinetic_translation, "J", "of the joint mass centres");
  table.track("kinetic_rotation", &T::kinetic_rotation, "J", "about the joint mass centres");
  table.track("elastic", &T::elastic, "J", "in closed contacts");
  table.track("damping_work", &T::damping_work, "J", "energy taken by damping");
  table.track("friction_work", &T::friction_work, "J", "energy taken by friction");
  table.track("momentum_x", &T::momentum_x, "kg m/s", "linear momentum");
  table.track("momentum_z", &T::momentum_z, "kg m/s", "linear momentum");
  table.track("angular_momentum", &T::angular_momentum, "kg m^2/s", "about the box's centre");
  table.figure("impacts_disc", "energy_end", "the energy that is left by the number of impacts");
}

}  // namespace scree
