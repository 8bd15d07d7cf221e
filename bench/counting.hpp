// A scalar type that counts: a double that adds every operation done on it to a tally. The same templates run on it as
// on double, with the same bits, so that the operations of a step are known from the code itself and not from a sketch.
#pragma once

#include <cstdint>

#include "../src/elementary.hpp"

namespace scree {

/// Operations on samples' values, as written in the templates. Bit operations, conversions and table look-ups are not
/// floating-point operations and are not counted; neither are negation, abs and copysign, which are bit operations.
struct Operations {
  std::uint64_t add = 0, mul = 0, fma = 0, div = 0, sqrt = 0;  // subtractions count as additions
  std::uint64_t compare = 0, select = 0;

  /// Floating-point operations as benchmarks count them: a fused multiply-add is two; comparisons are none.
  std::uint64_t flops() const { return add + mul + 2 * fma + div + sqrt; }

  friend Operations operator-(const Operations& a, const Operations& b) {
    return {a.add - b.add,   a.mul - b.mul,         a.fma - b.fma,      a.div - b.div,
            a.sqrt - b.sqrt, a.compare - b.compare, a.select - b.select};
  }
};

struct Counting {
  struct Mask {
    bool value;

    friend Mask operator&(Mask a, Mask b) { return {a.value && b.value}; }
    friend Mask operator|(Mask a, Mask b) { return {a.value || b.value}; }
    friend Mask operator!(Mask a) { return {!a.value}; }
  };

  double value;

  Counting() = default;
  explicit Counting(double value) : value(value) {}
  explicit operator double() const { return value; }

  /// The tally of this thread, since it began.
  static Operations& tally() {
    static thread_local Operations operations;
    return operations;
  }

  friend Counting operator+(Counting a, Counting b) { return ++tally().add, Counting(a.value + b.value); }
  friend Counting operator-(Counting a, Counting b) { return ++tally().add, Counting(a.value - b.value); }
  friend Counting operator*(Counting a, Counting b) { return ++tally().mul, Counting(a.value * b.value); }
  friend Counting operator/(Counting a, Counting b) { return ++tally().div, Counting(a.value / b.value); }
  friend Counting operator-(Counting a) { return Counting(-a.value); }
  friend Mask operator<(Counting a, Counting b) { return ++tally().compare, Mask{a.value < b.value}; }
  friend Mask operator<=(Counting a, Counting b) { return ++tally().compare, Mask{a.value <= b.value}; }
  friend Mask operator>(Counting a, Counting b) { return ++tally().compare, Mask{a.value > b.value}; }
  friend Mask operator>=(Counting a, Counting b) { return ++tally().compare, Mask{a.value >= b.value}; }
  friend Mask operator==(Counting a, Counting b) { return ++tally().compare, Mask{a.value == b.value}; }
  friend Mask operator!=(Counting a, Counting b) { return ++tally().compare, Mask{a.value != b.value}; }
};

// The functions of real.hpp.

inline Counting fma(Counting a, Counting b, Counting c) {
  ++Counting::tally().fma;
  return Counting(fma(a.value, b.value, c.value));
}
inline Counting sqrt(Counting a) {
  ++Counting::tally().sqrt;
  return Counting(sqrt(a.value));
}
inline Counting abs(Counting a) { return Counting(abs(a.value)); }
inline Counting copysign(Counting size, Counting sign) { return Counting(copysign(size.value, sign.value)); }
inline Counting truncate(Counting a) { return Counting(truncate(a.value)); }
inline Counting select(Counting::Mask condition, Counting a, Counting b) {
  ++Counting::tally().select;
  return condition.value ? a : b;
}
inline Counting::Mask select(Counting::Mask condition, Counting::Mask a, Counting::Mask b) {
  return condition.value ? a : b;
}
inline bool any(Counting::Mask condition) { return condition.value; }
inline Counting gather(const double* table, Counting index) { return Counting(gather(table, index.value)); }

/// A row of a table whose numbers become samples' values.
struct CountingRow {
  const double* row;
  Counting operator[](int k) const { return Counting(row[k]); }
};
inline CountingRow table_row(const double* tables, Counting offset) { return {table_row(tables, offset.value)}; }
template <std::size_t n>
void read_row(const CountingRow& row, int k, Counting (&numbers)[n]) {
  for (std::size_t i = 0; i < n; ++i) numbers[i] = row[k + static_cast<int>(i)];
}
template <class F>
auto with_table_row(const double* tables, Counting offset, F&& f) {
  return f(table_row(tables, offset));
}

/// As the processors and devices that are measured divide; this is compiled for one without fma.
inline Counting divide(const Counting& a, const Divisor& d) { return detail::divide_by_fma(a, d); }

inline double lane_of(Counting a, int) { return a.value; }
inline void set_lane(Counting& a, int, double value) { a.value = value; }
inline int highest(Counting whole) { return highest(whole.value); }
inline Counting take_lowest_bit(Counting& set) { return Counting(take_lowest_bit(set.value)); }

// The bit helpers of elementary.hpp.

inline Counting power_of_two(Counting n) { return Counting(power_of_two(n.value)); }
inline Counting binary_exponent(Counting a) { return Counting(binary_exponent(a.value)); }
inline Counting significand(Counting a) { return Counting(significand(a.value)); }
inline Counting rsqrt_guess(Counting a) { return Counting(rsqrt_guess(a.value)); }

}  // namespace scree
