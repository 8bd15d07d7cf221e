// Lorenz's equations, the common benchmark of ensemble integrators: for measuring only, `scree list` does not show it.
//
//   x' = sigma (y - x),   y' = x (rho - z) - y,   z' = x y - beta z                    (1)
//
// Samples differ in rho. MPGOS and DiffEqGPU.jl integrate 8388608 of them over 1000 steps of RK4, in single precision.
//
// With V = x^2 + y^2 + (z - sigma - rho)^2 and R^2 = beta^2 (sigma + rho)^2 / (4 beta - 4),
//   V' + 2 V = 2 (1 - sigma) x^2 + [a quadratic in z whose maximum is 2 R^2] <= 2 R^2   for sigma >= 1, beta >= 2   (2)
// so V - R^2 falls at least as e^(-2t): all solutions end within the ball.
//
// Sources: Lorenz, J. Atmos. Sci. 20 (1963) 130; Nagy, Plavecz and Hegedus, The art of solving a large number of
// non-stiff, low-dimensional ordinary differential equation systems on GPUs and CPUs (2022).
#pragma once

#include "../src/ensemble.hpp"
#include "../src/integrate.hpp"
#include "../src/range.hpp"
#include "../src/steppers/rk4.hpp"

namespace scree {

template <class Real>
struct Lorenz {
  using Schemes = SchemeList<Rk4>;
  struct Params {
    Real sigma, rho, beta;
  };
  struct Start {
    Real x, y, z;
  };
  struct State {
    Real x, y, z;
  };
  using Summary = State;
  using Track = State;

  template <class Table>
  static void describe(Table& table) {
    table.system("lorenz", "Lorenz's equations");
    table.param("sigma", &Params::sigma, "1", 10.0, positive, "Prandtl number");
    table.param("rho", &Params::rho, "1", 21.0, non_negative, "Rayleigh number over its critical value");
    table.param("beta", &Params::beta, "1", 8.0 / 3.0, positive, "shape of the convection cell");
    table.start("x", &Start::x, "1", 10.0, any_value, "intensity of convection");
    table.start("y", &Start::y, "1", 10.0, any_value, "temperature difference across");
    table.start("z", &Start::z, "1", 10.0, any_value, "deviation from a linear profile");
    table.column("x", &Summary::x, "1", "at the end");
    table.column("y", &Summary::y, "1", "at the end");
    table.column("z", &Summary::z, "1", "at the end");
    table.track("x", &Track::x, "1", "intensity of convection");
    table.track("y", &Track::y, "1", "temperature difference across");
    table.track("z", &Track::z, "1", "deviation from a linear profile");
  }

  HOST_DEVICE static State initial(const World&, const Params&, const Start& start) {
    return {start.x, start.y, start.z};
  }
  /// Equation (1).
  HOST_DEVICE static State derivative(const Params& p, const State& s) {
    return {p.sigma * (s.y - s.x), fma(s.x, p.rho - s.z, -s.y), fma(s.x, s.y, -(p.beta * s.z))};
  }
  HOST_DEVICE static void observe(const Params&, const State& s, const Real&, Summary& summary) { summary = s; }
  HOST_DEVICE static Track track(const Params&, const State& s) { return s; }
};

}  // namespace scree
