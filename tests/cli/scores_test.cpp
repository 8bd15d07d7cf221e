// Scores of forecasts, as a user sees them: the report, its JSON, and what a result keeps of both.
#include <gmock/gmock.h>

#include "program.hpp"

namespace scree {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// Blocks that slide to a stop on level ground, by their speed and the friction.
const char* const study = R"(system = "rock"
scheme = "implicit"
samples = 120
step = 0.01
end = 20.0
[rock]
drag = 0.0
friction_max = 2.0
scar_growth = 0.0
[terrain]
kind = "plane"
slope = 0.0
[[shape]]
name = "all"
kind = "cuboid"
size = [1.0, 1.0, 0.5]
mass = 900.0
[[shape]]
name = "flat"
kind = "cuboid"
size = [1.0, 1.0, 0.3]
mass = 500.0
[start]
table = "s.csv"
gap = 0.0
[vary]
"rock.friction_min" = { uniform = [0.3, 0.6] }
[observed]
table = "o.csv"
column = "runout"
value = "far"
group = "rock"
match = "id"
position = ["x", "y"]
note = "made up"
[sensitivity]
key = "rock.gravity"
values = [9.81, 4.0]
)";

class ScoresProgram : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("s.csv", "id,shape,velocity.x\na,all,5\nb,flat,4\nc,all,6\n");
    write("o.csv", "id,rock,far,x,y\na,all,3.1,3.1,0\nb,flat,2.2,2.2,0.1\nc,all,4.4,4.4,0.2\nc,all,4.9,4.9,0\n");
    write("x.toml", study);
  }
};

/// The shape "all" is not all groups; the friction that was used scores better than a gravity that was not.
TEST_F(ScoresProgram, AreOfEachGroupAndOfAll) {
  const json run = object({"run", "x.toml", "--quiet", "--json"});
  const json& rows = run["scores"]["rows"];
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0]["group"], "all");
  EXPECT_EQ(rows[0]["observed"], 3);
  EXPECT_EQ(rows[1]["group"], "flat");
  EXPECT_EQ(rows[2]["observed"], 4);
  const json& values = run["sensitivity"]["rows"];
  EXPECT_LT(values[0]["scores"][2]["crps"]["mean"], values[1]["scores"][2]["crps"]["mean"]);
  EXPECT_FALSE(run["sensitivity"].contains("chosen"));
  const Outcome told = scree({"run", "x.toml", "--quiet", "--all"});
  EXPECT_THAT(told.out, HasSubstr("Forecasts scored by what was observed: runout (m), each by the samples of its own"));
  EXPECT_THAT(told.out, HasSubstr("Note: made up."));
  EXPECT_THAT(told.out, HasSubstr("holdout tells what a choice is worth"));
}

TEST_F(ScoresProgram, AreKeptInResults) {
  for (const std::string holdout :
       {"'leave-one-out'", "{ groups = ['flat'] }", "{ column = 'id', rows = ['a', 'b'] }"}) {
    const std::vector<std::string> run{"run", "x.toml", "--quiet", "--json", "--set", "observed.holdout=" + holdout,
                                       "-o",  "r.h5",   "--force"};
    const json made = object(run), kept = object({"info", "r.h5", "--json"});
    EXPECT_EQ(kept["scores"], made["scores"]);
    EXPECT_EQ(kept["sensitivity"], made["sensitivity"]);
    const json& chosen = made["sensitivity"]["chosen"];
    EXPECT_EQ(chosen["rows"][1]["times"], 0) << holdout;
    EXPECT_GT(chosen["rows"][0]["times"], 0) << holdout;
    EXPECT_GT(chosen["crps_outside"]["n"], 0) << holdout;
    const Outcome told = scree({"info", "r.h5", "--all"});
    EXPECT_EQ(told.code, 0) << told.err;
    EXPECT_THAT(told.out, HasSubstr("Forecasts scored by what was observed: runout (m)"));
    EXPECT_THAT(told.out, HasSubstr("Chosen "));
  }
}

TEST_F(ScoresProgram, AreRefusedWhereTheyWouldBeOfOtherSamples) {
  write("o.csv", "id,rock,far,x,y\na,flat,3.1,3.1,0\n");
  EXPECT_EQ(scree({"run", "x.toml"}).err, "scree: o.csv:2: is of \"flat\", and s.csv starts id = \"a\" with \"all\"\n");
}

}  // namespace
}  // namespace scree
