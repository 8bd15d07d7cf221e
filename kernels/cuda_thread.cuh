// The CUDA backend, device side: one thread, one sample.
//
// A sample in flight lives in a slot: its lane in global memory between launches, in registers and local memory within
// one. Threads work on lists of slots, so that stopped samples take no threads; which thread or slot a sample has
// changes nothing in its bits.
#pragma once

#include <cstdint>

#include "../src/integrate.hpp"
#include "cuda_lists.hpp"
#include "cuda_sights.hpp"

namespace scree {

/// Threads of a block, for all kernels.
inline constexpr int cuda_block = 128;

/// Contacts that `advance` solves itself. To solve more takes as long as some eight steps without a contact, and the
/// samples of a warp meet them at different steps: 31 would wait for each that does. So such a sample waits, in the
/// middle of its step, to be solved beside others.
inline constexpr int cuda_inline_contacts = 1;

/// Contacts of a waiting sample, unless it is slow. More are rare: below 0.1 % of a rock's steps.
inline constexpr int cuda_most_waiting = 4;

/// Whether samples of a system can have to wait.
template <template <class> class System>
inline constexpr bool may_wait = most_contacts<System>() > cuda_inline_contacts;

/// Sweeps after which the solve of a waiting sample is given up, to be done again with the slow ones. Of the ramp
/// study's solves with two contacts or more 1 % take longer, and 0.03 % go on to projection, with up to 8000 passes.
inline constexpr int cuda_patience = 16;

/// What a slot's sample does next. Threads take slots in this order (cuda_lists.hpp), so that a warp's samples do about
/// the same.
namespace group {
inline constexpr int away = 0,  // a slow one that is being solved
    slow = 1,                   // waits with more than cuda_most_waiting contacts, or was given up
    going = slow + 1 + cuda_most_waiting - cuda_inline_contacts,  // and on: do not wait; by steps until a contact
    ended = slot_groups - 1;

/// Of a sample that waits with so many contacts, most first.
HOST_DEVICE constexpr int waiting(double contacts) {
  return contacts <= cuda_most_waiting ? going + cuda_inline_contacts - static_cast<int>(contacts) : slow;
}
static_assert(waiting(cuda_inline_contacts) == going && waiting(cuda_most_waiting) == slow + 1);
}  // namespace group

/// Blocks that are to share a multiprocessor in `advance`, at least; 0 leaves it to the compiler.
template <template <class> class System>
constexpr int cuda_blocks() {
  if constexpr (requires { System<double>::cuda_blocks; }) {
    return System<double>::cuda_blocks;
  } else {
    return 0;
  }
}

template <class Lane, class SinkOfLane>
struct Slot : SinkOfLane {  // a base, as it may be empty
  using Sink = SinkOfLane;

  Lane lane;
  std::uint64_t sample;   // counted from the job's first
  SlotGroup group, next;  // `next`: what comes after `away`, which the sort reads while the sample is solved

  HOST_DEVICE Sink& sink() { return *this; }
};

/// Whether a sink looks at paths, and so may have to wait with a look (cuda_sights.hpp).
template <class Sink>
inline constexpr bool is_watching = requires(const Sink& sink) {
  sink.waits();
};

/// What one ended sample leaves behind, beside its summary columns.
struct Ending {
  std::uint64_t sample, steps;
  std::uint32_t status;
};
struct WatchedEnding : Ending {
  std::uint32_t slot;
  bool was_released;  // else it ended before it began, and nobody watched it
  PathEnd path;
};
template <class Sink>
using EndingOf = std::conditional_t<is_watching<Sink>, WatchedEnding, Ending>;

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
  slot.group = group::going;
  slot.lane = Stepping<System, double>::prepare(ensemble.world, draw(ensemble, first + slot.sample));
  slot.sink() = {};
  if (slot.lane.status == running) slot.sink().release(ensemble.world, slot.lane, first + slot.sample);
  if constexpr (is_watching<typename InFlight::Sink>) slot.sink().set_slot(static_cast<std::uint32_t>(list[i]));
}

/// Whether the sample's sink has still to look at the last step. Until then the sample takes no other, and does not
/// end.
template <class Sink>
__device__ inline bool has_to_look(const Sink& sink) {
  if constexpr (is_watching<Sink>) {
    return sink.waits();
  } else {
    return false;
  }
}

/// The group of a sample that is not in the middle of a step.
template <template <class> class System, class Lane, class Sink>
__device__ inline int group_of(const World& world, const Lane& lane, const Sink& sink) {
  if (has_to_look(sink)) return group::going;
  if (lane.status != running) return group::ended;
  if constexpr (requires { Stepping<System, double>::quiet_steps(world, lane); }) {
    constexpr double last = group::ended - 1 - group::going;
    const double steps = Stepping<System, double>::quiet_steps(world, lane);
    return group::going + (steps > 0.0 ? static_cast<int>(smaller(steps, last)) : 0);
  } else {
    return group::going;
  }
}

