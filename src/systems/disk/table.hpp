// What a disk is given and what it leaves behind: parameters, starts, summary columns, and the one table that names
// them all.
#pragma once

#include "../../list.hpp"
#include "../../range.hpp"
#include "../../series.hpp"

namespace scree {

inline constexpr int most_disk_nodes = 2001;

template <class Real>
struct DiskParams {
  Real dimension, nodes, refinement, centre, adaptive, courant, growth, g_over_m;
  Series<Real> cells, positions, velocities;
};

template <class Real>
struct DiskStart {
  Real radius, speed, time, cell_noise, velocity_noise;
};

/// No draw of a standard normal number is larger: u >= 2^-53 (random.hpp), the quantile of which is -8.21. So no cell
/// number becomes negative while cell_noise is at most 0.1.
inline constexpr double most_normal = 8.3;

template <class Real>
struct DiskTrack {
  Real front, energy, kinetic_share, width_min;
  List<Real, most_disk_nodes> x, v, n;
};

/// Classes of velocity, each a quarter of V wide: the fastest particle of the continuum has 2 V.
inline constexpr int disk_classes = 8;

template <class Real>
struct DiskSummary {
  Real front, front_speed, mean_x, rms_x, rms_v, mass, energy, kinetic_share, energy_change, centre_density;
  Real x05, x25, x50, x75, x95, v05, v25, v50, v75, v95;
  Real share1, share2, share3, share4, share5, share6, share7, share8;
  Real width_min, courant_max, crossed, time, steps;
};

/// The one table of names, units, defaults, ranges and meanings.
template <class Real, class Table>
void describe_disk(Table& table) {
  using P = DiskParams<Real>;
  using S = DiskStart<Real>;
  using C = DiskSummary<Real>;
  using T = DiskTrack<Real>;
  table.system("disk", "expanding disk or dam break: a cloud with contact repulsion, or shallow water, let go");
  table.renamed_name("scheme", "leapfrog", "position_verlet");
  table.suggest("rk4", 1.0, 10.0);
  table.suggest_law("start.radius", "{ normal = [1.0, 0.02] }");
  table.suggest_law("start.speed", "{ normal = [1.0, 0.05] }");

  static constexpr Range little{0, 0.1, false, false, ">= 0 and <= 0.1"};
  table.count("nodes", &P::nodes, 101.0, most_disk_nodes, "N + 1: moving nodes x_0 to x_N, and as many cells");
  table.choice("geometry", &P::dimension, {{"slab", 1.0}, {"disk", 2.0}}, 1.0,
               "slab or dam, with a mirror at 0, in one dimension; disk, in two");
  table.param("refinement", &P::refinement, "1", 4.0, at_least_one,
              "M, whole, at most N: so many fine cells share the width of a coarse one");
  table.choice("mesh", &P::centre, {{"front", 0.0}, {"centre", 1.0}}, 0.0, "where the fine cells are");
  table.choice("stepping", &P::adaptive, {{"fixed", 0.0}, {"adaptive", 1.0}}, 1.0,
               "all steps of one length, or as long as accuracy and stability let them");
  table.param("courant", &P::courant, "1", 0.7, positive_to_one,
              "an adaptive step is at most this times min(w/c); stable up to sqrt 2 (rk4), 1 (position_verlet)");
  table.param("growth", &P::growth, "1", 0.1, positive_to_one, "an adaptive step is at most this times the time");
  table.adapts("stepping", {"courant", "growth"});
  table.param("g_over_m", &P::g_over_m, "m^(d+2)/s^2", 1.0, positive,
              "contact strength over mass, in d dimensions (gravity, if n is a depth): scales n, mass and energy only");
  table.series("cells", &P::cells, "1", positive,
               "particles in each cell, from the front to the centre; else those of Ritter's dam break at `time`, at "
               "given positions too");
  table.series("positions", &P::positions, "m", positive,
               "of the nodes, falling; else `refinement` spaces them, for given cells and velocities too");
  table.series("velocities", &P::velocities, "m/s", any_value,
               "of the nodes; else those of Ritter's dam break at `time`, at given positions too");
  table.renamed_key("dimension", "geometry", "1 is \"slab\", 2 \"disk\"");
  table.renamed_key("centre", "mesh", "0 is \"front\", 1 \"centre\"");
  table.renamed_key("adaptive", "stepping", "0 is \"fixed\", 1 \"adaptive\"");

  table.start("radius", &S::radius, "m", 1.0, positive, "R0: half width of the slab, radius of the disk, at t = 0");
  table.start("speed", &S::speed, "m/s", 1.0, positive, "V: speed of sound at t = 0, sqrt(g n(0) / m)");
  table.start("time", &S::time, "s", 0.1, positive,
              "t0: time since the walls vanished at which the sample starts, from Ritter's solution");
  table.start("cell_noise", &S::cell_noise, "1", 0.0, little,
              "extension: cell numbers are multiplied by 1 + this times a standard normal number each");
  table.start("velocity_noise", &S::velocity_noise, "1", 0.0, little,
              "extension: velocities are shifted by this times V times a standard normal number each");

  table.column("front", &C::front, "m", "x_0: how far the cloud reaches (run-out)");
  table.column("front_speed", &C::front_speed, "m/s", "v_0");
  table.column("mean_x", &C::mean_x, "m", "mean of x over the particles (1D: of one half)");
  table.column("rms_x", &C::rms_x, "m", "root of the mean of x^2");
  table.column("rms_v", &C::rms_v, "m/s", "root of the mean of v^2");
  table.column("mass", &C::mass, "1", "particles (1D: of one half)");
  table.column("energy", &C::energy, "m^2/s^2",
               "E/m: energy of the motion and of the contacts over the mass of a particle (1D: of one half)");
  table.column("kinetic_share", &C::kinetic_share, "1", "kinetic part of E; 0.4 V t / R0 in 1D until t = R0 / V");
  table.column("energy_change", &C::energy_change, "1", "E / E(start) - 1: error of the mesh, not of the step");
  table.column("centre_density", &C::centre_density, "1", "n / n(0) in the cell at the centre");
  table.column("x05", &C::x05, "m", "5 % of the particles are nearer to the centre");
  table.column("x25", &C::x25, "m", "25 % of the particles are nearer to the centre");
  table.column("x50", &C::x50, "m", "half of the particles are nearer to the centre");
  table.column("x75", &C::x75, "m", "75 % of the particles are nearer to the centre");
  table.column("x95", &C::x95, "m", "95 % of the particles are nearer to the centre");
  table.column("v05", &C::v05, "m/s", "velocity at x05");
  table.column("v25", &C::v25, "m/s", "velocity at x25");
  table.column("v50", &C::v50, "m/s", "velocity at x50");
  table.column("v75", &C::v75, "m/s", "velocity at x75");
  table.column("v95", &C::v95, "m/s", "velocity at x95");
  table.column("share1", &C::share1, "1", "share of the particles with v < V/4");
  table.column("share2", &C::share2, "1", "share with V/4 <= v < V/2");
  table.column("share3", &C::share3, "1", "share with V/2 <= v < 3/4 V");
  table.column("share4", &C::share4, "1", "share with 3/4 V <= v < V");
  table.column("share5", &C::share5, "1", "share with V <= v < 5/4 V");
  table.column("share6", &C::share6, "1", "share with 5/4 V <= v < 3/2 V");
  table.column("share7", &C::share7, "1", "share with 3/2 V <= v < 7/4 V");
  table.column("share8", &C::share8, "1", "share with 7/4 V <= v");
  table.column("width_min", &C::width_min, "m", "width of the narrowest cell at the end; negative where nodes crossed");
  table.column(
      "courant_max", &C::courant_max, "1",
      "largest step over min(w/c) at its beginning; beyond sqrt 2 (rk4), 1 (position_verlet) the sample has diverged");
  table.column("crossed", &C::crossed, "1", "1: nodes crossed; the sample ended there, diverged");
  table.column("time", &C::time, "s", "at the end of the sample");
  table.column("steps", &C::steps, "1", "steps taken");

  table.track("front", &T::front, "m", "x_0");
  table.track("energy", &T::energy, "m^2/s^2",
              "E/m: energy of the motion and of the contacts over the mass of a particle");
  table.track("kinetic_share", &T::kinetic_share, "1", "kinetic part of E");
  table.track("width_min", &T::width_min, "m", "width of the narrowest cell");
  table.track("x", &T::x, "m", "place of the node");
  table.track("v", &T::v, "m/s", "velocity of the node");
  table.track("n", &T::n, "1", "n / n(0) in the cell inside of the node");
  table.headline({"front", "rms_x", "kinetic_share", "energy_change", "centre_density"});
  table.figure("time", "kinetic_share", "how the energy of the disk turns into motion");
}

}  // namespace scree
