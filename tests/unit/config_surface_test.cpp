// What the config reader does for systems that slide: points of the plane, smooth surfaces, presets of several keys.
#include <cmath>
#include <fstream>

#include "host/commands/init.hpp"
#include "host/model/make_model.hpp"
#include "src/steppers/rk2_heun.hpp"
#include "src/steppers/rk4.hpp"
#include "src/terrain/terrain.hpp"
#include "tests/support/config_fixture.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Two beads on a surface, as far as a config can tell.
template <class Real>
struct Beads {
  using Schemes = SchemeList<Rk2Heun, Rk4>;
  struct Params {
    Real friction, unilateral, exact, tolerance;
    Vec2<Real> wind;
  };
  struct Start {
    Vec2<Real> position1, velocity1, position;
  };
  struct State {
    Real x, v;
  };
  struct Summary {
    Real x;
  };
  struct Track {
    Real x;
  };

  template <class Table>
  static void describe(Table& table) {
    table.system("beads", "two beads");
    table.param("friction", &Params::friction, "1", 0.1, non_negative, "mu");
    table.param("unilateral", &Params::unilateral, "1", 0.0, zero_to_one, "1: ends where it lifts off");
    table.param("exact", &Params::exact, "1", 1.0, zero_to_one, "1: exact");
    table.param("tolerance", &Params::tolerance, "1", 1e-6, positive, "of the exact model");
    table.param("wind", &Params::wind, "m/s", Vec2<double>{1, 2}, any_value, "of the air");
    table.preset("mode", "bilateral", {{&Params::unilateral, 0.0}});
    table.preset("mode", "unilateral", {{&Params::unilateral, 1.0}});
    table.preset("model", "part1", {{&Params::exact, 0.0}, {&Params::tolerance, 1e-3}});
    table.preset("model", "exact", {{&Params::exact, 1.0}, {&Params::tolerance, 1e-6}});
    table.start("position1", &Start::position1, "m", Vec2<double>{1, 2}, any_value, "of the first");
    table.start("velocity1", &Start::velocity1, "m/s", Vec2<double>{3, 4}, any_value, "of the first");
    table.start("position", &Start::position, "m", Vec2<double>{5, 6}, any_value, "of the other");
    table.column("x", &Summary::x, "m", "at the end");
    table.track("x", &Track::x, "m", "now");
    table.needs_surface();
    table.suggest("rk4", 0.5, 20.0);
  }
  HOST_DEVICE static State initial(const World&, const Params&, const Start& start) {
    return {start.position1.x, start.velocity1.x};
  }
  HOST_DEVICE static State derivative(const Params&, const State& s) { return {s.v, Real(0.0)}; }
  HOST_DEVICE static void observe(const Params&, const State& s, const Real&, Summary& summary) { summary.x = s.x; }
  HOST_DEVICE static Track track(const Params&, const State& s) { return {s.x}; }
};

const Model& beads() {
  static const Model model = make_model<Beads>({"beads", {}, {}, nullptr});
  return model;
}
const Model* find_beads(std::string_view system) { return system == "beads" ? &beads() : find_model(system); }

/// Lines 1 to 5 of a config.
const std::string beads_top =
    "system = 'beads'\n"
    "scheme = 'rk4'\n"
    "samples = 10\n"
    "step = 0.01\n"
    "end = 1.0\n";

class SurfaceConfig : public test::ConfigFixture {
 protected:
  SurfaceConfig() : ConfigFixture(&find_beads) {}

  Run load_on(const std::string& terrain, const std::string& rest = "") {
    return load(beads_top + "[terrain]\n" + terrain + rest);
  }
  std::string mistake_on(const std::string& terrain) { return mistake(beads_top + "[terrain]\n" + terrain); }
  SurfacePoint<double> surface(const Run& run, double x, double y) {
    return surface_point(run.spec.world.terrain, run.spec.tables.data(), x, y);
  }
  static Beads<double>::Start start(const Run& run, std::uint64_t sample) {
    const std::vector<double> values = drawn(run, sample);
    const double* s = values.data() + beads().description.param_doubles;
    return {{s[0], s[1]}, {s[2], s[3]}, {s[4], s[5]}};
  }
};

const std::string flat = "kind = 'plane'\nslope = 0\n";

