// Disc boxes under different laws side by side, and boxes in which discs find no place; tests/suites/ compares all
// capacities and backends.
#include <gtest/gtest.h>

#include <cmath>

#include "host/config/config.hpp"
#include "host/engine/execute.hpp"

namespace scree {
namespace {

/// As many discs as a box of this size can take with ease.
std::string ensemble(int discs, double end) {
  return "system = \"disc_box\"\nscheme = \"rk4_redo\"\nsamples = 37\nseed = 3\nstep = 0.002\nend = " +
         std::to_string(end) + "\n[disc_box]\ndiscs = " + std::to_string(discs) +
         "\nradius = " + (discs > 16 ? "0.35" : "0.6") +
         "\n[vary]\n\"start.velocity.x\" = { uniform = [-5.0, 5.0] }\n"
         "\"start.velocity.y\" = { uniform = [-5.0, 5.0] }\n\"start.spin\" = { uniform = [-15.0, 15.0] }\n"
         "\"disc_box.enclosure\" = { choice = [\"circle\", \"rectangle\"] }\n"
         "\"disc_box.friction_law\" = { choice = [\"viscous\", \"coulomb\"] }\n"
         "\"disc_box.latch\" = { choice = [\"script\", \"onset\"] }\n"
         "\"disc_box.observer_mass\" = { choice = [0.0, 1.0] }\n";
}

std::string digest(const Run& run, const std::string& scheme, const char* backend, int threads) {
  EngineOptions options;
  options.backend = backend;
  options.threads = threads;
  return execute(run, scheme, choose_engine(run, options), true).digest;
}

/// In a circle and in rectangles, with both kinds of friction, with and without observers, latched and by the sign of
/// the rate, all in the lanes of one pack.
TEST(DiscBoxPhases, LawsThatDifferFromLaneToLaneHaveTheBitsOfScalar) {
  const scree::Run run = load_run_text("x.toml", ensemble(4, 0.8), {});
  for (const Scheme& scheme : run.model->description.schemes)
    EXPECT_EQ(digest(run, scheme.name, "pack", 2), digest(run, scheme.name, "scalar", 1)) << scheme.name;
}

/// They end before their first step, on each backend and in a replay, and leave the same summary.
TEST(DiscBoxPhases, SamplesThatFindNoPlaceHaveTheSameBitsEverywhere) {
  // Ten discs of this size find their places in some two samples of three.
  std::string text = ensemble(10, 0.01);
  text.replace(text.find("radius = 0.6"), 12, "radius = 1.18");
  text.replace(text.find("\"disc_box.enclosure\""), 1, "#");
  std::size_t unplaced = 0;
  const scree::Run run = load_run_text("x.toml", text, {});
  EngineOptions options;
  options.backend = "scalar";
  const Arm arm = execute(run, "rk4_redo", choose_engine(run, options), true);
  EXPECT_EQ(digest(run, "rk4_redo", "pack", 2), arm.digest);
  const auto drawn = run.model->ensemble(run.spec);
  const int contact_time = arm.table.description->column("contact_time");
  for (std::size_t i = 0; i < arm.table.samples; ++i) {
    const bool lost = arm.table.status[i] == static_cast<std::uint32_t>(Status::not_placed);
    unplaced += lost;
    EXPECT_EQ(std::isnan(arm.table.at(contact_time, i)), lost) << "a part of no steps";
    if (!lost) {
      EXPECT_EQ(arm.table.status[i], static_cast<std::uint32_t>(Status::end_time));
      continue;
    }
    int rows = 0;
    const ReplayResult again = run.model->replay(drawn.data(), 0, i, 1, [&](std::span<const double>) { ++rows; });
    EXPECT_EQ(rows, 1) << "the start";
    EXPECT_EQ(again.status, arm.table.status[i]);
    for (std::size_t c = 0; c < again.summary.size(); ++c) {
      const double value = arm.table.at(static_cast<int>(c), i);
      EXPECT_TRUE(value == again.summary[c] || (std::isnan(value) && std::isnan(again.summary[c])))
          << arm.table.description->columns[c].name << " of sample " << i;
    }
  }
  EXPECT_GT(unplaced, 0u);
  EXPECT_LT(unplaced, arm.table.samples);
}

}  // namespace
}  // namespace scree
