// The CUDA devices of a machine, as `scree list --devices` and `scree bench --device` show them.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "json.hpp"
#include "kernels/cuda_devices.hpp"

namespace scree {

/// What a device was found to do, and what it has left.
struct DeviceLimits {
  CudaDevice device;
  std::string obstacle;  // why it does not run this program, and the rest is not known; empty: it does
  double fp64_flops = std::numeric_limits<double>::quiet_NaN();   // per second, of independent fused multiply-adds
  double free_memory = std::numeric_limits<double>::quiet_NaN();  // bytes
  std::uint64_t rocks_in_flight = 0;                              // as many as the backend steps at once
};

/// What of a device makes it the wrong one for FP64; empty if nothing does.
std::string fp64_warning(const CudaDevice& device);

/// A line for each device.
void print_devices(std::ostream& out, std::span<const CudaDevice> devices);
/// The member `devices`, and `why` there are none, or null.
Json devices_json(std::span<const CudaDevice> devices, const std::string& why);

void print_limits(std::ostream& out, const DeviceLimits& limits);
/// The member `devices` with what was measured of each.
Json limits_json(std::span<const DeviceLimits> all);

}  // namespace scree
