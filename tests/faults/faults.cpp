// A library to preload into the program: calls that concern the file FAULT_FILE, or files whose names contain its, fail
// as the environment says. So a test can have each of them fail in turn, or the power go at each.
//
//   FAULT_FILE   part of the names of the files that it is about
//   FAULT_CALL   open, write (pwrite and writev too), sync (fsync, fdatasync), rename (renameat2, link), unlink,
//                truncate or lock (the lock of fcntl); any: each of them counts
//   FAULT_AT     the call that fails, from 1
//   FAULT_ERRNO  what it fails with; `short`: a write writes one byte; `slow`: it takes FAULT_SECONDS more, one if that
//                is not set, and does not fail; `power`: the power goes
//   FAULT_ON     set: so do all later ones
//   FAULT_ROOM   bytes that every disk says are left on it
//   FAULT_IMAGE  a folder that gets, when the power goes, the folder of the file as the disk has it at worst: of each
//                file what was there at its last sync, by the names that its folder had at its own; FAULT_NAMES=now: by
//                the names of now, for a disk may be ahead with them
//
// A file `fired` beside it says that it happened, and `calls`, at the end of the program, how many there were.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>

namespace {

namespace fs = std::filesystem;

template <class F>
F next(const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// What a disk has at worst.
class Disk {
 public:
  explicit Disk(const fs::path& folder) : folder_(folder) {
    for (const auto& [name, inode] : names()) {
      names_[name] = inode;
      contents_[inode] = contents(folder_ / name);
    }
  }
  void synced(int file) {
    struct stat status {};
    if (fstat(file, &status) != 0) return;
    if (S_ISDIR(status.st_mode))
      names_ = names();
    else
      contents_[status.st_ino] = contents("/proc/self/fd/" + std::to_string(file));
  }
  void save(const fs::path& image, bool names_of_now) const {
    for (const auto& [name, inode] : names_of_now ? names() : names_) {
      const auto there = contents_.find(inode);
      std::ofstream(image / name, std::ios::binary) << (there == contents_.end() ? "" : there->second);
    }
  }

 private:
  std::map<std::string, ino_t> names() const {
    std::map<std::string, ino_t> all;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      struct stat status {};
      if (stat(entry.path().c_str(), &status) == 0 && S_ISREG(status.st_mode))
        all[entry.path().filename().string()] = status.st_ino;
    }
    return all;
  }
  fs::path folder_;
  std::map<std::string, ino_t> names_;
  std::map<ino_t, std::string> contents_;
};

struct Fault {
  std::string file = variable("FAULT_FILE"), call = variable("FAULT_CALL"), kind = variable("FAULT_ERRNO"),
              image = variable("FAULT_IMAGE");
  long at = std::atol(variable("FAULT_AT").c_str());
  bool goes_on = std::getenv("FAULT_ON") != nullptr;
  std::atomic<long> calls{0};
  std::atomic<bool> is_inside{false};  // what the library itself calls does not count
  std::mutex mutex;
  Disk disk{fs::current_path()};

  ~Fault() {
    is_inside = true;
    std::ofstream("calls") << calls;
  }
  /// Whether this call is to fail; then errno is set.
  bool fails(const char* name, const std::string& path) {
    if (file.empty() || is_inside || path.find(file) == std::string::npos) return false;
    if (call != "any" && call != name) return false;
    const long number = ++calls;
    if (number != at && !(goes_on && number > at)) return false;
    std::unique_lock lock(mutex);
    is_inside = true;
    std::ofstream("fired") << name << ' ' << path;
    if (kind == "power") {
      disk.save(image, variable("FAULT_NAMES") == "now");
      _exit(137);
    }
    is_inside = false;
    if (kind == "slow") {
      lock.unlock();
      const long seconds = std::atol(variable("FAULT_SECONDS").c_str());
      unsigned left = seconds > 0 ? static_cast<unsigned>(seconds) : 1;
      while (left > 0) left = sleep(left);  // signals do not shorten it
      return false;
    }
    errno = kind == "short" ? 0 : std::atoi(kind.c_str());
    return true;
  }
  void synced(int descriptor) {
    if (image.empty() || is_inside) return;
    const std::lock_guard lock(mutex);
    is_inside = true;
    disk.synced(descriptor);
    is_inside = false;
  }
};

Fault& fault() {
  static Fault one;
  return one;
}
[[gnu::constructor]] void begin() { fault(); }

std::string path_of(int file) {
  char path[4096];
  const ssize_t size = readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), path, sizeof path);
  return size > 0 ? std::string(path, static_cast<std::size_t>(size)) : "";
}
/// Of a folder that of the file counts.
std::string synced_path(int file) {
  struct stat status {};
  return fstat(file, &status) == 0 && S_ISDIR(status.st_mode) ? fault().file : path_of(file);
}

