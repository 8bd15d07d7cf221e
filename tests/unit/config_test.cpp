// The config reader: what a valid config becomes, and the full line that each mistake gives.
#include "host/config/config.hpp"

#include <cmath>
#include <limits>
#include <random>

#include "host/commands/init.hpp"
#include "host/common/csv.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/config/loaded.hpp"
#include "src/shapes/shape.hpp"
#include "tests/support/config_fixture.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

/// Lines 1 to 5 of a config.
const std::string top =
    "system = 'rock'\n"
    "scheme = 'implicit'\n"
    "samples = 10\n"
    "step = 0.01\n"
    "end = 1.0\n";
/// Lines 6 to 13.
const std::string world =
    "[terrain]\n"
    "kind = 'plane'\n"
    "slope = 30\n"
    "[[shape]]\n"
    "name = 'cube'\n"
    "kind = 'cuboid'\n"
    "size = [1, 1, 1]\n"
    "mass = 1000\n";

class Config : public test::ConfigFixture {
 protected:
  /// Drawn values of one start in one sample.
  std::vector<double> start(const Run& run, const std::string& name, std::uint64_t sample) {
    const Description& d = run.model->description;
    const std::vector<double> values = drawn(run, sample);
    for (const Quantity& q : d.starts)
      if (q.name == name) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(d.param_doubles) + q.offset;
        return {first, first + q.width};
      }
    return {};
  }
  double param(const Run& run, const std::string& name) {
    for (const Quantity& q : run.model->description.params)
      if (q.name == name) return run.spec.params[static_cast<std::size_t>(q.offset)];
    return std::numeric_limits<double>::quiet_NaN();
  }
  /// 4 x 3 cells of 10 m, centres from (5, 5) to (35, 25); the north-east one is NODATA.
  std::string grid() {
    write("t.asc",
          "ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n"
          "3 3 3 -9999\n2 2 2 2\n1 1 1 1\n");
    return top +
           "[terrain]\nkind = 'grid'\nfile = 't.asc'\n[[shape]]\nname = 'cube'\nkind = 'cuboid'\nsize = [1, 1, "
           "1]\nmass = 2700\n";
  }
};

TEST(Suggest, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("medium", "medium"), 0u);
  EXPECT_EQ(edit_distance("medum", "medium"), 1u);
  EXPECT_EQ(edit_distance("mediuum", "medium"), 1u);
  EXPECT_EQ(edit_distance("mediom", "medium"), 1u);
  EXPECT_EQ(edit_distance("meduim", "medium"), 1u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(nearest("frction", {"friction", "gravity"}), "friction");
  EXPECT_EQ(nearest("xyzzy", {"friction", "gravity"}), "");
}

TEST_F(Config, TakesDefaultsThenPresetThenSingleKeys) {
  const Run standard = load(top + world);
  EXPECT_EQ(param(standard, "gravity"), 9.81);
  EXPECT_EQ(standard.preset, "");
  EXPECT_EQ(standard.samples, 10u);
  EXPECT_EQ(standard.spec.seed, 1u);
  EXPECT_THAT(standard.schemes, ElementsAre("implicit"));
  EXPECT_THAT(standard.warnings, IsEmpty());

  const Run soft = load(top + "[rock]\nground = 'medium soft'\nfriction_max = 1.5\n" + world);
  EXPECT_EQ(param(soft, "friction_min"), 0.30);
  EXPECT_EQ(param(soft, "friction_max"), 1.5);
  EXPECT_EQ(soft.preset, "ground medium soft, friction_max 1.5");
  EXPECT_THAT(soft.preset_note, StartsWith("RAMMS-like: "));
  ASSERT_EQ(soft.warnings.size(), 1u);
  EXPECT_THAT(soft.warnings[0], HasSubstr("x.toml:8: rock.friction_max = 1.5 replaces 2 of \"medium soft\""));
}

TEST_F(Config, GivesAClassItsSoilAndSaysWhatItRestsOn) {
  const Run scree = load(top + "[rock]\nground = 'scree slope'\n" + world);
  EXPECT_EQ(param(scree, "soil_strength"), 15e6);
  EXPECT_EQ(param(scree, "soil_drag"), 2.5);
  EXPECT_EQ(param(scree, "drag"), 0.0);
  EXPECT_EQ(preset_text(scree), "ground scree slope (Lu et al. 2019, of all the slope of Chant Sura, rocks of 780 kg)");
  const Run hard = load(top + "[rock]\nground = 'hard'\n" + world);
  EXPECT_EQ(param(hard, "soil_strength"), 0.0);
  EXPECT_EQ(preset_text(load(top + world)), "");
}

TEST_F(Config, BuildsThePlaneAndTheRampOfTheFallLine) {
  const double a = std::acos(-1.0) / 6;
  const World plane = load(top + world).spec.world;
  ASSERT_TRUE(plane.terrain.is<Plane>());
  const HalfSpace& slope = plane.terrain.get<Plane>().slope;
  // sin and cos have errors below 1 ulp; the angle itself is rounded twice.
  EXPECT_NEAR(slope.normal.x, std::sin(a), 4e-16);
  EXPECT_NEAR(slope.normal.z, std::cos(a), 4e-16);
  EXPECT_EQ(slope.tangent1.x, slope.normal.z);
  EXPECT_EQ(slope.tangent1.z, -slope.normal.x);
  EXPECT_EQ(slope.tangent2.y, 1);
  EXPECT_EQ(slope.offset, 0);
  EXPECT_EQ(plane.set_down, 1);

  const Run ramp = load(top + world, {"terrain.kind=ramp", "terrain.height=50", "terrain.slope=45"});
  ASSERT_TRUE(ramp.spec.world.terrain.is<Ramp>());
  const Ramp& terrain = ramp.spec.world.terrain.get<Ramp>();
  EXPECT_NEAR(terrain.foot, 50, 50 * 4e-16);
  EXPECT_NEAR(terrain.slope.offset, 50 * std::sqrt(0.5), 50 * 4e-16);
  EXPECT_EQ(terrain.flat.normal.z, 1);
  EXPECT_EQ(terrain.flat.tangent1.x, 1);
  EXPECT_EQ(terrain.flat.offset, 0);
  EXPECT_EQ(ramp.terrain_name, "ramp of 45 degrees, 50 m high");
}

