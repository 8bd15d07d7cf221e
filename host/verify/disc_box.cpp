// The gallery script "Colliding discs" of sympy: what it prints and how it moves, and the law of Hunt and Crossley that
// it means to integrate.
#include <cmath>
#include <vector>

#include "src/systems/disc_box.hpp"
#include "verify.hpp"

namespace scree {
namespace {

const char* const script_output = "the gallery script's own output";
const char* const disc_box_code = "independent code: DOP853, tolerance 3e-14";
const char* const law_source = "closed form: Hunt and Crossley 1975, the law with its onset speed";

/// The script's own run, with rows 0.05 s apart.
Replayed script(const Sets& sets = {}) { return replayed(study("disc_box_gallery", sets), 100); }

/// The law that its box has.
DiscLaw<double> law() {
  const Run run = study("disc_box_gallery");
  const std::vector<std::byte> ensemble = run.model->ensemble(run.spec);
  using Box = DiscBox<double>;
  const auto& drawn = *reinterpret_cast<const Ensemble<Box>*>(ensemble.data());
  return Box::prepare(drawn.world, draw(drawn, 0)).law;
}

/// Centres of the script's own run (Radau, tolerance 1e-6) at four times, and how far it is then, m, from a solution of
/// its equations by an independent code.
struct Place {
  double time, bound, x[3], z[3];
};
constexpr Place places[] = {
    {0.9, 1e-6, {-1.1483005208, 1.2642681721, -2.2572521316}, {-1.6057509862, -2.4691144744, 0.9872983061}},
    {2.15, 1e-5, {-1.8481320755, 3.8909853117, 0.262823613}, {-2.8875721471, -0.2033092652, 1.362743335}},
    {4.9, 1e-4, {4.0320300072, 2.190489145, -1.1543446304}, {-0.1943157548, 0.3883195629, -0.7494267883}},
    {10.0, 2.5e-3, {-1.0487359039, -2.5458788401, 1.9480004821}, {2.3078740972, 0.4262710485, 0.1484549228}},
};

/// Largest difference of a centre from the script's, m, at each time.
std::vector<double> differences(const Replayed& path) {
  std::vector<double> found;
  for (const Place& place : places) {
    double error = std::nan("");
    for (const std::vector<double>& values : path.rows) {
      const NamedRow row{path, values};
      if (std::fabs(row["time"] - place.time) > 1e-6) continue;
      error = 0;
      for (int i = 0; i < 3; ++i)
        error = worst(error, worst(std::fabs(row["x" + std::to_string(i)] - place.x[i]),
                                   std::fabs(row["z" + std::to_string(i)] - place.z[i])));
    }
    found.push_back(error);
  }
  return found;
}

void verify_script(Claims& claims) {
  const DiscLaw<double> of_box = law();
  claims.add({.claim = "stiffness of the contacts between discs and at the wall",
              .source = script_output,
              .published = {.numbers = {1023.0132829666487, 1617.526025390473}, .unit = "N/m^(3/2)", .digits = 16},
              .measured = {.numbers = {of_box.stiffness, of_box.wall_stiffness}, .unit = "N/m^(3/2)", .digits = 16},
              .criterion = within_percent(1e-12, "rounding, some ten times")});
  const Replayed path = script();
  std::vector<double> bounds, zeros;
  for (const Place& place : places) bounds.push_back(place.bound), zeros.push_back(0);
  claims.add({.claim = "the script's trajectory, preset \"script\": distance of the centres at 0.9, 2.15, 4.9, 10 s",
              .source = script_output,
              .published = {.numbers = zeros, .unit = "m"},
              .measured = {.numbers = differences(path), .unit = "m", .digits = 2},
              .criterion = within(bounds, "what its tolerance of 1e-6 does, by an independent code")});
  const Replayed latched = script({{"disc_box.latch", "onset"}});
  const Replayed corrected = script({{"disc_box.preset", "corrected"}});
  const auto energy = [](const Replayed& of) { return NamedRow{of, of.rows.back()}["energy"]; };
  claims.add({.claim = "energy of the script's discs after 10 s: as it has them, latched, and with corrected equations",
              .source = disc_box_code,
              .published = {.numbers = {9.8045, 8.4415, 8.3335}, .unit = "J", .digits = 5},
              .measured = {.numbers = {energy(path), energy(latched), energy(corrected)}, .unit = "J", .digits = 5},
              .criterion = within(3e-4, "the last digit, and twice what half the step changes, 1e-4")});
  const double balance = corrected.largest([&](const NamedRow& row) {
    return std::fabs(row["energy"] + row["damping_work"] + row["friction_work"] -
                     NamedRow{corrected, corrected.rows.front()}["energy"]);
  });
  claims.add({.claim = "energy and the work of damping and friction balance, of 331.1 J: largest error in 10 s",
              .source = "closed form: work and energy",
              .published = {.numbers = {0}, .unit = "J"},
              .measured = {.numbers = {balance}, .unit = "J", .digits = 2},
              .criterion = within(1e-5, "steps across the ends of contacts, each off by h^2.5 = 6e-9 of 331 J")});
}

/// Restitution of two discs without observers, head on at 5 m/s, from the rows before and after.
double restitution(double c_tau, const char* latch, const char* scheme) {
  const Replayed path = replayed(
      study("disc_box_restitution", {{"scheme", scheme}, {"disc_box.latch", latch}, {"disc_box.c_tau", c_tau}}),
      both_ends);
  const NamedRow last{path, path.rows.back()};
  return (last["vx1"] - last["vx0"]) / 5;
}

void verify_law(Claims& claims) {
  std::vector<double> published, measured, of_script, found;
  for (const double c_tau : {1.0, 0.95, 0.9, 0.8, 0.5}) {
    published.push_back(disc_box_cases::restitution(c_tau));
    measured.push_back(restitution(c_tau, "onset", "rk4_redo"));
    of_script.push_back(disc_box_cases::restitution_of_the_script(c_tau));
    found.push_back(restitution(c_tau, "script", "rk4_events"));
  }
  const Criterion criterion = within(1e-5, "steps across the ends of the contact, each off by h^2.5");
  claims.add({.claim = "restitution for c_tau = 1, 0.95, 0.9, 0.8, 0.5, onset latched: a (1 + e) = ln((1 + a) / (1 - a "
                       "e))",
              .source = law_source,
              .published = {.numbers = published, .digits = 6},
              .measured = {.numbers = measured, .digits = 6},
              .criterion = criterion});
  claims.add(
      {.claim = "restitution with the script's latch, rewritten all through the contact: sqrt((1 - a) / (1 + a))",
       .source = "closed form: the law that the script integrates",
       .published = {.numbers = of_script, .digits = 6},
       .measured = {.numbers = found, .digits = 6},
       .criterion = criterion});
}

void verify_job(Claims& claims) {
  const Run run = study("disc_box_script");
  const Arm arm = claims.arm(run, run.schemes[0]);
  double ended = 0;
  for (const std::uint32_t status : arm.table.status) ended += status == static_cast<std::uint32_t>(Status::end_time);
  claims.add({.claim = "1000 of its jobs take less than 1000 times its own time: time of one",
              .source = script_output,
              .published = {.numbers = {4 * 60 + 16}, .unit = "s"},
              .measured = {.numbers = {arm.wall_s / ended},
                           .unit = "s",
                           .words = "(" + number(ended, 6) + " in " + number(arm.wall_s, 3) + " s, " + arm.backend +
                                    ", " + std::to_string(arm.threads) + " threads)"},
              .criterion = at_most(4 * 60 + 16, "the number itself"),
              .timed = true});
}

}  // namespace

void verify_disc_box(Claims& claims) {
  verify_script(claims);
  verify_law(claims);
  verify_job(claims);
}

}  // namespace scree
