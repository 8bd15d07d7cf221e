#include "verdict.hpp"

#include <algorithm>
#include <cmath>

#include "beside.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "host/statistics/evaluation.hpp"
#include "printer.hpp"

namespace scree {
namespace {

/// "95 % confidence interval 59 to 68 m, p < 0.0001, 1000 pairs"
std::string evidence(const Column& column, const ColumnComparison& c) {
  const PairedColumn& p = c.paired;
  const double half = half_width(p);
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
  const double half = half_width(p);
  std::string text = of.arm + (p.difference > 0 ? " exceeds " : " stays below ") + of.baseline + " by " +
                     with_unit(number_within(std::fabs(p.difference), half), column);
  if (share && std::fabs(p.difference) <= 10 * p.baseline_mean)
    text += ", " + number_within(100 * std::fabs(p.difference) / p.baseline_mean, 100 * half / p.baseline_mean) +
            " % of the mean of " + of.baseline;
  return text;
}

std::string sentence(const Column& column, const ColumnComparison& c, const Comparison& of,
                     const ColumnStatistics& baseline) {
  const PairedColumn& p = c.paired;
  const std::string start = column.name + ": ", margin = with_unit(c.margin, column);
  const double half = half_width(p);
  // A share of the mean has a meaning only for quantities that cannot be negative.
  const std::string difference = difference_text(column, c, of, baseline.min >= 0 && p.baseline_mean > 0);
  const std::string both = of.arm + " and " + of.baseline;
  const std::string size =
      std::fabs(p.difference) < 1000 * baseline.sd
          ? ", " + error_text(p.difference / baseline.sd) + " standard deviations of " + of.baseline
          : "";
  // Where many samples stop in one arm only, more of them would be as selected.
  const bool selected = column.counted == Counted::stopped && 10 * of.stopped_both < 9 * of.ended_both;
  switch (c.judgement) {
    case Judgement::too_few:
      return start + pairs_text(p.n) + (p.n == 1 ? " is" : " are") + " too few to compare " + both + ".";
    case Judgement::equal:
      return start + both + " are equal in all " + pairs_text(p.n) + ".";
    case Judgement::constant:
      return start + difference + " in each of " + pairs_text(p.n) + ": nothing varies, there is nothing to test.";
    case Judgement::not_shown:
      return start + "no difference between " + both +
             " is shown: " + with_unit(number_within(p.difference, half), column) + " (" + evidence(column, c) + ")" +
             (p.excludes_zero
                  ? "; the interval by itself excludes 0, but not after the adjustment for " + whole(of.compared) +
                        " columns."
                  : "; the interval has no room for more than " +
                        with_unit(error_text(std::max(std::fabs(p.ci_low), std::fabs(p.ci_high))), column) + ".");
    case Judgement::differs:
      return start + difference + " (" + evidence(column, c) + size + ").";
    case Judgement::beyond:
      return start + difference + ", more than the margin of " + margin + " (beyond it: " + p_phrase(c.p_beyond) +
             "; " + evidence(column, c) + size + ").";
    case Judgement::within:
      return start + difference + ", which is less than the margin of " + margin + " (two one-sided tests, " +
             p_phrase(c.p_equivalent) + "; " + evidence(column, c) + size + ").";
    case Judgement::equivalent:
      return start + both + " are equivalent within " + margin + " (two one-sided tests, " + p_phrase(c.p_equivalent) +
             "; difference " + with_unit(number_within(p.difference, half), column) + ", " + evidence(column, c) + ").";
    case Judgement::undecided:
      return start + "not decided whether " + both + " differ by more than " + margin + ": " +
             with_unit(number_within(p.difference, half), column) + " (" + evidence(column, c) + "); " +
             (selected ? std::string("the pairs are a selection, more samples would not cure it; a longer end may.")
              : std::isnan(c.samples_needed) ? std::string("more samples are needed.")
              : std::isinf(c.samples_needed)
                  ? "no number of samples would decide, were the true difference the margin itself."
                  : "about " + rough_count(c.samples_needed) +
                        " samples would decide (power 90 %), were the true difference and spread as seen.");
  }
  return start;
}

/// "22 % (18.1 to 25.9 % by sampling)"
std::string share_text(const Estimate& share) {
  const double half = 100 * share.half_width();
  return number_within(100 * share.value, half) + " % (" + number_within(100 * share.low, half) + " to " +
         number_within(100 * share.high, half) + " % by sampling)";
}

constexpr double least_share = 0.001;  // a smaller share is of no use to anybody

/// What the steps say of a difference, and of the judgement where that holds for one step only; empty if nothing.
std::string step_sentence(const Column& column, const StepShares& s, const Comparison& of) {
  if (!s.first.seen() && !s.change.seen()) return "";
  const double half = s.first.half_width();
  std::string text = column.name + ", time-step error: the difference goes from " +
                     with_unit(number_within(s.first.value, half), column) + " at a step of " +
                     number_text(s.first_step) + " s to " + with_unit(number_within(s.last.value, half), column) +
                     (s.limit ? " in the limit of small steps" : " at " + number_text(s.last_step) + " s");
  if (!s.first.seen()) return text + ": what is said of it holds for the larger step only.";
  const std::string bound = s.limit ? "" : "at least ";
  std::vector<std::string> parts;
  for (const auto& [share, name] : {std::pair(s.baseline, of.baseline), std::pair(s.arm, of.arm)}) {
    if (share.low > 0 && share.value > least_share)
      parts.push_back("time-step error of " + name + " makes up " + bound + share_text(share) + " of it" +
                      (share.low > 0.5 ? ", most of it" : ""));
    if (share.high < 0 && share.value < -least_share)
      parts.push_back("time-step error of " + name + " hides " + bound +
                      share_text({-share.value, -share.high, -share.low}) + " of it");
  }
  if (parts.empty()) return text + "; no part of it is seen to be time-step error.";
  return text + "; " + joined(parts, "; ") + ".";
}

/// "runout (at least 50 m)" where an arm's time-step error is larger than the margin that a judgement rests on.
std::string beyond_margin(const Column& column, const ColumnComparison& c, const ColumnSteps& steps) {
  if (!(c.margin > 0) || steps.errors.empty()) return "";
  const Estimate& error = steps.errors[0];
  if (!(error.low > c.margin || error.high < -c.margin)) return "";
  return column.name + " (" + (steps.order_seen ? "" : "at least ") + with_unit(error_text(error.value), column) + ")";
}

/// "a, b and c"
std::string listed(const std::vector<std::string>& names) {
  if (names.size() == 1) return names[0];
  return joined({names.begin(), names.end() - 1}) + " and " + names.back();
}

std::string censored_sentence(const Comparison& c) {
  std::string text = "Of " + samples_text(c.ended_both) + " " + whole(c.ended_both - c.stopped_both) +
                     " did not stop in both " + c.baseline + " and " + c.arm + ": " + whole(c.stopped_baseline) +
                     " stopped only in " + c.baseline + ", " + whole(c.stopped_arm) + " only in " + c.arm;
  if (!std::isnan(c.stopping.p)) text += " (McNemar " + p_phrase(c.stopping.p) + ")";
  return text + "; what is said of resting places leaves them out.";
}

/// The columns whose judgements rest on a margin that the time-step error of an arm exceeds.
void add_beyond_margin(std::vector<std::string>& sentences, std::span<const Arm> arms, const Evaluation& evaluation,
                       std::size_t a) {
  for (const std::size_t one : {std::size_t{0}, a}) {
    std::vector<std::string> beyond;
    for (std::size_t h = 0; h < evaluation.columns.size(); ++h) {
      const std::size_t k = static_cast<std::size_t>(evaluation.columns[h]);
      const ColumnComparison& of_column = evaluation.comparisons[a - 1].columns[k];
      if (of_column.judgement == Judgement::equal || evaluation.shares[a - 1][h].n < 2) continue;
      if (const std::string name = beyond_margin(column_of(*arms[0].table.description, evaluation.columns[h]),
                                                 of_column, evaluation.steps[one][k]);
          !name.empty())
        beyond.push_back(name);
    }
    if (!beyond.empty())
      sentences.push_back("Time-step error of " + arms[one].name + " exceeds the margin in " + listed(beyond) +
                          ": these judgements hold for this step only.");
  }
}

/// What the steps say of a comparison, column by column; columns with nothing to say share a sentence.
void add_step_sentences(std::vector<std::string>& sentences, std::span<const Arm> arms, const Evaluation& evaluation,
                        std::size_t a) {
  const Description& description = *arms[0].table.description;
  const Comparison& comparison = evaluation.comparisons[a - 1];
  std::vector<std::string> unseen;
  for (std::size_t h = 0; h < evaluation.columns.size(); ++h) {
    const std::size_t k = static_cast<std::size_t>(evaluation.columns[h]);
    const Column& column = column_of(description, evaluation.columns[h]);
    const StepShares& shares = evaluation.shares[a - 1][h];
    if (comparison.columns[k].judgement == Judgement::equal || shares.n < 2) continue;
    const std::string text = step_sentence(column, shares, comparison);
    if (text.empty()) unseen.push_back(column.name);
    if (!text.empty()) sentences.push_back(text);
  }
  add_beyond_margin(sentences, arms, evaluation, a);
  if (!unseen.empty()) sentences.push_back(listed(unseen) + ": no change of the difference with the step is seen.");
  if (const SummaryTable& finer = arms[a].finer[0].table; finer.samples < arms[a].table.samples)
    sentences.push_back("What is said of time-step errors rests on the first " + samples_text(finer.samples) + ".");
}

/// "+64 m, 42 %": a difference, and its share of a mean that cannot be negative.
std::string signed_text(const Column& column, const PairedColumn& p, const ColumnStatistics& baseline) {
  const double half = half_width(p);
  std::string text = (p.difference > 0 ? "+" : "") + with_unit(number_within(p.difference, half), column);
  if (baseline.min >= 0 && p.baseline_mean > 0 && std::fabs(p.difference) <= 10 * p.baseline_mean &&
      std::fabs(p.difference) >= 1e-3 * p.baseline_mean)
    text += ", " + number_within(100 * std::fabs(p.difference) / p.baseline_mean, 100 * half / p.baseline_mean) + " %";
  return text;
}

/// The columns of a comparison by what is judged of them, one sentence of each judgement.
void add_judgements(std::vector<std::string>& sentences, const Comparison& of, const Arm& baseline,
                    const std::vector<int>& columns) {
  struct Words {
    Judgement judgement;
    const char *start, *between, *end;  // of "START arm BETWEEN baseline END: columns"
    bool with_difference;
  };
  static constexpr Words known[] = {
      {Judgement::beyond, "", " differs from ", " by more than the margin", true},
      {Judgement::differs, "", " differs from ", "", true},
      {Judgement::constant, "", " differs from ", " by the same in all pairs", true},
      {Judgement::within, "", " differs from ", " by less than the margin", true},
      {Judgement::equivalent, "", " and ", " are equivalent within the margin", false},
      {Judgement::undecided, "Not decided whether ", " and ", " differ by more than the margin", false},
      {Judgement::not_shown, "No difference between ", " and ", " is shown", false},
      {Judgement::equal, "", " and ", " are equal in all pairs", false},
      {Judgement::too_few, "Too few pairs to compare ", " and ", "", false}};
  for (const Words& words : known) {
    std::vector<std::string> names;
    std::vector<double> needed;
    for (const int c : columns) {
      const ColumnComparison& column = of.columns[static_cast<std::size_t>(c)];
      if (column.judgement != words.judgement) continue;
      const Column& described = column_of(*baseline.table.description, c);
      const std::string difference =
          words.with_difference
              ? " (" + signed_text(described, column.paired, baseline.statistics.columns[static_cast<std::size_t>(c)]) +
                    ")"
              : "";
      names.push_back(described.name + difference);
      if (std::isfinite(column.samples_needed)) needed.push_back(column.samples_needed);
    }
    if (names.empty()) continue;
    std::string text = words.start + of.arm + words.between + of.baseline + words.end + ": " + listed(names);
    if (!needed.empty()) {
      const auto [least, most] = std::minmax_element(needed.begin(), needed.end());
      text += "; about " + rough_count(*least) + (needed.size() > 1 ? " to " + rough_count(*most) : "") +
              " samples would decide";
    }
    sentences.push_back(text + ".");
  }
}

/// "runout (at least 25 %)" of each column of which an arm's time-step error makes up a part, or hides one.
void add_step_parts(std::vector<std::string>& sentences, const Evaluation& evaluation, std::size_t a,
                    const Description& description) {
  const std::vector<StepShares>& shares = evaluation.shares[a - 1];
  const Comparison& of = evaluation.comparisons[a - 1];
  constexpr double whole_percent = 10;  // the least error of a share, in percent: what is beyond a whole is not read
  bool some = false;
  for (const auto& [share, name] : {std::pair(&StepShares::baseline, of.baseline), std::pair(&StepShares::arm, of.arm)})
    for (const bool hides : {false, true}) {
      std::vector<std::string> parts;
      for (std::size_t h = 0; h < evaluation.columns.size(); ++h) {
        Estimate part = shares[h].*share;
        if (hides) part = {-part.value, -part.high, -part.low};
        if (shares[h].n < 2 || !shares[h].first.seen() || !(part.low > 0 && part.value > least_share)) continue;
        parts.push_back(column_of(description, evaluation.columns[h]).name + " (" +
                        (shares[h].limit ? "" : "at least ") +
                        number_within(100 * part.value, std::max(whole_percent, 50 * (part.high - part.low))) + " %)");
      }
      some = some || !parts.empty();
      if (!parts.empty())
        sentences.push_back("Time-step error of " + name + (hides ? " hides" : " is") + " part of the difference in " +
                            listed(parts) + ".");
    }
  if (!some) sentences.push_back("No part of a difference is seen to be time-step error.");
}

const char* const unmeasured_sentence =
    "How much of this is time-step error was not measured; --step-error or `scree converge` does.";

/// The columns that an arm and the baseline can be compared in.
struct Judged {
  std::vector<int> columns;
  bool of_stopped = false;  // one or more are of the samples that stopped, whether or not any did in both arms
  bool all_equal = true;
};
/// Without those that no sample has a value of, and if no sample stopped in both arms those of resting places.
Judged judged_columns(const Arm& baseline, const Arm& arm, const Comparison& comparison,
                      const std::vector<int>& columns) {
  const Description& description = *baseline.table.description;
  Judged judged;
  for (const int c : columns) {
    const std::size_t k = static_cast<std::size_t>(c);
    const ColumnStatistics &first = baseline.statistics.columns[k], &other = arm.statistics.columns[k];
    if (first.n == 0 && other.n == 0 && first.undefined + other.undefined > 0) continue;
    const bool stopped = column_of(description, c).counted == Counted::stopped;
    judged.of_stopped = judged.of_stopped || stopped;
    if (stopped && comparison.stopped_both == 0) continue;
    judged.all_equal = judged.all_equal && comparison.columns[k].judgement == Judgement::equal;
    judged.columns.push_back(c);
  }
  return judged;
}

std::string none_stopped_sentence(const Comparison& of) {
  return "No sample stopped in both " + of.baseline + " and " + of.arm + ": nothing can be said of resting places.";
}

/// What of the config an arm changes besides its step.
std::vector<std::string> changes_but_step(const Arm& arm) {
  std::vector<std::string> changes = arm.changes;
  std::erase_if(changes, [](const std::string& change) { return change.find(":step=") != std::string::npos; });
  return changes;
}

/// Of arms that differ in the step alone; empty of others.
std::string same_scheme_sentence(const Arm& baseline, const Arm& arm) {
  if (arm.scheme != baseline.scheme || arm.step == baseline.step || changes_but_step(arm) != changes_but_step(baseline))
    return "";
  return arm.name + " and " + baseline.name + " are one scheme: what they differ by is time-step error.";
}

/// What `judge(sentences, a, comparison, judged)` says of each arm but the first, and of its time-step error
/// `tell_steps(sentences, a, comparison, judged)` where that was measured.
template <class Judge, class TellSteps>
std::vector<std::string> of_each_arm(std::span<const Arm> arms, const Evaluation& evaluation, Judge judge,
                                     TellSteps tell_steps) {
  std::vector<std::string> sentences;
  const Arm& baseline = arms[0];
  bool unmeasured = false;
  for (std::size_t a = 1; a < arms.size(); ++a) {
    const Comparison& comparison = evaluation.comparisons[a - 1];
    const Judged judged = judged_columns(baseline, arms[a], comparison, evaluation.columns);
    judge(sentences, a, comparison, judged);
    if (const std::string text = same_scheme_sentence(baseline, arms[a]); !text.empty() && !judged.all_equal)
      sentences.push_back(text);
    if (!evaluation.shares[a - 1].empty())
      tell_steps(sentences, a, comparison, judged);
    else
      unmeasured = unmeasured || (!judged.all_equal && arms[a].scheme != baseline.scheme);
  }
  if (unmeasured) sentences.push_back(unmeasured_sentence);
  return sentences;
}

/// Whether some samples are left out of a column of those that stopped.
bool leaves_out(const Judged& judged, const Comparison& comparison) {
  return judged.of_stopped && comparison.stopped_both < comparison.ended_both;
}

}  // namespace

std::vector<std::string> verdict(std::span<const Arm> arms, const Evaluation& evaluation) {
  const Arm& baseline = arms[0];
  const Description& description = *baseline.table.description;
  const auto judge = [&](std::vector<std::string>& sentences, std::size_t a, const Comparison& comparison,
                         const Judged& judged) {
    if (leaves_out(judged, comparison))
      sentences.push_back(comparison.stopped_both == 0 ? none_stopped_sentence(comparison)
                                                       : censored_sentence(comparison));
    std::vector<std::string> equal;
    for (const int c : judged.columns) {
      const std::size_t k = static_cast<std::size_t>(c);
      const Column& column = column_of(description, c);
      if (comparison.columns[k].judgement == Judgement::equal)
        equal.push_back(column.name);
      else
        sentences.push_back(sentence(column, comparison.columns[k], comparison, baseline.statistics.columns[k]));
    }
    if (!equal.empty())
      sentences.push_back(listed(equal) + ": " + arms[a].name + " and " + baseline.name + " are equal in all pairs.");
  };
  const auto tell_steps = [&](std::vector<std::string>& sentences, std::size_t a, const Comparison&, const Judged&) {
    add_step_sentences(sentences, arms, evaluation, a);
  };
  return of_each_arm(arms, evaluation, judge, tell_steps);
}

std::vector<std::string> short_verdict(std::span<const Arm> arms, const Evaluation& evaluation) {
  const Arm& baseline = arms[0];
  const Description& description = *baseline.table.description;
  const auto judge = [&](std::vector<std::string>& sentences, std::size_t, const Comparison& comparison,
                         const Judged& judged) {
    add_judgements(sentences, comparison, baseline, judged.columns);
    if (leaves_out(judged, comparison))
      sentences.push_back(comparison.stopped_both == 0
                              ? none_stopped_sentence(comparison)
                              : whole(comparison.ended_both - comparison.stopped_both) + " of " +
                                    samples_text(comparison.ended_both) + " did not stop in both " +
                                    comparison.baseline + " and " + comparison.arm +
                                    "; what is said of resting places leaves them out.");
  };
  const auto tell_steps = [&](std::vector<std::string>& sentences, std::size_t a, const Comparison&,
                              const Judged& judged) {
    if (judged.all_equal) return;
    add_step_parts(sentences, evaluation, a, description);
    add_beyond_margin(sentences, arms, evaluation, a);
  };
  return of_each_arm(arms, evaluation, judge, tell_steps);
}

std::vector<std::string> run_verdict(const Run& run, const Arm& arm) {
  std::vector<std::string> sentences;
  const Description& description = *arm.table.description;
  const std::vector<int> columns = shown_columns(run, description);
  const auto has_interval = [&](int c) { return arm.statistics.columns[static_cast<std::size_t>(c)].n > 1; };
  if (const auto first = std::find_if(columns.begin(), columns.end(), has_interval); first != columns.end()) {
    const Column& column = column_of(description, *first);
    const ColumnStatistics& s = arm.statistics.columns[static_cast<std::size_t>(*first)];
    const ColumnTexts t = column_texts(s);
    sentences.push_back(column.name + " is " + with_unit(mean_and_width(s), column) + " in the mean of " +
                        samples_text(s.n) + " " + section_name(column.counted) + "; of these 90 % lie between " +
                        t.low + " and " + with_unit(t.high, column) + ".");
  }
  const auto counted = [&](Counted which) {
    return std::any_of(columns.begin(), columns.end(),
                       [&](int c) { return column_of(description, c).counted == which; });
  };
  if (counted(Counted::stopped) && arm.statistics.status[static_cast<std::size_t>(Status::stopped)] == 0)
    sentences.push_back("No sample stopped: nothing can be said of resting places.");
  else if (counted(Counted::stopped) && is_censored(Counted::stopped, arm.statistics.status))
    sentences.push_back(censored_note);
  const std::uint64_t caught = arm.statistics.status[static_cast<std::size_t>(Status::caught)];
  if (counted(Counted::stopped) && caught > 0)
    sentences.push_back("Barriers caught " + whole(caught) + " of " + samples_text(arm.table.samples) +
                        (arm.statistics.status[static_cast<std::size_t>(Status::stopped)] == 0
                             ? "."
                             : ": run-out and resting places are those of the others that stopped."));
  if (const std::uint64_t failed = failed_samples(arm); failed > 0)
    sentences.push_back(whole(failed) + " of " + samples_text(arm.table.samples) +
                        " diverged or did not converge: see their statuses.");
  if (!sentences.empty() && arm.table.samples > 1)
    sentences.push_back("+-95 % is what other samples would change; what smaller steps would, `scree converge` tells.");
  if (arm.table.samples == 1)
    sentences.push_back("One sample has no error bar but that of the step: `scree converge`.");
  return sentences;
}

std::vector<std::string> converge_verdict(std::span<const Arm> arms, const Evaluation& evaluation) {
  std::vector<std::string> sentences, everywhere, nowhere;
  for (std::size_t a = 0; a < arms.size(); ++a) {
    std::vector<std::string> seen, bounds;
    for (const int c : evaluation.columns) {
      if (evaluation.steps[a].empty()) continue;
      const ColumnSteps& s = evaluation.steps[a][static_cast<std::size_t>(c)];
      if (s.n > 0 && s.errors[0].value != 0)
        (s.order_seen ? seen : bounds).push_back(column_of(*arms[0].table.description, c).name);
    }
    if (seen.empty() && !bounds.empty()) nowhere.push_back(arms[a].name);
    if (!seen.empty() && bounds.empty()) everywhere.push_back(arms[a].name);
    if (!seen.empty() && !bounds.empty())
      sentences.push_back("The order of " + arms[a].name + " is seen in " + listed(seen) + ", not in " +
                          listed(bounds) + ", whose errors are bounds.");
  }
  if (!everywhere.empty())
    sentences.push_back("The order is seen in every column, so that errors are extrapolated: " + listed(everywhere) +
                        ".");
  if (!nowhere.empty())
    sentences.push_back("No order is seen, so that errors are bounds (>= at least, < at most): " + listed(nowhere) +
                        ".");
  for (std::size_t a = 1; a < arms.size(); ++a)
    if (!evaluation.shares[a - 1].empty()) add_beyond_margin(sentences, arms, evaluation, a);
  return sentences;
}

Evaluation evaluate_in_words(const Run& run, std::span<const Arm> arms, int threads) {
  Evaluation evaluation = evaluate(run, arms, threads);
  evaluation.verdict = verdict(arms, evaluation);
  return evaluation;
}

}  // namespace scree
