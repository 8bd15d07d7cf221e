#include "cuda_lists.hpp"

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>

namespace scree {
namespace {

constexpr int block = 128;

int blocks_of(int count) { return (count + block - 1) / block; }

__device__ int position() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

__global__ void number(int* list, int count) {
  const int i = position();
  if (i < count) list[i] = i;
}

__global__ void find_groups(SlotGroupsOf slots, const int* list, SlotGroup* groups, int count) {
  const int i = position();
  if (i < count) groups[i] = slots[list[i]];
}

/// begins[g] = how many of the sorted groups are below g.
__global__ void find_begins(const SlotGroup* groups, int count, int* begins) {
  const int i = position();
  if (i > count) return;
  const int before = i == 0 ? 0 : groups[i - 1] + 1, here = i == count ? slot_groups - 1 : groups[i];
  for (int g = before; g <= here; ++g) begins[g] = i;
}

std::size_t sort_scratch(int capacity) {
  std::size_t size = 0;
  SCREE_CUDA(cub::DeviceRadixSort::SortPairs(nullptr, size, static_cast<SlotGroup*>(nullptr),
                                             static_cast<SlotGroup*>(nullptr), static_cast<int*>(nullptr),
                                             static_cast<int*>(nullptr), capacity, 0, slot_group_bits));
  return size;
}

}  // namespace

SlotList::SlotList(int capacity, const CudaStream& stream)
    : stream_(stream),
      list_(static_cast<std::size_t>(capacity)),
      sorted_(static_cast<std::size_t>(capacity)),
      groups_(static_cast<std::size_t>(capacity)),
      sorted_groups_(static_cast<std::size_t>(capacity)),
      device_begins_(slot_groups),
      begins_(slot_groups),
      scratch_size_(sort_scratch(capacity)),
      scratch_(scratch_size_) {
  std::fill_n(begins_.data(), slot_groups, 0);
  number<<<blocks_of(capacity), block, 0, stream_>>>(list_.data(), capacity);
  SCREE_CUDA(cudaGetLastError());
}

void SlotList::sort(int count, const SlotGroupsOf& slots) {
  find_groups<<<blocks_of(count), block, 0, stream_>>>(slots, list_.data(), groups_.data(), count);
  SCREE_CUDA(cudaGetLastError());
  SCREE_CUDA(cub::DeviceRadixSort::SortPairs(scratch_.data(), scratch_size_, groups_.data(), sorted_groups_.data(),
                                             list_.data(), sorted_.data(), count, 0, slot_group_bits, stream_));
  SCREE_CUDA(cudaMemcpyAsync(list_.data(), sorted_.data(), static_cast<std::size_t>(count) * sizeof(int),
                             cudaMemcpyDeviceToDevice, stream_));
  find_begins<<<blocks_of(count + 1), block, 0, stream_>>>(sorted_groups_.data(), count, device_begins_.data());
  SCREE_CUDA(cudaGetLastError());
  download(begins_, device_begins_, slot_groups, stream_);
  stream_.wait();
}

}  // namespace scree
