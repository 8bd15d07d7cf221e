// A table of text cells, printed with aligned columns.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

namespace scree {

/// Widest line of a report with all columns and tests, and of one that fits on a screen, in characters.
inline constexpr std::size_t report_width = 110, screen_width = 100;

class TextTable {
 public:
  /// The first `left` columns are aligned to the left, the others to the right.
  TextTable(std::size_t left, std::vector<std::string> header) : left_(left), rows_{std::move(header)} {}
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.size() == 1; }
  /// The header, then the rows.
  const std::vector<std::vector<std::string>>& rows() const { return rows_; }
  bool is_left(std::size_t column) const { return column < left_; }
  /// Two blanks before the table and between columns, one where that would be wider than `width`.
  std::vector<std::string> lines(std::size_t width = report_width) const;
  /// The width of the widest of lines(most).
  std::size_t width(std::size_t most) const;
  void print(std::ostream& out) const;

 private:
  std::size_t left_;
  std::vector<std::vector<std::string>> rows_;
};

/// Four significant digits without an exponent between 1e-4 and 1e7, else with one; "-" for NaN.
std::string short_number(double x);

/// "1 row", "2 rows".
std::string counted(std::size_t count, const std::string& one, const std::string& many);

/// Words with line breaks before `width`, continued lines indented by `indent` blanks.
std::vector<std::string> wrapped(const std::string& text, std::size_t indent, std::size_t width = report_width);
/// Prints them, before report_width.
void print_wrapped(std::ostream& out, const std::string& text, std::size_t indent);

/// The text, or as much of it as leaves room for ".." within `width`.
std::string shortened(const std::string& text, std::size_t width);
/// The same with ".." in the middle: names that differ at their ends still do.
std::string shortened_within(const std::string& text, std::size_t width);
/// Names shortened within `width` that differ where the names do: all in their middle, in that of each of the parts
/// between ", ", or around what they differ in; with their numbers before them, from 1 on, if none leaves them
/// different.
std::vector<std::string> distinct_within(const std::vector<std::string>& names, std::size_t width);
/// Of the tables that `make(width)` gives with names so wide at most, one with the widest that a screen has room for.
template <class Make>
TextTable within_screen(const Make& make) {
  const auto fits = [](const TextTable& table) { return table.width(screen_width) <= screen_width; };
  std::size_t narrow = 12, wide = screen_width;
  if (TextTable table = make(wide); fits(table)) return table;
  while (wide - narrow > 1) {
    const std::size_t middle = (narrow + wide) / 2;
    (fits(make(middle)) ? narrow : wide) = middle;
  }
  return make(narrow);
}

}  // namespace scree
