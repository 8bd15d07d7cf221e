#include "groups.hpp"

#include <algorithm>
#include <cstdint>

#include "host/common/parallel.hpp"

namespace scree {

std::vector<int> groups_of(const Run& run, const void* ensemble, int threads) {
  if (run.group_by.empty()) return {};
  const Description& description = run.model->description;
  const auto shape = std::ranges::find(description.starts, run.group_by, &Quantity::name);
  if (shape == description.starts.end()) return {};
  const std::size_t place = description.param_doubles + static_cast<std::size_t>(shape->offset);
  std::vector<int> groups(run.samples);
  constexpr std::uint64_t piece = 4096;  // some milliseconds
  on_threads(threads, static_cast<std::size_t>((run.samples + piece - 1) / piece), [&](std::size_t k) {
    std::vector<double> values(description.param_doubles + description.start_doubles);
    for (std::uint64_t sample = k * piece; sample < std::min(run.samples, (k + 1) * piece); ++sample) {
      run.model->draw(ensemble, run.first + sample, values.data());
      groups[sample] = static_cast<int>(values[place]);
    }
  });
  return groups;
}

}  // namespace scree
