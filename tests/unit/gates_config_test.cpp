// [[gate]] of a config: the lines that it makes, and what it refuses, with the full line.
#include "config_fixture.hpp"

namespace scree {
namespace {

class GatesConfig : public test::ConfigFixture {
 protected:
  const std::string slider_ =
      "system = 'slider'\nscheme = 'rk4'\nsamples = 2\nstep = 0.01\nend = 1.0\n[terrain]\nkind = 'plane'\nslope = 20\n";
  const std::string here_ = "2: x.toml:9: ";

  std::string grid_config(const std::string& gate) {
    write("t.asc",
          "ncols 5\nnrows 4\nxllcenter 100\nyllcenter 200\ncellsize 10\n9 9 9 9 9\n8 8 8 8 8\n7 7 7 7 7\n"
          "6 6 6 6 6\n");
    return "system = 'rock'\nscheme = 'implicit'\nsamples = 2\nstep = 0.01\nend = 1.0\n[terrain]\nkind = 'grid'\n"
           "file = 't.asc'\n[[shape]]\nkind = 'cuboid'\nsize = [1, 2, 2]\nmass = 900\n[start]\n"
           "position = [115, 215]\n" +
           gate;
  }
  static std::vector<double> segments(const Run& run) {
    const auto first = run.spec.tables.begin() + static_cast<std::ptrdiff_t>(run.spec.world.lines.first);
    return {first, first + static_cast<std::ptrdiff_t>(7 * run.spec.world.lines.segments)};
  }
};

TEST_F(GatesConfig, LieInTheTablesSegmentBySegment) {
  const Run run = load(slider_ +
                       "[[gate]]\nname = 'a'\nline = [[0, 0], [3, 4], [3, 10]]\n[[gate]]\nname = 'b'\n"
                       "line = [[1, 1], [2, 1]]\n");
  ASSERT_EQ(run.gates.size(), 2u);
  EXPECT_EQ(segments(run), (std::vector<double>{0, 0, 3, 4,  0, 0, 0,  //
                                                3, 4, 3, 10, 5, 0, 1,  //
                                                1, 1, 2, 1,  0, 1, 1}));
}

TEST_F(GatesConfig, GoAlongXAndComeFromFiles) {
  const Run grid = load(grid_config("[[gate]]\nname = 'a'\nx = 120\n"));
  EXPECT_EQ(grid.gates[0].line, (std::vector<double>{120, 200, 120, 230}));
  const Run ramp = load(slider_ + "[maps]\ncell = 1\nextent = [0, -5, 9, 5]\n[[gate]]\nname = 'a'\nx = 4\n");
  EXPECT_EQ(ramp.gates[0].line, (std::vector<double>{4, -5, 4, 5}));
  write("g.geojson",
        "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", \"properties\": {}, "
        "\"geometry\": {\"type\": \"LineString\", \"coordinates\": [[1, 2], [3, 4, 5]]}}]}");
  EXPECT_EQ(load(slider_ + "[[gate]]\nname = 'a'\nfile = 'g.geojson'\n").gates[0].line,
            (std::vector<double>{1, 2, 3, 4}));
}

TEST_F(GatesConfig, AreDesignedForTheLargestShapeUnlessTold) {
  const Run run = load(grid_config("[[gate]]\nname = 'a'\nx = 120\ndesign = 'uni11211'\ng_tr = 1.1\n"));
  EXPECT_TRUE(run.gates[0].design.on);
  EXPECT_EQ(run.gates[0].design.g_tr, 1.1);
  EXPECT_EQ(run.gates[0].design.mass, 900);
  EXPECT_DOUBLE_EQ(run.gates[0].design.radius, 1.5);
  const Run told =
      load(grid_config("[[gate]]\nname = 'a'\nx = 120\ndesign = 'uni11211'\nblock_mass = 50\nblock_radius = 0.2\n"));
  EXPECT_EQ(told.gates[0].design.mass, 50);
  EXPECT_EQ(told.gates[0].design.radius, 0.2);
}

TEST_F(GatesConfig, RefuseLinesThatAreNone) {
  const auto line = [&](const std::string& points) {
    return slider_ + "[[gate]]\nname = 'a'\nline = " + points + "\n";
  };
  EXPECT_EQ(mistake(line("[[0, 0]]")),
            "2: x.toml:11: gate.line = [[0, 0]], must be a list of at least 2 points [x, y] (m)");
  EXPECT_EQ(mistake(line("[[0, 0], [1, 1], [1, 1]]")), here_ + "gate \"a\" has the point [1, 1] twice in a row");
  EXPECT_EQ(mistake(line("[[10, -20], [10, 20], [10, -20]]")), here_ + "gate \"a\" folds back at the point [10, 20]");
  EXPECT_EQ(mistake(line("[[0, 0], [4, 0], [4, 4], [2, -4]]")),
            here_ + "gate \"a\" crosses itself: segment 1 and segment 3");
  EXPECT_EQ(mistake(slider_ + "[[gate]]\nname = 'a'\n"),
            here_ + "gate must have one of line = [[x, y], ...], x (m) and file (GeoJSON)");
  EXPECT_EQ(mistake(slider_ + "[[gate]]\nname = 'a'\nx = 4\n"),
            "2: x.toml:11: gate.x needs maps.extent, which says how far the line goes; or give gate.line");
  EXPECT_EQ(mistake(slider_ + "[[gate]]\nline = [[0, 0], [1, 1]]\n"),
            here_ + "gate.name is missing, must be what the gate is called");
  EXPECT_EQ(mistake(slider_ + "[[gate]]\nname = 'a/b'\nx = 3\n"),
            "2: x.toml:10: gate.name = \"a/b\", must be a name that is not empty, without /, and not \".\"");
  EXPECT_EQ(mistake(slider_ + "[[gate]]\nname = 'a'\nline = [[0, 0], [1, 1]]\n[[gate]]\nname = 'a'\nline = [[0, 0], "
                              "[1, 1]]\n"),
            "2: x.toml:13: two gates have the name \"a\"");
  EXPECT_EQ(mistake("system = 'rotor'\nscheme = 'implicit'\nsamples = 2\nstep = 0.01\nend = 1.0\n[[gate]]\n"
                    "name = 'a'\nx = 1\n"),
            "2: x.toml:6: gate: the system rotor has no gates; rock and slider have");
}

TEST_F(GatesConfig, RefuseLinesOffTheTerrainAndWarnOfEndsThere) {
  EXPECT_EQ(
      mistake(grid_config("[[gate]]\nname = 'a'\nline = [[0, 0], [9, 9]]\n")),
      "2: x.toml:15: gate \"a\" has the point [0, 0] outside of the terrain, x from 100 to 140, y from 200 to 230 "
      "(m)");
  const Run partly = load(grid_config("[[gate]]\nname = 'a'\nline = [[120, 190], [120, 220]]\n"));
  EXPECT_THAT(partly.warnings, testing::Contains(testing::EndsWith(
                                   "x.toml:15: gate \"a\" has the point [120, 190] outside of the terrain, x from 100 "
                                   "to 140, y from 200 to 230 (m)")));
}

TEST_F(GatesConfig, RefuseFilesThatAreNoLine) {
  const auto file = [&](const std::string& text) {
    write("g.geojson", text);
    return mistake(slider_ + "[[gate]]\nname = 'a'\nfile = 'g.geojson'\n");
  };
  EXPECT_EQ(file("{\"type\": \"Point\", \"coordinates\": [1, 2]}"), "3: g.geojson: is a Point, must be one LineString");
  EXPECT_EQ(file("{\"type\": \"FeatureCollection\", \"features\": []}"),
            "3: g.geojson: has 0 features, must be one LineString");
  EXPECT_EQ(file("{\"type\": \"LineString\", \"crs\": {\"type\": \"name\", \"properties\": {\"name\": "
                 "\"EPSG:4326\"}}, \"coordinates\": [[1, 2], [3, 4]]}"),
            "3: g.geojson: is in WGS 84, whose unit is the degree; reproject it to metres");
  EXPECT_THAT(file("not json"), testing::StartsWith("3: g.geojson: is no GeoJSON: "));
}

TEST_F(GatesConfig, RefuseFactorsWithoutADesign) {
  EXPECT_EQ(mistake(grid_config("[[gate]]\nname = 'a'\nx = 120\ng_tr = 1.1\n")),
            "2: x.toml:18: gate.g_tr needs design = \"uni11211\"");
  EXPECT_EQ(mistake(slider_ + "[[gate]]\nname = 'a'\nline = [[0, 0], [1, 1]]\ndesign = 'uni11211'\n"),
            "2: x.toml:12: gate.design: fences are designed for rocks, not for slider");
}

}  // namespace
}  // namespace scree
