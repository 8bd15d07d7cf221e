// `[[forest]]`: what is printed, kept and drawn of it, and results that go on.
#include <gmock/gmock.h>

#include "program.hpp"

namespace scree {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// Rocks down a ramp through a forest of their own each, and by ten stems that all of them meet.
class ForestCli : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("open.toml",
          "system = 'rock'\nscheme = 'implicit'\nsamples = 60\nstep = 0.005\nend = 12.0\n[terrain]\nkind = 'ramp'\n"
          "slope = 40\nheight = 40\n[rock]\nground = 'medium'\n[[shape]]\nkind = 'eota'\nsize = [1, 1, 1]\n"
          "mass = 700\n[start]\nposition = [0, 0]\ngap = 2\n[vary]\norientation = 'uniform'\n");
    std::string stems = "x,y,dbh\n";
    for (int y = -10; y < 10; y += 2) stems += "40," + std::to_string(y) + ",0.3\n";
    write("stems.csv", stems);
    write("x.toml", read("open.toml") +
                        "[[forest]]\npolygon = [[10, -30], [30, -30], [30, 30], [10, 30]]\nstems = 400\n"
                        "diameter = { normal = [0.3, 0.08], min = 0.1 }\n"
                        "capacity = { factor = 38.7, exponent = 2.31 }\nresample = true\n");
    write("both.toml", read("x.toml") + "[[forest]]\nfile = 'stems.csv'\ncapacity = 20e3\n");
  }
};

TEST_F(ForestCli, IsInJsonInTheResultAndOnTheScreen) {
  const json run = printed_json({"run", "both.toml", "-o", "r.h5"}), &forest = run["forest"];
  EXPECT_EQ(forest["n"], 60);
  EXPECT_GT(forest["hitting"]["count"], 10);
  EXPECT_EQ(forest["hitting"]["probability"], forest["hitting"]["count"].get<double>() / 60);
  EXPECT_LT(forest["hitting"]["ci95"][0], forest["hitting"]["probability"]);
  EXPECT_GE(forest["hits"], forest["hitting"]["count"]);
  EXPECT_GT(forest["broken"], 0);
  EXPECT_LT(forest["broken"], forest["hits"]);
  EXPECT_EQ(forest["stands"], (json{"400 stems per ha on 1200 m2, others for each sample", "10 stems of stems.csv"}));
  EXPECT_TRUE(forest["warnings"].empty());  // it is known where the stems of a file stand
  const json one = printed_json({"run", "x.toml", "--set", "forest.resample=false"})["forest"];
  ASSERT_EQ(one["warnings"].size(), 1u);
  EXPECT_THAT(one["warnings"][0].get<std::string>(), HasSubstr("all samples went through the same stems"));
  EXPECT_EQ(printed_json({"info", "r.h5"})["forest"], forest);
  EXPECT_THAT(scree({"info", "r.h5", "--all"}).out,
              HasSubstr(std::to_string(forest["hitting"]["count"].get<int>()) + " of 60 samples hit stems"));
  EXPECT_THAT(scree({"run", "both.toml", "--dry-run"}).out,
              HasSubstr("400 stems per ha on 1200 m2, others for each sample"));
  // Of Sobol points there is no interval.
  const json sobol =
      printed_json({"run", "x.toml", "--set", "sampling=sobol", "--set", "replicates=8", "--samples", "64"});
  EXPECT_TRUE(sobol["forest"]["hitting"]["ci95"][0].is_null());
  EXPECT_FALSE(printed_json({"run", "open.toml"}).contains("forest"));
}

TEST_F(ForestCli, GoesOnWhereAResultIsExtended) {
  const json whole = printed_json({"run", "x.toml"});
  ASSERT_EQ(scree({"run", "x.toml", "--samples", "17", "-o", "a.h5", "--quiet"}).code, 0);
  const json extended = printed_json({"run", "--extend", "a.h5", "--samples", "60"});
  EXPECT_EQ(extended["digest"], whole["digest"]);
  EXPECT_EQ(extended["forest"], whole["forest"]);
}

TEST_F(ForestCli, IsMetInReplaysAndAtOtherSteps) {
  ASSERT_EQ(scree({"run", "both.toml", "-o", "r.h5", "--quiet"}).code, 0);
  for (const char* sample : {"0", "7", "59"})
    EXPECT_THAT(scree({"replay", "r.h5", "--sample", sample}).err, HasSubstr("equal those of r.h5 bit for bit"));
  const json arms = printed_json({"compare", "x.toml", "--steps", "0.005,0.0025"});
  for (const auto& [name, arm] : arms["arms"].items()) EXPECT_GT(arm["forest"]["hits"], 0) << name;
}

TEST_F(ForestCli, IsAnArmOfAComparison) {
  write("fenced.toml", read("x.toml") +
                           "[[barrier]]\nname = 'net'\nline = [[45, -30], [45, 30]]\nheight = 3\n"
                           "[[barrier]]\nname = 'wall'\nline = [[60, -30], [60, 30]]\nheight = 3\n");
  const json run = printed_json({"run", "fenced.toml"});
  const json arms = printed_json(
      {"compare", "fenced.toml", "--arms", "forest.on=true,false", "--arms", "barrier.net.on=true,false"})["arms"];
  ASSERT_EQ(arms.size(), 4u);
  EXPECT_EQ(arms["forest.on true, barrier.net.on true"]["digest"], run["digest"]);
  EXPECT_EQ(arms["forest.on true, barrier.net.on true"]["forest"], run["forest"]);
  EXPECT_FALSE(arms["forest.on false, barrier.net.on true"].contains("forest"));
  EXPECT_FALSE(arms["forest.on true, barrier.net.on false"]["barriers"].contains("net"));
  EXPECT_TRUE(arms["forest.on true, barrier.net.on false"]["barriers"].contains("wall"));
}

TEST_F(ForestCli, IsOnAPageWithItsArea) {
  ASSERT_EQ(scree({"run", "both.toml", "-o", "r.h5", "--quiet"}).code, 0);
  const Outcome page = scree({"report", "r.h5", "-o", "r.html"});
  if (page.code != 0 && page.err.find("was built without") != std::string::npos) GTEST_SKIP() << page.err;
  ASSERT_EQ(page.code, 0) << page.err;
  const std::string html = read("r.html");
  EXPECT_THAT(html, HasSubstr("<h2>Forest</h2>"));
  EXPECT_THAT(html, HasSubstr("400 stems per ha on 1200 m2, others for each sample"));
  EXPECT_THAT(html, HasSubstr("\"forest\":[{\"corners\":[10.0,-30.0,30.0,-30.0,30.0,30.0,10.0,30.0],\"arms\":["));
}

}  // namespace
}  // namespace scree
