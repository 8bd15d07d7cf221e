// `scree compare` and `scree converge` through the program: arms of steps and backends, margins, time-step errors with
// known orders, and what the result file keeps.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "host/results/hdf5.hpp"
#include "host/results/result_file.hpp"
#include "program.hpp"

namespace scree {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;

/// Shots with drag from random angles: Euler's rule is of order 1 for their range, RK4 of order 4.
const std::string shots = R"(system = "projectile"
scheme = ["euler", "rk4"]
samples = 200
step = 0.1
end = 60.0
[projectile]
drag = 0.05
[start]
speed = 100.0
[vary]
"start.angle" = { uniform = [0.5, 1.0] }
)";

class Compare : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("shots.toml", shots);
  }
};

std::vector<std::string> names(const json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

TEST_F(Compare, TakesStepsAsArms) {
  const json result = object({"compare", "shots.toml", "--schemes", "euler", "--steps", "0.1,0.05", "--json"});
  EXPECT_THAT(names(result["arms"]), ElementsAre("euler 0.05 s", "euler 0.1 s"));
  EXPECT_EQ(result["arms"]["euler 0.05 s"]["step"], 0.05);
  EXPECT_EQ(result["arms"]["euler 0.05 s"]["digest"],
            object({"run", "shots.toml", "--scheme", "euler", "--set", "step=0.05", "--json"})["digest"]);
  EXPECT_EQ(only(result["paired"])["range"]["n"], 200);
  EXPECT_EQ(only(result["paired"])["range"]["judgement"], "differs");
}

TEST_F(Compare, TakesBackendsAsArmsAndFindsThemEqual) {
  const json result = object({"compare", "shots.toml", "--schemes", "rk4", "--backends", "scalar,pack", "--json"});
  EXPECT_EQ(result["arms"]["rk4 scalar"]["backend"], "scalar");
  EXPECT_EQ(result["arms"]["rk4 scalar"]["digest"], result["arms"]["rk4 pack"]["digest"]);
  EXPECT_EQ(only(result["paired"]).size(), columns_of("projectile"));
  for (const auto& [name, column] : only(result["paired"]).items()) EXPECT_EQ(column["judgement"], "equal") << name;
  EXPECT_EQ(only(result["endings"])["columns_compared"], 0);
  EXPECT_THAT(result["verdict"][0].get<std::string>(), HasSubstr("are equal in all pairs."));
}

TEST_F(Compare, TakesValuesOfAKeyAsArmsOfTheSameSamples) {
  const json result = object(
      {"compare", "shots.toml", "--schemes", "rk4", "--arms", "projectile.drag=0.05,0.1", "-o", "arms.h5", "--json"});
  EXPECT_THAT(names(result["arms"]), ElementsAre("drag 0.05", "drag 0.1"));
  EXPECT_EQ(result["baseline"], "drag 0.05");
  EXPECT_EQ(result["arms"]["drag 0.1"]["changes"], json({"--arms:projectile.drag=0.1"}));
  EXPECT_EQ(result["arms"]["drag 0.1"]["digest"],
            object({"run", "shots.toml", "--scheme", "rk4", "--set", "projectile.drag=0.1", "--json"})["digest"]);
  const json& range = only(result["paired"])["range"];
  EXPECT_EQ(range["n"], 200);
  EXPECT_EQ(range["judgement"], "differs");
  EXPECT_LT(range["difference"], 0);
  // Each arm says what its samples drew: the same.
  const h5::Handle file = h5::open_file(path("arms.h5"));
  EXPECT_FALSE(h5::has_link(file, "inputs"));
  std::vector<double> angle[2];
  for (int arm = 0; arm < 2; ++arm) {
    angle[arm].resize(200);
    h5::read_array(h5::open_group(file, arm == 0 ? "arms/drag 0.05/inputs" : "arms/drag 0.1/inputs"), "start.angle",
                   H5T_NATIVE_DOUBLE, 200, angle[arm].data());
  }
  EXPECT_EQ(angle[0], angle[1]);
  const Outcome replay = scree({"replay", "arms.h5", "--scheme", "drag 0.1", "--sample", "0:200", "-o", "p.csv"});
  EXPECT_EQ(replay.code, 0);
  EXPECT_THAT(replay.err, HasSubstr("200 samples (drag 0.1): status and "));
  EXPECT_THAT(scree({"info", "arms.h5"}).out, HasSubstr("drag 0.1 differs from drag 0.05: range ("));
}

TEST_F(Compare, TakesLawsAndSeveralKeysAsArms) {
  const json both = object({"compare", "shots.toml", "--arms", "start.speed=90, 110", "--arms",
                            "vary.\"start.angle\"={ uniform = [0.5, 0.6] },{ choice = [0.5, 0.7] }", "--json"});
  EXPECT_EQ(both["arms"].size(), 8u);
  EXPECT_TRUE(both["arms"].contains("rk4 speed 110, angle { choice = [0.5, 0.7] }"));
}

TEST_F(Compare, MeasuresTheTimeStepErrorOfArmsOfValues) {
  const json result = object(
      {"compare", "shots.toml", "--schemes", "euler", "--arms", "projectile.drag=0.05,0.1", "--step-error", "--json"});
  for (const char* arm : {"drag 0.05", "drag 0.1"}) {
    SCOPED_TRACE(arm);
    const json run = object({"run", "shots.toml", "--scheme", "euler", "--set",
                             "projectile.drag=" + std::string(arm).substr(5), "--set", "step=0.05", "--json"});
    EXPECT_NEAR(result["arms"][arm]["step_error"]["columns"]["range"]["means"][1].get<double>(),
                run["statistics"]["range"]["mean"].get<double>(), 1e-10);
  }
}

TEST_F(Compare, RefusesArmsThatWouldDrawOtherNumbers) {
  // A law of speed stands before that of the angle, whose draws would be those of another place.
  expect_refusal(
      {"compare", "shots.toml", "--arms",
       "vary={'start.angle'={uniform=[0,1]}},{'projectile.drag'={uniform="
       "[0.1,0.2]},'start.angle'={uniform=[0,1]}}"},
      2,
      "--arms: euler vary {projectile.drag={uniform=[0.1,0.2]},start.angle={uniform=[0,1]}} would draw other "
      "numbers for start.angle than euler vary {start.angle={uniform=[0,1]}}, for another number of laws is "
      "before it: let the arms vary the same keys");
}

TEST_F(Compare, CallsArmsOfFilesByTheirNamesAsFarAsTheyDiffer) {
  std::filesystem::create_directories(path("old"));
  std::filesystem::create_directories(path("new"));
  for (const char* name : {"old/a.csv", "new/a.csv", "new/b.csv"}) write(name, "speed\n90\n110\n");
  const auto arms = [&](const std::string& files) {
    return names(
        object({"compare", "shots.toml", "--schemes", "rk4", "--arms", "start.table=" + files, "--json"})["arms"]);
  };
  EXPECT_THAT(arms("old/a.csv,new/b.csv"), ElementsAre("table a.csv", "table b.csv"));
  EXPECT_THAT(arms("old/a.csv,new/a.csv"), ElementsAre("table new:a.csv", "table old:a.csv"));
}

TEST_F(Compare, SaysWhatTheArmsSetInPlaceOfTheConfig) {
  const Outcome outcome =
      scree({"compare", "shots.toml", "--schemes", "rk4", "--arms", "projectile.drag=0.05,0.1", "-o", "d.h5"});
  EXPECT_THAT(outcome.out, HasSubstr("\nbut the arms set projectile.drag\n"));
  EXPECT_THAT(scree({"info", "d.h5", "--all"}).out, HasSubstr("\nbut the arms set projectile.drag\n"));
  const json run = object({"info", "d.h5", "--json"})["run"];
  EXPECT_EQ(run["varied"][0]["name"], "start.angle");
}

TEST_F(Compare, RefusesArmsThatAreNoneInOneLine) {
  const auto with = [&](const std::string& arms) {
    return std::vector<std::string>{"compare", "shots.toml", "--arms", arms};
  };
  const std::string form = ", must be key=value,value, as rock.ground=soft,hard";
  expect_refusal(with("start.speed"), 2, "--arms start.speed" + form);
  expect_refusal(with("=1,2"), 2, "--arms =1,2" + form);
  expect_refusal(with("start.speed=1,,2"), 2, "--arms start.speed=1,,2: a value is missing");
  expect_refusal(with("start.speed=1,1"), 2, "--arms start.speed=1,1: speed 1 is named twice");
  expect_refusal(with("step=1,2"), 2, "--arms step=1,2: --steps compares these");
  expect_refusal(with("scheme=rk4"), 2, "--arms scheme=rk4: --schemes compares these");
  expect_refusal(with("samples=1,2"), 2,
                 "--arms samples=1,2: arms are the same samples, and may differ in projectile.*, start.*, vary.*, "
                 "terrain.*");
  expect_refusal(with("shape=[],[]"), 2,
                 "--arms shape=[],[]: arms are the same samples, and may differ in projectile.*, start.*, vary.*, "
                 "terrain.*");
  expect_refusal(with("start.speed=1"), 2, "--arms start.speed=1: is one value; compare takes several, and --set one");
  for (const char* open : {"start.speed=[1,2", "start.speed=1],2", "start.speed='1,2"})
    expect_refusal(with(open), 2, std::string("--arms ") + open + ": a bracket or a quote has no other end");
  expect_refusal({"compare", "shots.toml", "--arms", "start.speed=1,2", "--arms", "start.speed=3,4"}, 2,
                 "--arms start.speed=3,4: another --arms has this key too; give all its values in one");
  expect_refusal(with("start.sped=1,2"), 2, "--arms: unknown key start.sped, did you mean start.speed?");
  expect_refusal(with("start.speed=1,fast"), 2, "--arms: start.speed = \"fast\", must be a number");
}

TEST_F(Compare, TakesEveryCombination) {
  const json result = object({"compare", "shots.toml", "--steps", "0.1,0.05", "--backends", "scalar,pack", "--json"});
  EXPECT_EQ(result["arms"].size(), 8u);
  EXPECT_EQ(result["paired"].size(), 7u);
  EXPECT_TRUE(result["arms"].contains("rk4 0.05 s pack"));
}

TEST_F(Compare, AnswersWithinMargins) {
  // Euler's range is some 5 m off at this step.
  const json wide = object({"compare", "shots.toml", "--set", "margin.range=50", "--json"});
  EXPECT_EQ(only(wide["paired"])["range"]["judgement"], "differs within");
  EXPECT_LT(only(wide["paired"])["range"]["margin"]["p_equivalent"], 0.05);
  const json narrow = object({"compare", "shots.toml", "--set", "margin.range=0.5", "--json"});
  EXPECT_EQ(only(narrow["paired"])["range"]["judgement"], "beyond margin");
  EXPECT_THAT(narrow["verdict"][0].get<std::string>(), HasSubstr("more than the margin of 0.5000 m"));
}

TEST_F(Compare, MeasuresTheTimeStepErrorAtHalfTheStep) {
  const json result = object({"compare", "shots.toml", "--step-error", "--json"});
  const json& euler = result["arms"]["euler"]["step_error"];
  EXPECT_EQ(euler["steps"], json({0.1, 0.05}));
  EXPECT_EQ(euler["columns"]["range"]["order_seen"], false);
  // Of order 1 the change to half the step is half of the error, which is the difference to RK4.
  const double change = euler["columns"]["range"]["errors"][0]["value"],
               error = -only(result["paired"])["range"]["difference"].get<double>();
  EXPECT_NEAR(change / error, 0.5, 0.01);
  EXPECT_THAT(result["verdict"].dump(), HasSubstr("time-step error of euler makes up at least "));
  EXPECT_THAT(result["verdict"].dump(), testing::Not(HasSubstr("was not measured")));
  EXPECT_THAT(object({"compare", "shots.toml", "--json"})["verdict"].dump(), HasSubstr("was not measured"));
}

TEST_F(Compare, MeasuresItOnTheFirstSamplesOfALargeEnsemble) {
  const json result = object({"compare", "shots.toml", "--samples", "10050", "--step-error", "--json"});
  EXPECT_EQ(result["arms"]["euler"]["samples"], 10050);
  EXPECT_EQ(result["arms"]["euler"]["step_error"]["samples"], 10000);
  EXPECT_EQ(result["arms"]["euler"]["step_error"]["columns"]["range"]["n"], 10000);
}

TEST_F(Compare, ConvergeFindsTheOrders) {
  const json result = object({"converge", "shots.toml", "--halvings", "3", "--json"});
  const auto order = [&](const char* scheme, int k) {
    return result["arms"][scheme]["step_error"]["columns"]["range"]["orders"][k]["value"].get<double>();
  };
  // The next term of the error is of the size of the step times the rate of change, 0.1 s * 0.05 1/s and less.
  EXPECT_NEAR(order("euler", 1), 1, 0.02);
  EXPECT_NEAR(order("rk4", 0), 4, 0.2);
  const json& euler = result["arms"]["euler"]["step_error"]["columns"]["range"];
  EXPECT_EQ(euler["order_seen"], true);
  // With the order seen, the extrapolated error is the difference to RK4, whose own is below 1e-6 m.
  EXPECT_NEAR(euler["errors"][0]["value"].get<double>() / -only(result["paired"])["range"]["difference"].get<double>(),
              1, 0.01);
  EXPECT_THAT(result["verdict"].dump(),
              HasSubstr("in the limit of small steps; time-step error of euler makes up 100.0"));
}

/// Disks whose steps adapt, and are far below the `step` that bounds them.
const std::string disks = R"(system = "disk"
scheme = ["rk4", "position_verlet"]
samples = 8
step = 1.0
end = 5.0
[disk]
nodes = 51
[vary]
"start.radius" = { uniform = [5, 15] }
)";

