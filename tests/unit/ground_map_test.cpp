// Ground that differs from place to place: where which class lies, what a config says of it, and how rocks take it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "host/engine/execute.hpp"
#include "host/inputs/ground_areas.hpp"
#include "tests/support/config_fixture.hpp"
#include "tests/support/rocks.hpp"

namespace scree {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

GroundMap map_of(const std::vector<GroundArea>& areas, std::vector<double>& tables) {
  GroundMap map{};
  map.classes = 9;
  map.cell = map.band = Divisor::of(1);
  add_areas(areas, tables, map);
  return map;
}

/// Whether a polygon winds around (x, y): the sum of the angles that its sides are seen under.
bool winds_around(const GroundArea& area, double x, double y) {
  const std::vector<double>& p = area.corners;
  double turn = 0;
  for (std::size_t i = 0; i < p.size(); i += 2) {
    const std::size_t k = (i + 2) % p.size();
    const double ax = p[i] - x, ay = p[i + 1] - y, bx = p[k] - x, by = p[k + 1] - y;
    turn += std::atan2(ax * by - ay * bx, ax * bx + ay * by);
  }
  return std::fabs(turn) > test::pi;
}

/// A polygon of `corners` corners around a point, which no two of its sides cross.
GroundArea star(std::mt19937_64& random, int corners, double ground_class) {
  std::uniform_real_distribution<double> uniform;
  const double x = 247000 + 100 * uniform(random), y = 352000 + 100 * uniform(random);
  GroundArea area{{}, ground_class};
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * test::pi * (i + uniform(random)) / corners, r = 5 + 60 * uniform(random);
    area.corners.insert(area.corners.end(), {x + r * std::cos(angle), y + r * std::sin(angle)});
  }
  return area;
}

TEST(GroundMap, HasTheClassOfTheLastPolygonAroundAPoint) {
  std::mt19937_64 random(4);
  for (const int corners : {3, 5, 12, 400}) {
    std::vector<GroundArea> areas;
    for (int a = 1; a <= 6; ++a) areas.push_back(star(random, corners, a));
    std::vector<double> tables{7, 7, 7};
    const GroundMap map = map_of(areas, tables);
    EXPECT_GT(map.bands, corners > 12 ? 200 : 1);
    std::uniform_real_distribution<double> x(246930, 247170), y(351930, 352170);
    std::vector<int> seen(areas.size() + 1);
    for (int k = 0; k < 4000; ++k) {
      const double px = x(random), py = y(random);
      double expected = 0;
      for (const GroundArea& area : areas)
        if (winds_around(area, px, py)) expected = area.ground_class;
      ASSERT_EQ(map.at(tables.data(), px, py), expected) << px << ' ' << py;
      ++seen[static_cast<std::size_t>(expected)];
    }
    EXPECT_THAT(seen, testing::Each(testing::Gt(0)));
  }
}

TEST(GroundMap, CountsEdgesAndCornersToTheirPolygon) {
  // Two squares that share a side, a later one on their corner, and one around a hole by even and odd.
  const std::vector<GroundArea> areas{{{0, 0, 4, 0, 4, 4, 0, 4}, 1},
                                      {{4, 0, 8, 0, 8, 4, 4, 4}, 2},
                                      {{3, 3, 5, 3, 5, 5, 3, 5}, 3},
                                      {{10, 0, 16, 0, 16, 6, 10, 6, 10, 0, 12, 2, 12, 4, 14, 4, 14, 2, 12, 2}, 4},
                                      {{26, 0, 30, 4, 26, 8, 22, 4}, 5}};
  std::vector<double> tables;
  const GroundMap map = map_of(areas, tables);
  const auto at = [&](double x, double y) { return map.at(tables.data(), x, y); };
  EXPECT_EQ(at(0, 0), 1);
  EXPECT_EQ(at(0, 2), 1);
  EXPECT_EQ(at(2, 0), 1);
  EXPECT_EQ(at(2, 4), 1);
  EXPECT_EQ(at(4, 2), 2);
  EXPECT_EQ(at(8, 4), 2);
  EXPECT_EQ(at(3, 3.5), 3);
  EXPECT_EQ(at(5, 5), 3);
  EXPECT_EQ(at(3, 3), 3);
  EXPECT_EQ(at(4, 5), 3);
  EXPECT_EQ(at(11, 3), 4);
  EXPECT_EQ(at(13, 3), 0);
  EXPECT_EQ(at(14, 3), 4);
  // Rays through a corner where two sides meet, one below it and one above.
  EXPECT_EQ(at(24, 4), 5);
  EXPECT_EQ(at(21, 4), 0);
  EXPECT_EQ(at(31, 4), 0);
  const double before = std::nextafter(0.0, -1.0), beyond = std::nextafter(8.0, 9.0);
  EXPECT_EQ(at(before, 2), 0);
  EXPECT_EQ(at(beyond, 2), 0);
  EXPECT_EQ(at(2, before), 0);
  EXPECT_EQ(at(-1e9, 2), 0);
  EXPECT_EQ(at(2, 1e300), 0);
  EXPECT_EQ(at(std::numeric_limits<double>::quiet_NaN(), 2), 0);
  EXPECT_EQ(at(2, std::numeric_limits<double>::quiet_NaN()), 0);
}

