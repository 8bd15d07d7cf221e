// What a person reads first: each report on one screen, whatever was run.
#include <gmock/gmock.h>

#include <algorithm>

#include "host/common/text_table.hpp"
#include "host/report/screen.hpp"
#include "program.hpp"

namespace scree {
namespace {

using testing::HasSubstr;

class OneScreen : public Cli {
 protected:
  /// The report of a command, held to its lines and their width.
  std::string screen(const std::vector<std::string>& arguments, std::size_t most_lines = screen_lines) const {
    const Outcome outcome = scree(arguments);
    std::string command;
    for (const std::string& word : arguments) command += word + " ";
    EXPECT_EQ(outcome.code, 0) << command << outcome.err;
    EXPECT_LE(static_cast<std::size_t>(std::count(outcome.out.begin(), outcome.out.end(), '\n')), most_lines)
        << command << '\n'
        << outcome.out;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), screen_width) << command << '\n' << line;
    return outcome.out;
  }
};

TEST_F(OneScreen, HoldsTheReportOfEveryKindOfStudy) {
  const std::vector<std::vector<std::string>> studies{
      {"run", "rock_ramp.toml", "--scheme", "implicit", "--samples", "8"},
      {"run", "slider_valley.toml", "--samples", "8", "--until", "mean(runout) +- 50 %"},
      {"run", "slider_example2.toml"},
      {"run", "pair_example3.toml"},
      {"run", "disc_box_script.toml", "--samples", "4"},
      {"run", "hard_discs_kinetic.toml", "--samples", "4"},
      {"run", "disk_1d.toml"},
      {"run", "scatter_beam.toml", "--samples", "8"},
      {"run", "coulomb_rutherford.toml", "--samples", "8"},
      {"compare", "rock_ramp.toml", "--samples", "8", "--step-error"},
      {"compare", "rock_ramp.toml", "--published"},
      {"compare", "rock_ramp_placebo.toml", "--samples", "8"},
      {"compare", "rock_ramp_sobol.toml", "--samples", "64"},
      {"compare", "rotor_flips.toml", "--samples", "8", "--step-error"},
      {"compare", "projectile_range.toml", "--samples", "20", "--steps", "0.1,0.05", "--backends", "scalar,pack"},
      {"compare", "slider_case1.toml"},
      {"compare", "pair_case3.toml"},
      {"compare", "balls_three.toml"},
      {"compare", "hard_discs_contrast.toml"},
      {"compare", "scatter_stream.toml", "--samples", "8"},
      {"compare", "disc_box_corrected.toml", "--samples", "4"},
      {"converge", "projectile_range.toml", "--samples", "20"},
      {"converge", "slider_case2.toml"},
      {"converge", "slider_valley.toml", "--samples", "8", "--halvings", "1"}};
  for (std::vector<std::string> study : studies) {
    study[1] = config(study[1]);
    if (study.back() != "--published") study.insert(study.end(), {"--quiet", "-o", "result.h5", "--force"});
    screen(study);
    if (study.back() == "--published") continue;
    EXPECT_THAT(screen({"info", "result.h5"}), HasSubstr("--all: every "));
  }
}

TEST_F(OneScreen, ListsTheSystems) {
  EXPECT_EQ(screen({"list"}, 24), R"(  balls       balls that collide on a line between two walls, from hit to hit
  coulomb     bodies in a plane that attract or repel one another as the inverse square
  disc_box    discs with off-centre observer masses in a box: Hunt-Crossley impacts with friction
  disk        expanding disk or dam break: a cloud with contact repulsion, or shallow water, let go
  hard_discs  hard discs that collide in a rectangle or a circle, from hit to hit
  pair        two masses at a constant distance, sliding with friction on a smooth surface z = f(x,
              y)
  projectile  a shot with linear drag: closed form against Euler, Euler-Cromer and Runge-Kutta
  rock        rotating rocks on terrain: Moreau's midpoint scheme, impacts, friction, scarring
              ground
  rotor       free rigid body: rotation without torque
  scatter     a stream of particles that bounces off an inclined plane and a ball on it
  slider      point masses sliding with Coulomb friction on a smooth surface z = f(x, y)

scree list SYSTEM: its parameters, starts, columns and schemes; scree init SYSTEM: a config
)");
}

/// Values that agree to rounding, as the loss of momentum of one start in many orientations, would have twelve digits.
TEST_F(OneScreen, HoldsAllColumnsWithinTheWidthOfAReport) {
  write("my.toml", scree({"init", "rotor"}).out);
  const std::vector<std::vector<std::string>> studies{{"run", "my.toml"},
                                                      {"compare", "my.toml", "--schemes", "explicit,implicit,rk4"}};
  for (std::vector<std::string> study : studies) {
    study.insert(study.end(), {"--samples", "12", "--quiet", "--all", "-o", "result.h5", "--force"});
    const std::string told = scree(study).out, stored = scree({"info", "result.h5", "--all"}).out;
    EXPECT_THAT(stored, HasSubstr("\n  inertia = [0.4166666666666667, ")) << "the config, after two blanks";
    EXPECT_THAT(told, HasSubstr("momentum_drift"));
    std::istringstream lines(told + stored);
    // A command is never broken, and may have the name of a folder.
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), report_width + (line.find(folder_) == std::string::npos ? 0 : folder_.size())) << line;
  }
}

/// In the order in which they are named.
TEST_F(OneScreen, ShowsTheColumnsThatAreAskedFor) {
  write("shots.toml", scree({"init", "projectile"}).out);
  std::vector<std::string> all;
  const auto systems = object({"list", "--json"})["systems"];
  for (const auto& system : systems)
    if (system["name"] == "projectile")
      for (const auto& column : system["columns"]) all.push_back(column["name"]);
  ASSERT_EQ(all.size(), 12u);
  const auto rows = [&](const std::string& out) {
    std::vector<std::string> shown;
    std::istringstream lines(out);
    for (std::string line; std::getline(lines, line);)
      for (const std::string& name : all)
        if (line.starts_with("  " + name + " ")) shown.push_back(name);
    return shown;
  };
  using testing::ElementsAre;
  const std::vector<std::string> compare{"compare", "shots.toml", "--schemes", "exact,euler", "--samples", "8"};
  const auto with = [](std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  EXPECT_THAT(rows(screen(compare)), ElementsAre("range", "flight_time", "apex", "position_error"));
  const std::string chosen = screen(with(compare, {"--columns", "impact_angle,apex", "-o", "both.h5"}));
  EXPECT_THAT(rows(chosen), ElementsAre("impact_angle", "apex"));
  EXPECT_THAT(chosen, testing::Not(HasSubstr("range (")));
  EXPECT_THAT(chosen, HasSubstr("impact_angle ("));
  EXPECT_EQ(object(with(compare, {"--columns", "apex", "--json"}))["verdict"].size(), 2u)
      << "one of apex, one of the time step";
  // By a key of the config, in a run and where the step is halved; and of the result, as it was asked for or anew.
  EXPECT_THAT(rows(screen({"run", "shots.toml", "--scheme", "euler", "--set", "columns=['apex', 'range']"})),
              ElementsAre("apex", "range"));
  EXPECT_THAT(rows(screen({"converge", "shots.toml", "--schemes", "euler", "--columns", "apex"})), ElementsAre("apex"));
  EXPECT_THAT(rows(screen({"info", "both.h5"})), ElementsAre("impact_angle", "apex"));
  EXPECT_THAT(rows(screen({"info", "both.h5", "--columns", "flight_time"})), ElementsAre("flight_time"));
  // The table of [sensitivity], on the screen and for programs.
  std::vector<std::string> sensitivity{
      "run",       "shots.toml", "--set", "sensitivity.key=projectile.drag", "--set", "sensitivity.values=[0.1, 0.2]",
      "--columns", "apex"};
  EXPECT_THAT(screen(sensitivity), HasSubstr("\n  value       stopped      apex (m)\n"));
  sensitivity.push_back("--json");
  const auto rows_of_values = object(sensitivity)["sensitivity"]["rows"];
  ASSERT_EQ(rows_of_values.size(), 2u);
  EXPECT_EQ(rows_of_values[0]["statistics"].size(), 1u);
  // None has landed.
  EXPECT_THAT(screen(with(compare, {"--set", "end=0.2", "--columns", "range,apex"})),
              HasSubstr("\nNo sample has a value of range.\n"));
}

/// Each line of a list and of a config, which a reader sees without the sources, whose equations have numbers.
TEST_F(OneScreen, DescribesEverySystemWithinTheWidthOfAReport) {
  const auto systems = object({"list", "--json"})["systems"];
  ASSERT_EQ(systems.size(), std::size_t{SCREE_SYSTEM_COUNT});
  for (const auto& system : systems)
    for (const char* command : {"list", "init"}) {
      const Outcome outcome = scree({command, system["name"]});
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      EXPECT_GT(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 20);
      std::istringstream lines(outcome.out);
      for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), report_width) << command << '\n' << line;
        EXPECT_FALSE(line.ends_with(' ')) << command << '\n' << line;
      }
      for (const char* number : {"see (", "of (", "in (", "what (", "equation ("})
        for (const char* of : {"1)", "2)", "3)", "4)", "5)", "6)", "7)", "8)"})
          EXPECT_THAT(outcome.out, testing::Not(HasSubstr(std::string(number) + of))) << command;
    }
}

TEST_F(OneScreen, GivesNumberedKeysOneRow) {
  const std::string list = scree({"list", "coulomb"}).out, config = scree({"init", "coulomb"}).out;
  EXPECT_THAT(list, HasSubstr("\n    A0 ... A15       m^3/s^2       0.0  any             row of this body"));
  EXPECT_THAT(list, testing::Not(HasSubstr("\n    A1")));
  EXPECT_THAT(config, HasSubstr("\nA0 = 0.0  "));
  EXPECT_THAT(config, testing::ContainsRegex("A1 to A15\n +# alike\n"));
  EXPECT_THAT(config, testing::Not(HasSubstr("\nA1 = ")));
}

TEST_F(OneScreen, GivesEveryClaimARowWithItsCriterionAndSource) {
  EXPECT_EQ(screen({"verify", "--only", "balls"}),
            R"(  claim                                  published               ours                    verdict

balls: balls on a line
  hits of three equal balls in 1000 s    44                      44                      agrees
      equal: a count; source: closed form: straight lines, folded and sorted
  where three equal balls are after 1000 240, 300, 360 m         240, 300, 360 m         agrees
  s
      within 5.62e-12 m: four deviations of 3000 roundings in 400 m; source: closed form: straight
      lines, folded and sorted
  and where they are every 5 s until     0 m                     6.821e-13 m             agrees
  then: largest error
      within 5.62e-12 m: four deviations of 3000 roundings in 400 m; source: closed form: straight
      lines, folded and sorted
  the text's loop with a step of 0.01 s: 0.68 m                  0.676 m                 agrees
  its error after 1000 s
      within 0.005 m: half of the last digit; source: independent code: the loop transcribed
  order of the text's loop in its step,  1, 1                    0.99, 0.993 (9.47,      agrees
  between 0.1, 0.01 and 0.001 s: median                          0.968, 0.0983 m)
  error of 1000 samples
      within 0.08: four deviations of 0.012 over seeds, and the next power of h; source: closed
      form: an error of v h a hit, from folded and sorted lines
  masses of a ratio of 1, 100, 10^4, ... 3, 31, 314, 3141, 31415 3, 31, 314, 3141, 31415 agrees
  hit each other and the wall as the     times                   times
  digits of pi say
      equal: counts; source: closed form: Galperin 2003

6 claims: 6 agree, 0 differ as before, 0 newly disagree. --long: each in full
)");
}

}  // namespace
}  // namespace scree
