// Targets of `run --until`: what is asked for, as "p95(runout) +- 1 %", at how many samples the run looks whether it is
// there, and intervals that hold although the run stops at the first look that it likes.
//
// The run looks at n, 2 n, 4 n, ... samples and at the most that it may take: K looks, all planned before the first
// step. With m targets each interval of each look may miss its statistic with probability
//
//   a = 0.05 / (K m)                                                                  (1)
//
// By Bonferroni's inequality all K m intervals hold together with at least 95 %, whatever ties looks to each other (the
// later ones hold all samples of the earlier ones) and targets to each other. So do those of the look where the run
// stops, by whatever rule it does. Narrower intervals for many looks exist, but for means of normal laws alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/model/description.hpp"
#include "host/model/run.hpp"
#include "intervals.hpp"

namespace scree {

/// The most that the intervals of all targets and looks may miss together.
inline constexpr double until_miss = 0.05;

enum class TargetStatistic { mean, sd, quantile };

/// A statistic of a column and how well it is to be known.
struct PrecisionTarget {
  std::string text;  // "p95(runout) +- 1 %", as the report writes it
  std::string unit;  // of the column, empty if it has none
  TargetStatistic statistic = TargetStatistic::mean;
  double p = 0.5;  // of a quantile
  int column = 0;
  bool relative = false;
  double width = 0;  // half of an interval: a share of the estimate's size if relative, else in the column's unit
};

/// Reads STATISTIC(COLUMN) +- WIDTH [UNIT or %], several separated by commas. STATISTIC is mean, sd, median or pNN with
/// 0 < NN < 100. Throws Error(Exit::usage) with one line that names --until, the target and what is allowed.
std::vector<PrecisionTarget> parse_targets(std::span<const std::string> texts, const Description& description);

/// Numbers of samples at which a run looks: `first`, its doubles below `at_most`, and `at_most` (>= first).
std::vector<std::uint64_t> look_schedule(std::uint64_t first, std::uint64_t at_most);

/// The most samples that a run takes unless it is told: a thousand times the first look. Not what fits in memory, which
/// would give the same command other looks, and so another end, on another machine.
std::uint64_t default_at_most(std::uint64_t first);

/// A target and what some samples give for it, in the column's unit.
struct Reached {
  PrecisionTarget target;
  std::uint64_t n = 0;   // samples that entered
  double estimate;       // as in the report's tables
  Interval interval;     // around it
  double half_width;     // the larger of the two from estimate to end
  double allowed;        // the largest that meets the target
  bool met = false;      // half_width <= allowed; false where either is NaN
  std::string why = "";  // there is no finite interval, as "all are equal"; empty if there is one, or no value
  /// About how many samples, of `samples` now, would meet it: the width of all these intervals falls with the root of
  /// their number. NaN if that says nothing.
  double needed(std::uint64_t samples) const;
};

/// What the samples of a table that enter the target's column give. With table.replicates > 0 samples of one replicate
/// depend on each other, and the interval is that of replicates (intervals.hpp) about the estimate from all samples.
Reached reach(const PrecisionTarget& target, const SummaryTable& table, double miss);

/// The plan of a run with targets, and how far it came. Without targets all is empty.
struct Until {
  std::vector<std::uint64_t> looks;  // planned, numbers of samples
  std::size_t taken = 0;             // looks so far
  double miss = 0;                   // (1)
  std::vector<Reached> targets;      // at the last look that was taken; no estimates before the first
  bool met() const;                  // all targets
  /// A target of which none of the samples has a value, of so many that more are not worth it; null if there is none.
  const Reached* hopeless() const;
  bool over() const { return taken == looks.size() || met() || hopeless() != nullptr; }
  /// Samples at the last look, 0 before the first.
  std::uint64_t samples() const { return taken == 0 ? 0 : looks[taken - 1]; }
};

/// Whether two plans have the same looks at the same targets.
bool is_same_plan(const Until& a, const Until& b);

Until plan_until(const std::vector<PrecisionTarget>& targets, std::uint64_t first, std::uint64_t at_most);

/// Takes the next look.
void look(Until& until, const SummaryTable& table);

}  // namespace scree
