// Progress of a run on standard error: a bar that redraws itself on a terminal, a plain line every few seconds
// elsewhere.
#pragma once

#include <cstdint>
#include <string>

namespace scree {

/// "1 h 02 min", "3 min 05 s", "12 s".
std::string duration_text(double seconds);

/// `[#####.....] 412/1000 samples, 6.1 M steps/s, 12 s left` without the bar: what a plain line says after its label.
std::string progress_text(std::uint64_t done, std::uint64_t samples, std::uint64_t steps, double seconds);

class Progress {
 public:
  /// `label` names what runs, as a scheme. Nothing is printed if `quiet`.
  Progress(std::string label, std::uint64_t samples, bool quiet);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Clears the bar.
  ~Progress();

  /// A line on its own, whatever `quiet` says.
  void say(const std::string& text);
  /// `done` samples and `steps` sample-steps after `seconds`. May be called often.
  void show(std::uint64_t done, std::uint64_t steps, double seconds);

 private:
  enum class Style { none, lines, bar };
  std::string label_;
  std::uint64_t samples_;
  Style style_;
  bool colour_;
  bool drawn_ = false;
  double next_;  // s, of the next line or redraw
};

}  // namespace scree
