#include "cases.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "../src/systems/balls.hpp"
#include "../src/systems/coulomb.hpp"
#include "../src/systems/disc_box.hpp"
#include "../src/systems/disk.hpp"
#include "../src/systems/hard_discs.hpp"
#include "../src/systems/pair.hpp"
#include "../src/systems/projectile.hpp"
#include "../src/systems/rock.hpp"
#include "../src/systems/rotor.hpp"
#include "../src/systems/scatter.hpp"
#include "../src/systems/slider.hpp"
#include "host/common/worst.hpp"
#include "host/config/embedded.hpp"
#include "lorenz.hpp"

extern "C" {
void scree_slider_contracted_avx2(const scree::Job&);
void scree_slider_contracted_avx512(const scree::Job&);
}
#ifndef SCREE_CONTRACTED_avx2
#define SCREE_CONTRACTED_avx2 nullptr
#endif
#ifndef SCREE_CONTRACTED_avx512
#define SCREE_CONTRACTED_avx512 nullptr
#endif

namespace scree {

Model model_lorenz();

namespace {

constexpr double epsilon = 0x1p-53;  // of one rounding

double largest(const SummaryTable& table, const char* column) {
  double most = 0;
  for (const double x : table.column(table.description->column(column))) most = worst(most, std::fabs(x));
  return most;
}

// ---------------------------------------------------------------------------------------------------------------------

const char* const slider_config = R"(system  = "slider"
scheme  = "rk4"
samples = 1000
step    = 0.1
end     = 100.0
[slider]
friction = 0.002
[terrain]
kind = "quadric"
a = 1e-5
e = -5e-5
f = 10.0
[vary]
"start.position.x" = { uniform = [-2000.0, 2000.0] }
"start.position.y" = { uniform = [-2000.0, 2000.0] }
"start.velocity.x" = { normal = [0.0, 1.0] }
"start.velocity.y" = { normal = [20.0, 1.0] }
)";

const char* const cap_config = R"(system  = "slider"
scheme  = "rk4"
samples = 1000
step    = 0.01
end     = 10.0
[slider]
friction = 0.005
[terrain]
kind = "bowl"
radius = 20.0
[vary]
"start.position.x" = { uniform = [-1.0, 1.0] }
"start.position.y" = { uniform = [13.0, 15.0] }
"start.velocity.x" = { uniform = [11.0, 13.0] }
"start.velocity.y" = { uniform = [-1.0, 1.0] }
)";

/// Energy lost and friction's work balance to the error of RK4 and to round-off: 1000 steps, each of which rounds the
/// energy some twenty times. The error of RK4 comes from the angle w h that the motion turns through in a step, by
/// (w h)^5 / 120 of the energy at most: w h < 2e-3 in the valley, nothing; w h < 1e-2 in the bowl, 1000 times 8e-13.
PhysicsCheck check_slider(const Run& run, const void*, const std::string&, const SummaryTable& table) {
  const auto error = table.column(table.description->column("energy_error"));
  const auto energy = table.column(table.description->column("energy_start"));
  double most = 0;
  for (std::uint64_t i = 0; i < table.samples; ++i) most = worst(most, std::fabs(error[i] / energy[i]));
  const double round_off = 1000 * 20 * epsilon;
  return {"largest relative error of the energy's balance", most,
          run.spec.world.terrain.is<Bowl>() ? 1000 * 8e-13 + round_off : round_off};
}

const char* const pair_config = R"(system  = "pair"
scheme  = "rk4"
samples = 1000
step    = 0.1
end     = 100.0
[pair]
mass1 = 100.0
mass2 = 10.0
friction = 0.002
[terrain]
kind = "quadric"
b = 1e-5
d = -5e-5
f = 10.0
[start]
velocity1 = [20.0, 0.0]
velocity2 = [20.0, 0.0]
[vary]
"start.position1.x" = { uniform = [1900.0, 2100.0] }
"start.position1.y" = { uniform = [-2100.0, -1900.0] }
"start.position2.x" = { uniform = [2300.0, 2500.0] }
"start.position2.y" = { uniform = [-1600.0, -1400.0] }
)";

/// As for the slider in its valley, with two masses.
PhysicsCheck check_pair(const Run&, const void*, const std::string&, const SummaryTable& table) {
  const auto error = table.column(table.description->column("energy_error"));
  const auto energy = table.column(table.description->column("energy_start"));
  double most = 0;
  for (std::uint64_t i = 0; i < table.samples; ++i) most = worst(most, std::fabs(error[i] / energy[i]));
  return {"largest relative error of the energy's balance", most, 1000 * 40 * epsilon};
}

