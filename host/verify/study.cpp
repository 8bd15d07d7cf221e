#include "study.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "host/config/config.hpp"
#include "host/config/embedded.hpp"

namespace scree {
namespace {

std::vector<std::string> overlays_of(const Sets& sets) {
  std::vector<std::string> texts;
  for (const Set& set : sets) texts.push_back(set.key + "=" + set.value.toml);
  return scree::overlays_of(texts);
}

}  // namespace

Run study(const std::string& name, const Sets& sets) {
  return load_run_text("configs/" + name + ".toml", embedded_config(name), overlays_of(sets));
}

Run with(const Run& run, const Sets& sets) {
  std::vector<std::string> overlays = run.overlays;
  for (const std::string& overlay : overlays_of(sets)) overlays.push_back(overlay);
  return derive(run, overlays);
}

std::size_t Replayed::column(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::logic_error("the track has no " + name);
  return static_cast<std::size_t>(found - names.begin());
}

namespace {

/// How many steps go by at most before a replay looks whether an end is asked for: some milliseconds of the slowest.
constexpr std::uint64_t steps_between_looks = 1024;

std::shared_ptr<const Stop> end_of_replays = std::make_shared<Stop>();

}  // namespace

void replays_end_with(std::shared_ptr<const Stop> stop) { end_of_replays = std::move(stop); }

Replayed replayed(const Run& run, std::uint64_t every, std::uint64_t sample) {
  const Description& description = run.model->description;
  Replayed result;
  result.names.push_back("time");
  for (const Column& column : description.track) result.names.push_back(column.name);
  const auto ensemble = run.model->ensemble(run.spec);
  // Where rows are further apart than looks, they are a multiple of them apart, and what lies between is passed over.
  const std::uint64_t looks = every % steps_between_looks == 0 ? every / steps_between_looks : 1;
  std::uint64_t seen = 0;
  std::vector<double> passed;  // the last row, if it was passed over
  const ReplayResult end = run.model->replay(ensemble.data(), description.scheme(run.schemes[0]), sample, every / looks,
                                             [&](std::span<const double> row) {
                                               if (end_of_replays->asked()) throw Interrupted{};
                                               passed.assign(row.begin(), row.end());
                                               if (seen++ % looks == 0) result.rows.push_back(std::move(passed));
                                             });
  if (!passed.empty()) result.rows.push_back(std::move(passed));
  result.status = end.status;
  for (std::size_t c = 0; c < end.summary.size(); ++c) result.summary[description.columns[c].name] = end.summary[c];
  return result;
}

}  // namespace scree