TEST_F(Config, PutsShapesInTheTablesAndFindsThemByName) {
  const Run run = load(top + world + "[[shape]]\nname = 'plate'\nkind = 'eota'\nsize = [2, 2, 1]\ndensity = 2700\n" +
                       "[start]\nshape = 'plate'\n");
  EXPECT_THAT(run.shape_names, ElementsAre("cube", "plate"));
  EXPECT_EQ(run.spec.world.shape_count, 2);
  const double* plate = run.spec.tables.data() + static_cast<std::size_t>(run.spec.world.shapes) + ShapeLayout::size;
  EXPECT_EQ(plate[ShapeLayout::vertices], 24);
  // V = 17/24 of the enclosing cuboid; sums of 44 tetrahedra, each rounded.
  EXPECT_NEAR(plate[ShapeLayout::mass], 2700 * 17.0 / 24 * 4, 1e-10);
  EXPECT_THAT(start(run, "shape", 3), ElementsAre(1));
  ASSERT_EQ(run.warnings.size(), 1u);
  EXPECT_THAT(run.warnings[0], HasSubstr("no sample has the shape cube"));
}

TEST_F(Config, DrawsLawsOverParametersStartsAndComponents) {
  const Run run = load(top + world +
                       "[vary]\norientation = 'uniform'\n'start.speed' = { triangular = [1, 3, 2] }\n"
                       "'rock.friction_min' = { uniform = [0.2, 0.4] }\nstart.velocity.y = { choice = [5, 7] }\n"
                       "start.position = { line = [[0, -1], [0, 1]] }\n");
  EXPECT_EQ(run.spec.variations.size(), 5u);
  for (std::uint64_t sample = 0; sample < 10; ++sample) {
    const auto q = start(run, "orientation", sample);
    EXPECT_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-15);
    EXPECT_GE(start(run, "speed", sample)[0], 1);
    EXPECT_LE(start(run, "speed", sample)[0], 3);
    const double vy = start(run, "velocity", sample)[1];
    EXPECT_TRUE(vy == 5 || vy == 7);
    EXPECT_LE(std::abs(start(run, "position", sample)[1]), 1);
  }
  EXPECT_NE(start(run, "speed", 0), start(run, "speed", 1));
}

TEST_F(Config, DoesNotDependOnTheOrderOfItsKeys) {
  const Run a = load(top + world + "[vary]\norientation = 'uniform'\n'start.speed' = { uniform = [1, 3] }\n");
  const Run b = load(top + world + "[vary]\nspeed = { uniform = [1, 3] }\n'start.orientation' = 'uniform'\n");
  EXPECT_EQ(start(a, "speed", 4), start(b, "speed", 4));
  EXPECT_EQ(start(a, "orientation", 4), start(b, "orientation", 4));
}

TEST_F(Config, TakesStartsFromATableRowByRow) {
  write("r.csv", "id,px,py,vx,block\r\na,1,2,3,ball\r\n\r\nb,4,5,6,cube\r\n");
  const Run run = load(top + world + "[[shape]]\nname = 'ball'\nkind = 'ellipsoid'\nsize = [1, 1, 1]\nmass = 1400\n" +
                       "[start]\ntable = 'r.csv'\n[start.columns]\nposition.x = 'px'\n'position.y' = 'py'\n"
                       "velocity = { x = 'vx' }\nshape = 'block'\n");
  EXPECT_THAT(start(run, "position", 0), ElementsAre(1, 2, 0));
  EXPECT_THAT(start(run, "position", 3), ElementsAre(4, 5, 0));
  EXPECT_THAT(start(run, "velocity", 9), ElementsAre(6, 0, 0));
  EXPECT_THAT(start(run, "shape", 0), ElementsAre(1));
  EXPECT_THAT(start(run, "shape", 1), ElementsAre(0));
  EXPECT_EQ(run.spec.world.set_down, 1);
  EXPECT_THAT(run.warnings, IsEmpty());
  ASSERT_EQ(run.inputs.size(), 1u);
  EXPECT_EQ(run.inputs[0].path, "r.csv");
  EXPECT_EQ(run.inputs[0].xxh3.size(), 32u);
}

TEST_F(Config, MapsColumnsThatAreCalledAsStarts) {
  write("r.csv", "x,position.y,speed,note\n1,2,3,first\n");
  const Run run = load(top + world + "[start]\ntable = 'r.csv'\n");
  EXPECT_THAT(start(run, "position", 5), ElementsAre(1, 2, 0));
  EXPECT_THAT(start(run, "speed", 5), ElementsAre(3));
}

TEST_F(Config, SaysWhenRowsAreUsedUnequally) {
  write("r.csv", "speed\n1\n2\n3\n");
  const Run run = load(top + world + "[start]\ntable = 'r.csv'\n");
  ASSERT_EQ(run.warnings.size(), 1u);
  EXPECT_THAT(run.warnings[0], HasSubstr("10 samples are not a multiple of the 3 rows"));
  EXPECT_THAT(run.warnings[0], HasSubstr("the first 1 rows are used once more than the others"));
}

TEST_F(Config, ReportsHowFarTheTerrainDiffersFromATable) {
  const std::string config = grid();
  write("r.csv", "x,y,z\n5,5,0.5\n15,15,2.25\n");
  const Run run = load(config + "[start]\ntable = 'r.csv'\nset_down = true\n");
  EXPECT_EQ(run.spec.world.set_down, 1);
  ASSERT_EQ(run.warnings.size(), 1u);
  EXPECT_THAT(run.warnings[0], HasSubstr("set down on the terrain: it differs from z of "));
  EXPECT_THAT(run.warnings[0], HasSubstr("r.csv by 0.13 m on average, -0.25 to 0.5 m"));
  EXPECT_EQ(load(config + "[start]\ntable = 'r.csv'\n").spec.world.set_down, 0);
}

TEST_F(Config, NormalisesOrientationsWithAWarning) {
  const Run run = load(top + world + "[start]\norientation = [2, 0, 0, 0]\n");
  EXPECT_THAT(start(run, "orientation", 0), ElementsAre(1, 0, 0, 0));
  ASSERT_EQ(run.warnings.size(), 1u);
  EXPECT_THAT(run.warnings[0], HasSubstr("x.toml:15: start.orientation = [2, 0, 0, 0] has length 2; it is normalised"));
  EXPECT_THAT(load(top + world + "[start]\norientation = [0.707107, 0.707107, 0, 0]\n").warnings, IsEmpty());

  write("r.csv", "orientation.w,orientation.x,orientation.y,orientation.z\n0,0,3,4\n1,0,0,0\n");
  const Run table = load(top + world + "[start]\ntable = 'r.csv'\n");
  EXPECT_THAT(start(table, "orientation", 0), ElementsAre(0, 0, 0.6, 0.8));
  ASSERT_EQ(table.warnings.size(), 1u);
  EXPECT_THAT(table.warnings[0], HasSubstr("r.csv: 1 of 2 orientations do not have length 1; they are normalised"));
}

