// `scree run --until`: blocks of samples until the targets are met, and what is said of them.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>

#include "execute.hpp"
#include "result_file.hpp"
#include "targets.hpp"

namespace scree {

/// Runs the samples of one look after the other, which `finished` may hold in part, until the plan is over. Leaves in
/// `run` the number of samples that it came to, as --samples would have given it: the samples are those of such a run.
/// If an end is asked for, the samples of the look that was not reached are there as far as they are finished.
Arm execute_until(Run& run, const std::string& scheme, const Engine& engine, bool quiet, const Until& plan,
                  Arm finished = {});

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
