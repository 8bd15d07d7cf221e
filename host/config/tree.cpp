#include "tree.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string_view>

// What toml++ 3.3 takes for impossible, as `[.` at the beginning of a line, is for the one who wrote that line to mend.
// (In functions that may not throw it ends the program as an assertion does; nothing is known to lead there.)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wterminate"
#define TOML_ASSERT(condition) \
  if (!(condition)) throw std::runtime_error(" not valid TOML: a key or a value is incomplete")
#include <toml++/toml.h>
#pragma GCC diagnostic pop

#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"

namespace scree {
namespace {

/// A text that is larger, or has a key of more parts, is no config.
constexpr std::size_t largest_config = std::size_t{16} << 20;
constexpr int most_parts = 32;

/// Throws std::runtime_error, its text with the line, for what would make toml++ 3.3 crash: the name of a table that
/// begins with none of the characters of a name, bytes beyond ASCII outside of comments and quotes, and keys of parts
/// without end.
void require_harmless(std::string_view text) {
  if (text.size() > largest_config) throw std::runtime_error(" is larger than 16 MiB");
  std::size_t line = 1;
  int dots = 0, depth = 0;
  bool begins = true;  // only blanks stand before on this line
  const auto starts = [&](std::size_t i, const char* with) { return text.substr(i).starts_with(with); };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (begins && depth == 0 && c == '[') {
      const std::size_t name = text.find_first_not_of(" \t", i + (starts(i, "[[") ? 2 : 1));
      const char first = name < text.size() ? text[name] : '\n';
      if (!std::isalnum(static_cast<unsigned char>(first)) &&
          std::string_view("_-\"'").find(first) == std::string_view::npos)
        throw std::runtime_error(std::to_string(line) + ": not valid TOML: [ must be followed by the name of a table");
    }
    begins = c == '\n' || (begins && (c == ' ' || c == '\t'));
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == '"' || c == '\'') {
      const bool long_one = starts(i, c == '"' ? "\"\"\"" : "\'\'\'");
      const std::string end(long_one ? 3 : 1, c);
      for (i += end.size(); i < text.size() && !starts(i, end.c_str()); ++i) {
        if (text[i] == '\n' && !long_one) break;
        line += text[i] == '\n';
        i += c == '"' && text[i] == '\\';
      }
      i += i < text.size() && text[i] != '\n' ? end.size() - 1 : static_cast<std::size_t>(-1);
    } else {
      line += c == '\n';
      depth += c == '[' ? 1 : c == ']' && depth > 0 ? -1 : 0;
      dots = c == '.' ? dots + 1 : std::string_view("=,[{\n").find(c) != std::string_view::npos ? 0 : dots;
      if (dots >= most_parts) throw std::runtime_error(std::to_string(line) + ": a key has too many parts");
      if (static_cast<unsigned char>(c) >= 0x80)
        throw std::runtime_error(std::to_string(line) +
                                 ": a key or a value has a letter beyond ASCII, put it in quotes");
    }
  }
}

