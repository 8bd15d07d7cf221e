// Sliders and pairs as a user meets them: the configs of the tree, presets, schemes, replay, backends and mistakes.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace scree {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

const std::string valley = R"([terrain]
kind = "quadric"
a = 1e-3
e = -1e-4
)";

/// Twenty masses with friction in a valley; they stop within a minute.
const std::string slider_study = R"(system = "slider"
scheme = "rk4"
samples = 20
step = 0.05
end = 100.0
[slider]
friction = 0.05
)" + valley + R"([vary]
"start.position" = { polygon = [[-110, -10], [-90, -10], [-90, 10], [-110, 10]] }
"start.velocity.y" = { normal = [5.0, 1.0] }
)";

/// Twenty pairs that turn about each other with friction.
const std::string pair_study = R"(system = "pair"
scheme = "rk4"
samples = 20
step = 0.05
end = 100.0
[pair]
mass1 = 5.0
friction = 0.05
start_check = "project"
)" + valley + R"([start]
position1 = [-100.0, 0.0]
velocity1 = [0.0, 5.0]
[vary]
"start.position2" = { line = [[-90, -10], [-90, 10]] }
)";

class Sliding : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("slider.toml", slider_study);
    write("pair.toml", pair_study);
  }
};

TEST_F(Sliding, EveryConfigOfTheTreeRuns) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(SCREE_SOURCE_DIR "/configs")) {
    const std::string name = entry.path().filename();
    const bool field_data = name.find("tyrol") != std::string::npos;
    if (!field_data && (name.starts_with("slider_") || name.starts_with("pair_"))) names.push_back(name);
  }
  EXPECT_EQ(names.size(), 9u);
  for (const std::string& name : names) {
    const auto error = [&](double step) {
      std::vector<std::string> words{"run",
                                     config(name),
                                     "--samples",
                                     "2",
                                     "--scheme",
                                     "rk4",
                                     "--set",
                                     "end=10.0",
                                     "--set",
                                     "step=" + std::to_string(step),
                                     "--no-sensitivity",
                                     "--json"};
      if (name.starts_with("pair_")) words.insert(words.end(), {"--set", "pair.model=exact"});  // it keeps the energy
      const json result = object(words);
      EXPECT_EQ(result["status"]["end_time"], 2) << name;
      double largest = 0;
      for (const char* end : {"min", "max"})  // the error has a sign
        largest = std::fmax(largest, std::fabs(result["statistics"]["energy_error"][end].get<double>()));
      return largest / std::fabs(mean(result, "energy_start"));
    };
    // Of order 4 or nearer to it than to 3, down to the round-off of some hundred steps.
    EXPECT_LT(error(0.05), std::fmax(error(0.2) / std::pow(2, 2 * 3.5), 1e-12)) << name;
  }
}

TEST_F(Sliding, ExamplesGiveTheNumbersOfTheirConfigs) {
  const json rest = object({"run", config("slider_example2.toml"), "--json"});
  EXPECT_EQ(rest["status"]["stopped"], 1);
  EXPECT_NEAR(mean(rest, "stop_time"), 1792.6, 0.05);
  EXPECT_NEAR(mean(rest, "final_x"), -82.2, 0.05);
  EXPECT_NEAR(mean(rest, "final_y"), 5428.5, 0.05);
  EXPECT_NEAR(mean(rest, "runout"), 5637, 0.5);

  const json turn = object({"run", config("slider_case2.toml"), "--scheme", "rk3", "--json"});
  EXPECT_EQ(mean(turn, "reversals"), 1);

  const json pair = object({"run", config("pair_example3.toml"), "--no-sensitivity", "--json"});
  EXPECT_EQ(mean(pair, "link_sign_changes"), 14);
  EXPECT_NEAR(mean(pair, "link_force_min"), -0.697, 0.0005);
  EXPECT_NEAR(mean(pair, "link_force_max"), 0.699, 0.0005);
  EXPECT_NEAR(mean(pair, "final_x1"), 2978, 0.5);
  EXPECT_LT(mean(pair, "distance_error_max"), 2e-9);
}

TEST_F(Sliding, SpreadOfThePairGrowsFromAMillimetreToTheSizeOfTheHills) {
  const auto spread = [&](const char* end) {
    const json run = object({"run", config("pair_chaotic.toml"), "--samples", "200", "--set", end, "--json"});
    return run["statistics"]["final_x1"]["sd"].get<double>();
  };
  // What the config says, to the sampling error of 200.
  EXPECT_NEAR(std::log10(spread("end=20.0")), std::log10(0.3e-3), 0.1);
  EXPECT_NEAR(std::log10(spread("end=100.0")), std::log10(0.13), 0.1);
  EXPECT_GT(spread("end=200.0"), 50);
}

TEST_F(Sliding, CountsHowEachSampleEnded) {
  const json slider = object({"run", "slider.toml", "--json"}), pair = object({"run", "pair.toml", "--json"});
  EXPECT_EQ(slider["status"]["stopped"], 20);
  EXPECT_EQ(slider["statistics"]["runout"]["n"], 20);
  EXPECT_EQ(pair["status"]["stopped"], 20);
  EXPECT_GT(mean(pair, "held_time1") + mean(pair, "held_time2"), 0);
  const json early = object({"run", "slider.toml", "--set", "end=1.0", "--json"});
  EXPECT_EQ(early["status"]["end_time"], 20);
  EXPECT_EQ(early["statistics"]["runout"]["n"], 0);  // censored, not a value
}

