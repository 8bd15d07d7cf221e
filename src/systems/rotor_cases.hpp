// Closed forms of the free rotor: its exact motion, and what the schemes make of steady rotation. For the host (tests
// and `verify`), in plain double. A, B, C are the principal moments, Omega a spin, h the step.
//
// Sources: Leine et al., Multibody Syst. Dyn. 52 (2021) 431 [L21]; Landau and Lifshitz, Mechanics, 3rd ed., section 37.
#pragma once

#include <cmath>
#include <complex>
#include <utility>

#include "../vec.hpp"

namespace scree::rotor_cases {

// ---------------------------------------------------------------------------------------------------------------------
// The exact motion, for moments A < B < C and a spin vector w that is not on the separatrix L^2 = 2 T B

/// With T and L the energy and the angular momentum, the spin about the intermediate axis is a Jacobi sine of the time,
/// with the rate and the modulus k below (eqs 37.8, 37.9, 37.12); L^2 < 2 T B exchanges A and C. It is 0 every half
/// period 2 K(k) / rate: a body started about the intermediate axis flips that often.
struct FreeMotion {
  double rate, modulus, amplitude;  // 1/s, 1, rad/s

  FreeMotion(const Vec3<double>& inertia, const Vec3<double>& w) {
    double a = inertia.x, c = inertia.z;
    const double b = inertia.y, energy2 = dot(scale(inertia, w), w), l = norm(scale(inertia, w)), l2 = l * l;
    if (l2 < energy2 * b) std::swap(a, c);
    // Both differences from the components: from T and L they would lose the digits that a small deviation is made of.
    const double from_c = a * (c - a) * (a == inertia.x ? w.x * w.x : w.z * w.z) + b * (c - b) * w.y * w.y;
    const double from_a = b * (b - a) * w.y * w.y + c * (c - a) * (a == inertia.x ? w.z * w.z : w.x * w.x);
    rate = std::sqrt((c - b) * from_a / (a * b * c));
    modulus = std::sqrt((b - a) * from_c / ((c - b) * from_a));
    amplitude = std::sqrt(from_c / (b * (c - b)));
  }
  /// Time between two changes of sign of the spin about the intermediate axis, s.
  double flip_interval() const { return 2 * std::comp_ellint_1(modulus) / rate; }
};

// ---------------------------------------------------------------------------------------------------------------------
// The schemes

/// Angle by which a body that spins steadily about a principal axis turns in a step, rad. Explicit: twice the
/// quaternion (1, h w / 4). Cayley: (1, h w / 2) once. `implicit` turns by h w.
inline double explicit_turn(double w, double h) { return 4 * std::atan(0.25 * h * w); }
inline double cayley_turn(double w, double h) { return 2 * std::atan(0.5 * h * w); }

/// Where the explicit scheme ends: kinetic energy C Omega^2 / 2 is kept and the rotation is about the axis of least
/// inertia, L21 section 4.3.
inline double explicit_final_spin(double least, double inertia, double spin) {
  return std::sqrt(inertia / least) * spin;
}

/// Linearisation of the explicit rotor about the rotation Omega e3, (x, y) part of one step: L21 section 4.2. With
/// k = h Omega / 2 and De = A B + k^2 (A + B)^2. (The paper's determinant lacks a factor Omega^2.)
struct ExplicitLinearisation {
  double d11, d12, d21, d22;
  std::complex<double> lambda[2];

  ExplicitLinearisation(double a, double b, double c, double spin, double h) {
    const double k = 0.5 * h * spin, de = a * b + k * k * (a + b) * (a + b);
    d11 = 1 + 2 * k * k * (a + b) * (c - a) / de;
    d22 = 1 + 2 * k * k * (a + b) * (c - b) / de;
    d12 = -2 * k * b * (c - b) / de;
    d21 = 2 * k * a * (c - a) / de;
    const double half_trace = 0.5 * (d11 + d22), determinant = d11 * d22 - d12 * d21;
    const std::complex<double> root = std::sqrt(std::complex<double>(half_trace * half_trace - determinant));
    lambda[0] = half_trace + root;
    lambda[1] = half_trace - root;
  }
};

/// Growth of a small perturbation of Omega e3 under the explicit scheme, 1/s, to first order in h: positive about the
/// axis of largest inertia.
inline double explicit_growth_rate(double a, double b, double c, double spin, double h) {
  return h * spin * spin * (2 * c * c - a * a - b * b) / (4 * a * b);
}

}  // namespace scree::rotor_cases