// ---------------------------------------------------------------------------------------------------------------------

const char* const disc_box_config = R"(system  = "disc_box"
scheme  = "rk4_redo"
samples = 1000
step    = 0.001
end     = 1.0
[vary]
"start.velocity.x" = { uniform = [-5.0, 5.0] }
"start.velocity.y" = { uniform = [-5.0, 5.0] }
"start.spin" = { uniform = [-15.0, 15.0] }
)";

/// The balance of energy and work is off by the steps in which a contact begins or ends: there the force, up to
/// k (v h)^(3/2) at the speed v of the onset, is known no better than that, along a way of v h. Times two such steps an
/// impact, with k of the wall, the larger, and the fastest onset; the speed of a contact that ends is no higher.
PhysicsCheck check_disc_box(const Run& run, const void*, const std::string&, const SummaryTable& table) {
  const auto column = [&](const char* name) { return table.column(table.description->column(name)); };
  const auto error = column("energy_error"), discs = column("impacts_disc"), wall = column("impacts_wall");
  const auto speed = column("onset_speed_max");
  const double k = 1617.526025390473, rounding = 1000 * 100 * epsilon * 300;  // of some 300 J
  double most = 0;
  for (std::uint64_t i = 0; i < table.samples; ++i) {
    const double impacts = discs[i] + wall[i];
    const double step = impacts > 0 ? k * std::pow(speed[i] * run.spec.world.step, 2.5) : 0;
    most = worst(most, std::fabs(error[i]) / (2 * impacts * step + rounding));
  }
  return {"largest error of the energy's balance, over that of the steps in which contacts begin and end", most, 1};
}

// ---------------------------------------------------------------------------------------------------------------------

const char* const projectile_config = R"(system  = "projectile"
scheme  = "rk4"
samples = 1000
step    = 0.01
end     = 10.0
[vary]
"start.speed" = { uniform = [150.0, 200.0] }
"start.angle" = { uniform = [0.8, 1.4] }
"projectile.drag" = { uniform = [0.0, 0.1] }
)";

/// RK4 leaves (a h)^5 / 120 = 1e-17 of the velocity a step, which is nothing. Rounding: 1000 steps, in each of which
/// positions below 2048 m are rounded by half of 2^-42 m twice, and velocities below 256 m/s by half of 2^-45 m/s
/// twice, which counts for 5 s on average; and as much as one step's in the closed form.
PhysicsCheck check_projectile(const Run&, const void*, const std::string&, const SummaryTable& table) {
  return {"largest distance from the exact flight, m", largest(table, "position_error"),
          1001 * (2 * 0x1p-43 + 5 * 2 * 0x1p-46)};
}

const char* const scatter_config = R"(system  = "scatter"
scheme  = "exact"
samples = 1000
step    = 0.02
end     = 20.0
[scatter]
drag = 0.0
[vary]
"start.position.x" = { uniform = [230.0, 350.0] }
)";

/// Without drag and with elastic impacts the energy is kept, whatever the path: 1000 steps of some ten roundings of its
/// parts, v^2 / 2 and g y, each of which stays below twice the sum.
PhysicsCheck check_scatter(const Run& run, const void*, const std::string&, const SummaryTable& table) {
  const auto column = [&](const char* name) { return table.column(table.description->column(name)); };
  const auto y = column("final_y"), vx = column("final_vx"), vy = column("final_vy");
  const double gravity = run.spec.params[0], start = 0.5 * 40 * 40 + gravity * 400;
  double most = 0;
  for (std::uint64_t i = 0; i < table.samples; ++i)
    most = worst(most, std::fabs(0.5 * (vx[i] * vx[i] + vy[i] * vy[i]) + gravity * y[i] - start));
  return {"largest relative error of the energy", most / start, 1000 * 10 * 2 * epsilon};
}

const char* const coulomb_config = R"(system  = "coulomb"
scheme  = "rk4"
samples = 1000
step    = 0.001
end     = 1.0
[coulomb]
interaction = "gravity"
bodies = 3
mass = [1.0, 0.7, 0.4]
[vary]
"start.position[0]" = { polygon = [[-0.2, -0.2], [0.2, -0.2], [0.2, 0.2], [-0.2, 0.2]] }
"start.position[1]" = { polygon = [[2.8, -0.2], [3.2, -0.2], [3.2, 0.2], [2.8, 0.2]] }
"start.position[2]" = { polygon = [[-0.2, 2.8], [0.2, 2.8], [0.2, 3.2], [-0.2, 3.2]] }
"start.velocity" = { polygon = [[-0.3, -0.3], [0.3, -0.3], [0.3, 0.3], [-0.3, 0.3]] }
)";

