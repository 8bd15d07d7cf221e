#include "json.hpp"

#include "compare.hpp"
#include "forest.hpp"
#include "gates.hpp"
#include "host/common/text_input.hpp"
#include "host/common/version.hpp"
#include "host/model/digest.hpp"
#include "maps.hpp"
#include "scores.hpp"
#include "targets.hpp"

namespace scree {
namespace {

std::vector<std::string> printable_of(std::vector<std::string> texts) {
  for (std::string& text : texts) text = printable(text);
  return texts;
}

Json sampling_json(const Sampling& sampling) {
  if (!sampling.sobol) return {{"kind", "random"}};
  return {{"kind", "sobol"}, {"replicates", sampling.replicates}, {"dimensions", sampling.dimensions}};
}

Json shapes_json(const Run& run) {
  Json list = Json::array();
  for (std::size_t i = 0; i < run.shapes.size(); ++i) {
    const ShapeFacts& s = run.shapes[i];
    list.push_back({{"name", run.shape_names[i]},
                    {"mass", s.mass},
                    {"volume", s.volume},
                    {"size", s.size},
                    {"moments", s.moments},
                    {"corners", s.corners},
                    {"variants", s.variants}});
  }
  return list;
}

Json status_json(const StatusCounts& counts) {
  Json json = Json::object();
  for (std::size_t s = 0; s < status_count; ++s) json[status_names[s]] = counts[s];
  return json;
}

Json columns_json(const Description& description, const std::vector<ColumnStatistics>& columns, bool replicated) {
  Json json = Json::object();
  for (std::size_t c = 0; c < columns.size(); ++c)
    json[description.columns[c].name] = statistics_json(columns[c], description.columns[c].unit, replicated);
  return json;
}

/// The columns that are means over a time of each sample.
Json over_steps_json(const SummaryTable& table) {
  Json json = Json::object();
  const std::vector<Column>& columns = table.description->columns;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].time < 0) continue;
    const OverSteps s = over_steps(table, static_cast<int>(c));
    json[columns[c].name] = {
        {"unit", columns[c].unit}, {"n", s.n}, {"mean", s.mean}, {"sd", s.sd}, {"ci95", {s.ci_low, s.ci_high}}};
  }
  return json;
}

Json deposition_json(const Deposition& d) {
  return {{"n", d.n},
          {"mean", {d.mean_x, d.mean_y}},
          {"covariance", {{d.var_x, d.cov_xy}, {d.cov_xy, d.var_y}}},
          {"semi_major", d.semi_major},
          {"semi_minor", d.semi_minor},
          {"angle", d.angle},
          {"lateral_width", d.lateral_width},
          {"lateral_width_definition", d.width_definition}};
}

}  // namespace

Json json_of(const std::string& command) {
  return {{"schema", json_version},
          {"command", command},
          {"program", {{"name", "scree"}, {"version", SCREE_VERSION}, {"commit", SCREE_COMMIT}}}};
}

Json varied_json(const Run& run) {
  Json list = Json::array();
  const std::vector<InputSpread> spreads = input_spreads(run);
  for (std::size_t k = 0; k < run.varied.size(); ++k) {
    const Input& input = run.varied[k];
    const InputSpread& spread = spreads[k];
    Json json{{"name", input.name}, {"meaning", input.meaning}, {"samples", spread.samples}};
    if (input.choices.empty()) {
      json.update(
          {{"unit", input.unit}, {"mean", spread.mean}, {"sd", spread.sd()}, {"min", spread.min}, {"max", spread.max}});
    } else {
      for (std::size_t i = 0; i < input.choices.size(); ++i) json["choices"][input.choices[i]] = spread.counts[i];
    }
    list.push_back(json);
  }
  return list;
}

Json run_json(const Run& run, const Description& description) {
  Json json{{"system", description.system},
            {"title", run.title},
            {"config", printable(run.config_path)},
            {"config_xxh3", xxh3_hex(run.config_text)},
            {"changes", printable_of(run.overlays)},
            {"schemes", run.schemes},
            {"samples", run.samples},
            {"seed", run.spec.seed},
            {"sampling", sampling_json(run.sampling)},
            {"step", run.spec.world.step},
            {"end", run.spec.world.end},
            {"step_scales", run.step_scales},
            {"preset", run.preset},
            {"terrain", run.terrain_name},
            {"terrain_note", run.terrain_note},
            {"ground_map", run.ground_map},
            {"crs", run.crs},
            {"group_by", run.group_by},
            {"shapes", shapes_json(run)},
            {"varied", varied_json(run)},
            {"inputs", Json::array()},
            {"warnings", run.warnings}};
  if (run.shard)
    json["shard"] = {{"number", run.shard->number},
                     {"of", run.shard->of},
                     {"first", run.first},
                     {"samples_of_run", run.samples_of_run}};
  for (const InputFile& input : run.inputs)
    json["inputs"].push_back({{"path", printable(input.path)}, {"xxh3", input.xxh3}});
  return json;
}

