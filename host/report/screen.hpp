// A report that fits on one screen: sections of lines, of which the least important go where there are too many.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "host/common/text_table.hpp"

namespace scree {

/// The most lines of a short report.
inline constexpr std::size_t screen_lines = 40;

/// How much a report shows, and where the rest of it is.
struct Form {
  bool all = false;  // everything, on as many lines as it takes; else one screen
  bool colour = false;
  std::string file = {};  // the result that holds the samples; empty: none is written
  std::size_t used = 0;   // lines of the screen that are printed by somebody else
};

class Screen {
 public:
  explicit Screen(const Form& form) : form_(form) {}

  /// A section: a title in bold (none if empty) and lines, cut to screen_width. Those from `least` on may be left out.
  /// Nothing without lines.
  void add(const std::string& title, std::vector<std::string> lines, std::size_t least);
  /// Lines of text, wrapped; each item begins with "- " and may not be cut apart.
  void add_items(const std::string& title, const std::vector<std::string>& items, std::size_t least);
  /// A table of which at least so many rows are shown.
  void add(const std::string& title, const TextTable& table, std::size_t least_rows);

  /// The sections with a blank line between them, the last ones cut first, until there are no more than screen_lines.
  void print(std::ostream& out) const;

 private:
  struct Section {
    std::string title;
    std::vector<std::string> lines;
    std::size_t least;
  };
  /// With so many of each section.
  std::size_t lines_of(const std::vector<std::size_t>& shown) const;
  Form form_;
  std::vector<Section> sections_;
};

}  // namespace scree
