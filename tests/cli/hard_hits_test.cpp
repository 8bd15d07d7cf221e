// Hard discs and balls as a user meets them: the configs of the tree, lists per body, replay, backends and mistakes.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace scree {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

/// Twenty samples of eight unequal discs in a circle.
const std::string discs = R"(system = "hard_discs"
scheme = "events"
samples = 20
step = 0.5
end = 5.0
[hard_discs]
discs = 8
enclosure = "circle"
radius = [0.03, 0.03, 0.03, 0.03, 0.05, 0.05, 0.05, 0.1]
mass = 2.0
placement = "random"
[vary]
"start.velocity.x" = { normal = [0.0, 1.0] }
"start.velocity.y" = { normal = [0.0, 1.0] }
)";

const std::string balls = R"(system = "balls"
scheme = "events"
samples = 20
step = 0.5
end = 50.0
[balls]
balls = 5
mass = [1.0, 2.0, 3.0, 4.0, 5.0]
[vary]
"start.velocity" = { normal = [0.0, 1.0] }
)";

class HardHits : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("discs.toml", discs);
    write("balls.toml", balls);
  }
};

TEST_F(HardHits, ListNamesTheSystemsWithTheirColumns) {
  const json list = object({"list", "--json"})["systems"];
  for (const auto& [name, column] : {std::pair{"hard_discs", "mean_free_path"}, {"balls", "left_impulse"}}) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const json& s) { return s["name"] == name; });
    ASSERT_NE(found, list.end()) << name;
    EXPECT_EQ((*found)["schemes"].size(), 2u);
    const json& columns = (*found)["columns"];
    EXPECT_TRUE(std::any_of(columns.begin(), columns.end(), [&](const json& c) { return c["name"] == column; }));
  }
}

TEST_F(HardHits, InitWritesAConfigThatRuns) {
  for (const char* system : {"hard_discs", "balls"}) {
    write("init.toml", scree({"init", system}).out);
    const json run = object({"run", "init.toml", "--samples", "20", "--json"});
    EXPECT_EQ(run["status"]["end_time"], 20) << system;
    EXPECT_GT(mean(run, "pair_hits"), 1) << system;
  }
}

/// The numbers that configs/hard_discs_kinetic.toml, hard_discs_contrast.toml and balls_three.toml say to expect.
TEST_F(HardHits, ConfigsGiveTheNumbersThatTheySay) {
  const json gas = object({"run", config("hard_discs_kinetic.toml"), "--samples", "50", "--json"});
  EXPECT_EQ(gas["status"]["end_time"], 50);
  EXPECT_NEAR(mean(gas, "mean_free_path"), 15.74,
              4 * gas["statistics"]["mean_free_path"]["sd"].get<double>() / std::sqrt(50.0));
  EXPECT_LT(std::fabs(gas["statistics"]["energy_change"]["max"].get<double>()), 1e-11);

  const json contrast = object({"compare", config("hard_discs_contrast.toml"), "--json"});
  struct Expected {
    const char* scheme;
    double x, y, pair_hits, wall_hits;
  };
  for (const Expected& expected : {Expected{"events", -0.375, 0.159, 18, 13}, {"overlap", -0.050, 0.382, 22, 15}}) {
    const json& arm = contrast["arms"][expected.scheme];
    EXPECT_LT(std::fabs(mean(arm, "energy_change")), 1e-15) << expected.scheme;
    EXPECT_NEAR(mean(arm, "x0"), expected.x, 5e-4) << expected.scheme;
    EXPECT_NEAR(mean(arm, "y0"), expected.y, 5e-4) << expected.scheme;
    EXPECT_EQ(mean(arm, "pair_hits"), expected.pair_hits) << expected.scheme;
    EXPECT_EQ(mean(arm, "wall_hits"), expected.wall_hits) << expected.scheme;
  }
  EXPECT_NEAR(mean(contrast["arms"]["overlap"], "overlap_max"), 0.027, 5e-4);

  const json three = object({"compare", config("balls_three.toml"), "--json"});
  const json& exact = three["arms"]["events"];
  EXPECT_EQ(mean(exact, "pair_hits") + mean(exact, "wall_hits"), 44);
  EXPECT_NEAR(mean(exact, "x_first"), 240, 1e-11);
  EXPECT_NEAR(mean(exact, "x_last"), 360, 1e-11);
  EXPECT_EQ(mean(three["arms"]["overlap"], "x_first"), 240.14700000001667);
}

