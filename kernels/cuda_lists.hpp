// The list of slots in device memory, sorted by what their samples do next. Apart from the kernels, so that the sort
// is compiled once and not with each system.
#pragma once

#include <cstddef>

#include "../src/endings.hpp"
#include "../src/real.hpp"
#include "cuda_check.hpp"

namespace scree {

/// Slots that are worth a thread and a stream of their own.
inline constexpr std::size_t cuda_fewest_slots = std::size_t{1} << 12;

/// The groups of a sorted list, in this order. A warp takes 32 neighbours of the list, and all of them wait for the one
/// whose step takes longest, so samples stand beside those that do about the same work. The costly ones come first: at a
/// launch's end the cheap ones fill what they leave idle.
enum class SlotGroup : unsigned char { crowded, several, one, none, ended };
inline constexpr int slot_groups = 5;

/// One member of every slot, in device memory.
template <class T>
struct OfSlots {
  const T* first;      // of slot 0; null: no slot has it
  std::size_t stride;  // bytes from one slot to the next

  HOST_DEVICE T operator[](int slot) const {
    return *reinterpret_cast<const T*>(reinterpret_cast<const char*>(first) + static_cast<std::size_t>(slot) * stride);
  }
};

struct SlotMembers {
  OfSlots<double> status, contacts;  // contacts of the last step
  OfSlots<bool> crowded;
};

HOST_DEVICE inline SlotGroup group_of(const SlotMembers& slots, int slot) {
  if (slots.crowded[slot]) return SlotGroup::crowded;  // in the middle of a step, ended or not
  if (slots.status[slot] != running) return SlotGroup::ended;
  const double contacts = slots.contacts.first == nullptr ? 0.0 : slots.contacts[slot];
  return contacts > 1.0 ? SlotGroup::several : contacts > 0.0 ? SlotGroup::one : SlotGroup::none;
}

class SlotList {
 public:
  /// Of device memory: the list and the groups, each twice. What the sort needs beside is some kilobytes.
  static constexpr std::size_t bytes_per_slot = 2 * (sizeof(int) + sizeof(SlotGroup));

  /// All slots, 0 ... capacity - 1, in this order.
  SlotList(int capacity, const CudaStream& stream);

  /// Sorts the first `count` listed slots by their groups, and leaves each group in its order. Waits for the stream.
  void sort(int count, const SlotMembers& slots);

  const int* data() const { return list_.data(); }
  /// Where a group began when the list was last sorted.
  int begin_of(SlotGroup group) const { return begins_[static_cast<std::size_t>(group)]; }

 private:
  const CudaStream& stream_;
  DeviceArray<int> list_, sorted_;
  DeviceArray<unsigned char> groups_, sorted_groups_;
  DeviceArray<int> device_begins_;
  PinnedArray<int> begins_;
  std::size_t scratch_size_;
  DeviceArray<char> scratch_;  // of the sort
};

}  // namespace scree
