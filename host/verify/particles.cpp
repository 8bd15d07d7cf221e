// The particle problems of the laboratory text: a projectile with drag, a stream on a plane and a ball, and bodies
// under central forces. The text prints no numbers of results; what is published here are closed forms, and the values
// of tests/reference/discs_particles.json, which independent codes found for the text's problems.
#include <algorithm>
#include <array>
#include <cmath>

#include "host/common/text_table.hpp"
#include "host/statistics/kolmogorov.hpp"
#include "src/systems/coulomb/cases.hpp"
#include "src/systems/projectile_cases.hpp"
#include "src/systems/scatter/cases.hpp"
#include "verify.hpp"

namespace scree {
namespace {

const char* const shot_source = "Laboratory text: a projectile with linear drag";
const char* const stream_source = "Laboratory text: a stream on an inclined plane and a ball";
const char* const forces_source = "Laboratory text: Coulomb and gravity";

constexpr double pi = 3.14159265358979323846;

/// How all samples of a run ended.
struct Ended {
  std::vector<Replayed> samples;
  double operator()(const char* column, std::size_t sample = 0) const { return samples[sample].summary.at(column); }
};
Ended ended(const Run& run) {
  Ended result;
  for (std::uint64_t i = 0; i < run.samples; ++i) result.samples.push_back(replayed(run, both_ends, i));
  return result;
}

// ---------------------------------------------------------------------------------------------------------------------

void verify_shot(std::vector<Claim>& claims) {
  const Run one = study("projectile_range", {{"vary", {}}, {"samples", 1}, {"step", 0.1}});  // 45 degrees, 0.05 1/s
  const auto shot = [&](const Sets& sets) { return ended(with(one, sets)); };
  const Ended exact = ended(one);
  const double time = exact("flight_time"), range = exact("range");
  claims.push_back(held("flight time and range at 100 m/s, 45 degrees, a = 0.05 1/s, g = 9.8 m/s^2", shot_source,
                        "13.026555993228 s, 676.908987703559 m (Lambert's function)",
                        number(time, 14) + " s, " + number(range, 15) + " m",
                        std::fabs(time - 13.026555993228) < 1e-12 && std::fabs(range - 676.908987703559) < 1e-11));

  // Errors of the position after 10 s with the steps 0.1, 0.05, 0.025, 0.0125 s, from discs_particles.json; rounding in
  // positions of 500 m walks sqrt(10 / dt) 2.9e-14 m away, four times that at most.
  struct Row {
    const char* scheme;
    double published[4];
    const char* meaning;
  };
  const Row table[] = {{"euler",
                        {4.1952913044893565, 2.094799248801282, 1.0466897192863467, 0.5231675946861651},
                        "about 42 dt: order 1"},
                       {"euler_cromer",
                        {6.682486511993753, 3.3388384293010485, 1.6688189828529767, 0.8342595550556526},
                        "about 67 dt: order 1, not better than Euler"},
                       {"rk4",
                        {8.753022969145275e-09, 5.46277541366688e-10, 3.419087936665031e-11, 2.822205621511423e-12},
                        "order 4, 8.8e-9 m for dt = 0.1 s"}};
  for (const Row& row : table) {
    double steps[] = {0.1, 0.05, 0.025, 0.0125};
    bool holds = true;
    std::string text;
    for (int k = 0; k < 4; ++k) {
      const double error = shot({{"scheme", row.scheme}, {"step", steps[k]}, {"end", 10}})("position_error");
      holds = holds && std::fabs(error - row.published[k]) < 4 * std::sqrt(10 / steps[k]) * 2.9e-14;
      text += (k ? ", " : "") + number(error, 4);
    }
    claims.push_back(held(std::string("error of ") + row.scheme + " after 10 s, dt = 0.1, 0.05, 0.025, 0.0125 s",
                          shot_source, numbers(row.published, 4) + " m; " + row.meaning, text + " m", holds));
  }

  const double vacuum = shot({{"projectile.drag", 0}})("range");
  const double expected = projectile_cases::vacuum_range(text_gravity, 100, pi / 4);
  claims.push_back(held("range without drag", shot_source, "v^2 sin(2 theta) / g = " + number(expected, 10) + " m",
                        number(vacuum, 16) + " m", std::fabs(vacuum - expected) < 1e-11));

  const auto apart = [&](double step, const char* scheme) {
    return std::fabs(shot({{"scheme", scheme}, {"step", step}})("range") - range);
  };
  const double order1 = std::log2(apart(0.02, "euler") / apart(0.01, "euler")),
               order4 = std::log2(apart(0.4, "rk4") / apart(0.2, "rk4"));
  claims.push_back(held("the range converges with the order of the scheme", shot_source,
                        "1 for Euler, 4 for RK4: the landing is located within the last step",
                        number(order1, 3) + " and " + number(order4, 3),
                        std::fabs(order1 - 1) < 0.25 && std::fabs(order4 - 4) < 0.25));

  const auto best = [&](double drag) {
    double at = 0, most = 0;
    for (int k = 0; k <= 180; ++k) {
      const double angle = 0.1 + 0.005 * k;
      const double reached = shot({{"step", 50}, {"projectile.drag", drag}, {"start.angle", angle}})("range");
      if (reached > most) most = reached, at = angle;
    }
    return at;
  };
  const double none = best(0), some = best(0.05), much = best(0.5);
  const double best_some = projectile_cases::best_angle(text_gravity, 0.05, 100),
               best_much = projectile_cases::best_angle(text_gravity, 0.5, 100);
  claims.push_back(held(
      "drag lowers the angle of the longest range", shot_source,
      "d(range) / d(angle) = 0 at pi / 4 = 0.785, " + number(best_some, 3) + ", " + number(best_much, 3) +
          " rad for a = 0, 0.05, 0.5 1/s",
      number(none, 3) + ", " + number(some, 3) + ", " + number(much, 3) + " rad, the best of a grid of 0.005",
      std::fabs(none - pi / 4) < 0.005 && std::fabs(some - best_some) < 0.005 && std::fabs(much - best_much) < 0.005));
}

// ---------------------------------------------------------------------------------------------------------------------

/// One particle of scatter_stream.toml.
Run particle() { return study("scatter_stream", {{"vary", {}}, {"samples", 1}}); }

struct Path {
  double x;
  int hits, loop_hits;  // in 50 s: located, and found by the text's loop
  double end[2];        // where it is then
  double loop_end[2];   // where the text's loop has it
};
// discs_particles.json: roots of closed forms with 40 digits, and the loop transcribed. Errors grow by up to 106.
constexpr Path paths[] = {
    {230, 7, 7, {-240.3681037852208, -23.00662214254074}, {-240.0237520098827, -25.050972707527045}},
    {260, 11, 11, {-727.019725689866, -81.70222901167301}, {-726.5289721989279, -83.05570516761492}},
    {290, 7, 8, {-524.7025211320578, -62.57120810485766}, {-523.7622398971671, -57.11331574750412}},
    {320, 8, 8, {-432.11987617757296, -43.49171099854952}, {-430.1407490861507, -42.19781338234299}},
    {350, 10, 10, {383.97975024162577, 55.84432573289052}, {385.63537576360096, 50.80226077089885}}};

void verify_stream_paths(std::vector<Claim>& claims) {
  std::string hits, loop_hits;
  double error = 0, one_step = 0, runge = 0, order = 0, loop_error = 0, loop_least = 1e300, loop_most = 0;
  bool counts = true, loop_counts = true;
  const Run one = particle();
  for (const Path& path : paths) {
    const auto stream = [&](double step, const char* scheme = "exact") {
      return ended(with(one, {{"start.position", {path.x, 400.0}}, {"step", step}, {"scheme", scheme}}));
    };
    const auto from = [](const Ended& e, const double(&at)[2]) {
      return std::hypot(e("final_x") - at[0], e("final_y") - at[1]);
    };
    const auto off = [&](const Ended& e) { return from(e, path.end); };
    const auto sum = [](const Ended& e) { return static_cast<int>(e("plane_hits") + e("ball_hits")); };
    const Ended exact = stream(0.5), loop = stream(0.01, "euler_cromer_overlap");
    counts = counts && sum(exact) == path.hits;
    loop_counts = loop_counts && sum(loop) == path.loop_hits;
    hits += (hits.empty() ? "" : ", ") + std::to_string(sum(exact));
    loop_hits += (loop_hits.empty() ? "" : ", ") + std::to_string(sum(loop));
    error = worst(error, off(exact));
    one_step = worst(one_step, off(stream(50)));
    const double coarse = off(stream(0.05, "rk4")), fine = off(stream(0.025, "rk4"));
    runge = worst(runge, coarse);
    order = worst(order, std::fabs(std::log2(coarse / fine) - 4));
    loop_error = worst(loop_error, from(loop, path.loop_end));
    loop_least = std::min(loop_least, off(loop));
    loop_most = worst(loop_most, off(loop));
  }
  claims.push_back(held("impacts in 50 s of the particles from x = 230, 260, 290, 320, 350", stream_source,
                        "7, 11, 7, 8, 10 (closed-form flights, roots with 40 digits)", hits, counts));
  // Each of some 11 flights and impacts rounds positions of 400 m by some 4 eps; that grows by up to 106.
  const double rounding = 44 * 400 * 0x1p-52 * 106;
  claims.push_back(held("where they are then", stream_source, "the reference's states, to rounding",
                        "within " + number(error, 2) + " m with steps of 0.5 s, " + number(one_step, 2) +
                            " m in one step of 50 s, for a growth of errors of up to 106",
                        error < rounding && one_step < rounding));
  // A flight of 3 s ends with a part p of a step, which errs by p^5 of a whole one instead of p, 0.53 less at most:
  // 0.009 of the flight's error with h = 0.05 s and half of that with the other step, and a h for the next power of h.
  claims.push_back(held("the same by RK4 with located impacts, h = 0.05 and 0.025 s", stream_source,
                        "order 4 is kept through the impacts",
                        "within " + number(runge, 2) + " m, orders within " + number(order, 2) + " of 4",
                        order < 0.05));
  claims.push_back(held("impacts that the text's loop finds (h = 0.01 s, overlap tests)", stream_source,
                        "7, 11, 8, 8, 10: the third particle gains one", loop_hits, loop_counts));
  // 5000 steps, each of which rounds places of up to 700 m, walk four standard deviations away; that grows by up to
  // 106.
  const double walk = 4 * std::sqrt(5000.0) * 700 * 0x1p-52 * 106;
  claims.push_back(held("where the loop's particles are after 50 s", stream_source,
                        "where the reference's own transcription has them: late impacts, y := plane, and a second "
                        "x += v dt after the ball",
                        "within " + number(loop_error, 2) + " m of it, " + number(loop_least, 2) + " to " +
                            number(loop_most, 2) + " m from the exact places",
                        loop_error < walk));

  const Ended elastic = ended(with(one, {{"start.position", {260, 400}}, {"step", 0.5}, {"scatter.drag", 0}}));
  const double energy = 0.5 * (std::pow(elastic("final_vx"), 2) + std::pow(elastic("final_vy"), 2)) +
                        text_gravity * elastic("final_y"),
               start = 0.5 * 1600 + text_gravity * 400;
  claims.push_back(held("elastic impacts keep the energy without drag", stream_source, "4720 J/kg",
                        "off by " + number(energy - start, 2) + " J/kg after 50 s and " +
                            number(elastic("plane_hits") + elastic("ball_hits"), 3) + " impacts",
                        // some ten roundings in each of 100 steps and in each impact
                        std::fabs(energy - start) < 10 * 120 * start * 0x1p-52));
}

void verify_beam(std::vector<Claim>& claims) {
  const int n = 2000;
  const Ended beam = ended(study(
      "scatter_beam",
      {{"samples", n}, {"scatter.ball_position", {325, 120}}, {"vary.\"start.position\".line", {{0, 40}, {0, 200}}}}));
  std::vector<double> angles;
  double off = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    angles.push_back(beam("scattering_angle", i));
    off = worst(off, std::fabs(80 * std::cos(angles.back() / 2) - std::fabs(beam("impact_parameter", i))));
  }
  claims.push_back(held("a hard disc turns each particle of a beam by b = r cos(theta / 2)", stream_source,
                        "exactly (g = a = 0)", "2000 particles, b within " + number(off, 2) + " m",
                        off < 16 * 400 * 0x1p-52));
  const double gap = kolmogorov_distance_to_law(angles, scatter_cases::scattered_below),
               bound = kolmogorov_bound(angles.size());
  claims.push_back(held("the distribution of the scattering angle", stream_source,
                        "dsigma / dtheta = (r / 2) sin(theta / 2)",
                        "largest deviation of the distribution function " + number(gap, 2) +
                            " (one in a thousand such samples exceeds " + number(bound, 2) + ")",
                        gap < bound));
}

void verify_rest(std::vector<Claim>& claims) {
  const double e = 0.8, step = 0.01;
  const Replayed path = replayed(with(particle(), {{"step", step},
                                                   {"end", 60},
                                                   {"scatter.obstacles", "plane"},
                                                   {"scatter.plane_angle", 0},
                                                   {"scatter.drag", 0},
                                                   {"scatter.restitution", e},
                                                   {"start.position", {0, 50}},
                                                   {"start.velocity", {3, 0}}}));
  double rest = 0;
  for (const std::vector<double>& values : path.rows)
    if (NamedRow{path, values}["vy"] != 0) rest = NamedRow{path, values}["time"];
  const double exact = scatter_cases::bouncing_time(text_gravity, 50, e);
  claims.push_back(held("a ball with restitution 0.8 has done bouncing after a finite time", stream_source,
                        "sqrt(2 h / g) (1 + e) / (1 - e) = " + number(exact, 5) + " s for h = 50 m",
                        "it slides from " + number(rest, 5) + " s on, to a step of 0.01 s",
                        // the bounces slower than rest_speed = 1e-3 m/s are left out: 2e-3 / g / (1 - e)
                        std::fabs(rest - exact) < step + 2e-3 / text_gravity / (1 - e)));
}

// ---------------------------------------------------------------------------------------------------------------------

constexpr double kepler_period = 4.239013892656888;  // s

/// `periods` of coulomb_kepler.toml, from the apoapsis of an ellipse with e = 0.3.
Ended ellipse(const char* scheme, double steps_per_period, double periods) {
  return ended(
      study("coulomb_kepler",
            {{"scheme", scheme}, {"step", kepler_period / steps_per_period}, {"end", periods * kepler_period}}));
}

void verify_ellipse(std::vector<Claim>& claims) {
  struct Row {
    const char* scheme;
    double published[3];  // discs_particles.json; 250, 500 and 1000 steps
  };
  const Row table[] = {{"euler", {0.8709934714661672, 0.5043193595873625, 0.27474455512684715}},
                       {"euler_cromer", {0.0015710137142314156, 0.0003929606332062436, 9.825313055082583e-05}},
                       {"leapfrog", {0.0012768445067061248, 0.0003194241769939018, 7.986937477928351e-05}},
                       {"rk4", {3.2786780053704684e-07, 1.9166757780121633e-08, 1.156535421810312e-09}}};
  for (const Row& row : table) {
    const double steps[] = {250, 500, 1000};
    bool holds = true;
    std::string text;
    for (int k = 0; k < 3; ++k) {
      const double error = ellipse(row.scheme, steps[k], 1)("return_distance");
      // Rounding is a phase error that grows with the steps to come: 1000^2 / 2 of 1e-16 at the worst.
      holds = holds && std::fabs(error - row.published[k]) < 1e-12 + 1e-9 * row.published[k];
      text += (k ? ", " : "") + number(error, 5);
    }
    claims.push_back(held(std::string(row.scheme) + " closes the ellipse of e = 0.3 with 250, 500, 1000 steps a period",
                          forces_source, numbers(row.published, 5) + " m", text + " m", holds));
  }

  const coulomb_cases::TwoBody exact(1, {1, 0}, {0, 0.8366600265340756});
  const auto order = [&](const char* scheme, double steps) {
    double errors[2];
    for (const int k : {0, 1}) {
      const Ended e = ellipse(scheme, steps * (k + 1), 0.37);
      const auto at = exact.at(e("time"));
      errors[k] = std::hypot(e("final_x") - static_cast<double>(at.x), e("final_y") - static_cast<double>(at.y));
    }
    return std::log2(errors[0] / errors[1]);
  };
  const std::array orders{order("euler", 25600), order("euler_cromer", 25600), order("leapfrog", 800),
                          order("rk4", 800)};
  claims.push_back(held("orders by Kepler's equation, after 0.37 of a period", forces_source,
                        "Euler 1, Euler-Cromer 1, leapfrog 2, RK4 4", numbers(orders, 3),
                        std::fabs(orders[0] - 1) < 0.05 && std::fabs(orders[1] - 1) < 0.05 &&
                            std::fabs(orders[2] - 2) < 0.05 && std::fabs(orders[3] - 4) < 0.05));

  const auto energy = [](const char* scheme, double periods) { return ellipse(scheme, 100, periods)("energy_error"); };
  const double leap[] = {energy("leapfrog", 2), energy("leapfrog", 200)};
  const double runge[] = {energy("rk4", 20), energy("rk4", 200)};
  claims.push_back(held("long runs: leapfrog bounds the error of the energy", forces_source,
                        "bounded for leapfrog, in proportion to the time for RK4",
                        "leapfrog " + number(leap[0], 3) + " after 2 periods, " + number(leap[1], 3) +
                            " after 200; RK4 " + number(runge[0], 3) + " after 20, " + number(runge[1], 3) +
                            " after 200 (100 steps each)",
                        leap[1] < 1.01 * leap[0] && std::fabs(runge[1] / runge[0] - 10) < 1));
}

void verify_bodies(std::vector<Claim>& claims) {
  const auto triple = [](const char* scheme) {
    return ended(study("coulomb_eight", {{"scheme", scheme},
                                         {"step", 0.005},
                                         {"end", 3},
                                         {"coulomb.mass", {1.0, 0.6, 0.3}},
                                         {"start.position", {{0.1, 0.2}, {1.3, -0.2}, {-1.0, 1.9}}},
                                         {"start.velocity", {{0.2, -0.3}, {0.1, 0.9}, {-0.7, -0.1}}}}));
  };
  const Ended leap = triple("leapfrog"), runge = triple("rk4");
  claims.push_back(held("three bodies: momentum, angular momentum and energy", forces_source,
                        "P constant; L too for leapfrog; E and L to the order of RK4",
                        "leapfrog " + number(leap("momentum_drift"), 2) + ", " +
                            number(leap("angular_momentum_drift"), 2) + ", " + number(leap("energy_error"), 2) +
                            "; RK4 " + number(runge("momentum_drift"), 2) + ", " +
                            number(runge("angular_momentum_drift"), 2) + ", " + number(runge("energy_error"), 2),
                        // 600 steps of a rounding or two
                        worst(leap("momentum_drift"), runge("momentum_drift")) < 1200 * 0x1p-52 &&
                            leap("angular_momentum_drift") < 1200 * 0x1p-52 && runge("energy_error") < 1e-7));

  const Ended eight = ended(study("coulomb_eight"));
  claims.push_back(held("three equal masses chase one another on a figure of eight (Chenciner and Montgomery 2000)",
                        forces_source, "period 6.32591398, from eight digits",
                        "back within " + number(eight("return_distance"), 2) + " m after it",
                        eight("return_distance") < 1e-6));

  const int n = 40;
  double off = 0, place = 0, escaped = n;
  for (const double coupling : {1.0, -1.0}) {
    const Run run = study("coulomb_rutherford", {{"samples", n},
                                                 {"step", 0.002},
                                                 {"coulomb.A1", {coupling, 0.0}},
                                                 {"vary.\"start.position[1]\".line", {{-100, 0.5}, {-100, 5}}}});
    const Ended all = ended(run);
    const auto ensemble = run.model->ensemble(run.spec);
    const Description& d = run.model->description;
    std::vector<double> drawn(d.param_doubles + d.start_doubles);
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      run.model->draw(ensemble.data(), i, drawn.data());
      const double b = drawn[d.param_doubles + 3];  // position[1].y
      const auto at = coulomb_cases::TwoBody(-coupling, {-100, b}, {1, 0}).at(all("time", i));
      place = worst(place, std::hypot(all("final_x", i) - static_cast<double>(at.x),
                                      all("final_y", i) - static_cast<double>(at.y)));
      off = worst(off, std::fabs(all("scattering_angle", i) - coulomb_cases::rutherford_angle(1, 1, b)));
      escaped = std::min(escaped, all("escaped", i));
    }
  }
  claims.push_back(held("Rutherford in the plane, attracted and repelled, b = 0.5 to 5 m", forces_source,
                        "tan(theta / 2) = |A| / (v^2 b), from infinity; hyperbolas by Kepler's equation from 100 m",
                        "angles within " + number(off, 2) +
                            " rad of the former (|A| / (v^2 100 m) = 0.01), places within " + number(place, 2) +
                            " m of the latter; all escape",
                        // as in tests/coulomb_test.cpp, for twice the step: the error per turn is 2^4 as large
                        off < 0.04 && place < 16 * 4 * 55 * 5e-10 * 100 && escaped == 1));

