// What a sample draws, as a user calls it: the numbers and names that [vary] and a table of starts let differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace scree {

struct Run;

/// A number that differs from sample to sample, or a name where the config gives it by name.
struct Input {
  std::string name, unit, meaning;               // "start.speed", "start.position.x", "rock.ground"
  std::vector<int> places;                       // among a sample's doubles, parameters first; of a preset several
  std::vector<std::string> choices = {};         // the names of its values, if it has names
  std::vector<std::vector<double>> values = {};  // of each choice, what the places hold

  /// The number, or the place of the name among `choices`, of a sample with these doubles.
  double of(std::span<const double> sample) const;
};

/// A value as a table shows it: its name, or the number.
std::string input_text(const Input& input, double value);

/// Draws the inputs of a run's samples. The run must outlive it.
class InputDraws {
 public:
  explicit InputDraws(const Run& run);
  /// Of one sample, in the order of run.varied.
  std::vector<double> draw(std::uint64_t sample);
  /// Of the samples [first, first + count): [inputs, count].
  std::vector<double> draw(std::uint64_t first, std::uint64_t count);

 private:
  const Run& run_;
  std::vector<std::byte> ensemble_;
  std::vector<double> values_;
};

/// How an input is spread over the samples.
struct InputSpread {
  std::uint64_t samples = 0;
  double mean, sd, min, max;          // of a number; the standard deviation with n - 1
  std::vector<std::uint64_t> counts;  // of samples by choice, if it has names
};
/// That of values such as `draw` gives.
InputSpread input_spread(const Input& input, std::span<const double> values);

/// The numbers that more inputs than this come to are in no file: `replay` draws them.
inline constexpr std::size_t most_stored_inputs = 64;

}  // namespace scree
