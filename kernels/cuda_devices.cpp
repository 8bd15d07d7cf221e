// Compiled as CUDA, with SCREE_HAS_CUDA, where nvcc was found; as plain C++ elsewhere.
#include "cuda_devices.hpp"

#if SCREE_HAS_CUDA

#include <cuda_runtime.h>

int scree_cuda_devices(std::string* why) {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess) {
    *why = cudaGetErrorString(code);
    return 0;
  }
  if (count == 0) *why = "the driver lists no device";
  return count;
}

void scree_cuda_device_name(int device, std::string* name) {
  cudaDeviceProp properties;
  *name = cudaGetDeviceProperties(&properties, device) == cudaSuccess ? properties.name : "";
}

#else

int scree_cuda_devices(std::string* why) {
  *why = "this program was built without CUDA";
  return 0;
}

void scree_cuda_device_name(int, std::string* name) { name->clear(); }

#endif
