// Sums of doubles, and of products of two, without any rounding: integers of many limbs that reach from the smallest
// number to beyond the largest.
//
//   x   = +- m 2^(p - 1074),  0 <= m < 2^53,  0 <= p <= 2045
//   x y = +- m_x m_y 2^(p_x + p_y - 2148),  a product of 106 bits, which neither underflows nor overflows
//
// Limb k counts 2^(32 k) units, and is an int64: what lies above its 32 bits is carried on now and then. Two sums are
// added limb by limb. So a sum depends neither on the order of its values nor on how they were grouped, and is rounded
// once, when it is asked for: to the nearest double, ties to even, beyond the largest to infinity. Values are finite;
// there may be 2^63 of them.
//
// Source: Neal, Fast exact summation using small and large superaccumulators, arXiv:1505.05571, the small one.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace scree {

/// An integer of limbs to which numbers are added that reach `limb_bits` bits into the limb that is their highest.
template <int count, int limb_bits>
class Limbs {
 public:
  static constexpr int size = count;
  /// Each limb is below 2^32 then, but for the last, which has the sign.
  void carry() {
    for (std::size_t k = 0; k + 1 < count; ++k) {
      limbs_[k + 1] += limbs_[k] >> 32;
      limbs_[k] &= 0xffffffff;
    }
    pending_ = 0;
  }
  void add(const Limbs& other) {
    Limbs carried = other;
    carried.carry();
    carry();
    for (std::size_t k = 0; k < count; ++k) limbs_[k] += carried.limbs_[k];
    ++pending_;
  }
  /// Each below 2^32 but for the last.
  std::array<std::int64_t, count> carried() const {
    Limbs copy = *this;
    copy.carry();
    return copy.limbs_;
  }

 protected:
  void will_add() {
    constexpr std::uint32_t most = (std::uint32_t{1} << (63 - limb_bits)) - 1;
    if (++pending_ >= most) carry();
  }
  std::array<std::int64_t, count> limbs_{};

 private:
  std::uint32_t pending_ = 0;  // additions since the last carry
};

/// A finite double as in the equations above.
struct Bits {
  std::uint64_t mantissa;
  std::uint32_t place;
  std::int64_t sign;  // 0, or -1 of a negative number
  explicit Bits(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const auto exponent = static_cast<std::uint32_t>(bits >> 52) & 2047;
    const std::uint64_t is_normal = exponent != 0;
    mantissa = (bits & ((std::uint64_t{1} << 52) - 1)) | is_normal << 52;
    place = exponent - static_cast<std::uint32_t>(is_normal);
    sign = static_cast<std::int64_t>(bits) >> 63;
  }
};

/// Of doubles; units of 2^-1074.
class ExactSum : public Limbs<67, 52> {
 public:
  using Limbs::add;
  void add(double x) {
    will_add();
    const Bits of(x);
    const std::uint32_t shift = of.place % 32;
    std::int64_t* const at = limbs_.data() + of.place / 32;
    const auto low = static_cast<std::int64_t>((of.mantissa << shift) & 0xffffffff),
               high = static_cast<std::int64_t>(of.mantissa >> (32 - shift));
    at[0] += (low ^ of.sign) - of.sign;
    at[1] += (high ^ of.sign) - of.sign;
  }
  double value() const;
  /// Of so many values; NaN of none.
  double mean(std::uint64_t n) const;
  /// sum of (x - about) over so many values, as if `about` had been taken from each exactly.
  double minus(std::uint64_t n, double about) const;
};

/// Of products of two doubles; units of 2^-2148.
class ExactProducts : public Limbs<135, 42> {
 public:
  using Limbs::add;
  void add(double x, double y) {
    will_add();
    const Bits a(x), b(y);
    const std::uint32_t place = a.place + b.place, shift = place % 32;
    const std::int64_t sign = a.sign ^ b.sign;
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a.mantissa) * b.mantissa, rest = product >> (32 - shift);
    const auto low = static_cast<std::uint64_t>(rest), high = static_cast<std::uint64_t>(rest >> 64);
    const std::int64_t pieces[] = {
        static_cast<std::int64_t>((static_cast<std::uint64_t>(product) << shift) & 0xffffffff),
        static_cast<std::int64_t>(low & 0xffffffff), static_cast<std::int64_t>(low >> 32),
        static_cast<std::int64_t>(high)};
    std::int64_t* const at = limbs_.data() + place / 32;
    for (std::size_t k = 0; k < 4; ++k) at[k] += (pieces[k] ^ sign) - sign;
  }
  double value() const;
};

/// Numbers, sum and squares of some values.
struct ExactMoments {
  std::uint64_t n = 0;
  ExactSum sum;
  ExactProducts squares;
  void add(double x) {
    ++n;
    sum.add(x);
    squares.add(x, x);
  }
  void add(const ExactMoments& other) {
    n += other.n;
    sum.add(other.sum);
    squares.add(other.squares);
  }
  double mean() const { return sum.mean(n); }
  /// With n - 1, rounded once; NaN for n < 2.
  double variance() const;
  /// Its root, which is there where the variance itself would be too small or too large for a double.
  double sd() const;
};

/// (n sum x y - sum x sum y) / (n (n - 1)), rounded once; NaN for n < 2.
double covariance(std::uint64_t n, const ExactSum& x, const ExactSum& y, const ExactProducts& products);

}  // namespace scree
