// One contact solved exactly: Newton's impact law, Coulomb friction, everything else held fixed.
//
//   g_N = b_N + G_NN P_N + G_NT P_T,   g_T = b_T + G_TN P_N + G_TT P_T
//   0 <= P_N, g_N >= 0, at most one of them nonzero;   |P_T| <= mu P_N,  P_T opposes sliding        L21 eqs (87), L14
//   section 3
//
// b is the contact's velocity without its own percussion (its normal part with e gamma_N0 added), P the percussion, N
// s. With the normal velocity zero, P_N = -(b_N + G_NT P_T) / G_NN and g_T = e + S P_T, where c = G_TN / G_NN, e = b_T
// - c b_N and S = G_TT - c G_NT (2 x 2, not symmetric for the explicit rotor). Three cases:
//
//   open    b_N >= 0:  P = 0
//   stick   P_T = -S^-1 e, if inside the cone
//   slip    g_T = -a P_T with a > 0:  P_T = -(q + a e) / D(a),  q = adj(S) e,  D = det S + a tr S + a^2, and
//           |P_T| = mu P_N becomes Q(a) = L(a):  Q = k2 a^2 + k1 a + k0,  L^2 = |q|^2 + 2 a q.e + a^2 |e|^2
//
// Where friction is large both can hold. The least percussion is taken: the slip root with the largest a; stick only if
// there is none.
#pragma once

#include "../vec.hpp"

namespace scree {

/// A percussion, or a relative velocity, in a contact's own frame (normal, tangent 1, tangent 2).
template <class Real>
using ContactVector = Vec3<Real>;

/// What the local solve needs of the 3 x 3 contact matrix G, once per contact and step.
template <class Real>
struct LocalOperator {
  Real g_n, inverse_g_n;      // G_NN and 1 / G_NN
  Real g_nt1, g_nt2, c1, c2;  // G_NT; c = G_TN / G_NN
  Real s11, s12, s21, s22;    // S
  Real determinant, trace;
  Real inverse_g_t;  // 1 / trace(G_TT): a safe step for the tangential residual
};

/// G has rows normal, tangent 1, tangent 2.
template <class Real>
HOST_DEVICE inline LocalOperator<Real> local_operator(const Mat3<Real>& g) {
  LocalOperator<Real> o;
  o.g_n = g.row0.x;
  o.inverse_g_n = Real(1.0) / g.row0.x;
  o.g_nt1 = g.row0.y;
  o.g_nt2 = g.row0.z;
  o.c1 = g.row1.x * o.inverse_g_n;
  o.c2 = g.row2.x * o.inverse_g_n;
  o.s11 = fma(-o.c1, o.g_nt1, g.row1.y);
  o.s12 = fma(-o.c1, o.g_nt2, g.row1.z);
  o.s21 = fma(-o.c2, o.g_nt1, g.row2.y);
  o.s22 = fma(-o.c2, o.g_nt2, g.row2.z);
  o.determinant = difference_of_products(o.s11, o.s22, o.s12, o.s21);
  o.trace = o.s11 + o.s22;
  o.inverse_g_t = Real(1.0) / (g.row1.y + g.row2.z);
  return o;
}

template <class Real>
struct LocalSolution {
  ContactVector<Real> percussion;
  Real multiplier;     // a; 0 when open or sticking
  Mask<Real> twofold;  // both a sticking and a sliding solution exist
  Mask<Real> failed;   // neither was found
};

namespace detail {

/// Q(a) - L(a) in the form that the root finder needs.
template <class Real>
struct SlipEquation {
  Real k0, k1, k2, qq, qe, ee;

