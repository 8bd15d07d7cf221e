#include "text_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <ostream>
#include <sstream>

namespace scree {

void TextTable::print(std::ostream& out) const {
  std::vector<std::size_t> width;
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c == width.size()) width.push_back(0);
      width[c] = std::max(width[c], row[c].size());
    }
  const std::size_t total = 2 * width.size() + std::accumulate(width.begin(), width.end(), std::size_t{0});
  const std::string gap(total > report_width ? 1 : 2, ' ');
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string padding(width[c] - row[c].size(), ' ');
      line += gap + (c < left_ ? row[c] + padding : padding + row[c]);
    }
    out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
  }
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

void print_wrapped(std::ostream& out, const std::string& text, std::size_t indent) {
  std::istringstream words(text);
  std::string word, line;
  while (words >> word) {
    if (!line.empty() && line.size() + 1 + word.size() > report_width) {
      out << line << '\n';
      line = std::string(indent, ' ') + word;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
  }
  out << line << '\n';
}

}  // namespace scree
