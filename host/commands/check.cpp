#include "check.hpp"

#include <iostream>

#include <nlohmann/json.hpp>

#include "host/common/available_memory.hpp"
#include "host/common/json_text.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/report/gates.hpp"
#include "host/report/json.hpp"
#include "offer.hpp"

namespace scree {

std::vector<std::pair<std::string, std::string>> told_of(const Run& run) {
  std::vector<std::pair<std::string, std::string>> lines{
      {"system", run.model->description.system},
      {"schemes", joined(run.schemes)},
      {"samples", std::to_string(run.samples) + ", seed " + std::to_string(run.spec.seed)},
      {"sampling", sampling_text(run.sampling)},
      {"step", steps_text(run)}};
  if (!run.preset.empty()) lines.emplace_back("preset", preset_text(run));
  if (!run.terrain_name.empty()) lines.emplace_back("terrain", terrain_text(run));
  if (!run.ground_map.empty()) lines.emplace_back("ground", run.ground_map);
  if (run.grids.heights > 0)
    lines.emplace_back("heights", std::to_string(static_cast<std::uint64_t>(run.grids.heights)) +
                                      " read, which takes " + bytes_text(run.grids.memory) + " of memory");
  for (const std::string& shape : shapes_text(run, 20)) lines.emplace_back("shape", shape);
  if (run.maps.on) lines.emplace_back("maps", raster_text(run.spec.world.maps));
  std::vector<std::string> gates;
  for (const Gate& gate : run.gates) gates.push_back(gate.name);
  if (!gates.empty()) lines.emplace_back("gates", joined(gates));
  std::vector<std::string> barriers;
  for (const BarrierGate& barrier : run.barriers)
    barriers.push_back(barrier.gate.name + " (" + barrier_text(barrier.barrier, run.model->description.energy_unit()) +
                       ")");
  if (!barriers.empty()) lines.emplace_back("barriers", joined(barriers, "; "));
  for (const ForestStand& stand : run.forest) lines.emplace_back("forest", stand.text);
  std::vector<std::string> names;
  for (const Input& input : run.varied) names.push_back(input.name);
  if (constexpr std::size_t shown = 12; names.size() > shown) {
    const std::string more = "and " + std::to_string(names.size() - shown) + " more";
    names.resize(shown);
    names.push_back(more);
  }
  lines.emplace_back("varies", std::to_string(run.spec.variations.size()) + " of at most " +
                                   std::to_string(max_variations) + (names.empty() ? "" : ": " + joined(names)));
  return lines;
}

Run load_given(const RunOptions& options, const Overrides& overrides, const CheckRun& before_drawing) {
  if (options.config_text)
    return load_run_text(options.config, *options.config_text, overlays_of(options.sets, overrides), &find_model,
                         before_drawing);
  return load_run(options.config, options.sets, overrides, &find_model, before_drawing);
}

void check_command(const RunOptions& options) {
  const Run run = load_given(options, options.overrides);
  if (options.json) {
    std::cout << json_text(check_json(run), 2) << '\n';
    return;
  }
  for (const std::string& warning : run.warnings) options.caller.warn(warning);
  print_check(std::cout, options.config, run);
}

Json check_json(const Run& run) {
  Json object = json_of("check");
  object["run"] = run_json(run, run.model->description);
  if (run.grids.heights > 0) object["grids_bytes"] = run.grids.memory;
  return object;
}

void print_check(std::ostream& out, const std::string& path, const Run& run) {
  out << path << ": ok\n";
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, text] : told_of(run)) rows.push_back({name, text});
  print_rows(out, rows);
  for (const InputFile& input : run.inputs) out << "    reads     " << input.path << "  XXH3 " << input.xxh3 << '\n';
}

}  // namespace scree