toml::table parsed(const std::string& text) {
  require_harmless(text);
  return toml::parse(text);
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// What toml++ says, but of texts: the usual cause is a quote that is missing, not the end of line that it names.
std::string reason(const std::string& description) {
  if (description.find("control characters other than TAB") != std::string::npos)
    return "a text has no closing quote on its line, or a control character in it";
  return one_line(description);
}

/// Where a value was written: `file` alone for --set, else with the line.
struct Origin {
  std::string file;
  bool lines;
  std::string at(const toml::source_region& source) const {
    return lines && source.begin.line > 0 ? file + ":" + std::to_string(source.begin.line) : file;
  }
};

Node convert(const toml::node& from, const Origin& origin, const std::string& name, const std::string& key) {
  Node node;
  node.name = name;
  node.key = key;
  node.where = origin.at(from.source());
  node.laid_over = !origin.lines;
  if (const auto* table = from.as_table()) {
    node.kind = Node::Kind::table;
    node.is_inline = table->is_inline();
    for (const auto& [member, value] : *table) {
      const std::string text(member.str());
      Node item = convert(value, origin, text, key.empty() ? text : key + "." + text);
      if (value.is_table()) item.where = origin.at(member.source());
      node.items.push_back(std::move(item));
    }
  } else if (const auto* array = from.as_array()) {
    node.kind = Node::Kind::array;
    for (const toml::node& value : *array) node.items.push_back(convert(value, origin, name, key));
  } else if (const auto* flag = from.as_boolean()) {
    node.kind = Node::Kind::boolean;
    node.flag = flag->get();
  } else if (const auto* whole = from.as_integer()) {
    node.kind = Node::Kind::whole;
    node.whole = whole->get();
    node.number = static_cast<double>(node.whole);
  } else if (const auto* number = from.as_floating_point()) {
    node.kind = Node::Kind::number;
    node.number = number->get();
  } else if (const auto* text = from.as_string()) {
    node.kind = Node::Kind::text;
    node.text = text->get();
  } else {
    node.kind = Node::Kind::other;
    std::ostringstream out;
    from.visit([&](const auto& value) {
      if constexpr (toml::is_value<decltype(value)>) out << value.get();
    });
    node.text = out.str();
  }
  return node;
}

/// The tables of a list by their names, as `over` has them: barrier.fence.height; null where it has not.
std::vector<std::pair<Node*, Node*>> by_names(Node& list, Node& over) {
  std::vector<std::pair<Node*, Node*>> found;
  for (Node& item : over.items) {
    const auto named = std::ranges::find_if(list.items, [&](const Node& table) {
      return std::ranges::any_of(table.items, [&](const Node& key) {
        return key.name == "name" && key.kind == Node::Kind::text && key.text == item.name;
      });
    });
    if (named == list.items.end() || item.kind != Node::Kind::table) return {};
    found.emplace_back(&*named, &item);
  }
  return found;
}

/// Lays `over` on `under`: tables are merged, everything else is replaced. Of a list of tables one is meant by its
/// name, or the only one without it.
void merge(Node& under, Node&& over) {
  for (Node& item : over.items) {
    auto there =
        std::find_if(under.items.begin(), under.items.end(), [&](const Node& n) { return n.name == item.name; });
    if (there == under.items.end()) {
      under.items.push_back(std::move(item));
      continue;
    }
    Node* target = &*there;
    const bool adds = item.kind == Node::Kind::table && !item.is_inline;
    if (adds && target->kind == Node::Kind::array && !target->items.empty() &&
        target->items.front().kind == Node::Kind::table) {
      if (const auto named = by_names(*target, item); !named.empty()) {
        for (const auto& [table, values] : named) merge(*table, std::move(*values));
        continue;
      }
      if (target->items.size() > 1)
        complain(item, item.key + " is a list of " + std::to_string(target->items.size()) +
                           " in the config: name the one that is meant, as " + item.key + ".NAME.key");
      target = &target->items.front();
    }
    if (adds && target->kind == Node::Kind::table && !target->is_inline)
      merge(*target, std::move(item));
    else
      *target = std::move(item);
  }
}

/// The key with its names in quotes that have blanks in them: ground.scree slope.friction_min
std::string with_quotes(const std::string& key) {
  if (key.find_first_of("\"'") != std::string::npos) return key;
  std::string quoted;
  for (std::size_t begin = 0, end = 0; begin <= key.size(); begin = end + 1) {
    end = std::min(key.find('.', begin), key.size());
    const std::string name(trimmed(key.substr(begin, end - begin)));
    quoted += (begin > 0 ? "." : "") + (name.find(' ') == std::string::npos ? name : '"' + name + '"');
  }
  return quoted;
}

Node parse_overlay(const std::string& overlay) {
  const std::size_t colon = overlay.find(':');
  const std::string where = overlay.substr(0, colon);
  std::string text = overlay.substr(colon + 1);
  if (const std::size_t end = text.find('='); end != std::string::npos)
    text.replace(0, end, with_quotes(text.substr(0, end)));
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw Error(Exit::usage, where + ": \"" + text + "\" must be key=value, as rock.friction_min=0.4");
  const Origin origin{where, false};
  try {
    return convert(parsed(text), origin, "", "");
  } catch (const std::runtime_error&) {
    // A bare word, as in rock.ground=medium soft.
  }
  try {
    toml::table table = parsed(text.substr(0, equals) + " = \"\"");
    Node root = convert(table, origin, "", "");
    Node* leaf = &root;
    while (!leaf->items.empty()) leaf = &leaf->items.front();
    leaf->text = text.substr(std::min(text.size(), text.find_first_not_of(' ', equals + 1)));
    return root;
  } catch (const std::runtime_error&) {
    throw Error(Exit::usage, where + ": \"" + text.substr(0, equals) + "\" is not a key, as rock.friction_min or " +
                                 "vary.\"start.speed\"");
  }
}

const char* allowed_kind(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::boolean:
      return "true or false";
    case Node::Kind::whole:
      return "a whole number";
    case Node::Kind::number:
      return "a number";
    case Node::Kind::text:
      return "a text in quotes";
    case Node::Kind::array:
      return "a list in [ ]";
    case Node::Kind::table:
      return "a table of named values";
    case Node::Kind::other:
      break;
  }
  return "something else";
}

