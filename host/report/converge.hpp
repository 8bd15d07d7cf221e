// The report of `scree converge`: what each scheme gives at which cost as the step is halved.
#pragma once

#include <iosfwd>
#include <span>

#include "host/statistics/evaluation.hpp"
#include "screen.hpp"

namespace scree {

/// On one screen, or with form.all the work-precision table of each headline column: mean, change to the next step,
/// observed order, error and cost by arm and step; then the verdict.
void print_converge(std::ostream& out, const Run& run, std::span<const Arm> arms, const Evaluation& evaluation,
                    const Form& form = {});

}  // namespace scree
