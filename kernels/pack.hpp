// Several samples in one Real: M registers of W doubles, in GCC and Clang vector extensions.
//
// One instruction serves W samples; M independent registers hide its latency. A lane of a Pack has the bits of the same
// computation on a double: every operation here rounds once per lane, as real.hpp asks. Loops over the registers must
// be unrolled, or the registers become an array in memory, and a step takes 17 times as long. Any W and M work in any
// source file, the compiler splits what the instruction set does not have; `native_width` is the W that it has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "../src/elementary.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace scree {

#if defined(__AVX512F__) && defined(__AVX512DQ__)
inline constexpr int native_width = 8;
#elif defined(__AVX2__) && defined(__FMA__)
inline constexpr int native_width = 4;
#else
inline constexpr int native_width = 2;
#endif

namespace detail {

template <class T, int W>
struct Vector {
  typedef T type __attribute__((vector_size(W * sizeof(T))));
};

/// What one register of W doubles can do beyond + - * /, lane by lane.
template <int W>
struct PortableRegister {
  using Value = typename Vector<double, W>::type;
  using Bits = typename Vector<std::uint64_t, W>::type;
  using Mask = typename Vector<std::int64_t, W>::type;  // all bits of a lane alike

  ALWAYS_INLINE static Value all(double x) { return x - Value{}; }
  ALWAYS_INLINE static Value fma(Value a, Value b, Value c) {
    SCREE_UNROLLED
    for (int i = 0; i < W; ++i) a[i] = scree::fma(a[i], b[i], c[i]);
    return a;
  }
  ALWAYS_INLINE static Value sqrt(Value a) {
    SCREE_UNROLLED
    for (int i = 0; i < W; ++i) a[i] = scree::sqrt(a[i]);
    return a;
  }
  ALWAYS_INLINE static Value truncate(Value a) {
    SCREE_UNROLLED
    for (int i = 0; i < W; ++i) a[i] = scree::truncate(a[i]);
    return a;
  }
  ALWAYS_INLINE static Value gather(const double* table, Value index) {
    SCREE_UNROLLED
    for (int i = 0; i < W; ++i) index[i] = scree::gather(table, index[i]);
    return index;
  }

  ALWAYS_INLINE static Bits whole(Value index) { return reinterpret_cast<Bits>(__builtin_convertvector(index, Mask)); }

  /// from[i][k] in lane i, by scalar loads: measured on Zen 4, gathers take twice as long.
  ALWAYS_INLINE static Value loaded(const double* const* from, std::size_t k) {
    const auto in_order = [=]<std::size_t... i>(std::index_sequence<i...>)
        __attribute__((always_inline)) { return Value{from[i][k]...}; };
    return in_order(std::make_index_sequence<W>{});
  }
  /// from[i][k] in lane i of numbers[k].
  template <std::size_t n>
  ALWAYS_INLINE static void transposed(const double* const* from, Value (&numbers)[n]) {
    SCREE_UNROLLED
    for (std::size_t k = 0; k < n; ++k) numbers[k] = loaded(from, k);
  }

