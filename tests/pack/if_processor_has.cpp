// Runs a command if this processor has an instruction set, else says so and ends with 77, which ctest counts as
// skipped.
//
//   scree_if_processor_has avx2|avx512 PROGRAM [ARGUMENT]...
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "kernels/backend.hpp"
#include "kernels/cpu_threads.hpp"

int main(int argc, char** argv) {
  for (int isa = 0; argc > 2 && isa < scree::isa_count; ++isa) {
    if (std::strcmp(argv[1], scree::isa_names[isa]) != 0) continue;
    if (!scree_processor_has(isa)) {
      std::printf("skipped: this processor has no %s\n", scree::isa_titles[isa]);
      return 77;
    }
    execv(argv[2], argv + 2);
    std::perror(argv[2]);
    return 1;
  }
  std::fprintf(stderr, "usage: %s avx2|avx512 PROGRAM [ARGUMENT]...\n", argv[0]);
  return 2;
}
