// What a run says of its maps: on the screen, as JSON.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/statistics/arm.hpp"
#include "json.hpp"
#include "printer.hpp"

namespace scree {

/// "maps": {"cell", "origin", "columns", "rows", "n", "excluded", "touched", "bytes", "digest", "layers", ...}
Json maps_json(const MapFacts& facts);
/// A few lines for a screen; with `name` before them where there are several arms.
std::vector<std::string> maps_lines(const MapFacts& facts);
/// All layers with their ranges, and what a reader has to know. Nothing without maps.
void print_maps(const Printer& printer, std::span<const Arm> arms);

}  // namespace scree