  ALWAYS_INLINE static Mask less(Value a, Value b) { return a < b; }
  ALWAYS_INLINE static Mask less_equal(Value a, Value b) { return a <= b; }
  ALWAYS_INLINE static Mask equal(Value a, Value b) { return a == b; }
  ALWAYS_INLINE static Mask unequal(Value a, Value b) { return a != b; }
  ALWAYS_INLINE static Mask both(Mask a, Mask b) { return a & b; }
  ALWAYS_INLINE static Mask either(Mask a, Mask b) { return a | b; }
  ALWAYS_INLINE static Mask opposite(Mask a) { return ~a; }
  ALWAYS_INLINE static Value select(Mask m, Value a, Value b) { return m ? a : b; }
  ALWAYS_INLINE static Value larger(Value a, Value b) { return a > b ? a : b; }
  ALWAYS_INLINE static Value smaller(Value a, Value b) { return a < b ? a : b; }
  ALWAYS_INLINE static bool any(Mask m) {
    std::int64_t seen = 0;
    SCREE_UNROLLED
    for (int i = 0; i < W; ++i) seen |= m[i];
    return seen != 0;
  }
  /// Bit i is that of lane i.
  ALWAYS_INLINE static unsigned bits(Mask m) {
    unsigned seen = 0;
    SCREE_UNROLLED
    for (int i = 0; i < W; ++i) seen |= static_cast<unsigned>(m[i] & 1) << i;
    return seen;
  }
};

template <int W>
struct Register : PortableRegister<W> {};

#if defined(__SSE2__)
template <>
struct Register<2> : PortableRegister<2> {
  ALWAYS_INLINE static Value sqrt(Value a) { return _mm_sqrt_pd(a); }
  ALWAYS_INLINE static unsigned bits(Mask m) {
    return static_cast<unsigned>(_mm_movemask_pd(reinterpret_cast<__m128d>(m)));
  }
  ALWAYS_INLINE static bool any(Mask m) { return bits(m) != 0; }
};
#endif

#if defined(__AVX2__) && defined(__FMA__)
template <>
struct Register<4> : PortableRegister<4> {
  ALWAYS_INLINE static Value fma(Value a, Value b, Value c) { return _mm256_fmadd_pd(a, b, c); }
  ALWAYS_INLINE static Value sqrt(Value a) { return _mm256_sqrt_pd(a); }
  ALWAYS_INLINE static Value truncate(Value a) { return _mm256_round_pd(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC); }
  ALWAYS_INLINE static Bits whole(Value index) {
    // Adding 2^52 leaves a whole number below 2^52 in the lowest bits.
    return reinterpret_cast<Bits>(index + 0x1p52) & 0x000FFFFFFFFFFFFFu;
  }
  ALWAYS_INLINE static Value gather(const double* table, Value index) {
    return _mm256_i64gather_pd(table, reinterpret_cast<__m256i>(whole(index)), 8);
  }
  using PortableRegister<4>::transposed;
  /// Four loads of two neighbours each, in place of eight of one.
  ALWAYS_INLINE static void transposed(const double* const* from, Value (&numbers)[2]) {
    const auto two = [&](int lane) __attribute__((always_inline)) { return _mm_loadu_pd(from[lane]); };
    const Value even = _mm256_insertf128_pd(_mm256_castpd128_pd256(two(0)), two(2), 1);
    const Value odd = _mm256_insertf128_pd(_mm256_castpd128_pd256(two(1)), two(3), 1);
    numbers[0] = _mm256_unpacklo_pd(even, odd);
    numbers[1] = _mm256_unpackhi_pd(even, odd);
  }
  ALWAYS_INLINE static void transposed(const double* const* from, Value (&numbers)[4]) {
    const auto row = [&](int lane) __attribute__((always_inline)) { return _mm256_loadu_pd(from[lane]); };
    const Value row0 = row(0), row1 = row(1), row2 = row(2), row3 = row(3);
    const Value low01 = __builtin_shufflevector(row0, row1, 0, 4, 2, 6);
    const Value high01 = __builtin_shufflevector(row0, row1, 1, 5, 3, 7);
    const Value low23 = __builtin_shufflevector(row2, row3, 0, 4, 2, 6);
    const Value high23 = __builtin_shufflevector(row2, row3, 1, 5, 3, 7);
    numbers[0] = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
    numbers[1] = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
    numbers[2] = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
    numbers[3] = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
  }
  // The second number where one is NaN or both are zeros, as real.hpp has it.
  ALWAYS_INLINE static Value larger(Value a, Value b) { return _mm256_max_pd(a, b); }
  ALWAYS_INLINE static Value smaller(Value a, Value b) { return _mm256_min_pd(a, b); }
  ALWAYS_INLINE static unsigned bits(Mask m) {
    return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(m)));
  }
  ALWAYS_INLINE static bool any(Mask m) { return bits(m) != 0; }
};
#endif

#if defined(__AVX512F__) && defined(__AVX512DQ__)
template <>
struct Register<8> : PortableRegister<8> {
  using Mask = __mmask8;  // one bit per lane, in a mask register

