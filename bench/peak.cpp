#include "peak.hpp"

#include <time.h>

#include <algorithm>
#include <fstream>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "kernels/cpu_threads.hpp"

namespace scree {
namespace {

// 16 chains: the latency of 4 cycles times two ports needs 8, and 16 registers is what every instruction set has. The
// multiplier brings each chain to a fixed point, so nothing overflows or becomes subnormal. Results go to a volatile,
// so that the loops stay.
constexpr int chains = 16;
constexpr double keep = 0.5, push = 1.0;
volatile double sink;

#if defined(__x86_64__)
__attribute__((target("avx512f"))) void fma_avx512(long passes) {
  __m512d a[chains];
  for (int i = 0; i < chains; ++i) a[i] = _mm512_set1_pd(i);
  const __m512d m = _mm512_set1_pd(keep), p = _mm512_set1_pd(push);
  for (long k = 0; k < passes; ++k) {
#pragma GCC unroll 16
    for (int i = 0; i < chains; ++i) a[i] = _mm512_fmadd_pd(a[i], m, p);
  }
  for (int i = 1; i < chains; ++i) a[0] = _mm512_add_pd(a[0], a[i]);
  double parts[8];
  _mm512_storeu_pd(parts, a[0]);
  sink = parts[0];
}
// 12 chains: with the two constants they fit the 16 registers that AVX2 has.
__attribute__((target("avx2,fma"))) void fma_avx2(long passes) {
  __m256d a[12];
  for (int i = 0; i < 12; ++i) a[i] = _mm256_set1_pd(i);
  const __m256d m = _mm256_set1_pd(keep), p = _mm256_set1_pd(push);
  for (long k = 0; k < passes; ++k) {
#pragma GCC unroll 16
    for (int i = 0; i < 12; ++i) a[i] = _mm256_fmadd_pd(a[i], m, p);
  }
  double parts[4], sum = 0;
  for (int i = 0; i < 12; ++i) {
    _mm256_storeu_pd(parts, a[i]);
    sum += parts[0] + parts[1] + parts[2] + parts[3];
  }
  sink = sum;
}
#endif

/// As the compiler does it for any processor of the platform: multiply, then add, in 12 registers of two doubles.
void multiply_add_baseline(long passes) {
  typedef double Two __attribute__((vector_size(16)));
  Two a[12];
  for (int i = 0; i < 12; ++i) a[i] = Two{static_cast<double>(i), static_cast<double>(i)};
  const Two m{keep, keep}, p{push, push};
  for (long k = 0; k < passes; ++k) {
#pragma GCC unroll 16
    for (int i = 0; i < 12; ++i) a[i] = a[i] * m + p;
  }
  double sum = 0;
  for (const Two& x : a) sum += x[0] + x[1];
  sink = sum;
}

struct Loop {
  void (*run)(long passes);
  double flops;  // of a pass
};
}  // namespace

double processor_seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double measure_cpu_peak(int isa) {
#if defined(__x86_64__)
  static constexpr Loop loops[] = {
      {multiply_add_baseline, 12 * 2 * 2}, {fma_avx2, 12 * 4 * 2}, {fma_avx512, chains * 8 * 2}};
#else
  static constexpr Loop loops[] = {{multiply_add_baseline, 12 * 2 * 2}};
#endif
  if (isa >= static_cast<int>(std::size(loops)) || !scree_processor_has(isa)) return 0;
  const Loop& loop = loops[isa];
  double best = 0;
  long passes = 1 << 16;
  // Short pieces over a tenth of a second, the best of many: pieces over 8 ms alone may miss 15 % of the peak.
  for (int piece = 0; piece < 600; ++piece) {
    const double start = processor_seconds();
    loop.run(passes);
    const double seconds = processor_seconds() - start;
    best = std::max(best, loop.flops * static_cast<double>(passes) / seconds);
  }
  return best;
}

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.compare(0, 10, "model name") == 0) return line.substr(std::min(line.size(), line.find(':') + 2));
  return "";
}

double cpu_clock() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.compare(0, 7, "cpu MHz") == 0) return 1e-3 * std::stod(line.substr(line.find(':') + 1));
  return 0;
}

}  // namespace scree