Json statistics_json(const ColumnStatistics& s, const std::string& unit, bool replicated) {
  Json quantiles;
  for (std::size_t q = 0; q < quantile_levels.size(); ++q) quantiles[number_text(quantile_levels[q])] = s.quantiles[q];
  Json json{{"unit", unit},           {"n", s.n},     {"mean", s.mean}, {"sd", s.sd}, {"ci95", {s.ci_low, s.ci_high}},
            {"quantiles", quantiles}, {"min", s.min}, {"max", s.max}};
  if (replicated) json["gain"] = s.gain;
  return json;
}

Json arm_json(const Run& run, const Arm& arm) {
  const Description& description = *arm.table.description;
  const Statistics& statistics = arm.statistics;
  const bool replicated = arm.table.replicates > 0;
  Json json{{"name", arm.name},
            {"scheme", arm.scheme},
            {"step", arm.step},
            {"changes", printable_of(arm.changes)},
            {"digest", arm.digest},
            {"samples", arm.table.samples},
            {"sample_steps", arm.sample_steps},
            {"backend", arm.backend},
            {"device", arm.device},
            {"threads", arm.threads},
            {"wall_s", arm.wall_s}};
  json["status"] = status_json(statistics.status);
  json["finished_but_left_out"] = left_out_count(arm);
  json["statistics"] = columns_json(description, statistics.columns, replicated);
  if (Json steps = over_steps_json(arm.table); !steps.empty()) json["over_steps"] = std::move(steps);
  if (Json scored = scores_json(run, arm.scores); !scored.is_null()) json["scores"] = std::move(scored);
  if (statistics.has_deposition) json["deposition"] = deposition_json(statistics.deposition);
  if (!statistics.groups.empty()) json["groups"] = Json::object();
  for (std::size_t g = 0; g < statistics.groups.size(); ++g)
    json["groups"][run.shape_names[g]] = {
        {"samples", statistics.groups[g].samples},
        {"status", status_json(statistics.groups[g].status)},
        {"statistics", columns_json(description, statistics.groups[g].columns, replicated)}};
  if (arm.map_facts) json["maps"] = maps_json(*arm.map_facts);
  if (!arm.gate_facts.empty()) json["gates"] = gates_json(arm);
  if (!arm.barrier_facts.empty()) json["barriers"] = barriers_json(arm);
  if (arm.forest) json["forest"] = forest_json(*arm.forest);
  if (!arm.until.looks.empty()) json["until"] = targets_json(arm.until);
  return json;
}

void add_comparison(Json& json, const Run& run, std::span<const Arm> arms, const Evaluation& evaluation) {
  const Description& description = *arms[0].table.description;
  json["baseline"] = arms[0].name;
  for (const char* key : {"arms", "paired", "endings", "step_shares", "most_different"}) json[key] = Json::object();
  for (std::size_t a = 0; a < arms.size(); ++a) {
    Json& arm = json["arms"][arms[a].name] = arm_json(run, arms[a]);
    if (!evaluation.steps[a].empty()) arm["step_error"] = steps_json(evaluation.steps[a], arms[a]);
    if (a == 0) continue;
    const Comparison& comparison = evaluation.comparisons[a - 1];
    json["paired"][arms[a].name] = comparison_json(comparison, description);
    json["endings"][arms[a].name] = endings_json(comparison);
    if (!evaluation.shares[a - 1].empty()) json["step_shares"][arms[a].name] = shares_json(evaluation, a, description);
    json["most_different"][arms[a].name] = most_different_json(run, arms[0], arms[a], comparison);
  }
  if (!evaluation.comparisons.empty())
    json["tests"] = {{"adjustment", "Holm, over the columns of an arm, each kind of test by itself"}, {"level", 0.05}};
  json["verdict"] = evaluation.verdict;
}

}  // namespace scree
