// The ramp study of Leine et al. 2021, section 6: their table 2 and what they say of it.
#include <algorithm>
#include <cmath>

#include "flight_table.hpp"
#include "host/common/text_table.hpp"
#include "host/statistics/statistics.hpp"

namespace scree {
namespace {

const char* const table2 = "L21 table 2";
const char* const section6 = "L21 section 6";

std::size_t column_number(const Arm& arm, const std::string& name) {
  return static_cast<std::size_t>(arm.table.description->column(name));
}

/// What stands behind every row of the table.
const char* const inferred =
    "inferred: slope of 155 m read off L21 figures 5c and 5d; over all steps out of the soil, heights of the centre of "
    "mass, as in Lu et al. 2019, p. 2362; soil of 25 MN/m^2 and drag 0.7 fitted to this table";

/// A mean difference and its 95 % interval.
struct Difference {
  ColumnStatistics s;
  std::string unit;
  Amounts measured() const {
    return {.numbers = {s.mean, s.ci_low, s.ci_high},
            .unit = unit,
            .digits = 0,
            .words = short_number(s.mean) + " (" + short_number(s.ci_low) + " to " + short_number(s.ci_high) + ")" +
                     (unit.empty() ? "" : " " + unit) + ", " + std::to_string(s.n) + " pairs"};
  }
};

/// implicit - explicit of one value per sample, over the pairs where it exists.
template <class Value>
Difference difference(const std::vector<Arm>& arms, const char* unit, Value value) {
  std::vector<double> d;
  for (std::uint64_t i = 0; i < arms[0].table.samples; ++i) d.push_back(value(arms[1], i) - value(arms[0], i));
  return {column_statistics(d), unit};
}

Difference difference(const std::vector<Arm>& arms, const char* name) {
  const std::size_t c = column_number(arms[0], name);
  const PairedColumn p = paired(arms[0].table, arms[1].table).columns[c];
  ColumnStatistics s{};
  s.n = p.n;
  s.mean = p.difference;
  s.ci_low = p.ci_low;
  s.ci_high = p.ci_high;
  const std::string& unit = arms[0].table.description->columns[c].unit;
  return {s, unit == "1" ? "" : unit};
}

void add_claims(Claims& claims, const std::vector<Arm>& arms) {
  const Description& description = *arms[0].table.description;
  const auto add = [&](const std::string& claim, const char* published, const Difference& d, const Criterion& criterion,
                       const std::string& note = "") {
    claims.add({.claim = "implicit: " + claim,
                .source = section6,
                .published = {.words = published},
                .measured = d.measured(),
                .criterion = criterion,
                .note = note});
  };
  const Criterion more = interval_above_zero("Student's t of the pairs"),
                  less = interval_below_zero("Student's t of the pairs");
  add("longer run-out, runout_from_foot", "longer", difference(arms, "runout_from_foot"), more);
  add("higher rotation, flight_rotation of a rock", "higher", difference(arms, "flight_rotation"), more);
  add("higher energy, flight_kinetic_energy of a rock", "higher", difference(arms, "flight_kinetic_energy"), more);
  add("lower jumps, flight_height of a rock", "lower", difference(arms, "flight_height"), less);
  add("alignment with e3 (wheel motion), slope_alignment", "aligned", difference(arms, "slope_alignment"), more);

  const int foot = description.column("lateral_foot"), final = description.column("lateral_final");
  add("more curved run-out, |lateral_final - lateral_foot|", "more curved",
      difference(arms, "m",
                 [&](const Arm& arm, std::uint64_t i) {
                   return arm.table.status[i] == static_cast<std::uint32_t>(Status::stopped)
                              ? std::fabs(arm.table.at(final, i) - arm.table.at(foot, i))
                              : std::nan("");
                 }),
      more);
  add("narrower spread on the incline, |lateral_foot - median|", "narrower",
      difference(arms, "m",
                 [&](const Arm& arm, std::uint64_t i) {
                   const double middle = arm.statistics.columns[static_cast<std::size_t>(foot)].quantiles[2];
                   return std::fabs(arm.table.at(foot, i) - middle);
                 }),
      less);
  add("velocities slightly smaller, flight_speed of a rock", "17.75 against 17.88 m/s",
      difference(arms, "flight_speed"), less);

  const double ratio = arms[1].wall_s / arms[0].wall_s;
  claims.add({.claim = "implicit: about twice the time for 1000 rocks, implicit over explicit",
              .source = table2,
              .published = {.numbers = {161.5 / 74.25}, .words = "(161.5 over 74.25 s)"},
              .measured = {.numbers = {ratio},
                           .words = "(" + short_number(arms[1].wall_s) + " over " + short_number(arms[0].wall_s) +
                                    " s, " + arms[0].backend + ", " + std::to_string(arms[0].threads) + " threads)"},
              .criterion = within_factor(1.5, "`about`; neither their machine nor its code is ours"),
              .note = "the paper states neither machine, terrain length nor output",
              .timed = true});
}

}  // namespace

void verify_ramp(Claims& claims) {
  const Run run = study("rock_ramp");
  std::vector<Arm> arms;
  for (const std::string& scheme : run.schemes) arms.push_back(claims.arm(run, scheme, scheme));
  add_flight_table(claims, run.published, arms, table2, "two numbers of the soil were fitted to it", inferred);
  add_claims(claims, arms);
}

}  // namespace scree
