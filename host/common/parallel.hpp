// Independent pieces of host work on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>

#include "kernels/cpu_threads.hpp"

namespace scree {

/// Calls work(0), ..., work(count - 1), each once, on so many threads; the first exception is thrown again here.
inline void on_threads(int threads, std::size_t count, const std::function<void(std::size_t)>& work) {
  struct Shared {
    std::atomic<std::size_t> next{0};
    std::size_t count;
    const std::function<void(std::size_t)>& work;
  } shared{{}, count, work};
  scree_on_threads(
      std::max(threads, 1),
      [](void* context) {
        Shared& all = *static_cast<Shared*>(context);
        for (std::size_t i; (i = all.next.fetch_add(1)) < all.count;) all.work(i);
      },
      &shared);
}

}  // namespace scree