template <class Write>
ssize_t write_or_fail(int file, std::size_t count, const Write& write) {
  if (!fault().fails("write", path_of(file))) return write(count);
  return fault().kind == "short" && count > 0 ? write(1) : -1;
}

int open_or_fail(const char* name, const char* path, int flags, mode_t mode) {
  if (fault().fails("open", path)) return -1;
  return next<int (*)(const char*, int, ...)>(name)(path, flags, mode);
}
mode_t mode_of(int flags, va_list arguments) { return flags & O_CREAT ? va_arg(arguments, mode_t) : 0; }

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_or_fail("open", path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_or_fail("open64", path, flags, mode);
}
ssize_t write(int file, const void* bytes, std::size_t count) {
  return write_or_fail(file, count, [&](std::size_t n) {
    return next<ssize_t (*)(int, const void*, std::size_t)>("write")(file, bytes, n);
  });
}
ssize_t writev(int file, const iovec* parts, int count) {
  if (fault().fails("write", path_of(file))) return -1;
  return next<ssize_t (*)(int, const iovec*, int)>("writev")(file, parts, count);
}
ssize_t pwrite(int file, const void* bytes, std::size_t count, off_t place) {
  return write_or_fail(file, count, [&](std::size_t n) {
    return next<ssize_t (*)(int, const void*, std::size_t, off_t)>("pwrite")(file, bytes, n, place);
  });
}
ssize_t pwrite64(int file, const void* bytes, std::size_t count, off64_t place) {
  return write_or_fail(file, count, [&](std::size_t n) {
    return next<ssize_t (*)(int, const void*, std::size_t, off64_t)>("pwrite64")(file, bytes, n, place);
  });
}
int fsync(int file) {
  if (fault().fails("sync", synced_path(file))) return -1;
  const int result = next<int (*)(int)>("fsync")(file);
  fault().synced(file);
  return result;
}
int fdatasync(int file) {
  if (fault().fails("sync", synced_path(file))) return -1;
  const int result = next<int (*)(int)>("fdatasync")(file);
  fault().synced(file);
  return result;
}
int rename(const char* from, const char* to) {
  if (fault().fails("rename", to)) return -1;
  return next<int (*)(const char*, const char*)>("rename")(from, to);
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  if (fault().fails("rename", to)) return -1;
  return next<int (*)(int, const char*, int, const char*, unsigned)>("renameat2")(from_folder, from, to_folder, to,
                                                                                  flags);
}
int link(const char* from, const char* to) {
  if (fault().fails("rename", to)) return -1;
  return next<int (*)(const char*, const char*)>("link")(from, to);
}
int unlink(const char* path) {
  if (fault().fails("unlink", path)) return -1;
  return next<int (*)(const char*)>("unlink")(path);
}
int statvfs(const char* path, struct statvfs* room) noexcept {
  const int result = next<int (*)(const char*, struct statvfs*)>("statvfs")(path, room);
  if (const std::string left = variable("FAULT_ROOM"); result == 0 && !left.empty())
    room->f_bavail = std::stoull(left) / room->f_frsize;
  return result;
}
int ftruncate(int file, off_t size) {
  if (fault().fails("truncate", path_of(file))) return -1;
  return next<int (*)(int, off_t)>("ftruncate")(file, size);
}
int ftruncate64(int file, off64_t size) {
  if (fault().fails("truncate", path_of(file))) return -1;
  return next<int (*)(int, off64_t)>("ftruncate64")(file, size);
}
int fcntl64(int file, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  if (command == F_OFD_SETLK && fault().fails("lock", path_of(file))) return -1;
  return next<int (*)(int, int, ...)>("fcntl64")(file, command, argument);
}
int fcntl(int file, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  if (command == F_OFD_SETLK && fault().fails("lock", path_of(file))) return -1;
  return next<int (*)(int, int, ...)>("fcntl")(file, command, argument);
}

}  // extern "C"
