// A quantity along the way of many paths: quantiles over the paths against the distance travelled.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree {

/// The largest values of one path in stretches of equal length of its way, linear between the values given. Stretches
/// grow twice as long whenever there would be too many, so the way's length need not be known.
class Profile {
 public:
  /// A value at a distance (m, never falling) from the start; NaN is not taken.
  void add(double distance, double value);
  /// Twice as long stretches.
  void coarsen();
  double stretch() const { return stretch_; }
  const std::vector<double>& largest() const {
    return largest_;
  }  // of each stretch, to the last value; NaN before the first

 private:
  void enter(std::size_t stretch, double value);

  double stretch_ = 1.0 / 64;
  double distance_ = 0, value_ = 0;  // the last
  std::vector<double> largest_;
};

struct Bands {
  struct Stretch {
    std::uint64_t paths = 0;            // that have a value there
    std::array<double, 5> quantiles{};  // 5, 25, 50, 75, 95 %, of type 7
  };
  double length = 0;  // of a stretch
  std::vector<Stretch> stretches;
};
/// Over all paths, in at most `most` stretches, to the last one with `fewest` paths.
Bands bands_of(std::vector<Profile> profiles, std::size_t most, std::uint64_t fewest);

}  // namespace scree
