// The expanding disk ("Triangular" ideas, Idea 03, version 010.3, its misprints put right) against closed forms of the
// continuum, and against what an independent code has measured for the same equations where the figure is an error of
// the mesh.
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "src/systems/disk/cases.hpp"
#include "verify.hpp"

namespace scree {
namespace {

const char* const disk_code = "independent code: the same equations";

/// Of errors of the mesh, which the independent code gives with two digits, as 7.2e-6.
Criterion two_digits() { return within_percent(5, "two digits"); }

const char* geometry(int dimension) { return dimension == 1 ? "slab" : "disk"; }

/// disk_1d.toml, in one dimension or two, with N + 1 nodes.
struct Spread {
  int dimension = 1, n = 100;
  double end = 1, courant = 0.2, start = 0.1;
};

/// The nodes of one sample at the start and at the end, front first.
struct Nodes {
  std::vector<double> x0, x, v, n;
  std::map<std::string, double> end;
};
Nodes run(const Spread& s) {
  const Replayed path = replayed(study("disk_1d", {{"step", s.end},
                                                   {"end", s.end},
                                                   {"disk.geometry", geometry(s.dimension)},
                                                   {"disk.nodes", s.n + 1},
                                                   {"disk.courant", s.courant},
                                                   {"start.time", s.start}}),
                                 both_ends);
  const auto list = [&](const std::vector<double>& row, const char* first) {
    const auto begin = row.begin() + static_cast<std::ptrdiff_t>(path.column(first));
    return std::vector<double>(begin, begin + s.n + 1);
  };
  return {list(path.rows.front(), "x0"), list(path.rows.back(), "x0"), list(path.rows.back(), "v0"),
          list(path.rows.back(), "n0"), path.summary};
}

double order_of(double coarse, double fine) { return std::log2(coarse / fine); }

// ---------------------------------------------------------------------------------------------------------------------

void verify_fan(Claims& claims) {
  const disk_cases::Ritter ritter{1, 1, 0.1};
  std::array<double, 5> front{}, largest{}, rms{};
  for (std::size_t k = 0; k < 5; ++k) {
    const Nodes nodes = run({.n = 50 << k, .end = 0.5});
    front[k] = nodes.x[0] - ritter.front(0.5);
    for (std::size_t i = 0; i < nodes.x.size(); ++i) {
      const double error = std::fabs(nodes.x[i] - ritter.path(nodes.x0[i], 0.5));
      largest[k] = worst(largest[k], error);
      rms[k] += error * error / static_cast<double>(nodes.x.size());
    }
    rms[k] = std::sqrt(rms[k]);
  }
  claims.add({.claim = "dam break: order in the mesh to which the front is at R0 + 2 V t, t = 0.5, N = 50 to 800",
              .source = "closed form: Ritter 1892; a cell at the front that is of first order",
              .published = {.numbers = {1}},
              .measured = {.numbers = {order_of(front[0], front[4]) / 4}},
              .criterion = within(0.05, "the next order of the mesh")});
  claims.add(
      {.claim = "dam break: how far ahead the front is, N = 50 and 800; largest and rms error of all nodes on Ritter's "
                "paths",
       .source = disk_code,
       .published = {.numbers = {1.1e-3, 6.8e-5, 2.9e-3, 1.7e-4, 5.6e-4, 7.2e-6}},
       .measured = {.numbers = {front[0], front[4], largest[0], largest[4], rms[0], rms[4]}, .digits = 2},
       .criterion = two_digits()});

  std::array<double, 4> share{};
  for (std::size_t k = 0; k < 4; ++k)
    share[k] = run({.n = k < 2 ? 100 : 400, .end = k % 2 == 0 ? 0.5 : 1.0}).end["kinetic_share"];
  claims.add({.claim = "dam break: KE / E = 0.4 V t / R0 at t = 0.5 and 1, N = 400",
              .source = "closed form: Ritter 1892",
              .published = {.numbers = {0.2, 0.4}},
              .measured = {.numbers = {share[2], share[3]}, .digits = 6},
              .criterion = within(2e-5, "the mesh; with N = 100 it is 1.8e-4, and goes with 1 / N^2")});
  claims.add({.claim = "dam break: KE / E at t = 0.5 and 1, N = 100, then N = 400",
              .source = disk_code,
              .published = {.numbers = {.200176, .400070, .200010, .400004}, .digits = 6},
              .measured = {.numbers = list(share), .digits = 6},
              .criterion = within(1e-6, "the last digit")});
}

void verify_reflection(Claims& claims) {
  const std::array<double, 4> times{1.5, 2, 5, 20};
  std::vector<double> exact, measured;
  for (const double t : times) {
    exact.push_back(disk_cases::wall_density(t));
    measured.push_back(run({.n = 400, .end = t}).end["centre_density"]);
  }
  claims.add(
      {.claim =
           "dam break: density n / n(0) = s^2 at the wall after the reflection, at V t / R0 = 1.5, 2, 5, 20: s^2 V t / "
           "R0 = (2 / pi) E(1 - s^2)",
       .source = "closed form: Riemann's reflected wave",
       .published = {.numbers = exact, .digits = 6},
       .measured = {.numbers = measured, .digits = 6, .words = "(N = 400)"},
       .criterion = within_percent(0.03, "the mesh: 0.02 % by the independent code with N = 400")});
  claims.add({.claim = "dam break: density at the wall at V t / R0 = 1.5, 2, 5, 20, N = 400",
              .source = disk_code,
              .published = {.numbers = {.592278, .416068, .145123, .033213}, .digits = 6},
              .measured = {.numbers = measured, .digits = 6},
              .criterion = within(1e-6, "the last digit")});

  std::array<double, 4> rms{};
  double largest = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    const Nodes nodes = run({.n = 50 << k, .end = 1e6, .courant = 0.7});
    std::vector<double> cells(nodes.x.size());
    for (std::size_t i = 0; i < cells.size(); ++i)
      cells[i] = nodes.n[i] * (nodes.x[i] - (i + 1 < cells.size() ? nodes.x[i + 1] : 0));
    const double all = std::accumulate(cells.begin(), cells.end(), 0.0);
    double inside = 0;
    largest = 0;
    for (std::size_t i = cells.size(); i-- > 0;) {
      inside += cells[i];
      const double error = std::fabs(nodes.v[i] - disk_cases::semicircle_velocity(std::fmin(inside / all, 1)));
      largest = worst(largest, error);
      rms[k] += error * error / static_cast<double>(cells.size());
    }
    rms[k] = std::sqrt(rms[k]);
  }
  claims.add(
      {.claim =
           "dam break: velocities at last (t = 1e6), from the semicircle dN / du = n0 R0 / (pi V^2) sqrt(4 V^2 - u^2): "
           "largest error, N = 400",
       .source = "closed form: the semicircle law",
       .published = {.numbers = {0}, .unit = "V"},
       .measured = {.numbers = {largest}, .unit = "V", .digits = 2},
       .criterion = within(2e-3, "the mesh: twice what the independent code finds with N = 400")});
  claims.add({.claim = "dam break: rms error of these for N = 50, 100, 200, 400, and the largest",
              .source = disk_code,
              .published = {.numbers = {1.8e-3, 5.8e-4, 2.0e-4, 7.0e-5, 1.0e-3}, .unit = "V"},
              .measured = {.numbers = {rms[0], rms[1], rms[2], rms[3], largest}, .unit = "V", .digits = 2},
              .criterion = two_digits()});
}

void verify_disk_proper(Claims& claims) {
  const disk_cases::Virial virial(0.1);
  std::array<double, 3> moment{}, front{};
  for (std::size_t k = 0; k < 3; ++k) {
    auto end = run({.dimension = 2, .n = 100 << k, .end = 2}).end;
    moment[k] = end["mass"] * end["rms_x"] * end["rms_x"] / virial.moment_at(2) - 1;
    front[k] = end["front"] - 5;
  }
  claims.add(
      {.claim =
           "two dimensions: order in the mesh to which int n r^2 dA = I0 + I0' s + 2 (E/m) s^2, t = 2, N = 100 to 400",
       .source = "closed form: the virial law; a mesh of second order",
       .published = {.numbers = {2}},
       .measured = {.numbers = {order_of(moment[0], moment[2]) / 2}},
       .criterion = within(0.1, "the next order of the mesh")});
  claims.add({.claim = "two dimensions: relative error of the virial law, N = 100, 200, 400",
              .source = disk_code,
              .published = {.numbers = {4.8e-4, 1.2e-4, 2.8e-5}},
              .measured = {.numbers = list(moment), .digits = 3},
              .criterion = two_digits()});
  claims.add({.claim = "two dimensions: order in the mesh to which the front is at R0 + 2 V t, t = 2, N = 100 to 400",
              .source = "closed form: no gradient at the vacuum's edge; a first cell of first order",
              .published = {.numbers = {1}},
              .measured = {.numbers = {order_of(front[0], front[2]) / 2}},
              .criterion = within(0.05, "the next order of the mesh")});
  claims.add({.claim = "two dimensions: how far ahead the front is, N = 100, 200, 400",
              .source = disk_code,
              .published = {.numbers = {3.4e-3, 1.7e-3, 8.4e-4}, .unit = "R0"},
              .measured = {.numbers = list(front), .unit = "R0", .digits = 3},
              .criterion = two_digits()});

  const std::array<double, 3> starts{.02, .05, .1};
  std::array<double, 3> planar{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double t = 2 * starts[k];
    const disk_cases::Ritter ritter{1, 1, starts[k]};
    const Nodes nodes = run({.dimension = 2, .n = 1000, .end = t, .start = starts[k]});
    for (std::size_t i = 0; i < nodes.x.size(); ++i)
      planar[k] = worst(planar[k], std::fabs(nodes.x[i] - ritter.path(nodes.x0[i], t)) / t);
  }
  claims.add(
      {.claim = "two dimensions: a disk begins as a dam: distance from Ritter's paths over V t, at t = 0.04, 0.1, 0.2",
       .source = disk_code,
       .published = {.numbers = {4.5e-4, 9.2e-4, 1.9e-3}},
       .measured = {.numbers = list(planar), .digits = 2},
       .criterion = two_digits()});

  const double rms = run({.dimension = 2, .n = 400, .end = 100}).end["rms_v"];
  claims.add({.claim = "two dimensions: rms velocity at last, sqrt(2 E / (m M))",
              .source = "closed form: energy",
              .published = {.numbers = {virial.final_speed()}, .unit = "V", .digits = 6},
              .measured = {.numbers = {rms}, .unit = "V", .digits = 6, .words = "(N = 400, t = 100)"},
              .criterion = within(5e-5, "the mesh: twice the drift of the energy with N = 400, -2.5e-5")});
  claims.add({.claim = "two dimensions: rms velocity at last, N = 400",
              .source = disk_code,
              .published = {.numbers = {1.00147}, .unit = "V", .digits = 6},
              .measured = {.numbers = {rms}, .unit = "V", .digits = 6},
              .criterion = within(1e-5, "the last digit")});

  const std::array<double, 7> speeds{.25, .5, .75, 1, 1.25, 1.5, 1.75};
  std::array<double, 7> density{};
  const Nodes nodes = run({.dimension = 2, .n = 1200, .end = 1000, .courant = 0.7, .start = 0.02});
  const auto cell = [&](std::size_t i) {  // velocity at its middle, and particles over the area of its velocities
    const double outer = nodes.v[i], inner = nodes.v[i + 1], x_outer = nodes.x[i], x_inner = nodes.x[i + 1];
    return std::pair{(outer + inner) / 2,
                     nodes.n[i] * (x_outer - x_inner) * (x_outer + x_inner) / ((outer - inner) * (outer + inner))};
  };
  for (std::size_t k = 0; k < 7; ++k) {
    std::size_t i = nodes.v.size() - 2;
    while (cell(i).first < speeds[k]) --i;
    const auto [v1, n1] = cell(i + 1);
    const auto [v2, n2] = cell(i);
    density[k] = n1 + (n2 - n1) * (speeds[k] - v1) / (v2 - v1);
  }
  claims.add({.claim =
                  "two dimensions: velocities at last, dN / (2 pi u du) at u / V = 0.25, 0.5, ... 1.75: flat below V, "
                  "unlike the dam's",
              .source = disk_code,
              .published = {.numbers = {.515, .519, .529, .549, .389, .103, .009}, .digits = 3},
              .measured = {.numbers = list(density), .digits = 3},
              .criterion = within(8e-4, "its error of 3e-4, and half of the last digit")});
}

void verify_scheme(Claims& claims) {
  std::array<double, 8> drift{};
  for (std::size_t k = 0; k < 8; ++k)
    drift[k] = run({.dimension = k < 4 ? 1 : 2, .n = 50 << k % 4, .end = k < 4 ? 1e6 : 100, .courant = 0.7})
                   .end["energy_change"];
  claims.add({.claim =
                  "no energy is conserved by the equations: drift for N = 50, 100, 200, 400 in one dimension, then "
                  "in two",
              .source = disk_code,
              .published = {.numbers = {-9.6e-4, -2.35e-4, -5.8e-5, -1.45e-5, -1.7e-3, -4.2e-4, -1.0e-4, -2.5e-5}},
              .measured = {.numbers = list(drift), .digits = 3},
              .criterion = two_digits()});

  // RK4 with h = part * min(w/c), N = 200, t = 1, against steps of 0.0125 min(w/c).
  const std::array<double, 4> parts{.8, .4, .2, .1};
  const auto fixed = [](double part, const char* scheme) {
    const double h = part * 1.2 / 198;  // min(w/c) = Dx / V
    const Sets sets{{"step", 0.9 / std::ceil(0.9 / h)}, {"disk.nodes", 201}, {"disk.stepping", "fixed"}};
    return replayed(with(study("disk_1d", sets), {{"scheme", scheme}}), both_ends);
  };
  const auto difference = [](const Replayed& a, const Replayed& b, const char* first) {
    const std::size_t begin = a.column(first);
    double most = 0;
    for (std::size_t i = begin; i < begin + 201; ++i)
      most = worst(most, std::fabs(a.rows.back()[i] - b.rows.back()[i]));
    return most;
  };
  const Replayed exact = fixed(0.0125, "rk4");
  std::array<double, 4> place{}, velocity{}, leap{};
  for (std::size_t k = 0; k < 4; ++k) {
    const Replayed path = fixed(parts[k], "rk4");
    place[k] = difference(path, exact, "x0");
    velocity[k] = difference(path, exact, "v0");
    leap[k] = difference(fixed(parts[k], "position_verlet"), exact, "x0");
  }
  claims.add({.claim = "error of RK4 in x, then in v, at t = 1, N = 200, h / min(w/c) = 0.8, 0.4, 0.2, 0.1",
              .source = disk_code,
              .published = {.numbers = {3.1e-6, 2.2e-7, 1.4e-8, 8.5e-10, 8.7e-5, 6.4e-6, 4.1e-7, 2.5e-8}},
              .measured = {.numbers = {place[0], place[1], place[2], place[3], velocity[0], velocity[1], velocity[2],
                                       velocity[3]},
                           .digits = 2},
              .criterion = two_digits()});
  claims.add({.claim = "orders of RK4 and of position Verlet, between 0.4 and 0.1 of min(w/c)",
              .source = "closed form: order of the scheme",
              .published = {.numbers = {4, 2}},
              .measured = {.numbers = {order_of(place[1], place[3]) / 2, order_of(leap[1], leap[3]) / 2}},
              .criterion = within(0.05, "the next power of h")});

  std::array<double, 6> steps{};
  for (std::size_t k = 0; k < 6; ++k)
    steps[k] = run({.dimension = k < 3 ? 1 : 2,
                    .n = k % 3 == 0   ? 100
                         : k % 3 == 1 ? 300
                                      : 1000,
                    .end = 10,
                    .courant = 0.7})
                   .end["steps"];
  claims.add({.claim =
                  "steps to t = 10 with h = min(0.7 min(w/c), 0.1 t), N = 100, 300, 1000 in one dimension, then in "
                  "two",
              .source = disk_code,
              .published = {.numbers = {226, 683, 2284, 180, 542, 1813}},
              .measured = {.numbers = list(steps)},
              .criterion = within(1, "the step that lands on the end")});
}

/// Disks filled so that they keep their shape, from rest: exact for the equations on any mesh.
void verify_homothetic(Claims& claims) {
  std::array<double, 2> error{};
  for (const int dimension : {1, 2}) {
    const disk_cases::Homothetic exact{dimension, 0.8};
    std::vector<double> x;
    const double dx = 1.2 / 29;  // N = 30, M = 3
    for (int i = 0; i <= 30; ++i) x.push_back(1.2 - (i <= 3 ? dx * i / 3 : dx * (i - 2)));
    std::vector<double> cells = exact.q(x);
    for (double& q : cells) q *= dimension == 2 ? disk_cases::pi / 2 : 0.5;
    const Replayed path = replayed(
        study("disk_homothetic", {{"step", 1e-3}, {"disk.geometry", geometry(dimension)}, {"disk.cells", cells}}),
        both_ends);
    for (std::size_t i = 0; i < 31; ++i)
      error[static_cast<std::size_t>(dimension - 1)] =
          worst(error[static_cast<std::size_t>(dimension - 1)],
                std::fabs(path.rows.back()[path.column("x0") + i] - exact.scale(10) * x[i]));
  }
  claims.add({.claim = "homothetic disks keep their shape, x_i = lambda(t) x_i(0), exactly on any mesh, in one and two "
                       "dimensions: largest error (t = 10, N = 30)",
              .source = "closed form: lambda'' = kappa / lambda^2, lambda = sqrt(1 + kappa t^2)",
              .published = {.numbers = {0, 0}, .unit = "R0"},
              .measured = {.numbers = list(error), .unit = "R0", .digits = 2},
              .criterion = within(1e-11, "RK4 with h = 1e-3, and the rounding of 1e4 steps")});
}

}  // namespace

void verify_disk(Claims& claims) {
  for (const auto part : {verify_fan, verify_reflection, verify_disk_proper, verify_scheme, verify_homothetic})
    part(claims);
}

}  // namespace scree
