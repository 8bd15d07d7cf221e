// Type-I error, coverage and power of the statistics that compare two arms, by simulation on known laws, many trials
// each. A rate is binomial, so it lies within three standard errors, 3 sqrt(p (1 - p) / trials), of its expectation p.
// Tests that are exact must do so; conservative ones must not be above by more.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "host/statistics/resampling.hpp"
#include "host/statistics/statistics.hpp"
#include "src/elementary.hpp"
#include "src/random.hpp"
#include "trials.hpp"

namespace scree {
namespace {

using Values = std::vector<double>;

using test::above_from_1e4;
using test::share;
using test::three_errors;
using test::trials;

constexpr double level = 0.05;

/// Draws of one trial, in order.
class Draws {
 public:
  explicit Draws(std::uint64_t trial) : trial_(trial) {}
  double normal() { return inverse_normal(uniform(2024, trial_, draw_++)); }
  Values normals(int n, double mean = 0, double sd = 1) {
    Values values;
    for (int i = 0; i < n; ++i) values.push_back(mean + sd * normal());
    return values;
  }

 private:
  std::uint64_t trial_, draw_ = 0;
};

/// Share of the trials in which `happens(draws)`.
template <class Event>
double rate(Event happens) {
  std::uint64_t count = 0;
  for (std::uint64_t trial = 0; trial < trials(); ++trial) {
    Draws draws(trial);
    count += happens(draws) ? 1 : 0;
  }
  return static_cast<double>(count) / static_cast<double>(trials());
}

void expect_exact(double rate, double nominal) { EXPECT_NEAR(rate, nominal, three_errors(nominal)); }
void expect_at_most(double rate, double nominal) { EXPECT_LE(rate, nominal + three_errors(nominal)); }

/// The tests of a margin with the mean, the standard error and the degrees of freedom of paired differences.
Equivalence of_pairs(const Values& differences, double margin) {
  const Moments m = moments(differences);
  return equivalence(m.mean, m.sd / std::sqrt(m.n), m.n - 1, margin);
}

bool holds(const Interval& interval, double value) { return interval.low <= value && value <= interval.high; }

Interval students_t(const Values& values) {
  const Moments m = moments(values);
  const double half = ci_half_width(values.size(), m.sd);
  return {m.mean - half, m.mean + half};
}

TEST(Level, OfThePairedTTestIsExactForNormalDifferences) {
  expect_exact(rate([](Draws& d) { return of_pairs(d.normals(10), 0).p_beyond <= level; }), level);
  expect_exact(rate([](Draws& d) { return of_pairs(d.normals(3), 0).p_beyond <= level; }), level);
}

TEST(Level, OfTheFTestIsExactForNormalGroups) {
  expect_exact(rate([](Draws& d) {
                 const Values a = d.normals(12), b = d.normals(30, 5);
                 return f_test(moments(a), moments(b)).p <= level;
               }),
               level);
}

TEST(Level, OfWelchsTestIsCloseToExact) {
  // Not exact. With n = 50 and one variance its t is Student's with 98 degrees of freedom, taken with 49 to 98: the
  // level is between P(|t_98| > t_0.975(49) = 2.0096) = 0.0472 and 0.05.
  const double equal = rate([](Draws& d) {
    const Values a = d.normals(50), b = d.normals(50);
    return welch(moments(a), moments(b)).p <= level;
  });
  EXPECT_GE(equal, 0.0472 - three_errors(level));
  expect_at_most(equal, level);
  // With unequal sizes and variances it holds its level to 1/n^2 (Welch 1947); Student's would reject 20 % here.
  expect_exact(rate([](Draws& d) {
                 const Values a = d.normals(60), b = d.normals(30, 0, 3);
                 return welch(moments(a), moments(b)).p <= level;
               }),
               level);
}

TEST(Level, OfWilcoxonsTestIsThatOfItsDistribution) {
  // n = 10: rank sums up to 8 have p <= 0.05. They are reached by 1, 1, 1, 2, 2, 3, 4, 5, 6 sets of ranks (partitions
  // of 0 .. 8 into distinct parts): 25 of 2^10, on either side.
  expect_exact(rate([](Draws& d) { return wilcoxon_signed_rank(d.normals(10)).p <= level; }), 50.0 / 1024);
  // n = 60, the normal law: rank sums up to 648, those of 0.04928 of the 2^60 signs, both sides together.
  expect_exact(rate([](Draws& d) { return wilcoxon_signed_rank(d.normals(60)).p <= level; }), 0.04928);
}

/// Two arms whose pairs are exchangeable: what they share, and noise of their own with long tails.
struct Arms {
  Values a, b;
};

Arms exchangeable(Draws& draws, int pairs) {
  Arms arms;
  for (int i = 0; i < pairs; ++i) {
    const double shared = draws.normal();
    arms.a.push_back(shared + std::exp(draws.normal()));
    arms.b.push_back(shared + std::exp(draws.normal()));
  }
  return arms;
}

TEST(Level, OfPermutationTestsIsExactWithoutTies) {
  // With B = 99 the p-values 1/100 .. 5/100 are each as likely as any other. Ties of the energy distance need one of 40
  // pairs' 2^40 assignments twice; the Kolmogorov distance is a multiple of 1/40, and a tie counts against rejection.
  std::uint64_t trial = 0;
  double kolmogorov = 0;
  const double energy = rate([&](Draws& d) {
    const Arms arms = exchangeable(d, 40);
    const PermutationTests tests = permutation_tests(arms.a, arms.b, trial++, {}, 99);
    kolmogorov += share(tests.kolmogorov.p <= level);
    return tests.energy.p <= level;
  });
  expect_exact(energy, level);
  expect_at_most(kolmogorov, level);
}

TEST(Level, OfPermutationTestsHoldsForReplicatesOnlyIfTheyAreSwappedTogether) {
  // 16 replicates of 5 pairs; in each replicate each arm has an effect of its own on all pairs. Of the 2^16 assignments
  // one of the 99 drawn is that observed, or its mirror image, with probability 2 * 99 / 2^16 = 0.003; such ties lower
  // the level by at most this share of it.
  std::vector<int> unit;
  for (int i = 0; i < 80; ++i) unit.push_back(i / 5);
  std::uint64_t trial = 0;
  double each_alone = 0;
  const double together = rate([&](Draws& d) {
    Arms arms = exchangeable(d, 80);
    for (std::size_t r = 0; r < 16; ++r) {
      const double of_a = d.normal(), of_b = d.normal();
      for (std::size_t i = 5 * r; i < 5 * r + 5; ++i) {
        arms.a[i] += of_a;
        arms.b[i] += of_b;
      }
    }
    ++trial;
    each_alone += share(permutation_tests(arms.a, arms.b, trial, {}, 99).energy.p <= level);
    return permutation_tests(arms.a, arms.b, trial, unit, 99).energy.p <= level;
  });
  expect_exact(together, level);
  EXPECT_GT(each_alone, level + three_errors(level));
}

TEST(Level, OfBrownAndForsythesTestIsNotAboveNominal) {
  expect_at_most(rate([](Draws& d) {
                   const Values a = d.normals(50), b = d.normals(50, 3);
                   return brown_forsythe(a, b).p <= level;
                 }),
                 level);
}

TEST(Level, OfTheTestsOfAMarginIsNotAboveNominalAtItsEdge) {
  // The mean is the margin, 0.3, 1 or 6 standard errors of it; far from 0 the other side is out of reach and both tests
  // are exact.
  const int n = 20;
  for (const double errors : {0.3, 1.0, 6.0}) {
    SCOPED_TRACE(errors);
    const double margin = errors / std::sqrt(1.0 * n);
    double beyond = 0;
    const double equivalent = rate([&](Draws& d) {
      const Equivalence e = of_pairs(d.normals(n, -margin), margin);
      beyond += share(e.p_beyond <= level);
      return e.p_equivalent <= level;
    });
    expect_at_most(equivalent, level);
    expect_at_most(beyond, level);
    if (errors == 6) {
      expect_exact(equivalent, level);
      expect_exact(beyond, level);
    }
  }
}

TEST(Level, OfHolmsProcedureHoldsForTheWholeFamily) {
  // 10 columns. Independent: some p <= 0.05 / 10 with probability 1 - (1 - 0.05 / 10)^10 = 0.0489. With what they share
  // the bound is 0.05.
  const auto family = [](double shared) {
    return rate([=](Draws& d) {
      const Values common = d.normals(10, 0, shared);
      Values p;
      for (int column = 0; column < 10; ++column) {
        Values values = d.normals(10);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] += common[i];
        p.push_back(of_pairs(values, 0).p_beyond);
      }
      const Values adjusted = holm(p);
      return *std::min_element(adjusted.begin(), adjusted.end()) <= level;
    });
  };
  expect_exact(family(0), 1 - std::pow(1 - level / 10, 10));
  expect_at_most(family(1), level);
}

TEST(Coverage, OfStudentsTAndWelchsIntervals) {
  expect_exact(rate([](Draws& d) { return holds(students_t(d.normals(10, 2)), 2); }), 0.95);
  // The same law as Welch's test above.
  expect_exact(rate([](Draws& d) {
                 const Values a = d.normals(60), b = d.normals(30, 2, 3);
                 return holds(welch_interval(moments(a), moments(b)), 2);
               }),
               0.95);
}

/// Of 95 % intervals of the mean of 100 lognormal values with median 1: how often they hold it, and lie below it.
struct Coverage {
  double holds = 0, below = 0;

