#include "error.hpp"

#include <algorithm>
#include <new>
#include <system_error>

namespace scree {
namespace {

/// How many bytes a UTF-8 character begins with here has, 1 to 4; 0 of what is none.
std::size_t length_of_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0x80    ? 1
                             : byte(0) < 0xc2  ? 0
                             : byte(0) < 0xe0  ? 2
                             : byte(0) < 0xf0  ? 3
                             : byte(0) <= 0xf4 ? 4
                                               : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  if (length < 3) return length;
  // Longer than it need be, one half of a pair of UTF-16, or beyond Unicode.
  const unsigned start = byte(0) << 8u | byte(1);
  const bool wrong =
      start < 0xe0a0 || (start >= 0xeda0 && start < 0xee00) || (start >= 0xf000 && start < 0xf090) || start >= 0xf490;
  return wrong ? 0 : length;
}

/// Whether a character goes on here from the byte before.
bool goes_on(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
}

constexpr std::size_t longest_character = 4;

}  // namespace

std::string_view front_of(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  std::size_t end = bytes;
  while (end > 0 && bytes - end < longest_character && goes_on(text, end)) --end;
  return text.substr(0, end);
}

std::string_view back_of(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  const std::size_t from = text.size() - bytes;
  std::size_t begin = from;
  while (begin - from < longest_character && goes_on(text, begin)) ++begin;
  return text.substr(begin);
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text[0]);
    const std::size_t length = length_of_character(text), taken = std::max<std::size_t>(length, 1);
    const bool control = byte < 0x20 || byte == 0x7f || (byte == 0xc2 && length == 2 && text[1] < '\xa0');
    for (const char c : text.substr(0, taken)) {
      if (length > 0 && !control) {
        result += c;
      } else {
        result += "\\x";
        result += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
        result += "0123456789abcdef"[static_cast<unsigned char>(c) & 15];
      }
    }
    text.remove_prefix(taken);
  }
  return result;
}

Error error_in_hand() {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return {Exit::device, "out of memory"};
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again)
      return {Exit::device, "no more threads can be started: memory or a limit of this system is short"};
    return {Exit::failed, error.what()};
  } catch (const std::exception& error) {
    return {Exit::failed, error.what()};
  } catch (...) {
    return {Exit::failed, "something was thrown that is no exception of C++"};
  }
}

}  // namespace scree