  ALWAYS_INLINE static Value fma(Value a, Value b, Value c) { return _mm512_fmadd_pd(a, b, c); }
  // The forms with a mask of ones: g++ 12 warns about the others' own headers (its bug 105593). Same instructions.
  static constexpr Mask ones = 0xFF;
  ALWAYS_INLINE static Value sqrt(Value a) { return _mm512_maskz_sqrt_pd(ones, a); }
  ALWAYS_INLINE static Value truncate(Value a) {
    return _mm512_maskz_roundscale_pd(ones, a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
  }
  ALWAYS_INLINE static Bits whole(Value index) {
    return reinterpret_cast<Bits>(_mm512_maskz_cvttpd_epi64(ones, index));
  }
  using PortableRegister<8>::transposed;
  ALWAYS_INLINE static void transposed(const double* const* from, Value (&numbers)[2]) {
    const auto two = [&](int lane) __attribute__((always_inline)) { return _mm_loadu_pd(from[lane]); };
    const auto four = [&](int lane) __attribute__((always_inline)) {
      return _mm256_insertf128_pd(_mm256_castpd128_pd256(two(lane)), two(lane + 2), 1);
    };
    const auto eight = [&](int lane) __attribute__((always_inline)) {
      return _mm512_maskz_insertf64x4(ones, _mm512_castpd256_pd512(four(lane)), four(lane + 4), 1);
    };
    const Value even = eight(0), odd = eight(1);
    numbers[0] = __builtin_shufflevector(even, odd, 0, 8, 2, 10, 4, 12, 6, 14);
    numbers[1] = __builtin_shufflevector(even, odd, 1, 9, 3, 11, 5, 13, 7, 15);
  }
  ALWAYS_INLINE static void transposed(const double* const* from, Value (&numbers)[4]) {
    const auto rows = [&](int lane) __attribute__((always_inline)) {
      const __m256d low = _mm256_loadu_pd(from[lane]), high = _mm256_loadu_pd(from[lane + 4]);
      return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
    };
    const Value rows04 = rows(0), rows15 = rows(1), rows26 = rows(2), rows37 = rows(3);
    const Value low01 = __builtin_shufflevector(rows04, rows15, 0, 8, 2, 10, 4, 12, 6, 14);
    const Value high01 = __builtin_shufflevector(rows04, rows15, 1, 9, 3, 11, 5, 13, 7, 15);
    const Value low23 = __builtin_shufflevector(rows26, rows37, 0, 8, 2, 10, 4, 12, 6, 14);
    const Value high23 = __builtin_shufflevector(rows26, rows37, 1, 9, 3, 11, 5, 13, 7, 15);
    numbers[0] = __builtin_shufflevector(low01, low23, 0, 1, 8, 9, 4, 5, 12, 13);
    numbers[1] = __builtin_shufflevector(high01, high23, 0, 1, 8, 9, 4, 5, 12, 13);
    numbers[2] = __builtin_shufflevector(low01, low23, 2, 3, 10, 11, 6, 7, 14, 15);
    numbers[3] = __builtin_shufflevector(high01, high23, 2, 3, 10, 11, 6, 7, 14, 15);
  }
  ALWAYS_INLINE static Value gather(const double* table, Value index) {
    return _mm512_mask_i64gather_pd(Value{}, ones, reinterpret_cast<__m512i>(whole(index)), table, 8);
  }

  ALWAYS_INLINE static Mask less(Value a, Value b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
  ALWAYS_INLINE static Mask less_equal(Value a, Value b) { return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ); }
  ALWAYS_INLINE static Mask equal(Value a, Value b) { return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ); }
  ALWAYS_INLINE static Mask unequal(Value a, Value b) { return _mm512_cmp_pd_mask(a, b, _CMP_NEQ_UQ); }
  ALWAYS_INLINE static Mask both(Mask a, Mask b) { return _kand_mask8(a, b); }
  ALWAYS_INLINE static Mask either(Mask a, Mask b) { return _kor_mask8(a, b); }
  ALWAYS_INLINE static Mask opposite(Mask a) { return _knot_mask8(a); }
  ALWAYS_INLINE static Value select(Mask m, Value a, Value b) { return _mm512_mask_blend_pd(m, b, a); }
  ALWAYS_INLINE static Value larger(Value a, Value b) { return _mm512_maskz_max_pd(ones, a, b); }
  ALWAYS_INLINE static Value smaller(Value a, Value b) { return _mm512_maskz_min_pd(ones, a, b); }
  ALWAYS_INLINE static unsigned bits(Mask m) { return m; }
  ALWAYS_INLINE static bool any(Mask m) { return m != 0; }
};
#endif

}  // namespace detail