const Node& expect(const Node& node, Node::Kind kind) {
  if (node.kind != kind) refuse(node, allowed_kind(kind));
  return node;
}

bool touches_used(const Node& node) {
  return node.used || std::any_of(node.items.begin(), node.items.end(), touches_used);
}

}  // namespace

const Node* Node::find(std::string_view wanted) const {
  if (std::find(asked.begin(), asked.end(), wanted) == asked.end()) asked.emplace_back(wanted);
  for (const Node& item : items)
    if (item.name == wanted) {
      item.used = true;
      return &item;
    }
  return nullptr;
}

const Node& Node::need(std::string_view wanted, const std::string& allowed) const {
  if (const Node* node = find(wanted)) return *node;
  std::vector<std::string> unread;
  for (const Node& item : items)
    if (!item.used) unread.push_back(item.name);
  const std::string near = nearest(wanted, unread);
  const std::string full = key.empty() ? std::string(wanted) : key + "." + std::string(wanted);
  if (!near.empty()) {
    for (const Node& item : items)
      if (item.name == near) complain(item, "unknown key " + item.key + ", did you mean " + full + "?");
  }
  complain(*this, full + " is missing, must be " + allowed);
}

Node parse_config(const std::string& path, const std::string& text) {
  Node root;
  try {
    root = convert(parsed(text), {path, true}, "", "");
  } catch (const toml::parse_error& error) {
    throw Error(Exit::usage, path + ":" + std::to_string(error.source().begin.line) +
                                 ": not valid TOML: " + reason(std::string(error.description())));
  } catch (const std::runtime_error& error) {
    throw Error(Exit::usage, path + ":" + error.what());
  }
  root.where = path;
  return root;
}

Node laid_over(Node root, const std::vector<std::string>& overlays) {
  for (const std::string& overlay : overlays) merge(root, parse_overlay(overlay));
  return root;
}

void complain(const Node& node, const std::string& text, Exit code) { throw Error(code, node.where + ": " + text); }

void refuse(const Node& node, const std::string& allowed, std::string_view unit) {
  complain(node, node.key + " = " + value_text(node) + ", must be " + allowed + unit_text(unit));
}

std::string unit_text(std::string_view unit) {
  if (unit.empty()) return "";
  return unit == "1" ? " (dimensionless)" : " (" + std::string(unit) + ")";
}

std::string whole_text(const Node& node) {
  std::string text;
  switch (node.kind) {
    case Node::Kind::boolean:
      return node.flag ? "true" : "false";
    case Node::Kind::whole:
      return std::to_string(node.whole);
    case Node::Kind::number:
      return number_text(node.number);
    case Node::Kind::text:
      return "\"" + one_line(node.text) + "\"";
    case Node::Kind::other:
      return node.text;
    case Node::Kind::array:
      for (const Node& item : node.items) text += (text.empty() ? "" : ", ") + whole_text(item);
      return "[" + text + "]";
    case Node::Kind::table:
      for (const Node& item : node.items) text += (text.empty() ? "" : ", ") + item.name + " = " + whole_text(item);
      return text.empty() ? "{}" : "{ " + text + " }";
  }
  return text;
}

std::string value_text(const Node& node) {
  const bool scalar = node.kind != Node::Kind::array && node.kind != Node::Kind::table;
  const std::string text = whole_text(node);
  if (scalar) return text;
  constexpr std::size_t longest = 80;
  return text.size() <= longest ? text : text.substr(0, longest - 4) + " ..." + text.back();
}