TEST(GroundMap, LeavesNoGapAlongASideThatTwoPolygonsShare) {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> uniform;
  for (int k = 0; k < 20000; ++k) {
    const double ax = 247000 + uniform(random), ay = 352000 + uniform(random), bx = ax + uniform(random),
                 by = ay + uniform(random), t = uniform(random);
    std::vector<double> tables;
    const GroundMap map = map_of({{{ax, ay, bx, by, ax - 9, by}, 1}, {{bx, by, ax, ay, bx + 9, ay}, 2}}, tables);
    EXPECT_NE(map.at(tables.data(), ax + t * (bx - ax), ay + t * (by - ay)), 0);
  }
}

// ---------------------------------------------------------------------------------------------------------------------

/// A block that slides on level ground, as a config.
const std::string block = R"(system = "rock"
scheme = ["implicit", "explicit"]
samples = 2
step = 0.002
end = 8.0
[terrain]
kind = "plane"
slope = 0.0
[[shape]]
kind = "cuboid"
size = [1.0, 1.0, 0.4]
mass = 900.0
[start]
gap = 0.0
velocity = [6.0, 0.0, 0.0]
[rock]
friction_min = 0.3
friction_max = 0.3
drag = 0.0
)";
/// Rocks that fall on a slope.
const std::string rocks = R"(system = "rock"
scheme = "implicit"
samples = 12
step = 0.004
end = 6.0
[terrain]
kind = "ramp"
slope = 40.0
height = 12.0
[[shape]]
kind = "eota"
size = [0.93, 0.93, 0.47]
mass = 780.0
[vary]
orientation = "uniform"
)";
/// Codes 1, 1, 2 / 3, 3, none in cells of 10 m from (0, 0) on, the northern row first.
const std::string codes = "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 1 2\n3 3 -9999\n";
const std::string named =
    "[terrain.ground]\nfile = 'codes.asc'\nnames = { 1 = 'soft', 2 = 'hard', 3 = 'mud' }\n[ground.mud]\ndrag = 3.0\n";

class GroundConfig : public test::ConfigFixture {
 protected:
  double at(const Run& run, double x, double y) const { return run.spec.world.ground.at(run.spec.tables.data(), x, y); }
  Arm run_of(const Run& run, const std::string& scheme = "implicit") const {
    return execute(run, scheme, choose_engine(run, {}));
  }
  std::string digest(const Run& run) const { return run_of(run).digest; }
  double mean(const Run& run, const std::string& scheme, const char* column) const {
    const Arm arm = run_of(run, scheme);
    return arm.statistics.columns[static_cast<std::size_t>(run.model->description.column(column))].mean;
  }
};

TEST_F(GroundConfig, TakesTheClassOfTheNearestCell) {
  write("codes.asc", codes);
  const Run run = load(rocks + named);
  // By the alphabet: hard 1, mud 2, soft 3; the run's own is 0.
  EXPECT_EQ(at(run, 0, 10), 3);
  EXPECT_EQ(at(run, 19.99, 19.99), 3);
  EXPECT_EQ(at(run, 20, 10), 1);
  EXPECT_EQ(at(run, 0, 0), 2);
  EXPECT_EQ(at(run, 19.99, 9.99), 2);
  EXPECT_EQ(at(run, 25, 5), 0);   // no data
  EXPECT_EQ(at(run, 30, 15), 0);  // the cells end here
  EXPECT_EQ(at(run, 5, 20), 0);
  EXPECT_EQ(at(run, -0.01, 5), 0);
  EXPECT_EQ(run.ground_map,
            "hard 16.7 %, mud 33.3 %, soft 33.3 %, the run's own 16.7 % of 6 cells of the map (RAMMS-like: only extra "
            "soft, hard and extra hard are corroborated by public sources)");
  const Run outside = load(rocks +
                           "[terrain.ground]\nfile = 'codes.asc'\noutside = 'snow'\n"
                           "names = { 1 = 'soft', 2 = 'hard', 3 = 'soft' }\n");
  EXPECT_EQ(at(outside, 5, 5), 3);  // hard 1, snow 2, soft 3
  EXPECT_EQ(at(outside, 25, 5), 2);
  EXPECT_EQ(at(outside, 1e3, 5), 2);
}

