// What PTX may hold if the GPU is to give the bits of the CPU: only operations that IEEE 754 defines to the last bit.
#pragma once

#include <istream>
#include <string>
#include <vector>

namespace scree::test {

struct PtxReport {
  std::vector<std::string> faults;   // "line 12: reason: instruction"
  std::vector<std::string> entries;  // kernels
  int fused = 0;                     // fma.rn.f64
};

/// Reads a PTX module. A fault is
///   - add, sub, mul, fma, mad, div, rcp or sqrt in f64 without .rn, or any other operation that rounds (ex2, rsqrt,
///   ...)
///   - .approx or .ftz anywhere, and any use of f32 or narrower floating-point types but to move them
///   - min and max in f64, unless one argument is a constant for which they equal `a < c ? a : c` for every a (nvcc
///   turns
///     such a select into them; NaN and the sign of zero tell the two apart)
///   - atomic and reducing operations on f64, whose order is not fixed
///   - a call, unless to a function of namespace scree or of CUB: so nothing of libdevice (__nv_..., __internal_...)
PtxReport check_ptx(std::istream& ptx);

}  // namespace scree::test
