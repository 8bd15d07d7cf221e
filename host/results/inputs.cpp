#include "inputs.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "hdf5.hpp"
#include "host/common/available_threads.hpp"
#include "host/common/parallel.hpp"

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

using NumberOf = std::function<std::uint64_t(std::uint64_t)>;

h5::Chunked write_numbers(hid_t group, std::uint64_t count, int threads, const NumberOf& number) {
  return h5::write_pieces(group, "sample", H5T_STD_I64LE, count, threads,
                          [&](std::uint64_t first, std::size_t many, void* into) {
                            auto* const numbers = static_cast<std::int64_t*>(into);
                            for (std::size_t i = 0; i < many; ++i)
                              numbers[i] = static_cast<std::int64_t>(number(first + i));
                          });
}

/// What so many samples drew, a piece for each array; choices as whole numbers.
std::vector<h5::Packed> packed_inputs(const Run& run, std::span<const std::uint64_t> samples, std::size_t chunk) {
  const std::vector<double> values = draw_inputs(run, samples);
  std::vector<h5::Packed> pieces;
  std::vector<std::int32_t> whole(samples.size());
  for (std::size_t k = 0; k < run.varied.size(); ++k) {
    const double* const of_input = values.data() + k * samples.size();
    if (run.varied[k].choices.empty()) {
      pieces.push_back(h5::packed(of_input, samples.size(), sizeof(double), chunk));
    } else {
      std::transform(of_input, of_input + samples.size(), whole.begin(),
                     [](double choice) { return static_cast<std::int32_t>(choice); });
      pieces.push_back(h5::packed(whole.data(), samples.size(), sizeof(std::int32_t), chunk));
    }
  }
  return pieces;
}

void write(hid_t parent, const Run& run, std::uint64_t count, int threads, const NumberOf& number, std::size_t most,
           std::span<const h5::Link> links = {}) {
  if (run.varied.empty() || !run.model) return;
  const Handle group = h5::create_group(parent, "inputs");
  if (run.varied.size() > most) {
    write_attribute(
        group, "left_out",
        std::to_string(run.varied.size()) + " numbers a sample are not stored: scree replay --inputs draws them");
    return;
  }
  constexpr std::size_t chunk = std::size_t{1} << 14, in_turn = 4;  // chunks of one array, then of the next
  const h5::Chunked sample = write_numbers(group, count, threads, number);
  h5::make_coordinate(sample, "sample");
  std::vector<h5::Chunked> arrays;
  std::vector<std::string> names;
  const std::vector<InputSpread> spreads = input_spreads(run);
  for (std::size_t k = 0; k < run.varied.size(); ++k) {
    const Input& input = run.varied[k];
    names.push_back(input.name);
    const hid_t type = input.choices.empty() ? H5T_IEEE_F64LE : H5T_STD_I32LE;
    const double not_a_number = std::nan("");
    const std::int32_t none = -1;
    const void* const missing = input.choices.empty() ? static_cast<const void*>(&not_a_number) : &none;
    if (links.empty())
      arrays.emplace_back(group, input.name, type, count, chunk, true);
    else
      arrays.emplace_back(h5::write_links(group, input.name, type, count, missing, links));
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
  const std::uint64_t chunks = links.empty() ? (count + chunk - 1) / chunk : 0;
  const std::size_t at_once = in_turn * static_cast<std::size_t>((threads + 1) / 2);
  for (std::uint64_t first = 0; first < chunks; first += at_once) {
    std::vector<std::vector<h5::Packed>> ready(std::min<std::uint64_t>(at_once, chunks - first));
    on_threads(threads, ready.size(), [&](std::size_t k) {
      const std::uint64_t begin = (first + k) * chunk;
      std::vector<std::uint64_t> samples(std::min<std::uint64_t>(chunk, count - begin));
      for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = number(begin + i);
      ready[k] = packed_inputs(run, samples, chunk);
    });
    for (std::size_t turn = 0; turn < ready.size(); turn += in_turn)
      for (std::size_t k = 0; k < arrays.size(); ++k)
        for (std::size_t piece = turn; piece < std::min(ready.size(), turn + in_turn); ++piece)
          arrays[k].put(std::move(ready[piece][k]));
  }
  for (const h5::Chunked& array : arrays) h5::label(array, 0, sample);
}

}  // namespace

h5::Chunked write_sample_numbers(hid_t group, const SummaryTable& table, int threads) {
  return write_numbers(group, table.samples, threads, [&](std::uint64_t i) { return table.number(i); });
}

void write_inputs(hid_t parent, const Run& run, const SummaryTable& table, int threads,
                  std::span<const h5::Link> links) {
  const NumberOf number = [&](std::uint64_t i) { return table.number(i); };
  write(parent, run, table.samples, threads, number, most_stored_inputs, links);
}

void write_inputs(hid_t parent, const Run& run, std::span<const std::uint64_t> samples, std::size_t most) {
  const NumberOf listed = [&](std::uint64_t i) { return samples[i]; };
  write(parent, run, samples.size(), available_threads(), listed, most);
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
