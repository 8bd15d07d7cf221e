// What a user can get wrong, as the program says it: one line, the exit code, and nothing computed or written.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "program.hpp"

namespace scree {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

class Usage : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("study.toml", small_study);
  }
};

TEST_F(Usage, HelpIsShortAndShowsAnExample) {
  const Outcome help = scree({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.err, "");
  EXPECT_THAT(help.out, HasSubstr("scree init rock > my.toml"));
  EXPECT_LT(std::count(help.out.begin(), help.out.end(), '\n'), 35);
}

TEST_F(Usage, VersionNamesTheCommit) {
  EXPECT_THAT(scree({"--version"}).out, MatchesRegex("scree [0-9.]+ \\(commit [0-9a-z]+\\)\n"));
}

TEST_F(Usage, JsonAloneIsOfTheVersion) {
  expect_refusal({"--json", "list"}, 2, "list: --json requires --version; see scree list --help");
}

TEST_F(Usage, EachCommandHasHelp) {
  for (const char* command :
       {"run", "compare", "replay", "verify", "info", "list", "init", "check", "build", "completion"}) {
    const Outcome help = scree({command, "--help"});
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_THAT(help.out, HasSubstr(std::string("Usage: scree ") + command)) << command;
  }
}

TEST_F(Usage, NeedsACommand) { expect_refusal({}, 2, "a command is required; see scree --help"); }

TEST_F(Usage, SuggestsACommand) {
  expect_refusal({"rn", "study.toml"}, 2, "unknown command rn, did you mean \"run\"?; see scree --help");
}

TEST_F(Usage, SuggestsAnOption) {
  expect_refusal({"run", "study.toml", "--smples", "3"}, 2, "run: unknown option --smples, did you mean --samples?");
}

TEST_F(Usage, RefusesAnOptionThatIsLikeNone) {
  expect_refusal({"run", "study.toml", "--xyzzyplugh"}, 2, "run: did not expect --xyzzyplugh; see scree run --help");
}

TEST_F(Usage, NeedsAConfig) { expect_refusal({"run"}, 2, "run: CONFIG is required; see scree run --help"); }

TEST_F(Usage, RefusesAConfigThatIsNotThere) {
  expect_refusal({"run", "nope.toml"}, 2, "nope.toml: there is no such config file");
}

TEST_F(Usage, ReadsAConfigFromStandardInput) {
  const std::string program = SCREE_PROGRAM;
  const auto digest = [](const std::string& json) { return nlohmann::json::parse(json)["digest"]; };
  const Outcome of_file = scree({"run", "study.toml", "--json", "--quiet"});
  EXPECT_EQ(digest(shell(program + " run - --json --quiet < study.toml")), digest(of_file.out));
  EXPECT_THAT(shell(program + " check - < study.toml"), StartsWith("stdin: ok\n"));
  EXPECT_EQ(shell("(echo sampels = 3; cat study.toml) | " + program + " run -"),
            "scree: stdin:1: unknown key sampels, did you mean samples?\n");
  write("longer.toml", std::string("sampels = 3\n") + small_study);
  EXPECT_THAT(shell("(read -r line; " + program + " check -) < longer.toml"), StartsWith("stdin: ok\n"));
  EXPECT_THAT(shell("true | " + program + " check -"), StartsWith("scree: stdin: system is missing"));
  EXPECT_EQ(shell(program + " check - < /dev/null"),
            "scree: standard input: cannot be read: it is a device, not a file\n");
}

TEST_F(Usage, RefusesAnUnknownKey) {
  expect_refusal({"run", "study.toml", "--set", "rock.gravty=9.8"}, 2,
                 "--set: unknown key rock.gravty, did you mean rock.gravity?");
  write("study.toml", "sampels = 3\n" + small_study);
  expect_refusal({"run", "study.toml"}, 2, "study.toml:1: unknown key sampels, did you mean samples?");
}

TEST_F(Usage, RefusesZeroSamples) {
  expect_refusal({"run", "study.toml", "--samples", "0"}, 2,
                 "run: --samples 0, must be a whole number from 1 to 9223372036854775807; see scree run --help");
}

TEST_F(Usage, RefusesSamplesThatAreNoNumber) {
  expect_refusal({"run", "study.toml", "--samples", "many"}, 2,
                 "run: --samples many, must be a whole number from 1 to 9223372036854775807; see scree run --help");
}

TEST_F(Usage, RefusesNegativeAndTooLargeNumbersAsTheyWereTyped) {
  expect_refusal({"run", "study.toml", "--samples", "-1"}, 2,
                 "run: --samples -1, must be a whole number from 1 to 9223372036854775807; see scree run --help");
  expect_refusal(
      {"replay", "study.toml", "--sample", "-1"}, 2,
      "replay: --sample -1, must be the number of a sample, from 0, or a range A:B with A < B, which ends before "
      "sample B; several by commas, as 3,7,10:20; see scree replay --help");
  expect_refusal(
      {"run", "study.toml", "--seed", "18446744073709551615"}, 2,
      "run: --seed 18446744073709551615, must be a whole number from 0 to 9223372036854775807; see scree run "
      "--help");
  EXPECT_EQ(scree({"check", "study.toml", "--seed", "9223372036854775807"}).code, 0);
}

TEST_F(Usage, RefusesAStepLongerThanTheRun) {
  expect_refusal({"run", "study.toml", "--set", "step=60.0"}, 2, "--set: step = 60, must be <= end = 30 (s)");
}

TEST_F(Usage, RefusesMoreStepsThanAClockCounts) {
  expect_refusal({"check", "study.toml", "--set", "step=1e-300"}, 2,
                 "--set: step = 1e-300, must be >= 3.331e-15 (s): no clock counts more than 2^53 steps");
  const Outcome long_one = scree({"check", "study.toml", "--set", "step=1e-13"});
  EXPECT_EQ(long_one.code, 0);
  EXPECT_EQ(
      long_one.err,
      "warning: --set: step = 1e-13 makes 3.000e+14 steps of a sample that lasts to the end: 833.3 hours at 1e8 a "
      "second\n");
}

TEST_F(Usage, RefusesAnUnknownBackend) {
  expect_refusal({"run", "study.toml", "--backend", "gpu"}, 2,
                 "--backend gpu: must be one of auto, scalar, pack, cuda, cuda:K, cuda:all");
  expect_refusal({"run", "study.toml", "--backend", "cuda:x"}, 2,
                 "--backend cuda:x: must be one of auto, scalar, pack, cuda, cuda:K, cuda:all");
}

TEST_F(Usage, RefusesInstructionsForCuda) {
  expect_refusal({"run", "study.toml", "--backend", "cuda", "--isa", "avx2"}, 2,
                 "--isa avx2 is for the CPU backends, not for cuda");
}

TEST_F(Usage, RefusesAvx512ForTheScalarBackend) {
  expect_refusal({"run", "study.toml", "--backend", "scalar", "--isa", "avx512"}, 2,
                 "--isa avx512 is for the pack backend, not for scalar");
}

TEST_F(Usage, RefusesADeviceThatIsNotThere) {
  const Outcome outcome = scree({"run", "study.toml", "--backend", "cuda:99"});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err,
              testing::AnyOf(MatchesRegex("scree: backend cuda: no device: [^\n]+\n"),
                             MatchesRegex("scree: backend cuda:99: no such device, this machine has [0-9]+, "
                                          "numbered from 0\n")));
}

