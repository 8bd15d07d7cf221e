// Plain loops: the literal equations, arrays of doubles, functions of the standard library.
#include <cmath>

#include "plain_equations.hpp"

extern const char* const scree_plain_isa = SCREE_PLAIN_ISA;
extern const unsigned scree_plain_needs = 0
#if defined(__AVX2__) && defined(__FMA__)
                                          | 1u
#endif
#if defined(__AVX512F__)
                                          | 2u
#endif
    ;

namespace {

/// Classical Runge-Kutta of order 4, one sample after another.
template <class Equations>
void integrate(const scree_plain_job& job) {
  constexpr int n = Equations::size;
  const double h = job.step;
  for (std::size_t s = 0; s < job.samples; ++s) {
    const Equations f(job, job.inputs + s * job.width);
    double y[n], k1[n], k2[n], k3[n], k4[n], t[n];
    Equations::start(job.inputs + s * job.width, y);
    for (std::size_t step = 0; step < job.steps; ++step) {
      f(y, k1);
      for (int i = 0; i < n; ++i) t[i] = y[i] + h / 2 * k1[i];
      f(t, k2);
      for (int i = 0; i < n; ++i) t[i] = y[i] + h / 2 * k2[i];
      f(t, k3);
      for (int i = 0; i < n; ++i) t[i] = y[i] + h * k3[i];
      f(t, k4);
      for (int i = 0; i < n; ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
    for (int i = 0; i < n; ++i) job.out[s * n + static_cast<std::size_t>(i)] = y[i];
  }
}

void cross(const double* a, const double* b, double* c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

double determinant(const double m[3][3]) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/// Theta (w1 - w0) + h m x Theta m = 0, m = (w0 + w1) / 2, by three Newton steps with Cramer's rule.
void midpoint(const double* inertia, const double* w0, double h, double* w1) {
  for (int i = 0; i < 3; ++i) w1[i] = w0[i];
  for (int pass = 0; pass < 3; ++pass) {
    double m[3], spin[3], torque[3], residual[3], jacobian[3][3];
    for (int i = 0; i < 3; ++i) m[i] = (w0[i] + w1[i]) / 2;
    for (int i = 0; i < 3; ++i) spin[i] = inertia[i] * m[i];
    cross(m, spin, torque);
    for (int i = 0; i < 3; ++i) residual[i] = inertia[i] * (w1[i] - w0[i]) + h * torque[i];
    for (int i = 0; i < 3; ++i) {
      // d torque_i / d m: torque_i = (I_k - I_j) m_j m_k with (i, j, k) cyclic.
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      jacobian[i][i] = inertia[i];
      jacobian[i][j] = h / 2 * (inertia[k] - inertia[j]) * m[k];
      jacobian[i][k] = h / 2 * (inertia[k] - inertia[j]) * m[j];
    }
    const double d = determinant(jacobian);
    for (int c = 0; c < 3; ++c) {
      double replaced[3][3];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) replaced[i][j] = j == c ? residual[i] : jacobian[i][j];
      w1[c] -= determinant(replaced) / d;
    }
  }
}

double energy(const double* inertia, const double* w) {
  return 0.5 * (inertia[0] * w[0] * w[0] + inertia[1] * w[1] * w[1] + inertia[2] * w[2] * w[2]);
}

/// Angular momentum in world axes.
void momentum(const double* inertia, const double* w, const double* p, double* l) {
  const double n[3] = {inertia[0] * w[0], inertia[1] * w[1], inertia[2] * w[2]};
  const double a[3][3] = {
      {1 - 2 * (p[2] * p[2] + p[3] * p[3]), 2 * (p[1] * p[2] - p[0] * p[3]), 2 * (p[1] * p[3] + p[0] * p[2])},
      {2 * (p[1] * p[2] + p[0] * p[3]), 1 - 2 * (p[1] * p[1] + p[3] * p[3]), 2 * (p[2] * p[3] - p[0] * p[1])},
      {2 * (p[1] * p[3] - p[0] * p[2]), 2 * (p[2] * p[3] + p[0] * p[1]), 1 - 2 * (p[1] * p[1] + p[2] * p[2])}};
  for (int i = 0; i < 3; ++i) l[i] = a[i][0] * n[0] + a[i][1] * n[1] + a[i][2] * n[2];
}

/// Quaternion product p q, normalised.
void turn(const double* p, const double* q, double* r) {
  r[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
  r[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
  r[2] = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
  r[3] = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
  const double size = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
  for (int i = 0; i < 4; ++i) r[i] /= size;
}

}  // namespace

void scree_naive_slider(const scree_plain_job* job) { integrate<SliderEquations<PlainQuadric>>(*job); }
void scree_naive_cap(const scree_plain_job* job) { integrate<SliderEquations<PlainBowl>>(*job); }
void scree_naive_pair(const scree_plain_job* job) { integrate<PairEquations>(*job); }
void scree_naive_lorenz(const scree_plain_job* job) { integrate<LorenzEquations>(*job); }
void scree_naive_projectile(const scree_plain_job* job) { integrate<ProjectileEquations>(*job); }
void scree_naive_coulomb(const scree_plain_job* job) {
  integrate<CoulombEquations>(*job);
  relate_bodies(*job);
}
void scree_naive_disk(const scree_plain_job* job) { integrate<DamEquations>(*job); }

void scree_naive_rotor(const scree_plain_job* job) {
  const double h = job->step;
  for (std::size_t s = 0; s < job->samples; ++s) {
    const double *v = job->inputs + s * job->width, *inertia = v;
    double w[3] = {v[3], v[4], v[5]}, p[4] = {v[6], v[7], v[8], v[9]}, l0[3];
    const double e0 = energy(inertia, w);
    momentum(inertia, w, p, l0);
    const double size = std::sqrt(l0[0] * l0[0] + l0[1] * l0[1] + l0[2] * l0[2]);
    double energy_drift = 0, momentum_drift = 0;
    for (std::size_t step = 0; step < job->steps; ++step) {
      double w1[3], p1[4], l[3];
      midpoint(inertia, w, h, w1);
      const double q[4] = {1, h / 4 * (w[0] + w1[0]), h / 4 * (w[1] + w1[1]), h / 4 * (w[2] + w1[2])};
      turn(p, q, p1);
      for (int i = 0; i < 3; ++i) w[i] = w1[i];
      for (int i = 0; i < 4; ++i) p[i] = p1[i];
      energy_drift = std::fmax(energy_drift, std::fabs(energy(inertia, w) / e0 - 1));
      momentum(inertia, w, p, l);
      for (int i = 0; i < 3; ++i) l[i] -= l0[i];
      momentum_drift = std::fmax(momentum_drift, std::sqrt(l[0] * l[0] + l[1] * l[1] + l[2] * l[2]) / size);
    }
    double* out = job->out + 9 * s;
    for (int i = 0; i < 3; ++i) out[i] = w[i];
    for (int i = 0; i < 4; ++i) out[3 + i] = p[i];
    out[7] = energy_drift;
    out[8] = momentum_drift;
  }
}
