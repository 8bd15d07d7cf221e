// What hard discs are given and what they leave behind: parameters, starts, summary columns, and the one table that
// names them all. The origin is the centre of the enclosure.
#pragma once

#include "../../list.hpp"
#include "../../placement.hpp"
#include "../../range.hpp"
#include "../../steppers/hard_hits.hpp"
#include "../../vec.hpp"

namespace scree {

/// Of discs in one sample, for the lists of parameters and starts.
inline constexpr int most_hard_discs = 64;

template <class Real>
struct HardDiscsParams {
  Real discs;
  Real circle, wall_radius, width, height;
  Real restitution, wall_restitution, guard_time;
  Real random_placement, gap;
  List<Real, most_hard_discs> radius, mass;
};

template <class Real>
struct HardDiscsStart {
  List<Vec2<Real>, most_hard_discs> position, velocity;
};

template <class Real>
struct HardDiscsTrack {
  Real energy, pair_hits, wall_hits;
  List<Real, most_hard_discs> x, y, vx, vy;
};

template <class Real>
struct HardDiscsSummary {
  Real pair_hits, wall_hits, guarded_hits, hits_most, first_hit;
  Real mean_free_path, pair_rate, wall_rate, wall_impulse, pressure;
  Real speed_mean, speed_max, vx_square, vy_square, flatness;
  Real energy_start, energy_end, energy_change, energy_error;
  Real momentum_x, momentum_y, angular_momentum, angular_momentum_change;
  Real overlap_max, x0, y0, speed0, time;
};

template <class Real, class Table>
void describe_hard_discs(Table& table) {
  using P = HardDiscsParams<Real>;
  using S = HardDiscsStart<Real>;
  using C = HardDiscsSummary<Real>;
  using T = HardDiscsTrack<Real>;
  table.system("hard_discs", "hard discs that collide in a rectangle or a circle, from hit to hit");

  table.count("discs", &P::discs, 16.0, most_hard_discs, "number of discs");
  describe_enclosure<P>(table, 0.0, 0.5);
  describe_collisions<P>(table);
  describe_placement<P>(table);
  describe_bodies<P>(table);

  table.start("position", &S::position, "m", Vec2<Real>{Real(0.0), Real(0.0)}, any_value,
              "centre of each disc, if its place is given");
  table.start("velocity", &S::velocity, "m/s", Vec2<Real>{Real(0.0), Real(0.0)}, any_value, "of each disc");

  describe_hit_columns<C>(table);
  table.column("mean_free_path", &C::mean_free_path, "m", "path length of all discs over twice the hits of two discs");
  table.column("pair_rate", &C::pair_rate, "1/s", "hits of two discs per time");
  table.column("wall_rate", &C::wall_rate, "1/s", "hits of a disc and the wall per time");
  table.column("wall_impulse", &C::wall_impulse, "N s", "size of the normal impulse on the wall, over all hits");
  table.column("pressure", &C::pressure, "N/m", "wall_impulse per time and length of the wall");
  describe_speed_columns<C>(table);
  table.column("vx_square", &C::vx_square, "m^2/s^2", "mean vx^2 over discs and time");
  table.column("vy_square", &C::vy_square, "m^2/s^2", "mean vy^2 over discs and time");
  table.column("flatness", &C::flatness, "1",
               "mean v^4 over the square of the mean v^2, over discs and time; 2 for Maxwell's law");
  describe_energy_columns<C>(table);
  table.column("momentum_x", &C::momentum_x, "kg m/s", "momentum of all discs along x at the end");
  table.column("momentum_y", &C::momentum_y, "kg m/s", "momentum of all discs along y at the end");
  table.column("angular_momentum", &C::angular_momentum, "kg m^2/s",
               "angular momentum of the centres about the origin at the end, counter-clockwise");
  table.column("angular_momentum_change", &C::angular_momentum_change, "kg m^2/s",
               "angular momentum at the end less that at the start");
  table.column("overlap_max", &C::overlap_max, "m", "deepest overlap, of two discs or with the wall, at a hit");
  table.column("x0", &C::x0, "m", "x of the centre of disc 0 at the end");
  table.column("y0", &C::y0, "m", "y of the centre of disc 0 at the end");
  table.column("speed0", &C::speed0, "m/s", "speed of disc 0 at the end: one draw from the distribution of speeds");
  table.column("time", &C::time, "s", "time reached");

  describe_hit_track<T>(table);
  table.track("x", &T::x, "m", "x of the centre of each disc");
  table.track("y", &T::y, "m", "y of the centre of each disc");
  table.track("vx", &T::vx, "m/s", "velocity of each disc along x");
  table.track("vy", &T::vy, "m/s", "velocity of each disc along y");
  table.headline({"pair_hits", "wall_hits", "guarded_hits", "mean_free_path", "wall_rate", "pressure", "energy_change",
                  "x0", "y0"});
  table.figure("mean_free_path", "pressure", "pressure by the mean free path");
  table.why({"energy_error", "hits_most", "overlap_max"});
  table.renamed_name("enclosure", "box", "rectangle");
  table.suggest("events", 0.1, 10.0);
  table.suggest_law("start.velocity", "{ polygon = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]] }");
}

}  // namespace scree
