// A file with given bytes for one test, removed with the object.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace scree {

class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& bytes)
      : path(testing::TempDir() + "scree_" + std::to_string(getpid()) + "_" + name) {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::remove(path.c_str()); }

  const std::string path;
};

}  // namespace scree
