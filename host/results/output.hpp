// Where a result goes: the check before the run, and a file that is there whole or not at all.
//
// A link that has the name of a result is replaced by it, as a file is, and never followed: who may make links in a
// folder could else have a result replace any file of the one who writes it.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace scree {

/// Throws Error(Exit::usage) if a result cannot be written there: a folder, a missing or unwritable folder, a device or
/// what leads to one, a file or link that is there already without `force`, or one of `inputs`, whatever its name. To
/// be called before the run.
void check_output(const std::string& path, bool force, const std::vector<std::string>& inputs = {});

/// Whether a result of that name takes the place of a file, by whatever name that is known.
bool would_replace(const std::string& path, const std::string& file);

/// Calls `write` with the name of an empty file in the same folder, and renames it when what it holds is on the disk:
/// at every moment there is no file of that name, the one of before, or the whole new one. Leaves nothing behind and
/// throws Error(Exit::failed) if that fails, Error(Exit::device) where memory runs out, or the Error that `write`
/// throws. Not to `replace` means that a file which has appeared there meanwhile stays, and is such a failure. Where
/// the new name may not be on the disk the file is there, and Error(Exit::failed) says so.
void write_renamed(const std::string& path, const std::function<void(const std::string& temporary)>& write,
                   bool replace = true);

/// Sees to it that a file has its name after a power loss too; throws Error(Exit::failed) where that fails.
void sync_name(const std::string& path);

}  // namespace scree
