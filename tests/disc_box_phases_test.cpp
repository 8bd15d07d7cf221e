// A disc box in a lane of a pack has the bits that it has alone, whatever happens in the other lanes; and so has an
// ensemble on both CPU backends, for every capacity; tests/unit/cuda_test.cpp asks the third.
#include "host/config/config.hpp"
#include "host/engine/execute.hpp"
#include "kernels/pack.hpp"
#include "tests/support/discs.hpp"
#include "tests/support/lanes.hpp"

namespace scree {
namespace {

using test::DiscStudy;

/// Four boxes under different laws: in a circle and a rectangle, with both kinds of friction, with and without
/// observers, latched and by the sign of the rate. The last has an angle that only a box without observers can have:
/// its sine is no number.
std::vector<DiscStudy<4>> boxes() {
  DiscStudy<4> crowd(2e-3, 2);
  crowd.params.wall_radius = 3;
  crowd.params.width = crowd.params.height = 6;
  crowd.add(-1.5, 0.1, 4, 0.2, 3).add(1.3, -0.3, -3.5, 0.1, -4, 1).add(0.1, 1.8, 0.1, -3, 2, 2);
  std::vector<DiscStudy<4>> all(4, crowd);
  all[1].params.circle = 0;
  all[1].params.coulomb = 1;
  all[2].script();
  all[2].start.velocity[0].y = 3;
  all[3].no_observer().no_friction().params.c_tau = 0.6;
  all[3].start.angle[0] = 1e200;
  return all;
}

template <class Scheme, class Real>
void expect_same_lanes() {
  using Box = DiscBoxOf<double, 4>;
  using Boxes = DiscBoxOf<Real, 4>;
  constexpr std::size_t lanes = static_cast<std::size_t>(Real::lanes);
  const auto studies = boxes();
  const World world = studies[0].world;
  test::LanesOf<Box::Lane, Real> alone;
  for (std::size_t i = 0; i < lanes; ++i) {
    DiscStudy<4> study = studies[i % studies.size()];
    study.start.velocity[1].x -= 0.1 * static_cast<double>(i);
    alone[i] = study.prepared();
  }
  auto together = test::packed<typename Boxes::Lane, Real>(alone);
  for (int step = 0; step < 1000; ++step) {
    Step<Boxes, Scheme>::advance(world, together);
    for (auto& lane : alone) Step<Box, Scheme>::advance(world, lane);
    test::expect_lanes<Real>(together, alone);
    if (testing::Test::HasFatalFailure()) FAIL() << "step " << step;
  }
  for (const auto& lane : alone) {
    EXPECT_EQ(static_cast<Status>(lane.status), Status::end_time);
    EXPECT_GT(lane.record.impacts_wall + lane.record.impacts_disc, 4);
  }
}

TEST(DiscBoxPhases, LanesOfAPackHaveTheBitsThatTheyHaveAlone) {
  test::for_all_disc_schemes([]<class Scheme>() {
    expect_same_lanes<Scheme, Pack<4, 1>>();
    expect_same_lanes<Scheme, Pack<2, 3>>();
  });
}

/// As many discs as a box of this size can take with ease.
std::string ensemble(int discs, double end) {
  return "system = \"disc_box\"\nscheme = \"rk4_redo\"\nsamples = 37\nseed = 3\nstep = 0.002\nend = " +
         std::to_string(end) + "\n[disc_box]\ndiscs = " + std::to_string(discs) +
         "\nradius = " + (discs > 16 ? "0.35" : "0.6") +
         "\n[vary]\n\"start.velocity.x\" = { uniform = [-5.0, 5.0] }\n"
         "\"start.velocity.y\" = { uniform = [-5.0, 5.0] }\n\"start.spin\" = { uniform = [-15.0, 15.0] }\n"
         "\"disc_box.circle\" = { choice = [1.0, 0.0] }\n\"disc_box.coulomb\" = { choice = [0.0, 1.0] }\n"
         "\"disc_box.onset_latch\" = { choice = [0.0, 1.0] }\n\"disc_box.observer_mass\" = { choice = [0.0, 1.0] }\n";
}

std::string digest(const Run& run, const std::string& scheme, const char* backend, int threads) {
  EngineOptions options;
  options.backend = backend;
  options.threads = threads;
  return execute(run, scheme, choose_engine(run, options), true).digest;
}

TEST(DiscBoxPhases, EachBackendAndNumberOfThreadsGivesTheSameDigest) {
  for (const int discs : {1, 3, 4, 9, 16, 64}) {
    const scree::Run run = load_run_text("x.toml", ensemble(discs, discs > 16 ? 0.1 : 0.8), {});
    for (const Scheme& scheme : run.model->description.schemes) {
      SCOPED_TRACE(scheme.name + ", " + std::to_string(discs) + " discs");
      const std::string expected = digest(run, scheme.name, "scalar", 1);
      EXPECT_EQ(digest(run, scheme.name, "scalar", 2), expected);
      EXPECT_EQ(digest(run, scheme.name, "pack", 1), expected);
      EXPECT_EQ(digest(run, scheme.name, "pack", 2), expected);
    }
  }
}

/// They end before their first step, on each backend and in a replay, and leave the same summary.
TEST(DiscBoxPhases, SamplesThatFindNoPlaceHaveTheSameBitsEverywhere) {
  // Ten discs of this size find their places in some two samples of three.
  std::string text = ensemble(10, 0.01);
  text.replace(text.find("radius = 0.6"), 12, "radius = 1.18");
  text.replace(text.find("\"disc_box.circle\""), 1, "#");
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
