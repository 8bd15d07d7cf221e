#include "mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "available_memory.hpp"
#include "durable.hpp"
#include "error.hpp"

namespace scree {
namespace {

/// A new file without a name; -1 with errno.
int nameless_file(const std::string& path) {
  const int file = open(folder_of(path).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  try {  // of a file system that knows none
    const std::string name = make_part_file(path);
    const int named = open(name.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    const int reason = errno;
    unlink(name.c_str());
    errno = reason;
    return named;
  } catch (const std::runtime_error&) {
    return -1;
  }
}

}  // namespace

MappedFile::MappedFile(const std::string& path, std::size_t bytes) : bytes_(bytes) {
  file_ = nameless_file(path);
  int reason = file_ < 0 ? errno : 0;
  // Else ext4 takes all that there is before it finds that it is not enough, and others meet a full disk meanwhile.
  struct statvfs room {};
  if (reason == 0 && fstatvfs(file_, &room) == 0 && room.f_frsize > 0 && bytes / room.f_frsize > room.f_bavail)
    reason = ENOSPC;
  if (reason == 0 && bytes > 0) {
    do reason = posix_fallocate(file_, 0, static_cast<off_t>(bytes));
    while (reason == EINTR);
    if (reason == 0) data_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (reason == 0 && data_ == MAP_FAILED) reason = errno;
  }
  if (reason == 0) return;
  if (file_ >= 0) close(file_);
  throw Error(Exit::device, folder_of(path) + ": a file of " + bytes_text(static_cast<double>(bytes)) +
                                " for what memory is not to hold: " + std::strerror(reason));
}

MappedFile::~MappedFile() {
  if (bytes_ > 0) munmap(data_, bytes_);
  close(file_);
}

void MappedFile::release(std::size_t first, std::size_t count) const {
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t begin = first / page * page, end = std::min(bytes_, (first + count + page - 1) / page * page);
  if (begin >= end) return;
  madvise(static_cast<char*>(data_) + begin, end - begin, MADV_DONTNEED);
}

}  // namespace scree
