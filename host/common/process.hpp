// Other programs, run by this one.
#pragma once

#include <string>
#include <vector>

namespace scree {

/// Where PATH has a program; "" if nowhere. A name with a slash is that of a file.
std::string program_file(const std::string& name);

/// Runs words[0], as program_file finds it, with the rest as its arguments, nothing to read, and this program's
/// environment, but texts in English. All that it prints is added to the file `log`; "": it prints where this program
/// does. Returns its exit code, or 128 + the signal that ended it. Throws std::runtime_error with the system's reason
/// where it cannot be started.
int run_program(const std::vector<std::string>& words, const std::string& log = "");

}  // namespace scree
