// [maps] of a config: the raster that it makes, and what it refuses, with the full line.
#include "host/engine/memory.hpp"
#include "tests/support/config_fixture.hpp"

namespace scree {
namespace {

class MapsConfig : public test::ConfigFixture {
 protected:
  const std::string ramp_ =
      "system = 'rock'\nscheme = 'implicit'\nsamples = 2\nstep = 0.01\nend = 1.0\n[terrain]\nkind = 'ramp'\n"
      "slope = 40\nheight = 40\n[[shape]]\nkind = 'cuboid'\nsize = [1, 1, 1]\nmass = 900\n[maps]\n";
  const std::string here_ = "2: x.toml:14: ";
  const std::string extent_ = "cell = 2.0\nextent = [0, -50, 101, 50]\n";

  std::string grid_config(const std::string& maps) {
    write("t.asc", "ncols 5\nnrows 4\nxllcenter 100\nyllcenter 200\ncellsize 10\nNODATA_value -9\n" +
                       std::string("9 9 9 9 9\n8 8 8 8 8\n7 7 7 7 7\n6 6 6 6 -9\n"));
    return "system = 'rock'\nscheme = 'implicit'\nsamples = 2\nstep = 0.01\nend = 1.0\n[terrain]\nkind = 'grid'\n"
           "file = 't.asc'\n[[shape]]\nkind = 'cuboid'\nsize = [1, 1, 1]\nmass = 900\n[start]\n"
           "position = [115, 215]\n" +
           maps;
  }
};

TEST_F(MapsConfig, CoversAnExtentFromItsSouthWestCorner) {
  const Run run = load(ramp_ + extent_);
  const MapGrid& grid = run.spec.world.maps;
  EXPECT_TRUE(run.maps.on);
  EXPECT_EQ(grid.west, 0);
  EXPECT_EQ(grid.south, -50);
  EXPECT_EQ(grid.cell, 2);
  EXPECT_EQ(grid.columns, 51);  // the last one ends at 102
  EXPECT_EQ(grid.rows, 50);
  EXPECT_EQ(raster_text(grid), "51 x 50 cells of 2 m from [0, -50] (m)");
  EXPECT_EQ(run.maps.quantities, (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(run.maps.percentiles, (std::vector<int>{0, 3}));
}

TEST_F(MapsConfig, TakesTheCellsOfAGridAroundItsHeights) {
  const Run own = load(grid_config("[maps]\n"));
  EXPECT_EQ(raster_text(own.spec.world.maps), "5 x 4 cells of 10 m from [95, 195] (m)");
  const std::vector<double> terrain = terrain_of_maps(own);
  EXPECT_EQ(terrain[0], 6);
  EXPECT_TRUE(std::isnan(terrain[4]));  // NODATA
  EXPECT_EQ(terrain[5], 7);
  EXPECT_EQ(terrain[15], 9);
  const Run fine = load(grid_config("[maps]\ncell = 2.5\n"));
  EXPECT_EQ(raster_text(fine.spec.world.maps), "20 x 16 cells of 2.5 m from [95, 195] (m)");
  const Run window = load(grid_config("[maps]\nextent = [110, 205, 300, 300]\n"));
  EXPECT_EQ(raster_text(window.spec.world.maps), "19 x 10 cells of 10 m from [110, 205] (m)");
}

TEST_F(MapsConfig, SwitchesMapsByOptions) {
  Overrides on, finer, off;
  on.maps = "true";
  finer.maps = "5";
  off.no_maps = true;
  EXPECT_FALSE(load(grid_config("")).maps.on);
  EXPECT_TRUE(load(grid_config(""), {}, on).maps.on);
  EXPECT_EQ(load(grid_config(""), {}, finer).spec.world.maps.cell, 5);
  EXPECT_EQ(load(ramp_ + extent_, {}, finer).spec.world.maps.cell, 5);
  EXPECT_FALSE(load(ramp_, {}, off).maps.on);  // which could make none
  EXPECT_FALSE(load(grid_config("[maps]\non = false\n")).maps.on);
  EXPECT_EQ(mistake(ramp_ + extent_, {"maps.cell=3"}, finer),
            "2: --set maps.cell=3 and --maps give the same: keep one of the two");
  EXPECT_EQ(mistake(ramp_ + extent_, {"maps.on=true"}, off),
            "2: --set maps.on=true and --no-maps give the same: keep one of the two");
}

TEST_F(MapsConfig, RefusesWhatMakesNoRaster) {
  EXPECT_EQ(mistake(ramp_ + "cell = 2\n"),
            here_ + "maps.extent is missing: a ramp has no edge; give [west, south, east, north] in m");
  EXPECT_EQ(mistake(ramp_ + "extent = [0, 0, 1, 1]\n"),
            here_ + "maps.cell is missing: a ramp has no cells of its own; give the side of one, > 0 (m)");
  EXPECT_EQ(mistake(ramp_ + "cell = 0\nextent = [0, 0, 1, 1]\n"), "2: x.toml:15: maps.cell = 0, must be > 0 (m)");
  EXPECT_EQ(mistake(ramp_ + "cell = 1\nextent = [5, 0, 1, 1]\n"),
            "2: x.toml:16: maps.extent = [5, 0, 1, 1], must be [west, south, east, north] with west < east and south < "
            "north (m)");
  EXPECT_EQ(mistake(ramp_ + "cell = 1\nextent = [5, 0, 9]\n"),
            "2: x.toml:16: maps.extent = [5, 0, 9], must be a list of 4 numbers (m)");
  EXPECT_EQ(mistake(grid_config("[maps]\nextent = [500, 500, 600, 600]\n")),
            "2: x.toml:16: maps.extent = [500, 500, 600, 600], must be on the terrain, [95, 195, 145, 235] (m)");
  EXPECT_EQ(mistake(ramp_ + "cell = 0.001\nextent = [0, 0, 100, 100]\n"),
            "2: x.toml:15: maps.cell = 0.001 makes 1.000e+10 cells of [0, 0, 100, 100], must be at most 2147483647");
}

TEST_F(MapsConfig, RefusesWhatNoLayerCanBeMadeOf) {
  const std::string config = ramp_ + extent_;
  EXPECT_EQ(mistake(config + "quantities = ['speeed']\n"),
            "2: x.toml:17: maps.quantities = \"speeed\", did you mean \"speed\"?");
  EXPECT_EQ(mistake(config + "quantities = ['speed', 'speed']\n"),
            "2: x.toml:17: maps.quantities = \"speed\" is named twice");
  EXPECT_EQ(mistake(config + "quantities = ['speed']\npercentiles = ['jump']\n"),
            "2: x.toml:18: maps.percentiles: jump is not among maps.quantities");
  EXPECT_EQ(mistake(config + "levels = [0.5, 1.0]\n"),
            "2: x.toml:17: maps.levels = 1, must be from 0.001 to 0.999 with at most three decimals");
  EXPECT_EQ(mistake(config + "levels = [0.5, 0.5]\n"), "2: x.toml:17: maps.levels has a level twice");
  EXPECT_EQ(mistake(config + "interval = 'wald'\n"),
            "2: x.toml:17: maps.interval = \"wald\", must be one of wilson, clopper-pearson");
  EXPECT_EQ(mistake(config + "bins_per_octave = 20\n"),
            "2: x.toml:17: maps.bins_per_octave = 20, must be 8, 16, 32 or 64");
  EXPECT_EQ(mistake(config + "release_frequency = 0\n"),
            "2: x.toml:17: maps.release_frequency = 0, must be > 0 (1/yr)");
  EXPECT_EQ(mistake(config + "periods = [30]\n"),
            "2: x.toml:17: maps.periods needs maps.release_frequency, the releases in a year");
  EXPECT_EQ(mistake(config + "release_frequency = 1\nperiods = [30, 10]\n"),
            "2: x.toml:18: maps.periods = [30, 10], must be numbers in rising order (yr)");
  EXPECT_EQ(mistake(config + "release_frequency = 1\nclasses = []\n"),
            "2: x.toml:18: maps.classes = [], must be one number or more (J)");
  EXPECT_EQ(mistake(config + "cells = 2\n"), "2: x.toml:17: unknown key maps.cells, did you mean maps.cell?");
}

TEST_F(MapsConfig, TakesAMatrixOfDangerAsItIsGiven) {
  const std::string config =
      ramp_ + "cell = 2\nextent = [0, -10, 40, 10]\nrelease_frequency = 1\nperiods = [30, 100]\n";
  const std::string names = "[maps.danger]\nnames = ['yellow', 'red']\n";
  const DangerMatrix danger = load(config + names + "colours = ['#ffe000', '#D00000']\n" +
                                   "matrix = [['none', 'none'], ['yellow', 'none'], ['red', 'yellow']]\n")
                                  .maps.danger;
  EXPECT_EQ(danger.names, (std::vector<std::string>{"yellow", "red"}));
  EXPECT_EQ(danger.colours, (std::vector<std::string>{"#ffe000", "#D00000"}));
  EXPECT_EQ(danger.matrix, (std::vector<std::vector<int>>{{0, 0}, {1, 0}, {2, 1}}));
  EXPECT_TRUE(load(config).maps.danger.names.empty());

  const std::string at = "2: x.toml:";
  EXPECT_EQ(mistake(ramp_ + "cell = 2\nextent = [0, -10, 40, 10]\n" + names),
            at + "17: maps.danger needs maps.release_frequency, the releases in a year");
  EXPECT_EQ(mistake(config + "[maps.danger]\n"),
            at + "19: maps.danger.names is missing, must be those of the levels of danger in rising order");
  EXPECT_EQ(mistake(config + names),
            at + "19: maps.danger.matrix is missing, must be names by class of intensity, the weakest first, and "
                 "return period");
  EXPECT_EQ(mistake(config + "[maps.danger]\nnames = ['red']\n"),
            at + "20: maps.danger.names = [\"red\"], must be two names or more");
  EXPECT_EQ(mistake(config + "[maps.danger]\nnames = ['red', ' ']\n"),
            at + "20: maps.danger.names = \" \", must be a name");
  EXPECT_EQ(mistake(config + "[maps.danger]\nnames = ['red', 'red']\n"),
            at + "20: maps.danger.names = \"red\" is named twice");
  EXPECT_EQ(mistake(config + "[maps.danger]\nnames = ['red', 'none']\n"),
            at + "20: maps.danger.names = \"none\" is what the matrix calls no danger");
  EXPECT_EQ(mistake(config + names + "colours = ['#ffe000']\n"),
            at + "21: maps.danger.colours has 1 colour, must have one for each of the 2 names");
  EXPECT_EQ(mistake(config + names + "colours = ['#ffe000', 'red']\n"),
            at + "21: maps.danger.colours = \"red\", must be \"#rrggbb\"");
  EXPECT_EQ(mistake(config + names + "matrix = [['none', 'red'], ['red', 'red']]\n"),
            at + "21: maps.danger.matrix has 2 rows, must have 3, one for each class of intensity");
  EXPECT_EQ(mistake(config + names + "matrix = [['none', 'red'], ['red']]\n"),
            at + "21: maps.danger.matrix: row 2 has 1 name, must have one for each of the 2 return periods");
  EXPECT_EQ(mistake(config + names + "matrix = [['none', 'rad']]\n"),
            at + "21: maps.danger.matrix = \"rad\", did you mean \"red\"?");
  EXPECT_EQ(mistake(config + "percentiles = ['jump']\n" + names +
                    "matrix = [['none', 'none'], ['red', 'red'], ['red', 'red']]\n"),
            at + "20: maps.danger needs kinetic_energy among maps.percentiles");
  EXPECT_EQ(mistake(ramp_ + "cell = 2\nextent = [0, -10, 40, 10]\nrelease_frequency = 1\nperiods = []\n" + names +
                    "matrix = [[], [], []]\n"),
            at + "19: maps.danger needs a return period, and maps.periods has none");
}

TEST_F(MapsConfig, HasClassesOfEnergiesInJouleAlone) {
  const std::string slider =
      "system = 'slider'\nscheme = 'rk4'\nsamples = 2\nstep = 0.01\nend = 1.0\n[terrain]\nkind = 'plane'\n"
      "slope = 20\n[maps]\ncell = 1\nextent = [0, 0, 9, 9]\nrelease_frequency = 0.2\n";
  EXPECT_THAT(load(slider).warnings,
              testing::Contains(testing::EndsWith(
                  "x.toml:12: maps.release_frequency: no layers of intensity, classes of intensity are of energies in "
                  "J, those of slider are in J/kg")));
  EXPECT_EQ(mistake(slider + "classes = [10, 20]\n"),
            "2: x.toml:13: maps.classes: classes of intensity are of energies in J, those of slider are in J/kg");
  EXPECT_EQ(mistake(slider + "danger = {}\n"),
            "2: x.toml:13: maps.danger: classes of intensity are of energies in J, those of slider are in J/kg");
}

TEST_F(MapsConfig, RefusesSystemsWithoutMaps) {
  EXPECT_EQ(mistake("system = 'rotor'\nscheme = 'implicit'\nsamples = 2\nstep = 0.01\nend = 1.0\n[maps]\ncell = 1\n"),
            "2: x.toml:6: maps: the system rotor has no maps; rock and slider have");
}

TEST_F(MapsConfig, TellsWhichCellsMemoryAllows) {
  Run run = load(ramp_ + "cell = 0.01\nextent = [0, 0, 400, 400]\n");
  run.spec.world.maps.columns = run.spec.world.maps.rows = 1e9;  // no memory has 1.6e19 bytes
  try {
    require_memory(run, work_of(run));
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code, Exit::device);
    EXPECT_THAT(error.what(),
                testing::MatchesRegex(".*x.toml: maps.cell = 0.01 makes 1.000e.18 cells; this memory \\(.* GB\\) "
                                      "allows .*: cell >= .* m for this extent"));
  }
}

}  // namespace
}  // namespace scree
