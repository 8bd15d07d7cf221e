// `run --maps`: what is printed and kept, and results that go on.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <tuple>

#include "host/results/hdf5.hpp"
#include "host/results/maps.hpp"
#include "host/results/result_file.hpp"
#include "program.hpp"

namespace scree {
namespace {

using testing::HasSubstr;
using testing::Not;

class MapsCli : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("x.toml",
          "system = 'rock'\nscheme = ['implicit', 'explicit']\nsamples = 40\nstep = 0.01\nend = 8.0\n[terrain]\n"
          "kind = 'plane'\nslope = 45\n[[shape]]\nkind = 'cuboid'\nsize = [1, 0.8, 0.6]\nmass = 900\n[start]\n"
          "velocity = [6, 0, 0]\n[vary]\n"
          "orientation = 'uniform'\n[maps]\ncell = 2.0\nextent = [-5, -20, 60, 20]\n");
  }
  Outcome run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "run");
    arguments.insert(arguments.end(), {"--scheme", "implicit", "--quiet"});
    return scree(arguments);
  }
  nlohmann::json json(std::vector<std::string> arguments) const {
    arguments.push_back("--json");
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  }
};

TEST_F(MapsCli, AreOnTheScreenAndInJsonAndInTheResult) {
  const nlohmann::json with = json({"x.toml", "-o", "a.h5"}), without = json({"x.toml", "--no-maps"});
  EXPECT_EQ(with["digest"], without["digest"]);
  EXPECT_FALSE(without.contains("maps"));
  const nlohmann::json& maps = with["maps"];
  EXPECT_EQ(maps["cell"], 2.0);
  EXPECT_EQ(maps["columns"], 33);
  EXPECT_EQ(maps["rows"], 20);
  EXPECT_EQ(maps["n"], 40);
  EXPECT_EQ(maps["layers"]["passages"]["max"], 40);
  EXPECT_EQ(maps["layers"]["kinetic_energy_p95"]["unit"], "J");

  const Outcome info = scree({"info", "a.h5", "--all"});
  EXPECT_THAT(info.out, HasSubstr("33 x 20 cells of 2 m from [-5, -20] (m), "));
  EXPECT_THAT(info.out, HasSubstr("digest " + maps["digest"].get<std::string>()));
  const Outcome again = scree({"info", "a.h5", "--json"});
  EXPECT_EQ(nlohmann::json::parse(again.out)["maps"], maps);
  EXPECT_THAT(scree({"info", "a.h5"}).out, HasSubstr("Maps\n- 33 x 20 cells"));
}

