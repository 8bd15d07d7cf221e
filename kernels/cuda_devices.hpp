// Which CUDA devices this machine has, and what the driver says of them. Answers also in a build without CUDA.
#pragma once

#include <string>

namespace scree {

/// A device as the driver describes it; 0 for what it does not say.
struct CudaDevice {
  int number = 0;            // K of cuda:K
  std::string name;          // "NVIDIA H200"; empty: there is no such device
  std::string pci_bus;       // "0000:1B:00.0"
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;
  int fp32_per_fp64 = 0;  // operations in FP32 in the time of one in FP64
  double clock = 0;       // Hz, the highest
  double memory = 0;      // bytes
  double bandwidth = 0;   // of the memory, bytes/s: two transfers of its width in a cycle of its highest clock
};

}  // namespace scree

extern "C" {

/// How many devices can be used; if none, `why` is set to the reason.
int scree_cuda_devices(std::string* why);

/// Sets `device` to what the driver says of the device of this number, counted from 0.
void scree_cuda_device(int number, scree::CudaDevice* device);

}  // extern "C"
