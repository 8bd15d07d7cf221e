// Tables in CSV files: a header line of column names, then one line per row.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

struct CsvTable {
  std::string path;
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;  // [rows, columns], as written
  std::vector<std::size_t> lines;              // line of each row in the file

  std::optional<std::size_t> column(std::string_view name) const;
  /// "file:line" of a row.
  std::string where(std::size_t row) const;
  /// A finite number, or Error(Exit::input) with file, line, column and what is there.
  double number(std::size_t row, std::size_t column) const;
};

/// With 17 digits, which read back as the same number.
std::string csv_number(double value);
/// In double quotes, those in it doubled; and only where it must be.
std::string csv_quoted(const std::string& text);
std::string csv_text(const std::string& text);

/// Reads a CSV file: comma-separated, fields may stand in double quotes, CRLF and blank lines are allowed. Throws
/// Error(Exit::input) for a row with another number of fields than the header, a column name that is empty or there
/// twice, and a table without rows.
CsvTable read_csv(const std::string& path);
/// The same of a text that is there already; `path` is what messages call it.
CsvTable parse_csv(const std::string& text, const std::string& path);

}  // namespace scree
