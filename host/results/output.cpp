#include "output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "host/common/error.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// Where a name leads, through links, also to a file that is not there yet. Itself a link if these lead nowhere but to
/// one another.
fs::path destination(fs::path path) {
  std::error_code ignored;
  for (int k = 0; k < 40 && fs::is_symlink(path, ignored); ++k)
    path = path.parent_path() / fs::read_symlink(path, ignored);  // an absolute one stands alone
  return path;
}

/// A name beside the result that no other process uses.
fs::path temporary_name(const fs::path& path) {
  return path.parent_path() / ("." + path.filename().string() + "." + std::to_string(getpid()) + ".part");
}

std::string folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path().string() : std::string(".");
}

}  // namespace

void check_output(const std::string& path, bool force, const std::vector<std::string>& inputs) {
  const fs::path target = destination(path);
  std::error_code ignored;
  if (fs::is_symlink(target, ignored)) throw Error(Exit::usage, path + ": is a link that leads to itself");
  if (target.filename().empty() || fs::is_directory(target, ignored))
    throw Error(Exit::usage, path + ": the result is a file, but this names a folder");
  const std::string folder = folder_of(target);
  if (!fs::is_directory(folder, ignored)) throw Error(Exit::usage, path + ": there is no folder " + folder);
  // A rename would put the result in the place of the device or pipe, with --force too.
  if (fs::exists(target, ignored) && !fs::is_regular_file(target, ignored))
    throw Error(Exit::usage, path + ": the result is a file, but this names a device or a pipe");
  for (const std::string& input : inputs)
    if (fs::equivalent(target, input, ignored))
      throw Error(Exit::usage, path + ": is " + (input == path ? "" : input + ", ") +
                                   "an input of this command, and would be replaced by its result");
  if (fs::exists(target, ignored) && !force)
    throw Error(Exit::usage, path + ": exists already; give another name, or --force to replace it");
  // Only an attempt tells whether a folder can be written: permissions, read-only mounts and quotas all count.
  const fs::path temporary = temporary_name(target);
  const int file = open(temporary.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (file < 0) throw Error(Exit::usage, path + ": cannot write to the folder " + folder + ": " + std::strerror(errno));
  close(file);
  fs::remove(temporary, ignored);
}

void write_renamed(const std::string& path, const std::function<void(const std::string& temporary)>& write) {
  const fs::path target = destination(path), temporary = temporary_name(target);
  try {
    write(temporary.string());
    fs::rename(temporary, target);
  } catch (const Error&) {  // which says all
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw;
  } catch (const std::exception& error) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw Error(Exit::failed, path + ": cannot be written: " + error.what());
  }
}

}  // namespace scree
