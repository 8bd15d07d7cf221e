// `scree bench` of a program that was built without its benchmarks.
#include "bench.hpp"

namespace scree {

Exit bench_command(const BenchOptions&) {
  throw Error(Exit::usage, "bench: this program was built without its benchmarks; configure it with -DSCREE_BENCH=ON");
}

}  // namespace scree
