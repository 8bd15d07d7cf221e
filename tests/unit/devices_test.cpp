// What is said of CUDA devices: tables, JSON and warnings of devices that need not be there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "host/report/devices.hpp"

namespace scree {
namespace {

using testing::HasSubstr;

CudaDevice h200() {
  return {.number = 0,
          .name = "NVIDIA H200",
          .pci_bus = "0000:1B:00.0",
          .major = 9,
          .minor = 0,
          .multiprocessors = 132,
          .fp32_per_fp64 = 2,
          .clock = 1.98e9,
          .memory = 150e9,
          .bandwidth = 4.917e12};
}
CudaDevice graphics_card(int fp32_per_fp64) {
  return {.number = 1,
          .name = "Graphics card",
          .pci_bus = "0000:41:00.0",
          .major = 8,
          .minor = 9,
          .multiprocessors = 128,
          .fp32_per_fp64 = fp32_per_fp64,
          .clock = 2.52e9,
          .memory = 25.3e9,
          .bandwidth = 1.008e12};
}

template <class Print>
std::string printed(Print&& print) {
  std::ostringstream out;
  print(out);
  return out.str();
}

TEST(DeviceWarning, NamesTheShareOfFp32) {
  for (const int ratio : {32, 64})
    EXPECT_EQ(fp64_warning(graphics_card(ratio)),
              "device 1, Graphics card: FP64, in which all is computed, runs at 1/" + std::to_string(ratio) +
                  " of the rate of FP32; the CPU may be faster, `scree bench` shows it");
}

TEST(DeviceWarning, IsNotOfDevicesThatComputeInFp64) {
  EXPECT_EQ(fp64_warning(h200()), "");
  // Nothing is known, so nothing is said.
  EXPECT_EQ(fp64_warning(graphics_card(0)), "");
}

TEST(Devices, HaveALineEach) {
  const std::vector<CudaDevice> devices{h200(), graphics_card(64)};
  EXPECT_EQ(printed([&](std::ostream& out) { print_devices(out, devices); }),
            "  device  name           capability  multiprocessors  clock GHz    memory  FP64 of FP32\n"
            "  cuda:0  NVIDIA H200           9.0              132      1.980  150.0 GB           1/2\n"
            "  cuda:1  Graphics card         8.9              128      2.520  25.30 GB          1/64\n");
}

TEST(Devices, ShowWhatTheDriverDoesNotSayAsADash) {
  CudaDevice device = h200();
  device.clock = device.memory = device.bandwidth = 0;
  device.major = device.minor = device.multiprocessors = device.fp32_per_fp64 = 0;
  EXPECT_EQ(printed([&](std::ostream& out) { print_devices(out, std::vector{device}); }),
            "  device  name         capability  multiprocessors  clock GHz  memory  FP64 of FP32\n"
            "  cuda:0  NVIDIA H200           -                -          -       -             -\n");
  const Json json = devices_json(std::vector{device}, "")["devices"][0];
  for (const char* key :
       {"compute_capability", "multiprocessors", "clock", "memory", "memory_bandwidth", "fp32_per_fp64"})
    EXPECT_TRUE(json[key].is_null()) << key;
}

TEST(Devices, AsJsonSayWhyThereIsNone) {
  const Json none = devices_json({}, "no NVIDIA driver is installed");
  EXPECT_EQ(none, (Json{{"devices", Json::array()}, {"why", "no NVIDIA driver is installed"}}));
  EXPECT_TRUE(devices_json(std::vector{h200()}, "")["why"].is_null());
}

TEST(DeviceLimits, AreWhatWasMeasuredBesideWhatTheDriverSays) {
  DeviceLimits limits;
  limits.device = h200();
  limits.fp64_flops = 33.2e12;
  limits.free_memory = 149e9;
  limits.rocks_in_flight = 262144;
  EXPECT_EQ(printed([&](std::ostream& out) { print_limits(out, limits); }),
            "cuda:0: NVIDIA H200, compute capability 9.0, PCI 0000:1B:00.0\n"
            "  limit                             value\n"
            "  multiprocessors                   132\n"
            "  clock, highest                    1.980 GHz\n"
            "  FP64, measured                    33.20 TFlop/s\n"
            "  FP64 of FP32, by the driver       1/2\n"
            "  memory                            150.0 GB\n"
            "  memory, free                      149.0 GB\n"
            "  memory's bandwidth, by its clock  4.917 TB/s\n"
            "  rocks that are stepped at once    262144\n");
  const Json json = limits_json(std::vector{limits})["devices"][0];
  EXPECT_EQ(json["fp64_flops"], 33.2e12);
  EXPECT_EQ(json["rocks_in_flight"], 262144);
  EXPECT_TRUE(json["obstacle"].is_null());
  EXPECT_EQ(json["warnings"], Json::array());
}

TEST(DeviceLimits, OfADeviceThatRunsNothingSayWhy) {
  DeviceLimits limits;
  limits.device = graphics_card(64);
  limits.obstacle = "no kernel image is available for execution on the device";
  EXPECT_THAT(printed([&](std::ostream& out) { print_limits(out, limits); }),
              HasSubstr("  FP64, measured                    -\n"));
  const Json json = limits_json(std::vector{limits})["devices"][0];
  EXPECT_TRUE(json["fp64_flops"].is_null());
  EXPECT_TRUE(json["rocks_in_flight"].is_null());
  EXPECT_EQ(json["obstacle"], limits.obstacle);
  EXPECT_EQ(json["warnings"], Json{fp64_warning(limits.device)});
}

}  // namespace
}  // namespace scree