template <int W, int M>
struct Pack {
  using Register = detail::Register<W>;
  using Value = typename Register::Value;
  using Bits = typename Register::Bits;

  /// Samples in one pack.
  static constexpr int lanes = W * M;

  /// One truth value per lane.
  struct Mask {
    typename Register::Mask m[M];

    ALWAYS_INLINE friend Mask operator&(const Mask& a, const Mask& b) {
      return each([](auto x, auto y) { return Register::both(x, y); }, a, b);
    }
    ALWAYS_INLINE friend Mask operator|(const Mask& a, const Mask& b) {
      return each([](auto x, auto y) { return Register::either(x, y); }, a, b);
    }
    ALWAYS_INLINE friend Mask operator!(const Mask& a) {
      return each([](auto x) { return Register::opposite(x); }, a);
    }
    template <class F, class... Masks>
    ALWAYS_INLINE static Mask each(F f, const Masks&... masks) {
      Mask result;
      SCREE_UNROLLED
      for (int k = 0; k < M; ++k) result.m[k] = f(masks.m[k]...);
      return result;
    }
  };

  Value v[M];

  Pack() = default;
  ALWAYS_INLINE explicit Pack(double x) {
    SCREE_UNROLLED
    for (int k = 0; k < M; ++k) v[k] = Register::all(x);
  }

  /// from[i][k] in lane i.
  ALWAYS_INLINE static Pack loaded(const double* const* from, std::size_t k) {
    Pack result;
    SCREE_UNROLLED
    for (int m = 0; m < M; ++m) result.v[m] = Register::loaded(from + m * W, k);
    return result;
  }

  ALWAYS_INLINE double lane(int i) const { return reinterpret_cast<const double*>(v)[i]; }
  ALWAYS_INLINE void set_lane(int i, double x) { reinterpret_cast<double*>(v)[i] = x; }

  /// f(register of a, register of b, ...) for each register.
  template <class F, class... Packs>
  ALWAYS_INLINE static Pack each(F f, const Packs&... packs) {
    Pack result;
    SCREE_UNROLLED
    for (int k = 0; k < M; ++k) result.v[k] = f(packs.v[k]...);
    return result;
  }
  template <class F>
  ALWAYS_INLINE static Mask compare(F f, const Pack& a, const Pack& b) {
    Mask result;
    SCREE_UNROLLED
    for (int k = 0; k < M; ++k) result.m[k] = f(a.v[k], b.v[k]);
    return result;
  }
  /// The same with the lanes' bits.
  template <class F>
  ALWAYS_INLINE static Pack each_bits(F f, const Pack& a) {
    return each([f](Value x) { return reinterpret_cast<Value>(f(reinterpret_cast<Bits>(x))); }, a);
  }

