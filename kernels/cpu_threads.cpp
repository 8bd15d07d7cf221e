#include "cpu_threads.hpp"

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

bool scree_processor_has(int isa) {
#if defined(__x86_64__)
  // Every processor with AVX2 and these has the rest of x86-64-v3 too (F16C, LZCNT, MOVBE).
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512cd");
#else
  const bool avx2 = false, avx512 = false;
#endif
  return isa == 0 || (isa == 1 && avx2) || (isa == 2 && avx512);
}
