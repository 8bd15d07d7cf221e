// What one arm of a comparison says beside the baseline, on the same samples: per column the paired difference with two
// intervals, tests of location, distribution and spread, equivalence within a margin, and the judgement that follows.
//
// Each column takes the samples that enter it in both arms (statistics.hpp); those that enter in one only are counted
// and take part in no test of that column. Holm's adjustment is made over the columns, for each kind of test by itself.
//
// Where samples come in replicates (low-discrepancy points), the paired t test and the margin rest on the replicates,
// permutations swap the arms of whole replicates, and what takes pairs as independent is not given (NaN): bootstrap,
// Welch, Wilcoxon, Brown-Forsythe, McNemar, the number of samples needed.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "arm.hpp"
#include "inference.hpp"
#include "resampling.hpp"

namespace scree {

/// What is said of one column at the level of 5 %, after Holm's adjustment.
enum class Judgement {
  too_few,     // fewer than two pairs
  equal,       // no pair differs
  constant,    // all pairs differ by the same: nothing varies, there is nothing to test
  not_shown,   // without a margin: the paired t test shows no difference
  differs,     // without a margin: it shows one
  beyond,      // differs by more than the margin
  within,      // differs, but by less than the margin
  equivalent,  // the difference is less than the margin, and none is shown
  undecided,   // more or less than the margin: these samples cannot tell
};
/// "differs", "equivalent", ... as in reports and results.
const char* judgement_name(Judgement judgement);

struct AdjustedTest {
  double statistic = std::numeric_limits<double>::quiet_NaN();
  double p = std::numeric_limits<double>::quiet_NaN();
  double p_holm = std::numeric_limits<double>::quiet_NaN();
};

/// The tests of a column, in the order in which reports name them.
enum ColumnTest : std::size_t { paired_t, welch_t, wilcoxon, kolmogorov, energy, spread, column_tests };
inline constexpr std::array<const char*, column_tests> column_test_names{
    "paired_t", "welch", "wilcoxon", "kolmogorov_smirnov", "energy_distance", "brown_forsythe"};

struct ColumnComparison {
  PairedColumn paired;
  Bootstrap bootstrap;              // BCa interval of the mean difference
  bool intervals_disagree = false;  // see `disagree`
  std::array<AdjustedTest, column_tests> tests;
  double sd_ratio = std::numeric_limits<double>::quiet_NaN();  // arm / baseline
  std::uint64_t permuted = 0;  // pairs that the permutation tests took: all, or a fixed sub-sample
  double margin = 0;           // in the column's unit; 0: none
  double p_equivalent = std::numeric_limits<double>::quiet_NaN();  // after Holm, over the columns with a margin
  double p_beyond = std::numeric_limits<double>::quiet_NaN();
  /// To decide with a power of 90 % were the difference and its spread as seen, where the judgement is undecided; more
  /// than there are. Infinite where the difference is the margin; NaN with replicates.
  double samples_needed = std::numeric_limits<double>::quiet_NaN();
  Judgement judgement = Judgement::too_few;
};

struct Comparison {
  std::string baseline, arm;
  std::uint64_t samples = 0;
  int replicates = 0;  // as SummaryTable::replicates
  /// Samples by status in the baseline and status in the arm.
  std::array<StatusCounts, status_count> joint{};
  /// Exact McNemar test that as many samples stop in one arm as in the other; no p with replicates.
  TestResult stopping;
  std::uint64_t ended_both = 0;  // samples that count in both arms, however they ended
  std::uint64_t stopped_both = 0, stopped_baseline = 0, stopped_arm = 0;  // the last two: in that arm only
  std::size_t compared = 0;  // columns with a paired t test, over which Holm's adjustment is made
  std::size_t margins = 0;   // columns with a margin that are tested against it
  std::size_t p_values = 0;  // of all columns and kinds of test, two of each margin among them
  std::vector<ColumnComparison> columns;
};

struct ComparisonOptions {
  std::vector<double> margins;  // per column, 0: none; may be empty
  std::uint64_t seed = 1;       // of the resampling
  int threads = 1;              // the results do not depend on it
};

/// Of two tables of the same samples; throws std::invalid_argument if their shapes differ.
Comparison compare(const Arm& baseline, const Arm& arm, const ComparisonOptions& options);

/// Whether two intervals of one mean say different things: one excludes 0 and the other does not, or an end differs by
/// more than a tenth of the first one's width.
bool disagree(const Interval& t, const Interval& bootstrap);

}  // namespace scree
