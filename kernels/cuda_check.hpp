// Errors and memory of the CUDA runtime: one check for every call, and arrays that free themselves.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace scree {

inline void check_cuda(cudaError_t code, const char* call, const char* file, int line) {
  if (code == cudaSuccess) return;
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + call + ": " +
                           cudaGetErrorString(code));
}

/// Throws std::runtime_error with file, line, the call and CUDA's text unless the call succeeds.
#define SCREE_CUDA(call) ::scree::check_cuda((call), #call, __FILE__, __LINE__)

/// `size` elements of device memory, uninitialised.
template <class T>
class DeviceArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit DeviceArray(std::size_t size) {
    if (size > 0) SCREE_CUDA(cudaMalloc(&data_, size * sizeof(T)));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  T* data() const { return data_; }
  void upload(const T* from, std::size_t count) {
    if (count > 0) SCREE_CUDA(cudaMemcpy(data_, from, count * sizeof(T), cudaMemcpyHostToDevice));
  }
  void download(T* to, std::size_t count) const {
    if (count > 0) SCREE_CUDA(cudaMemcpy(to, data_, count * sizeof(T), cudaMemcpyDeviceToHost));
  }

 private:
  T* data_ = nullptr;
};

}  // namespace scree