TEST_F(Config, WarnsOfReleasesBelowTheGround) {
  const Run run = load(top + world + "[start]\nposition = [0, 0, -1]\n");
  EXPECT_EQ(run.spec.world.set_down, 0);
  ASSERT_EQ(run.warnings.size(), 1u);
  EXPECT_THAT(run.warnings[0], HasSubstr("x.toml:15: 1 of 1 releases are below the ground, first sample 0"));
}

TEST_F(Config, LetsTheCommandLineReplaceValues) {
  Overrides overrides;
  overrides.samples = 77;
  overrides.seed = 5;
  overrides.schemes = {"explicit", "rk4"};
  const Run run = load(top + world, {"rock.ground=medium soft", "step=0.005", "shape.mass=12"}, overrides);
  EXPECT_EQ(run.samples, 77u);
  EXPECT_EQ(run.spec.seed, 5u);
  EXPECT_THAT(run.schemes, ElementsAre("explicit", "rk4"));
  EXPECT_EQ(run.preset, "ground medium soft");
  EXPECT_EQ(run.spec.world.step, 0.005);
  EXPECT_EQ(run.spec.tables[static_cast<std::size_t>(run.spec.world.shapes) + ShapeLayout::mass], 12);

  std::vector<std::string> options;
  for (const std::string& overlay : run.overlays) options.push_back(option_of(overlay));
  EXPECT_THAT(options, ElementsAre("--set 'rock.ground=medium soft'", "--set step=0.005", "--set shape.mass=12",
                                   "--samples 77", "--seed 5", "--scheme explicit,rk4"));

  const Run again = load_run_text(run.config_path, run.config_text, run.overlays);
  EXPECT_EQ(again.samples, 77u);
  EXPECT_EQ(again.spec.params, run.spec.params);
  EXPECT_EQ(again.spec.tables, run.spec.tables);
}

TEST_F(Config, RaisesATerrainToAFloorAndHidesWhatAMaskDoes) {
  const std::string config = grid() + "[start]\nposition = [10, 10]\n";
  const auto heights = [](const Run& run) {
    const GridHeights& of = run.spec.world.terrain.get<BilinearGrid>();
    const auto first = run.spec.tables.begin() + static_cast<std::ptrdiff_t>(of.heights);
    return std::vector<double>(first, first + 12);
  };
  const std::vector<double> plain = heights(load(config));
  const double level = plain[5] + 1e-9;
  std::vector<double> raised = plain;
  std::size_t below = 0;
  for (double& height : raised)
    if (height < level) {
      height = level;
      ++below;
    }
  ASSERT_GT(below, 0u);
  const Run run = load(config, {"terrain.floor=" + number_text(level)});
  for (std::size_t i = 0; i < plain.size(); ++i)
    EXPECT_TRUE(heights(run)[i] == raised[i] || (std::isnan(plain[i]) && std::isnan(heights(run)[i]))) << i;
  EXPECT_EQ(run.terrain_name, "t.asc, 4 x 3 cells of 10 m, 8.3 % NODATA, " + std::to_string(below) +
                                  " of 11 heights raised to " + number_text(level) + " m");
  write("m.asc", "ncols 2\nnrows 2\nxllcorner -10\nyllcorner -10\ncellsize 30\n0 0\n1 1\n");
  const Run masked = load(config, {"terrain.mask=m.asc"});
  EXPECT_THAT(masked.terrain_name, testing::EndsWith(" heights left out by m.asc"));
  EXPECT_GT(std::ranges::count_if(heights(masked), [](double z) { return std::isnan(z); }), 1);
  ASSERT_EQ(masked.inputs.size(), run.inputs.size() + 1);
  write("none.asc", "ncols 2\nnrows 2\nxllcorner -10\nyllcorner -10\ncellsize 30\n0 0\n0 0\n");
  EXPECT_EQ(mistake(config, {"terrain.mask=none.asc"}), "2: --set: terrain.mask: none.asc leaves no height");
  EXPECT_EQ(mistake(config, {"terrain.floor=high"}), "2: --set: terrain.floor = \"high\", must be a number");
}

TEST_F(Config, FindsDataInTheFolderThatTheEnvironmentNames) {
  const std::string config = grid() + "[start]\nposition = [10, 10]\n";
  fs::create_directories(folder_ / "data");
  fs::rename(folder_ / "t.asc", folder_ / "data" / "t.asc");
  EXPECT_EQ(mistake(config),
            "3: x.toml:8: terrain.file = \"t.asc\", there is no file t.asc (SCREE_DATA, the folder of data files, is "
            "not set)");
  setenv("SCREE_DATA", (folder_ / "data").c_str(), 1);
  EXPECT_EQ(load(config).terrain_name, "t.asc, 4 x 3 cells of 10 m, 8.3 % NODATA");
  unsetenv("SCREE_DATA");
}

TEST_F(Config, ReadsWhatIsPrintedBesideTheResults) {
  write("o.csv", "who,value\ncube,12.5\ncube,13\n");
  const Run run =
      load("title = 'T'\ngroup_by = 'shape'\n" + top + world +
           "[observed]\ntable = 'o.csv'\ncolumn = 'runout'\nvalue = 'value'\ngroup = 'who'\n"
           "[published]\nsource = 'S'\nplace = 'here'\nsamples = 1000\n"
           "[[published.row]]\ncolumn = 'slope_speed'\nscheme = 'explicit'\nmean = 3\nsd = 1\nplace = 'here'\n"
           "[[published.row]]\ncolumn = 'slope_kinetic_energy'\nscheme = 'implicit'\n"
           "mean = 3\nsd = 1\nunit = 'kJ'\nscale = 1000\nplace = 'there'\n"
           "[sensitivity]\nkey = 'rock.ground'\nvalues = 'all'\n");
  EXPECT_EQ(run.title, "T");
  EXPECT_EQ(run.group_by, "shape");
  EXPECT_EQ(run.observed.column, "runout");
  EXPECT_THAT(run.observed.value, ElementsAre(12.5, 13));
  EXPECT_THAT(run.observed.group, ElementsAre("cube", "cube"));
  ASSERT_EQ(run.published.rows.size(), 2u);
  EXPECT_EQ(run.published.rows[0].unit, "m/s");
  EXPECT_EQ(run.published.rows[0].scale, 1);
  EXPECT_EQ(run.published.rows[1].scale, 1000);
  EXPECT_EQ(run.published.samples, 1000u);
  EXPECT_EQ(run.published.place, "here");
  EXPECT_EQ(run.published.rows[0].place, "");
  EXPECT_EQ(run.published.rows[1].place, "there");
  EXPECT_EQ(run.sensitivity.key, "rock.ground");
  EXPECT_FALSE(run.published.rows[0].over_steps);
  EXPECT_EQ(run.sensitivity.values.size(), 11u);
}

