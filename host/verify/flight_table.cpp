#include "flight_table.hpp"

#include <algorithm>
#include <map>

#include "host/statistics/statistics.hpp"

namespace scree {

Criterion where_inferred(const std::string& what) { return within_percent(12, "a choice; " + what); }

void add_flight_table(Claims& claims, const Published& published, const std::vector<Arm>& arms, const char* source,
                      const std::string& what, const std::string& note) {
  static const std::map<std::string, std::string> names{{"flight_kinetic_energy", "kinetic energy"},
                                                        {"flight_speed", "speed"},
                                                        {"flight_rotation", "rotation"},
                                                        {"flight_height", "jump height"}};
  for (const Published::Row& row : published.rows) {
    if (!row.place.empty()) continue;
    const Arm& arm = *std::ranges::find(arms, row.scheme, &Arm::scheme);
    const OverSteps s = over_steps(arm.table, arm.table.description->column(row.column));
    const auto add = [&](const char* number, double there, double here) {
      claims.add({.claim = number + (" of the " + names.at(row.column)) + ", " + row.scheme,
                  .source = source,
                  .published = {.numbers = {there}, .unit = row.unit, .digits = 5},
                  .measured = {.numbers = {here / row.scale}, .unit = row.unit},
                  .criterion = where_inferred(what),
                  .note = note});
    };
    add("mean", row.mean, s.mean);
    add("SD", row.sd, s.sd);
  }
}

}  // namespace scree
