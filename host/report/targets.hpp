// What is said of the targets of `scree run --until`.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "host/statistics/arm.hpp"

namespace scree {

/// "look 2 of 5"
std::string look_of(const Until& until, std::size_t number);

/// "1000, 2000, 4000"; of more than six the first four and the last.
std::string looks_text(const Until& until);

/// The section "Targets" of the report; nothing without targets.
void print_targets(std::ostream& out, const Arm& arm, bool colour);

/// [{"target", "estimate", "interval": [lo, hi], "half_width", "allowed", "n", "met", "needed", "why", "level",
/// "samples", "look", "looks"}]
nlohmann::ordered_json targets_json(const Until& until);

/// The line of a run that took all its looks without meeting its targets; empty if it met them or was interrupted.
std::string unmet_targets(const Until& until);

}  // namespace scree
