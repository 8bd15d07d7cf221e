// Disks as a user runs them.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace scree {
namespace {

using nlohmann::json;

class DiskProgram : public Cli {};

double value(const json& result, const char* column, const char* what = "mean") {
  return result["statistics"][column][what].get<double>();
}

/// What the configs say is to be expected.
TEST_F(DiskProgram, ConfigsGiveTheNumbersThatTheyAnnounce) {
  const json dam = object({"run", config("disk_1d.toml"), "--json"});
  EXPECT_NEAR(value(dam, "front"), 3.00043, 5e-6);
  EXPECT_NEAR(value(dam, "kinetic_share"), 0.400004, 5e-7);
  EXPECT_NEAR(value(object({"run", config("disk_1d.toml"), "--set", "end=5.0", "--json"}), "centre_density"), 0.1451,
              5e-5);
  EXPECT_NEAR(value(object({"run", config("disk_1d.toml"), "--set", "end=1e6", "--set", "step=1e6", "--json"}), "v50"),
              0.808, 5e-4);
  const json homothetic = object({"run", config("disk_homothetic.toml"), "--json"});
  EXPECT_NEAR(value(homothetic, "front"), 10.8, 1e-10);
  const json disks = object({"run", config("disk_2d.toml"), "--json"});
  EXPECT_EQ(disks["status"]["end_time"], 1000);
  EXPECT_NEAR(value(disks, "rms_v"), 1.003, 5e-4);
  EXPECT_NEAR(value(disks, "front"), 201.2, 0.05);
  EXPECT_NEAR(value(disks, "share2") / value(disks, "share1"), 3.0, 0.05);
  EXPECT_NEAR(value(disks, "share3") / value(disks, "share1"), 5.1, 0.05);
  EXPECT_NEAR(value(disks, "share4") / value(disks, "share1"), 7.3, 0.05);
  const json dams = object({"run", config("disk_ensemble.toml"), "--json"});
  EXPECT_NEAR(value(dams, "front"), 3.0017, 4 * 0.001);
  EXPECT_NEAR(value(dams, "front", "sd"), 0.102, 4 * 0.0007);
}

/// What the schemes differ by is the error of position Verlet, which has order 2.
TEST_F(DiskProgram, SchemesAreComparedOnTheSameDams) {
  const auto difference = [&](const char* courant) {
    const json front = object({"compare", config("disk_ensemble.toml"), "--schemes", "rk4,position_verlet", "--samples",
                               "50", "--set", courant, "--json"})["paired"]["position_verlet"]["front"];
    EXPECT_EQ(front["n"], 50);
    return std::fabs(front["difference"].get<double>());
  };
  EXPECT_NEAR(std::log2(difference("disk.courant=0.4") / difference("disk.courant=0.2")), 2, 0.2);
}

TEST_F(DiskProgram, ReplaysASampleBitForBitWithItsNodes) {
  ASSERT_EQ(scree({"run", config("disk_2d.toml"), "--samples", "5", "-o", "disk.h5", "--quiet"}).code, 0);
  const Outcome replay = scree({"replay", "disk.h5", "--sample", "3", "--every", "1000000"});
  EXPECT_EQ(replay.code, 0) << replay.err;
  EXPECT_THAT(replay.err, testing::HasSubstr("equal those of disk.h5 bit for bit"));
  EXPECT_THAT(replay.out, testing::AllOf(testing::HasSubstr(",x100 [m]"), testing::Not(testing::HasSubstr(",x101"))));
  EXPECT_EQ(std::count(replay.out.begin(), replay.out.end(), '\n'), 3) << "names, start and end";
}

TEST_F(DiskProgram, InitWritesAConfigThatRuns) {
  write("my.toml", scree({"init", "disk"}).out);
  EXPECT_EQ(object({"run", "my.toml", "--samples", "3", "--json"})["samples"], 3);
}

TEST_F(DiskProgram, VerifiesEveryClaim) {
  const json rows = object({"verify", "--only", "disk", "--json"})["claims"];
  EXPECT_EQ(rows.size(), 21u);
  for (const json& row : rows) EXPECT_EQ(row["verdict"], "agrees") << row;
}

}  // namespace
}  // namespace scree
