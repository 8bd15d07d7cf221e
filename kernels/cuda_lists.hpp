// The list of slots in device memory, sorted by what their samples do next. Apart from the kernels, so that the sort
// is compiled once and not with each system.
#pragma once

#include <cstddef>

#include "../src/real.hpp"
#include "cuda_check.hpp"

namespace scree {

/// Slots that are worth a thread and a stream of their own.
inline constexpr std::size_t cuda_fewest_slots = std::size_t{1} << 12;

/// What the list is sorted by: a number from 0 to slot_groups - 1 that a slot states of its sample (cuda_thread.cuh).
using SlotGroup = unsigned char;
inline constexpr int slot_group_bits = 5, slot_groups = 1 << slot_group_bits;

/// The groups of all slots, in device memory.
struct SlotGroupsOf {
  const SlotGroup* first;  // of slot 0
  std::size_t stride;      // bytes from one slot to the next

  HOST_DEVICE SlotGroup operator[](int slot) const { return first[static_cast<std::size_t>(slot) * stride]; }
};

class SlotList {
 public:
  /// Of device memory: the list and the groups, each twice. What the sort needs beside is some kilobytes.
  static constexpr std::size_t bytes_per_slot = 2 * (sizeof(int) + sizeof(SlotGroup));

  /// All slots, 0 ... capacity - 1, in this order.
  SlotList(int capacity, const CudaStream& stream);

  /// Sorts the first `count` listed slots by their groups, and leaves each group in its order. Waits for the stream.
  void sort(int count, const SlotGroupsOf& slots);

  const int* data() const { return list_.data(); }
  /// Where a group began when the list was last sorted; 0 before.
  int begin_of(int group) const { return begins_[static_cast<std::size_t>(group)]; }

 private:
  const CudaStream& stream_;
  DeviceArray<int> list_, sorted_;
  DeviceArray<SlotGroup> groups_, sorted_groups_;
  DeviceArray<int> device_begins_;
  PinnedArray<int> begins_;
  std::size_t scratch_size_;
  DeviceArray<char> scratch_;  // of the sort
};

}  // namespace scree
