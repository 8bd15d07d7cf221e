#include "until.hpp"

#include <algorithm>

#include "host/config/config.hpp"
#include "host/report/targets.hpp"

namespace scree {
namespace {

/// What a run of the samples that it came to warns of, which may not be what its first look did. New ones are told.
void take_warnings(Run& run, const Caller& caller) {
  const Run reached = derive(run, run.overlays);
  for (const std::string& warning : reached.warnings)
    if (std::find(run.warnings.begin(), run.warnings.end(), warning) == run.warnings.end()) caller.warn(warning);
  run.warnings = reached.warnings;
}

/// The samples at the look that will do, as far as the last one shows; at least those of the next.
std::uint64_t foreseen(const Until& until) {
  const std::uint64_t now = until.samples();
  double needed = 0;
  for (const Reached& target : until.targets)
    if (const double of_target = target.needed(now); !target.met && of_target > needed) needed = of_target;
  for (std::size_t next = until.taken; next < until.looks.size(); ++next)
    if (static_cast<double>(until.looks[next]) >= needed) return until.looks[next];
  return until.looks.back();
}

}  // namespace

Arm execute_until(Run& run, const std::string& scheme, const Engine& engine, const Caller& caller, const Until& plan,
                  Start start, Course& course, const std::string& beside) {
  Until until = plan;
  Arm finished = std::move(start.finished);
  const std::uint64_t first = run.samples;
  double expected = expected_work(run, until.looks.front());
  // Where it goes on after an interruption the samples of several looks may be there.
  std::size_t next = 0;
  while (next + 1 < until.looks.size() && until.looks[next] < finished.table.samples) ++next;
  while (true) {
    run.samples = run.samples_of_run = until.looks[next];
    run.overlays = overlays_with_samples(run.overlays, run.samples);
    Arm arm = execute(run, scheme, engine, caller, scheme + ", " + look_of(until, next + 1), std::move(finished),
                      &course, start.journal, beside);
    const bool complete = unfinished_samples(arm) == 0;
    for (; complete && until.taken < next;)
      look(until, grown(arm.table, *arm.table.description, until.looks[until.taken],
                        arm.table.values.is_in_file() ? beside : ""));
    if (complete) look(until, arm.table);
    if (!complete || until.over() || caller.asks_for_end()) {
      arm.until = std::move(until);
      if (run.samples != first) take_warnings(run, caller);
      return arm;
    }
    const double now_expected = expected_work(run, foreseen(until));
    course.add(now_expected - expected);
    expected = now_expected;
    finished = std::move(arm);
    ++next;
  }
}

}  // namespace scree
