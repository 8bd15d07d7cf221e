// docs/first_map.md: its commands run, and print what it shows.
#include <gmock/gmock.h>

#include <sstream>

#include "program.hpp"

namespace scree {
namespace {

/// A command of the page, and the lines that it shows of what the command prints.
struct Shown {
  std::string command;
  std::vector<std::string> lines;
};

std::vector<Shown> shown_in(const std::string& page) {
  std::vector<Shown> commands;
  std::istringstream lines(page);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = line == "```console";
    } else if (inside && line.starts_with("$ ")) {
      commands.push_back({line.substr(2), {}});
    } else if (inside && line != "...") {
      commands.back().lines.push_back(line);
    }
  }
  return commands;
}

TEST_F(Cli, TheFirstMapIsWhatItsPageSays) {
  std::filesystem::create_symlink(SCREE_SOURCE_DIR "/configs", path("configs"));
  const std::string folder = std::filesystem::path(SCREE_PROGRAM).parent_path();
  std::ifstream file(SCREE_SOURCE_DIR "/docs/first_map.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  const std::vector<Shown> commands = shown_in(page);
  ASSERT_EQ(commands.size(), 8u);
  for (const Shown& shown : commands) {
    SCOPED_TRACE(shown.command);
    ASSERT_TRUE(shown.command.starts_with("scree "));
    const std::string printed = shell("PATH='" + folder + "':$PATH; " + shown.command + " 2>&1; echo code $?");
    EXPECT_TRUE(printed.ends_with("code 0\n")) << printed;
    std::size_t at = 0;
    ASSERT_FALSE(shown.lines.empty());
    for (const std::string& line : shown.lines) {
      const std::size_t found = printed.find(line + "\n", at);
      ASSERT_NE(found, std::string::npos) << line << "\nis not, in this place, in\n" << printed;
      at = found + line.size();
    }
  }
  for (const char* made : {"first_map.html", "first_map.gpkg", "path.csv", "layers/kinetic_energy_p95.qml"})
    EXPECT_TRUE(std::filesystem::exists(path(made))) << made;
}

}  // namespace
}  // namespace scree