/// Advances the listed samples that do not wait by up to `steps` steps, each until it ends or has to wait.
template <template <class> class System, class Scheme, class InFlight>
__global__ void __launch_bounds__(cuda_block, cuda_blocks<System>())
    advance(const __grid_constant__ World world, int steps, InFlight* slots, const int* list, int count) {
  using Step = scree::Step<Stepping<System, double>, Scheme>;
  const int i = thread_position();
  if (i >= count) return;
  InFlight& slot = slots[list[i]];
  bool waits = false;
  if constexpr (may_wait<System>) {
    if (slot.group < group::going) return;
  }
  auto lane = slot.lane;
  auto sink = slot.sink();
  if (has_to_look(sink)) sink.step(world, lane);
  SCREE_ROLLED
  for (int step = 0; step < steps && lane.status == running && !has_to_look(sink); ++step) {
    Step::begin(world, lane);
    if constexpr (may_wait<System>) {
      waits = lane.contacts > static_cast<double>(cuda_inline_contacts);
      if (waits) break;
      Step::template solve<cuda_inline_contacts>(world, lane);
    } else {
      Step::solve(world, lane);
    }
    Step::finish(world, lane, sink);
  }
  slot.lane = lane;
  slot.sink() = sink;
  int next = group_of<System>(world, lane, sink);
  if constexpr (may_wait<System>) {
    if (waits) next = group::waiting(lane.contacts);
  }
  slot.group = static_cast<SlotGroup>(next);
}

/// Ends the step that waiting samples of more than `fewer` and at most `capacity` contacts are in, and goes on while
/// they have so many again, for up to `steps` steps. Arrays are as long as `capacity`: those of all threads do not fit
/// into the caches.
template <template <class> class System, class Scheme, int fewer, int capacity, class InFlight>
__global__ void __launch_bounds__(cuda_block)
    advance_waiting(const __grid_constant__ World world, int steps, InFlight* slots, const int* list, int count) {
  using Step = scree::Step<Stepping<System, double>, Scheme>;
  const int i = thread_position();
  if (i >= count) return;
  InFlight& slot = slots[list[i]];
  auto lane = slot.lane;
  auto sink = slot.sink();
  int next;
  SCREE_ROLLED
  for (int step = 1;; ++step) {
    const bool last = step >= steps || !(lane.contacts > static_cast<double>(fewer));
    next = group::slow;
    if (!Step::template solve<capacity, cuda_patience>(world, lane)) break;
    Step::finish(world, lane, sink);
    next = group_of<System>(world, lane, sink);
    if (last || lane.status != running || has_to_look(sink)) break;
    Step::begin(world, lane);
    next = group::waiting(lane.contacts);
    if (lane.contacts > static_cast<double>(capacity)) break;
  }
  slot.lane = lane;
  slot.sink() = sink;
  slot.group = static_cast<SlotGroup>(next);
}

/// Copies the list, and marks its samples as away: other launches leave them alone until `arrive`.
template <class InFlight>
__global__ void depart(InFlight* slots, const int* list, int count, int* copy) {
  const int i = thread_position();
  if (i >= count) return;
  copy[i] = list[i];
  slots[list[i]].group = group::away;
}

/// Ends the step that slow samples are in, however long that takes, and goes on while they have too many contacts for
/// `advance_waiting`, for up to `steps` steps.
template <template <class> class System, class Scheme, class InFlight>
__global__ void __launch_bounds__(cuda_block)
    advance_slow(const __grid_constant__ World world, int steps, InFlight* slots, const int* list, int count) {
  using Step = scree::Step<Stepping<System, double>, Scheme>;
  const int i = thread_position();
  if (i >= count) return;
  InFlight& slot = slots[list[i]];
  auto lane = slot.lane;
  auto sink = slot.sink();
  SCREE_ROLLED
  for (int step = 1;; ++step) {
    const bool last = step >= steps || group::waiting(lane.contacts) != group::slow;
    Step::solve(world, lane);
    Step::finish(world, lane, sink);
    if (last || lane.status != running || has_to_look(sink)) break;
    Step::begin(world, lane);
  }
  slot.lane = lane;
  slot.sink() = sink;
  slot.next = static_cast<SlotGroup>(group_of<System>(world, lane, sink));
}

template <class InFlight>
__global__ void arrive(InFlight* slots, const int* list, int count) {
  const int i = thread_position();
  if (i < count) slots[list[i]].group = slots[list[i]].next;
}

/// Writes the listed samples' summaries to `columns` [columns, count] and their endings.
template <template <class> class System, class InFlight>
__global__ void summarize(const __grid_constant__ World world, const InFlight* slots, const int* list, int count,
                          double* columns, EndingOf<typename InFlight::Sink>* endings) {
  const int i = thread_position();
  if (i >= count) return;
  const InFlight& slot = slots[list[i]];
  const auto summary = Stepping<System, double>::summarize(world, slot.lane);
  const double* values = reinterpret_cast<const double*>(&summary);
  for (std::size_t c = 0; c < sizeof(summary) / sizeof(double); ++c)
    columns[c * static_cast<std::size_t>(count) + static_cast<std::size_t>(i)] = values[c];
  const Ending ending{slot.sample, static_cast<std::uint64_t>(slot.lane.steps),
                      static_cast<std::uint32_t>(slot.lane.status)};
  if constexpr (is_watching<typename InFlight::Sink>) {
    endings[i] = {ending, static_cast<std::uint32_t>(list[i]), slot.watch.list != 0, slot.path_end(world)};
  } else {
    endings[i] = ending;
  }
}

#endif  // __CUDACC__

}  // namespace scree
