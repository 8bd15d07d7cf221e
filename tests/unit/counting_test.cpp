// The counting type computes what double does, and its tally is what the code says.
#include "bench/counting.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>

#include "src/steppers/rotor_rk4.hpp"

namespace scree {
namespace {

template <class F>
Operations count(F f) {
  const Operations before = Counting::tally();
  f();
  return Counting::tally() - before;
}

void expect_operations(const Operations& found, const Operations& expected) {
  EXPECT_EQ(found.add, expected.add);
  EXPECT_EQ(found.mul, expected.mul);
  EXPECT_EQ(found.fma, expected.fma);
  EXPECT_EQ(found.div, expected.div);
  EXPECT_EQ(found.sqrt, expected.sqrt);
  EXPECT_EQ(found.compare, expected.compare);
  EXPECT_EQ(found.select, expected.select);
}

TEST(Counting, CountsEachOperationOnce) {
  const Counting a(2.0), b(3.0);
  double value = 0;
  const Operations found = count([&] {
    const Counting x = a * b + a / b - fma(a, b, -a);
    value = select(x < b, sqrt(abs(x)), copysign(x, a)).value;
  });
  // One addition, one subtraction; signs are free.
  expect_operations(found, {2, 1, 1, 1, 1, 1, 1});
  EXPECT_EQ(found.flops(), 2u + 1 + 2 + 1 + 1);
  EXPECT_EQ(value, std::sqrt(std::fabs(2.0 * 3.0 + 2.0 / 3.0 - (2.0 * 3.0 - 2.0))));
}

TEST(Counting, KnowsThePriceOfTheReciprocalSquareRoot) {
  // elementary.hpp: 12 floating-point operations, none of them a division or a square root.
  double value = 0;
  expect_operations(count([&] { value = rsqrt(Counting(7.0)).value; }), {0, 4, 8, 0, 0, 0, 0});
  EXPECT_EQ(value, rsqrt(7.0));
}

TEST(Counting, KnowsThePriceOfADivisionByAKnownDivisor) {
  double value = 0;
  expect_operations(count([&] { value = divide(Counting(7.0), Divisor::of(3)).value; }), {0, 1, 2, 0, 0, 0, 0});
  EXPECT_EQ(value, 7.0 / 3);
}

TEST(Counting, CountsVectors) {
  const Vec3<Counting> a{Counting(1.0), Counting(2.0), Counting(3.0)};
  expect_operations(count([&] { dot(a, a); }), {0, 1, 2, 0, 0, 0, 0});
  // Each component is fma(a, b, -(c d)).
  expect_operations(count([&] { cross(a, a); }), {0, 3, 3, 0, 0, 0, 0});
}

/// One step of a rotor, as bits.
template <class Scheme, class Real>
std::array<std::uint64_t, 7> rotor_step() {
  const auto r = [](double x) { return Real(x); };
  const Rotation<Real> next = Scheme::free_step(Vec3<Real>{r(0.4), r(0.8), r(1.1)}, Vec3<Real>{r(1.0), r(-7.0), r(0.3)},
                                                Quaternion<Real>{r(0.5), r(0.5), r(-0.5), r(0.5)}, r(0.01));
  return std::bit_cast<std::array<std::uint64_t, 7>>(next);
}

TEST(Counting, HasTheBitsOfDouble) {
  EXPECT_EQ((rotor_step<RotorExplicit, Counting>()), (rotor_step<RotorExplicit, double>()));
  EXPECT_EQ((rotor_step<RotorMidpoint<ExpB>, Counting>()), (rotor_step<RotorMidpoint<ExpB>, double>()));
  EXPECT_EQ((rotor_step<RotorMidpoint<Cayley>, Counting>()), (rotor_step<RotorMidpoint<Cayley>, double>()));
  EXPECT_EQ((rotor_step<RotorRk4, Counting>()), (rotor_step<RotorRk4, double>()));
  EXPECT_EQ(sin(Counting(1e4)).value, sin(1e4));
  EXPECT_EQ(exp(Counting(-3.7)).value, exp(-3.7));
  EXPECT_EQ(log(Counting(1e-310)).value, log(1e-310));
}

}  // namespace
}  // namespace scree
