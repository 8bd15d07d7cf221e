// Exits with how many of the instruction sets of kernels/backend.hpp this processor has, the baseline among them.
#include "kernels/backend.hpp"
#include "kernels/cpu_threads.hpp"

int main() {
  int isa = 0;
  while (isa < scree::isa_count && scree_processor_has(isa)) ++isa;
  return isa;
}