  HOST_DEVICE Real value(const Real& a) const { return fma(fma(k2, a, k1), a, k0); }
  HOST_DEVICE Real square(const Real& a) const { return fma(fma(ee, a, qe + qe), a, qq); }  // L^2
  HOST_DEVICE Mask<Real> inside_cone(const Real& a) const {
    const Real v = value(a);
    return (v >= Real(0.0)) & (v * v >= square(a));
  }
};

/// A root between 0, where L > Q, and infinity, where Q > L: doubling, then bisection to the last bits.
template <class Real>
HOST_DEVICE inline Real bisect(const SlipEquation<Real>& equation, const Mask<Real>& wanted, Real high) {
  auto outside = wanted & !equation.inside_cone(high);
  SCREE_ROLLED
  for (int k = 0; k < 200 && any(outside); ++k) {
    high = select(outside, high + high, high);
    outside = outside & !equation.inside_cone(high);
  }
  Real low = Real(0.0);
  SCREE_ROLLED
  for (int k = 0; k < 60; ++k) {
    const Real middle = Real(0.5) * (low + high);
    const auto above = equation.inside_cone(middle);
    high = select(above, middle, high);
    low = select(above, low, middle);
  }
  return high;
}

}  // namespace detail

/// Percussion of one contact. `b` as above, `mu` the friction coefficient, `start` the multiplier of the last sweep or
/// 0, `passes` how many Newton passes may be spent from a carried multiplier.
template <class Real>
HOST_DEVICE inline LocalSolution<Real> local_solve(const LocalOperator<Real>& o, const Real& mu,
                                                   const ContactVector<Real>& b, const Real& start, int passes) {
  const Real zero = Real(0.0), one = Real(1.0), two = Real(2.0);
  LocalSolution<Real> solution;
  const auto closed = b.x<zero, rough = mu> zero;  // without friction P_T = 0, and the slip equation is void
  solution.percussion = {zero, zero, zero};
  solution.multiplier = zero;
  solution.twofold = closed & !closed;
  solution.failed = solution.twofold;
  if (!any(closed)) return solution;

  const Real e1 = fma(-o.c1, b.x, b.y), e2 = fma(-o.c2, b.x, b.z);
  const Real q1 = difference_of_products(o.s22, e1, o.s12, e2), q2 = difference_of_products(o.s11, e2, o.s21, e1);
  const Real mu_g = mu * o.inverse_g_n;
  detail::SlipEquation<Real> equation;
  equation.qq = fma(q1, q1, q2 * q2);
  equation.qe = fma(q1, e1, q2 * e2);
  equation.ee = fma(e1, e1, e2 * e2);
  equation.k2 = -mu_g * b.x;
  equation.k1 = mu_g * fma(o.g_nt1, e1, fma(o.g_nt2, e2, -b.x * o.trace));
  equation.k0 = mu_g * fma(o.g_nt1, q1, fma(o.g_nt2, q2, -b.x * o.determinant));
  // Sticking is admissible where L(0) <= Q(0): the same cone test, multiplied by det S > 0.
  const auto stick = equation.inside_cone(zero);
  const Real length_e = sqrt(equation.ee);
  // From an admissible stick with k1 >= |e|, Q - L cannot fall below zero again: no sliding solution.
  auto searching = closed & rough & !(stick & (equation.k1 >= length_e));
  auto found = closed & !closed;
  Real a = zero;
  if (any(searching)) {
    const Real safe_ee = select(equation.ee > zero, equation.ee, one);
    const Real first = (length_e - equation.k1) / select(closed, equation.k2, one) + equation.qe / safe_ee;
    const Real from_right = larger(first, zero);
    const auto carried = start > zero;
    a = select(carried, start, from_right);
    // A carried multiplier is close; cold ones are followed to the end.
    const Real limit = select(carried, Real(passes), Real(12.0));
    auto active = searching;
    SCREE_ROLLED
    for (int k = 0; k < 12 && any(active); ++k) {
      const Real v = equation.value(a), l2 = equation.square(a);
      const Real excess = fma(v, v, -l2);
      const auto done = abs(excess) <= Real(2e-12) * l2;
      found = found | (active & done);
      active = active & !done;
      if (!any(active)) break;
      const Real h = fma(equation.ee, a, equation.qe);
      const Real slope = fma(two * equation.k2, a, equation.k1);
      const Real den = two * v * difference_of_products(slope, l2, v, h);
      const auto usable = den > zero;
      const Real next = a - excess * l2 / select(usable, den, one);
      const auto lost = active & ((!usable) | (next < zero));
      active = active & !lost;
      a = select(active, next, a);
      active = active & (Real(k + 1) < limit);
      searching = searching & !lost;  // no sliding solution to the right: keep stick
    }
    found = found | (searching & (a > zero));  // out of passes: the next sweep goes on from here
    found = found & (equation.value(a) >= zero);
    auto missing = closed & rough & !stick & !found;
    if (any(missing)) {
      const Real root = detail::bisect(equation, missing, larger(from_right, o.trace));
      a = select(missing, root, a);
      found = found | missing;
    }
  }
  const auto slide = found;
  a = select(slide, a, zero);
  const Real inverse_d = one / fma(a + o.trace, a, o.determinant);
  const Real t1 = select(rough, -fma(a, e1, q1) * inverse_d, zero);
  const Real t2 = select(rough, -fma(a, e2, q2) * inverse_d, zero);
  const Real n = -o.inverse_g_n * fma(o.g_nt1, t1, fma(o.g_nt2, t2, b.x));
  solution.percussion = select(closed, Vec3<Real>{n, t1, t2}, solution.percussion);
  solution.multiplier = a;
  solution.twofold = slide & stick;
  solution.failed = closed & ((rough & !(slide | stick)) | !(n >= zero));
  return solution;
}

/// How far a percussion is from solving its contact: the natural map of the normal and the tangential law, as a
/// velocity, m/s. `g` is the velocity after contact, its normal part with e gamma_N0 added.
template <class Real>
HOST_DEVICE inline Real contact_residual(const LocalOperator<Real>& o, const Real& mu, const ContactVector<Real>& g,
                                         const ContactVector<Real>& p) {
  const Real zero = Real(0.0), one = Real(1.0);
  const Real normal = abs(p.x - larger(fma(-g.x, o.inverse_g_n, p.x), zero)) * o.g_n;
  const Real z1 = fma(-g.y, o.inverse_g_t, p.y), z2 = fma(-g.z, o.inverse_g_t, p.z);
  const Real cone = mu * larger(p.x, zero), z = sqrt(fma(z1, z1, z2 * z2));
  const Real shrink = select(z > cone, cone / select(z > cone, z, one), one);
  const Real d1 = fma(-shrink, z1, p.y), d2 = fma(-shrink, z2, p.z);
  const Real tangential = sqrt(fma(d1, d1, d2 * d2)) / o.inverse_g_t;
  return larger(normal, tangential);
}

}  // namespace scree
