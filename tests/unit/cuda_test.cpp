// The CUDA backend against the scalar one. Needs a device; what can be told without one is tested without one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <tuple>

#include "host/config/config.hpp"
#include "host/engine/execute.hpp"
#include "kernels/cuda_devices.hpp"
#include "tests/support/rocks.hpp"

namespace scree {
namespace {

using test::rock_model;
using test::RockStudy;

/// Why the tests that need a device cannot run here; empty if they can.
std::string obstacle() {
  std::string why;
  const bool usable = scree_cuda_devices(&why) > 0;
  return usable ? "" : "no CUDA device: " + why;
}

class OnCuda : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = obstacle(); !why.empty()) GTEST_SKIP() << why;
  }
};

RockStudy ramp_study() {
  RockStudy study(test::eota221(), test::ramp(40, 30));
  study.world.set_down = 1;
  study.start.gap = 1;
  return study.vary_orientation();
}
RockStudy grid_study() {
  RockStudy study(test::eota221(), Terrain{});
  Terrain& grid = study.world.terrain;
  grid.kind = TerrainKind::grid;
  grid.cell = 5;
  grid.x0 = grid.y0 = -50;
  grid.columns = grid.rows = 21;
  grid.heights = static_cast<double>(study.tables.size());
  for (int j = 0; j < 21; ++j)
    for (int i = 0; i < 21; ++i)
      study.tables.push_back(i == 17 && j == 3 ? std::nan("") : 2.0 * (20 - i) + 0.3 * ((7 * i + 3 * j) % 5));
  study.world.set_down = 1;
  study.start.gap = 1;
  return study.vary_orientation();
}

/// Rocks released half sunk in the flat, with a dozen contacts: more than one kernel's share.
RockStudy crowded_study() {
  RockStudy study(test::eota221(), test::ramp(40, 10));
  study.start.position = {study.world.terrain.foot + 5, 0, 0.05};
  study.start.velocity = {2, 0.3, 0};
  study.start.omega = {0.2, 1, 0.1};
  return study.vary_orientation();
}

void expect_same_table(const SummaryTable& a, const SummaryTable& b) {
  ASSERT_EQ(a.values.size(), b.values.size());
  EXPECT_EQ(a.status, b.status);
  for (std::size_t c = 0; c < a.description->columns.size(); ++c)
    for (std::uint64_t i = 0; i < a.samples; ++i) {
      const double x = a.at(static_cast<int>(c), i), y = b.at(static_cast<int>(c), i);
      ASSERT_TRUE(std::memcmp(&x, &y, sizeof x) == 0 || (std::isnan(x) && std::isnan(y)))
          << a.description->columns[c].name << " of sample " << i << ": " << x << " and " << y;
    }
}

TEST(CudaDevices, AreListedOrTheReasonIsGiven) {
  std::string why;
  const int count = scree_cuda_devices(&why);
  EXPECT_EQ(count == 0, !why.empty()) << why;
  std::string name = "unset";
  scree_cuda_device_name(count, &name);
  EXPECT_EQ(name, "");
}

TEST(CudaBackend, WithoutADeviceSaysWhy) {
  const std::string why = obstacle();
  if (why.empty()) GTEST_SKIP() << "this machine has a CUDA device";
  if (rock_model().kernels.cuda == nullptr) GTEST_SKIP() << why;
  try {
    test::run(ramp_study(), "explicit", 10, {.kernel = rock_model().kernels.cuda});
    FAIL() << "ran without a device";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), why);
  }
}

TEST_F(OnCuda, HasTheBitsOfTheScalarBackend) {
  for (const RockStudy& study : {ramp_study(), grid_study(), crowded_study()})
    for (const Scheme& scheme : rock_model().description.schemes) {
      SCOPED_TRACE(scheme.name);
      expect_same_table(test::run(study, scheme.name, 200),
                        test::run(study, scheme.name, 200, {.kernel = rock_model().kernels.cuda}));
    }
}

TEST_F(OnCuda, HasTheBitsOfTheScalarBackendForSlidersPairsAndRotors) {
  for (const char* config : {"configs/slider_valley.toml", "configs/pair_chaotic.toml", "configs/rotor_flips.toml"}) {
    Overrides overrides;
    overrides.samples = 200;
    const scree::Run run = load_run(config, {"end=50.0"}, overrides);
    for (const Scheme& scheme : run.model->description.schemes) {
      const auto digest = [&](const char* backend) {
        EngineOptions options;
        options.backend = backend;
        return execute(run, scheme.name, choose_engine(run, options), true).digest;
      };
      EXPECT_EQ(digest("cuda"), digest("scalar")) << config << ' ' << scheme.name;
    }
  }
}

TEST_F(OnCuda, HasTheBitsOfTheScalarBackendOnSobolPoints) {
  Overrides overrides;
  overrides.samples = 320;
  // Orientations; then places in a polygon and speeds.
  for (const char* config : {"configs/rock_ramp.toml", "configs/slider_valley.toml"}) {
    const scree::Run run = load_run(config, {"sampling=sobol", "end=5.0"}, overrides);
    const auto digest = [&](const char* backend) {
      EngineOptions options;
      options.backend = backend;
      return execute(run, run.schemes[0], choose_engine(run, options), true).digest;
    };
    EXPECT_EQ(digest("cuda"), digest("scalar")) << config;
  }
}

/// Of every capacity, and with samples for which no place is found.
TEST_F(OnCuda, HasTheBitsOfTheScalarBackendForDiscBoxes) {
  for (const auto& [discs, radius, some_without] :
       {std::tuple{"3", "1.0", false}, {"9", "0.6", false}, {"64", "0.35", false}, {"10", "1.18", true}}) {
    Overrides overrides;
    overrides.samples = 60;
    const scree::Run run = load_run(
        "configs/disc_box_corrected.toml",
        {"end=0.15", std::string("disc_box.discs=") + discs, std::string("disc_box.radius=") + radius}, overrides);
    for (const Scheme& scheme : run.model->description.schemes) {
      SCOPED_TRACE(scheme.name + ", " + discs + " discs");
      const auto arm = [&](const char* backend) {
        EngineOptions options;
        options.backend = backend;
        return execute(run, scheme.name, choose_engine(run, options), true);
      };
      const Arm scalar = arm("scalar");
      EXPECT_EQ(arm("cuda").digest, scalar.digest);
      const auto& status = scalar.table.status;
      const auto without = std::count(status.begin(), status.end(), static_cast<std::uint32_t>(Status::not_placed));
      EXPECT_EQ(without > 0, some_without);
    }
  }
}

TEST_F(OnCuda, BitsDoNotDependOnTheSamplesInFlight) {
  const RockStudy study = ramp_study();
  const SummaryTable whole = test::run(study, "implicit", 400, {.kernel = rock_model().kernels.cuda});
  for (const int block : {33, 150, 399})
    expect_same_table(whole, test::run(study, "implicit", 400, {.block = block, .kernel = rock_model().kernels.cuda}));
}

TEST_F(OnCuda, RefusesADeviceThatIsNotThere) {
  Control control;
  Job job{};
  job.device = 4096;
  job.control = &control;
  std::string why;
  const std::string count = std::to_string(scree_cuda_devices(&why));
  try {
    rock_model().kernels.cuda(job);
    FAIL() << "ran on device 4096";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), "no CUDA device 4096: this machine has " + count + ", numbered from 0");
  }
}

}  // namespace
}  // namespace scree
