// What the bench asks of a CUDA device beside the kernels. Answers also in a build without CUDA.
#pragma once

#include <string>

namespace scree {

struct CudaDevice {
  double peak = 0;      // FP64 flops per second of independent fused multiply-adds, measured
  double clock = 0;     // GHz, the highest that the driver names
  std::string pci_bus;  // as NVML wants it
};

/// Measures and asks; all zero without a device.
CudaDevice measure_cuda_device(int device);

}  // namespace scree
