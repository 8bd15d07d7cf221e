// What is said of the targets of `scree run --until`.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "host/common/text_table.hpp"
#include "host/statistics/arm.hpp"

namespace scree {

/// "look 2 of 5"
std::string look_of(const Until& until, std::size_t number);

/// "1000, 2000, 4000"; of more than six the first four and the last.
std::string looks_text(const Until& until);

/// "Targets, met at look 2 of 6, 400 samples"
std::string targets_title(const Until& until);
/// What the last look gave for each target.
TextTable targets_table(const Until& until);
/// What the intervals of the table hold with, and of what kind they are.
std::vector<std::string> targets_notes(const Arm& arm);
/// The section "Targets" of the report; nothing without targets.
void print_targets(std::ostream& out, const Arm& arm, bool colour);

/// [{"target", "estimate", "interval": [lo, hi], "half_width", "allowed", "n", "met", "needed", "why", "level",
/// "samples", "look", "looks"}]
nlohmann::ordered_json targets_json(const Until& until);

/// The line of a run that took all its looks without meeting its targets; empty if it met them or was interrupted.
std::string unmet_targets(const Until& until);

}  // namespace scree