TEST_F(Compare, RefinesWhatStepsThatAdaptAreInProportionTo) {
  write("disks.toml", disks);
  const json result = object({"converge", "disks.toml", "--json"});
  for (const auto& [scheme, order] : {std::pair{"rk4", 4}, std::pair{"position_verlet", 2}}) {
    SCOPED_TRACE(scheme);
    const json& found = result["arms"][scheme]["step_error"]["columns"]["front"];
    EXPECT_EQ(found["order_seen"], true);
    // Half of what lies between orders that there are.
    EXPECT_NEAR(found["orders"].back()["value"].get<double>(), order, 0.5);
  }
  // RK4's own error is a part in a thousand of position Verlet's, of which half steps take three quarters.
  EXPECT_THAT(object({"compare", "disks.toml", "--step-error", "--json"})["verdict"].dump(),
              HasSubstr("time-step error of position_verlet makes up at least 73."));
}

TEST_F(Compare, ReplaysAFinerArmOfStepsThatAdapt) {
  write("disks.toml", disks);
  ASSERT_EQ(scree({"compare", "disks.toml", "--step-error", "--quiet", "-o", "disks.h5"}).code, 0);
  const Outcome replay = scree({"replay", "disks.h5", "--scheme", "rk4 0.5 s", "--sample", "3", "-o", "path.csv"});
  EXPECT_EQ(replay.code, 0) << replay.err;
  EXPECT_THAT(replay.err, HasSubstr("columns equal those of disks.h5 bit for bit"));
  // Twice the steps of the arm itself, to the step at its end.
  const auto rows = [&](const std::string& arm) {
    scree({"replay", "disks.h5", "--scheme", arm, "--sample", "3", "--force", "-o", "path.csv"});
    const std::string path = read("path.csv");
    return static_cast<double>(std::count(path.begin(), path.end(), '\n')) - 2;  // steps: less heading and start
  };
  EXPECT_NEAR(rows("rk4 0.5 s"), 2 * rows("rk4"), 2);
  // The name of a folder before it may break the line anywhere.
  const std::string told = std::regex_replace(scree({"info", "disks.h5"}).out, std::regex("\\s+"), " ");
  EXPECT_THAT(told, HasSubstr("step at most 1 s, adapting by courant and growth"));
}

