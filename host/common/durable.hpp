// Files that are there after a power loss too.
#pragma once

#include <cstddef>
#include <string>

namespace scree {

/// Writes all bytes at a place of an open file; false with errno, perhaps after a part of them. EINTR is tried again.
bool write_at(int file, const void* bytes, std::size_t count, std::size_t place);

/// Writes a file that is there, from its beginning. All throw std::runtime_error with the system's reason.
class FileWriter {
 public:
  explicit FileWriter(const std::string& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  void append(const void* bytes, std::size_t count);
  void close();

 private:
  int file_;
  std::size_t end_ = 0;
};

/// fsync of a file, opened for that, or of a folder; where the file system knows no such thing, nothing. Throw
/// std::runtime_error with the system's reason.
void sync_file(const std::string& path);
void sync_folder(const std::string& path);

/// The folder that a file lies in, "." if its name says none.
std::string folder_of(const std::string& path);

/// Gives a file another name, which no file has, and then says whether it did; throws std::runtime_error with the
/// system's reason where it could not for another one.
bool rename_to_new(const std::string& from, const std::string& to);

/// Sixteen hexadecimal digits that no other process takes.
std::string random_digits();

/// A file for its owner and, as the umask says, others, that was not there. Its name is `.NAME.` of the one that it is
/// for, or of the beginning and a hash of a long one, random_digits() and `.part`; throws std::runtime_error with the
/// system's reason.
std::string make_part_file(const std::string& path);
/// Removes what killed processes left by such names. Nobody else may be writing `path`.
void remove_part_files(const std::string& path);

}  // namespace scree
