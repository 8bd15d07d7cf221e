// Choices: parameters that a config gives by name.
#include <cmath>

#include "host/commands/init.hpp"
#include "tests/support/config_fixture.hpp"

namespace scree {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string slider_top =
    "system = 'slider'\nscheme = 'rk4'\nsamples = 40\nstep = 0.1\nend = 1.0\n[terrain]\nkind = 'plane'\nslope = 5\n";

class Choice : public test::ConfigFixture {
 protected:
  static const Quantity& mode() {
    for (const Quantity& q : find_model("slider")->description.params)
      if (q.name == "mode") return q;
    throw std::logic_error("a slider has no mode");
  }
  double value(const Run& run) { return run.spec.params[static_cast<std::size_t>(mode().offset)]; }
  /// How many of the samples have the value 1.
  int ones(const Run& run) {
    int count = 0;
    for (std::uint64_t sample = 0; sample < run.samples; ++sample)
      count += drawn(run, sample)[static_cast<std::size_t>(mode().offset)] == 1;
    return count;
  }
};

TEST_F(Choice, IsReadByName) {
  EXPECT_EQ(value(load(slider_top)), 0);
  const Run run = load(slider_top + "[slider]\nmode = 'unilateral_stop'\n");
  EXPECT_EQ(value(run), 1);
  EXPECT_EQ(run.preset, "mode unilateral_stop");
}

TEST_F(Choice, RefusesNumbersAndUnknownNames) {
  EXPECT_EQ(mistake(slider_top + "[slider]\nmode = 1\n"),
            "2: x.toml:10: slider.mode = 1, must be one of bilateral, unilateral_stop");
  EXPECT_EQ(mistake(slider_top + "[slider]\nmode = 'bilatral'\n"),
            "2: x.toml:10: slider.mode = \"bilatral\", did you mean \"bilateral\"?");
  EXPECT_EQ(mistake(slider_top + "[slider]\nstop_at_liftoff = 1.0\n"),
            "2: x.toml:10: slider.stop_at_liftoff is called slider.mode, 0 is \"bilateral\", 1 \"unilateral_stop\"");
}

TEST_F(Choice, VariesByNames) {
  const Run all = load(slider_top + "[vary]\n'slider.mode' = { choice = ['unilateral_stop'] }\n");
  EXPECT_EQ(ones(all), 40);
  const Run both = load(slider_top + "[vary]\n'slider.mode' = { choice = ['bilateral', 'unilateral_stop'] }\n");
  // Each with probability 1/2: all 40 alike once in 2^39.
  EXPECT_GT(ones(both), 0);
  EXPECT_LT(ones(both), 40);
  write("modes.csv", "mode\nbilateral\nunilateral_stop\nbilateral\nbilateral\n");
  EXPECT_EQ(ones(load(slider_top + "[vary]\n'slider.mode' = { table = 'modes.csv', column = 'mode' }\n")), 10);
}

TEST_F(Choice, VariesByNothingElse) {
  EXPECT_EQ(mistake(slider_top + "[vary]\n'slider.mode' = { uniform = [0, 1] }\n"),
            "2: x.toml:10: vary.slider.mode = { uniform = [0, 1] }, must be { choice = [...] } with names of "
            "bilateral, unilateral_stop");
  EXPECT_EQ(mistake(slider_top + "[vary]\n'slider.mode' = { choice = [0, 1] }\n"),
            "2: x.toml:10: vary.slider.mode.choice = 0, must be one of bilateral, unilateral_stop");
  write("modes.csv", "mode\nbilateral\n1\n");
  EXPECT_THAT(mistake(slider_top + "[vary]\n'slider.mode' = { table = 'modes.csv', column = 'mode' }\n"),
              HasSubstr("mode = \"1\" is not a choice of mode, must be one of bilateral, unilateral_stop"));
}

TEST_F(Choice, IsAKeyToRepeatARunOver) {
  const Run run = load(slider_top + "[sensitivity]\nkey = 'slider.mode'\nvalues = 'all'\n");
  EXPECT_THAT(run.sensitivity.values, ElementsAre("bilateral", "unilateral_stop"));
}

TEST_F(Choice, IsShownByName) {
  EXPECT_THAT(init_text(find_model("slider")->description), HasSubstr("\nmode = \"bilateral\"  "));
  EXPECT_THAT(init_text(find_model("slider")->description), HasSubstr("# one of bilateral, unilateral_stop; "));
}

TEST_F(Choice, IsCheckedAgainstAPreset) {
  const std::string box =
      "system = 'disc_box'\nscheme = 'rk4_redo'\nsamples = 1\nstep = 0.001\nend = 1.0\n[disc_box]\n";
  const Run run = load(box + "preset = 'script'\nlatch = 'onset'\n");
  ASSERT_EQ(run.warnings.size(), 1u);
  EXPECT_THAT(run.warnings[0], HasSubstr("x.toml:8: disc_box.latch = \"onset\" replaces \"script\" of \"script\""));
  EXPECT_EQ(run.preset, "preset script, latch onset");
}

}  // namespace
}  // namespace scree
