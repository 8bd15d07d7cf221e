// The manual page, and what shells complete: made from the commands that there are, so that neither goes stale.
#include <gmock/gmock.h>

#include "program.hpp"

namespace scree {
namespace {

using testing::HasSubstr;

class Printed : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    std::istringstream lines(scree({"--help"}).out);
    bool listed = false;
    for (std::string line; std::getline(lines, line);) {
      if (listed && line.starts_with("  ")) {
        std::string name;
        std::istringstream(line) >> name;
        if (line[2] != ' ') commands_.push_back(name);
      }
      if (line.empty()) listed = false;
      if (line.starts_with("Subcommands:")) listed = true;
    }
    ASSERT_GT(commands_.size(), 10u);
  }
  bool has(const std::string& program) const { return !shell("command -v " + program).empty(); }
  /// The long options of a command, as its help lists them.
  Words options_of(const std::string& command) const {
    Words options;
    std::istringstream lines(scree({command, "--help"}).out);
    for (std::string line; std::getline(lines, line);) {
      std::string word;
      std::istringstream(line) >> word;
      if (const std::size_t comma = word.find(','); comma != std::string::npos) word = word.substr(comma + 1);
      if (line.starts_with("  -") && word.starts_with("--")) options.push_back(word);
    }
    EXPECT_GT(options.size(), 0u) << command;
    return options;
  }

  Words commands_;
};

TEST_F(Printed, ManualHasEachCommandAndOption) {
  const Outcome page = scree({"--man"});
  EXPECT_EQ(page.code, 0);
  EXPECT_EQ(page.err, "");
  for (const std::string& command : commands_) {
    EXPECT_THAT(page.out, HasSubstr(".SS " + command)) << command;
    for (const std::string& option : options_of(command)) {
      if (option == "--help") continue;
      std::string escaped;
      for (const char c : option) escaped += c == '-' ? "\\-" : std::string(1, c);
      EXPECT_THAT(page.out, HasSubstr(escaped)) << command;
    }
  }
  EXPECT_THAT(page.out, HasSubstr(".SH EXAMPLES\n"));
}

TEST_F(Printed, ManualIsAsMandocWantsIt) {
  if (!has("mandoc")) GTEST_SKIP() << "there is no mandoc; setup.sh --tests installs it";
  ASSERT_EQ(scree({"--man"}, "scree.1").code, 0);
  // What was made of a tree without history, as of an unpacked archive, has no day.
  const bool is_dated = !read("scree.1").starts_with(".TH SCREE 1 \"\" ");
  EXPECT_EQ(shell("mandoc -T lint -W warning scree.1"),
            is_dated ? "" : "mandoc: scree.1:1:13: WARNING: missing date, using \"\": TH\n");
  const std::string page = shell("mandoc -T ascii scree.1 | col -b");
  EXPECT_THAT(page, HasSubstr("scree - ensembles of small mechanical systems"));
  EXPECT_THAT(page, HasSubstr("scree init rock > my.toml\n"));
}

TEST_F(Printed, BashCompletesCommandsOptionsAndNames) {
  ASSERT_EQ(scree({"completion", "bash"}, "scree.bash").code, 0);
  EXPECT_EQ(shell("bash -c '. ./scree.bash && complete -p scree'"), "complete -F _scree scree\n");
  const auto completed = [&](const std::string& line) {  // its last word
    write("ask.bash", ". ./scree.bash\nCOMP_WORDS=(" + line +
                          ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_scree\necho \"${COMPREPLY[*]}\"\n");
    return shell("bash ask.bash");
  };
  EXPECT_EQ(completed("scree conv"), "converge\n");
  EXPECT_EQ(completed("scree init proj"), "projectile\n");
  EXPECT_EQ(completed("scree run my.toml --scheme implicit_c"), "implicit_cay\n");
  EXPECT_EQ(completed("scree compare my.toml --schemes explicit,implicit_c"), "explicit,implicit_cay\n");
  EXPECT_EQ(completed("scree run my.toml --columns runout,runout_from_f"), "runout,runout_from_foot\n");
  EXPECT_EQ(completed("scree export r.h5 --to geot"), "geotiff\n");
  EXPECT_EQ(completed("scree verify --only roto"), "rotor\n");
  EXPECT_EQ(completed("scree completion z"), "zsh\n");
  EXPECT_EQ(completed("scree run my.toml --samples ''"), "\n");
  for (const std::string& command : commands_)
    for (const std::string& option : options_of(command))
      EXPECT_THAT(" " + completed("scree " + command + " " + option), HasSubstr(" " + option)) << command;
}

TEST_F(Printed, ZshCompletesTheSameWords) {
  if (!has("zsh")) GTEST_SKIP() << "there is no zsh; setup.sh --tests installs it";
  ASSERT_EQ(scree({"completion", "zsh"}, "_scree").code, 0);
  EXPECT_EQ(shell("zsh -fn _scree"), "");
  write("ask.zsh",
        "autoload -U compinit; compinit -D; . ./_scree; echo $_comps[scree]\n"
        "_scree_words run --scheme imp; _scree_words run --output ''; _scree_words '' scree conv\n");
  const std::string words = shell("zsh -f ask.zsh");
  EXPECT_THAT(words, testing::StartsWith("_scree\n"));
  EXPECT_THAT(words, HasSubstr(" implicit_cay "));
  EXPECT_THAT(words, HasSubstr("\nfiles\n"));
  EXPECT_THAT(words, HasSubstr(" converge "));
}

TEST_F(Printed, FishCompletesCommandsOptionsAndNames) {
  if (!has("fish")) GTEST_SKIP() << "there is no fish; setup.sh --tests installs it";
  ASSERT_EQ(scree({"completion", "fish"}, "scree.fish").code, 0);
  const auto completed = [&](const std::string& line) {
    return shell("HOME=. fish --no-config -c 'source scree.fish; complete -C \"" + line + "\"' | cut -f 1");
  };
  EXPECT_EQ(completed("scree conv"), "converge\n");
  EXPECT_EQ(completed("scree init proj"), "projectile\n");
  EXPECT_EQ(completed("scree run my.toml --scheme implicit_c"), "implicit_cay\n");
  EXPECT_EQ(completed("scree run my.toml --no-m"), "--no-maps\n");
}

TEST_F(Printed, OfAnotherShellThereIsNone) {
  expect_refusal({"completion", "bsh"}, 2, "completion: unknown shell \"bsh\", did you mean \"bash\"?");
}

}  // namespace
}  // namespace scree
