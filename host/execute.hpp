// From a Run to its samples: the choice of a backend, the check of memory, and one scheme through the kernels with
// progress and Ctrl-C.
#pragma once

#include <csignal>
#include <cstdint>
#include <string>

#include "result_file.hpp"
#include "run.hpp"

namespace scree {

struct EngineOptions {
  std::string backend = "auto";  // auto, scalar, pack, cuda, cuda:K
  std::string isa = "auto";      // of the CPU backends: auto or one of isa_names
  int threads = 0;               // 0: one per core
};

/// Where a run happens.
struct Engine {
  Kernel kernel = nullptr;
  std::string backend, device;
  int device_number = 0;  // CUDA
  int threads = 1;
  /// "pack (AVX-512), 2 threads"
  std::string text() const;
};

/// `auto` is CUDA where the system was built for it and a device is there that can run it (if it cannot, a warning on
/// stderr says why), else pack. Throws Error(Exit::usage) for an unknown name or instructions that the backend never
/// has, and Error(Exit::device) for what this build or machine does not have.
Engine choose_engine(const Run& run, const EngineOptions& options);

/// Why the engine cannot run these samples; empty if it can. Nothing is integrated.
std::string obstacle(const Run& run, const Engine& engine);

/// Bytes that the summaries and statistics of `arms` schemes take, where a table of `finished` samples grows.
double memory_needed(const Run& run, std::size_t arms, std::uint64_t finished = 0);
/// Bytes that this process may still take.
double memory_available();
/// Throws Error(Exit::device) if the former exceeds the latter.
void require_memory(const Run& run, std::size_t arms, std::uint64_t finished = 0);
/// "1.53 GB"
std::string bytes_text(double bytes);

/// Most steps that a sample can take.
std::uint64_t most_steps(const Run& run);

/// While one lives, the first SIGINT and the first SIGTERM only ask for an end; the second kills, as without it. A
/// signal that is ignored (nohup, a job in the background) stays so.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
  static bool asked();

 private:
  struct sigaction before_[2];
};

/// Runs all samples under one scheme, or those that `finished` does not have: it holds the first samples of the same
/// run under the same scheme and description, some of which may be `not_run`, and its times and steps are added to
/// ours. Which samples were finished before changes no bit. If an end is asked for, the samples that are not finished
/// keep `not_run`. Throws Error(Exit::device) for a failure of device or memory. `label` heads the progress; empty: the
/// scheme.
Arm execute(const Run& run, const std::string& scheme, const Engine& engine, bool quiet, const std::string& label = "",
            Arm finished = {});

/// How many samples ended in a way that a `strict` run does not accept.
std::uint64_t failed_samples(const Arm& arm);

}  // namespace scree
