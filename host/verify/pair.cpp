// The coupled pair of Gallotti and Tinti 2019, section 3: case 3 and examples 3 and 4. The paper integrates the model
// of its Part 1, states no steps but for the examples of the single mass, and shows errors on axes of decades.
#include <cmath>

#include "host/common/text_table.hpp"
#include "src/systems/pair/cases.hpp"
#include "verify.hpp"

namespace scree {
namespace {

const char* const pair_paper = "GT19 section 3";

// Case 3: z = -x tan(0.6 degrees), 10 kg each, 2000 m apart across the slope, spinning at 25 m/s.
const pair_cases::OnPlane incline{0.6 * std::acos(-1.0) / 180, gravity, 10, 10};
const PairState<double> spinning{0, -1000, 0, 1000, 25, 0, -25, 0, 0};
constexpr double distance = 2000;

struct SpinErrors {
  double x = 0, distance = 0, force = 0;  // largest: of half the distance, relative, relative
};

SpinErrors spin(const char* scheme, double step) {
  // Along the slope the two move apart at 2 vx / cos(angle).
  const double force = pair_cases::spinning_link_force(incline, 50 / std::cos(incline.slope), distance);
  const Replayed path = replayed(study("pair_case3", {{"scheme", scheme}, {"step", step}}));
  SpinErrors errors;
  errors.x = path.largest([&](const NamedRow& row) {
    return std::fabs(row["x1"] - pair_cases::sliding_on_plane(incline, spinning, row["time"]).x1);
  }) / (distance / 2);
  errors.distance = path.largest([&](const NamedRow& row) { return std::fabs(row["distance_error"]) / distance; });
  errors.force = path.largest([&](const NamedRow& row) { return std::fabs(row["link_force"] / force - 1); });
  return errors;
}

void verify_spin(Claims& claims) {
  const SpinErrors rk2 = spin("rk2_midpoint", 0.1), rk3 = spin("rk3", 0.1), rk4 = spin("rk4", 0.1),
                   coarse = spin("rk4", 1);
  claims.add({.claim = "figure 11 (case 3): error of x in 1000 s, RK4",
              .source = figure(11),
              .published = {.numbers = {1e-11}},
              .measured = {.numbers = {rk4.x}, .words = "(step 0.1 s)"},
              .criterion = at_a_mark(),
              .note = "RK3 " + short_number(rk3.x) + ", RK2 " + short_number(rk2.x)});
  claims.add({.claim = "figure 12 (case 3): error of the distance, RK4",
              .source = figure(12),
              .published = {.numbers = {1e-7}},
              .measured = {.numbers = {rk4.distance}, .words = "(step 0.1 s)"},
              .criterion = at_a_mark(),
              .note = "with the step of figure 11 it is 5 decades better, with 1 s " + short_number(coarse.distance) +
                      "; RK2 has the printed number, " + short_number(rk2.distance) + " with 0.1 s"});
  claims.add({.claim = "figure 13 (case 3): error of the force, RK4",
              .source = figure(13),
              .published = {.words = "small"},
              .measured = {.numbers = {rk4.force}, .words = "(step 0.1 s)"},
              .criterion = at_most(1e-9, "a part in 1e9, as `small` is no number")});
}

// Examples 3 and 4: z = 1e-5 y^2 - 5e-5 x + 10, 100 and 10 kg, from rest at (2000, -2000) and (2400, -1500) m.
constexpr double span2 = 400.0 * 400 + 500.0 * 500;  // horizontal distance squared; 640 m

Replayed valley(const char* config, double step, const Sets& more = {}) {
  return replayed(with(study(config, {{"step", step}}), more));
}
double energy_error(const Replayed& path) {
  const double energy = path.rows.front()[path.column("energy")];
  return path.largest([&](const NamedRow& row) { return std::fabs(row["energy"] / energy - 1); });
}
/// Relative; the difference in height adds less than 1e-3 to the distance.
double distance_error(const Replayed& path) {
  return path.largest([&](const NamedRow& row) { return std::fabs(row["distance_error"]) / std::sqrt(span2); });
}
/// How often a column changes its sign up to time `until`.
int sign_changes(const Replayed& path, const char* name, double until) {
  int count = 0;
  double before = 0;
  for (const std::vector<double>& values : path.rows) {
    const NamedRow row{path, values};
    if (row["time"] > until) break;
    if (row[name] * before < 0) ++count;
    if (row[name] != 0) before = row[name];
  }
  return count;
}

/// Mean time between every second change of sign, by linear interpolation.
double period(const Replayed& path, const char* name) {
  std::vector<double> times;
  for (std::size_t k = 1; k < path.rows.size(); ++k) {
    const NamedRow a{path, path.rows[k - 1]}, b{path, path.rows[k]};
    if (a[name] * b[name] < 0) times.push_back(a["time"] + (b["time"] - a["time"]) * a[name] / (a[name] - b[name]));
  }
  return times.size() < 3 ? std::nan("") : 2 * (times.back() - times.front()) / static_cast<double>(times.size() - 1);
}

void verify_pair_valley(Claims& claims) {
  const Replayed fine = valley("pair_example3", 0.05), rk4 = valley("pair_example3", 0.1);
  const std::vector<double> energies{energy_error(rk4), energy_error(fine),
                                     energy_error(valley("pair_example3", 0.1, {{"scheme", "rk2_midpoint"}}))};
  const double exact = energy_error(valley("pair_example3", 0.1, {{"pair.model", "exact"}}));
  claims.add({.claim = "figure 15 (example 3): error of the energy, RK4",
              .source = figure(15),
              .published = {.numbers = {1e-6}},
              .measured = {.numbers = {energies[0]}, .words = "(step 0.1 s)"},
              .criterion = at_a_mark(),
              .note = "it is the error of Part 1's model, which no scheme or step changes; the next row"});
  claims.add({.claim = "example 3: error of the energy, RK4 with 0.1 s and 0.05 s, RK2 with 0.1 s",
              .source = "independent code: the same for RK2, RK3 and RK4 at any step",
              .published = {.numbers = {5.65e-6, 5.65e-6, 5.65e-6}},
              .measured = {.numbers = energies},
              .criterion = within_percent(0.1, "half of the last digit")});
  claims.add({.claim = "example 3 by the exact model: error of the energy, RK4",
              .source = "closed form: the energy is constant",
              .published = {.numbers = {0}},
              .measured = {.numbers = {exact}},
              .criterion = within(4 * rounding(2e5), "four deviations of 2e4 steps of ten roundings each")});
  claims.add({.claim = "figure 16 (example 3): error of the distance, RK4",
              .source = figure(16),
              .published = {.numbers = {1e-12}},
              .measured = {.numbers = {distance_error(fine)}, .words = "(step 0.05 s)"},
              .criterion = at_a_mark(),
              .note = "no step is stated; with 0.1 s " + short_number(distance_error(rk4))});

  const double early = sign_changes(rk4, "link_force", 1000), all = sign_changes(rk4, "link_force", 2000);
  claims.add({.claim = "figure 17 (example 3): periods of the link force in 1000 s",
              .source = pair_paper,
              .published = {.words = "more than 7"},
              .measured = {.numbers = {early / 2}, .words = "(" + number(all / 2, 3) + " in 2000 s)"},
              .criterion = at_least(7, "the number itself"),
              .note = "the time span is misprinted: it holds for the whole 2000 s"});
  claims.add({.claim = "example 3: changes of sign of the link force in 1000 s, in 2000 s; its largest value in N",
              .source = "independent code: collocation of order 30",
              .published = {.numbers = {7, 14, 0.699}},
              .measured = {.numbers = {early, all,
                                       rk4.largest([](const NamedRow& row) { return std::fabs(row["link_force"]); })}},
              .criterion = within({0, 0, 5e-4}, "counts, and half of the last digit")});
  const double crossings = sign_changes(rk4, "y1", 1000), all_crossings = sign_changes(rk4, "y1", 2000);
  claims.add({.claim = "example 3: oscillations between the flanks in the same 1000 s",
              .source = pair_paper,
              .published = {.numbers = {4.5}},
              .measured = {.numbers = {crossings / 2}, .words = "(" + number(all_crossings / 2, 3) + " in 2000 s)"},
              .criterion = within(0.5, "mass 1 crosses the bottom twice in each, and is counted there"),
              .note = "the same misprint: it holds for the whole 2000 s"});
  claims.add({.claim = "example 3: time of an oscillation, 2 pi / sqrt(2 a g) for small ones",
              .source = "closed form: a mass alone on z = a y^2",
              .published = {.numbers = {2 * std::acos(-1.0) / std::sqrt(2 * 1e-5 * gravity)}, .unit = "s"},
              .measured = {.numbers = {period(rk4, "y1")}, .unit = "s", .words = "(between crossings of the bottom)"},
              .criterion = within_percent(5, "the other mass, a tenth of this one, pulls")});

  const Replayed rough = valley("pair_example4", 0.1);
  const double rough_fine = distance_error(valley("pair_example4", 0.05));
  const NamedRow first{rough, rough.rows.front()}, last{rough, rough.rows.back()};
  claims.add({.claim = "example 4: error of the distance with friction, RK4",
              .source = pair_paper,
              .published = {.numbers = {1e-11}},
              .measured = {.numbers = {distance_error(rough)}, .words = "(step 0.1 s)"},
              .criterion = at_a_mark(),
              .note = "no step is stated; with 0.05 s " + short_number(rough_fine)});
  claims.add({.claim = "example 4: energy after 2000 s over the first",
              .source = "independent code: collocation of order 30",
              .published = {.numbers = {0.2106}},
              .measured = {.numbers = {last["energy"] / first["energy"]}},
              .criterion = within(1e-4, "the last digit")});
}

}  // namespace

void verify_pair(Claims& claims) {
  verify_spin(claims);
  verify_pair_valley(claims);
}

}  // namespace scree