TEST_F(GroundConfig, LaysAreasOverTheFile) {
  write("codes.asc", codes);
  const Run run = load(rocks + named +
                       "[[terrain.ground.area]]\nclass = 'snow'\npolygon = [[15, -5], [25, -5], [25, 12], [15, 12]]\n"
                       "[[terrain.ground.area]]\nclass = 'mud'\npolygon = [[24, 0], [40, 0], [40, 10]]\n");
  EXPECT_EQ(at(run, 16, 5), 3);  // hard 1, mud 2, snow 3, soft 4
  EXPECT_EQ(at(run, 16, 13), 4);
  EXPECT_EQ(at(run, 20, -4), 3);
  EXPECT_EQ(at(run, 24.5, 0.1), 2);
  EXPECT_EQ(at(run, 39, 9), 2);
  EXPECT_EQ(at(run, 24.5, 9), 3);
}

TEST_F(GroundConfig, CountsTheClassesWhereTheTerrainHasHeights) {
  write("codes.asc", codes);
  write("t.asc", "ncols 4\nnrows 3\nxllcenter 5\nyllcenter 5\ncellsize 5\n9 9 9 9\n9 9 9 9\n9 9 9 -9999\n");
  const std::string text =
      "system = 'rock'\nscheme = 'rk4'\nsamples = 1\nstep = 0.01\nend = 1.0\n"
      "[[shape]]\nkind = 'cuboid'\nsize = [1.0, 1.0, 1.0]\nmass = 2000.0\n[start]\nposition = [8.0, 8.0]\n"
      "[terrain]\nkind = 'grid'\nfile = 't.asc'\n" +
      named;
  // Nodes at x = 5, 10, 15, 20 and y = 5, 10, 15; of y = 5 the last has no height.
  EXPECT_THAT(load(text).ground_map, StartsWith("hard 18.2 %, mud 27.3 %, soft 54.5 % of 11 cells of the terrain"));
}

TEST_F(GroundConfig, HasTheValuesOfPresetsAndOfItsOwnTables) {
  write("codes.asc", codes);
  const Run run = load(rocks +
                       "[terrain.ground]\nfile = 'codes.asc'\nnames = { 1 = 'soft', 2 = 'wood', 3 = 'mud' }\n"
                       "[ground.mud]\nlike = 'scree slope'\nsoil_strength = 1e6\n[ground.wood]\nlayer_drag = 40.0\n"
                       "[rock]\nground = 'hard'\nsoil_density = 1800.0\n");
  Rock<double>::Params p;
  const std::vector<double> values = drawn(run, 0);
  std::memcpy(&p, values.data(), sizeof p);
  const RockGround<double> own = ground_of(p, 0), mud = ground_of(p, 1), soft = ground_of(p, 2), wood = ground_of(p, 3);
  EXPECT_EQ(own.friction_min, .55);
  EXPECT_EQ(own.soil_strength, 0);
  EXPECT_EQ(mud.soil_strength, 1e6);
  EXPECT_EQ(mud.soil_drag, 2.5);
  EXPECT_EQ(mud.soil_density, 1800);
  EXPECT_EQ(mud.drag, 0);
  EXPECT_EQ(soft.friction_min, .25);
  EXPECT_EQ(soft.scar_decay, 100);
  EXPECT_EQ(wood.friction_min, .55);
  EXPECT_EQ(wood.drag, .4);
  EXPECT_EQ(wood.layer_drag, 40);
  EXPECT_EQ(soft.layer_drag, 0);
}

