// All contacts of one rock: block Gauss-Seidel over exact local solves, sped up by Anderson's method with up to three
// steps of memory (Walker and Ni 2011). Cold start, fixed order.
//
// A sweep maps the percussions x to g(x), one local solve after another, the rock's velocity updated after each. With
// f = g - x, y_j = f_k - f_{k-j} and theta minimising |f_k - sum theta_j y_j|, the next x is
//   x_{k+1} = g_k - sum theta_j (g_k - g_{k-j}).
// The first sweep, from x = 0, is no part of the memory: it is far from the linear regime. Three steps need 2.1
// (explicit) and 2.3 (implicit) sweeps per contact step of the 100 m ramp, two steps 2.2 and 2.6; rocks lying on four
// vertices gain most, their percussions are not unique. An extrapolated x may leave the cones: harmless, a local solve
// never reads its own percussion.
//
// Percussions that balance each other do not move the rock, or hardly do. Where the contacts ask for velocities that a
// rigid body has only nearly, by a part in 10^4 to 10^9 (four corners that slide on curved ground; two contacts that
// stick on it and rebound), a sweep adds such an f to the percussions, and so does the next, up to 10^7 times: until a
// contact opens or slips, or until the percussions have shifted the friction, and with it the sliding, enough for the
// ground to suit all four corners. Anderson's method sees nothing but noise in the differences of equal f. Such a drift
// is told by
//   |f_k - f_{k-1}|^2 <= 10^-3 |f_k|^2  and  max |f_k| <= 10^-2 max |g_k|
// and extrapolated, x_{k+1} = g_k + 0.9 s f_k, s the least `reach` of the contacts, so that none opens or begins to
// slip. When the sweeps drift again, now by f', the secant through both drifts tells where there is none left. That
// point is taken if f'.f_k < 0.1 |f_k|^2, which the first time is to say that it lies before the reach (0.9 / (1 - 0.1)
// = 1), else x = g + 1.1 s f', beyond it. Some 15 to 30 sweeps in all.
//
// Some sweeps cycle: two contacts that wedge at mu > 1, or corners of which one opens beyond the reach, closes again
// and leaves the drift that there was. These are 1 to 3 contact steps of 10^4 on the ramp and in Tyrol, but 7 of 100 of
// rocks at mu = 3 that rebound (e = 0.2). They are solved by the slow projected Gauss-Seidel iteration ("prox", L14
// section 3), which in turn cycles at single contacts with large mu. Left as they were, they kept residuals of up to
// 11 m/s on the 100 m ramp.
#pragma once

#include "local_solve.hpp"

namespace scree {

/// Velocity of the centre of mass (world axes) and angular velocity (principal axes).
template <class Real>
struct Twist {
  Vec3<Real> v, w;
};

/// What a percussion does to the rock's velocity: 1 / m in world axes, and the response of its spin in principal axes.
template <class Real>
struct Mobility {
  Real inverse_mass;
  Mat3<Real> response;
};

/// What unit percussions along the y of a contact do to the angular velocity: response y_a. Kept where loads are cheap;
/// the contacts of a GPU's threads do not fit into its cache, so there it is multiplied again.
template <class Real, bool kept = !gpu_code>
struct SpinChanges {
  Vec3<Real> change[3];

  ALWAYS_INLINE void keep(const Mobility<Real>& rock, const Vec3<Real>* y) {
    for (int a = 0; a < 3; ++a) change[a] = rock.response * y[a];
  }
  ALWAYS_INLINE Vec3<Real> along(const Vec3<Real>*, int a, const Mobility<Real>&) const { return change[a]; }
};
template <class Real>
struct SpinChanges<Real, false> {
  ALWAYS_INLINE void keep(const Mobility<Real>&, const Vec3<Real>*) {}
  ALWAYS_INLINE Vec3<Real> along(const Vec3<Real>* y, int a, const Mobility<Real>& rock) const {
    return rock.response * y[a];
  }
};

/// One contact: its frame in world axes, and y_a = y x A^T d_a in principal axes for d = normal, tangent 1, tangent 2.
template <class Real>
struct Contact : SpinChanges<Real> {
  Vec3<Real> d[3], y[3];
  LocalOperator<Real> local;
  Real bounce;  // e gamma_N0