/// The bodies start 2.6 m apart or more, approach one another at 0.85 m/s at the most, and fall towards one another by
/// less than 0.5 m in 1 s: they stay a metre apart, so that the motion turns by w h < 2.1e-3 in a step, where w^2 is
/// 2 G m / r^3: RK4 leaves 1000 (w h)^5 / 120 = 4e-13 of the energy. Rounding: 1000 steps of some forty.
PhysicsCheck check_coulomb(const Run&, const void*, const std::string&, const SummaryTable& table) {
  return {"largest relative error of the energy", largest(table, "energy_error"), 4e-13 + 1000 * 40 * epsilon};
}

// ---------------------------------------------------------------------------------------------------------------------

const char* const lorenz_config = R"(system  = "lorenz"
scheme  = "rk4"
samples = 1000
step    = 0.01
end     = 10.0
[vary]
"lorenz.rho" = { uniform = [0.0, 21.0] }
)";

/// Equation (2) of lorenz.hpp: V / R^2 - 1 <= (V0 / R^2 - 1) e^(-20) at t = 10. V0 / R^2 is largest at rho = 0, where
/// V0 = 200 and R^2 = 107, so 2e-9 is left at most; RK4 at h = 0.01 follows the decay to 1e-5 of it, and the
/// solutions proper end well inside.
PhysicsCheck check_lorenz(const Run& run, const void* ensemble, const std::string&, const SummaryTable& table) {
  const Description& d = *table.description;
  std::vector<double> values(d.param_doubles + d.start_doubles);
  double most = 0;
  for (std::uint64_t i = 0; i < table.samples; ++i) {
    run.model->draw(ensemble, i, values.data());
    const double sum = values[0] + values[1], beta = values[2];
    const double x = table.at(0, i), y = table.at(1, i), z = table.at(2, i) - sum;
    most = worst(most, (x * x + y * y + z * z) * 4 * (beta - 1) / (beta * beta * sum * sum));
  }
  return {"largest V / R^2 of the trapping ball", most, 1 + 2e-9};
}

// ---------------------------------------------------------------------------------------------------------------------

const char* const rotor_config = R"(system  = "rotor"
scheme  = "implicit_cay"
samples = 1000
step    = 0.01
end     = 10.0
[vary]
"start.omega.x" = { normal = [0.0, 3.0] }
"start.omega.y" = { normal = [0.0, 3.0] }
"start.omega.z" = { normal = [0.0, 3.0] }
orientation = "uniform"
)";

/// The implicit midpoint keeps the energy; 1000 steps of some ten roundings, all one way at worst.
PhysicsCheck check_rotor(const Run&, const void*, const std::string&, const SummaryTable& table) {
  return {"largest relative drift of the energy", largest(table, "energy_drift"), 1e4 * epsilon};
}

// ---------------------------------------------------------------------------------------------------------------------

const char* const rock_flight_config = R"(system  = "rock"
scheme  = "implicit"
samples = 1000
step    = 0.002
end     = 2.0
[rock]
ground = "medium"
[terrain]
kind = "ramp"
slope = 40.0
height = 100.0
[[shape]]
name = "EOTA221"
kind = "eota"
size = [0.93, 0.93, 0.47]
mass = 780.0
[start]
position = [0.0, 0.0, 1000.0]
[vary]
orientation = "uniform"
"start.omega.x" = { normal = [0.0, 10.0] }
"start.omega.y" = { normal = [0.0, 10.0] }
"start.omega.z" = { normal = [0.0, 10.0] }
)";

/// Free fall over 2 s, which the midpoint has exactly. The height, about 1000 m, is rounded twice in each of 1000 steps
/// to half of 2^-43 m.
PhysicsCheck check_rock_flight(const Run&, const void*, const std::string&, const SummaryTable& table) {
  double most = 0;
  for (const double drop : table.column(table.description->column("drop")))
    most = worst(most, std::fabs(drop - 0.5 * 9.81 * 4));
  return {"largest deviation from free fall, m", most, 2 * 1000 * 0x1p-44};
}

