// One error type for everything a user can cause; main prints its one line and exits with its code.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace scree {

/// Exit codes of the program (README, "Exit codes").
enum class Exit : int { ok = 0, failed = 1, usage = 2, input = 3, device = 4, unmet = 5, interrupted = 130 };

struct Error : std::runtime_error {
  Error(Exit code, std::string line) : std::runtime_error(without_end(std::move(line))), code(code) {}
  Exit code;

 private:
  /// What a binary file is quoted with may have the character that ends what().
  static std::string without_end(std::string line) {
    for (std::size_t at; (at = line.find('\0')) != std::string::npos;) line.replace(at, 1, "\\x00");
    return line;
  }
};

}  // namespace scree