TEST_F(MapsCli, GivesGatesAndBarriersTheirNumbersAYear) {
  const std::string lines =
      "release_frequency = 0.2\nperiods = [50, 190, 1000]\n[[gate]]\nname = 'road'\nline = [[8, -20], [8, 20]]\n"
      "[[barrier]]\nname = 'fence'\nline = [[12, -20], [12, 20]]\nheight = 2\ncapacity = 20e3\n";
  write("y.toml", read("x.toml") + lines);
  const nlohmann::json with = json({"y.toml", "-o", "y.h5"});
  const nlohmann::json& road = with["gates"]["road"];
  const double p = road["probability"];
  ASSERT_GT(p, 0.5);
  EXPECT_DOUBLE_EQ(road["per_year"], 0.2 * p);
  EXPECT_DOUBLE_EQ(road["return_period"], 1 / (0.2 * p));
  // Of 40 samples 4 may exceed what is exceeded once in 50 years, 1 of 190, none of 1000.
  h5::Session session;
  std::vector<double> energies(road["crossed"].get<std::size_t>());
  h5::read_array(h5::open_group(h5::open_file(path("y.h5")), "gates/road"), "kinetic_energy", H5T_NATIVE_DOUBLE,
                 energies.size(), energies.data());
  std::ranges::sort(energies, std::ranges::greater{});
  const std::tuple<const char*, std::size_t> periods[] = {{"50", 4}, {"190", 1}, {"1000", 0}};
  ASSERT_EQ(road["periods"].size(), 3u);
  for (const auto& [years, allowed] : periods) {
    EXPECT_EQ(road["periods"][years]["allowed"], allowed) << years;
    EXPECT_EQ(road["periods"][years]["kinetic_energy"], energies[allowed]) << years;
  }
  EXPECT_EQ(road["warnings"].size(), 4u) << road["warnings"];
  EXPECT_EQ(road["warnings"][1],
            "gate \"road\": the energy once in 50 years has too few: 4 of 40 samples may exceed it, "
            "fewer than 10");
  EXPECT_TRUE(with["barriers"]["fence"].contains("periods"));
  // The same from the file, on the screen and on the page.
  EXPECT_EQ(nlohmann::json::parse(scree({"info", "y.h5", "--json"}).out)["gates"], with["gates"]);
  char row[128];
  std::snprintf(row, sizeof row, "%.3g (?)", energies[0] / 1000);
  for (const auto& command : {Words{"info", "y.h5"}, Words{"info", "y.h5", "--all"}}) {
    const std::string text = scree(command).out;
    const std::size_t at = text.find("Of 0.2 releases a year\n");
    ASSERT_NE(at, std::string::npos) << text;
    const std::string table = text.substr(at, 700);
    EXPECT_THAT(table, HasSubstr("  gate or barrier  "));
    for (const char* head : {"a year (95 %)", "once in, yr", "kJ, 50 yr", "kJ, 1000 yr"})
      EXPECT_THAT(table, HasSubstr(head));
    EXPECT_THAT(table, HasSubstr(row));
    EXPECT_THAT(table, HasSubstr("\n  fence "));
  }
  ASSERT_EQ(scree({"report", "y.h5", "--quiet", "--paths", "0"}).code, 0);
  EXPECT_THAT(read("y.html"), HasSubstr("<p>Of 0.2 releases a year:</p>"));
  EXPECT_THAT(read("y.html"), HasSubstr(std::string(">") + row + "<"));
  EXPECT_THAT(read("y.html"), HasSubstr("with more than an energy, with the 95 % interval of each point (Wilson)."));
  // Nothing of it without a frequency.
  EXPECT_THAT(scree({"run", "x.toml", "--scheme", "implicit", "--quiet"}).out, Not(HasSubstr(" a year")));
}

TEST_F(MapsCli, WarnOfWhatTheirCellsCannotSee) {
  const auto warnings = [&](const std::string& config, const std::string& cell) {
    return json({config, "--maps=" + cell, "-o", "w.h5", "--force"})["maps"]["warnings"].dump();
  };
  EXPECT_THAT(warnings("x.toml", "1.4"),
              HasSubstr("cells of 1.4 m are smaller than a body of 1.414 m across: they see its centre of mass alone"));
  EXPECT_THAT(scree({"info", "w.h5", "--all"}).out, HasSubstr("warning: cells of 1.4 m are smaller than a body of "));
  EXPECT_THAT(warnings("x.toml", "1.42"), Not(HasSubstr("smaller")));
  write("v.toml", read("x.toml") + "[vary.volume]\nuniform = [3, 4]\n");
  EXPECT_THAT(warnings("v.toml", "2"), HasSubstr("cells of 2 m are smaller than a body of "));

  write("t.asc", "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 40\n9 5 1\n9 5 1\n");
  std::string grid = read("x.toml");
  grid.replace(grid.find("kind = 'plane'\nslope = 45"), 25, "kind = 'grid'\nfile = 't.asc'");
  grid.replace(grid.find("[start]\n"), 8, "[start]\nposition = [30, 40]\n");
  const std::string extent = "extent = [-5, -20, 60, 20]";
  grid.replace(grid.find(extent), extent.size(), "");
  write("g.toml", grid);
  EXPECT_THAT(warnings("g.toml", "2"),
              HasSubstr("the rim is half seen: samples leave the terrain at the centres of its outermost cells"));
  write("g.toml", grid + "extent = [20, 20, 100, 60]\n");
  EXPECT_THAT(warnings("g.toml", "2"), Not(HasSubstr("rim")));
}

