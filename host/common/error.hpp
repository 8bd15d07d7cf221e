// One error type for everything a user can cause; main prints its one line and exits with its code.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace scree {

/// Exit codes of the program (docs/commands.md, "Exit codes").
enum class Exit : int { ok = 0, failed = 1, usage = 2, input = 3, device = 4, unmet = 5, interrupted = 130 };

/// The text with what a terminal might obey, the control characters of ASCII and of Latin-1 (U+0080 to U+009F), as
/// \x1b, and so with bytes that are no UTF-8.
std::string printable(std::string_view text);

/// As many characters of UTF-8 as fit in so many bytes, from the front of a text or from its end: none is cut.
std::string_view front_of(std::string_view text, std::size_t bytes);
std::string_view back_of(std::string_view text, std::size_t bytes);

struct Error : std::runtime_error {
  /// `line` may quote a file: what() is printable.
  Error(Exit code, std::string_view line) : std::runtime_error(printable(line)), code(code) {}
  Exit code;
};

/// The exception that is being handled, as such an error: memory or threads that are short are Exit::device, what is no
/// Error otherwise is Exit::failed.
Error error_in_hand();

}  // namespace scree
