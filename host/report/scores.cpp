#include "scores.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "host/common/text_input.hpp"
#include "printer.hpp"

namespace scree {
namespace {

using Json = nlohmann::ordered_json;

std::string percent(const Mean& share) {
  return share.n == 0 ? "-" : std::to_string(static_cast<int>(std::lround(100 * share.value))) + " %";
}
std::string value_text(const Mean& mean) { return number_within(mean.value, mean.half_width); }

/// Of the observed column; empty of pure numbers.
std::string unit_of_observed(const Run& run, const Arm& arm) {
  const Description& description = *arm.table.description;
  return unit_of(column_of(description, description.column(run.observed.column)));
}

Json mean_json(const Mean& mean) {
  return {{"n", mean.n}, {"mean", mean.value}, {"ci95", {mean.value - mean.half_width, mean.value + mean.half_width}}};
}

/// The scores of the values of [sensitivity]; empty if one has none.
std::vector<const Scores*> forecasts_of(const Run& run, const std::vector<Variant>& variants) {
  std::vector<const Scores*> forecasts;
  for (const Variant& variant : variants) {
    if (run.observed.value.empty() || variant.arm.scores.rows.empty()) return {};
    forecasts.push_back(&variant.arm.scores);
  }
  return forecasts;
}

}  // namespace

ScoresShown scores_shown(const Run& run, std::span<const Arm> arms, bool narrow) {
  const bool places = !run.observed.place.empty(), splits = run.observed.holdout == Observed::Holdout::some;
  std::vector<std::string> heads{"scheme", run.group_by.empty() ? "group" : run.group_by};
  if (splits) heads.push_back("held out");
  heads.push_back("scored");
  for (const char* head : {"bias", "CRPS"}) {
    heads.push_back(head);
    if (!narrow) heads.push_back("+-95 %");
  }
  heads.push_back("others'");
  if (places)
    for (const char* head : {"energy", "others'"}) heads.push_back(head);
  for (const char* head : {"PIT", "in 50 %", "in 90 %"}) heads.push_back(head);
  ScoresShown shown{"", TextTable(splits ? 3 : 2, heads), {}};
  std::uint64_t samples = 0, counted = 0, unscored = 0;
  for (const Arm& arm : arms)
    for (const ScoreRow& row : arm.scores.rows) {
      std::vector<std::string> cells{arm.name, row.group};
      if (splits) cells.push_back(row.part);
      cells.push_back(whole(row.scored) + " of " + whole(row.observed));
      for (const Mean& mean : {row.bias, row.crps}) {
        cells.push_back(value_text(mean));
        if (!narrow) cells.push_back(error_text(mean.half_width));
      }
      cells.push_back(value_text(row.others_crps));
      if (places)
        for (const Mean& mean : {row.energy, row.others_energy}) cells.push_back(value_text(mean));
      for (const std::string& cell : {value_text(row.pit), percent(row.in_half), percent(row.in_most)})
        cells.push_back(cell);
      shown.table.row(cells);
      if (!row.of_all) continue;
      samples += row.samples;
      counted += row.counted;
      unscored += row.observed - row.scored;
    }
  if (shown.table.empty()) return shown;
  const Observed& observed = run.observed;
  const std::string unit = unit_of_observed(run, arms[0]);
  shown.title = "Forecasts scored by what was observed: " + observed.column + (unit.empty() ? "" : " (" + unit + ")") +
                ", " +
                (observed.rows > 0        ? "each by the samples of its own start"
                 : observed.group.empty() ? "each by all samples"
                                          : "each by the samples of its group");
  if (!observed.note.empty()) shown.notes.push_back("Note: " + observed.note + ".");
  shown.notes.push_back("CRPS" + std::string(places ? ", energy (of resting places)" : "") +
                        ": fair scores, the smaller the better; others': of the other observations" +
                        (observed.group.empty() ? "" : " of the group") +
                        " as the forecast. Right forecasts have a PIT of 0.5 and hold " +
                        "50 and 90 % of what is observed in their central intervals.");
  if (counted < samples)
    shown.notes.push_back("Left out of the forecasts: " + whole(samples - counted) + " of " + samples_text(samples) +
                          ", without " + observed.column + "; forecasts look better than they are where these would " +
                          "have gone further.");
  if (unscored > 0)
    shown.notes.push_back(whole(unscored) + " of the forecasts have fewer than two samples with a value: not scored.");
  return shown;
}

TextTable pit_table(const Run& run, std::span<const Arm> arms) {
  constexpr std::size_t parts = 10;
  std::vector<std::string> heads{"scheme", run.group_by.empty() ? "group" : run.group_by};
  for (std::size_t i = 0; i < parts; ++i)
    heads.push_back((i == 0 ? "0" : "0." + std::to_string(i)) + "-" +
                    (i + 1 == parts ? "1" : "0." + std::to_string(i + 1)));
  TextTable table(2, heads);
  for (const Arm& arm : arms) {
    const auto row = [&](const std::string& name, bool of_all) {
      std::array<std::uint64_t, parts> counts{};
      for (std::size_t k = 0; k < arm.scores.each.size(); ++k)
        if (const double pit = arm.scores.each[k].pit; !std::isnan(pit) && (of_all || run.observed.group[k] == name))
          ++counts[std::min(static_cast<std::size_t>(pit * parts), parts - 1)];
      std::vector<std::string> cells{arm.name, name};
      for (const std::uint64_t count : counts) cells.push_back(whole(count));
      table.row(cells);
    };
    if (arm.scores.rows.empty()) continue;
    if (!run.observed.group.empty())
      for (const std::string& name : run.shape_names)
        if (std::ranges::find(run.observed.group, name) != run.observed.group.end()) row(name, false);
    row("all", true);
  }
  return table;
}

std::string choice_text(const Run& run, const std::vector<Variant>& variants) {
  const std::vector<const Scores*> forecasts = forecasts_of(run, variants);
  if (forecasts.empty()) return "";
  if (run.observed.holdout == Observed::Holdout::none)
    return "Scored by the observations that it would be chosen by: [observed] holdout tells what a choice is worth.";
  const Chosen chosen = choose(run.observed, forecasts);
  if (chosen.outside.n == 0) return "Nothing is chosen: of what is held out no forecast has two samples with a value.";
  const std::string unit = unit_of_observed(run, variants[0].arm);
  const auto crps = [&](const Mean& mean) {
    return value_text(mean) + (std::isnan(mean.half_width) ? "" : " +- " + error_text(mean.half_width)) +
           (unit.empty() ? "" : " " + unit) + " over " + whole(mean.n);
  };
  std::string names;
  for (std::size_t i = 0; i < variants.size(); ++i)
    if (chosen.times[i] > 0)
      names += (names.empty() ? "" : ", ") + variants[i].value +
               (run.observed.holdout == Observed::Holdout::each ? " (" + whole(chosen.times[i]) + " times)" : "");
  if (run.observed.holdout == Observed::Holdout::each)
    return "Chosen for each observation by the CRPS of all others: " + names +
           ". CRPS of these choices: " + crps(chosen.outside) + ".";
  return "Chosen by the CRPS of the observations that are not held out: " + names + ", CRPS " + crps(chosen.inside) +
         ". CRPS of those held out: " + crps(chosen.outside) + ".";
}

Json chosen_json(const Run& run, const std::vector<Variant>& variants) {
  const std::vector<const Scores*> forecasts = forecasts_of(run, variants);
  if (forecasts.empty() || run.observed.holdout == Observed::Holdout::none) return nullptr;
  const Chosen chosen = choose(run.observed, forecasts);
  Json json{
      {"rows", Json::array()}, {"crps_inside", mean_json(chosen.inside)}, {"crps_outside", mean_json(chosen.outside)}};
  for (std::size_t i = 0; i < variants.size(); ++i)
    json["rows"].push_back(
        {{"value", variants[i].value}, {"scheme", variants[i].arm.scheme}, {"times", chosen.times[i]}});
  return json;
}

Json scores_json(const Run& run, const Scores& scores) {
  if (scores.rows.empty()) return nullptr;
  Json json{{"column", run.observed.column},
            {"note", run.observed.note},
            {"rows", Json::array()},
            {"observations", Json::array()}};
  for (const ScoreRow& row : scores.rows)
    json["rows"].push_back({{"group", row.group},
                            {"part", row.part},
                            {"observed", row.observed},
                            {"scored", row.scored},
                            {"samples", row.samples},
                            {"counted", row.counted},
                            {"bias", mean_json(row.bias)},
                            {"crps", mean_json(row.crps)},
                            {"others_crps", mean_json(row.others_crps)},
                            {"energy", mean_json(row.energy)},
                            {"others_energy", mean_json(row.others_energy)},
                            {"pit", mean_json(row.pit)},
                            {"in_50", mean_json(row.in_half)},
                            {"in_90", mean_json(row.in_most)}});
  for (std::size_t k = 0; k < scores.each.size(); ++k) {
    const ForecastScore& s = scores.each[k];
    const bool outside = run.observed.holdout == Observed::Holdout::some && run.observed.outside[k];
    json["observations"].push_back({{"group", run.observed.group.empty() ? "" : run.observed.group[k]},
                                    {"outside", outside},
                                    {"observed", run.observed.value[k]},
                                    {"samples", s.samples},
                                    {"counted", s.counted},
                                    {"bias", s.bias},
                                    {"crps", s.crps},
                                    {"others_crps", s.others_crps},
                                    {"energy", s.energy},
                                    {"others_energy", s.others_energy},
                                    {"pit", s.pit},
                                    {"in_50", s.in_half},
                                    {"in_90", s.in_most}});
  }
  return json;
}

}  // namespace scree
