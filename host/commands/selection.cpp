#include "selection.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "host/common/error.hpp"
#include "host/common/text_input.hpp"

namespace scree {
namespace {

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number >= std::uint64_t{1} << 62) return std::nullopt;
  return number;
}

}  // namespace

Selection parse_selection(const std::string& option, const std::string& text) {
  Selection selection{option, text, {}};
  std::string_view rest = text;
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    const std::size_t colon = part.find(':');
    const std::optional<std::uint64_t> first = whole_number(part.substr(0, colon));
    std::optional<std::uint64_t> end;
    if (first) end = colon == std::string_view::npos ? *first + 1 : whole_number(part.substr(colon + 1));
    if (!end || *first >= *end)
      throw Error(Exit::usage,
                  option + " " + text + ", " + (part == text || part.empty() ? "" : std::string(part) + " ") +
                      "must be the number of a sample, from 0, or a range A:B with A < B, which ends before "
                      "sample B; several by commas, as 3,7,10:20");
    selection.ranges.emplace_back(*first, *end);
    if (comma == std::string_view::npos) return selection;
    rest.remove_prefix(comma + 1);
  }
}

std::vector<std::uint64_t> selected(const std::string& file, const Selection& selection, std::uint64_t from,
                                    std::uint64_t samples) {
  const std::string typed = file + ": " + selection.option + " " + selection.text + ", ";
  std::vector<std::uint64_t> numbers;
  for (const auto& [first, end] : selection.ranges) {
    if (first < from || end > from + samples)
      throw Error(Exit::usage,
                  typed + "must be " +
                      (end - first == 1 ? std::to_string(from) + " to " + std::to_string(from + samples - 1)
                                        : "within " + std::to_string(from) + ":" + std::to_string(from + samples)));
    for (std::uint64_t i = first; i < end; ++i) numbers.push_back(i);
  }
  std::vector<std::uint64_t> sorted = numbers;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    throw Error(Exit::usage, typed + "names sample " + std::to_string(*twice) + " twice");
  return numbers;
}

Spacing parse_spacing(const std::string& text) {
  std::string_view number = text;
  const bool marked = number.ends_with('s');
  if (marked) number.remove_suffix(1);
  if (marked || number.find('.') != std::string_view::npos) {
    const std::optional<double> seconds = parse_number(number);
    if (seconds && *seconds > 0 && std::isfinite(*seconds)) return {1, *seconds};
  } else if (const std::optional<std::uint64_t> steps = whole_number(number); steps && *steps > 0) {
    return {*steps, 0};
  }
  throw Error(Exit::usage,
              "--every " + text + ", must be a whole number of steps >= 1 or a time > 0 in seconds, as 0.1 or 2s");
}

bool Spaced::takes(double time) {
  ++steps_;
  if (!(spacing_.seconds > 0)) return steps_ % spacing_.steps == 0;
  // Of 3 times 0.1 s and 150 times 0.002 s either may be the larger.
  constexpr double slack = 1e-12;
  if (!(time >= next_ * (1 - slack))) return false;
  next_ = spacing_.seconds * (std::floor(time / spacing_.seconds * (1 + slack)) + 1);
  return true;
}

}  // namespace scree
