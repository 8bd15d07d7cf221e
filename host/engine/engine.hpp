// Where a run happens: a backend, an instruction set or a device, and threads.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "host/common/caller.hpp"
#include "host/model/run.hpp"

namespace scree {

struct EngineOptions {
  std::string backend = "auto";  // auto, scalar, pack, cuda, cuda:K, cuda:all, or several with commas between
  std::string isa = "auto";      // of the CPU backends: one of isa_choices()
  int threads = 0;               // 0: available_threads()
  double grace = 20;             // s that samples in flight may take to their end after an interruption
  std::function<void()> while_waiting = {};  // called every now and then by the thread that waits for the samples
};

/// "auto" and isa_names.
std::vector<std::string> isa_choices();
/// The place of one of them among isa_names; -1 of "auto". Throws Error(Exit::usage) for another name.
int isa_of(const std::string& name);

/// Where a run happens.
struct Engine {
  Kernel kernel = nullptr;
  std::string backend, device;
  int device_number = 0;  // CUDA
  int threads = 1;
  double grace = 0;  // s, see EngineOptions
  std::function<void()> while_waiting = {};
  /// Several at once, which share the samples; then there is no kernel above, and `threads` are those of all of them.
  std::vector<Engine> workers = {};
  bool is_cuda() const { return kernel != nullptr && backend == "cuda"; }
  bool has_threads() const;  // not only devices
  /// "pack (AVX-512), 2 threads"
  std::string text() const;
  /// For what the host computes itself, as statistics: those of a CPU backend, beside a GPU one for each processor.
  int host_threads() const;
};

/// `auto` is CUDA where the system was built for it and a device is there that can run it (if it cannot, a warning
/// says why), else pack. Of several each CPU backend has a share of the threads. Throws Error(Exit::usage) for
/// an unknown name or instructions that the backend never has, and Error(Exit::device) for what this build or machine
/// does not have.
Engine choose_engine(const Run& run, const EngineOptions& options, const Caller& caller = {});

/// Why the engine cannot run these samples; empty if it can. Nothing is integrated.
std::string obstacle(const Run& run, const Engine& engine);

}  // namespace scree
