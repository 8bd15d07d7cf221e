// The particle problems of the laboratory text: a projectile with drag, a stream on a plane and a ball, and bodies
// under central forces. The text prints no numbers of results; what ours are compared with are closed forms, and the
// values of tests/reference/discs_particles.json, which independent codes found for the text's problems.
#include <algorithm>
#include <array>
#include <cmath>

#include "host/statistics/kolmogorov.hpp"
#include "src/systems/coulomb/cases.hpp"
#include "src/systems/projectile_cases.hpp"
#include "src/systems/scatter/cases.hpp"
#include "verify.hpp"

namespace scree {
namespace {

const char* const particles_code = "independent code: discs_particles.json";

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

void verify_shot(Claims& claims) {
  const Run one = study("projectile_range", {{"vary", {}}, {"samples", 1}, {"step", 0.1}});  // 45 degrees, 0.05 1/s
  const auto shot = [&](const Sets& sets) { return ended(with(one, sets)); };
  const Ended exact = ended(one);
  const double range = exact("range");
  claims.add({.claim = "flight time, s, and range, m, at 100 m/s, 45 degrees, a = 0.05 1/s, g = 9.8 m/s^2",
              .source = "closed form: Lambert's function",
              .published = {.numbers = {13.026555993228, 676.908987703559}, .digits = 15},
              .measured = {.numbers = {exact("flight_time"), range}, .digits = 15},
              .criterion = within({1e-12, 1e-11}, "the last digit of 12, and some 50 roundings")});

  // Errors of the position after 10 s. Rounding in positions of 500 m walks sqrt(10 / dt) 2.9e-14 m away.
  struct Row {
    const char* scheme;
    std::vector<double> published;
  };
  const Row table[] = {
      {"euler", {4.1952913044893565, 2.094799248801282, 1.0466897192863467, 0.5231675946861651}},
      {"euler_cromer", {6.682486511993753, 3.3388384293010485, 1.6688189828529767, 0.8342595550556526}},
      {"rk4", {8.753022969145275e-09, 5.46277541366688e-10, 3.419087936665031e-11, 2.822205621511423e-12}}};
  for (const Row& row : table) {
    std::vector<double> errors, bounds;
    for (const double step : {0.1, 0.05, 0.025, 0.0125}) {
      errors.push_back(shot({{"scheme", row.scheme}, {"step", step}, {"end", 10}})("position_error"));
      bounds.push_back(4 * std::sqrt(10 / step) * 2.9e-14);
    }
    claims.add({.claim = std::string("error of ") + row.scheme + " after 10 s, dt = 0.1, 0.05, 0.025, 0.0125 s",
                .source = particles_code,
                .published = {.numbers = row.published, .unit = "m"},
                .measured = {.numbers = errors, .unit = "m"},
                .criterion = within(bounds, "four deviations of rounding")});
  }

  const double vacuum = shot({{"projectile.drag", 0}})("range");
  claims.add(
      {.claim = "range without drag: v^2 sin(2 theta) / g",
       .source = "closed form: the parabola",
       .published = {.numbers = {projectile_cases::vacuum_range(text_gravity, 100, pi / 4)}, .unit = "m", .digits = 15},
       .measured = {.numbers = {vacuum}, .unit = "m", .digits = 15},
       .criterion = within(1e-11, "some 50 roundings of 1020 m")});

  const auto apart = [&](double step, const char* scheme) {
    return std::fabs(shot({{"scheme", scheme}, {"step", step}})("range") - range);
  };
  const double order1 = std::log2(apart(0.02, "euler") / apart(0.01, "euler")),
               order4 = std::log2(apart(0.4, "rk4") / apart(0.2, "rk4"));
  claims.add({.claim = "order in which the range of Euler's and of RK4 converges: the landing is located in its step",
              .source = "closed form: order of the scheme",
              .published = {.numbers = {1, 4}},
              .measured = {.numbers = {order1, order4}},
              .criterion = within(0.05, "the next power of h = 0.01 s and of h = 0.2 s")});

  const auto best = [&](double drag) {
    double at = 0, most = 0;
    for (int k = 0; k <= 180; ++k) {
      const double angle = 0.1 + 0.005 * k;
      const double reached = shot({{"step", 50}, {"projectile.drag", drag}, {"start.angle", angle}})("range");
      if (reached > most) most = reached, at = angle;
    }
    return at;
  };
  const std::vector<double> angles{best(0), best(0.05), best(0.5)};
  claims.add({.claim = "drag lowers the angle of the longest range: a = 0, 0.05, 0.5 1/s",
              .source = "closed form: d(range) / d(angle) = 0",
              .published = {.numbers = {pi / 4, projectile_cases::best_angle(text_gravity, 0.05, 100),
                                        projectile_cases::best_angle(text_gravity, 0.5, 100)},
                            .unit = "rad"},
              .measured = {.numbers = angles, .unit = "rad"},
              .criterion = within(0.005, "the grid of angles of which it is the best")});
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

void verify_stream_paths(Claims& claims) {
  std::vector<double> hits, known_hits, loop_hits, known_loop_hits, orders;
  double error = 0, one_step = 0, loop_error = 0;
  const Run one = particle();
  for (const Path& path : paths) {
    const auto stream = [&](double step, const char* scheme = "exact") {
      return ended(with(one, {{"start.position", {path.x, 400.0}}, {"step", step}, {"scheme", scheme}}));
    };
    const auto from = [](const Ended& e, const double(&at)[2]) {
      return std::hypot(e("final_x") - at[0], e("final_y") - at[1]);
    };
    const auto off = [&](const Ended& e) { return from(e, path.end); };
    const auto sum = [](const Ended& e) { return e("plane_hits") + e("ball_hits"); };
    const Ended exact = stream(0.5), loop = stream(0.01, "euler_cromer_overlap");
    hits.push_back(sum(exact));
    known_hits.push_back(path.hits);
    loop_hits.push_back(sum(loop));
    known_loop_hits.push_back(path.loop_hits);
    error = worst(error, off(exact));
    one_step = worst(one_step, off(stream(50)));
    orders.push_back(std::log2(off(stream(0.05, "rk4")) / off(stream(0.025, "rk4"))));
    loop_error = worst(loop_error, from(loop, path.loop_end));
  }
  claims.add({.claim = "impacts in 50 s of the particles from x = 230, 260, 290, 320, 350 m",
              .source = "independent code: closed-form flights, roots with 40 digits",
              .published = {.numbers = known_hits},
              .measured = {.numbers = hits},
              .criterion = equal("counts")});
  // Each of some 11 flights and impacts rounds positions of 400 m by some 4 eps; that grows by up to 106.
  claims.add(
      {.claim =
           "where these particles are after 50 s, with steps of 0.5 s and in one of 50 s: largest distance from there",
       .source = "independent code: closed-form flights, roots with 40 digits",
       .published = {.numbers = {0, 0}, .unit = "m"},
       .measured = {.numbers = {error, one_step}, .unit = "m", .digits = 2},
       .criterion = within(44 * 400 * 0x1p-52 * 106, "44 roundings of 400 m, which grow by up to 106")});
  // A flight of 3 s ends with a part p of a step, which errs by p^5 of a whole one instead of p, 0.53 less at most:
  // 0.009 of the flight's error with h = 0.05 s and half of that with the other step, and a h for the next power of h.
  claims.add({.claim = "order of RK4 through the impacts, which it locates: h = 0.05 and 0.025 s",
              .source = "closed form: order of the scheme",
              .published = {.numbers = std::vector(5, 4.0)},
              .measured = {.numbers = orders},
              .criterion = within(0.05, "the last parts of a step, and the next power of h")});
  claims.add({.claim = "impacts that the text's loop finds (h = 0.01 s, overlap tests)",
              .source = "independent code: the loop transcribed",
              .published = {.numbers = known_loop_hits},
              .measured = {.numbers = loop_hits},
              .criterion = equal("counts")});
  claims.add({.claim = "where the loop's particles are after 50 s: largest distance from there",
              .source = "independent code: the loop transcribed",
              .published = {.numbers = {0}, .unit = "m"},
              .measured = {.numbers = {loop_error}, .unit = "m", .digits = 2},
              .criterion = within(700 * 4 * std::sqrt(5000.0) * 0x1p-52 * 106,
                                  "four deviations of 5000 roundings of 700 m, which grow by up to 106")});

  const Ended elastic = ended(with(one, {{"start.position", {260, 400}}, {"step", 0.5}, {"scatter.drag", 0}}));
  const double energy = 0.5 * (std::pow(elastic("final_vx"), 2) + std::pow(elastic("final_vy"), 2)) +
                        text_gravity * elastic("final_y"),
               start = 0.5 * 1600 + text_gravity * 400;
  claims.add({.claim = "elastic impacts keep the energy without drag: after 50 s",
              .source = "closed form: v^2 / 2 + g y",
              .published = {.numbers = {start}, .unit = "J/kg"},
              .measured = {.numbers = {energy}, .unit = "J/kg", .digits = 15},
              .criterion = within(10 * 120 * start * 0x1p-52, "ten roundings in each step and impact")});
}

void verify_beam(Claims& claims) {
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
  claims.add(
      {.claim = "a hard disc turns each particle of a beam by b = r cos(theta / 2) (g = a = 0): largest error of b",
       .source = "closed form: reflection by a disc",
       .published = {.numbers = {0}, .unit = "m"},
       .measured = {.numbers = {off}, .unit = "m", .digits = 2, .words = "(2000 particles)"},
       .criterion = within(16 * 400 * 0x1p-52, "16 roundings of 400 m")});
  claims.add({.claim = "the scattering angle has the law dsigma / dtheta = (r / 2) sin(theta / 2): largest distance of "
                       "the distributions",
              .source = "closed form: reflection by a disc",
              .published = {.numbers = {0}},
              .measured = {.numbers = {kolmogorov_distance_to_law(angles, scatter_cases::scattered_below)}},
              .criterion = within(kolmogorov_bound(angles.size()), "one in a thousand such samples exceeds it")});
}

void verify_rest(Claims& claims) {
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
  claims.add({.claim = "a ball with restitution 0.8 from 50 m has done bouncing: sqrt(2 h / g) (1 + e) / (1 - e)",
              .source = "closed form: a geometric series",
              .published = {.numbers = {scatter_cases::bouncing_time(text_gravity, 50, e)}, .unit = "s", .digits = 5},
              .measured = {.numbers = {rest}, .unit = "s", .digits = 5},
              // bounces slower than rest_speed = 1e-3 m/s last 2e-3 / g / (1 - e)
              .criterion = within(step + 2e-3 / text_gravity / (1 - e),
                                  "a step, and the bounces slower than 1e-3 m/s that are left out")});
}

// ---------------------------------------------------------------------------------------------------------------------

constexpr double kepler_period = 4.239013892656888;  // s

/// `periods` of coulomb_kepler.toml, from the apoapsis of an ellipse with e = 0.3.
Ended ellipse(const char* scheme, double steps_per_period, double periods) {
  return ended(
      study("coulomb_kepler",
            {{"scheme", scheme}, {"step", kepler_period / steps_per_period}, {"end", periods * kepler_period}}));
}

void verify_ellipse(Claims& claims) {
  struct Row {
    const char* scheme;
    std::vector<double> published;  // 250, 500 and 1000 steps
  };
  const Row table[] = {{"euler", {0.8709934714661672, 0.5043193595873625, 0.27474455512684715}},
                       {"euler_cromer", {0.0015710137142314156, 0.0003929606332062436, 9.825313055082583e-05}},
                       {"leapfrog", {0.0012768445067061248, 0.0003194241769939018, 7.986937477928351e-05}},
                       {"rk4", {3.2786780053704684e-07, 1.9166757780121633e-08, 1.156535421810312e-09}}};
  for (const Row& row : table) {
    std::vector<double> errors, bounds;
    for (std::size_t k = 0; k < 3; ++k) {
      errors.push_back(ellipse(row.scheme, 250 << k, 1)("return_distance"));
      // Rounding is a phase error that grows with the steps to come: 1000^2 / 2 of 1e-16 at the worst.
      bounds.push_back(1e-12 + 1e-9 * row.published[k]);
    }
    claims.add({.claim = std::string(row.scheme) + " closes the ellipse of e = 0.3 with 250, 500, 1000 steps a period",
                .source = particles_code,
                .published = {.numbers = row.published, .unit = "m", .digits = 5},
                .measured = {.numbers = errors, .unit = "m", .digits = 5},
                .criterion = within(bounds, "rounding, which grows with the steps to come")});
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
  const std::vector<double> orders{order("euler", 25600), order("euler_cromer", 25600), order("leapfrog", 800),
                                   order("rk4", 800)};
  claims.add({.claim = "orders of Euler, Euler-Cromer, leapfrog, RK4 after 0.37 of a period, by Kepler's equation",
              .source = "closed form: order of the scheme",
              .published = {.numbers = {1, 1, 2, 4}},
              .measured = {.numbers = orders},
              .criterion = within(0.05, "the next power of h")});

  const auto energy = [](const char* scheme, double periods) { return ellipse(scheme, 100, periods)("energy_error"); };
  const std::vector<double> leap{energy("leapfrog", 2), energy("leapfrog", 200)};
  const std::vector<double> runge{energy("rk4", 20), energy("rk4", 200)};
  claims.add({.claim = "leapfrog bounds the error of the energy: after 200 periods over after 2",
              .source = "closed form: a symplectic scheme keeps a nearby energy",
              .published = {.numbers = {1}},
              .measured = {.numbers = {leap[1] / leap[0]}, .words = "(" + numbers(leap, 3) + ")"},
              .criterion = within(0.01, "steps that fall elsewhere on the orbit")});
  claims.add({.claim = "RK4's error of the energy grows with the time: after 200 periods over after 20",
              .source = "closed form: a loss of order h^5 a step",
              .published = {.numbers = {10}},
              .measured = {.numbers = {runge[1] / runge[0]}, .words = "(" + numbers(runge, 3) + ")"},
              .criterion = within_percent(10, "the orbit shrinks meanwhile")});
}

void verify_bodies(Claims& claims) {
  const auto triple = [](const char* scheme, double step) {
    return ended(study("coulomb_eight", {{"scheme", scheme},
                                         {"step", step},
                                         {"end", 3},
                                         {"coulomb.mass", {1.0, 0.6, 0.3}},
                                         {"start.position", {{0.1, 0.2}, {1.3, -0.2}, {-1.0, 1.9}}},
                                         {"start.velocity", {{0.2, -0.3}, {0.1, 0.9}, {-0.7, -0.1}}}}));
  };
  const Ended leap = triple("leapfrog", 0.005), runge = triple("rk4", 0.005), coarse = triple("rk4", 0.01);
  claims.add({.claim = "three bodies: drift of P under leapfrog and RK4, of L under leapfrog",
              .source = "closed form: invariants of the schemes",
              .published = {.numbers = {0, 0, 0}},
              .measured = {.numbers = {leap("momentum_drift"), runge("momentum_drift"), leap("angular_momentum_drift")},
                           .digits = 2},
              .criterion = within(1200 * 0x1p-52, "600 steps of two roundings")});
  claims.add({.claim = "three bodies: energy under RK4, order of its error, h = 0.01 and 0.005 s",
              .source = "closed form: order of the scheme",
              .published = {.words = "4, or 5 where it is lost for good"},
              .measured = {.numbers = {std::log2(coarse("energy_error") / runge("energy_error"))},
                           .words = "(" + numbers({coarse("energy_error"), runge("energy_error")}, 2) + ")"},
              .criterion = at_least(3.9, "order 4, and the next power of h")});

  const Ended eight = ended(study("coulomb_eight"));
  claims.add({.claim = "three equal masses chase one another on a figure of eight: distance after the period of "
                       "6.32591398 s",
              .source = "Chenciner and Montgomery 2000",
              .published = {.numbers = {0}, .unit = "m"},
              .measured = {.numbers = {eight("return_distance")}, .unit = "m", .digits = 2},
              .criterion = within(1e-7, "starts and period have eight digits; ten times the last one")});

  const int n = 40;
  double off = 0, place = 0, escaped = 0;
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
      escaped += all("escaped", i);
    }
  }
  claims.add({.claim = "Rutherford in the plane, attracted and repelled, b = 0.5 to 5 m: largest error of the angle of "
                       "tan(theta / 2) = |A| / (v^2 b)",
              .source = "closed form: Rutherford's formula, from infinity",
              .published = {.numbers = {0}, .unit = "rad"},
              .measured = {.numbers = {off}, .unit = "rad", .digits = 2},
              .criterion = within(0.02, "starts and ends at 100 m, |A| / (v^2 100 m) = 0.01 each")});
  claims.add({.claim = "Rutherford in the plane: largest error of the places",
              .source = "closed form: hyperbolas by Kepler's equation",
              .published = {.numbers = {0}, .unit = "m"},
              .measured = {.numbers = {place}, .unit = "m", .digits = 2},
              // as in tests/coulomb_test.cpp, for twice the step: the error per turn is 2^4 as large
              .criterion = within(16 * 4 * 55 * 5e-10 * 100, "RK4 with 0.002 s, an error of 2e-6 rad at 100 m")});
  claims.add({.claim = "Rutherford in the plane: all 80 escape",
              .source = "closed form: energy > 0",
              .published = {.numbers = {2.0 * n}},
              .measured = {.numbers = {escaped}},
              .criterion = equal("a count")});

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
  claims.add({.claim = "like charges repel: head on, they turn at k q1 q2 / r = mu v^2 / 2 + k q1 q2 / r0",
              .source = "closed form: energy",
              .published = {.numbers = {2}, .unit = "m"},
              .measured = {.numbers = {turn("closest")}, .unit = "m", .digits = 8},
              .criterion = within(1e-5, "leapfrog with h = 1e-3 s, of order h^2")});

  const auto escapes = [&](double part) {
    return two({{"end", 30},
                {"coulomb.mass", {3.0, 1.0}},
                {"start.position", {{0, 0}, {1, 0}}},
                {"start.velocity", {{0.0, 0.0}, {0.0, part * std::sqrt(8.0)}}}})("escaped");
  };
  const std::vector<double> parted{escapes(0.999), escapes(1.001)};
  claims.add({.claim = "two bodies part above the escape speed sqrt(2 G (m1 + m2) / r) only: how many do at 0.999 and "
                       "1.001 of it",
              .source = "closed form: energy",
              .published = {.numbers = {0, 2}},
              .measured = {.numbers = parted},
              .criterion = equal("counts")});
}

}  // namespace

void verify_projectile(Claims& claims) { verify_shot(claims); }

void verify_scatter(Claims& claims) {
  verify_stream_paths(claims);
  verify_beam(claims);
  verify_rest(claims);
}

void verify_coulomb(Claims& claims) {
  verify_ellipse(claims);
  verify_bodies(claims);
}

}  // namespace scree
