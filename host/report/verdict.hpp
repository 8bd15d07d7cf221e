// What a comparison says in words.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/statistics/evaluation.hpp"

namespace scree {

/// What the comparison with arms[0] says in words: one sentence per headline column and arm, from the numbers of the
/// evaluation; then what part of the differences goes with the step, and what was left out.
std::vector<std::string> verdict(std::span<const Arm> arms, const Evaluation& evaluation);

/// The evaluation with its verdict.
Evaluation evaluate_in_words(const Run& run, std::span<const Arm> arms, int threads);

}  // namespace scree