/// A larger one is a mistake; of this the fifth power is still a number.
constexpr double largest_number = 1e60;

bool in_range(double value, const Range& range) {
  return std::fabs(value) <= largest_number && (range.low_open ? value > range.low : value >= range.low) &&
         (range.high_open ? value < range.high : value <= range.high) && (!range.whole || value == std::trunc(value));
}

std::string allowed_text(double value, const Range& range) {
  if (!std::isfinite(value)) return "a finite number";
  if ((value > largest_number && range.high == unbounded) || (value < -largest_number && range.low == -unbounded))
    return "a number of at most 1e60 in size";
  return range.text;
}

bool read_flag(const Node& node) { return expect(node, Node::Kind::boolean).flag; }

double read_number(const Node& node, const Range& range, std::string_view unit) {
  if (node.kind != Node::Kind::whole) expect(node, Node::Kind::number);
  if (!in_range(node.number, range)) refuse(node, allowed_text(node.number, range), unit);
  return node.number;
}

std::int64_t read_whole(const Node& node, std::int64_t low) {
  const bool digits = node.text.size() > 1 && node.text.find_first_not_of("0123456789") == std::string::npos;
  if (node.kind == Node::Kind::text && digits)
    refuse(node, "a whole number from " + std::to_string(low) + " to " +
                     std::to_string(std::numeric_limits<std::int64_t>::max()));
  const bool pointed = node.kind == Node::Kind::number && node.number == std::trunc(node.number) && node.number >= low;
  if (node.kind != Node::Kind::whole || node.whole < low)
    refuse(node, "a whole number >= " + std::to_string(low) + (pointed ? ", without a point or an exponent" : ""));
  return node.whole;
}

const std::string& read_text(const Node& node) {
  const std::string& text = expect(node, Node::Kind::text).text;
  if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    complain(node, node.key + " = \"" + printable(text) + "\", must be a text without control characters");
  return text;
}

std::size_t read_choice(const Node& node, const std::vector<std::string>& known) {
  const std::string& word = read_text(node);
  const auto found = std::find(known.begin(), known.end(), word);
  if (found == known.end()) complain(node, node.key + " = \"" + word + "\"" + suggestion(word, known));
  return static_cast<std::size_t>(found - known.begin());
}

std::vector<double> read_numbers(const Node& node, std::size_t count, const Range& range, std::string_view unit) {
  expect(node, Node::Kind::array);
  if (count != 0 && node.items.size() != count) refuse(node, "a list of " + std::to_string(count) + " numbers", unit);
  std::vector<double> numbers;
  for (const Node& item : node.items) numbers.push_back(read_number(item, range, unit));
  return numbers;
}

const Node& read_table(const Node& node) { return expect(node, Node::Kind::table); }
const std::vector<Node>& read_array(const Node& node) { return expect(node, Node::Kind::array).items; }

std::vector<double> read_points(const Node& node, std::size_t width, std::size_t least, std::string_view unit) {
  const std::string form = width == 2 ? "[x, y]" : "[x, y, z]";
  if (node.kind != Node::Kind::array || node.items.size() < least)
    refuse(node, "a list of at least " + std::to_string(least) + " points " + form, unit);
  std::vector<double> numbers;
  for (const Node& item : node.items) {
    if (item.kind != Node::Kind::array || item.items.size() != width) refuse(item, "a point " + form, unit);
    for (const Node& number : item.items) numbers.push_back(read_number(number, any_value, unit));
  }
  return numbers;
}

void refuse_unknown_keys(const Node& node) {
  if (node.kind != Node::Kind::table && node.kind != Node::Kind::array) return;
  for (const Node& item : node.items) {
    if (node.kind == Node::Kind::table && !touches_used(item)) {
      const std::string near = nearest(item.name, node.asked), prefix = node.key.empty() ? "" : node.key + ".";
      const std::string key = item.name.empty() ? prefix + "\"\"" : item.key;
      if (!near.empty()) complain(item, "unknown key " + key + ", did you mean " + prefix + near + "?");
      complain(item, "unknown key " + key + ", known here: " + joined(node.asked));
    }
    refuse_unknown_keys(item);
  }
}

}  // namespace scree
