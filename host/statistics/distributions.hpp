// The probability laws of tests and intervals: those of Boost.Math, which take long to compile, compiled once.
#pragma once

#include "inference.hpp"

namespace scree {

// Of each law: `cdf` is P(X <= x), `survival` P(X > x), `quantile` the x with P(X <= x) = p, and `upper_quantile` that
// with P(X > x) = q. The second and the last keep their digits where the first and third are close to 1. Parameters
// outside of a law's range throw std::domain_error.

struct StandardNormal {
  static double cdf(double x);
  static double quantile(double p);
  static double upper_quantile(double q);
};

struct StudentsT {
  double degrees_of_freedom;

  double cdf(double t) const;
  double survival(double t) const;
  double quantile(double p) const;
  double upper_quantile(double q) const;
};

struct NoncentralT {
  double degrees_of_freedom, shift;

  double cdf(double t) const;
};

struct FisherF {
  double degrees_of_freedom1, degrees_of_freedom2;

  double cdf(double f) const;
  double survival(double f) const;
};

struct ChiSquared {
  double degrees_of_freedom;

  double quantile(double p) const;
};

/// Of the number of successes in n trials that each succeed with probability p.
struct Binomial {
  double n, p;

  double cdf(double successes) const;
  /// A whole number next to the real one at which the incomplete beta function is q, on either side of it.
  double near_quantile(double q) const;
};

/// Bounds on a binomial law's p, each missed with probability miss / 2 at most (Clopper and Pearson 1934).
Interval clopper_pearson(double n, double successes, double miss);

}  // namespace scree
