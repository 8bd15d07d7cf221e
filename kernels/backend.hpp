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
  std::uint32_t* status;  // [count]; a sample that was not finished keeps `not_run`. Set last, see set_ended
  int threads;            // CPU backends
  int block;              // most samples in flight, per thread (CPU) or in all (CUDA); 0: the backend's own choice
  int device;             // CUDA device number
  Control* control;
  // CUDA, for samples that are watched: entries for visits and crossings in each buffer on the device, or more, if one
  // step of one sample needs more; 0: the backend's own choice.
  std::size_t sights = 0;
  std::uint64_t* steps = nullptr;  // [count], of each sample that ends; null: nobody asks
};

/// Of sample k of a job: that it has ended, after its summary and its steps are stored. Whoever reads the status by
/// ended_as while the job runs sees these too.
inline void set_ended(const Job& job, std::uint64_t k, std::uint32_t status, std::uint64_t steps) {
  if (job.steps) job.steps[k] = steps;
  __atomic_store_n(&job.status[k], status, __ATOMIC_RELEASE);
}
inline std::uint32_t ended_as(const std::uint32_t& status) { return __atomic_load_n(&status, __ATOMIC_ACQUIRE); }

/// One sample by itself, on this thread.
struct ReplayJob {
  const void* ensemble;
  int scheme;  // position in System::Schemes
  std::uint64_t sample;
  std::uint64_t every;  // steps
  /// Called at the release, after every `every` steps and at the end with the time, s, and the columns of the track.
  void (*row)(const void* rows, const double* values, std::size_t count);
  const void* rows;
  double* summary;  // a number for each column
  std::uint32_t status;
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
using Replayer = void (*)(ReplayJob&);  // throws what `row` throws
struct SystemKernels {
  const char* system;
  Kernel scalar[isa_count], pack[isa_count];  // by Isa, same bits
  Kernel cuda;
  Replayer replay[isa_count] = {};  // where there is a scalar one

  /// Whether it is compiled for packs, with any instruction set.
  bool has_packs() const {
    for (const Kernel kernel : pack)
      if (kernel != nullptr) return true;
    return false;
  }
};

}  // namespace scree