TEST_F(Config, ReadsWhatPublishedMeansAreOver) {
  const std::string published = top + world + "[published]\nsource = 'S'\n[[published.row]]\nscheme = 'explicit'\n"
                                              "mean = 3\nsd = 1\ncolumn = ";
  EXPECT_TRUE(load(published + "'flight_speed'\nover = 'steps'\n").published.rows[0].over_steps);
  EXPECT_FALSE(load(published + "'flight_speed'\nover = 'samples'\n").published.rows[0].over_steps);
  EXPECT_THAT(mistake(published + "'runout'\nover = 'steps'\n"),
              testing::EndsWith(": published.row.over = \"steps\" needs a mean over a time of each sample, which "
                                "runout is not: flight_kinetic_energy, flight_speed, flight_rotation, flight_height "
                                "are"));
  EXPECT_THAT(mistake(published + "'flight_speed'\nover = 'rocks'\n"),
              testing::EndsWith(": published.row.over = \"rocks\", must be one of samples, steps"));
}

TEST_F(Config, InitPrintsAConfigThatLoads) {
  ASSERT_EQ(models().size(), std::size_t{SCREE_SYSTEM_COUNT});
  for (const Model& model : models()) {
    const Run run = load(init_text(model.description));
    EXPECT_EQ(run.model, &model);
    EXPECT_EQ(run.samples, 1000u);
    EXPECT_THAT(run.warnings, IsEmpty());
    for (const Quantity& q : model.description.params)
      for (std::size_t i = 0; i < q.standard.size(); ++i)
        EXPECT_EQ(run.spec.params[static_cast<std::size_t>(q.offset) + i], q.standard[i]) << q.name;
  }
}

TEST_F(Config, RefusesUnknownKeysWithTheNearestKnown) {
  EXPECT_EQ(mistake("smaples = 3\n" + top + world), "2: x.toml:1: unknown key smaples, did you mean samples?");
  EXPECT_EQ(mistake(top + "[rock]\nfrction_min = 0.2\n" + world),
            "2: x.toml:7: unknown key rock.frction_min, did you mean rock.friction_min?");
  EXPECT_EQ(mistake(top + "[rok]\nfriction_min = 0.2\n" + world), "2: x.toml:6: unknown key rok, did you mean rock?");
  EXPECT_EQ(mistake(top + world + "[start]\nspede = 2\n"),
            "2: x.toml:15: unknown key start.spede, did you mean start.speed?");
  EXPECT_EQ(mistake(top + world + "[vary]\n'start.sped' = { normal = [1, 2] }\n"),
            "2: x.toml:15: unknown key vary.start.sped, did you mean start.speed?");
  EXPECT_EQ(mistake(top + world + "[vary]\norientaton = 'uniform'\n"),
            "2: x.toml:15: unknown key vary.orientaton, did you mean start.orientation?");
  EXPECT_EQ(mistake(top + world + "[vary]\n'start.speed' = { nromal = [1, 2] }\n"),
            "2: x.toml:15: unknown law vary.start.speed.nromal, did you mean \"normal\"?");
  EXPECT_EQ(mistake(top + "[terrain]\nkind = 'plane'\nslope = 30\nelevation = 3\n"),
            "2: x.toml: shape is missing, must be at least one [[shape]] with kind, size and mass");
  EXPECT_EQ(mistake(top + world + "colour = 'red'\n"),
            "2: x.toml:14: unknown key shape.colour, known here: name, kind, file, points, scale, size, corners, seed, "
            "variants, mass, density, inertia");
  EXPECT_EQ(mistake("sampels = 3\n" + top.substr(0, 37) + "step = 0.1\nend = 1\n"),
            "2: x.toml:1: unknown key sampels, did you mean samples?");
}

TEST_F(Config, RefusesUnknownNamesWithTheNearestKnown) {
  EXPECT_EQ(mistake("system = 'rocks'\n"), "2: x.toml:1: system = \"rocks\", did you mean \"rock\"?");
  EXPECT_EQ(mistake(top + world, {"scheme=implict"}), "2: --set: scheme = \"implict\", did you mean \"implicit\"?");
  EXPECT_EQ(mistake(top + world, {}, {.samples = {}, .seed = {}, .schemes = {"euler"}}),
            "2: --scheme: scheme = \"euler\", must be one of explicit, implicit, implicit_cay, rk4");
  EXPECT_EQ(mistake(top + "[rock]\nground = 'medum'\n" + world),
            "2: x.toml:7: rock.ground = \"medum\", did you mean \"medium\"?");
  EXPECT_EQ(mistake(top + "[terrain]\nkind = 'rmap'\n"),
            "2: x.toml:7: terrain.kind = \"rmap\", did you mean \"ramp\"?");
  EXPECT_EQ(mistake(top + world + "[start]\nshape = 'cub'\n"),
            "2: x.toml:15: start.shape = \"cub\", did you mean \"cube\"?");
  EXPECT_EQ(mistake(top + "[[shape]]\n" + world, {}),
            "2: x.toml:6: shape.kind is missing, must be one of cuboid, "
            "ellipsoid, eota, octahedron, irregular, file, points");
}

/// Every name that the reader looks for in a table of the config.
void add_asked(const Node& node, std::vector<std::string>& names) {
  for (const std::string& name : node.asked) names.push_back(name);
  for (const Node& item : node.items)
    if (item.name != "vary") add_asked(item, names);
}

