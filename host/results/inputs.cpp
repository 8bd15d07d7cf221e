#include "inputs.hpp"

#include <algorithm>
#include <stdexcept>

#include "hdf5.hpp"

namespace scree {
namespace {

using h5::Handle;
using h5::write_attribute;

void write_spread(hid_t array, const Input& input, const InputSpread& spread) {
  write_attribute(array, "spread_samples", spread.samples);
  if (!input.choices.empty()) {
    const std::vector<double> counts(spread.counts.begin(), spread.counts.end());
    write_attribute(array, "spread_counts", std::span<const double>(counts));
    return;
  }
  write_attribute(array, "spread_mean", spread.mean);
  write_attribute(array, "spread_squares", spread.squares);
  write_attribute(array, "spread_min", spread.min);
  write_attribute(array, "spread_max", spread.max);
}

InputSpread read_spread(hid_t array, std::size_t choices) {
  InputSpread spread;
  spread.samples = h5::read_uint(array, "spread_samples");
  if (choices > 0) {
    for (const double count : h5::read_doubles(array, "spread_counts", choices))
      spread.counts.push_back(static_cast<std::uint64_t>(count));
    return spread;
  }
  spread.mean = h5::read_double(array, "spread_mean");
  spread.squares = h5::read_double(array, "spread_squares");
  spread.min = h5::read_double(array, "spread_min");
  spread.max = h5::read_double(array, "spread_max");
  return spread;
}

}  // namespace

void write_inputs(hid_t parent, const Run& run, std::span<const std::uint64_t> samples, std::size_t most) {
  if (run.varied.empty() || !run.model) return;
  const Handle group = h5::create_group(parent, "inputs");
  if (run.varied.size() > most) {
    write_attribute(
        group, "left_out",
        std::to_string(run.varied.size()) + " numbers a sample are not stored: scree replay --inputs draws them");
    return;
  }
  const Handle sample = h5::write_array(group, "sample", std::vector<hsize_t>{samples.size()},
                                        std::vector<std::int64_t>(samples.begin(), samples.end()));
  h5::make_coordinate(sample, "sample");
  std::vector<h5::Growing> arrays;
  std::vector<std::string> names;
  const std::vector<InputSpread> spreads = input_spreads(run);
  for (std::size_t k = 0; k < run.varied.size(); ++k) {
    const Input& input = run.varied[k];
    names.push_back(input.name);
    arrays.emplace_back(group, input.name, input.choices.empty() ? H5T_IEEE_F64LE : H5T_STD_I32LE);
    write_attribute(arrays.back(), "long_name", input.meaning);
    if (input.choices.empty()) {
      write_attribute(arrays.back(), "units", input.unit);
    } else {
      h5::write_flags(arrays.back(), input.choices);
      write_attribute(arrays.back(), "choices", std::span<const std::string>(input.choices));
    }
    write_spread(arrays.back(), input, spreads[k]);
  }
  write_attribute(group, "names", std::span<const std::string>(names));
  for (std::size_t first = 0; first < samples.size(); first += std::size_t{1} << 16) {
    const auto block = samples.subspan(first, std::min(samples.size() - first, std::size_t{1} << 16));
    const std::vector<double> values = draw_inputs(run, block);
    for (std::size_t k = 0; k < arrays.size(); ++k)
      arrays[k].append(std::span(values).subspan(k * block.size(), block.size()));
  }
  for (const h5::Growing& array : arrays) h5::label(array, 0, sample);
}

std::vector<Input> read_inputs(hid_t parent) {
  std::vector<Input> inputs;
  if (!h5::has_link(parent, "inputs")) return inputs;
  const Handle group = h5::open_group(parent, "inputs");
  for (const std::string& name : h5::read_texts(group, "names")) {
    const Handle array = h5::open_array(group, name);
    Input input{name, "", h5::read_text(array, "long_name"), {}};
    input.choices = h5::read_texts(array, "choices");
    if (input.choices.empty()) input.unit = h5::read_text(array, "units");
    input.spread = read_spread(array, input.choices.size());
    inputs.push_back(input);
  }
  return inputs;
}

}  // namespace scree
