// The configs that the program carries along, and what `scree verify` lays over them.
#include "host/verify/study.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "host/config/config.hpp"
#include "host/config/embedded.hpp"
#include "tests/support/tree.hpp"

namespace scree {
namespace {

TEST(Study, EveryConfigIsCarriedAlongAsItStandsInTheTree) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SCREE_SOURCE_DIR "/configs")) {
    if (entry.path().extension() != ".toml") continue;  // what one of them reads
    EXPECT_EQ(embedded_config(entry.path().stem().string()), read_text_file(entry.path().string())) << entry.path();
    ++count;
  }
  EXPECT_EQ(count, test::configs_in_the_tree);
  EXPECT_THROW(embedded_config("no_such_study"), std::logic_error);
}

TEST(Study, IsItsConfigWithSetsAsTheCommandLineTakesThem) {
  const scree::Run run = with(study("slider_valley", {{"vary", {}}, {"samples", 1}, {"scheme", "rk4"}}),
                              {{"step", 1.0 / 3}, {"start.position", {1.5, 400}}});
  const scree::Run same =
      load_run(SCREE_SOURCE_DIR "/configs/slider_valley.toml",
               {"vary={}", "samples=1", "scheme=\"rk4\"", "step=0.3333333333333333", "start.position=[1.5, 400]"});
  EXPECT_EQ(run.config_text, same.config_text);
  EXPECT_EQ(run.overlays, same.overlays);
  EXPECT_EQ(run.spec.world.step, 1.0 / 3);
}

TEST(Study, WritesEveryValueAsToml) {
  EXPECT_EQ(Value().toml, "{}");
  EXPECT_EQ(Value(2).toml, "2");
  EXPECT_EQ(Value(1e-5).toml, "1e-05");
  EXPECT_EQ(Value("rk4").toml, "\"rk4\"");
  EXPECT_EQ((Value{{0.5, 1.0}, {2.0, -3.0}}).toml, "[[0.5, 1], [2, -3]]");
  EXPECT_EQ(Value(std::vector<double>{0.1, 0.2}).toml, "[0.1, 0.2]");
  EXPECT_EQ(Value(std::vector<double>{}).toml, "[]");
}

}  // namespace
}  // namespace scree
