#include "offer.hpp"

#include <algorithm>
#include <ostream>

#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "host/config/tree.hpp"

namespace scree {

std::string toml_number(double value) {
  const std::string text = number_text(value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string toml_values(const std::vector<double>& values, std::size_t count) {
  if (count == 1) return toml_number(values[0]);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i ? ", " : "") + toml_number(values[i]);
  return "[" + text + "]";
}

std::string default_text(const Description& d, const Quantity& q) {
  if (q.is_choice()) return "\"" + q.choice_name(q.standard[0]) + "\"";
  if (q.width == 0) return "[]";
  return d.is_count(q) ? number_text(q.standard[0]) : toml_values(q.standard, q.standard.size());
}

std::string allowed(const Quantity& q) { return q.is_choice() ? "one of " + joined(q.choice_names()) : q.range.text; }

std::size_t end_of_family(const std::vector<Quantity>& quantities, std::size_t first) {
  const Quantity& head = quantities[first];
  std::size_t end = first + 1;
  if (head.name.empty() || head.name.back() != '0') return end;
  const std::string stem = head.name.substr(0, head.name.size() - 1);
  while (end < quantities.size() && quantities[end].name == stem + std::to_string(end - first) &&
         quantities[end].unit == head.unit && quantities[end].standard == head.standard &&
         quantities[end].meaning == head.meaning)
    ++end;
  return end;
}

std::vector<TerrainDescription> terrains(const Description& d) {
  std::vector<TerrainDescription> suiting;
  for (const TerrainDescription& kind : describe_kinds<Terrain>())
    if (kind.suits(d.ground)) suiting.push_back(kind);
  return suiting;
}

const Model& known_model(const char* command, const std::string& system) {
  if (const Model* model = find_model(system)) return *model;
  std::vector<std::string> names;
  for (const Model& known : models()) names.push_back(known.description.system);
  throw Error(Exit::usage, std::string(command) + ": unknown system \"" + system + "\"" + suggestion(system, names));
}

void print_rows(std::ostream& out, const std::vector<std::vector<std::string>>& rows) {
  constexpr std::size_t least_room = 34;
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      if (widths.size() <= i) widths.push_back(0);
      widths[i] = std::max(widths[i], row[i].size());
    }
  for (const auto& row : rows) {
    std::string line = "   ";
    for (std::size_t i = 0; i + 1 < row.size(); ++i)
      line += " " + row[i] + std::string(widths[i] - row[i].size() + 1, ' ');
    line += ' ';
    std::size_t indent = line.size();
    if (row.size() > 1 && indent + std::min(least_room, row.back().size()) > report_width) {
      out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
      indent = 8;
      line = std::string(indent, ' ');
    }
    const std::vector<std::string> words = wrapped(row.back(), 0, report_width - indent);
    for (std::size_t k = 0; k < words.size(); ++k) {
      line += words[k];
      out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
      line = std::string(indent, ' ');
    }
  }
}

}  // namespace scree
