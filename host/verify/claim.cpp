#include "claim.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "host/common/text_input.hpp"
#include "host/statistics/statistics.hpp"

namespace scree {
namespace {

/// As it was written in the source if that was short, else three digits.
std::string bound_text(double value) {
  const std::string whole = number_text(value);
  return whole.size() <= 6 ? whole : number(value, 3);
}
std::string bounds_text(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + bound_text(value);
  return text;
}

}  // namespace

std::string number(double value, int digits) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr};
}

std::string numbers(const std::vector<double>& values, int digits) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + number(value, digits);
  return text;
}

std::string Amounts::text() const {
  if (digits == 0) return words;
  std::string text = scree::numbers(numbers, digits);
  if (!numbers.empty() && !unit.empty()) text += " " + unit;
  if (!text.empty() && !words.empty()) text += " ";
  return text + words;
}

Criterion::Criterion(std::string words, bool has_unit, const std::string& why, Allowed allowed)
    : words_(std::move(words)), has_unit_(has_unit), why_(why), allowed_(std::move(allowed)) {
  if (why.empty()) throw std::logic_error("a criterion says why it is as wide as it is");
}

std::string Criterion::text(const std::string& unit) const {
  return words_ + (has_unit_ && !unit.empty() ? " " + unit : "") + ": " + why_;
}

Criterion within(double tolerance, const std::string& why) {
  return {"within " + bound_text(tolerance), true, why, [=](const std::vector<double>& published, std::size_t place) {
            return Interval{published.at(place) - tolerance, published.at(place) + tolerance};
          }};
}

Criterion within(const std::vector<double>& tolerances, const std::string& why) {
  return {"within " + bounds_text(tolerances), true, why, [=](const std::vector<double>& published, std::size_t place) {
            return Interval{published.at(place) - tolerances.at(place), published.at(place) + tolerances.at(place)};
          }};
}

Criterion within_percent(double percent, const std::string& why) {
  return {"within " + bound_text(percent) + " %", false, why,
          [=](const std::vector<double>& published, std::size_t place) {
            const double part = percent / 100 * std::fabs(published.at(place));
            return Interval{published.at(place) - part, published.at(place) + part};
          }};
}

Criterion within_factor(double factor, const std::string& why) {
  return {"within a factor of " + bound_text(factor), false, why,
          [=](const std::vector<double>& published, std::size_t place) {
            const auto [low, high] = std::minmax({published.at(place) / factor, published.at(place) * factor});
            return Interval{low, high};
          }};
}

Criterion equal(const std::string& why) {
  return {"equal", false, why, [](const std::vector<double>& published, std::size_t place) {
            return Interval{published.at(place), published.at(place)};
          }};
}

Criterion at_most(double bound, const std::string& why) {
  return {"at most " + bound_text(bound), true, why, [=](const std::vector<double>&, std::size_t) {
            return Interval{-infinity, bound};
          }};
}

Criterion at_most(const std::vector<double>& bounds, const std::string& why) {
  return {"at most " + bounds_text(bounds), true, why, [=](const std::vector<double>&, std::size_t place) {
            return Interval{-infinity, bounds.at(place)};
          }};
}

Criterion at_least(double bound, const std::string& why) {
  return {"at least " + bound_text(bound), true, why, [=](const std::vector<double>&, std::size_t) {
            return Interval{bound, infinity};
          }};
}

Criterion interval_above_zero(const std::string& why) {
  return {"95 % interval above 0", false, why, [](const std::vector<double>&, std::size_t place) {
            return place == 1 ? Interval{std::numeric_limits<double>::denorm_min(), infinity}
                              : Interval{-infinity, infinity};
          }};
}

Criterion interval_below_zero(const std::string& why) {
  return {"95 % interval below 0", false, why, [](const std::vector<double>&, std::size_t place) {
            return place == 2 ? Interval{-infinity, -std::numeric_limits<double>::denorm_min()}
                              : Interval{-infinity, infinity};
          }};
}

std::vector<Interval> Claim::allowed() const {
  std::vector<Interval> intervals;
  for (std::size_t i = 0; i < measured.numbers.size(); ++i)
    intervals.push_back(criterion.allowed(published.numbers, i));
  return intervals;
}

bool Claim::agrees() const {
  const std::vector<Interval> intervals = allowed();
  bool all = true;
  for (std::size_t i = 0; i < intervals.size(); ++i)
    all = all && measured.numbers[i] >= intervals[i].low && measured.numbers[i] <= intervals[i].high;
  return all;
}

void check(const Claim& claim) {
  const auto refuse = [&](const std::string& what) { throw std::logic_error("claim \"" + claim.claim + "\" " + what); };
  const std::vector<double>&published = claim.published.numbers, &measured = claim.measured.numbers;
  if (claim.claim.empty() || claim.source.empty()) refuse("has no words or no source");
  if (claim.published.text().empty()) refuse("says nothing of what was published");
  if (measured.empty()) refuse("measures nothing");
  if (!published.empty() && published.size() != measured.size()) refuse("measures other numbers than were published");
  bool may_differ = false;
  for (const Interval& interval : claim.allowed()) {
    if (!(interval.low <= interval.high)) refuse("cannot agree");
    may_differ = may_differ || interval.low > -infinity || interval.high < infinity;
  }
  if (!may_differ) refuse("cannot differ");
}

double rounding(double operations) { return std::sqrt(operations / 12) * std::numeric_limits<double>::epsilon(); }

}  // namespace scree
