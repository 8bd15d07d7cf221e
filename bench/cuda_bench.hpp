// What the bench asks of a CUDA device beside the kernels. Answers also in a build without CUDA.
#pragma once

#include <cstdint>

namespace scree {

/// FP64 flops per second of independent fused multiply-adds on the device, measured; 0 without CUDA. Throws
/// std::runtime_error if the device runs no kernel.
double measure_cuda_peak(int device);

/// What a device has left: bytes, and how many rocks the backend would step at once.
struct CudaRoom {
  double free_memory = 0;
  std::uint64_t rocks_in_flight = 0;
};
/// All zero without CUDA. Throws std::runtime_error if the device cannot be used.
CudaRoom cuda_room(int device);

}  // namespace scree
