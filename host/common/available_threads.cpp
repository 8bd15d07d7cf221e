#include "available_threads.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <map>
#include <numeric>
#include <thread>

#include "cgroup.hpp"

namespace scree {

std::vector<int> allowed_processors() {
  constexpr int most = 1 << 20;
  std::vector<int> allowed;
  for (int processors = 1024; processors <= most; processors *= 2) {
    cpu_set_t* const set = CPU_ALLOC(static_cast<std::size_t>(processors));
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(processors));
    const int failed = set == nullptr ? ENOMEM : sched_getaffinity(0, size, set) == 0 ? 0 : errno;
    for (int i = 0; !failed && i < processors; ++i)
      if (CPU_ISSET_S(static_cast<std::size_t>(i), size, set)) allowed.push_back(i);
    CPU_FREE(set);
    if (!allowed.empty()) return allowed;
    if (failed != EINVAL) break;  // with EINVAL the machine has more processors than the set
  }
  allowed.resize(std::max(1u, std::thread::hardware_concurrency()));
  std::iota(allowed.begin(), allowed.end(), 0);
  return allowed;
}

int share_of_processors(const std::vector<std::vector<int>>& allowed, std::size_t process, double quota) {
  std::map<int, int> users;
  for (const std::vector<int>& processors : allowed)
    for (const int processor : processors) ++users[processor];
  double share = 0;
  for (const int processor : allowed[process]) share += 1.0 / users[processor];
  share = std::min(share, std::ceil(quota) / static_cast<double>(allowed.size()));
  return std::max(1, static_cast<int>(share + 1e-6));  // 3 thirds may be less than 1
}

int available_threads() { return share_of_processors({allowed_processors()}, 0, Cgroups{}.processors()); }

}  // namespace scree