double count_other_than(const SummaryTable& table, std::initializer_list<Status> ends) {
  return static_cast<double>(std::count_if(table.status.begin(), table.status.end(), [&](std::uint32_t status) {
    return std::find(ends.begin(), ends.end(), static_cast<Status>(status)) == ends.end();
  }));
}

/// Every rock comes to rest: there is none left that is not accounted for.
PhysicsCheck check_rock_contact(const Run&, const void*, const std::string&, const SummaryTable& table) {
  return {"rocks that have not come to rest", count_other_than(table, {Status::stopped}), 0};
}

/// The terrain is small: a rock comes to rest on it or leaves it.
PhysicsCheck check_rock_grid(const Run&, const void*, const std::string&, const SummaryTable& table) {
  return {"rocks that neither came to rest nor left the terrain",
          count_other_than(table, {Status::stopped, Status::left_terrain, Status::no_data}), 0};
}

// ---------------------------------------------------------------------------------------------------------------------

const char* const hard_discs_config = R"(system  = "hard_discs"
scheme  = "events"
samples = 1000
step    = 0.01
end     = 10.0
[hard_discs]
discs     = 16
radius    = 0.02
placement = "random"
[vary]
"start.velocity.x" = { normal = [0.0, 1.0] }
"start.velocity.y" = { normal = [0.0, 1.0] }
)";

const char* const balls_config = R"(system  = "balls"
scheme  = "events"
samples = 1000
step    = 0.01
end     = 10.0
[balls]
balls  = 8
radius = 0.02
mass   = [1.0, 2.0, 0.5, 1.0, 3.0, 1.0, 0.7, 1.0]
[vary]
"start.velocity" = { normal = [0.0, 1.0] }
)";

/// Each hit rounds the velocities of those it changes, and with them the energy by 8 roundings of it at most.
PhysicsCheck check_hard_hits(const Run&, const void*, const std::string&, const SummaryTable& table) {
  const auto column = [&](const char* name) { return table.column(table.description->column(name)); };
  const auto error = column("energy_error"), pairs = column("pair_hits"), walls = column("wall_hits");
  double most = 0;
  for (std::uint64_t i = 0; i < table.samples; ++i) most = worst(most, std::fabs(error[i]) / (pairs[i] + walls[i] + 1));
  return {"largest relative error of the energy per hit", most, 8 * epsilon};
}

// ---------------------------------------------------------------------------------------------------------------------

const char* const disk_config = R"(system  = "disk"
scheme  = "rk4"
samples = 1000
step    = 0.009
end     = 9.1
[disk]
nodes = 101
stepping = "fixed"
[vary]
"start.radius" = { uniform = [0.95, 1.05] }
"start.speed" = { uniform = [0.95, 1.05] }
)";

/// The front goes R0 + 2 V t. The first cell, of width w, makes it faster by w / (6 t0) (1 - (t0 / t)^(1/3)), to first
/// order in w / t0 V = 0.03: by no more than w / (6 t0).
PhysicsCheck check_disk(const Run& run, const void* ensemble, const std::string&, const SummaryTable& table) {
  const Description& d = *table.description;
  const auto front = table.column(d.column("front"));
  std::vector<double> values(d.param_doubles + d.start_doubles);
  double most = 0;
  for (std::uint64_t i = 0; i < table.samples; ++i) {
    run.model->draw(ensemble, i, values.data());
    const double* start = values.data() + d.param_doubles;
    const double radius = start[0], speed = start[1], t0 = start[2], t = run.spec.world.end;
    const double width = (radius + 2 * speed * t0) / (100 - 4 + 2) / 4;
    most = worst(most, std::fabs(front[i] - (radius + 2 * speed * t)) / ((t - t0) * width / (6 * t0)));
  }
  return {"lead of the front over R0 + 2 V t, of what its cell's width explains", most, 1};
}

}  // namespace

ContactWork contact_work(const SummaryTable& table) {
  ContactWork work;
  const Description& d = *table.description;
  if (d.column("contact_solves") < 0) return work;
  const auto solves = table.column(d.column("contact_solves")), sweeps = table.column(d.column("sweeps_mean"));
  const auto capped = table.column(d.column("capped_steps")), twofold = table.column(d.column("twofold_steps"));
  for (std::uint64_t i = 0; i < table.samples; ++i) {
    if (!(solves[i] > 0)) continue;
    work.steps += solves[i];
    work.sweeps += solves[i] * sweeps[i];
    work.capped += capped[i];
    work.twofold += twofold[i];
  }
  return work;
}

