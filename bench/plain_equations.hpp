// The right-hand sides of the plain rows (plain.hpp), as the sources print them: no common subexpression found by hand,
// functions of the standard library. For naive.cpp and odeint.cpp alone; nothing here is seen by another source.
#pragma once

#include <cmath>
#include <cstddef>

#include "plain.hpp"

namespace {

/// lorenz.hpp, equation (1). Inputs: sigma, rho, beta.
struct LorenzEquations {
  static constexpr int size = 3;
  double sigma, rho, beta;

  LorenzEquations(const scree_plain_job&, const double* in) : sigma(in[0]), rho(in[1]), beta(in[2]) {}
  static void start(const double* in, double* y) {
    for (int i = 0; i < 3; ++i) y[i] = in[3 + i];
  }
  template <class State>
  void operator()(const State& y, State& d, double = 0) const {
    d[0] = sigma * (y[1] - y[0]);
    d[1] = y[0] * (rho - y[2]) - y[1];
    d[2] = y[0] * y[1] - beta * y[2];
  }
};

/// Slopes and curvatures of z = f(x, y).
struct PlainSurface {
  double fx, fy, fxx, fxy, fyy;
};
/// z = a x^2 + b y^2 + c x y + d x + e y + f.
struct PlainQuadric {
  const double* s;
  PlainSurface operator()(double x, double y) const {
    return {2 * s[0] * x + s[2] * y + s[3], 2 * s[1] * y + s[2] * x + s[4], 2 * s[0], s[2], 2 * s[1]};
  }
};
/// z = R - sqrt(R^2 - x^2 - y^2).
struct PlainBowl {
  const double* s;
  PlainSurface operator()(double x, double y) const {
    const double radius = s[6], root = std::sqrt(radius * radius - x * x - y * y), cube = root * root * root;
    return {x / root, y / root, 1 / root + x * x / cube, x * y / cube, 1 / root + y * y / cube};
  }
};

/// A mass sliding with friction: slider.hpp, equations (1) to (3). Inputs: gravity, friction, position, velocity.
template <class Surface>
struct SliderEquations {
  static constexpr int size = 4;
  Surface surface;
  double g, mu;

  SliderEquations(const scree_plain_job& job, const double* in) : surface{job.surface}, g(in[0]), mu(in[1]) {}
  static void start(const double* in, double* y) {
    for (int i = 0; i < 4; ++i) y[i] = in[2 + i];
  }
  template <class State>
  void operator()(const State& y, State& d, double = 0) const {
    const PlainSurface f = surface(y[0], y[1]);
    const double vx = y[2], vy = y[3], vz = f.fx * vx + f.fy * vy;
    const double phi = 1 / std::sqrt(1 + f.fx * f.fx + f.fy * f.fy);
    const double chi = 1 / std::sqrt(vx * vx + vy * vy + vz * vz);
    const double theta = f.fxx * vx * vx + 2 * f.fxy * vx * vy + f.fyy * vy * vy;
    d[0] = vx;
    d[1] = vy;
    d[2] = -phi * phi * (g + theta) * f.fx - mu * std::fabs(phi * (g + theta)) * chi * vx;
    d[3] = -phi * phi * (g + theta) * f.fy - mu * std::fabs(phi * (g + theta)) * chi * vy;
  }
};

/// Two masses at a constant distance, exact model, normal forces positive: the equations (1) to (3) of pair.hpp
/// before they are simplified. Inputs: masses, gravity, friction, positions, velocities; the state has the positions
/// first.
struct PairEquations {
  static constexpr int size = 8;
  PlainQuadric surface;
  double m[2], g, mu;

  PairEquations(const scree_plain_job& job, const double* in)
      : surface{job.surface}, m{in[0], in[1]}, g(in[2]), mu(in[3]) {}
  static void start(const double* in, double* y) {
    for (int i = 0; i < 8; ++i) y[i] = in[4 + i];
  }
  double height(double x, double y) const {
    const double* s = surface.s;
    return s[0] * x * x + s[1] * y * y + s[2] * x * y + s[3] * x + s[4] * y + s[5];
  }
  template <class State>
  void operator()(const State& y, State& d, double = 0) const {
    double n[2][3], v[2][3], unit[2][3], phi[2], theta[2], e[2], friction_e[2];
    double r[3] = {y[0] - y[2], y[1] - y[3], height(y[0], y[1]) - height(y[2], y[3])};
    for (int i = 0; i < 2; ++i) {
      const PlainSurface f = surface(y[2 * i], y[2 * i + 1]);
      v[i][0] = y[4 + 2 * i];
      v[i][1] = y[5 + 2 * i];
      v[i][2] = f.fx * v[i][0] + f.fy * v[i][1];
      phi[i] = 1 / std::sqrt(1 + f.fx * f.fx + f.fy * f.fy);
      theta[i] = f.fxx * v[i][0] * v[i][0] + 2 * f.fxy * v[i][0] * v[i][1] + f.fyy * v[i][1] * v[i][1];
      n[i][0] = -phi[i] * f.fx;
      n[i][1] = -phi[i] * f.fy;
      n[i][2] = phi[i];
      const double speed = std::sqrt(v[i][0] * v[i][0] + v[i][1] * v[i][1] + v[i][2] * v[i][2]);
      for (int k = 0; k < 3; ++k) unit[i][k] = v[i][k] / speed;
      e[i] = r[0] * n[i][0] + r[1] * n[i][1] + r[2] * n[i][2];
      friction_e[i] = e[i] - mu * (r[0] * unit[i][0] + r[1] * unit[i][1] + r[2] * unit[i][2]);
    }
    double distance2 = 0, closing2 = 0;
    for (int k = 0; k < 3; ++k) {
      distance2 += r[k] * r[k];
      closing2 += (v[0][k] - v[1][k]) * (v[0][k] - v[1][k]);
    }
    const double reduced = m[0] * m[1] / (m[0] + m[1]);
    const double lambda =
        (-closing2 - phi[0] * (g + theta[0]) * friction_e[0] + phi[1] * (g + theta[1]) * friction_e[1]) /
        (distance2 / reduced - e[0] * friction_e[0] / m[0] - e[1] * friction_e[1] / m[1]);
    for (int i = 0; i < 2; ++i) {
      const double sign = i == 0 ? 1 : -1;
      const double normal = m[i] * phi[i] * (g + theta[i]) - sign * lambda * e[i];
      for (int k = 0; k < 2; ++k) {
        d[2 * i + k] = v[i][k];
        d[4 + 2 * i + k] = (sign * lambda * r[k] + normal * n[i][k] - mu * std::fabs(normal) * unit[i][k]) / m[i];
      }
    }
  }
};

/// projectile.hpp, equation (1). Inputs: gravity, drag, speed, angle, height.
struct ProjectileEquations {
  static constexpr int size = 4;
  double g, a;

