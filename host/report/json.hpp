// What --json prints, as docs/json.md and docs/json.schema.json describe it. Numbers that do not exist are null.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "host/model/run.hpp"
#include "host/statistics/arm.hpp"
#include "host/statistics/evaluation.hpp"

namespace scree {

/// Of the schema. A new member is no new version, a member that is gone or means something else is.
inline constexpr int json_version = 1;

using Json = nlohmann::ordered_json;

/// The members of every object: `schema`, `command`, `program`.
Json json_of(const std::string& command);
/// The member `run`: what was run. `description` is that of its samples.
Json run_json(const Run& run, const Description& description);
/// Its member `varied`: how the inputs are spread.
Json varied_json(const Run& run);
/// What became of an arm: its samples' ends, digest and statistics.
Json arm_json(const Run& run, const Arm& arm);
/// The members of a comparison: `arms` and what is found between the first and each of the others, by its name.
void add_comparison(Json& json, const Run& run, std::span<const Arm> arms, const Evaluation& evaluation);

/// The statistics of a column.
Json statistics_json(const ColumnStatistics& statistics, const std::string& unit, bool replicated);

}  // namespace scree