std::span<const BenchCase> bench_cases() {
  constexpr Kernel contracted_avx2 = SCREE_CONTRACTED_avx2, contracted_avx512 = SCREE_CONTRACTED_avx512;
  // A sample of these cases is not chaotic: what its 1000 steps round differently, ten roundings in each, adds up.
  constexpr double smooth = 1000 * 10 * epsilon;
  static const std::vector<BenchCase> cases{
      {.name = "slider",
       .meaning = "masses in a quadric valley with friction, RK4, 1000 steps in which none stops",
       .config = slider_config,
       .samples = 2000,
       .counted = 16,
       .count = &count_operations<Slider, Rk4>,
       .check = &check_slider,
       .plain = {.rows = {{"naive", "rk4", &scree_naive_slider}, {"odeint", "rk4", &scree_odeint_slider}},
                 .inputs = {"gravity", "friction", "position", "velocity"},
                 .state = {"final_x", "final_y"},
                 .width = 4,
                 .agreement = smooth},
       .contracted = {nullptr, contracted_avx2, contracted_avx512}},
      {.name = "cap",
       .meaning = "masses in a spherical bowl with friction, RK4, 1000 steps in which none stops",
       .config = cap_config,
       .samples = 2000,
       .counted = 16,
       .count = &count_operations<Slider, Rk4>,
       .check = &check_slider,
       .plain = {.rows = {{"naive", "rk4", &scree_naive_cap}, {"odeint", "rk4", &scree_odeint_cap}},
                 .inputs = {"gravity", "friction", "position", "velocity"},
                 .state = {"final_x", "final_y"},
                 .width = 4,
                 .agreement = smooth},
       .contracted = {nullptr, contracted_avx2, contracted_avx512}},
      {.name = "pair",
       .meaning = "two linked masses in a quadric valley with friction, exact model, RK4, 1000 steps",
       .config = pair_config,
       .samples = 1000,
       .counted = 16,
       .count = &count_operations<Pair, Rk4>,
       .check = &check_pair,
       .plain = {.rows = {{"naive", "rk4", &scree_naive_pair}, {"odeint", "rk4", &scree_odeint_pair}},
                 .inputs = {"mass1", "mass2", "gravity", "friction", "position1", "position2", "velocity1",
                            "velocity2"},
                 .state = {"final_x1", "final_y1", "final_x2", "final_y2"},
                 .width = 8,
                 .agreement = smooth}},
      {.name = "rotor",
       .meaning = "free rigid body, implicit midpoint and Cayley map, 1000 steps",
       .config = rotor_config,
       .samples = 2000,
       .counted = 16,
       .count = &count_operations<Rotor, RotorMidpoint<Cayley>>,
       .check = &check_rotor,
       .plain = {.rows = {{"naive", "implicit_cay", &scree_naive_rotor}},
                 .inputs = {"inertia", "omega", "orientation"},
                 .state = {"omega_x", "omega_y", "omega_z", "orientation_w", "orientation_x", "orientation_y",
                           "orientation_z"},
                 .width = 9,
                 .agreement = smooth}},
      {.name = "projectile",
       .meaning = "shots with linear drag, RK4, 1000 steps in the air",
       .config = projectile_config,
       .samples = 2000,
       .counted = 16,
       .count = &count_operations<Projectile, Rk4>,
       .check = &check_projectile,
       .plain = {.rows = {{"naive", "rk4", &scree_naive_projectile}, {"odeint", "rk4", &scree_odeint_projectile}},
                 .inputs = {"gravity", "drag", "speed", "angle", "height"},
                 .state = {"final_x", "final_y"},
                 .width = 4,
                 .agreement = smooth}},
      {.name = "coulomb",
       .meaning = "three bodies under their gravity, RK4, 1000 steps",
       .config = coulomb_config,
       .samples = 2000,
       .counted = 16,
       .count = &count_operations<Coulomb, Rk4>,
       .check = &check_coulomb,
       .plain = {.rows = {{"naive", "rk4", &scree_naive_coulomb}, {"odeint", "rk4", &scree_odeint_coulomb}},
                 .inputs = {"mass", "position", "velocity"},
                 .state = {"final_x", "final_y", "final_vx", "final_vy"},
                 .width = 12,
                 .agreement = smooth}},
      {.name = "disk",
       .meaning = "dam breaks of 101 nodes, RK4, 1000 steps",
       .config = disk_config,
       .samples = 200,
       .counted = 2,
       .count = &count_operations<Disk, DiskRk4>,
       .check = &check_disk,
       .plain = {.rows = {{"naive", "rk4", &scree_naive_disk}, {"odeint", "rk4", &scree_odeint_disk}},
                 .inputs = {"radius", "speed", "time"},
                 .state = {"front"},
                 .width = 202,
                 .agreement = smooth}},
      {.name = "rock_flight",
       .meaning = "rocks far above a ramp, implicit, 1000 steps without a contact",
       .config = rock_flight_config,
       .samples = 1000,
       .counted = 4,
       .count = &count_operations<Rock>,
       .check = &check_rock_flight},
      {.name = "rock_contact",
       .meaning = "a hard ramp of 100 m: rocks from release to rest, every scheme",
       .config = embedded_config("rock_ramp_100m"),
       .every_scheme = true,
       .samples = 200,
       .counted = 4,
       .count = &count_operations<Rock>,
       .check = &check_rock_contact},
      {.name = "rock_soil",
       .meaning = "the ramp study: rocks on soil from release to rest, every scheme",
       .config = embedded_config("rock_ramp"),
       .every_scheme = true,
       .samples = 200,
       .counted = 4,
       .count = &count_operations<Rock>,
       .check = &check_rock_contact},
      {.name = "rock_grid",
       .meaning = "blocks on the grid of configs/rock_tschamut.toml, implicit; needs its data in SCREE_DATA",
       .config = embedded_config("rock_tschamut"),
       .needs_data = true,
       .samples = 400,
       .counted = 4,
       .count = &count_operations<Rock>,
       .check = &check_rock_grid},
      {.name = "rock_maps",
       .meaning = "the ramp study without maps and with maps of 5, 2 and 1 m",
       .config = embedded_config("rock_ramp"),
       .samples = 1000,
       .counted = 4,
       .count = &count_operations<Rock>,
       .check = &check_rock_contact,
       .map_cells = {5, 2, 1},
       .map_extent = "[-20, -100, 400, 100]"},
      {.name = "grid_maps",
       .meaning = "the same of rocks on the grid of configs/rock_tyrol.toml; needs its data in SCREE_DATA",
       .config = embedded_config("rock_tyrol"),
       .needs_data = true,
       .samples = 120,
       .counted = 4,
       .count = &count_operations<Rock>,
       .check = &check_rock_grid,
       .map_cells = {5, 2, 1}},
      {.name = "hard_discs",
       .meaning = "16 hard discs in a box, from hit to hit, 1000 steps with some 450 hits",
       .config = hard_discs_config,
       .samples = 1000,
       .counted = 16,
       .count = &count_operations<HardDiscs, HitByHit>,
       .check = &check_hard_hits},
      {.name = "balls",
       .meaning = "8 unequal balls on a line, from hit to hit, 1000 steps",
       .config = balls_config,
       .samples = 1000,
       .counted = 16,
       .count = &count_operations<Balls, HitByHit>,
       .check = &check_hard_hits},
      {.name = "scatter",
       .meaning = "particles off a plane and a ball without drag, located impacts, 1000 steps",
       .config = scatter_config,
       .samples = 2000,
       .counted = 16,
       .count = &count_operations<Scatter, ExactFlight>,
       .check = &check_scatter},
      {.name = "disc_box",
       .meaning = "three discs with observers in a circular box, latched onset, 1000 steps",
       .config = disc_box_config,
       .samples = 1000,
       .counted = 16,
       .count = &count_operations<DiscBox, Rk4Redo>,
       .check = &check_disc_box},
      {.name = "lorenz",
       .meaning = "Lorenz's equations, RK4, 1000 steps; --samples 8388608 to compare with MPGOS and DiffEqGPU.jl",
       .config = lorenz_config,
       .samples = 10000,
       .counted = 16,
       .count = &count_operations<Lorenz>,
       .check = &check_lorenz,
       .plain = {.rows = {{"naive", "rk4", &scree_naive_lorenz}, {"odeint", "rk4", &scree_odeint_lorenz}},
                 .inputs = {"sigma", "rho", "beta", "x", "y", "z"},
                 .state = {"x", "y", "z"},
                 .width = 3,
                 // Above rho = 13.9 neighbours part, at most with Lyapunov's exponent of the attractor, 0.9: over
                 // 10 time units by e^9.
                 .agreement = smooth * 8103}},
  };
  return cases;
}

const Model* find_bench_model(std::string_view system) {
  static const Model lorenz = model_lorenz();
  return system == lorenz.description.system ? &lorenz : find_model(system);
}

}  // namespace scree
