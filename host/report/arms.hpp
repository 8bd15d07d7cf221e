// What a result says, whichever command made it: the report of a run, a comparison, or a study of the step.
#pragma once

#include <iosfwd>
#include <span>

#include "host/statistics/arm.hpp"
#include "host/statistics/evaluation.hpp"
#include "json.hpp"
#include "screen.hpp"

namespace scree {

void print_arms(std::ostream& out, const Run& run, std::span<const Arm> arms, const Evaluation& evaluation,
                const Form& form);
/// The same into a JSON object that has its `run`.
void add_arms(Json& json, const Run& run, std::span<const Arm> arms, const Evaluation& evaluation);

}  // namespace scree
