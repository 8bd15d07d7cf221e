// What the host asks of a backend: integrate samples [first, first + count) and write their summaries.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace scree {

/// Shared by the host and the working threads while a job runs.
struct Control {
  // Begin no more samples, but finish those in flight: what is finished then are the first ones. Else it would be those
  // that end early, of which no mean is that of the ensemble.
  std::atomic<bool> close{false};
  std::atomic<bool> cancel{false};  // end at once, samples in flight are left
  std::atomic<std::uint64_t> samples_done{0};
  std::atomic<std::uint64_t> steps_done{0};  // sample-steps
  std::atomic<double> kernel_s{0};           // on a device: seconds in which samples were stepped and sorted
};

/// One call. The ensemble is an Ensemble<System<double>> of the system that the kernel belongs to.
struct Job {
  const void* ensemble;
  std::size_t table_size;  // doubles behind world.tables
  int scheme;              // position in System::Schemes
  std::uint64_t first, count;
  double* columns;  // [columns, stride]; sample first + k is column entry k
  std::size_t stride;
  std::uint32_t* status;  // [count]; a sample that was not finished keeps `not_run`
  int threads;            // CPU backends
  int block;              // most samples in flight, per thread (CPU) or in all (CUDA); 0: the backend's own choice
  int device;             // CUDA device number
  Control* control;
  // CUDA, for samples that are watched: entries for visits and crossings in each buffer on the device, or more, if one
  // step of one sample needs more; 0: the backend's own choice.
  std::size_t sights = 0;
};

/// The instruction sets that the CPU backends are compiled for.
enum class Isa : int {
  baseline = 0,  // any processor of the platform
  avx2 = 1,      // x86-64-v3: AVX2 and FMA
  avx512 = 2,    // x86-64-v4: AVX-512 (F, DQ, VL, BW, CD)
};
inline constexpr int isa_count = 3;
inline constexpr const char* isa_names[isa_count] = {"baseline", "avx2", "avx512"};
inline constexpr const char* isa_titles[isa_count] = {"baseline", "AVX2", "AVX-512"};

/// Entry points of one system; null where a backend was not built. Each throws std::runtime_error on device or memory
/// errors.
using Kernel = void (*)(const Job&);
struct SystemKernels {
  const char* system;
  Kernel scalar[isa_count], pack[isa_count];  // by Isa, same bits
  Kernel cuda;
};

}  // namespace scree
