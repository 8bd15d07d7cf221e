// What libFuzzer calls: the one harness of a program. With SCREE_FUZZ_TELL in the environment it says why inputs are
// refused.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const scree::fuzz::Harness& harness = scree::fuzz::harnesses().front();
  std::string refusal;
  const std::string broken = scree::fuzz::verdict(harness, {reinterpret_cast<const char*>(data), size}, &refusal);
  static const bool tells = std::getenv("SCREE_FUZZ_TELL") != nullptr;
  if (tells) std::fprintf(stderr, "%s: %s\n", harness.name, refusal.empty() ? "accepted" : refusal.c_str());
  if (!broken.empty()) {
    std::fprintf(stderr, "%s: %s\n", harness.name, broken.c_str());
    std::abort();
  }
  return 0;
}