TEST_F(Config, InitNamesEveryKeyThatTheReaderLooksFor) {
  write("observed.csv", "stone,distance\ncube,12\n");
  write("release.csv", "v0\n1\n2\n");
  // A config with all its tables, so that the reader looks into them all.
  const Run run = load(top + world +
                       "[start]\ntable = 'release.csv'\ncolumns = { speed = 'v0' }\n[margin]\nrunout = 1\n"
                       "[observed]\ntable = 'observed.csv'\ncolumn = 'runout'\nvalue = 'distance'\ngroup = 'stone'\n"
                       "[sensitivity]\nkey = 'rock.ground'\nvalues = 'all'\n[published]\nsource = 'a book'\n"
                       "[[published.row]]\ncolumn = 'runout'\nscheme = 'implicit'\nmean = 1\nsd = 1\n");
  std::vector<std::string> names;
  add_asked(run.loaded->root, names);
  const std::string text = init_text(run.model->description);
  for (const std::string& name : names) {
    if (run.model->description.column(name) >= 0) continue;  // of [margin]: any column
    const bool key =
        text.find("\n" + name + " = ") != std::string::npos || text.find("\n# " + name + " = ") != std::string::npos ||
        text.find("[" + name + "]") != std::string::npos || text.find("[[" + name + "]]") != std::string::npos ||
        text.find("." + name + "]]") != std::string::npos;
    const bool of_a_terrain = text.find(name + " {") != std::string::npos ||
                              text.find(name + ",") != std::string::npos ||
                              text.find(name + " }") != std::string::npos || text.find(name + ")") != std::string::npos;
    EXPECT_TRUE(key || of_a_terrain) << name;
  }
  EXPECT_GT(names.size(), 60u);
  for (const char* limit : {"at most 24 laws", "more than 48 corners"}) EXPECT_THAT(text, HasSubstr(limit));
}

TEST_F(Config, RefusesTextsThatAreNoTomlInOneLine) {
  EXPECT_EQ(mistake("[.start]\n"), "2: x.toml:1: not valid TOML: [ must be followed by the name of a table");
  EXPECT_EQ(mistake(top + "[[ \xc3\xa9]]\n"), "2: x.toml:6: not valid TOML: [ must be followed by the name of a table");
  EXPECT_EQ(mistake("\xc3\xa9 = 1\n"), "2: x.toml:1: a key or a value has a letter beyond ASCII, put it in quotes");
  EXPECT_EQ(mistake("a = 1\n" + std::string("\xef\xb9\xbf = 2\n")),
            "2: x.toml:2: a key or a value has a letter beyond ASCII, put it in quotes");
  std::string deep = "a";
  for (int i = 0; i < 100000; ++i) deep += ".a";
  EXPECT_EQ(mistake(deep + " = 1\n"), "2: x.toml:1: a key has too many parts");
  EXPECT_EQ(mistake("title = \"a\\u001b[31m\"\n" + top + world),
            "2: x.toml:1: title = \"a\\x1b[31m\", must be a text of UTF-8 without control characters");
  for (const char* bytes : {"caf\xe9",
                            "a\xc2\x9b"
                            "2J"})
    EXPECT_EQ(mistake(top + world, {std::string("title=") + bytes}),
              "2: --set: title = \"" + printable(bytes) + "\", must be a text of UTF-8 without control characters");
  EXPECT_EQ(mistake(std::string("\x89HDF\r\n\x1a\n", 8)),
            "2: x.toml: is a result, not a config; scree info shows it, scree run --extend goes on with it");
  // Letters of any script in comments and quotes, and lists that begin lines with brackets, are fine.
  const Run run = load("# \xc3\xa9\ntitle = \"H\xc3\xb6he # 1\"\n" + top + world +
                       "[vary]\n\"start.position\" = { polygon = [\n  [0, 0],\n  [1, 0], [ +1, 1 ],\n ] }\n");
  EXPECT_EQ(run.title, "H\xc3\xb6he # 1");
}

TEST_F(Config, ByteMutationsGiveOneLineOrAConfig) {
  const std::string text = init_text(find_model("slider")->description);
  std::mt19937_64 random(12);
  int accepted = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string mutant = text;
    for (int k = 0; k < 1 + static_cast<int>(random() % 3); ++k) {
      const std::size_t at = random() % mutant.size();
      switch (random() % 4) {
        case 0:
          mutant[at] = static_cast<char>(random());
          break;
        case 1:
          mutant.erase(at, 1 + random() % 20);
          break;
        case 2:
          mutant.insert(at, 1, "[]{}.=\"'#\n,-+e9"[random() % 16]);
          break;
        default:
          mutant.insert(at, mutant.substr(random() % mutant.size(), 1 + random() % 30));
      }
    }
    try {
      load_run_text("x.toml", mutant, {"--samples:samples=5"});
      ++accepted;
    } catch (const Error& error) {
      const std::string line = printable(error.what());
      EXPECT_EQ(line.find('\n'), std::string::npos) << line;
      EXPECT_GE(line.size(), 10u);
    }
  }
  // Comments make up much of the text.
  EXPECT_GT(accepted, 300);
  EXPECT_LT(accepted, 2700);
}

TEST_F(Config, RefusesWrongTypes) {
  EXPECT_EQ(mistake(top + world, {"samples=many"}), "2: --set: samples = \"many\", must be a whole number >= 1");
  EXPECT_EQ(mistake(top + "[rock]\ngravity = '9.81'\n" + world),
            "2: x.toml:7: rock.gravity = \"9.81\", must be a number");
  EXPECT_EQ(mistake("strict = 1\n" + top + world), "2: x.toml:1: strict = 1, must be true or false");
  EXPECT_EQ(mistake("rock = 3\n" + top + world), "2: x.toml:1: rock = 3, must be a table of named values");
  EXPECT_EQ(mistake("title = 2020-01-02\n" + top + world), "2: x.toml:1: title = 2020-01-02, must be a text in quotes");
  EXPECT_EQ(mistake(top + world + "[start]\nvelocity = [1, 2]\n"),
            "2: x.toml:15: start.velocity = [1, 2], must be a list of 3 numbers (m/s)");
  EXPECT_EQ(mistake(top + world + "[start]\nposition = [1]\n"),
            "2: x.toml:15: start.position = [1], must be [x, y] to set the body down on the terrain, or [x, y, z] (m)");
}

TEST_F(Config, RefusesValuesOutOfRange) {
  EXPECT_EQ(mistake(top + "[rock]\nfriction_min = -0.2\n" + world),
            "2: x.toml:7: rock.friction_min = -0.2, must be >= 0 (dimensionless)");
  EXPECT_EQ(mistake(top + world, {"rock.restitution=1.5"}),
            "2: --set: rock.restitution = 1.5, must be >= 0 and <= 1 (dimensionless)");
  EXPECT_EQ(mistake(top + world, {}, {.samples = 0, .seed = {}, .schemes = {}}),
            "2: --samples: samples = 0, must be a whole number >= 1");
  EXPECT_EQ(mistake(top + world, {"step=2.0"}), "2: --set: step = 2, must be <= end = 1 (s)");
  EXPECT_EQ(mistake(top + world, {"step=0"}), "2: --set: step = 0, must be > 0 (s)");
  EXPECT_EQ(mistake(top + world, {"step=nan"}), "2: --set: step = nan, must be a finite number (s)");
  EXPECT_EQ(mistake(top + world + "[start]\nomega = [0, inf, 0]\n"),
            "2: x.toml:15: start.omega = inf, must be a finite number (rad/s)");
  EXPECT_EQ(mistake(top + world, {"shape.mass=-1"}), "2: --set: shape.mass = -1, must be > 0 (kg)");
  EXPECT_EQ(mistake(top + world + "[start]\nmass = -1\n"), "2: x.toml:15: start.mass = -1, must be >= 0 (kg)");
  EXPECT_EQ(mistake(top + world, {"terrain.slope=90"}),
            "2: --set: terrain.slope = 90, must be >= 0 and < 90 (degrees)");
  EXPECT_EQ(mistake(top + world + "[start]\norientation = [0, 0, 0, 0]\n"),
            "2: x.toml:15: start.orientation = [0, 0, 0, 0], must be a quaternion [w, x, y, z] of length 1");
}

