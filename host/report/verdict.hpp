// What a comparison says in words.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/statistics/evaluation.hpp"

namespace scree {

/// What the comparison with arms[0] says in words: one sentence per column of the evaluation and arm, from the numbers
/// of the evaluation; then what part of the differences goes with the step, and what was left out.
std::vector<std::string> verdict(std::span<const Arm> arms, const Evaluation& evaluation);

/// The same in a few sentences: the columns of each judgement together, without the evidence; then what part of the
/// differences is seen to be time-step error.
std::vector<std::string> short_verdict(std::span<const Arm> arms, const Evaluation& evaluation);

/// What a run says by itself: the first column that it shows, what stands in the way of it, and what its error bars
/// leave out.
std::vector<std::string> run_verdict(const Run& run, const Arm& arm);

/// In which columns an order was seen, of each arm, and where an error exceeds a margin.
std::vector<std::string> converge_verdict(std::span<const Arm> arms, const Evaluation& evaluation);

/// The evaluation with its verdict.
Evaluation evaluate_in_words(const Run& run, std::span<const Arm> arms, int threads);

}  // namespace scree
