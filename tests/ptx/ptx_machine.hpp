// Executes PTX on the CPU, one thread after the other: the kernels that nvcc compiled, to the last bit, without a GPU.
//
// What ptxas makes of the PTX is not executed: that its division, reciprocal and root are the exactly rounded ones that
// .rn names is taken from NVIDIA. Instructions by which threads wait for or ask each other (bar, shfl, vote, shared
// memory) are unknown, as is any other that the kernels do not have, and what is unknown is an error. A race of threads
// for global memory is not seen, nor an access beyond an array.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace scree::test {

/// Which thread of a launch it is: %tid.x, %ntid.x, %ctaid.x.
struct PtxThread {
  std::uint32_t tid, ntid, ctaid;
};

struct PtxFunction;
/// What a module has in global memory, by its names: what its kernels read alone. That none writes there is not seen.
using PtxConstants = std::map<std::string, std::vector<std::uint64_t>>;

/// The functions of a module, ready to run.
class PtxModule {
 public:
  /// Of a module's text. Throws std::runtime_error with the line of what it does not know.
  explicit PtxModule(std::string_view text);
  PtxModule(PtxModule&&) noexcept;
  ~PtxModule();

  /// The names of its kernels.
  std::vector<std::string> entries() const;
  /// Runs a kernel for one thread; `arguments` as those of cudaLaunchKernel. Throws std::runtime_error for an access
  /// that is not aligned and a division that is not defined, std::out_of_range where there is no such kernel.
  void run(const std::string& entry, const PtxThread& thread, void* const* arguments) const;

  /// How many fma.rn.f64 a kernel has.
  std::size_t multiply_adds(const std::string& entry) const;
  /// Whether one of them, which there must be, rounds once or, as a compiler that does not fuse, its product too.
  void set_fused(const std::string& entry, std::size_t number, bool yes);

 private:
  PtxConstants constants_;
  std::map<std::string, std::unique_ptr<PtxFunction>> functions_;
};

}  // namespace scree::test
