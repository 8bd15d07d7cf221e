// Coordinate reference systems, as PROJ reads them.
#include "host/inputs/crs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "host/common/error.hpp"

#include "temporary_file.hpp"

namespace scree {
namespace {

/// A transverse Mercator projection of nobody's, with the identifier that its author gave it.
std::string local_grid(const std::string& id) {
  const std::string degree = ",ANGLEUNIT[\"degree\",0.0174532925199433]", metre = ",LENGTHUNIT[\"metre\",1]";
  return "PROJCRS[\"local\",BASEGEOGCRS[\"MGI\",DATUM[\"x\",ELLIPSOID[\"Bessel 1841\",6377397.155,299.1528128" + metre +
         "]],PRIMEM[\"Greenwich\",0" + degree + "]],CONVERSION[\"c\",METHOD[\"Transverse Mercator\"]," +
         "PARAMETER[\"Latitude of natural origin\",0" + degree + "],PARAMETER[\"Longitude of natural origin\",9" +
         degree +
         "],PARAMETER[\"Scale factor at natural origin\",1,SCALEUNIT[\"unity\",1]],PARAMETER[\"False easting\",0" +
         metre + "],PARAMETER[\"False northing\",0" + metre + "]],CS[Cartesian,2],AXIS[\"(E)\",east,ORDER[1]" + metre +
         "],AXIS[\"(N)\",north,ORDER[2]" + metre + "]" + id + "]";
}

TEST(Crs, OfEpsgIsKnownByItsCode) {
  const Crs austria = crs_of("EPSG:31287", "x.prj");
  EXPECT_EQ(austria.name, "EPSG:31287");
  EXPECT_EQ(austria.epsg, 31287);
  EXPECT_EQ(crs_of(austria.wkt, "x.prj").epsg, 31287) << "from the text that goes into results";
}

TEST(Crs, HasNoCodeThatEpsgCannotHaveGiven) {
  EXPECT_EQ(crs_of(local_grid(""), "x.prj").name, "local");
  EXPECT_EQ(crs_of(local_grid(",ID[\"EPSG\",31287]"), "x.prj").name, "EPSG:31287");
  for (const char* id : {"99999999999", "\"abc\"", "\"-5\"", "\"12a\"", "\"\"", "0"}) {
    const Crs crs = crs_of(local_grid(std::string(",ID[\"EPSG\",") + id + "]"), "x.prj");
    EXPECT_EQ(crs.name, "local") << id;
    EXPECT_EQ(crs.epsg, 0) << id;
  }
}

TEST(Crs, InDegreesIsKnownWhereItNeedNotBeInMetres) {
  const Crs degrees = any_crs_of("EPSG:4326", "x.geojson"), feet = any_crs_of("EPSG:2225", "x.geojson");
  EXPECT_EQ(degrees.name, "EPSG:4326");
  EXPECT_EQ(degrees.not_in_metres, "is in WGS 84, whose unit is the degree; reproject it to metres");
  EXPECT_EQ(feet.not_in_metres,
            "is in NAD83 / California zone 1 (ftUS), whose unit is the US survey foot; reproject it to metres");
  EXPECT_EQ(any_crs_of("EPSG:31287", "x.geojson").not_in_metres, "");
}

TEST(Crs, IsOfAMapWithHeightsInMetres) {
  const auto why = [](const std::string& text) { return any_crs_of(text, "x.prj").not_in_metres; };
  EXPECT_EQ(why("EPSG:26911+5703"), "") << "NAVD88, in metres";
  EXPECT_EQ(why("EPSG:26911+6360"),
            "has heights in NAVD88 height (ftUS), whose unit is the US survey foot; convert them to heights in metres");
  EXPECT_EQ(why("EPSG:32633+5715"),
            "has heights in MSL depth, which counts downwards; convert them to heights in metres");
  EXPECT_EQ(why("+proj=utm +zone=33 +vunits=us-ft"),
            "is in unknown, whose unit is the US survey foot; reproject it to metres");
  EXPECT_EQ(why("EPSG:4978"), "is in WGS 84, which has no x and y on a map; reproject it to metres") << "geocentric";
  EXPECT_EQ(why("EPSG:5778"), "is in GHA height, which has no x and y on a map; reproject it to metres");
  EXPECT_EQ(why("LOCAL_CS[\"mine\",UNIT[\"foot\",0.3048]]"),
            "is in mine, whose unit is the foot; reproject it to metres");
  EXPECT_EQ(why("LOCAL_CS[\"mine\",UNIT[\"metre\",1]]"), "");
}

/// PROJ would look for one that has the word in its name: "foo" is in Amersfoort.
TEST(Crs, IsNoWordOfAName) {
  for (const char* text : {"foo", "Iceland", "", "WGS 84 / UTM zone 33N", "+prtouj=m + z +z", "+init=epsg:31287"}) {
    try {
      crs_of(text, "x.toml:3: terrain.crs");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()), "x.toml:3: terrain.crs: \"" + std::string(text) +
                                               "\", must be a code as \"EPSG:31287\", WKT or a PROJ string");
    }
  }
  EXPECT_TRUE(are_same(crs_of("+proj=utm +zone=33 +datum=WGS84", "x"), crs_of("EPSG:32633", "x")));
  EXPECT_EQ(crs_of("EPSG:2056\n", "x.prj").name, "EPSG:2056");
}

