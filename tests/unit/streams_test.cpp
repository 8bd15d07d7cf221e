// Two jobs on one CUDA device do not wait for each other: each works on streams of its own (kernels/cuda_check.hpp),
// none on CUDA's default stream, which all of a process share, and none waits for all that the device does.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Source {
  std::string name, text;
};

/// All that may be compiled as CUDA.
std::vector<Source> sources() {
  std::vector<Source> all;
  for (const char* folder : {"kernels", "bench", "src"})
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(fs::path(SCREE_SOURCE_DIR) / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cu" && extension != ".cuh" && extension != ".hpp" && extension != ".cpp") continue;
      std::stringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      all.push_back({entry.path().string(), text.str()});
    }
  return all;
}

TEST(Streams, AreNamedByEveryLaunch) {
  int launches = 0;
  for (const Source& source : sources())
    for (std::size_t at = 0; (at = source.text.find("<<<", at)) != std::string::npos; ++launches) {
      const std::size_t end = source.text.find(">>>", at);
      ASSERT_NE(end, std::string::npos) << source.name;
      const std::string configuration = source.text.substr(at + 3, end - at - 3);
      int depth = 0, commas = 0;
      for (const char c : configuration) {
        depth += (c == '(') - (c == ')');
        commas += c == ',' && depth == 0;
      }
      EXPECT_EQ(commas, 3) << source.name << ": <<<" << configuration << ">>>";
      at = end;
    }
  EXPECT_GE(launches, 10);
}

TEST(Streams, AreWaitedForOneByOne) {
  for (const Source& source : sources())
    for (const char* call : {"cudaDeviceSynchronize", "cudaThreadSynchronize", "cudaMemcpy(", "cudaMemset(",
                             "cudaMemcpyToSymbol(", "cudaStreamLegacy"})
      EXPECT_EQ(source.text.find(call), std::string::npos) << source.name << ": " << call;
}

}  // namespace
