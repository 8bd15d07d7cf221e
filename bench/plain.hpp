// The rows that a benchmark of Scree is compared with: the same equations and steps as anybody would write them
// (naive.cpp), and by Boost.odeint (odeint.cpp). One sample after another, on one thread.
//
// These sources are compiled for the machine that builds them (of a portable program, for x86-64-v3), with contraction,
// at -O3: all that a compiler can do for them. They share nothing with the rest of the program but this header.
#pragma once

#include <cstddef>

extern "C" {

struct scree_plain_job {
  std::size_t samples, steps;
  double step;
  const double* inputs;  // [samples, width]: those parameters and starts that the case names
  std::size_t width;
  const double* surface;  // of sliders and pairs: a, b, c, d, e, f of a quadric, then the radius of a bowl
  double* out;            // [samples, size of the state]: the state at the end
};
typedef void (*scree_plain)(const scree_plain_job*);

void scree_naive_slider(const scree_plain_job* job);
void scree_odeint_slider(const scree_plain_job* job);
void scree_naive_cap(const scree_plain_job* job);
void scree_odeint_cap(const scree_plain_job* job);
void scree_naive_pair(const scree_plain_job* job);
void scree_odeint_pair(const scree_plain_job* job);
void scree_naive_projectile(const scree_plain_job* job);
void scree_odeint_projectile(const scree_plain_job* job);
void scree_naive_coulomb(const scree_plain_job* job);
void scree_odeint_coulomb(const scree_plain_job* job);
void scree_naive_lorenz(const scree_plain_job* job);
void scree_odeint_lorenz(const scree_plain_job* job);
void scree_naive_disk(const scree_plain_job* job);
void scree_odeint_disk(const scree_plain_job* job);
/// Implicit midpoint by Newton's method, orientation by the Cayley map. Inputs: inertia, omega, orientation; the state
/// is omega, the orientation, and the largest relative changes of energy and angular momentum.
void scree_naive_rotor(const scree_plain_job* job);

/// What the processor must have: bit 0 AVX2 and FMA, bit 1 AVX-512. To be asked before any of the above is called.
extern const unsigned scree_plain_needs;
/// What the compiler was told of it: "native", or an architecture of x86-64.
extern const char* const scree_plain_isa;

}  // extern "C"
