// Where a result goes: the check before the run, and a file that is there whole or not at all.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace scree {

/// Throws Error(Exit::usage) if a result cannot be written there, which through a link is where that leads: a folder, a
/// missing or unwritable folder, a file that is there already without `force`, or one of `inputs`, whatever its name.
/// To be called before the run.
void check_output(const std::string& path, bool force, const std::vector<std::string>& inputs = {});

/// Calls `write` with a temporary name in the same folder, that of the file which a link leads to, and renames what it
/// wrote. Leaves nothing behind and throws Error(Exit::failed) if that fails, or the Error that `write` throws.
void write_renamed(const std::string& path, const std::function<void(const std::string& temporary)>& write);

}  // namespace scree
