// Errors, memory and streams of the CUDA runtime: one check for every call, and what frees itself.
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

/// A stream that waits for no other.
class CudaStream {
 public:
  CudaStream() { SCREE_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;
  ~CudaStream() { cudaStreamDestroy(stream_); }

  operator cudaStream_t() const { return stream_; }
  void wait() const { SCREE_CUDA(cudaStreamSynchronize(stream_)); }
  bool is_done() const {
    const cudaError_t code = cudaStreamQuery(stream_);
    if (code != cudaErrorNotReady) check_cuda(code, "cudaStreamQuery(stream_)", __FILE__, __LINE__);
    return code == cudaSuccess;
  }

 private:
  cudaStream_t stream_ = nullptr;
};

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

 private:
  T* data_ = nullptr;
};

/// `size` elements of the host's memory, uninitialised, which the device copies to without a detour.
template <class T>
class PinnedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit PinnedArray(std::size_t size) {
    if (size > 0) SCREE_CUDA(cudaMallocHost(&data_, size * sizeof(T)));
  }
  PinnedArray(const PinnedArray&) = delete;
  PinnedArray& operator=(const PinnedArray&) = delete;
  ~PinnedArray() { cudaFreeHost(data_); }

  T* data() const { return data_; }
  T& operator[](std::size_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
};

/// Begins to copy `count` elements; the stream tells when it is done. `from` is not to change until then.
template <class T>
void upload(const DeviceArray<T>& to, const T* from, std::size_t count, const CudaStream& stream) {
  if (count > 0) SCREE_CUDA(cudaMemcpyAsync(to.data(), from, count * sizeof(T), cudaMemcpyHostToDevice, stream));
}
template <class T>
void download(const PinnedArray<T>& to, const DeviceArray<T>& from, std::size_t count, const CudaStream& stream) {
  if (count > 0) SCREE_CUDA(cudaMemcpyAsync(to.data(), from.data(), count * sizeof(T), cudaMemcpyDeviceToHost, stream));
}

}  // namespace scree