TEST_F(Usage, ListsDevicesOrSaysWhyThereIsNone) {
  const Outcome text = scree({"list", "--devices"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_EQ(text.err, "");
  const nlohmann::json json = object({"list", "--devices", "--json"});
  if (json["devices"].empty()) {
    EXPECT_EQ(text.out, "no CUDA device: " + json["why"].get<std::string>() + "\n");
    EXPECT_NE(json["why"], "");
  }
  for (const nlohmann::json& device : json["devices"])
    EXPECT_THAT(text.out, HasSubstr("cuda:" + std::to_string(device["device"].get<int>()) + "  " +
                                    device["name"].get<std::string>()));
  expect_refusal({"list", "rock", "--devices"}, 2,
                 "list: --devices is of no system, so SYSTEM has no meaning; see scree list --help");
}

TEST_F(Usage, RefusesThreadsOutOfRange) {
  expect_refusal({"run", "study.toml", "--threads", "0"}, 2,
                 "run: --threads: 0, must be a whole number from 1 to 4096; see scree run --help");
}

TEST_F(Usage, RunTakesOneScheme) {
  expect_refusal({"run", "study.toml", "--set", "scheme=[\"explicit\", \"implicit\"]"}, 2,
                 "study.toml: has the schemes explicit, implicit; choose one with --scheme, or use `scree compare`");
}

TEST_F(Usage, CompareTakesSeveral) {
  expect_refusal(
      {"compare", "study.toml"}, 2,
      "study.toml: has only the scheme implicit; name two or more with --schemes a,b, or steps with --steps, "
      "backends with --backends, other values with --arms, or use `scree run`");
}

TEST_F(Usage, CompareNamesItsOption) {
  expect_refusal({"compare", "study.toml", "--schemes", "rk4,rk4"}, 2, "--schemes: scheme \"rk4\" is named twice");
  expect_refusal({"compare", "study.toml", "--schemes", "imlicit"}, 2,
                 "--schemes: scheme = \"imlicit\", did you mean \"implicit\"?");
}

TEST_F(Usage, SuggestsAScheme) {
  expect_refusal({"run", "study.toml", "--scheme", "imlicit"}, 2,
                 "--scheme: scheme = \"imlicit\", did you mean \"implicit\"?");
}

TEST_F(Usage, RefusesMoreSamplesThanFitInMemory) {
  const Outcome outcome = scree({"run", "study.toml", "--samples", "100000000000"});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(
      outcome.err,
      MatchesRegex("scree: study.toml: the summaries of 100000000000 samples take [0-9.]+ TB of memory, [0-9.]+ "
                   "[kMGT]B are available\n"));
}

TEST_F(Usage, RefusesToReplaceAResultBeforeTheRun) {
  write("old.h5", "not a result\n");
  expect_refusal({"run", "study.toml", "-o", "old.h5"}, 2,
                 "old.h5: exists already; give another name, or --force to replace it");
  EXPECT_EQ(read("old.h5"), "not a result\n");
}

TEST_F(Usage, RefusesAnOutputThatCannotBeWritten) {
  expect_refusal({"run", "study.toml", "-o", "no/such.h5"}, 2, "no/such.h5: there is no folder no");
  expect_refusal({"run", "study.toml", "-o", "."}, 2, ".: the result is a file, but this names a folder");
  const Outcome outcome = scree({"run", "study.toml", "-o", "/proc/scree.h5"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, StartsWith("scree: /proc/scree.h5: cannot write to the folder /proc: "));
}

TEST_F(Usage, RefusesToReplaceAPipe) {
  ASSERT_EQ(mkfifo(path("pipe.h5").c_str(), 0600), 0);
  expect_refusal({"run", "study.toml", "-o", "pipe.h5", "--force"}, 2,
                 "pipe.h5: the result is a file, but this names a device or a pipe");
  EXPECT_TRUE(std::filesystem::is_fifo(path("pipe.h5")));
  expect_refusal({"run", "--extend", "pipe.h5", "--samples", "40"}, 3, "pipe.h5: is a folder or a device, not a file");
}

TEST_F(Usage, NoticesThatStdoutCannotBeWritten) {
  const Outcome outcome = scree({"list"}, "/dev/full");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "scree: stdout cannot be written\n");
}

TEST_F(Usage, ReplayNeedsASampleThatExists) {
  expect_refusal({"replay", "study.toml"}, 2, "replay: --sample is required; see scree replay --help");
  expect_refusal({"replay", "study.toml", "--sample", "20"}, 2, "study.toml: --sample 20, must be 0 to 19");
}

TEST_F(Usage, ReplayWritesCsvOrHdf5) {
  expect_refusal({"replay", "study.toml", "--sample", "0", "-o", "path.txt"}, 2,
                 "path.txt: a path is written as .csv or .h5");
}

TEST_F(Usage, ReplayNeedsASchemeWhereThereAreSeveral) {
  expect_refusal({"replay", "study.toml", "--sample", "0", "--set", "scheme=[\"explicit\", \"implicit\"]"}, 2,
                 "study.toml: has the schemes explicit, implicit; choose one with --scheme");
}

TEST_F(Usage, InfoNeedsAResult) {
  expect_refusal({"info", "nope.h5"}, 3, "nope.h5: there is no such file");
  expect_refusal({"info", "study.toml"}, 3, "study.toml: not an HDF5 file");
}

TEST_F(Usage, VerifySuggestsAGroup) {
  expect_refusal({"verify", "--only", "rotr"}, 2, "verify --only rotr, did you mean \"rotor\"?");
}

TEST_F(Usage, InitSuggestsASystem) {
  expect_refusal({"init", "rok"}, 2, "init: unknown system \"rok\", did you mean \"rock\"?");
}

}  // namespace
}  // namespace scree
