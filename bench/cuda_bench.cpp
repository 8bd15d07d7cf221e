// Compiled as CUDA, with SCREE_HAS_CUDA, where nvcc was found; as plain C++ elsewhere.
#include "cuda_bench.hpp"

#if SCREE_HAS_CUDA

#include <cuda_runtime.h>

#include <algorithm>
#include <limits>

#include "../kernels/cuda_backend.cuh"
#include "../src/systems/rock.hpp"

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

double measure_cuda_peak(int device) {
  CudaDevice facts;
  scree_cuda_device(device, &facts);
  select_cuda_device(device);
  const int blocks = facts.multiprocessors * (2048 / threads) * 4;
  DeviceArray<double> out(static_cast<std::size_t>(blocks) * threads);
  const CudaStream stream;
  cudaEvent_t start, stop;
  SCREE_CUDA(cudaEventCreate(&start));
  SCREE_CUDA(cudaEventCreate(&stop));
  double best = 0;
  for (int run = 0; run < 10; ++run) {
    SCREE_CUDA(cudaEventRecord(start, stream));
    multiply_add<<<blocks, threads, 0, stream>>>(out.data(), 0.5, 1.0);
    SCREE_CUDA(cudaGetLastError());
    SCREE_CUDA(cudaEventRecord(stop, stream));
    SCREE_CUDA(cudaEventSynchronize(stop));
    float milliseconds = 0;
    SCREE_CUDA(cudaEventElapsedTime(&milliseconds, start, stop));
    best = std::max(best, 2.0 * chains * passes * static_cast<double>(blocks) * threads /
                              (1e-3 * static_cast<double>(milliseconds)));
  }
  SCREE_CUDA(cudaEventDestroy(start));
  SCREE_CUDA(cudaEventDestroy(stop));
  return best;
}

CudaRoom cuda_room(int device) {
  using Part = CudaRun<Rock, RotorExplicit>;  // any scheme takes as much
  select_cuda_device(device);
  CudaRoom room;
  std::size_t free = 0, total = 0;
  SCREE_CUDA(cudaMemGetInfo(&free, &total));
  room.free_memory = static_cast<double>(free);
  Job job{};
  job.count = std::numeric_limits<std::uint64_t>::max();
  room.rocks_in_flight = Part::slots_that_fit(job, World{});
  return room;
}

}  // namespace scree

#else

namespace scree {
double measure_cuda_peak(int) { return 0; }
CudaRoom cuda_room(int) { return {}; }
}  // namespace scree

#endif
