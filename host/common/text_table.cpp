#include "text_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <ostream>
#include <set>
#include <sstream>
#include <string_view>

#include "error.hpp"

namespace scree {

namespace {
/// Characters, of text that is UTF-8.
std::size_t characters_in(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}
}  // namespace

std::vector<std::string> TextTable::lines(std::size_t most) const {
  std::vector<std::size_t> width;
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c == width.size()) width.push_back(0);
      width[c] = std::max(width[c], characters_in(row[c]));
    }
  const std::size_t total = 2 * width.size() + std::accumulate(width.begin(), width.end(), std::size_t{0});
  const std::string gap(total > most ? 1 : 2, ' ');
  std::vector<std::string> lines;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string padding(width[c] - characters_in(row[c]), ' ');
      line += gap + (c < left_ ? row[c] + padding : padding + row[c]);
    }
    lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
  }
  return lines;
}

std::size_t TextTable::width(std::size_t most) const {
  std::size_t widest = 0;
  for (const std::string& line : lines(most)) widest = std::max(widest, characters_in(line));
  return widest;
}

void TextTable::print(std::ostream& out) const {
  for (const std::string& line : lines()) out << line << '\n';
}

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string short_number(double x) {
  if (std::isnan(x)) return "-";
  if (x == 0) return "0";
  const double size = std::fabs(x);
  char text[40];
  if (size < 1e-4 || size >= 1e7) {
    std::snprintf(text, sizeof text, "%.3e", x);
  } else {
    const int decimals = std::clamp(3 - static_cast<int>(std::floor(std::log10(size))), 0, 7);
    std::snprintf(text, sizeof text, "%.*f", decimals, x);
  }
  return text;
}

std::vector<std::string> wrapped(const std::string& text, std::size_t indent, std::size_t width) {
  std::istringstream words(text);
  std::vector<std::string> lines;
  std::string word, line;
  while (words >> word) {
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      lines.push_back(line);
      line = std::string(indent, ' ') + word;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
  }
  lines.push_back(line);
  return lines;
}

void print_wrapped(std::ostream& out, const std::string& text, std::size_t indent) {
  for (const std::string& line : wrapped(text, indent)) out << line << '\n';
}

std::string shortened(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : std::string(front_of(text, width - 2)) + "..";
}

std::string shortened_within(const std::string& text, std::size_t width) {
  if (text.size() <= width) return text;
  const std::size_t kept = width - 2;
  return std::string(front_of(text, kept / 2)) + ".." + std::string(back_of(text, kept - kept / 2));
}

std::vector<std::string> distinct_within(const std::vector<std::string>& names, std::size_t width) {
  constexpr std::string_view between = ", ";
  constexpr std::size_t least = 4;
  const auto each_part = [&](const std::string& name) {
    std::vector<std::string> parts;
    std::size_t begin = 0, end;
    for (; (end = name.find(between, begin)) != std::string::npos; begin = end + between.size())
      parts.push_back(name.substr(begin, end - begin));
    parts.push_back(name.substr(begin));
    const std::size_t room = (width + between.size()) / parts.size();
    std::string text;
    for (const std::string& part : parts)
      text += (text.empty() ? "" : std::string(between)) +
              shortened_within(part, std::max(least, room - std::min(room, between.size())));
    return text;
  };
  const auto kinds = [](const std::vector<std::string>& of) { return std::set(of.begin(), of.end()).size(); };
  std::vector<std::string> in_middle, in_parts;
  for (const std::string& name : names) {
    in_middle.push_back(shortened_within(name, width));
    in_parts.push_back(name.size() <= width ? name : each_part(name));
  }
  for (const std::vector<std::string>* shorter : {&in_middle, &in_parts})
    if (kinds(*shorter) == kinds(names)) return *shorter;
  // Else by their numbers.
  std::vector<std::string> numbered;
  for (const std::string& name : names) {
    const std::string number = std::to_string(numbered.size() + 1) + " ";
    numbered.push_back(number + shortened_within(name, std::max(least, width - std::min(width, number.size()))));
  }
  return numbered;
}

}  // namespace scree