  const auto two = [](Sets sets) {
    sets.insert(sets.end(), {{"coulomb.bodies", 2}, {"step", 1e-3}});
    return ended(study("coulomb_eight", sets));
  };
  const Ended turn = two({{"scheme", "leapfrog"},
                          {"end", 20},
                          {"coulomb.interaction", "coulomb"},
                          {"coulomb.mass", {1.0, 4.0}},
                          {"coulomb.charge", {0.5, 2.0}},
                          {"start.position", {{0, 0}, {10, 0}}},
                          {"start.velocity", {{0, 0}, {-1, 0}}}});
  claims.push_back(held("like charges repel: head on, they turn at k q1 q2 / r = mu v^2 / 2 + k q1 q2 / r0",
                        forces_source, "r = 2 m", number(turn("closest"), 8) + " m",
                        std::fabs(turn("closest") - 2) < 1e-5));

  const auto escapes = [&](double part) {
    return two({{"end", 30},
                {"coulomb.mass", {3.0, 1.0}},
                {"start.position", {{0, 0}, {1, 0}}},
                {"start.velocity", {{0.0, 0.0}, {0.0, part * std::sqrt(8.0)}}}})("escaped");
  };
  claims.push_back(held("two bodies part above the escape speed sqrt(2 G (m1 + m2) / r) only", forces_source,
                        "0 bodies at 0.999 of it, 2 at 1.001",
                        number(escapes(0.999), 1) + ", " + number(escapes(1.001), 1),
                        escapes(0.999) == 0 && escapes(1.001) == 2));
}

}  // namespace

std::vector<Claim> verify_projectile(const VerifyOptions&) {
  std::vector<Claim> claims;
  verify_shot(claims);
  return claims;
}
std::vector<Claim> verify_scatter(const VerifyOptions&) {
  std::vector<Claim> claims;
  verify_stream_paths(claims);
  verify_beam(claims);
  verify_rest(claims);
  return claims;
}
std::vector<Claim> verify_coulomb(const VerifyOptions&) {
  std::vector<Claim> claims;
  verify_ellipse(claims);
  verify_bodies(claims);
  return claims;
}

}  // namespace scree
