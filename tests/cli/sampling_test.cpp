// `sampling = "sobol"` as a user sees it.
#include <gmock/gmock.h>

#include <regex>

#include "host/results/result_file.hpp"
#include "program.hpp"

namespace scree {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// Shots without drag: the range is a smooth function of the angle, the number of steps is not.
const std::string many_shots = R"(system = "projectile"
scheme = ["exact", "euler"]
sampling = "sobol"
samples = 512
step = 0.05
end = 60.0
[start]
speed = 100.0
[vary]
"start.angle" = { uniform = [0.1, 1.5] }
)";

class SobolProgram : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("study.toml", many_shots);
  }
};

TEST_F(SobolProgram, SaysHowSamplesArePlacedBeforeAndAfterTheRun) {
  const std::string line = "sobol, 16 scrambled replicates, 1 dimension\n";
  EXPECT_THAT(scree({"check", "study.toml"}).out, HasSubstr(line));
  EXPECT_THAT(scree({"run", "study.toml", "--scheme", "exact", "--dry-run"}).out, HasSubstr("sampling  " + line));
  EXPECT_THAT(scree({"run", "study.toml", "--scheme", "exact"}).out, HasSubstr("\nsampling " + line));
  const Outcome plain = scree({"run", "study.toml", "--scheme", "exact", "--set", "sampling=random"});
  EXPECT_THAT(plain.out, Not(HasSubstr("gain")));
  EXPECT_THAT(plain.out, Not(HasSubstr("sampling")));
}

TEST_F(SobolProgram, PrintsTheGainOfEachColumn) {
  const Outcome outcome = scree({"run", "study.toml", "--scheme", "exact", "--all"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("  column        unit    n    mean  +-95 %  gain     sd    5 %   50 %   95 %    max\n"
                        "  range         m     512  490.76    0.73   500    173    165    537    687    688\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\ngain: variance of the mean of n independent samples over that between the 16 "
                                     "replicates, from which +-95 %\n  comes; as many know it within a factor of 0.42 "
                                     "to 1.8 (95 %).\n"));
}

TEST_F(SobolProgram, SaysWhereThePointsDidNotHelp) {
  // A few tumbling rocks: what four points in a replicate tell of them is as good as chance.
  write("rocks.toml", small_study);
  const Outcome outcome = scree({"run", "rocks.toml", "--set", "sampling=sobol", "--samples", "64", "--all"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string text = std::regex_replace(outcome.out, std::regex("\\s+"), " ");
  const std::size_t start = text.find(" Below 1: ");
  ASSERT_NE(start, std::string::npos);
  const std::string list = text.substr(start);
  const json columns =
      object({"run", "rocks.toml", "--set", "sampling=sobol", "--samples", "64", "--json"})["statistics"];
  EXPECT_EQ(columns.size(), columns_of("rock"));
  for (const auto& [name, column] : columns.items()) {
    const bool below = column["gain"].is_number() && column["gain"] < 0.995;  // 1.0 to two digits
    EXPECT_EQ(list.find(" " + name + " (0.") != std::string::npos, below) << name;
  }
}

TEST_F(SobolProgram, GivesGainAndReplicatesInJson) {
  const json result = object({"run", "study.toml", "--scheme", "exact", "--json"});
  EXPECT_EQ(result["run"]["sampling"]["kind"], "sobol");
  EXPECT_EQ(result["run"]["sampling"]["replicates"], 16);
  EXPECT_GT(result["statistics"]["range"]["gain"], 100.0);
  const json both = object({"compare", "study.toml", "--json"});
  EXPECT_GT(both["paired"]["euler"]["range"]["gain"], 1.0);
  EXPECT_EQ(both["arms"]["exact"]["digest"], result["digest"]);
}

TEST_F(SobolProgram, WarnsOnStderrOfALostBalance) {
  EXPECT_EQ(scree({"run", "study.toml", "--scheme", "exact", "--samples", "1000"}).err,
            "warning: --samples: samples = 1000 gives 16 replicates no power of two of points each, on which the "
            "balance of Sobol points rests; 512 or 1024 samples do\n");
}

TEST_F(SobolProgram, StoresWhatAResultNeedsToBeReadAndReplayed) {
  ASSERT_EQ(scree({"run", "study.toml", "--scheme", "exact", "-o", "result.h5"}).code, 0);
  const StoredResult stored = read_result(path("result.h5"));
  EXPECT_TRUE(stored.run.sampling.sobol);
  EXPECT_EQ(stored.run.sampling.replicates, 16);
  EXPECT_EQ(stored.run.sampling.dimensions, 1);
  const json result = object({"run", "study.toml", "--scheme", "exact", "--json"});
  const std::size_t range = static_cast<std::size_t>(stored.description->column("range"));
  EXPECT_EQ(stored.arms[0].statistics.columns[range].gain, result["statistics"]["range"]["gain"]);
  EXPECT_THAT(scree({"info", "result.h5"}).out, HasSubstr("\nsampling sobol, 16 scrambled replicates, 1 dimension\n"));
  const Outcome of_config = scree({"replay", "study.toml", "--scheme", "exact", "--sample", "300", "--every", "100"}),
                of_result = scree({"replay", "result.h5", "--sample", "300", "--every", "100"});
  EXPECT_EQ(of_config.code, 0) << of_config.err;
  EXPECT_EQ(of_config.out, of_result.out);
}

}  // namespace
}  // namespace scree
