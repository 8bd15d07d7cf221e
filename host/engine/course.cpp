#include "course.hpp"

#include <algorithm>
#include <limits>

namespace scree {

void Course::finish(double part, double seconds) {
  done_ += part;
  seconds_ += seconds;
}

double Course::left(double part, double share, double seconds) const {
  if (!(share > 0 || done_ > 0)) return std::numeric_limits<double>::quiet_NaN();
  // How long this part takes in all. Few samples end early in a part, however many are on their way: until a quarter is
  // done its own rate counts by degrees, beside that of the parts before it.
  const double trust = done_ > 0 ? std::min(1.0, 4 * share) : 1.0;
  const double whole =
      (trust > 0 ? trust * seconds / share : 0) + (trust < 1 ? (1 - trust) * part * seconds_ / done_ : 0);
  const double rest = std::max(0.0, work_ - done_ - part);
  return std::max(0.0, whole - seconds) + rest * (seconds_ + whole) / (done_ + part);
}

double expected_work(const Run& run, std::uint64_t samples) {
  return static_cast<double>(samples) * whole_steps(run.spec.world.step, run.spec.world.end);
}

double share_done(const Run& run, std::uint64_t samples, std::uint64_t done, std::uint64_t steps) {
  const double by_samples = static_cast<double>(done) / static_cast<double>(samples);
  if (!run.step_scales.empty() || run.model->description.shortens_steps) return by_samples;
  return std::min(1.0, std::max(by_samples, static_cast<double>(steps) / expected_work(run, samples)));
}

}  // namespace scree