  ALWAYS_INLINE friend Pack operator+(const Pack& a, const Pack& b) {
    return each([](Value x, Value y) { return x + y; }, a, b);
  }
  ALWAYS_INLINE friend Pack operator-(const Pack& a, const Pack& b) {
    return each([](Value x, Value y) { return x - y; }, a, b);
  }
  ALWAYS_INLINE friend Pack operator*(const Pack& a, const Pack& b) {
    return each([](Value x, Value y) { return x * y; }, a, b);
  }
  ALWAYS_INLINE friend Pack operator/(const Pack& a, const Pack& b) {
    return each([](Value x, Value y) { return x / y; }, a, b);
  }
  ALWAYS_INLINE friend Pack operator-(const Pack& a) {
    return each([](Value x) { return -x; }, a);
  }
  ALWAYS_INLINE friend Mask operator<(const Pack& a, const Pack& b) {
    return compare([](Value x, Value y) { return Register::less(x, y); }, a, b);
  }
  ALWAYS_INLINE friend Mask operator<=(const Pack& a, const Pack& b) {
    return compare([](Value x, Value y) { return Register::less_equal(x, y); }, a, b);
  }
  ALWAYS_INLINE friend Mask operator>(const Pack& a, const Pack& b) { return b < a; }
  ALWAYS_INLINE friend Mask operator>=(const Pack& a, const Pack& b) { return b <= a; }
  ALWAYS_INLINE friend Mask operator==(const Pack& a, const Pack& b) {
    return compare([](Value x, Value y) { return Register::equal(x, y); }, a, b);
  }
  ALWAYS_INLINE friend Mask operator!=(const Pack& a, const Pack& b) {
    return compare([](Value x, Value y) { return Register::unequal(x, y); }, a, b);
  }

  // The functions of real.hpp.

  ALWAYS_INLINE friend Pack fma(const Pack& a, const Pack& b, const Pack& c) {
    return each([](Value x, Value y, Value z) { return Register::fma(x, y, z); }, a, b, c);
  }
  ALWAYS_INLINE friend Pack sqrt(const Pack& a) {
    return each([](Value x) { return Register::sqrt(x); }, a);
  }
  ALWAYS_INLINE friend Pack truncate(const Pack& a) {
    return each([](Value x) { return Register::truncate(x); }, a);
  }
  ALWAYS_INLINE friend Pack abs(const Pack& a) {
    return each_bits([](Bits x) { return x & ~sign_bit; }, a);
  }
  ALWAYS_INLINE friend Pack copysign(const Pack& size, const Pack& sign) {
    return each(
        [](Value x, Value y) {
          return reinterpret_cast<Value>((reinterpret_cast<Bits>(x) & ~sign_bit) |
                                         (reinterpret_cast<Bits>(y) & sign_bit));
        },
        size, sign);
  }
  ALWAYS_INLINE friend Pack select(const Mask& condition, const Pack& a, const Pack& b) {
    Pack result;
    SCREE_UNROLLED
    for (int k = 0; k < M; ++k) result.v[k] = Register::select(condition.m[k], a.v[k], b.v[k]);
    return result;
  }
  ALWAYS_INLINE friend Mask select(const Mask& condition, const Mask& a, const Mask& b) {
    return (condition & a) | ((!condition) & b);
  }
  ALWAYS_INLINE friend Pack larger(const Pack& a, const Pack& b) {
    return each([](Value x, Value y) { return Register::larger(x, y); }, a, b);
  }
  ALWAYS_INLINE friend Pack smaller(const Pack& a, const Pack& b) {
    return each([](Value x, Value y) { return Register::smaller(x, y); }, a, b);
  }
  ALWAYS_INLINE friend bool any(const Mask& condition) {
    auto seen = condition.m[0];
    SCREE_UNROLLED
    for (int k = 1; k < M; ++k) seen = Register::either(seen, condition.m[k]);
    return Register::any(seen);
  }
  /// The lanes where it holds: bit i is that of lane i.
  ALWAYS_INLINE friend unsigned lanes_where(const Mask& condition) {
    unsigned seen = 0;
    SCREE_UNROLLED
    for (int k = 0; k < M; ++k) seen |= Register::bits(condition.m[k]) << (k * W);
    return seen;
  }
  ALWAYS_INLINE friend Pack gather(const double* table, const Pack& index) {
    return each([table](Value i) { return Register::gather(table, i); }, index);
  }

