#include "distributions.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace scree {

namespace math = boost::math;

double StandardNormal::cdf(double x) { return math::cdf(math::normal(), x); }
double StandardNormal::quantile(double p) { return math::quantile(math::normal(), p); }
double StandardNormal::upper_quantile(double q) { return math::quantile(math::complement(math::normal(), q)); }

double StudentsT::cdf(double t) const { return math::cdf(math::students_t(degrees_of_freedom), t); }
double StudentsT::survival(double t) const {
  return math::cdf(math::complement(math::students_t(degrees_of_freedom), t));
}
double StudentsT::quantile(double p) const { return math::quantile(math::students_t(degrees_of_freedom), p); }
double StudentsT::upper_quantile(double q) const {
  return math::quantile(math::complement(math::students_t(degrees_of_freedom), q));
}

double NoncentralT::cdf(double t) const { return math::cdf(math::non_central_t(degrees_of_freedom, shift), t); }

double FisherF::cdf(double f) const { return math::cdf(math::fisher_f(degrees_of_freedom1, degrees_of_freedom2), f); }
double FisherF::survival(double f) const {
  return math::cdf(math::complement(math::fisher_f(degrees_of_freedom1, degrees_of_freedom2), f));
}

double ChiSquared::quantile(double p) const { return math::quantile(math::chi_squared(degrees_of_freedom), p); }

double Binomial::cdf(double successes) const { return math::cdf(math::binomial(n, p), successes); }
double Binomial::near_quantile(double q) const {
  using Nearest = math::policies::policy<math::policies::discrete_quantile<math::policies::integer_round_nearest>>;
  return math::quantile(math::binomial_distribution<double, Nearest>(n, p), q);
}

Interval clopper_pearson(double n, double successes, double miss) {
  return {math::binomial::find_lower_bound_on_p(n, successes, miss / 2),
          math::binomial::find_upper_bound_on_p(n, successes, miss / 2)};
}

}  // namespace scree
