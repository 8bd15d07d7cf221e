// `scree build` where it stops before it compiles. tests/install/test.sh compiles with it.
#include <gmock/gmock.h>

#include "program.hpp"

namespace scree {
namespace {

class Building : public Cli {};

TEST_F(Building, NeedsAHeaderThatIsThere) {
  expect_refusal({"build", "nope.hpp", "-o", "my_scree"}, 2, "nope.hpp: there is no such header");
  expect_refusal({"build", ".", "-o", "my_scree"}, 2, ".: there is no such header");
}

TEST_F(Building, ReplacesNothingUnasked) {
  write("my.hpp", "struct My {};\n");
  write("my_scree", "mine\n");
  expect_refusal({"build", "my.hpp", "-o", "my_scree"}, 2,
                 "my_scree: exists already; give another name, or --force to replace it");
  expect_refusal({"build", "my.hpp", "-o", "my.hpp", "--force"}, 2,
                 "my.hpp: is an input of this command, and would be replaced by its result");
  EXPECT_EQ(read("my_scree"), "mine\n");
}

TEST_F(Building, NeedsTheInstalledLibraries) {
  write("my.hpp", "struct My {};\n");
  const Outcome outcome = scree({"build", "my.hpp", "-o", "my_scree"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(
      outcome.err,
      testing::MatchesRegex("scree: build: Scree's libraries and headers are not installed with this program, there "
                            "is no /[^\n]*/cmake/scree/scree-config.cmake; `cmake --install`, or Debian's scree-dev, "
                            "brings both\n"));
  EXPECT_FALSE(std::filesystem::exists(path("my_scree")));
}

}  // namespace
}  // namespace scree
