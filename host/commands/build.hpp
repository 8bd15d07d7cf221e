// `scree build`: a program with a system of one's own.
#pragma once

#include <string>

#include "host/common/caller.hpp"

namespace scree {

struct BuildOptions {
  std::string header, output;
  bool native = false, cuda = false, force = false;
  Caller caller;
};

/// Compiles the header of a system (src/systems/README.md) against the package that is installed with this program, in
/// a folder of the user's cache, writes the program `output`, and has it list its systems on stdout. Throws
/// Error(Exit::usage) for a header that is not there or an output that cannot be written, and Error(Exit::failed), with
/// the first mistake and the file that has the rest, where package, compiler or header do not do.
void build_command(const BuildOptions& options);

/// What a user has to know of what CMake and a compiler printed: the place and text of the first mistake and, where it
/// is an operation that values of samples do not have, the rule. `header` is the file's name as the compiler has it,
/// `text` what the file holds. "" if there is no mistake.
std::string first_mistake(const std::string& log, const std::string& header, const std::string& text);

/// The line and the name of the first function of std:: in a header whose bits differ from library to library, and the
/// rule; "" if there is none.
std::string function_of_std(const std::string& text);

/// my_pendulum -> MyPendulum
std::string class_name(const std::string& system);

}  // namespace scree
