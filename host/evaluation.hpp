// All that a comparison finds, computed once for the report, --json and the result file.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "comparison.hpp"
#include "result_file.hpp"
#include "run.hpp"
#include "step_error.hpp"

namespace scree {

struct Evaluation {
  std::vector<Comparison> comparisons;          // of arms[1], arms[2], ... with arms[0]
  std::vector<std::vector<ColumnSteps>> steps;  // of each arm; empty where it was not run at finer steps
  /// How much of each difference goes with the step: per comparison and headline column; empty unless both arms were
  /// run at the same steps.
  std::vector<std::vector<StepShares>> shares;
  std::vector<std::string> verdict;  // sentences
};

/// The results do not depend on `threads`.
Evaluation evaluate(const Run& run, std::span<const Arm> arms, int threads);

/// What the comparison with arms[0] says in words: one sentence per headline column and arm, from the numbers of the
/// evaluation; then what part of the differences goes with the step, and what was left out.
std::vector<std::string> verdict(std::span<const Arm> arms, const Evaluation& evaluation);

}  // namespace scree
