// What samples draw, by the names that a config gives it, and the classes of a preset as one of them.
#include <cmath>
#include <map>
#include <numeric>

#include "tests/support/config_fixture.hpp"

namespace scree {
namespace {

using ::testing::ElementsAre;

const std::string rock_top =
    "system = 'rock'\nscheme = 'explicit'\nsamples = 4000\nstep = 0.002\nend = 1.0\n[terrain]\nkind = 'plane'\n"
    "slope = 40\n[[shape]]\nname = 'cube'\nkind = 'cuboid'\nsize = [1, 1, 1]\ndensity = 2700\n";
const std::string soft_or_hard = "'rock.ground' = { choice = ['soft', 'hard'], weights = [1, 3] }\n";

class Inputs : public test::ConfigFixture {
 protected:
  static std::vector<std::string> names(const Run& run) {
    std::vector<std::string> all;
    for (const Input& input : run.varied) all.push_back(input.name);
    return all;
  }
  static std::vector<std::uint64_t> first(std::uint64_t count) {
    std::vector<std::uint64_t> samples(count);
    std::iota(samples.begin(), samples.end(), 0);
    return samples;
  }
  static int place(const Run& run, const std::string& param) {
    for (const Quantity& q : run.model->description.params)
      if (q.name == param) return q.offset;
    throw std::logic_error("no parameter " + param);
  }
  double of(const Run& run, const std::string& param, std::uint64_t sample) {
    return drawn(run, sample)[static_cast<std::size_t>(place(run, param))];
  }
};

TEST_F(Inputs, AreWhatDrawsDifferentNumbersInTheOrderOfTheKeys) {
  const Run run = load(rock_top +
                       "[[shape]]\nname = 'plate'\nkind = 'cuboid'\nsize = [2, 1, 0.3]\ndensity = 2700\n"
                       "[vary]\n'start.shape' = { choice = ['cube', 'plate'] }\n'start.orientation' = 'uniform'\n" +
                       soft_or_hard + "'start.speed' = { uniform = [1, 2] }\n");
  EXPECT_THAT(names(run), ElementsAre("rock.ground", "start.speed", "start.orientation.w", "start.orientation.x",
                                      "start.orientation.y", "start.orientation.z", "start.shape"));
  EXPECT_THAT(run.varied[0].choices, ElementsAre("soft", "hard"));
  EXPECT_THAT(run.varied[6].choices, ElementsAre("cube", "plate"));
  EXPECT_EQ(run.varied[1].unit, "m/s");
  const std::vector<double> inputs = draw_inputs(run, first(100));
  ASSERT_EQ(inputs.size(), 700u);
  const std::size_t params = run.model->description.param_doubles;
  for (std::size_t i = 0; i < 100; ++i) {
    const std::vector<double> sample = drawn(run, i);
    EXPECT_EQ(inputs[100 + i], sample[static_cast<std::size_t>(run.varied[1].places[0])]);
    EXPECT_GE(static_cast<std::size_t>(run.varied[1].places[0]), params);
    EXPECT_EQ(inputs[i], of(run, "friction_min", i) == 0.25 ? 0 : 1);
  }
}

TEST_F(Inputs, NothingVariesInAConfigWithoutLaws) { EXPECT_TRUE(load(rock_top).varied.empty()); }

TEST_F(Inputs, SpreadsAreThoseOfTheValues) {
  const Run run = load(rock_top + "[vary]\n'start.speed' = { uniform = [1, 2] }\n" + soft_or_hard);
  const std::vector<double> inputs = draw_inputs(run, first(4000));
  const std::vector<InputSpread> spreads = input_spreads(run);
  ASSERT_EQ(spreads.size(), 2u);
  const std::span<const double> speed = std::span(inputs).subspan(4000);
  const double mean = std::accumulate(speed.begin(), speed.end(), 0.0) / 4000;
  double squares = 0;
  for (const double v : speed) squares += (v - mean) * (v - mean);
  EXPECT_EQ(spreads[1].samples, 4000u);
  EXPECT_NEAR(spreads[1].mean, mean, 1e-13);
  EXPECT_NEAR(spreads[1].sd(), std::sqrt(squares / 3999), 1e-13);
  EXPECT_EQ(spreads[1].min, std::ranges::min(speed));
  EXPECT_EQ(spreads[1].max, std::ranges::max(speed));
  ASSERT_EQ(spreads[0].counts.size(), 2u);
  EXPECT_EQ(spreads[0].counts[1], static_cast<std::uint64_t>(std::count(inputs.begin(), inputs.begin() + 4000, 1.0)));
  EXPECT_EQ(spreads[0].counts[0] + spreads[0].counts[1], 4000u);
}

TEST_F(Inputs, AllValuesOfAClassGoTogetherInTheSharesOfTheWeights) {
  const Run run =
      load(rock_top + "[vary]\n'rock.ground' = { choice = ['soft', 'hard', 'snow'], weights = [1, 2, 1] }\n");
  EXPECT_EQ(run.preset, "ground soft or hard or snow");
  EXPECT_THAT(run.preset_note, testing::StartsWith("RAMMS-like: "));
  std::map<double, int> count;  // by friction_min
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const double low = of(run, "friction_min", i);
    ++count[low];
    const double high = low == 0.10 ? 0.35 : 2, decay = low == 0.25 ? 100 : low == 0.55 ? 185 : 150;
    const double growth = low == 0.25 ? 1.25 : low == 0.55 ? 3 : 2, drag = low == 0.25 ? 0.8 : low == 0.55 ? 0.4 : 0.7;
    ASSERT_THAT((std::vector{of(run, "friction_max", i), of(run, "scar_decay", i), of(run, "scar_growth", i),
                             of(run, "drag", i), of(run, "restitution", i)}),
                ElementsAre(high, decay, growth, drag, 0));
  }
  // Binomial: standard deviations of 27 and 32; beyond 5 of them once in 1.7e6.
  EXPECT_NEAR(count[0.25], 1000, 5 * 27.4);
  EXPECT_NEAR(count[0.55], 2000, 5 * 31.6);
  EXPECT_EQ(count.size(), 3u);
}

TEST_F(Inputs, ClassesThatRestOnDifferentThingsSayWhichOnWhat) {
  const Run run = load(rock_top + "[vary]\n'rock.ground' = { choice = ['soft', 'scree slope', 'hard'] }\n");
  EXPECT_EQ(run.preset_note,
            "soft, hard: RAMMS-like: only extra soft, hard and extra hard are corroborated by public sources; scree "
            "slope: Lu et al. 2019, of all the slope of Chant Sura, rocks of 780 kg");
  // Classes without soil and with it: each sample has both numbers of its own class.
  for (std::uint64_t i = 0; i < 100; ++i) {
    const bool scree = of(run, "drag", i) == 0.0;
    EXPECT_EQ(of(run, "soil_strength", i), scree ? 15e6 : 0.0);
    EXPECT_EQ(of(run, "soil_drag", i), scree ? 2.5 : 0.0);
  }
}

TEST_F(Inputs, ValuesGivenByThemselvesStayAndLawsOfTheirOwnToo) {
  const Run run =
      load(rock_top + "[rock]\nfriction_max = 1.5\n[vary]\n'rock.drag' = { uniform = [0.1, 0.2] }\n" + soft_or_hard);
  EXPECT_THAT(run.warnings,
              ElementsAre(testing::HasSubstr("x.toml:15: rock.friction_max replaces that of vary.rock.ground ("),
                          testing::HasSubstr("x.toml:17: vary.rock.drag replaces that of vary.rock.ground (")));
  for (std::uint64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(of(run, "friction_max", i), 1.5);
    EXPECT_LT(of(run, "drag", i), 0.2);
  }
}

TEST_F(Inputs, AValueThatAnOptionFixesTakesThePlaceOfTheLaw) {
  const std::string text = rock_top + "[rock]\nground = 'snow'\n[vary]\n" + soft_or_hard;
  EXPECT_THAT(load(text).warnings, ElementsAre(testing::HasSubstr("x.toml:15: rock.ground = \"snow\" has no effect, "
                                                                  "for it varies (")));
  const Run fixed = load(text, {"rock.ground=medium"});
  EXPECT_TRUE(fixed.varied.empty());
  EXPECT_TRUE(fixed.warnings.empty());
  EXPECT_EQ(fixed.preset, "ground medium");
  EXPECT_EQ(of(fixed, "friction_min", 7), 0.35);
  const Run other = load(text, {"vary.\"rock.ground\"={ choice = ['medium', 'snow'] }"});
  EXPECT_THAT(other.varied[0].choices, ElementsAre("medium", "snow"));
}

TEST_F(Inputs, AClassTakesOneCoordinateOfLowDiscrepancyPoints) {
  const Run run = load("sampling = 'sobol'\n" + rock_top + "[vary]\n" + soft_or_hard, {"samples=4096"});
  EXPECT_EQ(run.sampling.dimensions, 1);
  int hard = 0;
  for (std::uint64_t i = 0; i < 4096; ++i) {
    const bool is_hard = of(run, "friction_min", i) == 0.55;
    EXPECT_EQ(of(run, "drag", i), is_hard ? 0.4 : 0.8);
    hard += is_hard;
  }
  EXPECT_EQ(hard, 3072);  // each replicate has 256 points, one in each 256th of the unit interval
}

TEST_F(Inputs, RefuseClassesThatAreNoneOrDoNotDiffer) {
  const auto with = [&](const std::string& law) { return mistake(rock_top + "[vary]\n'rock.ground' = " + law + "\n"); };
  const std::string known = "\"extra soft\", \"soft\"";
  EXPECT_EQ(with("'soft'"),
            "2: x.toml:15: vary.rock.ground = \"soft\", must be { choice = [...] } with names of extra soft, soft, "
            "medium soft, medium, medium hard, hard, extra hard, snow, scree slope, hard scree, alpine meadow");
  EXPECT_EQ(with("{ choice = [] }"),
            "2: x.toml:15: vary.rock.ground.choice = [], must be a list of at least one value");
  EXPECT_EQ(with("{ choice = ['soft', 'hrad'] }"),
            "2: x.toml:15: vary.rock.ground.choice = \"hrad\", did you mean \"hard\"?");
  EXPECT_EQ(with("{ choice = ['soft', 'hard'], weights = [1] }"),
            "2: x.toml:15: vary.rock.ground.weights = [1], must be a list of 2 numbers (dimensionless)");
  EXPECT_EQ(with("{ choice = ['soft', 'hard'], weight = [1, 2] }"),
            "2: x.toml:15: unknown key vary.rock.ground.weight, did you mean vary.rock.ground.weights?");
  EXPECT_EQ(
      mistake(rock_top +
              "[rock]\nfriction_min = 0.3\nscar_decay = 100\nscar_growth = 2\ndrag = 0.5\n[vary]\n'rock.ground' = "
              "{ choice = ['soft', 'hard'] }\n"),
      "2: x.toml:20: vary.rock.ground.choice: \"soft\" and \"hard\" do not differ, for what tells them apart is "
      "given by itself");
}

}  // namespace
}  // namespace scree
