#include "cuda_lists.hpp"

#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/partition.h>
#include <thrust/sequence.h>

#include "../src/endings.hpp"

namespace scree {
namespace {

template <class T>
__host__ __device__ const T& at(OfSlots<T> members, int slot) {
  const auto* byte = reinterpret_cast<const char*>(members.first) + static_cast<std::size_t>(slot) * members.stride;
  return *reinterpret_cast<const T*>(byte);
}

struct IsRunning {
  OfSlots<double> status;
  __host__ __device__ bool operator()(int slot) const { return at(status, slot) == running; }
};
struct IsCrowded {
  OfSlots<bool> crowded;
  __host__ __device__ bool operator()(int slot) const { return at(crowded, slot); }
};

}  // namespace

void number_slots(int* list, int count) { thrust::sequence(thrust::device, list, list + count); }

int move_running_first(int* list, int count, OfSlots<double> status) {
  return static_cast<int>(thrust::stable_partition(thrust::device, list, list + count, IsRunning{status}) - list);
}

int copy_crowded(const int* list, int count, OfSlots<bool> crowded, int* to) {
  return static_cast<int>(thrust::copy_if(thrust::device, list, list + count, to, IsCrowded{crowded}) - to);
}

}  // namespace scree
