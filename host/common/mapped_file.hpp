// Memory that lies in a file: for numbers that are more than memory is to hold.
#pragma once

#include <cstddef>
#include <string>

namespace scree {

/// Zeros in a file that has lost its name already, so that it goes with the process. All its blocks are reserved: no
/// write into the memory fails later.
class MappedFile {
 public:
  /// In the folder of `path`, by a name like that of its temporary files. Throws Error(Exit::device) where there is no
  /// room for so many bytes.
  MappedFile(const std::string& path, std::size_t bytes);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  void* data() const { return data_; }
  /// Keeps these bytes out of the process until they are asked for: the system has what was written and takes it to the
  /// file when it likes. Other threads may read and write them meanwhile.
  void release(std::size_t first, std::size_t count) const;

 private:
  void* data_ = nullptr;
  std::size_t bytes_;
  int file_ = -1;
};

}  // namespace scree
