// `scree export` and terrain as GeoTIFF: every file is opened by GDAL's programs, an independent reader.
#include <gmock/gmock.h>

#include <algorithm>
#include <boost/archive/iterators/binary_from_base64.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <cmath>
#include <cstring>
#include <sstream>
#include <tuple>

#include "host/results/hdf5.hpp"
#include "host/results/result_file.hpp"
#include "program.hpp"

namespace scree {
namespace {

using testing::HasSubstr;
using testing::Not;

class ExportCli : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    if (std::system("gdalinfo --version > /dev/null 2>&1") != 0)
      GTEST_SKIP() << "there is no gdalinfo to read files with";
    // A slope down to the east with a hole, in Austrian coordinates.
    std::string grid = "ncols 40\nnrows 30\nxllcorner 120000\nyllcorner 250000\ncellsize 5\nNODATA_value -9999\n";
    for (int row = 0; row < 30; ++row) {
      for (int column = 0; column < 40; ++column)
        grid += (row == 0 && column == 39 ? "-9999" : std::to_string(1200.0 - 4.0 * column + 0.25 * row)) +
                (column == 39 ? "\n" : " ");
    }
    write("t.asc", grid);
    write("x.toml",
          "system = 'rock'\nscheme = 'implicit'\nsamples = 40\nstep = 0.01\nend = 20.0\n[terrain]\nkind = 'grid'\n"
          "file = 't.asc'\ncrs = 'EPSG:31287'\n[[shape]]\nkind = 'cuboid'\nsize = [1, 0.8, 0.6]\nmass = 900\n[start]\n"
          "position = [120020, 250075]\nvelocity = [12, 0, 1]\n[vary]\norientation = 'uniform'\n[maps]\n[[gate]]\nname "
          "= 'road'\nx = 120060\n");
  }
  void run_study(const std::string& result = "r.h5") const {
    const Outcome outcome = scree({"run", "x.toml", "--quiet", "-o", result});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  /// What is said of t.tif, made by the command `make`, as a terrain.
  std::string refusal(const std::string& make, const Words& more = {}) const {
    std::filesystem::remove(path("t.tif"));
    shell(make);
    const Outcome outcome = scree(Words{"check", "x.toml", "--set", "terrain.file=t.tif"} + more);
    EXPECT_EQ(outcome.code, 3) << outcome.err;
    return outcome.err;
  }
  Outcome exported(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"export", "r.h5", "--quiet"});
    return scree(arguments);
  }
};

