#include "comparison.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "distributions.hpp"
#include "host/common/available_memory.hpp"
#include "host/common/parallel.hpp"

namespace scree {
namespace {

constexpr double level = 0.05;

void set(AdjustedTest& test, const TestResult& result) {
  test.statistic = result.statistic;
  test.p = result.p;
}

TestResult paired_t_test(const PairedColumn& p) {
  if (!(p.freedom >= 1) || !(p.standard_error > 0)) return {std::nan(""), std::nan("")};
  const double t = p.difference / p.standard_error;
  return {t, 2 * StudentsT{p.freedom}.survival(std::fabs(t))};
}

/// All of a column but what Holm's adjustment needs the other columns for.
ColumnComparison of_column(const SummaryTable& baseline, const SummaryTable& arm, int c,
                           const ComparisonOptions& options) {
  const SummaryTable* const both[] = {&baseline, &arm};
  Matched matched = matched_values(both, c);
  ColumnComparison result;
  const PairedColumn& pair = result.paired = paired_column(baseline, arm, c, matched);
  result.margin = options.margins.empty() ? 0 : options.margins[static_cast<std::size_t>(c)];
  result.bootstrap.interval = {std::nan(""), std::nan("")};
  if (pair.n < 2) return result;
  std::vector<double>&a = matched.values[0], &b = matched.values[1];
  std::vector<double> differences(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) differences[i] = b[i] - a[i];
  if (std::all_of(differences.begin(), differences.end(), [](double d) { return d == 0; })) {
    result.judgement = Judgement::equal;
    result.bootstrap.interval = {0, 0};
    return result;
  }
  if (std::all_of(differences.begin(), differences.end(), [&](double d) { return d == differences[0]; })) {
    result.judgement = Judgement::constant;
    result.bootstrap.interval = {differences[0], differences[0]};
    return result;
  }
  result.judgement = Judgement::not_shown;  // until Holm's adjustment
  set(result.tests[paired_t], paired_t_test(pair));
  if (result.margin > 0) {
    const Equivalence e = equivalence(pair.difference, pair.standard_error, pair.freedom, result.margin);
    result.p_equivalent = e.p_equivalent;
    result.p_beyond = e.p_beyond;
  }
  const std::uint64_t seed = options.seed + static_cast<std::uint64_t>(c) * 0x9E3779B97F4A7C15u;
  const std::vector<int> units(matched.replicate_of.begin(), matched.replicate_of.end());
  const PermutationTests permuted = permutation_tests(a, b, seed, units);
  std::vector<double> sorted_a = a, sorted_b = b;
  sort_rising(sorted_a);
  sort_rising(sorted_b);
  // The distances are those of all pairs, their p-values those of the pairs that were permuted.
  set(result.tests[kolmogorov], {kolmogorov_distance(sorted_a, sorted_b), permuted.kolmogorov.p});
  set(result.tests[energy], {energy_distance(sorted_a, sorted_b), permuted.energy.p});
  result.permuted = permuted.pairs;
  const Moments of_a = moments(a), of_b = moments(b);
  if (of_a.sd > 0) result.sd_ratio = of_b.sd / of_a.sd;
  // The rest takes the pairs as independent.
  if (!matched.replicate_of.empty()) return result;
  result.bootstrap = bca_mean(differences, seed);
  result.intervals_disagree = disagree({pair.ci_low, pair.ci_high}, result.bootstrap.interval);
  set(result.tests[wilcoxon], wilcoxon_signed_rank(std::move(differences)));
  set(result.tests[welch_t], welch(of_a, of_b));
  set(result.tests[spread], brown_forsythe(a, b));
  return result;
}

/// Replaces one p-value of each column by the adjusted one; how many there are.
std::size_t adjust(std::vector<ColumnComparison>& columns, const std::function<double(const ColumnComparison&)>& p,
                   const std::function<void(ColumnComparison&, double)>& take) {
  std::vector<double> all;
  for (const ColumnComparison& column : columns) all.push_back(p(column));
  const std::vector<double> adjusted = holm(all);
  for (std::size_t c = 0; c < columns.size(); ++c) take(columns[c], adjusted[c]);
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](double x) { return !std::isnan(x); }));
}

