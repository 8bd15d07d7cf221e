// What balls on a line are given and what they leave behind: parameters, starts, summary columns, and the one table
// that names them all.
#pragma once

#include "../../list.hpp"
#include "../../range.hpp"
#include "../../steppers/hard_hits.hpp"

namespace scree {

/// Of balls in one sample, for the lists of parameters and starts.
inline constexpr int most_balls = 64;

template <class Real>
struct BallsParams {
  Real balls, left, right, restitution, wall_restitution, guard_time, even_placement;
  List<Real, most_balls> radius, mass;
};

template <class Real>
struct BallsStart {
  List<Real, most_balls> position, velocity;
};

template <class Real>
struct BallsTrack {
  Real energy, pair_hits, wall_hits;
  List<Real, most_balls> x, v;
};

template <class Real>
struct BallsSummary {
  Real pair_hits, wall_hits, guarded_hits, hits_most, first_hit;
  Real left_impulse, right_impulse, speed_mean, speed_max, v_square;
  Real energy_start, energy_end, energy_change, energy_error, momentum, centre;
  Real overlap_max, x_first, x_last, v_first, v_last, time;
};

template <class Real, class Table>
void describe_balls(Table& table) {
  using P = BallsParams<Real>;
  using S = BallsStart<Real>;
  using C = BallsSummary<Real>;
  using T = BallsTrack<Real>;
  table.system("balls", "balls that collide on a line between two walls, from hit to hit");

  table.count("balls", &P::balls, 3.0, most_balls, "number of balls");
  table.param("left", &P::left, "m", Real(0.0), any_value, "place of the left wall");
  table.param("right", &P::right, "m", Real(1.0), any_value, "place of the right wall");
  describe_collisions<P>(table);
  table.choice("placement", &P::even_placement, {{"given", 0.0}, {"even", 1.0}}, 1.0,
               "given as start.position, or with equal gaps between the walls and the balls");
  table.renamed_key("even_placement", "placement", "0 is \"given\", 1 \"even\"");
  describe_bodies<P>(table);

  table.start("position", &S::position, "m", Real(0.0), any_value,
              "centre of each ball, from left to right, if its place is given");
  table.start("velocity", &S::velocity, "m/s", Real(1.0), any_value, "of each ball, to the right");

  describe_hit_columns<C>(table);
  table.column("left_impulse", &C::left_impulse, "N s", "size of the impulse on the left wall, over all hits");
  table.column("right_impulse", &C::right_impulse, "N s", "size of the impulse on the right wall, over all hits");
  describe_speed_columns<C>(table);
  table.column("v_square", &C::v_square, "m^2/s^2", "mean v^2 over balls and time");
  describe_energy_columns<C>(table);
  table.column("momentum", &C::momentum, "kg m/s", "momentum of all balls at the end");
  table.column("centre", &C::centre, "m", "centre of mass at the end");
  table.column("overlap_max", &C::overlap_max, "m", "deepest overlap, of two balls or with a wall, at a hit");
  table.column("x_first", &C::x_first, "m", "position of the leftmost ball at the end");
  table.column("x_last", &C::x_last, "m", "position of the rightmost ball at the end");
  table.column("v_first", &C::v_first, "m/s", "velocity of the leftmost ball at the end");
  table.column("v_last", &C::v_last, "m/s", "velocity of the rightmost ball at the end");
  table.column("time", &C::time, "s", "time reached");

  describe_hit_track<T>(table);
  table.track("x", &T::x, "m", "position of each centre");
  table.track("v", &T::v, "m/s", "velocity of each ball");
  table.headline({"pair_hits", "wall_hits", "guarded_hits", "energy_change", "x_first", "x_last", "left_impulse",
                  "right_impulse"});
  table.figure("wall_hits", "pair_hits", "hits between balls by those of walls");
  table.why({"energy_error", "hits_most", "overlap_max"});
  table.suggest("events", 0.1, 10.0);
  table.suggest_law("start.velocity", "{ uniform = [-1.0, 1.0] }");
}

}  // namespace scree
