#include "cpu_threads.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

void scree_on_threads(int threads, void (*work)(void*), void* context) {
  std::exception_ptr failure;
  std::mutex mutex;
  const auto guarded = [&] {
    try {
      work(context);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (int i = 1; i < threads; ++i) others.emplace_back(guarded);
    guarded();
  }
  if (failure) std::rethrow_exception(failure);
}

int scree_available_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }
