// `sampling` and `replicates` in a config: what they become, and the full line of each mistake.
#include <cmath>

#include "host/commands/init.hpp"
#include "host/inputs/sobol.hpp"
#include "tests/support/config_fixture.hpp"

namespace scree {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Lines 1 to 16 of a config, of which line 3 places the samples.
std::string study(const std::string& sampling, const std::string& samples = "64") {
  return "system = 'rock'\n"
         "scheme = 'implicit'\n" +
         sampling +
         "\n"
         "samples = " +
         samples +
         "\n"
         "step = 0.01\n"
         "end = 1.0\n"
         "[terrain]\n"
         "kind = 'plane'\n"
         "slope = 30\n"
         "[[shape]]\n"
         "name = 'cube'\n"
         "kind = 'cuboid'\n"
         "size = [1, 1, 1]\n"
         "mass = 1000\n"
         "[vary]\n"
         "'rock.friction_min' = { uniform = [0.3, 0.4] }\n";
}

class ConfigSampling : public test::ConfigFixture {
 protected:
  static const Variation& of(const Run& run, Law law) {
    for (const Variation& vary : run.spec.variations)
      if (vary.law == law) return vary;
    throw std::logic_error("no such law");
  }
};

TEST_F(ConfigSampling, IsRandomUnlessTheConfigSaysOtherwise) {
  for (const char* text : {"", "sampling = 'random'"}) {
    const Run run = load(study(text));
    EXPECT_FALSE(run.sampling.sobol);
    EXPECT_EQ(run.sampling.replicates, 0);
    EXPECT_EQ(run.spec.points.replicates, 0u);
    EXPECT_EQ(run.spec.variations[0].dimension, -1);
    EXPECT_EQ(sampling_text(run.sampling), "random");
  }
}

TEST_F(ConfigSampling, GivesEachLawItsDimensionsInOrder) {
  const Run run = load(study("sampling = 'sobol'", "1024") +
                       "orientation = 'uniform'\n"
                       "'start.position' = { polygon = [[0, 0], [3, 0], [3, 1], [1, 1], [1, 3], [0, 3]] }\n"
                       "'start.speed' = { normal = [2, 0.5] }\n");
  EXPECT_TRUE(run.sampling.sobol);
  EXPECT_EQ(run.sampling.replicates, 16);
  EXPECT_EQ(run.sampling.dimensions, 7);
  EXPECT_EQ(sampling_text(run.sampling), "sobol, 16 scrambled replicates, 7 dimensions");
  EXPECT_THAT(run.warnings, IsEmpty());
  int next = 0;
  for (const Variation& vary : run.spec.variations) {
    EXPECT_EQ(vary.dimension, next);
    next += vary.law == Law::orientation_map ? 3 : vary.law == Law::polygon_map ? 2 : 1;
  }
  EXPECT_EQ(next, 7);
  EXPECT_EQ(of(run, Law::polygon_map).count, 2);  // trapezoids
  const auto first = run.spec.tables.begin() + static_cast<std::ptrdiff_t>(run.spec.points.offset);
  EXPECT_EQ(std::vector<double>(first, run.spec.tables.end()), sobol_direction_numbers(7));
  EXPECT_EQ(load(study("sampling = 'sobol'")).sampling.dimensions, 1);
}

TEST_F(ConfigSampling, GivesEveryBodyDimensionsAndATableNone) {
  const std::string discs =
      "system = 'hard_discs'\nscheme = 'events'\nsampling = 'sobol'\nreplicates = 8\nsamples = 8\nstep = 0.1\nend = 1\n"
      "[hard_discs]\ndiscs = 5\nradius = 0.05\n[vary]\n'start.velocity.x' = { normal = [0, 1] }\n";
  const Run run = load(discs + "'start.velocity.y' = { normal = [0, 1] }\n");
  EXPECT_EQ(run.sampling.dimensions, 10);
  EXPECT_EQ(run.spec.variations[0].dimension, 0);
  EXPECT_EQ(run.spec.variations[1].dimension, 5);

  write("speeds.csv", "speed\n1\n2\n3\n");
  const Run table = load(study("sampling = 'sobol'") + "'start.speed' = { table = 'speeds.csv' }\n");
  EXPECT_EQ(table.sampling.dimensions, 1);
  EXPECT_EQ(of(table, Law::table).dimension, -1);
}

TEST_F(ConfigSampling, RefusesATableOfWhichAReplicateMeetsAPart) {
  write("speeds.csv", "speed\n1\n2\n3\n4\n5\n6\n");
  const std::string law = "'start.speed' = { table = 'speeds.csv' }\n";
  EXPECT_EQ(mistake(study("sampling = 'sobol'") + law),
            "2: x.toml:17: vary.start.speed has 6 rows, of which each of replicates = 16 would meet 3; the numbers "
            "must have no common factor, as with replicates = 17");
  EXPECT_EQ(load(study("sampling = 'sobol'\nreplicates = 5", "30") + law).sampling.replicates, 5);
  EXPECT_EQ(load(study("sampling = 'random'") + law).sampling.replicates, 0);
  const std::string starts = study("sampling = 'sobol'\nreplicates = 9") + "[start]\ntable = 'speeds.csv'\n";
  EXPECT_EQ(mistake(starts),
            "2: x.toml:19: start.table has 6 rows, of which each of replicates = 9 would meet 2; the numbers must have "
            "no common factor, as with replicates = 11");
}

TEST_F(ConfigSampling, BalancesWhatAReplicateDraws) {
  // 4 points in each of 16 replicates: one in each quarter of the law.
  const Run run = load(study("sampling = 'sobol'"));
  const std::size_t friction = static_cast<std::size_t>(run.spec.variations[0].target);
  int counts[16][4] = {};
  for (std::uint64_t i = 0; i < 64; ++i) ++counts[i % 16][static_cast<int>((drawn(run, i)[friction] - 0.3) / 0.025)];
  for (const auto& replicate : counts) EXPECT_THAT(replicate, ElementsAre(1, 1, 1, 1));
}

TEST_F(ConfigSampling, AnotherSeedScramblesAnotherWay) {
  const Run one = load(study("sampling = 'sobol'")), two = load(study("sampling = 'sobol'"), {"seed=2"});
  const std::size_t friction = static_cast<std::size_t>(one.spec.variations[0].target);
  for (std::uint64_t i = 0; i < 64; ++i) EXPECT_NE(drawn(one, i)[friction], drawn(two, i)[friction]);
}

TEST_F(ConfigSampling, WarnsOfNumbersThatLoseTheBalance) {
  const std::string sobol = "sampling = 'sobol'";
  for (const char* samples : {"16", "32", "1024"}) EXPECT_THAT(load(study(sobol, samples)).warnings, IsEmpty());
  const auto warning = [&](const std::string& samples) {
    const Run run = load(study(sobol, samples));
    EXPECT_EQ(run.warnings.size(), 1u);
    std::string line = run.warnings.at(0);
    return line.erase(0, line.find("x.toml"));
  };
  EXPECT_EQ(
      warning("1000"),
      "x.toml:4: samples = 1000 gives 16 replicates no power of two of points each, on which the balance of Sobol "
      "points rests; 512 or 1024 samples do");
  EXPECT_EQ(warning("48"),
            "x.toml:4: samples = 48 gives 16 replicates no power of two of points each, on which the balance of Sobol "
            "points rests; 32 or 64 samples do");
  EXPECT_EQ(warning("10"),
            "x.toml:4: samples = 10 gives 16 replicates no power of two of points each, on which the balance of Sobol "
            "points rests; 16 samples do");
}

TEST_F(ConfigSampling, RefusesWhatItCannotPlace) {
  EXPECT_EQ(mistake(study("sampling = 'halton'")), "2: x.toml:3: sampling = \"halton\", must be one of random, sobol");
  EXPECT_EQ(mistake(study("sampling = 'sobl'")), "2: x.toml:3: sampling = \"sobl\", did you mean \"sobol\"?");
  EXPECT_EQ(mistake(study("replicates = 16")),
            "2: x.toml:3: replicates = 16, but sampling is \"random\": it belongs to sampling = \"sobol\"");
  const std::string few = "sampling = 'sobol'\nreplicates = ";
  EXPECT_EQ(mistake(study(few + "1")), "2: x.toml:4: replicates = 1, must be a whole number >= 2");
  EXPECT_EQ(mistake(study(few + "2.5")), "2: x.toml:4: replicates = 2.5, must be a whole number >= 2");
  EXPECT_EQ(mistake(study(few + "1025")), "2: x.toml:4: replicates = 1025, must be a whole number from 2 to 1024");
  EXPECT_EQ(mistake(study(few + "4", "17179869185")),
            "2: x.toml:5: samples = 17179869185, must be <= 17179869184, 2^32 Sobol points in each of 4 replicates");
  EXPECT_EQ(mistake("system = 'rotor'\nscheme = 'implicit'\nsampling = 'sobol'\nsamples = 16\nstep = 0.01\nend = 1\n"),
            "2: x.toml:3: sampling = \"sobol\", but no law of [vary] draws anything");
}

TEST_F(ConfigSampling, OffersItInAConfigToStartFrom) {
  const std::string text = init_text(find_model("projectile")->description);
  EXPECT_THAT(text,
              ::testing::HasSubstr("\nsampling = \"random\"    # or \"sobol\": scrambled low-discrepancy points\n"));
  EXPECT_EQ(mistake(text, {"sampling=sobol", "replicates=8", "samples=64"}), "no mistake found");
}

}  // namespace
}  // namespace scree
