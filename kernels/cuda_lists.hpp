// Lists of slots in device memory. Apart from the kernels, because Thrust, which works on them, takes longer to compile
// than most systems do.
#pragma once

#include <cstddef>

namespace scree {

/// One member of every slot, in device memory.
template <class T>
struct OfSlots {
  const T* first;      // of slot 0
  std::size_t stride;  // bytes from one slot to the next
};

/// list[0 ... count) = 0, 1, 2, ...
void number_slots(int* list, int count);

/// Moves the listed slots whose sample has not ended before the others, each group in its order; how many these are.
int move_running_first(int* list, int count, OfSlots<double> status);

/// Copies the listed slots that are crowded to `to`, in their order; how many these are.
int copy_crowded(const int* list, int count, OfSlots<bool> crowded, int* to);

}  // namespace scree
