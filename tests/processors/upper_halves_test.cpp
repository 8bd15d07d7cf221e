// A kernel for AVX must not return with the upper halves of the vector registers in use: code for any x86-64, which is
// most of the program, then runs at a small part of its speed.
#include <gtest/gtest.h>

#include "host/config/config.hpp"
#include "kernels/cpu_threads.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace scree {
namespace {

#if defined(__x86_64__)
/// Whether the processor says which parts of its state are in use: XGETBV with ECX = 1 (Intel manual, vol. 1, 13.2).
bool tells_what_is_in_use() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE)) return false;
  return __get_cpuid_count(13, 1, &a, &b, &c, &d) && (a & 4u);
}

/// Bits 2 and 6 of XINUSE: upper halves of the registers of AVX and of AVX-512.
bool upper_halves_in_use() {
  unsigned low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
  return (low & 0x44u) != 0;
}

TEST(CpuKernels, ReturnWithTheUpperHalvesOfTheRegistersFree) {
  if (!tells_what_is_in_use()) GTEST_SKIP() << "this processor does not say which registers are in use";
  const scree::Run run =
      load_run_text("test", "system = \"rotor\"\nscheme = \"rk4\"\nsamples = 8\nstep = 0.01\nend = 1.0\n", {});
  const std::vector<std::byte> ensemble = run.model->ensemble(run.spec);
  const Description& description = run.model->description;
  std::vector<double> columns(description.columns.size() * 8);
  std::vector<std::uint32_t> status(8);
  ASSERT_EQ(description.schemes.size(), 4u);
  int kernels = 0;
  for (int isa = 0; isa < isa_count; ++isa)
    for (const Kernel kernel : {run.model->kernels.scalar[isa], run.model->kernels.pack[isa]}) {
      if (kernel == nullptr || !scree_processor_has(isa)) continue;
      kernels += isa > 0;
      for (std::size_t scheme = 0; scheme < description.schemes.size(); ++scheme) {
        Control control;
        const Job job{ensemble.data(),
                      run.spec.tables.size(),
                      static_cast<int>(scheme),
                      0,
                      8,
                      columns.data(),
                      8,
                      status.data(),
                      1,
                      0,
                      0,
                      &control};
        if (scree_processor_has(1)) asm volatile("vzeroupper");
        kernel(job);
        EXPECT_FALSE(upper_halves_in_use()) << isa_names[isa] << ' ' << description.schemes[scheme].name;
      }
    }
  // A replay calls back, too.
  for (int isa = 0; isa < isa_count; ++isa) {
    const Replayer replayer = run.model->kernels.replay[isa];
    if (replayer == nullptr || !scree_processor_has(isa)) continue;
    for (std::size_t scheme = 0; scheme < description.schemes.size(); ++scheme) {
      const auto row = [](const void*, const double*, std::size_t) { EXPECT_FALSE(upper_halves_in_use()); };
      ReplayJob job{ensemble.data(), static_cast<int>(scheme), 0, 1, row, nullptr, columns.data(), 0};
      if (scree_processor_has(1)) asm volatile("vzeroupper");
      replayer(job);
      EXPECT_FALSE(upper_halves_in_use()) << isa_names[isa] << ' ' << description.schemes[scheme].name;
    }
  }
  if (kernels == 0)
    GTEST_SKIP() << "this build or this processor has no AVX2: there are no upper halves to leave in use";
}
#endif

}  // namespace
}  // namespace scree
