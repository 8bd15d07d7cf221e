// [[gate]] and [[barrier]] of a config: the lines that they make, and what they refuse, with the full line.
#include <cmath>

#include "host/inputs/crs.hpp"
#include "tests/support/config_fixture.hpp"

namespace scree {
namespace {

using testing::HasSubstr;

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
  const auto line_of = [&](const std::string& file) {
    return load(slider_ + "[[gate]]\nname = 'a'\nfile = '" + file + "'\n").gates[0].line;
  };
  EXPECT_EQ(line_of("g.geojson"), (std::vector<double>{1, 2, 3, 4}));
  write("m.geojson", "{\"type\": \"MultiLineString\", \"coordinates\": [[[1, 2], [3, 4], [5, 7]]]}");
  EXPECT_EQ(line_of("m.geojson"), (std::vector<double>{1, 2, 3, 4, 5, 7}));
  write("g.csv", "name,y,x\nfirst,2,1\nsecond,4,3.5\n");
  EXPECT_EQ(line_of("g.csv"), (std::vector<double>{1, 2, 3.5, 4}));
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

TEST_F(GatesConfig, AreDesignedForRocksAsLargeAsTheyStart) {
  const std::string gate = "[[gate]]\nname = 'a'\nx = 120\ndesign = 'uni11211'\n";
  const auto design = [&](const std::string& start) { return load(grid_config(start + gate)).gates[0].design; };
  EXPECT_DOUBLE_EQ(design("scale = 2\n").mass, 8 * 900);
  EXPECT_DOUBLE_EQ(design("scale = 2\n").radius, 3);
  EXPECT_DOUBLE_EQ(design("volume = 0.5\n").mass, 900 / 8.0);
  EXPECT_DOUBLE_EQ(design("volume = 0.5\n").radius, 0.75);
  EXPECT_DOUBLE_EQ(design("volume = 0.5\nmass = 77\n").mass, 77);
  // Of shapes in several variants the heaviest and the largest.
  std::string variants = grid_config(gate);
  const std::string cuboid = "kind = 'cuboid'\nsize = [1, 2, 2]\nmass = 900\n";
  variants.replace(variants.find(cuboid), cuboid.size(),
                   "kind = 'irregular'\nsize = [1, 2, 2]\ndensity = 2700\nvariants = 9\n");
  const Run run = load(variants);
  EXPECT_GT(run.gates[0].design.mass, 1.001 * run.shapes[0].mass);
  EXPECT_GT(run.gates[0].design.radius, 1.001 * run.shapes[0].size / 2);
  // A smaller shape comes first, and samples are of it unless they draw another one.
  const auto of_two = [&](const std::string& more) {
    std::string text = grid_config(gate + more);
    text.insert(text.find("[[shape]]"), "[[shape]]\nname = 'small'\nkind = 'cuboid'\nsize = [1, 1, 1]\nmass = 80\n");
    return load(text).gates[0].design.mass;
  };
  EXPECT_EQ(of_two(""), 80);
  EXPECT_EQ(of_two("[vary]\n'start.shape' = { choice = ['small', '2'] }\n"), 900);
  // Shapes that no law chooses.
  EXPECT_EQ(of_two("[vary]\n'start.shape' = { choice = ['small', 'small'] }\n"), 80);
  EXPECT_EQ(of_two("[vary]\n'start.shape' = { choice = ['small', '2'], weights = [1, 0] }\n"), 80);
  EXPECT_EQ(of_two("[vary]\n'start.shape' = { choice = ['2', 'small'], weights = [0.01, 1] }\n"), 900);
}

TEST_F(GatesConfig, AreNotDesignedForABlockOfAnySize) {
  const auto drawn = [&](const std::string& more, const std::string& law) {
    return grid_config("[[gate]]\nname = 'a'\nx = 120\ndesign = 'uni11211'\n" + more + "[vary]\n" + law + "\n");
  };
  const std::string volume = "'start.volume' = { uniform = [0.1, 3] }", mass = "'start.mass' = { uniform = [90, 99] }";
  EXPECT_EQ(mistake(drawn("", volume)),
            "2: x.toml:18: gate.block_mass is missing: x.toml:20 draws start.volume, and a fence is designed for one "
            "block, whose mass (kg) must be given");
  EXPECT_EQ(mistake(drawn("block_mass = 8000\n", volume)),
            "2: x.toml:18: gate.block_radius is missing: x.toml:21 draws start.volume, and a fence is designed for one "
            "block, whose radius (m) must be given");
  EXPECT_THAT(mistake(drawn("", mass)), HasSubstr("x.toml:20 draws start.mass"));
  // A mass that is given does not depend on the size.
  const std::string scale = "'start.scale' = { uniform = [0.5, 2] }\n[start]\nposition = [115, 215]\nmass = 77\n";
  std::string text = drawn("block_radius = 3\n", scale);
  text.erase(text.find("[start]"), text.find("[[gate]]") - text.find("[start]"));
  EXPECT_EQ(load(text).gates[0].design.mass, 77);
  const GateDesign given = load(drawn("block_mass = 8000\n", mass)).gates[0].design;
  EXPECT_EQ(given.mass, 8000);
  EXPECT_DOUBLE_EQ(given.radius, 1.5);
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
  // A way along a part of the line again, or through one of its points, would count twice.
  EXPECT_EQ(mistake(line("[[10, -20], [10, 20], [40, 20], [10, 15], [10, -15]]")),
            here_ + "gate \"a\" touches itself: segment 1 and segment 3");
  EXPECT_EQ(mistake(line("[[0, 0], [4, 0], [4, 4], [0, 0], [-4, -4]]")),
            here_ + "gate \"a\" touches itself: segment 1 and segment 4");
  EXPECT_EQ(load(line("[[0, 0], [4, 0], [4, 4], [0, 0]]")).gates.size(), 1u) << "but it may be closed";
  EXPECT_EQ(mistake(slider_ + "[[gate]]\nname = 'a'\n"),
            here_ + "gate must have one of line = [[x, y], ...], x (m) and file (GeoJSON or CSV)");
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
  // A road that is longer than the terrain.
  const auto warnings = [&](const std::string& line) {
    return load(grid_config("[[gate]]\nname = 'a'\nline = " + line + "\n")).warnings;
  };
  EXPECT_THAT(warnings("[[120, 190], [120, 300]]"), testing::Contains(HasSubstr("has the point [120, 190] outside")));
  EXPECT_THAT(warnings("[[50, 205], [150, 225]]"), testing::Contains(HasSubstr("has the point [50, 205] outside")));
  EXPECT_THAT(mistake(grid_config("[[gate]]\nname = 'a'\nline = [[90, 225], [120, 250]]\n")),
              HasSubstr("has the point [90, 225] outside of the terrain"))
      << "past its corner";
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
  EXPECT_EQ(file("{\"type\": \"MultiLineString\", \"coordinates\": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]}"),
            "3: g.geojson: is a MultiLineString of 2 parts, must be one LineString");
  EXPECT_EQ(file("{\"type\": \"LineString\", \"crs\": null, \"coordinates\": [[1, 2]]}"),
            "3: g.geojson: has 1 point, must have 2 or more");
  EXPECT_EQ(file("{\"type\": \"Feature\", \"properties\": null, \"geometry\": null}"),
            "3: g.geojson: has a feature without geometry, must be one LineString");
  write("g.csv", "x,z\n1,2\n3,4\n");
  EXPECT_EQ(mistake(slider_ + "[[gate]]\nname = 'a'\nfile = 'g.csv'\n"),
            "3: g.csv: has no column y; it must have x and y, in m");
}

TEST_F(GatesConfig, RefuseFilesInAnotherSystemThanTheTerrain) {
  write("t.prj", crs_of("EPSG:31287", "t.prj").wkt);
  const auto config = [&](const std::string& crs) {
    write("g.geojson", "{\"type\": \"LineString\", \"crs\": {\"type\": \"name\", \"properties\": {\"name\": \"" + crs +
                           "\"}}, \"coordinates\": [[110, 210], [120, 220]]}");
    return grid_config("[[gate]]\nname = 'a'\nfile = 'g.geojson'\n");
  };
  EXPECT_EQ(load(config("urn:ogc:def:crs:EPSG::31287")).crs, "EPSG:31287") << "of the .prj beside the terrain";
  EXPECT_EQ(mistake(config("EPSG:4326")),
            "3: x.toml:17: g.geojson: is in EPSG:4326, the terrain in EPSG:31287; reproject it");
  EXPECT_EQ(mistake(config("urn:ogc:def:crs:OGC:1.3:CRS84")),
            "3: x.toml:17: g.geojson: is in WGS 84 (CRS84), the terrain in EPSG:31287; reproject it");
  EXPECT_EQ(mistake(config("EPSG:31256")),
            "3: x.toml:17: g.geojson: is in EPSG:31256, the terrain in EPSG:31287; reproject it");
}

TEST_F(GatesConfig, RefuseFactorsWithoutADesign) {
  EXPECT_EQ(mistake(grid_config("[[gate]]\nname = 'a'\nx = 120\ng_tr = 1.1\n")),
            "2: x.toml:18: gate.g_tr needs design = \"uni11211\"");
  EXPECT_EQ(mistake(slider_ + "[[gate]]\nname = 'a'\nline = [[0, 0], [1, 1]]\ndesign = 'uni11211'\n"),
            "2: x.toml:12: gate.design: fences are designed for rocks, not for slider");
}

class BarriersConfig : public GatesConfig {
 protected:
  std::string barrier(const std::string& more, const std::string& name = "a") const {
    return slider_ + "[[barrier]]\nname = '" + name + "'\nline = [[10, -5], [10, 5]]\n" + more;
  }
};

TEST_F(BarriersConfig, LieBehindGatesInTheTables) {
  const Run run = load(barrier("height = 4\ncapacity = 25.5\nmargin = 0.5\nbase = 7\n") +
                       "[[gate]]\nname = 'g'\nline = [[1, 1], [2, 1]]\n[[barrier]]\nname = 'b'\n"
                       "line = [[0, 0], [3, 4], [3, 10]]\nheight = 2.5\nbase = 'ground'\n");
  EXPECT_EQ(segments(run), (std::vector<double>{1,  1,  2,  1,  0, 0, 1,  //
                                                10, -5, 10, 5,  0, 1, 1,  //
                                                0,  0,  3,  4,  0, 2, 0,  //
                                                3,  4,  3,  10, 5, 2, 1}));
  ASSERT_EQ(run.barriers.size(), 2u);
  EXPECT_EQ(run.spec.world.barriers.count, 2);
  EXPECT_EQ(run.spec.world.barriers.first_line, 1);
  const double* tables = run.spec.tables.data();
  const Barrier& a = barrier_of(run.spec.world.barriers, tables, 1);
  EXPECT_EQ(a.height, 4);
  EXPECT_EQ(a.capacity, 25.5);
  EXPECT_EQ(a.margin, 0.5);
  EXPECT_EQ(a.base, 7);
  const Barrier& b = barrier_of(run.spec.world.barriers, tables, 2);
  EXPECT_EQ(b.height, 2.5);
  EXPECT_TRUE(std::isinf(b.capacity));
  EXPECT_EQ(b.margin, 0);
  EXPECT_TRUE(std::isnan(b.base));
  EXPECT_TRUE(run.is_watched());
  EXPECT_FALSE(run.maps.on);
  EXPECT_TRUE(std::isinf(load(barrier("height = 4\ncapacity = inf\n")).barriers[0].barrier.capacity));
}

TEST_F(BarriersConfig, GoAlongXAndComeFromFiles) {
  EXPECT_EQ(load(grid_config("[[barrier]]\nname = 'a'\nx = 120\nheight = 3\n")).barriers[0].gate.line,
            (std::vector<double>{120, 200, 120, 230}));
  write("b.geojson", "{\"type\": \"LineString\", \"coordinates\": [[1, 2], [3, 4]]}");
  EXPECT_EQ(load(slider_ + "[[barrier]]\nname = 'a'\nfile = 'b.geojson'\nheight = 3\n").barriers[0].gate.line,
            (std::vector<double>{1, 2, 3, 4}));
}

TEST_F(BarriersConfig, RefuseWhatIsNoBarrier) {
  EXPECT_EQ(mistake(barrier("height = 0\n")), "2: x.toml:12: barrier.height = 0, must be > 0 (m)");
  EXPECT_EQ(mistake(barrier("height = -2\n")), "2: x.toml:12: barrier.height = -2, must be > 0 (m)");
  EXPECT_EQ(mistake(barrier("")), here_ + "barrier.height is missing, must be how high the barrier is (m)");
  EXPECT_EQ(mistake(barrier("height = 4\ncapacity = -1\n")),
            "2: x.toml:13: barrier.capacity = -1, must be >= 0 (J/kg)");
  EXPECT_EQ(mistake(grid_config("[[barrier]]\nname = 'a'\nx = 120\nheight = 4\ncapacity = -1\n")),
            "2: x.toml:19: barrier.capacity = -1, must be >= 0 (J)");
  EXPECT_EQ(mistake(barrier("height = 4\ncapacity = -inf\n")),
            "2: x.toml:13: barrier.capacity = -inf, must be a finite number (J/kg)");
  EXPECT_EQ(mistake(barrier("height = 4\nmargin = 'r_max'\n")),
            "2: x.toml:13: barrier.margin = \"r_max\", must be a number");
  EXPECT_EQ(mistake(barrier("height = 4\nbase = 'sky'\n")),
            "2: x.toml:13: barrier.base = \"sky\", must be \"ground\" or a z (m)");
  EXPECT_EQ(mistake(barrier("height = 4\nbase = true\n")),
            "2: x.toml:13: barrier.base = true, must be \"ground\" or a z (m)");
  EXPECT_EQ(mistake(barrier("height = 4\nheigth = 4\n")),
            "2: x.toml:13: unknown key barrier.heigth, did you mean barrier.height?");
  EXPECT_EQ(
      mistake(barrier("height = 4\ndesign = 'uni11211'\n")),
      "2: x.toml:13: unknown key barrier.design, known here: name, line, x, file, height, capacity, margin, base, on");
}

TEST_F(BarriersConfig, RefuseLinesAndNamesAsGatesDo) {
  EXPECT_EQ(mistake(slider_ + "[[barrier]]\nname = 'a'\nheight = 4\nline = [[0, 0]]\n"),
            "2: x.toml:12: barrier.line = [[0, 0]], must be a list of at least 2 points [x, y] (m)");
  EXPECT_EQ(mistake(slider_ + "[[barrier]]\nname = 'a'\nheight = 4\nline = [[0, 0], [4, 0], [4, 4], [2, -4]]\n"),
            here_ + "barrier \"a\" crosses itself: segment 1 and segment 3");
  EXPECT_EQ(mistake(slider_ + "[[barrier]]\nname = 'a'\nheight = 4\n"),
            here_ + "barrier must have one of line = [[x, y], ...], x (m) and file (GeoJSON or CSV)");
  EXPECT_EQ(mistake(slider_ + "[[barrier]]\nname = 'a'\nheight = 4\nx = 4\n"),
            "2: x.toml:12: barrier.x needs maps.extent, which says how far the line goes; or give barrier.line");
  EXPECT_EQ(mistake(grid_config("[[barrier]]\nname = 'a'\nline = [[0, 0], [9, 9]]\nheight = 4\n")),
            "2: x.toml:15: barrier \"a\" has the point [0, 0] outside of the terrain, x from 100 to 140, y from 200 to "
            "230 (m)");
  EXPECT_EQ(mistake(slider_ + "[[barrier]]\nheight = 4\nline = [[0, 0], [1, 1]]\n"),
            here_ + "barrier.name is missing, must be what the barrier is called");
  EXPECT_EQ(mistake(barrier("height = 4\n", "a/b")),
            "2: x.toml:10: barrier.name = \"a/b\", must be a name that is not empty, without /, and not \".\"");
  EXPECT_EQ(mistake(barrier("height = 4\n") + "[[barrier]]\nname = 'a'\nline = [[0, 0], [1, 1]]\nheight = 4\n"),
            "2: x.toml:14: two barriers have the name \"a\"");
  EXPECT_EQ(mistake(barrier("height = 4\n") + "[[gate]]\nname = 'a'\nline = [[0, 0], [1, 1]]\n"),
            "2: x.toml:10: a gate and a barrier have the name \"a\"");
  EXPECT_EQ(mistake("system = 'rotor'\nscheme = 'implicit'\nsamples = 2\nstep = 0.01\nend = 1.0\n[[barrier]]\n"
                    "name = 'a'\nx = 1\nheight = 4\n"),
            "2: x.toml:6: barrier: the system rotor has no barriers; rock and slider have");
}

TEST_F(BarriersConfig, MayBeOff) {
  const std::string two = barrier("height = 4\n") + "[[barrier]]\nname = 'b c'\nline = [[0, 0], [1, 1]]\nheight = 3\n";
  const Run run = load(two, {"barrier.a.on=false", "barrier.b c.height=5"});
  ASSERT_EQ(run.barriers.size(), 1u);
  EXPECT_EQ(run.barriers[0].gate.name, "b c");
  EXPECT_EQ(run.barriers[0].barrier.height, 5);
  EXPECT_EQ(run.spec.world.barriers.count, 1);
  EXPECT_EQ(load(two, {"barrier.a.on=false", "barrier.b c.on=false"}).spec.world.lines.segments, 0);
  EXPECT_EQ(mistake(barrier("height = 0\non = false\n")), "2: x.toml:12: barrier.height = 0, must be > 0 (m)");
}

/// Which of them are down is a set of bits in a double.
TEST_F(BarriersConfig, AreAtMost52) {
  std::string text = slider_;
  for (int b = 0; b < 52; ++b)
    text += "[[barrier]]\nname = '" + std::to_string(b) + "'\nline = [[10, -5], [10, 5]]\nheight = 1\n";
  EXPECT_EQ(load(text).barriers.size(), 52u);
  EXPECT_EQ(mistake(text + "[[barrier]]\nname = 'x'\nline = [[10, -5], [10, 5]]\nheight = 1\n"),
            "2: x.toml:217: more than 52 barriers are not possible");
}

}  // namespace
}  // namespace scree