  ALWAYS_INLINE Vec3<Real> spin_change(int a, const Mobility<Real>& rock) const { return this->along(y, a, rock); }
};

/// Fills in what follows from d and y: the response and the contact's own matrix G.
template <class Real>
ALWAYS_INLINE void complete(Contact<Real>& contact, const Mobility<Real>& rock) {
  contact.keep(rock, contact.y);
  const Real zero = Real(0.0);
  const Vec3<Real> change[3] = {contact.spin_change(0, rock), contact.spin_change(1, rock),
                                contact.spin_change(2, rock)};
  Vec3<Real> rows[3];
  for (int a = 0; a < 3; ++a)
    rows[a] = {dot(contact.y[a], change[0]), dot(contact.y[a], change[1]), dot(contact.y[a], change[2])};
  rows[0] = rows[0] + Vec3<Real>{rock.inverse_mass, zero, zero};
  rows[1] = rows[1] + Vec3<Real>{zero, rock.inverse_mass, zero};
  rows[2] = rows[2] + Vec3<Real>{zero, zero, rock.inverse_mass};
  contact.local = local_operator(Mat3<Real>{rows[0], rows[1], rows[2]});
}

/// Relative velocity at a contact, m/s: gamma_a = d_a . v + y_a . w.
template <class Real>
ALWAYS_INLINE ContactVector<Real> relative_velocity(const Contact<Real>& c, const Twist<Real>& u) {
  return {dot(c.d[0], u.v) + dot(c.y[0], u.w), dot(c.d[1], u.v) + dot(c.y[1], u.w),
          dot(c.d[2], u.v) + dot(c.y[2], u.w)};
}

/// The same with e gamma_N0 added to the normal part: what Newton's law makes zero or positive.
template <class Real>
ALWAYS_INLINE ContactVector<Real> impact_velocity(const Contact<Real>& c, const Twist<Real>& u) {
  return relative_velocity(c, u) + ContactVector<Real>{c.bounce, Real(0.0), Real(0.0)};
}

/// The velocity after percussion p on contact c.
template <class Real>
ALWAYS_INLINE Twist<Real> strike(const Contact<Real>& c, const ContactVector<Real>& p, const Mobility<Real>& rock,
                                 const Twist<Real>& u) {
  const Real n = rock.inverse_mass * p.x, t1 = rock.inverse_mass * p.y, t2 = rock.inverse_mass * p.z;
  return {fma(n, c.d[0], fma(t1, c.d[1], fma(t2, c.d[2], u.v))),
          fma(p.x, c.spin_change(0, rock), fma(p.y, c.spin_change(1, rock), fma(p.z, c.spin_change(2, rock), u.w)))};
}

template <class Real>
struct SolveReport {
  Real sweeps;         // local solves per contact, up to the sweep limit
  Real residual;       // worst contact_residual, m/s
  Mask<Real> capped;   // the sweep limit was reached, and solve_by_projection tried
  Mask<Real> twofold;  // some contact had two solutions in the last sweep
  Mask<Real> failed;   // some contact had none
  bool given_up = false;  // then nothing else that was written means anything
};

namespace detail {

template <class Real>
ALWAYS_INLINE LocalSolution<Real> solve_one(const Contact<Real>& c, const Real& mu, const Mobility<Real>& rock,
                                            const ContactVector<Real>& own, const Real& multiplier, int passes,
                                            const Twist<Real>& u) {
  // The contact's velocity without its own percussion, by taking that percussion back.
  const Twist<Real> without = strike(c, -own, rock, u);
  return local_solve(c.local, mu, impact_velocity(c, without), multiplier, passes);
}

template <class Real>
ALWAYS_INLINE Real largest_component(const ContactVector<Real>& p) {
  return larger(larger(abs(p.x), abs(p.y)), abs(p.z));
}

/// How far a contact's percussion p can go along f before the contact changes its state: the least s > 0 at which
/// p + s f has no normal part left or, from inside the friction cone, leaves the cone; 1e300 if there is none.
template <class Real>
ALWAYS_INLINE Real reach(const ContactVector<Real>& p, const ContactVector<Real>& f, const Real& mu,
                         const Mask<Real>& sticking) {
  const Real zero = Real(0.0), one = Real(1.0), never = Real(1e300), mu2 = mu * mu;
  const Mask<Real> closed = p.x > zero, lifts = closed & (f.x < zero);
  const Real lifted = select(lifts, -p.x / select(lifts, f.x, one), never);
  // |p_T + s f_T|^2 = mu^2 (p_N + s f_N)^2:  a s^2 + 2 b s = c, with c >= 0 inside the cone
  const Real a = fma(f.y, f.y, fma(f.z, f.z, -mu2 * f.x * f.x)), b = fma(p.y, f.y, fma(p.z, f.z, -mu2 * p.x * f.x));
  const Real c = larger(fma(mu2 * p.x, p.x, -fma(p.y, p.y, p.z * p.z)), zero), square = fma(b, b, a * c);
  const Real root = b + sqrt(larger(square, zero));
  const auto slips = closed & sticking & (square >= zero) & (root > zero);
  return select(slips, smaller(c / select(slips, root, one), lifted), lifted);
}

/// Projected Gauss-Seidel for the lanes in `wanted`, from x = 0:
///   P_N <- max(0, P_N - g_N / G_NN),   P_T <- the point of the disc of radius mu P_N nearest to P_T - r g_T
/// r is 1.5 over the largest eigenvalue of G_TT's symmetric part; 2 is the limit of stability, 1 takes twice the
/// passes. Most of these steps take a few hundred, the worst 8000. A lane that is not solved is left with the last x,
/// which unlike an extrapolated one is bounded. Returns the lanes that were solved. `step` and `x` [count] are for the
/// iteration.
template <class Real>
SCREE_COLD HOST_DEVICE Mask<Real> solve_by_projection(const Contact<Real>* contacts, int count,
                                                      const Real& contact_count, const Real& mu,
                                                      const Mobility<Real>& rock, const Real& tolerance,
                                                      const Twist<Real>& free, const Mask<Real>& wanted, Real* step,
                                                      ContactVector<Real>* x, Twist<Real>& u, ContactVector<Real>* p) {
  const Real zero = Real(0.0), one = Real(1.0), half = Real(0.5);
  for (int i = 0; i < count; ++i) {
    const LocalOperator<Real>& o = contacts[i].local;
    const Real g11 = fma(o.c1, o.g_nt1, o.s11), g22 = fma(o.c2, o.g_nt2, o.s22);
    const Real g12 = half * (fma(o.c1, o.g_nt2, o.s12) + fma(o.c2, o.g_nt1, o.s21)), d = half * (g11 - g22);
    step[i] = Real(1.5) / fma(half, g11 + g22, sqrt(fma(d, d, g12 * g12)));
    x[i] = {zero, zero, zero};
  }
  auto active = wanted;
  Twist<Real> moving = free;
  SCREE_ROLLED
  for (int pass = 0; pass < 10000 && any(active); ++pass) {
    Real change = zero, largest = zero;
    SCREE_ROLLED
    for (int i = 0; i < count; ++i) {
      const Contact<Real>& c = contacts[i];
      const auto present = Real(i) < contact_count;
      const ContactVector<Real> old = x[i];
      const Real g_n = relative_velocity(c, moving).x + c.bounce;
      const Real n = select(present, larger(fma(-g_n, c.local.inverse_g_n, old.x), zero), zero);
      moving = strike(c, ContactVector<Real>{n - old.x, zero, zero}, rock, moving);
      const ContactVector<Real> g = relative_velocity(c, moving);
      const Real z1 = fma(-g.y, step[i], old.y), z2 = fma(-g.z, step[i], old.z);
      const Real cone = mu * n, length = sqrt(fma(z1, z1, z2 * z2));
      const Real shrink = select(length > cone, cone / select(length > cone, length, one), one);
      x[i] = {n, select(present, shrink * z1, zero), select(present, shrink * z2, zero)};
      moving = strike(c, ContactVector<Real>{zero, x[i].y - old.y, x[i].z - old.z}, rock, moving);
      change = larger(largest_component(x[i] - old), change);
      largest = larger(largest_component(x[i]), largest);
    }
    u.v = select(active, moving.v, u.v);
    u.w = select(active, moving.w, u.w);
    for (int i = 0; i < count; ++i) p[i] = select(active, x[i], p[i]);
    active = active & !(change <= tolerance * largest);
  }
  return wanted & !active;
}

}  // namespace detail

/// Percussions p [count] of all contacts and the velocity u after them. `capacity` bounds the loops at compile time;
/// `contact_count` is the number of contacts of each lane, at most `count`, the number looped over. With `patience` the
/// solve is given up where it needs more sweeps than that, or projection.
template <class Real, int capacity, int patience = 0>
HOST_DEVICE inline SolveReport<Real> solve_contacts(const Contact<Real>* contacts, int count, const Real& contact_count,
                                                    const Real& mu, const Mobility<Real>& rock, const Real& tolerance,
                                                    const Real& sweep_limit, const Twist<Real>& free, Twist<Real>& u,
                                                    ContactVector<Real>* p) {
  const Real zero = Real(0.0), one = Real(1.0);
  SolveReport<Real> report;
  if constexpr (capacity == 1) {
    const auto solution = local_solve(contacts[0].local, mu, impact_velocity(contacts[0], free), zero, 12);
    p[0] = solution.percussion;
    u = strike(contacts[0], p[0], rock, free);
    report.sweeps = one;
    report.capped = contact_count < zero;
    report.twofold = solution.twofold;
    report.failed = solution.failed;
  } else {
    using V = ContactVector<Real>;
    const V none{zero, zero, zero};
    V x[capacity], g[capacity], g1[capacity], g2[capacity], f1[capacity], f2[capacity], f3[capacity], g3[capacity];
    Real multiplier[capacity];
    for (int i = 0; i < count; ++i) {
      x[i] = f3[i] = g3[i] = g[i] = g1[i] = g2[i] = f1[i] = f2[i] = p[i] = none;
      multiplier[i] = zero;
    }
    Real history = zero, last_change = Real(1e300);
    report.sweeps = zero;
    auto active = contact_count > zero;
    report.capped = report.twofold = report.failed = contact_count < zero;
    auto drift_kept = report.capped;  // in g3 and f3, in place of what was three sweeps ago
    u = free;
    SCREE_ROLLED
    for (int sweep = 0; any(active); ++sweep) {
      if (patience > 0 && sweep == patience) {
        report.given_up = true;
        return report;
      }
      Twist<Real> sweeping = free;
      SCREE_ROLLED
      for (int i = 0; i < count; ++i) sweeping = strike(contacts[i], x[i], rock, sweeping);
      Real change = zero, largest = zero;
      auto twofold = contact_count < zero, failed = twofold;
      SCREE_ROLLED
      for (int i = 0; i < count; ++i) {
        const auto present = Real(i) < contact_count;
        const auto solution =
            detail::solve_one(contacts[i], mu, rock, x[i], multiplier[i], sweep == 0 ? 12 : 4, sweeping);
        g[i] = select(present, solution.percussion, none);
        multiplier[i] = solution.multiplier;
        twofold = twofold | (present & solution.twofold);
        failed = failed | (present & solution.failed);
        const V f = g[i] - x[i];
        sweeping = strike(contacts[i], f, rock, sweeping);
        change = larger(detail::largest_component(f), change);
        largest = larger(detail::largest_component(g[i]), largest);
      }
      report.sweeps = select(active, report.sweeps + one, report.sweeps);
      const auto accepted = active & (change <= tolerance * largest);
      const auto capped = active & !accepted & (Real(sweep + 1) >= sweep_limit);
      const auto ended = accepted | capped;
      report.capped = report.capped | capped;
      report.twofold = select(ended, twofold, report.twofold);
      report.failed = select(ended, failed, report.failed);
      u.v = select(ended, sweeping.v, u.v);
      u.w = select(ended, sweeping.w, u.w);
      for (int i = 0; i < count; ++i) p[i] = select(ended, g[i], p[i]);
      active = active & !ended;
      if (!any(active)) break;

      // Anderson: the normal equations of the last one, two or three differences.
      history = select(change > Real(2.0) * last_change, zero, history);
      last_change = change;
      Real a00 = zero, a01 = zero, a02 = zero, a11 = zero, a12 = zero, a22 = zero, r0 = zero, r1 = zero, r2 = zero;
      Real ff = zero;
      for (int i = 0; i < count; ++i) {
        const V f = g[i] - x[i], y0 = f - f1[i], y1 = f - f2[i], y2 = f - f3[i];
        ff = ff + dot(f, f);
        a00 = a00 + dot(y0, y0);
        a01 = a01 + dot(y0, y1);
        a02 = a02 + dot(y0, y2);
        a11 = a11 + dot(y1, y1);
        a12 = a12 + dot(y1, y2);
        a22 = a22 + dot(y2, y2);
        r0 = r0 + dot(y0, f);
        r1 = r1 + dot(y1, f);
        r2 = r2 + dot(y2, f);
      }
      const Real det = difference_of_products(a00, a11, a01, a01);
      const Mat3<Real> normal{{a00, a01, a02}, {a01, a11, a12}, {a02, a12, a22}};
      const Real det3 = dot(normal.row0, cross(normal.row1, normal.row2));
      const auto three_terms = (!drift_kept) & (history >= Real(3.0)) & (det3 > Real(1e-13) * a00 * a11 * a22);
      const auto two_terms = (history >= Real(2.0)) & (det > Real(1e-10) * a00 * a11) & !three_terms;
      const auto one_term = (history >= one) & (a00 > zero) & !two_terms & !three_terms;
      const Real safe_det = select(two_terms, det, one), safe_a = select(one_term, a00, one);
      Real theta0 =
          select(two_terms, difference_of_products(r0, a11, r1, a01) / safe_det, select(one_term, r0 / safe_a, zero));
      Real theta1 = select(two_terms, difference_of_products(a00, r1, a01, r0) / safe_det, zero);
      Real theta2 = zero;
      if (any(three_terms)) {
        const Vec3<Real> theta = inverse(normal) * Vec3<Real>{r0, r1, r2};
        theta0 = select(three_terms, theta.x, theta0);
        theta1 = select(three_terms, theta.y, theta1);
        theta2 = select(three_terms, theta.z, theta2);
      }
      auto drifting = active & (history >= one) & (change <= Real(1e-2) * largest) & (a00 <= Real(1e-3) * ff);
      Real ahead = zero;
      auto between = contact_count < zero;  // the drift vanishes between the last one and the reach of this one
      if (any(drifting)) {
        Real old_ff = zero, old_f = zero;
        ahead = Real(1e300);
        SCREE_ROLLED
        for (int i = 0; i < count; ++i) {
          const V f = g[i] - x[i];
          old_ff = old_ff + dot(f3[i], f3[i]);
          old_f = old_f + dot(f3[i], f);
          const Real s = detail::reach(g[i], f, mu, !(multiplier[i] > zero));
          ahead = select((Real(i) < contact_count) & (s < ahead), s, ahead);
        }
        between = drifting & drift_kept & (old_f < Real(0.1) * old_ff);
        const Real secant = (ff - old_f) / select(between, ff - old_f - old_f + old_ff, one);
        // The second time a tenth too far, so that the contact that ends the drift is seen to have changed its state. A
        // drift that no contact ends is left to Anderson's method.
        drifting = drifting & (between | (ahead < Real(1e299)));
        ahead = select(drifting & !between, select(drift_kept, Real(1.1), Real(0.9)) * ahead, zero);
        theta0 = select(drifting, zero, theta0);
        theta1 = select(drifting, zero, theta1);
        theta2 = select(drifting, select(between, secant, zero), theta2);
      }
      for (int i = 0; i < count; ++i) {
        const V f = g[i] - x[i];
        V next = g[i] - theta0 * (g[i] - g1[i]) - theta1 * (g[i] - g2[i]) - theta2 * (g[i] - g3[i]);
        next = select(drifting, fma(ahead, f, next), next);
        g3[i] = select(drifting, g[i], select(drift_kept, g3[i], g2[i]));
        f3[i] = select(drifting, f, select(drift_kept, f3[i], f2[i]));
        g2[i] = g1[i];
        f2[i] = f1[i];
        g1[i] = g[i];
        f1[i] = f;
        x[i] = next;
      }
      drift_kept = (drifting & (between | !drift_kept)) | (drift_kept & !drifting);
      history = select(drifting, zero, sweep == 0 ? zero : history + one);
      last_change = select(drifting, Real(1e300), last_change);
    }
    const auto unsolved = report.capped | report.failed;
    if (any(unsolved)) {
      if constexpr (patience > 0) {
        report.given_up = true;
        return report;
      } else {
        const auto solved = detail::solve_by_projection(contacts, count, contact_count, mu, rock, tolerance, free,
                                                        unsolved, multiplier, x, u, p);
        report.failed = report.failed & !solved;
      }
    }
  }
  report.residual = zero;
  for (int i = 0; i < count; ++i) {
    const Real r = contact_residual(contacts[i].local, mu, impact_velocity(contacts[i], u), p[i]);
    report.residual = select(Real(i) < contact_count, larger(r, report.residual), report.residual);
  }
  return report;
}

}  // namespace scree
