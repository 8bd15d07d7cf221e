#include "text_input.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace scree {
namespace {

/// A file descriptor that closes itself.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) close(number);
  }
};

[[noreturn]] void cannot_read(const std::string& name, const std::string& why) {
  throw Error(Exit::input, name + ": cannot be read: " + why);
}

/// What is left of an open file, or comes from a pipe or a socket, which errors call `name`.
std::string read_to_end(int file, const std::string& name) {
  struct stat status = {};
  if (file < 0 || fstat(file, &status) != 0) cannot_read(name, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) cannot_read(name, std::strerror(EISDIR));
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode))
    cannot_read(name, "it is a device, not a file");
  // One more than is known to be there, to see the end: to grow by it takes the memory of a large file twice.
  std::string text(static_cast<std::size_t>(S_ISREG(status.st_mode) ? status.st_size + 1 : 0), '\0');
  std::size_t size = 0;
  while (true) {
    if (size == text.size()) text.resize(size + 65536);
    const ssize_t count = read(file, text.data() + size, text.size() - size);
    if (count == 0) break;
    if (count > 0) {
      size += static_cast<std::size_t>(count);
    } else if (errno == EAGAIN) {
      pollfd ready{file, POLLIN, 0};
      poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      cannot_read(name, std::strerror(errno));
    }
  }
  text.resize(size);
  if (text.compare(0, 3, "\xEF\xBB\xBF") == 0) text.erase(0, 3);
  return text;
}

}  // namespace

std::string read_text_file(const std::string& path) {
  // Without O_NONBLOCK a pipe that nobody writes to would be waited for, for ever.
  const Descriptor file{open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
  std::string text = read_to_end(file.number, path);
  struct stat status = {};
  if (text.empty() && fstat(file.number, &status) == 0 && S_ISFIFO(status.st_mode))
    cannot_read(path, "nobody writes to this pipe");
  return text;
}

std::string read_standard_input() { return read_to_end(STDIN_FILENO, "standard input"); }

}  // namespace scree
