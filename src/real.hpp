// The scalar type of all per-sample code.
//
// Everything in src/ is a template on `Real`: `double` on the CPU and on the GPU, a pack of doubles where one
// instruction serves several samples. A Real offers + - * /, unary minus, comparisons that give a `Mask`, and the
// functions below; nothing else may be used on a value that belongs to a sample, so that every backend rounds alike.
//
//   fma(a, b, c)   a b + c, rounded once        sqrt(a)        correctly rounded
//   select(m, a, b)  a where m, else b           abs, copysign  exact
//   any(m)         true if m holds in some lane  truncate(a)    towards zero, exact
//   gather(table, i)  table[i], i a whole number held in a Real; table_row(table, i)[k] is table[i + k],
//                     and read_row reads several of these
//
// Contraction is off in every build (-ffp-contract=off, nvcc --fmad=false): a fused operation is one written as fma.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#if defined(__CUDACC__)
#define HOST_DEVICE __host__ __device__
#else
#define HOST_DEVICE
#endif

// Loops that ptxas must not unroll, or their bodies fill the registers.
#if defined(__CUDA_ARCH__)
#define SCREE_ROLLED _Pragma("unroll 1")
#else
#define SCREE_ROLLED
#endif

// Short loops over small arrays, which belong in registers.
#if defined(__CUDACC__) || defined(__clang__)
#define SCREE_UNROLLED _Pragma("unroll")
#elif defined(__GNUC__)
#define SCREE_UNROLLED _Pragma("GCC unroll 16")
#else
#define SCREE_UNROLLED
#endif

// Small functions of the inner loop: left to itself, g++ calls some of them, at twice the time per step. Under the
// address sanitizer it may: with all of them in line the slider's packs take minutes to compile, else half a minute.
#if defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__)
#define ALWAYS_INLINE HOST_DEVICE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE HOST_DEVICE inline
#endif

// Three ways to keep a function out of line. SCREE_COLD: what the inner loop does once in 10^4 steps, so that it costs
// the rest no registers; optimised for size. SCREE_APART: a part that would cost its neighbour registers, but is not so
// rare; on a GPU it stays in line, for a call would move the lane that it writes to from registers to memory for good.
// SCREE_CALLED: so large a function that copies in each caller would cost more than the calls; on a GPU too, where what
// it works on does not fit into registers anyway.
#if defined(__CUDACC__)
#define SCREE_COLD __noinline__
#elif defined(__GNUC__)
#define SCREE_COLD __attribute__((noinline, cold))
#else
#define SCREE_COLD
#endif
#if defined(__CUDACC__)
#define SCREE_APART
#define SCREE_CALLED __noinline__
#elif defined(__GNUC__)
#define SCREE_APART __attribute__((noinline))
#define SCREE_CALLED SCREE_APART
#else
#define SCREE_APART
#define SCREE_CALLED
#endif

namespace scree {

/// Whether this is compiled for a GPU, for the few places where the same work is better laid out differently there.
#if defined(__CUDA_ARCH__)
inline constexpr bool gpu_code = true;
#else
inline constexpr bool gpu_code = false;
#endif

/// Whether fma is an instruction; else it is a call, slower than a division.
#if defined(__FP_FAST_FMA) || defined(__FMA__) || defined(__CUDA_ARCH__)
inline constexpr bool fast_fma = true;
#else
inline constexpr bool fast_fma = false;
#endif

/// The type of `a < b` for a scalar type: bool for double, one flag per lane for a pack.
template <class Real>
struct MaskOf {
  using type = typename Real::Mask;
};
template <>
struct MaskOf<double> {
  using type = bool;
};
template <class Real>
using Mask = typename MaskOf<Real>::type;

/// How many samples a Real holds.
template <class Real>
inline constexpr int lanes_of = 1;

ALWAYS_INLINE double fma(double a, double b, double c) { return ::fma(a, b, c); }
ALWAYS_INLINE double sqrt(double a) { return ::sqrt(a); }
ALWAYS_INLINE double abs(double a) { return ::fabs(a); }
ALWAYS_INLINE double copysign(double size, double sign) { return ::copysign(size, sign); }
ALWAYS_INLINE double truncate(double a) { return ::trunc(a); }
ALWAYS_INLINE double select(bool condition, double a, double b) { return condition ? a : b; }
ALWAYS_INLINE bool select(bool condition, bool a, bool b) { return condition ? a : b; }
ALWAYS_INLINE bool any(bool condition) { return condition; }
ALWAYS_INLINE unsigned lanes_where(bool condition) { return condition ? 1u : 0u; }
ALWAYS_INLINE double gather(const double* table, double index) { return table[static_cast<std::int64_t>(index)]; }

/// The numbers of a table from `offset` on, offset a whole number: row[k] is the k-th, one per lane.
ALWAYS_INLINE const double* table_row(const double* tables, double offset) {
  return tables + static_cast<std::int64_t>(offset);
}
/// numbers[i] = row[k + i]: of neighbours a pack reads several at once.
template <std::size_t n>
ALWAYS_INLINE void read_row(const double* row, int k, double (&numbers)[n]) {
  SCREE_UNROLLED
  for (std::size_t i = 0; i < n; ++i) numbers[i] = row[static_cast<std::size_t>(k) + i];
}
/// f(table_row(tables, offset)); a pack whose lanes read the same row gives f a faster type.
template <class F>
ALWAYS_INLINE auto with_table_row(const double* tables, double offset, F&& f) {
  return f(table_row(tables, offset));
}
/// The number of one sample, by its lane.
ALWAYS_INLINE double lane_of(double a, int) { return a; }
ALWAYS_INLINE void set_lane(double& a, int, double value) { a = value; }
/// The largest lane of a whole number, as a loop bound.
ALWAYS_INLINE int highest(double whole) { return static_cast<int>(whole); }

/// e of a power of two 2^e.
ALWAYS_INLINE int exponent_of(double power) {
  std::uint64_t representation;
  __builtin_memcpy(&representation, &power, sizeof representation);
  return static_cast<int>(representation >> 52) - 1023;
}
/// Position of the lowest set bit of a set that is not empty, which is removed from it. By way of a double: in device
/// code nvcc 13 gives 64 for every std::countr_zero.
ALWAYS_INLINE int take_lowest_bit(std::uint64_t& set) {
  const double lowest = static_cast<double>(set & (~set + 1));
  set &= set - 1;
  return exponent_of(lowest);
}
/// The same of a set held as a whole number 0 < set < 2^53.
ALWAYS_INLINE double take_lowest_bit(double& set) {
  const std::uint64_t bits = static_cast<std::uint64_t>(set);
  const double lowest = static_cast<double>(bits & (~bits + 1));
  set -= lowest;
  return static_cast<double>(exponent_of(lowest));
}

/// The larger (smaller) of two numbers by one comparison; b if either is NaN.
template <class Real>
ALWAYS_INLINE Real larger(Real a, Real b) {
  return select(a > b, a, b);
}
template <class Real>
ALWAYS_INLINE Real smaller(Real a, Real b) {
  return select(a < b, a, b);
}

/// a / b where b > 0; else NaN, a quantity that does not exist.
template <class Real>
ALWAYS_INLINE Real ratio_or_nan(const Real& a, const Real& b) {
  const Mask<Real> exists = b > Real(0.0);
  return select(exists, a / select(exists, b, Real(1.0)), Real(__builtin_nan("")));
}

/// a b - c d with two roundings, the products' difference in one of them.
template <class Real>
ALWAYS_INLINE Real difference_of_products(Real a, Real b, Real c, Real d) {
  return fma(a, b, -(c * d));
}

}  // namespace scree
