// The studies on real terrain, with few samples. They need the data that SCREE_DATA names.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace scree {
namespace {

using testing::HasSubstr;

class Field : public Cli {
 protected:
  void need(const std::string& file) {
    const char* data = std::getenv("SCREE_DATA");
    if (!data) GTEST_SKIP() << "SCREE_DATA is not set: the field data are not part of the source tree";
    if (!std::filesystem::exists(std::string(data) + "/" + file)) GTEST_SKIP() << "SCREE_DATA holds no " << file;
    data_ = data;
  }
};

TEST_F(Field, TschamutPutsObservedBesideSimulatedByBlock) {
  need("tschamut2014/terrain.asc");
  if (IsSkipped()) return;
  const Outcome run = scree({"run", config("rock_tschamut.toml"), "--samples", "80", "--no-sensitivity", "--quiet"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("set down on the terrain: it differs from ground_z_m"));
  // Numbers of observations, means and standard deviations as published with the data.
  EXPECT_THAT(run.out, testing::ContainsRegex("implicit +1 +13 +109\\.3"));
  EXPECT_THAT(run.out, testing::ContainsRegex("implicit +2 +13 +100\\.3"));
  EXPECT_THAT(run.out, testing::ContainsRegex("implicit +4 +14 +85\\.64"));
  EXPECT_THAT(run.out, HasSubstr("interpolated proxy"));
}

TEST_F(Field, TyrolReleasesFromALineAndCountsEveryRock) {
  need("tyrol_gar/dem.asc");
  if (IsSkipped()) return;
  const Outcome run =
      scree({"run", config("rock_tyrol.toml"), "--samples", "40", "--scheme", "implicit", "--quiet", "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto json = nlohmann::json::parse(run.out);
  int samples = 0;
  for (const auto& [name, count] : json["status"].items()) samples += count.get<int>();
  EXPECT_EQ(samples, 40);
  // The steepest path from the release line falls 1290 m to a bench; no rock can fall farther than the grid is high.
  const auto& drop = json["statistics"]["drop"];
  EXPECT_GT(drop["mean"].get<double>(), 100);
  EXPECT_LT(drop["max"].get<double>(), 2672 - 1234);
}

TEST_F(Field, MassesSlideOnTheSplineOfTheTyroleanSlope) {
  need("tyrol_gar/dem.asc");
  if (IsSkipped()) return;
  const Outcome run = scree({"run", config("slider_tyrol.toml"), "--samples", "40", "--quiet", "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_EQ(json["status"]["stopped"], 40);
  // As the config says: 1116 +- 474 m of 1000 masses, and not one that kept contact.
  EXPECT_NEAR(json["statistics"]["runout"]["mean"].get<double>(), 1116, 4 * 474 / std::sqrt(40.0));
  EXPECT_EQ(json["statistics"]["runout_attached"]["n"], 0);
  // Energy is balanced to the error of RK4 on a spline of which the third derivative jumps at every cell.
  EXPECT_LT(std::abs(json["statistics"]["energy_error"]["mean"].get<double>()), 1);
}

}  // namespace
}  // namespace scree
