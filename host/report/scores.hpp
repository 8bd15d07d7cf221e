// Forecasts scored by what was observed (host/statistics/scores.hpp), as tables, notes and JSON.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "host/common/text_table.hpp"
#include "host/model/run.hpp"
#include "host/statistics/arm.hpp"

namespace scree {

struct ScoresShown {
  std::string title;
  TextTable table;                 // a row per arm and group, or part of it
  std::vector<std::string> notes;  // what its columns are, and which samples have no place in it
};
/// Empty table without observations. `narrow`: without the columns of confidence.
ScoresShown scores_shown(const Run& run, std::span<const Arm> arms, bool narrow = false);

/// How the observations lie in their forecasts, ten parts of equal probability: a row per arm and group.
TextTable pit_table(const Run& run, std::span<const Arm> arms);

/// A line on the value of [sensitivity] that scores best, and what it scores outside if something is held out. Empty
/// without observations.
std::string choice_text(const Run& run, const std::vector<Variant>& variants);

/// The same: how often each value was chosen, and the CRPS inside and outside. Null where nothing is held out.
nlohmann::ordered_json chosen_json(const Run& run, const std::vector<Variant>& variants);

/// Null without observations.
nlohmann::ordered_json scores_json(const Run& run, const Scores& scores);

}  // namespace scree
