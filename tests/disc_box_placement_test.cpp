// Boxes in which discs find no place. tests/suites/ compares their bits on all backends.
#include <gtest/gtest.h>

#include <cmath>

#include "host/config/config.hpp"
#include "host/engine/execute.hpp"

namespace scree {
namespace {

/// They end before their first step, in a run and in a replay, and leave the same summary.
TEST(DiscBoxPlacement, SamplesThatFindNoPlaceEndBeforeTheirFirstStep) {
  // Ten discs of this size find their places in some two samples of three.
  const scree::Run run =
      load_run_text("x.toml",
                    "system = 'disc_box'\nscheme = 'rk4_redo'\nsamples = 37\nseed = 3\nstep = 0.002\nend = 0.01\n"
                    "[disc_box]\ndiscs = 10\nradius = 1.18\n"
                    "[vary]\n'start.velocity.x' = { uniform = [-5.0, 5.0] }\n",
                    {});
  EngineOptions options;
  options.backend = "scalar";
  const Arm arm = execute(run, "rk4_redo", choose_engine(run, options));
  std::size_t unplaced = 0;
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