TEST_F(SurfaceConfig, MakesEachSmoothSurface) {
  // tan is sin / cos of the program's own, both good to 1 ulp; the angle in radians is rounded twice.
  const Run plane = load_on("kind = 'plane'\nslope = 30\nheight = 5\n");
  EXPECT_NEAR(surface(plane, 3, 7).z, 5 - 3 / std::sqrt(3.0), 4e-15);
  EXPECT_NEAR(surface(plane, 3, 7).fx, -1 / std::sqrt(3.0), 1e-15);
  EXPECT_EQ(surface(plane, 3, 7).fy, 0);

  const Run quadric = load_on("kind = 'quadric'\na = 1e-5\ne = -5e-5\nf = 10\n");
  EXPECT_TRUE(quadric.spec.world.terrain.is<Quadric>());
  EXPECT_EQ(quadric.terrain_name, "quadric z = 1e-05 x^2 - 5e-05 y + 10 (m)");
  EXPECT_EQ(surface(quadric, -1600, 0).fx, 2e-5 * -1600);
  const Run saddle = load_on("kind = 'quadric'\na = -1\nb = 2\nc = 3\nd = -4\ne = 5\nf = -6\n");
  EXPECT_EQ(saddle.terrain_name, "quadric z = -1 x^2 + 2 y^2 + 3 x y - 4 x + 5 y - 6 (m)");
  EXPECT_EQ(surface(saddle, 2, 3).z, -4 + 18 + 18 - 8 + 15 - 6);

  const Run bowl = load_on("kind = 'bowl'\nradius = 20\n"), dome = load_on("kind = 'dome'\nradius = 20\n");
  EXPECT_EQ(bowl.terrain_name, "bowl of radius 20 m");
  EXPECT_EQ(dome.terrain_name, "dome of radius 20 m");
  EXPECT_NEAR(surface(bowl, 12, 0).z, 4, 1e-14);
  EXPECT_NEAR(surface(dome, 12, 0).z, -4, 1e-14);

  const Run hills = load_on("kind = 'cosine'\namplitude = 3\nwavelength_x = 40\nwavelength_y = 80\n");
  EXPECT_EQ(hills.terrain_name, "cosine hills of amplitude 3 m, wavelength 40 m along x, wavelength 80 m along y");
  EXPECT_NEAR(surface(hills, 20, 0).z, -3, 1e-15);
  EXPECT_NEAR(surface(hills, 10, 0).fx, -3 * 2 * std::acos(-1.0) / 40, 1e-15);
  const Run ridges = load_on("kind = 'cosine'\namplitude = 3\nwavelength_y = 80\n");
  EXPECT_EQ(surface(ridges, 0, 0).z, surface(ridges, 17, 0).z);
  EXPECT_NEAR(surface(ridges, 17, 40).z, -3, 1e-15);
}

TEST_F(SurfaceConfig, LaysASplineThroughAGrid) {
  write("t.asc", "ncols 4\nnrows 3\nxllcenter 0\nyllcenter 0\ncellsize 10\n9 8 9 4\n1 5 2 3\n7 1 6 2\n");
  const Run run = load_on("kind = 'grid'\nfile = 't.asc'\n");
  EXPECT_TRUE(run.spec.world.terrain.is<Spline>());
  EXPECT_EQ(run.terrain_name, "t.asc, 4 x 3 cells of 10 m, bicubic spline");
  EXPECT_NEAR(surface(run, 10, 10).z, 5, 1e-14);
  EXPECT_NEAR(surface(run, 30, 20).z, 4, 1e-14);
}

TEST_F(SurfaceConfig, RefusesTerrainThatDoesNotSuitTheSystem) {
  EXPECT_EQ(mistake_on("kind = 'ramp'\nslope = 3\nheight = 4\n"),
            "2: x.toml:7: terrain.kind = \"ramp\" does not suit the system beads, which slides on a smooth "
            "surface: must be one of plane, quadric, bowl, dome, cosine, grid");
  const std::string rocks = "system = 'rock'\nscheme = 'implicit'\nsamples = 10\nstep = 0.01\nend = 1.0\n[terrain]\n";
  EXPECT_EQ(mistake(rocks + "kind = 'bowl'\nradius = 3\n"),
            "2: x.toml:7: terrain.kind = \"bowl\" does not suit the system rock, whose contacts need planes: "
            "must be one of plane, ramp, grid");
  EXPECT_EQ(mistake_on("kind = 'bowle'\n"), "2: x.toml:7: terrain.kind = \"bowle\", did you mean \"bowl\"?");
  EXPECT_EQ(mistake_on("kind = 'moon'\n"),
            "2: x.toml:7: terrain.kind = \"moon\", must be one of plane, quadric, bowl, dome, cosine, grid");
  EXPECT_EQ(mistake(beads_top),
            "2: x.toml: terrain is missing, must be a table with kind = one of plane, quadric, bowl, dome, "
            "cosine, grid");
  EXPECT_EQ(mistake_on(""),
            "2: x.toml:6: terrain.kind is missing, must be one of plane, quadric, bowl, dome, cosine, "
            "grid");
}

