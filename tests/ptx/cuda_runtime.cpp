#include "cuda_runtime.hpp"

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <stdexcept>
#include <string_view>

namespace scree::test {
namespace {

/// What nvcc lays around the code of a source, and what it puts before the code of each architecture.
struct FatBinaryWrapper {
  std::uint32_t magic, version;
  const char* data;
  void* file_name;
};
struct FatBinaryHeader {
  std::uint32_t magic;
  std::uint16_t version, header_size;
  std::uint64_t size;
};

std::map<std::string, PtxModule*>& kernels() {
  static std::map<std::string, PtxModule*> all;
  return all;
}

/// The PTX of a fat binary: texts that begin with .version and end with a NUL.
void take(const FatBinaryWrapper& wrapper) {
  static std::list<PtxModule> modules;
  FatBinaryHeader header;
  std::memcpy(&header, wrapper.data, sizeof header);
  const std::string_view bytes(wrapper.data, header.header_size + header.size);
  constexpr std::string_view start = "\n.version ";
  for (std::size_t at = bytes.find(start); at != std::string_view::npos; at = bytes.find(start, at + 1)) {
    modules.emplace_back(bytes.substr(at, bytes.find('\0', at) - at));
    for (const std::string& entry : modules.back().entries()) kernels()[entry] = &modules.back();
  }
}

struct Launch {
  dim3 grid, block;
  std::size_t shared;
  cudaStream_t stream;
};
thread_local std::list<Launch> configured;

std::map<const void*, std::string>& names_of_stubs() {
  static std::map<const void*, std::string> all;
  return all;
}

cudaError_t launch(const void* stub, dim3 grid, dim3 block, std::size_t shared, void** arguments) {
  if (grid.y * grid.z * block.y * block.z != 1 || shared != 0) return cudaErrorInvalidConfiguration;
  try {
    const std::string& name = names_of_stubs().at(stub);
    const PtxModule& module = *kernels().at(name);
    for (std::uint32_t ctaid = 0; ctaid < grid.x; ++ctaid)
      for (std::uint32_t tid = 0; tid < block.x; ++tid) module.run(name, {tid, block.x, ctaid}, arguments);
    return cudaSuccess;
  } catch (const std::out_of_range&) {
    return cudaErrorInvalidDeviceFunction;
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return cudaErrorIllegalInstruction;
  }
}

}  // namespace

const std::map<std::string, PtxModule*>& ptx_kernels() { return kernels(); }

}  // namespace scree::test

// What nvcc's host code and the CUDA backend call.
extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  try {
    scree::test::take(*static_cast<const scree::test::FatBinaryWrapper*>(wrapper));
  } catch (const std::exception& error) {
    // Before main: nobody can catch it.
    std::fprintf(stderr, "%s\n", error.what());
    std::exit(1);
  }
  static void* handle;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, const char* stub, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {
  scree::test::names_of_stubs()[stub] = name;
}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream) {
  scree::test::configured.push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  const scree::test::Launch last = scree::test::configured.back();
  scree::test::configured.pop_back();
  *grid = last.grid;
  *block = last.block;
  *shared = last.shared;
  *static_cast<cudaStream_t*>(stream) = last.stream;
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* stub) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(stub));
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                               cudaStream_t) {
  return scree::test::launch(kernel, grid, block, shared, arguments);
}
cudaError_t cudaLaunchKernel(const void* stub, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t) {
  return scree::test::launch(stub, grid, block, shared, arguments);
}

cudaError_t cudaMalloc(void** where, std::size_t size) {
  constexpr std::size_t alignment = 256;
  *where = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (*where == nullptr) return cudaErrorMemoryAllocation;
  std::memset(*where, 0xff, size);
  return cudaSuccess;
}
cudaError_t cudaFree(void* where) {
  std::free(where);
  return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** where, std::size_t size, unsigned) { return cudaMalloc(where, size); }
cudaError_t cudaFreeHost(void* where) { return cudaFree(where); }
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind, cudaStream_t) {
  std::memcpy(to, from, size);
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = *total = std::size_t{1} << 30;
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = nullptr;  // all work is done when a call returns
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamQuery(cudaStream_t) {
  // It is done, but a device would be at it for a while: every other answer says so.
  static std::atomic<unsigned> asked{0};
  return ++asked % 2 == 0 ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (device != 0) return cudaErrorInvalidDevice;
  *properties = {};
  std::strcpy(properties->name, "PTX on this CPU");
  properties->totalGlobalMem = std::size_t{1} << 30;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int) {
  static const std::map<cudaDeviceAttr, int> known{{cudaDevAttrComputeCapabilityMajor, 8},
                                                   {cudaDevAttrMultiProcessorCount, 1},
                                                   {cudaDevAttrSingleToDoublePrecisionPerfRatio, 2},
                                                   {cudaDevAttrClockRate, 2'000'000},        // kHz
                                                   {cudaDevAttrMemoryClockRate, 1'000'000},  // kHz
                                                   {cudaDevAttrGlobalMemoryBusWidth, 64}};   // bits
  const auto found = known.find(which);
  if (found == known.end()) return cudaErrorInvalidValue;
  *value = found->second;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* bus, int size, int) {
  std::snprintf(bus, static_cast<std::size_t>(size), "0000:00:00.0");
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
const char* cudaGetErrorString(cudaError_t code) {
  return code == cudaSuccess ? "no error" : code == cudaErrorMemoryAllocation ? "out of memory" : "PTX failed";
}

}  // extern "C"
