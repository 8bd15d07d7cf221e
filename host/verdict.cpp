#include <algorithm>
#include <cmath>

#include "evaluation.hpp"
#include "printer.hpp"
#include "report.hpp"
#include "text_input.hpp"
#include "text_table.hpp"

namespace scree {
namespace {

/// "95 % confidence interval 59 to 68 m, p < 0.0001, 1000 pairs"
std::string evidence(const Column& column, const ColumnComparison& c) {
  const PairedColumn& p = c.paired;
  const double half = (p.ci_high - p.ci_low) / 2;
  std::string text = "95 % confidence interval " + number_within(p.ci_low, half) + " to " +
                     with_unit(number_within(p.ci_high, half), column);
  if (c.intervals_disagree)
    text += " (t; bootstrap " + number_within(c.bootstrap.interval.low, half) + " to " +
            number_within(c.bootstrap.interval.high, half) + ")";
  return text + ", " + p_phrase(c.tests[paired_t].p_holm) + " after Holm, " + pairs_text(p.n);
}

/// "implicit exceeds explicit by 64 m, 42 % of the mean of explicit"
std::string difference_text(const Column& column, const ColumnComparison& c, const Comparison& of, bool share) {
  const PairedColumn& p = c.paired;
  const double half = (p.ci_high - p.ci_low) / 2;
  std::string text = of.arm + (p.difference > 0 ? " exceeds " : " stays below ") + of.baseline + " by " +
                     with_unit(number_within(std::fabs(p.difference), half), column);
  if (share)
    text += ", " + number_within(100 * std::fabs(p.difference) / p.baseline_mean, 100 * half / p.baseline_mean) +
            " % of the mean of " + of.baseline;
  return text;
}

std::string sentence(const Column& column, const ColumnComparison& c, const Comparison& of, double baseline_least) {
  const PairedColumn& p = c.paired;
  const std::string start = column.name + ": ", margin = with_unit(c.margin, column);
  const double half = (p.ci_high - p.ci_low) / 2;
  // A share of the mean has a meaning only for quantities that cannot be negative.
  const std::string difference = difference_text(column, c, of, baseline_least >= 0 && p.baseline_mean > 0);
  const std::string both = of.arm + " and " + of.baseline;
  const std::string size = std::isfinite(p.effect_size) ? std::string(", effect size ") +
                                                              (p.effect_size < 0 ? "-" : "") + error_text(p.effect_size)
                                                        : "";
  switch (c.judgement) {
    case Judgement::too_few:
      return start + pairs_text(p.n) + (p.n == 1 ? " is" : " are") + " too few to compare " + both + ".";
    case Judgement::equal:
      return start + both + " are equal in all " + pairs_text(p.n) + ".";
    case Judgement::not_shown:
      return start + "no difference between " + both +
             " is shown: " + with_unit(number_within(p.difference, half), column) + " (" + evidence(column, c) +
             "); means that differ by more than " +
             with_unit(error_text(std::max(std::fabs(p.ci_low), std::fabs(p.ci_high))), column) +
             " are ruled out at this level.";
    case Judgement::differs:
      return start + difference + " (" + evidence(column, c) + size + ").";
    case Judgement::beyond:
      return start + difference + ", more than the margin of " + margin + " (" + p_phrase(c.p_beyond) + "; " +
             evidence(column, c) + size + ").";
    case Judgement::within:
      return start + difference + ", which is less than the margin of " + margin + " (two one-sided tests, " +
             p_phrase(c.p_equivalent) + "; " + evidence(column, c) + size + ").";
    case Judgement::equivalent:
      return start + both + " are equivalent within " + margin + " (two one-sided tests, " + p_phrase(c.p_equivalent) +
             "; difference " + with_unit(number_within(p.difference, half), column) + ", " + evidence(column, c) + ").";
    case Judgement::undecided:
      return start + "not decided whether " + both + " differ by more than " + margin + ": " +
             with_unit(number_within(p.difference, half), column) + " (" + evidence(column, c) + "); " +
             (std::isnan(c.samples_needed) ? std::string("more samples are needed.")
              : std::isinf(c.samples_needed)
                  ? "no number of samples would decide, were the true difference the margin itself."
                  : "about " + number_within(c.samples_needed, c.samples_needed / 10) +
                        " samples would decide (power 90 %), were the true difference and spread as seen.");
  }
  return start;
}

/// "22 % (18 to 26 %)"
std::string share_text(const Estimate& share) {
  const double half = 100 * (share.high - share.low) / 2;
  return number_within(100 * share.value, half) + " % (" + number_within(100 * share.low, half) + " to " +
         number_within(100 * share.high, half) + " %)";
}

std::string step_sentence(const Column& column, const StepShares& s, const Comparison& of) {
  if (!s.first.seen()) return "";
  const double half = (s.first.high - s.first.low) / 2;
  std::string text = column.name + ", time-step error: the difference goes from " +
                     with_unit(number_within(s.first.value, half), column) + " to " +
                     with_unit(number_within(s.last.value, half), column) + " between steps of " +
                     number_text(s.first_step) + " and " + number_text(s.last_step) + " s; ";
  // A share below 0 is an error that hides part of the difference.
  const bool baseline = s.baseline.low > 0, arm = s.arm.low > 0;
  if (!baseline && !arm) return text + "no part of it is seen to be time-step error.";
  text += "at least " + share_text(baseline ? s.baseline : s.arm) + " of it is time-step error of " +
          (baseline ? of.baseline : of.arm);
  if (baseline && arm) text += ", and at least " + share_text(s.arm) + " of " + of.arm;
  for (const auto& [share, name] : {std::pair(s.baseline, of.baseline), std::pair(s.arm, of.arm)})
    if (share.low > 0.5) text += ": most of the difference is time-step error of " + name;
  return text + ".";
}

}  // namespace

std::vector<std::string> verdict(std::span<const Arm> arms, const Evaluation& evaluation) {
  std::vector<std::string> sentences;
  const Arm& baseline = arms[0];
  const Description& description = *baseline.table.description;
  const std::vector<int> headline = headline_columns(description);
  bool measured = false;
  for (std::size_t a = 1; a < arms.size(); ++a) {
    const Comparison& comparison = evaluation.comparisons[a - 1];
    bool of_stopped = false;
    std::vector<std::string> of_steps;
    for (std::size_t h = 0; h < headline.size(); ++h) {
      const std::size_t k = static_cast<std::size_t>(headline[h]);
      const ColumnStatistics &first = baseline.statistics.columns[k], &other = arms[a].statistics.columns[k];
      if (first.n == 0 && other.n == 0 && first.undefined + other.undefined > 0) continue;
      const Column& column = column_of(description, headline[h]);
      const bool stopped = column.counted == Counted::stopped;
      of_stopped = of_stopped || stopped;
      if (stopped && comparison.stopped_both == 0) continue;
      sentences.push_back(sentence(column, comparison.columns[k], comparison, first.min));
      if (evaluation.shares[a - 1].empty()) continue;
      measured = true;
      const Judgement judgement = comparison.columns[k].judgement;
      if (judgement == Judgement::equal || judgement == Judgement::not_shown) continue;
      if (const std::string text = step_sentence(column, evaluation.shares[a - 1][h], comparison); !text.empty())
        of_steps.push_back(text);
    }
    sentences.insert(sentences.end(), of_steps.begin(), of_steps.end());
    if (of_stopped && comparison.stopped_both == 0)
      sentences.push_back("No sample stopped in both " + baseline.name + " and " + arms[a].name +
                          ": nothing can be said of resting places.");
    else if (of_stopped && comparison.stopped_both < comparison.samples)
      sentences.push_back("Of " + whole(comparison.samples) + " samples " +
                          whole(comparison.samples - comparison.stopped_both) + " did not stop in both " +
                          baseline.name + " and " + arms[a].name + " (" + whole(comparison.stopped_baseline) +
                          " only in " + baseline.name + ", " + whole(comparison.stopped_arm) + " only in " +
                          arms[a].name + "); what is said of resting places leaves them out.");
  }
  if (!measured && !sentences.empty())
    sentences.push_back("How much of this is time-step error was not measured; --step-error or `scree converge` does.");
  return sentences;
}

}  // namespace scree
