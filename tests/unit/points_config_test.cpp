// Polygons of a config that come from files: releases, forests, ground, with the full line of what is refused.
#include "host/inputs/crs.hpp"
#include "tests/support/config_fixture.hpp"

namespace scree {
namespace {

class PolygonFiles : public test::ConfigFixture {
 protected:
  const std::string rock_ =
      "system = 'rock'\nscheme = 'implicit'\nsamples = 2\nstep = 0.01\nend = 1.0\n[[shape]]\nkind = 'cuboid'\n"
      "size = [1, 2, 2]\nmass = 900\n";
  const std::string plane_ = "[terrain]\nkind = 'plane'\nslope = 20\n";
  const std::string inline_ = "[[0, 0], [40, 0], [40, 25], [0, 25]]";

  std::string forest(const std::string& polygon) const {
    return rock_ + plane_ +
           "[start]\nposition = [-50, 0]\n[[forest]]\nstems = 400\ndiameter = 0.3\ncapacity = 5\npolygon = " + polygon +
           "\n";
  }
  std::string ground(const std::string& polygon) const {
    return rock_ + plane_ + "[[terrain.ground.area]]\nclass = 'medium'\npolygon = " + polygon + "\n";
  }
  std::string release(const std::string& polygon) const {
    return rock_ + plane_ + "[vary]\nposition = { polygon = " + polygon + " }\n";
  }
  static std::string geojson(const std::string& geometry) {
    return "{\"type\": \"Feature\", \"properties\": {}, \"geometry\": " + geometry + "}";
  }
};

TEST_F(PolygonFiles, GiveWhatTheirCornersGiveInTheConfig) {
  const std::string ring = "[[0, 0], [40, 0, 7], [40, 25], [0, 25], [0, 0]]";
  write("p.geojson", geojson("{\"type\": \"Polygon\", \"coordinates\": [" + ring + "]}"));
  write("m.geojson", geojson("{\"type\": \"MultiPolygon\", \"coordinates\": [[" + ring + "]]}"));
  write("p.csv", "x,y\n0,0\n40,0\n40,25\n0,25\n");
  for (const std::string file : {"'p.geojson'", "'m.geojson'", "'p.csv'"}) {
    EXPECT_EQ(load(forest(file)).spec.tables, load(forest(inline_)).spec.tables) << file;
    EXPECT_EQ(load(forest(file)).forest[0].corners, load(forest(inline_)).forest[0].corners) << file;
    EXPECT_EQ(load(ground(file)).spec.tables, load(ground(inline_)).spec.tables) << file;
    EXPECT_EQ(drawn(load(release(file)), 1), drawn(load(release(inline_)), 1)) << file;
    EXPECT_EQ(load(release(file)).inputs.size(), 1u) << "its hash is in the result";
  }
}

TEST_F(PolygonFiles, AreRefusedWhereTheyAreNoPolygon) {
  const auto file = [&](const std::string& geometry) {
    write("p.geojson", geojson(geometry));
    return mistake(forest("'p.geojson'"));
  };
  EXPECT_EQ(file("{\"type\": \"LineString\", \"coordinates\": [[1, 2], [3, 4]]}"),
            "3: p.geojson: is a LineString, must be one Polygon");
  EXPECT_EQ(file("{\"type\": \"MultiPolygon\", \"coordinates\": [[], []]}"),
            "3: p.geojson: is a MultiPolygon of 2 parts, must be one Polygon");
  EXPECT_EQ(file("{\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [9, 0], [9, 9]], [[1, 1], [2, 1], [2, 2]]]}"),
            "3: p.geojson: is a Polygon of 2 rings, must have one: no holes");
  EXPECT_EQ(file("{\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [9, 0], [0, 0]]]}"),
            "3: p.geojson: has 2 corners, must have 3 or more");
}

TEST_F(PolygonFiles, AreInTheSystemOfTheTerrain) {
  write("t.asc", "ncols 3\nnrows 3\nxllcenter 0\nyllcenter 0\ncellsize 20\n9 9 9\n8 8 8\n7 7 7\n");
  write("t.prj", crs_of("EPSG:31287", "t.prj").wkt);
  write("p.geojson",
        "{\"type\": \"Polygon\", \"crs\": {\"type\": \"name\", \"properties\": {\"name\": \"EPSG:4326\"}}, "
        "\"coordinates\": [[[1, 1], [9, 1], [9, 9], [1, 1]]]}");
  EXPECT_EQ(mistake(rock_ + "[terrain]\nkind = 'grid'\nfile = 't.asc'\n[vary]\nposition = { polygon = 'p.geojson' }\n"),
            "3: x.toml:14: p.geojson: is in EPSG:4326, the terrain in EPSG:31287; reproject it");
  EXPECT_EQ(mistake(release("'p.geojson'")),
            "3: p.geojson: is in WGS 84, whose unit is the degree; reproject it to metres");
}

}  // namespace
}  // namespace scree
