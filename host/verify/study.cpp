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

Replayed replayed(const Run& run, std::uint64_t every, std::uint64_t sample) {
  const Description& description = run.model->description;
  Replayed result;
  result.names.push_back("time");
  for (const Column& column : description.track) result.names.push_back(column.name);
  const auto ensemble = run.model->ensemble(run.spec);
  const ReplayResult end =
      run.model->replay(ensemble.data(), description.scheme(run.schemes[0]), sample, every,
                        [&](std::span<const double> row) { result.rows.emplace_back(row.begin(), row.end()); });
  result.status = end.status;
  for (std::size_t c = 0; c < end.summary.size(); ++c) result.summary[description.columns[c].name] = end.summary[c];
  return result;
}

}  // namespace scree
