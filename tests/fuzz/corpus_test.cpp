// The corpus of each harness, without libFuzzer: every input keeps the promises of harness.hpp.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <set>
#include <string>

#include "harness.hpp"

/// libhdf5 1.10 loses memory of files that it finds damaged.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }

namespace scree::fuzz {

/// What GTest calls a harness.
void PrintTo(const Harness& harness, std::ostream* out) { *out << harness.name; }

namespace {

namespace fs = std::filesystem;

const fs::path corpus = fs::path(SCREE_SOURCE_DIR) / "tests/fuzz/corpus";

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Else their harnesses would try changes of what is refused anyway.
TEST(Studies, AreTakenAndRun) {
  for (const char* system : {"rock", "slider", "projectile", "disk"})
    if (!study(system).empty()) {
      EXPECT_NO_THROW(read_and_run(study(system))) << system;
    }
  if (!study("rock").empty()) {
    EXPECT_NO_THROW(read_and_run(study("rock", true)));
  }
}

class Corpus : public testing::TestWithParam<Harness> {};

INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus, testing::ValuesIn(harnesses()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(Corpus, KeepsThePromisesOfReaders) {
  int inputs = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(corpus / GetParam().name)) {
    EXPECT_EQ(verdict(GetParam(), bytes_of(entry.path())), "") << entry.path();
    ++inputs;
  }
  EXPECT_GE(inputs, 5);
}

TEST(Corpus, HasAFolderForEachHarness) {
  std::set<std::string> names, folders;
  for (const Harness& harness : harnesses()) names.insert(harness.name);
  for (const fs::directory_entry& entry : fs::directory_iterator(corpus)) folders.insert(entry.path().filename());
  EXPECT_EQ(names, folders);
}

TEST(Corpus, IsSmall) {
  std::uintmax_t bytes = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(corpus))
    if (entry.is_regular_file()) bytes += entry.file_size();
  EXPECT_LT(bytes, 300000u);
}

/// Those that come with the tree, which need data of their own in part.
TEST(Corpus, HasTheConfigsOfTheTree) {
  for (const Harness& harness : harnesses())
    if (std::string(harness.name) == "config")
      for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(SCREE_SOURCE_DIR) / "configs"))
        if (entry.path().extension() == ".toml") {
          EXPECT_EQ(verdict(harness, bytes_of(entry.path())), "") << entry.path();
        }
}

}  // namespace
}  // namespace scree::fuzz
