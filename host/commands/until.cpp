#include "until.hpp"

#include <algorithm>
#include <iostream>

#include "host/config/config.hpp"
#include "host/engine/interrupt.hpp"
#include "host/report/targets.hpp"

namespace scree {
namespace {

/// What a run of the samples that it came to warns of, which may not be what its first look did. New lines are printed.
void take_warnings(Run& run) {
  const Run reached = derive(run, run.overlays);
  for (const std::string& warning : reached.warnings)
    if (std::find(run.warnings.begin(), run.warnings.end(), warning) == run.warnings.end())
      std::cerr << "warning: " << warning << '\n';
  run.warnings = reached.warnings;
}

}  // namespace

Arm execute_until(Run& run, const std::string& scheme, const Engine& engine, bool quiet, const Until& plan,
                  Arm finished) {
  Until until = plan;
  const std::uint64_t first = run.samples;
  while (true) {
    run.samples = until.looks[until.taken];
    run.overlays = overlays_with_samples(run.overlays, run.samples);
    Arm arm = execute(run, scheme, engine, quiet, scheme + ", " + look_of(until, until.taken + 1), std::move(finished));
    const bool complete = unfinished_samples(arm) == 0;
    if (complete) look(until, arm.table);
    if (!complete || until.over() || Interruptible::asked()) {
      arm.until = std::move(until);
      if (run.samples != first) take_warnings(run);
      return arm;
    }
    finished = std::move(arm);
  }
}

}  // namespace scree
