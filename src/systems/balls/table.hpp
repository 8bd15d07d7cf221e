// What balls on a line are given and what they leave behind: parameters, starts, summary columns, and the one table
// that names them all.
#pragma once

#include "../../list.hpp"
#include "../../range.hpp"

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
  table.param("restitution", &P::restitution, "1", Real(1.0), zero_to_one, "of two balls");
  table.param("wall_restitution", &P::wall_restitution, "1", Real(1.0), zero_to_one, "of a ball and a wall");
  table.param("guard_time", &P::guard_time, "s", Real(1e-6), non_negative,
              "bodies that were hit less than this ago collide without loss: ends an inelastic collapse; 0: never");
  table.param("even_placement", &P::even_placement, "1", Real(1.0), zero_to_one,
              "1: equal gaps between the walls and the balls; 0: start.position");
  table.preset("placement", "even", {{&P::even_placement, 1.0}});
  table.preset("placement", "given", {{&P::even_placement, 0.0}});
  table.param("radius", &P::radius, "m", Real(0.02), positive, "of each ball");
  table.param("mass", &P::mass, "kg", Real(1.0), positive, "of each ball");

  table.start("position", &S::position, "m", Real(0.0), any_value,
              "centre of each ball, from left to right, if its place is given");
  table.start("velocity", &S::velocity, "m/s", Real(1.0), any_value, "of each ball, to the right");

  table.column("pair_hits", &C::pair_hits, "1", "hits of two balls");
  table.column("wall_hits", &C::wall_hits, "1", "hits of a ball and a wall");
  table.column("guarded_hits", &C::guarded_hits, "1", "hits of either kind that guard_time left without loss");
  table.column("hits_most", &C::hits_most, "1", "most hits between two observations");
  table.column("first_hit", &C::first_hit, "s", "time of the first hit of two balls");
  table.column("left_impulse", &C::left_impulse, "N s", "size of the impulse on the left wall, over all hits");
  table.column("right_impulse", &C::right_impulse, "N s", "size of the impulse on the right wall, over all hits");
  table.column("speed_mean", &C::speed_mean, "m/s", "mean speed over balls and time");
  table.column("speed_max", &C::speed_max, "m/s", "largest speed of any ball at any time");
  table.column("v_square", &C::v_square, "m^2/s^2", "mean v^2 over balls and time");
  table.column("energy_start", &C::energy_start, "J", "kinetic energy at the start");
  table.column("energy_end", &C::energy_end, "J", "kinetic energy at the end");
  table.column("energy_change", &C::energy_change, "1", "energy_end over energy_start, less 1");
  table.column("energy_error", &C::energy_error, "1",
               "what the energy lacks to its balance with the losses in hits, over energy_start");
  table.column("momentum", &C::momentum, "kg m/s", "momentum of all balls at the end");
  table.column("centre", &C::centre, "m", "centre of mass at the end");
  table.column("overlap_max", &C::overlap_max, "m", "deepest overlap, of two balls or with a wall, at a hit");
  table.column("x_first", &C::x_first, "m", "position of the leftmost ball at the end");
  table.column("x_last", &C::x_last, "m", "position of the rightmost ball at the end");
  table.column("v_first", &C::v_first, "m/s", "velocity of the leftmost ball at the end");
  table.column("v_last", &C::v_last, "m/s", "velocity of the rightmost ball at the end");
  table.column("time", &C::time, "s", "time reached");

  table.track("energy", &T::energy, "J", "kinetic energy");
  table.track("pair_hits", &T::pair_hits, "1", "hits of two balls so far");
  table.track("wall_hits", &T::wall_hits, "1", "hits of a ball and a wall so far");
  table.track("x", &T::x, "m", "position of each centre");
  table.track("v", &T::v, "m/s", "velocity of each ball");
  table.headline({"pair_hits", "wall_hits", "guarded_hits", "energy_change", "x_first", "x_last", "left_impulse",
                  "right_impulse"});
  table.why({"energy_error", "hits_most", "overlap_max"});
  table.suggest("events", 0.1, 10.0);
  table.suggest_law("start.velocity", "{ uniform = [-1.0, 1.0] }");
}

}  // namespace scree
