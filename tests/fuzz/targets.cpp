// --until: targets, one a line, and a look at some samples for them.
#include <cmath>

#include "harness.hpp"
#include "host/common/text_input.hpp"
#include "host/statistics/targets.hpp"

namespace scree::fuzz::of_targets {
namespace {

/// Of the columns that an expression may name. One has few values, one has none.
SummaryTable some_samples(const Description& description) {
  SummaryTable table;
  table.description = &description;
  table.samples = 20;
  for (std::size_t c = 0; c < description.columns.size(); ++c)
    for (std::uint64_t i = 0; i < table.samples; ++i)
      table.values.push_back(c % 5 == 4 || (c % 5 == 3 && i > 2) ? std::nan("") : std::sin(static_cast<double>(i * c)));
  table.status.assign(table.samples, static_cast<std::uint32_t>(Status::stopped));
  return table;
}

void feed(std::string_view input) {
  static const Description& description = models().back().description;
  std::vector<std::string> texts;
  LineReader lines(input);
  for (std::string_view line; lines.next(line);) texts.emplace_back(line);
  const std::vector<PrecisionTarget> targets = in_time([&] { return parse_targets(texts, description); });
  if (targets.empty()) return;
  for (const PrecisionTarget& target : targets) require_line(target.text);
  Until until = plan_until(targets, 20, 1000);
  look(until, some_samples(description));
}

const Registered registered({"targets", feed});

}  // namespace
}  // namespace scree::fuzz::of_targets
