#include "evaluation.hpp"

#include "report.hpp"

namespace scree {

Evaluation evaluate(const Run& run, std::span<const Arm> arms, int threads) {
  Evaluation result;
  for (const Arm& arm : arms) result.steps.push_back(step_errors(arm));
  const std::vector<int> headline = headline_columns(*arms[0].table.description);
  for (std::size_t a = 1; a < arms.size(); ++a) {
    result.comparisons.push_back(compare(arms[0], arms[a], {run.margins, run.spec.seed, threads}));
    result.shares.emplace_back();
    if (arms[0].finer.empty() || arms[a].finer.empty()) continue;
    for (const int c : headline) result.shares.back().push_back(step_shares(arms[0], arms[a], c));
  }
  result.verdict = verdict(arms, result);
  return result;
}

}  // namespace scree
