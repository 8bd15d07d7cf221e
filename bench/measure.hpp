// The rows of a benchmark case and how they are measured: rounds interleaved, the best of each row.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench.hpp"
#include "cases.hpp"
#include "kernels/cuda_devices.hpp"
#include "power.hpp"

namespace scree {

inline constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// The device that this program runs on, measured at the beginning.
struct Machine {
  std::string cpu;
  double cpu_ghz, isa_peak[isa_count] = {}, cpu_peak = 0;  // flops per second of one core
  int threads;
  bool has_cuda = false;
  CudaDevice device;
  double cuda_peak = 0;  // FP64 flops per second of the device

  /// `threads` of the CPU; one per core if 0.
  explicit Machine(int threads);
};

/// The time that a bench may take, from its construction on.
class Budget {
 public:
  explicit Budget(double seconds) : seconds_(seconds) {}
  double left() const {
    return seconds_ - std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double seconds_;
};

/// One line of the result: a kernel on so many threads, and the best that was measured of it.
struct Row {
  std::string scheme, backend, isa;
  int scheme_number = 0, threads = 1;
  Kernel kernel = nullptr;  // null: `plain` is set
  scree_plain plain = nullptr;
  double peak = 0, isa_peak = 0;  // flops per second, of one core or of the GPU
  // What a warm-up said, sample-steps per second (of a GPU, which few samples do not tell, the last count); and the
  // best of the rounds, s.
  double rate = 0, wall_s = 0, cpu_s = 0, kernel_s = 0;
  bool measured = false;
  bool always = false;  // whatever --limit says: the row that shows what the CPU can do
  std::uint64_t steps = 0;
  std::uint64_t calls = 0;                // how many rounds it was not left out of
  double taken_joules = 0, taking_s = 0;  // of a GPU, over all its calls
  double joules = no_number;              // per sample
  std::string digest;                     // of a backend
  ContactWork contacts;
  std::optional<PhysicsCheck> check;
  double map_cell = 0;              // of the maps that it makes, m; 0: none
  double over_no_maps = no_number;  // its time over that of the same row without
  std::string maps_digest;

  bool is_cuda() const { return backend == "cuda"; }
  /// One of Scree's own: bits, digest, and the headline.
  bool is_backend() const { return plain == nullptr && backend != "contracted"; }
  double steps_per_s() const { return static_cast<double>(steps) / wall_s; }
  /// Seconds of one core, or of the GPU's kernels, per sample-step.
  double busy_per_step() const { return (is_cuda() ? kernel_s : cpu_s) / static_cast<double>(steps); }
};

/// The parameters and starts that the plain rows are given, of all samples: [samples, width]; drawn once.
class Inputs {
 public:
  void draw(const BenchCase& bench, const Model& model, const void* ensemble, std::uint64_t samples);
  const double* values() const { return values_.data(); }
  std::size_t width() const { return width_; }

 private:
  std::vector<double> values_;
  std::size_t width_ = 0;
};

/// What one call of a row took, and the summaries or states that it left in `out`.
struct Call {
  double wall_s, cpu_s, kernel_s;
  std::uint64_t steps;
};

/// Throws Error for schemes and backends among the options that the case or this machine has not.
void check_choice(const BenchCase& bench, const BenchOptions& options);

/// A case on a machine: its ensemble, its rows, and what its operations are.
class CaseRun {
 public:
  CaseRun(const BenchCase& bench, const Machine& machine, const BenchOptions& options);

  const Run& run() const { return run_; }
  const BenchCase& bench() const { return bench_; }
  bool is_interrupted() const { return options_.caller.asks_for_end(); }
  const StepOperations& operations(const std::string& scheme) const {
    const auto found = std::find(run_.schemes.begin(), run_.schemes.end(), scheme);
    return operations_[static_cast<std::size_t>(found - run_.schemes.begin())];
  }

  /// All rows at this number of samples, rounds interleaved, best of each. Rows that would end later than `budget`
  /// allows are not measured.
  std::vector<Row> measure(std::uint64_t samples, const Budget& budget);

 private:
  static constexpr std::uint64_t warm_up = 16;

  /// Of a sample: as many as it can take, or, of rocks on a ramp, what its operations were counted over.
  std::uint64_t expected_steps() const { return operations_[0].steps / bench_.counted; }

  Call call(Row& row, std::uint64_t samples);
  /// Digest and physics of a backend's summaries, agreement of a plain row's states.
  void look_at_results(Row& row, std::uint64_t samples);

  /// The case with maps of one size of cells.
  struct Mapped {
    Run run;
    std::vector<std::byte> ensemble;
  };
  struct Mean {
    double mean, size;  // of x, of |x|
  };
  static Mean mean_of(const double* values, std::uint64_t count, std::size_t stride);

  const BenchCase& bench_;
  const Machine& machine_;
  const BenchOptions& options_;
  Run run_;
  std::vector<std::byte> ensemble_;
  std::map<double, Mapped> mapped_;  // by their size
  std::vector<Row> rows_;
  std::vector<StepOperations> operations_;  // by scheme
  SummaryTable table_;
  Inputs inputs_;
  std::vector<double> out_;
  std::vector<Mean> means_;
  PowerMeter meter_{machine_.device.pci_bus};
};

}  // namespace scree