TEST_F(Config, RefusesNumbersThatAreTooLarge) {
  EXPECT_EQ(mistake(top + world, {"rock.gravity=1e301"}),
            "2: --set: rock.gravity = 1e+301, must be a number of at most 1e60 in size (m/s^2)");
  EXPECT_EQ(mistake(top + world, {"start.speed=-1e301"}),
            "2: --set: start.speed = -1e+301, must be a number of at most 1e60 in size (m/s)");
  EXPECT_EQ(mistake(top + world, {"rock.restitution=1e301"}),
            "2: --set: rock.restitution = 1e+301, must be >= 0 and <= 1 (dimensionless)");
  EXPECT_EQ(mistake(top + world, {"seed=18446744073709551615"}),
            "2: --set: seed = \"18446744073709551615\", must be a whole number from 0 to 9223372036854775807");
}

TEST_F(Config, RefusesToleranceAndSweepsOfNoUse) {
  EXPECT_EQ(mistake(top + world, {"rock.contact_tolerance=0"}),
            "2: --set: rock.contact_tolerance = 0, must be > 0 and < 1 (dimensionless)");
  EXPECT_EQ(mistake(top + world, {"rock.contact_tolerance=1"}),
            "2: --set: rock.contact_tolerance = 1, must be > 0 and < 1 (dimensionless)");
  EXPECT_EQ(mistake(top + world, {"rock.contact_sweeps=0.5"}),
            "2: --set: rock.contact_sweeps = 0.5, must be a whole number from 1 to 100000 (dimensionless)");
}

TEST_F(Config, RefusesSamplesWhoseValuesDoNotFitTogether) {
  EXPECT_EQ(mistake(top + world, {"rock.friction_min=2.5"}),
            "2: --set: rock: friction_max is below friction_min, in sample 0");
  EXPECT_EQ(mistake(top + world + "[start]\ntable = 'r.csv'\n" +
                    (write("r.csv", "mass,friction\n1,1\n1,1\n1,2.5\n"),
                     "[vary]\n'rock.friction_min' = { table = 'r.csv', column = 'friction' }\n")),
            "2: x.toml:17: rock: friction_max is below friction_min, in sample 2, which draws rock.friction_min = 2.5 "
            "(x.toml:17)");
  // h = 0.01 s: 200 / s is the bound, and layer_drag / mass counts too. The cube has 1000 kg.
  EXPECT_EQ(load(top + world, {"rock.drag=199"}).spec.world.step, 0.01);
  const std::string flip =
      "2: x.toml:4: rock: drag times half a step must stay below 1: the velocity would flip, in sample 0";
  EXPECT_EQ(mistake(top + world, {"rock.drag=200"}), flip);
  EXPECT_EQ(mistake(top + world, {"rock.drag=0", "rock.layer_drag=2e5"}), flip);
  EXPECT_EQ(mistake(top + world, {"rock.drag=0", "rock.layer_drag=2e5", "start.mass=1001"}), "no mistake found");
}

TEST_F(Config, SetReplacesALawHoweverItIsSpelled) {
  const std::string varied = top + world + "[vary]\n'rock.friction_min' = { uniform = [0.2, 0.3] }\n";
  for (const char* set : {"vary.rock.friction_min={ choice = [0.7] }", "vary.friction_min={ choice = [0.7] }",
                          "vary.\"rock.friction_min\"={ choice = [0.7] }"}) {
    const Run run = load(varied, {set});
    ASSERT_EQ(run.spec.variations.size(), 1u) << set;
    EXPECT_EQ(run.spec.variations[0].law, Law::choice) << set;
  }
  EXPECT_EQ(load(top + world, {"vary.rock.friction_min={ uniform = [0.2, 0.3] }"}).spec.variations.size(), 1u);
}

TEST_F(Config, NamesTheOptionThatNamesASchemeTwice) {
  Overrides overrides;
  overrides.schemes = {"rk4", "rk4"};
  overrides.schemes_option = "--schemes";
  EXPECT_EQ(mistake(top + world, {}, overrides), "2: --schemes: scheme \"rk4\" is named twice");
}

TEST_F(Config, RefusesBadShapes) {
  EXPECT_EQ(mistake(top + world + "density = 2000\n"),
            "2: x.toml:14: shape cube has a mass and a density: keep one of the two");
  EXPECT_EQ(mistake(top + world + "[[shape]]\nname = 'cube'\nkind = 'cuboid'\nsize = [1, 1, 1]\nmass = 1\n"),
            "2: x.toml:14: two shapes have the name \"cube\"");
  EXPECT_THAT(mistake(top + "[terrain]\nkind = 'plane'\nslope = 1\n[shape]\nkind = 'points'\nmass = 1\n"
                            "points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]\n"),
              testing::AllOf(HasSubstr("2: x.toml:9: "), HasSubstr("flat")));
  EXPECT_EQ(mistake(top + world + "[[shape]]\nkind = 'file'\nfile = 'none.obj'\nmass = 1\n"),
            "3: x.toml:16: shape.file = \"none.obj\", there is no file none.obj (SCREE_DATA, the folder of data files, "
            "is not set)");
}

