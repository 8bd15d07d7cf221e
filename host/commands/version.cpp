#include "version.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "host/model/model.hpp"
#include "host/report/json.hpp"
#include "host/results/hdf5.hpp"
#include "kernels/cpu_threads.hpp"

namespace scree {
namespace {

#if defined(__clang__)
const char* const compiler = "clang " __clang_version__;
#else
const char* const compiler = "g++ " __VERSION__;
#endif

}  // namespace

std::string version_json(const std::string& program) {
  Json json = json_of("version");
  json["compiler"] = compiler;
  json["hdf5"] = h5::version();
  json["cuda"] = std::string(SCREE_CUDA_VERSION).empty() ? Json(nullptr) : Json(SCREE_CUDA_VERSION);
  Json compiled = Json::array(), chosen = nullptr;
  for (int isa = 0; isa < isa_count; ++isa) {  // of all systems that have packs
    const auto is_for = [&](const Model& model) { return model.kernels.pack[isa] != nullptr; };
    if (std::ranges::none_of(models(), is_for)) continue;
    compiled.push_back(isa_names[isa]);
    if (scree_processor_has(isa)) chosen = isa_names[isa];
  }
  json["isas"] = {{"compiled", compiled}, {"chosen", chosen}};
  json["parts"] = {{"gis", SCREE_HAS_GIS != 0}, {"page", SCREE_HAS_PAGE != 0}, {"mpi", program != "scree"}};
  return json.dump(2);
}

}  // namespace scree
