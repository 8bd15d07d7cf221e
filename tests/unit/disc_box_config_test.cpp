// The config of a disc box: presets, lists, and one line for each mistake.
#include <cstring>

#include "config_fixture.hpp"
#include "src/systems/disc_box/summary.hpp"

namespace scree {
namespace {

class DiscBoxConfig : public test::ConfigFixture {
 protected:
  static inline const std::string top =
      "system = 'disc_box'\nscheme = 'rk4_redo'\nsamples = 2\nstep = 0.001\nend = 1.0\n[disc_box]\n";
  static DiscBoxParams<double> params(const Run& run) {
    const auto values = drawn(run, 0);
    DiscBoxParams<double> p{};
    std::memcpy(&p, values.data(), sizeof p);
    return p;
  }
};

TEST_F(DiscBoxConfig, PresetsAreTheScriptAndItsCorrection) {
  const auto script = params(load(top + "preset = 'script'\n"));
  EXPECT_EQ(script.onset_latch, 0);
  EXPECT_EQ(script.penetration, 0.5);
  EXPECT_EQ(script.friction_force, 2);
  EXPECT_EQ(script.inertia_factor, 0.25);
  EXPECT_EQ(script.unit_wall_arm, 1);
  const auto corrected = params(load(top + "preset = 'corrected'\n"));
  EXPECT_EQ(corrected.onset_latch, 1);
  EXPECT_EQ(corrected.penetration, 0.5);
  EXPECT_EQ(corrected.friction_force, 1);
  EXPECT_EQ(corrected.inertia_factor, 0.5);
  EXPECT_EQ(corrected.unit_wall_arm, 0);
  const auto changed = params(load(top + "preset = 'script'\nlatch = 'onset'\nfriction_law = 'coulomb'\n"));
  EXPECT_EQ(changed.onset_latch, 1);
  EXPECT_EQ(changed.coulomb, 1);
  EXPECT_EQ(changed.friction_force, 2);
}

TEST_F(DiscBoxConfig, MistakesAreOneLine) {
  EXPECT_EQ(mistake(top + "c_tau = 1.2\n"), "2: x.toml:7: disc_box.c_tau = 1.2, must be > 0 and <= 1 (dimensionless)");
  EXPECT_EQ(mistake(top + "c_tau = 0.0\n"), "2: x.toml:7: disc_box.c_tau = 0, must be > 0 and <= 1 (dimensionless)");
  EXPECT_EQ(mistake(top + "discs = 65\n"), "2: x.toml:7: disc_box.discs = 65, must be a whole number >= 1 and <= 64");
  EXPECT_EQ(mistake(top + "radius = 5.0\n"), "2: x.toml: disc_box: radius is not below wall_radius, in sample 0");
  EXPECT_EQ(mistake(top + "enclosure = 'rectangle'\nhalf_height = 0.9\n"),
            "2: x.toml: disc_box: radius is not below half_width and half_height, in sample 0");
  EXPECT_EQ(mistake(top + "observer_offset = [0.5, 1.0, 0.2]\n"),
            "2: x.toml:7: disc_box.observer_offset = 1, must be >= 0 and < 1 (dimensionless)");
  EXPECT_EQ(mistake(top + "placement = 'given'\n"),
            "2: x.toml: disc_box: start.position: discs overlap (placement = \"random\" places them without), in "
            "sample 0");
  EXPECT_EQ(mistake(top + "discs = 17\n"),
            "2: x.toml: disc_box: no start without overlap was found: fewer discs, a smaller radius, or a larger box, "
            "in sample 0");
  EXPECT_EQ(mistake(top + "discs = 40\n"),
            "2: x.toml: disc_box: so many discs cannot be placed at random: they would cover more than 0.547 of the "
            "box, in sample 0");
  EXPECT_EQ(mistake(top + "placement = 'given'\n[start]\nposition = [[0, 0], [2, 0], [4.5, 0]]\n"),
            "2: x.toml: disc_box: start.position: a disc overlaps the wall, or is beyond it, in sample 0");
}

TEST_F(DiscBoxConfig, ThoseThatShipHaveNoMistake) {
  for (const char* config : {"configs/disc_box_script.toml", "configs/disc_box_corrected.toml"})
    EXPECT_EQ(load_run(config, {}, {}).samples, 1000u);
}

}  // namespace
}  // namespace scree