TEST_F(Config, RefusesLawsThatMakeNoSense) {
  const auto vary = [&](const std::string& law) {
    return mistake(top + world + "[vary]\n'start.speed' = " + law + "\n");
  };
  EXPECT_EQ(vary("{ uniform = [3, 1] }"),
            "2: x.toml:15: vary.start.speed.uniform = [3, 1], must be [low, high] with low < high (m/s)");
  EXPECT_EQ(vary("{ normal = [3, -1] }"),
            "2: x.toml:15: vary.start.speed.normal = [3, -1], must be [mean, standard deviation >= 0] (m/s)");
  EXPECT_EQ(vary("{ triangular = [0, 1, 2] }"),
            "2: x.toml:15: vary.start.speed.triangular = [0, 1, 2], must be [low, "
            "high, mode] with low <= mode <= high and low < high (m/s)");
  EXPECT_EQ(vary("{ normal = [3, 1], uniform = [1, 3] }"),
            "2: x.toml:15: vary.start.speed = { normal = [3, 1], uniform = [1, 3] }, must be one law, not uniform and "
            "normal");
  EXPECT_EQ(vary("3.0"),
            "2: x.toml:15: vary.start.speed = 3, must be a law, as { uniform = [low, high] }; laws are "
            "uniform, normal, lognormal, triangular, choice, table");
  EXPECT_EQ(
      mistake(top + world + "[vary]\nvelocity = { uniform = [1, 3] }\n"),
      "2: x.toml:15: vary.velocity = { uniform = [1, 3] }, must be a table of laws for its components, as { x = { "
      "uniform = [0, 1] } }");
  EXPECT_EQ(vary("{ choice = [] }"),
            "2: x.toml:15: vary.start.speed.choice = [], must be a list of at least one value");
  EXPECT_EQ(mistake(top + world + "[vary]\n'start.orientation.w' = { uniform = [0, 1] }\n"),
            "2: x.toml:15: start.orientation.w cannot vary alone; start.orientation = \"uniform\" varies all four");
  // exp(800) is not a finite number.
  EXPECT_EQ(mistake(top + world + "[vary]\n'rock.friction_min' = { lognormal = [800.0, 0.0] }\n"),
            "2: x.toml:15: rock.friction_min = inf in sample 0, must be a finite number (dimensionless)");
  EXPECT_EQ(mistake(top + world + "[vary]\n'rock.friction_min' = { normal = [-3.0, 0.0] }\n"),
            "2: x.toml:15: rock.friction_min = -3 in sample 0, must be >= 0 (dimensionless)");
}

TEST_F(Config, RefusesAreasWithoutSize) {
  const auto vary = [&](const std::string& law) { return mistake(top + world + "[vary]\nposition = " + law + "\n"); };
  EXPECT_EQ(vary("{ polygon = [[0, 0], [1, 0]] }"),
            "2: x.toml:15: vary.position.polygon = [[0, 0], [1, 0]], must be a "
            "list of at least 3 points [x, y] (m)");
  EXPECT_EQ(vary("{ polygon = [[0, 0], [1, 1], [2, 2]] }"),
            "2: x.toml:15: vary.position.polygon has no area; use line for a line of release points");
  EXPECT_EQ(
      vary("{ polygon = [[0, 0], [100, 100], [101, 100]] }"),
      "2: x.toml:15: vary.position.polygon fills 0.5 % of its bounding box, must be >= 1 %; use line for a line of "
      "release points");
  EXPECT_EQ(vary("{ line = [[1, 1], [1, 1]] }"), "2: x.toml:15: vary.position.line has no length");
  EXPECT_EQ(vary("{ line = [[0, 0], [1, 1]], rule = 'equal' }"),
            "2: x.toml:15: vary.position.rule = \"equal\", must be one of random");
}

TEST_F(Config, ALawReplacesAFixedValueAndASetValueReplacesTheLaw) {
  const std::string both = top + world + "[start]\nspeed = 3\n[vary]\nspeed = { uniform = [1, 2] }\n";
  const Run varied = load(both);
  ASSERT_EQ(varied.warnings.size(), 1u);
  EXPECT_THAT(varied.warnings[0], HasSubstr("x.toml:15: start.speed = 3 has no effect, for it varies ("));
  for (std::uint64_t i = 0; i < 10; ++i) {
    EXPECT_GE(start(varied, "speed", i)[0], 1);
    EXPECT_LT(start(varied, "speed", i)[0], 2);
  }
  const Run fixed = load(both, {"start.speed=5"});
  EXPECT_EQ(fixed.spec.variations.size(), 0u);
  EXPECT_EQ(start(fixed, "speed", 3)[0], 5);
  // One component of several is what a law is for.
  const Run one = load(top + world + "[start]\nomega = [1, 2, 3]\n[vary]\n'start.omega.y' = { uniform = [5, 6] }\n");
  EXPECT_THAT(one.warnings, IsEmpty());
  EXPECT_EQ(start(one, "omega", 0)[0], 1);
  EXPECT_GE(start(one, "omega", 0)[1], 5);
  EXPECT_EQ(start(one, "omega", 0)[2], 3);
}

TEST_F(Config, TruncatesLaws) {
  const std::string head = top + world + "[vary]\n'rock.friction_min' = ";
  const Run run = load(head + "{ normal = [0.35, 0.1], min = 0.2, max = 0.4 }\n", {"samples=2000"});
  double sum = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const double mu = drawn(run, i)[static_cast<std::size_t>(run.spec.variations[0].target)];
    EXPECT_GE(mu, 0.2);
    EXPECT_LE(mu, 0.4);
    sum += mu;
  }
  // As in Draw.TruncatedNormalLaw...: f(-1.5) = 0.1295, f(0.5) = 0.3521, F(0.5) - F(-1.5) = 0.6247; of 2000 values with
  // a deviation below 0.058 the mean is known to 5 * 0.058 / sqrt(2000).
  EXPECT_NEAR(sum / 2000, 0.35 + 0.1 * (0.12952 - 0.35207) / 0.62466, 0.0065);
  EXPECT_EQ(mistake(head + "{ normal = [0.35, 0.1], min = 0.5, max = 0.4 }\n"),
            "2: x.toml:15: vary.rock.friction_min.max = 0.4, must be > min = 0.5 (dimensionless)");
  EXPECT_EQ(mistake(head + "{ normal = [0.35, 0.01], min = 0.5 }\n"),
            "2: x.toml:15: vary.rock.friction_min: min and max leave less than 1e-9 of the law's probability between "
            "them");
  EXPECT_EQ(mistake(head + "{ lognormal = [0, 1], min = 0.0 }\n"),
            "2: x.toml:15: vary.rock.friction_min.min = 0, must be > 0 for a lognormal law (dimensionless)");
  EXPECT_EQ(
      mistake(head + "{ uniform = [0.1, 0.2], min = 0.15 }\n"),
      "2: x.toml:15: vary.rock.friction_min.min belongs to normal and lognormal laws; uniform has ends of its own");
}

