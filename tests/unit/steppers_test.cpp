// One step of each smooth scheme against what its tableau gives: on an oscillator the scheme's polynomial, or fraction,
// in the step, and on y' = g(t) its quadrature rule.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "src/steppers/euler.hpp"
#include "src/steppers/euler_cromer.hpp"
#include "src/steppers/implicit_midpoint.hpp"
#include "src/steppers/leapfrog.hpp"
#include "src/steppers/rk2_heun.hpp"
#include "src/steppers/rk2_midpoint.hpp"
#include "src/steppers/rk3.hpp"
#include "src/steppers/rk4.hpp"

namespace scree {
namespace {

struct State {
  double x, v;
};

template <class Scheme, class F>
State step(const State& from, double h, const F& f) {
  return Scheme::step(from, f(from), h, f);
}

/// x'' = -x from (1, 0), of which the exact step is (cos h, -sin h), is taken to (x, v).
template <class Scheme>
void expect_oscillation(double h, double x, double v) {
  SCOPED_TRACE(Scheme::name);
  const State end = step<Scheme>({1, 0}, h, [](const State& s) { return State{s.v, -s.x}; });
  // A dozen roundings of numbers up to 1, and the tolerance of the implicit rule.
  EXPECT_NEAR(end.x, x, 12 * 1.1e-16 + 2 * ImplicitMidpoint::tolerance);
  EXPECT_NEAR(end.v, v, 12 * 1.1e-16 + 2 * ImplicitMidpoint::tolerance);
}

TEST(Steppers, TakeTheStepOfTheirPolynomialOnAnOscillator) {
  const double h = 0.5, h2 = h * h, h3 = h2 * h, h4 = h3 * h;
  expect_oscillation<Euler>(h, 1, -h);
  expect_oscillation<EulerCromer>(h, 1 - h2, -h);
  expect_oscillation<Leapfrog>(h, 1 - h2 / 2, -(h - h3 / 4));
  expect_oscillation<Rk2Midpoint>(h, 1 - h2 / 2, -h);
  expect_oscillation<Rk2Heun>(h, 1 - h2 / 2, -h);
  expect_oscillation<Rk3>(h, 1 - h2 / 2, -(h - h3 / 6));
  expect_oscillation<Rk4>(h, 1 - h2 / 2 + h4 / 24, -(h - h3 / 6));
  expect_oscillation<ImplicitMidpoint>(h, (1 - h2 / 4) / (1 + h2 / 4), -h / (1 + h2 / 4));
}

/// t' = 1, y' = g(t) from 0: the rule by which the scheme integrates g over (0, h).
template <class Scheme>
double quadrature(double h, const std::function<double(double)>& g) {
  return step<Scheme>({0, 0}, h, [&](const State& s) { return State{1, g(s.x)}; }).v;
}

TEST(Steppers, IntegrateByTheRuleOfTheirNodesAndWeights) {
  const double h = 0.7;
  for (const std::function<double(double)>& g : {std::function<double(double)>([](double t) { return std::exp(t); }),
                                                 {[](double t) { return t * t * t * t; }}}) {
    // A dozen roundings of numbers up to e^0.7 = 2.
    const double rounding = 24 * 1.1e-16, start = g(0), middle = g(h / 2), end = g(h);
    EXPECT_NEAR(quadrature<Euler>(h, g), h * start, rounding);
    EXPECT_NEAR(quadrature<Rk2Midpoint>(h, g), h * middle, rounding);
    EXPECT_NEAR(quadrature<ImplicitMidpoint>(h, g), h * middle, rounding + 2 * ImplicitMidpoint::tolerance);
    EXPECT_NEAR(quadrature<Rk2Heun>(h, g), h / 2 * (start + end), rounding);
    EXPECT_NEAR(quadrature<Rk3>(h, g), h / 6 * (start + 4 * middle + end), rounding);
    EXPECT_NEAR(quadrature<Rk4>(h, g), h / 6 * (start + 4 * middle + end), rounding);
  }
}

}  // namespace
}  // namespace scree
