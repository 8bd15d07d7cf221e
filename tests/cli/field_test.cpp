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
  EXPECT_THAT(run.out, testing::ContainsRegex("implicit +2 +13 +100 "));
  EXPECT_THAT(run.out, testing::ContainsRegex("implicit +4 +14 +86 "));
  EXPECT_THAT(run.out, HasSubstr("interpolated proxy"));
}

/// The forecasts' scores, as another program of the same model has them to 10 %, and intervals that hold.
TEST_F(Field, TschamutIsForecastAsWellAsByAnotherProgram) {
  need("tschamut2014/terrain.asc");
  if (IsSkipped()) return;
  if (tries(0, 1) == 0) GTEST_SKIP() << "takes a quarter of a minute: with SCREE_MANY, as tests/long.sh sets it";
  const auto all = [&](const char* study) {
    const nlohmann::json rows =
        object({"run", config(study), "--no-sensitivity", "--quiet", "--json"})["scores"]["rows"];
    EXPECT_EQ(rows.size(), 4u);
    EXPECT_EQ(rows.back()["group"], "all");
    EXPECT_EQ(rows.back()["scored"], 40);
    return rows.back();
  };
  const auto mean = [](const nlohmann::json& row, const char* score) { return row[score]["mean"].get<double>(); };
  const nlohmann::json fitted = all("rock_tschamut.toml");
  EXPECT_NEAR(mean(fitted, "crps"), 9.7, .97);
  EXPECT_NEAR(mean(fitted, "others_crps"), 8.7, .05);
  const nlohmann::json spread = all("rock_tschamut_spread.toml");
  EXPECT_GE(mean(spread, "in_90"), .8);
  EXPECT_LE(mean(spread, "in_90"), .97);
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
  // Of 1000 rocks the config expects 790 to come to rest, half of them within 2.1 km. Of 40, four standard deviations
  // of a binomial share; of those that stopped, each is as likely on either side of the median, so that fewer than a
  // quarter of 20 or more lie on one side in at most one case of 25.
  const double stopped = json["status"]["stopped"].get<double>();
  EXPECT_NEAR(stopped, 40 * 0.79, 4 * std::sqrt(40 * 0.79 * 0.21));
  const auto& quantiles = json["statistics"]["runout"]["quantiles"];
  EXPECT_LT(quantiles["0.25"].get<double>(), 2100);
  EXPECT_GT(quantiles["0.75"].get<double>(), 2100);
}

TEST_F(Field, MassesSlideOnTheSplineOfTheTyroleanSlope) {
  need("tyrol_gar/dem.asc");
  if (IsSkipped()) return;
  const auto result = [&](const std::string& step) {
    const Outcome run =
        scree({"run", config("slider_tyrol.toml"), "--samples", "40", "--set", "step=" + step, "--quiet", "--json"});
    EXPECT_EQ(run.code, 0) << run.err;
    return nlohmann::json::parse(run.out);
  };
  const auto json = result("0.02");
  EXPECT_EQ(json["status"]["stopped"], 40);
  // As the config says: 1116 +- 474 m of 1000 masses, and not one that kept contact.
  EXPECT_NEAR(json["statistics"]["runout"]["mean"].get<double>(), 1116, 4 * 474 / std::sqrt(40.0));
  EXPECT_EQ(json["statistics"]["runout_attached"]["n"], 0);
  // The third derivative of the spline jumps at every cell, so the acceleration has a kink there: a step over one is
  // off by h^2 times a function of where in the step it lies. Some 300 crossings of a path add up to a sum that
  // scatters by that, and half the step leaves a quarter. Each scatter of 40 sums is known to 1 / sqrt(78) = 11 %,
  // their quotient to 16 %: four times that is allowed.
  const auto scatter = [](const nlohmann::json& of) { return of["statistics"]["energy_error"]["sd"].get<double>(); };
  EXPECT_LT(scatter(result("0.01")), scatter(json) / 4 * 1.64);
}

}  // namespace
}  // namespace scree