  ProjectileEquations(const scree_plain_job&, const double* in) : g(in[0]), a(in[1]) {}
  static void start(const double* in, double* y) {
    y[0] = 0;
    y[1] = in[4];
    y[2] = in[2] * std::cos(in[3]);
    y[3] = in[2] * std::sin(in[3]);
  }
  template <class State>
  void operator()(const State& y, State& d, double = 0) const {
    d[0] = y[2];
    d[1] = y[3];
    d[2] = -a * y[2];
    d[3] = -g - a * y[3];
  }
};

/// coulomb.hpp, equation (1) for the gravity of three bodies, G = 1. Inputs: the lists of masses, positions and
/// velocities, for 16 bodies each. The state at the end is that of body 1 relative to body 0, then what is left of it.
struct CoulombEquations {
  static constexpr int bodies = 3, size = 4 * bodies;
  const double* mass;

  CoulombEquations(const scree_plain_job&, const double* in) : mass(in) {}
  static void start(const double* in, double* y) {
    for (int i = 0; i < 2 * bodies; ++i) {
      y[i] = in[16 + i];
      y[2 * bodies + i] = in[48 + i];
    }
  }
  static void relate(double* y) {
    const double* v = y + 2 * bodies;
    const double relative[4] = {y[2] - y[0], y[3] - y[1], v[2] - v[0], v[3] - v[1]};
    for (int i = 0; i < 4; ++i) y[i] = relative[i];
  }
  template <class State>
  void operator()(const State& y, State& d, double = 0) const {
    for (int i = 0; i < bodies; ++i) {
      double ax = 0, ay = 0;
      for (int j = 0; j < bodies; ++j) {
        if (j == i) continue;
        const double dx = y[2 * i] - y[2 * j], dy = y[2 * i + 1] - y[2 * j + 1], r = std::sqrt(dx * dx + dy * dy);
        ax -= mass[j] * dx / (r * r * r);
        ay -= mass[j] * dy / (r * r * r);
      }
      d[2 * i] = y[2 * bodies + 2 * i];
      d[2 * i + 1] = y[2 * bodies + 2 * i + 1];
      d[2 * bodies + 2 * i] = ax;
      d[2 * bodies + 2 * i + 1] = ay;
    }
  }
};

/// A dam break, disk.hpp, equations (1) to (3) in one dimension, N = 100 and M = 4. Inputs: radius, speed, time; the
/// state has the positions first.
struct DamEquations {
  static constexpr int nodes = 101, size = 2 * nodes;
  double q[nodes];

  DamEquations(const scree_plain_job&, const double* in) {
    double y[size];
    start(in, y);
    const double front = in[0] + 2 * in[1] * in[2];
    for (int k = 0; k < nodes; ++k) {
      const double inner = k + 1 < nodes ? y[k + 1] : 0, x = (y[k] + inner) / 2;
      const double slope = (x - front) / in[2], fan = slope * slope / 9;
      q[k] = 2 * (x >= in[0] - in[1] * in[2] ? fan : in[1] * in[1]) * (y[k] - inner);
    }
  }
  static void start(const double* in, double* y) {
    const double front = in[0] + 2 * in[1] * in[2], dx = front / (nodes - 4 + 1);
    for (int i = 0; i < nodes; ++i) {
      const double x = front - (i <= 4 ? dx * i / 4 : dx * (i - 4 + 1));
      y[i] = x;
      y[nodes + i] = x >= in[0] - in[1] * in[2] ? 2 * in[1] + 2.0 / 3 * (x - front) / in[2] : 0;
    }
  }
  template <class State>
  void operator()(const State& y, State& d, double = 0) const {
    double p[nodes + 1];
    p[0] = 0;
    for (int k = 0; k < nodes; ++k) p[k + 1] = q[k] / (y[k] - (k + 1 < nodes ? y[k + 1] : 0));
    for (int i = 0; i < nodes; ++i) {
      d[i] = y[nodes + i];
      d[nodes + i] = (p[i + 1] - p[i]) / (y[i > 0 ? i - 1 : 0] - (i + 1 < nodes ? y[i + 1] : 0));
    }
  }
};

/// After the integration of all samples.
inline void relate_bodies(const scree_plain_job& job) {
  for (std::size_t s = 0; s < job.samples; ++s) CoulombEquations::relate(job.out + CoulombEquations::size * s);
}

}  // namespace