TEST_F(HardHits, ReplaysASampleWithTheColumnsOfItsBodies) {
  for (const auto& [name, header] : {std::pair{"discs", ",x7 [m],y0 [m],"}, {"balls", ",x4 [m],v0 [m/s],"}}) {
    const std::string config = std::string(name) + ".toml", result = std::string(name) + ".h5";
    ASSERT_EQ(scree({"run", config, "-o", result}).code, 0);
    const Outcome replay = scree({"replay", result, "--sample", "7", "-o", "path.csv", "--force"});
    EXPECT_EQ(replay.code, 0) << replay.err;
    EXPECT_THAT(replay.err, HasSubstr("columns equal those of " + result + " bit for bit"));
    const std::string path = read("path.csv");
    EXPECT_THAT(path, StartsWith("time [s],"));
    EXPECT_THAT(path, HasSubstr(header));
  }
}

/// So dense that some of the samples find no places: they are counted, and enter no mean.
TEST_F(HardHits, SamplesWithoutAPlaceAreCountedAndLeftOut) {
  const json run = object({"run", "discs.toml", "--samples", "100", "--json", "--set", "hard_discs.enclosure=rectangle",
                           "--set", "hard_discs.discs=40", "--set", "hard_discs.radius=0.064", "--set", "end=0.5"});
  const int placed = run["status"]["end_time"], without = run["status"]["not_placed"];
  EXPECT_EQ(placed + without, 100);
  EXPECT_GT(placed, 0);
  EXPECT_GT(without, 0);
  EXPECT_EQ(run["statistics"]["energy_start"]["n"], placed);
  EXPECT_GT(run["statistics"]["energy_start"]["min"], 0);
}

TEST_F(HardHits, MistakesAreOneLineEach) {
  const auto refused = [&](const std::vector<std::string>& sets, const std::string& file, const std::string& line) {
    std::vector<std::string> arguments{"check", file};
    for (const std::string& set : sets) {
      arguments.push_back("--set");
      arguments.push_back(set);
    }
    const Outcome outcome = scree(arguments);
    EXPECT_EQ(outcome.code, 2) << line;
    EXPECT_THAT(outcome.err, HasSubstr(line));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  };
  refused({"hard_discs.radius=0.6"}, "discs.toml",
          "hard_discs: radius: a disc has no room to move in the circle of wall_radius 0.5 (m), in sample 0");
  refused({"hard_discs.gap=0.4"}, "discs.toml",
          "hard_discs: gap: it leaves a disc no room to move in the circle of wall_radius 0.5 (m), in sample 0");
  refused({"hard_discs.radius=0.2"}, "discs.toml", "hard_discs: radius: the discs are too dense for random places");
  refused({"hard_discs.radius=0.1", "hard_discs.placement=given"}, "discs.toml",
          "hard_discs: start.position: two discs overlap, in sample 0");
  refused({"hard_discs.enclosure=box"}, "discs.toml", "--set: hard_discs.enclosure = \"box\" is called \"rectangle\"");
  refused({"hard_discs.discs=65"}, "discs.toml", "a whole number >= 1 and <= 64");
  refused({"hard_discs.restitution=1.5"}, "discs.toml", ">= 0 and <= 1");
  refused({"balls.radius=0.2"}, "balls.toml",
          "balls: radius: the balls do not fit between the walls, which are apart by 1 (m), in sample 0");
  refused({"balls.placement=given"}, "balls.toml", "balls: start.position:");
  refused({"balls.left=2.0"}, "balls.toml", "balls: left must be less than right, in sample 0");
}

}  // namespace
}  // namespace scree
