// From a Run to its samples: one scheme through the kernels, with progress, until an end is asked for.
#pragma once

#include <string>

#include "course.hpp"
#include "engine.hpp"
#include "host/common/caller.hpp"
#include "host/journal/journal.hpp"
#include "host/model/run.hpp"
#include "host/statistics/arm.hpp"

namespace scree {

/// Runs all samples under one scheme, or those that `finished` does not have: it holds the first samples of the same
/// run under the same scheme and description, some of which may be `not_run`, and its times and steps are added to
/// ours. Which samples were finished before changes no bit. If an end is asked for, the samples that are not finished
/// keep `not_run`, and so it is where device or memory fail, which Arm::failure tells. `label` heads the progress;
/// empty: the scheme. `course` is that of the command that this is a part of; null: there is no other part. Samples are
/// kept in `journal` while they run; null: nowhere. It has those of `finished`. Many summaries lie in a file beside
/// `output` (lies_in_file); empty: in memory.
Arm execute(const Run& run, const std::string& scheme, const Engine& engine, const Caller& caller = {},
            const std::string& label = "", Arm finished = {}, Course* course = nullptr, JournalPart* journal = nullptr,
            const std::string& output = "");

/// What `execute` makes of samples, statistics and all, of those that are finished. `finished` has all of what it needs
/// to go on, and says what it is.
Arm conclude(const Run& run, Arm finished, int threads);

}  // namespace scree
