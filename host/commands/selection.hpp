// Which samples and which of their steps `scree replay` writes, as the command line says it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace scree {

/// Samples by their numbers: "7", "0:1000" (1000 is not among them), or several by commas, "3,7,10:20".
struct Selection {
  std::string option, text;                                     // as they were typed
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;  // [first, last + 1), in the order given
  /// One number: its path is written by itself, without a column `sample`.
  bool single() const { return text.find_first_of(":,") == std::string::npos; }
};

/// Throws Error(Exit::usage) with one line that names the option and what is allowed.
Selection parse_selection(const std::string& option, const std::string& text);

/// The numbers. Throws Error(Exit::usage) that names `file` where one is not among the `samples` from `from` on, or
/// there twice.
std::vector<std::uint64_t> selected(const std::string& file, const Selection& selection, std::uint64_t from,
                                    std::uint64_t samples);

/// The steps that are written of a path, besides its start and its end: every `steps`-th, or, where `seconds` > 0, the
/// first that ends at or after each multiple of that time (to twelve digits).
struct Spacing {
  std::uint64_t steps = 1;
  double seconds = 0;
};

/// "10": steps; "0.1", "0.1s", "2s": seconds. Throws like parse_selection.
Spacing parse_spacing(const std::string& text);

/// Tells of one step after the other of a sample, its end at `time`, whether it is written.
class Spaced {
 public:
  explicit Spaced(const Spacing& spacing) : spacing_(spacing), next_(spacing.seconds) {}
  bool takes(double time);

 private:
  Spacing spacing_;
  std::uint64_t steps_ = 0;
  double next_;  // s
};

}  // namespace scree
