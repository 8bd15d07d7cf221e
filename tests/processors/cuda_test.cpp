// What the CUDA backend has for itself: many contacts, devices, messages. Its bits are compared in tests/suites/. What
// can be told without a device is tested without one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "host/commands/list.hpp"
#include "kernels/cuda_devices.hpp"
#include "tests/support/rocks.hpp"

namespace scree {
namespace {

/// The device of tests/ptx.
constexpr const char* on_this_cpu = "PTX on this CPU";

/// cuda_fewest_slots and cuda_most_waiting, whose headers need CUDA's.
constexpr std::uint64_t fewest_slots = 1 << 12;
constexpr double most_waiting = 4;

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
/// Rocks released half sunk in the flat, with a dozen contacts: more than one kernel's share.
RockStudy crowded_study() {
  RockStudy study(test::eota221(), test::ramp(40, 10));
  study.start.position = {study.world.terrain.get<Ramp>().foot + 5, 0, 0.05};
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
  CudaDevice device;
  device.name = "unset";
  scree_cuda_device(count, &device);
  EXPECT_EQ(device.name, "");
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

/// Whether the device is a CPU that executes PTX (tests/ptx).
bool is_slow() {
  CudaDevice device;
  scree_cuda_device(0, &device);
  return device.name == on_this_cpu;
}
/// More than a block of threads.
std::uint64_t some_rocks() { return is_slow() ? 12 : 200; }

/// Solves that run out of a kernel's patience, and go on to projection one sweep later.
TEST_F(OnCuda, HasTheBitsOfTheScalarBackendForSlowSolves) {
  RockStudy study = ramp_study();
  study.params.contact_sweeps = 17;
  for (const char* scheme : {"explicit", "implicit"}) {
    SCOPED_TRACE(scheme);
    const SummaryTable scalar = test::run(study, scheme, some_rocks());
    const auto& columns = scalar.description->columns;
    const auto is_capped = [](const auto& column) { return std::string(column.name) == "capped_steps"; };
    const auto capped = std::find_if(columns.begin(), columns.end(), is_capped);
    ASSERT_NE(capped, columns.end());
    double sum = 0;
    for (std::uint64_t i = 0; i < scalar.samples; ++i)
      sum += scalar.at(static_cast<int>(capped - columns.begin()), i);
    EXPECT_GT(sum, 0);
    expect_same_table(scalar, test::run(study, scheme, some_rocks(), {.kernel = rock_model().kernels.cuda}));
  }
}

TEST_F(OnCuda, HasTheBitsOfTheScalarBackendForManyContacts) {
  RockStudy study = crowded_study();
  const std::uint64_t rocks = some_rocks();
  ASSERT_EQ(rock_model().description.schemes.size(), 4u);
  for (const double strength : {0.0, 1e5}) {
    study.params.soil_strength = strength;
    study.params.soil_drag = .8;
    for (const Scheme& scheme : rock_model().description.schemes) {
      const std::string name = scheme.name;  // contacts and soil are alike in the others
      if (is_slow() && name != "explicit" && name != "implicit") continue;
      SCOPED_TRACE(scheme.name);
      expect_same_table(test::run(study, scheme.name, rocks),
                        test::run(study, scheme.name, rocks, {.kernel = rock_model().kernels.cuda}));
    }
  }
}

/// Thousands of rocks wait at once for each of the kernels of several contacts, so that these take one step a launch,
/// and two threads have slow solves under way.
TEST_F(OnCuda, HasTheBitsOfTheScalarBackendWhereThousandsWait) {
  RockStudy study(test::eota221(), test::plane(0));
  study.world.set_down = 1;
  study.start.gap = -0.08;
  study.start.velocity = {2, 0.3, 0};
  study.start.omega = {0.2, 1, 0.1};
  study.vary_orientation();
  const std::uint64_t rocks = 1 << 15;
  std::uint64_t with_two = 0, with_more = 0, slow = 0;  // in the first step
  const EnsembleSpec spec = study.spec();
  const std::vector<std::byte> bytes = rock_model().ensemble(spec);
  const auto& ensemble = *reinterpret_cast<const Ensemble<Rock<double>>*>(bytes.data());
  for (std::uint64_t i = 0; i < rocks; ++i) {
    test::RockLane lane = Rock<double>::prepare(ensemble.world, draw(ensemble, i));
    Step<Rock<double>, test::Implicit>::begin(ensemble.world, lane);
    with_two += lane.contacts == 2;
    with_more += lane.contacts > 2 && lane.contacts <= most_waiting;
    slow += lane.contacts > most_waiting;
  }
  // Each of two threads has about half of them.
  ASSERT_GT(with_two, 5 * fewest_slots / 2);
  ASSERT_GT(with_more, 5 * fewest_slots / 2);
  ASSERT_GT(slow, 100u);
  const int steps = is_slow() ? 3 : 200;
  study.world.end = steps * study.world.step;
  expect_same_table(test::run(study, "implicit", rocks),
                    test::run(study, "implicit", rocks, {.kernel = rock_model().kernels.cuda}));
}

TEST_F(OnCuda, DevicesAreDescribedInSiUnits) {
  std::string why;
  for (int number = 0; number < scree_cuda_devices(&why); ++number) {
    CudaDevice device;
    scree_cuda_device(number, &device);
    EXPECT_EQ(device.number, number);
    EXPECT_NE(device.name, "");
    EXPECT_THAT(device.pci_bus, testing::MatchesRegex("[0-9A-Fa-f:.]+"));
    EXPECT_GE(device.major, 5);
    EXPECT_GE(device.multiprocessors, 1);
    EXPECT_GE(device.fp32_per_fp64, 1);
    EXPECT_GT(device.clock, 1e8);
    EXPECT_LT(device.clock, 1e10);
    EXPECT_GT(device.memory, 1e8);
    if (device.name != on_this_cpu) continue;
    EXPECT_EQ(device.clock, 2e9);
    // 8 bytes at both edges of 10^9 cycles a second.
    EXPECT_EQ(device.bandwidth, 16e9);
  }
}

TEST_F(OnCuda, DevicesAreListed) {
  CudaDevice device;
  scree_cuda_device(0, &device);
  testing::internal::CaptureStdout();
  list_devices(false);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_THAT(text, testing::HasSubstr("cuda:0  " + device.name));
  testing::internal::CaptureStdout();
  list_devices(true);
  const nlohmann::json json = nlohmann::json::parse(testing::internal::GetCapturedStdout());
  EXPECT_EQ(json["devices"][0]["name"], device.name);
  EXPECT_EQ(json["devices"][0]["fp32_per_fp64"], device.fp32_per_fp64);
  EXPECT_TRUE(json["why"].is_null());
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
