#include "sensitivity.hpp"

#include "host/config/config.hpp"

namespace scree {

std::vector<Variant> run_sensitivity(const Run& run, const Engine& engine, const Caller& caller, Course& course,
                                     Keeping& keeping) {
  std::vector<Variant> variants;
  for (const std::string& value : run.sensitivity.values) {
    std::vector<std::string> overlays = run.overlays;
    overlays.push_back("[sensitivity]:" + run.sensitivity.key + "=" + value);
    Run variation = derive(run, overlays);
    variation.maps.on = false;
    variation.gates.clear();
    for (const std::string& scheme : variation.schemes) {
      const std::string label = value + ", " + scheme;
      PartHead head = part_of(run.sensitivity.key + " = " + label, scheme, variation, engine);
      head.of_a_table = true;
      Start start = keeping.start(head, variation);
      Arm arm = execute(variation, scheme, engine, caller, label, std::move(start.finished), &course, start.journal,
                        keeping.beside());
      if (!arm.failure.empty()) throw Error(Exit::device, run.sensitivity.key + " = " + label + ": " + arm.failure);
      if (unfinished_samples(arm) > 0) return variants;
      arm.table.values = {};
      arm.table.status = {};
      variants.push_back({value, std::move(arm)});
    }
  }
  return variants;
}

}  // namespace scree
