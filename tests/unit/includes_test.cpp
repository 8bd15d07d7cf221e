// Includes run one way: host -> kernels -> src, between the rooms of host/ in the order that docs/building.md states,
// and never in a circle.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path root = SCREE_SOURCE_DIR;

std::string contents(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The words of the line that follows the one with `text` in docs/building.md.
std::vector<std::string> words_after(const std::string& text) {
  std::istringstream lines(contents(root / "docs/building.md"));
  std::string line;
  while (std::getline(lines, line))
    if (line.find(text) != std::string::npos && std::getline(lines, line)) {
      std::istringstream words(line);
      return {std::istream_iterator<std::string>(words), {}};
    }
  return {};
}

/// The files of the tree that a file includes in quotes, as "src/real.hpp". A file that the build writes, as
/// host/common/version.hpp, counts by its name.
std::set<std::string> includes_of(const std::string& name) {
  std::set<std::string> found;
  std::istringstream lines(contents(root / name));
  std::string line;
  while (std::getline(lines, line)) {
    if (!line.starts_with("#include \"")) continue;
    const std::string text = line.substr(10, line.find('"', 10) - 10);
    const fs::path beside = (fs::path(name).parent_path() / text).lexically_normal();
    found.insert(fs::exists(root / beside) ? beside.generic_string() : text);
  }
  return found;
}

/// What each header and source below src/, kernels/ and host/ includes.
const std::map<std::string, std::set<std::string>>& tree() {
  static const std::map<std::string, std::set<std::string>> all = [] {
    std::map<std::string, std::set<std::string>> files;
    for (const char* top : {"src", "kernels", "host"})
      for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top)) {
        const std::string extension = entry.path().extension().string();
        if (extension != ".hpp" && extension != ".cpp" && extension != ".cuh" && extension != ".cu") continue;
        const std::string name = entry.path().lexically_relative(root).generic_string();
        files[name] = includes_of(name);
      }
    return files;
  }();
  return all;
}

/// "src" of src/real.hpp, "host/common" of host/common/error.hpp, "host" of host/main.cpp.
std::string place_of(const std::string& name) {
  const fs::path folder = fs::path(name).parent_path();
  const auto part = folder.begin();
  if (part == folder.end()) return "";
  if (*part != "host" || std::next(part) == folder.end()) return part->string();
  return (*part / *std::next(part)).generic_string();
}

TEST(Includes, RunOneWayBetweenTheFoldersAndRooms) {
  std::vector<std::string> order{"src", "kernels"};
  for (const std::string& room : words_after("each of which includes only those before it"))
    order.push_back("host/" + room);
  order.push_back("bench");  // a command of the program
  order.push_back("host");   // main.cpp
  const auto rank = [&](const std::string& place) { return std::ranges::find(order, place) - order.begin(); };
  std::set<std::string> rooms;
  int compared = 0;
  for (const auto& [name, includes] : tree()) {
    const std::string here = place_of(name);
    rooms.insert(here);
    EXPECT_NE(std::ranges::find(order, here), order.end())
        << name << " lies in a room that docs/building.md does not name";
    for (const std::string& included : includes) {
      EXPECT_NE(std::ranges::find(order, place_of(included)), order.end()) << name << " includes " << included;
      EXPECT_LE(rank(place_of(included)), rank(here)) << name << " includes " << included;
      ++compared;
    }
  }
  EXPECT_EQ(rooms.size() + 1, order.size()) << "docs/building.md names a room that is not there";
  EXPECT_GT(compared, 500);
}

TEST(Includes, OfPhysicsDoNotReachForTheSystems) {
  int compared = 0;
  for (const auto& [name, includes] : tree()) {
    if (!name.starts_with("src/") || name.starts_with("src/systems/")) continue;
    for (const std::string& included : includes) {
      EXPECT_FALSE(included.starts_with("src/systems/")) << name << " includes " << included;
      ++compared;
    }
  }
  EXPECT_GT(compared, 50);
}

TEST(Includes, MakeNoCircle) {
  std::map<std::string, int> state;  // 1 while its includes are followed, 2 after that
  std::vector<std::string> path;
  const auto follow = [&](const auto& self, const std::string& name) -> void {
    path.push_back(name);
    int& visited = state[name];
    EXPECT_NE(visited, 1) << name << " includes itself through " << path[path.size() - 2];
    if (visited == 0) {
      visited = 1;
      if (const auto file = tree().find(name); file != tree().end())
        for (const std::string& included : file->second) self(self, included);
      state[name] = 2;
    }
    path.pop_back();
  };
  for (const auto& [name, includes] : tree()) follow(follow, name);
  EXPECT_GT(state.size(), 150u);
}

/// What the caller is told, and by whom it is stopped, are its own affair (host/common/caller.hpp). `commands` and
/// `verify` write what they have found to standard output.
TEST(Library, NeitherPrintsNorTakesSignals) {
  const std::set<std::string> of_the_program{"host", "host/commands", "host/verify"};
  int files = 0;
  for (const auto& [name, includes] : tree()) {
    const std::string text = contents(root / name);
    const auto has = [&](const char* word) { return text.find(word) != std::string::npos; };
    if (!of_the_program.contains(place_of(name))) {
      ++files;
      EXPECT_FALSE(has("sigaction(") || has("std::signal(")) << name;
      if (name == "host/engine/progress.cpp") continue;  // TerminalReporter
      EXPECT_FALSE(has("std::cout") || has("stdout") || has("std::puts(") || has("std::printf(")) << name;
    }
    if (name == "host/engine/progress.cpp" || place_of(name) == "host") continue;
    EXPECT_FALSE(has("std::cerr") || has("std::clog") || has("(stderr") || has("stderr)") || has("perror(")) << name;
  }
  EXPECT_GT(files, 100);
}

}  // namespace
