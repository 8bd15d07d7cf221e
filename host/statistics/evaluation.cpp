#include "evaluation.hpp"

namespace scree {

Evaluation evaluate(const Run& run, std::span<const Arm> arms, int threads) {
  Evaluation result;
  for (const Arm& arm : arms) result.steps.push_back(step_errors(arm, threads));
  result.columns = shown_columns(run, *arms[0].table.description);
  for (std::size_t a = 1; a < arms.size(); ++a) {
    result.comparisons.push_back(compare(arms[0], arms[a], {run.margins, run.spec.seed, threads}));
    result.shares.emplace_back();
    if (!same_steps(arms[0], arms[a])) continue;
    for (const int c : result.columns) {
      const std::size_t k = static_cast<std::size_t>(c);
      result.shares.back().push_back(step_shares(arms[0], arms[a], c, result.steps[0][k], result.steps[a][k]));
    }
  }
  return result;
}

}  // namespace scree
