// The config of a disc box: presets, lists, and one line for each mistake.
#include <cmath>
#include <cstring>

#include "src/systems/disc_box/table.hpp"
#include "tests/support/config_fixture.hpp"

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
  EXPECT_EQ(mistake(top + "radius = 5.0\n"),
            "2: x.toml:7: disc_box: radius: a disc has no room to move in the circle of wall_radius 5 (m), in sample 0");
  EXPECT_EQ(mistake(top + "enclosure = 'rectangle'\nheight = 1.8\n"),
            "2: x.toml: disc_box: radius: a disc has no room to move in the rectangle, whose lesser side is 1.8 (m), "
            "in sample 0");
  EXPECT_EQ(mistake(top + "observer_offset = [0.5, 1.0, 0.2]\n"),
            "2: x.toml:7: disc_box.observer_offset = 1, must be >= 0 and < 1 (dimensionless)");
  EXPECT_EQ(mistake(top + "placement = 'given'\n"),
            "2: x.toml: disc_box: start.position: two discs overlap, in sample 0");
  EXPECT_EQ(mistake(top + "discs = 17\n"),
            "2: x.toml: disc_box: radius: no random places without overlap were found in eight attempts, in sample 0");
  EXPECT_EQ(mistake(top + "discs = 40\n"),
            "2: x.toml:7: disc_box: radius: the discs are too dense for random places, which equal discs find up to a "
            "covered fraction of 0.547, in sample 0");
  EXPECT_EQ(mistake(top + "gap = 4.5\n"),
            "2: x.toml:7: disc_box: gap: it leaves a disc no room to move in the circle of wall_radius 5 (m), in sample "
            "0");
  EXPECT_EQ(mistake(top + "friction_law = 1\n"),
            "2: x.toml:7: disc_box.friction_law = 1, must be one of viscous, coulomb");
  EXPECT_EQ(mistake(top + "[start]\nposition = [[0, 0], [2, 0], [-2, 0]]\n"),
            "2: x.toml:8: disc_box: start.position has no use where places are random: set placement = \"given\", in "
            "sample 0");
  EXPECT_EQ(mistake(top + "placement = 'given'\ngap = 0.1\n"),
            "2: x.toml:8: disc_box: gap has no use where places are given: set placement = \"random\", in sample 0");
  EXPECT_EQ(mistake(top + "placement = 'given'\n[start]\nposition = [[0, 0], [2, 0], [4.5, 0]]\n"),
            "2: x.toml:9: disc_box: start.position: a disc reaches beyond the wall, in sample 0");
}

TEST_F(DiscBoxConfig, KeysOfOldNameTheNew) {
  EXPECT_EQ(mistake(top + "half_width = 4.0\n"),
            "2: x.toml:7: disc_box.half_width is called disc_box.width, twice that");
  EXPECT_EQ(mistake(top, {"disc_box.start_gap=0.1"}), "2: --set: disc_box.start_gap is called disc_box.gap");
  EXPECT_EQ(mistake(top + "[vary]\n'disc_box.rectangle' = { choice = [0.0, 1.0] }\n"),
            "2: x.toml:8: disc_box.rectangle is called disc_box.enclosure, 0 is \"circle\", 1 \"rectangle\"");
  EXPECT_EQ(mistake(top + "[sensitivity]\nkey = 'disc_box.half_height'\nvalues = [4.0, 5.0]\n"),
            "2: x.toml:8: disc_box.half_height is called disc_box.height, twice that");
}

/// Discs of steel: K is 10^8 times as large, and a contact 10^(-0.4 * 8) times as long.
TEST_F(DiscBoxConfig, RefusesStepsThatDoNotSeeAContact) {
  const std::string fast = top + "youngs_modulus = 2e11\n[start]\nvelocity = [[5, 0], [0, 5], [1, 2]]\n";
  const std::string refusal = mistake(fast);
  EXPECT_TRUE(refusal.starts_with("2: x.toml:4: step = 0.001, must be <= ")) << refusal;
  EXPECT_TRUE(refusal.ends_with(" (s), beyond which rk4_redo is unstable, in sample 0")) << refusal;
  const double limit = std::stod(refusal.substr(refusal.find("<= ") + 3));
  const Run run = load(top + "[start]\nvelocity = [[5, 0], [0, 5], [1, 2]]\n");
  const double soft = run.model->largest_step(run.model->ensemble(run.spec).data(), 0, 0, drawn(run, 0).data());
  EXPECT_NEAR(limit, soft * std::pow(10, -3.2), 1e-5 * limit) << "six digits";
  EXPECT_EQ(load(fast, {"step=1e-6"}).spec.world.step, 1e-6);
}

TEST_F(DiscBoxConfig, ThoseThatShipHaveNoMistake) {
  for (const char* config : {"configs/disc_box_script.toml", "configs/disc_box_corrected.toml"})
    EXPECT_EQ(load_run(config, {}, {}).samples, 1000u);
}

}  // namespace
}  // namespace scree
