// What libFuzzer calls: the one harness of a program. With SCREE_FUZZ_TELL in the environment it says why inputs are
// refused.
#include <sys/time.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "harness.hpp"

namespace {

/// Of the processor, that an input and its runs may take before they hang: on a busy machine any other time says
/// little, so that libFuzzer's own limit is for what waits.
constexpr time_t patience = 10;

void limit(time_t seconds) {
  const itimerval timer{{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bool tells = [] {
    std::signal(SIGPROF, [](int) { std::abort(); });
    return std::getenv("SCREE_FUZZ_TELL") != nullptr;
  }();
  const scree::fuzz::Harness& harness = scree::fuzz::harnesses().front();
  std::string refusal;
  limit(patience);
  const std::string broken = scree::fuzz::verdict(harness, {reinterpret_cast<const char*>(data), size}, &refusal);
  limit(0);
  if (tells) std::fprintf(stderr, "%s: %s\n", harness.name, refusal.empty() ? "accepted" : refusal.c_str());
  if (!broken.empty()) {
    std::fprintf(stderr, "%s: %s\n", harness.name, broken.c_str());
    std::abort();
  }
  return 0;
}
