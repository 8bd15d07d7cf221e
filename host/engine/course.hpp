// How long a whole command will still take, over all that it integrates: arms, finer steps, looks, values.
#pragma once

#include <cstdint>

#include "host/model/run.hpp"

namespace scree {

/// The work of a command in sample-steps as they are expected before it begins (samples times steps to the end of the
/// run), and the time that what is done of it took. Samples that end early make all of it shorter by about as much, so
/// the rest is taken to go on at the rate that was measured.
class Course {
 public:
  explicit Course(double work = 0) : work_(work) {}
  /// More is to be done than was expected, or less.
  void add(double work) { work_ += work; }
  /// A part that took so many seconds.
  void finish(double part, double seconds);
  /// Seconds to the end of the command while a part runs, of which a share (0 to 1) took so many seconds; NaN as long
  /// as nothing is measured.
  double left(double part, double share, double seconds) const;

 private:
  double work_, done_ = 0, seconds_ = 0;
};

/// The expected work of so many samples of a run.
double expected_work(const Run& run, std::uint64_t samples);

/// How much of that is done after so many samples and sample-steps. Samples that are far along count by their steps
/// where these are known beforehand: thousands may be in flight before the first is finished.
double share_done(const Run& run, std::uint64_t samples, std::uint64_t done, std::uint64_t steps);

}  // namespace scree
