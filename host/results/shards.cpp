#include "shards.hpp"

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "host/common/json_text.hpp"
#include "host/common/text_input.hpp"
#include "host/config/config.hpp"
#include "host/model/digest.hpp"

namespace scree {

std::string shards_folder(const std::string& output) { return output + ".shards"; }

std::string shard_path(const std::string& output, const Shard& shard) {
  char name[64];
  std::snprintf(name, sizeof name, "%05llu-of-%05llu", static_cast<unsigned long long>(shard.number),
                static_cast<unsigned long long>(shard.of));
  const std::string from = shard.from > 0 ? "-from-" + std::to_string(shard.from) : "";
  return (std::filesystem::path(shards_folder(output)) / (name + from + ".h5")).string();
}

std::string run_xxh3(const Run& run, std::span<const Arm> arms) {
  std::vector<std::string> changes = overlays_without_shard(run.overlays);
  std::erase_if(changes, [](const std::string& overlay) {
    return overlay.substr(overlay.find(':') + 1).starts_with("samples=");
  });
  nlohmann::ordered_json all{{"config", run.config_text}, {"changes", changes}};
  for (const InputFile& input : run.inputs) all["inputs"].push_back({input.path, input.xxh3});
  for (const Arm& arm : arms) all["arms"].push_back({arm.scheme, number_text(arm.step), arm.changes});
  all["columns"] = arms[0].table.description->column_names();
  return xxh3_hex(json_text(all));
}

}  // namespace scree
