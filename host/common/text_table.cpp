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

// Of text that is UTF-8.
bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }
std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}
std::string_view first_of(std::string_view text, std::size_t characters) {
  std::size_t end = 0;
  while (end < text.size() && (characters > 0 || !begins_character(text[end])))
    if (begins_character(text[end++])) --characters;
  return text.substr(0, end);
}
std::string_view last_of(std::string_view text, std::size_t characters) {
  return text.substr(first_of(text, characters_in(text) - std::min(characters_in(text), characters)).size());
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
    if (!line.empty() && characters_in(line) + 1 + characters_in(word) > width) {
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
  return characters_in(text) <= std::max<std::size_t>(width, 2) ? text : std::string(first_of(text, width - 2)) + "..";
}

std::string shortened_within(const std::string& text, std::size_t width) {
  if (characters_in(text) <= std::max<std::size_t>(width, 2)) return text;
  const std::size_t kept = width - 2;
  return std::string(first_of(text, kept / 2)) + ".." + std::string(last_of(text, kept - kept / 2));
}

namespace {

using Names = std::vector<std::string>;

std::size_t kinds(const Names& names) { return std::set(names.begin(), names.end()).size(); }

Names cut_in_the_middle(Names names, std::size_t width) {
  for (std::string& name : names) name = shortened_within(name, width);
  return names;
}

/// What all begin and end with goes, but for what has room beside that in which they differ.
Names cut_around_differences(Names names, std::size_t width) {
  std::string_view before = names[0], after = names[0];
  for (const std::string& name : names) {
    const auto differs = std::ranges::mismatch(before, name).in1;
    before = before.substr(0, static_cast<std::size_t>(differs - before.begin()));
  }
  before = front_of(names[0], before.size());
  for (const std::string& name : names) {
    std::size_t same = 0;
    while (same < after.size() && same < name.size() - before.size() &&
           after[after.size() - 1 - same] == name[name.size() - 1 - same])
      ++same;
    after = back_of(after, same);
  }
  const std::string start(before), end(after);
  for (std::string& name : names) {
    if (characters_in(name) <= width) continue;
    const std::string differs = name.substr(start.size(), name.size() - start.size() - end.size());
    const std::size_t of_start = characters_in(start), of_end = characters_in(end),
                      room = width - std::min(width, characters_in(differs));
    const std::size_t for_start = of_end < room / 2 ? room - of_end : of_start < room / 2 ? of_start : room / 2;
    const auto beside = [](const std::string& text, std::size_t of) {
      return of < 2 ? 0 : characters_in(text) <= of ? characters_in(text) : of - 2;
    };
    const std::size_t kept_start = beside(start, for_start), kept_end = beside(end, room - for_start);
    name = (kept_start < of_start ? ".." : "") + std::string(last_of(start, kept_start)) + differs +
           std::string(first_of(end, kept_end)) + (kept_end < of_end ? ".." : "");
    name = shortened_within(name, width);
  }
  return names;
}

}  // namespace

Names distinct_within(const Names& names, std::size_t width) {
  constexpr std::string_view between = ", ";
  constexpr std::size_t least = 4;
  std::vector<Names> parts;  // of each name
  std::size_t most = 1;
  for (const std::string& name : names) {
    Names of_name;
    std::size_t begin = 0, end;
    for (; (end = name.find(between, begin)) != std::string::npos; begin = end + between.size())
      of_name.push_back(name.substr(begin, end - begin));
    of_name.push_back(name.substr(begin));
    most = std::max(most, of_name.size());
    parts.push_back(std::move(of_name));
  }
  const std::size_t share = (width + between.size()) / most,
                    room = std::max(least, share - std::min(share, between.size()));
  const auto cut_in_parts = [&](Names (*cut)(Names, std::size_t)) {
    Names joined(names.size());
    for (std::size_t p = 0; p < most; ++p) {
      Names column;
      for (const Names& of_name : parts)
        if (p < of_name.size()) column.push_back(of_name[p]);
      column = cut(std::move(column), room);
      std::size_t next = 0;
      for (std::size_t i = 0; i < names.size(); ++i)
        if (p < parts[i].size()) joined[i] += (p == 0 ? "" : std::string(between)) + column[next++];
    }
    for (std::size_t i = 0; i < names.size(); ++i)
      if (characters_in(names[i]) <= width) joined[i] = names[i];
    return joined;
  };
  if (names.empty()) return names;
  for (const Names& shorter : {cut_in_the_middle(names, width), cut_in_parts(cut_in_the_middle),
                               cut_in_parts(cut_around_differences), cut_around_differences(names, width)})
    if (kinds(shorter) == kinds(names)) return shorter;
  // Else by their numbers.
  Names numbered;
  for (const std::string& name : names) {
    const std::string number = std::to_string(numbered.size() + 1) + " ";
    numbered.push_back(number + shortened_within(name, std::max(least, width - std::min(width, number.size()))));
  }
  return numbered;
}

}  // namespace scree
