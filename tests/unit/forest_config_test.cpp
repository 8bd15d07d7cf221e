// [[forest]] of a config: the areas that it makes, and what it refuses, with the full line.
#include "src/forest.hpp"
#include "tests/support/config_fixture.hpp"

namespace scree {
namespace {

class ForestConfig : public test::ConfigFixture {
 protected:
  const std::string slider_ =
      "system = 'slider'\nscheme = 'rk4'\nsamples = 2\nstep = 0.01\nend = 1.0\n[terrain]\nkind = 'plane'\nslope = 20\n"
      "[start]\nposition = [-50, 0]\n[[forest]]\n";                                           // line 11
  const std::string area_ = "polygon = [[0, 0], [40, 0], [40, 25], [0, 25]]\nstems = 400\n";  // lines 12 and 13
  const std::string plain_ = slider_ + area_ + "diameter = 0.3\ncapacity = 5\n";              // and 14, 15

  static const ForestArea& area(const Run& run, std::size_t i) {
    const double* tables = run.spec.tables.data() + static_cast<std::size_t>(run.spec.world.forest.first);
    return reinterpret_cast<const ForestArea*>(tables)[i];
  }
};

TEST_F(ForestConfig, LiesInTheTablesAreaByArea) {
  const Run run = load(plain_ +
                       "[[forest]]\npolygon = [[60, 0], [70, 0], [60, 10]]\nstems = 50\n"
                       "diameter = { normal = [0.3, 0.1], min = 0.1, max = 0.7 }\n"
                       "capacity = { factor = 38.7, exponent = 2.31 }\nlaw = 'dorren'\n"
                       "share = [-0.046, 1.026, 8, 0.58]\nresample = true\n");
  ASSERT_EQ(run.spec.world.forest.areas, 2);
  const ForestArea &first = area(run, 0), &second = area(run, 1);
  EXPECT_EQ(first.columns, 4);
  EXPECT_EQ(first.rows, 3);
  EXPECT_EQ(first.largest, 0.3);
  EXPECT_EQ(first.factor, 5);
  EXPECT_EQ(first.exponent, 0);
  EXPECT_EQ(first.shares, 0);
  EXPECT_EQ(first.resampled, 0);
  EXPECT_EQ(second.x0, 60);
  EXPECT_EQ(second.largest, 0.7);
  EXPECT_EQ(second.exponent, 2.31);
  EXPECT_EQ(second.shares, 1);
  EXPECT_EQ(second.share[3], 0.58);
  EXPECT_EQ(second.resampled, 1);
  ASSERT_EQ(run.forest.size(), 2u);
  EXPECT_EQ(run.forest[0].text, "400 stems per ha on 1000 m2, the same for all samples");
  EXPECT_EQ(run.forest[1].text, "50 stems per ha on 50 m2, others for each sample");
  // P(N <= k) of four stems in a cell on average.
  const double* below = run.spec.tables.data() + static_cast<std::size_t>(first.numbers);
  double term = std::exp(-4.0), sum = 0;
  for (int k = 0; k < static_cast<int>(first.most); ++k) {
    sum += term;
    term *= 4.0 / (k + 1);
    EXPECT_NEAR(below[k], sum, 1e-14) << k;
  }
  EXPECT_NEAR(below[static_cast<int>(first.most) - 1], 1, 1e-14);
}

TEST_F(ForestConfig, TakesTheLargestDiameterFromItsLaw) {
  const auto largest = [&](const std::string& law) {
    return area(load(slider_ + area_ + "capacity = 1\ndiameter = " + law + "\n"), 0).largest;
  };
  EXPECT_EQ(largest("{ uniform = [0.1, 0.6] }"), 0.6);
  EXPECT_EQ(largest("{ triangular = [0.1, 0.6, 0.2] }"), 0.6);
  EXPECT_EQ(largest("{ choice = [0.5, 0.2], weights = [1, 3] }"), 0.5);
  EXPECT_EQ(largest("{ lognormal = [-1, 0.4], max = 0.9 }"), 0.9);
  // The largest number that a law draws is 1 - 2^-53, at 8.2 standard deviations.
  EXPECT_NEAR(largest("{ normal = [0.3, 0.08] }"), 0.3 + 8.2095 * 0.08, 1e-4);
}

TEST_F(ForestConfig, ReadsStemsOneByOne) {
  write("stems.csv", "x,y,dbh\n5,1,0.4\n31,12,0.2\n8,2,0.3\n");
  const Run run = load(slider_ + "file = 'stems.csv'\ncapacity = 2\n");
  const ForestArea& given = area(run, 0);
  EXPECT_EQ(given.given, 1);
  EXPECT_EQ(given.columns, 3);
  EXPECT_EQ(given.rows, 2);
  EXPECT_EQ(given.largest, 0.4);
  EXPECT_EQ(run.forest[0].text, "3 stems of stems.csv");
  const double* stems = run.spec.tables.data() + static_cast<std::size_t>(given.stems);
  EXPECT_EQ((std::vector<double>{stems, stems + 9}), (std::vector<double>{5, 1, 0.4, 8, 2, 0.3, 31, 12, 0.2}));

  const auto file = [&](const std::string& text, const std::string& more = "") {
    write("stems.csv", text);
    return mistake(slider_ + "file = 'stems.csv'\ncapacity = 2\n" + more);
  };
  EXPECT_EQ(file("x,y\n1,2\n"),
            "3: stems.csv: has no column dbh; it must have x, y and dbh, the diameter at breast height, in m");
  EXPECT_EQ(file("x,y,dbh\n1,2,35\n"), "3: stems.csv:2: dbh = 35, must be > 0 and <= 10 (m)");
  EXPECT_EQ(file("x,y,dbh\n1,2,0.3\n2e5,3e5,0.3\n"),
            "2: x.toml:12: forest.file spans 199999 m by 299998 m, more than 1.000e+07 cells of 10 m");
  EXPECT_EQ(file("x,y,dbh\n1,2,0.3\n", "stems = 400\n"),
            "2: x.toml:14: forest.stems cannot be given beside a file of stems");
}

TEST_F(ForestConfig, RefusesWhatIsNone) {
  EXPECT_EQ(mistake(slider_ + "stems = 400\ndiameter = 0.3\ncapacity = 5\n"),
            "2: x.toml:11: forest.polygon is missing, must be a list of corners [x, y] (m), or a file of stems");
  EXPECT_EQ(mistake(slider_ + "polygon = [[0, 0], [1, 1], [2, 2]]\nstems = 400\ndiameter = 0.3\ncapacity = 5\n"),
            "2: x.toml:12: forest.polygon has no area");
  EXPECT_EQ(mistake(slider_ + "polygon = [[0, 0], [40, 0], [40, 25]]\ndiameter = 0.3\ncapacity = 5\n"),
            "2: x.toml:11: forest.stems is missing, must be how many per ha");
  EXPECT_EQ(mistake(slider_ + "polygon = [[0, 0], [40, 0], [40, 25]]\nstems = 0\ndiameter = 0.3\ncapacity = 5\n"),
            "2: x.toml:13: forest.stems = 0, must be > 0 and <= 10000 (per ha)");
  EXPECT_EQ(mistake(slider_ + area_ + "capacity = 5\n"),
            "2: x.toml:11: forest.diameter is missing, must be of the stems (m), a number or a law");
  EXPECT_EQ(mistake(slider_ + area_ + "capacity = 5\ndiameter = 'thick'\n"),
            "2: x.toml:15: forest.diameter = \"thick\", must be a number, or a law of uniform, normal, lognormal, "
            "triangular and choice (m)");
  EXPECT_EQ(
      mistake(slider_ + area_ + "capacity = 5\ndiameter = { lognormal = [-1, 0.5] }\n"),
      "2: x.toml:15: forest.diameter has a largest value of 22.30 m, must be > 0 and <= 10 (m): bound a normal or "
      "lognormal law by min and max");
  EXPECT_EQ(mistake(slider_ + area_ + "capacity = 5\ndiameter = { uniform = [0.4, 0.2] }\n"),
            "2: x.toml:15: forest.diameter.uniform = [0.4, 0.2], must be [low, high] with low < high (m)");
  EXPECT_EQ(mistake(slider_ + area_ + "capacity = 5\ndiameter = { normal = [0.3, 0.12] }\n"),
            "2: x.toml:15: forest.diameter has values that are not > 0: bound the law by min");
  EXPECT_EQ(mistake(slider_ + area_ + "capacity = 5\ndiameter = { normal = [0.05, 0.1], max = 1 }\n"),
            "2: x.toml:15: forest.diameter has values that are not > 0: bound the law by min");
  EXPECT_EQ(mistake(plain_ + "name = 'a'\n[[forest]]\nname = 'a'\n" + area_ + "diameter = 0.3\ncapacity = 5\n"),
            "2: x.toml:18: two forests have the name \"a\"");
  EXPECT_EQ(mistake(slider_ + area_ + "capacity = 5\ndiameter = 30\n"),
            "2: x.toml:15: forest.diameter = 30, must be > 0 and <= 10 (m)");
  EXPECT_EQ(area(load(slider_ + area_ + "capacity = 5\ndiameter = 1\n"), 0).largest, 1);
  EXPECT_EQ(mistake(slider_ + area_ + "diameter = 0.3\n"),
            "2: x.toml:11: forest.capacity is missing, must be the energy that a stem takes (J/kg), or { factor, "
            "exponent } of its diameter in cm");
  EXPECT_EQ(mistake(slider_ + area_ + "diameter = 0.3\ncapacity = -1\n"),
            "2: x.toml:15: forest.capacity = -1, must be >= 0 (J/kg)");
  EXPECT_EQ(mistake(plain_ + "law = 'elastic'\n"), "2: x.toml:16: forest.law = \"elastic\", did you mean \"plastic\"?");
  EXPECT_EQ(mistake(plain_ + "law = 'dorren'\n"),
            "2: x.toml:16: forest.law = \"dorren\" needs forest.share = [a, b, c, d], of which a stem hit at u = 0 "
            "(head-on) to 1 takes a + b / (1 + 10^(-c (d - u)))");
  EXPECT_EQ(mistake(plain_ + "share = [0, 1, 8, 0.5]\n"), "2: x.toml:16: forest.share belongs to law = \"dorren\"");
  EXPECT_THAT(mistake(slider_ + "polygon = [[0, 0], [40, 0], [40, 25]]\ndrag = 500\nheight = 10\n"),
              testing::StartsWith("2: x.toml:13: forest.drag: the drag of a forest is of the ground"));
  EXPECT_EQ(mistake(plain_ + "drag = 500\n"),
            "2: x.toml:16: forest.drag: the drag of a forest is of the ground: give the area in "
            "[[terrain.ground.area]] a class, and [ground.CLASS] its layer_drag and layer_height");
  EXPECT_EQ(mistake(plain_ + "heigth = 20\n"),
            "2: x.toml:16: unknown key forest.heigth, known here: name, drag, file, polygon, "
            "stems, diameter, resample, law, share, capacity, on");
  EXPECT_EQ(mistake("system = 'rotor'\nscheme = 'implicit'\nsamples = 2\nstep = 0.01\nend = 1.0\n[[forest]]\n"
                    "stems = 400\n"),
            "2: x.toml:6: forest: the system rotor has no forest; rock and slider have");
}

TEST_F(ForestConfig, StandsOnTheTerrain) {
  write("t.asc", "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 30\n9 9\n8 8\n");
  const auto at = [&](const std::string& polygon) {
    return "system = 'slider'\nscheme = 'rk4'\nsamples = 2\nstep = 0.01\nend = 1.0\n[terrain]\nkind = 'grid'\n"
           "file = 't.asc'\n[start]\nposition = [9, 9]\n[[forest]]\npolygon = " +
           polygon + "\nstems = 400\ndiameter = 0.3\ncapacity = 5\n";
  };
  EXPECT_EQ(mistake(at("[[40, 0], [60, 0], [60, 20]]")),
            "2: x.toml:12: forest.polygon lies outside of the terrain, x from 0 to 30, y from 0 to 30 (m)");
  EXPECT_EQ(load(at("[[20, 10], [60, 10], [60, 20]]")).forest.size(), 1u) << "in part";
}

TEST_F(ForestConfig, MayBeNamedAndMeantByIt) {
  const std::string two =
      plain_ + "name = 'west'\n[[forest]]\nname = 'east'\n" + area_ + "diameter = 0.3\ncapacity = 5\n";
  const Run run = load(two, {"forest.west.on=false", "forest.east.stems=100"});
  ASSERT_EQ(run.forest.size(), 1u);
  EXPECT_EQ(run.forest[0].text, "east: 100 stems per ha on 1000 m2, the same for all samples");
  EXPECT_EQ(area(run, 0).number, 1);
}

TEST_F(ForestConfig, MayBeOff) {
  const Run run = load(plain_, {"forest.on=false"});
  EXPECT_EQ(run.spec.world.forest.areas, 0);
  EXPECT_TRUE(run.forest.empty());
  EXPECT_EQ(mistake(plain_ + "on = 1\n"), "2: x.toml:16: forest.on = 1, must be true or false");
}

TEST_F(ForestConfig, RefusesReleasesInStemsWhereAllAre) {
  write("stems.csv", "x,y,dbh\n-50.1,0,0.4\n");
  EXPECT_EQ(mistake(slider_ + "file = 'stems.csv'\ncapacity = 2\n"),
            "2: x.toml:10: every release is inside a stem of the forest, in sample 0 one at x = -50.10, y = 0 (m)");
  const Run some = load(slider_ + "file = 'stems.csv'\ncapacity = 2\n[vary]\n'position.x' = { uniform = [-51, -49] }\n",
                        {"samples=200", "seed=3"});
  EXPECT_THAT(some.warnings, testing::ElementsAre(testing::AllOf(
                                 testing::HasSubstr(" of 200 releases are inside a stem of the forest, which their "
                                                    "samples do not meet before they have left it, in sample "),
                                 testing::EndsWith(" one at x = -50.10, y = 0 (m)"))));
}

}  // namespace
}  // namespace scree
