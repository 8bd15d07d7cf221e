// The commands at work: what they print, write and leave behind.
#include <gmock/gmock.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "host/results/result_file.hpp"
#include "program.hpp"

namespace scree {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class Program : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("study.toml", small_study);
  }
};

std::vector<std::string> keys(const json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

std::vector<double> numbers(const std::string& csv_line) {
  std::vector<double> values;
  std::istringstream line(csv_line);
  for (std::string cell; std::getline(line, cell, ',');) values.push_back(std::stod(cell));
  return values;
}

std::string last_line(const std::string& text) { return text.substr(text.rfind('\n', text.size() - 2) + 1); }

TEST_F(Program, PrintsDataOnStdoutAndTheRestOnStderr) {
  const Outcome outcome = scree({"run", "study.toml", "-o", "result.h5"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("implicit: 20 samples: 20 stopped\n"));
  EXPECT_EQ(outcome.err, "result: result.h5\n");
  EXPECT_EQ(scree({"run", "study.toml", "--quiet", "-o", "result.h5", "--force"}).err, "");
}

TEST_F(Program, InfoReadsWhatRunWrote) {
  const Outcome run = scree({"run", "study.toml", "--all", "-o", "result.h5"});
  const Outcome info = scree({"info", "result.h5", "--all"});
  EXPECT_EQ(info.code, 0) << info.err;
  const std::string digest = run.out.substr(run.out.find("  digest "), 9 + 32);
  EXPECT_THAT(info.out, HasSubstr(digest));
  EXPECT_THAT(info.out, HasSubstr("  kind = \"ramp\"\n"));
}

TEST_F(Program, PrintsOneJsonObject) {
  const json result = object({"run", "study.toml", "--json"});
  EXPECT_EQ(result["samples"], 20);
  EXPECT_EQ(result["status"]["stopped"], 20);
  const json& runout = result["statistics"]["runout"];
  EXPECT_LT(runout["ci95"][0], runout["mean"]);
  EXPECT_LT(runout["mean"], runout["ci95"][1]);
}

TEST_F(Program, SaysHowMuchMemoryItTakesOnSoManyThreads) {
  write("shots.toml", small_shots);
  const auto taken = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"run", "shots.toml", "--quiet", "--set", "end=1", "--samples"};
    words.insert(words.end(), more.begin(), more.end());
    return scree(words);
  };
  const double program = taken({"1000"}).peak;
  for (const std::vector<std::string>& how :
       {std::vector<std::string>{"--threads", "1"}, {"--threads", "8"}, {"--threads", "1", "-o", "result.h5"}}) {
    std::vector<std::string> words{"400000"};
    words.insert(words.end(), how.begin(), how.end());
    const double peak = taken(words).peak - program;
    words.insert(words.end(), {"--dry-run", "--json", "--force"});
    const double needed = json::parse(taken(words).out)["dry_run"]["memory_needed"];
    EXPECT_LT(peak, needed + 10e6) << how.back();
    EXPECT_GT(peak, 0.7 * needed) << how.back();
  }
}

TEST_F(Program, SaysThatSummariesGoThroughAFile) {
  write("shots.toml", small_shots);
  const Words command{"run", "shots.toml", "--samples", "1000000000", "--dry-run"};
  setenv("SCREE_TABLE_MEMORY", "1e9", 1);
  const auto told = [&](const std::string& more) {
    Words words = command;
    words.insert(words.end(), {"-o", more});
    return scree(words);
  };
  EXPECT_THAT(told("r.h5").out, ContainsRegex("\nsummaries [0-9.]+ GB in a file in \\. while it runs\n"));
  EXPECT_THAT(scree(command).out, Not(HasSubstr("summaries ")));
  // 9.6 PB
  const Outcome outcome = scree({"run", "shots.toml", "--samples", "100000000000000", "-o", "r.h5"});
  unsetenv("SCREE_TABLE_MEMORY");
  EXPECT_EQ(outcome.code, 4);
  EXPECT_FALSE(std::filesystem::exists(path("r.h5")));
}

