// `scree compare --published`: the published means of a config, tested without a run.
#include <gmock/gmock.h>

#include "program.hpp"

namespace scree {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class PublishedProgram : public Cli {};

TEST_F(PublishedProgram, TellsWhichContrastsOfThePaperAreNotDistinguishableFromZero) {
  const nlohmann::json json = object({"compare", config("rock_ramp.toml"), "--published", "--json"});
  std::vector<std::string> open;
  ASSERT_EQ(json["published"].size(), 8u);
  for (const nlohmann::json& c : json["published"])
    if (c["verdict"] != "differs")
      open.push_back(c["place"].get<std::string>() + ", " + c["column"].get<std::string>());
  EXPECT_THAT(open, ElementsAre("ramp, flight_speed", "Chant Sura, flight_height"));
  EXPECT_EQ(json["verdict"][1], "Not distinguishable from zero: ramp, flight_speed; Chant Sura, flight_height.");
}

TEST_F(PublishedProgram, PrintsTablesAndNothingElse) {
  const Outcome outcome = scree({"compare", config("rock_ramp.toml"), "--published", "--all"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, HasSubstr(", its published numbers; nothing was run\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\nMeans, implicit minus explicit: Welch's t test of independent groups\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\nVerdict\n- Distinguishable from zero at the 5 % level: 6 of 8 "));
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);)
    if (line.find(".toml") == std::string::npos) {
      EXPECT_LE(line.size(), 110u) << line;
    }
}

TEST_F(PublishedProgram, NumbersOfAnotherStudyDoNotStandBesideARun) {
  const Outcome outcome = scree({"compare", config("rock_ramp.toml"), "--samples", "4", "--quiet"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("\nBeside published means: Leine et al. 2021, tables 2 and 3, ramp\n"));
  EXPECT_THAT(outcome.out, HasSubstr("17.88 (7.4)"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("13.29 (5.7)")));
}

TEST_F(PublishedProgram, OtherNumbersOfSamplesMayBeTried) {
  const nlohmann::json json = object(
      {"compare", config("rock_ramp.toml"), "--published", "--set", "published.samples=50", "--json", "--quiet"});
  EXPECT_EQ(json["published"][4]["n"], 50);
  EXPECT_EQ(json["published"][4]["verdict"], "not distinguishable from zero at n = 50 after Holm's correction");
}

TEST_F(PublishedProgram, TakesNoOptionOfARun) {
  const std::string ramp = config("rock_ramp.toml");
  for (const std::vector<std::string>& option : {std::vector<std::string>{"--output", "x.h5"},
                                                 {"--samples", "10"},
                                                 {"--seed", "2"},
                                                 {"--schemes", "explicit,implicit"},
                                                 {"--backend", "scalar"},
                                                 {"--dry-run"}}) {
    std::vector<std::string> arguments{"compare", ramp, "--published"};
    arguments.insert(arguments.end(), option.begin(), option.end());
    expect_refusal(arguments, 2,
                   "compare: --published runs nothing, so " + option[0] + " has no meaning; see scree compare --help");
  }
}

TEST_F(PublishedProgram, NeedsPublishedNumbersAndHowManySamplesTheyAreOf) {
  write("study.toml", small_study);
  expect_refusal({"compare", "study.toml", "--published"}, 2,
                 "study.toml: has no [published] section, whose means --published judges");
  write("study.toml", small_study +
                          "[published]\nsource = 'S'\n[[published.row]]\ncolumn = 'runout'\nscheme = 'explicit'\n"
                          "mean = 3\nsd = 1\n");
  expect_refusal({"compare", "study.toml", "--published"}, 2,
                 "study.toml: published.samples is missing, must be a whole number >= 2: how many samples each mean "
                 "is of");
  expect_refusal({"compare", "study.toml", "--published", "--set", "published.samples=1"}, 2,
                 "--set: published.samples = 1, must be a whole number >= 2");
}

}  // namespace
}  // namespace scree
