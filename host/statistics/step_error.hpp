// Time-step error: an arm at its step h beside the same samples at h/2, h/4, ... (Arm::finer), column by column.
//
// With x_k the value of a sample at h / 2^k, the change d_k = mean(x_{k+1} - x_k) is a paired difference, and
//
//   order p_k = log2(d_k / d_{k+1})                                                                       (1)
//   error of the mean at h / 2^k = mean(x_k) - limit = -(d_k + ... + d_{K-1} + r),                       (2)
//   r = d_{K-1} / (2^p - 1) with p = p_{K-2} where the order has been seen (Richardson), else left out.
//
// A change below 1e-14 of the mean is round-off: it and what follows tell neither order nor limit. A single sample (one
// trajectory) has all of these but the intervals. Without the order (2) is what the steps that were run show: for a
// scheme that converges from one side a lower bound of the error's size. Samples enter that have a value at every step.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "arm.hpp"
#include "inference.hpp"

namespace scree {

/// A number with its 95 % interval; NaN where it does not exist.
struct Estimate {
  double value, low, high;
  /// Whether the interval excludes 0.
  bool seen() const { return low > 0 || high < 0; }
  double half_width() const { return (high - low) / 2; }
};

struct ColumnSteps {
  std::uint64_t n = 0;            // samples with a value at every step
  std::vector<double> means;      // at h, h/2, ...
  std::vector<Estimate> changes;  // d_k
  std::vector<Estimate> orders;   // p_k, where both changes are seen, else NaN
  /// The last order is >= 0.5, and the one before agrees to 0.25 or to their intervals, which are +-0.25 at most.
  bool order_seen = false;
  std::size_t last = 0;                     // the finest step that is not in round-off
  std::vector<Estimate> errors;             // (2) at h, h/2, ...; NaN at the finest step unless the order is seen
  Estimate sd_error;                        // of the standard deviation, statistic at h minus that at the finest step
  std::array<Estimate, 7> quantile_errors;  // of the quantiles at quantile_levels, likewise
};

/// How many samples of a run a command runs at finer steps: `compare` the first of many.
std::uint64_t finer_samples(const std::string& command, std::uint64_t samples);

/// One entry per summary column; empty if the arm was not run at finer steps. The result does not depend on `threads`.
std::vector<ColumnSteps> step_errors(const Arm& arm, int threads = 1);

/// How much of the difference between two arms goes with the step. With b_k and a_k the means of baseline and arm at
/// h / 2^k, D_k = a_k - b_k and
///
///   D_0 = D_K + (b_K - b_0) - (a_K - a_0),                                                                (3)
///
/// the shares are those of the three terms in D_0: what is left at the finest step, what is the baseline's change and
/// what the arm's. Where an arm's order has been seen its limit takes the place of the finest step's mean. Intervals of
/// the shares by linearisation over the samples. Both arms must have been run at the same steps.
struct StepShares {
  std::uint64_t n = 0;                   // samples with a value in both arms at every step
  double first_step = 0, last_step = 0;  // s
  bool limit = false;                    // both arms' orders have been seen: D_K is that in the limit of small steps
  Estimate first, last, change;          // D_0, D_K, D_K - D_0
  Estimate baseline, arm, rest;          // shares; NaN unless D_0 is seen
};
/// `of_baseline` and `of_arm` are the column's step errors in both arms.
StepShares step_shares(const Arm& baseline, const Arm& arm, int column, const ColumnSteps& of_baseline,
                       const ColumnSteps& of_arm);
/// Whether two arms were run at the same steps, finer ones among them.
bool same_steps(const Arm& baseline, const Arm& arm);

}  // namespace scree