TEST_F(Config, WeighsChoices) {
  const std::string head = top + world + "[vary]\n'rock.friction_min' = ";
  const Run run = load(head + "{ choice = [0.1, 0.2], weights = [1, 3] }\n", {"samples=2000"});
  int first = 0;
  for (std::uint64_t i = 0; i < 2000; ++i)
    first += drawn(run, i)[static_cast<std::size_t>(run.spec.variations[0].target)] == 0.1;
  EXPECT_NEAR(first, 500, 5 * std::sqrt(2000 * 0.25 * 0.75));
  EXPECT_EQ(mistake(head + "{ choice = [0.1, 0.2], weights = [1] }\n"),
            "2: x.toml:15: vary.rock.friction_min.weights = [1], must be a list of 2 numbers (dimensionless)");
  EXPECT_EQ(mistake(head + "{ choice = [0.1, 0.2], weights = [0, 0] }\n"),
            "2: x.toml:15: vary.rock.friction_min.weights = [0, 0], must be weights of which one is > 0");
}

TEST_F(Config, RefusesWhatIsVariedTwice) {
  EXPECT_EQ(mistake(top + world + "[vary]\nspeed = { uniform = [1, 2] }\n'start.speed' = { uniform = [1, 2] }\n"),
            "2: x.toml:16: start.speed varies here and again in vary.speed (x.toml:15): keep one of the two");
  EXPECT_EQ(
      mistake(top + world + "[start]\nset_down = true\nposition = [1, 2, 3]\n"),
      "2: x.toml:16: start.position gives a height, but start.set_down = true puts the body on the terrain: keep one "
      "of the two");
}

TEST_F(Config, RefusesReleasesOutsideTheTerrainAndOverMissingData) {
  const std::string config = grid();
  EXPECT_EQ(
      mistake(config + "[start]\nposition = [100, 10]\n"),
      "2: x.toml:15: the release of sample 0 at x = 100, y = 10 is outside the terrain, must be x from 5 to 35, y "
      "from 5 to 25 (m)");
  EXPECT_EQ(mistake(config + "[start]\nposition = [30, 20]\n"),
            "2: x.toml:15: the release of sample 0 at x = 30, y = 20 is over missing data (NODATA) of the terrain");
  EXPECT_EQ(mistake(config),
            "2: x.toml: the release of sample 0 at x = 0, y = 0 is outside the terrain, must be x from 5 "
            "to 35, y from 5 to 25 (m)");
  write("r.csv", "x,y\n10,10\n10,99\n");
  EXPECT_EQ(
      mistake(config + "[start]\ntable = 'r.csv'\n"),
      "3: x.toml:15: the release of sample 1 at x = 10, y = 99 is outside the terrain, must be x from 5 to 35, y from "
      "5 to 25 (m)");
}

TEST_F(Config, RefusesBadTables) {
  const auto table = [&](const std::string& csv, const std::string& more = "") {
    write("r.csv", csv);
    return mistake(top + world + "[start]\ntable = 'r.csv'\n" + more);
  };
  EXPECT_EQ(table("x,y\n1,2\n3\n"), "3: r.csv:3: the row has 1 values, must be 2 as in the header");
  EXPECT_EQ(table("x,y\n1,two\n"), "3: r.csv:2: y = 'two', must be a finite number");
  EXPECT_EQ(table("x,y\n1,nan\n"), "3: r.csv:2: y = 'nan', must be a finite number");
  EXPECT_EQ(table("x,y\n"), "3: r.csv: has no rows; must be a header line and at least one row");
  EXPECT_EQ(table("x,x\n1,2\n"), "3: r.csv:1: column x is there twice");
  EXPECT_EQ(table("mass\n5\n-5\n"), "3: r.csv:3: start.mass = -5, must be >= 0 (kg)");
  EXPECT_EQ(table("a,b\n1,2\n"),
            "2: x.toml:15: no column of r.csv is called as a start; name them in [start.columns]. It has a, b");
  EXPECT_EQ(table("shape\nball\n"), "3: r.csv:2: shape = \"ball\" is not the name of a shape, must be one of cube");
  EXPECT_EQ(table("x_m,y\n1,2\n", "[start.columns]\n'position.x' = 'x'\n"),
            "2: x.toml:17: start.columns.position.x = \"x\" is not a column of r.csv, did you mean \"y\"?");
  EXPECT_EQ(table("x_m,y\n1,2\n", "[start.columns]\n'positon.x' = 'x_m'\n"),
            "2: x.toml:17: unknown start positon.x, did you mean \"position.x\"?");
  EXPECT_EQ(table("orientation.w\n1\n"), "2: x.toml:15: start.orientation needs four columns: w, x, y and z");
  EXPECT_EQ(
      mistake(top + world + "[start]\ntable = 'none.csv'\n"),
      "3: x.toml:15: start.table = \"none.csv\", there is no file none.csv (SCREE_DATA, the folder of data files, is "
      "not set)");
}

TEST_F(Config, RefusesFilesThatAreNotToml) {
  EXPECT_THAT(mistake("system = \n"), HasSubstr("2: x.toml:1: not valid TOML: "));
  EXPECT_THAT(mistake("a = 1\na = 2\n"), HasSubstr("2: x.toml:2: not valid TOML: "));
  EXPECT_EQ(mistake(top + world, {"step"}), "2: --set: \"step\" must be key=value, as rock.friction_min=0.4");
  EXPECT_EQ(mistake(top + world + "[[shape]]\nkind = 'cuboid'\nsize = [1, 1, 1]\nmass = 1\n", {"shape.mass=3"}),
            "2: --set: shape is a list of 2 in the config: name the one that is meant, as shape.NAME.key");
  // By their names.
  const std::string two =
      top + world + "[[shape]]\nname = 'b'\nkind = 'cuboid'\nsize = [1, 1, 1]\nmass = 1\n[start]\nshape = 'b'\n";
  EXPECT_EQ(load(two, {"shape.b.mass=3"}).shapes[1].mass, 3);
  EXPECT_EQ(mistake(two, {"shape.c.mass=3"}),
            "2: --set: shape is a list of 2 in the config: name the one that is meant, as shape.NAME.key");
  try {
    load_run((folder_ / "none.toml").string());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code, Exit::usage);
    EXPECT_EQ(std::string(error.what()), (folder_ / "none.toml").string() + ": there is no such config file");
  }
}

TEST_F(Config, ReadsQuotedFields) {
  const CsvTable table = read_csv(write("q.csv", "\xEF\xBB\xBF\"a\", b ,\"c,d\"\n\"x \"\"y\"\"\", 2 ,3"));
  EXPECT_THAT(table.names, ElementsAre("a", "b", "c,d"));
  EXPECT_EQ(table.rows[0][0], "x \"y\"");
  EXPECT_EQ(table.number(0, 1), 2);
}

}  // namespace
}  // namespace scree
