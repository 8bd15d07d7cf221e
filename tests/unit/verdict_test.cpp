// The sentences of a verdict, from numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_result.hpp"
#include "host/report/verdict.hpp"

namespace scree {
namespace {

using namespace fake;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string not_measured =
    "How much of this is time-step error was not measured; --step-error or `scree converge` does.";

std::vector<std::string> sentences(const std::vector<Arm>& arms, std::vector<double> margins = {}) {
  scree::Run r = run();
  r.margins = std::move(margins);
  return evaluate_in_words(r, arms, 1).verdict;
}

TEST(Verdict, SaysEachHeadlineColumnInASentence) {
  EXPECT_THAT(
      sentences(two_arms()),
      ElementsAre(
          "Of 4 samples 1 did not stop in both explicit and implicit: 0 stopped only in explicit, 1 only in "
          "implicit (McNemar p = 1.000); what is said of resting places leaves them out.",
          "reach: implicit exceeds explicit by 10.0 m, 91 % of the mean of explicit (95 % confidence interval 7.5 "
          "to 12.5 m (t; bootstrap 9.0 to 11.0), p = 0.0066 after Holm, 3 pairs, 10 standard deviations of "
          "explicit).",
          "speed: no difference between implicit and explicit is shown: 0.00 m/s (95 % confidence interval "
          "-0.65 to 0.65 m/s (t; bootstrap -0.38 to 0.38), p = 1.000 after Holm, 4 pairs); the interval has no "
          "room for more than 0.65 m/s.",
          not_measured));
}

TEST(Verdict, SaysSoWhenThereIsNothingToCompare) {
  const Arm a = arm("explicit", table(plain(), {{1, 2}, {5, 6}}, {stopped, end_time}));
  EXPECT_THAT(
      sentences({a, arm("rk4", a.table)}),
      ElementsAre(
          "Of 2 samples 1 did not stop in both explicit and rk4: 0 stopped only in explicit, 0 only in rk4; what "
          "is said of resting places leaves them out.",
          "reach: 1 pair is too few to compare rk4 and explicit.", "speed: rk4 and explicit are equal in all pairs.",
          not_measured));
}

TEST(Verdict, OfAConstantShiftSpeaksOfNoTest) {
  const Arm a = arm("explicit", table(plain(), {{10, 11}, {5, 6}})),
            b = arm("implicit", table(plain(), {{14, 15}, {5, 6}}));
  EXPECT_EQ(sentences({a, b})[0],
            "reach: implicit exceeds explicit by 4.000 m, 38.10 % of the mean of explicit in each of 2 pairs: nothing "
            "varies, there is nothing to test.");
}

/// Thirty pairs that differ by `shift` and +-0.5 in turn; reach of the baseline 100.
std::vector<Arm> shifted(double shift) {
  std::vector<double> a(30, 100.0), b;
  for (int i = 0; i < 30; ++i) b.push_back(100 + shift + (i % 2 ? 0.5 : -0.5));
  return {arm("explicit", table(plain(), {a, a})), arm("implicit", table(plain(), {b, a}))};
}

TEST(Verdict, DoesNotAskForMoreOfAPoorSelection) {
  std::vector<Arm> arms = shifted(2.1);
  for (std::size_t i = 0; i < 10; ++i) arms[0].table.status[i] = end_time;
  arms[0] = arm("explicit", arms[0].table);
  const std::vector<std::string> said = sentences(arms, {2, 0});
  EXPECT_THAT(said[0], HasSubstr("Of 30 samples 10 did not stop in both"));
  EXPECT_THAT(said[1], HasSubstr("the pairs are a selection, more samples would not cure it; a longer end may."));
}

TEST(Verdict, AnswersTheQuestionOfTheMargin) {
  EXPECT_THAT(sentences(shifted(3), {2, 0})[0],
              HasSubstr("reach: implicit exceeds explicit by 3.00 m, 3.00 % of the mean of explicit, more than the "
                        "margin of 2.000 m (beyond it: p < 0.0001; "));
  EXPECT_THAT(sentences(shifted(1), {2, 0})[0],
              HasSubstr("reach: implicit exceeds explicit by 1.00 m, 1.00 % of the mean of explicit, which is less "
                        "than the margin of 2.000 m (two one-sided tests, p < 0.0001; "));
  EXPECT_THAT(sentences(shifted(0.1), {2, 0})[0],
              HasSubstr("reach: implicit and explicit are equivalent within 2.000 m (two one-sided tests, p < 0.0001; "
                        "difference 0.10 m, "));
  EXPECT_THAT(sentences(shifted(2.1), {2, 0})[0],
              HasSubstr("reach: not decided whether implicit and explicit differ by more than 2.000 m: 2.10 m ("));
  EXPECT_THAT(sentences(shifted(2.1), {2, 0})[0], HasSubstr(" samples would decide (power 90 %), were the true "
                                                            "difference and spread as seen."));
}

/// Arms at 0.01 and 0.005 s; the baseline moves by `change` of the difference of 10.
std::vector<Arm> with_steps(double change) {
  std::vector<Arm> arms = shifted(10);
  std::vector<double> moved;
  for (int i = 0; i < 30; ++i) moved.push_back(100 + change + (i % 3 ? 0.2 : -0.4));
  arms[0].finer.push_back(arm("explicit 0.005 s", table(plain(), {moved, moved})));
  arms[1].finer.push_back(arms[1]);
  arms[1].finer[0].finer.clear();
  for (Arm& a : arms) a.finer[0].step = 0.005;
  return arms;
}

TEST(Verdict, SaysWhatPartIsTimeStepError) {
  // Linearised: variance of change minus share times difference, (0.08 + share^2 0.25) 30 / 29 for the patterns of
  // three and two; over 10^2 and 30 pairs, times t_0.975(29) = 2.045: half widths 1.216 and 1.861 %.
  const std::vector<std::string> little = sentences(with_steps(3)), most = sentences(with_steps(8));
  EXPECT_EQ(little[2],
            "reach, time-step error: the difference goes from 10.00 m at a step of 0.01 s to 7.00 m at 0.005 s; "
            "time-step error of explicit makes up at least 30.0 % (28.8 to 31.2 % by sampling) of it.");
  EXPECT_EQ(most[2],
            "reach, time-step error: the difference goes from 10.00 m at a step of 0.01 s to 2.00 m at 0.005 s; "
            "time-step error of explicit makes up at least 80.0 % (78.1 to 81.9 % by sampling) of it, most of it.");
}

TEST(Verdict, NamesErrorsThatHideADifferenceAndThoseBeyondTheMargin) {
  // Half the step moves the baseline away from the arm: what is seen at the step is less than it should be.
  const std::vector<std::string> hidden = sentences(with_steps(-5), {2, 0});
  EXPECT_THAT(hidden[2], HasSubstr("time-step error of explicit hides at least 50"));
  EXPECT_EQ(hidden[3],
            "Time-step error of explicit exceeds the margin in reach (at least 5.0 m): these judgements hold for this "
            "step only.");
}

TEST(Verdict, OfStepsAloneSaysWhatTheyAre) {
  std::vector<Arm> arms = shifted(3);
  arms[1].scheme = arms[0].scheme;
  arms[1].step = 0.005;
  const std::vector<std::string> said = sentences(arms);
  EXPECT_EQ(said.back(), "implicit and explicit are one scheme: what they differ by is time-step error.");
}

}  // namespace
}  // namespace scree
