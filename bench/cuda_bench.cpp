// Compiled as CUDA, with SCREE_HAS_CUDA, where nvcc was found; as plain C++ elsewhere.
#include "cuda_bench.hpp"

#if SCREE_HAS_CUDA

#include <cuda_runtime.h>

#include <algorithm>

#include "../kernels/cuda_check.hpp"

namespace scree {
namespace {

constexpr int chains = 8, passes = 4096, threads = 256;

/// Independent chains of a -> a / 2 + 1, which tend to 2.
__global__ void multiply_add(double* out, double keep, double push) {
  double a[chains];
#pragma unroll
  for (int i = 0; i < chains; ++i) a[i] = i + static_cast<double>(threadIdx.x);
#pragma unroll 1
  for (int k = 0; k < passes; ++k) {
#pragma unroll
    for (int i = 0; i < chains; ++i) a[i] = ::fma(a[i], keep, push);
  }
  double sum = 0;
#pragma unroll
  for (int i = 0; i < chains; ++i) sum += a[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

}  // namespace

CudaDevice measure_cuda_device(int device) {
  cudaDeviceProp properties;
  int clock = 0;
  char bus[32] = "";
  SCREE_CUDA(cudaSetDevice(device));
  SCREE_CUDA(cudaGetDeviceProperties(&properties, device));
  SCREE_CUDA(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device));
  SCREE_CUDA(cudaDeviceGetPCIBusId(bus, sizeof bus, device));
  const int blocks = properties.multiProcessorCount * (2048 / threads) * 4;
  DeviceArray<double> out(static_cast<std::size_t>(blocks) * threads);
  cudaEvent_t start, stop;
  SCREE_CUDA(cudaEventCreate(&start));
  SCREE_CUDA(cudaEventCreate(&stop));
  double best = 0;
  for (int run = 0; run < 10; ++run) {
    SCREE_CUDA(cudaEventRecord(start));
    multiply_add<<<blocks, threads>>>(out.data(), 0.5, 1.0);
    SCREE_CUDA(cudaEventRecord(stop));
    SCREE_CUDA(cudaEventSynchronize(stop));
    float milliseconds = 0;
    SCREE_CUDA(cudaEventElapsedTime(&milliseconds, start, stop));
    best = std::max(best, 2.0 * chains * passes * static_cast<double>(blocks) * threads /
                              (1e-3 * static_cast<double>(milliseconds)));
  }
  SCREE_CUDA(cudaEventDestroy(start));
  SCREE_CUDA(cudaEventDestroy(stop));
  return {best, 1e-6 * clock, bus};
}

}  // namespace scree

#else

namespace scree {
CudaDevice measure_cuda_device(int) { return {}; }
}  // namespace scree

#endif
