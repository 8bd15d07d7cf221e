// kernels/cuda_lists.hpp where device memory is the host's. Thrust's kernels are not executed.
#include <algorithm>
#include <numeric>

#include "kernels/cuda_lists.hpp"
#include "src/endings.hpp"

namespace scree {
namespace {

template <class T>
const T& at(OfSlots<T> members, int slot) {
  const auto* byte = reinterpret_cast<const char*>(members.first) + static_cast<std::size_t>(slot) * members.stride;
  return *reinterpret_cast<const T*>(byte);
}

}  // namespace

void number_slots(int* list, int count) { std::iota(list, list + count, 0); }

int move_running_first(int* list, int count, OfSlots<double> status) {
  const auto is_running = [&](int slot) { return at(status, slot) == running; };
  return static_cast<int>(std::stable_partition(list, list + count, is_running) - list);
}

int copy_crowded(const int* list, int count, OfSlots<bool> crowded, int* to) {
  return static_cast<int>(std::copy_if(list, list + count, to, [&](int slot) { return at(crowded, slot); }) - to);
}

}  // namespace scree
