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

/// Where a name leads, through links, also to a file that is not there yet. Itself a link if these lead nowhere but to
/// one another.
fs::path destination(fs::path path) {
  std::error_code ignored;
  for (int k = 0; k < 40 && fs::is_symlink(path, ignored); ++k)
    path = path.parent_path() / fs::read_symlink(path, ignored);  // an absolute one stands alone
  return path;
}

/// A rename would put the result in the place of the device or pipe, with --force too.
void require_no_device(const std::string& path, const fs::path& target) {
  std::error_code ignored;
  if (fs::exists(target, ignored) && !fs::is_regular_file(target, ignored))
    throw Error(Exit::usage, path + ": the result is a file, but this names a device or a pipe");
}

}  // namespace

std::string place_of_output(const std::string& path) { return destination(path).string(); }

void check_output(const std::string& path, bool force, const std::vector<std::string>& inputs) {
  const fs::path target = destination(path);
  std::error_code ignored;
  if (fs::is_symlink(target, ignored)) throw Error(Exit::usage, path + ": is a link that leads to itself");
  if (target.filename().empty() || fs::is_directory(target, ignored))
    throw Error(Exit::usage, path + ": the result is a file, but this names a folder");
  const std::string folder = folder_of(target);
  if (!fs::is_directory(folder, ignored)) throw Error(Exit::usage, path + ": there is no folder " + folder);
  require_no_device(path, target);
  for (const std::string& input : inputs)
    if (fs::equivalent(target, input, ignored))
      throw Error(Exit::usage, path + ": is " + (input == path ? "" : input + ", ") +
                                   "an input of this command, and would be replaced by its result");
  if (fs::exists(target, ignored) && !force)
    throw Error(Exit::usage, path + ": exists already; give another name, or --force to replace it");
  // Only an attempt tells whether a folder can be written: permissions, read-only mounts and quotas all count.
  try {
    fs::remove(make_part_file(target), ignored);
  } catch (const std::runtime_error& error) {
    throw Error(Exit::usage, path + ": cannot write to the folder " + folder + ": " + error.what());
  }
}

void write_renamed(const std::string& path, const std::function<void(const std::string& temporary)>& write,
                   bool replace) {
  const std::string target = place_of_output(path);
  require_no_device(path, target);
  std::string temporary;
  const auto take_back = [&] {
    std::error_code ignored;
    fs::remove(temporary, ignored);
  };
  try {
    temporary = make_part_file(target);
    write(temporary);
    sync_file(temporary);
    if (replace && std::rename(temporary.c_str(), target.c_str()) != 0) throw std::runtime_error(std::strerror(errno));
    if (!replace && !rename_to_new(temporary, target))
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
    sync_folder(folder_of(place_of_output(path)));
  } catch (const std::runtime_error& error) {
    throw Error(Exit::failed, path + ": is written, but may not outlast a power loss: " + error.what());
  }
}

}  // namespace scree