TEST_F(GroundConfig, VariesAClassByItself) {
  write("codes.asc", codes);
  const std::string text = rocks +
                           "'ground.mud.drag' = { uniform = [1.0, 2.0] }\n'ground.soft.friction_min' = "
                           "{ choice = [0.5] }\n'rock.soil_density' = { uniform = [1000.0, 2000.0] }\n" +
                           named;
  const Run run = load(text);
  ASSERT_EQ(run.varied.size(), 7u);
  EXPECT_EQ(run.varied[0].name, "rock.soil_density");
  EXPECT_EQ(run.varied[1].name, "ground.mud.drag");
  EXPECT_EQ(run.varied[2].name, "ground.soft.friction_min");
  const std::vector<std::byte> bytes = run.model->ensemble(run.spec);
  const auto& ensemble = *reinterpret_cast<const Ensemble<Rock<double>>*>(bytes.data());
  double least = 9, most = 0;
  for (std::uint64_t sample = 0; sample < 50; ++sample) {
    const Sample<Rock<double>> whole = draw(ensemble, sample);
    for (int c = 0; c <= 3; ++c) {  // drawn again by itself, it is the same
      const RockGround<double> again = drawn_ground(ensemble, sample, c), once = ground_of(whole.params, c);
      EXPECT_EQ(std::memcmp(&again, &once, sizeof again), 0) << sample << ' ' << c;
      EXPECT_EQ(once.soil_density, whole.params.soil_density);
    }
    const double drag = ground_of(whole.params, 2).drag;
    least = std::min(least, drag);
    most = std::max(most, drag);
    EXPECT_EQ(ground_of(whole.params, 3).friction_min, .5);
  }
  EXPECT_LT(least, 1.1);
  EXPECT_GT(most, 1.9);
  // --set fixes what varies, and needs no quotes around a name with a blank.
  EXPECT_EQ(load(text, {"ground.mud.drag=4"}).varied.size(), 6u);
  EXPECT_EQ(load(rocks + "[terrain.ground]\nfile = 'codes.asc'\nnames = { 1 = 'soft', 2 = 'extra hard', 3 = 'hard' }\n",
                 {"ground.extra hard.drag=0.9"})
                .spec.params[static_cast<std::size_t>(run.model->description.grounds.place(1, 6))],
            .9);
}

