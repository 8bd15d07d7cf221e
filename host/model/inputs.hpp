// What a sample draws, as a user calls it: the numbers and names that [vary] and a table of starts let differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scree {

struct Run;

/// How an input is spread over the samples seen so far. Mean and squares by Welford 1962, about the mean so far.
struct InputSpread {
  std::uint64_t samples = 0;
  double mean = 0, squares = 0, min = 0, max = 0;
  std::vector<std::uint64_t> counts = {};  // of samples by choice, if it has names

  void add(double value);
  /// With n - 1; NaN of one sample.
  double sd() const;
};

/// A number that differs from sample to sample, or a name where the config gives it by name.
struct Input {
  std::string name, unit, meaning;               // "start.speed", "start.position.x", "rock.ground"
  std::vector<int> places;                       // among a sample's doubles, parameters first; of a preset several
  std::vector<std::string> choices = {};         // the names of its values, if it has names
  std::vector<std::vector<double>> values = {};  // of each choice, what the places hold
  std::optional<InputSpread> spread = {};        // of a stored result

  /// The number, or the place of the name among `choices`, of a sample with these doubles.
  double of(std::span<const double> sample) const;
  /// Such a value as a table shows it: the name, or the number.
  std::string text(double value) const;
};

/// The inputs of some samples: [run.varied, samples].
std::vector<double> draw_inputs(const Run& run, std::span<const std::uint64_t> samples);
/// Numbers, or points and orientations, that the laws of a run draw to tell how they are spread: a quarter of a second.
inline constexpr std::uint64_t most_numbers_drawn = std::uint64_t{1} << 20;
/// How each of run.varied is spread over the run's samples, or over the first of them if those of all are more numbers
/// than that; of a stored result as it says.
std::vector<InputSpread> input_spreads(const Run& run);

}  // namespace scree
