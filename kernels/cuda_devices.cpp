// Compiled as CUDA, with SCREE_HAS_CUDA, where nvcc was found; as plain C++ elsewhere.
#include "cuda_devices.hpp"

#if SCREE_HAS_CUDA

#include <cuda_runtime.h>

namespace {

/// CUDA's own text takes a missing driver for an old one.
std::string driver_obstacle(cudaError_t code) {
  const auto version = [](int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
  };
  int driver = 0;
  if (code != cudaErrorInsufficientDriver || cudaDriverGetVersion(&driver) != cudaSuccess)
    return cudaGetErrorString(code);
  if (driver == 0) return "no NVIDIA driver is installed";
  return "the NVIDIA driver is for CUDA " + version(driver) + ", this program needs one for " +
         version(CUDART_VERSION / 1000 * 1000) + " or later";
}

/// 0 where the driver does not say.
int attribute(cudaDeviceAttr which, int number) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, which, number) == cudaSuccess ? value : 0;
}

}  // namespace

int scree_cuda_devices(std::string* why) {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess) {
    *why = driver_obstacle(code);
    return 0;
  }
  if (count == 0) *why = "the driver lists no device";
  return count;
}

void scree_cuda_device(int number, scree::CudaDevice* device) {
  *device = {};
  device->number = number;
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, number) != cudaSuccess) return;
  device->name = properties.name;
  device->memory = static_cast<double>(properties.totalGlobalMem);
  char bus[32] = "";
  if (cudaDeviceGetPCIBusId(bus, sizeof bus, number) == cudaSuccess) device->pci_bus = bus;
  device->major = attribute(cudaDevAttrComputeCapabilityMajor, number);
  device->minor = attribute(cudaDevAttrComputeCapabilityMinor, number);
  device->multiprocessors = attribute(cudaDevAttrMultiProcessorCount, number);
  device->fp32_per_fp64 = attribute(cudaDevAttrSingleToDoublePrecisionPerfRatio, number);
  device->clock = 1e3 * attribute(cudaDevAttrClockRate, number);
  device->bandwidth =
      2e3 * attribute(cudaDevAttrMemoryClockRate, number) * attribute(cudaDevAttrGlobalMemoryBusWidth, number) / 8;
}

#else

int scree_cuda_devices(std::string* why) {
  *why = "this program was built without CUDA";
  return 0;
}

void scree_cuda_device(int number, scree::CudaDevice* device) {
  *device = {};
  device->number = number;
}

#endif