TEST_F(ExportCli, LayersOpenInGdalWithPlaceAndSystem) {
  run_study();
  const Outcome outcome = exported({"--to", "geotiff", "-o", "maps"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string info = shell("gdalinfo -stats maps/passages.tif");
  EXPECT_THAT(info, HasSubstr("Size is 40, 30"));
  EXPECT_THAT(info, HasSubstr("Origin = (120000.000000000000000,250150.000000000000000)"));
  EXPECT_THAT(info, HasSubstr("Pixel Size = (5.000000000000000,-5.000000000000000)"));
  EXPECT_THAT(info, HasSubstr("ID[\"EPSG\",31287]"));
  EXPECT_THAT(info, HasSubstr("Type=UInt32"));
  EXPECT_THAT(info, HasSubstr("STATISTICS_MAXIMUM=40"));
  const std::string energy = shell("gdalinfo maps/kinetic_energy_p95.tif");
  EXPECT_THAT(energy, HasSubstr("NoData Value=nan"));
  EXPECT_THAT(energy, HasSubstr("Unit Type: J"));
  EXPECT_THAT(energy, HasSubstr("PREDICTOR=3"));
  // The release is at the same height in the file's pixel as on the grid: its cell is the fifth from the west.
  EXPECT_THAT(shell("gdallocationinfo -valonly -geoloc maps/terrain.tif 120022.5 250077.5"), HasSubstr("1187.5"));
  EXPECT_THAT(shell("xmllint --noout maps/passages.qml && echo fine || python3 -c \"import xml.dom.minidom as m; "
                    "m.parse('maps/passages.qml'); print('fine')\""),
              HasSubstr("fine"));
  // Where nothing came nothing is drawn: 0 is a class of its own, without colour; of heights it is one like others.
  const std::string clear = "<item value=\"0\" label=\"0: none\" color=\"#ffffff\" alpha=\"0\"/>";
  EXPECT_THAT(read("maps/passages.qml"), HasSubstr(clear + "\n          <item value=\"1\" label=\"1: 1\""));
  EXPECT_THAT(read("maps/reach_probability.qml"), HasSubstr(clear));
  EXPECT_THAT(read("maps/jump_p95.qml"), Not(HasSubstr(clear)));
  // From 1044 to 1206.5 m.
  EXPECT_THAT(read("maps/terrain.qml"), HasSubstr("label=\"1: up to 1060 m\""));
  EXPECT_THAT(read("maps/terrain.qml"), HasSubstr("label=\"9: above 1200 m\""));
  // The result itself is a file that GDAL opens.
  const std::string netcdf = shell("gdalinfo 'NETCDF:\"r.h5\":/maps/reach_probability'");
  EXPECT_THAT(netcdf, HasSubstr("Origin = (120000.000000000000000,250150.000000000000000)"));
  EXPECT_THAT(netcdf, HasSubstr("31287"));
}

TEST_F(ExportCli, ClassesOfIntensityHaveNamesAndLimits) {
  ASSERT_EQ(scree({"run", "x.toml", "--set", "maps.release_frequency=1", "--quiet", "-o", "r.h5"}).code, 0);
  ASSERT_EQ(exported({"--to", "asc", "--layers", "intensity_T100", "-o", "maps"}).code, 0);
  EXPECT_THAT(read("maps/intensity_T100.qml"), HasSubstr("<item value=\"1.5\" label=\"1: weak, below 30 kJ\""));
  EXPECT_THAT(read("maps/intensity_T100.qml"), HasSubstr("<item value=\"inf\" label=\"3: strong, from 300 kJ on\""));
  ASSERT_EQ(scree({"run", "x.toml", "--set", "maps.release_frequency=1", "--set", "maps.classes=[1e3,1e4,1e5]",
                   "--quiet", "--force", "-o", "r.h5"})
                .code,
            0);
  ASSERT_EQ(exported({"--to", "asc", "--layers", "intensity_T100", "--force", "-o", "maps"}).code, 0);
  EXPECT_THAT(read("maps/intensity_T100.qml"), HasSubstr("label=\"2: 1 to 10 kJ\""));
  EXPECT_THAT(read("maps/intensity_T100.qml"), HasSubstr("label=\"4: from 100 kJ on\""));
}

TEST_F(ExportCli, LevelsOfDangerHaveTheNamesAndColoursThatTheConfigGives) {
  const auto run = [&](const std::string& more) {
    return scree({"run", "x.toml", "--set", "maps.release_frequency=1", "--set", "maps.danger.names=['<low>', 'high']",
                  "--set",
                  "maps.danger.matrix=[['<low>','<low>','<low>'],['<low>','<low>','high'],['high','high','high']]",
                  "--set", more, "--quiet", "--force", "-o", "r.h5"})
        .code;
  };
  ASSERT_EQ(run("maps.danger.colours=['#ffE000', '#cc0000']"), 0);
  ASSERT_EQ(exported({"--to", "asc", "--layers", "danger", "-o", "maps"}).code, 0);
  EXPECT_THAT(read("maps/danger.qml"),
              HasSubstr("<item value=\"0\" label=\"0: none\" color=\"#ffffff\" alpha=\"0\"/>\n"
                        "          <item value=\"1.5\" label=\"1: &lt;low&gt;\" color=\"#ffE000\" alpha=\"255\"/>\n"
                        "          <item value=\"inf\" label=\"2: high\" color=\"#cc0000\" alpha=\"255\"/>\n"));
  ASSERT_EQ(run("maps.release_frequency=1"), 0);
  ASSERT_EQ(exported({"--to", "asc", "--layers", "danger", "--force", "-o", "maps"}).code, 0);
  EXPECT_THAT(read("maps/danger.qml"), HasSubstr("<item value=\"inf\" label=\"2: high\" color=\"#fde725\""));
}

TEST_F(ExportCli, AComparisonHasLayersOfTheDifferenceOfReach) {
  ASSERT_EQ(scree({"compare", "x.toml", "--set", "scheme=['implicit','explicit']", "--quiet", "-o", "r.h5"}).code, 0);
  const auto cells = [&](const std::string& arm, const std::string& layer) {
    const Outcome outcome = exported({"--to", "asc", "--arm", arm, "-o", arm, "--layers", layer});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::istringstream file(read(arm + "/" + layer + ".asc"));
    std::string word;
    for (int k = 0; k < 12; ++k) file >> word;  // the header
    std::vector<double> values;
    for (double value = 0; file >> value;) values.push_back(value);
    EXPECT_EQ(values.size(), 1200u) << layer;
    return values;
  };
  const std::vector<double> baseline = cells("implicit", "passages"), arm = cells("explicit", "passages"),
                            difference = cells("explicit", "difference_explicit"),
                            low = cells("explicit", "difference_explicit_low"),
                            significant = cells("explicit", "significant_explicit");
  int reached = 0;
  for (std::size_t i = 0; i < 1200; ++i) {
    if (baseline[i] + arm[i] == 0) {
      EXPECT_EQ(difference[i], -9999);
      continue;
    }
    ++reached;
    EXPECT_NEAR(difference[i], (arm[i] - baseline[i]) / 40, 1e-6);
    EXPECT_LT(low[i], difference[i]);
    EXPECT_TRUE(significant[i] == 0 || difference[i] != 0);
  }
  EXPECT_GT(reached, 20);
  // The baseline differs from nothing.
  const Outcome outcome = exported({"--to", "asc", "--arm", "implicit", "-o", "d", "--layers", "difference_implicit"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("scree: --layers: r.h5 has no layer \"difference_implicit\""));
  EXPECT_FALSE(std::filesystem::exists(path("d")));
}

TEST_F(ExportCli, ArmsHaveTheSystemOfTheirTerrain) {
  shell("gdal_translate -q -a_srs EPSG:31287 t.asc a.tif && gdal_translate -q -a_srs EPSG:32633 t.asc b.tif");
  std::string config = read("x.toml");
  const std::string crs = "crs = 'EPSG:31287'\n";
  config.erase(config.find(crs), crs.size());
  write("y.toml", config);
  const Outcome ran = scree({"compare", "y.toml", "--set", "terrain.file=a.tif", "--arms", "terrain.file=a.tif,b.tif",
                             "--samples", "10", "--quiet", "-o", "r.h5"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const auto& [arm, system] : {std::pair{"file a.tif", "31287"}, {"file b.tif", "32633"}}) {
    const Outcome outcome = exported({"--to", "geotiff", "--arm", arm, "-o", system, "--layers", "passages"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(shell(std::string("gdalinfo ") + system + "/passages.tif"),
                HasSubstr(std::string("ID[\"EPSG\",") + system + "]]"));
  }
}

/// Of a file that is cut off the line has its name and the system's words, and nothing is left of it.
TEST_F(ExportCli, OnAFullDiskNamesTheFilesAndWhy) {
  run_study();
  const std::string disk = path("disk");
  std::filesystem::create_directory(disk);
  if (std::system(("mount -t tmpfs -o size=100k none " + disk + " 2> /dev/null").c_str()) != 0)
    GTEST_SKIP() << "no disk can be mounted";
  const Outcome tiff = exported({"--to", "geotiff", "-o", "disk", "--layers", "kinetic_energy_p95,passages,terrain"});
  const Outcome points = exported({"--to", "gpkg", "-o", "disk/a.gpkg", "--paths", "30"});
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(disk)) left.push_back(entry.path().filename());
  shell("umount " + disk);
  EXPECT_EQ(points.code, 1);
  EXPECT_THAT(points.err, testing::StartsWith("scree: disk/a.gpkg: cannot be written"));
  for (const std::string& name : left) {
    EXPECT_THAT(name, testing::Not(HasSubstr(".part")));
    // A style has its raster beside it.
    if (name.ends_with(".qml")) {
      EXPECT_THAT(left, testing::Contains(name.substr(0, name.size() - 3) + "tif"));
    }
  }
  EXPECT_THAT(tiff.err, testing::Not(HasSubstr(".part")));
}

TEST_F(ExportCli, OverviewsHaveTheLargestOrOfDepositsTheSum) {
  write("big.toml",
        "system = 'slider'\nscheme = 'rk4'\nsamples = 30\nstep = 0.1\nend = 60\n[terrain]\nkind = 'plane'\n"
        "slope = 0\n[slider]\nfriction = 0.4\n[vary]\n'velocity.x' = { uniform = [5, 20] }\n"
        "'velocity.y' = { uniform = [-3, 3] }\n[maps]\ncell = 0.1\nextent = [-1, -25, 60, 25]\n");
  ASSERT_EQ(scree({"run", "big.toml", "--quiet", "-o", "r.h5"}).code, 0);
  ASSERT_EQ(exported({"--to", "geotiff", "-o", "maps", "--layers", "deposits,passages"}).code, 0);
  const std::string info = shell("gdalinfo maps/deposits.tif");
  EXPECT_THAT(info, HasSubstr("Overviews: 305x250, 153x125"));
  // Of the coarsest overview, all deposits; of passages the release, which all pass.
  EXPECT_THAT(
      shell("gdal_translate -q -of AAIGrid -oo OVERVIEW_LEVEL=1 maps/deposits.tif d.asc && tail -n +7 d.asc | tr "
            "-s ' ' '\\n' | awk '{ s += $1 } END { print \"sum\", s }'"),
      HasSubstr("sum 30"));
  EXPECT_THAT(shell("gdalinfo -stats -oo OVERVIEW_LEVEL=1 maps/passages.tif"), HasSubstr("STATISTICS_MAXIMUM=30"));
}

TEST_F(ExportCli, AsciiGridsAreReadBackAsTerrain) {
  run_study();
  ASSERT_EQ(exported({"--to", "asc", "-o", "maps", "--layers", "terrain,passages"}).code, 0);
  EXPECT_THAT(shell("gdalinfo maps/passages.asc"), HasSubstr("31287"));
  const Outcome check = scree({"check", "x.toml", "--set", "terrain.file=maps/terrain.asc"});
  EXPECT_EQ(check.code, 0) << check.err;
  EXPECT_THAT(check.out, HasSubstr("maps/terrain.asc, 40 x 30 cells of 5 m"));
  EXPECT_EQ(exported({"--to", "asc", "-o", "peers", "--names", "rockyfor3d"}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(path("peers/Nr_passages.asc")));
  EXPECT_TRUE(std::filesystem::exists(path("peers/E_95.asc")));
  EXPECT_FALSE(std::filesystem::exists(path("peers/arrival_time_min.asc")));
}

TEST_F(ExportCli, PeersHaveTheirUnits) {
  ASSERT_EQ(scree({"run", "x.toml", "--quiet", "-o", "r.h5", "--set", "maps.sources=true"}).code, 0);
  ASSERT_EQ(exported({"--to", "asc", "-o", "ours"}).code, 0);
  ASSERT_EQ(exported({"--to", "asc", "-o", "peers", "--names", "rockyfor3d"}).code, 0);
  const auto values = [&](const std::string& file) {
    std::istringstream text(read(file + ".asc"));
    std::string word;
    for (int k = 0; k < 12; ++k) text >> word;  // the header
    std::vector<double> numbers;
    for (double number = 0; text >> number;) numbers.push_back(number);
    EXPECT_EQ(numbers.size(), 1200u) << file;
    return numbers;
  };
  const std::tuple<const char*, const char*, double> layers[] = {
      {"kinetic_energy_p95", "E_95", 1e-3},  // kJ
      {"kinetic_energy_mean", "E_mean", 1e-3},
      {"reach_given_sources", "Reach_probability", 100},  // %
      {"jump_p95", "Ph_95", 1},
      {"passages", "Nr_passages", 1}};
  for (const auto& [layer, peer, factor] : layers) {
    const std::vector<double> ours = values(std::string("ours/") + layer),
                              theirs = values(std::string("peers/") + peer);
    int with = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      const double expected = ours[i] == -9999 ? -9999 : ours[i] * factor;
      EXPECT_NEAR(theirs[i], expected, 1e-6 * std::fabs(expected)) << peer << " in cell " << i;
      with += expected > 0;
    }
    EXPECT_GT(with, 20) << peer;
  }
}

/// A system of coordinates that has no number of EPSG is in the file as its text.
TEST_F(ExportCli, GeoPackagesHaveSystemsWithoutANumber) {
  ASSERT_EQ(
      scree({"run", "x.toml", "--quiet", "-o", "r.h5", "--set",
             "terrain.crs=+proj=tmerc +lat_0=0 +lon_0=9.5 +k=1 +x_0=1234567 +y_0=0 +ellps=bessel +units=m +type=crs"})
          .code,
      0);
  ASSERT_EQ(exported({"--to", "gpkg", "-o", "r.gpkg", "--paths", "1"}).code, 0);
  const std::string info = shell("ogrinfo -so r.gpkg deposition");
  EXPECT_THAT(info, HasSubstr("Transverse Mercator"));
  EXPECT_THAT(info, HasSubstr("1234567"));
  EXPECT_THAT(info, Not(HasSubstr("ID[\"EPSG\",31287]")));
}

/// GDAL finds the system of a GeoTIFF where EPSG has no code for it, and so does the program: also of files that GDAL
/// wrote, with keys of its own of the projections that have such, and of others with a text in ESRI's words.
TEST_F(ExportCli, GeoTiffsHaveSystemsWithoutANumber) {
  std::string config = read("x.toml");
  config.replace(config.find("crs = 'EPSG:31287'\n"), 19, "");
  write("x.toml", config);
  const std::string bessel = " +x_0=123456 +y_0=-20 +ellps=bessel +units=m";
  const std::pair<std::string, const char*> systems[] = {
      {"+proj=tmerc +lat_0=3 +lon_0=9.5 +k=0.9998" + bessel, "\nPROJCRS[\"unknown\",\n"},
      {"+proj=lcc +lat_0=47 +lon_0=9.5 +lat_1=45 +lat_2=49" + bessel, "METHOD[\"Lambert Conic Conformal (2SP)\""},
      {"+proj=bonne +lat_1=47 +lon_0=9.5" + bessel, "METHOD[\"Bonne\""},
      {"+proj=tmerc +lat_0=0 +lon_0=9.5 +k=1 +x_0=123456 +y_0=0 +R=6371000 +units=m",
       "ELLIPSOID[\"unknown\",6371000,0"}};
  for (const auto& [system, said] : systems) {
    SCOPED_TRACE(system);
    ASSERT_EQ(
        scree({"run", "x.toml", "--quiet", "--force", "-o", "r.h5", "--set", "terrain.crs=" + system + " +type=crs"})
            .code,
        0);
    ASSERT_EQ(exported({"--to", "geotiff", "-o", "maps", "--force", "--layers", "terrain"}).code, 0);
    EXPECT_THAT(shell("gdalinfo maps/terrain.tif"), HasSubstr(said));
    const auto proj = [&](const std::string& of) { return shell("gdalsrsinfo -o proj4 " + of); };
    EXPECT_EQ(proj("maps/terrain.tif"), proj("'" + system + "'"));
    // WKT 1 of what was written and of what is read of it, to the letter.
    const auto wkt = [&](const std::string& result) {
      h5::Handle file = h5::open_file(path(result));
      return h5::read_raw_text(file, "crs_wkt");
    };
    ASSERT_EQ(
        scree({"run", "x.toml", "--quiet", "--force", "-o", "again.h5", "--set", "terrain.file=maps/terrain.tif"}).code,
        0);
    EXPECT_EQ(wkt("again.h5"), wkt("r.h5"));
    ASSERT_EQ(shell("gdal_translate -q -a_srs '" + system + "' t.asc t.tif"), "");
    const Outcome theirs =
        scree({"run", "x.toml", "--quiet", "--force", "-o", "theirs.h5", "--set", "terrain.file=t.tif"});
    ASSERT_EQ(theirs.code, 0) << theirs.err;
    ASSERT_EQ(scree({"export", "theirs.h5", "--quiet", "--force", "--to", "geotiff", "-o", "maps"}).code, 0);
    EXPECT_EQ(proj("maps/terrain.tif"), proj("t.tif"));
    // Given besides, it is what the file says.
    const Outcome both =
        scree({"check", "x.toml", "--set", "terrain.file=t.tif", "--set", "terrain.crs=" + system + " +type=crs"});
    EXPECT_EQ(both.code, 0);
    EXPECT_EQ(both.err, "");
  }
}

/// The same system in other words is no other.
TEST_F(ExportCli, AFileInTheSameSystemInEsrisWordsIsNotRefused) {
  const std::string system =
      "+proj=lcc +lat_0=47 +lon_0=9.5 +lat_1=45 +lat_2=49 +x_0=400000 +y_0=-20 +datum=WGS84 +units=m +type=crs";
  nlohmann::json line = {{"type", "LineString"}, {"coordinates", {{120060, 250010}, {120060, 250100}}}};
  line["crs"]["properties"]["name"] = shell("gdalsrsinfo -o wkt_esri --single-line '" + system + "'");
  write("g.geojson", line.dump());
  const auto check = [&](const std::string& crs) {
    return scree({"check", "x.toml", "--set", "gate=[{name='g', file='g.geojson'}]", "--set", "terrain.crs=" + crs});
  };
  const Outcome same = check(system);
  EXPECT_EQ(same.code, 0) << same.err;
  std::string other = system;
  other.replace(other.find("400000"), 6, "400001");
  EXPECT_EQ(check(other).err, "scree: --set: g.geojson: is in unknown, the terrain in unknown; reproject it\n");
}

TEST_F(ExportCli, PointsAndLinesOpenInOgr) {
  run_study();
  const nlohmann::json crossed =
      nlohmann::json::parse(scree({"info", "r.h5", "--json"}).out)["gates"]["road"]["crossed"];
  const std::string count = "Feature Count: " + std::to_string(crossed.get<int>());
  ASSERT_EQ(exported({"--to", "gpkg", "-o", "r.gpkg", "--paths", "7"}).code, 0);
  EXPECT_THAT(shell("ogrinfo -so r.gpkg crossings"), HasSubstr(count));
  EXPECT_THAT(shell("ogrinfo -so r.gpkg crossings"), HasSubstr("ID[\"EPSG\",31287]"));
  EXPECT_THAT(shell("ogrinfo -so r.gpkg deposition"), HasSubstr("Feature Count: 40"));
  EXPECT_THAT(shell("ogrinfo -so r.gpkg paths"), HasSubstr("Feature Count: 7"));
  EXPECT_THAT(shell("ogrinfo -al -q r.gpkg -where \"name='road'\" gates"),
              testing::ContainsRegex("LINESTRING \\(120060(\\.0)? 250002\\.5,"));
  ASSERT_EQ(exported({"--to", "geojson", "-o", "j"}).code, 0);
  EXPECT_THAT(shell("ogrinfo -so -al j/crossings.geojson"), HasSubstr(count));
  EXPECT_THAT(shell("ogrinfo -so -al j/crossings.geojson"), HasSubstr("ID[\"EPSG\",31287]"));
  ASSERT_EQ(exported({"--to", "csv", "-o", "c"}).code, 0);
  EXPECT_THAT(shell("ogrinfo -so -al c/crossings.csv"), HasSubstr(count));
  // A gate that is read back is the one that was written.
  const Outcome again =
      scree({"run", "x.toml", "--quiet", "--json", "--set", "gate=[{name='road', file='j/gates.geojson'}]"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(nlohmann::json::parse(again.out)["gates"]["road"]["crossed"], crossed);
}

TEST_F(ExportCli, GeoTiffTerrainGivesTheBitsOfTheGrid) {
  run_study();
  // Whole metres, so that every kind of pixel holds them.
  shell("sed 's/\\.[0-9]*//g' t.asc > whole.asc");
  const std::string digest = nlohmann::json::parse(
      scree({"run", "x.toml", "--quiet", "--json", "--set", "terrain.file=whole.asc"}).out)["digest"];
  for (const char* made :
       {"-ot Float32", "-ot Float64 -co COMPRESS=LZW", "-ot Int16 -co TILED=YES -co COMPRESS=DEFLATE",
        "-ot Int32 -co COMPRESS=ZSTD -co PREDICTOR=2", "-mo AREA_OR_POINT=Point"}) {
    SCOPED_TRACE(made);
    const std::string said = shell(std::string("gdal_translate -q -a_srs EPSG:31287 ") + made + " whole.asc t.tif");
    ASSERT_EQ(said, "");
    const Outcome outcome = scree({"run", "x.toml", "--quiet", "--json", "--set", "terrain.file=t.tif"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(nlohmann::json::parse(outcome.out)["digest"], digest);
  }
  write("own.toml", "");
  const Outcome own = scree({"check", "x.toml", "--json", "--set", "terrain.file=t.tif"});
  EXPECT_EQ(nlohmann::json::parse(own.out)["run"]["crs"], "EPSG:31287");
}

TEST_F(ExportCli, GeoJsonInDegreesIsWhereGdalPutsIt) {
  run_study();
  ASSERT_EQ(exported({"--to", "geojson", "-o", "metres"}).code, 0);
  const Outcome outcome = exported({"--to", "geojson", "-o", "degrees", "--wgs84"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  shell("ogr2ogr -t_srs EPSG:4326 -lco COORDINATE_PRECISION=12 gdal.geojson metres/deposition.geojson");
  const nlohmann::json ours = nlohmann::json::parse(read("degrees/deposition.geojson")),
                       theirs = nlohmann::json::parse(read("gdal.geojson"));
  EXPECT_FALSE(ours.contains("crs"));
  ASSERT_EQ(ours["features"].size(), theirs["features"].size());
  ASSERT_EQ(ours["features"].size(), 40u);
  // Both are of PROJ, which knows more than one way from MGI to WGS 84, each good to 1.5 m.
  for (std::size_t i = 0; i < 40; ++i)
    for (const std::size_t axis : {0, 1}) {
      const double here = ours["features"][i]["geometry"]["coordinates"][axis];
      EXPECT_NEAR(here, theirs["features"][i]["geometry"]["coordinates"][axis].get<double>(), 1.3e-5);
      EXPECT_GT(here, axis == 0 ? 9.0 : 46.0);  // in Austria
      EXPECT_LT(here, axis == 0 ? 17.5 : 49.1);
    }
  // Where nobody said what x and y are there is no way to degrees.
  std::string config = read("x.toml");
  config.replace(config.find("crs = 'EPSG:31287'\n"), 19, "");
  write("x.toml", config);
  run_study("n.h5");
  const Outcome refused = scree({"export", "n.h5", "--to", "geojson", "-o", "n", "--wgs84"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(
      refused.err,
      "scree: --wgs84: the coordinate reference system of n.h5 is not known; terrain.crs of its config names it\n");
}

TEST_F(ExportCli, MeshesHoldTheTerrainItsLayersAndPaths) {
  run_study();
  const Outcome outcome =
      exported({"--to", "vtp", "-o", "m", "--paths", "5", "--layers", "passages,kinetic_energy_p95"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  // The sizes that the files say, as VTK counts them: four of 1200 cells touch the hole, and as many of
  // the 39 x 29 squares between their centres.
  const std::string terrain = read("m/terrain.vtp"), paths = read("m/paths.vtp");
  EXPECT_THAT(terrain, HasSubstr("NumberOfPoints=\"1196\""));
  EXPECT_THAT(terrain, HasSubstr("NumberOfPolys=\"1127\""));
  EXPECT_THAT(terrain, HasSubstr("Name=\"kinetic_energy_p95 (J)\""));
  EXPECT_THAT(paths, HasSubstr("NumberOfLines=\"5\""));
  for (const char* name : {"time (s)", "speed (m/s)", "kinetic_energy (J)", "gap (m)", "sample"})
    EXPECT_THAT(paths, HasSubstr(std::string("Name=\"") + name + "\"")) << name;
  // What lies behind the underscore: of each array its size in bytes, then these, as base64.
  const auto array = [](const std::string& file, const std::string& name) {
    const std::size_t at = file.find("Name=\"" + name + "\""), offset = file.find("offset=\"", at) + 8;
    namespace iterators = boost::archive::iterators;
    using Bytes = iterators::transform_width<iterators::binary_from_base64<std::string::const_iterator>, 8, 6>;
    const auto first =
        file.begin() + static_cast<std::ptrdiff_t>(file.find("\n_") + 2 + std::stoul(file.substr(offset)));
    Bytes byte(first);
    const auto take = [&](void* to, std::size_t count) {
      for (std::size_t k = 0; k < count; ++k) static_cast<char*>(to)[k] = static_cast<char>(*byte++);
    };
    std::uint64_t size = 0;
    take(&size, sizeof size);
    std::vector<char> bytes(size);
    take(bytes.data(), size);
    return bytes;
  };
  const auto numbers = [&]<class T>(const std::string& file, const std::string& name, T) {
    const std::vector<char> bytes = array(file, name);
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  };
  const std::vector<double> points = numbers(terrain, "Points", 0.0), passages = numbers(terrain, "passages", 0.0);
  ASSERT_EQ(points.size(), 3u * 1196);
  EXPECT_THAT(std::vector<double>(points.begin(), points.begin() + 3),
              testing::ElementsAre(120002.5, 250002.5, 1207.25));  // the south-west centre
  EXPECT_EQ(*std::ranges::max_element(passages), 40);
  const std::vector<std::int64_t> corners = numbers(terrain, "connectivity", std::int64_t{0}),
                                  ends = numbers(terrain, "offsets", std::int64_t{0});
  ASSERT_EQ(corners.size(), 4u * 1127);
  EXPECT_THAT(std::vector<std::int64_t>(corners.begin(), corners.begin() + 4), testing::ElementsAre(0, 1, 41, 40));
  EXPECT_EQ(ends.back(), 4 * 1127);
  const std::vector<double> path = numbers(paths, "Points", 0.0), samples = numbers(paths, "sample", 0.0);
  ASSERT_EQ(samples.size(), 5u);
  EXPECT_EQ(path[0], 120020);
  EXPECT_EQ(path[1], 250075);
  EXPECT_EQ(numbers(paths, "time (s)", 0.0)[0], 0);
}

TEST_F(ExportCli, VtkReadsMeshes) {
  // Of PyPI; ./setup.sh --tests brings it.
  const std::string python = SCREE_SOURCE_DIR "/build/python/bin/python";
  if (std::system((python + " -c 'import vtkmodules' > /dev/null 2>&1").c_str()) != 0)
    GTEST_SKIP() << "there is no vtk to read meshes with";
  run_study();
  ASSERT_EQ(exported({"--to", "vtp", "-o", "m", "--paths", "5", "--layers", "passages,kinetic_energy_p95"}).code, 0);
  write("r.py",
        "from vtkmodules.vtkIOXML import vtkXMLPolyDataReader\n"
        "for name in ('terrain', 'paths'):\n"
        "    reader = vtkXMLPolyDataReader()\n"
        "    reader.SetFileName('m/' + name + '.vtp')\n"
        "    reader.Update()\n"
        "    mesh = reader.GetOutput()\n"
        "    data = mesh.GetPointData()\n"
        "    print(name, mesh.GetNumberOfPoints(), mesh.GetNumberOfPolys(), mesh.GetNumberOfLines(), "
        "reader.GetErrorCode())\n"
        "    for k in range(data.GetNumberOfArrays()):\n"
        "        array = data.GetArray(k)\n"
        "        print(array.GetName(), *('%.6g' % end for end in array.GetRange()))\n"
        "    print(*('%.9g' % x for x in mesh.GetPoint(0)))\n");
  const std::string said = shell(python + " r.py");
  EXPECT_THAT(said, HasSubstr("terrain 1196 1127 0 0\n"));
  EXPECT_THAT(said, HasSubstr("passages 0 40\n"));
  EXPECT_THAT(said, HasSubstr("\n120002.5 250002.5 1207.25\n"));  // the south-west centre
  EXPECT_THAT(said, testing::ContainsRegex("paths [0-9]+ 0 5 0\n"));
  EXPECT_THAT(said, HasSubstr("\n120020 250075 "));  // the release
}

TEST_F(ExportCli, PartsAndAveragesOfTerrainAreThoseOfGdal) {
  const std::string said =
      shell("gdal_translate -q -a_srs EPSG:31287 -co TILED=YES -co BLOCKXSIZE=16 -co BLOCKYSIZE=16 t.asc t.tif");
  ASSERT_TRUE(std::filesystem::exists(path("t.tif"))) << said;
  // The same part of a file of text and of one of tiles gives the same samples.
  const auto digest = [&](const std::string& file, const std::string& result) {
    const Outcome outcome =
        scree({"run", "x.toml", "--set", "terrain.file='" + file + "'", "--set",
               "terrain.extent=[120010, 250060, 120130, 250120]", "--quiet", "-o", result, "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out)["digest"].get<std::string>();
  };
  EXPECT_EQ(digest("t.asc", "a.h5"), digest("t.tif", "b.h5"));
  const auto heights = [&](const std::string& file) {
    std::istringstream words(read(file));
    std::string word;
    for (int k = 0; k < 12; ++k) words >> word;
    std::vector<double> values;
    for (double value = 0; words >> value;) values.push_back(value);
    return values;
  };
  for (const auto& [set, made] :
       {std::pair<std::string, std::string>{"terrain.cell=10",
                                            "gdalwarp -q -r average -tr 10 10 -te 120000 250000 120200 250150 t.tif"},
        {"terrain.cell=12.5", "gdalwarp -q -r average -tr 12.5 12.5 -te 120000 250000 120200 250150 t.tif"},
        {"terrain.extent=[120010, 250060, 120130, 250120]",
         "gdal_translate -q -projwin 120005 250125 120135 250055 t.tif"}}) {
    SCOPED_TRACE(set);
    std::filesystem::remove(path("g.tif"));
    shell(made + " g.tif && gdal_translate -q -of AAIGrid -a_nodata -9999 g.tif g.asc");
    ASSERT_EQ(scree({"run", "x.toml", "--set", set, "--samples", "2", "--quiet", "-o", "r.h5", "--force"}).code, 0);
    ASSERT_EQ(exported({"--to", "asc", "-o", "d", "--layers", "terrain", "--force"}).code, 0);
    const std::vector<double> ours = heights("d/terrain.asc"), theirs = heights("g.asc");
    ASSERT_EQ(ours.size(), theirs.size());
    for (std::size_t k = 0; k < ours.size(); ++k) {
      // Both as float32 of some 1200 m; where the hole is GDAL keeps what is less than half known.
      if (ours[k] == -9999) continue;
      EXPECT_NEAR(ours[k], theirs[k], 2e-4) << k;
    }
    EXPECT_LE(std::ranges::count(ours, -9999.0), 1);
  }
}

TEST_F(ExportCli, GeoTiffsThatAreNoTerrainAreRefusedByName) {
  EXPECT_EQ(refusal("gdal_translate -q -a_srs EPSG:4326 -a_ullr 11 48 12 47.25 t.asc t.tif"),
            "scree: t.tif: is in degrees; reproject it to metres\n");
  EXPECT_EQ(refusal("gdal_translate -q -a_srs '+proj=tmerc +lon_0=9 +a=4e257 +rf=299 +units=m' t.asc t.tif"),
            "scree: t.tif: has a coordinate reference system with a number beyond 10^9, as none has\n");
  const std::string damaged = "tests/fuzz/corpus/geotiff/ellipsoid_of_257_digits.tif";  // and keys beyond their texts
  EXPECT_EQ(refusal("cp " SCREE_SOURCE_DIR "/" + damaged + " t.tif"),
            "scree: t.tif: has a coordinate reference system with a number beyond 10^9, as none has\n");
  EXPECT_EQ(refusal("gdal_translate -q -b 1 -b 1 t.asc t.tif"), "scree: t.tif: has 2 bands, must be one of heights\n");
  EXPECT_EQ(refusal("gdal_translate -q -a_ullr 0 100 200 0 t.asc t.tif"),
            "scree: t.tif: has pixels of 5 by 3.3333333333333335 m: cells must be square, resample the grid first\n");
  EXPECT_EQ(refusal("gdal_translate -q -a_scale 0.1 -a_offset 5 -ot Int16 t.asc t.tif"),
            "scree: t.tif: has pixels with a scale or an offset; make plain heights of it with gdal_translate "
            "-unscale\n");
  // Cells without data, and heights that are no metres.
  EXPECT_EQ(refusal("gdal_translate -q -a_srs EPSG:31287 -a_nodata none t.asc t.tif"),
            "scree: t.tif: has the height -9999 m in column 40, row 1, which is none; is it its NODATA? "
            "gdal_translate -a_nodata says so\n");
  EXPECT_EQ(refusal("gdal_translate -q -mask 1 -a_nodata none --config GDAL_TIFF_INTERNAL_MASK YES t.asc t.tif"),
            "scree: t.tif: has a mask; make NODATA of it with gdalwarp -dstnodata -9999\n");
  EXPECT_EQ(refusal("gdal_translate -q -a_srs EPSG:26911+6360 t.asc t.tif", {"--set", "terrain.crs=EPSG:26911"}),
            "scree: t.tif: has heights in NAVD88 height (ftUS), whose unit is the US survey foot; convert them to "
            "heights in metres\n");
  EXPECT_EQ(refusal("gdal_translate -q -mask 1 -a_nodata none --config GDAL_TIFF_INTERNAL_MASK NO t.asc t.tif"),
            "scree: t.tif: has a mask, t.tif.msk; make NODATA of it with gdalwarp -dstnodata -9999\n");
  std::filesystem::remove(path("t.tif.msk"));
  EXPECT_THAT(refusal("gdal_translate -q -a_srs EPSG:31287 t.asc u.tif && head -c 1500 u.tif > t.tif"),
              testing::StartsWith("scree: t.tif: cannot be read as a TIFF: "));
  EXPECT_EQ(refusal("gdal_translate -q -a_srs EPSG:31287 t.asc t.tif", {"--set", "terrain.crs=EPSG:99999"}),
            "scree: --set: terrain.crs: \"EPSG:99999\" is no coordinate reference system that PROJ knows\n");
  EXPECT_EQ(refusal("gdal_translate -q t.asc t.tif", {"--set", "terrain.crs=EPSG:4326"}),
            "scree: --set: terrain.crs: is in WGS 84, whose unit is the degree; reproject it to metres\n");
  // A line in another system than the terrain's.
  write("g.geojson",
        "{\"type\": \"LineString\", \"crs\": {\"type\": \"name\", \"properties\": {\"name\": "
        "\"urn:ogc:def:crs:EPSG::32632\"}}, \"coordinates\": [[120060, 250010], [120060, 250100]]}");
  const Outcome gate = scree({"check", "x.toml", "--set", "gate=[{name='g', file='g.geojson'}]"});
  EXPECT_EQ(gate.code, 3);
  EXPECT_EQ(gate.err, "scree: --set: g.geojson: is in EPSG:32632, the terrain in EPSG:31287; reproject it\n");
}

TEST_F(ExportCli, CodesOfMasksAreNoHeights) {
  shell(
      "gdal_create -q -ot UInt16 -outsize 40 30 -burn 65535 -a_srs EPSG:31287 -a_ullr 120000 250150 120200 250000 "
      "m.tif");
  const Outcome masked = scree({"check", "x.toml", "--set", "terrain.mask=m.tif"});
  EXPECT_EQ(masked.code, 0) << masked.err;
  shell(
      "gdal_create -q -ot Int16 -outsize 40 30 -burn -9999 -a_srs EPSG:31287 -a_ullr 120000 250150 120200 250000 "
      "n.tif");
  const Outcome unmarked = scree({"check", "x.toml", "--set", "terrain.mask=n.tif"});
  EXPECT_EQ(unmarked.code, 3);
  EXPECT_THAT(unmarked.err,
              HasSubstr("n.tif: has the code -9999 in column 1, row 1, which is none; is it its NODATA?"));
  // Nor is what was read as codes taken for heights after that.
  const Outcome both = scree(
      {"compare", "x.toml", "--set", "terrain.mask=m.tif", "--arms", "terrain.file=t.asc,m.tif", "--samples", "2"});
  EXPECT_EQ(both.code, 3);
  EXPECT_THAT(both.err, HasSubstr("m.tif: has the height 65535 m"));
}

TEST_F(ExportCli, HeightsOfGeoTiffsAreMetresHoweverTheirUnitIsWritten) {
  const auto in_unit = [](const std::string& unit) {
    return "gdal_translate -q -of VRT -a_srs EPSG:31287 t.asc t.vrt && sed -i 's#<VRTRasterBand[^>]*>#&<UnitType>" +
           unit + "</UnitType>#' t.vrt && gdal_translate -q t.vrt t.tif";
  };
  for (const std::string unit :
       {"ft", "Foot_US", "Feet above MSL", "1/10 m", "m*10", "m ft", "m x 10", "hectometre", "meterx0.01"})
    EXPECT_EQ(refusal(in_unit(unit)), "scree: t.tif: has heights in " + unit + "; convert them to metres\n");
  for (const char* unit : {"Metres above sea level", "[m]", "m (EGM96)", "m (1988)", " m"}) {
    shell(in_unit(unit));
    EXPECT_EQ(scree({"check", "x.toml", "--set", "terrain.file=t.tif"}).code, 0) << unit;
  }
}

TEST_F(ExportCli, GeoTiffsHaveNoDataHoweverItIsWritten) {
  // The largest number of float, as programs write it; GDAL does it with all digits.
  const std::string largest = "-3.4028234663852886e+38";
  shell(
      "gdal_calc.py --quiet --overwrite -A t.asc --calc='numpy.where(A==-9999,-3.4028234663852886e38,A)' "
      "--type=Float32 --hideNoData --outfile=v.tif && gdal_translate -q -a_srs EPSG:31287 -a_nodata " +
      largest + " v.tif u.tif");
  for (std::string mark : {"-3.40282346638529e+38", "-3.40282347e+38", "-3.4028235e+38", "-3.402823e+38", "-3.4e+38",
                           "-1.79769313486e+308"}) {
    mark.resize(largest.size(), ' ');
    shell("sed 's/" + largest + "/" + mark + "/' u.tif > t.tif && grep -qa -e '" + mark + "' t.tif");
    const Outcome outcome = scree({"check", "x.toml", "--set", "terrain.file=t.tif"});
    EXPECT_EQ(outcome.code, 0) << mark << outcome.err;
  }
  EXPECT_THAT(refusal("sed 's/" + largest + "/+3.4028234663852886e+38/' u.tif > t.tif"),
              HasSubstr("has the height -3.4028234663852886e+38 m"));
  for (const auto& [type, none] : {std::pair{"Float32", "-3.4028234663852886e38"},
                                   {"Float64", "-1.797693134862315e308"},
                                   {"Int32", "-2147483648"},
                                   {"Int32", "2147483647"},
                                   {"UInt32", "4294967295"}}) {
    const std::string of =
        " -outsize 40 30 -burn " + std::string(none) + " -a_srs EPSG:31287 -a_ullr 120000 250150 120200 250000 m.tif";
    shell("rm -f m.tif && gdal_create -q -ot " + std::string(type) + of);
    const Outcome untold = scree({"check", "x.toml", "--set", "terrain.mask=m.tif"});
    EXPECT_EQ(untold.code, 3) << none;
    EXPECT_THAT(untold.err, HasSubstr("is it its NODATA?")) << none;
    shell("rm m.tif && gdal_create -q -ot " + std::string(type) + " -a_nodata " + none + of);
    const Outcome told = scree({"check", "x.toml", "--set", "terrain.mask=m.tif"});
    EXPECT_EQ(told.code, 3) << none;
    EXPECT_EQ(told.err, "scree: m.tif: all 1200 heights are NODATA\n") << none;
  }
}

TEST_F(ExportCli, RefusesWhatIsNotThere) {
  run_study();
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& line) {
    const Outcome outcome = exported(arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err, line);
  };
  refused({"--to", "shapefile", "-o", "d"},
          "scree: --to shapefile, must be one of geotiff, asc, gpkg, geojson, csv, vtp\n");
  refused({"--to", "geotif", "-o", "d"}, "scree: --to geotif, did you mean \"geotiff\"?\n");
  refused({"--to", "asc", "-o", "d", "--layers", "pasages"},
          "scree: --layers: r.h5 has no layer \"pasages\", did you mean \"passages\"?\n");
  refused({"--to", "csv", "-o", "r.h5"}, "scree: r.h5: is a file; --to csv writes into a folder\n");
  refused({"--to", "gpkg", "-o", "g", "--names", "rockyfor3d"}, "scree: --names rockyfor3d is for --to asc\n");
  refused({"--to", "asc", "-o", "d", "--paths", "3"}, "scree: --paths is for --to gpkg, geojson, csv and vtp\n");
  refused({"--to", "csv", "-o", "d", "--layers", "terrain"}, "scree: --layers is for --to geotiff, asc and vtp\n");
  refused({"--to", "asc", "-o", "d", "--names", "rockyfor3d", "--layers", "speed_max"},
          "scree: --names rockyfor3d: it has none of the layers speed_max\n");
  refused({"--to", "csv", "-o", "d", "--arm", "explicit"},
          "scree: --arm explicit: r.h5 has no such arm, did you mean \"implicit\"?\n");
  ASSERT_EQ(exported({"--to", "asc", "-o", "d", "--layers", "passages"}).code, 0);
  const Outcome again = exported({"--to", "asc", "-o", "d", "--layers", "passages"});
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.err, HasSubstr("d/passages.asc"));
  // Before any of several is written.
  const Outcome several = exported({"--to", "asc", "-o", "d", "--layers", "entries,passages"});
  EXPECT_EQ(several.code, 2);
  EXPECT_THAT(several.err, HasSubstr("d/passages.asc: exists already"));
  EXPECT_FALSE(std::filesystem::exists(path("d/entries.asc")));
  EXPECT_EQ(exported({"--to", "asc", "-o", "d", "--layers", "passages", "--force"}).code, 0);
  ASSERT_EQ(scree({"run", "x.toml", "--quiet", "--no-maps", "-o", "n.h5"}).code, 0);
  const Outcome without = scree({"export", "n.h5", "--to", "geotiff", "-o", "e"});
  EXPECT_EQ(without.code, 2);
  EXPECT_EQ(without.err,
            "scree: n.h5: has no maps, which --to geotiff writes; it has gates, for --to gpkg, geojson or "
            "csv\n");
}

}  // namespace
}  // namespace scree
