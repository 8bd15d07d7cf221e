// The coupled pair of Gallotti and Tinti 2019, section 3: case 3 and examples 3 and 4. The paper integrates the model
// of its Part 1, states no steps but for the examples of the single mass, and shows errors on axes of decades.
#include <cmath>

#include "host/common/text_table.hpp"
#include "src/systems/pair/cases.hpp"
#include "verify.hpp"

namespace scree {
namespace {

const char* const case3_source = "Gallotti and Tinti 2019, case 3: two equal masses spinning down an incline";
const char* const pair_example_source = "Gallotti and Tinti 2019, examples 3 and 4: two unequal masses in a valley";

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

void verify_spin(std::vector<Claim>& claims) {
  const SpinErrors rk2 = spin("rk2_midpoint", 0.1), rk3 = spin("rk3", 0.1), rk4 = spin("rk4", 0.1),
                   coarse = spin("rk4", 1);
  claims.push_back(held(
      "figure 11: error of x in 1000 s, RK4", case3_source, "1e-11",
      "RK4 " + short_number(rk4.x) + ", RK3 " + short_number(rk3.x) + ", RK2 " + short_number(rk2.x) + " (step 0.1 s)",
      within(rk4.x, 1e-11, 3)));
  claims.push_back(known_to_differ(
      "figure 12: error of the distance, RK4", case3_source, "1e-7",
      "RK4 " + short_number(rk4.distance) + " with step 0.1 s, " + short_number(coarse.distance) + " with 1 s; RK2 " +
          short_number(rk2.distance) + " with 0.1 s",
      within(rk4.distance, 1e-7, 10), "with the step of figure 11 it is 5 decades better; RK2 has the printed number"));
  claims.push_back(held("figure 13: error of the force, RK4", case3_source, "small",
                        short_number(rk4.force) + " with step 0.1 s", rk4.force < 1e-9));
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

void verify_pair_valley(std::vector<Claim>& claims) {
  const Replayed fine = valley("pair_example3", 0.05), rk4 = valley("pair_example3", 0.1);
  const double model = energy_error(rk4), exact = energy_error(valley("pair_example3", 0.1, {{"pair.model", "exact"}}));
  claims.push_back(held(
      "figure 15 (example 3): error of the energy", pair_example_source, "1e-6",
      "RK4 " + short_number(model) + " with step 0.1 s, " + short_number(energy_error(fine)) + " with 0.05 s; RK2 " +
          short_number(energy_error(valley("pair_example3", 0.1, {{"scheme", "rk2_midpoint"}}))) +
          ": it is the error of Part 1's model, whatever the scheme; the exact model " + short_number(exact),
      within(model, 1e-6, 10) && exact < 1e-12));
  claims.push_back(held(
      "figure 16 (example 3): error of the distance, RK4", pair_example_source, "1e-12",
      short_number(distance_error(fine)) + " with step 0.05 s, " + short_number(distance_error(rk4)) + " with 0.1 s",
      within(distance_error(fine), 1e-12, 3)));
  const int early = sign_changes(rk4, "link_force", 1000), all = sign_changes(rk4, "link_force", 2000);
  const double force = rk4.largest([](const NamedRow& row) { return std::fabs(row["link_force"]); });
  claims.push_back(known_to_differ("figure 17 (example 3): periods of the link force in 1000 s", pair_example_source,
                                   "more than 7",
                                   std::to_string(early) + " changes of sign in 1000 s, " + std::to_string(all) +
                                       " (7 periods) in 2000 s; at most " + short_number(force) + " N",
                                   early > 14, "the time span is misprinted: it holds for the whole 2000 s"));
  const int crossings = sign_changes(rk4, "y1", 2000);
  const double period = 2 * std::acos(-1.0) / std::sqrt(2 * 1e-5 * gravity);
  claims.push_back(known_to_differ(
      "example 3: oscillations between the flanks in the same 1000 s", pair_example_source, "4.5",
      "mass 1 crosses the bottom " + std::to_string(sign_changes(rk4, "y1", 1000)) + " times in 1000 s, " +
          std::to_string(crossings) + " times in 2000 s; small oscillations take " + short_number(period) + " s",
      sign_changes(rk4, "y1", 1000) >= 9, "the same misprint: it holds for the whole 2000 s"));
  const Replayed rough = valley("pair_example4", 0.1), rough_fine = valley("pair_example4", 0.05);
  const NamedRow first{rough, rough.rows.front()}, last{rough, rough.rows.back()};
  claims.push_back(held("example 4: error of the distance with friction, RK4", pair_example_source, "1e-11",
                        short_number(distance_error(rough)) + " with step 0.1 s, " +
                            short_number(distance_error(rough_fine)) + " with 0.05 s; energy after 2000 s " +
                            short_number(last["energy"] / first["energy"]) + " of the first",
                        distance_error(rough_fine) < 1e-11 && distance_error(rough) > 1e-11));
}

}  // namespace

std::vector<Claim> verify_pair(const VerifyOptions&) {
  std::vector<Claim> claims;
  verify_spin(claims);
  verify_pair_valley(claims);
  return claims;
}

}  // namespace scree
