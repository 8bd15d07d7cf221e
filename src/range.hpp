// What `describe()` says of a quantity besides its name: which values a parameter or a start may take, and which
// samples a summary column counts. The config reader, `scree list`, the statistics and the documentation read it.
#pragma once

namespace scree {

struct Range {
  double low, high;  // inclusive unless marked open; a negative or positive 1e300 means no bound
  bool low_open, high_open;
  const char* text;    // as an error message says it: "must be > 0"
  bool whole = false;  // only whole numbers
};

inline constexpr double unbounded = 1e300;
inline constexpr Range any_value{-unbounded, unbounded, false, false, "any finite number"};
inline constexpr Range positive{0, unbounded, true, false, "> 0"};
inline constexpr Range non_negative{0, unbounded, false, false, ">= 0"};
inline constexpr Range positive_below_one{0, 1, true, true, "> 0 and < 1"};
inline constexpr Range positive_to_one{0, 1, true, false, "> 0 and <= 1"};
inline constexpr Range at_least_one{1, unbounded, false, false, ">= 1"};
inline constexpr Range counting{1, unbounded, false, false, "a whole number >= 1", true};
inline constexpr Range zero_to_one{0, 1, false, false, ">= 0 and <= 1"};

/// Which samples enter a summary column's statistics: all that were finished but those `not_placed` and `diverged`, or
/// only those that came to rest.
enum class Counted { all, stopped };

}  // namespace scree
