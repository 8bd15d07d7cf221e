#include "screen.hpp"

#include <algorithm>
#include <ostream>

namespace scree {

void Screen::add(const std::string& title, std::vector<std::string> lines, std::size_t least) {
  if (lines.empty()) return;
  for (std::string& line : lines) line = shortened(line, screen_width);
  sections_.push_back({shortened(title, screen_width), std::move(lines), least});
}

void Screen::add_items(const std::string& title, const std::vector<std::string>& items, std::size_t least) {
  std::vector<std::string> lines;
  for (const std::string& item : items)
    for (const std::string& line : wrapped("- " + item, 2, screen_width)) lines.push_back(line);
  add(title, std::move(lines), least);
}

void Screen::add(const std::string& title, const TextTable& table, std::size_t least_rows) {
  if (!table.empty()) add(title, table.lines(screen_width), 1 + least_rows);
}

std::size_t Screen::lines_of(const std::vector<std::size_t>& shown) const {
  std::size_t sum = sections_.empty() ? 0 : sections_.size() - 1;
  for (std::size_t i = 0; i < sections_.size(); ++i)
    sum += (sections_[i].title.empty() ? 0 : 1) + shown[i] + (shown[i] < sections_[i].lines.size() ? 1 : 0);
  return sum;
}

void Screen::print(std::ostream& out) const {
  std::vector<std::size_t> shown;
  for (const Section& section : sections_) shown.push_back(section.lines.size());
  const std::size_t room = screen_lines - std::min(form_.used, screen_lines);
  // Where that is not enough, more of the sections that want many lines.
  constexpr std::size_t few = 10;
  for (const std::size_t most : {screen_lines, few})
    for (std::size_t i = sections_.size(); i-- > 0 && lines_of(shown) > room;) {
      // A line takes the place of those that go, so that at least two must.
      const std::size_t least = std::min(sections_[i].least, most), all = sections_[i].lines.size();
      if (all < least + 2) continue;
      const std::size_t excess = lines_of(shown) - room;
      shown[i] = std::max(least, shown[i] - std::min(shown[i], shown[i] < all ? excess : excess + 1));
    }
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    const Section& section = sections_[i];
    if (i > 0) out << '\n';
    if (!section.title.empty())
      out << (form_.colour ? "\033[1m" : "") << section.title << (form_.colour ? "\033[0m" : "") << '\n';
    for (std::size_t k = 0; k < shown[i]; ++k) out << section.lines[k] << '\n';
    if (shown[i] < section.lines.size()) out << "  ... " << section.lines.size() - shown[i] << " more with --all\n";
  }
}

}  // namespace scree
