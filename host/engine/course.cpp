#include "course.hpp"

#include <algorithm>
#include <limits>

namespace scree {

void Course::finish(double part, double seconds) {
  done_ += part;
  seconds_ += seconds;
}

double Course::left(double part, double share, double seconds) const {
  const double rest = std::max(0.0, work_ - done_ - part);
  if (share > 0) {
    const double done = share * part;
    return seconds * (1 - share) / share + rest * (seconds_ + seconds) / (done_ + done);
  }
  if (done_ > 0) return std::max(0.0, part * seconds_ / done_ - seconds) + rest * seconds_ / done_;
  return std::numeric_limits<double>::quiet_NaN();
}

double expected_work(const Run& run, std::uint64_t samples) {
  return static_cast<double>(samples) * whole_steps(run.spec.world.step, run.spec.world.end);
}

}  // namespace scree
