// All that a comparison finds, computed once for the report, --json and the result file.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "arm.hpp"
#include "comparison.hpp"
#include "host/model/run.hpp"
#include "step_error.hpp"

namespace scree {

struct Evaluation {
  std::vector<int> columns;                     // that short tables and verdicts show
  std::vector<Comparison> comparisons;          // of arms[1], arms[2], ... with arms[0]
  std::vector<std::vector<ColumnSteps>> steps;  // of each arm; empty where it was not run at finer steps
  /// How much of each difference goes with the step: per comparison and one of `columns`; empty unless both arms were
  /// run at the same steps.
  std::vector<std::vector<StepShares>> shares;
  std::vector<std::string> verdict;  // sentences; empty until report/verdict.hpp has put the numbers in words
};

/// All but the verdict. The results do not depend on `threads`.
Evaluation evaluate(const Run& run, std::span<const Arm> arms, int threads);

}  // namespace scree
