// Progress of a run on standard error: a bar that redraws itself on a terminal, a plain line every few seconds
// elsewhere.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "host/common/caller.hpp"

namespace scree {

/// "1 h 02 min", "3 min 05 s", "12 s".
std::string duration_text(double seconds);

/// "412/1000 samples, 6.1 Msteps/s, 12 s left": what a plain line says after its label.
std::string progress_text(const Stage& stage);

/// "implicit [#####.....] 412/1000 samples, 6.1 Msteps/s, 12 s left" in at most `width` characters (>= 1): where that
/// is too narrow the bar is shortened, then steps/s, counts and bar are left out in this order, then the label is
/// shortened. `colour` is not counted.
std::string bar_text(const std::string& label, const Stage& stage, std::size_t width, bool colour = false);

/// Standard error: lines with the program's name before them where they tell of an end, and progress.
class TerminalReporter : public Reporter {
 public:
  /// Of a `quiet` one neither notes nor progress are printed.
  TerminalReporter(std::string program, bool quiet);
  TerminalReporter(const TerminalReporter&) = delete;
  TerminalReporter& operator=(const TerminalReporter&) = delete;
  /// Clears the bar.
  ~TerminalReporter() override;
  void warn(const std::string& line) override;
  void say(const std::string& line) override;
  void note(const std::string& line) override;
  void show(const std::string& label, const Stage& stage) override;
  void end_stage() override;

 private:
  enum class Style { none, lines, bar };
  void clear();
  double first_time() const;
  std::string program_;
  bool quiet_;
  Style style_;
  bool colour_;
  bool drawn_ = false;
  double next_;  // s, of the next line or redraw
};

/// A part of a command while it runs.
class Progress {
 public:
  /// `label` names what runs, as a scheme.
  Progress(Reporter& reporter, std::string label, std::uint64_t samples)
      : reporter_(reporter), label_(std::move(label)), samples_(samples) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { reporter_.end_stage(); }

  /// `done` samples and `steps` sample-steps after `seconds`, with `left` to the end of the command. May be called
  /// often.
  void show(std::uint64_t done, std::uint64_t steps, double seconds, double left) {
    reporter_.show(label_, {done, samples_, steps, seconds, left});
  }

 private:
  Reporter& reporter_;
  std::string label_;
  std::uint64_t samples_;
};

}  // namespace scree
