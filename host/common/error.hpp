// One error type for everything a user can cause; main prints its one line and exits with its code.
#pragma once

#include <stdexcept>
#include <string>

namespace scree {

/// Exit codes of the program (README, "Exit codes").
enum class Exit : int { ok = 0, failed = 1, usage = 2, input = 3, device = 4, unmet = 5, interrupted = 130 };

struct Error : std::runtime_error {
  Error(Exit code, const std::string& line) : std::runtime_error(line), code(code) {}
  Exit code;
};

}  // namespace scree
