#include "durable.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <xxhash.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <utility>

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr const char* part_end = ".part";

[[noreturn]] void fail(int reason) { throw std::runtime_error(std::strerror(reason)); }

void sync(const std::string& path, int flags) {
  const int file = open(path.c_str(), flags | O_CLOEXEC);
  if (file < 0) fail(errno);
  const int reason = fsync(file) == 0 ? 0 : errno;
  close(file);
  // Of some network file systems, which keep what was written by other means, or not at all.
  if (reason != 0 && reason != EINVAL && reason != ENOSYS && reason != EROFS && reason != ENOTSUP) fail(reason);
}

/// Of a name that is nearly as long as names may be, its beginning and a hash of all of it: others may begin alike.
std::string part_start(const std::string& path) {
  constexpr std::size_t longest = 200, kept = 184;
  std::string name = fs::path(path).filename().string();
  if (name.size() > longest) {
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(XXH3_64bits(name.data(), name.size())));
    name = name.substr(0, kept) + hash;
  }
  return "." + name + ".";
}

}  // namespace

bool write_at(int file, const void* bytes, std::size_t count, std::size_t place) {
  const char* from = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t written = pwrite(file, from, count, static_cast<off_t>(place));
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = ENOSPC;
    if (written <= 0) return false;
    from += written;
    place += static_cast<std::size_t>(written);
    count -= static_cast<std::size_t>(written);
  }
  return true;
}

FileWriter::FileWriter(const std::string& path) : file_(open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW)) {
  if (file_ < 0) fail(errno);
}

FileWriter::~FileWriter() {
  if (file_ >= 0) ::close(file_);
}

void FileWriter::append(const void* bytes, std::size_t count) {
  if (!write_at(file_, bytes, count, end_)) fail(errno);
  end_ += count;
}

void FileWriter::close() {
  if (::close(std::exchange(file_, -1)) != 0) fail(errno);
}

void sync_file(const std::string& path) { sync(path, O_RDWR); }
void sync_folder(const std::string& path) { sync(path, O_RDONLY | O_DIRECTORY); }

std::string folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? std::string(".") : folder.string();
}

bool rename_to_new(const std::string& from, const std::string& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno == EEXIST) return false;
  if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) fail(errno);
  // A file system that does not know the flag: a second name is as exclusive, where there are such.
  if (link(from.c_str(), to.c_str()) == 0) {
    unlink(from.c_str());
    return true;
  }
  if (errno == EEXIST) return false;
  if (access(to.c_str(), F_OK) == 0) return false;
  if (std::rename(from.c_str(), to.c_str()) != 0) fail(errno);
  return true;
}

std::string random_digits() {
  std::random_device random;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%08x%08x", static_cast<unsigned>(random()), static_cast<unsigned>(random()));
  return digits;
}

std::string make_part_file(const std::string& path) {
  for (int tries = 0;; ++tries) {
    const std::string name = (fs::path(path).parent_path() / (part_start(path) + random_digits() + part_end)).string();
    const int file = open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file >= 0) {
      close(file);
      return name;
    }
    if (errno != EEXIST || tries == 100) fail(errno);
  }
}

void remove_part_files(const std::string& path) {
  const std::string start = part_start(path);
  const std::size_t size = start.size() + random_digits().size() + std::strlen(part_end);
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_of(path), ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.size() == size && name.starts_with(start) && name.ends_with(part_end)) fs::remove(entry.path(), ignored);
  }
}

}  // namespace scree
