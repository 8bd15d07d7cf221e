// `scree run --until`: blocks of samples until the targets are met.
#pragma once

#include <string>

#include "host/engine/execute.hpp"
#include "host/statistics/targets.hpp"
#include "keeping.hpp"

namespace scree {

/// Runs the samples of one look after the other, which `start` may hold in part, until the plan is over. Leaves in
/// `run` the number of samples that it came to, as --samples would have given it: the samples are those of such a run.
/// If an end is asked for, the samples of the look that was not reached are there as far as they are finished.
/// `course`, which has the first look, is told of more when a look shows about how many samples will do. `beside` is
/// the `output` of execute.
Arm execute_until(Run& run, const std::string& scheme, const Engine& engine, const Caller& caller, const Until& plan,
                  Start start, Course& course, const std::string& beside);

}  // namespace scree
