// Run-outs at Tschamut: what forecasts by ensembles of rocks are worth, by the 40 of 80 releases whose end was
// surveyed. Where the data are not, nothing is run.
#include <cmath>

#include "host/common/error.hpp"
#include "verify.hpp"

namespace scree {
namespace {

const char* const observed = "observed: Volkwein and Gerber 2018";
const char* const in_sample = "the soil was fitted to these run-outs";

Run study_with_data(const std::string& name, const Sets& sets = {}) {
  try {
    return study(name, sets);
  } catch (const Error& error) {
    if (error.code != Exit::input) throw;
    throw NotRun{error.what()};
  }
}

/// A share or mean of n observations that has the standard deviation `sd` for each of them where the forecast is right.
Criterion by_chance(double sd, std::uint64_t n) {
  return within(1.96 * sd / std::sqrt(static_cast<double>(n)),
                "1.96 standard errors of " + std::to_string(n) + " observations");
}

/// Means of the blocks beside what was observed.
void add_means(Claims& claims, const Run& run, const Arm& arm, const std::string& ground, const char* note) {
  std::vector<double> there, here, tolerances;
  const int column = run.model->description.column(run.observed.column);
  for (std::size_t g = 0; g < run.shape_names.size(); ++g) {
    std::vector<double> values;
    for (std::size_t k = 0; k < run.observed.value.size(); ++k)
      if (run.observed.group[k] == run.shape_names[g]) values.push_back(run.observed.value[k]);
    const Mean seen = mean_of(values);
    const ColumnStatistics& ours = arm.statistics.groups[g].columns[static_cast<std::size_t>(column)];
    there.push_back(seen.value);
    here.push_back(ours.mean);
    tolerances.push_back(std::hypot(seen.half_width, (ours.ci_high - ours.ci_low) / 2));
  }
  claims.add({.claim = "mean run-out of blocks 1, 2 and 4, " + ground,
              .source = observed,
              .published = {.numbers = there, .unit = "m"},
              .measured = {.numbers = here, .unit = "m"},
              .criterion = within(tolerances, "95 % of both means' errors"),
              .note = note});
}

/// `prototype`: the CRPS of another program of the same model, m.
void add_scores(Claims& claims, const Arm& arm, const std::string& ground, double prototype, const char* note) {
  const ScoreRow& row = *arm.scores.all();
  const std::string beside =
      std::string(note) + "; the other runs are of the slope itself, the terrain here is a proxy";
  const auto add = [&](const std::string& claim, const char* source, double there, const char* unit, double here,
                       const Criterion& criterion, const std::string& note) {
    claims.add({.claim = claim + ", " + ground,
                .source = source,
                .published = {.numbers = {there}, .unit = unit},
                .measured = {.numbers = {here}, .unit = unit},
                .criterion = criterion,
                .note = note});
  };
  add("CRPS of run-outs, another program", "independent code: a prototype of the scar", prototype, "m", row.crps.value,
      within_percent(10, "it drew other numbers"), note);
  add("CRPS of run-outs, beside the other runs of the block as the forecast", observed, row.others_crps.value, "m",
      row.crps.value, at_most(row.others_crps.value, "a forecast that needs no model"), beside);
  add("energy score of resting places, beside the other runs of the block", observed, row.others_energy.value, "m",
      row.energy.value, at_most(row.others_energy.value, "a forecast that needs no model"), beside);
  add("share of run-outs in their central intervals of 90 %", observed, .9, "", row.in_most.value,
      by_chance(std::sqrt(.9 * .1), row.in_most.n), note);
  add("share of run-outs in their central intervals of 50 %", observed, .5, "", row.in_half.value,
      by_chance(.5, row.in_half.n), note);
  add("mean PIT of run-outs", observed, .5, "", row.pit.value, by_chance(std::sqrt(1.0 / 12), row.pit.n), note);
}

}  // namespace

void verify_tschamut(Claims& claims) {
  const auto forecast = [&](const std::string& config, const Sets& sets, const std::string& ground, double prototype,
                            const char* note) {
    const Run run = study_with_data(config, sets);
    const Arm arm = claims.arm(run, run.schemes[0], ground);
    add_means(claims, run, arm, ground, note);
    add_scores(claims, arm, ground, prototype, note);
  };
  forecast("rock_tschamut", {}, "alpine meadow", 9.7, in_sample);
  forecast("rock_tschamut_spread", {}, "alpine meadow with laws", 11.0, in_sample);
  // Blocks of the three axes without corners of their own, on the terrain with its floor.
  Sets smooth{{"samples", 4000},
              {"terrain.floor", 27},
              {"observed.match", "trajectory_id"},
              {"observed.position", {"x_m", "y_m"}}};
  Sets fitted = smooth, foreign = smooth;
  for (const Set& set : {Set{"rock.soil_strength", 0.35e6},
                         {"rock.soil_drag", 0.113},
                         {"rock.friction_min", 0.93},
                         {"rock.friction_max", 2},
                         {"rock.scar_decay", 185},
                         {"rock.scar_growth", 3},
                         {"rock.drag", 0}})
    fitted.push_back(set);
  foreign.push_back({"rock.ground", "scree slope"});
  forecast("rock_tschamut_hard", fitted, "smooth blocks on soil fitted for them", 10.6, in_sample);
  forecast("rock_tschamut_hard", foreign, "smooth blocks on scree slope", 16.1,
           "soil of Chant Sura and of rocks of 780 kg; nothing was fitted here");
}

}  // namespace scree