/// [sensitivity] over a value of one class.
TEST_F(GroundConfig, IsAKeyOfSensitivity) {
  write("codes.asc", codes);
  const Run run = load(rocks + named + "[sensitivity]\nkey = 'ground.mud.drag'\nvalues = [1, 2]\n");
  EXPECT_EQ(run.sensitivity.key, "ground.mud.drag");
  EXPECT_EQ(run.sensitivity.values, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(mistake(rocks + named + "[sensitivity]\nkey = 'ground.mud.grad'\nvalues = [1, 2]\n"),
            "2: x.toml:22: sensitivity.key = \"ground.mud.grad\", did you mean \"ground.mud.drag\"?");
}

TEST_F(GroundConfig, OfOneClassHasTheBitsOfNone) {
  write("codes.asc", "ncols 2\nnrows 2\nxllcorner -500\nyllcorner -500\ncellsize 500\n4 4\n4 4\n");
  const std::string
      raster = "[terrain.ground]\nfile = 'codes.asc'\noutside = 'scree slope'\nnames = { 4 = 'scree slope' }\n",
      area =
          "[[terrain.ground.area]]\nclass = 'scree slope'\n"
          "polygon = [[-500, -500], [500, -500], [500, 500], [-500, 500]]\n",
      drag = "rock.soil_drag' = { uniform = [1.0, 3.0] }\n";
  const std::string none = digest(load(rocks + "[rock]\nground = 'scree slope'\n"));
  EXPECT_EQ(digest(load(rocks + raster)), none);
  EXPECT_EQ(digest(load(rocks + area)), none);
  // Nor does it matter what the ground would be where it is nowhere.
  EXPECT_EQ(digest(load(rocks + raster, {"rock.restitution=0.2", "rock.soil_strength=3e6", "rock.friction_min=0.2"})),
            none);
  EXPECT_NE(digest(load(rocks + "[rock]\nground = 'hard'\n")), none);
  const std::string varied = digest(load(rocks + "'" + drag + "[rock]\nground = 'scree slope'\n"));
  EXPECT_EQ(digest(load(rocks + "'ground.scree slope." + drag.substr(5) + raster)), varied);
  EXPECT_NE(varied, none);
}

// ---------------------------------------------------------------------------------------------------------------------

/// v^2 / 2 = mu1 g b + mu2 g x beyond the border at b. The ground of a step is that of its midpoint, so the border is
/// off by at most half a step's way, which moves the end by (mu1 / mu2 + 1) v h / 2; the block's last step adds less
/// than mu g h^2, and its start h v / 2.
TEST_F(GroundConfig, TakesAnotherFrictionBeyondABorder) {
  const double g = 9.81, v = 6, h = .002, b = 3, mu1 = .3, mu2 = .7;
  const std::string text = block +
                           "[[terrain.ground.area]]\nclass = 'rough'\npolygon = [[3, -9], [99, -9], [99, 9], [3, 9]]\n"
                           "[ground.rough]\nfriction_min = 0.7\nfriction_max = 0.7\n";
  const double expected = b + (v * v / 2 - mu1 * g * b) / (mu2 * g);
  for (const char* scheme : {"implicit", "explicit"})
    EXPECT_NEAR(mean(load(text), scheme, "runout"), expected, (mu1 / mu2 + 2) * v * h / 2) << scheme;
  EXPECT_NEAR(mean(load(block), "implicit", "runout"), v * v / (2 * mu1 * g), v * h);
}

/// Drag of the ground likewise: v falls by nu x where friction is none.
TEST_F(GroundConfig, TakesAnotherDragBeyondABorder) {
  const std::string text = block +
                           "[[terrain.ground.area]]\nclass = 'bog'\npolygon = [[3, -9], [99, -9], [99, 9], [3, 9]]\n"
                           "[ground.bog]\ndrag = 2.0\n";
  const Run run = load(text, {"rock.friction_min=0", "rock.friction_max=0", "end=30"});
  // x = b + v / nu, up to the border's h v and the speed at which the block counts as resting, 0.05 m/s.
  EXPECT_NEAR(mean(run, "implicit", "runout"), 3 + 6 / 2.0, 6 * .002 + .05 / 2.0);
}

/// Beyond a border a rock has all that it would have had from its release on there, laws and all.
TEST_F(GroundConfig, TakesAllOfAnotherGround) {
  const std::string text = block +
                           "[[terrain.ground.area]]\nclass = 'other'\npolygon = [[3, -9], [99, -9], [99, 9], [3, 9]]\n"
                           "[ground.other]\nlike = 'scree slope'\nsoil_spin_drag = 0.3\nrestitution = 0.1\ndrag = 0.2\n"
                           "layer_height = 3.0\n[vary]\n'ground.other.scar_decay' = { uniform = [20.0, 90.0] }\n"
                           "'ground.other.layer_drag' = { uniform = [20.0, 90.0] }\n";
  const Run run = load(text), there = load(text, {"start.position=[20, 0]"});
  const std::vector<std::byte> bytes = run.model->ensemble(run.spec), beyond = there.model->ensemble(there.spec);
  for (std::uint64_t sample = 0; sample < 3; ++sample) {
    const auto prepared = [&](const std::vector<std::byte>& of) {
      const auto& ensemble = *reinterpret_cast<const Ensemble<Rock<double>>*>(of.data());
      return Rock<double>::prepare(ensemble.world, draw(ensemble, sample));
    };
    test::RockLane lane = prepared(bytes);
    const test::RockLane expected = prepared(beyond);
    EXPECT_NE(lane.healing, expected.healing);
    EXPECT_EQ(expected.ground_class, 1);
    const World& world = reinterpret_cast<const Ensemble<Rock<double>>*>(bytes.data())->world;
    while (lane.middle.x < 3 && lane.status == running) test::step<test::Implicit>(world, lane);
    EXPECT_EQ(lane.ground_class, 1);
    EXPECT_EQ(lane.healing, expected.healing);
    EXPECT_EQ(std::memcmp(&lane.brakes, &expected.brakes, sizeof lane.brakes), 0);
    EXPECT_EQ(std::memcmp(&lane.ground, &expected.ground, sizeof lane.ground), 0);
  }
}

/// A scar has the depth that the soil has where the rock enters, until the rock is out of it.
TEST_F(GroundConfig, KeepsAScarsDepthOnOtherGround) {
  const std::string text = block +
                           "soil_strength = 1e6\nsoil_drag = 0.2\n[[terrain.ground.area]]\nclass = 'rock'\n"
                           "polygon = [[3, -9], [99, -9], [99, 9], [3, 9]]\n"
                           "[ground.rock]\nsoil_strength = 0.0\nsoil_drag = 0.0\n";
  const Run run = load(text, {"start.velocity=[6, 0, -1]"});
  const std::vector<std::byte> bytes = run.model->ensemble(run.spec);
  const auto& ensemble = *reinterpret_cast<const Ensemble<Rock<double>>*>(bytes.data());
  test::RockLane lane = Rock<double>::prepare(ensemble.world, draw(ensemble, 0));
  double depth = 0, deepest = 0;
  int beyond = 0;
  while (lane.status == running) {
    test::step<test::Implicit>(ensemble.world, lane);
    deepest = std::max(deepest, lane.depth);
    if (lane.gap > 0) {
      EXPECT_EQ(lane.depth, 0);
      depth = 0;
    } else {
      EXPECT_TRUE(depth == 0 || lane.depth == depth);
      depth = lane.depth;
      beyond += lane.middle.x > 3.01 && lane.ground.soil_strength == 0 && depth > 0;
    }
  }
  EXPECT_EQ(deepest, scar_depth(900.0, 1e6, 1.0));
  EXPECT_GT(beyond, 100);
}

/// Restitution and soil that a rock's last ground does not have leave their columns all the same.
TEST_F(GroundConfig, HasColumnsOfAllItsClasses) {
  write("codes.asc", codes);
  const std::string text = rocks +
                           "[terrain.ground]\nfile = 'codes.asc'\nnames = { 1 = 'soft', 2 = 'hard', 3 = 'mud' }\n"
                           "[ground.mud]\nrestitution = 0.2\nsoil_strength = 1e6\n";
  const Run run = load(text);
  const Arm arm = run_of(run);
  for (const char* column : {"soil_share", "micro_bounces"})
    EXPECT_EQ(arm.statistics.columns[static_cast<std::size_t>(run.model->description.column(column))].n, 12u) << column;
}

TEST_F(GroundConfig, RefusesWhatIsNoMap) {
  write("codes.asc", codes);
  const std::string file = "[terrain.ground]\nfile = 'codes.asc'\n";
  const auto of = [&](const std::string& text) { return mistake(rocks + text); };
  EXPECT_EQ(of("[terrain.ground]\noutside = 'soft'\n"),
            "2: x.toml:16: terrain.ground is no map: give a file, or one or several [[terrain.ground.area]]");
  EXPECT_EQ(of(file),
            "2: x.toml:16: terrain.ground.names is missing, must be a table of the file's codes, as { 1 = "
            "\"scree slope\" }");
  EXPECT_EQ(
      of(file + "names = { 1 = 'soft', 2 = 'hard', 3 = 'mud' }\n"),
      "2: x.toml:18: terrain.ground.names.3 = \"mud\" is no ground: neither a preset nor a table [ground.mud], must "
      "be one of extra soft, soft, medium soft, medium, medium hard, hard, extra hard, snow, scree slope, hard "
      "scree, alpine meadow");
  EXPECT_EQ(
      of(file + "names = { 1 = 'sofd', 2 = 'hard', 3 = 'hard' }\n"),
      "2: x.toml:18: terrain.ground.names.1 = \"sofd\" is no ground: neither a preset nor a table [ground.sofd], did "
      "you mean \"soft\"?");
  EXPECT_EQ(of(file + "names = { 1 = 'soft', x = 'hard' }\n"),
            "2: x.toml:18: terrain.ground.names.x: \"x\" is no code of a raster, must be a whole number");
  EXPECT_EQ(of(file + "names = { 1 = 'soft', 3 = 'hard' }\n"),
            "3: codes.asc: ground code 2 has no name: add it to terrain.ground.names (x.toml:18)");
  EXPECT_EQ(of("[terrain.ground]\nnames = { 1 = 'soft' }\n"),
            "2: x.toml:17: terrain.ground.names names the codes of terrain.ground.file, which is not given");
  EXPECT_EQ(of("[ground.mud]\ndrag = 1.0\n"),
            "2: x.toml:16: ground.mud is ground of a map, and there is no [terrain.ground]");
  EXPECT_EQ(of(named + "[ground.mat]\ndrag = 1.0\n"),
            "2: x.toml:21: ground.mat is ground that terrain.ground has nowhere, did you mean \"mud\"?");
  EXPECT_EQ(of(named + "grad = 1.0\n"), "2: x.toml:21: unknown key ground.mud.grad, did you mean ground.mud.drag?");
  EXPECT_EQ(of(named + "gravity = 1.0\n"),
            "2: x.toml:21: unknown key ground.mud.gravity, known here: like, friction_min, friction_max, scar_decay, "
            "scar_growth, restitution, drag, soil_strength, soil_drag, soil_density, soil_spin_drag, layer_drag, "
            "layer_height");
  EXPECT_EQ(of(named + "restitution = 2.0\n"),
            "2: x.toml:21: ground.mud.restitution = 2, must be >= 0 and <= 1 (dimensionless)");
  EXPECT_EQ(
      of(named + "like = 'bog'\n"),
      "2: x.toml:21: ground.mud.like = \"bog\", must be one of extra soft, soft, medium soft, medium, medium hard, "
      "hard, extra hard, snow, scree slope, hard scree, alpine meadow");
  EXPECT_EQ(of(named + "friction_min = 3.0\n"),
            "2: x.toml:21: rock: friction_max is below friction_min in ground mud, in sample 0");
  EXPECT_THAT(
      of("'ground.mud.friction_min' = { uniform = [3, 4] }\n" + named),
      StartsWith("2: x.toml:16: rock: friction_max is below friction_min in ground mud, in sample 0, which draws "
                 "ground.mud.friction_min = 3."));
  EXPECT_THAT(of("'rock.friction_min' = { uniform = [3, 4] }\n" + named),
              StartsWith("2: x.toml:16: rock: friction_max is below friction_min, in sample 0, which draws "
                         "rock.friction_min = 3."));
  EXPECT_EQ(mistake(rocks + named, {"ground.mud.drag=1e4"}),
            "2: x.toml:4: rock: drag times half a step must stay below 1: the velocity would flip, in sample 0");
  const std::string area = "[[terrain.ground.area]]\nclass = 'soft'\n";
  EXPECT_EQ(of(area), "2: x.toml:16: terrain.ground.area.polygon is missing, must be a list of corners [x, y] (m)");
  EXPECT_EQ(
      of(area + "polygon = [[0, 0], [1, 1]]\n"),
      "2: x.toml:18: terrain.ground.area.polygon = [[0, 0], [1, 1]], must be a list of at least 3 points [x, y] (m)");
  EXPECT_EQ(of(area + "polygon = [[0, 0], [1, 1], [2, 2]]\n"), "2: x.toml:18: terrain.ground.area.polygon has no area");
  write("codes.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 1\n1 1.5\n");
  EXPECT_EQ(of(file + "names = { 1 = 'soft' }\n"), "3: codes.asc: ground code 1.5 is no whole number");
  EXPECT_EQ(of(file + "names = { 1 = 'soft', 01 = 'hard' }\n"),
            "2: x.toml:18: terrain.ground.names.1: code 1 is named twice");
  EXPECT_EQ(of(file + "names = { 1 = 'soft' }\n[ground.'a.b']\ndrag = 1\n"),
            "2: x.toml:19: ground.a.b: the name of a ground may have neither dots nor quotes");
}

TEST_F(GroundConfig, TakesLawsOfClassesInTablesOfTheirOwn) {
  write("codes.asc", codes);
  const std::string file =
      "[terrain.ground]\nfile = 'codes.asc'\nnames = { 1 = 'soft', 2 = 'extra hard', 3 = 'soft' }\n";
  const Run one = load(rocks + "'ground.extra hard.drag' = { uniform = [0.1, 0.2] }\n" + file),
            other = load(rocks + "[vary.ground.'extra hard']\ndrag = { uniform = [0.1, 0.2] }\n" + file);
  ASSERT_EQ(other.varied.size(), one.varied.size());
  EXPECT_EQ(other.varied[0].name, one.varied[0].name);
  EXPECT_EQ(digest(other), digest(one));
}

TEST_F(GroundConfig, WarnsOfCodesAndClassesThatAreNowhere) {
  write("codes.asc", codes);
  const Run run = load(rocks +
                       "[terrain.ground]\nfile = 'codes.asc'\nnames = { 1 = 'soft', 2 = 'hard', 3 = 'soft', "
                       "7 = 'snow' }\n");
  EXPECT_THAT(run.warnings, testing::ElementsAre(HasSubstr("no cell of codes.asc has the code 7 (snow)"),
                                                 HasSubstr("ground snow is at none of the 6 cells of the map")));
}

}  // namespace
}  // namespace scree
