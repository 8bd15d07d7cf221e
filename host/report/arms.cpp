#include "arms.hpp"

#include "converge.hpp"
#include "report.hpp"

namespace scree {

void print_arms(std::ostream& out, const Run& run, std::span<const Arm> arms, const Evaluation& evaluation,
                const Form& form) {
  const std::size_t finer = arms[0].finer.size();
  if (finer > 1 || (finer > 0 && arms.size() == 1))
    print_converge(out, run, arms, evaluation, form);
  else if (arms.size() == 1)
    print_run(out, run, arms[0], form);
  else
    print_compare(out, run, arms, evaluation, form);
}

void add_arms(Json& json, const Run& run, std::span<const Arm> arms, const Evaluation& evaluation) {
  if (arms.size() == 1 && arms[0].finer.empty())
    json.update(arm_json(run, arms[0]));
  else
    add_comparison(json, run, arms, evaluation);
}

}  // namespace scree
