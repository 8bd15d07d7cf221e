// Four samples in one Real: an array of plain doubles, one operation after another in each lane.
//
// This pack is for showing that the templates of src/ never look at a sample but through the operations of real.hpp: a
// lane of a Pack has the bits that a double would have. It is not fast; the vectors of each instruction set are.
#pragma once

#include "../src/elementary.hpp"

namespace scree {

struct Pack {
  static constexpr int lanes = 4;

  /// One truth value per lane.
  struct Mask {
    bool m[lanes];

    friend Mask operator&(const Mask& a, const Mask& b) {
      return zip(a, b, [](bool x, bool y) { return x && y; });
    }
    friend Mask operator|(const Mask& a, const Mask& b) {
      return zip(a, b, [](bool x, bool y) { return x || y; });
    }
    friend Mask operator!(const Mask& a) {
      return zip(a, a, [](bool x, bool) { return !x; });
    }

   private:
    template <class F>
    static Mask zip(const Mask& a, const Mask& b, F f) {
      Mask result;
      for (int i = 0; i < lanes; ++i) result.m[i] = f(a.m[i], b.m[i]);
      return result;
    }
  };

  double v[lanes];

  Pack() = default;
  explicit Pack(double all) {
    for (double& lane : v) lane = all;
  }

  /// f(lane of a, lane of b, ...) in every lane.
  template <class F, class... Packs>
  static Pack each(F f, const Packs&... packs) {
    Pack result;
    for (int i = 0; i < lanes; ++i) result.v[i] = f(packs.v[i]...);
    return result;
  }
  template <class F>
  static Mask compare(const Pack& a, const Pack& b, F f) {
    Mask result;
    for (int i = 0; i < lanes; ++i) result.m[i] = f(a.v[i], b.v[i]);
    return result;
  }

  friend Pack operator+(const Pack& a, const Pack& b) {
    return each([](double x, double y) { return x + y; }, a, b);
  }
  friend Pack operator-(const Pack& a, const Pack& b) {
    return each([](double x, double y) { return x - y; }, a, b);
  }
  friend Pack operator*(const Pack& a, const Pack& b) {
    return each([](double x, double y) { return x * y; }, a, b);
  }
  friend Pack operator/(const Pack& a, const Pack& b) {
    return each([](double x, double y) { return x / y; }, a, b);
  }
  friend Pack operator-(const Pack& a) {
    return each([](double x) { return -x; }, a);
  }
  friend Mask operator<(const Pack& a, const Pack& b) {
    return compare(a, b, [](double x, double y) { return x < y; });
  }
  friend Mask operator<=(const Pack& a, const Pack& b) {
    return compare(a, b, [](double x, double y) { return x <= y; });
  }
  friend Mask operator>(const Pack& a, const Pack& b) {
    return compare(a, b, [](double x, double y) { return x > y; });
  }
  friend Mask operator>=(const Pack& a, const Pack& b) {
    return compare(a, b, [](double x, double y) { return x >= y; });
  }
  friend Mask operator==(const Pack& a, const Pack& b) {
    return compare(a, b, [](double x, double y) { return x == y; });
  }
  friend Mask operator!=(const Pack& a, const Pack& b) {
    return compare(a, b, [](double x, double y) { return x != y; });
  }
};

// The functions of real.hpp.

inline Pack fma(const Pack& a, const Pack& b, const Pack& c) {
  return Pack::each([](double x, double y, double z) { return fma(x, y, z); }, a, b, c);
}
inline Pack sqrt(const Pack& a) {
  return Pack::each([](double x) { return sqrt(x); }, a);
}
inline Pack abs(const Pack& a) {
  return Pack::each([](double x) { return abs(x); }, a);
}
inline Pack copysign(const Pack& size, const Pack& sign) {
  return Pack::each([](double x, double y) { return copysign(x, y); }, size, sign);
}
inline Pack truncate(const Pack& a) {
  return Pack::each([](double x) { return truncate(x); }, a);
}
inline Pack select(const Pack::Mask& condition, const Pack& a, const Pack& b) {
  Pack result;
  for (int i = 0; i < Pack::lanes; ++i) result.v[i] = condition.m[i] ? a.v[i] : b.v[i];
  return result;
}
inline Pack::Mask select(const Pack::Mask& condition, const Pack::Mask& a, const Pack::Mask& b) {
  return (condition & a) | ((!condition) & b);
}
inline bool any(const Pack::Mask& condition) {
  for (const bool lane : condition.m)
    if (lane) return true;
  return false;
}
inline Pack gather(const double* table, const Pack& index) {
  return Pack::each([table](double i) { return gather(table, i); }, index);
}

/// One row of a table per lane.
struct PackRow {
  const double* row[Pack::lanes];

  Pack operator[](int k) const {
    Pack result;
    for (int i = 0; i < Pack::lanes; ++i) result.v[i] = row[i][k];
    return result;
  }
};
inline PackRow table_row(const double* tables, const Pack& offset) {
  PackRow result;
  for (int i = 0; i < Pack::lanes; ++i) result.row[i] = table_row(tables, offset.v[i]);
  return result;
}
inline int highest(const Pack& whole) {
  double largest = whole.v[0];
  for (const double lane : whole.v) largest = larger(lane, largest);
  return highest(largest);
}
/// As for a double; a lane whose set is empty gives 0 and stays empty.
inline Pack take_lowest_bit(Pack& set) {
  Pack result(0.0);
  for (int i = 0; i < Pack::lanes; ++i)
    if (set.v[i] > 0) result.v[i] = take_lowest_bit(set.v[i]);
  return result;
}

// The bit helpers of elementary.hpp.

inline Pack power_of_two(const Pack& n) {
  return Pack::each([](double x) { return power_of_two(x); }, n);
}
inline Pack binary_exponent(const Pack& a) {
  return Pack::each([](double x) { return binary_exponent(x); }, a);
}
inline Pack significand(const Pack& a) {
  return Pack::each([](double x) { return significand(x); }, a);
}
inline Pack rsqrt_guess(const Pack& a) {
  return Pack::each([](double x) { return rsqrt_guess(x); }, a);
}

}  // namespace scree
