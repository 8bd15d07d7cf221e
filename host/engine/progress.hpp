// Progress of a run on standard error: a bar that redraws itself on a terminal, a plain line every few seconds
// elsewhere.
#pragma once

#include <cstdint>
#include <string>

namespace scree {

/// "1 h 02 min", "3 min 05 s", "12 s".
std::string duration_text(double seconds);

/// How far a part of a command is.
struct Stage {
  std::uint64_t done = 0, samples = 0;
  std::uint64_t steps = 0;  // sample-steps
  double seconds = 0;       // since the part began
  double left = 0;          // s, of the whole command (Course); NaN: not known
};

/// "412/1000 samples, 6.1 Msteps/s, 12 s left": what a plain line says after its label.
std::string progress_text(const Stage& stage);

/// "implicit [#####.....] 412/1000 samples, 6.1 Msteps/s, 12 s left" in at most `width` characters (>= 1): where that
/// is too narrow the bar is shortened, then steps/s, counts and bar are left out in this order, then the label is
/// shortened. `colour` is not counted.
std::string bar_text(const std::string& label, const Stage& stage, std::size_t width, bool colour = false);

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
  /// `done` samples and `steps` sample-steps after `seconds`, with `left` to the end of the command. May be called
  /// often.
  void show(std::uint64_t done, std::uint64_t steps, double seconds, double left);

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
