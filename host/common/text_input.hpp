// What all readers of text files share: the whole file as a string, its lines, words and numbers.
#pragma once

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "error.hpp"
#include "while_reading.hpp"

namespace scree {

/// The bytes of a file, or of a pipe that somebody writes to, without a UTF-8 byte order mark. Throws
/// Error(Exit::input) with path and reason.
std::string read_text_file(const std::string& path);
/// The same of what standard input still has.
std::string read_standard_input();

/// Walks over the lines of a text and counts them from 1.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {}
  /// Takes the next line, without its end; false at the end of the text.
  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (++number_ % 64 == 0) while_reading();
    return true;
  }
  std::size_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

/// Without the white space at both ends.
inline std::string_view trimmed(std::string_view text) {
  const char* const space = " \t\r";
  const std::size_t first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

/// Takes the next word off the front of `line`; empty when there is none. A carriage return is white space.
inline std::string_view take_word(std::string_view& line) {
  const char* const space = " \t\r\v\f";
  const std::size_t begin = line.find_first_not_of(space);
  if (begin == std::string_view::npos) return line = {};
  line.remove_prefix(begin);
  const std::string_view word = line.substr(0, line.find_first_of(space));
  line.remove_prefix(word.size());
  return word;
}

/// The number that a word is; nothing if it is anything else or out of range. "nan" and "inf" are numbers here.
inline std::optional<double> parse_number(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

/// A finite number, or Error(Exit::input, "file:line: 'word' is not a finite number").
inline double finite_number(std::string_view word, const std::string& path, std::size_t line) {
  const std::optional<double> value = parse_number(word);
  if (!value || !std::isfinite(*value))
    throw Error(Exit::input,
                path + ":" + std::to_string(line) + ": '" + std::string(word) + "' is not a finite number");
  return *value;
}

/// The shortest text that reads back as the same number.
inline std::string number_text(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

/// The number of twelve significant digits that is nearest to x: of 3 times 0.3 s, 0.9.
inline double rounded(double x) {
  char buffer[32];
  const char* const end = std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::scientific, 11).ptr;
  std::from_chars(buffer, end, x);
  return x;
}

}  // namespace scree
