// The CUDA backend, device side: one thread, one sample.
//
// A sample in flight lives in a slot: its lane in global memory between launches, in registers and local memory within
// one. Threads work on lists of slots, so that stopped samples take no threads; which thread or slot a sample has
// changes nothing in its bits.
#pragma once

#include <cstdint>

#include "../src/integrate.hpp"

namespace scree {

/// Threads of a block, for all kernels.
inline constexpr int cuda_block = 128;

/// Contacts that `advance` solves itself, of a system with more. More are rare (below 0.1 % of a rock's steps) and
/// their arrays would fill every thread's local memory, so such a sample waits for `advance_crowded`.
inline constexpr int cuda_inline_contacts = 4;

/// Whether samples of a system can become crowded: have more contacts than that.
template <template <class> class System>
inline constexpr bool may_crowd = most_contacts<System>() > cuda_inline_contacts;

/// Blocks that are to share a multiprocessor in `advance`, at least; 0 leaves it to the compiler.
template <template <class> class System>
constexpr int cuda_blocks() {
  if constexpr (requires { System<double>::cuda_blocks; }) {
    return System<double>::cuda_blocks;
  } else {
    return 0;
  }
}

template <class Lane, class Sink>
struct Slot : Sink {  // a base, as it may be empty
  Lane lane;
  std::uint64_t sample;  // counted from the job's first
  bool crowded;          // in the middle of a step with more than cuda_inline_contacts contacts

  HOST_DEVICE Sink& sink() { return *this; }
};

#if defined(__CUDACC__)

/// Position of this thread in the launch.
__device__ inline int thread_position() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

/// Draws and prepares the samples next, next + 1, ... of the job into the listed slots. The ensemble lies in device
/// memory: with starts of many bodies it is larger than a kernel's arguments may be.
template <template <class> class System, class InFlight>
__global__ void admit(const Ensemble<System<double>>* in_memory, std::uint64_t first, std::uint64_t next,
                      InFlight* slots, const int* list, int count) {
  const int i = thread_position();
  if (i >= count) return;
  const Ensemble<System<double>>& ensemble = *in_memory;
  InFlight& slot = slots[list[i]];
  slot.sample = next + static_cast<std::uint64_t>(i);
  slot.crowded = false;
  slot.lane = Stepping<System, double>::prepare(ensemble.world, draw(ensemble, first + slot.sample));
  slot.sink() = {};
  slot.sink().release(ensemble.world, slot.lane);
}

/// Advances the listed samples by up to `steps` steps, each until it ends or becomes crowded.
template <template <class> class System, class Scheme, class InFlight>
__global__ void __launch_bounds__(cuda_block, cuda_blocks<System>())
    advance(const __grid_constant__ World world, int steps, InFlight* slots, const int* list, int count) {
  using Step = scree::Step<Stepping<System, double>, Scheme>;
  const int i = thread_position();
  if (i >= count) return;
  InFlight& slot = slots[list[i]];
  auto lane = slot.lane;
  auto sink = slot.sink();
  SCREE_ROLLED
  for (int step = 0; step < steps && lane.status == running; ++step) {
    Step::begin(world, lane);
    if constexpr (may_crowd<System>) {
      if (lane.contacts > static_cast<double>(cuda_inline_contacts)) {
        slot.crowded = true;
        break;
      }
      Step::template solve<cuda_inline_contacts>(world, lane);
    } else {
      Step::solve(world, lane);
    }
    Step::finish(world, lane, sink);
  }
  slot.lane = lane;
  slot.sink() = sink;
}

/// Ends the step that crowded samples are in, and goes on while they stay crowded, for up to `steps` steps.
template <template <class> class System, class Scheme, class InFlight>
__global__ void __launch_bounds__(cuda_block)
    advance_crowded(const __grid_constant__ World world, int steps, InFlight* slots, const int* list, int count) {
  using Step = scree::Step<Stepping<System, double>, Scheme>;
  const int i = thread_position();
  if (i >= count) return;
  InFlight& slot = slots[list[i]];
  auto lane = slot.lane;
  auto sink = slot.sink();
  SCREE_ROLLED
  for (int step = 1;; ++step) {
    const bool crowded = lane.contacts > static_cast<double>(cuda_inline_contacts);
    Step::solve(world, lane);
    Step::finish(world, lane, sink);
    if (!crowded || step >= steps || lane.status != running) break;
    Step::begin(world, lane);
  }
  slot.lane = lane;
  slot.sink() = sink;
  slot.crowded = false;
}

/// What one ended sample leaves behind, beside its summary columns.
struct Ending {
  std::uint64_t sample, steps;
  std::uint32_t status;
};

/// Writes the listed samples' summaries to `columns` [columns, count] and their endings.
template <template <class> class System, class InFlight>
__global__ void summarize(const __grid_constant__ World world, const InFlight* slots, const int* list, int count,
                          double* columns, Ending* endings) {
  const int i = thread_position();
  if (i >= count) return;
  const InFlight& slot = slots[list[i]];
  const auto summary = Stepping<System, double>::summarize(world, slot.lane);
  const double* values = reinterpret_cast<const double*>(&summary);
  for (std::size_t c = 0; c < sizeof(summary) / sizeof(double); ++c)
    columns[c * static_cast<std::size_t>(count) + static_cast<std::size_t>(i)] = values[c];
  endings[i] = {slot.sample, static_cast<std::uint64_t>(slot.lane.steps), static_cast<std::uint32_t>(slot.lane.status)};
}

#endif  // __CUDACC__

}  // namespace scree
