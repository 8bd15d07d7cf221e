#include "inputs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "host/common/csv.hpp"
#include "host/common/while_reading.hpp"
#include "run.hpp"

namespace scree {

void InputSpread::add(double value) {
  const double off = value - mean;
  min = samples == 0 ? value : std::min(min, value);
  max = samples == 0 ? value : std::max(max, value);
  mean += off / static_cast<double>(++samples);
  squares += off * (value - mean);
  if (!counts.empty()) ++counts[static_cast<std::size_t>(value)];
}

double InputSpread::sd() const {
  if (samples < 2) return std::numeric_limits<double>::quiet_NaN();
  return std::sqrt(squares / static_cast<double>(samples - 1));
}

double Input::of(std::span<const double> sample) const {
  const auto at = [&](std::size_t i) { return sample[static_cast<std::size_t>(places[i])]; };
  if (choices.empty()) return at(0);
  for (std::size_t choice = 0; choice < choices.size(); ++choice) {
    bool same = true;
    for (std::size_t i = 0; i < places.size(); ++i) same = same && at(i) == values[choice][i];
    if (same) return static_cast<double>(choice);
  }
  throw std::logic_error(name + " has a value without a name");
}

std::string Input::text(double value) const {
  return choices.empty() ? csv_number(value) : choices[static_cast<std::size_t>(value)];
}

std::vector<double> draw_inputs(const Run& run, std::span<const std::uint64_t> samples) {
  const std::vector<std::byte> ensemble = run.model->ensemble(run.spec);
  std::vector<double> values(run.spec.params.size() + run.spec.start.size());
  std::vector<double> inputs(run.varied.size() * samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (i % 1024 == 0) while_reading();
    run.model->draw(ensemble.data(), samples[i], values.data());
    for (std::size_t k = 0; k < run.varied.size(); ++k) inputs[k * samples.size() + i] = run.varied[k].of(values);
  }
  return inputs;
}

std::vector<InputSpread> input_spreads(const Run& run) {
  constexpr std::uint64_t block = 4096;
  std::vector<InputSpread> spreads;
  for (const Input& input : run.varied) {
    spreads.push_back(input.spread.value_or(InputSpread{}));
    if (!input.spread) spreads.back().counts.resize(input.choices.size());
  }
  if (run.varied.empty() || run.varied.front().spread) return spreads;
  std::uint64_t numbers = 0;
  for (const Variation& law : run.spec.variations) numbers += static_cast<std::uint64_t>(std::max(law.repeats, 1));
  const std::uint64_t count = std::min(run.samples, most_numbers_drawn / numbers);
  for (std::uint64_t first = 0; first < count; first += block) {
    std::vector<std::uint64_t> samples(std::min(block, count - first));
    std::iota(samples.begin(), samples.end(), run.first + first);
    const std::vector<double> inputs = draw_inputs(run, samples);
    for (std::size_t k = 0; k < inputs.size(); ++k) spreads[k / samples.size()].add(inputs[k]);
  }
  return spreads;
}

}  // namespace scree