TEST_F(SurfaceConfig, RefusesSurfacesWithoutShape) {
  EXPECT_EQ(mistake_on("kind = 'quadric'\n"),
            "2: x.toml:6: terrain has no coefficient of z = a x^2 + b y^2 + c x y + d x + e y + f, give at least one");
  EXPECT_EQ(mistake_on("kind = 'quadric'\na = 'x'\n"), "2: x.toml:8: terrain.a = \"x\", must be a number");
  EXPECT_EQ(mistake_on("kind = 'quadric'\na = inf\n"), "2: x.toml:8: terrain.a = inf, must be a finite number (1/m)");
  EXPECT_EQ(mistake_on("kind = 'quadric'\na = 1\ngradient = 2\n"),
            "2: x.toml:9: unknown key terrain.gradient, known here: kind, a, b, c, d, e, f, note");
  EXPECT_EQ(mistake_on("kind = 'bowl'\n"), "2: x.toml:6: terrain.radius is missing, must be the sphere's radius > 0 (m)");
  EXPECT_EQ(mistake_on("kind = 'dome'\nradius = 0\n"), "2: x.toml:8: terrain.radius = 0, must be > 0 (m)");
  EXPECT_EQ(mistake_on("kind = 'cosine'\nwavelength_x = 3\n"),
            "2: x.toml:6: terrain.amplitude is missing, must be half the height from trough to crest (m)");
  EXPECT_EQ(mistake_on("kind = 'cosine'\namplitude = 1\n"),
            "2: x.toml:6: terrain has no wavelength, give wavelength_x, wavelength_y (m) or both");
  EXPECT_EQ(mistake_on("kind = 'cosine'\namplitude = 1\nwavelength_x = -3\n"),
            "2: x.toml:9: terrain.wavelength_x = -3, must be > 0 (m)");
}