TEST_F(MapsCli, SayOfEnergiesAtReturnPeriodsWhenTheyHangOnFewSamples) {
  const nlohmann::json maps = json({"x.toml", "--set", "maps.release_frequency=0.1"})["maps"];
  EXPECT_THAT(maps["warnings"].dump(),
              HasSubstr("kinetic_energy_T300 has too few: 1 of 40 samples may exceed it, fewer than 10"));
  EXPECT_TRUE(maps["layers"].contains("kinetic_energy_T300_high"));
  EXPECT_EQ(maps["layers"]["passage_probability_T30"]["unit"], "1");
}

TEST_F(MapsCli, AreKeptAsCfWantsThem) {
  write("t.asc", "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 40\n9 5 1\n9 5 1\n");
  std::string grid = read("x.toml");
  grid.replace(grid.find("kind = 'plane'\nslope = 45"), 25, "kind = 'grid'\nfile = 't.asc'\ncrs = 'EPSG:31287'");
  grid.replace(grid.find("[start]\n"), 8, "[start]\nposition = [30, 40]\n");
  write("g.toml", grid);
  ASSERT_EQ(run({"g.toml", "-o", "a.h5"}).code, 0);
  const nlohmann::json told = nlohmann::json::parse(scree({"info", "a.h5", "--json"}).out)["maps"];
  {
    const h5::Session session;
    const h5::Handle file = h5::open_file(path("a.h5")), maps = h5::open_group(file, "maps");
    const h5::Handle crs = h5::open_array(maps, "crs"), energy = h5::open_array(maps, "kinetic_energy_max"),
                     passages = h5::open_array(maps, "passages");
    EXPECT_EQ(h5::read_text(crs, "grid_mapping_name"), "lambert_conformal_conic");
    EXPECT_TRUE(h5::has_attribute(crs, "crs_wkt"));
    EXPECT_TRUE(std::isnan(h5::read_double(energy, "_FillValue")));
    const h5::Handle fill = h5::own(H5Aopen(energy, "_FillValue", H5P_DEFAULT), H5Aclose),
                     type = h5::own(H5Aget_type(fill), H5Tclose);
    EXPECT_EQ(H5Tget_size(type), 4u) << "as the layer's numbers";
    EXPECT_FALSE(h5::has_attribute(passages, "_FillValue"));
    EXPECT_EQ(h5::read_texts(maps, "percentiles"), (std::vector<std::string>{"kinetic_energy", "jump"}));
    EXPECT_EQ(h5::read_doubles(maps, "levels", 4), (std::vector<double>{0.5, 0.9, 0.95, 0.99}));
  }
  // A result of the version before has none of this, and a name that is no projection's.
  {
    const hid_t file = H5Fopen(path("a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(H5Adelete_by_name(file, "maps", "notes", H5P_DEFAULT), 0);
    ASSERT_GE(H5Adelete_by_name(file, "maps", "first_wrapped", H5P_DEFAULT), 0);
    ASSERT_GE(H5Adelete_by_name(file, "maps", "percentiles", H5P_DEFAULT), 0);
    ASSERT_GE(H5Adelete_by_name(file, "maps/kinetic_energy_max", "_FillValue", H5P_DEFAULT), 0);
    H5Fclose(file);
  }
  nlohmann::json older = nlohmann::json::parse(scree({"info", "a.h5", "--json"}).out)["maps"];
  EXPECT_EQ(older["layers"], told["layers"]);
  EXPECT_EQ(older["digest"], told["digest"]);
}

TEST_F(MapsCli, AreOfEachArmOfAComparison) {
  const Outcome outcome = scree({"compare", "x.toml", "--quiet", "--json", "-o", "c.h5", "--maps=1"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const nlohmann::json arms = nlohmann::json::parse(outcome.out)["arms"];
  EXPECT_EQ(arms["implicit"]["maps"]["cell"], 1.0);
  EXPECT_NE(arms["implicit"]["maps"]["digest"], arms["explicit"]["maps"]["digest"]);
  EXPECT_EQ(arms["implicit"]["maps"]["digest"], json({"x.toml", "--maps=1"})["maps"]["digest"]);
  const StoredResult stored = read_result(path("c.h5"));
  EXPECT_EQ(arms["explicit"]["maps"]["digest"], stored.arms[1].map_facts->digest);
}

TEST_F(MapsCli, GoOnWhereAResultIsExtended) {
  const nlohmann::json whole = json({"x.toml"});
  ASSERT_EQ(run({"x.toml", "--samples", "15", "-o", "a.h5"}).code, 0);
  const Outcome extended = scree({"run", "--extend", "a.h5", "--samples", "40", "--quiet", "--json"});
  ASSERT_EQ(extended.code, 0) << extended.err;
  EXPECT_EQ(nlohmann::json::parse(extended.out)["maps"], whole["maps"]);
  const nlohmann::json looks =
      json({"x.toml", "--samples", "10", "--until", "mean(speed_max) +- 2 %", "--at-most", "4000"});
  ASSERT_GT(looks["samples"], 10);
  EXPECT_EQ(looks["maps"]["digest"],
            json({"x.toml", "--samples", std::to_string(looks["samples"].get<int>())})["maps"]["digest"]);
}

TEST_F(MapsCli, CannotGoOnWithoutWhatTheyAreMadeOf) {
  ASSERT_EQ(run({"x.toml", "-o", "a.h5", "--set", "maps.keep_store=false"}).code, 0);
  const Outcome outcome = scree({"run", "--extend", "a.h5", "--samples", "50", "--quiet"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "scree: a.h5: cannot be extended, maps.keep_store = false left out what maps go on from\n");
}

TEST_F(MapsCli, OfAResultAreNotChangedWhereItGoesOn) {
  ASSERT_EQ(run({"x.toml", "-o", "a.h5"}).code, 0);
  for (const char* option : {"--maps=3", "--no-maps"}) {
    const Outcome outcome = scree({"run", "--extend", "a.h5", "--samples", "50", option});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err,
              "scree: a.h5: a result is extended as it was made, without --set, --seed, --scheme, "
              "--columns, --maps and --no-maps\n");
  }
}

/// Sobol points give as many samples to each replicate; of a run that was cut short, not.
TEST_F(MapsCli, TakeIntervalsFromTheSamplesThatCount) {
  write("s.toml", read("x.toml") + "[[gate]]\nname = 'road'\nline = [[12, -1], [12, 1]]\n");
  const nlohmann::json sobol =
      json({"s.toml", "--set", "sampling=sobol", "--set", "replicates=8", "--samples", "256", "-o", "s.h5"});
  const nlohmann::json& road = sobol["gates"]["road"];
  EXPECT_LE(road["ci95"][0], road["probability"]);
  EXPECT_GE(road["ci95"][1], road["probability"]);
  EXPECT_EQ(nlohmann::json::parse(scree({"info", "s.h5", "--json"}).out)["gates"], sobol["gates"]);
}

TEST_F(MapsCli, AreToldBeforeARun) {
  const Outcome outcome = run({"x.toml", "--dry-run"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("maps      33 x 20 cells of 2 m from [-5, -20] (m)\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("of maps   10.56 kB, and for each cell that is reached 112.0 B and 12 B a bin of its "
                        "percentiles\n"));
}

TEST_F(MapsCli, HaveGatesBesideThem) {
  write("g.toml", read("x.toml") +
                      "[[gate]]\nname = 'road'\nx = 12\ndesign = 'uni11211'\n[[gate]]\nname = 'side'\n"
                      "line = [[0, 3], [40, 3]]\n");
  const nlohmann::json with = json({"g.toml", "-o", "g.h5"}), without = json({"x.toml"});
  EXPECT_EQ(with["digest"], without["digest"]);
  EXPECT_EQ(with["maps"]["digest"], without["maps"]["digest"]);
  const nlohmann::json& road = with["gates"]["road"];
  EXPECT_EQ(road["n"], 40);
  EXPECT_GT(road["crossed"], 20);
  EXPECT_TRUE(road["percentiles"]["kinetic_energy"]["0.95"]["ci95"][1].is_null());  // of fewer than 72
  EXPECT_EQ(road["exceedance"]["kinetic_energy"][0]["share"], road["probability"]);
  EXPECT_GT(road["design"]["energy"], 0);
  EXPECT_FALSE(with["gates"]["side"].contains("design"));
  const Outcome info = scree({"info", "g.h5", "--json"});
  EXPECT_EQ(nlohmann::json::parse(info.out)["gates"], with["gates"]);
  const Outcome all = scree({"info", "g.h5", "--all"});
  EXPECT_THAT(all.out, HasSubstr("\n  road\n  arithmetic of UNI 11211-4, not a design: block of 900.0 kg"));
  EXPECT_THAT(scree({"info", "g.h5"}).out, HasSubstr("\n  road: a fence of "));
  EXPECT_THAT(all.out, HasSubstr("warning: gate \"road\": "));

  ASSERT_EQ(run({"g.toml", "--samples", "15", "-o", "a.h5"}).code, 0);
  const Outcome extended = scree({"run", "--extend", "a.h5", "--samples", "40", "--quiet", "--json"});
  ASSERT_EQ(extended.code, 0) << extended.err;
  EXPECT_EQ(nlohmann::json::parse(extended.out)["gates"], with["gates"]);
}

/// Whoever gives gates asks for what arms do there: all their rows are on the screen.
TEST_F(MapsCli, HaveGatesOfEachArmOnTheScreen) {
  write("g.toml", read("x.toml") +
                      "[[gate]]\nname = 'the road to the village'\nx = 12\n[[gate]]\nname = 'side'\nline = [[0, 3], "
                      "[40, 3]]\n[[barrier]]\nname = 'fence'\nx = 8\nheight = 3\n");
  const Outcome outcome = scree({"compare", "g.toml", "--schemes", "implicit", "--samples", "20", "--quiet", "-o",
                                 "r.h5", "--arms", "barrier.on=true,false", "--arms", "rock.friction_max=0.7,0.9"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string title = "\nGates, at first crossings\n";
  ASSERT_NE(outcome.out.find(title), std::string::npos) << outcome.out;
  std::istringstream lines(outcome.out.substr(outcome.out.find(title) + title.size()));
  std::string line;
  std::getline(lines, line);
  EXPECT_THAT(line, testing::AllOf(HasSubstr("gate"), HasSubstr("arm"), HasSubstr("height, m: p95 (95 %)")));
  std::vector<std::string> rows;
  while (std::getline(lines, line) && !line.starts_with("  Heights are") && !line.empty()) {
    EXPECT_LE(line.size(), 100u);
    rows.push_back(line);
  }
  EXPECT_EQ(rows.size(), 8u) << outcome.out;
  const std::string all = scree({"info", "r.h5", "--all"}).out;
  EXPECT_THAT(all, HasSubstr("the road to the village, on true, friction_max 0.7"));
}

/// A result of the version before, whose schema had no maps.
TEST_F(MapsCli, AreNotMissedInAnOlderResult) {
  std::filesystem::copy_file(SCREE_SOURCE_DIR "/tests/reference/result_schema2.h5", path("old.h5"));
  const Outcome info = scree({"info", "old.h5"});
  EXPECT_EQ(info.code, 0) << info.err;
  EXPECT_THAT(info.out, HasSubstr("result schema 2\n"));
  const Outcome extended = scree({"run", "--extend", "old.h5", "--samples", "9", "--quiet", "--json", "-o", "new.h5"});
  ASSERT_EQ(extended.code, 0) << extended.err;
  write("same.toml", read_result(path("old.h5")).run.config_text);
  EXPECT_EQ(nlohmann::json::parse(extended.out)["digest"],
            nlohmann::json::parse(scree({"run", "same.toml", "--samples", "9", "--quiet", "--json"}).out)["digest"]);
  EXPECT_THAT(scree({"info", "new.h5"}).out, HasSubstr("result schema 3\n"));
}

}  // namespace
}  // namespace scree
