// What a run says of its forest: on the screen, as JSON.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/statistics/arm.hpp"
#include "json.hpp"
#include "printer.hpp"

namespace scree {

/// "forest": {"n", "hitting": {"count", "probability", "ci95"}, "hits", "broken", "stands", "warnings"}
Json forest_json(const ForestFacts& facts);
/// Nothing where no arm has a forest; of several arms with their names.
std::vector<std::string> forest_lines(std::span<const Arm> arms);
/// These, with a title.
void print_forest(const Printer& printer, std::span<const Arm> arms);
/// What a reader has to know.
std::vector<std::string> forest_warnings(const ForestFacts& facts);

}  // namespace scree
