// What the system `coulomb` is told and what it tells: the structs, which do not depend on the capacity, and their
// table.
#pragma once

#include <cstddef>

#include "../../list.hpp"
#include "../../range.hpp"
#include "../../vec.hpp"

namespace scree {

inline constexpr int most_charges = 16;

template <class Real>
struct CoulombParams {
  using Row = List<Real, most_charges>;
  Real bodies, gravitation, coulomb, softening, close, escape_distance;
  Row mass, charge;
  Row a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;  // the matrix A, one row per body

  /// A_ij. The rows lie behind one another in this struct of Reals.
  HOST_DEVICE const Real& matrix(int i, int j) const {
    return reinterpret_cast<const Real*>(this)[offsetof(CoulombParams, a0) / sizeof(Real) + i * most_charges + j];
  }
};
template <class Real>
struct CoulombStart {
  List<Vec2<Real>, most_charges> position, velocity;
};
template <class Real>
struct CoulombSummary {
  Real energy_error, energy_drift, momentum_drift, angular_momentum_drift, closest, closest_time, close, escaped;
  Real escaper, scattering_angle, impact_parameter, final_x, final_y, final_vx, final_vy, return_distance, time;
};
template <class Real>
struct CoulombTrack {
  List<Real, most_charges> x, y, vx, vy;
  Real energy, closest;
};

template <class Real, class Table>
void describe_coulomb(Table& table) {
  using Params = CoulombParams<Real>;
  using Start = CoulombStart<Real>;
  using Summary = CoulombSummary<Real>;
  using Track = CoulombTrack<Real>;
  table.system("coulomb", "bodies in a plane that attract or repel one another as the inverse square");
  table.count("bodies", &Params::bodies, 2.0, most_charges, "number of bodies");
  table.param("gravitation", &Params::gravitation, "m^3/(kg s^2)", 0.0, non_negative,
              "G of gravity: two bodies attract with G m_i m_j / r^2");
  table.param("coulomb", &Params::coulomb, "N m^2/C^2", 1.0, non_negative,
              "k of the electric force: two charges repel with k q_i q_j / r^2");
  table.param("softening", &Params::softening, "m", 0.0, non_negative,
              "length in r^2 + softening^2: no singularity, but other physics near it");
  table.param("close", &Params::close, "m", 0.0, non_negative,
              "two bodies are close if nearer than this, see the column `close`");
  table.param("escape_distance", &Params::escape_distance, "m", 0.0, non_negative,
              "a body counts as escaped only beyond this distance from the centre of mass of the others");
  table.param("mass", &Params::mass, "kg", 1.0, non_negative, "0: a test particle, which acts on no other body");
  table.param("charge", &Params::charge, "C", 1.0, any_value, "charge; like ones repel");
  const char* row = "row of this body in the matrix A: body j adds A_ij / r^2 to its acceleration, < 0 attracts";
  table.param("A0", &Params::a0, "m^3/s^2", 0.0, any_value, row);
  table.param("A1", &Params::a1, "m^3/s^2", 0.0, any_value, row);
  table.param("A2", &Params::a2, "m^3/s^2", 0.0, any_value, row);
  table.param("A3", &Params::a3, "m^3/s^2", 0.0, any_value, row);
  table.param("A4", &Params::a4, "m^3/s^2", 0.0, any_value, row);
  table.param("A5", &Params::a5, "m^3/s^2", 0.0, any_value, row);
  table.param("A6", &Params::a6, "m^3/s^2", 0.0, any_value, row);
  table.param("A7", &Params::a7, "m^3/s^2", 0.0, any_value, row);
  table.param("A8", &Params::a8, "m^3/s^2", 0.0, any_value, row);
  table.param("A9", &Params::a9, "m^3/s^2", 0.0, any_value, row);
  table.param("A10", &Params::a10, "m^3/s^2", 0.0, any_value, row);
  table.param("A11", &Params::a11, "m^3/s^2", 0.0, any_value, row);
  table.param("A12", &Params::a12, "m^3/s^2", 0.0, any_value, row);
  table.param("A13", &Params::a13, "m^3/s^2", 0.0, any_value, row);
  table.param("A14", &Params::a14, "m^3/s^2", 0.0, any_value, row);
  table.param("A15", &Params::a15, "m^3/s^2", 0.0, any_value, row);
  table.preset("interaction", "coulomb", {{&Params::gravitation, 0.0}, {&Params::coulomb, 1.0}});
  table.preset("interaction", "gravity", {{&Params::gravitation, 1.0}, {&Params::coulomb, 0.0}});
  table.preset("interaction", "matrix", {{&Params::gravitation, 0.0}, {&Params::coulomb, 0.0}});
  table.start("position", &Start::position, "m", Vec2<Real>{Real(0.0), Real(0.0)}, any_value, "in the plane");
  table.start("velocity", &Start::velocity, "m/s", Vec2<Real>{Real(0.0), Real(0.0)}, any_value, "in the plane");
  table.column("energy_error", &Summary::energy_error, "1", "largest |E - E(0)| over K(0) + sum |U_ij(0)|");
  table.column("energy_drift", &Summary::energy_drift, "1", "E - E(0) at the end, over the same");
  table.column("momentum_drift", &Summary::momentum_drift, "1",
               "|P - P(0)| at the end, over sqrt(2 W S), W = sum w_i and S the sum that energies are over");
  table.column("angular_momentum_drift", &Summary::angular_momentum_drift, "1",
               "|L - L(0)| at the end, over sqrt(2 J S), J = sum w_i r_i^2 at the start");
  table.column("closest", &Summary::closest, "m",
               "least distance of two bodies, at the ends of steps; none for one body");
  table.column("closest_time", &Summary::closest_time, "s", "when they were that near");
  table.column("close", &Summary::close, "1", "1 if two bodies came nearer than `close`, else 0");
  table.column("escaped", &Summary::escaped, "1",
               "bodies that at the end recede with energy to spare, beyond escape_distance; two where two part");
  table.column("escaper", &Summary::escaper, "1", "number of the first of them, from 0");
  table.column("scattering_angle", &Summary::scattering_angle, "rad",
               "between the first and the last velocity of body 1 relative to body 0, 0 to pi");
  table.column("impact_parameter", &Summary::impact_parameter, "m",
               "distance of body 0 from the line of the first velocity of body 1 relative to it, left of it > 0");
  table.column("final_x", &Summary::final_x, "m", "body 1 relative to body 0 at the end");
  table.column("final_y", &Summary::final_y, "m", "body 1 relative to body 0 at the end");
  table.column("final_vx", &Summary::final_vx, "m/s", "body 1 relative to body 0 at the end");
  table.column("final_vy", &Summary::final_vy, "m/s", "body 1 relative to body 0 at the end");
  table.column("return_distance", &Summary::return_distance, "m",
               "between the first and the last place of body 1 relative to body 0");
  table.column("time", &Summary::time, "s", "from the start to the end of the sample");
  table.track("x", &Track::x, "m", "position");
  table.track("y", &Track::y, "m", "position");
  table.track("vx", &Track::vx, "m/s", "velocity");
  table.track("vy", &Track::vy, "m/s", "velocity");
  table.track("energy", &Track::energy, "J", "E in the frame of the centre of mass, equation (3)");
  table.track("closest", &Track::closest, "m", "least distance of two bodies so far");
  table.headline({"energy_error", "closest", "escaped", "scattering_angle"});
  table.figure("closest", "energy_error", "what close encounters cost of the energy");
  table.suggest("leapfrog", 0.001, 10.0);
  table.suggest_law("start.position", "{ polygon = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]] }  # m");
}

}  // namespace scree
