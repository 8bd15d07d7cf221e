// A config file as a tree of values that know where they were written and whether they were read.
//
// The functions below are all that the reader of a config needs: each takes one value, checks type and range, and stops
// with one line `FILE:LINE: key = value, must be ALLOWED (unit)`. What nobody asked for in the end is an unknown key.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/common/error.hpp"
#include "src/range.hpp"

namespace scree {

struct Node {
  enum class Kind { boolean, whole, number, text, array, table, other };
  Kind kind = Kind::table;
  bool flag = false;
  std::int64_t whole = 0;
  double number = 0;        // of a whole number too
  std::string text;         // of a text; of a date its TOML form
  std::vector<Node> items;  // of an array, or the named values of a table in the order of their names
  bool laid_over = false;   // by --set or another option
  bool is_inline = false;   // a table written { ... }: replaced, not merged, by --set

  std::string name, key;  // "friction_min", "rock.friction_min"
  std::string where;      // "configs/x.toml:12", or "--set"
  mutable bool used = false;
  mutable std::vector<std::string> asked;  // names that were looked for in this table

  /// The named value of a table, null if it is not there.
  const Node* find(std::string_view name) const;
  /// The same, but its absence is a mistake. `allowed` says what it should be.
  const Node& need(std::string_view name, const std::string& allowed) const;
};

/// Parses `text`, the contents of the TOML file `path`.
Node parse_config(const std::string& path, const std::string& text);
/// `root` with the values of --set ("key.path=value", where a value that is not TOML is a string) laid over it. `where`
/// of these is the text before the first ':' of each element of `overlays` ("--set:rock.ground=soft",
/// "--samples:samples=10").
Node laid_over(Node root, const std::vector<std::string>& overlays);

/// "FILE:LINE: text"
[[noreturn]] void complain(const Node& node, const std::string& text, Exit code = Exit::usage);
/// "FILE:LINE: key = value, must be ALLOWED (unit)"
[[noreturn]] void refuse(const Node& node, const std::string& allowed, std::string_view unit = "");
/// The value as TOML writes it, but in one line.
std::string whole_text(const Node& node);
/// The same, shortened for a message.
std::string value_text(const Node& node);
/// " (m/s)"; a unit "1" is " (dimensionless)".
std::string unit_text(std::string_view unit);

bool in_range(double value, const Range& range);
/// What a message says must hold of a value that is out of range.
std::string allowed_text(double value, const Range& range);

bool read_flag(const Node& node);
double read_number(const Node& node, const Range& range = any_value, std::string_view unit = "");
std::int64_t read_whole(const Node& node, std::int64_t low);
const std::string& read_text(const Node& node);
/// A text that is one of `known`; its position there. `what` as "ground" for the message.
std::size_t read_choice(const Node& node, const std::vector<std::string>& known);
/// `count` numbers, or any count if 0.
std::vector<double> read_numbers(const Node& node, std::size_t count, const Range& range = any_value,
                                 std::string_view unit = "");
const Node& read_table(const Node& node);
const std::vector<Node>& read_array(const Node& node);
/// Points [[x, y], ...] as x, y, x, y, ...
std::vector<double> read_points(const Node& node, std::size_t width, std::size_t least, std::string_view unit);

/// Stops at the first value that nobody asked for, naming the nearest key that is known there.
void refuse_unknown_keys(const Node& root);

}  // namespace scree