/// As under taskset or in a step of a batch job.
TEST_F(Program, TakesAThreadForEachProcessorThatItMayRunOn) {
  cpu_set_t all, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "this machine has one processor";
  CPU_ZERO(&one);
  for (int processor = 0; CPU_COUNT(&one) == 0; ++processor)
    if (CPU_ISSET(processor, &all)) CPU_SET(processor, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const json run = object({"run", "study.toml", "--backend", "pack", "--json"});
  ASSERT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
  EXPECT_EQ(run["threads"], 1);
}

TEST_F(Program, HasTheSameBitsOnAllThreadsAndInstructions) {
  write("shots.toml", small_shots);
  const json one =
      object({"run", "shots.toml", "--json", "--backend", "scalar", "--threads", "1", "--isa", "baseline"});
  for (const char* threads : {"1", "2", "7"})
    EXPECT_EQ(object({"run", "shots.toml", "--json", "--backend", "scalar", "--threads", threads})["digest"],
              one["digest"]);
  EXPECT_EQ(object({"run", "shots.toml", "--json", "--backend", "pack", "--isa", "baseline"})["digest"], one["digest"]);
  EXPECT_EQ(object({"run", "shots.toml", "--json", "--backend", "pack"})["digest"], one["digest"]);
  EXPECT_NE(object({"run", "shots.toml", "--json", "--seed", "2"})["digest"], one["digest"]);
}

TEST_F(Program, SharesSamplesAmongBackendsWithTheSameBits) {
  write("shots.toml", small_shots);
  write("watched.toml", small_watched);
  for (const Words& command : {Words{"run", "shots.toml", "--samples", "30000", "--json"},
                               Words{"run", "watched.toml", "--samples", "1500", "--json"}}) {
    const auto of = [&](const Words& more) { return object(command + more); };
    json one = of({"--backend", "scalar"}), shared = of({"--backend", "scalar,pack", "--threads", "3"});
    EXPECT_EQ(shared["backend"], "scalar,pack");
    EXPECT_EQ(shared["threads"], 3);
    for (const char* key : {"digest", "sample_steps", "status", "statistics", "maps", "gates", "barriers", "forest"})
      EXPECT_EQ(one[key], shared[key]) << key;
  }
}

TEST_F(Program, ComparesSchemesOnTheSameSamples) {
  const json result = object({"compare", "study.toml", "--schemes", "explicit,implicit", "--json"});
  EXPECT_EQ(result["arms"]["implicit"]["digest"], object({"run", "study.toml", "--json"})["digest"]);
  EXPECT_EQ(only(result["paired"])["runout"]["n"], 20);
  EXPECT_NEAR(only(result["paired"])["runout"]["difference"],
              result["arms"]["implicit"]["statistics"]["runout"]["mean"].get<double>() -
                  result["arms"]["explicit"]["statistics"]["runout"]["mean"].get<double>(),
              1e-12 * 20);
  const json three = object({"compare", "study.toml", "--schemes", "explicit,implicit,rk4", "--json"});
  EXPECT_THAT(keys(three["paired"]), ElementsAre("implicit", "rk4"));
}

TEST_F(Program, DryRunTellsAndDoesNotRun) {
  const Outcome outcome =
      scree({"run", "study.toml", "--dry-run", "--backend", "scalar", "--threads", "2", "-o", "result.h5"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* line :
       {"samples   20, seed 1\n", "steps     at most 15000 per sample, 300000 in all\n",
        "terrain   ramp of 40 degrees, 5 m high\n",
        "shape     EOTA221: 780.0 kg, 0.2879 m^3, 1.066 m across, moments 52.31, 52.31, 83.34 kg m^2, 24 corners\n",
        ", 2 threads\n", "memory    "})
    EXPECT_THAT(outcome.out, HasSubstr(line));
  EXPECT_FALSE(std::filesystem::exists(path("result.h5")));
  EXPECT_EQ(object({"run", "study.toml", "--dry-run", "--json"})["dry_run"]["steps_of_a_sample"], 15000);
}

TEST_F(Program, ReplaysToTheEndThatTheSummaryTells) {
  ASSERT_EQ(scree({"run", "study.toml", "-o", "result.h5"}).code, 0);
  const StoredResult stored = read_result(path("result.h5"));
  const SummaryTable& table = stored.arms[0].table;
  const Outcome outcome = scree({"replay", "study.toml", "--sample", "7"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, testing::StartsWith("time [s],x [m],y [m],z [m],"));
  // 17 digits give back the same double.
  const std::vector<double> last = numbers(last_line(outcome.out));
  const char* const names[] = {"stop_time", "final_x", "final_y", "final_z"};
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(last[k], table.at(stored.description->column(names[k]), 7)) << names[k];
}

TEST_F(Program, ReplayOfAResultChecksItBitForBit) {
  ASSERT_EQ(scree({"compare", "study.toml", "--schemes", "explicit,implicit", "--seed", "5", "-o", "result.h5"}).code,
            0);
  const std::size_t columns = read_result(path("result.h5")).description->columns.size();
  for (const char* scheme : {"explicit", "implicit"}) {
    const Outcome outcome =
        scree({"replay", "result.h5", "--sample", "3", "--scheme", scheme, "-o", "path.csv", "--force"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(last_line(outcome.err), std::string("sample 3 (") + scheme + "): status and " + std::to_string(columns) +
                                          " columns equal those of result.h5 bit for bit\n");
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_EQ(read("path.csv"), scree({"replay", "study.toml", "--seed", "5", "--sample", "3"}).out);
}

TEST_F(Program, ReplaysAResultFromAnotherFolder) {
  std::string study = small_study;
  write("start.csv", "speed\n1\n");
  study.replace(study.find("[vary]"), 6, "table = \"start.csv\"\n[vary]");
  std::filesystem::create_directory(path("sub"));
  write("sub/study.toml", study);
  std::filesystem::rename(path("start.csv"), path("sub/start.csv"));
  ASSERT_EQ(scree({"run", "sub/study.toml", "-o", "result.h5"}).code, 0);
  std::filesystem::create_directory(path("other"));
  std::filesystem::rename(path("result.h5"), path("other/result.h5"));
  const std::filesystem::path before = folder_;
  folder_ = path("other");
  const Outcome outcome = scree({"replay", "result.h5", "--sample", "3"});
  folder_ = before;
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("bit for bit"));
}

TEST_F(Program, PrintsItsNumbersThoughTheResultCannotBeWritten) {
  // The limit on files holds for the program too: room for what it prints, and not for a result.
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto ignored = signal(SIGXFSZ, SIG_IGN);
  const rlimit little{49152, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &little);
  const Outcome text = scree({"run", "study.toml", "-o", "result.h5"});
  const Outcome object = scree({"run", "study.toml", "-o", "result.h5", "--json", "--resume"});
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, ignored);
  EXPECT_EQ(text.code, 1);
  EXPECT_THAT(text.out, HasSubstr("implicit: 20 samples: 20 stopped\n"));
  EXPECT_EQ(
      text.err,
      "scree: result.h5: cannot be written: File too large; all 20 samples are safe in result.h5.journal: the same "
      "command with --resume goes on from there\n");
  EXPECT_EQ(object.code, 1);
  EXPECT_EQ(json::parse(object.out)["samples"], 20);
  EXPECT_FALSE(std::filesystem::exists(path("result.h5")));
}

TEST_F(Program, ReplayKeepsEveryKthStepAndBothEnds) {
  const std::string all = scree({"replay", "study.toml", "--sample", "0"}).out;
  const std::string some = scree({"replay", "study.toml", "--sample", "0", "--every", "100"}).out;
  const auto rows = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n') - 1; };
  EXPECT_EQ(rows(some), (rows(all) - 2) / 100 + 2);  // the start, full hundreds of steps, and the end
  EXPECT_EQ(last_line(some), last_line(all));
}

TEST_F(Program, ReplayWritesHdf5) {
  EXPECT_EQ(scree({"replay", "study.toml", "--sample", "0", "-o", "path.h5"}).code, 0);
  EXPECT_EQ(read("path.h5").substr(1, 3), "HDF");
  const Outcome again = scree({"replay", "study.toml", "--sample", "0", "-o", "path.h5"});
  EXPECT_EQ(again.code, 2);
  EXPECT_EQ(again.err, "scree: path.h5: exists already; give another name, or --force to replace it\n");
}

TEST_F(Program, ReplayRefusesAResultWhoseConfigHasOtherBits) {
  // The heights of the grid are an input file: another slope is another ensemble.
  const auto grid = [&](const char* step) {
    std::string text = "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\n";
    for (int row = 0; row < 3; ++row) text += std::string("20 ") + step + " 0\n";
    write("grid.asc", text);
  };
  std::string study = small_study;
  study.replace(study.find("kind = \"ramp\"\nslope = 40.0\nheight = 5.0"), 40,
                "kind = \"grid\"\nfile = \"grid.asc\"\n");
  study.replace(study.find("[0.0, 0.0]"), 10, "[6.0, 12.0]");
  write("study.toml", study);
  grid("10");
  ASSERT_EQ(scree({"run", "study.toml", "-o", "result.h5"}).code, 0);
  grid("11");
  expect_refusal({"replay", "result.h5", "--sample", "0"}, 3,
                 "result.h5: the input grid.asc is no longer the file that this result was made from");
}

TEST_F(Program, InterruptionKeepsWhatIsFinished) {
  // Many seconds' work, interrupted after one of it, in which many samples are finished.
  const pid_t pid = start({"run", "study.toml", "--samples", "100000", "--threads", "1", "-o", "result.h5"}, "stdout");
  await_working(pid, 1);
  kill(pid, SIGINT);
  const Outcome outcome = finish(pid);
  EXPECT_EQ(outcome.code, 130);
  EXPECT_THAT(outcome.err, HasSubstr("scree: interrupted: implicit has finished "));
  EXPECT_THAT(outcome.out, HasSubstr(" not_run\n"));
  const Outcome info = scree({"info", "result.h5"});
  EXPECT_EQ(info.code, 0) << info.err;
  EXPECT_THAT(info.out, HasSubstr(" not_run\n"));
  EXPECT_THAT(info.out, Not(HasSubstr("the samples do not give the digest")));
  const StoredResult stored = read_result(path("result.h5"));
  EXPECT_GT(stored.arms[0].statistics.status[static_cast<std::size_t>(Status::stopped)], 0u);
  // The finished ones, of which sample 0 need not be one yet, are those of a run to the end.
  const std::vector<std::uint32_t>& status = stored.arms[0].table.status;
  const auto finished = std::find(status.begin(), status.end(), static_cast<std::uint32_t>(Status::stopped));
  const Outcome replay = scree({"replay", "result.h5", "--sample", std::to_string(finished - status.begin())});
  EXPECT_THAT(replay.err, HasSubstr("bit for bit"));
  EXPECT_THAT(scree({"replay", "result.h5", "--sample", "99999"}).err,
              HasSubstr("was not run before result.h5 was interrupted"));
}

TEST_F(Program, StrictRunsFailWithSamplesThatDiverge) {
  const std::vector<std::string> fast{"run", "study.toml", "--set",
                                      "start.omega=[1e60, 1e60, 1e60]"};  // no turn of a step is a rotation
  EXPECT_EQ(scree(fast).code, 0);
  std::vector<std::string> strict = fast;
  strict.insert(strict.end(), {"--set", "strict=true"});
  const Outcome outcome = scree(strict);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("20 diverged"));
  EXPECT_THAT(outcome.err, testing::EndsWith("scree: study.toml: strict = true, but samples diverged or did not "
                                             "converge: 20 of 20 under implicit\n"));
}

TEST_F(Program, RepeatsTheRunOverTheValuesOfSensitivity) {
  write("study.toml", "group_by = \"shape\"\n" + small_study +
                          "[sensitivity]\nkey = \"rock.ground\"\nvalues = [\"soft\", \"medium\"]\n");
  const Outcome outcome = scree({"run", "study.toml"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\nSensitivity of runout (m) to rock.ground by shape: "));
  const std::string all = scree({"run", "study.toml", "--all"}).out;
  EXPECT_THAT(all, HasSubstr("Sensitivity to rock.ground"));
  EXPECT_THAT(all, HasSubstr(" by rock.ground and shape: mean +- 95 % confidence"));
  EXPECT_THAT(scree({"run", "study.toml", "--no-sensitivity"}).out, Not(HasSubstr("Sensitivity")));
  const json result = object({"compare", "study.toml", "--schemes", "explicit,implicit", "--json"});
  const json& rows = result["sensitivity"]["rows"];
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[3]["value"], "medium");
  EXPECT_EQ(rows[3]["scheme"], "implicit");
  // The last row repeats the run itself.
  EXPECT_EQ(rows[3]["statistics"].size(), 7u) << "the headline columns";
  for (const auto& [name, column] : rows[3]["statistics"].items())
    EXPECT_EQ(column["mean"], result["arms"]["implicit"]["statistics"][name]["mean"]) << name;
  EXPECT_EQ(rows[3]["groups"]["EOTA221"], rows[3]["statistics"]);
}

TEST_F(Program, KeepsTheTableOfSensitivityInTheResult) {
  write("study.toml", "group_by = \"shape\"\n" + small_study +
                          "[sensitivity]\nkey = \"rock.ground\"\nvalues = [\"soft\", \"medium\"]\n");
  const auto table = [](const std::string& out) {
    const std::size_t from = out.find("\nSensitivity "), to = out.find("\nConfig ", from);
    EXPECT_NE(from, std::string::npos) << out;
    return from == std::string::npos ? "" : out.substr(from, to - from);
  };
  const std::vector<std::vector<std::string>> commands{{"run", "study.toml"},
                                                       {"compare", "study.toml", "--schemes", "explicit,implicit"}};
  for (std::vector<std::string> command : commands) {
    command.insert(command.end(), {"-o", "result.h5", "--force", "--quiet"});
    const std::string told = scree(command).out;
    EXPECT_EQ(table(scree({"info", "result.h5"}).out), table(told));
    command.push_back("--all");
    const std::string all = scree(command).out;
    EXPECT_THAT(table(all), HasSubstr(" by rock.ground and shape: mean +- 95 % confidence"));
    EXPECT_EQ(table(scree({"info", "result.h5", "--all"}).out), table(all));
    command.back() = "--json";
    const json ran = object(command), stored = object({"info", "result.h5", "--json"});
    EXPECT_EQ(stored["sensitivity"], ran["sensitivity"]);
    EXPECT_EQ(stored["sensitivity"]["rows"].size(), command[0] == "run" ? 2u : 4u);
    EXPECT_EQ(scree({"replay", "result.h5", "--sample", "3", "--scheme", "implicit", "-o", "p.csv", "--force"}).code,
              0);
  }
  ASSERT_EQ(scree({"run", "study.toml", "-o", "result.h5", "--force", "--no-sensitivity"}).code, 0);
  EXPECT_THAT(scree({"info", "result.h5"}).out, Not(HasSubstr("\nSensitivity ")));
  EXPECT_FALSE(object({"info", "result.h5", "--json"}).contains("sensitivity"));
}

/// Who may make links in a folder could else have a result replace any file of the one who writes it.
TEST_F(Program, ReplacesALinkAndNeverWritesWhereItLeads) {
  namespace fs = std::filesystem;
  const auto make_link = [&](const char* to) {
    fs::remove(path("link.h5"));
    ASSERT_EQ(symlink(to, path("link.h5").c_str()), 0);
  };
  const auto is_result = [&](std::uint64_t samples) {
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(path("link.h5"))));
    EXPECT_EQ(object({"info", "link.h5", "--json"})["samples"], samples);
  };
  fs::create_directory(path("there"));
  const Words run{"run", "study.toml", "--samples", "3", "--quiet", "-o", "link.h5"};
  ASSERT_EQ(scree({"run", "study.toml", "--samples", "2", "--quiet", "-o", "there/result.h5"}).code, 0);
  const std::string there = read("there/result.h5");
  for (const char* to : {"there/result.h5", "there/nothing.h5", "nowhere/result.h5", "link.h5"}) {
    make_link(to);
    expect_refusal(run, 2, "link.h5: exists already; give another name, or --force to replace it");
    EXPECT_TRUE(fs::is_symlink(path("link.h5")));
    EXPECT_EQ(scree(run + Words{"--force"}).code, 0) << to;
    is_result(3);
  }
  // What is there is read through it: another command's, one that is complete, one that is extended.
  make_link("there/result.h5");
  expect_refusal(run + Words{"--resume"}, 3,
                 "link.h5: is of another command, so that --resume cannot go on with it; --force would replace it");
  Words same = run;
  same[3] = "2";
  EXPECT_EQ(scree(same + Words{"--resume"}).err, "scree: link.h5: is complete\n");
  EXPECT_TRUE(fs::is_symlink(path("link.h5")));
  EXPECT_EQ(scree({"run", "--extend", "link.h5", "--samples", "6", "--quiet"}).code, 0);
  is_result(6);
  make_link("there/result.h5");
  expect_refusal({"run", "--extend", "there/result.h5", "--samples", "6", "-o", "link.h5"}, 2,
                 "link.h5: exists already; give another name, or --force to replace it");
  make_link("there/nothing.h5");
  EXPECT_EQ(scree(run + Words{"--resume"}).code, 0) << read("stderr");
  is_result(3);
  EXPECT_TRUE(read("there/result.h5") == there);
  EXPECT_FALSE(fs::exists(path("there/nothing.h5")));
  // So it is with what other commands write, and with the journal.
  fs::create_symlink("there/result.h5", path("page.html"));
  EXPECT_EQ(scree({"report", "link.h5", "-o", "page.html", "--force", "--quiet"}).code, 0) << read("stderr");
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(path("page.html"))));
  fs::create_symlink("there/result.h5", path("new.h5.journal"));
  expect_refusal({"run", "study.toml", "-o", "new.h5"}, 2,
                 "new.h5: its journal new.h5.journal cannot be made: a link is there");
  EXPECT_TRUE(read("there/result.h5") == there);
  // A link may lead to no file of a folder at all.
  fs::create_directory_symlink("there", path("folder.h5"));
  expect_refusal({"run", "study.toml", "-o", "folder.h5", "--force"}, 2,
                 "folder.h5: the result is a file, but this names a folder");
  fs::create_symlink("/proc/self/fd/1", path("stdout.h5"));
  expect_refusal({"run", "study.toml", "-o", "stdout.h5", "--force"}, 2,
                 "stdout.h5: the result is a file, but this names a device or a pipe");
}

