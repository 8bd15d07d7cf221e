#include "forest.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"

namespace scree {
namespace {

Json number_or_null(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

std::string line_of(const ForestFacts& facts) {
  const ForestCounts& counts = facts.counts;
  std::string text = std::to_string(counts.hitting) + " of " + samples_text(counts.counted) + " hit stems";
  if (counts.counted > 0) text += ", " + short_number(facts.share);
  if (std::isfinite(facts.interval.low))
    text += " (" + short_number(facts.interval.low) + " to " + short_number(facts.interval.high) + ")";
  return text + ": " + std::to_string(counts.hits) + " hits, of which " + std::to_string(counts.broken) +
         " broke the stem";
}

}  // namespace

Json forest_json(const ForestFacts& facts) {
  Json stands = Json::array();
  for (const ForestStand& stand : facts.stands) stands.push_back(stand.text);
  return {{"n", facts.counts.counted},
          {"hitting",
           {{"count", facts.counts.hitting},
            {"probability", number_or_null(facts.share)},
            {"ci95", {number_or_null(facts.interval.low), number_or_null(facts.interval.high)}}}},
          {"hits", facts.counts.hits},
          {"broken", facts.counts.broken},
          {"stands", stands},
          {"warnings", forest_warnings(facts)}};
}

std::vector<std::string> forest_warnings(const ForestFacts& facts) {
  if (!facts.is_one_for_all()) return {};
  return {
      "all samples went through the same stems: no interval covers where these might stand as well; "
      "forest.resample = true does"};
}

void print_forest(const Printer& printer, std::span<const Arm> arms) {
  const std::vector<std::string> lines = forest_lines(arms);
  if (lines.empty()) return;
  printer.title("Forest");
  for (const std::string& line : lines) print_wrapped(printer.out, "  " + line, 2);
}

std::vector<std::string> forest_lines(std::span<const Arm> arms) {
  const auto stands_of = [](const ForestFacts& facts) {
    std::vector<std::string> stands;
    for (const ForestStand& stand : facts.stands) stands.push_back(stand.text);
    return joined(stands, "; ");
  };
  std::set<std::string> different;
  for (const Arm& arm : arms)
    if (arm.forest) different.insert(stands_of(*arm.forest));
  std::vector<std::string> lines, warnings;
  if (different.size() == 1) lines.push_back(*different.begin());
  for (const Arm& arm : arms) {
    if (!arm.forest) continue;
    const std::string name = arms.size() == 1 ? "" : arm.name + ": ";
    if (different.size() > 1) lines.push_back(name + stands_of(*arm.forest));
    lines.push_back(name + line_of(*arm.forest));
    for (const std::string& warning : forest_warnings(*arm.forest))
      if (std::ranges::find(warnings, warning) == warnings.end()) warnings.push_back(warning);
  }
  for (const std::string& warning : warnings) lines.push_back("warning: " + warning);
  return lines;
}

}  // namespace scree
