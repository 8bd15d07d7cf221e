// kernels/cuda_lists.hpp where device memory is the host's. The device's sort is not executed.
#include <algorithm>
#include <numeric>

#include "kernels/cuda_lists.hpp"

namespace scree {

SlotList::SlotList(int capacity, const CudaStream& stream)
    : stream_(stream),
      list_(static_cast<std::size_t>(capacity)),
      sorted_(0),
      groups_(0),
      sorted_groups_(0),
      device_begins_(0),
      begins_(slot_groups),
      scratch_size_(0),
      scratch_(0) {
  std::fill_n(begins_.data(), slot_groups, 0);
  std::iota(list_.data(), list_.data() + capacity, 0);
}

void SlotList::sort(int count, const SlotGroupsOf& slots) {
  std::stable_sort(list_.data(), list_.data() + count, [&](int a, int b) { return slots[a] < slots[b]; });
  for (int g = 0; g < slot_groups; ++g)
    begins_[static_cast<std::size_t>(g)] = static_cast<int>(
        std::count_if(list_.data(), list_.data() + count, [&](int slot) { return slots[slot] < g; }));
}

}  // namespace scree