TEST_F(Sliding, PresetsChooseModeAndModel) {
  write("dome.toml",
        "system = \"slider\"\nscheme = \"rk4\"\nsamples = 1\nstep = 0.01\nend = 4.0\n[terrain]\nkind = \"dome\"\n"
        "radius = 20.0\n[start]\nposition = [4.0, 0.0]\n");
  const json bead = object({"run", "dome.toml", "--json"});
  EXPECT_EQ(bead["status"]["lifted_off"], 0);
  EXPECT_EQ(mean(bead, "lifted_off"), 1);
  const json stop = object({"run", "dome.toml", "--set", "slider.mode=unilateral_stop", "--json"});
  EXPECT_EQ(stop["status"]["lifted_off"], 1);
  EXPECT_EQ(mean(stop, "liftoff_time"), mean(bead, "liftoff_time"));
  EXPECT_THAT(scree({"run", "dome.toml", "--set", "slider.mode=unilateral_stop"}).out,
              HasSubstr("\nmode unilateral_stop\n"));
  const json exact = object({"run", "pair.toml", "--json"}),
             part1 = object({"run", "pair.toml", "--set", "pair.model=part1", "--json"});
  EXPECT_NE(exact["digest"], part1["digest"]);
  EXPECT_THAT(scree({"run", "pair.toml", "--set", "pair.model=part1"}).out,
              HasSubstr("\nmodel part1, start_check project\n"));
  expect_refusal({"run", "pair.toml", "--set", "pair.model=part2"}, 2,
                 "--set: pair.model = \"part2\", did you mean \"part1\"?");
}

TEST_F(Sliding, ComparesSchemesOnTheSameSamples) {
  for (const auto& [name, schemes] : {std::pair{"slider.toml", "rk4,euler"}, {"pair.toml", "rk4,rk3"}}) {
    const json result = object({"compare", name, "--schemes", schemes, "--json"});
    const json& paired = only(result["paired"])["runout"];
    EXPECT_EQ(paired["n"], 20) << name;
    EXPECT_NE(paired["difference"].get<double>(), 0) << name;
    EXPECT_FALSE(result["verdict"].empty()) << name;
  }
}

TEST_F(Sliding, ReplaysASampleBitForBitWithItsOwnClock) {
  for (const char* name : {"slider", "pair"}) {
    const std::string config = std::string(name) + ".toml", result = std::string(name) + ".h5";
    ASSERT_EQ(scree({"run", config, "-o", result}).code, 0);
    const Outcome replay = scree({"replay", result, "--sample", "7", "--every", "10", "-o", "path.csv", "--force"});
    EXPECT_EQ(replay.code, 0) << replay.err;
    EXPECT_THAT(replay.err, HasSubstr("columns equal those of " + result + " bit for bit"));
    const std::string path = read("path.csv");
    EXPECT_THAT(path, StartsWith("time [s],"));
    EXPECT_EQ(path.find("time [s]", 5), std::string::npos);
    // The last row is the sample's end, at the time that its summary has.
    const double last = std::stod(path.substr(path.rfind('\n', path.size() - 2) + 1));
    const json run = object({"run", config, "--json"});
    EXPECT_LE(last, run["statistics"]["stop_time"]["max"].get<double>());
    EXPECT_GE(last, run["statistics"]["stop_time"]["min"].get<double>());
  }
}

TEST_F(Sliding, RefusesWhatCannotBeSlidOn) {
  for (const char* name : {"slider", "pair"})
    expect_refusal({"run", std::string(name) + ".toml", "--set", "terrain.kind=ramp"}, 2,
                   std::string("--set: terrain.kind = \"ramp\" does not suit the system ") + name +
                       ", which slides on a smooth surface: must be one of plane, quadric, bowl, dome, cosine, grid");
  write("rock.toml", small_study);
  expect_refusal({"run", "rock.toml", "--set", "terrain.kind=cosine"}, 2,
                 "--set: terrain.kind = \"cosine\" does not suit the system rock, whose contacts need planes: must be "
                 "one of plane, ramp, grid");
}

TEST_F(Sliding, RefusesAPairWhoseStartWouldChangeItsDistance) {
  expect_refusal(
      {"run", "pair.toml", "--set", "pair.start_check=reject"}, 2,
      "pair.toml:16: pair: velocity1 and velocity2 would change the distance of the masses: r12 . r12' must be 0 "
      "(or set start_check = \"project\"), in sample 0");
  expect_refusal({"run", "pair.toml", "--set", "pair.static_friction=0.01"}, 2,
                 "--set: pair: static_friction is below friction, in sample 0");
  expect_refusal({"run", "slider.toml", "--set", "slider.static_friction=0.01"}, 2,
                 "--set: slider: static_friction is below friction, in sample 0");
}

TEST_F(Sliding, InitWritesConfigsThatRun) {
  for (const char* system : {"slider", "pair"}) {
    write("my.toml", scree({"init", system}).out);
    const json result = object({"run", "my.toml", "--samples", "3", "--set", "end=10.0", "--json"});
    EXPECT_EQ(result["samples"], 3) << system;
  }
  const json list = object({"list", "--json"})["systems"];
  std::vector<std::string> names;
  for (const json& system : list) names.push_back(system["name"]);
  EXPECT_THAT(names, Contains("slider"));
  EXPECT_THAT(names, Contains("pair"));
}

TEST_F(Sliding, VerifiesThePaperAndSaysWhereItCannotHold) {
  const json slider = object({"verify", "--only", "slider", "--json"})["claims"],
             pair = object({"verify", "--only", "pair", "--json"})["claims"];
  EXPECT_EQ(slider.size(), 19u);
  EXPECT_EQ(pair.size(), 13u);
  int agree = 0;
  for (const json* rows : {&slider, &pair})
    for (const json& row : *rows) {
      agree += row["agrees"].get<bool>();
      EXPECT_TRUE(row["agrees"].get<bool>() || row["note"] != "") << row;
    }
  EXPECT_EQ(agree, 23);
}

}  // namespace
}  // namespace scree
