// What the ramps must say, on fewer rocks than its configs have: the implicit rotor runs out further, most of that
// is the explicit rotor's time-step error, and rocks without a gyroscopic term show no difference.
#include <gmock/gmock.h>

#include "program.hpp"

namespace scree {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class RampProgram : public Cli {};

TEST_F(RampProgram, SaysThatTheImplicitRotorRunsOutFurther) {
  const json result = object({"compare", config("rock_ramp.toml"), "--samples", "300", "--json", "--quiet"});
  const json& runout = only(result["paired"])["runout_from_foot"];
  EXPECT_EQ(runout["judgement"], "beyond margin");
  EXPECT_GT(runout["ci95"][0], 0);
  EXPECT_THAT(result["verdict"][1].get<std::string>(), HasSubstr("runout_from_foot: implicit exceeds explicit by "));
}

TEST_F(RampProgram, SaysThatMostOfItIsTimeStepError) {
  const json result =
      object({"converge", config("rock_ramp_100m.toml"), "--samples", "60", "--halvings", "3", "--json", "--quiet"});
  const json& share = only(result["step_shares"])["runout_from_foot"];
  EXPECT_GT(share["baseline_share"]["ci95"][0], 0.5);
  EXPECT_THAT(result["verdict"].dump(), HasSubstr("runout_from_foot, time-step error: the difference goes from "));
  EXPECT_THAT(result["verdict"].dump(), HasSubstr("time-step error of explicit makes up at least "));
  EXPECT_THAT(result["verdict"].dump(), HasSubstr("by sampling) of it, most of it"));
  // At half the step less than half of it is seen, and said as a lower bound.
  const json half =
      object({"compare", config("rock_ramp_100m.toml"), "--samples", "60", "--step-error", "--json", "--quiet"});
  EXPECT_LT(only(half["step_shares"])["runout_from_foot"]["baseline_share"]["value"], 0.5);
  EXPECT_THAT(half["verdict"].dump(), HasSubstr("time-step error of explicit makes up at least "));
}

TEST_F(RampProgram, SaysThatPlaceboRocksAreEquivalent) {
  // With an eighth of the config's rocks margins must be wider: 10 m, 6 % of the run-out.
  std::vector<std::string> arguments{"compare", config("rock_ramp_placebo.toml"), "--samples", "1500", "--json",
                                     "--quiet"};
  for (const char* margin : {"runout=10", "runout_from_foot=10"}) {
    arguments.push_back("--set");
    arguments.push_back(std::string("margin.") + margin);
  }
  const json result = object(arguments);
  for (const char* column :
       {"runout", "runout_from_foot", "lateral_final", "stop_time", "kinetic_energy_max", "rotation_max", "jump_max"})
    EXPECT_EQ(only(result["paired"])[column]["judgement"], "equivalent") << column;
}

}  // namespace
}  // namespace scree
