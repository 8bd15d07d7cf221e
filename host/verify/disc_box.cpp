// The gallery script "Colliding discs" of sympy: what it prints and how it moves, and the law of Hunt and Crossley that
// it means to integrate.
#include <cmath>
#include <vector>

#include "host/common/text_table.hpp"
#include "host/engine/interrupt.hpp"
#include "host/report/report.hpp"
#include "src/systems/disc_box.hpp"
#include "verify.hpp"

namespace scree {
namespace {

const char* const script_source = "sympy gallery, Colliding discs (three discs, 10 s)";
const char* const independent_source = "independent codes (DOP853, tolerance 3e-14), in which positions agree to 1e-5";
const char* const law_source = "Hunt and Crossley 1975: the law with its onset speed";

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

/// Centres of the script's own run (Radau, tolerance 1e-6) at four times, and how far it is then from an exact solution
/// of its equations.
struct Place {
  double time, bound, x[3], z[3];
};
constexpr Place places[] = {
    {0.9, 1e-6, {-1.1483005208, 1.2642681721, -2.2572521316}, {-1.6057509862, -2.4691144744, 0.9872983061}},
    {2.15, 1e-5, {-1.8481320755, 3.8909853117, 0.262823613}, {-2.8875721471, -0.2033092652, 1.362743335}},
    {4.9, 1e-4, {4.0320300072, 2.190489145, -1.1543446304}, {-0.1943157548, 0.3883195629, -0.7494267883}},
    {10.0, 2.5e-3, {-1.0487359039, -2.5458788401, 1.9480004821}, {2.3078740972, 0.4262710485, 0.1484549228}},
};

void verify_script(std::vector<Claim>& claims) {
  const double disc = law().stiffness, wall = law().wall_stiffness;
  claims.push_back(held(
      "stiffness of the contacts, N/m^(3/2)", script_source,
      "1023.0132829666487 between discs, 1617.526025390473 at the wall", number(disc, 16) + ", " + number(wall, 16),
      std::fabs(disc / 1023.0132829666487 - 1) < 1e-14 && std::fabs(wall / 1617.526025390473 - 1) < 1e-14));
  const Replayed path = script();
  const NamedRow last{path, path.rows.back()};
  std::string published, measured;
  bool agrees = true;
  for (const Place& place : places) {
    double error = 1e300;
    for (const std::vector<double>& values : path.rows) {
      const NamedRow row{path, values};
      if (std::fabs(row["time"] - place.time) > 1e-6) continue;
      error = 0;
      for (int i = 0; i < 3; ++i)
        error = worst(error, worst(std::fabs(row["x" + std::to_string(i)] - place.x[i]),
                                   std::fabs(row["z" + std::to_string(i)] - place.z[i])));
    }
    agrees = agrees && error < place.bound;
    const std::string comma = measured.empty() ? "" : ", ", when = " m at " + number(place.time, 3) + " s";
    published += comma + number(place.bound, 2) + when;
    measured += comma + number(error, 2) + when;
  }
  claims.push_back(held("its trajectory, preset \"script\": difference of the centres", script_source,
                        "the script solves its equations to " + published, measured, agrees));
  const double energy = last["energy"];
  claims.push_back(held("energy after 10 s", script_source, "9.8053 J; its equations solved exactly, 9.8045 J",
                        number(energy, 6) + " J", std::fabs(energy - 9.8045) < 2e-3));
  const Replayed latched = script({{"disc_box.latch", "onset"}});
  const Replayed corrected = script({{"disc_box.preset", "corrected"}});
  const double with_latch = NamedRow{latched, latched.rows.back()}["energy"],
               right = NamedRow{corrected, corrected.rows.back()}["energy"];
  claims.push_back(held("the same with the latched law; with corrected equations too", independent_source,
                        "8.4415 J; 8.3335 J", number(with_latch, 5) + " J; " + number(right, 5) + " J",
                        std::fabs(with_latch - 8.4415) < 2e-3 && std::fabs(right - 8.3335) < 2e-3));
  const double balance = corrected.largest([&](const NamedRow& row) {
    return std::fabs(row["energy"] + row["damping_work"] + row["friction_work"] -
                     NamedRow{corrected, corrected.rows.front()}["energy"]);
  });
  claims.push_back(held("energy and the work of damping and friction balance", law_source,
                        "constant sum (331.1 J at the start)", "within " + number(balance, 2) + " J over 10 s",
                        balance < 1e-5));
}

/// Restitution of two discs without observers, head on at 5 m/s, from the rows before and after.
double restitution(double c_tau, const char* latch, const char* scheme) {
  const Replayed path = replayed(
      study("disc_box_restitution", {{"scheme", scheme}, {"disc_box.latch", latch}, {"disc_box.c_tau", c_tau}}),
      both_ends);
  const NamedRow last{path, path.rows.back()};
  return (last["vx1"] - last["vx0"]) / 5;
}

void verify_law(std::vector<Claim>& claims) {
  std::string published, measured, of_script, found;
  bool latched = true, sign = true;
  for (const double c_tau : {1.0, 0.95, 0.9, 0.8, 0.5}) {
    const std::string comma = measured.empty() ? "" : ", ";
    const double e = restitution(c_tau, "onset", "rk4_redo"), s = restitution(c_tau, "script", "rk4_events");
    published += comma + number(disc_box_cases::restitution(c_tau), 6);
    measured += comma + number(e, 6);
    of_script += comma + number(disc_box_cases::restitution_of_the_script(c_tau), 6);
    found += comma + number(s, 6);
    latched = latched && std::fabs(e - disc_box_cases::restitution(c_tau)) < 1e-5;
    sign = sign && std::fabs(s - disc_box_cases::restitution_of_the_script(c_tau)) < 1e-5;
  }
  claims.push_back(held("restitution for c_tau = 1, 0.95, 0.9, 0.8, 0.5 with the onset latched", law_source,
                        published + ", from a (1 + e) = ln((1 + a) / (1 - a e))", measured, latched));
  claims.push_back(held("the same with the script's latch, which is rewritten all through the contact", script_source,
                        of_script + ", from sqrt((1 - a) / (1 + a))", found, sign));
}

void verify_job(std::vector<Claim>& claims, const VerifyOptions& options) {
  const Run run = study("disc_box_script");
  const Engine engine = choose_engine(run, options.engine);
  const Arm arm = execute(run, run.schemes[0], engine, options.quiet, "disc box, 1000 samples");
  if (Interruptible::asked()) return;
  std::uint64_t ended = 0;
  for (const std::uint32_t status : arm.table.status) ended += status == static_cast<std::uint32_t>(Status::end_time);
  const double alone = 4 * 60 + 16;
  claims.push_back(
      held("1000 of its jobs take less than 1000 times its own time", script_source, "4 min 16 s for one sample",
           number(arm.wall_s, 3) + " s for 1000 samples, " + arm.backend + ", " + std::to_string(arm.threads) +
               " threads: " + number(1000 * alone / arm.wall_s, 2) + " times as fast",
           ended == 1000 && arm.wall_s < 1000 * alone));
}

}  // namespace

std::vector<Claim> verify_disc_box(const VerifyOptions& options) {
  std::vector<Claim> claims;
  verify_script(claims);
  verify_law(claims);
  verify_job(claims, options);
  return claims;
}

}  // namespace scree
