// Hard discs against kinetic theory, and balls on a line against closed forms and the laboratory text that both come
// from. What theory says of samples has to be met within four of their standard errors, which one row in 16000 is not.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "host/common/text_table.hpp"
#include "host/statistics/kolmogorov.hpp"
#include "host/statistics/statistics.hpp"
#include "src/systems/balls/cases.hpp"
#include "src/systems/hard_discs/cases.hpp"
#include "verify.hpp"

namespace scree {
namespace {

namespace discs = hard_discs_cases;

const char* const kinetic = "closed form: Gass 1971, to first order in the density";
const char* const microcanonical = "closed form: two discs in the microcanonical ensemble";

Arm arm_of(const Claims& claims, const Run& run) { return claims.arm(run, run.schemes[0]); }

std::vector<double> column(const Arm& arm, const char* name) {
  const auto values = arm.table.column(arm.table.description->column(name));
  return {values.begin(), values.end()};
}
double largest(const Arm& arm, const char* name) {
  double most = 0;
  for (const double x : column(arm, name)) most = worst(most, std::fabs(x));
  return most;
}
double sum(const std::vector<double>& values) { return pairwise_sum(values); }

struct MeanAndError {
  double value, error;
  /// Beside a number that theory says, up to what it leaves out.
  Criterion criterion(double left_out = 0) const {
    const std::string errors = "4 standard errors of " + short_number(error);
    return within(4 * error + left_out,
                  left_out == 0 ? errors : errors + ", and " + short_number(left_out) + " that the theory leaves out");
  }
};
MeanAndError mean(const std::vector<double>& values) {
  const ColumnStatistics s = column_statistics(values);
  return {s.mean, s.sd / std::sqrt(static_cast<double>(s.n))};
}
/// Sum over sum, of independent samples.
MeanAndError ratio(const std::vector<double>& above, const std::vector<double>& below) {
  const double all = sum(below), value = sum(above) / all;
  double squares = 0;
  for (std::size_t i = 0; i < above.size(); ++i) squares += std::pow(above[i] - value * below[i], 2);
  return {value, std::sqrt(squares) / all};
}
MeanAndError free_path(const Arm& arm) {
  std::vector<double> way = column(arm, "mean_free_path"), hits = column(arm, "pair_hits");
  for (std::size_t i = 0; i < way.size(); ++i) way[i] = hits[i] > 0 ? way[i] * hits[i] : 0;
  return ratio(way, hits);
}

Run gas(int count, double radius, double width, double height, int samples, double end) {
  return study("hard_discs_kinetic", {{"samples", samples},
                                      {"step", end},
                                      {"end", end},
                                      {"hard_discs.discs", count},
                                      {"hard_discs.radius", radius},
                                      {"hard_discs.width", width},
                                      {"hard_discs.height", height}});
}

/// Four deviations of what rounding makes of the energy in so many hits, of four roundings each.
double energy_rounding(double hits) { return 4 * rounding(4 * hits); }

void verify_kinetic(Claims& claims) {
  const int count = 12;
  const double r = 0.1, side = 10, a = side - 2 * r, eta = count * discs::pi * r * r / (side * side);
  const Arm arm = arm_of(claims, gas(count, r, side, side, 200, 1000));
  const MeanAndError path = free_path(arm);
  const double share = discs::wall_share(2 * r, a, a), bulk = discs::free_path(count, 2 * r, a, a, eta);
  const double left_out = 2 * eta * (1 - share);  // both theories are of first order in eta and D / a
  claims.add(
      {.claim = "mean free path A / (2 sqrt(2) (N - 1) D chi) over what the walls leave of it, 12 discs of D = "
                "0.2 m in a box of 10 m",
       .source = kinetic,
       .published = {.numbers = {bulk / share}, .unit = "m", .words = "(" + short_number(bulk) + " without walls)"},
       .measured = {.numbers = {path.value}, .unit = "m"},
       .criterion = path.criterion(left_out * bulk)});

  std::vector<double> part;
  const std::vector<double> rate = column(arm, "wall_rate"), energy = column(arm, "energy_start");
  for (std::size_t i = 0; i < rate.size(); ++i) part.push_back(rate[i] / discs::wall_rate(count, a, a, energy[i], 1));
  const MeanAndError wall = mean(part);
  claims.add({.claim = "hits of the wall, over N sum <|v_k|> / (L_k - D) of points: the crowding there",
              .source = "closed form: Henderson 1975, to first order in the density",
              .published = {.numbers = {discs::wall_crowding(count, 2 * r, a, a)}, .digits = 5},
              .measured = {.numbers = {wall.value}, .digits = 5},
              .criterion = wall.criterion(left_out)});
  const double hits = mean(column(arm, "pair_hits")).value + mean(column(arm, "wall_hits")).value;
  claims.add(
      {.claim = "the energy is kept to rounding in each hit: largest relative change",
       .source = "closed form: elastic hits",
       .published = {.numbers = {0}},
       .measured = {.numbers = {largest(arm, "energy_change")}, .words = "after some " + short_number(hits) + " hits"},
       .criterion = within(energy_rounding(largest(arm, "pair_hits") + largest(arm, "wall_hits")),
                           "four deviations of four roundings a hit")});
}

void verify_few(Claims& claims) {
  const double r = 0.1, width = 1, height = 0.7, end = 400;
  const Arm two = arm_of(claims, gas(2, r, width, height, 500, end));
  const discs::TwoDiscs exact{2 * r, width - 2 * r, height - 2 * r, 1, 1};
  const MeanAndError path = free_path(two);
  claims.add({.claim = "mean free path of two discs in a box",
              .source = microcanonical,
              .published = {.numbers = {exact.free_path()}, .unit = "m"},
              .measured = {.numbers = {path.value}, .unit = "m"},
              .criterion = path.criterion()});
  std::vector<double> force;
  const std::vector<double> impulse = column(two, "wall_impulse"), energy = column(two, "energy_start");
  for (std::size_t i = 0; i < impulse.size(); ++i) force.push_back(impulse[i] / end / energy[i]);
  const MeanAndError push = mean(force);
  claims.add({.claim = "force of two discs on the walls per energy",
              .source = microcanonical,
              .published = {.numbers = {exact.wall_force()}, .unit = "1/m"},
              .measured = {.numbers = {push.value}, .unit = "1/m"},
              .criterion = push.criterion()});

  const int samples = 4000;
  const Arm four = arm_of(claims, gas(4, 0.08, 1, 1, samples, 20));
  std::vector<double> below;  // what the law says is slower, which is uniform if the law is right
  const std::vector<double> speed = column(four, "speed0"), all = column(four, "energy_start");
  for (std::size_t i = 0; i < speed.size(); ++i)
    below.push_back(discs::slower_than(4, speed[i], std::sqrt(2 * all[i])));
  const double most = kolmogorov_distance_to_law(below, [](double share) { return share; });
  claims.add({.claim = "speeds of four discs: v^2 over the sum of all has the law Beta(1, 3), largest distance of the "
                       "distributions",
              .source = "closed form: the microcanonical ensemble",
              .published = {.numbers = {0}},
              .measured = {.numbers = {most}, .words = "(4000 samples)"},
              .criterion = within(kolmogorov_bound(below.size()), "one in a thousand such samples exceeds it")});
}

/// Ten discs for 1 s, with some twelve hits.
void verify_overlap(Claims& claims) {
  const Run ten = with(gas(10, 0.05, 1, 1, 1000, 1), {{"vary.\"start.velocity.x\".normal", {0.0, 0.35}},
                                                      {"vary.\"start.velocity.y\".normal", {0.0, 0.35}}});
  const Arm stepped = arm_of(claims, with(ten, {{"step", 1e-3}, {"scheme", "overlap"}}));
  claims.add({.claim = "steps with overlap keep the energy, which says nothing of their error: largest relative change",
              .source = "closed form: elastic hits",
              .published = {.numbers = {0}},
              .measured = {.numbers = {largest(stepped, "energy_change")}, .words = "(1000 boxes of 10 discs, 1 s)"},
              .criterion = within(energy_rounding(largest(stepped, "pair_hits") + largest(stepped, "wall_hits")),
                                  "four deviations of four roundings a hit")});
}

// ---------------------------------------------------------------------------------------------------------------------

double furthest(const Replayed& path, double step_of_comparison) {
  return path.largest([&](const NamedRow& row) {
    const double t = row["time"];
    if (std::fabs(t / step_of_comparison - std::round(t / step_of_comparison)) > 1e-6) return 0.0;
    const std::vector<double> exact = balls_cases::equal_balls(0, 400, 20, {60, 180, 300}, {3, -1.5, 0.7}, t);
    return worst(std::fabs(row["x0"] - exact[0]),
                 worst(std::fabs(row["x1"] - exact[1]), std::fabs(row["x2"] - exact[2])));
  });
}

void verify_three(Claims& claims) {
  const Replayed exact = replayed(study("balls_three", {{"step", 5}})),
                 stepped = replayed(study("balls_three", {{"scheme", "overlap"}}), 500);
  const NamedRow last{exact, exact.rows.back()}, end{stepped, stepped.rows.back()};
  claims.add({.claim = "hits of three equal balls in 1000 s",
              .source = "closed form: straight lines, folded and sorted",
              .published = {.numbers = {44}},
              .measured = {.numbers = {last["pair_hits"] + last["wall_hits"]}},
              .criterion = equal("a count")});
  claims.add({.claim = "where three equal balls are after 1000 s",
              .source = "closed form: straight lines, folded and sorted",
              .published = {.numbers = {240, 300, 360}, .unit = "m"},
              .measured = {.numbers = {last["x0"], last["x1"], last["x2"]}, .unit = "m"},
              .criterion = within(400 * 4 * rounding(3e3), "four deviations of 3000 roundings in 400 m")});
  claims.add({.claim = "and where they are every 5 s until then: largest error",
              .source = "closed form: straight lines, folded and sorted",
              .published = {.numbers = {0}, .unit = "m"},
              .measured = {.numbers = {furthest(exact, 5)}, .unit = "m"},
              .criterion = within(400 * 4 * rounding(3e3), "four deviations of 3000 roundings in 400 m")});
  const double late = worst(std::fabs(end["x0"] - 240), worst(std::fabs(end["x1"] - 300), std::fabs(end["x2"] - 360)));
  claims.add({.claim = "the text's loop with a step of 0.01 s: its error after 1000 s",
              .source = "independent code: the loop transcribed",
              .published = {.numbers = {0.68}, .unit = "m"},
              .measured = {.numbers = {late}, .unit = "m"},
              .criterion = within(0.005, "half of the last digit")});
}

/// Three balls for 20 s, with some ten hits, by the text's loop: the median over samples of the largest error of a
/// place. Over 24 seeds an order varies by 0.012; that between 0.1 and 0.01 s is 0.974 at the mean.
void verify_loop(Claims& claims) {
  const int samples = 1000;
  const double length = 20;
  std::vector<double> medians, orders;
  for (const double step : {0.1, 0.01, 0.001}) {
    const Run run = study("balls_three", {{"start", {}},
                                          {"start.position", {60, 180, 300}},
                                          {"scheme", "overlap"},
                                          {"samples", samples},
                                          {"step", step},
                                          {"end", length},
                                          {"vary.\"start.velocity\".normal", {0.0, 20.0}}});
    std::vector<double> errors;
    for (int i = 0; i < samples; ++i) {
      const Replayed path = replayed(run, both_ends, static_cast<std::uint64_t>(i));
      const NamedRow first{path, path.rows.front()}, last{path, path.rows.back()};
      const std::vector<double> exact =
          balls_cases::equal_balls(0, 400, 20, {60, 180, 300}, {first["v0"], first["v1"], first["v2"]}, length);
      errors.push_back(worst(std::fabs(last["x0"] - exact[0]),
                             worst(std::fabs(last["x1"] - exact[1]), std::fabs(last["x2"] - exact[2]))));
    }
    medians.push_back(column_statistics(errors).quantiles[2]);
  }
  for (const std::size_t k : {1, 2}) orders.push_back(std::log10(medians[k - 1] / medians[k]));
  claims.add(
      {.claim = "order of the text's loop in its step, between 0.1, 0.01 and 0.001 s: median error of 1000 samples",
       .source = "closed form: an error of v h a hit, from folded and sorted lines",
       .published = {.numbers = {1, 1}},
       .measured = {.numbers = orders, .digits = 3, .words = "(" + numbers(medians, 3) + " m)"},
       .criterion = within(0.08, "four deviations of 0.012 over seeds, and the next power of h")});
}

void verify_pi(Claims& claims) {
  std::vector<double> ours, theirs;
  for (int k = 0; k <= 4; ++k) {
    const double ratio = std::pow(100.0, k);
    const Replayed path = replayed(study("balls_pi", {{"balls.mass", {1.0, ratio}}}));
    const NamedRow last{path, path.rows.back()};
    ours.push_back(last["pair_hits"] + last["wall_hits"]);
    theirs.push_back(balls_cases::hits_before_a_wall(ratio));
  }
  claims.add({.claim = "masses of a ratio of 1, 100, 10^4, ... hit each other and the wall as the digits of pi say",
              .source = "closed form: Galperin 2003",
              .published = {.numbers = theirs, .digits = 5, .words = "times"},
              .measured = {.numbers = ours, .digits = 5, .words = "times"},
              .criterion = equal("counts")});
}

}  // namespace

void verify_hard_discs(Claims& claims) {
  verify_kinetic(claims);
  verify_few(claims);
  verify_overlap(claims);
}

void verify_balls(Claims& claims) {
  verify_three(claims);
  verify_loop(claims);
  verify_pi(claims);
}

}  // namespace scree
