#include "exact_sum.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>

namespace scree {
namespace {

using Integer = boost::multiprecision::cpp_int;

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
constexpr int unit_of_sums = -1074, unit_of_products = -2148;  // powers of two

template <std::size_t count>
Integer integer_of(std::array<std::int64_t, count> limbs) {
  const bool negative = limbs[count - 1] < 0;
  if (negative) {
    for (std::int64_t& limb : limbs) limb = -limb;
    for (std::size_t k = 0; k + 1 < count; ++k) {
      limbs[k + 1] += limbs[k] >> 32;
      limbs[k] &= 0xffffffff;
    }
  }
  Integer whole = limbs[count - 1];
  Integer below;
  import_bits(below, limbs.rbegin() + 1, limbs.rend(), 32);
  whole = (whole << (32 * (count - 1))) + below;
  return negative ? Integer(-whole) : whole;
}

/// numerator / denominator 2^exponent, both positive, as an integer of 56 bits at least, which is rounded down, and a
/// power of two.
struct Quotient {
  Integer whole;
  int exponent;
  bool is_exact;
  Quotient(const Integer& numerator, const Integer& denominator, int times) {
    const int more = std::max(0, 56 + static_cast<int>(msb(denominator)) - static_cast<int>(msb(numerator)));
    Integer rest;
    divide_qr(Integer(numerator << more), denominator, whole, rest);
    exponent = times - more;
    is_exact = rest == 0;
  }
  /// The power of two of its first bit.
  int first() const { return static_cast<int>(msb(whole)) + exponent; }
};

double rounded(const Quotient& of) {
  const int unit = std::max(of.first() - 52, unit_of_sums), dropped = unit - of.exponent;  // some bits
  const Integer kept = of.whole >> dropped;
  auto mantissa = static_cast<std::uint64_t>(kept);
  const bool half = bit_test(of.whole, static_cast<unsigned>(dropped - 1)),
             more = !of.is_exact || static_cast<int>(lsb(of.whole)) < dropped - 1;
  if (half && (more || mantissa % 2 == 1)) ++mantissa;
  return std::ldexp(static_cast<double>(mantissa), unit);
}

/// numerator / denominator 2^exponent to the nearest double.
double rounded(const Integer& numerator, const Integer& denominator, int exponent) {
  if (numerator == 0) return 0;
  const Quotient quotient(abs(numerator), denominator, exponent);
  return numerator < 0 ? -rounded(quotient) : rounded(quotient);
}

/// n (n - 1) times the covariance, in units of products.
Integer numerator_of(std::uint64_t n, const Integer& x, const Integer& y, const Integer& products) {
  return n * products - x * y;
}
Integer denominator_of(std::uint64_t n) { return Integer(n) * (n - 1); }

Integer variance_of(const ExactMoments& of) {
  const Integer sum = integer_of(of.sum.carried());
  return numerator_of(of.n, sum, sum, integer_of(of.squares.carried()));
}

}  // namespace

double ExactSum::value() const { return rounded(integer_of(carried()), 1, unit_of_sums); }
double ExactProducts::value() const { return rounded(integer_of(carried()), 1, unit_of_products); }

double ExactSum::mean(std::uint64_t n) const {
  return n == 0 ? undefined : rounded(integer_of(carried()), n, unit_of_sums);
}

double ExactSum::minus(std::uint64_t n, double about) const {
  ExactSum of_about;
  of_about.add(about);
  return rounded(integer_of(carried()) - n * integer_of(of_about.carried()), 1, unit_of_sums);
}

double ExactMoments::variance() const {
  return n < 2 ? undefined : rounded(variance_of(*this), denominator_of(n), unit_of_products);
}

double ExactMoments::sd() const {
  if (n < 2) return undefined;
  const Integer numerator = variance_of(*this);
  if (numerator == 0) return 0;
  Quotient quotient(numerator, denominator_of(n), unit_of_products);
  // Between 1 and 4, and what is missing to that, which is a power of four.
  const int half = (quotient.first() - (quotient.first() & 1)) / 2;
  quotient.exponent -= 2 * half;
  return std::ldexp(std::sqrt(rounded(quotient)), half);
}

double covariance(std::uint64_t n, const ExactSum& x, const ExactSum& y, const ExactProducts& products) {
  if (n < 2) return undefined;
  return rounded(numerator_of(n, integer_of(x.carried()), integer_of(y.carried()), integer_of(products.carried())),
                 denominator_of(n), unit_of_products);
}

}  // namespace scree