TEST_F(Program, InitWritesAConfigThatChecksAndRuns) {
  write("my.toml", scree({"init", "rock"}).out);
  const Outcome check = scree({"check", "my.toml"});
  EXPECT_EQ(check.code, 0) << check.err;
  EXPECT_THAT(check.out, HasSubstr("my.toml: ok\n"));
  EXPECT_EQ(scree({"run", "my.toml", "--samples", "2", "--set", "terrain.height=5.0"}).code, 0);
}

TEST_F(Program, SamplesOfEverySystemEndWithAWholeStep) {
  std::size_t systems = 0;
  const json list = object({"list", "--json"});
  for (const json& system : list["systems"]) {
    const std::string name = system["name"];
    SCOPED_TRACE(name);
    ++systems;
    write("my.toml", scree({"init", name}).out);
    const std::string text = read("my.toml");
    const double step = std::stod(text.substr(text.find("\nstep = ") + 8));
    const auto time_of_the_end = [&](double steps) {
      const std::string told = scree({"replay", "my.toml", "--sample", "0", "-o", "p.csv", "--force", "--set",
                                      "end=" + std::to_string(steps * step)})
                                   .err;
      const std::size_t place = told.find("end_time after ");
      return place == std::string::npos ? std::nan("") : std::stod(told.substr(place + 15)) / step;
    };
    if (name == "disk") {  // its clock begins at start.time, and its last step ends at `end`
      EXPECT_NEAR(time_of_the_end(2.6), 2.6, 1e-9);
      const std::string fixed = scree({"replay", "my.toml", "--sample", "0", "-o", "p.csv", "--force", "--set",
                                       "disk.stepping=fixed", "--set", "step=0.001", "--set", "end=0.1026"})
                                    .err;
      EXPECT_THAT(fixed, HasSubstr("end_time after 0.1026 s"));
      continue;
    }
    EXPECT_NEAR(time_of_the_end(2.6), 3, 1e-9);
    EXPECT_NEAR(time_of_the_end(2.4), 2, 1e-9);
    EXPECT_NEAR(time_of_the_end(2), 2, 1e-9);
  }
  EXPECT_EQ(systems, std::size_t{SCREE_SYSTEM_COUNT});
}

TEST_F(Program, ListsSystems) {
  const json list = object({"list", "--json"})["systems"];
  ASSERT_EQ(list.size(), std::size_t{SCREE_SYSTEM_COUNT});
  for (const char* key : {"name", "params", "starts", "columns", "schemes"}) EXPECT_TRUE(list[0].contains(key)) << key;
  EXPECT_THAT(scree({"list"}).out, HasSubstr("\n  rock        rotating rocks on terrain"));
  EXPECT_THAT(scree({"list", "rock"}).out, testing::StartsWith("rock: rotating rocks on terrain"));
  EXPECT_EQ(object({"list", "rotor", "--json"})["systems"].size(), 1u);
  expect_refusal({"list", "rok"}, 2, "list: unknown system \"rok\", did you mean \"rock\"?");
}

}  // namespace
}  // namespace scree
