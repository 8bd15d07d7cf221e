#include "output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>

#include "host/common/durable.hpp"
#include "host/common/error.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// A rename would put the result in the place of the device or pipe, with --force too; so it would in that of the link
/// to an open file by which /dev names standard output.
void require_no_device(const std::string& path) {
  std::error_code ignored;
  const bool leads_to_open_file = fs::read_symlink(path, ignored).string().starts_with("/proc/");
  if (leads_to_open_file || (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)))
    throw Error(Exit::usage, path + ": the result is a file, but this names a device or a pipe");
}

}  // namespace

bool would_replace(const std::string& path, const std::string& file) {
  std::error_code ignored;
  if (!fs::is_symlink(path, ignored)) return fs::equivalent(path, file, ignored);
  return fs::path(path).filename() == fs::path(file).filename() &&
         fs::equivalent(folder_of(path), folder_of(file), ignored);
}

void check_output(const std::string& path, bool force, const std::vector<std::string>& inputs) {
  std::error_code ignored;
  if (fs::path(path).filename().empty() || fs::is_directory(path, ignored))
    throw Error(Exit::usage, path + ": the result is a file, but this names a folder");
  const std::string folder = folder_of(path);
  if (!fs::is_directory(folder, ignored)) throw Error(Exit::usage, path + ": there is no folder " + folder);
  require_no_device(path);
  for (const std::string& input : inputs)
    if (would_replace(path, input))
      throw Error(Exit::usage, path + ": is " + (input == path ? "" : input + ", ") +
                                   "an input of this command, and would be replaced by its result");
  if (fs::exists(fs::symlink_status(path, ignored)) && !force)
    throw Error(Exit::usage, path + ": exists already; give another name, or --force to replace it");
  // Only an attempt tells whether a folder can be written: permissions, read-only mounts and quotas all count.
  try {
    fs::remove(make_part_file(path), ignored);
  } catch (const std::runtime_error& error) {
    throw Error(Exit::usage, path + ": cannot write to the folder " + folder + ": " + error.what());
  }
}

void write_renamed(const std::string& path, const std::function<void(const std::string& temporary)>& write,
                   bool replace) {
  require_no_device(path);
  std::string temporary;
  const auto take_back = [&] {
    std::error_code ignored;
    fs::remove(temporary, ignored);
  };
  try {
    temporary = make_part_file(path);
    write(temporary);
    sync_file(temporary);
    if (replace && std::rename(temporary.c_str(), path.c_str()) != 0) throw std::runtime_error(std::strerror(errno));
    if (!replace && !rename_to_new(temporary, path))
      throw Error(Exit::failed, path + ": a file has appeared there meanwhile, which --force would replace");
  } catch (const Error&) {  // which says all
    take_back();
    throw;
  } catch (const std::bad_alloc&) {
    take_back();
    throw Error(Exit::device, path + ": cannot be written: out of memory");
  } catch (const std::exception& error) {
    take_back();
    throw Error(Exit::failed, path + ": cannot be written: " + error.what());
  }
  sync_name(path);
}

void sync_name(const std::string& path) {
  try {
    sync_folder(folder_of(path));
  } catch (const std::runtime_error& error) {
    throw Error(Exit::failed, path + ": is written, but may not outlast a power loss: " + error.what());
  }
}

}  // namespace scree