/// Of so many samples that ended in both arms.
void judge(ColumnComparison& column, std::uint64_t samples, std::size_t margins) {
  if (column.judgement != Judgement::not_shown) return;  // nothing to test
  const bool shown = column.tests[paired_t].p_holm <= level;
  if (!(column.margin > 0)) {
    column.judgement = shown ? Judgement::differs : Judgement::not_shown;
  } else if (column.p_beyond <= level) {
    column.judgement = Judgement::beyond;
  } else if (column.p_equivalent <= level) {
    column.judgement = shown ? Judgement::within : Judgement::equivalent;
  } else {
    column.judgement = Judgement::undecided;
    // Samples, not pairs: the share of samples that make a pair is taken to stay as it is. With low-discrepancy points
    // the standard error does not fall with the root of their number, and no number is given. The level is the
    // strictest that Holm's adjustment may ask for.
    const PairedColumn& p = column.paired;
    if (!std::isnan(p.gain)) return;
    const double pairs = pairs_needed(p.difference, p.sd, column.margin, 0.9, level / static_cast<double>(margins));
    column.samples_needed = std::max(std::ceil(pairs * static_cast<double>(samples) / static_cast<double>(p.n)),
                                     static_cast<double>(samples + 1));
  }
}

void count_statuses(Comparison& result, const SummaryTable& baseline, const SummaryTable& arm) {
  for (std::uint64_t i = 0; i < baseline.samples; ++i) {
    const std::uint32_t of_baseline = baseline.counted_status(i), of_arm = arm.counted_status(i);
    ++result.joint[of_baseline][of_arm];
    // What was not run to its end in both says nothing of how that would have been.
    if (!baseline.is_in_statistics(i) || !arm.is_in_statistics(i)) continue;
    ++result.ended_both;
    const bool a = counts(Counted::stopped, of_baseline), b = counts(Counted::stopped, of_arm);
    result.stopped_both += a && b;
    result.stopped_baseline += a && !b;
    result.stopped_arm += b && !a;
  }
  const std::uint64_t n = result.stopped_baseline + result.stopped_arm;
  result.stopping = {static_cast<double>(result.stopped_arm), std::nan("")};
  if (n == 0 || baseline.replicates > 0) return;
  const double least = static_cast<double>(std::min(result.stopped_baseline, result.stopped_arm));
  result.stopping.p = std::min(1.0, 2 * Binomial{static_cast<double>(n), 0.5}.cdf(least));
}

}  // namespace

const char* judgement_name(Judgement judgement) {
  switch (judgement) {
    case Judgement::too_few:
      return "too few pairs";
    case Judgement::equal:
      return "equal";
    case Judgement::constant:
      return "constant";
    case Judgement::not_shown:
      return "not shown";
    case Judgement::differs:
      return "differs";
    case Judgement::beyond:
      return "beyond margin";
    case Judgement::within:
      return "differs within";
    case Judgement::equivalent:
      return "equivalent";
    case Judgement::undecided:
      return "undecided";
  }
  return "";
}

bool disagree(const Interval& t, const Interval& bootstrap) {
  const auto excludes_zero = [](const Interval& i) { return i.low > 0 || i.high < 0; };
  if (excludes_zero(t) != excludes_zero(bootstrap)) return true;
  const double tenth = 0.1 * (t.high - t.low);
  return std::fabs(t.low - bootstrap.low) > tenth || std::fabs(t.high - bootstrap.high) > tenth;
}

Comparison compare(const Arm& baseline, const Arm& arm, const ComparisonOptions& options) {
  if (baseline.table.samples != arm.table.samples || baseline.table.values.size() != arm.table.values.size())
    throw std::invalid_argument("a comparison needs the same samples and columns in both arms");
  Comparison result;
  result.baseline = baseline.name;
  result.arm = arm.name;
  result.samples = baseline.table.samples;
  result.replicates = baseline.table.replicates;
  count_statuses(result, baseline.table, arm.table);
  result.columns.resize(baseline.table.description->columns.size());
  const double of_a_column = compared_column_bytes(2) * static_cast<double>(result.samples);
  on_threads(threads_within_memory(options.threads, of_a_column), result.columns.size(), [&](std::size_t c) {
    result.columns[c] = of_column(baseline.table, arm.table, static_cast<int>(c), options);
  });
  for (std::size_t t = 0; t < column_tests; ++t) {
    const std::size_t n = adjust(
        result.columns, [t](const ColumnComparison& column) { return column.tests[t].p; },
        [t](ColumnComparison& column, double p) { column.tests[t].p_holm = p; });
    if (t == paired_t) result.compared = n;
    result.p_values += n;
  }
  result.margins = adjust(
      result.columns, [](const ColumnComparison& column) { return column.p_equivalent; },
      [](ColumnComparison& column, double p) { column.p_equivalent = p; });
  adjust(
      result.columns, [](const ColumnComparison& column) { return column.p_beyond; },
      [](ColumnComparison& column, double p) { column.p_beyond = p; });
  result.p_values += 2 * result.margins;
  for (ColumnComparison& column : result.columns) judge(column, result.ended_both, result.margins);
  return result;
}

}  // namespace scree
