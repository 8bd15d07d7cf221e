// What the system `scatter` is told and what it tells: the structs and their table.
#pragma once

#include "../../range.hpp"
#include "../../vec.hpp"

namespace scree {

inline constexpr Range less_than_upright{-1.57, 1.57, true, true, "> -1.57 and < 1.57"};

template <class Real>
struct ScatterParams {
  Real gravity, drag, restitution, plane, plane_angle, ball;
  Vec2<Real> ball_position;
  Real ball_radius, near, rest_speed;
};
template <class Real>
struct ScatterStart {
  Vec2<Real> position, velocity;
};
template <class Real>
struct ScatterSummary {
  Real plane_hits, ball_hits, impact_parameter, scattering_angle, landing_x, landing_time, near_time, sliding;
  Real final_x, final_y, final_vx, final_vy;
};
template <class Real>
struct ScatterTrack {
  Real x, y, vx, vy, plane_hits, ball_hits, energy;
};

template <class Real, class Table>
void describe_scatter(Table& table) {
  using Params = ScatterParams<Real>;
  using Start = ScatterStart<Real>;
  using Summary = ScatterSummary<Real>;
  using Track = ScatterTrack<Real>;
  table.system("scatter", "a stream of particles that bounces off an inclined plane and a ball on it");
  table.param("gravity", &Params::gravity, "m/s^2", 9.8, non_negative, "downward");
  table.param("drag", &Params::drag, "1/s", 0.1, non_negative, "force of the air per mass and velocity");
  table.param("restitution", &Params::restitution, "1", 1.0, zero_to_one, "of both obstacles, for the normal velocity");
  table.choice("plane", &Params::plane, {{"absent", 0.0}, {"present", 1.0}}, 1.0, "the plane y = x tan(plane_angle)");
  table.param("plane_angle", &Params::plane_angle, "rad", 0.12, less_than_upright, "of the plane; it rises with x");
  table.choice("ball", &Params::ball, {{"absent", 0.0}, {"present", 1.0}}, 1.0, "the ball on the plane");
  table.param("ball_position", &Params::ball_position, "m", Vec2<Real>{Real(325.0), Real(120.0)}, any_value,
              "centre of the ball");
  table.param("ball_radius", &Params::ball_radius, "m", 80.0, positive, "radius of the ball");
  table.param("near", &Params::near, "m", 20.0, non_negative,
              "near_time counts the time within this distance of the ball");
  table.param("rest_speed", &Params::rest_speed, "m/s", 1e-3, positive,
              "a rebound pulled back that is slower than this slides on the plane, or leaves the ball with it");
  table.preset("obstacles", "both", {{&Params::plane, 1.0}, {&Params::ball, 1.0}});
  table.preset("obstacles", "plane", {{&Params::plane, 1.0}, {&Params::ball, 0.0}});
  table.preset("obstacles", "ball", {{&Params::plane, 0.0}, {&Params::ball, 1.0}});
  table.preset("obstacles", "none", {{&Params::plane, 0.0}, {&Params::ball, 0.0}});
  table.start("position", &Start::position, "m", Vec2<Real>{Real(200.0), Real(400.0)}, any_value,
              "above the plane and outside the ball");
  table.start("velocity", &Start::velocity, "m/s", Vec2<Real>{Real(0.0), Real(-40.0)}, any_value, "velocity there");
  table.column("plane_hits", &Summary::plane_hits, "1", "impacts on the plane");
  table.column("ball_hits", &Summary::ball_hits, "1", "impacts on the ball");
  table.column("impact_parameter", &Summary::impact_parameter, "m",
               "distance of the centre of the ball from the line of the velocity before its first hit, left of it > 0; "
               "0 from rest");
  table.column("scattering_angle", &Summary::scattering_angle, "rad",
               "between the velocities before and after the first hit of the ball, 0 to pi; 0 if one of them is 0");
  table.column("landing_x", &Summary::landing_x, "m", "where the first hit of the plane was");
  table.column("landing_time", &Summary::landing_time, "s", "when the first hit of the plane was");
  table.column("near_time", &Summary::near_time, "s",
               "time within the distance `near` of the ball's surface; under `euler_cromer_overlap` in whole steps");
  table.column("sliding", &Summary::sliding, "1",
               "1 if it has done bouncing and lies or slides on the plane at the end, else 0");
  table.column("final_x", &Summary::final_x, "m", "position at the end");
  table.column("final_y", &Summary::final_y, "m", "position at the end");
  table.column("final_vx", &Summary::final_vx, "m/s", "velocity at the end");
  table.column("final_vy", &Summary::final_vy, "m/s", "velocity at the end");
  table.track("x", &Track::x, "m", "position");
  table.track("y", &Track::y, "m", "position, upward");
  table.track("vx", &Track::vx, "m/s", "velocity");
  table.track("vy", &Track::vy, "m/s", "velocity, upward");
  table.track("plane_hits", &Track::plane_hits, "1", "impacts on the plane so far");
  table.track("ball_hits", &Track::ball_hits, "1", "impacts on the ball so far");
  table.track("energy", &Track::energy, "J/kg", "kinetic and potential energy per mass, 0 at rest at y = 0");
  table.headline({"plane_hits", "ball_hits", "impact_parameter", "scattering_angle", "landing_x", "near_time"});
  table.figure("impact_parameter", "scattering_angle", "the deflection by the impact parameter");
  table.renamed_name("scheme", "overlap", "euler_cromer_overlap");
  table.suggest("exact", 0.5, 50.0);
  table.suggest_law("start.position", "{ line = [[215.0, 400.0], [365.0, 400.0]] }  # m");
}

}  // namespace scree