  void count(const Interval& interval, double mean) {
    holds += share(scree::holds(interval, mean));
    below += share(interval.high < mean);
  }
};

/// 399 resamples: (B + 1) 0.025 = 10 is whole, as with the program's 1999, whose ends vary less.
std::pair<Coverage, Coverage> bca_and_students_t(double log_sd) {
  const double mean = std::exp(log_sd * log_sd / 2);
  Coverage bca, students;
  for (std::uint64_t trial = 0; trial < trials(); ++trial) {
    Values values = Draws(trial).normals(100, 0, log_sd);
    for (double& x : values) x = std::exp(x);
    bca.count(bca_mean(values, trial, 0.95, 399).interval, mean);
    students.count(students_t(values), mean);
  }
  return {bca, students};
}

TEST(Coverage, OfBcaIntervalsIsCloseToNominalForSkewedValues) {
  // log_sd = 0.5: skewness 1.75, coefficient of variation 0.53. To second order BCa misses as often on either side.
  const auto [bca, students] = bca_and_students_t(0.5);
  EXPECT_GE(bca.holds, above_from_1e4(0.93));
  EXPECT_LE(bca.holds, 0.95 + three_errors(0.95));
  EXPECT_LT(bca.below, students.below);
}

TEST(Coverage, OfBcaIntervalsFallsShortForHeavyTailsButLessThanStudentsT) {
  // log_sd = 1: skewness 6.2. The largest values, which carry the mean, are missing from most samples of 100, and no
  // bootstrap of the mean can know them: BCa holds it in 0.92, Student's t in 0.91, with 8 % instead of 2.5 % below it.
  const auto [bca, students] = bca_and_students_t(1);
  EXPECT_GT(bca.holds, students.holds);
  EXPECT_LT(bca.below, students.below - three_errors(students.below));
}

TEST(Power, OfTheTestsOfAMarginIsAsPlanned) {
  // With pairs_needed the power reaches 0.9; one more pair adds (z_0.95 + z_0.9) phi(z_0.9) / (2 n) = 0.26 / n.
  struct Plan {
    double difference, margin;
  };
  for (const Plan& plan : {Plan{0.3, 0.8}, Plan{0, 0.6}, Plan{-1.2, 0.5}, Plan{0.5, 0.02}}) {
    SCOPED_TRACE(plan.difference);
    const double n = pairs_needed(plan.difference, 1, plan.margin);
    const double power = rate([&](Draws& d) {
      const Equivalence e = of_pairs(d.normals(static_cast<int>(n), plan.difference), plan.margin);
      return (std::fabs(plan.difference) < plan.margin ? e.p_equivalent : e.p_beyond) <= level;
    });
    EXPECT_GE(power, 0.9 - three_errors(0.9));
    EXPECT_LE(power, 0.9 + 0.26 / (n - 1) + three_errors(0.9));
  }
}

}  // namespace
}  // namespace scree