TEST_F(SurfaceConfig, ReadsPointsOfThePlane) {
  const Run standard = load_on(flat);
  EXPECT_THAT(standard.spec.start, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(standard.spec.params, ElementsAre(0.1, 0, 1, 1e-6, 1, 2));
  EXPECT_THAT(standard.warnings, IsEmpty());
  const Run run = load_on(flat, "[beads]\nwind = [7, 8]\n[start]\nposition1 = [-1, -2]\nposition = [9, 10]\n");
  EXPECT_THAT(run.spec.start, ElementsAre(-1, -2, 3, 4, 9, 10));
  EXPECT_EQ(run.spec.params[5], 8);
  EXPECT_EQ(load(beads_top + "[terrain]\n" + flat, {"start.velocity1=[0.5, 0.25]"}).spec.start[3], 0.25);

  const std::string text = beads_top + "[terrain]\n" + flat + "[start]\n";
  EXPECT_EQ(mistake(text + "position = [1, 2, 3]\n"),
            "2: x.toml:10: start.position = [1, 2, 3], must be a list of 2 numbers (m)");
  EXPECT_EQ(mistake(text + "velocity1 = 3\n"), "2: x.toml:10: start.velocity1 = 3, must be a list in [ ]");
  EXPECT_EQ(mistake(text + "position = [nan, 2]\n"), "2: x.toml:10: start.position = nan, must be a finite number (m)");
  EXPECT_EQ(mistake(text + "postion = [1, 2]\n"),
            "2: x.toml:10: unknown key start.postion, did you mean start.position?");
  // Only rocks are set down.
  EXPECT_EQ(mistake(text + "set_down = true\n"),
            "2: x.toml:10: unknown key start.set_down, known here: position1, velocity1, position, table, columns");
}

TEST_F(SurfaceConfig, VariesPointsByAreaAndByComponent) {
  const Run run = load_on(flat,
                          "[vary]\nposition1 = { polygon = [[0, 0], [2, 0], [2, 1], [0, 1]] }\n"
                          "'start.position' = { line = [[1, 1], [1, 4]] }\n"
                          "velocity1 = { x = { uniform = [0, 1] }, y = { normal = [5, 0] } }\n"
                          "'beads.wind.y' = { choice = [7] }\n");
  EXPECT_EQ(run.spec.variations.size(), 5u);
  for (std::uint64_t sample = 0; sample < 10; ++sample) {
    const auto s = start(run, sample);
    EXPECT_TRUE(s.position1.x >= 0 && s.position1.x < 2 && s.position1.y >= 0 && s.position1.y < 1);
    EXPECT_EQ(s.position.x, 1);
    EXPECT_TRUE(s.position.y >= 1 && s.position.y <= 4);
    EXPECT_TRUE(s.velocity1.x >= 0 && s.velocity1.x < 1);
    EXPECT_EQ(s.velocity1.y, 5);
  }
  EXPECT_NE(start(run, 0).position1.x, start(run, 1).position1.x);

  const std::string text = beads_top + "[terrain]\n" + flat + "[vary]\n";
  EXPECT_EQ(
      mistake(text + "position = { uniform = [0, 1] }\n"),
      "2: x.toml:10: vary.position = { uniform = [0, 1] }, must be { line = [[x, y], ...] } or { polygon = [[x, y], "
      "...] }");
  EXPECT_EQ(mistake(text + "position = { polygon = [[0, 0], [1, 0]] }\n"),
            "2: x.toml:10: vary.position.polygon = [[0, 0], [1, 0]], must be a list of at least 3 points [x, y] (m)");
  EXPECT_EQ(
      mistake(text + "'position1.x' = { line = [[0, 0], [1, 0]] }\n"),
      "2: x.toml:10: vary.position1.x = { line = [[0, 0], [1, 0]] }, must be a law, as { uniform = [low, high] }; "
      "laws are uniform, normal, lognormal, triangular, choice, table");
  EXPECT_EQ(mistake(text + "position1 = { line = [[0, 0], [1, 0]] }\n'position1.y' = { uniform = [0, 1] }\n"),
            "2: x.toml:11: start.position1.y varies here and again in vary.position1 (x.toml:10): keep one of the two");
  EXPECT_EQ(mistake(text + "'position.z' = { uniform = [0, 1] }\n"),
            "2: x.toml:10: unknown key vary.position.z, did you mean start.position.x?");
}

TEST_F(SurfaceConfig, TakesPointsFromATable) {
  write("r.csv", "x,y,position1.y,vx\n1,2,3,4\n5,6,7,8\n");
  const Run run = load_on(flat, "[start]\ntable = 'r.csv'\n");
  EXPECT_EQ(start(run, 0).position.x, 1);
  EXPECT_EQ(start(run, 3).position.y, 6);
  EXPECT_EQ(start(run, 3).position1.x, 1);
  EXPECT_EQ(start(run, 3).position1.y, 7);
  const Run mapped = load_on(
      flat, "[start]\ntable = 'r.csv'\n[start.columns]\nvelocity1.x = 'vx'\n'velocity1.y' = 'x'\nposition.y = 'y'\n");
  EXPECT_EQ(start(mapped, 1).velocity1.x, 8);
  EXPECT_EQ(start(mapped, 1).velocity1.y, 5);
  EXPECT_EQ(start(mapped, 1).position.x, 5);
  EXPECT_EQ(start(mapped, 1).position.y, 6);
  const std::string text = beads_top + "[terrain]\n" + flat + "[start]\ntable = 'r.csv'\n";
  EXPECT_EQ(mistake(text + "[start.columns]\nposition1 = 'x'\n"),
            "2: x.toml:12: unknown start position1, did you mean \"position1.x\"?");
  // What the table has no column for stays as it is fixed.
  EXPECT_EQ(start(load(text + "position = [1, 2]\n"), 0).position.x, start(load(text), 0).position.x);
}

TEST_F(SurfaceConfig, RefusesReleasesOffTheSurface) {
  EXPECT_EQ(
      mistake_on("kind = 'bowl'\nradius = 6\n"),
      "2: x.toml: the release of sample 0 at x = 5, y = 6 is outside the terrain, must be nearer to (0, 0) than its "
      "radius of 6 (m)");
  write("t.asc",
        "ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n"
        "3 3 3 -9999\n2 2 2 2\n1 1 1 1\n");
  const std::string grid = beads_top + "[terrain]\nkind = 'grid'\nfile = 't.asc'\n[start]\nposition1 = [6, 6]\n";
  EXPECT_EQ(mistake(grid + "position = [30, 20]\n"),
            "2: x.toml:11: the release of sample 0 at x = 30, y = 20 is over missing data (NODATA) of the terrain");
  EXPECT_EQ(
      mistake(grid + "position = [100, 20]\n"),
      "2: x.toml:11: the release of sample 0 at x = 100, y = 20 is outside the terrain, must be x from 5 to 35, y "
      "from 5 to 25 (m)");
  EXPECT_EQ(
      mistake(grid + "position = [10, 10]\n", {"start.position1=[0, 0]"}),
      "2: --set: the release of sample 0 at x = 0, y = 0 is outside the terrain, must be x from 5 to 35, y from 5 to "
      "25 (m)");
}

TEST_F(SurfaceConfig, ChoosesOnePresetOfEachKey) {
  const Run run = load_on(flat, "[beads]\nmode = 'unilateral'\nmodel = 'part1'\n");
  EXPECT_THAT(run.spec.params, ElementsAre(0.1, 1, 0, 1e-3, 1, 2));
  EXPECT_EQ(run.preset, "mode unilateral, model part1");
  EXPECT_EQ(load_on(flat, "[beads]\nmode = 'unilateral'\n").preset, "mode unilateral");
  const Run replaced = load_on(flat, "[beads]\nmode = 'unilateral'\nmodel = 'part1'\ntolerance = 0.5\n");
  ASSERT_EQ(replaced.warnings.size(), 1u);
  EXPECT_THAT(replaced.warnings[0], HasSubstr("x.toml:12: beads.tolerance = 0.5 replaces 0.001 of \"part1\""));
  // A key whose preset was not named is not replaced.
  EXPECT_THAT(load_on(flat, "[beads]\nmode = 'unilateral'\ntolerance = 0.5\n").warnings, IsEmpty());
  EXPECT_EQ(mistake(beads_top + "[terrain]\n" + flat, {"beads.model=part2"}),
            "2: --set: beads.model = \"part2\", did you mean \"part1\"?");
  EXPECT_EQ(mistake(beads_top + "[terrain]\n" + flat, {"beads.mode=floating"}),
            "2: --set: beads.mode = \"floating\", must be one of bilateral, unilateral");
}

TEST_F(SurfaceConfig, RepeatsARunOverOneKeyOfThePresets) {
  const Run run = load_on(flat, "[sensitivity]\nkey = 'beads.model'\nvalues = 'all'\n");
  EXPECT_THAT(run.sensitivity.values, ElementsAre("part1", "exact"));
  EXPECT_EQ(mistake(beads_top + "[terrain]\n" + flat + "[sensitivity]\nkey = 'beads.modell'\nvalues = 'all'\n"),
            "2: x.toml:10: sensitivity.key = \"beads.modell\", did you mean \"beads.model\"?");
}

TEST_F(SurfaceConfig, InitNamesAPresetOfEachKeyAndTheSuggestedScheme) {
  const std::string text = init_text(beads().description);
  EXPECT_THAT(text, HasSubstr("scheme = \"rk4\" "));
  EXPECT_THAT(text, HasSubstr("step = 0.5 "));
  EXPECT_THAT(text, HasSubstr("end = 20.0 "));
  EXPECT_THAT(text, HasSubstr("\nmode = \"bilateral\"\n"));
  EXPECT_THAT(text, HasSubstr("\nmodel = \"exact\"\n"));
  EXPECT_THAT(text, HasSubstr("\n# tolerance = 1e-06 "));
  EXPECT_THAT(text, HasSubstr("\nfriction = 0.1 "));
  EXPECT_THAT(text, HasSubstr("\nposition1 = [1.0, 2.0] "));
  EXPECT_THAT(text, HasSubstr("\n# \"beads.friction\" = { uniform = [0.09"));
  EXPECT_THAT(text, HasSubstr("\n# \"start.position1\" = { line = "));
  const Run run = load(text);
  EXPECT_THAT(run.warnings, IsEmpty());
  EXPECT_EQ(run.spec.params, load_on(flat).spec.params);
  EXPECT_EQ(run.preset, "mode bilateral, model exact");
}

}  // namespace
}  // namespace scree
