// The ramp study of Leine et al. 2021, section 6: their table 2 and what they say of it.
#include <algorithm>
#include <cmath>
#include <map>

#include "host/common/text_table.hpp"
#include "host/engine/interrupt.hpp"
#include "host/engine/memory.hpp"
#include "host/report/report.hpp"
#include "host/statistics/statistics.hpp"
#include "verify.hpp"

namespace scree {
namespace {

const char* const ramp_source = "Leine et al. 2021, section 6, ramp";

/// What the claims call the columns of table 2.
const std::map<std::string, std::string> names{{"slope_kinetic_energy", "kinetic energy"},
                                               {"slope_speed", "speed"},
                                               {"slope_rotation", "rotation"},
                                               {"slope_jump", "jump height"}};
constexpr double close_enough = 0.1;  // of the published mean: the paper leaves slope, ground and averaging open

std::string mean_and_sd(double mean, double sd, const std::string& unit) {
  return short_number(mean) + " (" + short_number(sd) + ") " + unit;
}

std::size_t column_number(const Arm& arm, const std::string& name) {
  return static_cast<std::size_t>(arm.table.description->column(name));
}

void add_table(std::vector<Claim>& claims, const Published& published, const std::vector<Arm>& arms) {
  for (const Published::Row& row : published.rows) {
    if (!row.place.empty()) continue;
    const Arm& arm = *std::ranges::find(arms, row.scheme, &Arm::scheme);
    const ColumnStatistics& s = arm.statistics.columns[column_number(arm, row.column)];
    const double mean = s.mean / row.scale;
    const bool agrees = std::fabs(mean / row.mean - 1) < close_enough;
    claims.push_back({"table 2, mean (SD) of the " + names.at(row.column) + ", " + row.scheme, ramp_source,
                      mean_and_sd(row.mean, row.sd, row.unit), mean_and_sd(mean, s.sd / row.scale, row.unit),
                      agrees ? "agrees within 10 %"
                             : "differs: the paper states neither ground class, slope length nor what it averages over",
                      false});
  }
}

/// implicit - explicit of one value per sample, over the pairs where it exists.
template <class Value>
ColumnStatistics differences(const std::vector<Arm>& arms, Value value) {
  std::vector<double> d;
  for (std::uint64_t i = 0; i < arms[0].table.samples; ++i) d.push_back(value(arms[1], i) - value(arms[0], i));
  return column_statistics(d);
}

std::string interval(const ColumnStatistics& s, const std::string& unit) {
  return short_number(s.mean) + (unit.empty() ? "" : " ") + unit + " (95 % " + short_number(s.ci_low) + " to " +
         short_number(s.ci_high) + ", " + std::to_string(s.n) + " pairs)";
}

ColumnStatistics paired_column(const std::vector<Arm>& arms, const char* name) {
  const std::size_t c = column_number(arms[0], name);
  const PairedColumn p = paired(arms[0].table, arms[1].table).columns[c];
  ColumnStatistics s{};
  s.n = p.n;
  s.mean = p.difference;
  s.ci_low = p.ci_low;
  s.ci_high = p.ci_high;
  return s;
}

void add_claims(std::vector<Claim>& claims, const std::vector<Arm>& arms) {
  const Description& description = *arms[0].table.description;
  const auto unit = [&](const char* column) {
    const std::string& text = description.columns[column_number(arms[0], column)].unit;
    return text == "1" ? std::string() : text;
  };
  const auto more = [&](const char* claim, const char* published, const char* column) {
    const ColumnStatistics s = paired_column(arms, column);
    claims.push_back(
        held(claim, ramp_source, published, std::string(column) + ": " + interval(s, unit(column)), s.ci_low > 0));
  };
  more("implicit: longer run-out", "longer", "runout_from_foot");
  more("implicit: higher rotation", "higher", "slope_rotation");
  more("implicit: higher kinetic energy", "higher", "slope_kinetic_energy");
  const ColumnStatistics jump = paired_column(arms, "slope_jump");
  claims.push_back(
      held("implicit: lower jumps", ramp_source, "lower", "slope_jump: " + interval(jump, "m"), jump.ci_high < 0));
  more("implicit: alignment with e3 (wheel motion)", "aligned", "slope_alignment");

  const int foot = description.column("lateral_foot"), final = description.column("lateral_final");
  const auto lateral = [](int column) {
    return [column](const Arm& arm, std::uint64_t i) {
      const double middle = arm.statistics.columns[static_cast<std::size_t>(column)].quantiles[2];
      return std::fabs(arm.table.at(column, i) - middle);
    };
  };
  const ColumnStatistics curved = differences(arms, [&](const Arm& arm, std::uint64_t i) {
    return arm.table.status[i] == static_cast<std::uint32_t>(Status::stopped)
               ? std::fabs(arm.table.at(final, i) - arm.table.at(foot, i))
               : std::nan("");
  });
  claims.push_back(held("implicit: more curved run-out", ramp_source, "more curved",
                        "|lateral_final - lateral_foot|: " + interval(curved, "m"), curved.ci_low > 0));
  const ColumnStatistics spread = differences(arms, lateral(foot));
  claims.push_back(known_to_differ("implicit: narrower spread on the incline", ramp_source, "narrower",
                                   "|lateral_foot - median|: " + interval(spread, "m"), spread.ci_high < 0,
                                   "not reproduced on medium ground; it is on hard ground"));
  const ColumnStatistics speed = paired_column(arms, "slope_speed");
  claims.push_back(known_to_differ("implicit: velocities slightly smaller", ramp_source, "17.75 against 17.88 m/s",
                                   "slope_speed: " + interval(speed, "m/s"), speed.ci_high < 0,
                                   "not reproduced; faster rotation goes with faster rocks here"));
  claims.push_back(known_to_differ("implicit: about twice the time for 1000 rocks", ramp_source,
                                   "161.5 s against 74.25 s",
                                   short_number(arms[1].wall_s) + " s against " + short_number(arms[0].wall_s) +
                                       " s, " + arms[0].backend + ", " + std::to_string(arms[0].threads) + " threads",
                                   false, "the paper states neither machine, terrain length nor output"));
}

}  // namespace

std::vector<Claim> verify_ramp(const VerifyOptions& options) {
  const Run run = study("rock_ramp");
  const Engine engine = choose_engine(run, options.engine);
  require_memory(run, work_of(run));
  std::vector<Arm> arms;
  for (const std::string& scheme : run.schemes)
    arms.push_back(execute(run, scheme, engine, options.quiet, "ramp, " + scheme));
  std::vector<Claim> claims;
  if (Interruptible::asked()) return claims;
  add_table(claims, run.published, arms);
  add_claims(claims, arms);
  return claims;
}

}  // namespace scree
