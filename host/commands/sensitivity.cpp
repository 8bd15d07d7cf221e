#include "sensitivity.hpp"

#include "host/config/config.hpp"

namespace scree {

std::vector<Variant> run_sensitivity(const Run& run, const Engine& engine, bool quiet, Course& course) {
  std::vector<Variant> variants;
  for (const std::string& value : run.sensitivity.values) {
    std::vector<std::string> overlays = run.overlays;
    overlays.push_back("[sensitivity]:" + run.sensitivity.key + "=" + value);
    Run variation = derive(run, overlays);
    variation.maps.on = false;
    variation.gates.clear();
    for (const std::string& scheme : variation.schemes) {
      Arm arm = execute(variation, scheme, engine, quiet, value + ", " + scheme, {}, &course);
      if (unfinished_samples(arm) > 0) return variants;
      arm.table.values = {};
      arm.table.status = {};
      variants.push_back({value, std::move(arm)});
    }
  }
  return variants;
}

}  // namespace scree