TEST_F(Compare, TellsWhatItCanOfStepsThatAdapt) {
  write("disks.toml", disks);
  const Outcome outcome = scree({"run", "disks.toml", "--scheme", "rk4", "--dry-run"});
  EXPECT_THAT(outcome.out, HasSubstr("\nstep      at most 1 s, adapting by courant and growth, end 5 s\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\nsteps     at least 5 per sample, 40.00 in all, for they adapt\n"));
  EXPECT_THAT(scree({"run", "disks.toml", "--scheme", "rk4", "--set", "disk.stepping=fixed", "--set", "step=0.001",
                     "--dry-run"})
                  .out,
              HasSubstr("\nsteps     at most 5000 per sample, 40000 in all\n"));
  expect_refusal({"converge", "disks.toml", "--set", "vary.disk.courant={ uniform = [0.1, 0.2] }"}, 2,
                 "disks.toml: disk.courant varies and sets the length of steps, which cannot be halved then; keep it "
                 "fixed to see time-step errors");
}

TEST_F(Compare, FinerStepsEndWhenTheirArmDoes) {
  // 1 s is no multiple of 0.3 s, nor of its half: all end at 0.9 s.
  write("rotor.toml",
        "system = \"rotor\"\nscheme = \"rk4\"\nsamples = 4\nstep = 0.3\nend = 1\n"
        "[vary]\n\"start.omega.x\" = { uniform = [1, 2] }\n");
  const Outcome outcome = scree({"converge", "rotor.toml", "-o", "rotor.h5"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err,
              HasSubstr("warning: rotor.toml:5: end = 1 is no multiple of step = 0.3 s: samples run to 0.9 s\n"));
  EXPECT_THAT(outcome.out, HasSubstr("step 0.3 s, end 0.9 s\n"));
  for (const std::string arm : {"rk4", "rk4 0.15 s", "rk4 0.0375 s"})
    EXPECT_THAT(scree({"replay", "rotor.h5", "--scheme", arm, "--sample", "1", "--force", "-o", "path.csv"}).err,
                HasSubstr(": end_time after 0.9 s"))
        << arm;
  // Arms of other steps have ends of their own.
  EXPECT_THAT(scree({"compare", "rotor.toml", "--steps", "0.3,0.4,0.1"}).err,
              testing::AllOf(HasSubstr("warning: rk4 0.4 s: rotor.toml:5: end = 1 is no multiple of step = 0.4 s: "
                                       "samples run to 1.2 s\n"),
                             testing::Not(HasSubstr("rk4 0.1 s"))));
}

TEST_F(Compare, ConvergeOfOneSchemePrintsItsTable) {
  const Outcome outcome =
      scree({"converge", "shots.toml", "--schemes", "euler", "--halvings", "2", "--all", "-o", "c.h5"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\nrange (m): mean by step, over the samples that stopped at every step\n"
                                     "  arm    step (s)  steps/sample"));
  EXPECT_EQ(object({"converge", "shots.toml", "--schemes", "euler", "--json"})["arms"].size(), 1u);
  EXPECT_THAT(scree({"info", "c.h5", "--all"}).out, HasSubstr("\nrange (m): mean by step"));
  const StoredResult stored = read_result(path("c.h5"));
  ASSERT_EQ(stored.arms[0].finer.size(), 2u);
  EXPECT_EQ(stored.arms[0].finer[1].step, 0.025);
}

TEST_F(Compare, KeepsItsFindingsInTheResult) {
  const Outcome outcome =
      scree({"compare", "shots.toml", "--step-error", "--set", "margin.range=50", "--all", "-o", "both.h5"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string info = scree({"info", "both.h5", "--all"}).out;
  for (const char* title : {"\nTwo errors of each number", "\nTests of rk4 against euler", "\nVerdict\n"})
    EXPECT_THAT(info, HasSubstr(outcome.out.substr(outcome.out.find(title), 400))) << title;
  const Outcome replay = scree({"replay", "both.h5", "--scheme", "euler 0.05 s", "--sample", "3", "-o", "path.csv"});
  EXPECT_EQ(replay.code, 0) << replay.err;
  EXPECT_THAT(replay.err, HasSubstr("sample 3 (euler 0.05 s): status and "));
}

TEST_F(Compare, SaysTheSameOnAnyNumberOfThreads) {
  const json one = object({"compare", "shots.toml", "--threads", "1", "--json"}),
             three = object({"compare", "shots.toml", "--threads", "3", "--json"});
  EXPECT_EQ(one["paired"], three["paired"]);
  EXPECT_EQ(one["verdict"], three["verdict"]);
}

TEST_F(Compare, TellsItsArmsBeforeItRuns) {
  const Outcome outcome = scree({"compare", "shots.toml", "--steps", "0.1,0.05", "--step-error", "--dry-run"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("arms      euler 0.1 s, euler 0.05 s, rk4 0.1 s, rk4 0.05 s; each also at 1/2 of "
                                     "its step\n"));
  // 600, 1200, 1200 and 2400 steps of 60 s, of 200 samples under two schemes.
  EXPECT_THAT(outcome.out, HasSubstr("\nsteps     at most 2400 per sample, 2160000 in all\n"));
}

TEST_F(Compare, RefusesMoreThanFitsInMemory) {
  const Outcome outcome = scree({"compare", "shots.toml", "--samples", "100000000000"});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.err, MatchesRegex("scree: shots.toml: the summaries of 100000000000 samples, 2.000e.11 with all "
                                        "schemes and steps, take [0-9.]+ TB of memory, [0-9.]+ [kMGT]B are available; "
                                        "what is compared lies in memory\n"));
}

TEST_F(Compare, RefusesMoreArmsThanAResultIsReadWith) {
  std::string speeds = "start.speed=1";
  for (int i = 2; i <= 40; ++i) speeds += "," + std::to_string(i);
  expect_refusal({"compare", "shots.toml", "--schemes", "exact,euler,euler_cromer,rk4", "--steps", "0.1,0.05", "--arms",
                  speeds, "-o", "r.h5"},
                 2, "shots.toml: makes 320 arms, must be at most 256");
}

TEST_F(Compare, RefusesMistakesInOneLine) {
  expect_refusal({"compare", "shots.toml", "--steps", "0.1,0"}, 2, "--steps 0, must be a time > 0 (s)");
  expect_refusal({"compare", "shots.toml", "--steps", "0.1,0.10"}, 2, "--steps: the step 0.10 is named twice");
  expect_refusal({"compare", "shots.toml", "--backends", "pack,pack"}, 2, "--backends: backend pack is named twice");
  expect_refusal({"compare", "shots.toml", "--backends", "pack,scalar", "--backend", "pack"}, 2,
                 "--backend and --backends exclude each other");
  expect_refusal({"compare", "shots.toml", "--set", "margin.rnge=1"}, 2,
                 "--set: unknown key margin.rnge, did you mean margin.range?");
  expect_refusal({"compare", "shots.toml", "--set", "margin.range=-1"}, 2, "--set: margin.range = -1, must be > 0 (m)");
  expect_refusal({"compare", "shots.toml", "--schemes", "rk4"}, 2,
                 "shots.toml: has only the scheme rk4; name two or more with --schemes a,b, or steps with --steps, "
                 "backends with --backends, other values with --arms, or use `scree run`");
  expect_refusal({"converge", "shots.toml", "--halvings", "0"}, 2,
                 "converge: --halvings: 0, must be a whole number from 1 to 10; see scree converge --help");
}

}  // namespace
}  // namespace scree