  /// One row of a table for all lanes, or one per lane.
  struct SharedRow {
    const double* row;
    ALWAYS_INLINE Pack operator[](int k) const { return Pack(row[k]); }
    template <std::size_t n>
    ALWAYS_INLINE friend void read_row(const SharedRow& row, int k, Pack (&numbers)[n]) {
      SCREE_UNROLLED
      for (std::size_t i = 0; i < n; ++i) numbers[i] = row[k + static_cast<int>(i)];
    }
  };
  struct Rows {
    const double* of[W * M];
    ALWAYS_INLINE Pack operator[](int k) const { return loaded(of, static_cast<std::size_t>(k)); }
    template <std::size_t n>
    ALWAYS_INLINE friend void read_row(const Rows& rows, int k, Pack (&numbers)[n]) {
      SCREE_UNROLLED
      for (int m = 0; m < M; ++m) {
        const double* from[W];
        SCREE_UNROLLED
        for (int i = 0; i < W; ++i) from[i] = rows.of[m * W + i] + k;
        Value transposed[n];
        Register::transposed(from, transposed);
        SCREE_UNROLLED
        for (std::size_t i = 0; i < n; ++i) numbers[i].v[m] = transposed[i];
      }
    }
  };
  ALWAYS_INLINE friend Rows table_row(const double* tables, const Pack& offset) {
    Rows rows;
    SCREE_UNROLLED
    for (int m = 0; m < M; ++m) {
      const Bits at = Register::whole(offset.v[m]);
      SCREE_UNROLLED
      for (int i = 0; i < W; ++i) rows.of[m * W + i] = tables + at[i];
    }
    return rows;
  }
  /// Most runs have one shape for all samples: then a number is read once for all lanes.
  template <class F>
  ALWAYS_INLINE friend auto with_table_row(const double* tables, const Pack& offset, F&& f) {
    const double first = offset.lane(0);
    if (any(offset != Pack(first))) return f(table_row(tables, offset));
    return f(SharedRow{table_row(tables, first)});
  }
  ALWAYS_INLINE friend double lane_of(const Pack& a, int i) { return a.lane(i); }
  ALWAYS_INLINE friend void set_lane(Pack& a, int i, double value) { a.set_lane(i, value); }
  ALWAYS_INLINE friend int highest(const Pack& whole) {
    Value largest = whole.v[0];
    SCREE_UNROLLED
    for (int k = 1; k < M; ++k) largest = Register::larger(largest, whole.v[k]);
    double result = largest[0];
    SCREE_UNROLLED
    for (int i = 1; i < W; ++i) result = larger(result, static_cast<double>(largest[i]));
    return highest(result);
  }
  /// As for a double; a lane whose set is empty gives 0 and stays empty. The lowest bit of a whole number is the lowest
  /// bit of its significand, or, in a power of two, the leading one.
  ALWAYS_INLINE friend Pack take_lowest_bit(Pack& set) {
    const Pack zero(0.0);
    const Pack fraction = each_bits([](Bits x) { return x & fraction_bits; }, set);
    const Pack others = each_bits([](Bits x) { return x & (x - 1u); }, set);
    const Pack rest = select(each_bits([](Bits x) { return x | one_bits; }, fraction) == Pack(1.0), zero, others);
    const Pack lowest = set - rest;
    const Pack position = select(set > zero, binary_exponent(lowest), zero);
    set = select(set > zero, rest, zero);
    return position;
  }

  // The bit helpers of elementary.hpp.

  ALWAYS_INLINE friend Pack power_of_two(const Pack& n) {
    return each_bits([](Bits x) { return x << 52; }, n + Pack(0x1p52 + 1023.0));
  }
  ALWAYS_INLINE friend Pack binary_exponent(const Pack& a) {
    return each_bits([](Bits x) { return (x >> 52) | 0x4330000000000000u; }, a) - Pack(0x1p52 + 1023.0);
  }
  ALWAYS_INLINE friend Pack significand(const Pack& a) {
    return each_bits([](Bits x) { return (x & fraction_bits) | one_bits; }, a);
  }
  ALWAYS_INLINE friend Pack rsqrt_guess(const Pack& a) {
    return each_bits([](Bits x) { return 0x5FE6EB50C7B537A9u - (x >> 1); }, a);
  }

 private:
  static constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
  static constexpr std::uint64_t fraction_bits = 0x000FFFFFFFFFFFFFu;
  static constexpr std::uint64_t one_bits = 0x3FF0000000000000u;  // of 1.0
};

template <int W, int M>
inline constexpr int lanes_of<Pack<W, M>> = W* M;

}  // namespace scree
