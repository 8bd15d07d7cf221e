#include "available_threads.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <thread>

#include "cgroup.hpp"

namespace scree {
namespace {

/// As taskset, a batch system or a cpuset say.
int allowed_processors() {
  constexpr int most = 1 << 20;
  for (int processors = 1024; processors <= most; processors *= 2) {
    cpu_set_t* const set = CPU_ALLOC(static_cast<std::size_t>(processors));
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(processors));
    const int failed = set == nullptr ? ENOMEM : sched_getaffinity(0, size, set) == 0 ? 0 : errno;
    const int count = failed ? 0 : CPU_COUNT_S(size, set);
    CPU_FREE(set);
    if (count > 0) return count;
    if (failed != EINVAL) break;  // with EINVAL the machine has more processors than the set
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

int available_threads() {
  const int allowed = allowed_processors();
  const double quota = std::ceil(Cgroups{}.processors());
  return quota < allowed ? std::max(1, static_cast<int>(quota)) : allowed;
}

}  // namespace scree