TEST(Crs, TellsHowLongAMetreIsOnItsMap) {
  const double radian = std::acos(-1.0) / 180;
  const auto scale = [](const std::string& code, double x, double y) {
    return scale_at(crs_of("EPSG:" + code, "x"), x, y);
  };
  // On the middle meridian of a zone; in the middles of France and Austria, whose degrees count from Paris and Ferro.
  EXPECT_NEAR(scale("32633", 500000, 5.2e6), 0.9996, 1e-5);
  EXPECT_NEAR(scale("27572", 600000, 2.2e6), 1, 3e-4);
  EXPECT_NEAR(scale("31282", 0, 5.262e6), 1, 3e-4);
  EXPECT_NEAR(scale("2056", 2.6e6, 1.2e6), 1, 3e-4);
  // Of the Mercator of the web, 1 / cos(latitude) up to the flattening of 1 / 298.
  const double y = 5.9e6, latitude = 2 * std::atan(std::exp(y / 6378137.0)) / radian - 90;
  EXPECT_NEAR(scale("3857", 1e6, y), 1 / std::cos(latitude * radian), 0.01);
  // Where areas are right lengths are not.
  EXPECT_LT(scale("6933", 7e5, 5.36e6), 0.8);
  EXPECT_GT(std::fabs(scale("3035", 2.711e6, 4.82e6) - 1), 0.01) << "along the diagonals alone";
}

TEST(Crs, IsTheSameInOtherWords) {
  const std::string lambert =
      "+proj=lcc +lat_0=47 +lon_0=9.5 +lat_1=45 +lat_2=49 +x_0=1000 +y_0=-20 +datum=WGS84 +units=m +type=crs";
  const auto in_esris_words = [](const std::string& easting) {
    return crs_of(
        "PROJCS[\"alps\",GEOGCS[\"GCS_WGS_1984\",DATUM[\"D_WGS_1984\",SPHEROID[\"WGS_1984\",6378137.0,"
        "298.257223563]],PRIMEM[\"Greenwich\",0.0],UNIT[\"Degree\",0.0174532925199433]],PROJECTION["
        "\"Lambert_Conformal_Conic\"],PARAMETER[\"False_Easting\"," +
            easting +
            "],PARAMETER[\"False_Northing\",-20.0],PARAMETER[\"Central_Meridian\",9.5],PARAMETER["
            "\"Standard_Parallel_1\",45.0],PARAMETER[\"Standard_Parallel_2\",49.0],PARAMETER["
            "\"Latitude_Of_Origin\",47.0],UNIT[\"Meter\",1.0]]",
        "x.prj");
  };
  const Crs ours = crs_of(lambert, "x.prj");
  EXPECT_EQ(ours.epsg, 0);
  EXPECT_NE(in_esris_words("1000.0").wkt, ours.wkt);
  EXPECT_TRUE(are_same(ours, in_esris_words("1000.0")));
  EXPECT_FALSE(are_same(ours, in_esris_words("1000.5")));
  EXPECT_FALSE(are_same(crs_of("EPSG:31287", "x.prj"), crs_of("EPSG:31257", "x.prj")));
  EXPECT_TRUE(are_same(crs_of("EPSG:31287", "x.prj"), crs_of(crs_of("EPSG:31287", "x.prj").wkt, "x.prj")));
  // Of an unknown datum all that is known is its ellipsoid, whatever PROJ calls it.
  const auto on = [](const std::string& ellipsoid) {
    return crs_of("+proj=tmerc +lat_0=3 +lon_0=9.5 " + ellipsoid + " +units=m +type=crs", "x.prj");
  };
  EXPECT_TRUE(are_same(on("+ellps=bessel"), on("+a=6377397.155 +rf=299.1528128")));
  EXPECT_FALSE(are_same(on("+ellps=bessel"), on("+ellps=GRS80")));
  // Names are not compared, but which datum it is.
  std::string other = local_grid("");
  EXPECT_TRUE(
      are_same(crs_of(other.replace(other.find("local"), 5, "there"), "x.prj"), crs_of(local_grid(""), "x.prj")));
  other.replace(other.find("DATUM[\"x\""), 9, "DATUM[\"y\"");
  EXPECT_FALSE(are_same(crs_of(other, "x.prj"), crs_of(local_grid(""), "x.prj")));
}

TEST(Crs, HasTheNameThatCfGivesItsProjection) {
  const auto name_of = [](const std::string& code) { return cf_grid_mapping(crs_of("EPSG:" + code, "x.prj").wkt); };
  EXPECT_EQ(name_of("31287"), "lambert_conformal_conic");
  EXPECT_EQ(name_of("25832"), "transverse_mercator");
  EXPECT_EQ(name_of("2056"), "oblique_mercator");
  EXPECT_EQ(name_of("3035"), "lambert_azimuthal_equal_area");
  EXPECT_EQ(name_of("28992"), "") << "an oblique stereographic projection";
  EXPECT_EQ(cf_grid_mapping(local_grid("")), "transverse_mercator");
}

TEST(Crs, IsThatOfThePrjBesideAFile) {
  const TemporaryFile prj("crs.prj", crs_of("EPSG:31287", "x.prj").wkt);
  const std::string base = prj.path.substr(0, prj.path.size() - 4);
  EXPECT_EQ(crs_beside(base + ".asc").name, "EPSG:31287");
  EXPECT_FALSE(crs_beside(base + "_other.asc").known());
}

TEST(Crs, HasANameThatATerminalCanShow) {
  std::string wkt = local_grid("");
  wkt.replace(wkt.find("local"), 5, "lo\x1b[2Jcal\xe9");
  EXPECT_EQ(crs_of(wkt, "x.prj").name, "lo\\x1b[2Jcal\\xe9");
}

}  // namespace
}  // namespace scree
