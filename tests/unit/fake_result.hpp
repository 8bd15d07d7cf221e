// A small system that exists only as a description, with tables and arms of chosen numbers, for tests of what the host
// does with summaries.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "host/model/digest.hpp"
#include "host/results/result_file.hpp"

namespace scree::fake {

constexpr std::uint32_t stopped = static_cast<std::uint32_t>(Status::stopped);
constexpr std::uint32_t end_time = static_cast<std::uint32_t>(Status::end_time);
constexpr std::uint32_t diverged = static_cast<std::uint32_t>(Status::diverged);
constexpr std::uint32_t not_run = static_cast<std::uint32_t>(Status::not_run);

/// Columns reach (m, of the samples that stopped) and speed (m/s, of all).
inline const Description& plain() {
  static const Description description = [] {
    Description d;
    d.system = "cart";
    d.meaning = "a cart that rolls out";
    d.columns = {{"reach", "m", "distance to rest", Counted::stopped}, {"speed", "m/s", "largest speed", Counted::all}};
    d.headline = {0, 1};
    d.why = {1};
    return d;
  }();
  return description;
}

/// The same, the speed a mean over the time in a third column, and in a fourth the root mean square over it.
inline Description timed() {
  Description d = plain();
  d.columns.push_back({"time", "s", ""});
  d.columns.push_back({"rms", "m/s", ""});
  d.columns[1].time = 2;
  d.columns[1].rms = 3;
  return d;
}

/// Columns x, y and, if `across`, lateral_final (m, of the samples that stopped).
inline const Description& resting(bool across) {
  static const Description descriptions[2] = {
      [] {
        Description d;
        d.system = "puck";
        d.columns = {{"x", "m", "resting place", Counted::stopped}, {"y", "m", "resting place", Counted::stopped}};
        d.deposition_x = 0;
        d.deposition_y = 1;
        return d;
      }(),
      [] {
        Description d;
        d.system = "puck";
        d.columns = {{"x", "m", "resting place", Counted::stopped},
                     {"y", "m", "resting place", Counted::stopped},
                     {"lateral_final", "m", "offset", Counted::stopped}};
        d.deposition_x = 0;
        d.deposition_y = 1;
        d.deposition_across = 2;
        return d;
      }()};
  return descriptions[across ? 1 : 0];
}

/// A table of these columns; without `status` all samples stopped.
inline SummaryTable table(const Description& description, const std::vector<std::vector<double>>& columns,
                          std::vector<std::uint32_t> status = {}) {
  SummaryTable result;
  result.description = &description;
  result.samples = columns.at(0).size();
  for (const std::vector<double>& column : columns)
    result.values.insert(result.values.end(), column.begin(), column.end());
  result.status = status.empty() ? std::vector<std::uint32_t>(result.samples, stopped) : std::move(status);
  return result;
}

inline Arm arm(const std::string& scheme, SummaryTable samples, std::vector<int> group = {}, int groups = 0) {
  Arm result;
  result.name = result.scheme = scheme;
  result.step = 0.01;
  result.statistics = statistics(samples, group.empty() ? nullptr : &group, groups);
  result.digest = digest(samples);
  result.table = std::move(samples);
  result.group = std::move(group);
  result.backend = "scalar";
  result.threads = 2;
  result.wall_s = 0.5;
  result.sample_steps = 12345;
  return result;
}

/// Four samples of plain(), of which the last stopped in the second arm alone.
inline std::vector<Arm> two_arms() {
  return {arm("explicit", table(plain(), {{10, 11, 12, 99}, {5, 6, 7, 8}}, {stopped, stopped, stopped, end_time})),
          arm("implicit", table(plain(), {{20, 22, 21, 30}, {5, 6.5, 6.5, 8}}))};
}

/// `levels` steps from 0.1 s, halved each time; reach of sample i at step h is value(i, h).
inline Arm ladder(const std::string& name, int samples, int levels, const std::function<double(int, double)>& value) {
  const auto at = [&](double h) {
    std::vector<double> reach;
    for (int i = 0; i < samples; ++i) reach.push_back(value(i, h));
    Arm result = arm(name, table(plain(), {reach, reach}));
    result.step = h;
    return result;
  };
  Arm coarse = at(0.1);
  for (int k = 1; k < levels; ++k) coarse.finer.push_back(at(0.1 * std::pow(0.5, k)));
  return coarse;
}

inline Run run() {
  Run result;
  result.config_path = "cart.toml";
  result.config_text = "system = \"cart\"\n";
  result.spec.seed = 7;
  result.spec.world.step = 0.01;
  result.spec.world.end = 20;
  return result;
}

}  // namespace scree::fake
