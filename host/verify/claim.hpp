// A published claim beside what this program finds. No claim carries a verdict: whether the two agree is computed from
// the measured numbers, by a criterion that says how wide it is and why.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "host/statistics/inference.hpp"

namespace scree {

/// As printf's %.*g.
std::string number(double value, int digits);
/// Numbers by commas.
std::string numbers(const std::vector<double>& values, int digits);
/// Of an array or a span of numbers.
template <class Range>
std::vector<double> list(const Range& values) {
  return {std::begin(values), std::end(values)};
}

/// Numbers in one unit, words, or both.
struct Amounts {
  std::vector<double> numbers = {};
  std::string unit = {};   // empty: pure numbers
  int digits = 4;          // significant ones, as printed; 0: the words say the numbers too
  std::string words = {};  // after the numbers

  /// "9.08, 17.31 s (steps of 10 and 5 ms)"
  std::string text() const;
};

/// What a measured number may be, and where that comes from.
class Criterion {
 public:
  /// The measured number at a place may be from `low` to `high`, both included.
  Interval allowed(const std::vector<double>& published, std::size_t place) const { return allowed_(published, place); }
  /// "within 0.005 rad/s: half of the last digit".
  std::string text(const std::string& unit) const;

  // All need `why`, where the width comes from. Those that take a list have a tolerance or bound for each number.

  /// Published plus or minus `tolerance`, in the unit of the numbers.
  friend Criterion within(double tolerance, const std::string& why);
  friend Criterion within(const std::vector<double>& tolerances, const std::string& why);
  /// Published plus or minus a share of it.
  friend Criterion within_percent(double percent, const std::string& why);
  /// Published over `factor` to published times `factor`, > 1, of the same sign.
  friend Criterion within_factor(double factor, const std::string& why);
  /// The published number itself.
  friend Criterion equal(const std::string& why);
  friend Criterion at_most(double bound, const std::string& why);
  friend Criterion at_most(const std::vector<double>& bounds, const std::string& why);
  friend Criterion at_least(double bound, const std::string& why);
  /// Of three measured numbers, a difference and its 95 % interval: the interval has zero below it, or above it.
  friend Criterion interval_above_zero(const std::string& why);
  friend Criterion interval_below_zero(const std::string& why);

 private:
  using Allowed = std::function<Interval(const std::vector<double>& published, std::size_t place)>;
  Criterion(std::string words, bool has_unit, const std::string& why, Allowed allowed);

  std::string words_;  // "within 0.005"
  bool has_unit_;      // which the unit of the numbers follows
  std::string why_;
  Allowed allowed_;
};
Criterion within(double tolerance, const std::string& why);
Criterion within(const std::vector<double>& tolerances, const std::string& why);
Criterion within_percent(double percent, const std::string& why);
Criterion within_factor(double factor, const std::string& why);
Criterion equal(const std::string& why);
Criterion at_most(double bound, const std::string& why);
Criterion at_most(const std::vector<double>& bounds, const std::string& why);
Criterion at_least(double bound, const std::string& why);
Criterion interval_above_zero(const std::string& why);
Criterion interval_below_zero(const std::string& why);

struct Claim {
  std::string claim;   // what is claimed; the only one of its group in these words
  std::string source;  // where the published numbers come from
  Amounts published, measured;
  Criterion criterion;
  std::string note = {};  // why it differs, where that is known, or what was chosen here to compare at all
  bool timed = false;     // rests on a clock, so that it may come out otherwise next time: not in the baseline

  /// What each measured number may be.
  std::vector<Interval> allowed() const;
  /// Every measured number is allowed. One that is NaN never is.
  bool agrees() const;
};

/// Throws std::logic_error unless a claim has its words, source and measured numbers, as many published numbers as
/// measured ones if any, and a criterion under which it may agree as well as differ.
void check(const Claim& claim);

/// How far rounding takes a sum of about one, of so many operations: one standard deviation, as each errs evenly by up
/// to half of the last bit.
double rounding(double operations);

}  // namespace scree
