#include "maps.hpp"

#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"

namespace scree {
Json maps_json(const MapFacts& facts) {
  Json json{{"cell", facts.grid.cell},
            {"origin", {facts.grid.west, facts.grid.south}},
            {"columns", static_cast<std::uint64_t>(facts.grid.columns)},
            {"rows", static_cast<std::uint64_t>(facts.grid.rows)},
            {"n", facts.counted},
            {"excluded", Json::object()},
            {"touched", facts.touched},
            {"bytes", facts.bytes},
            {"interval", facts.interval},
            {"path_outside", facts.way_outside},
            {"deposits_outside", facts.deposits_outside},
            {"digest", facts.digest},
            {"warnings", map_warnings(facts)},
            {"layers", Json::object()}};
  for (const auto& [name, count] : facts.excluded) json["excluded"][name] = count;
  for (const MapFacts::Layer& layer : facts.layers)
    json["layers"][layer.name] = {{"unit", layer.unit}, {"min", layer.least}, {"max", layer.greatest}};
  return json;
}

std::vector<std::string> maps_lines(const MapFacts& facts) {
  std::vector<std::string> lines{raster_text(facts.grid) + ", " + std::to_string(facts.touched) +
                                     " of them reached by " + samples_text(facts.counted) + ": " +
                                     std::to_string(facts.layers.size()) + " layers",
                                 "digest " + facts.digest};
  std::vector<std::string> excluded;
  for (const auto& [name, count] : facts.excluded) excluded.push_back(std::to_string(count) + " " + name);
  if (!excluded.empty()) lines.push_back("left out of all layers: " + joined(excluded));
  for (const std::string& warning : map_warnings(facts)) lines.push_back("warning: " + warning);
  return lines;
}

void print_maps(const Printer& printer, std::span<const Arm> arms) {
  for (const Arm& arm : arms) {
    if (!arm.map_facts) continue;
    printer.title(arms.size() == 1 ? "Maps" : "Maps of " + arm.name);
    for (const std::string& line : maps_lines(*arm.map_facts)) printer.out << "  " << line << '\n';
    TextTable table(3, {"layer", "unit", "what it shows", "least", "greatest"});
    for (const MapFacts::Layer& layer : arm.map_facts->layers)
      table.row({layer.name, layer.unit == "1" ? "" : layer.unit, layer.meaning, short_number(layer.least),
                 short_number(layer.greatest)});
    table.print(printer.out);
    printer.out << "Shares are of the samples that count, conditional on the releases; their 95 % intervals ("
                << arm.map_facts->interval << ") hold for one cell, not for all at once.\n";
  }
}

}  // namespace scree
