#include "csv.hpp"

#include <algorithm>
#include <cstdio>
#include <set>

#include "text_input.hpp"

namespace scree {
namespace {

/// Splits at commas outside of double quotes; "" within quotes is one quote.
std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> fields;
  std::string field;
  bool quoted = false, was_quoted = false;
  const auto close = [&] {
    fields.push_back(was_quoted ? field : std::string(trimmed(field)));
    field.clear();
    was_quoted = false;
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      field += line[++i];
    } else if (c == '"' && (quoted || trimmed(field).empty())) {
      if (!quoted) field.clear();
      quoted = !quoted;
      was_quoted = true;
    } else if (c == ',' && !quoted) {
      close();
    } else if (!was_quoted || quoted) {
      field += c;
    }
  }
  close();
  return fields;
}

}  // namespace

std::optional<std::size_t> CsvTable::column(std::string_view name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

std::string CsvTable::where(std::size_t row) const { return path + ":" + std::to_string(lines[row]); }

double CsvTable::number(std::size_t row, std::size_t column) const {
  const std::string& word = rows[row][column];
  const std::optional<double> value = parse_number(word);
  if (!value || !std::isfinite(*value))
    throw Error(Exit::input, where(row) + ": " + names[column] + " = '" + word + "', must be a finite number");
  return *value;
}

CsvTable read_csv(const std::string& path) { return parse_csv(read_text_file(path), path); }

CsvTable parse_csv(const std::string& text, const std::string& path) {
  CsvTable table;
  table.path = path;
  LineReader lines(text);
  const auto fail = [&](const std::string& what) {
    throw Error(Exit::input, path + ":" + std::to_string(lines.number()) + ": " + what);
  };
  for (std::string_view line; lines.next(line);) {
    if (trimmed(line).empty()) continue;
    std::vector<std::string> fields = split(line);
    if (table.names.empty()) {
      std::set<std::string_view> names;
      for (std::size_t i = 0; i < fields.size(); ++i) {
        if (fields[i].empty()) fail("column " + std::to_string(i + 1) + " has no name");
        if (!names.insert(fields[i]).second) fail("column " + fields[i] + " is there twice");
      }
      table.names = std::move(fields);
      continue;
    }
    if (fields.size() != table.names.size())
      fail("the row has " + std::to_string(fields.size()) + " values, must be " + std::to_string(table.names.size()) +
           " as in the header");
    table.rows.push_back(std::move(fields));
    table.lines.push_back(lines.number());
  }
  if (table.rows.empty()) throw Error(Exit::input, path + ": has no rows; must be a header line and at least one row");
  return table;
}

std::string csv_quoted(const std::string& text) {
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + '"';
}

std::string csv_text(const std::string& text) {
  return text.find_first_of(",\"\n") == std::string::npos ? text : csv_quoted(text);
}

std::string csv_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

}  // namespace scree
