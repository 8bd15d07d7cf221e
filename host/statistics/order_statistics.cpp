#include "order_statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

namespace scree {
namespace {

constexpr std::size_t most_counts = 65536, most_taken = 65536;
constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

std::uint64_t key_of(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);  // -0 + 0 is 0
  return bits & sign_bit ? ~bits : bits | sign_bit;
}
double value_of(std::uint64_t key) { return std::bit_cast<double>(key & sign_bit ? key & ~sign_bit : ~key); }

/// Keys of which some hold wanted values.
struct KeyRange {
  std::uint64_t low, high;  // the last one
  std::uint64_t below;      // how many values are less
  std::uint64_t inside;
  std::size_t first, end;  // of the wanted places
  int shift = 0;           // the part of a key is (key - low) >> shift
  std::size_t counts = 0;  // where its own begin
  std::vector<double> taken = {};
  std::size_t part_of(std::uint64_t key) const { return static_cast<std::size_t>((key - low) >> shift); }
};

class Selection {
 public:
  Selection(const PassValues& pass, std::span<const std::uint64_t> places, std::uint64_t n, double least,
            double greatest)
      : pass_(pass), places_(places), found_(places.size()) {
    add({key_of(least), key_of(greatest), 0, n, 0, places.size()});
  }

  std::vector<double> run() {
    while (!ranges_.empty()) {
      std::uint64_t inside = 0;
      for (const KeyRange& range : ranges_) inside += range.inside;
      if (inside <= most_taken) {
        take();
        break;
      }
      divide();
    }
    return std::move(found_);
  }

 private:
  void add(KeyRange range) {
    if (range.first == range.end) return;
    if (range.low == range.high)
      std::fill(found_.begin() + static_cast<std::ptrdiff_t>(range.first),
                found_.begin() + static_cast<std::ptrdiff_t>(range.end), value_of(range.low));
    else
      ranges_.push_back(std::move(range));
  }

  /// Calls f(range, key, value) for the values in ranges, which are sorted.
  template <class F>
  void pass_over(const F& f) {
    if (ranges_.size() == 1 && level_ == 0) {  // which holds all
      KeyRange& range = ranges_.front();
      pass_([&](std::span<const double> values) {
        for (const double x : values) f(range, key_of(x), x);
      });
      return;
    }
    pass_([&](std::span<const double> values) {
      for (const double x : values) {
        const std::uint64_t key = key_of(x);
        // Most keys lie in none, which the parts of the first pass tell.
        if (!is_wanted_[static_cast<std::size_t>((key - first_low_) >> first_shift_)]) continue;
        for (KeyRange& range : ranges_)
          if (key >= range.low && key <= range.high) {
            f(range, key, x);
            break;
          }
      }
    });
  }

  void divide() {
    const std::size_t of_each = std::bit_floor(most_counts / ranges_.size());
    for (std::size_t k = 0; k < ranges_.size(); ++k) {
      KeyRange& range = ranges_[k];
      range.counts = k * of_each;
      while (((range.high - range.low) >> range.shift) >= of_each) ++range.shift;
    }
    std::vector<std::uint64_t> counts(most_counts);
    pass_over([&](KeyRange& range, std::uint64_t key, double) { ++counts[range.counts + range.part_of(key)]; });
    std::vector<KeyRange> divided;
    divided.swap(ranges_);
    for (const KeyRange& range : divided) {
      std::uint64_t below = range.below;
      std::size_t place = range.first;
      for (std::size_t part = 0; place < range.end; ++part) {
        const std::uint64_t inside = counts[range.counts + part];
        const std::size_t first = place;
        while (place < range.end && places_[place] < below + inside) ++place;
        const std::uint64_t low = range.low + (std::uint64_t{part} << range.shift),
                            last = low + ((std::uint64_t{1} << range.shift) - 1);
        add({low, std::min(range.high, last), below, inside, first, place});
        below += inside;
      }
    }
    if (level_++ > 0) return;
    first_low_ = divided.front().low;
    first_shift_ = divided.front().shift;
    is_wanted_.assign(divided.front().part_of(divided.front().high) + 1, false);
    for (const KeyRange& range : ranges_) is_wanted_[divided.front().part_of(range.low)] = true;
  }

  void take() {
    for (KeyRange& range : ranges_) range.taken.reserve(range.inside);
    pass_over([](KeyRange& range, std::uint64_t, double x) { range.taken.push_back(x + 0.0); });
    for (KeyRange& range : ranges_) {
      auto unsorted = range.taken.begin();
      for (std::size_t place = range.first; place < range.end; ++place) {
        const auto at = range.taken.begin() + static_cast<std::ptrdiff_t>(places_[place] - range.below);
        if (at >= unsorted) std::nth_element(unsorted, at, range.taken.end());
        found_[place] = *at;
        unsorted = at + 1;
      }
    }
  }

  const PassValues& pass_;
  std::span<const std::uint64_t> places_;
  std::vector<double> found_;
  std::vector<KeyRange> ranges_;
  int level_ = 0;
  std::uint64_t first_low_ = 0;
  int first_shift_ = 0;
  std::vector<char> is_wanted_;
};

}  // namespace

std::vector<double> order_statistics(const PassValues& pass, std::span<const std::uint64_t> places, std::uint64_t n,
                                     double least, double greatest) {
  return Selection(pass, places, n, least, greatest).run();
}

std::array<double, 7> quantiles(const PassValues& pass, std::uint64_t n, double least, double greatest) {
  const std::uint64_t last = n - 1;
  std::vector<std::uint64_t> places;
  std::array<double, 7> above;
  for (std::size_t i = 0; i < quantile_levels.size(); ++i) {
    const double position = static_cast<double>(last) * quantile_levels[i];
    const std::uint64_t below = std::min(static_cast<std::uint64_t>(position), last);
    places.push_back(below);
    places.push_back(std::min(below + 1, last));
    above[i] = position - static_cast<double>(below);
  }
  std::vector<std::uint64_t> rising = places;
  std::ranges::sort(rising);
  rising.erase(std::unique(rising.begin(), rising.end()), rising.end());
  const std::vector<double> values = order_statistics(pass, rising, n, least, greatest);
  const auto at = [&](std::uint64_t place) {
    return values[static_cast<std::size_t>(std::ranges::lower_bound(rising, place) - rising.begin())];
  };
  std::array<double, 7> result;
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = std::lerp(at(places[2 * i]), at(places[2 * i + 1]), above[i]);
  return result;
}

}  // namespace scree
