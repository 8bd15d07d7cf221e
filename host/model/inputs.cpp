#include "inputs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "host/common/text_input.hpp"
#include "run.hpp"

namespace scree {

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

std::string input_text(const Input& input, double value) {
  return input.choices.empty() ? number_text(value) : input.choices[static_cast<std::size_t>(value)];
}

InputDraws::InputDraws(const Run& run)
    : run_(run), ensemble_(run.model->ensemble(run.spec)), values_(run.spec.params.size() + run.spec.start.size()) {}

std::vector<double> InputDraws::draw(std::uint64_t sample) { return draw(sample, 1); }

std::vector<double> InputDraws::draw(std::uint64_t first, std::uint64_t count) {
  std::vector<double> inputs(run_.varied.size() * count);
  for (std::uint64_t i = 0; i < count; ++i) {
    run_.model->draw(ensemble_.data(), first + i, values_.data());
    for (std::size_t k = 0; k < run_.varied.size(); ++k) inputs[k * count + i] = run_.varied[k].of(values_);
  }
  return inputs;
}

InputSpread input_spread(const Input& input, std::span<const double> values) {
  InputSpread spread{values.size(), 0, std::numeric_limits<double>::quiet_NaN(), 0, 0, {}};
  if (!input.choices.empty()) {
    spread.counts.resize(input.choices.size());
    for (const double value : values) ++spread.counts[static_cast<std::size_t>(value)];
    return spread;
  }
  if (values.empty()) return spread;
  double squares = 0;  // Welford 1962: about the mean so far
  std::uint64_t n = 0;
  for (const double value : values) {
    const double off = value - spread.mean;
    spread.mean += off / static_cast<double>(++n);
    squares += off * (value - spread.mean);
  }
  if (n > 1) spread.sd = std::sqrt(squares / static_cast<double>(n - 1));
  const auto [least, most] = std::ranges::minmax(values);
  spread.min = least;
  spread.max = most;
  return spread;
}

}  // namespace scree
